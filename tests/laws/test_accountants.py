"""The float64 accountants against the certified engine: no interval excludes the truth.

The certified δ is `dpbounds.contour.delta_of`; the accountants share no code with it.
"""

import math
import random
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpbounds import contour, pairs
from dpbounds import mechanisms as m
from dpbounds.accountants import closed_form, delta_bounds, epsilon_bounds, fast_contour, fourier, fourier_errors, lattice
from dpbounds.accountants.losses import loss_law
from dpbounds.accountants.saddle import Moments
from dpbounds.errors import InputError, PrecisionError
from dpbounds.mechanisms import Guarantee

SEED = 20201120
DIGITS = 10


def random_case(rng):
    """A product of pairs and an ε near the bulk or in a tail of its total loss."""
    sigma = Fraction(round(1000 * math.exp(rng.uniform(math.log(0.4), math.log(10)))), 1000)
    q = Fraction(max(1, round(10**6 * 10 ** rng.uniform(-3.5, -0.05))), 10**6)
    steps = int(10 ** rng.uniform(0, 5))
    kind = rng.choices(["poisson", "fixed", "gaussian", "laplace", "laplace-poisson", "response", "table", "mixed"], [60, 8, 4, 6, 6, 4, 6, 6])[0]
    few = int(10 ** rng.uniform(0, 2))
    if kind == "poisson":
        mechanism = m.Repeated(m.Sampled(m.Gaussian(sigma), m.PoissonSampling(q)), steps)
    elif kind == "fixed":
        mechanism = m.Repeated(m.Sampled(m.Gaussian(sigma), m.FixedSizeSampling(1000, max(1, int(1000 * q)))), steps)
    elif kind == "gaussian":
        mechanism = m.Repeated(m.Gaussian(sigma), steps)
    elif kind == "laplace":
        mechanism = m.Repeated(m.Laplace(sigma), few)
    elif kind == "laplace-poisson":
        mechanism = m.Repeated(m.Sampled(m.Laplace(sigma), m.PoissonSampling(q)), few)
    elif kind == "response":
        mechanism = m.Repeated(m.RandomizedResponse(1 / sigma), few)
    elif kind == "table":
        weights = [rng.randint(1, 20) for _ in range(3)], [rng.randint(1, 20) for _ in range(3)]
        rows = [[Fraction(value, sum(row)) for value in row] for row in weights]
        mechanism = m.Repeated(m.FiniteTable(*rows), min(few, 12))
    else:
        first = m.Repeated(m.Sampled(m.Gaussian(sigma), m.PoissonSampling(q)), max(1, steps // 10))
        mechanism = m.Composed((first, m.Repeated(m.Gaussian(4 * sigma), 3)))
    products = pairs.dominating_pairs(mechanism, guarantee=Guarantee.PAIR if kind == "fixed" else Guarantee.MECHANISM)
    product = rng.choice(products)
    counts = tuple(float(factor.steps) for factor in product.factors)
    _, mean, variance = Moments(tuple(loss_law(factor) for factor in product.factors), counts).cumulants(1e-9)
    epsilon = max(0.0, mean + rng.uniform(-1, 6) * math.sqrt(variance)) if rng.random() < 0.85 else rng.uniform(0, 10)
    return product, Fraction(round(epsilon * 2**20), 2**20)


def excludes(bounds, truth):
    """True when the interval surely misses the enclosure."""
    if truth.upper <= 0:
        return bounds.lower > 0
    if truth.lower > 0 and (bounds.lower < 1e-290 or bounds.upper < 1e-290):
        low, high = (math.log(value.numerator) - math.log(value.denominator) for value in (truth.lower, truth.upper))
        return bounds.log_lower > high + 1e-9 or bounds.log_upper < low - 1e-9
    return Fraction(bounds.lower) > truth.upper or Fraction(bounds.upper) < truth.lower


def check(cases, seed):
    """Compare each accountant that accepts with the certified value; returns what was compared and what declined."""
    rng = random.Random(seed)
    counts = {"certified": 0, "no certified value": 0, "contour": 0, "lattice": 0, "closed form": 0, "contour declined": 0, "lattice declined": 0}
    for case in range(cases):
        product, epsilon = random_case(rng)
        try:
            truth = contour.delta_of(product, epsilon, DIGITS)
        except (PrecisionError, InputError):
            counts["no certified value"] += 1
            continue
        counts["certified"] += 1
        where = f"case {case} of seed {seed}: {product}, epsilon = {epsilon}, truth {truth}"
        simple = closed_form.delta_bounds(product, float(epsilon))
        if simple is not None:
            counts["closed form"] += 1
            assert not excludes(simple, truth), f"closed form {simple}: {where}"
        for name, accountant, tolerance in (("contour", fast_contour.delta_bounds, 1e-6), ("lattice", lattice.delta_bounds, 1e-3)):
            try:
                found = accountant(product, float(epsilon), tolerance)
            except PrecisionError:
                counts[f"{name} declined"] += 1
                continue
            counts[name] += 1
            assert not excludes(found, truth), f"{name} {found}: {where}"
    return counts


def test_no_interval_excludes_the_truth_on_200_random_cases():
    counts = check(200, SEED)
    assert counts["certified"] >= 150
    assert counts["lattice"] >= 0.9 * counts["certified"]
    assert counts["contour"] >= 0.3 * counts["certified"]


@pytest.mark.slow
def test_no_interval_excludes_the_truth_on_10_000_random_cases():
    counts = check(10_000, SEED + 1)
    print(counts)
    assert counts["certified"] >= 7500
