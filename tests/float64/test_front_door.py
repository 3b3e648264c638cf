"""The front door: it picks a method, says which, and refuses bad input."""

import math
from fractions import Fraction

import mpmath
import pytest

from dpbounds import accounting, float64
from dpbounds import mechanisms as m
from dpbounds.errors import InputError, PrecisionError
from dpbounds.float64.gaussian_mixture import GaussianMixture
from dpbounds.float64.inverse.along import Along
from dpbounds.float64.inverse.search import BoundsSearch, log_slack
from dpbounds.float64.laws import loss_law
from dpbounds.mechanisms import Direction, Guarantee, pairs


def poisson(q, sigma, steps):
    return m.Repeated(m.Sampled(m.Gaussian(sigma), m.PoissonSampling(q)), steps)


def test_the_method_is_named():
    assert float64.delta_bounds(m.Gaussian(1), 1).method == "closed form"
    assert float64.delta_bounds(poisson("0.01", "1.5", 10**4), 1).method == "contour"
    assert float64.delta_bounds(m.Repeated(m.Laplace(10), 50), 1).method == "lattice"


def test_the_narrower_of_two_wide_intervals_is_kept():
    """The contour misses its tolerance here, since cancellation costs digits, and is narrower than the lattice all the same."""
    mechanism = m.Repeated(m.Sampled(m.Gaussian(1), m.PoissonSampling("0.001")), 1000)
    lattice = float64.delta_bounds(mechanism, "0.1", method="lattice", direction="remove")
    found = float64.delta_bounds(mechanism, "0.1", direction="remove")
    assert found.method == "contour" and found.relative_width <= 1e-7 < lattice.relative_width
    assert found.log_lower >= lattice.log_lower and found.log_upper <= lattice.log_upper


def test_worst_is_the_larger_direction():
    mechanism = poisson("0.01", "1.5", 10**4)
    both = float64.delta_bounds(mechanism, 1)
    each = [float64.delta_bounds(mechanism, 1, direction=direction) for direction in (Direction.REMOVE, Direction.ADD)]
    assert both.lower == max(found.lower for found in each) and both.upper == max(found.upper for found in each)


def test_step_counts_that_the_contour_declines_do_not_spoil_the_others():
    """k = 1 to 3 has no contour, and each count has the bounds that it has alone."""
    step, counts = m.Sampled(m.Gaussian(1), m.PoissonSampling("0.01")), [1, 3, 400, 800, 1600]
    over = float64.delta_bounds_over_steps(step, 1, counts)
    assert [bounds.method for bounds in over][2:] == ["contour"] * 3
    assert over[1].method != "contour"
    for count, bounds in zip(counts, over, strict=True):
        alone = float64.delta_bounds(m.Repeated(step, count), 1)
        assert bounds.lower <= alone.upper
        assert alone.lower <= bounds.upper
        assert bounds.relative_width < 1e-3


def test_several_epsilons_and_several_step_counts():
    mechanism = poisson("0.01", "1.5", 1000)
    at = float64.delta_bounds_at(mechanism, [0, "0.25", "0.5", 1])
    assert all(one.lower >= two.upper for one, two in zip(at, at[1:], strict=False))
    over = float64.delta_bounds_over_steps(m.Sampled(m.Gaussian("1.5"), m.PoissonSampling("0.01")), "0.5", [500, 1000, 2000])
    assert over[1].log_lower <= at[2].log_upper and at[2].log_lower <= over[1].log_upper
    assert over[0].upper <= over[1].lower <= over[1].upper <= over[2].lower


def test_estimates_lie_in_the_bounds():
    mechanism = poisson("0.01", "1.5", 1000)
    bounds = float64.delta_bounds(mechanism, "0.5")
    assert bounds.lower <= float64.approx_delta(mechanism, "0.5") <= bounds.upper
    assert bounds.log_lower <= float64.approx_log_delta(mechanism, "0.5") <= bounds.log_upper
    interval = float64.epsilon_bounds(mechanism, "1e-6")
    assert interval.lower <= float64.approx_epsilon(mechanism, "1e-6") <= interval.upper


def test_edges_that_have_an_answer():
    assert float64.delta_bounds(poisson("0", 2, 100), 1).upper == 0.0
    assert float64.delta_bounds(poisson("0.01", 2, 100), 2, direction="add").upper == 0.0
    assert float64.epsilon_bounds(poisson("0.01", 2, 10), "0.9").upper == 0.0
    assert float64.delta_bounds(m.Sampled(m.Gaussian(2), m.PoissonSampling(1)), 1) == float64.delta_bounds(m.Gaussian(2), 1)


