"""Claims with Σ_{k=s}^n C(n, k)·f(k)·c·x^k·y^{n−k}, with its closed form, or that of a polynomial above or below f.

The closed form is known where f is a polynomial of degree 2 at most, or 1/(k + 1). Jensen's inequality gives the polynomial. Nothing here
is believed.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sympy

from dpbounds.claims.claim import Claim
from dpbounds.claims.evidence.binomial_rows import at_one_place
from dpbounds.claims.evidence.powers import stated
from dpbounds.language.functions import with_replaced

INDEX = sympy.Symbol("kk", integer=True, nonnegative=True)
"""The variable of f ≤ P."""
_MOST_LEFT_OUT = 2
"""Terms that a sum lacks at its start."""


@dataclass(frozen=True)
class ClosedRow:
    """A claim with such a sum.

    Attributes:
        total: the sum.
        row: the sum that has the closed form.
        base: x, y and c.
        factors: what multiplies Σ g(k)·C(n, k)·x^k·y^{n−k} from 0 on for g = 1, k, k(k − 1) and 1/(k + 1).
        left: the claim with the closed form.
        term: f ≤ P, or P ≤ f, for a polynomial P in the place of f, what stands for its variables, and the first
            k that it speaks of; P is f before. None where f has a closed form.
    """

    total: Any
    row: Any
    base: tuple[Any, Any, Any]
    factors: tuple[Any, ...]
    left: Claim
    term: tuple[Claim, Mapping[str, Any], int] | None = None


def closed_rows(claim: Claim) -> Iterator[ClosedRow]:
    """The ways to read a claim so.

    >>> n, k = sympy.Symbol("n", integer=True, positive=True), sympy.Symbol("k", integer=True, nonnegative=True)
    >>> q = sympy.Symbol("q", positive=True)
    >>> law = sympy.binomial(n, k) * q**k * (1 - q) ** (n - k)
    >>> (way,) = closed_rows(Claim(id="a", then=sympy.Sum(law, (k, 1, n)) <= n * q))
    >>> way.left.then
    1 - (1 - q)**n <= n*q
    >>> way, *_ = closed_rows(Claim(id="a", then=sympy.Sum(law * sympy.sqrt(k), (k, 0, n)) <= sympy.sqrt(n * q)))
    >>> way.term[0].then
    sqrt(kk) <= kk/(2*sqrt(n)*sqrt(q)) + sqrt(n)*sqrt(q)/2
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
    (x, y, weight, f), whole = read, sympy.binomial(n, k)
    values = _moments(f, k)
    if values is not None:
        yield _closed(claim, sums[0], sums[0], (x, y, weight), tuple(weight * c for c in values))
        return
    if low != 0:
        return
    mean, variance = (sympy.factor(sympy.cancel(n * x * y ** (d - 1) / (x + y) ** d)) for d in (1, 2))
    tangents = ((polynomial, 0) for polynomial in near(f, k, mean, variance))
    for polynomial, start in itertools.chain(tangents, _through(f, k)):
        values = _moments(polynomial, k)
        if values is not None:
            row = sympy.Sum(sympy.Mul(whole, x**k, y ** (n - k), weight, polynomial), (k, low, n))
            own = tuple(weight * c for c in values)
            yield _closed(claim, sums[0], row, (x, y, weight), own, _term(claim, (f, polynomial), (k, n), start))


def near(f: Any, k: Any, mean: Any, variance: Any) -> Iterator[Any]:
    """What may be above or below f at k on average, for a mean μ and a variance V: the tangent at μ, and (g²/s + s)/2 with
    s² = g(μ)² + g′²·V for |g| with a linear g.

    >>> k, m = sympy.symbols("k m", positive=True)
    >>> list(near(sympy.sqrt(k), k, m, m))
    [k/(2*sqrt(m)) + sqrt(m)/2]
    """
    if isinstance(f, sympy.Abs):
        g = f.args[0]
        slope = sympy.diff(g, k)
        if not slope.has(k):
            size = sympy.sqrt(sympy.factor(sympy.expand(g.subs(k, mean)) ** 2 + slope**2 * variance))
            yield _in_powers(sympy.expand(g**2) / (2 * size) + size / 2, k)
    elif not f.is_polynomial(k):
        yield _in_powers(f.subs(k, mean) + sympy.diff(f, k).subs(k, mean) * (k - mean), k)


def _in_powers(e: sympy.Expr, k: sympy.Symbol) -> sympy.Expr:
    """A polynomial in k as a sum of powers of k with factors."""
    return sympy.Add(*(sympy.factor(c) * k**d for (d,), c in sympy.Poly(e, k).terms()))


