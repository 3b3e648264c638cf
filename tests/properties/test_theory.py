"""Laws of the theory layer on random parameters: every bound is at least the certified exact value, every lower bound at most it."""

from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from dpbounds import accounting
from dpbounds.budgets import composition, schedules, zcdp
from dpbounds.errors import PrecisionError
from dpbounds.mechanisms import Gaussian, Laplace, PoissonSampling, RandomizedResponse, Repeated, Sampled
from dpbounds.renyi import amplification, conversions, curves

LAWS = settings(max_examples=25, deadline=None, derandomize=True)
FEW = settings(max_examples=10, deadline=None, derandomize=True)


def fractions(low: str, high: str, places: int = 100) -> st.SearchStrategy[Fraction]:
    return st.integers(0, places).map(lambda i: Fraction(low) + (Fraction(high) - Fraction(low)) * Fraction(i, places))


sigmas, orders, epsilons, rates = fractions("0.5", "6"), fractions("1.05", "30"), fractions("0", "4"), fractions("0.01", "0.5")
deltas = st.integers(1, 12).map(lambda i: Fraction(1, 10**i))
rhos = fractions("0.001", "2")


@LAWS
@given(orders, rhos, epsilons)
def test_single_order_conversions_of_delta_are_ordered(alpha, rho, epsilon):
    best, sharp, plain = (
        f(alpha, rho, epsilon) for f in (conversions.exact_delta_of, conversions.sharp_delta_of, conversions.mironov_delta_of)
    )
    assert best.lower <= sharp.upper and sharp.lower <= plain.upper and plain.upper <= 1


@LAWS
@given(orders, rhos, deltas)
def test_single_order_conversions_of_epsilon_are_ordered_and_inverse(alpha, rho, delta):
    sharp, plain = conversions.sharp_epsilon_of(alpha, rho, delta), conversions.mironov_epsilon_of(alpha, rho, delta)
    assert sharp.lower <= plain.upper
    assert conversions.mironov_delta_of(alpha, rho, plain.upper).lower <= delta
    assert conversions.sharp_delta_of(alpha, rho, sharp.upper).lower <= delta


@LAWS
@given(orders, rhos, epsilons, epsilons)
def test_delta_falls_with_epsilon(alpha, rho, one, two):
    low, high = sorted((one, two))
    for f in (conversions.exact_delta_of, conversions.sharp_delta_of, conversions.mironov_delta_of):
        assert f(alpha, rho, high).lower <= f(alpha, rho, low).upper


@LAWS
@given(orders, fractions("0.1", "3"), sigmas, epsilons)
def test_the_joint_range_covers_real_mechanisms(alpha, scale, sigma, epsilon):
    laplace = conversions.exact_delta_of(alpha, curves.LaplaceCurve(scale).certified_divergence(alpha).upper, epsilon)
    gaussian = conversions.exact_delta_of(alpha, curves.GaussianCurve(sigma).certified_divergence(alpha).upper, epsilon)
    assert accounting.delta(Laplace(scale), epsilon, digits=8).enclosure.lower <= laplace.upper
    assert accounting.delta(Gaussian(sigma), epsilon).enclosure.lower <= gaussian.upper


@LAWS
@given(sigmas, st.integers(1, 20), epsilons)
def test_whole_curves_bound_the_exact_delta_of_gaussian_noise(sigma, steps, epsilon):
    curve = curves.composed((curves.GaussianCurve(sigma), steps))
    exact = accounting.delta(Repeated(Gaussian(sigma), steps), epsilon, digits=8).enclosure
    sharp, plain = conversions.delta_of(curve, epsilon, 8), conversions.delta_of(curve, epsilon, 8, "chernoff")
    assert exact.lower <= sharp.upper and sharp.lower <= plain.upper
    assert plain.overlaps(conversions.zcdp_delta_of(steps / (2 * sigma**2), epsilon))


@FEW
@given(fractions("1", "3"), fractions("0.05", "0.5"), st.integers(20, 60), fractions("0.5", "3"))
def test_whole_curves_bound_the_exact_delta_under_sampling(sigma, q, steps, epsilon):
    try:
        exact = accounting.delta(Repeated(Sampled(Gaussian(sigma), PoissonSampling(q)), steps), epsilon, digits=5).enclosure
    except PrecisionError:
        return
    both = [curves.composed((curves.PoissonGaussianCurve(sigma, q, side), steps)) for side in ("remove", "add")]
    bound = conversions.delta_of(both[0], epsilon, 5).maximum(conversions.delta_of(both[1], epsilon, 5))
    assert exact.lower <= bound.upper
    chords = curves.composed((amplification.PoissonBoundCurve(curves.GaussianCurve(sigma), q), steps))
    assert bound.lower <= conversions.delta_of(chords, epsilon, 4).upper


