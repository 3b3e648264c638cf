"""Universal premises at a point: true only where they surely hold everywhere."""

from __future__ import annotations

import sympy

from dpbounds.claims.quantified import holds_at
from dpbounds.functions import RenyiDivergence
from dpbounds.quantifiers import ForAll
from dpbounds.symbols import bernoulli, positive

alpha, rho, u = positive("alpha rho u")
HALF, THIRD = sympy.Rational(1, 2), sympy.Rational(1, 3)


def zcdp(p, q, condition):
    return ForAll(alpha, condition, RenyiDivergence(alpha, p, q) <= alpha * rho)


def test_equal_tables_on_an_unbounded_range():
    assert holds_at(zcdp(sympy.Tuple(1), sympy.Tuple(1), alpha > 1), {rho: 1}) is True


def test_a_range_where_the_divergence_is_undefined_is_not_accepted():
    assert holds_at(zcdp(sympy.Tuple(1), sympy.Tuple(1), alpha > 0), {rho: 1}) is None


def test_a_bounded_range_is_covered():
    bounded = sympy.And(alpha > 1, alpha <= u)
    pair = bernoulli(2 * THIRD), bernoulli(THIRD)
    assert holds_at(zcdp(*pair, bounded), {rho: HALF / 2, u: 10}) is True
    assert holds_at(zcdp(*pair, bounded), {rho: HALF / 3, u: 10}) is None


def test_an_unbounded_range_without_an_evaluation_is_left_open():
    assert holds_at(zcdp(bernoulli(2 * THIRD), bernoulli(THIRD), alpha > 1), {rho: 1}) is None
