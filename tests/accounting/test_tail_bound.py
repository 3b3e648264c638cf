"""Negligible δ: a bound at once where no digits are asked for, the digits where they are."""

from decimal import Decimal
from fractions import Fraction

import mpmath
import pytest
from flint import arb

from dpbounds.accounting import delta, epsilon
from dpbounds.accounting.bounds.ends import NEXT_TO_CERTAIN, TAIL_BOUND
from dpbounds.accounting.bounds.tail_bound import chernoff_bound, least_bound, next_to_certain
from dpbounds.accounting.bounds.upper_bounds import known_end, with_ends
from dpbounds.accounting.bromwich_planning import cut_target, lost_mass, with_cuts
from dpbounds.cli import main
from dpbounds.errors import PrecisionError
from dpbounds.float64 import epsilon_bounds
from dpbounds.laws.factors import MixtureFactor
from dpbounds.laws.mixture import Mixture
from dpbounds.laws.normal_form import elements_of
from dpbounds.mechanisms import (
    Composed,
    Direction,
    FixedSizeSampling,
    Gaussian,
    GroupPoissonSampling,
    Laplace,
    PoissonSampling,
    Repeated,
    Sampled,
    WithReplacementSampling,
)
from dpbounds.mechanisms.pairs import dominating_pairs
from dpbounds.noise.epsilon_delta import EpsilonDelta
from dpbounds.noise.skellam import Skellam
from dpbounds.numbers.balls import Enclosure, precision


def poisson(sigma, q, steps):
    return Repeated(Sampled(Gaussian(sigma), PoissonSampling(q)), steps)


@pytest.mark.parametrize(
    ("mechanism", "epsilon", "direction"),
    [
        (poisson(10, "0.01", 100), "0.5", "add"),
        (poisson(2, "0.01", 1000), "40", "remove"),
        (Composed((poisson(3, "0.1", 50), Repeated(Laplace(10), 2))), "40", "remove"),
        (Repeated(Sampled(Gaussian(4), FixedSizeSampling(20, 1)), 10), "70", "worst"),
    ],
)
def test_the_bound_is_above_the_digits(mechanism, epsilon, direction):
    quick = delta(mechanism, epsilon, direction=direction)
    assert (quick.method, quick.lower) == (TAIL_BOUND, "0")
    assert quick.enclosure.upper < Fraction(1, 10**300)
    try:
        slow = delta(mechanism, epsilon, digits=3, direction=direction)
    except PrecisionError:
        return
    assert slow.enclosure.upper <= quick.enclosure.upper
    assert Fraction(slow.lower) > 0


def test_what_is_not_negligible_keeps_its_digits():
    """δ = 2.8e-71 and, for a closed form, 1.9e-773."""
    assert delta(poisson(2, "0.01", 1000), 5, direction="remove").enclosure.meets(15)
    assert delta(Gaussian(1), 60).enclosure.meets(15)


def test_the_larger_direction_counts():
    """Adding is negligible here and removing is not."""
    found = delta(poisson(1, "0.01", 50), 3)
    assert found.enclosure.meets(15)
    assert found.method != TAIL_BOUND


MIXTURE = Mixture(Fraction(1, 100), Fraction(2), numerator=True, denominator=False)


def test_the_mass_cut_off_is_needed():
    """Cut at s = 3 the law has hardly any loss beyond ε; the whole one has."""
    with precision(128):
        truth = delta(poisson(2, "0.01", 1), "0.06", digits=12, direction="remove").enclosure
        cut = MixtureFactor(MIXTURE, 1).with_cut(3.0)
        c, epsilon = arb(600), arb("0.06")
        bound = chernoff_bound([cut], c, epsilon)
        assert bound >= truth.ball()
        assert bound - lost_mass([cut]) < truth.ball()


def test_every_tilt_gives_a_bound():
    added, tilts = MixtureFactor(Mixture(Fraction(1, 20), Fraction(2), numerator=False, denominator=True), 100), (1, 3, 6, 10, 20)
    with precision(128):
        truth = delta(poisson(2, "0.05", 100), 1, digits=12, direction="add").enclosure
        bounds = [chernoff_bound([added], arb(c), arb(1)) for c in tilts]
        assert all(bound >= truth.ball() for bound in bounds)
        assert min(bounds) < 30 * truth.ball()
        without_moments = [bound / added.moment(arb(c)) ** 100 for bound, c in zip(bounds, tilts, strict=True)]
        assert min(without_moments) < truth.ball()


def test_the_command_says_so(capsys):
    options = ["--sigma", "10", "--q", "0.01", "--steps", "100", "--epsilon", "0.5", "--direction", "add"]
    assert main(["delta", *options]) == 0
    assert "method: tail bound" in capsys.readouterr().out
    assert main(["delta", *options, "--digits", "3"]) == 0
    assert "Bromwich line" in capsys.readouterr().out


def test_the_interval_starts_at_zero():
    found = delta(poisson(20, "1e-4", 10**6), 1)
    assert isinstance(found.enclosure, Enclosure)
    assert found.enclosure.lower == 0
    assert Decimal(found.upper) < Decimal("1e-6723")


