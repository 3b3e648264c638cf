"""Subsampling: bounds against the exact curve of the Poisson-sampled Gaussian and against each other."""

from fractions import Fraction

import mpmath as mp
import pytest

from dpbounds.errors import InputError
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
    assert curves.PoissonGaussianCurve("1.3", "0.05", "add").certified_divergence(alpha) <= exact_value


def test_rates_at_the_ends():
    base = curves.LaplaceCurve(1)
    assert amp.zhu_wang_upper_of(base, 1, 4).overlaps(base.certified_divergence(4))
    assert amp.zhu_wang_upper_of(base, 0, 4).upper == 0
    assert amp.zhu_wang_upper_of(base, 1, 2, 3).overlaps(base.certified_divergence(2))


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
        lambda: tf.epsilon_of_orders([2], [], "1e-5"),
        lambda: curves.PoissonGaussianCurve(1, "0.1", "worst"),
    ],
)
def test_bad_input(call):
    with pytest.raises(InputError):
        call()
