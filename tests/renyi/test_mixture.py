"""Mixtures of sampling with replacement, and the substitute pair: an independent quadrature, the whole range, each error term."""

import random
from dataclasses import replace
from fractions import Fraction

import mpmath
import pytest
from flint import arb

from dpbounds.mechanisms.pairs import SubstitutePair, WithReplacementPair
from dpbounds.numbers.balls import ball, precision
from dpbounds.renyi import mixture as module
from dpbounds.renyi import mixture_terms as terms
from dpbounds.renyi import one_pair, poisson_gaussian
from dpbounds.renyi.mixture import SumPlan, divergence, integral, plan
from dpbounds.renyi.mixture_terms import MixtureTerms
from tests.oracle.renyi import approx_divergence

F = Fraction


def substitute(q: F, t: F, sigma: F, bits: int) -> arb:
    return poisson_gaussian.divergence(t, sigma, q, bits, substitute=True)


def one_draw(rate: str) -> tuple:
    return 1, F(rate)


def draws(population: int, batch: int) -> tuple:
    return batch, F(1, population)


def mixture(counts: tuple, alpha: str, sigma: str) -> MixtureTerms:
    return MixtureTerms(counts[0], ball(F(counts[1])), ball(F(alpha) - 1), ball(F(sigma)))


@pytest.mark.parametrize(
    ("pair", "alpha"),
    [
        (SubstitutePair(F(1, 10), F(1, 2)), "5/2"),
        (SubstitutePair(F(97, 100), F(4)), "1.001"),
        (SubstitutePair(F(1, 1000), F(1)), "60.5"),
        (WithReplacementPair(30, 20, F(3)), "7/2"),
        (WithReplacementPair(1000, 12, F(4)), "2"),
    ],
)
def test_contains_the_oracle(pair, alpha) -> None:
    value = one_pair.divergence(pair, F(alpha) - 1, 60)
    with precision(400):
        expected = arb(mpmath.nstr(approx_divergence(pair, alpha, 40), 60)) * arb(1, "1e-38")
        assert value.rel_accuracy_bits() >= 60 and value.contains(expected)


@pytest.mark.parametrize("alpha", ["1.000001", "3/2", "1000", "1e6"])
@pytest.mark.parametrize("sigma", ["0.3", "1", "150", "1e8"])
@pytest.mark.parametrize("q", ["1e-9", "0.5", "0.999999999"])
def test_full_relative_digits_over_the_range(sigma: str, q: str, alpha: str) -> None:
    value = substitute(F(q), F(alpha) - 1, F(sigma), 100)
    assert value.rel_accuracy_bits() >= 100
    assert value <= ball(4 * F(alpha) / (2 * F(sigma) ** 2)), "post-processing of the unsampled Gaussian at distance 2"
    assert value.overlaps(substitute(F(q), F(alpha) - 1, F(sigma), 150))


@pytest.mark.parametrize(("population", "batch", "sigma"), [(1000, 1000, "4"), (10, 100, "2"), (100, 10_000, "5"), (10**9, 7, "1e6")])
def test_large_batches(population: int, batch: int, sigma: str) -> None:
    value = divergence(batch, F(1, population), F(3, 2), F(sigma), 60)
    assert value.rel_accuracy_bits() >= 60
    assert value <= ball(F(5, 2) * (2 * batch) ** 2 / (2 * F(sigma) ** 2)), "all draws hit"


def test_one_draw_is_the_two_point_mixture() -> None:
    assert one_pair.divergence(WithReplacementPair(10, 1, F(1)), F(2), 80).overlaps(divergence(1, F(1, 10), F(2), F(1), 80))


def test_degenerate_rates() -> None:
    assert substitute(F(0), F(1), F(1), 60) == 0
    assert substitute(F(1), F(1), F(1), 60).contains(arb(4)), "N(1) against N(−1)"


def test_order_one_is_the_limit() -> None:
    limit = substitute(F(1, 3), F(0), F(1), 80)
    near = substitute(F(1, 3), F(1, 10**30), F(1), 80)
    with precision(200):
        assert abs(limit / near - 1) < arb("1e-23")


# --- each error term ----------------------------------------------------------------------------------------------------

COUNTS = {"two points": (one_draw("1/4"), "1"), "binomial": (draws(20, 5), "2")}


def fine_and_rough(f: MixtureTerms, change: dict[str, float]) -> tuple[arb, SumPlan]:
    fine = plan(f, 120)
    if "step" in change:
        factor = change["step"]
        rough = replace(fine, step=fine.step * factor, first=int(fine.first / factor) - 1, last=int(fine.last / factor) + 1)
    else:
        rough = replace(fine, **{name: int(getattr(fine, name) * factor) for name, factor in change.items()})
    return integral(f, fine), rough


