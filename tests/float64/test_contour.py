"""The fast contour accountant: certified values lie inside, each error term is needed, it declines rather than guess."""

import math
from dataclasses import replace

import mpmath
import numpy as np
import pytest

from dpbounds import mechanisms as m
from dpbounds.errors import InputError, PrecisionError
from dpbounds.float64 import contour as fast_contour
from dpbounds.float64.characteristic import BLOCK, Characteristic
from dpbounds.float64.gaussian_mixture import GaussianMixture
from dpbounds.float64.laws import loss_law
from dpbounds.float64.rounding import LIBM, UNIT_ROUNDOFF
from dpbounds.mechanisms import pairs
from tests.truths import gaussian_delta

# Certified δ (radius below the last digit): Poisson sampling, q, σ, k, ε, direction, δ.
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


def poisson(q, sigma, steps, direction="remove"):
    return pairs.dominating_pairs(m.Repeated(m.Sampled(m.Gaussian(sigma), m.PoissonSampling(q)), steps), direction=direction)[0]


@pytest.mark.parametrize(("q", "sigma", "steps", "epsilon", "direction", "value"), CALIBRATION)
def test_certified_values_lie_inside_and_the_width_is_met(q, sigma, steps, epsilon, direction, value):
    found = fast_contour.delta_bounds(poisson(q, sigma, steps, direction), float(epsilon))
    assert found.log_lower <= log_of(value) <= found.log_upper
    assert found.relative_width <= 1e-8


def test_k_fold_gaussian_closed_form():
    """Two different Gaussian pairs: one pair with μ² = Σ k/σ²."""
    product = pairs.dominating_pairs(m.Composed((m.Repeated(m.Gaussian(20), 300), m.Repeated(m.Gaussian(30), 200))))[0]
    found = fast_contour.delta_bounds(product, 2.0)
    with mpmath.workdps(40):
        truth = gaussian_delta(mpmath.sqrt(mpmath.mpf(300) / 400 + mpmath.mpf(200) / 900), 2)
        assert found.log_lower <= mpmath.log(truth) <= found.log_upper


def parts_of(product, epsilon, **changes):
    contour = replace(fast_contour.prepare(product, epsilon), **changes)
    low, high = contour.evaluate(np.array([epsilon]), np.array([1.0]))
    return contour, float(low[0]), float(high[0])


def test_the_aliases_are_needed():
    """With every second frequency the trapezoid sum passes the truth by more than all other errors; the alias bound covers it."""
    product = poisson("0.1", "1", 100)
    truth = float(log_of("0.01927003546049835934497584"))
    contour, _, _ = parts_of(product, 3.0)
    every = 3
    coarse = replace(
        contour,
        step=every * contour.step,
        y=contour.y[::every],
        log_size=contour.log_size[:, ::every],
        angle=contour.angle[:, ::every],
        log_top=contour.log_top[:, ::every],
    )
    low, _ = (float(part[0]) for part in coarse.evaluate(np.array([3.0]), np.array([1.0])))
    assert low <= truth
    # the same sum with a formula for the aliases that counts none of them
    unbounded = replace(coarse, right=coarse.right - 1e6)
    period = 2 * math.pi / coarse.step
    left = math.exp(-float(coarse.steps @ coarse.shifts) + coarse.c * 3.0 - coarse.c * period) / -math.expm1(-coarse.c * period)
    low_right_dropped = float(unbounded.evaluate(np.array([3.0]), np.array([1.0]))[0][0])
    scale = float(coarse.steps @ coarse.shifts) - coarse.c * 3.0
    dropped = scale + math.log(math.exp(low_right_dropped - scale) + left)
    assert dropped > truth


def test_the_cut_off_is_needed():
    """A quarter of the frequencies: the sum moves by more than the other errors, and the bound at the cut-off covers it."""
    product = poisson("0.1", "1", 100)
    truth = float(log_of("0.01927003546049835934497584"))
    contour, _, _ = parts_of(product, 3.0)
    law = loss_law(product.factors[0])
    keep = len(contour.y) // 4
    reach = float(contour.y[keep - 1])
    far = np.array([Characteristic(law, contour.c, reach, 1e-14).far(reach)])
    short = replace(
        contour,
        y=contour.y[:keep],
        log_size=contour.log_size[:, :keep],
        angle=contour.angle[:, :keep],
        log_top=contour.log_top[:, :keep],
        reach=reach,
        far=far,
    )
    low, high = (float(part[0]) for part in short.evaluate(np.array([3.0]), np.array([1.0])))
    assert low <= truth <= high
    low, high = (float(part[0]) for part in replace(short, far=np.array([-1e6])).evaluate(np.array([3.0]), np.array([1.0])))
    assert not low <= truth <= high


