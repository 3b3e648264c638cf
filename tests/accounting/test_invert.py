"""Certified ε(δ): brackets against δ itself, closed forms, edge cases."""

import contextlib
import math
from fractions import Fraction

import pytest
from flint import arb

from dpbounds import accounting
from dpbounds.accounting import delta_of, epsilon
from dpbounds.accounting.bounds.upper_bounds import surely_below_at_saddle
from dpbounds.accounting.evaluate import evaluate
from dpbounds.accounting.inverse.search import EpsilonSearch
from dpbounds.accounting.nearby import Nearby
from dpbounds.errors import InputError, PrecisionError
from dpbounds.mechanisms import Composed, FiniteTable, Gaussian, Laplace, PoissonSampling, RandomizedResponse, Repeated, Sampled
from dpbounds.mechanisms.pairs import dominating_pairs
from dpbounds.noise.discrete_gaussian import DiscreteGaussian
from dpbounds.noise.epsilon_delta import EpsilonDelta
from dpbounds.numbers.balls import Enclosure, ball, precision


def poisson(sigma, q, steps):
    return Repeated(Sampled(Gaussian(sigma), PoissonSampling(q)), steps)


@pytest.mark.parametrize(
    ("mechanism", "delta"),
    [
        (Gaussian(1), "1e-5"),
        (poisson("1.5", "0.01", 10_000), "1e-5"),
        (poisson(2, "0.01", 1000), "1e-71"),
        (Repeated(RandomizedResponse(1), 100), "1e-6"),
        (poisson("0.5", "0.01", 1), "1e-5"),
        (Repeated(FiniteTable(["1/2", "1/4", "1/4"], ["1/4", "1/4", "1/2"]), 20), "1e-3"),
    ],
)
@pytest.mark.parametrize("digits", [4, 15, 25])
def test_the_bracket_holds_the_crossing(mechanism, delta, digits):
    result = accounting.epsilon(mechanism, delta, digits=digits)
    assert result.enclosure.meets(digits)
    below = accounting.delta(mechanism, result.enclosure.lower, digits=digits + 6).enclosure
    above = accounting.delta(mechanism, result.enclosure.upper, digits=digits + 6).enclosure
    assert below.upper >= Fraction(delta)
    assert above.lower <= Fraction(delta)


@pytest.mark.parametrize(
    ("mechanism", "delta", "low", "high"),
    [  # other accountants return 6.90236, 5.376 and at most 72.1 here
        (poisson(50, "0.5", 10_000), "1e-11", "6.90441", "6.90443"),
        (poisson(2, "0.01", 20_000), "1e-12", "5.4052", "5.4053"),
        (Repeated(RandomizedResponse(1), 100), "1e-6", "83.53", "83.54"),
        (poisson("0.5", "0.01", 1), "1e-5", "3.025", "3.026"),
    ],
)
def test_known_values(mechanism, delta, low, high):
    found = accounting.epsilon(mechanism, delta).enclosure
    assert Fraction(low) <= found.lower
    assert found.upper <= Fraction(high)


def test_edges():
    assert accounting.epsilon(Gaussian(1), "0.5").enclosure.upper == 0
    half_lost = Repeated(FiniteTable(["1/2", "1/2", "0"], ["1/2", "0", "1/2"]), 3)
    assert accounting.epsilon(half_lost, "0.5").upper == "inf"
    assert accounting.epsilon(poisson(1, 0, 10), "1e-9").enclosure.upper == 0


