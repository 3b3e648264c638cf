"""Laws with almost all mass near an end of the loss range: one use lies between its lattices, wherever these lie."""

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest

from dpbounds import mechanisms as m
from dpbounds.float64 import connect_the_dots, optimistic
from dpbounds.float64 import grid as lattice
from dpbounds.float64.laws import loss_law
from dpbounds.float64.saddle import Moments
from dpbounds.mechanisms import pairs

CASES = [
    ("1e-4", "0.3", 0.5, 1e-2),
    ("1e-4", "0.7", 1.0, 2e-4),
    ("0.001", "1", 3.0, 1e-3),
    ("0.01", "0.3", 0.4, 2e-2),
    ("0.1", "2", 5.0, 0.01),
]


def law_of(q, sigma, direction):
    return loss_law(pairs.dominating_pairs(m.Sampled(m.Gaussian(sigma), m.PoissonSampling(q)), direction=direction)[0].factors[0])


def curve(q, sigma, direction, epsilon):
    """δ(ε) of one use, by the normal distribution in 40 digits: P − e^ε Q beyond the noise where the loss is ε."""
    q, s = mpmath.mpf(Fraction(q).numerator) / Fraction(q).denominator, mpmath.mpf(sigma)
    sign = 1 if direction == "remove" else -1
    ratio = (mpmath.exp(sign * epsilon) - (1 - q)) / q
    if ratio <= 0:
        return 1 - mpmath.exp(epsilon) if direction == "remove" else mpmath.mpf(0)
    t = mpmath.mpf(1) / 2 + s**2 * mpmath.log(ratio)
    above = mpmath.ncdf(-t / s), mpmath.ncdf(-(t - 1) / s)
    if direction == "remove":
        return (1 - q) * above[0] + q * above[1] - mpmath.exp(epsilon) * above[0]
    return (1 - above[0]) - mpmath.exp(epsilon) * ((1 - q) * (1 - above[0]) + q * (1 - above[1]))


def cells_at(law, step, c, offset):
    nodes = Moments((law,), (1.0,)).nodes(c + 1)[0]
    shift = nodes.cumulants(c)[0]
    low, cells = lattice._lattice_cells(law, nodes, step, c, shift, 1e-13, 3 * step**2, 0.0, offset * step)
    return low, cells, shift


def hockey_stick(places, masses, low, step, c, shift, epsilon):
    losses = low + step * places
    weights = masses * np.exp(shift - c * losses)
    return math.fsum(weights[losses > epsilon] * -np.expm1(epsilon - losses[losses > epsilon]))


def points(law, low, step):
    """ε on nodes, between them and beyond the ends."""
    ends = [end for end in (law.lowest_loss, law.highest_loss) if math.isfinite(end)]
    near = [end + step * x for end in ends for x in (-2.2, -0.5, -0.1, 0.2, 0.7, 1.4, 6.0)]
    return near + [low + step * x for x in (0, 0.5, 1, 1.5, 3.3, 50.7)] + [0.0, 0.01, 0.3]


@pytest.mark.parametrize("direction", ["remove", "add"])
@pytest.mark.parametrize(("q", "sigma", "c", "step"), CASES)
@pytest.mark.parametrize("offset", [0.0, 0.31, 0.97])
def test_one_use_lies_between_its_lattices(direction, q, sigma, c, step, offset):
    law = law_of(q, sigma, direction)
    low, cells, shift = cells_at(law, step, c, offset)
    assert cells.edges[0] < -3 * law.sigma
    above = connect_the_dots.pessimistic(law, cells, low, step, c, shift, -60.0)
    places, masses = np.concatenate((above.places, above.far_places)), np.concatenate((above.masses, above.far_masses))
    for within in (None, (3, cells.count), (8, cells.count - 6)):
        below = optimistic.optimistic(law, cells, low, step, c, shift, within)
        for epsilon in points(law, low, step):
            with mpmath.workdps(40):
                truth = curve(q, sigma, direction, mpmath.mpf(epsilon))
                room = mpmath.mpf(4 * cells.loss_error + 1e-14)
                assert hockey_stick(below.places, below.masses, low, step, c, shift, epsilon) <= truth + room
                assert hockey_stick(places, masses, low, step, c, shift, epsilon) + above.infinite >= truth - room


def test_the_mass_below_the_cells_moves_to_the_first_node_above_it():
    """Half of the mass lies below t = 0, between node 0 and node 1: at node 0 it would be too low."""
    law = law_of("1e-4", "0.3", "remove")
    step, c, shift = 1e-3, 1.0, 0.0
    low = law.lowest_loss - 0.5 * step
    cells = lattice.cells_of(law, low, step, c, shift, (0.0, 4.0), 1e-13)
    above = connect_the_dots.pessimistic(law, cells, low, step, c, shift, -60.0)
    epsilon = law.lowest_loss - 0.3 * step
    places, masses = np.concatenate((above.places, above.far_places)), np.concatenate((above.masses, above.far_masses))
    truth = float(curve("1e-4", "0.3", "remove", mpmath.mpf(epsilon)))
    assert cells.raised
    assert hockey_stick(places, masses, low, step, c, shift, epsilon) >= truth
    half = masses.copy()
    half[:2] += np.array([1, -1]) * 0.5 * np.exp(c * (low + step * np.array([0, 1])) - shift)
    assert hockey_stick(places, half, low, step, c, shift, epsilon) < truth


