"""Subsampling: bounds against the exact curve of the Poisson-sampled Gaussian and against each other."""

from fractions import Fraction

import mpmath as mp
import pytest

from dpbounds.errors import InputError, PrecisionError
from dpbounds.numbers.balls import ball, precision
from dpbounds.numbers.to_digits import certified
from dpbounds.reference import tensorflow_accountant as tf
from dpbounds.renyi import amplification as amp
from dpbounds.renyi import curves
from dpbounds.renyi.conversions import epsilon_of


@pytest.mark.parametrize("alpha", [2, 3, 9])
def test_upper_and_lower_bounds_meet_for_gaussian_noise(alpha):
    exact_value = curves.PoissonGaussianCurve("1.3", "0.05").certified_divergence(alpha)
    base = curves.GaussianCurve("1.3")
    assert amp.zhu_wang_upper_of(base, "0.05", alpha).overlaps(exact_value)
    assert amp.zhu_wang_lower_of(base, "0.05", alpha).overlaps(exact_value)
    three = amp.zhu_wang_upper_of(base, "0.05", alpha, 3)
    assert three.overlaps(exact_value) if alpha == 2 else three > exact_value
    assert exact_value <= amp.averaged_renyi_of(alpha, base.certified_divergence(alpha).upper, "0.05")
    assert curves.PoissonGaussianCurve("1.3", "0.05", "add").certified_divergence(alpha) <= exact_value


def test_rates_at_the_ends():
    base = curves.LaplaceCurve(1)
    assert amp.zhu_wang_upper_of(base, 1, 4).overlaps(base.certified_divergence(4))
    assert amp.zhu_wang_upper_of(base, 0, 4).upper == 0
    assert amp.zhu_wang_upper_of(base, 1, 2, 3).overlaps(base.certified_divergence(2))


def test_chords_between_integers_bound_the_exact_curve():
    chords, exact_curve = amp.PoissonBoundCurve(curves.GaussianCurve(1), "0.1"), curves.PoissonGaussianCurve(1, "0.1")
    for alpha in ("1.3", "2", "2.5", "3.7"):
        assert chords.certified_divergence(alpha).upper >= exact_curve.certified_divergence(alpha).lower
    assert epsilon_of(chords, "1e-5", 8) >= epsilon_of(exact_curve, "1e-5", 8).lower
    assert amp.PoissonBoundCurve(curves.LaplaceCurve(1), "0.1").certified_divergence(30) <= certified(
        lambda: (ball(1).expm1() / 10).log1p()
    )


def test_without_replacement_uses_the_pure_bound_where_it_helps():
    slack = amp.without_replacement_renyi_of(curves.GaussianCurve(4), "0.01", 8)
    assert slack.upper > curves.PoissonGaussianCurve(4, "0.01").certified_divergence(8).lower
    base = curves.LaplaceCurve(20)

    class Unbounded(curves.RenyiCurve):
        def divergence(self, order):
            return base.divergence(order)

    assert amp.without_replacement_renyi_of(base, "0.1", 8) < amp.without_replacement_renyi_of(Unbounded(), "0.1", 8)


def log_moment(alpha, q, sigma):
    """(α − 1)·D_α, by quadrature."""
    return certified(lambda: (ball(Fraction(alpha)) - 1) * curves.PoissonGaussianCurve(sigma, q).divergence(ball(Fraction(alpha))))


@pytest.mark.parametrize(("alpha", "sigma", "q"), [("1.5", "2", "0.01"), ("2.5", "1", "0.05"), ("7.25", "3", "0.02")])
def test_the_erfc_series_agrees_with_quadrature(alpha, sigma, q):
    series = amp.log_moment_series_of(alpha, sigma, q, 8)
    assert series.overlaps(log_moment(alpha, q, sigma))


def test_the_first_term_left_out_of_the_series_counts():
    """With three terms only the ball must still reach the true value, and not by rounding."""
    from dpbounds.renyi.amplification.series import _moment

    with precision(80):
        short = _moment(ball(3) / 2, ball(2), ball(1) / 4, 3)
        truth = log_moment("1.5", "0.25", 2).ball().exp()
        assert short.overlaps(truth)
        assert not short.mid().overlaps(truth)
    with pytest.raises(PrecisionError):
        amp.log_moment_series_of("1.5", 1, "0.5", 15, most_terms=5)


def test_the_tensorflow_accountant():
    orders = [Fraction(x, 2) for x in range(3, 40)]
    rdp = tf.rdp_of("0.01", "1.5", 1000, orders)
    epsilon = tf.epsilon_of_orders(orders, rdp, "1e-5")
    curve = curves.composed((curves.PoissonGaussianCurve("1.5", "0.01"), 1000))
    assert epsilon_of(curve, "1e-5", 8, "chernoff") <= epsilon.value
    assert epsilon.order in orders
    with mp.workdps(20):
        best = min(float(r.upper) + float(mp.log(10**5)) / (float(o) - 1) for o, r in zip(orders, rdp, strict=True))
    assert epsilon.value.lower_float <= best * (1 + 1e-12) and best * (1 - 1e-12) <= epsilon.value.upper_float
    assert tf.MOMENTS_ACCOUNTANT_ORDERS[-1] == 33


@pytest.mark.parametrize(
    "call",
    [
        lambda: amp.zhu_wang_upper_of(curves.GaussianCurve(1), "0.1", "2.5"),
        lambda: amp.zhu_wang_upper_of(curves.GaussianCurve(1), "0.1", 4, 2),
        lambda: amp.zhu_wang_upper_of(curves.GaussianCurve(1), "1.1", 4),
        lambda: amp.without_replacement_renyi_of(curves.GaussianCurve(1), "0.1", 1),
        lambda: amp.log_moment_series_of(2, 1, 1),
        lambda: tf.epsilon_of_orders([2], [], "1e-5"),
        lambda: curves.PoissonGaussianCurve(1, "0.1", "worst"),
    ],
)
def test_bad_input(call):
    with pytest.raises(InputError):
        call()
