"""Rényi curves against numerical integrals of their definition, in mpmath; and the properties every curve has."""

from fractions import Fraction

import mpmath as mp
import pytest

from dpbounds.errors import InputError
from dpbounds.laws.ball_numbers import BALLS
from dpbounds.noise._theta import theta
from dpbounds.numbers.balls import Enclosure, ball, precision
from dpbounds.renyi import curves
from dpbounds.renyi.conversions import delta_of, epsilon_of

ALL = [
    curves.GaussianCurve("1.5", 2),
    curves.UnequalGaussiansCurve(1, 2, "1.5"),
    curves.UnequalGaussiansCurve(1, "1.5", 2),
    curves.LaplaceCurve(2, 3),
    curves.LogisticCurve(2),
    curves.RandomizedResponseCurve("0.7"),
    curves.GeometricCurve("1.5", 3),
    curves.DiscreteGaussianCurve("0.8"),
    curves.BoundedRangeCurve("1.3"),
    curves.PoissonGaussianCurve("1.2", "0.1"),
    curves.PoissonGaussianCurve("1.2", "0.1", "add"),
    curves.LinearCurve("0.2"),
    curves.RangeLimitedCurve("0.2", 40),
    curves.composed((curves.LaplaceCurve(2), 3), curves.GaussianCurve(4)),
]


def normal(mean, deviation):
    return lambda x: mp.exp(-((x - mean) ** 2) / (2 * deviation**2)) / (deviation * mp.sqrt(2 * mp.pi))


DENSITIES = {
    "gaussian": (curves.GaussianCurve("1.5", 2), normal(2, mp.mpf("1.5")), normal(0, mp.mpf("1.5")), [-mp.inf, 0, 2, 6, mp.inf]),
    "unequal": (curves.UnequalGaussiansCurve(1, 2, "1.9"), normal(1, 2), normal(0, mp.mpf("1.9")), [-mp.inf, -20, -5, 0, 5, 20, mp.inf]),
    "laplace": (curves.LaplaceCurve(2, 3), lambda x: mp.exp(-abs(x - 3) / 2) / 4, lambda x: mp.exp(-abs(x) / 2) / 4,
                [-mp.inf, 0, 3, mp.inf]),
    "logistic": (curves.LogisticCurve(2), lambda x: mp.sech((x - 1) / 4) ** 2 / 8, lambda x: mp.sech(x / 4) ** 2 / 8,
                 [-mp.inf, -10, 0, 1, 10, mp.inf]),
    "poisson add": (curves.PoissonGaussianCurve("1.2", "0.1", "add"), normal(0, mp.mpf("1.2")),
                    lambda x: mp.mpf("0.1") * normal(1, mp.mpf("1.2"))(x) + mp.mpf("0.9") * normal(0, mp.mpf("1.2"))(x),
                    [-mp.inf, -5, 0, 5, mp.inf]),
}  # fmt: skip


@pytest.mark.parametrize("name", DENSITIES)
@pytest.mark.parametrize("alpha", ["1.25", "2", "3.5"])
def test_continuous_curves_are_the_integral_of_their_definition(name, alpha):
    curve, p, q, points = DENSITIES[name]
    with mp.workdps(25):
        order = mp.mpf(alpha)
        value = mp.log(mp.quad(lambda x: p(x) ** order * q(x) ** (1 - order), points)) / (order - 1)
        found = curve.certified_divergence(alpha, 15)
        assert abs(value - mp.mpf(found.lower_float)) < mp.mpf(10) ** -12
        assert found.lower_float <= float(value) + 1e-12 and found.upper_float >= float(value) - 1e-12


@pytest.mark.parametrize("alpha", ["1.25", "2", "3.5"])
@pytest.mark.parametrize(("curve", "weight", "shift"), [
    (curves.GeometricCurve("1.5", 3), lambda x: mp.exp(-abs(x) / mp.mpf("1.5")), 3),
    (curves.DiscreteGaussianCurve("0.8", 2), lambda x: mp.exp(-(mp.mpf(x) ** 2) / (2 * mp.mpf("0.8") ** 2)), 2),
])  # fmt: skip
def test_discrete_curves_are_the_sum_of_their_definition(curve, weight, shift, alpha):
    with mp.workdps(40):
        order, support = mp.mpf(alpha), range(-200, 201)
        total = mp.fsum(weight(x) for x in range(-400, 401))
        value = mp.log(mp.fsum(weight(x - shift) ** order * weight(x) ** (1 - order) for x in support) / total) / (order - 1)
        found = curve.certified_divergence(alpha, 15)
        assert mp.mpf(found.lower_decimal(25)) - mp.mpf(10) ** -14 <= value <= mp.mpf(found.upper_decimal(25)) + mp.mpf(10) ** -14


def test_bounded_range_is_the_largest_of_the_two_point_pairs():
    epsilon, curve = mp.mpf("1.3"), curves.BoundedRangeCurve("1.3")
    for alpha in ("1.5", "2", "7"):
        order, found, best = mp.mpf(alpha), curve.certified_divergence(alpha), mp.mpf(0)
        for i in range(1, 400):
            t = epsilon * i / 400
            q1 = (mp.exp(-t) - mp.exp(-epsilon)) / (1 - mp.exp(-epsilon))
            value = mp.log(q1 * mp.exp(order * t) + (1 - q1) * mp.exp(order * (t - epsilon))) / (order - 1)
            best = max(best, value)
        assert float(best) <= found.upper_float and float(best) >= found.lower_float - 1e-4
        assert found.upper <= Fraction(alpha) * Fraction("1.3") ** 2 / 8


