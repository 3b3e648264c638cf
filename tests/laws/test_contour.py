"""Laws of certified δ(ε): monotone, nested, composable, and consistent with an independent float64 accountant."""

from __future__ import annotations

import math
import random
from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpbounds import accountants, contour
from dpbounds.errors import InputError, PrecisionError
from dpbounds.mechanisms import Composed, Gaussian, PoissonSampling, Repeated, Sampled

LAW = settings(derandomize=True, deadline=None, max_examples=8)
sigmas = st.integers(8, 40).map(lambda n: Fraction(n, 8))
rates = st.integers(1, 30).map(lambda n: Fraction(n, 100))
counts = st.integers(80, 3000)
epsilons = st.integers(0, 12).map(lambda n: Fraction(n, 4))
directions = st.sampled_from(["remove", "add"])


def poisson(sigma, q, steps):
    return Repeated(Sampled(Gaussian(sigma), PoissonSampling(q)), steps)


def delta(mechanism, epsilon, direction="remove", digits=8):
    return contour.delta(mechanism, epsilon, digits=digits, direction=direction).enclosure


@LAW
@given(sigmas, rates, counts, epsilons, directions)
def test_decreases_in_epsilon(sigma, q, steps, epsilon, direction):
    mechanism = poisson(sigma, q, steps)
    assert delta(mechanism, epsilon + Fraction(1, 10), direction).lower <= delta(mechanism, epsilon, direction).upper


@LAW
@given(sigmas, rates, counts, epsilons, directions)
def test_increases_in_steps_and_rate_and_decreases_in_sigma(sigma, q, steps, epsilon, direction):
    middle = delta(poisson(sigma, q, steps), epsilon, direction)
    assert delta(poisson(sigma, q, 2 * steps), epsilon, direction).upper >= middle.lower
    assert delta(poisson(sigma, q * Fraction(11, 10), steps), epsilon, direction).upper >= middle.lower
    assert delta(poisson(sigma * Fraction(11, 10), q, steps), epsilon, direction).lower <= middle.upper


@LAW
@given(sigmas, rates, counts, epsilons, directions)
def test_enclosures_of_more_digits_meet_those_of_fewer(sigma, q, steps, epsilon, direction):
    mechanism = poisson(sigma, q, steps)
    few, many = delta(mechanism, epsilon, direction, 5), delta(mechanism, epsilon, direction, 15)
    assert few.overlaps(many)
    assert many.meets(15)


@LAW
@given(sigmas, rates, counts, counts, epsilons, directions)
def test_parts_compose(sigma, q, first, second, epsilon, direction):
    parts = Composed([poisson(sigma, q, first), poisson(sigma, q, second)])
    assert delta(parts, epsilon, direction).overlaps(delta(poisson(sigma, q, first + second), epsilon, direction))


@LAW
@given(sigmas, rates, counts, sigmas, epsilons)
def test_an_added_mechanism_never_helps(sigma, q, steps, extra, epsilon):
    alone = delta(poisson(sigma, q, steps), epsilon)
    assert delta(Composed([poisson(sigma, q, steps), Gaussian(extra * 4)]), epsilon).upper >= alone.lower


def compare(count, seed):
    """Random mechanisms over the range; how each ended, and every value against the bounds of the float64 accountant."""
    rng, ends = random.Random(seed), Counter()
    for _ in range(count):
        steps = round(10 ** rng.uniform(0, 9))
        # k·q from 5 up: below that compositions of more than one step may end in PrecisionError
        low = 0.0 if steps == 1 else max(-9.0, math.log10(5 / steps))
        if low > 0:
            steps, low = 1, -9.0
        q = Fraction(f"{10 ** rng.uniform(low, 0):.3g}")
        sigma = Fraction(f"{10 ** rng.uniform(-0.3, rng.choice([0.3, 1.0, 3.0])):.3g}")
        variance = steps * float(q) ** 2 * math.expm1(min(1 / float(sigma) ** 2, 30))
        spread = math.sqrt(variance) * 10 ** rng.uniform(-1, 0.7)
        epsilon = Fraction(f"{min(variance / 2 + spread, 50.0):.3g}")
        direction = rng.choice(["remove", "add"])
        try:
            mechanism = poisson(sigma, min(q, Fraction(1)), steps)
            found = contour.delta(mechanism, epsilon, digits=10, direction=direction).enclosure
        except PrecisionError:
            ends["no digits"] += 1
            continue
        try:
            bounds = accountants.delta_bounds(mechanism, float(epsilon), direction=direction)
        except (InputError, PrecisionError, ArithmeticError, ValueError):
            ends["no second value"] += 1
            continue
        assert bounds.lower <= found.upper_float * (1 + 1e-12), (sigma, q, steps, epsilon, direction)
        assert bounds.upper >= found.lower_float * (1 - 1e-12), (sigma, q, steps, epsilon, direction)
        ends["compared"] += 1
    return ends


def test_fuzz():
    ends = compare(200, seed=2026)
    print(dict(ends))
    assert ends["compared"] >= 0.9 * sum(ends.values())


@pytest.mark.slow
def test_fuzz_long():
    # about an hour on one core
    ends = compare(5000, seed=1)
    print(dict(ends))
    assert ends["compared"] >= 0.9 * sum(ends.values())
