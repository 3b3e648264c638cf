"""Conjecture 1 of the blog of 2019 in numbers: where averages keep the order of their pairs and where not, at real orders.

D_lambda(average of p_i || average of q_i) <= D_lambda(average of mu_i || average of nu_i) is asked for whenever each (p_i, q_i) is at
most as far apart as (mu_i, nu_i). Values of the library are certified; mixtures that it has no pair for come from a trapezoid rule,
whose error is far below the gaps that are asserted.
"""

from fractions import Fraction

import numpy as np
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from dpbounds.mechanisms import Direction, FiniteTable
from dpbounds.plots.averages import averaged
from dpbounds.renyi import renyi_divergence
from dpbounds.renyi.curves import GaussianCurve, PoissonGaussianCurve

LAWS = settings(max_examples=25, deadline=None, derandomize=True)
FAIR = (Fraction(1, 2), Fraction(1, 2))


def fractions(low, high, places=400):
    return st.integers(0, places).map(lambda i: Fraction(low) + (Fraction(high) - Fraction(low)) * Fraction(i, places))


orders = fractions("1.01", "40")
sigmas, rates = fractions("0.6", "5"), fractions("0.02", "0.9")


def table_divergence(p, q, order):
    return renyi_divergence(FiniteTable(list(p), list(q)), order, digits=10, direction=Direction.REMOVE).enclosure


def mixture_divergence(p, q, sigma, order):
    """D of two mixtures of Gaussians, given as (weight, place): sum over the nodes of a trapezoid rule, in logarithms."""
    places = [place for _, place in (*p, *q)]
    reach = 12 * sigma + 2 * order * (max(places) - min(places))
    x = np.linspace(min(places) - reach, max(places) + reach, 40_001)

    def log_density(mixture):
        exponents = [np.log(weight) - (x - place) ** 2 / (2 * sigma**2) for weight, place in mixture if weight > 0]
        return np.logaddexp.reduce(exponents, axis=0) - np.log(sigma * np.sqrt(2 * np.pi))

    height = order * log_density(p) - (order - 1) * log_density(q)
    top = height.max()
    return (top + np.log(np.exp(height - top).sum() * (x[1] - x[0]))) / (order - 1)


@LAWS
@given(orders, sigmas, rates)
def test_the_trapezoid_rule_gives_the_certified_values(order, sigma, rate):
    p, q = [(float(rate), 1.0), (1 - float(rate), 0.0)], [(1.0, 0.0)]
    exact = PoissonGaussianCurve(sigma, rate).certified_divergence(order)
    found = mixture_divergence(p, q, float(sigma), float(order))
    slack = 1e-8 * (1 + found)
    assert found - slack <= exact.upper and exact.lower <= found + slack


@LAWS
@given(orders, fractions("0.55", "0.95"), fractions("0.02", "0.9"))
def test_two_coins_refute_it_with_every_premise_and_the_conclusion_strict(order, heads, share):
    """p twice the same coin; mu that coin made heavier, and its mirror image made heavier: farther apart each, closer on average."""
    assume(heads < 1)
    heavier = heads + share * (min(3 * heads - 1, Fraction(1)) - heads)
    assume(heads < heavier < min(3 * heads - 1, Fraction(1)))
    p, mu, mirror = (heads, 1 - heads), (heavier, 1 - heavier), (1 - heads, heads)
    heavier_mirror = (1 - (heads + heavier) / 2, (heads + heavier) / 2)
    assert table_divergence(p, FAIR, order).upper < table_divergence(mu, FAIR, order).lower
    assert table_divergence(mirror, FAIR, order).upper < table_divergence(heavier_mirror, FAIR, order).lower
    closer, farther = averaged([(p, FAIR), (p, FAIR)]), averaged([(mu, FAIR), (heavier_mirror, FAIR)])
    assert table_divergence(closer.p, closer.q, order).lower > table_divergence(farther.p, farther.q, order).upper