def test_the_mass_of_q_in_a_cell_is_bounded_from_above():
    """x_i ∫ q of cells near the low end, by 40-digit quadrature."""
    law = law_of("1e-4", "0.7", "remove")
    low, cells, shift = cells_at(law, 3.23e-5, 1.0, 0.8)
    found = optimistic._mass_of_q(cells, slice(6))
    with mpmath.workdps(40):
        for cell in range(6):
            left, right = mpmath.mpf(float(cells.edges[cell])), mpmath.mpf(float(cells.edges[cell + 1]))
            mass = mpmath.ncdf(right / mpmath.mpf(law.sigma)) - mpmath.ncdf(left / mpmath.mpf(law.sigma))
            start = mpmath.mpf(low) + mpmath.mpf(cells.step) * int(cells.places[cell])
            truth = mass * mpmath.exp(start * (1 + cells.c) - shift)
            assert truth <= found[cell] <= truth * (1 + 1e-9)
            assert cells.mass[cell] - cells.right[cell] * -math.expm1(-cells.widths[cell]) <= truth * (1 + cells.relative_error[cell])


def test_a_node_is_found_below_what_is_collapsed():
    """100 uses at q = 1e-4: the lower law loses nothing to the distance between the collapsed mass and the node below it."""
    law = law_of("1e-4", "0.7", "remove")
    moments = Moments((law,), (100.0,))
    plan = lattice._plan((law,), (100,), moments, 0.0142, 1e-4, -11.5, 170.0)
    nodes = moments.nodes(plan.order)[0]
    shift = nodes.cumulants(plan.c)[0]
    scales = plan.step, plan.c, shift, 1e-12
    _, _, lower = lattice.lower_law(law, 100, nodes, plan, scales)
    assert max(share * fall for share, fall in lower.collapsed) * 100 * plan.slope <= 0.1 * plan.tolerance
    low, cells = lattice._lattice_cells(law, nodes, plan.step, plan.c, shift, 1e-12, plan.square, 0.0)
    first = optimistic.optimistic(law, cells, low, plan.step, plan.c, shift)
    assert max(share * fall for share, fall in first.collapsed) * 100 * plan.slope >= 10 * plan.tolerance


@pytest.mark.parametrize("c", [0.0, 0.2, 1.3])
def test_a_left_end_wider_than_the_range_of_exponents_is_collapsed_below_the_truth(c):
    """Losses N(5000, 100²) collapsed over 1500 and more: e to that power is no float, and Q lies at the far end of it."""
    law = loss_law(pairs.dominating_pairs(m.Gaussian("0.01"))[0].factors[0])
    step, low, high, sigma = 0.5, 4000.0, 6200.0, 100.0
    shift = 5000.0 * c + 0.5 * (sigma * c) ** 2
    found = lattice.cells_of(law, low, step, c, shift, tuple(law.inverse_loss(np.array([low, high]))), 1e-13)
    for start in (2000, 3000, 3600):
        below = optimistic.optimistic(law, found, low, step, c, shift, (start, found.count))
        for epsilon in (3990.0, 4300.0, 4600.0, 4700.0, 4850.0, 5100.0, 5600.0):
            with mpmath.workdps(40):
                truth = mpmath.ncdf((5000 - mpmath.mpf(epsilon)) / 100) - mpmath.exp(epsilon) * mpmath.ncdf(
                    (-5000 - mpmath.mpf(epsilon)) / 100
                )
            losses = low + step * below.places
            seen = losses > epsilon
            with np.errstate(divide="ignore"):
                weights = np.exp(np.log(below.masses[seen]) + shift - c * losses[seen])
            assert math.fsum(weights * -np.expm1(epsilon - losses[seen])) <= truth * (1 + mpmath.mpf(1e-9)) + mpmath.mpf(1e-12)


def test_the_mass_above_a_last_node_just_below_the_largest_loss_moves_up_to_the_node_beyond_it():
    law = law_of("0.1", "0.3", "add")
    step, c, shift = 1e-2, 1.0, 0.0
    last = law.highest_loss - 5e-4 * step
    top = float(law.inverse_loss(np.array([last - 0.5 * step]))[0])
    low = last - 40 * step
    start = float(law.inverse_loss(np.array([low]))[0])
    found = lattice.cells_of(law, low, step, c, shift, (start, top), 1e-13)
    assert found.count == 40 and law.log_mass_above(top) > -20
    above = connect_the_dots.pessimistic(law, found, low, step, c, shift, -60.0)
    places, masses = np.concatenate((above.places, above.far_places)), np.concatenate((above.masses, above.far_masses))
    for epsilon in (last + 1e-4 * step, last - 0.2 * step):
        with mpmath.workdps(40):
            truth = curve("0.1", "0.3", "add", mpmath.mpf(epsilon))
        assert 0 < truth <= hockey_stick(places, masses, low, step, c, shift, epsilon)
