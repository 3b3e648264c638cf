"""Every bound against the Fourier accountant in numpy, which shares no code with it: lower bounds <= delta <= upper bounds.

The accountant is an estimate. Its slack is stated: what Richardson's extrapolation changes when the grid is doubled, a term of
second order in the step where epsilon is no point of the grid, and rounding; a last test shows that it is far below what is compared.
The mechanisms are Gaussian noise, mixtures of two Gaussians (Poisson sampling, both directions), mixtures on both sides
(substitution) and mixtures of many (sampling with replacement), alone and composed.
"""

import math
from contextlib import suppress
from fractions import Fraction
from functools import lru_cache

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from dpbounds import accounting
from dpbounds import mechanisms as m
from dpbounds.budgets import composition, zcdp
from dpbounds.errors import InputError
from dpbounds.float64 import delta_bounds
from dpbounds.float64.laws import loss_law
from dpbounds.float64.published.fourier import convolved_loss, loss_density
from dpbounds.mechanisms import Guarantee, pairs
from dpbounds.mechanisms.pairs import Factor, GaussianPair, PoissonPair, Product
from dpbounds.noise.epsilon_delta import EpsilonDelta
from dpbounds.numbers.balls import ball
from dpbounds.numbers.to_digits import certified
from dpbounds.renyi import amplification, conversions, curves
from dpbounds.renyi.solve import renyi_of

LAWS = settings(max_examples=12, deadline=None, derandomize=True)
FEW = settings(max_examples=5, deadline=None, derandomize=True)
RADIUS, POINTS = 64.0, 2**15
ROUNDING = 1e-11


def fractions(low, high, places=200):
    return st.integers(0, places).map(lambda i: Fraction(low) + (Fraction(high) - Fraction(low)) * Fraction(i, places))


sigmas, rates, orders, epsilons = (
    fractions("0.8", "4"),
    fractions("0.01", "0.6"),
    fractions("1.05", "20"),
    st.integers(0, 384).map(lambda i: Fraction(i, 64)),
)
steps = st.integers(1, 6)


def one_pair(sigma, q, kind):
    """A mechanism of one step with its relation and guarantee."""
    noise = m.Gaussian(sigma)
    if kind == "gaussian":
        return noise, None, Guarantee.MECHANISM
    if kind == "poisson":
        return m.Sampled(noise, m.PoissonSampling(q)), None, Guarantee.MECHANISM
    if kind == "substitute":
        return m.Sampled(noise, m.PoissonSampling(q)), "substitute", Guarantee.MECHANISM
    return m.Sampled(noise, m.WithReplacementSampling(8, 3)), "substitute", Guarantee.PAIR


@st.composite
def products(draw, kinds=("gaussian", "poisson", "poisson", "substitute", "with-replacement", "two")):
    """A dominating pair of one mechanism repeated, or of two different ones."""
    kind = draw(st.sampled_from(kinds))
    sigma, q, count = draw(sigmas), draw(rates), draw(steps)
    if kind == "two":
        parts = (m.Repeated(m.Sampled(m.Gaussian(sigma), m.PoissonSampling(q)), count), m.Gaussian(draw(sigmas)))
        return draw(st.sampled_from(pairs.dominating_pairs(m.Composed(parts))))
    wide = sigma if kind in ("gaussian", "poisson") else sigma + 1
    mechanism, relation, guarantee = one_pair(wide, q, kind)
    return draw(st.sampled_from(pairs.dominating_pairs(m.Repeated(mechanism, count), relation, guarantee=guarantee)))


def poisson(sigma, q, count=1, reversed=False):
    return Product(
        (Factor(PoissonPair(q, GaussianPair(sigma)), count, reversed),), m.Relation.ADD_OR_REMOVE, m.Direction.REMOVE, Guarantee.PAIR
    )


@lru_cache(maxsize=32)
def grids(product):
    """The accountant on a grid and on one twice as fine; a small rate makes a narrow peak, which takes more points."""
    for points in (POINTS, 2**2 * POINTS, 2**4 * POINTS):
        with suppress(InputError):  # the mass of the loss is not 1
            return tuple(convolved_loss(product, RADIUS, count) for count in (points, 2 * points))
    raise AssertionError("a rate that no grid resolves")


def extrapolated(coarse, fine, kink=0.0):
    """Richardson's value, with the whole change that it makes as slack."""
    value, slack = fine + (fine - coarse) / 3, abs(fine - coarse) / 3 + kink + ROUNDING * (1 + abs(fine))
    return value - slack, value + slack


def fourier_delta(product, epsilon):
    """Two numbers with delta between them, as far as the accountant's own error can be seen.

    Where epsilon is a point of both grids the sum is a trapezoid rule of a smooth function; elsewhere the cell with the kink adds
    a triangle.
    """
    if epsilon > RADIUS - 1:
        return 0.0, 1.0  # beyond the grid the accountant says nothing
    coarse, fine = grids(product)
    kink = 0.0
    if (Fraction(epsilon) / Fraction(coarse.step)).denominator > 1:
        place = int((float(epsilon) + RADIUS) / coarse.step)
        kink = coarse.step**2 * float(coarse.density[max(0, place - 64) : place + 64].max())
    return extrapolated(coarse.approx_delta(float(epsilon)), fine.approx_delta(float(epsilon)), kink)