def _through(f: Any, k: Any) -> Iterator[tuple[Any, int]]:
    """The polynomials through the values at 0 and 1, and at 2, and where f may be above or below them."""
    first, second, third = (f.subs(k, i) for i in range(3))
    line = first + (second - first) * k
    if not any(e.has(sympy.zoo, sympy.nan) for e in (first, second, third)):
        yield line, 1
        yield line + (third - 2 * second + first) * k * (k - 1) / 2, 2


def _term(claim: Claim, pair: tuple[Any, Any], row: tuple[Any, Any], start: int) -> tuple[Claim, Mapping[str, Any], int]:
    """f ≤ P or P ≤ f from a number on, and what stands for its variables; for |b| with a square in P, that of a square."""
    k, n = row
    f, polynomial = (e.subs(k, INDEX) for e in pair)
    if isinstance(f, sympy.Abs) and start == 0:
        size = polynomial.subs(INDEX, sympy.solve(f.args[0], INDEX)[0]) * 2
        return at_one_place("abs"), {"b": f.args[0], "t": size}, 0
    sides = (f, polynomial) if claim.then.lts.has(sympy.Sum) else (polynomial, f)
    then = sympy.Le(*sides, evaluate=False)
    ends = [sympy.Ge(INDEX, start, evaluate=False)] if start else []
    ends += [sympy.Le(INDEX, n, evaluate=False)] if then.has(n) else []
    return stated(claim, then, [*(p for p in claim.given if p.free_symbols <= then.free_symbols), *ends]), {}, start


def _closed(claim: Claim, total: Any, row: Any, base: tuple[Any, Any, Any], factors: tuple[Any, ...], term: Any = None) -> ClosedRow:
    ((_, low, n),), (x, y, _) = total.limits, base
    whole = x + y
    moments = [whole**n, n * x * whole ** (n - 1), n * (n - 1) * x**2 * whole ** (n - 2)]
    moments.append((whole ** (n + 1) - y ** (n + 1)) / ((n + 1) * x) if factors[3] != 0 else sympy.S.Zero)
    value = sympy.Add(*(c * m for c, m in zip(factors, moments, strict=True) if c != 0))
    for i in range(int(low)):
        value -= (factors[0] + i * factors[1] + factors[3] / (i + 1)) * (1, n)[i] * x**i * y ** (n - i)
    return ClosedRow(total, row, base, factors, stated(claim, with_replaced(claim.then, {total: value})), term)


def _moments(f: Any, k: Any) -> Sequence[Any] | None:
    """The factors of 1, k, k(k − 1) and 1/(k + 1) in f; None where it is something else."""
    if not (f * (k + 1)).has(k):
        return sympy.S.Zero, sympy.S.Zero, sympy.S.Zero, f * (k + 1)
    if not f.is_polynomial(k) or sympy.degree(f, k) > 2:
        return None
    a, b, c = (sympy.Poly(f, k).coeff_monomial(k**d) for d in range(3))
    return a, b + c, c, sympy.S.Zero


def _read(term: Any, k: Any, n: Any) -> tuple[Any, Any, Any, Any] | None:
    """x, y, c and f."""
    x = y = weight = rest = sympy.S.One
    rows = 0
    for factor in _factors_of(term):
        base, exponent = factor.as_base_exp() if not isinstance(factor, sympy.exp) else (sympy.E, factor.args[0])
        slope = sympy.expand(exponent).coeff(k)
        first = sympy.expand(exponent - slope * k)
        if factor == sympy.binomial(n, k):
            rows += 1
        elif not factor.has(k):
            weight *= factor
        elif base is sympy.E and not slope.has(k) and not first.has(k):
            x, weight = x * sympy.exp(slope), weight * sympy.exp(first)
        elif not base.has(k) and (slope, first) == (1, 0):
            x *= base
        elif not base.has(k) and (slope, first) == (-1, n):
            y *= base
        else:
            rest *= factor
    return (x, y, weight, rest) if rows == 1 else None


def row_with(term: Any, k: Any, n: Any) -> tuple[Any, Any, Any] | None:
    """x, y and c of a term c·C(n, k)·x^k·y^{n−k}; None of others."""
    read = _read(term, k, n)
    return (*read[:2], read[2] * read[3]) if read is not None and not read[3].has(k) else None


def _factors_of(e: Any) -> list[Any]:
    return [own for part in e.args for own in _factors_of(part)] if e.is_Mul else [e]
