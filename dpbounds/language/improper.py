"""Integrals over unbounded ranges, or up to an end where the integrand has no value: a finite part by ball arithmetic, and a bound of
what lies beyond it (`language.tails`).

    ∫ f over [T, ∞) lies within ± Σ ∫ mᵢ over [T, ∞), for monomials with |f| ≤ Σ mᵢ there.
    ∫ f over (a, a + e^{−T}] = ∫ f(a + e^{−y})·e^{−y} dy over [T, ∞).

T grows until that is less than what is asked for, or has grown enough. Where the tail cannot be bounded there is no value.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence

import sympy
from flint import arb

from dpbounds.errors import LanguageError
from dpbounds.language.functions import NormalCDF
from dpbounds.language.programs import compile_expression
from dpbounds.language.substitution import replaced, substituted
from dpbounds.language.tails import TailError, magnitude, parameters, sign_of

Total = Callable[..., arb]
Variables = tuple[sympy.Symbol, ...]
_MOST_EXPANDED = 60
"""The highest power of a sum that is multiplied out for a tail."""
_CUTS = tuple(2**k for k in range(3, 15))
_NEAR = tuple(2**k for k in range(2, 9))
_TERMS = tuple(2**k for k in range(3, 12))
"""Beyond so much, finite parts take longer than they are worth."""


def with_tails(
    finite: Total,
    integrand: sympy.Expr,
    variable: sympy.Symbol,
    infinite: tuple[bool, bool],
    variables: Variables,
    goal_of: Callable[[Sequence[arb]], arb],
) -> Total:
    """An integral with one or two infinite limits as a function of (low, high, *values); an infinite limit's ball is not read.

    Args:
        finite: the integral over a finite range, a function of (low, high, *values).
        integrand: in `variable`.
        variable: what is integrated over.
        infinite: whether the lower and the upper limit are infinite.
        variables: the other variables, in the order of the values.
        goal_of: how accurate the value has to be.
    """
    y = sympy.Symbol("y_tail", positive=True)
    beyond = [substituted(integrand, {variable: sign * y}) for sign, without_end in zip((-1, 1), infinite, strict=True) if without_end]
    # What cancels far out is seen when powers are multiplied out: 1 − (1 − e^{−y})^n.
    writings = (
        [beyond, [sympy.expand_mul(sympy.expand_multinomial(part)) for part in beyond]]
        if any(map(_has_powers_of_sums, beyond))
        else [beyond]
    )

    def total(low: arb, high: arb, *values: arb) -> arb:
        goal = goal_of(values)
        best: tuple[arb, arb] | None = None
        own = [end for end, without_end in zip((low, high), infinite, strict=True) if not without_end]
        if not all(end.is_finite() for end in own):
            return arb.nan()
        for cut in _CUTS:
            start = arb(cut)
            if any(not abs(end) < start for end in own):
                continue
            rests = (_rest(parts, y, start, variables, values) for parts in writings)
            rest = next((found for found in rests if found is not None), None)
            if rest is not None and (best is None or rest < best[1]):
                best = start, rest
                if rest < goal:
                    break
        if best is None:
            return arb.nan()
        start, rest = best
        inner = finite(-start if infinite[0] else low, start if infinite[1] else high, *values)
        return inner + arb(0, rest.upper())

    return total


def with_open_ends(
    finite: Total,
    integrand: sympy.Expr,
    variable: sympy.Symbol,
    limits: tuple[sympy.Expr, sympy.Expr],
    variables: Variables,
    goal_of: Callable[[Sequence[arb]], arb],
) -> Total:
    """An integral as a function of (low, high, *values), also where the integrand has no bounded value near a limit that is a number.

    Args:
        finite: the integral where the integrand has a value, a function of (low, high, *values).
        integrand, variable, variables, goal_of: as for `with_tails`.
        limits: the lower and the upper limit.
    """
    y = sympy.Symbol("y_tail", positive=True)
    near = {
        side: substituted(integrand, {variable: limit - side * sympy.exp(-y)}) * sympy.exp(-y)
        for side, limit in zip((-1, 1), limits, strict=True)
        if limit.is_Rational
    }
    choices = [sides for sides in ((-1,), (1,), (-1, 1)) if near.keys() >= set(sides)]

    def total(low: arb, high: arb, *values: arb) -> arb:
        value = finite(low, high, *values)
        if value.is_finite() or not low < high:
            return value
        for sides, cut in itertools.product(choices, reversed(_NEAR)):
            start = arb(cut)
            step = (-start).exp()
            first, last = low + step if -1 in sides else low, high - step if 1 in sides else high
            # Rounded, an end may lie where it was.
            if not first < last or -1 in sides and not low < first or 1 in sides and not last < high:
                continue
            rest = _rest([near[side] for side in sides], y, start, variables, values)
            value = arb.nan() if rest is None else finite(first, last, *values)
            if rest is not None and value.is_finite():
                return value + arb(0, rest.upper())
        return arb.nan()

    return total


def series(finite: Total, term: sympy.Expr, index: sympy.Symbol, variables: Variables, goal_of: Callable[[Sequence[arb]], arb]) -> Total:
    """A sum without end as a function of (low, high, *values): the first terms, and m(N) + ∫ m over [N, ∞) for those beyond.

    It bounds Σ m(k), k ≥ N, for every monomial m that does not increase from N on. The ball of `high` is not read.
    """
    y = sympy.Symbol("y_tail", positive=True)
    beyond = substituted(term, {index: y})

    def total(low: arb, high: arb, *values: arb) -> arb:
        best: tuple[int, arb] | None = None
        for cut in _TERMS:
            if not low < cut:
                continue
            rest = _rest([beyond], y, arb(cut), variables, values, discrete=True)
            if rest is not None and (best is None or rest < best[1]):
                best = cut, rest
                if rest < goal_of(values):
                    break
        if best is None:
            return arb.nan()
        return finite(low, arb(best[0] - 1), *values) + arb(0, best[1].upper())

    return total


def _rest(
    beyond: Sequence[sympy.Expr], y: sympy.Symbol, start: arb, variables: Variables, values: Sequence[arb], *, discrete: bool = False
) -> arb | None:
    """A bound of what the integrand, or the terms, have beyond the cut; None where none is found."""
    try:
        with parameters(dict(zip(variables, values, strict=True)) or {sympy.Symbol("_"): arb(0)}):
            monomials = [m for part in beyond for m in magnitude(_without_kinks(part, y, start), y, start)]
            if discrete and not all(m.decreases(start) for m in monomials):
                return None
            sizes = [m.integral(start) + (m.value_at(start) if discrete else 0) for m in monomials]
    except (TailError, LanguageError):
        return None
    total = sum(sizes, arb(0))
    return arb(total.upper()) if total.is_finite() else None


def _has_powers_of_sums(expression: sympy.Expr) -> bool:
    """Whether a whole power of a sum can be multiplied out in some dozens of terms."""
    powers = [p for p in expression.atoms(sympy.Pow) if isinstance(p.base, sympy.Add) and p.exp.is_Integer and p.exp > 1]
    return 0 < len(powers) <= 2 and all(p.exp <= _MOST_EXPANDED and len(p.base.args) == 2 for p in powers)


def _without_kinks(expression: sympy.Expr, y: sympy.Symbol, start: arb) -> sympy.Expr:
    """The expression with |g| resolved where g has one sign beyond the cut."""
    for node in expression.atoms(sympy.Abs):
        if node.has(y):
            try:
                sign = sign_of(node.args[0], y, start)
            except TailError:
                continue  # its size is bounded by that of what stands in it
            expression = replaced(expression, node, sign * node.args[0])
    return expression


def is_nonnegative(
    density: sympy.Expr, variable: sympy.Symbol, variables: Variables, *, strictly: bool = False
) -> Callable[[Sequence[arb]], bool]:
    """Whether an expression surely is ≥ 0, or > 0, for all real values of one variable, on a box of the others, by its form.

    >>> x, w = sympy.symbols("x w", real=True)
    >>> check = is_nonnegative(w * sympy.exp(-x**2) + (1 - w) * sympy.exp(-x), x, (w,))
    >>> check([arb("0.5")]), check([arb(2)])
    (True, False)
    >>> is_nonnegative(x**2 * sympy.exp(-x), x, (w,), strictly=True)([arb(2)])
    False
    """
    if not density.has(variable):
        program = compile_expression(density, variables)
        return lambda values: bool(program(values) > 0) if strictly else bool(program(values) >= 0)
    if isinstance(density, (sympy.exp, sympy.erfc, NormalCDF)):
        return lambda values: True
    if not strictly and (isinstance(density, sympy.Abs) or (isinstance(density, sympy.Pow) and density.exp.is_even)):
        return lambda values: True
    if isinstance(density, sympy.Add):
        parts = [is_nonnegative(part, variable, variables) for part in density.args]
        above = [is_nonnegative(part, variable, variables, strictly=True) for part in density.args] if strictly else []
        return lambda values: all(part(values) for part in parts) and (not strictly or any(part(values) for part in above))
    if isinstance(density, (sympy.Mul, sympy.Min, sympy.Max)):
        every = any if isinstance(density, sympy.Max) else all
        parts = [is_nonnegative(part, variable, variables, strictly=strictly) for part in density.args]
        return lambda values: every(part(values) for part in parts)
    if isinstance(density, sympy.Pow):
        return is_nonnegative(density.base, variable, variables, strictly=strictly)
    return lambda values: False