def fourier_divergence(product, alpha):
    """Two numbers with D_alpha of one step between them: a moment of the density of the loss that the accountant starts from."""
    (factor,) = product.factors
    sigma, order = float(getattr(factor.pair, "base", factor.pair).sigma), float(alpha)
    radius = 2 * (2 * order + 12 * sigma) / sigma**2 + 1

    def estimate(points):
        grid, step = np.linspace(-radius, radius, points, retstep=True)
        density = loss_density(loss_law(factor), grid)
        inside = density > 0
        exponents = (order - 1) * grid[inside] + np.log(density[inside])
        top = exponents.max()
        return (top + math.log(step * float(np.exp(exponents - top).sum()))) / (order - 1)

    coarse, fine = estimate(2**17 + 1), estimate(2**18 + 1)
    slack = 4 * abs(fine - coarse) + 1e-6 * fine + 1e-9
    return fine - slack, fine + slack


def curve_of(product):
    """The Rényi curve of a product of Gaussian pairs and Poisson-sampled ones."""
    parts = []
    for factor in product.factors:
        if isinstance(factor.pair, GaussianPair):
            parts.append((curves.GaussianCurve(factor.pair.sigma), factor.steps))
        else:
            side = "add" if factor.reversed else "remove"
            parts.append((curves.PoissonGaussianCurve(factor.pair.base.sigma, factor.pair.q, side), factor.steps))
    return curves.composed(*parts)


@LAWS
@given(products(), epsilons)
def test_the_float64_intervals_hold(product, epsilon):
    low, high = fourier_delta(product, epsilon)
    bounds = delta_bounds(product, float(epsilon))
    assert bounds.lower <= high and low <= bounds.upper


@LAWS
@given(products(), orders, epsilons)
def test_conversions_of_one_order_lie_above_delta(product, alpha, epsilon):
    low, _ = fourier_delta(product, epsilon)
    rho = renyi_of(product, alpha, 10).upper
    best, sharp, plain = (
        f(alpha, rho, epsilon).upper for f in (conversions.exact_delta_of, conversions.sharp_delta_of, conversions.mironov_delta_of)
    )
    assert low <= best <= sharp * (1 + Fraction(1, 10**9)) and sharp <= plain * (1 + Fraction(1, 10**9))


@LAWS
@given(products(), orders, fractions("0.001", "0.2"))
def test_epsilon_of_one_order_gives_at_most_the_delta_asked_for(product, alpha, delta):
    rho = renyi_of(product, alpha, 10).upper
    for f in (conversions.sharp_epsilon_of, conversions.mironov_epsilon_of):
        assert fourier_delta(product, f(alpha, rho, delta).upper)[0] <= delta


@FEW
@given(products(("gaussian", "poisson", "two")), epsilons, orders)
def test_the_legendre_bounds_lie_above_delta_and_below_every_order(product, epsilon, alpha):
    curve = curve_of(product)
    low, _ = fourier_delta(product, epsilon)
    rho = renyi_of(product, alpha, 10).upper
    for rule, single in (("sharp", conversions.sharp_delta_of), ("chernoff", conversions.mironov_delta_of)):
        found = conversions.delta_of(curve, epsilon, 3, rule)
        assert low <= found.upper and found.lower <= single(alpha, rho, epsilon).upper


@FEW
@given(sigmas, fractions("0.05", "0.6"), steps, fractions("2", "8"), fractions("0.0001", "0.1"))
def test_constrained_orders_give_at_most_the_delta_asked_for(sigma, q, count, limit, delta):
    """Theorem 3 of Yu et al. with the smallest slope that holds on the range."""
    slope = zcdp.slope_of(sigma, q, limit, 3)
    for reverse in (False, True):
        epsilon = conversions.range_limited_epsilon_of(count * slope.upper, limit, delta)
        assert fourier_delta(poisson(sigma, q, count, reverse), epsilon.upper)[0] <= delta
    for alpha in (1 + (limit - 1) / 3, limit):
        assert fourier_divergence(poisson(sigma, q), alpha)[0] <= alpha * slope.upper
    worst = max(
        fourier_divergence(poisson(sigma, q), 1 + (limit - 1) * Fraction(i, 8))[1] / float(1 + (limit - 1) * Fraction(i, 8))
        for i in range(1, 9)
    )
    assert slope.lower * Fraction(1, 2) <= worst  # the smallest slope is not far above the ratios seen


