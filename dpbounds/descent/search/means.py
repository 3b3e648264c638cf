"""Untrusted: polynomials above or below a factor of the terms of a law, whose mean is then one of moments.

For a concave factor f, the
tangent at the mean μ gives E f(K) ≤ f(μ), and for a convex one E f(K) ≥ f(μ): Jensen's inequality. For a linear g,
|g(k)| ≤ (g(k)²/s + s)/2 with s² = g(μ)² + g'²·V gives E|g(K)| ≤ s.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sympy


def near(f: Any, k: Any, mean: Any, variance: Any) -> Iterator[Any]:
    """What may be above or below f at k on average, for a mean and a variance.

    >>> k, m = sympy.symbols("k m", positive=True)
    >>> list(near(sympy.sqrt(k), k, m, m))
    [k/(2*sqrt(m)) + sqrt(m)/2]
    """
    if isinstance(f, sympy.Abs):
        g = f.args[0]
        slope = sympy.diff(g, k)
        if not slope.has(k):
            size = sympy.sqrt(sympy.factor(sympy.expand(g.subs(k, mean)) ** 2 + slope**2 * variance))
            yield _by_powers(sympy.expand(g**2) / (2 * size) + size / 2, k)
    elif not f.is_polynomial(k):
        yield _by_powers(f.subs(k, mean) + sympy.diff(f, k).subs(k, mean) * (k - mean), k)


def _by_powers(e: sympy.Expr, k: sympy.Symbol) -> sympy.Expr:
    """A polynomial in k as a sum of powers of k with factors."""
    return sympy.Add(*(sympy.factor(c) * k**d for (d,), c in sympy.Poly(e, k).terms()))