def test_sums_over_lists_are_bounded_too():
    """ε = 50 is beyond what Skellam noise of this variance lists at any precision that is tried."""
    found = delta(Skellam("12.5"), 50, digits=6)
    assert found.lower == "0" and found.enclosure.upper < Fraction(1, 10**300)


@pytest.mark.parametrize("failure", ["1e-4", "1e-9"])
def test_nearly_all_of_delta_is_an_infinite_loss(failure):
    """No list of outcomes is long enough, no contour short enough: but 1 − (1 − p)^k is known, and what else there is is tiny."""
    part = Sampled(EpsilonDelta("0.0131", failure), PoissonSampling("3.57e-7"))
    found = delta(
        Composed((Repeated(part, 10**9), Sampled(Skellam("3.92"), PoissonSampling("0.0209")))), "12.9", digits=6, direction="remove"
    )
    assert found.method == NEXT_TO_CERTAIN
    with mpmath.workdps(60):
        lost = 1 - (1 - mpmath.mpf(failure) * mpmath.mpf("3.57e-7")) ** (10**9)
        assert found.enclosure.lower <= Fraction(mpmath.nstr(lost, 50)) <= found.enclosure.upper


def test_what_is_left_beside_an_infinite_loss_counts():
    """Near the bulk the Chernoff bound is no longer small, and the value is not the infinite loss alone."""
    mechanism = Composed((Repeated(EpsilonDelta("0.5", "1e-3"), 5), Gaussian(2)))
    with precision(80):
        elements = elements_of(dominating_pairs(mechanism, direction=Direction.REMOVE)[0])
        assert next_to_certain(elements.factors, Fraction(1), elements.unlisted_mass, 6) is None
    assert delta(mechanism, 1, digits=6).method != NEXT_TO_CERTAIN


def test_a_law_that_is_followed_far_enough_has_a_tail_bound():
    """No contour reaches so large an ε with replacement."""
    drawn = Repeated(Sampled(Gaussian("35.1"), WithReplacementSampling(11_607, 14)), 2)
    found = delta(drawn, "15.7", digits=6, guarantee="pair")
    assert (found.lower, found.method) == ("0", TAIL_BOUND)
    assert found.enclosure.upper < Fraction(1, 10**300)
    grouped = Repeated(Sampled(Gaussian("50.1"), GroupPoissonSampling("7.91e-8", 2)), 3)
    found = delta(grouped, "1.16", digits=8, direction="remove")  # its noise is cut
    assert found.method == TAIL_BOUND and found.enclosure.upper < Fraction(1, 10**300)


def test_a_refused_epsilon_has_the_end_that_is_known():
    """By a Chernoff bound at the tilt of the search: above ε, and not by much."""
    mechanism = Repeated(Skellam("0.328", 2), 1000)
    with pytest.raises(PrecisionError, match="in direction remove epsilon is at least .* and at most ") as refused:
        epsilon(mechanism, "4.92e-9", digits=4, direction="remove")
    bound = float(str(refused.value).rsplit(" ", 1)[1])
    found = epsilon_bounds(mechanism, "4.92e-9", direction="remove")
    assert found.lower < bound < 1.05 * found.upper


def test_the_end_of_a_refused_delta():
    """Chernoff's bound is at least δ; one use alone, which is below, is found by the parts."""
    (product,) = dominating_pairs(Repeated(Gaussian(5), 2), direction=Direction.REMOVE)
    own = str(with_ends(PrecisionError("refused"), product, "delta", known_end(product, Fraction(1, 2)), 3))
    assert "at least" not in own
    assert delta(Repeated(Gaussian(5), 2), "0.5").enclosure.upper_float <= float(own.split("at most ")[1])


@pytest.mark.parametrize("epsilon", ["0.00799", "0.003995", "0.000799"])
def test_one_rare_use_may_rule_all_moments(epsilon):
    """Bounds of many uses are above the closed form of one, which is part of them."""
    found = delta(poisson("37.3", "1.04e-6", 5560), epsilon, digits=8, direction="remove")
    assert found.method == TAIL_BOUND and found.enclosure.upper < Fraction(1, 10**300)
    one = delta(poisson("37.3", "1.04e-6", 1), epsilon, digits=8, direction="remove").enclosure
    assert one.low > 0 and one.high < found.enclosure.high


def test_a_cut_at_once_bounds_what_is_just_negligible():
    """The bound of one use at its edge, against its closed form: the mass that is cut off is in it."""
    for q, sigma, at in (("1e-6", 30, "0.02"), ("1e-6", 10, "9"), ("1e-3", 2, "12")):
        with precision(1300):
            factors = [MixtureFactor(Mixture(Fraction(q), Fraction(sigma), True, False))]
            target = cut_target(factors, float(at), 60.0)
            kept = with_cuts(factors, target.cuts)
            bound = least_bound(kept, [share * target.saddle for share in (1.0, 0.8)], Fraction(at))
        one = delta(poisson(sigma, q, 1), at, digits=8, direction="remove").enclosure
        assert one.high < bound and bound < arb("1e-20").max(one.high * 10**8)