@LAWS
@given(orders, sigmas)
def test_gaussian_mixtures_refute_it_at_every_real_order(order, sigma):
    """p = N(0) twice and mu = N(0), N(1), all against the even mixture: equal divergences, but mu averages to the mixture itself."""
    each = PoissonGaussianCurve(sigma, Fraction(1, 2), Direction.ADD).certified_divergence(order)
    even = [(0.5, 0.0), (0.5, 1.0)]
    for place in (0.0, 1.0):
        found = mixture_divergence([(1.0, place)], even, float(sigma), float(order))
        assert abs(found - each.lower_float) <= 1e-8 * (1 + found)
    assert each.lower > 0
    assert abs(mixture_divergence(even, even, float(sigma), float(order))) <= 1e-9 < each.lower_float


@LAWS
@given(fractions("1.01", "6"), fractions("1", "3"), fractions("0.1", "1"))
def test_gaussian_mixtures_refute_it_strictly(order, sigma, share):
    """p = N(d) twice, mu = N(d + d/4) and N(-d - d/4), all against N(0): farther apart each by a quarter, closer on average."""
    away = share * min(sigma / 4, sigma**2 / (2 * order))
    d, noise, at = float(away), float(sigma), float(order)
    zero = [(1.0, 0.0)]
    p, mu = GaussianCurve(sigma, away).certified_divergence(order), GaussianCurve(sigma, away * Fraction(5, 4)).certified_divergence(order)
    assert p.upper < mu.lower
    averaged_mu = mixture_divergence([(0.5, 1.25 * d), (0.5, -1.25 * d)], zero, noise, at)
    assert averaged_mu < 0.9 * p.lower_float


@LAWS
@given(orders, sigmas, fractions("0.05", "2"), rates)
def test_sampling_keeps_the_order_of_gaussian_pairs(order, sigma, more, rate):
    """One second law: less noise is farther at every hockey stick, so sampled pairs stay in order at every real order, strictly."""
    closer, farther = (PoissonGaussianCurve(noise, rate) for noise in (sigma + more, sigma))
    assert closer.certified_divergence(order).upper < farther.certified_divergence(order).lower


@LAWS
@given(orders, sigmas, rates, rates)
def test_sampling_keeps_the_order_of_mixtures(order, sigma, first, second):
    low, high = sorted((first, second))
    assume(low < high)
    for side in (Direction.REMOVE, Direction.ADD):
        closer, farther = (PoissonGaussianCurve(sigma, rate, side).certified_divergence(order) for rate in (low, high))
        assert closer.upper < farther.lower < GaussianCurve(sigma).certified_divergence(order).upper


@LAWS
@given(orders, sigmas, rates)
def test_an_average_is_closer_than_the_mean_of_the_moments(order, sigma, rate):
    """Claim 24, strict inside: log of the mean of the moments, which lies below the largest divergence."""
    exact, whole = PoissonGaussianCurve(sigma, rate).certified_divergence(order), GaussianCurve(sigma).certified_divergence(order)
    t, d = float(order) - 1, whole.upper_float
    mean = (t * d + np.log(float(rate) + (1 - float(rate)) * np.exp(-t * d))) / t
    assert exact.upper_float < mean * (1 + 1e-12) and mean < d


@LAWS
@given(orders, st.lists(st.tuples(*(st.integers(1, 9),) * 6), min_size=2, max_size=4))
def test_the_average_lies_below_the_largest_pair(order, weights):
    """Quasi-convexity, what is left of the conjecture for every pair: averages are at most as far apart as the farthest pair."""
    tables = [tuple(tuple(Fraction(x, sum(row)) for x in row) for row in (six[:3], six[3:])) for six in weights]
    assume(all(p != q for p, q in tables))
    mean = averaged(tables)
    assume(mean.p != mean.q)
    largest = max(table_divergence(p, q, order).upper for p, q in tables)
    assert table_divergence(mean.p, mean.q, order).lower <= largest
