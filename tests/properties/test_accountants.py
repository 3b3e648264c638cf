"""The float64 accountants against the certified engine: no interval excludes the truth.

The certified δ is `dpbounds.accounting.delta_of`; the accountants share no code with it.
"""

import math
import random
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpbounds import accounting
from dpbounds import mechanisms as m
from dpbounds.errors import InputError, PrecisionError
from dpbounds.float64 import closed_form, delta_bounds, epsilon_bounds
from dpbounds.float64 import contour as fast_contour
from dpbounds.float64 import grid as lattice
from dpbounds.float64.laws import loss_law
from dpbounds.float64.published import fourier, fourier_errors
from dpbounds.float64.saddle import Moments
from dpbounds.mechanisms import Guarantee, pairs
from dpbounds.numbers import balls

SEED = 20201120
DIGITS = 10


def random_case(rng):
    """A product of pairs and an ε near the bulk or in a tail of its total loss."""
    sigma = Fraction(round(1000 * math.exp(rng.uniform(math.log(0.4), math.log(10)))), 1000)
    q = Fraction(max(1, round(10**6 * 10 ** rng.uniform(-3.5, -0.05))), 10**6)
    steps = 1 if rng.random() < 0.1 else int(10 ** rng.uniform(1, 5))
    if steps > 1 and steps * q < 1:
        steps = math.ceil(1 / q)  # below this the certified engine needs seconds to minutes
    kind = rng.choices(
        ["poisson", "fixed", "gaussian", "laplace", "laplace-poisson", "response", "table", "mixed"], [60, 8, 4, 6, 6, 4, 6, 6]
    )[0]
    few = int(10 ** rng.uniform(0, 2))
    if kind == "poisson":
        mechanism = m.Repeated(m.Sampled(m.Gaussian(sigma), m.PoissonSampling(q)), steps)
    elif kind == "fixed":
        mechanism = m.Repeated(m.Sampled(m.Gaussian(sigma), m.FixedSizeSampling(1000, max(5, int(1000 * q)))), max(200, steps))
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
    epsilon = max(0.0, mean + rng.uniform(-1, 5) * math.sqrt(variance)) if rng.random() < 0.85 else rng.uniform(0, 10)
    return product, Fraction(round(epsilon * 2**20), 2**20)


def excludes(bounds, truth):
    """True when the interval surely misses the enclosure; in logarithms, because δ may be far below every float."""
    if not truth.high > 0:
        return bounds.log_lower > -math.inf
    with balls.precision(128):
        high = float(truth.high.log().upper())
        low = float(truth.low.log().lower()) if truth.low > 0 else -math.inf
    slack = 4e-16 * (1 + abs(high))
    return bounds.log_lower > high + slack or bounds.log_upper < low - slack


def accepted(accountant):
    """What an accountant returns, or None where it declines."""
    try:
        return accountant()
    except PrecisionError:
        return None


def check(cases):
    """Compare each accountant that accepts with the certified value; returns what was compared, what declined, and the widths found.

    A case without a certified value (the certified engine refuses what would need too many nodes) is counted and left out.
    """
    counts = dict.fromkeys(("certified", "no certified value", "closed form", "contour", "lattice", "no answer"), 0)
    widths = []
    for case in cases:
        product, epsilon = random_case(random.Random(1_000_000 * SEED + case))
        where = f"case {case}: {product}, epsilon = {epsilon}"
        at = float(epsilon)
        found = {
            "closed form": closed_form.delta_bounds(product, at),
            "contour": accepted(lambda: fast_contour.bounds_at(product, [at], None, 1e-6, 1e-4)[0]),  # noqa: B023
            "lattice": accepted(lambda: lattice.delta_bounds(product, at, 1e-3)),  # noqa: B023
        }
        kept = {name: bounds for name, bounds in found.items() if bounds is not None}
        if not kept:
            counts["no answer"] += 1
        widths.append(min((bounds.relative_width for bounds in kept.values()), default=1.0))
        try:
            truth = accounting.delta_of(product, epsilon, DIGITS)
        except (PrecisionError, InputError):
            counts["no certified value"] += 1
            continue
        counts["certified"] += 1
        for name, bounds in kept.items():
            counts[name] += 1
            assert not excludes(bounds, truth), f"{name} {bounds}: {where}"
    return counts, sorted(widths)


def summary(counts, widths):
    """One line for the record."""
    quantiles = ", ".join(f"{share:g}: {widths[min(len(widths) - 1, int(share * len(widths)))]:.1e}" for share in (0.5, 0.9, 0.95, 0.99))
    return f"{counts}; quantiles of the best relative width: {quantiles}; wider than 0.5: {sum(width > 0.5 for width in widths)}"


