"""Every enclosure of the checker contains the truth, with parameters so coarse that each error term matters in turn."""

from fractions import Fraction as F

import mpmath
import pytest
from mpmath import mpf

from dpbounds.recheck.noises import SampledLaplace
from dpbounds.recheck.numbers import Numbers
from dpbounds.recheck.query import Query
from dpbounds.recheck.truncated_batch import upper_tail
from tests.recheck.probes import PROBES, exact, holds


@pytest.mark.parametrize("name", PROBES)
def test_the_truth_lies_inside(name):
    assert holds(name)


@pytest.mark.parametrize("q", [F(1, 100), F(1, 4), F(9, 10)])
@pytest.mark.parametrize("largest", [F(1, 4), F(2), F(8)])
def test_ends_hold_the_integral_of_sampled_laplace(largest, q):
    """∫ g <= 2(k(−ε₀) + k(ε₀)) at every order: a height y < 1 in the bound on the decay is of no use, and of no harm."""
    e0, rate = exact(largest), exact(q)

    def u(loss):
        return 1 - rate + rate * mpmath.exp(loss)

    for p in (mpf("-60"), mpf(-8), mpf(-1), mpf("-0.1"), mpf("1.01"), mpf("1.5"), mpf(3), mpf(20), mpf(90)):

        def g(loss, p=p):
            return u(loss) ** p * mpmath.exp(-(loss + e0) / 2) / 4

        ends = sum(g(loss) * u(loss) / (rate * mpmath.exp(loss)) for loss in (-e0, e0))
        assert mpmath.quad(g, [-e0, -e0 / 2, 0, e0 / 2, e0]) <= 2 * ends


def test_all_terms_of_a_long_tail_are_added():
    """By Hoeffding P(Bin(n, q) < b) <= e^{-2(nq − b)²/n}; the sum has its largest terms at its end."""
    low, high = upper_tail(45_000, F(9, 10), 20_000, Numbers(60)).bounds()
    rest = F(1, 2**26_000)  # e^{-18677}
    assert low <= 1 and 1 - rest <= high
    assert 1 - F(1, 10**6) <= low


DECAYS = [(largest, q, c, y) for largest, q in ((F(1), F(1, 2)), (F(3), F(9, 10))) for c in (F(1), F(4)) for y in (F(20),)]


@pytest.mark.parametrize(("largest", "q", "c", "y"), DECAYS)
@pytest.mark.parametrize("reverse", [False, True])
def test_the_decay_of_sampled_laplace_is_above_the_moment_far_out(largest, q, c, y, reverse):
    """|∫ g·e^{iy·log u}| against what the bound has beside the atoms; a phase turns with y, so a few heights are tried."""
    numbers, law, e0, rate = Numbers(80), SampledLaplace(largest, q, reverse), exact(largest), exact(q)
    order = -c if reverse else 1 + c
    masses = sum(weight.bounds()[1] for weight, _ in law._atoms(c, numbers))
    allowed = law.decay(c, y, {}, numbers).bounds()[1] - masses

    def integrand(loss, height):
        log = mpmath.log(1 - rate + rate * mpmath.exp(loss))
        return mpmath.exp((exact(order) + (-1j if reverse else 1j) * height) * log - (loss + e0) / 2) / 4

    ends = [-e0 + 2 * e0 * mpf(k) / 12 for k in range(13)]
    found = max(abs(mpmath.quad(lambda loss, k=k: integrand(loss, exact(y) + k), ends)) for k in (0, 1))
    assert found <= exact(allowed)
    assert found >= exact(allowed) / 8, "the bound is not far above the truth, so that a factor that is lost is noticed"


SYMMETRIC = {
    "a batch without replacement": ({"sampling": "without-replacement", "population": 100, "batch-size": 10}, {0: F(9, 10), 1: F(1, 10)}),
    "a batch with replacement": ({"sampling": "with-replacement", "population": 10, "batch-size": 2},
                                 {0: F(81, 100), 1: F(18, 100), 2: F(1, 100)}),
    "a Poisson sample": ({"sampling": "poisson", "q": "1/10"}, {0: F(9, 10), 1: F(1, 10)}),
}  # fmt: skip


@pytest.mark.parametrize("name", SYMMETRIC)
def test_the_moment_of_a_published_pair_is_that_of_its_densities(name):
    """E_P[dP/dQ] of Σ w·N(ℓ, σ²) against its mirror image, by mpmath from the densities alone."""
    part, weights = SYMMETRIC[name]
    sigma = mpf("1.5")
    document = {
        "quantity": "rdp",
        "alpha": "2",
        "mechanism": [part | {"sigma": "3/2", "steps": 1}],
        "relation": "substitute",
        "direction": "symmetric",
        "guarantee": "pair",
    }
    ((law, steps),) = Query.read(document).uses("symmetric", Numbers(80))
    rule = {"shift": "0", "strip": "1/2", "step": "1/20", "first": -300, "last": 300}

    def density(x, side):
        return sum(exact(weight) * mpmath.npdf(x, side * place, sigma) for place, weight in weights.items())

    moment = mpmath.quad(lambda x: density(x, 1) ** 2 / density(x, -1), [-30, -10, 0, 2, 10, 40])
    low, high = law.moment(F(1), rule, Numbers(80)).bounds()
    assert steps == 1 and exact(low) <= moment <= exact(high) and high - low <= F(1, 10**6)
