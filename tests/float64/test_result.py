"""Bounds are exponentiated outward down to where floats end."""

import math
from fractions import Fraction

import mpmath
import pytest

from dpbounds.accounting import delta
from dpbounds.float64 import delta_bounds
from dpbounds.float64.result import Bounds
from dpbounds.mechanisms import Gaussian


def exactly(value):
    number = Fraction(value)
    return mpmath.mpf(number.numerator) / number.denominator


@pytest.mark.parametrize("step", range(60))
def test_ends_lie_outside_where_delta_is_subnormal(step):
    """Between log δ = −745 and −708 a float has fewer digits the smaller it is."""
    log = -744.9 + 0.63 * step
    found = Bounds.of_logs(log, log, "example")
    with mpmath.workdps(400):
        truth = mpmath.exp(exactly(log))
        assert exactly(found.lower) <= truth <= exactly(found.upper)


@pytest.mark.parametrize("epsilon", ["38", "38.2", "38.3", "38.4", "38.5", "38.55"])
def test_a_subnormal_delta_of_gaussian_noise(epsilon):
    """The smallest δ are 1e-323: half of them were above the truth before the outward step."""
    found, truth = delta_bounds(Gaussian(1), epsilon), delta(Gaussian(1), epsilon)
    assert Fraction(found.lower) <= Fraction(truth.lower)
    assert Fraction(truth.upper) <= Fraction(found.upper)


def test_the_outward_step_is_small_against_a_normal_delta():
    found = Bounds.of_logs(-700.0, -700.0, "example")
    assert found.lower >= math.exp(-700) * (1 - 1e-14)
