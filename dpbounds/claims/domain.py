"""The domain of a claim: assumptions of the symbols and premises, as constraints, bounds and points.

Both enter in full: a premise that sympy turned into `True` because a symbol assumes it is still there as the assumption.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import sympy
from sympy.logic.boolalg import Boolean

from dpbounds.claims.statement import instance, zero
from dpbounds.claims.statement.assumptions import assumptions_of
from dpbounds.errors import ClaimError, LanguageError
from dpbounds.language import enclose, programs
from dpbounds.language.substitution import substituted

if TYPE_CHECKING:
    from dpbounds.claims.claim import Claim

_PROPAGATION_ROUNDS = 8


@dataclass(frozen=True)
class Domain:
    """Where a claim speaks.

    Attributes:
        variables: its real and integer variables.
        families: its families of symbolic length.
        constraints: everything that must hold, assumptions of the symbols included.
    """

    variables: tuple[sympy.Symbol, ...]
    families: tuple[sympy.IndexedBase, ...]
    constraints: tuple[Boolean, ...]

    @classmethod
    def of_claim(cls, claim: Claim) -> Domain:
        """The domain of a claim.

        >>> from dpbounds.claims.claim import Claim
        >>> from dpbounds.language.symbols import positive
        >>> q = positive("q")
        >>> Domain.of_claim(Claim(id="a", text="", then=q < 2, given=[q > 0, q <= 1])).constraints
        (q > 0, q <= 1)
        """
        assumed = [condition for variable in claim.variables for condition in assumptions_of(variable)]
        return cls(claim.variables, claim.families, tuple(dict.fromkeys([*assumed, *claim.given])))

    def contains(self, point: instance.Point) -> bool | None:
        """Decide membership of an exact point: every constraint and every integrality exactly."""
        missing = [str(v) for v in (*self.variables, *self.families) if v not in point]
        if missing:
            raise ClaimError(f"the point gives no value for {', '.join(missing)}")
        truths: list[bool | None] = []
        for variable in self.variables:
            if variable.is_integer:
                truths.append(bool(sympy.sympify(point[variable]).is_Integer))
        for base in self.families:
            truths.extend(_family_holds(base, point[base]))
        truths.extend(instance.truth_at(constraint, point) for constraint in self.constraints)
        return programs.both(*truths)

    def bounds(self) -> dict[sympy.Symbol, tuple[Fraction | None, Fraction | None]]:
        """Rational outer bounds of every variable, propagated through premises that are linear in it; None is unbounded."""
        box: dict[sympy.Symbol, tuple[Fraction | None, Fraction | None]] = dict.fromkeys(self.variables, (None, None))
        for _ in range(_PROPAGATION_ROUNDS):
            before = dict(box)
            for constraint in self.constraints:
                for symbol, side, bound in one_sided(constraint):
                    if symbol in box:
                        box[symbol] = _tighten(box, symbol, side, bound)
            if box == before:
                break
        return {v: _whole(box[v]) if v.is_integer else box[v] for v in self.variables}


def _family_holds(base: sympy.IndexedBase, values: Any) -> list[bool | None]:
    """The assumptions of a family, entry by entry."""
    entry = base[1]
    checks: list[bool | None] = []
    for value in values:
        number = sympy.sympify(value)
        checks.extend(instance.truth_at(condition, {base: (number,)}) for condition in assumptions_of(entry))
        if entry.is_integer:
            checks.append(bool(number.is_Integer))
    return checks


def one_sided(constraint: Boolean) -> list[tuple[sympy.Symbol, str, sympy.Expr]]:
    """(symbol, "low" | "high", bound) readings of a relation that is linear in a symbol."""
    if isinstance(constraint, sympy.Eq):
        return [reading for a, b in (constraint.args, constraint.args[::-1]) for reading in one_sided(sympy.Le(a, b, evaluate=False))]
    if not isinstance(constraint, (sympy.Le, sympy.Lt, sympy.Ge, sympy.Gt)):
        return []
    # Any premise that is linear in a symbol bounds it: c·x + rest ≥ 0.
    difference, readings = zero.multiplied_out(constraint.gts - constraint.lts), []
    for symbol in sorted(difference.free_symbols, key=str):
        slope = difference.coeff(symbol, 1)
        rest = zero.multiplied_out(difference - slope * symbol)
        if isinstance(symbol, sympy.Symbol) and (sign := zero.sign_of(slope)) and symbol not in rest.free_symbols:
            readings.append((symbol, "low" if sign > 0 else "high", -rest / slope))
    return readings


def solve_equalities(
    then: Boolean, constraints: tuple[Boolean, ...]
) -> tuple[Boolean, tuple[Boolean, ...], dict[sympy.Symbol, sympy.Expr]]:
    """Eliminate variables through premises `Eq(a, b)` that are linear in them.

    >>> x, y = sympy.symbols("x y", real=True)
    >>> solve_equalities(x * y <= 1, (sympy.Eq(x + y, 1), x >= 0, y >= 0))[1]
    (x >= 0, 1 - x >= 0)
    """
    substitution: dict[sympy.Symbol, sympy.Expr] = {}
    for equation in [c for c in constraints if isinstance(c, sympy.Eq)]:
        equation = substituted(equation, substitution)
        for symbol in sorted(equation.free_symbols, key=str, reverse=True):
            difference = zero.multiplied_out(equation.lhs - equation.rhs)
            slope = difference.coeff(symbol, 1)
            rest = zero.multiplied_out(difference - slope * symbol)
            if zero.sign_of(slope) and symbol not in rest.free_symbols and not symbol.is_integer:
                solution = -rest / slope
                substitution = {old: substituted(value, {symbol: solution}) for old, value in substitution.items()} | {symbol: solution}
                break
    if not substitution:
        return then, constraints, {}
    replaced = [substituted(c, substitution) for c in constraints]
    kept = tuple(dict.fromkeys(c for c in replaced if not _is_identity(c)))
    return substituted(then, substitution), kept, substitution


def _is_identity(condition: Boolean) -> bool:
    """True for an equation whose sides coincide: what is left of a premise that was solved."""
    return isinstance(condition, sympy.Eq) and zero.is_equal(condition.lhs, condition.rhs)


def _tighten(box: dict[sympy.Symbol, Any], symbol: sympy.Symbol, side: str, bound: sympy.Expr) -> tuple[Fraction | None, Fraction | None]:
    low, high = box[symbol]
    value = _outer(bound, box, side)
    if value is None:
        return low, high
    if side == "low":
        return (value if low is None else max(low, value)), high
    return low, (value if high is None else min(high, value))


def _outer(bound: sympy.Expr, box: dict[sympy.Symbol, Any], side: str) -> Fraction | None:
    """A rational outer bound of an expression over the current box, exact when the expression is rational."""
    if bound.is_Rational:
        return Fraction(int(bound.p), int(bound.q))
    if (exact := _affine_outer(bound, box, side)) is not None:
        return exact
    if any(symbol not in box or None in box[symbol] for symbol in bound.free_symbols):
        return _monotone_outer(bound, box, side)
    try:
        enclosure = enclose.enclose(bound, {s: tuple(map(sympy.Rational, box[s])) for s in bound.free_symbols}, 64)
    except (LanguageError, ClaimError):
        return None
    value = enclosure.lower if side == "low" else enclosure.upper
    return value if isinstance(value, Fraction) else None


def _affine_outer(bound: sympy.Expr, box: dict[sympy.Symbol, Any], side: str) -> Fraction | None:
    """The exact bound c + Σ cᵢ·xᵢ with rational coefficients: each variable at the end that its sign asks for."""
    total = Fraction(0)
    for term in sympy.Add.make_args(bound):
        coefficient, rest = term.as_coeff_Mul()
        if not coefficient.is_Rational or not (rest is sympy.S.One or rest in box):
            return None
        end = None if rest is sympy.S.One else box[rest][int((side == "high") == bool(coefficient > 0))]
        if end is None and rest is not sympy.S.One:
            return None
        total += Fraction(int(coefficient.p), int(coefficient.q)) * (1 if end is None else end)
    return total


def _monotone_outer(bound: sympy.Expr, box: dict[sympy.Symbol, Any], side: str) -> Fraction | None:
    """The bound of c/x^n or of a decreasing monomial when x is only bounded below: 1/(16σ) ≤ 1/16 for σ ≥ 1."""
    coefficient, factors = bound.as_coeff_mul()
    if side != "high" or not coefficient.is_Rational or not coefficient > 0:
        return None
    value = Fraction(int(coefficient.p), int(coefficient.q))
    for factor in factors:
        base, exponent = factor.as_base_exp()
        low = box.get(base, (None, None))[0] if isinstance(base, sympy.Symbol) else None
        if not (exponent.is_Integer and exponent < 0) or low is None or low <= 0:
            return None
        value *= low ** int(exponent)
    return value


def _whole(bounds: tuple[Fraction | None, Fraction | None]) -> tuple[Fraction | None, Fraction | None]:
    low, high = bounds
    return (None if low is None else Fraction(-(-low.numerator // low.denominator))), (
        None if high is None else Fraction(high.numerator // high.denominator)
    )
