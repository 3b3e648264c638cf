"""Laplace noise on a lattice of few cells: its lower law lies below it even where one cell is all there is."""

import math
from dataclasses import replace

import numpy as np
import pytest

from dpbounds import mechanisms as m
from dpbounds.errors import PrecisionError
from dpbounds.float64 import cells, connect_the_dots, front_door, optimistic
from dpbounds.float64.laws import loss_law
from dpbounds.mechanisms import pairs


def delta_of_laplace(scale, epsilon):
    """δ of one use at any real ε."""
    if abs(epsilon) < 1 / scale:
        return -math.expm1((epsilon - 1 / scale) / 2)
    return max(0.0, -math.expm1(epsilon))


def hockey_stick(places, masses, low, step, c, epsilon):
    losses = low + step * places
    return math.fsum(masses * np.exp(-c * losses) * np.maximum(0.0, -np.expm1(epsilon - losses)))


@pytest.mark.parametrize("scale", [0.3, 1.0, 50.0])
@pytest.mark.parametrize("count", [1, 2, 3, 4, 9])
def test_few_cells_lie_below_and_above(scale, count):
    law, c = loss_law(pairs.Factor(pairs.LaplacePair(scale))), 0.3
    low, high = law.lowest_loss, law.highest_loss
    step = (high - low) / count
    found = cells.cells_of(law, low, step, c, 0.0, law.support, 1e-14)
    assert found.count == count
    below = optimistic.optimistic(law, found, low, step, c, 0.0)
    above = connect_the_dots.pessimistic(law, found, low, step, c, 0.0, -40.0)
    places, masses = np.concatenate((above.places, above.far_places)), np.concatenate((above.masses, above.far_masses))
    for epsilon in np.linspace(low - 0.5 * step, high, 41):
        truth = delta_of_laplace(scale, epsilon)
        assert hockey_stick(below.places, below.masses, low, step, c, epsilon) <= truth + 1e-13
        assert hockey_stick(places, masses, low, step, c, epsilon) >= truth - 1e-13


@pytest.mark.parametrize(("uses", "scale", "epsilon", "tolerance"), [(2, 4, 0, 0.5), (6, 100, 2, 1e-3), (20, 100, 10, 1e-2)])
def test_coarse_lattices_of_laplace_noise_and_randomized_response_hold_the_truth(uses, scale, epsilon, tolerance):
    """The losses of randomized response lie on the lattice: nothing there makes up for a lower law of Laplace noise that is too high."""
    mechanism = m.Composed((m.Repeated(m.RandomizedResponse(1), uses), m.Laplace(scale)))
    found = front_door.delta_bounds(mechanism, epsilon, tolerance=tolerance, method="lattice")
    yes = math.e / (1 + math.e)
    truth = math.fsum(
        math.comb(uses, j) * yes**j * (1 - yes) ** (uses - j) * delta_of_laplace(scale, epsilon - (2 * j - uses)) for j in range(uses + 1)
    )
    assert found.lower <= truth * (1 + 1e-13)
    assert found.upper >= truth * (1 - 1e-13)


def test_masses_that_carry_larger_errors_than_the_gaps_allow_for_are_refused():
    law = loss_law(pairs.Factor(pairs.LaplacePair(1.0)))
    found = cells.cells_of(law, law.lowest_loss, 0.25, 0.3, 0.0, law.support, 1e-14)
    optimistic.optimistic(law, replace(found, relative_error=found.relative_error + 0.9e-4), law.lowest_loss, 0.25, 0.3, 0.0)
    with pytest.raises(PrecisionError, match="beyond 1e-4"):
        optimistic.optimistic(law, replace(found, relative_error=found.relative_error + 1.1e-4), law.lowest_loss, 0.25, 0.3, 0.0)


def test_a_node_far_above_the_largest_loss_of_laplace_noise_is_its_end():
    """A lattice with a wide step asks for such nodes, where e^s overflows."""
    mechanism = m.Sampled(m.Laplace("1/100"), m.PoissonSampling("1/50"))
    law = loss_law(pairs.dominating_pairs(mechanism, direction="remove")[0].factors[0])
    with np.errstate(over="raise"):
        assert law.inverse_loss(np.array([1000.0])) == [1.0]


def test_a_gap_that_overflows_is_refused_without_a_warning():
    """A first lattice with wide cells, where a gap times the tilt of its cell is beyond the largest float."""
    mechanism = m.Composed((m.Laplace(50), m.Sampled(m.Laplace("1/100"), m.PoissonSampling("1/1000"))))
    with np.errstate(over="raise"), pytest.raises(PrecisionError, match="too coarse"):
        front_door.delta_bounds(mechanism, 1, tolerance=0.9, direction="remove", method="lattice")
