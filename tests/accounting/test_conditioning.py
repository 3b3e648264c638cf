"""Tables beside noise: the mean over the outcomes against mpmath quadrature over the noise, both directions."""

from collections import Counter
from fractions import Fraction
from itertools import product as outcomes

import mpmath
import pytest
from flint import arb
from mpmath import mpf

from dpbounds.accounting import conditioning, delta
from dpbounds.accounting.conditioning import Reach, mean_over_outcomes
from dpbounds.accounting.evaluate import evaluate_elements
from dpbounds.laws.normal_form import Elements, elements_of
from dpbounds.mechanisms import Composed, FiniteTable, Gaussian, Laplace, PoissonSampling, RandomizedResponse, Repeated, Sampled
from dpbounds.mechanisms.pairs import dominating_pairs
from dpbounds.noise.skellam import Skellam
from dpbounds.numbers.balls import precision

TABLE = FiniteTable((Fraction(1, 2), Fraction(3, 10), Fraction(1, 5)), (Fraction(1, 5), Fraction(2, 5), Fraction(2, 5)))


def quadrature_delta(tables, densities, cuts, at):
    """Σ over outcomes of ∫ (p·a(x) − e^ε·q·b(x))₊ dx: no loss, no profile, no identity. `cuts` are the kinks of the densities."""
    a, b = densities
    total = mpf(0)
    for row in outcomes(*tables):
        p, q = mpmath.fprod(x for x, _ in row), mpmath.fprod(y for _, y in row)
        ratio = lambda x, p=p, q=q: p * a(x) - mpmath.exp(at) * q * b(x)  # noqa: E731
        grid = [mpf(k) / 8 for k in range(-200, 201)]
        signs = [ratio(x) > 0 for x in grid]
        roots = [
            mpmath.findroot(ratio, (x, y), solver="anderson")
            for x, y, s, t in zip(grid, grid[1:], signs, signs[1:], strict=False)
            if s != t
        ]
        points = sorted({mpf(-60), *cuts, *roots, mpf(-5), mpf(0), mpf(5), mpf(60)})
        total += sum(mpmath.quad(ratio, [x, y]) for x, y in zip(points, points[1:], strict=False) if ratio((x + y) / 2) > 0)
    return total


def mean(elements, at, digits):
    """By what `delta` takes for the rest."""
    return mean_over_outcomes(elements, at, digits, evaluate_elements)


def rows_of(table, swap):
    pairs = [(mpf(p.numerator) / p.denominator, mpf(q.numerator) / q.denominator) for p, q in zip(table.p, table.q, strict=True)]
    return [(q, p) for p, q in pairs] if swap else pairs


@pytest.mark.parametrize("direction", ["remove", "add"])
@pytest.mark.parametrize("at", ["0", "0.7"])
@pytest.mark.parametrize("kind", ["laplace", "sampled-laplace", "sampled-gaussian"])
def test_the_mean_over_outcomes(kind, at, direction):
    rate = mpf(1) if kind == "laplace" else mpf(3) / 10
    if kind == "sampled-gaussian":
        noise = Sampled(Gaussian("0.8"), PoissonSampling("0.3"))
        density, cuts = (lambda x: mpmath.npdf(x, 0, mpf("0.8"))), ()
    else:
        noise = Laplace(2) if kind == "laplace" else Sampled(Laplace(2), PoissonSampling("0.3"))
        density, cuts = (lambda x: mpmath.exp(-abs(x) / 2) / 4), (mpf(0), mpf(1))
    found = delta(Composed((TABLE, noise)), at, digits=12, direction=direction)
    with mpmath.workdps(25):
        mixed = lambda x: rate * density(x - 1) + (1 - rate) * density(x)  # noqa: E731
        pair = (mixed, density) if direction == "remove" else (density, mixed)
        truth = quadrature_delta([rows_of(TABLE, direction == "add")], pair, cuts, mpf(at))
        slack = mpf(10) ** -11  # what the quadrature cuts off
        assert mpf(found.lower) - slack <= truth <= mpf(found.upper) + slack


