"""Rare losses taken apart: against exact sums, with every error that is allowed for, and against certified values."""

import math
from dataclasses import replace

import mpmath
import numpy as np
import pytest

from dpbounds import accounting
from dpbounds import mechanisms as m
from dpbounds.errors import PrecisionError
from dpbounds.float64 import epsilon_bounds, rare_losses
from dpbounds.float64 import grid as lattice
from dpbounds.float64.laws import loss_law
from dpbounds.float64.rounding import UNIT_ROUNDOFF
from dpbounds.float64.saddle import Moments
from dpbounds.float64.spectrum import SpectrumFactor
from dpbounds.mechanisms import pairs

RNG = np.random.default_rng(20261123)
POINTS = 512


def factor(count, scale):
    """A bulk near 0 and rare masses far away."""
    places = np.concatenate((np.arange(30), np.arange(60, 90)))
    masses = np.concatenate((RNG.dirichlet(np.ones(30)), scale * RNG.dirichlet(np.ones(30))))
    return SpectrumFactor(places, np.stack((masses, 0.98 * masses)), count)


def spectra_of(parts, tolerance=1e-6):
    bulk, rare = rare_losses.parted(parts, [45.0] * len(parts))
    return rare_losses.rare_spectra(parts, bulk, rare, POINTS, tolerance)


def exact_difference(parts, row, frequency):
    """D at one frequency, in mpmath."""
    whole, bulk = mpmath.mpf(1), mpmath.mpf(1)
    for part in parts:
        terms = [
            mpmath.mpf(float(mass)) * mpmath.expjpi(mpmath.mpf(-2 * int(place) * frequency) / POINTS)
            for place, mass in zip(part.places, part.masses[row], strict=True)
        ]
        whole *= mpmath.fsum(terms) ** part.count
        bulk *= mpmath.fsum(term for term, place in zip(terms, part.places, strict=True) if place <= 45) ** part.count
    return whole - bulk


@pytest.mark.parametrize("parts", [[factor(50, 1e-9)], [factor(5, 1e-3), factor(20, 1e-12)], [factor(1, 1e-30)]])
def test_differences_against_mpmath(parts):
    """The errors hold, and at 0 it is small against what is rare."""
    with mpmath.workdps(60):
        for row, found in enumerate(spectra_of(parts)):
            assert found.relative_error[0] < 1e-9
            for index, frequency in list(enumerate(found.frequencies))[::5]:
                value = mpmath.exp(float(found.log_size[index])) * mpmath.expj(float(found.phase[index]))
                allowed = mpmath.exp(float(found.log_size[index])) * float(found.relative_error[index])
                assert abs(value - exact_difference(parts, row, int(frequency))) <= allowed