@pytest.mark.parametrize("curve", ALL, ids=lambda curve: type(curve).__name__)
def test_divergence_rises_with_the_order_and_the_cumulant_is_convex(curve):
    orders = [Fraction(x, 10) for x in (11, 13, 20, 31, 40)]
    limit = curve.greatest_order()
    orders = [order for order in orders if limit is None or limit > ball(order * Fraction(101, 100))]
    values = [curve.certified_divergence(order, 20) for order in orders]
    assert all(left.lower <= right.upper for left, right in zip(values, values[1:], strict=False))
    cumulants = [(order - 1) * value.lower for order, value in zip(orders, values, strict=True)]
    for i in range(len(orders) - 2):
        (a, b, c), (fa, fb, fc) = orders[i : i + 3], cumulants[i : i + 3]
        assert fb <= fa + (fc - fa) * (b - a) / (c - a) + Fraction(1, 10**15)


@pytest.mark.parametrize("curve", ALL, ids=lambda curve: type(curve).__name__)
def test_no_divergence_exceeds_the_largest_loss(curve):
    with precision(200):
        loss = curve.largest_loss()
        top = None if loss is None else Enclosure.of_ball(loss)
    order = Fraction(7, 2) if curve.greatest_order() is None else Fraction(21, 20)
    value = curve.certified_divergence(order)
    assert value.lower >= 0
    if top is not None:
        assert value.lower <= top.upper
        assert epsilon_of(curve, "1e-20").lower <= top.upper
        assert delta_of(curve, top.upper).upper == 0


def test_a_curve_beyond_its_range_is_bad_input():
    with pytest.raises(InputError, match="at most"):
        curves.RangeLimitedCurve(1, 4).certified_divergence(5)
    with pytest.raises(InputError, match="at most"):
        curves.UnequalGaussiansCurve(1, 2, 1).certified_divergence(2)
    with pytest.raises(InputError, match="must be > 1"):
        curves.GaussianCurve(1).certified_divergence(1)


def test_the_tail_of_the_theta_sum_counts():
    """Cut after two terms the sum itself is too small; the tail must reach the true value."""
    with precision(100):
        fine, cut = theta(ball(1) / 3, ball(3), BALLS), theta(ball(1) / 3, ball(3), BALLS, reach=2)
    assert cut.contains(fine)
    assert cut.lower() < fine - 1


def test_wide_orders_enclose_narrow_ones():
    with precision(80):
        wide = ball(2).union(ball(3))
        for curve in ALL:
            if curve.greatest_order() is None or curve.greatest_order() > 3:
                assert curve.divergence(wide).contains(curve.divergence(ball(5) / 2))


@pytest.mark.parametrize(("shape", "scale"), [("1.5", "2"), ("4", "3"), ("1.2", "5"), ("3", "0.7")])
@pytest.mark.parametrize("alpha", ["1.5", "3"])
def test_generalized_normal_is_the_integral_of_its_definition(shape, scale, alpha):
    with mp.workdps(20):
        b, a, order = mp.mpf(shape), mp.mpf(scale), mp.mpf(alpha)
        constant = b / (2 * a * mp.gamma(1 / b))

        def f(x):
            return constant * mp.exp((-order * abs(x - 1) ** b + (order - 1) * abs(x) ** b) / a**b)

        points = [-mp.inf, -20 * a, -5 * a, -a, 0, 1, 1 + a, 1 + 3 * a, 1 + 8 * a, 1 + 20 * a, mp.inf]
        value = mp.log(mp.quad(f, points)) / (order - 1)
    found = curves.GeneralizedNormalCurve(shape, scale).certified_divergence(alpha, 10)
    assert found.lower_float - 1e-9 <= float(value) <= found.upper_float + 1e-9


def test_generalized_normal_is_laplace_and_gaussian_at_shape_one_and_two():
    for alpha in ("1.25", "4", "20"):
        assert (
            curves.GeneralizedNormalCurve(1, 3, 2)
            .certified_divergence(alpha, 12)
            .overlaps(curves.LaplaceCurve(3, 2).certified_divergence(alpha))
        )
        gaussian = curves.GaussianCurve(3).certified_divergence(alpha)
        with precision(200):
            scale = Enclosure.of_ball(ball(18).sqrt())
        near = [curves.GeneralizedNormalCurve(2, end).certified_divergence(alpha, 12) for end in (scale.lower, scale.upper)]
        assert near[1].lower <= gaussian.upper and gaussian.lower <= near[0].upper
    assert curves.GeneralizedNormalCurve(1, 2).largest_loss() == ball(1) / 2
    with pytest.raises(InputError, match="shape"):
        curves.GeneralizedNormalCurve("0.5", 1)


def test_the_tails_of_the_generalized_normal_count():
    """A cut at u = 2 leaves much of the mass outside; the tail bound must reach over it."""
    from dpbounds.renyi import generalized_normal as g

    with precision(60):
        truth = g.divergence(ball(1) / 2, ball(3) / 2, ball(3))
        kept = g._cut
        try:
            g._cut = lambda *_: ball(4)
            cut = g.divergence(ball(1) / 2, ball(3) / 2, ball(3))
        finally:
            g._cut = kept
    assert cut.contains(truth)
    assert cut.lower() < truth and not cut.mid().overlaps(truth)
