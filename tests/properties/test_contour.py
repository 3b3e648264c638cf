"""Laws of certified δ(ε): monotone, nested, composable, and consistent with an independent float64 accountant."""

import math
import random
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpbounds import accounting, float64
from dpbounds.errors import InputError, PrecisionError
from dpbounds.mechanisms import Composed, Gaussian, PoissonSampling, Repeated, Sampled
from dpbounds.numbers.balls import precision

LAW = settings(derandomize=True, deadline=None, max_examples=8)
sigmas = st.integers(8, 40).map(lambda n: Fraction(n, 8))
rates = st.integers(1, 30).map(lambda n: Fraction(n, 100))
counts = st.integers(80, 3000)
epsilons = st.integers(0, 12).map(lambda n: Fraction(n, 4))
directions = st.sampled_from(["remove", "add"])


def poisson(sigma, q, steps):
    return Repeated(Sampled(Gaussian(sigma), PoissonSampling(q)), steps)


def delta(mechanism, epsilon, direction="remove", digits=8):
    return accounting.delta(mechanism, epsilon, digits=digits, direction=direction).enclosure


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


def sample(rng):
    """A mechanism of the whole range k 1 … 10⁹, q 10⁻⁹ … 1, σ 0.3 … 10⁶, and an ε from 0 to where δ is about 10⁻³⁰⁰."""
    steps, q, sigma = round(10 ** rng.uniform(0, 9)), 10 ** rng.uniform(-9, 0), 10 ** rng.uniform(math.log10(0.3), 6)
    variance = steps * q**2 * math.expm1(1 / sigma**2)
    kind = rng.random()
    if kind < 0.1:
        epsilon = 0.0
    elif kind < 0.65:
        epsilon = variance / 2 + math.sqrt(variance) * 10 ** rng.uniform(-1, 0.7)
    elif kind < 0.85:
        epsilon = variance / 2 + math.sqrt(variance) * 10 ** rng.uniform(0.7, 1.5)
    else:  # one loss alone: at s = 2 … 12 of its noise
        epsilon = math.log1p(q * math.expm1(rng.uniform(2, 12) / sigma))
    direction = rng.choice(["remove", "add", "remove", "add", "worst"])
    return steps, *(Fraction(f"{value:.3g}") for value in (q, sigma, epsilon)), direction


def approx_log_delta(steps, q, sigma, epsilon, direction):
    """log δ in float64 by a contour of its own, from the noise in |s| ≤ 14, or 30, only; None where two resolutions disagree."""
    if direction == "worst":
        both = [approx_log_delta(steps, q, sigma, epsilon, way) for way in ("remove", "add")]
        return None if None in both else max(both)
    for reach in (14, 30):
        with np.errstate(all="ignore"):
            found = [_approx_log_delta(steps, q, sigma, epsilon, direction == "remove", fineness, reach) for fineness in (1.0, 1.4)]
        if abs(found[1] - found[0]) < 1e-5:
            return found[1]
    return None


def _approx_log_delta(steps, q, sigma, epsilon, remove, fineness, reach):
    width = min(0.05 if steps < 100 else 0.2, 0.2 * sigma) / fineness
    s = np.arange(-reach, reach + (1 / sigma if remove else 0), width)
    log_u = np.log1p(q * np.expm1(s / sigma - 1 / (2 * sigma**2)))
    weights = width * np.exp(-s * s / 2 + (log_u if remove else 0.0)) / math.sqrt(2 * math.pi)
    losses = log_u if remove else -log_u

    def log_moment(z):
        return steps * np.log1p(np.expm1(np.multiply.outer(z, losses)) @ weights)

    if epsilon >= steps * losses.max():
        return math.nan
    tilts = np.exp(np.linspace(-3, 12, 301)) / (math.sqrt(steps * float(weights @ losses**2)) + 1e-300)
    exponents = log_moment(tilts) - tilts * epsilon - np.log(tilts) - np.log1p(tilts)
    best = int(np.argmin(np.where(np.isfinite(exponents), exponents, np.inf)))
    c, peak = tilts[best], exponents[best]
    if best in (0, len(tilts) - 1):
        return math.nan
    if not np.all(np.isfinite(exponents[best - 1 : best + 2])):
        return math.nan
    curvature = (exponents[best + 1] - 2 * peak + exponents[best - 1]) / (0.05 * c) ** 2 + 1 / c**2
    height = 9 / math.sqrt(curvature)
    step = min(0.25 * c, height / 60) / fineness
    y = np.arange(0, (200 if steps < 100 else 30) * height, step)  # few steps: the integrand decays slowly
    y = y[y < 2 / (width * math.sqrt(float(weights @ losses**2)))]  # beyond, the nodes miss the oscillation
    z = c + 1j * y[:6000]
    terms = np.exp(log_moment(z) - z * epsilon - np.log(z) - np.log1p(z) - peak).real
    terms[0] /= 2
    if not np.all(np.isfinite(terms)):
        return math.nan
    total = float(terms.sum())
    if abs(terms[-1]) > 1e-7 * total or not total > 0:
        return math.nan
    # the nearest left alias is subtracted, with δ(ε − T) ≈ 1 there
    left = total * step / math.pi - math.exp(min(700.0, -2 * math.pi * c / step - peak))
    if not left > 0:
        return math.nan
    result = peak + math.log(left)
    # noise beyond the grid, where one loss alone may make all of δ
    far, plain = (math.erfc(place / math.sqrt(2)) / 2 for place in (reach + (1 / sigma if remove else 0), reach))
    beyond = steps * (far + q * plain if remove else plain)
    return result if math.log(max(beyond, 1e-300)) < result - 10 else math.nan


def compare(count, seed, digits=5):
    """How random cases of the whole range ended; every value found against two independent float64 evaluations."""
    rng, ends = random.Random(seed), Counter()
    for _ in range(count):
        steps, q, sigma, epsilon, direction = case = sample(rng)
        mechanism = poisson(sigma, min(q, Fraction(1)), steps)
        try:
            found = accounting.delta(mechanism, epsilon, digits=digits, direction=direction).enclosure
        except PrecisionError:
            ends["no digits"] += 1
            continue
        if found.upper == 0:
            assert direction == "add" and float(epsilon) >= -steps * math.log1p(-float(q)) * (1 - 1e-9), case
            ends["compared"] += 1
            continue
        with precision(64):
            low, high = float(found.low.log().mid()), float(found.high.log().mid())
        rough = approx_log_delta(steps, float(q), float(sigma), float(epsilon), direction)
        if rough is not None:
            assert low - 1e-4 <= rough <= high + 1e-4, (case, low, rough, high)
            ends["compared"] += 1
            continue
        try:
            bounds = float64.delta_bounds(mechanism, epsilon, direction=direction)
        except (InputError, PrecisionError, ArithmeticError, ValueError):
            ends["no second value"] += 1
            continue
        assert bounds.log_lower <= high + 1e-9, case
        assert bounds.log_upper >= low - 1e-9, case
        ends["compared" if bounds.log_upper - bounds.log_lower < 0.1 else "no second value"] += 1
    return ends


@pytest.mark.slow
@pytest.mark.parametrize("part", range(20))
def test_fuzz_long(part):
    """5,000 cases, 250 at a time. Budget: half an hour on one core for all."""
    ends = compare(250, seed=1 + part)
    print(dict(ends))
    assert ends["compared"] >= 0.9 * sum(ends.values())