def test_epsilon_below_the_chance_of_infinite_loss_is_infinite():
    table = m.FiniteTable(["1/2", "49/100", "1/100"], ["1/2", "1/2", "0"])
    assert float64.epsilon_bounds(m.Repeated(table, 3), "0.001", direction="remove").lower == math.inf


def test_published_pairs_need_the_pair_guarantee():
    sampled = m.Repeated(m.Sampled(m.Gaussian(2), m.FixedSizeSampling(1000, 20)), 100)
    with pytest.raises(InputError, match="pair"):
        float64.delta_bounds(sampled, 1)
    assert float64.delta_bounds(sampled, 1, guarantee=Guarantee.PAIR).relative_width <= 1e-8


@pytest.mark.parametrize(
    ("call", "match"),
    [
        (lambda: float64.delta_bounds(m.Gaussian(1), -1), "epsilon must be >= 0"),
        (lambda: float64.delta_bounds(m.Gaussian(1), math.nan), "epsilon"),
        (lambda: float64.epsilon_bounds(m.Gaussian(1), 1), "delta must lie in"),
        (lambda: float64.delta_bounds(m.Gaussian(1), 1, method="magic"), "method must be one of"),
        (lambda: float64.delta_bounds(m.Gaussian(1), 1, tolerance=2.0), "tolerance"),
        (lambda: float64.delta_bounds_over_steps(m.Gaussian(1), 1, [0]), "steps"),
    ],
)
def test_bad_input_is_refused(call, match):
    with pytest.raises(InputError, match=match):
        call()


def test_a_method_that_does_not_apply_declines():
    with pytest.raises(PrecisionError, match="closed form"):
        float64.delta_bounds(poisson("0.01", 2, 100), 1, method="closed form")
    with pytest.raises(PrecisionError, match="atoms"):
        float64.delta_bounds(m.Laplace(2), "0.1", method="contour")


def test_results_keep_their_logarithms_below_the_smallest_float():
    found = float64.Bounds.of_logs(-2000.0, -1999.0, "example")
    assert (found.lower, found.upper) == (0.0, 5e-324)
    assert 0.63 < found.relative_width < 0.64
    assert float64.Bounds.of_values(0.25, 0.5, "example").log_lower <= math.log(0.25)


@pytest.mark.parametrize(
    "value", ["0.999999999999999999", "0.3", Fraction(10**300 + 1, 10**600), Fraction(1, 3**2000), Fraction(7**900, 10**1200)]
)
def test_the_logarithm_of_delta_is_as_good_as_it_is_taken_for(value):
    number = Fraction(value)
    found = float64.front_door._log_of(number)
    with mpmath.workdps(40):
        exact = mpmath.log(mpmath.mpf(number.numerator) / number.denominator)
        assert abs(found - exact) <= log_slack(found)


def test_disjoint_tables_lose_everything():
    apart = m.FiniteTable((1, 0, 0), (0, Fraction(2, 3), Fraction(1, 3)))
    other = m.FiniteTable((Fraction(1, 2), Fraction(1, 2)), (Fraction(3, 4), Fraction(1, 4)))
    found = float64.delta_bounds(m.Composed((m.Repeated(other, 100), apart)), 1)
    assert found.lower == found.upper == 1
    infinite = float64.epsilon_bounds(apart, "0.5")
    assert infinite.lower == infinite.upper == infinite.log_lower == infinite.log_upper == math.inf and infinite.relative_width == 0


TABLE = m.FiniteTable(["1/10", "1/2", "2/5"], ["0", "2/5", "3/5"])


@pytest.mark.parametrize("target", ["0.1", "0.15"])
def test_epsilon_of_a_table_with_infinite_mass(target):
    """At δ = 1/10, the mass of infinite loss, ε is the largest finite loss log(5/4); balls find no digits at the tie itself."""
    found = float64.epsilon_bounds(TABLE, target, direction="remove")
    if target == "0.1":
        assert found.lower <= math.log(1.25) <= found.upper <= math.log(1.25) * (1 + 1e-9)
    else:
        truth = accounting.epsilon(TABLE, target, direction="remove")
        assert Fraction(found.lower) <= Fraction(truth.lower)
        assert Fraction(truth.upper) <= Fraction(found.upper)


