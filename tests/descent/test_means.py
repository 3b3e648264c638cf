"""Means of laws by polynomials."""

from __future__ import annotations

import mpmath
import sympy

from dpbounds.descent.search.means import near


def test_the_tangent_of_a_concave_function_is_at_the_mean():
    """Against the mean and the value of the function there, by mpmath."""
    x = sympy.Symbol("x", positive=True)
    (line,) = near(sympy.log(2 + x), x, sympy.Integer(3), sympy.Integer(3))
    law = [mpmath.exp(-3) * mpmath.mpf(3) ** j / mpmath.factorial(j) for j in range(80)]
    assert abs(sum(p * float(line.subs(x, j)) for j, p in enumerate(law)) - mpmath.log(5)) < 1e-12
    assert all(float(line.subs(x, j)) >= mpmath.log(2 + j) - 1e-12 for j in range(80))


def test_a_size_is_below_a_parabola_with_the_deviation_as_mean():
    x, m, v = sympy.symbols("x m v", positive=True)
    (bound,) = near(sympy.Abs(x - m), x, m, v)
    assert sympy.simplify(bound - ((x - m) ** 2 / sympy.sqrt(v) + sympy.sqrt(v)) / 2) == 0