def test_a_tie_of_very_many_uses_is_an_honest_error():
    """δ(0) of k uses of (2/3, 1/3) is a fraction; it is compared exactly while there are few outcomes, and not decided by balls."""
    steps = 401
    total = sum(math.comb(steps, n) * (2**n - 2 ** (steps - n)) for n in range(steps // 2 + 1, steps + 1))
    with pytest.raises(PrecisionError, match="change delta"):
        accounting.epsilon(Repeated(FiniteTable(["2/3", "1/3"], ["1/3", "2/3"]), steps), Fraction(total, 3**steps))


@pytest.mark.parametrize("delta", ["0", "1", "-0.1", "2", "nan", "x"])
def test_bad_delta(delta):
    with pytest.raises(InputError):
        accounting.epsilon(Gaussian(1), delta)


@pytest.mark.parametrize(
    "asked", [{"digits": 0}, {"digits": "many"}, {"digits": 2.5}, {"direction": "up"}, {"guarantee": "both"}, {"relation": "friends"}]
)
def test_what_is_asked_for_must_exist(asked):
    with pytest.raises(InputError, match=f"{next(iter(asked))} must be"):
        accounting.epsilon(Gaussian(1), "1/10", **asked)


@pytest.mark.parametrize("digits", [75, 200])
def test_any_number_of_digits(digits):
    """The logarithm that the search follows has as many digits as the value of δ."""
    found = epsilon(Gaussian(1), "1e-5", digits=digits)
    assert found.enclosure.meets(digits)
    back = delta_of(dominating_pairs(Gaussian(1))[0], found.lower, digits)
    assert abs(back.lower - Fraction(1, 10**5)) < Fraction(1, 10 ** (digits - 1))


@pytest.mark.parametrize("target", ["1e-30", "1e-100", "1e-7"])
@pytest.mark.parametrize(
    "mechanism",
    [
        Repeated(Laplace("5.07"), 5),
        Composed((Repeated(Laplace(1), 3), Repeated(Laplace(2), 2))),
        Repeated(RandomizedResponse(1), 4),
        Composed((Repeated(FiniteTable(["1/100", "59/100", "2/5"], ["0", "2/5", "3/5"]), 2), Laplace(3))),
    ],
)
def test_near_the_largest_loss(mechanism, target):
    """δ falls there like a power of the distance to the largest loss, or to the mass of infinite loss."""
    target = Fraction(target)
    if isinstance(mechanism, Composed) and isinstance(mechanism.parts[0].mechanism, FiniteTable):
        target += 1 - Fraction(99, 100) ** 2
    found = epsilon(mechanism, target, digits=30, direction="remove")
    product = dominating_pairs(mechanism, direction="remove")[0]
    lower, upper = Fraction(found.enclosure.lower), Fraction(found.enclosure.upper)
    assert delta_of(product, upper, 2).lower <= target
    assert evaluate(product, lower, 150)[0].upper >= target


@pytest.mark.parametrize(
    ("table", "steps", "target"),
    [
        (FiniteTable(["2/3", "1/3"], ["1/3", "2/3"]), 1, "1/3"),
        (FiniteTable(["2/3", "1/3"], ["1/3", "2/3"]), 2, "1/3"),
        (FiniteTable(["1/100", "59/100", "2/5"], ["0", "3/5", "2/5"]), 1, "1/100"),
    ],
)
def test_a_tie_at_zero_is_exact(table, steps, target):
    """δ(0) is a fraction here, and no number of digits tells it from itself."""
    assert epsilon(Repeated(table, steps), target, direction="remove").upper == "0"
    less = Fraction(target) - Fraction(1, 10**30)
    if table.q[0] == 0:  # outcomes that only P shows have all of δ(0)
        assert epsilon(Repeated(table, steps), less, digits=3, direction="remove").lower == "inf"
        return
    assert Fraction(epsilon(Repeated(table, steps), less, digits=3, direction="remove").lower) > 0


def test_exactly_the_mass_of_infinite_loss():
    """δ(ε) is more than that below the largest finite loss and equal from there on; without a largest one no ε is enough."""
    table = FiniteTable(["1/10", "1/2", "2/5"], ["0", "2/5", "3/5"])
    beside = Composed((table, Repeated(Laplace("9/4"), 2)))
    found = epsilon(beside, "1/10", digits=20, direction="remove")  # log(5/4) + 8/9
    assert abs(float(found.lower) - (math.log(1.25) + 8 / 9)) < 1e-15
    assert delta_of(dominating_pairs(beside, direction="remove")[0], found.lower, 3).upper >= Fraction(1, 10)
    assert Fraction(epsilon(beside, Fraction(1, 10) + Fraction(1, 10**9), digits=10, direction="remove").upper) < found.enclosure.lower
    assert epsilon(Composed((table, Gaussian(1))), "1/10", direction="remove").lower == "inf"
    assert epsilon(Repeated(table, 2), "0.19", digits=12, direction="remove").enclosure.meets(12)


@pytest.mark.parametrize(("delta", "least"), [("1e-100", "21.4997"), ("1e-300", "37.4905")])
def test_tails_that_fall_faster_than_any_slope(delta, least):
    """Discrete Gaussian noise: its outcomes are listed as far as the precision goes, which must be that of δ."""
    mechanism = DiscreteGaussian(2)
    found = epsilon(mechanism, delta, digits=6, relation="substitute")
    assert found.lower.startswith(least)
    below, above = (accounting.delta(mechanism, at, digits=6, relation="substitute") for at in (found.upper, found.lower))
    assert Fraction(below.lower) <= Fraction(delta) <= Fraction(above.upper)


def test_lines_through_two_points_bound_the_root_from_both_sides():
    """Below by two points on one side, above by one on each;."""
    (product,) = dominating_pairs(Gaussian(1), direction="remove")
    for places in ((Fraction(4), Fraction(43, 10), Fraction(44, 10)), (Fraction(45, 10), Fraction(44, 10), Fraction(4))):
        search = EpsilonSearch(product, Fraction(1, 10**5))
        for place in places:
            search.above(place, 30)
        truth = Fraction("4.37717809568120")
        assert max(place for place in places if place < truth) < search.low < truth < search.high < min(p for p in places if p > truth)
        assert search.high - search.low < Fraction(1, 10)


def test_a_step_that_hits_the_root_is_not_asked_for_twice_the_digits():
    """The secant lands within 12 digits of the root: that settles 6, and the trap decides on both sides."""
    run = Repeated(Sampled(Gaussian("0.6708"), PoissonSampling("0.0001131")), 275)
    found = epsilon(run, "1e-6", digits=6)
    assert (found.lower, found.upper) == ("0.079475867", "0.07947587")
    assert "Bromwich" in found.method  # 24 digits would have taken a hyperbola, and ten times as long


def test_digits_that_a_line_has_beyond_those_asked_for_settle_a_root():
    """δ there agrees with the target in the 14 digits that the line has, where 12 were asked for."""
    run = Repeated(Sampled(Gaussian("0.883"), PoissonSampling("0.0001122")), 111)
    (found,) = accounting.epsilon_at(run, ["1e-6"], digits=8, near=[(0.010770179704602438, 0.010770179713204828)], direction="remove")
    assert found.enclosure.meets(8)
    assert found.lower.startswith("0.0107701797") and "Bromwich" in found.method


def test_the_other_direction_by_a_bound_at_its_saddle_point():
    """It says so where that is true, and not where δ is above or only a little below the target."""
    _, add = dominating_pairs(poisson("1.5", "0.01", 1000))
    at = Fraction("1.0597501")
    above = evaluate(add, at, 8)[0]
    ratios = [ratio for ratio in (0.9, 1.01, 2, 5, 20, 100) if surely_below_at_saddle(add, at, above.high * arb(str(ratio)))]
    assert ratios and min(ratios) > 1
    assert not surely_below_at_saddle(add, at, above.low)
    failing = dominating_pairs(Composed((Repeated(EpsilonDelta("1/2", "1/1000"), 2), Gaussian(2))))[0]
    assert surely_below_at_saddle(failing, Fraction(8), arb("0.0021")) and not surely_below_at_saddle(failing, Fraction(8), arb("0.0019"))


@pytest.mark.parametrize(
    "near", [(3.584352852, 3.584352853), (3.58, 3.59), (3.5, 3.5001), (4.0, 4.0001), (5.0, 1.0), (0.0, math.inf), (math.nan, math.nan)]
)
def test_points_that_are_thought_to_be_near_change_no_bracket(near):
    """Right, vague and wrong ones: each answer rests on certified values of δ alone, has the digits, and agrees with that without them."""
    run = poisson("1.5", "0.01", 10_000)
    (found,) = accounting.epsilon_at(run, ["1e-6"], digits=8, near=[near])
    (plain,) = accounting.epsilon_at(run, ["1e-6"], digits=8)
    assert found.enclosure.meets(8)
    assert found.enclosure.overlaps(plain.enclosure)
    assert found.enclosure.lower <= Fraction("3.58435285243075652197405793") <= found.enclosure.upper


def test_a_step_far_back_from_the_largest_loss_is_a_number():
    """δ stays at 0.9 over hundreds of nats: a step of log(top − ε) was beyond floats."""
    rare = Fraction(7, 10**27 + 7)
    mechanism = Repeated(FiniteTable((rare, 1 - rare), (Fraction(12, 19), Fraction(7, 19))), 3)
    both = Composed((mechanism, Repeated(FiniteTable((Fraction(0), Fraction(1)), (1 - Fraction(11, 10**27), Fraction(11, 10**27))), 3)))
    found = epsilon(both, "0.9", digits=5, direction="remove").enclosure
    at_ends = [evaluate(dominating_pairs(both, direction="remove")[0], Fraction(end), 5)[0] for end in (found.lower, found.upper)]
    assert found.meets(5) and at_ends[0].upper >= Fraction(9, 10) >= at_ends[1].lower


def test_a_long_contour_is_asked_for_no_more_digits_than_the_slope_asks_for(monkeypatch):
    asked, above = [], EpsilonSearch.above

    def noted(search, point, digits=6, near=None):
        asked.append(digits)
        return above(search, point, digits, near)

    monkeypatch.setattr(EpsilonSearch, "above", noted)
    found = accounting.epsilon(poisson("0.5", "0.001", 4), "1e-8", digits=12, direction="add")
    assert found.enclosure.meets(12) and asked == [5, 5, 18, 14]


def test_a_contour_that_says_nothing_near_the_largest_loss_bounds_nothing():
    """δ is 4.02e-117 at 1e-20 below the largest loss and 2.73e-143 at 1e-22 below it, by quadrature over one of the two uses.

    The contour of a smaller ε has no finite error bound there; that is no value of δ.
    """
    two, nearby = poisson("0.3876", "0.003325", 2), Nearby(hoped=18)
    (product,) = dominating_pairs(two, direction="add")
    with precision(200):
        top = Fraction(Enclosure.of_ball(-2 * (-ball(Fraction("0.003325"))).log1p()).lower)
    assert evaluate(product, Fraction("0.00666108018556"), 5, nearby=nearby)[0].meets(5) and nearby.line is not None
    assert nearby.delta(lambda: ball(top - Fraction("1e-26")), 5, None) is None
    with contextlib.suppress(PrecisionError):
        assert accounting.epsilon(two, "6.459e-120", digits=12, direction="add").enclosure.lower < top - Fraction("1e-22")


def test_a_flat_slope_is_no_step_of_infinite_length():
    """Two outcomes of which one tells all but a little, against the definition."""
    p, q = (Fraction(7, 8), Fraction(1, 8)), (Fraction(1_000_000, 1_000_003), Fraction(3, 1_000_003))
    found = accounting.epsilon(Repeated(FiniteTable(p, q), 8), "0.001922", digits=8, direction="remove").enclosure

    def truth(end):
        rows = [(math.comb(8, k) * p[0] ** k * p[1] ** (8 - k), math.comb(8, k) * q[0] ** k * q[1] ** (8 - k)) for k in range(9)]
        return sum(((ball(a) - ball(end).exp() * ball(b)).nonnegative_part() for a, b in rows), arb(0))

    with precision(200):
        assert found.meets(8) and truth(found.lower) >= ball(Fraction("0.001922")) >= truth(found.upper)
