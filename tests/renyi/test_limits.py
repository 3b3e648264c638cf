"""Large orders and small rates: integrals and finite sums lie between the bounds, and each term of the bounds is needed."""

from fractions import Fraction

import mpmath
import pytest
from flint import arb

from dpbounds.mechanisms.pairs import SubstitutePair
from dpbounds.numbers.balls import ball, precision
from dpbounds.renyi import one_pair, poisson_gaussian
from dpbounds.renyi.counts import BinomialCounts, ListedCounts
from dpbounds.renyi.gaussian_mixture import Integrand, moment, plan
from dpbounds.renyi.limits import large_order, small_rate

F = Fraction
LAWS = [(("1/4", "3/4"), "2"), (("1/2", "0", "1/3", "1/6"), "1"), (("9/10", "0", "1/10"), "1/2"), ((6, "1/3"), "3/2"), ((30, "1/50"), "4")]


def counts_of(law, sigma):
    if isinstance(law[0], int):
        return BinomialCounts(law[0], ball(F(law[1])), ball(F(sigma)))
    return ListedCounts([ball(F(weight)) for weight in law], ball(F(sigma)))


@pytest.mark.parametrize("both", [False, True])
@pytest.mark.parametrize(("law", "sigma"), LAWS)
def test_large_orders_have_the_integral_between_their_bounds(law, sigma, both):
    """From orders where the bounds are far apart to those where they have met."""
    widths = []
    for scaled in (1, 4, 16, 150):
        with precision(160):
            t, counts = arb(scaled) * ball(F(sigma)) ** 2, counts_of(law, sigma)
            f = Integrand(counts, ball(F(sigma)), 1 + t, t * both)
            found, truth = large_order(counts, ball(F(sigma)), t, both=both), moment(f, plan(f, 60.0)).log() / t
            assert truth.rel_accuracy_bits() > 60 and found.overlaps(truth)
            widths.append(float(found.rad() / truth))
    assert widths[0] > 1e-7 and widths[3] < 1e-20


@pytest.mark.parametrize("both", [False, True])
def test_a_large_order_by_quadrature(both):
    t, weights = 60, [mpmath.mpf(1) / 2, mpmath.mpf(1) / 4, mpmath.mpf(1) / 4]

    def side(s):
        return mpmath.fsum(w * mpmath.exp(k * s - mpmath.mpf(k * k) / 2) for k, w in enumerate(weights))

    with mpmath.workdps(20):
        ends = [2 * (1 + t) + k for k in (-9, 0, 9)]
        truth = mpmath.log(mpmath.quad(lambda s: mpmath.npdf(s) * side(s) ** (1 + t) / (side(-s) ** t if both else 1), ends)) / t
    with precision(160):
        found = large_order(counts_of(("1/2", "1/4", "1/4"), "1"), arb(1), arb(t), both=both)
        assert found.rel_accuracy_bits() > 80 and abs(found / arb(mpmath.nstr(truth, 20)) - 1) < 1e-14


def by_quadrature(q, sigma, t, sides):
    """log(1 + E[u^{1+t}v^{−t} − 1 − …])/t with the first derivatives taken out, so that nothing cancels."""
    q, sigma, t = mpmath.mpf(q), mpmath.mpf(sigma), mpmath.mpf(t)

    def excess(s):
        y, z = (q * mpmath.expm1(way * s / sigma - 1 / (2 * sigma**2)) * side for way, side in zip((1, -1), sides, strict=True))
        return mpmath.npdf(s) * ((1 + y) ** (1 + t) * (1 + z) ** -t - 1 - (1 + t) * y + t * z)

    reach = (3 + t) / sigma + 12
    ends = [reach * k / 6 for k in range(-6, 7)]
    return mpmath.log1p(mpmath.quad(excess, ends)) / t


@pytest.mark.parametrize("sides", [(True, False), (False, True), (True, True)])
@pytest.mark.parametrize(
    ("q", "sigma", "t"), [("1e-9", "1", "0.5"), ("1e-14", "0.6", "2.5"), ("1e-3", "2", "3"), ("0.2", "5", "1"), ("1e-4", "1", "20")]
)
def test_small_rates_have_the_divergence_between_their_bounds(q, sigma, t, sides):
    with mpmath.workdps(40 if F(q) > F("1e-5") else 60):
        truth = mpmath.nstr(by_quadrature(q, sigma, t, sides), 24)
    with precision(300):
        found = small_rate(ball(F(q)), ball(F(sigma)), ball(F(t)), sides)
        assert not found.is_finite() or found.overlaps(arb(truth) * arb(1, 1e-22))
        assert F(q) > F("1e-5") or arb(truth) * ball(F(q)) / 100 < abs(found.mid() - arb(truth)) < arb(truth) / 1000


@pytest.mark.parametrize(
    ("q", "sigma", "order"), [("1e-6", "0.3", 9), ("1e-40", "0.2", 5), ("1e-30", "0.15", 3), ("1e-3", "1", 2), ("1e-12", "0.4", 16)]
)
def test_small_rates_at_whole_orders(q, sigma, order):
    """E u^n = Σ C(n, j) q^j (1 − q)^{n−j} e^{j(j−1)/2σ²}; of large n the larger moments are all of it."""
    with precision(2000):
        rate, scale = ball(F(q)), 1 / ball(F(sigma)) ** 2
        total = sum(
            (arb.bin_uiui(order, j) * rate**j * (1 - rate) ** (order - j) * (j * (j - 1) * scale / 2).exp() for j in range(order + 1)),
            arb(0),
        )
        truth = total.log() / (order - 1)
        found = small_rate(rate, ball(F(sigma)), arb(order - 1), (True, False))
        assert not found.is_finite() or found.contains(truth)


@pytest.mark.parametrize("q", ["1e-180", "1e-300"])
def test_tiny_rates_have_all_digits_on_both_sides_of_the_large_moments(q):
    for t in ("1/2", "33/10", "41/2", "899", "1e6"):
        for sides in ({}, {"add": True}):
            found = poisson_gaussian.divergence(F(t), F(1, 10), F(q), 53, **sides)
            assert found.rel_accuracy_bits() >= 53 and 0 < found.lower() < (1 + ball(F(t))) * 50


@pytest.mark.parametrize(("q", "sigma", "t"), [("377e-8", "0.519", "3110000000"), ("1/2", "9", "484000000000000")])
def test_large_orders_of_the_substitute_pair_and_of_adding(q, sigma, t):
    """(1 + t)/2σ² + (1 + t)/t·log q − log(1 − q), to far more digits than are asked for; −log(1 − q) where a record is added."""
    order, noise, rate = F(t), F(sigma), F(q)
    both = one_pair.divergence(SubstitutePair(rate, noise), order, 53)
    added = poisson_gaussian.divergence(order, noise, rate, 53, add=True)
    with precision(200):
        limit = ball((1 + order) / (2 * noise**2)) + ball((1 + order) / order) * ball(rate).log() - (1 - ball(rate)).log()
        assert abs(both / limit - 1) < 1e-14
        assert arb("0.99") * -(-ball(rate)).log1p() < added < -(-ball(rate)).log1p()