@pytest.mark.parametrize("alpha", ["1.1", "3"])
@pytest.mark.parametrize("counts", COUNTS.values(), ids=COUNTS.keys())
@pytest.mark.parametrize(("name", "change"), [("left_tail", {"first": 0.75}), ("right_tail", {"last": 0.75}), ("aliasing", {"step": 3.0})])
def test_dropping_an_error_term_misses_the_truth(name, change, counts, alpha, monkeypatch) -> None:
    with precision(400):
        f = mixture(counts[0], alpha, counts[1])
        truth, rough = fine_and_rough(f, change)
        widened = integral(f, rough)
        assert widened.contains(truth) and widened.rel_accuracy_bits() < truth.rel_accuracy_bits()
        monkeypatch.setattr(module if name == "aliasing" else terms, name, lambda *_: arb(0))
        assert not integral(f, rough).overlaps(truth)


@pytest.mark.parametrize(("counts", "sigma"), COUNTS.values(), ids=COUNTS.keys())
@pytest.mark.parametrize("alpha", ["1.0001", "3", "60"])
@pytest.mark.parametrize("share", [1.0, 0.3])
def test_edge_bounds_the_integral_on_the_edge(counts, sigma, alpha, share) -> None:
    with precision(160):
        f = mixture(counts, alpha, sigma)
        chosen = plan(f, 60)
        theta = chosen.theta * share
        bound = terms.edge(f, arb(theta), arb(chosen.step) * chosen.last)
    with mpmath.workdps(40):
        m, rate, s, t = counts[0], mpmath.mpf(F(counts[1]).numerator) / F(counts[1]).denominator, mpmath.mpf(sigma), mpmath.mpf(alpha) - 1
        shift = mpmath.mpf(theta) * s * s
        masses = [mpmath.binomial(m, k) * rate**k * (1 - rate) ** (m - k) * mpmath.exp(-k * k / (2 * s * s)) for k in range(m + 1)]

        def size(x: mpmath.mpf) -> mpmath.mpf:
            z = mpmath.mpc(x, shift)
            u = mpmath.fsum(b * mpmath.exp(k * z / s**2) for k, b in enumerate(masses))
            v = mpmath.fsum(b * mpmath.exp(-k * z / s**2) for k, b in enumerate(masses))
            real_u = mpmath.fsum(b * mpmath.exp(k * x / s**2) for k, b in enumerate(masses))
            assert abs(u) <= real_u * (1 + mpmath.mpf(10) ** -30)
            value = u * mpmath.expm1(t * (mpmath.log(u) - mpmath.log(v))) / t - u + v
            return abs(mpmath.exp(-z * z / (2 * s * s)) * value) / (s * mpmath.sqrt(2 * mpmath.pi))

        step = s / 4
        total = step * mpmath.fsum(size(step * j) for j in range(-60, int(4 * (10 + float(alpha) * m))))
    assert arb(mpmath.nstr(total, 20)) <= bound


def test_cells_are_above_the_real_integral() -> None:
    """At θ = 0 the edge bound is a bound of J itself."""
    with precision(120):
        f = mixture(one_draw("1/4"), "3", "1")
        chosen = plan(f, 60)
        assert integral(f, chosen) <= terms.edge(f, arb("1e-9"), arb(chosen.step) * chosen.last)


def test_block_majorant_is_above_the_integrand() -> None:
    rng = random.Random(5)
    for _ in range(150):
        counts = rng.choice([one_draw("1e-9"), one_draw("0.9"), draws(20, 5), draws(100, 60)])
        with precision(150):
            f = mixture(counts, rng.choice(["1.001", "3", "500"]), rng.choice(["0.3", "1", "20"]))
            low = arb(rng.uniform(-15, 15)) * f.sigma
            high = low + arb(rng.uniform(0, 3)) * f.sigma
            bound = terms.block_majorant(f, low, high)
            for k in range(6):
                assert f(low + (high - low) * k / 5) <= bound * (1 + arb("1e-25"))


@pytest.mark.parametrize("drift", ["-3", "0", "0.5", "2"])
def test_windowed_sums_contain_the_full_sums(drift: str, monkeypatch) -> None:
    with precision(100):
        f = mixture(draws(50, 200), "2", "5")
        value, first = f.side(arb(drift))
        masses = [arb.bin_uiui(200, k) * f.rate**k * (1 - f.rate) ** (200 - k) for k in range(201)]
        weights = [b * (k * arb(drift) - k * k * f.half_v).exp() for k, b in enumerate(masses)]
        total, mean = sum(weights, arb(0)), sum((k * w for k, w in enumerate(weights)), arb(0))
        assert value.overlaps(total) and first.overlaps(mean) and value.rel_accuracy_bits() > 80
        monkeypatch.setattr(terms.Counts, "window", lambda self, drift, bits: (0, 3))
        assert f.side(arb(drift))[0].contains(total) and f.side(arb(drift))[1].contains(mean)
        monkeypatch.setattr(terms, "remainder", lambda term, ratio: arb(0))
        assert not f.side(arb(drift))[0].overlaps(total)


def test_negligible_blocks_stay_in_the_sum(monkeypatch) -> None:
    with precision(200):
        f = mixture(one_draw("1e-9"), "1000", "1")
        fine = plan(f, 100)
        truth = integral(f, fine)
        rough = replace(fine, negligible=truth / 1000 / fine.step)
        assert integral(f, rough).contains(truth)
        monkeypatch.setattr("dpbounds.numbers.trapezoid.skipped_block", lambda *_: arb(0))
        assert not integral(f, rough).overlaps(truth)