def test_no_epsilon_below_the_infinite_mass():
    assert float64.epsilon_bounds(TABLE, "0.0999", direction="remove").lower == math.inf
    two = 1 - Fraction(81, 100)
    assert float64.epsilon_bounds(m.Repeated(TABLE, 2), two, direction="remove").upper <= 2 * math.log(1.25) * (1 + 1e-9)
    assert float64.epsilon_bounds(m.Repeated(TABLE, 2), two - Fraction(1, 1000), direction="remove").upper == math.inf


@pytest.mark.parametrize(("target", "finite"), [("0.07071067811864", False), ("0.0707106781187", True)])
def test_the_infinite_mass_at_an_irrational_rate_is_not_taken_for_nothing(target, finite):
    """It is √2/20 = 0.0707106781186547…: at a δ below it ε is infinite, however close it is, and no finite upper bound is given."""
    sampled = m.Sampled(TABLE, m.PoissonSampling("sqrt(2)/2"))
    try:
        found = float64.epsilon_bounds(sampled, target, direction="remove").upper
    except PrecisionError:
        found = math.inf
    assert math.isfinite(found) == finite


def test_one_batch_without_replacement_is_a_closed_form():
    sampled = m.Sampled(m.Gaussian(1), m.FixedSizeSampling(100, 1))
    found, truth = float64.delta_bounds(sampled, 1), accounting.delta(sampled, 1)
    assert found.method == "closed form"
    assert Fraction(found.lower) <= Fraction(truth.lower)
    assert Fraction(truth.upper) <= Fraction(found.upper)
    with pytest.raises(InputError, match="several uses of sampling without replacement"):
        float64.delta_bounds(m.Repeated(sampled, 2), 1)


@pytest.mark.parametrize(
    ("sigma", "rate", "steps", "target", "width"),
    [
        ("0.3", "1e-4", 1, "1e-12", 1e-9),
        ("1", "1e-4", 1_000_000, "1e-5", 1e-4),
        ("2", "1e-4", 1_000_000, "1e-8", 1e-4),
        ("20", "1e-4", 10_000, "1e-5", 1e-3),
    ],
)
def test_epsilon_is_found_beyond_a_first_guess_that_is_too_small(sigma, rate, steps, target, width):
    """The saddle-point guess of a law that is ruled by rare losses can lie far below the root, where the loss has no end."""
    mechanism = poisson(rate, sigma, steps)
    found = float64.epsilon_bounds(mechanism, target)
    assert found.upper - found.lower <= width * found.upper
    assert (
        float64.delta_bounds(mechanism, repr(found.upper)).lower
        <= float(target)
        <= float64.delta_bounds(mechanism, repr(found.lower)).upper
    )
    if steps == 1:
        truth = accounting.epsilon(mechanism, target, digits=12)
        assert found.lower <= float(truth.upper) and float(truth.lower) <= found.upper


def test_an_upper_bound_alone_does_not_say_that_epsilon_is_too_small():
    """Bounds that are blind over a range above the root: the search takes it neither for below the root nor for the root."""
    asked = []

    def at(epsilon, _):
        asked.append(epsilon)
        blind = 1.1 <= epsilon <= 3.0
        return (
            float64.Bounds.of_logs(-math.inf, 0.0, "lattice")
            if blind
            else float64.Bounds.of_logs(-10 * epsilon - 1e-9, -10 * epsilon + 1e-9, "lattice")
        )

    found = BoundsSearch(at, -10.0, 8.0, 1.0).bounds(1.5)
    assert 1.5 in asked and found.lower <= 1.0 <= found.upper and found.upper - found.lower < 1e-6


def test_points_where_no_method_has_a_bound_are_passed_by(monkeypatch):
    """A guess far beyond the root, where every method declines."""
    asked = []

    def at(product, epsilons, tolerance, method, kept, whole=float64.front_door._product_bounds, **options):
        asked.append(epsilons[0])
        if epsilons[0] > 0.9:
            raise PrecisionError("declined")
        return whole(product, epsilons, tolerance, method, kept, **options)

    monkeypatch.setattr(float64.front_door, "first_guess", lambda *_: (1.0, 1.0))
    monkeypatch.setattr(float64.front_door, "_product_bounds", at)
    found = float64.epsilon_bounds(m.Repeated(m.Gaussian(100), 4), "1e-3")
    truth = accounting.epsilon(m.Repeated(m.Gaussian(100), 4), "1e-3", digits=12)
    assert 1.0 in asked and found.upper - found.lower < 1e-9
    assert found.lower <= float(truth.upper) and float(truth.lower) <= found.upper


