"""Conversions: closed cases, ordering, certified optima; each side falsified with mpmath where it can be."""

from fractions import Fraction

import mpmath as mp
import pytest

from dpbounds import accounting
from dpbounds.errors import InputError
from dpbounds.mechanisms import Gaussian, Laplace
from dpbounds.numbers.balls import ball, precision
from dpbounds.numbers.minimum import convex_minimum, global_minimum, least_value
from dpbounds.numbers.to_digits import certified
from dpbounds.renyi import conversions as c
from dpbounds.renyi import curves


def test_the_branches_of_theorem_3_meet():
    threshold = c.range_limited_threshold_of("0.5", 3)
    above = c.range_limited_epsilon_of("0.5", 3, threshold.upper)
    below = c.range_limited_epsilon_of("0.5", 3, threshold.lower)
    assert above.lower <= Fraction("2.5") <= below.upper
    assert below.upper - above.lower < Fraction(1, 10**12)


def test_theorem_3_is_the_best_mironov_conversion_on_the_range():
    for delta in ("1e-2", "1e-9"):
        whole = c.epsilon_of(curves.RangeLimitedCurve("0.5", 4), delta, rule="chernoff")
        assert whole.overlaps(c.range_limited_epsilon_of("0.5", 4, delta))


def test_rho_and_its_approximation():
    """The printed ε²/(4 log(1/δ)) gives more than ε; the exact ρ gives ε."""
    exact_rho = c.zcdp_rho_of(1, "1e-5")
    assert c.zcdp_epsilon_of(exact_rho.lower, "1e-5").lower <= 1 <= c.zcdp_epsilon_of(exact_rho.upper, "1e-5").upper
    with mp.workdps(20):
        printed = Fraction(str(1 / (4 * mp.log(mp.mpf(10) ** 5))))
    assert c.zcdp_epsilon_of(printed, "1e-5").lower > 1


@pytest.mark.parametrize(
    ("alpha", "rho", "epsilon"), [("2", "1", "1"), ("20", "0.5", "1"), ("1.1", "0.3", "0.5"), ("3", "1", "0.2"), ("7", "0.01", "0")]
)
def test_the_joint_range_is_attained_and_not_exceeded(alpha, rho, epsilon):
    """Every feasible two-point pair on a grid lies below the certified optimum, and one comes close."""
    found = c.exact_delta_of(alpha, rho, epsilon)
    order, level, factor, best = float(Fraction(alpha)), None, None, 0.0
    level = mp.exp((order - 1) * mp.mpf(rho))
    factor = mp.exp(mp.mpf(epsilon))

    def largest_p(q):
        low, high = q, mp.mpf(1)
        for _ in range(60):
            p = (low + high) / 2
            value = p**order * q ** (1 - order) + (1 - p) ** order * (1 - q) ** (1 - order)
            low, high = (p, high) if value <= level else (low, p)
        return low

    for i in range(1, 200):
        q = mp.mpf(10) ** (-mp.mpf(i) / 25)
        if q < 1:
            best = max(best, float(largest_p(q) - factor * q))
    assert best <= found.upper_float * (1 + 1e-12)
    assert best >= found.lower_float * 0.98


def test_no_step_of_the_joint_range_certificate_can_be_left_out():
    """A point off the optimum: without the term for the slope or for the level the upper side would be wrong."""
    from dpbounds.renyi.conversions.joint_range import _certify

    with precision(200):
        order, factor, level = ball(2), ball(1).exp(), ball(1).exp()
        optimum = c.exact_delta_of(2, 1, 1)
        for p, q in ((ball(29) / 100, ball(4) / 100), (ball(2) / 10, ball(2) / 100), (ball(5) / 10, ball(12) / 100)):
            found = _certify(order, factor, level, p, q)
            assert found.upper() >= optimum.high and found.lower() <= optimum.low
            assert p - factor * q < optimum.low


def logistic_delta(epsilon):
    """(e^{ε₀/2} − e^{ε/2})²/(e^{ε₀} − 1), ε₀ = 1/s: dP/dQ = c/(c − (c−1)y)² for y uniform under Q, c = e^{ε₀}, here 2.5."""
    return certified(lambda: ((ball(5) / 4).exp() - (ball(Fraction(epsilon)) / 2).exp()) ** 2 / (ball(5) / 2).expm1())


EXACT = {
    "gaussian": (curves.GaussianCurve(1), lambda e: accounting.delta(Gaussian(1), e).enclosure),
    "laplace": (curves.LaplaceCurve(1), lambda e: accounting.delta(Laplace(1), e).enclosure),
    "logistic": (curves.LogisticCurve("0.4"), logistic_delta),
}


@pytest.mark.parametrize("name", EXACT)
@pytest.mark.parametrize("epsilon", ["0", "0.3", "0.9"])
def test_every_bound_is_above_the_exact_delta_and_in_order(name, epsilon):
    curve, exact_delta = EXACT[name]
    truth, sharp, plain = exact_delta(epsilon), c.delta_of(curve, epsilon), c.delta_of(curve, epsilon, rule="chernoff")
    assert truth <= sharp
    assert sharp.lower <= plain.upper
    for alpha in ("1.5", "4"):
        rho = curve.certified_divergence(alpha).upper
        single = [f(alpha, rho, epsilon) for f in (c.exact_delta_of, c.sharp_delta_of, c.mironov_delta_of)]
        assert truth <= single[0]
        assert all(left.lower <= right.upper for left, right in zip(single, single[1:], strict=False))
        assert sharp.lower <= single[1].upper and plain.lower <= single[2].upper


