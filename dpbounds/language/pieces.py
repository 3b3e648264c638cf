"""Densities cut at their kinks: on each piece Abs, Piecewise, Max and Min are gone."""

from __future__ import annotations

from dataclasses import dataclass

import sympy

from dpbounds.errors import LanguageError


@dataclass(frozen=True)
class Piece:
    """Expressions without kinks on an interval: in x itself on the whole line, otherwise in the distance d > 0 from a finite end.

    Attributes:
        low, high: the interval in `variable`: (−∞, ∞), (0, ∞) or (0, length).
        variable: x or d.
        expressions: the densities.
        base, sign: x = base + sign·d; (0, 1) on the whole line.
    """

    low: sympy.Expr
    high: sympy.Expr
    variable: sympy.Symbol
    expressions: tuple[sympy.Expr, ...]
    base: sympy.Expr
    sign: int

    def origin_of(self, place: str) -> sympy.Expr:
        """A place of the piece, in x."""
        return self.base + self.sign * sympy.Float(place)

    def origin(self, side: int) -> sympy.Expr:
        """The end of the piece in x."""
        return self.base + self.sign * (self.low if side < 0 else self.high)


def cut(expressions: tuple[sympy.Expr, ...], variable: sympy.Symbol, support: tuple[sympy.Expr, sympy.Expr]) -> list[Piece]:
    """Divide the support where some expression has a kink, and resolve the kinks; bounded intervals are halved, so that each piece has at
    most one end where the densities may be singular, and keeps its relative digits there.

    Args:
        expressions: densities in `variable`.
        variable: the sympy symbol integrated over.
        support: (low, high), possibly ±oo.

    Raises:
        LanguageError: a kink whose place is not the root of a polynomial with roots that sympy writes down.

    >>> x = sympy.Symbol("x")
    >>> [(p.high, p.sign, p.expressions[0].subs(p.variable, x)) for p in cut((sympy.exp(-abs(x)) / 2,), x, (-sympy.oo, sympy.oo))]
    [(oo, -1, exp(-x)/2), (oo, 1, exp(-x)/2)]
    """
    real = sympy.Dummy("x", real=True)
    plain = tuple(_as_piecewise(expression.subs(variable, real)) for expression in expressions)
    low, high = support
    inner = {root for expression in plain for root in _kinks(expression, real) if low < root < high}
    ends = [low, *sorted(inner), high]
    return [piece for left, right in zip(ends, ends[1:], strict=False) for piece in _halves(plain, real, left, right)]


def _as_piecewise(expression: sympy.Expr) -> sympy.Expr:
    switches = (sympy.Max, sympy.Min, sympy.Heaviside, sympy.sign)
    return expression.replace(lambda part: isinstance(part, switches), lambda part: part.rewrite(sympy.Piecewise))


def _kinks(expression: sympy.Expr, variable: sympy.Symbol) -> set[sympy.Expr]:
    places: set[sympy.Expr] = set()
    switches = [part.args[0] for part in expression.atoms(sympy.Abs)]
    for part in expression.atoms(sympy.Piecewise):
        switches += [atom.lhs - atom.rhs for _, condition in part.args for atom in condition.atoms(sympy.core.relational.Relational)]
    for switch in switches:
        polynomial = sympy.Poly(switch, variable) if switch.is_polynomial(variable) else None
        if polynomial is None:
            raise LanguageError(f"the kink of a density must be the root of a polynomial, got {switch} = 0")
        places |= set(sympy.real_roots(polynomial)) if polynomial.degree() > 0 else set()
    return places


def _halves(expressions: tuple[sympy.Expr, ...], x: sympy.Symbol, low: sympy.Expr, high: sympy.Expr) -> list[Piece]:
    inside = _between(low, high)
    smooth = tuple(_resolve(expression, x, inside) for expression in expressions)
    if low == -sympy.oo and high == sympy.oo:
        return [Piece(low, high, x, smooth, sympy.Integer(0), 1)]
    if low != -sympy.oo and high != sympy.oo:
        half = (high - low) / 2
        return [_from_end(smooth, x, low, 1, half), _from_end(smooth, x, high, -1, half)]
    return [_from_end(smooth, x, low, 1, high) if high == sympy.oo else _from_end(smooth, x, high, -1, sympy.oo)]


def _from_end(expressions: tuple[sympy.Expr, ...], x: sympy.Symbol, base: sympy.Expr, sign: int, length: sympy.Expr) -> Piece:
    distance = sympy.Dummy("d", positive=True)
    moved = tuple(expression.subs(x, base + sign * distance) for expression in expressions)
    return Piece(sympy.Integer(0), length, distance, moved, base, sign)


def _between(low: sympy.Expr, high: sympy.Expr) -> sympy.Expr:
    if low == -sympy.oo:
        return sympy.Integer(0) if high == sympy.oo else high - 1
    return low + 1 if high == sympy.oo else (low + high) / 2


def _resolve(expression: sympy.Expr, variable: sympy.Symbol, inside: sympy.Expr) -> sympy.Expr:
    if isinstance(expression, sympy.Abs):
        argument = _resolve(expression.args[0], variable, inside)
        return argument if argument.subs(variable, inside) > 0 else -argument
    if isinstance(expression, sympy.Piecewise):
        for value, condition in expression.args:
            if condition.subs(variable, inside) == sympy.true:
                return _resolve(value, variable, inside)
        return sympy.Integer(0)
    if not expression.args or not expression.has(variable):
        return expression
    return expression.func(*(_resolve(part, variable, inside) for part in expression.args))
