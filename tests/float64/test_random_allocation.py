"""Random allocation in float64: against the certified values, a closed form, quadrature in two dimensions; each error term is needed."""

import math
import random
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from scipy import stats

from dpbounds.accounting import delta
from dpbounds.accounting import epsilon as certified_epsilon
from dpbounds.errors import InputError, PrecisionError
from dpbounds.float64 import delta_bounds, epsilon_bounds, random_allocation
from dpbounds.float64.front_door import delta_bounds_at, delta_bounds_over_steps
from dpbounds.float64.random_allocation import AllocationLine, EpochEstimates, PathSum, binet, binet_error, coarse, path_error
from dpbounds.mechanisms import Composed, Gaussian, Laplace, PoissonSampling, RandomAllocation, Repeated, Sampled


def epoch(sigma: object, bins: int, epochs: int = 1) -> Repeated:
    return Repeated(Sampled(Gaussian(sigma), RandomAllocation(bins)), epochs)


def test_binets_function_is_within_its_stated_error():
    source = np.random.default_rng(3)
    points = 0.4 + 10 ** source.uniform(-1, 3, 80) * np.exp(1j * source.uniform(-1.57, 1.57, 80))
    with mpmath.workdps(40):
        for w, found, error in zip(points, binet(points), binet_error(points), strict=True):
            at = mpmath.mpc(complex(w))
            exact = mpmath.loggamma(at) - (at - 0.5) * mpmath.log(at) + at - mpmath.log(2 * mpmath.pi) / 2
            assert abs(mpmath.mpc(complex(found)) - exact) <= error


def one_bin(line: AllocationLine, y: float) -> complex:
    """t = 1: E S^{−w} = e^{w(w+1)/(2σ²)}, scaled as the line scales."""
    w = complex(line.c, y)
    return complex(np.exp(w * (w + 1) / (2 * line.sigma**2) - line.shift - 1j * y * line.mean))


@pytest.mark.parametrize(("sigma", "c"), [(0.5, 0.6), (1.0, 2.0), (1.0, 7.0), (4.0, 30.0)])
def test_the_moments_of_one_bin_are_the_closed_form(sigma, c):
    line = AllocationLine(EpochEstimates(sigma, 1), c)
    y = coarse(6 * sigma / 24) * np.arange(25)
    values, errors = line.values(y)
    assert all(abs(value - one_bin(line, float(at))) <= error for at, value, error in zip(y, values, errors, strict=True))
    assert float(errors.max()) < 1e-10
    assert math.exp(line.far(float(y[-1]))) >= abs(values[-1]) - errors[-1]


TERMS = {
    "the step of u": ("error", lambda patch: patch.setattr(PathSum, "of_tolerance", classmethod(lambda cls, *args: wide_rule(args)))),
    "the step of x": ("_step_error", lambda patch: patch.setattr(AllocationLine, "_step", lambda *_: 1.2)),
    "the ends of x": ("_log_ends", lambda patch: patch.setattr(random_allocation, "DEPTH", 5.0)),
}
TRUE_RULE = PathSum.of_tolerance.__func__


