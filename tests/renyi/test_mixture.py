"""Mixtures of sampling with replacement, and the substitute pair: an independent quadrature, the whole range, each error term."""

import math
import random
from dataclasses import replace
from fractions import Fraction

import mpmath
import pytest
from flint import acb, arb

from dpbounds.mechanisms.pairs import GaussianMixturePair, SubstitutePair, WithReplacementPair
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
CUTS = LAWS | {"noise above a shift": (("1e-90", "1"), "1", (False, True))}
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
        (("7/20", "13/20"), "4", (False, True), "5", 0.9),  # the same of the sector
        ((5, "1/20"), "10", (False, True), "60", 0.4),  # where v is nearly b_0 (1 + y)^m for a small y
        ((5, "1/2"), "10", (False, True), "4", 0.98),  # at zeros, with a cosine below 0
        (("1/2", "1/2"), "10", (False, True), "4", 0.98),
        ((5, "1/2"), "1", (False, True), "200", 0.4),  # where next to nothing is lost
        (("1/2", "0", "1/3", "1/6"), "1", (False, True), "200", 0.3),
        (("1/20", "0", "0", "19/20"), "4", (False, True), "30", 0.45),
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
        assert total <= moment(f, chosen) * (a * a / 2 + f.log_loss(theta)).exp() * (1 + arb("1e-6"))


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


@pytest.mark.parametrize(
    ("pair", "t", "reversed"),
    [
        (SubstitutePair(F(1, 10), F(1)), "5/2", False),
        (WithReplacementPair(7, 3, F(3, 2)), "7/3", False),
        (GaussianMixturePair((F(1, 2), F(0), F(1, 3), F(1, 6)), F(2)), "5/2", False),
        (GaussianMixturePair((F(1, 2), F(0), F(1, 3), F(1, 6)), F(2)), "5/2", True),
    ],
)
def test_sums_of_the_definition_in_floats(pair, t, reversed) -> None:
    """∫ P^{1+t}·Q^{−t} for the two densities, on a fine lattice."""
    sigma, power = float(pair.sigma), float(F(t))
    rate = float(pair.q) if hasattr(pair, "q") else 1 / pair.population if hasattr(pair, "population") else None
    draws = pair.batch if hasattr(pair, "batch") else 1
    law = (
        [float(w) for w in pair.weights]
        if rate is None
        else [math.comb(draws, k) * rate**k * (1 - rate) ** (draws - k) for k in range(draws + 1)]
    )

    def density(x: float, way: int) -> float:
        return sum(w * math.exp(-((x - way * k) ** 2) / (2 * sigma**2)) for k, w in enumerate(law)) / (sigma * math.sqrt(2 * math.pi))

    def plain(x: float) -> float:
        return math.exp(-(x**2) / (2 * sigma**2)) / (sigma * math.sqrt(2 * math.pi))

    total = 0.0
    for n in range(-1000, 1600):
        x = n * sigma / 64
        above, below = density(x, 1), density(x, -1) if rate is not None else plain(x)
        above, below = (below, above) if reversed else (above, below)
        total += above * (above / below) ** power * sigma / 64
    found = one_pair.divergence(pair, F(t), 60, reversed=reversed)
    assert abs(float(found) / (math.log(total) / power) - 1) < 1e-10


@pytest.mark.parametrize(
    ("pair", "t"),
    [(WithReplacementPair(2, 2, F("4342.8")), "910510"), (GaussianMixturePair((F(1, 10**6), 1 - F(1, 10**6)), F(1, 50)), "23000000")],
)
def test_large_orders_are_near_their_limit(pair, t) -> None:
    """Below (1+t)d²/2σ², d between the farthest centres: the right tail has cells as far as both slopes reach, sizes near 1e18 compare."""
    span = F(4 if isinstance(pair, WithReplacementPair) else 1)
    found = one_pair.divergence(pair, F(t), 53)
    with precision(200):
        limit = ball((1 + F(t)) * span**2 / (2 * pair.sigma**2))
        assert found.rel_accuracy_bits() >= 53 and arb("0.2") * limit < found < limit


def test_a_large_order_of_a_reversed_mixture_without_a_centre_at_0() -> None:
    """(1 + t)/2σ² − log b₁: far to the left all but the nearest centre is gone. There is no log b₀."""
    found = one_pair.divergence(GaussianMixturePair((F(0), F(3, 4), F(1, 4)), F(1, 2)), F(10**5), 53, reversed=True)
    with precision(120):
        assert found.rel_accuracy_bits() >= 53 and abs(found - 2 * arb(10**5 + 1) + ball(F(3, 4)).log()) < 1e-10


@pytest.mark.parametrize("t", ["1e4", "1e9", "1e14", "1e20"])
@pytest.mark.parametrize("law", [("1/2", "1/4", "1/4"), ("99/100", "0", "1/100")])
def test_largest_orders_of_a_reversed_mixture(law, t) -> None:
    """Of 1/v^t: below −log b₀, and above what the places right of S make of it."""
    order, found = F(t), one_pair.divergence(GaussianMixturePair(tuple(map(F, law)), F(3, 10)), F(t), 53, reversed=True)
    with precision(300):
        sigma, weights, place = ball(F(3, 10)), [ball(F(weight)) for weight in law], arb("0.3") * ball(order).log() + 5
        v = sum((w * (-k * place / sigma - k * k / (2 * sigma**2)).exp() for k, w in enumerate(weights)), arb(0))
        least = ((place / arb(2).sqrt()).erfc() / 2).log() / ball(order) - v.log()
        assert found.rel_accuracy_bits() >= 53 and least < found < -weights[0].log() + arb("1e-25")


