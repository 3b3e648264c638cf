"""zCDP accounting: filters, costs, the range-limited relaxation with its false and its repaired form."""

from fractions import Fraction

import pytest

from dpbounds.budgets import zcdp
from dpbounds.budgets.zcdp import range_limited
from dpbounds.errors import InputError
from dpbounds.numbers.balls import ball, precision
from dpbounds.renyi.conversions import range_limited_epsilon_of
from dpbounds.renyi.curves import BoundedRangeCurve, GaussianCurve, PoissonGaussianCurve, RandomizedResponseCurve


def test_a_filter_stops_before_its_budget():
    guard = zcdp.Filter("0.78125")
    steps = 0
    while guard.admits(Fraction(1, 128)):
        guard, steps = guard.spend_gaussian(8), steps + 1
    assert steps == 100 and guard.remaining == 0
    with pytest.raises(InputError, match="stop here"):
        guard.spend("1e-9")
    assert guard.epsilon_of("1e-5").contains(zcdp.Filter("0.78125", "0.5").epsilon_of("1e-5"))


def test_costs():
    assert zcdp.gaussian_rho_of(6).overlaps(GaussianCurve(6).certified_divergence("1.0000001")) or zcdp.gaussian_rho_of(6).contains(
        Fraction(1, 72)
    )
    for alpha in ("1.001", "2", "30"):
        assert RandomizedResponseCurve("0.5").certified_divergence(alpha) <= Fraction(alpha) * zcdp.pure_rho_of("0.5").lower
        assert BoundedRangeCurve("0.5").certified_divergence(alpha) <= Fraction(alpha) * zcdp.bounded_range_rho_of("0.5").lower
    assert zcdp.group_rho_of(1, 4).contains(16)
    assert zcdp.sampled_rho_of(1, 0).upper == 0


def test_selection():
    shares = zcdp.selection_probabilities_of([0, 2, 5], 1)
    assert sum(share.lower for share in shares) <= 1 <= sum(share.upper for share in shares)
    assert shares[0] > shares[1] and shares[1] > shares[2]
    assert zcdp.selection_rho_of(2, ["0.1", "0.3"]).contains(Fraction("0.8"))


def test_the_printed_bound_is_false_and_says_so():
    with pytest.warns(UserWarning, match="false in general"):
        printed = zcdp.printed_bound_of(1, "1/21")
    assert not printed.holds
    assert PoissonGaussianCurve(1, "1/21").certified_divergence(4) > 4 * printed.slope.upper
    assert printed.limit > 4


@pytest.mark.parametrize(("sigma", "q"), [("1.12", "1/18"), ("1", "1/70"), ("4", "0.01"), ("1", "1/21"), ("1.05", "0.05")])
def test_the_repairs_hold_where_they_are_used(sigma, q):
    bound = zcdp.repaired_bound_of(sigma, q)
    least = zcdp.slope_of(sigma, q, bound.limit.upper, 3)
    assert bound.holds and least <= bound.slope.lower


def test_a_bound_with_room_needs_few_digits():
    """At this small rate four digits of the least slope take too many cells; two show that it is far below q²/σ²."""
    bound = zcdp.repaired_bound_of(6, "0.001")
    assert bound.holds and bound.name.startswith("as printed")
    assert range_limited.slope_of(6, "0.001", bound.limit.upper, 2).high <= bound.slope.low


def test_the_least_slope_is_above_every_order():
    least = zcdp.slope_of("1.5", "0.02", 8, 4)
    curve = PoissonGaussianCurve("1.5", "0.02")
    for alpha in ("1.0001", "1.5", "3", "6", "7.9", "8"):
        assert curve.certified_divergence(alpha).lower / Fraction(alpha) <= least.upper
    assert zcdp.holds_at("1.5", "0.02", least.upper * 2, 8) is True
    assert zcdp.holds_at("1.5", "0.02", least.lower / 2, 8) is False
    assert zcdp.slope_of(2, 0, 4).upper == 0


def test_the_bound_on_a_cell_counts_its_inside():
    """f(α) = α − 2 for α ≥ 2: f/(α(α−1)) is 0.17 inside [2, 11] and at most 0.09 at its ends."""
    with precision(60):
        bound = range_limited._cell_bound(*(ball(value) for value in (2, 0, 11, 9)))
        inside = [ball(value) for value in (3, 4, 6)]
        assert all(bound >= (x - 2) / (x * (x - 1)) for x in inside)


def test_heterogeneous_composition_changes_the_range_only():
    one, two = zcdp.repaired_bound_of(2, "0.01"), zcdp.repaired_bound_of(4, "0.012")
    both = zcdp.composed_bound_of([(one, 100), (two, 50)])
    assert both.slope.contains(100 * Fraction("0.01") ** 2 / 4 + 50 * Fraction("0.012") ** 2 / 16)
    assert both.limit.overlaps(one.limit) and both.holds
    epsilon = zcdp.accounted_epsilon_of(both, "1e-5")
    assert epsilon.overlaps(range_limited_epsilon_of(both.slope.upper, both.limit.lower, "1e-5"))


def test_adaptive_stopping_on_a_fixed_range():
    guard = zcdp.RangeLimitedFilter(1, "1e-5", 50)
    while guard.admits("1e-3"):
        guard = guard.spend("1e-3")
    assert range_limited_epsilon_of(guard.spent, 50, "1e-5") <= 1
    assert range_limited_epsilon_of(guard.spent + Fraction("1e-3"), 50, "1e-5") > 1
    with pytest.raises(InputError, match="stop here"):
        guard.spend("1e-3")


@pytest.mark.parametrize(
    "call",
    [
        lambda: zcdp.Filter(1, 2),
        lambda: zcdp.Filter(1).spend(-1),
        lambda: zcdp.Filter(1).spend_gaussian(0),
        lambda: zcdp.epoch_rho_of([]),
        lambda: zcdp.selection_probabilities_of([], 1),
        lambda: zcdp.selection_rho_of(1, []),
        lambda: zcdp.repaired_bound_of("0.5", "0.01"),
        lambda: zcdp.repaired_bound_of(2, "0.2"),
        lambda: zcdp.slope_of(2, "0.1", 1),
        lambda: zcdp.composed_bound_of([]),
        lambda: zcdp.RangeLimitedFilter(1, "1e-5", 50).admits(-1),
    ],
)
def test_bad_input(call):
    with pytest.raises(InputError):
        call()
