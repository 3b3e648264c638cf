"""Mixtures of sampling with replacement, and the substitute pair: an independent quadrature, the whole range, each error term."""

import math
import random
from dataclasses import replace
from fractions import Fraction

import mpmath
import pytest
from flint import acb, arb

from dpbounds.mechanisms.pairs import SubstitutePair, WithReplacementPair
from dpbounds.numbers.balls import ball, precision
from dpbounds.renyi import counts, one_pair, poisson_gaussian
from dpbounds.renyi import gaussian_mixture as module
from dpbounds.renyi.counts import BinomialCounts, ListedCounts
from dpbounds.renyi.gaussian_mixture import Integrand, moment, plan, tail
from tests.oracle.renyi import approx_divergence

F = Fraction


def substitute(q: F, t: F, sigma: F, bits: int) -> arb:
    return poisson_gaussian.divergence(t, sigma, q, bits, substitute=True)


def mixture(law: tuple, alpha: str, sigma: str, sides: tuple = (True, True)) -> Integrand:
    """Of binomial counts (m, rate), or of listed weights, at the precision that is set."""
    noise, order = ball(F(sigma)), ball(F(alpha))
    of = (
        BinomialCounts(law[0], ball(F(law[1])), noise)
        if isinstance(law[0], int)
        else ListedCounts([ball(F(weight)) for weight in law], noise)
    )
    return Integrand(of, noise, order * sides[0], (order - 1) * sides[1])


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
    value = one_pair.divergence(WithReplacementPair(population, batch, F(sigma)), F(3, 2), 60)
    assert value.rel_accuracy_bits() >= 60
    assert value <= ball(F(5, 2) * (2 * batch) ** 2 / (2 * F(sigma) ** 2)), "all draws hit"


def test_one_draw_is_the_two_point_mixture() -> None:
    with precision(120):
        f = mixture((1, "1/10"), "3", "1")
        found = moment(f, plan(f, 70.0)).log() / 2
        assert found.overlaps(substitute(F(1, 10), F(2), F(1), 80)) and found.rel_accuracy_bits() > 80


def test_a_draw_that_always_hits() -> None:
    assert one_pair.divergence(WithReplacementPair(1, 3, F(2)), F(1), 60).contains(2 * 9 * arb(2) / 4)


def test_degenerate_rates() -> None:
    assert substitute(F(0), F(1), F(1), 60) == 0
    assert substitute(F(1), F(1), F(1), 60).contains(arb(4)), "N(1) against N(−1)"


def test_order_one_is_the_limit() -> None:
    limit = substitute(F(1, 3), F(0), F(1), 80)
    near = substitute(F(1, 3), F(1, 10**30), F(1), 80)
    with precision(200):
        assert abs(limit / near - 1) < arb("1e-23")


# --- each error term ----------------------------------------------------------------------------------------------------

LAWS = {
    "two points": ((1, "1/4"), "1", (True, True)),
    "binomial": ((5, "1/20"), "2", (True, True)),
    "many draws": ((40, "1/2"), "3", (True, True)),
    "a group above noise": (("1/2", "0", "1/3", "1/6"), "1", (True, False)),
    "noise above a group": (("1/2", "0", "1/3", "1/6"), "1", (False, True)),
}
EACH = pytest.mark.parametrize(("law", "sigma", "sides"), LAWS.values(), ids=LAWS.keys())


