"""Claims with Σ_{k=s}^n C(n, k)·P(k)·c·x^k·y^{n−k}, P of degree at most 2 or 1/(k + 1), with its closed form.

Nothing here is believed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import sympy

from dpbounds.claims.claim import Claim
from dpbounds.claims.evidence.powers import stated
from dpbounds.language.functions import with_replaced

_MOST_LEFT_OUT = 2
"""Terms that a sum lacks at its start."""


@dataclass(frozen=True)
class ClosedRow:
    """A claim with such a sum.

    Attributes:
        total: the sum.
        base: x and y.
        factors: what multiplies the sums of C(n, k)·x^k·y^{n−k} times 1, k, k(k − 1) and 1/(k + 1) from 0 on.
        left: the claim with the closed form.
    """

    total: Any
    base: tuple[Any, Any]
    factors: tuple[Any, Any, Any, Any]
    left: Claim


def closed_rows(claim: Claim) -> Iterator[ClosedRow]:
    """The way to read a claim so.

    >>> n, k = sympy.Symbol("n", integer=True, positive=True), sympy.Symbol("k", integer=True, nonnegative=True)
    >>> q = sympy.Symbol("q", real=True)
    >>> law = sympy.Sum(sympy.binomial(n, k) * q**k * (1 - q) ** (n - k), (k, 1, n))
    >>> [way.left.then for way in closed_rows(Claim(id="a", then=law <= n * q))]
    [1 - (1 - q)**n <= n*q]
    """
    then = claim.then
    if claim.families or not isinstance(then, (sympy.Le, sympy.Ge)):
        return
    sums = list(then.atoms(sympy.Sum))
    if len(sums) != 1 or len(sums[0].limits) != 1:
        return
    ((k, low, n),) = sums[0].limits
    if not (low.is_Integer and 0 <= low <= _MOST_LEFT_OUT and n.is_Symbol and n.is_integer and n.is_positive):
        return
    read = _read(sums[0].function, k, n)
    if read is None:
        return
    x, y, weight, (polynomial, shared) = read
    c = [weight * polynomial.coeff_monomial(k**d) for d in (0, 1, 2)]
    factors = (0, 0, 0, c[0]) if shared else (c[0], c[1] + c[2], c[2], sympy.S.Zero)
    whole = x + y
    value = factors[0] * whole**n + factors[1] * n * x * whole ** (n - 1) + factors[2] * n * (n - 1) * x**2 * whole ** (n - 2)
    value += factors[3] * (whole ** (n + 1) - y ** (n + 1)) / ((n + 1) * x)
    for i in range(int(low)):
        value -= weight * polynomial.eval(i) * (1, n)[i] * x**i * y ** (n - i) / (i + 1 if shared else 1)
    yield ClosedRow(sums[0], (x, y), factors, stated(claim, with_replaced(then, {sums[0]: value})))


def _read(term: Any, k: Any, n: Any) -> tuple[Any, Any, Any, Any] | None:
    """x, y, c, and P with whether 1/(k + 1) stands beside it."""
    x = y = weight = polynomial = sympy.S.One
    rows = shares = 0
    for factor in _factors_of(term):
        base, exponent = factor.as_base_exp() if not isinstance(factor, sympy.exp) else (sympy.E, factor.args[0])
        slope = sympy.expand(exponent).coeff(k)
        first = sympy.expand(exponent - slope * k)
        if factor == sympy.binomial(n, k):
            rows += 1
        elif factor == 1 / (k + 1):
            shares += 1
        elif not factor.has(k):
            weight *= factor
        elif base is sympy.E and not slope.has(k) and not first.has(k):
            x, weight = x * sympy.exp(slope), weight * sympy.exp(first)
        elif not base.has(k) and (slope, first) == (1, 0):
            x *= base
        elif not base.has(k) and (slope, first) == (-1, n):
            y *= base
        elif factor.is_polynomial(k):
            polynomial *= factor
        else:
            return None
    polynomial = sympy.Poly(polynomial, k)
    fits = polynomial.degree() <= 2 if shares == 0 else (shares, polynomial.degree()) == (1, 0)
    return (x, y, weight, (polynomial, shares == 1)) if rows == 1 and fits else None


def row_with(term: Any, k: Any, n: Any) -> tuple[Any, Any, Any] | None:
    """x, y and c of a term c·C(n, k)·x^k·y^{n−k}; None of others."""
    read = _read(term, k, n)
    return (*read[:2], read[2] * read[3][0].as_expr()) if read is not None and read[3][0].degree() <= 0 and not read[3][1] else None


def _factors_of(e: Any) -> list[Any]:
    return [own for part in e.args for own in _factors_of(part)] if e.is_Mul else [e]