@pytest.mark.parametrize(
    "law",
    [
        GaussianMixture(1.0, (0.75, 0.25), (1.0,)),
        GaussianMixture(1.0, (1.0,), (0.75, 0.25)),
        GaussianMixture(0.75, (0.75, 0.25), (0.75, 0.25)),
        GaussianMixture(2.0, (0.5, 0.25, 0.25), (0.5, 0.25, 0.25)),
    ],
)
def test_characteristic_values_against_mpmath(law):
    """χ(y) = M(c+iy)e^{−κ−iyμ} by mpmath quadrature, within the stated error; and |χ| beyond Y within its bound."""
    c, reach = 2.5, 6.0
    found = Characteristic(law, c, reach, 1e-13)
    y = np.array([0.0, 1.0, 3.0, 6.0])
    values, errors = found.values(y)
    with mpmath.workdps(30):
        sigma = mpmath.mpf(law.sigma)

        def log_ratio(weights, sign, t):
            return mpmath.log(
                mpmath.fsum(mpmath.mpf(w) * mpmath.exp((2 * sign * t * ell - ell**2) / (2 * sigma**2)) for ell, w in enumerate(weights))
            )

        def integrand(t, z):
            return mpmath.npdf(t, 0, sigma) * mpmath.exp((1 + z) * log_ratio(law.upper, 1, t) - z * log_ratio(law.lower, -1, t))

        for at, value, error in zip(y, values, errors, strict=True):
            z = mpmath.mpc(c, float(at))
            truth = mpmath.quad(lambda t: integrand(t, z), mpmath.linspace(-14, 22, 25))  # noqa: B023
            truth *= mpmath.exp(-mpmath.mpf(found.shift) - mpmath.mpc(0, float(at)) * mpmath.mpf(found.mean))
            assert abs(truth - mpmath.mpc(complex(value))) <= error
            if at == reach:
                assert mpmath.log(abs(truth)) <= found.far(float(at))
    assert float(np.max(errors)) <= 1e-11


def test_the_bound_far_away_does_not_underflow():
    """At large y all that is left of the integrand lies where the weights are below every float."""
    law = GaussianMixture(0.5, (0.75, 0.25), (1.0,))
    found = Characteristic(law, 40.0, 2000.0, 1e-13)
    values = [found.far(y) for y in (50.0, 400.0, 2000.0, 20_000.0, 200_000.0)]
    assert all(math.isfinite(value) for value in values)
    assert all(b <= a for a, b in zip(values, values[1:], strict=False))


def split(centred, weights, y):
    """(Σ w e^{iyx} by split phases minus its exact value, at each y, and the stated error)."""
    table = Characteristic(GaussianMixture(1.0, (0.75, 0.25), (1.0,)), 2.5, 6.0, 1e-13)
    table.t = table.centred = centred
    table.weights = weights
    values, error = table._split_sums(y)
    with mpmath.workdps(40):
        xs, ws = ([mpmath.mpf(float(value)) for value in row] for row in (centred, weights))
        exact = [mpmath.fsum(w * mpmath.expj(mpmath.mpf(float(at)) * x) for w, x in zip(ws, xs, strict=True)) for at in y]
        gaps = [float(abs(mpmath.mpc(complex(value)) - truth)) for value, truth in zip(values, exact, strict=True)]
    return np.array(gaps), error


def test_split_phases_are_within_their_error():
    """Several blocks, the last not full, and rows that do not fill the rectangle."""
    rng = np.random.default_rng(5)
    weights = rng.exponential(size=150)
    y = 0.37 * np.arange(23)
    centred = rng.normal(size=150)
    gaps, error = split(centred, weights / weights.sum(), y)
    phases = 2.0**-53 * y * float(np.abs(centred) @ weights / weights.sum())
    assert np.all(gaps <= error + phases)
    assert np.all(error <= 3e-14)
    assert np.all(error >= 3 * LIBM + math.sqrt(2) * (2 * BLOCK + 150 / BLOCK) * UNIT_ROUNDOFF)


def test_split_phases_allow_for_nodes_off_the_grid():
    """One node far away and y off the grid by a few units in the last place: the turn is most of the error, more than rounding is."""
    y = 1e4 * np.arange(25.0)
    y[7::2] += 12 * UNIT_ROUNDOFF * y[-1]
    gaps, error = split(np.array([1e4]), np.ones(1), y)
    assert np.all(gaps <= error)
    assert float(gaps.max()) > 1.01 * UNIT_ROUNDOFF * y[-1] * 1e4 + 1e-13