def test_other_frequencies_are_left_out_with_a_bound():
    parts = [factor(400, 1e-4)]
    for row, found in enumerate(spectra_of(parts, 0.5)):
        assert len(found.frequencies) < POINTS // 2
        assert found.left_out < 1e-6 * math.exp(found.log_size[0])
        with mpmath.workdps(40):
            assert all(abs(exact_difference(parts, row, at)) <= found.left_out for at in range(len(found.frequencies), POINTS // 2 + 1, 7))


@pytest.mark.parametrize("which", ["bulk", "rare"])
@pytest.mark.parametrize("error", [1e-4, 1e-9])
def test_errors_of_each_transform_are_counted(which, error):
    """Values that are off by all that is allowed, in the worst direction found, stay within the error: and either part alone is needed."""
    counts = np.array([300.0, 7.0])
    a = np.array([[0.9, 0.5 + 0.2j, 0.03], [0.8, 0.7j, 0.3]])
    b = 1e-3 * np.array([[1.0, 0.3j, 1e-3], [0.2, -0.5, 1e-3]])
    nothing, off = np.zeros(2), np.full(2, error)
    e_a, e_b = (off, nothing) if which == "bulk" else (nothing, off)
    log_size, phase, relative = rare_losses._difference(a, b, e_a, e_b, counts)
    value, most = np.exp(log_size + 1j * phase), np.exp(log_size) * relative
    largest = np.zeros(3)
    for turn in np.exp(2j * np.pi * np.arange(16) / 16):
        moved = np.full((2, 3), error) * turn
        moved_a, moved_b = (a + moved * a / np.abs(a), b) if which == "bulk" else (a, b + moved * a / np.abs(a))
        bulk = np.prod(moved_a ** counts[:, None], axis=0)
        truth = bulk * np.expm1((counts[:, None] * np.log1p(moved_b / moved_a)).sum(axis=0))
        largest = np.maximum(largest, np.abs(truth - value))
    assert np.all(largest <= most)
    assert largest[0] >= 0.2 * most[0]


def test_what_cannot_be_divided_has_the_bound_of_both_products():
    """A bulk that vanishes at a frequency, or is smaller there than what is rare."""
    counts = np.array([2.0])
    a, b = np.array([[0.0, 1e-9, 0.1]]), np.array([[0.3, 0.3, 0.3j]])
    log_size, phase, relative = rare_losses._difference(a, b, np.full(1, 1e-12), np.full(1, 1e-12), counts)
    value, most = np.exp(log_size + 1j * phase), np.exp(log_size) * relative
    assert np.all(np.abs((a + b) ** 2 - a**2 - value) <= most)


def rounding_of(a, b, counts):
    """How far `_difference` is from exact arithmetic on the same floats, and how far it may be, where the transforms have no errors."""
    nothing = np.zeros(len(counts))
    log_size, phase, relative = rare_losses._difference(np.array(a), np.array(b), nothing, nothing, np.array(counts, dtype=float))
    missed, allowed = [], []
    with mpmath.workdps(320):
        for index in range(len(log_size)):
            bulk, whole = mpmath.mpf(1), mpmath.mpf(1)
            for row_a, row_b, count in zip(a, b, counts, strict=True):
                x, y = mpmath.mpmathify(complex(row_a[index])), mpmath.mpmathify(complex(row_b[index]))
                bulk, whole = bulk * x**count, whole * (x + y) ** count
            size = mpmath.exp(mpmath.mpf(float(log_size[index])))
            missed.append(abs(size * mpmath.expj(mpmath.mpf(float(phase[index]))) - (whole - bulk)))
            allowed.append(size * mpmath.mpf(float(relative[index])))
    return missed, allowed


def test_rounding_of_what_is_rare_where_it_cancels():
    """(1 + r)(1 − r/(1+r)) is 1 but for the rounding of its factors: nothing but the rounding of the logarithms is left of D."""
    r = RNG.uniform(0.1, 0.5, 50) * np.exp(1j * RNG.uniform(-0.5, 0.5, 50))
    missed, allowed = rounding_of([np.ones(50, dtype=complex)] * 2, [0.99 * r, -0.99 * r / (1 + 0.99 * r)], [1, 1])
    assert all(off <= most for off, most in zip(missed, allowed, strict=True))
    assert max(missed) > 1e-17
    assert max(allowed) < 1e-13


def test_rounding_of_high_powers():
    """The angle of the bulk is multiplied by the number of uses."""
    a = np.exp(1j * RNG.uniform(0.5, 3, 50))
    missed, allowed = rounding_of([a], [1e-9 * np.ones(50, dtype=complex)], [200_000])
    assert all(off <= most for off, most in zip(missed, allowed, strict=True))
    assert max(missed) > 1e-12 * 2e-4
    assert max(allowed) < 1e-8 * 2e-4


def test_rounding_of_the_logarithm_of_what_is_very_rare():
    """log 10^{−264} is about −608: half a unit of its last place is more than all else allows."""
    b = 1e-264 * RNG.uniform(1, 9, 50)
    missed, allowed = rounding_of([np.ones(50, dtype=complex)], [b.astype(complex)], [1])
    assert all(off <= most for off, most in zip(missed, allowed, strict=True))
    assert max(off / size for off, size in zip(missed, b, strict=True)) > 400 * UNIT_ROUNDOFF


def test_losses_that_are_not_rare_are_refused():
    with pytest.raises(PrecisionError, match="not rare"):
        spectra_of([factor(100, 0.5)])
    with pytest.raises(PrecisionError, match="not rare"):
        spectra_of([factor(100, 0.0)])


STEPS = 10_000
MECHANISM = m.Repeated(m.Sampled(m.Gaussian(1), m.PoissonSampling("1e-4")), STEPS)


def lattice_at(epsilon, log_delta, level, tolerance=1e-2):
    """A lattice with the losses above a level taken apart."""
    product = pairs.dominating_pairs(MECHANISM, direction="remove")[0]
    laws = tuple(loss_law(factor) for factor in product.factors)
    moments = Moments(laws, (float(STEPS),)).cut_at(log_delta + math.log(1e-3 * tolerance / STEPS))
    plan = lattice._plan(laws, (STEPS,), moments, epsilon, 0.5 * tolerance, log_delta, 40.0)
    return lattice.compose(laws, (STEPS,), moments, replace(plan, levels=(level,), share=0.5e-3 * tolerance), epsilon)


@pytest.mark.parametrize(("epsilon", "level"), [("0.136", 0.05), ("0.136", 0.02), ("0.185", 0.05), ("0.185", 0.1)])
def test_certified_values_lie_inside(epsilon, level):
    truth = accounting.delta(MECHANISM, epsilon, digits=8, direction="remove").enclosure
    found = lattice_at(float(epsilon), math.log(truth.upper_float), level).bounds(float(epsilon))
    assert found.lower <= truth.lower_float <= truth.upper_float <= found.upper
    assert found.relative_width < 0.3


def test_what_is_not_rare_has_to_be_counted():
    """Where the bulk alone has a share of δ, an upper bound without it is too small; a lower one has no need of it."""
    epsilon = 0.045
    truth = accounting.delta(MECHANISM, "0.045", digits=8, direction="remove").enclosure
    whole = lattice_at(epsilon, math.log(truth.upper_float), 0.04)
    found, without = whole.bounds(epsilon), replace(whole, bulk=()).bounds(epsilon)
    assert found.lower <= truth.lower_float <= truth.upper_float <= found.upper
    assert without.upper < truth.lower_float


def test_epsilon_where_rare_losses_take_over():
    """The bulk and rare losses share in the moments at the tilt that δ asks for."""
    found = epsilon_bounds(MECHANISM, "1e-12")
    truth = accounting.epsilon(MECHANISM, "1e-12", digits=12).enclosure
    assert found.lower <= truth.lower_float <= truth.upper_float <= found.upper
    assert found.upper - found.lower <= 1e-3 * found.upper