def test_losses_that_meet_exactly():
    """Randomized response and Laplace noise of one pure ε: thresholds fall on the ends of the loss, on 0 too."""
    mechanism = Composed((Repeated(RandomizedResponse("0.5"), 4), Laplace(2)))
    profile = [Fraction(delta(mechanism, Fraction(k, 2), digits=12).upper) for k in range(6)]
    assert profile == sorted(profile, reverse=True)
    assert profile[5] == 0 < profile[4]


def test_what_says_nothing_is_left_out():
    alone = delta(Repeated(Gaussian(2), 3), 1, digits=12)
    silent = FiniteTable((Fraction(1, 3), Fraction(2, 3)), (Fraction(1, 3), Fraction(2, 3)))
    assert delta(Composed((Repeated(Gaussian(2), 3), RandomizedResponse(0), silent)), 1, digits=12).lower == alone.lower
    assert delta(Repeated(Sampled(RandomizedResponse(0), PoissonSampling("0.5")), 7), 0).upper == "0"


@pytest.mark.parametrize("direction", ["remove", "add"])
def test_the_mass_of_infinite_loss_is_needed(monkeypatch, direction):
    """P = (9/10, 1/10, 0), Q = (9/10, 0, 1/10): beside it δ = 1/10 + 9/10·δ of the noise alone."""
    noise = Sampled(Gaussian("0.8"), PoissonSampling("0.3"))
    table = FiniteTable((Fraction(9, 10), Fraction(1, 10), Fraction(0)), (Fraction(9, 10), Fraction(0), Fraction(1, 10)))
    alone = delta(noise, "0.7", digits=20, direction=direction).enclosure
    low, high = (Fraction(1, 10) + Fraction(9, 10) * end for end in (alone.lower, alone.upper))
    found = delta(Composed((table, noise)), "0.7", digits=12, direction=direction).enclosure
    assert found.lower <= high and low <= found.upper
    monkeypatch.setattr(Elements, "certain_loss", lambda self: arb(0))
    found = delta(Composed((table, noise)), "0.7", digits=12, direction=direction).enclosure
    assert found.upper < low


@pytest.mark.parametrize("direction", ["remove", "add"])
@pytest.mark.parametrize("at", ["0", "0.7", "2"])
def test_a_contour_for_each_outcome(monkeypatch, at, direction):
    """It agrees with the closed form of the noise, thresholds of either sign and infinite losses included; without those it does not."""
    table = FiniteTable((Fraction(1, 2), Fraction(3, 10), Fraction(1, 5), Fraction(0)), (Fraction(1, 5), Fraction(2, 5), 0, Fraction(2, 5)))
    mechanism = Composed((table, Sampled(Gaussian("0.8"), PoissonSampling("0.3"))))
    (pair,) = dominating_pairs(mechanism, direction=direction)
    elements, usual = elements_of(pair), delta(mechanism, at, digits=15, direction=direction).enclosure
    found = mean(elements, Fraction(at), 6)
    assert found.meets(6) and found.lower <= usual.upper and usual.lower <= found.upper
    monkeypatch.setattr(Elements, "unlisted_mass", lambda self: arb(0))
    assert mean(elements, Fraction(at), 6).upper < usual.lower


def beside_answers():
    """One answer and one use of Gaussian noise, taken apart; ε = 3/10 is the larger loss of the answer."""
    (pair,) = dominating_pairs(Composed((RandomizedResponse("0.3"), Gaussian(1))), direction="remove")
    return elements_of(pair), Fraction(3, 10)


def test_a_threshold_that_is_known_to_be_near_zero_only(monkeypatch):
    """δ₁ falls by at most 1 for each unit of ε: a loss known to 10⁻³ leaves both ends open."""
    elements, at = beside_answers()
    monkeypatch.setattr(conditioning, "combinations", lambda _: [(arb("0.3", 1e-3), arb(1), None)])
    found = mean(elements, at, 6)
    lowest, highest = delta(Gaussian(1), "0.001"), 1 - mpmath.exp("-1e-3") + mpmath.exp("-1e-3") * mpf(delta(Gaussian(1), "1e-3").lower)
    assert found.lower_float <= float(lowest.upper) and highest <= found.upper_float < float(lowest.lower) + 5e-3