@LAWS
@given(fractions("1", "4"), fractions("0.2", "0.6"), fractions("0.2", "0.6"), st.integers(2, 6))
def test_zhu_and_wang_on_a_mixture_of_gaussians(sigma, inner, q, alpha):
    """The base is itself a mixture: sampling it at rate q gives the mixture of weight q times the inner one."""
    base = curves.PoissonGaussianCurve(sigma, inner)
    low, high = fourier_divergence(poisson(sigma, q * inner), alpha)
    lower = amplification.zhu_wang_lower_of(base, q, alpha)
    one, three = (amplification.zhu_wang_upper_of(base, q, alpha, factor) for factor in (1, 3))
    assert lower.lower <= high and low <= one.upper and one.lower <= three.upper
    assert low <= lower.upper and one.lower <= high  # with this base both bounds are the value itself
    assert fourier_divergence(poisson(sigma, q * inner, reversed=True), alpha)[0] <= one.upper
    assert low <= amplification.averaged_renyi_of(alpha, base.certified_divergence(alpha).upper, q).upper


@LAWS
@given(sigmas, *[fractions("0.05", "0.6")] * 2, st.integers(7, 192).map(lambda i: Fraction(i, 64)))
def test_amplification_is_attained_by_the_sampled_mixture(sigma, inner, q, epsilon):
    low, high = fourier_delta(poisson(sigma, inner), epsilon)
    amplified = amplification_of(epsilon, Fraction(max(low, 0.0)), q), amplification_of(epsilon, Fraction(high), q)
    least, most = fourier_delta(poisson(sigma, q * inner), amplified[0].epsilon.upper_float)
    slack = 1e-9
    assert least <= amplified[1].delta.upper_float and amplified[0].delta.lower_float - slack <= most
    add_high = fourier_delta(poisson(sigma, inner, reversed=True), epsilon)[1]
    both = amplification_of(epsilon, Fraction(max(high, add_high)), q)
    assert fourier_delta(poisson(sigma, q * inner, reversed=True), both.epsilon.upper_float)[0] <= both.delta.upper_float


def amplification_of(epsilon, delta, q):
    """(log(1 + q(e^ε − 1)), qδ) (Balle, Barthe & Gaboardi 2018, Theorem 8)."""
    loss = certified(lambda: (ball(q) * ball(epsilon).expm1()).log1p())
    return composition.ApproximateGuarantee(loss, certified(lambda: ball(q) * ball(delta)))


@LAWS
@given(products(), st.integers(4, 128).map(lambda i: Fraction(i, 64)), fractions("0.001", "0.1"))
def test_composition_theorems_lie_above_delta(product, epsilon, slack):
    both = [
        Product(tuple(Factor(f.pair, 1, f.reversed) for f in product.factors), *rest_of(product))
        for product in (product, mirrored(product))
    ]
    delta = Fraction(max(fourier_delta(single, epsilon)[1] for single in both))
    for count in (2, 5):
        whole = Product(tuple(Factor(f.pair, count, f.reversed) for f in both[0].factors), *rest_of(product))
        guarantees = [composition.advanced_composition_of(epsilon, delta, count, slack, constant) for constant in ("printed", "sharp")]
        for guarantee in guarantees:
            assert fourier_delta(whole, guarantee.epsilon.upper_float)[0] <= guarantee.delta.upper
        worst = m.Repeated(EpsilonDelta(epsilon, delta), count)
        for total in (epsilon, count * epsilon / 2):
            assert fourier_delta(whole, total)[0] <= accounting.delta(worst, total).enclosure.upper


def mirrored(product):
    return Product(tuple(Factor(f.pair, f.steps, not f.reversed) for f in product.factors), *rest_of(product))


def rest_of(product):
    return product.relation, product.direction, product.guarantee


@LAWS
@given(fractions("1", "4"), fractions("0.05", "0.5"), st.integers(2, 5))
def test_sampling_without_replacement_lies_above_the_mixtures_on_both_sides(sigma, q, alpha):
    mechanism = m.Sampled(m.Gaussian(2 * sigma), m.PoissonSampling(q))
    (product,) = pairs.dominating_pairs(mechanism, "substitute")
    bound = amplification.without_replacement_renyi_of(curves.GaussianCurve(2 * sigma, 2), q, alpha)
    assert fourier_divergence(product, alpha)[0] <= bound.upper


def test_the_slack_is_far_below_what_is_compared():
    """A bound that is one percent too low is noticed."""
    product = poisson(Fraction(3, 2), Fraction(1, 5), 4)
    low, high = fourier_delta(product, 1)
    assert 0 < high - low <= low / 1000
    bounds = delta_bounds(product, 1.0)
    assert not 0.99 * bounds.upper >= low and not 1.01 * bounds.lower <= high
    least, most = fourier_divergence(poisson(Fraction(3, 2), Fraction(1, 5)), 3)
    exact = curves.PoissonGaussianCurve("1.5", "0.2").certified_divergence(3)
    assert least <= exact.upper and exact.lower <= most and not 0.99 * exact.upper_float >= least