@pytest.mark.parametrize("alpha", ["1.1", "3", "20"])
@EACH
@pytest.mark.parametrize(("name", "change"), [("tail", {"first": 2}), ("tail", {"last": -2}), ("discretisation", {})])
def test_dropping_an_error_term_misses_the_truth(name, change, law, sigma, sides, alpha, monkeypatch) -> None:
    with precision(400):
        f = mixture(law, alpha, sigma, sides)
        fine = plan(f, 80.0)
        truth, rough = moment(f, fine), replace(fine, **{end: getattr(fine, end) + int(by / fine.step) for end, by in change.items()})
        if not change:
            times = math.ceil(1.6 / fine.step)
            rough = replace(fine, step=times * fine.step, first=fine.first // times - 1, last=fine.last // times + 1)
        assert moment(f, rough).contains(truth) and truth.rel_accuracy_bits() > 100
        monkeypatch.setattr(module, name, lambda *_: arb(0))
        assert not moment(f, rough).overlaps(truth)


@pytest.mark.parametrize(
    ("law", "sigma", "sides", "alpha", "share"),
    [
        *((*row, alpha, share) for row in LAWS.values() for alpha in ("1.0001", "3", "60") for share in (0.9, 0.4)),
        ((5, "13/20"), "4", (False, True), "5", 0.9),  # where the factors are on the verge of zeros, and all alike
        ((5, "1/20"), "10", (False, True), "60", 0.4),  # where v is nearly b_0 (1 + y)^m for a small y
    ],
)
def test_the_shift_costs_at_most_the_loss(law, sigma, sides, alpha, share) -> None:
    """∫|f(s + ia)|ds by complex sums against e^{a²/2 + C}·M."""
    with precision(120):
        f = mixture(law, alpha, sigma, sides)
        chosen = plan(f, 40.0)
        theta = arb(share * f.counts.widest)
        a = theta * f.sigma
        total, lowest = arb(0), arb(chosen.step) / 4
        for n in range(4 * chosen.first, 4 * chosen.last, 4 if abs(chosen.last - chosen.first) > 500 else 1):
            size = -(acb(lowest * n, a) ** 2) / 2
            for power, sign in ((f.p, 1), (-f.n, -1)):
                if power != 0:
                    turned = (sign * acb(lowest * n, a) / f.sigma).exp()
                    weights = [weight(f, count) for count in range(f.counts.most + 1)]
                    size += power * sum((w * turned**count for count, w in enumerate(weights)), acb(0)).log()
            total += size.real.exp()
        total *= lowest * (4 if abs(chosen.last - chosen.first) > 500 else 1) / (2 * arb.pi()).sqrt()
        assert total <= moment(f, chosen) * (a * a / 2 + f.counts.log_loss(f.n, theta)).exp() * (1 + arb("1e-6"))


def weight(f: Integrand, count: int) -> arb:
    """w_ℓ."""
    if f.counts.widest < 3.14 or f.counts.most == 1 and not hasattr(f.counts, "rate"):
        return f.counts.weights[count]
    rate, most = f.counts.rate, f.counts.most
    return arb.bin_uiui(most, count) * rate**count * (1 - rate) ** (most - count) * (-(arb(count) ** 2) / (2 * f.sigma**2)).exp()


@EACH
def test_tails_are_above_the_nodes_they_replace(law, sigma, sides) -> None:
    rng = random.Random(9)
    for alpha in ("1.01", "2", "15"):
        with precision(120):
            f = mixture(law, alpha, sigma, sides)
            chosen, step = plan(f, 20.0), 0.0625
            for way, end in ((-1, chosen.first), (1, chosen.last)):
                cut = arb(chosen.step * end - way * rng.uniform(1, 5))
                nodes = [f.at(cut + way * step * k) for k in range(1, 100)]
                total = sum((f.log_size(at).exp() for at in nodes), arb(0)) * step / (2 * arb.pi()).sqrt()
                bound = tail(f, cut, way, arb(step))
                assert total <= bound and bound < 1000 * total


@pytest.mark.parametrize("drift", ["-3", "0", "0.5", "2"])
def test_windowed_sums_contain_the_full_sums(drift: str, monkeypatch) -> None:
    with precision(100):
        of = BinomialCounts(200, arb(1) / 50, arb(5))
        value, first = of.side(arb(drift))
        masses = [arb.bin_uiui(200, k) * of.rate**k * (1 - of.rate) ** (200 - k) for k in range(201)]
        weights = [b * (k * arb(drift) - k * k * of.half_v).exp() for k, b in enumerate(masses)]
        total, mean = sum(weights, arb(0)), sum((k * w for k, w in enumerate(weights)), arb(0))
        assert value.overlaps(total) and first.overlaps(mean) and value.rel_accuracy_bits() > 80
        monkeypatch.setattr(counts.Window, "counts", lambda self, drift, bits: (0, 3))
        assert of.side(arb(drift))[0].contains(total) and of.side(arb(drift))[1].contains(mean)
        monkeypatch.setattr(counts, "remainder", lambda term, ratio: arb(0))
        assert not of.side(arb(drift))[0].overlaps(total)