def test_uneven_nodes_are_not_split():
    table = Characteristic(GaussianMixture(1.0, (0.75, 0.25), (1.0,)), 2.5, 6.0, 1e-13)
    y = np.arange(30.0) ** 2
    assert np.array_equal(table._split_sums(y)[0], table._sums(y)[0])


def test_a_coarse_step_is_covered_by_the_discretisation_bound():
    """With a step three times too long χ is off by more than rounding, and still within its error."""
    law = GaussianMixture(1.0, (0.75, 0.25), (1.0,))
    fine = Characteristic(law, 2.5, 6.0, 1e-13)
    coarse = Characteristic(law, 2.5, 6.0, 1e-13, refine=3.0)
    y = np.array([6.0])
    a, b = (part.values(y) for part in (fine, coarse))
    shift = np.exp(coarse.shift - fine.shift + 1j * y * (coarse.mean - fine.mean))
    gap = abs(a[0][0] - b[0][0] * shift[0])
    assert gap > 1e-12
    assert gap <= a[1][0] + b[1][0] * 1.01


def test_one_contour_serves_many_epsilons_and_many_step_counts():
    product = poisson("0.01", "1.5", 1)
    epsilons, repeats = [0.4, 0.8, 1.0, 1.2], [4000.0, 8000.0, 10000.0, 12000.0]
    for epsilon, count, found in zip(epsilons, repeats, fast_contour.bounds_at(product, epsilons, repeats), strict=True):
        alone = fast_contour.delta_bounds(poisson("0.01", "1.5", int(count)), epsilon)
        assert found.log_lower <= alone.log_upper and alone.log_lower <= found.log_upper
        assert found.relative_width <= 1e-8


def test_slow_decay_takes_more_nodes():
    """Few steps with a small rate: several thousand frequencies, and still nine digits."""
    mechanism = m.Repeated(m.Sampled(m.Gaussian("4.615"), m.PoissonSampling("0.005868")), 982)
    found = fast_contour.delta_bounds(pairs.dominating_pairs(mechanism, direction="remove")[0], 5.375, 1e-7)
    assert found.log_lower <= math.log(1.8839629073223) - 494 * math.log(10) <= found.log_upper


def test_it_declines_atoms_small_steps_and_the_end_of_the_loss_range():
    with pytest.raises(PrecisionError, match="atoms"):
        fast_contour.delta_bounds(pairs.dominating_pairs(m.Repeated(m.Laplace(2), 10))[0], 1.0)
    with pytest.raises(PrecisionError, match="declines"):
        fast_contour.delta_bounds(poisson("0.001", "0.4", 1), 1.0)
    with pytest.raises(PrecisionError, match="loss range"):
        fast_contour.delta_bounds(poisson("0.5", "1", 2, "add"), 2 * math.log(2) - 1e-9)


def test_bad_arguments_are_refused():
    with pytest.raises(InputError, match="finite"):
        fast_contour.delta_bounds(poisson("0.01", "2", 100), math.nan)
    with pytest.raises(InputError, match="length"):
        fast_contour.bounds_at(poisson("0.01", "2", 100), [1.0], [1.0, 2.0])


def test_moduli_too_large_for_a_sum_leave_no_lower_bound():
    y, one, zero = 0.5 * np.arange(20), np.ones(1), np.zeros(1)
    size = np.full((1, 20), 55.0)
    contour = fast_contour.Contour(1.0, 0.5, 9.5, y, size, 0 * size, size + 1, one, zero, zero, zero, -100 * one, 2.0, zero)
    low, high = contour.evaluate(zero, one)
    assert low[0] == -math.inf and high[0] == 0


def test_many_points_of_one_contour_are_those_of_each_alone():
    """What does not depend on ε is computed once for all of them, and what depends on the number of repetitions once for each."""
    product = pairs.dominating_pairs(m.Repeated(m.Sampled(m.Gaussian("0.9"), m.PoissonSampling("0.02")), 300), direction="remove")[0]
    contour = fast_contour.prepare(product, 1.5)
    epsilons, repeats = np.array([1.2, 1.5, 1.9]), np.array([0.5, 1.0, 2.0])
    equal, unlike = contour.evaluate(epsilons, np.ones(3)), contour.evaluate(epsilons, repeats)
    for place in range(3):
        here = slice(place, place + 1)
        for ends, alone in zip(equal, contour.evaluate(epsilons[here], np.ones(1)), strict=True):
            assert abs(ends[place] - alone[0]) <= 1e-12
        for ends, alone in zip(unlike, contour.evaluate(epsilons[here], repeats[here]), strict=True):
            assert abs(ends[place] - alone[0]) <= 1e-12
