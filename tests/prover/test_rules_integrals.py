"""Rules for integrals over the line: a reflection keeps them, and an inequality between mirrored sums is one between halves."""

import mpmath
import pytest
from sympy import Eq, Integral, Rational, Symbol, exp, lambdify, oo

from dpbounds.errors import DerivationError
from dpbounds.prover import rules

x, y = Symbol("x", real=True), Symbol("y", real=True)
c = Symbol("c", positive=True)
FIRST, SECOND = exp(-(x**2)), exp(-((1 - x) ** 2))


def test_reflection_substitutes():
    fact = rules.reflect_integral(FIRST, x, 1)
    assert fact.statement == Eq(Integral(FIRST, (x, -oo, oo)), Integral(SECOND, (x, -oo, oo)), evaluate=False)
    assert fact.points > 0


@pytest.mark.parametrize("integrand, total", [(x * FIRST, 1), (FIRST - SECOND, 1), (FIRST, x), (FIRST, 1 / y)])
def test_reflection_needs_a_sign_and_a_constant(integrand, total):
    with pytest.raises(DerivationError):
        rules.reflect_integral(integrand, x, total)


def test_another_scale_keeps_the_integral():
    fact = rules.rescale_integral(SECOND, x, c)
    assert fact.statement == Eq(Integral(SECOND, (x, -oo, oo)), Integral(c * exp(-((1 - c * x) ** 2)), (x, -oo, oo)), evaluate=False)
    assert fact.points > 0
    with mpmath.workdps(20):
        sides = [lambdify((x, c), side.function, "mpmath") for side in (fact.lhs, fact.rhs)]
        first, second = (mpmath.quad(lambda t, f=f: f(t, mpmath.mpf(3) / 2), [-mpmath.inf, 0, 1, mpmath.inf]) for f in sides)
        assert abs(first - second) < 1e-15


@pytest.mark.parametrize(
    "integrand, factor", [(x * FIRST, 2), (FIRST - SECOND, 2), (FIRST, x), (FIRST, 1 / y), (FIRST, -c), (FIRST, 0), (FIRST, y)]
)
def test_another_scale_needs_a_sign_and_a_positive_constant(integrand, factor):
    with pytest.raises(DerivationError):
        rules.rescale_integral(integrand, x, factor)


def pointwise():
    """0 ≤ SECOND·FIRST² + FIRST·SECOND², which is its own mirror image."""
    return rules.restate(rules.le(FIRST + SECOND, 2 * FIRST + 2 * SECOND), rules.nonnegative(FIRST + SECOND))


def test_mirrored_sides_are_halved():
    fact = rules.integrate_mirrored(pointwise(), x, 1, FIRST, 2 * FIRST)
    assert fact.statement == rules.le(Integral(FIRST, (x, -oo, oo)), Integral(2 * FIRST, (x, -oo, oo)))
    assert fact.points > 0


@pytest.mark.parametrize(
    "total, small, large",
    [(2, FIRST, 2 * FIRST), (1, 2 * FIRST, 2 * FIRST), (1, FIRST, 3 * FIRST), (1, FIRST + x - Rational(1, 2), 2 * FIRST)],
)
def test_both_sides_are_a_term_and_its_mirror_image(total, small, large):
    """The last term adds an odd function about 1/2: the sum is right, but the integral of the term is not defined."""
    with pytest.raises(DerivationError):
        rules.integrate_mirrored(pointwise(), x, total, small, large)


def test_the_inequality_must_hold_everywhere():
    only_here = rules.restate(rules.le(FIRST + SECOND, 2 * FIRST + 2 * SECOND), pointwise(), [x >= 1])
    with pytest.raises(DerivationError, match="for every"):
        rules.integrate_mirrored(only_here, x, 1, FIRST, 2 * FIRST)
    with pytest.raises(DerivationError):
        rules.integrate_mirrored(pointwise(), c, 1, FIRST, 2 * FIRST)
