"""Tables beside random allocation in float64: against certified values, what is known of infinite losses, and mpmath."""

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest

from dpbounds.accounting import delta
from dpbounds.float64 import delta_bounds, epsilon_bounds
from dpbounds.float64.atoms import AtomsCharacteristic
from dpbounds.float64.laws import AtomsOnly, loss_law
from dpbounds.mechanisms import Composed, Gaussian, PoissonSampling, RandomAllocation, RandomizedResponse, Repeated, Sampled
from dpbounds.mechanisms.pairs import dominating_pairs
from dpbounds.noise.discrete_laplace import DiscreteLaplace
from dpbounds.noise.epsilon_delta import EpsilonDelta

EPOCH = Sampled(Gaussian(1), RandomAllocation(10))


def test_moments_of_atoms_by_mpmath():
    law = AtomsOnly(((-0.7, 0.25), (0.1, 0.5), (1.3, 0.125)), 0.125)
    part, y = AtomsCharacteristic(law, 3.5), np.array([0.0, 0.7, 40.0])
    values, errors = part.values(y)
    with mpmath.workdps(30):
        for at, value, error in zip(y, values, errors, strict=True):
            z = mpmath.mpc(3.5, at)
            true = sum(mass * mpmath.exp(z * loss) for loss, mass in law.atoms) * mpmath.exp(-part.shift - 1j * at * part.mean)
            assert abs(complex(value) - complex(true)) <= error <= 1e-11
    assert 0 <= part.far(2.0) <= 1e-12 and abs(values[0] - 1) <= 1e-14
    rough = AtomsCharacteristic(AtomsOnly(law.atoms, 0.125, 1e-6), 3.5)  # masses and losses that are off by more
    assert rough.weight_error >= 2e-6 and rough.phase_error >= 1e-6


@pytest.mark.parametrize("direction", ["remove", "add"])
@pytest.mark.parametrize("other", [RandomizedResponse("0.4"), Repeated(DiscreteLaplace("2"), 2)])
def test_against_certified_values(direction, other):
    mechanism = Composed((EPOCH, other))
    found, true = delta_bounds(mechanism, "0.5", direction=direction), delta(mechanism, "0.5", digits=8, direction=direction).enclosure
    assert found.lower <= true.upper_float and true.lower_float <= found.upper
    assert found.relative_width <= 1e-6


@pytest.mark.parametrize("direction", ["remove", "add"])
def test_infinite_losses(direction):
    """With the probability f the event tells all, else it is randomized response: δ = f + (1 − f)·δ′."""
    f, rate = 0.001, Fraction("0.3")
    event = Composed((EPOCH, EpsilonDelta("0.4", "0.001")))
    without = delta_bounds(Composed((EPOCH, RandomizedResponse("0.4"))), "1.5", direction=direction)
    found = delta_bounds(event, "1.5", direction=direction)
    assert found.lower <= (f + (1 - f) * without.upper) * (1 + 1e-12) and (f + (1 - f) * without.lower) * (1 - 1e-12) <= found.upper
    assert found.relative_width <= 1e-6 and found.lower > 1.001 * without.upper
    assert epsilon_bounds(event, "0.0005", direction=direction).lower == math.inf
    back = epsilon_bounds(event, found.middle, direction=direction)
    assert back.lower - 1e-6 <= 1.5 <= back.upper + 1e-6 and back.upper - back.lower <= 1e-4
    sampled = Sampled(EpsilonDelta("0.4", "0.001"), PoissonSampling(rate))
    assert delta_bounds(Composed((EPOCH, sampled)), "1.5", direction="remove").upper < found.upper or direction == "add"
    (product,) = dominating_pairs(event, direction=direction)
    assert any(isinstance(loss_law(factor), AtomsOnly) for factor in product.factors[1:])
