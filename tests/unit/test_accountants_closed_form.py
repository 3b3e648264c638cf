"""Closed forms and finite sums against mpmath and exact rational sums."""

import math
from fractions import Fraction

import mpmath
import pytest

from dpbounds import mechanisms as m
from dpbounds import pairs
from dpbounds.accountants import closed_form


def product(mechanism, direction="remove"):
    return pairs.dominating_pairs(mechanism, direction=direction)[0]


@pytest.mark.parametrize(
    ("sigma", "steps", "epsilon"), [(1, 1, 0), (1, 1, 9), (10, 100, 1), (3, 7, 40), (100, 1, 0.001), (0.5, 400, 3), (1, 10**6, 10)]
)
def test_gaussian(sigma, steps, epsilon):
    found = closed_form.delta_bounds(product(m.Repeated(m.Gaussian(sigma), steps)), float(epsilon))
    with mpmath.workdps(80):
        mu, at = mpmath.sqrt(steps) / mpmath.mpf(str(sigma)), mpmath.mpf(float(epsilon))
        a, b = at / mu - mu / 2, at / mu + mu / 2
        truth = mpmath.log(mpmath.erfc(a / mpmath.sqrt(2)) / 2 - mpmath.exp(at) * mpmath.erfc(b / mpmath.sqrt(2)) / 2)
        assert found.log_lower <= truth <= found.log_upper
    assert found.log_upper - found.log_lower <= 1e-9 * (1 + abs(float(truth)))


@pytest.mark.parametrize("direction", ["remove", "add"])
@pytest.mark.parametrize(
    ("q", "sigma", "epsilon"), [("0.25", "1", 0.125), ("0.001", "0.5", 0.0005), ("0.5", "2", 0.5), ("0.9", "0.5", 2.0)]
)
def test_one_sampled_step(direction, q, sigma, epsilon):
    found = closed_form.delta_bounds(product(m.Sampled(m.Gaussian(sigma), m.PoissonSampling(q)), direction), epsilon)
    with mpmath.workdps(60):
        rate, s, x = mpmath.mpf(q), mpmath.mpf(sigma), mpmath.exp(mpmath.mpf(epsilon))
        if direction == "remove":
            t = s**2 * mpmath.log((x - (1 - rate)) / rate) + mpmath.mpf(1) / 2
            truth = rate * mpmath.erfc((t - 1) / s / mpmath.sqrt(2)) / 2 + (1 - rate - x) * mpmath.erfc(t / s / mpmath.sqrt(2)) / 2
        else:
            t = -(s**2 * mpmath.log((1 / x - (1 - rate)) / rate) + mpmath.mpf(1) / 2)
            truth = (1 - x * (1 - rate)) * mpmath.erfc(t / s / mpmath.sqrt(2)) / 2 - x * rate * mpmath.erfc(
                (t + 1) / s / mpmath.sqrt(2)
            ) / 2
        assert found.log_lower <= mpmath.log(truth) <= found.log_upper
    assert found.relative_width <= 1e-9


@pytest.mark.parametrize(("steps", "epsilon"), [(1, 0.5), (10, 2.25), (40, 0.0), (40, 33.0)])
def test_two_atoms_by_exact_sums(steps, epsilon):
    table = m.FiniteTable(["3/4", "1/4"], ["1/4", "3/4"])
    found = closed_form.delta_bounds(product(m.Repeated(table, steps)), epsilon)
    with mpmath.workdps(60):
        truth = mpmath.mpf(0)
        for j in range(steps + 1):
            p = math.comb(steps, j) * Fraction(3, 4) ** j * Fraction(1, 4) ** (steps - j)
            q = math.comb(steps, j) * Fraction(1, 4) ** j * Fraction(3, 4) ** (steps - j)
            gap = mpmath.mpf(p.numerator) / p.denominator - mpmath.exp(mpmath.mpf(epsilon)) * q.numerator / q.denominator
            truth += max(gap, mpmath.mpf(0))
        assert found.log_lower <= mpmath.log(truth) <= found.log_upper
    assert found.relative_width <= 1e-10


def test_no_closed_form_for_what_has_none():
    sampled = m.Sampled(m.Gaussian(1), m.PoissonSampling("0.1"))
    assert closed_form.delta_bounds(product(m.Repeated(sampled, 2)), 1.0) is None
    assert closed_form.delta_bounds(product(m.Composed((m.Gaussian(1), m.Laplace(1)))), 1.0) is None