@LAWS
@given(fractions("0.01", "1.5"), st.integers(1, 30), fractions("0", "6"))
def test_composition_theorems_bound_randomized_response(epsilon, steps, total):
    exact = accounting.delta(Repeated(RandomizedResponse(epsilon), steps), total, digits=8).enclosure
    curve = curves.composed((curves.RandomizedResponseCurve(epsilon), steps))
    assert exact.lower <= conversions.delta_of(curve, total, 8).upper
    for slack in (Fraction(1, 100), Fraction(1, 10**6)):
        sharp, printed = (composition.advanced_composition_of(epsilon, 0, steps, slack, c).epsilon for c in ("sharp", "printed"))
        assert sharp.lower <= printed.upper
        assert accounting.delta(Repeated(RandomizedResponse(epsilon), steps), sharp.upper, digits=4).enclosure.lower <= slack


@LAWS
@given(st.integers(2, 24), sigmas, rates)
def test_subsampled_renyi_bounds_are_ordered(alpha, sigma, q):
    base = curves.GaussianCurve(sigma)
    exact, add = (curves.PoissonGaussianCurve(sigma, q, side).certified_divergence(alpha) for side in ("remove", "add"))
    one, three = (amplification.zhu_wang_upper_of(base, q, alpha, factor) for factor in (1, 3))
    assert add.lower <= exact.upper and exact.lower <= one.upper and one.lower <= three.upper
    assert amplification.zhu_wang_lower_of(base, q, alpha).lower <= exact.upper
    assert exact.lower <= amplification.averaged_renyi_of(alpha, base.certified_divergence(alpha).upper, q).upper


@LAWS
@given(orders, fractions("0.1", "3"))
def test_curves_between_their_neighbours(alpha, epsilon):
    """KL ≤ D_α ≤ D_∞, and randomized response is the largest ε-DP curve; bounded range lies below it and below ε²/8."""
    rr, br = (
        curves.RandomizedResponseCurve(epsilon).certified_divergence(alpha),
        curves.BoundedRangeCurve(epsilon).certified_divergence(alpha),
    )
    assert rr.lower <= epsilon and br.lower <= rr.upper and br.lower <= alpha * epsilon**2 / 8
    for curve in (curves.LaplaceCurve(1 / epsilon), curves.LogisticCurve(1 / epsilon)):
        assert curve.certified_divergence(alpha).lower <= rr.upper
    assert rr.lower <= alpha * zcdp.pure_rho_of(epsilon).upper


@LAWS
@given(fractions("0.1", "2"), st.lists(fractions("0.5", "20"), min_size=1, max_size=30))
def test_a_filter_never_exceeds_its_budget(total, sigmas_seen):
    guard = zcdp.Filter(total)
    for sigma in sigmas_seen:
        if guard.admits(1 / (2 * sigma**2)):
            guard = guard.spend_gaussian(sigma)
    assert 0 <= guard.spent <= total


@LAWS
@given(fractions("0.1", "2"), fractions("2", "20"), fractions("0.001", "0.2"), st.integers(1, 12))
def test_schedule_budgets_are_never_exceeded(rho, initial, rate, period):
    plans = (
        schedules.TimeDecay(initial, rate, period),
        schedules.ExponentialDecay(initial, rate, period),
        schedules.StepDecay(initial, 1 - rate, period),
        schedules.PolynomialDecay(initial, 1 + 10 * rate, initial / 4, 10 * period),
    )
    for plan in plans:
        epochs = schedules.epochs_within(plan, rho)
        assert plan.cost_of(epochs).lower <= rho
        assert plan.cost_of(epochs + 1).upper >= rho
        if epochs:
            assert plan.noise_of(epochs).lower <= plan.noise_of(0).upper


@LAWS
@given(st.integers(30, 80), st.sampled_from(["time", "exponential", "step"]))
def test_every_rate_inside_the_certified_range_lasts_as_long(epochs, name):
    families = {
        "time": (lambda k: schedules.TimeDecay(10, k), ("1e-6", 10)),
        "exponential": (lambda k: schedules.ExponentialDecay(10, k), ("1e-6", 10)),
        "step": (lambda k: schedules.StepDecay(10, k, 5), ("1e-3", "0.99999")),
    }
    family, bracket = families[name]
    found = schedules.rates_for(family, epochs, "0.78125", bracket, 5)
    middle = (found.longest.lower + found.shorter.lower) / 2
    assert schedules.epochs_within(family(middle), "0.78125") == epochs