def test_whole_curve_epsilon_and_delta_are_inverse():
    for curve in (curves.GaussianCurve(1), curves.LaplaceCurve("0.5"), curves.composed((curves.PoissonGaussianCurve("1.5", "0.05"), 200))):
        for rule in ("sharp", "chernoff"):
            epsilon = c.epsilon_of(curve, "1e-4", 10, rule)
            assert c.delta_of(curve, epsilon.lower, 10, rule).upper >= Fraction("1e-4")
            assert c.delta_of(curve, epsilon.upper, 10, rule).lower <= Fraction("1e-4")


def test_small_delta_gives_the_largest_loss():
    assert c.epsilon_of(curves.LaplaceCurve(2), "1e-300").contains(Fraction(1, 2))
    assert c.epsilon_of(curves.RandomizedResponseCurve(3), "1e-300", rule="chernoff").contains(3)
    assert c.delta_of(curves.LaplaceCurve(2), "0.5").upper == 0
    assert c.epsilon_of(curves.GaussianCurve(10), "0.9").upper == 0


def test_exact_epsilons():
    assert accounting.epsilon(Gaussian(1), "1e-5").enclosure <= c.epsilon_of(curves.GaussianCurve(1), "1e-5")
    exact_order = c.exact_epsilon_of(5, "0.2", "1e-3", 6)
    assert exact_order <= c.sharp_epsilon_of(5, "0.2", "1e-3")


def test_nothing_released_costs_nothing():
    assert c.zcdp_delta_of(0, 0).upper == c.zcdp_delta_of(0, 1).upper == 0
    assert c.exact_delta_of(2, 0, 0).upper == 0


def test_the_classical_gaussian_bound():
    sigma = c.classical_gaussian_sigma_of(1, "1e-5")
    assert accounting.delta(Gaussian(sigma.upper), 1).enclosure <= Fraction("1e-5")
    with pytest.raises(InputError, match="classical"):
        c.classical_gaussian_sigma_of(2, "1e-5")


def test_least_values_need_their_chords():
    """The value at the middle of three points is above the minimum; the ball must reach down to it."""
    with precision(60):

        def psi(t):
            return (t - 1) ** 2

        point = ball(1) + ball(2) ** -23
        assert psi(point) > 0 and least_value(psi, point).contains(0)
        at_end = least_value(lambda t: (t - 5) ** 2, ball(2), ball(2))
        assert at_end.contains(9) or at_end.overlaps(ball(9))
        _, least = convex_minimum(lambda t: (t - 5) ** 2, right_end=ball(2))
        assert least.overlaps(ball(9))


def test_a_chernoff_bound_that_says_nothing_still_contains_its_infimum():
    """At ε a hair above the KL divergence the infimum lies just below 1, before any order that the search visits."""
    kl = Fraction(1, 2)  # of N(1, 1) and N(0, 1)
    for excess in (Fraction(0), Fraction(1, 10**40)):
        found = c.delta_of(curves.GaussianCurve(1), kl + excess, rule="chernoff")
        with mp.workdps(120):
            value = mp.exp(-((mp.mpf(excess.numerator) / excess.denominator) ** 2) / 2)
            assert mp.mpf(found.lower_decimal(60)) <= value <= mp.mpf(found.upper_decimal(60))
    assert c.delta_of(curves.GaussianCurve(1), "0.1", rule="chernoff").contains(1)


def test_a_rounded_end_is_still_covered():
    """The range ends at 4/3, which no ball hits: the infimum there must lie inside."""
    curve = curves.RangeLimitedCurve("0.5", Fraction(4, 3))
    for delta in ("1e-3", "1e-9"):
        assert c.epsilon_of(curve, delta, 12, "chernoff").overlaps(c.range_limited_epsilon_of("0.5", Fraction(4, 3), delta, 40))


def test_branch_and_bound_finds_the_least_of_two_valleys():
    with precision(60):
        _, least = global_minimum(lambda x: (x**2 - 1) ** 2 + x / 8, ball(-2), ball(2), ball(10) ** -4)
    with mp.workdps(20):
        value = mp.mpf(-0.12690)
    assert least < 0 and least.lower() <= float(value) + 2e-3 and least.upper() >= float(value) - 2e-3


@pytest.mark.parametrize(
    "call",
    [
        lambda: c.mironov_epsilon_of(1, 1, "1e-5"),
        lambda: c.sharp_delta_of(2, -1, 1),
        lambda: c.zcdp_epsilon_of(1, 0),
        lambda: c.zcdp_epsilon_of(1, 1),
        lambda: c.delta_of(curves.GaussianCurve(1), -1),
        lambda: c.epsilon_of(curves.GaussianCurve(1), "1e-5", rule="best"),
        lambda: c.range_limited_epsilon_of(1, 1, "0.1"),
    ],
)
def test_bad_input(call):
    with pytest.raises(InputError):
        call()
