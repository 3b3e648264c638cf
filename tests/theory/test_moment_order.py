"""The order of D_λ of the sampled Gaussian: the derived bounds against the moment itself, and a step that must have no proof."""

import math
from fractions import Fraction

import pytest
import sympy
from flint import arb

from dpbounds.numbers.balls import ball, precision
from dpbounds.prover import rules
from dpbounds.renyi.poisson_gaussian import divergence
from dpbounds.theory.sampling import moment_order
from tests.prover.wrong import without_document

POINTS = [
    (2, Fraction(1), Fraction(1, 10)),
    (4, Fraction(1), Fraction(1, 4)),
    (30, Fraction(3), Fraction(1, 2)),
    (100, Fraction(10), Fraction(1, 10)),
]


@pytest.mark.parametrize("order, sigma, rate", POINTS)
def test_the_divergence_lies_between_the_derived_bounds(order, sigma, rate):
    with precision(120):
        value = divergence(Fraction(order - 1), sigma, rate, 80)
        leading = ball(order * rate**2 / (2 * sigma**2))
        share, noise_share = ball(order / sigma**2), ball(order * rate / sigma)
        radius = noise_share * ((1 + share / 2).exp() - 1)
        assert leading <= value <= leading * ((radius * radius / 2).exp() + (2 + share).exp())


@pytest.mark.parametrize("order, sigma, rate", POINTS)
def test_the_second_order_bound_is_above_the_moment(order, sigma, rate):
    with precision(120):
        moment = (ball(order - 1) * divergence(Fraction(order - 1), sigma, rate, 80)).exp()
        rest = arb(0)
        for j in range(order - 1):
            weight = ball(math.comb(order - 2, j))
            growth = (ball(Fraction((j + 1) * (j + 2)) / (2 * sigma**2))).exp()
            rest += weight * ball(rate) ** j * ball(1 - rate) ** (order - 2 - j) * growth
        assert moment <= 1 + ball(order * (order - 1) * rate**2 / (2 * sigma**2)) * rest


@pytest.mark.parametrize("sigma", [Fraction(10), Fraction(100)])
def test_the_limit_bound_closes_in_on_the_limit(sigma):
    """With A = 11/10, a = c = 1, s and K as the claim suggests, the bound falls to e^{A²/2}."""
    with precision(200):
        edge, slope, radius = ball(Fraction(11, 10)), ball(Fraction(1, 10)), ball(4)
        gap, last = slope * edge - (slope.exp() - 1), radius - ((ball(Fraction(3, 2))).exp() - 1)
        assert gap > 0 and last > 0
        bound = (edge**2 / 2).exp() + (radius**2 / 2 - ball(sigma) * gap).exp() + (-ball(sigma) * last).exp()
        order = int(sigma**2)
        assert (ball(order - 1) * divergence(Fraction(order - 1), sigma, 1 / sigma, 80)).exp() <= bound


def test_half_of_the_bound_has_no_proof():
    x, exponent = moment_order.X, moment_order.EXPONENT
    at = rules.instance(rules.convex_tangent(sympy.exp(x), x, exponent), {x: sympy.S.Zero})
    assert without_document(rules.restate(rules.le(sympy.exp(exponent), 1 + exponent * sympy.exp(exponent) / 2), at))
