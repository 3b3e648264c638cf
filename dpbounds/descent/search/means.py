"""Untrusted: polynomials above or below a factor of the terms of a law, whose mean is then one of moments.

A law is C(n, k)·r^k, with mean n·r/(1 + r) and variance n·r/(1 + r)², or r^k/k!, with mean and variance r. For a concave factor f, the
tangent at the mean μ gives E f(K) ≤ f(μ), and for a convex one E f(K) ≥ f(μ): Jensen's inequality. For a linear g,
|g(k)| ≤ (g(k)²/s + s)/2 with s² = g(μ)² + g'²·V gives E|g(K)| ≤ s.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sympy

from dpbounds.descent.integrals.sums import SumOrIntegral, is_coefficient, is_factorial
from dpbounds.descent.problem import Problem
from dpbounds.descent.refusal import DescentRefused
from dpbounds.descent.search.closing import geometric
from dpbounds.descent.written import expression_of, row_of


def polynomials_of(problem: Problem, bound: SumOrIntegral) -> Iterator[tuple[int, Any]]:
    """The place of a factor beside a law, and the row of a polynomial of degree 1 or 2 in its place."""
    factors, k = list(sympy.Mul.make_args(bound.term)), sympy.Symbol(bound.name, positive=True)
    counts = [e for e in factors if is_coefficient(e, bound.name) or is_factorial(e, bound.name)]
    places = [at for at, e in enumerate(factors) if any(s.name == bound.name for s in e.free_symbols) and e not in counts]
    others = [at for at in places if _series([factors[at]], k) is None]
    if len(counts) != 1 or len(others) != 1 or bound.low != 0:
        return
    found = _series([factors[at] for at in places if at not in others], k)
    if found is None:
        return
    ratio = _positive(expression_of(found[1], problem.box))
    mean = variance = ratio
    if isinstance(counts[0], sympy.binomial):
        n = _positive(counts[0].args[0])
        mean, variance = (sympy.factor(sympy.cancel(n * ratio / (1 + ratio) ** d)) for d in (1, 2))
    f = _positive(factors[others[0]])
    for polynomial in near(f, k, mean, variance):
        try:
            yield others[0], row_of(polynomial)
        except DescentRefused:  # no value at the mean
            continue


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


def _series(factors: list[sympy.Expr], k: sympy.Symbol) -> tuple[Any, Any] | None:
    """The first term and the ratio of what seems to be a geometric series."""
    try:
        return geometric(sympy.Mul(*factors), k)
    except (DescentRefused, ValueError, TypeError, AttributeError):
        return None


def _positive(e: sympy.Expr) -> sympy.Expr:
    return e.xreplace({s: sympy.Symbol(s.name, positive=True) for s in e.free_symbols})
