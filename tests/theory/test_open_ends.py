"""Statements on open ends of the sources, computed again without the engine and without their derivations."""

from fractions import Fraction
from itertools import product
from math import comb, exp

import numpy as np
import pytest

# --- Claim 26, part 1, for one real answer -----------------------------------------------------------------------------


def moment(order, sigma, rate, first, second):
    """G_λ(rN(a) + (1−r)N(0) ‖ rN(b) + (1−r)N(0)), by a trapezoid."""
    line = np.linspace(-2 * order - 12 * sigma, 2 * order + 12 * sigma, 20_001)

    def log_mixture(centre):
        parts = (np.log(rate) - (line - centre) ** 2 / (2 * sigma**2), np.log1p(-rate) - line**2 / (2 * sigma**2))
        return np.logaddexp(*parts) - np.log(sigma * np.sqrt(2 * np.pi))

    values = np.exp(order * log_mixture(first) + (1 - order) * log_mixture(second))
    return float(values.sum() * (line[1] - line[0]))


INSIDE = [(x / 4, y / 4) for x, y in product(range(-4, 5), repeat=2) if abs(x - y) <= 4]


@pytest.mark.parametrize("order", [2, 4])
@pytest.mark.parametrize("sigma, rate", [(0.8, 0.1), (1, 0.5), (2, 0.9)])
def test_one_real_answer_has_the_moment_of_the_pair_at_most(order, sigma, rate):
    most = moment(order, sigma, rate, 1, 0)
    assert all(moment(order, sigma, rate, a, b) <= most * (1 + 1e-9) for a, b in INSIDE)
    assert moment(order, sigma, rate, 1.1, 0) > most  # the sensitivity is used


def central(k, x, y, w):
    """E_0((f_x − f_y)/f_0)^k with w = 1/σ²."""
    terms = range(k + 1)
    powers = [(((k - j) * x + j * y) ** 2 - (k - j) * x**2 - j * y**2) / 2 for j in terms]
    return sum((-1) ** j * comb(k, j) * exp(w * power) for j, power in zip(terms, powers, strict=True))


@pytest.mark.parametrize("k", range(2, 9))
@pytest.mark.parametrize("w", [0.5, 1, 2])
def test_every_moment_of_the_difference_is_largest_for_one_answer_at_the_others(k, w):
    assert all(central(k, x, y, w) <= central(k, 1, 0, w) * (1 + 1e-9) for x, y in INSIDE)


def test_in_the_plane_the_second_moment_is_larger():
    # unit triangle: the product of the two differences is 1/2
    assert exp(1) + exp(1) - 2 * exp(1 / 2) > central(2, 1, 0, 1)


@pytest.mark.parametrize("order, sigma, bound, found", [(2, 2, 1.126234, 1.129674), (4, 1, 88.541, 148.658)])
def test_a_query_that_sees_the_order_of_the_batch_exceeds_the_bound(order, sigma, bound, found):
    line = np.linspace(-15 * sigma, 15 * sigma, 20_001)
    first, second = (sum(np.exp(-((line - a) ** 2) / (2 * sigma**2)) for a in answers) for answers in ((2, 1, 0), (1, 0, 0)))
    value = float((first**order * second ** (1 - order)).sum() * (line[1] - line[0])) / (3 * sigma * np.sqrt(2 * np.pi))
    assert abs(value / found - 1) <= 1e-5 and abs(moment(order, sigma, 2 / 3, 1, 0) / bound - 1) <= 1e-5
    assert value >= bound * 1.003


# --- decaying noise ------------------------------------------------------------------------------------------------------


def risk(sizes, variance):
    """Σ h E(θ−θ*)² after steps of these sizes, noise of one variance, from the recursion of mean and variance."""
    total = Fraction(0)
    for curvature, distance in ((Fraction(1), 1), (Fraction(1, 10), 100)):
        square, spread = Fraction(distance), Fraction(0)
        for size in sizes:
            kept = 1 - size * curvature
            square, spread = kept**2 * square, kept**2 * spread + size**2 * variance
        total += curvature * (square + spread)
    return total


def test_falling_steps_leave_less_than_steps_of_one_size_at_constant_noise():
    sizes = [Fraction(step) for step in ("10", "5", "3", "1", "1/2")]
    assert Fraction(76, 1000) < risk(sizes, Fraction(len(sizes), 200)) <= Fraction(77, 1000)


@pytest.mark.parametrize("count", [1, 5, 12, 40])
@pytest.mark.parametrize("size", ["1/20", "1/2", "1", "3/2", "2"])
def test_steps_of_one_size_and_constant_noise(count, size):
    step = Fraction(size)
    found = risk([step] * count, Fraction(count, 200))
    done = float(step * count)
    assert found >= Fraction(15, 100)
    assert float(found) >= done / 200 + (10 - done / 400) * 0.8**done - 1e-12