def exact_delta(laws, at):
    """Σ (p − e^ε·q)₊ over all outcomes of tables, each used so often."""
    rows = [(mpf(1), mpf(1))]
    for table, steps in laws:
        for _ in range(steps):
            rows = [(p * mpf(a.numerator) / a.denominator, q * mpf(b.numerator) / b.denominator) for p, q in rows for a, b in table]
    return sum(max(p - mpmath.exp(at) * q, 0) for p, q in rows)


def narrow_beside_answers():
    """Four answers, and three uses of a table whose losses are small, or infinite in one use of twenty."""
    wide = ((Fraction(3, 4), Fraction(1, 4)), (Fraction(1, 4), Fraction(3, 4)))
    narrow = ((Fraction(96, 200), Fraction(95, 200)), (Fraction(94, 200), Fraction(95, 200)), (Fraction(1, 20), Fraction(0)))
    narrow = (*narrow, (Fraction(0), Fraction(1, 20)))
    parts = [Repeated(FiniteTable(*map(tuple, zip(*rows, strict=True))), steps) for rows, steps in ((wide, 4), (narrow, 3))]
    return Composed(tuple(parts)), [(wide, 4), (narrow, 3)]


@pytest.mark.parametrize("direction", ["remove", "add"])
@pytest.mark.parametrize("at", ["1.2", "2.19", "2.197"])
def test_what_is_beyond_the_reach_of_the_rest(monkeypatch, at, direction):
    """Against the sum over all outcomes: infinite losses on both sides, and an outcome that is within reach or not."""
    mechanism, laws = narrow_beside_answers()
    (pair,) = dominating_pairs(mechanism, direction=direction)
    elements = elements_of(pair)
    monkeypatch.setattr(conditioning, "reach_of", lambda rest, goal: Reach(0.05, rest.certain_loss()))
    with mpmath.workdps(25):
        swap = direction == "add"
        truth = exact_delta([([(q, p) if swap else (p, q) for p, q in rows], steps) for rows, steps in laws], mpf(at))
        found = mean(elements, Fraction(at), 8)
        assert found.meets(8) and mpf(found.lower_decimal(20)) <= truth <= mpf(found.upper_decimal(20))
        monkeypatch.setattr(conditioning, "reach_of", lambda rest, goal: Reach(0.05, arb(0)))
        assert mpf(mean(elements, Fraction(at), 8).upper_decimal(20)) < truth


def test_a_reach_holds():
    """δ of the rest is between both ends at the distance, and a Chernoff bound is part of it."""
    mechanism = Repeated(Sampled(Gaussian(1), PoissonSampling("1e-4")), 10)
    rest = elements_of(dominating_pairs(mechanism, direction="remove")[0])
    with precision(128):
        reach = conditioning.reach_of(rest, -20.0)
        value = delta(mechanism, Fraction(reach.distance), digits=6, direction="remove").enclosure
        assert reach.beyond.lower() <= value.low and value.high <= reach.beyond.upper() < arb(-18).exp()
        assert value.low > 0


def test_what_laws_with_tails_leave_out_counts_once_a_use():
    """Both tails of a hundred uses, by Bessel functions."""
    elements = Elements(Counter(dict.fromkeys(elements_of(dominating_pairs(Skellam(2), direction="remove")[0]).uses, 100)))
    with precision(30):
        (use,) = elements.listed()
        last = len(use.law.p) // 2 - 1
        missing = float(mpmath.nsum(lambda n: 200 * mpmath.exp(-2) * mpmath.besseli(n, 2), [last + 2, last + 40]))
        assert missing <= elements.dropped().upper() <= 100 * missing
        assert elements.unlisted_mass().upper() >= missing and elements.unlisted_mass().lower() <= 0


def test_answers_beside_rare_noise():
    """A contour of the product would need millions of nodes."""
    mechanism = Composed((Repeated(RandomizedResponse("0.0238"), 2), Repeated(Sampled(Gaussian(20), PoissonSampling("1.57e-9")), 1000)))
    found = delta(mechanism, "0.01", digits=4, direction="remove")
    plain = delta(Repeated(RandomizedResponse("0.0238"), 2), "0.01", digits=6, direction="remove").enclosure
    assert "a contour of the noise for each" in found.method
    assert abs(found.enclosure.upper_float / plain.upper_float - 1) < 1e-3