@pytest.mark.parametrize(("law", "sigma"), [((5, "1/2"), "1"), (("1/2", "0", "1/3", "1/6"), "2"), ((40, "1/20"), "3")])
def test_the_least_moment_of_a_negative_power_is_below_it(law, sigma) -> None:
    for alpha in ("1.5", "4", "60", "10000"):
        with precision(120):
            f = mixture(law, alpha, sigma, (False, True))
            assert 0 <= f.least <= moment(f, plan(f, 30.0)).log() and (alpha != "10000" or f.least > -f.n * f.counts.ends[0] / 2)


def test_errors_of_a_sum_that_is_far_off(monkeypatch) -> None:
    """M lies between S/(1+η) and S/(1−η) for a sum S of all nodes between the sum and the sum plus the tails; anywhere for η ≥ 1."""
    with precision(100):
        f = mixture((1, "1/4"), "3", "1")
        chosen = plan(f, 40.0)
        total = moment(f, chosen).mid()
        monkeypatch.setattr(module, "tail", lambda *_: total)
        monkeypatch.setattr(module, "discretisation", lambda *_: arb("0.75"))
        assert moment(f, chosen).contains(3 * total * arb("3.999")) and moment(f, chosen).contains(total / arb("1.75"))
        monkeypatch.setattr(module, "discretisation", lambda *_: arb(3))
        assert moment(f, chosen).contains(arb(10) ** 9)


@pytest.mark.parametrize(("law", "sigma", "sides"), CUTS.values(), ids=CUTS.keys())
def test_tails_that_begin_anywhere_are_above_their_nodes(law, sigma, sides) -> None:
    """Before the bulk too, where the tangent of the negative power is steep, and chords are far above the tangent."""
    for alpha in ("2", "15"):
        with precision(120):
            f = mixture(law, alpha, sigma, sides)
            chosen, step = plan(f, 20.0), 0.0625
            first, last = (arb(chosen.step * end) for end in (chosen.first, chosen.last))
            for way in (-1, 1):
                for share in range(9):
                    cut = first + (last - first) * share / 8
                    nodes = [f.at(cut + way * step * k) for k in range(1, 160)]
                    total = sum((f.log_size(at).exp() for at in nodes), arb(0)) * step / (2 * arb.pi()).sqrt()
                    assert total <= tail(f, cut, way, arb(step))


def test_windows_with_a_beginning_contain_the_full_sums(monkeypatch) -> None:
    """What lies below the window, and a window of 0 alone."""
    with precision(100):
        of, drift = BinomialCounts(200, arb(1) / 50, arb(5)), arb(2)
        masses = [arb.bin_uiui(200, k) * of.rate**k * (1 - of.rate) ** (200 - k) for k in range(201)]
        weights = [b * (k * drift - k * k * of.half_v).exp() for k, b in enumerate(masses)]
        total, mean = sum(weights, arb(0)), sum((k * w for k, w in enumerate(weights)), arb(0))
        first, small = weights.index(max(weights, key=float)) - 2, arb(-2)
        monkeypatch.setattr(counts.Window, "counts", lambda self, drift, bits: (first, 200))
        found = of.side(drift)
        assert found[0].is_finite() and found[0].contains(total) and found[1].contains(mean)
        kept = sum(weights[first:], arb(0)), sum((k * w for k, w in enumerate(weights) if k >= first), arb(0))
        least = weights[first - 1] / weights[first] / (1 - weights[first - 1] / weights[first]) * weights[first]
        assert found[0].contains(kept[0] + least) and found[1].contains(kept[1] + first * least), "as much as a geometric series"
        assert found[0] < (kept[0] + least) * (1 + arb("1e-7")), "and not more"
        weights = [b * (k * small - k * k * of.half_v).exp() for k, b in enumerate(masses)]
        monkeypatch.setattr(counts.Window, "counts", lambda self, drift, bits: (0, 0))
        found = of.side(small)
        assert found[0].contains(sum(weights, arb(0))) and found[1].contains(sum((k * w for k, w in enumerate(weights)), arb(0)))


@pytest.mark.parametrize("distance", [10, 40, 160])
@pytest.mark.parametrize(("law", "sigma", "sides"), CUTS.values(), ids=CUTS.keys())
def test_tails_that_begin_far_before_the_bulk_are_above_the_moment(law, sigma, sides, distance) -> None:
    """In wide cells, where half of a tangent would be far too little."""
    for alpha in ("4", "15"):
        with precision(120):
            f = mixture(law, alpha, sigma, sides)
            chosen = plan(f, 20.0)
            for way, end in ((-1, chosen.last), (1, chosen.first)):
                bound = tail(f, arb(chosen.step * end - way * distance), way, arb(chosen.step))
                assert moment(f, chosen).lower() < bound
