"""The lattice accountant: certified values lie inside, each error term is needed, atoms and tails are on the right side."""

import math
from dataclasses import replace
from fractions import Fraction

import mpmath
import numpy as np
import pytest

from dpbounds import accounting
from dpbounds import mechanisms as m
from dpbounds.errors import InputError
from dpbounds.float64 import cells, connect_the_dots, optimistic
from dpbounds.float64 import grid as lattice
from dpbounds.float64.laws import AtomsOnly, loss_law
from dpbounds.float64.saddle import Moments
from dpbounds.float64.spectrum import Spectrum
from dpbounds.mechanisms import pairs

# Certified δ (radius below the last digit): Poisson sampling, q, σ, k, ε, direction, log δ.
CALIBRATION = [
    ("0.01", "1.5", 10000, "1", "remove", "0.04960141031482577560694384"),
    ("0.01", "1.5", 10000, "1", "add", "0.04746504385887958472422473"),
    ("0.01", "2", 1000, "5", "remove", "1.188418151358109760214826e-71"),
    ("0.01", "2", 1000, "5", "add", "1.278787152275923500972893e-384"),
    ("0.02", "1", 4096, "8", "remove", "2.364017474772494191686292e-5"),
    ("0.02", "1", 4096, "8", "add", "8.017855299047866563409971e-7"),
    ("0.1", "1", 100, "3", "remove", "0.01927003546049835934497584"),
    ("0.05", "2.5", 40, "0.3", "remove", "0.000939544737155530879863588"),
]


def log_of(value):
    with mpmath.workdps(40):
        return mpmath.log(mpmath.mpf(value))


def poisson(q, sigma, steps, direction):
    return pairs.dominating_pairs(m.Repeated(m.Sampled(m.Gaussian(sigma), m.PoissonSampling(q)), steps), direction=direction)[0]


@pytest.mark.parametrize(("q", "sigma", "steps", "epsilon", "direction", "value"), CALIBRATION)
def test_certified_values_lie_inside_and_the_width_is_met(q, sigma, steps, epsilon, direction, value):
    found = lattice.delta_bounds(poisson(q, sigma, steps, direction), float(epsilon), 1e-3)
    assert found.log_lower <= log_of(value) <= found.log_upper
    assert found.relative_width <= 1e-3


def built(product, epsilon, tolerance=1e-4, **changes):
    laws = tuple(loss_law(factor) for factor in product.factors)
    steps = tuple(factor.steps for factor in product.factors)
    moments = Moments(laws, tuple(float(count) for count in steps))
    plan = replace(lattice._plan(laws, steps, moments, epsilon, tolerance), **changes)
    return lattice.compose(laws, steps, moments, plan, epsilon), plan


def test_wrap_around_is_needed_and_only_raises():
    """On a window far too short the periodised lower sum passes the truth; the bound, with the wrap-around taken off, does not."""
    product = poisson("0.1", "1", 100, "remove")
    truth = 0.01927003546049836
    short, _ = built(product, 3.0, length=4.0)
    raw, error = short._sum(short.lower, 3.0)
    scale = math.exp(short.scale - short.c * 3.0)
    assert (raw - error) * scale > truth
    assert short.bounds(3.0).lower <= truth <= short.bounds(3.0).upper


def test_the_gap_of_the_optimistic_twin_is_needed(monkeypatch):
    """Without the gaps E the lower masses are connect-the-dots again, which lies above the truth on a coarse lattice."""
    product = poisson("0.1", "1", 100, "remove")
    coarse, plan = built(product, 3.0, tolerance=2e-2, step=0.012)
    assert coarse.bounds(3.0).lower <= 0.01927003546049836
    monkeypatch.setattr(optimistic, "_gaps", lambda law, found: 0.0 * found.mass)
    bare, _ = built(product, 3.0, tolerance=2e-2, step=0.012)
    assert bare.bounds(3.0).lower > 0.01927003546049836


def test_the_mass_below_the_lattice_is_needed(monkeypatch):
    """Two Gaussian steps on a lattice that starts too high: without the mass below, the upper bound falls under the truth."""
    product = pairs.dominating_pairs(m.Repeated(m.Gaussian(1), 2))[0]
    truth = float(mpmath.ncdf(1 / mpmath.sqrt(2)) - mpmath.ncdf(-1 / mpmath.sqrt(2)))
    original = lattice.cells_of

    def late(law, low, step, c, shift, t_range, goal):
        start = 0.5
        return original(law, float(law.loss(np.array([start]))[0]), step, c, shift, (start, t_range[1]), goal)

    monkeypatch.setattr(
        lattice,
        "_lattice_cells",
        lambda law, nodes, step, c, shift, goal, square, core, offset: (0.0, late(law, 0.0, step, c, shift, (0.5, 12.0), goal)),
    )
    whole, _ = built(product, 0.0)
    assert whole.bounds(0.0).upper >= truth
    monkeypatch.setattr(type(loss_law(product.factors[0])), "log_mass_below", lambda self, t: -800.0)
    cut, _ = built(product, 0.0)
    assert cut.bounds(0.0).upper < truth