def wide_rule(args: tuple[float, ...]) -> PathSum:
    rule = TRUE_RULE(PathSum, *args)
    step, last = 3 * rule.step, max(1, rule.last // 4)
    return PathSum(rule.eta, step, 3 * rule.fine, rule.coarse, last, path_error(args[0], args[1], rule.eta, step, last))


@pytest.mark.parametrize("term", TERMS)
def test_a_poor_choice_widens_the_moments_and_each_error_term_is_needed(term, monkeypatch):
    name, spoil = TERMS[term]
    line = AllocationLine(EpochEstimates(1.0, 1), 2.0)
    y = np.array([0.0, 1.0, 2.0])
    spoil(monkeypatch)
    values, errors = line.values(y)
    misses = [abs(value - one_bin(line, float(at))) for at, value in zip(y, values, strict=True)]
    assert all(miss <= error for miss, error in zip(misses, errors, strict=True)) and float(errors.max()) > 1e-9
    if name == "error":
        monkeypatch.setattr("dpbounds.float64.random_allocation.path_error", lambda *_: 0.0)
        monkeypatch.setattr(PathSum, "of_tolerance", classmethod(lambda cls, *args: without_error(wide_rule(args))))
    else:
        monkeypatch.setattr(AllocationLine, name, lambda *args: -math.inf if name == "_log_ends" else np.zeros(3))
    errors = line.values(y)[1]
    assert any(miss > error for miss, error in zip(misses, errors, strict=True))


def without_error(rule: PathSum) -> PathSum:
    return PathSum(rule.eta, rule.step, rule.fine, rule.coarse, rule.last, 0.0)


def test_a_path_outside_the_half_plane_has_no_error_bound():
    assert path_error(1.0, 1.2, 3.0, 0.1, 60) == math.inf
    assert path_error(1.0, 1.2, -0.1, 0.1, 60) == math.inf


def test_where_no_ray_is_accurate_the_moments_are_bounded_by_their_decay(monkeypatch):
    line = AllocationLine(EpochEstimates(0.35, 10**5), 3.0)
    rays = []
    block = AllocationLine._block
    monkeypatch.setattr(AllocationLine, "_block", lambda *args: rays.append(args) or block(*args))
    y = coarse(4.7) * np.arange(257)
    values, errors = line.values(y)
    limits = np.exp([line.far(float(at)) for at in y])
    assert np.all(errors <= limits) and np.all(np.abs(values) <= 2 * limits) and errors[-1] < 1e-20
    assert len(rays) < 20  # not one for each y


def test_underflow_is_part_of_the_error():
    assert path_error(100.0, 0.0, 0.0, 0.1, 1000) > 0  # each of its terms is below the smallest float


def test_a_long_table_for_the_noise_beside_is_refused(monkeypatch):
    monkeypatch.setattr("dpbounds.float64.allocation_contour.MAX_TABLE", 1000)
    with pytest.raises(PrecisionError, match="noise beside it would take too long"):
        delta_bounds(Composed((epoch(1, 100, 4), Sampled(Gaussian(2), PoissonSampling("0.1")))), 1, method="contour")


def two_bins(sigma: float, epsilon: float, remove: bool) -> float:
    """δ of one epoch of two bins by a trapezoid sum in the plane."""
    u = np.arange(-9, 9.0 + 2 / sigma, 0.01)
    mass = np.multiply.outer(stats.norm.pdf(u), stats.norm.pdf(u)) * 1e-4
    ratio = np.exp(u / sigma - 1 / (2 * sigma**2))
    mean = 0.5 * np.add.outer(ratio, ratio)
    part = mean - math.exp(epsilon) if remove else 1 - math.exp(epsilon) * mean
    return float((mass * np.maximum(part, 0)).sum())


@pytest.mark.parametrize(("sigma", "epsilon"), [(1.0, 0.5), (0.8, 1.0), (3.0, 0.2)])
@pytest.mark.parametrize("direction", ["add", "remove"])
def test_two_bins_by_quadrature_in_the_plane(sigma, epsilon, direction):
    found = delta_bounds(epoch(str(sigma), 2), str(epsilon), direction=direction)
    truth = two_bins(sigma, epsilon, direction == "remove")
    assert found.lower * (1 - 1e-4) <= truth <= found.upper * (1 + 1e-4)
    assert found.relative_width < 1e-7


def check(source: random.Random) -> float:
    """One random case against the certified value; the relative width."""
    bins, epochs = round(10 ** source.uniform(0, 4)), round(10 ** source.uniform(0, 2))
    sigma = Fraction(round(1000 * 10 ** source.uniform(-0.3, 1)), 1000)
    spread = math.sqrt(epochs * math.expm1(1 / float(sigma) ** 2) / bins)
    epsilon = Fraction(f"{min(20.0, max(1e-4, spread * source.uniform(0.05, 6))):.3g}")
    mechanism, direction = epoch(sigma, bins, epochs), source.choice(["add", "remove"])
    try:
        found = delta_bounds(mechanism, epsilon, direction=direction)
        truth = delta(mechanism, epsilon, digits=10, direction=direction)
    except PrecisionError:
        return 1.0
    assert Fraction(found.lower) <= Fraction(str(truth.upper)) and Fraction(str(truth.lower)) <= Fraction(found.upper), mechanism
    return found.relative_width


def test_the_interval_overlaps_the_certified_one_in_random_cases():
    source = random.Random(11)
    widths = sorted(check(source) for _ in range(8))
    assert widths[len(widths) // 2] < 1e-6


@pytest.mark.slow
def test_the_interval_overlaps_the_certified_one_in_many_random_cases():
    source = random.Random(12)
    widths = sorted(check(source) for _ in range(300))
    assert widths[150] < 1e-6 and widths[270] < 1


def test_gaussian_noise_beside_random_allocation():
    mechanism = Composed((epoch(1, 100, 4), Gaussian(3), Repeated(Sampled(Gaussian(2), PoissonSampling("0.1")), 5)))
    for direction in ("add", "remove"):
        found, truth = delta_bounds(mechanism, 1, direction=direction), delta(mechanism, 1, direction=direction)
        assert found.lower <= float(truth.upper) and float(truth.lower) <= found.upper and found.relative_width < 1e-6


def test_epsilon_and_several_points_at_once():
    mechanism = epoch(1, 1000, 10)
    found, truth = epsilon_bounds(mechanism, "1e-5"), certified_epsilon(mechanism, "1e-5", digits=8)
    assert found.lower <= float(truth.upper) and float(truth.lower) <= found.upper and found.relative_width < 1e-4
    one, two = delta_bounds_at(mechanism, ["0.1", "0.2"])
    assert one.lower > two.upper
    few, many = delta_bounds_over_steps(Sampled(Gaussian(1), RandomAllocation(1000)), "0.1", [5, 10])
    assert few.upper < many.lower and many.lower <= one.upper and one.lower <= many.upper


def test_a_small_delta_of_the_direction_remove_keeps_its_upper_bound_only():
    found = delta_bounds(epoch(1, 1000, 10), 1, direction="remove")
    assert found.lower == 0 and 8.19e-12 < found.upper < 1e-9


def test_what_it_does_not_take_is_refused_in_one_line():
    with pytest.raises(PrecisionError, match="no lattice here"):
        delta_bounds(epoch(1, 10), 1, method="lattice")
    with pytest.raises(PrecisionError, match="Gaussian noise and tables only"):
        delta_bounds(Composed((epoch(1, 10), Laplace(1))), 1, method="contour")
    with pytest.raises(InputError, match="no lower bound"):
        delta_bounds(Sampled(Gaussian(1), RandomAllocation(10, 2)), 1)