@pytest.mark.parametrize("direction", ["remove", "add"])
@pytest.mark.parametrize("base", [m.Laplace(10**6), m.RandomizedResponse(Fraction(1, 10**6))])
def test_epsilon_at_the_largest_loss_where_that_is_small(base, direction):
    """At a rate above 1/2 the largest loss is log(1−q+q·e^x), which must not be off by a rounding of 1: it ends the bounds."""
    mechanism = m.Sampled(base, m.PoissonSampling("0.9"))
    found = float64.epsilon_bounds(mechanism, "1e-30", direction=direction)
    truth = accounting.epsilon(mechanism, "1e-30", digits=16, direction=direction).enclosure
    assert found.lower <= truth.lower_float
    assert truth.upper_float <= found.upper


@pytest.mark.parametrize("lack", [Fraction(1, 10**17), Fraction(1, 10**16), Fraction(1, 10**6)])
def test_the_largest_loss_of_a_rate_near_one_is_that_of_what_is_kept(lack):
    """−log(1−q), where the float nearest q says little of 1−q; with more than two weights too."""
    sampled = loss_law(pairs.dominating_pairs(m.Sampled(m.Gaussian("0.1"), m.PoissonSampling(1 - lack)), direction="add")[0].factors[0])
    assert abs(sampled.highest_loss + math.log(lack)) <= -2e-14 * math.log(lack)
    with mpmath.workdps(40):
        truth = float(-mpmath.log(1 - mpmath.mpf(lack.numerator) / lack.denominator))
    for weights in ((1 - lack, lack), (1 - lack, lack / 2, lack / 2)):
        law = GaussianMixture(0.1, (1.0,), tuple(float(weight) for weight in weights))
        assert abs(law.highest_loss - truth) <= 1e-14 * truth


@pytest.mark.parametrize(("epsilon", "told"), [(1.25, True), (2.0, False), (0.5, False)])
def test_the_slope_tells_of_near_points_only(epsilon, told):
    """Far from the last answer its slope may say e^−400 where rare noise rules, and lattices for that are as large as can be."""
    known = []

    def bounds(*_, **options):
        known.append(options["known"])
        return [float64.Bounds.of_logs(-10.0, -9.99, "lattice")]

    product = pairs.dominating_pairs(poisson("1e-4", 1, 1000), direction="remove")[0]
    along = Along(product, bounds, 1e-4, "auto", -20.0)
    along.bounds_at(1.0, 40.0)
    along.bounds_at(epsilon, 50.0)
    assert known[0] is None
    assert (known[-1] is not None) == told
    assert not told or -22.5 <= known[-1][0] <= -22.49


def test_few_and_many_steps_of_one_curve_are_those_of_each_alone():
    """With few steps the contour declines in both directions, and a bound on the other one is enough."""
    step, counts = m.Sampled(m.Gaussian(1), m.PoissonSampling("0.01")), [20, 90, 100, 110, 2000]
    over = float64.delta_bounds_over_steps(step, 1, counts)
    for count, found in zip(counts, over, strict=True):
        alone = float64.delta_bounds(m.Repeated(step, count), 1)
        assert found.log_lower <= alone.log_upper
        assert alone.log_lower <= found.log_upper
        assert found.relative_width <= max(2 * alone.relative_width, 1e-4)


def test_a_tail_bound_is_above_delta_and_says_nothing_where_it_is_not_small():
    for direction in ("remove", "add"):
        (product,) = pairs.dominating_pairs(m.Sampled(m.Gaussian("2"), m.PoissonSampling("0.1")), direction=direction)
        certain = accounting.delta(m.Repeated(m.Sampled(m.Gaussian("2"), m.PoissonSampling("0.1")), 30), "2.5", direction=direction)
        found = float64.contour.tail_bounds(product, 2.5, 30, -1.0)
        assert found is not None
        assert found.upper >= float(certain.enclosure.upper)
        assert float64.contour.tail_bounds(product, 2.5, 30, math.log(float(certain.enclosure.lower))) is None
        assert float64.contour.tail_bounds(product, 2.5, 30, -math.inf) is None