def test_no_interval_excludes_the_truth_on_8_random_cases():
    counts, widths = check(range(8))
    print(summary(counts, widths))
    assert counts["certified"] >= 7
    assert counts["lattice"] >= 0.95 * counts["certified"]
    assert counts["contour"] >= 0.5 * counts["certified"]
    assert widths[int(0.9 * len(widths))] <= 1e-3


@pytest.mark.slow
@pytest.mark.parametrize("part", range(20))
def test_no_interval_excludes_the_truth_on_10_000_random_cases(part):
    """500 of them at a time; the first 8 are those of the default run."""
    counts, widths = check(range(500 * part, 500 * (part + 1)))
    print(summary(counts, widths))
    assert counts["certified"] >= 450
    assert widths[int(0.9 * len(widths))] <= 1e-3


rates = st.integers(5, 200).map(lambda n: Fraction(n, 1000))
sigmas = st.integers(7, 40).map(lambda n: Fraction(n, 10))
counts_of_steps = st.integers(200, 3000)
losses_asked = st.integers(1, 48).map(lambda n: Fraction(n, 16))


@settings(max_examples=8, deadline=None, derandomize=True)
@given(rates, sigmas, counts_of_steps, losses_asked)
def test_lattice_and_contour_contain_the_certified_value(q, sigma, steps, epsilon):
    mechanism = m.Repeated(m.Sampled(m.Gaussian(sigma), m.PoissonSampling(q)), steps)
    product = pairs.dominating_pairs(mechanism, direction="remove")[0]
    try:
        truth = accounting.delta_of(product, epsilon, DIGITS)
    except PrecisionError:
        return
    assert not excludes(delta_bounds(product, epsilon), truth)
    assert not excludes(delta_bounds(product, epsilon, method="lattice", tolerance=1e-2), truth)


@settings(max_examples=8, deadline=None, derandomize=True)
@given(rates, sigmas, counts_of_steps, losses_asked, st.sampled_from(["remove", "add"]))
def test_delta_falls_in_epsilon_and_grows_in_steps(q, sigma, steps, epsilon, direction):
    sampled = m.Sampled(m.Gaussian(sigma), m.PoissonSampling(q))
    here = delta_bounds(m.Repeated(sampled, steps), epsilon, direction=direction)
    further = delta_bounds(m.Repeated(sampled, steps), epsilon + Fraction(1, 16), direction=direction)
    longer = delta_bounds(m.Repeated(sampled, steps + 50), epsilon, direction=direction)
    assert further.log_lower <= here.log_upper
    assert here.log_lower <= longer.log_upper


@settings(max_examples=6, deadline=None, derandomize=True)
@given(rates, sigmas, counts_of_steps, st.integers(2, 12))
def test_epsilon_and_delta_are_inverse(q, sigma, steps, digits):
    mechanism = m.Repeated(m.Sampled(m.Gaussian(sigma), m.PoissonSampling(q)), steps)
    found = epsilon_bounds(mechanism, Fraction(1, 10**digits))
    if found.upper > 0:
        assert delta_bounds(mechanism, found.upper).log_lower <= -digits * math.log(10)
    if found.lower > 0:
        assert delta_bounds(mechanism, found.lower).log_upper >= -digits * math.log(10)


@settings(max_examples=12, deadline=None, derandomize=True)
@given(st.integers(1, 30).map(lambda n: Fraction(n, 1000)), st.integers(10, 40).map(lambda n: Fraction(n, 10)), st.integers(100, 5000))
def test_the_published_accountant_is_within_its_own_estimates(q, sigma, steps):
    """|FA − δ| ≤ (7.3) + (7.4), where the conditions of (7.3) hold; 1e-11 for float64 noise, which the estimates do not count."""
    radius, points, epsilon = 12, 2**18, 0.5
    if not fourier_errors.tail_estimate_applies(float(q), float(sigma), radius):
        return
    mechanism = m.Repeated(m.Sampled(m.Gaussian(sigma), m.PoissonSampling(q)), steps)
    product = pairs.dominating_pairs(mechanism, direction="remove")[0]
    truth = delta_bounds(product, epsilon)
    estimate = fourier_errors.approx_tail_estimate(float(q), float(sigma), steps, radius)
    estimate += fourier_errors.approx_discretisation_estimate(product, epsilon, radius, points)
    found = fourier.approx_fourier_delta(product, epsilon, radius, points)
    assert truth.lower - estimate - 1e-11 <= found <= truth.upper + estimate + 1e-11