def test_the_mass_above_the_lattice_is_needed(monkeypatch):
    product = pairs.dominating_pairs(m.Repeated(m.Gaussian(1), 2))[0]
    truth = float(mpmath.ncdf(1 / mpmath.sqrt(2)) - mpmath.ncdf(-1 / mpmath.sqrt(2)))
    original = lattice.cells_of
    monkeypatch.setattr(
        lattice,
        "_lattice_cells",
        lambda law, nodes, step, c, shift, goal, square, core, offset: (
            -6.5,
            original(law, float(law.loss(np.array([-6.0]))[0]), step, c, shift, (-6.0, 1.0), goal),
        ),
    )
    whole, _ = built(product, 0.0)
    assert whole.bounds(0.0).upper >= truth
    empty = np.zeros(0, dtype=np.int64), np.zeros(0), 0.0, 0.0
    monkeypatch.setattr(connect_the_dots, "_right_tail", lambda law, found, goal: empty)
    cut, _ = built(product, 0.0)
    assert cut.bounds(0.0).upper < truth


@pytest.mark.parametrize("direction", ["remove", "add"])
def test_cell_masses_against_mpmath(direction):
    """p_i and the right share of one cell by 40-digit quadrature, within the stated relative error."""
    law = loss_law(poisson("0.1", "1.5", 1, direction).factors[0])
    step, c, shift = 1e-3, 3.0, 0.1
    low = float(law.loss(np.array([-4.0]))[0])
    found = cells.cells_of(law, low, step, c, shift, (-4.0, 3.0), 1e-13)
    with mpmath.workdps(40):
        sigma = mpmath.mpf(law.sigma)
        up, down = [mpmath.mpf(w) for w in law.upper], [mpmath.mpf(w) for w in law.lower]
        u = lambda t: mpmath.fsum(w * mpmath.exp((2 * t * ell - ell**2) / (2 * sigma**2)) for ell, w in enumerate(up))  # noqa: E731
        v = lambda t: mpmath.fsum(w * mpmath.exp((-2 * t * ell - ell**2) / (2 * sigma**2)) for ell, w in enumerate(down))  # noqa: E731
        phi = lambda t: mpmath.npdf(t, 0, sigma)  # noqa: E731
        for cell in (0, 1, found.count // 2, found.count - 2):
            left, right = mpmath.mpf(float(found.edges[cell])), mpmath.mpf(float(found.edges[cell + 1]))
            tilt = mpmath.exp(c * (low + step * cell) - shift)
            x, y = u(left) / v(left), u(right) / v(right)
            mass = tilt * mpmath.quad(lambda t: phi(t) * u(t), [left, right])
            share = tilt * mpmath.quad(lambda t: phi(t) * (u(t) - x * v(t)), [left, right]) / (1 - x / y)  # noqa: B023
            allowed = found.relative_error[cell] * mass
            assert abs(found.mass[cell] - mass) <= allowed
            assert abs(found.right[cell] - share) <= allowed


def test_masses_bracket_the_hockey_stick_curve_at_one_step():
    """One step: lower ≤ exact ≤ upper at many ε on a coarse lattice."""
    for direction in ("remove", "add"):
        product = poisson("0.3", "1", 1, direction)
        coarse, _ = built(product, 0.3, tolerance=1e-2)
        law = loss_law(product.factors[0])
        for epsilon in np.linspace(-0.2, 0.9, 23):
            t = mpmath.mpf(float(law.inverse_loss(np.array([epsilon]))[0])) if law.lowest_loss < epsilon < law.highest_loss else None
            if t is None or not mpmath.isfinite(t):
                continue
            upper = mpmath.fsum(w * mpmath.ncdf(ell - t) for ell, w in enumerate(law.upper))
            lower = mpmath.fsum(w * mpmath.ncdf(-ell - t) for ell, w in enumerate(law.lower))
            exact = upper - mpmath.exp(epsilon) * lower
            found = coarse.bounds(float(epsilon))
            assert found.lower <= exact + mpmath.mpf(1e-15) and exact <= found.upper + mpmath.mpf(1e-15)


def laplace_delta(scale, epsilon):
    """δ(ε) of one Laplace step: 1 − e^{(ε−1/b)/2} for ε < 1/b."""
    return -mpmath.expm1((epsilon - 1 / mpmath.mpf(scale)) / 2)


def test_one_laplace_step_is_exact_up_to_the_width():
    product = pairs.dominating_pairs(m.Laplace(2))[0]
    found = lattice.delta_bounds(product, 0.2, 1e-6)
    assert found.lower <= laplace_delta(2, 0.2) <= found.upper
    assert found.relative_width <= 1e-6


def test_atoms_of_several_laws_and_off_the_lattice():
    """Randomized response and a table together: 2 + 2 steps enumerated exactly."""
    table = m.FiniteTable(["1/2", "3/10", "1/5"], ["1/3", "1/3", "1/3"])
    product = pairs.dominating_pairs(m.Composed((m.Repeated(table, 2), m.Repeated(m.RandomizedResponse("0.3"), 2))), direction="remove")[0]
    first = list(zip(table.p, table.q, strict=True))
    with mpmath.workdps(30):
        truth_probability = mpmath.exp(mpmath.mpf("0.3")) / (1 + mpmath.exp(mpmath.mpf("0.3")))
        second = [(truth_probability, 1 - truth_probability), (1 - truth_probability, truth_probability)]
        total = mpmath.mpf(0)
        for a in first:
            for b in first:
                for x in second:
                    for y in second:
                        p = mpmath.mpf((a[0] * b[0]).numerator) / (a[0] * b[0]).denominator * x[0] * y[0]
                        q = mpmath.mpf((a[1] * b[1]).numerator) / (a[1] * b[1]).denominator * x[1] * y[1]
                        total += max(mpmath.mpf(0), p - mpmath.exp(mpmath.mpf("0.4")) * q)
        found = lattice.delta_bounds(product, 0.4, 1e-4)
        assert found.log_lower <= mpmath.log(total) <= found.log_upper
    assert found.relative_width <= 5e-3


def test_infinite_loss_is_counted_on_both_sides():
    table = m.FiniteTable(["1/2", "49/100", "1/100"], ["1/2", "1/2", "0"])
    product = pairs.dominating_pairs(m.Repeated(table, 3), direction="remove")[0]
    found = lattice.delta_bounds(product, 5.0, 1e-6)
    exact = 1 - Fraction(99, 100) ** 3
    assert Fraction(found.lower) <= exact <= Fraction(found.upper)
    assert found.relative_width <= 1e-9


def test_few_steps_of_sampled_laplace_noise_at_epsilon_zero():
    """Both atoms are exact nodes and the density between them is steep: the allowance must fall slowly from the ends."""
    mechanism = m.Repeated(m.Sampled(m.Laplace("0.484"), m.PoissonSampling("0.005469")), 4)
    product = pairs.dominating_pairs(mechanism, direction="remove")[0]
    found = lattice.delta_bounds(product, 0.0)
    truth = accounting.delta(mechanism, 0, digits=5, direction="remove").enclosure
    assert found.lower <= truth.upper and truth.lower <= found.upper
    assert found.relative_width <= 1e-4


def test_noise_too_rare_to_matter_is_left_out():
    """E e^{cL} at the tilts that ε needs is ruled by noise far rarer than δ: without the cut the lattice loses most digits."""
    mechanism = m.Repeated(m.Sampled(m.Gaussian("1.49"), m.PoissonSampling("0.000563")), 1777)
    product = pairs.dominating_pairs(mechanism, direction="remove")[0]
    found = lattice.delta_bounds(product, 0.0855)
    truth = accounting.delta(mechanism, "0.0855", digits=8, direction="remove").enclosure
    assert found.lower <= truth.upper and truth.lower <= found.upper
    assert found.relative_width <= 2e-4


def test_disjoint_tables_lose_everything():
    mechanism = m.Composed((m.FiniteTable([1, 0], [0, 1]), m.Gaussian(1)))
    found = lattice.delta_bounds(pairs.dominating_pairs(mechanism, direction="remove")[0], 3.0)
    assert (found.lower, found.upper) == (1.0, 1.0)


def test_beyond_the_largest_loss_delta_is_exactly_zero():
    found = lattice.delta_bounds(poisson("0.01", "2", 10, "add"), 0.2)
    assert found.upper == 0.0 and found.log_upper == -math.inf


def test_the_largest_loss_is_known_to_the_last_digits_at_tiny_rates():
    """−log(1 − q) from a float near 1 is off by u, which 10⁹ steps make larger than what `bounds_at` allows for."""
    product = pairs.dominating_pairs(m.Sampled(m.Gaussian(1), m.PoissonSampling(Fraction(1, 10**12))), direction="add")[0]
    found = loss_law(product.factors[0]).highest_loss
    with mpmath.workdps(40):
        exact = -mpmath.log(1 - mpmath.mpf(10) ** -12)
        assert abs(10**9 * (found - exact)) <= 1e-12


def test_one_lattice_serves_many_epsilons():
    product = poisson("0.01", "1.5", 10000, "remove")
    epsilons = [0.5, 0.8, 1.0, 1.3]
    together = lattice.bounds_at(product, epsilons, 1e-3)
    for epsilon, found in zip(epsilons, together, strict=True):
        alone = lattice.delta_bounds(product, epsilon, 1e-3)
        assert found.lower <= alone.upper and alone.lower <= found.upper
        assert found.relative_width <= 1e-3


def test_atoms_sit_on_nodes_where_distances_allow_it():
    law = AtomsOnly(((-math.log(2), 0.25), (0.0, 0.25), (math.log(2), 0.5)))
    step = lattice._fit_step((law,), (1,), 0.01)
    assert step <= 0.01
    assert all(on_node for _, on_node, _ in connect_the_dots.place_atoms(law, law.atoms[0][0], step))


@pytest.mark.parametrize("shifted", [None, 3, 39])
def test_a_step_fits_every_atom_or_the_first_alone(shifted):
    """Forty atoms at multiples of 1/3, seen from 1; one of them may be off, among those that are looked at first or later."""
    losses = [0.0, *(1 + index / 3 + (0.1234567 if index == shifted else 0.0) for index in range(40))]
    step = lattice._fit_step((AtomsOnly(tuple((loss, 1 / 41) for loss in losses)),), (1,), 0.04)
    off = max(abs(loss / step - round(loss / step)) for loss in losses)
    assert step == 1 / 27 and off < 1e-9 if shifted is None else step == 1 / 25 and off > 1e-3


@pytest.mark.parametrize("direction", ["remove", "add"])
@pytest.mark.parametrize("epsilon", ["0.000000001", 1, 3])
def test_a_step_that_floats_cannot_tell_from_zero_is_made_coarser(direction, epsilon):
    """Noise whose loss ends abruptly beside a table: a division by zero once."""
    sharp = m.Sampled(m.Gaussian("0.0885"), m.PoissonSampling("0.0000801"))
    mechanism = m.Composed((m.FiniteTable(["1/2", "1/2"], ["1/3", "2/3"]), sharp))
    found = lattice.delta_bounds(pairs.dominating_pairs(mechanism, direction=direction)[0], float(epsilon), 1e-3)
    exact = accounting.delta(mechanism, epsilon, digits=8, direction=direction).enclosure
    assert found.lower <= exact.upper and exact.lower <= found.upper


def test_atoms_far_apart_on_a_fine_grid_take_no_memory():
    laws = tuple(AtomsOnly(((-1.0, 0.3), (0.1, 0.3), (math.pi, 0.4))) for _ in range(2))
    assert 0 < lattice._fit_step(laws, (1, 1), 1e-13) <= 1e-13


def test_bad_arguments_are_refused():
    product = poisson("0.01", "2", 10, "add")
    with pytest.raises(InputError, match="tolerance"):
        lattice.delta_bounds(product, 0.2, 0.0)
    with pytest.raises(InputError, match="finite"):
        lattice.delta_bounds(product, math.inf)


def test_sizes_that_no_float_holds_are_counted():
    """Where nearly all mass was moved to infinity, what is left of many uses underflows, and the scale of the tilt need not be small."""
    size = Spectrum(np.zeros(1, dtype=np.int64), np.full(1, -746.0), np.zeros(1), np.zeros(1), np.zeros(1), 0.0)
    found = lattice.Lattice(1e-9, 16, -5e-10, 1.0, 40.0, size, size, 0.0, 0.0, 0.0, 0.0, (2.0, 0.0), 0.0).bounds(0.0)
    with mpmath.workdps(30):
        first, step = mpmath.mpf(5e-10), mpmath.mpf(1e-9)
        gamma = sum(sign * mpmath.exp(-c * first) / -mpmath.expm1(-c * step) for sign, c in ((1, 1), (-1, 2)))
        truth = mpmath.log(gamma / 16) + 40 - 746
    assert found.log_lower <= truth <= found.log_upper
    assert found.log_upper < -600
