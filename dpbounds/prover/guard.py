"""The guard on every fact: its statement is evaluated in balls at random exact points that satisfy its assumptions.

The rules are exact, but they stand on SymPy. A certified violation at any point means that some simplification was wrong, and the
fact is not made. A point that balls cannot decide (an equality that holds, say) is no objection.

Random points miss where division goes wrong. So 0, the ends of every range and values next to them are tried besides, where the
assumptions allow them, and a statement without a value at such a point fails as a false one does.

Sums of symbolic length are made explicit: the length is a small random integer, families get random rational members, and premises
of the form "sums to one" are met by normalising. Integrals over the line are integrated over a long finite piece, so for them the guard
objects only to a relative discrepancy above 1e-6.
"""

from __future__ import annotations

import random
import zlib
from collections.abc import Callable, Iterable
from functools import cmp_to_key, lru_cache
from itertools import combinations, product
from typing import Any

import sympy
from sympy import And, Eq, Expr, Indexed, IndexedBase, Integral, Ne, Not, Or, Rational, S, Sum, Symbol
from sympy.core.relational import Relational

from dpbounds.errors import DerivationError, DPBoundsError, LanguageError
from dpbounds.language import enclose, functions
from dpbounds.language.functions import Extremum, PrivacyQuantity
from dpbounds.language.kinds import entry_for
from dpbounds.language.programs import both, either, negated
from dpbounds.language.quantifiers import ForAll
from dpbounds.prover.terms import ORDERS, conjuncts, dummies_named, free, rebuild, substitute

POINTS = 3
_ATTEMPTS = 60
_BITS = 120
_REACH = 400
_TOLERANCE = Rational(1, 10**6)
_MAX_TABLE = 4
_PLACES = ("zero", "low", "high", "above low", "below high")
_NEAR = Rational(1, 64)  # next to an end; its inverse is still an exponent that an exact power can have
_LONG = 128  # exponents beyond which a power is not written out
_ALIKE = cmp_to_key(sympy.Basic.compare)
"""The order of symbols that are written alike."""
_SLOW = (Integral, functions.SampledGaussianMoment, functions.SampledGaussianRenyi, functions.SampledGaussianDelta)
"""Where these occur, one point is enough: each needs integrals, and the facts behind them are evaluated too."""


def check(statement: Any, assumptions: Iterable[Any], points: int = POINTS) -> int:
    """Evaluate a statement at random exact points of its domain.

    Args:
        statement: a relation, a conjunction, or a `ForAll`.
        assumptions: the premises that the points must satisfy.
        points: how many points are wanted.

    Returns:
        At how many points the statement was evaluated without objection (0 where nothing can be evaluated).

    Raises:
        DerivationError: a certified violation; the message gives the point.
    """
    premises = sorted(
        (part for assumption in assumptions for part in conjuncts(assumption)),
        key=lambda part: (part.count_ops(), _text(part), sympy.default_sort_key(part)),
    )
    return _check(statement, tuple(premises), min(points, 1) if statement.has(*_SLOW) else points)


@lru_cache(maxsize=4096)
def _check(statement: Any, premises: tuple[Any, ...], points: int) -> int:
    generator = random.Random(zlib.crc32(_text(statement).encode()))
    done = _at_random(generator, statement, premises, points)
    quick = points > 1 and not any(free(power.exp) for power in statement.atoms(sympy.Pow))  # exact powers grow too long next to an end
    _at_edges(generator, statement, premises, _PLACES if quick else _PLACES[:3])
    return done


def _text(statement: Any) -> str:
    """A text that does not depend on what was built before: the points of a statement do not either."""
    return str(sympy.srepr(dummies_named(statement)))


def _at_random(generator: random.Random, statement: Any, premises: tuple[Any, ...], points: int) -> int:
    done = attempts = 0
    while done < points and attempts < (_ATTEMPTS if done else _ATTEMPTS // 5):
        attempts += 1
        try:
            point = Point(generator, premises, statement)
            if not all(point.truth(premise) is True for premise in premises):
                continue
            verdict = point.truth(statement, tolerant=True)
        except (DPBoundsError, ZeroDivisionError, OverflowError, TypeError, ValueError, _Unreadable):
            if attempts >= _ATTEMPTS // 8 and done == 0:
                break
            continue
        _object(verdict, point, statement)
        done += 1
        if not free(statement):
            break
    return done


def _at_edges(generator: random.Random, statement: Any, premises: tuple[Any, ...], places: tuple[str, ...]) -> None:
    """Each symbol in turn at 0, at the ends of its range and next to them; every other one along with it, the rest at random."""
    seen: set[Any] = set()
    for place, half in product(places, (0, 1)):
        try:
            point = Point(generator, premises, statement, (place, half))
            if not point.placed or (key := frozenset(point.values.items())) in seen:
                continue
            seen.add(key)
            verdict = point.truth(statement, tolerant=True) if all(point.truth(premise) is True for premise in premises) else None
        except (DPBoundsError, ZeroDivisionError, OverflowError, TypeError, ValueError, _Unreadable):
            continue
        _object(verdict, point, statement)


def _object(verdict: bool | None, point: Point, statement: Any) -> None:
    if verdict is False:
        raise DerivationError(f"the step fails at {point}: {_short(statement)}; a simplification behind it is wrong")


class _Unreadable(Exception):
    """Something that cannot be evaluated at a point."""


class Point:
    """Random exact values for symbols and families, chosen one by one as they are needed.

    Args:
        generator: where chance comes from.
        premises: what the point should satisfy.
        statement: what is to be evaluated.
        edge: a place of `_PLACES`, and 0 or 1: the symbols at even or at odd positions are put there. `placed` says whether any was.
    """

    def __init__(self, generator: random.Random, premises: tuple[Any, ...], statement: Any, edge: tuple[str, int] | None = None) -> None:
        self.generator = generator
        self.premises = premises
        self.values: dict[Any, Any] = {}
        self.members: dict[Any, Any] = {}
        wanted = set().union(free(statement), *(free(premise) for premise in premises))
        symbols = sorted((s for s in wanted if isinstance(s, Symbol)), key=lambda s: (str(s), _ALIKE(s)))
        self.edge = edge
        chosen = set(symbols[edge[1] :: 2]) if edge else set()
        self.placed = False
        generator.shuffle(symbols)
        for symbol in sorted(symbols, key=lambda s: not s.is_integer):
            value = self._edge(symbol, edge[0]) if edge and symbol in chosen else None
            self.placed = self.placed or value is not None
            self.values[symbol] = self._value(symbol) if value is None else value
        self._normalise()

    def _value(self, symbol: Symbol) -> Any:
        low, high, low_strict, high_strict = self._range(symbol)
        if symbol.is_integer:
            low = sympy.ceiling(low) if low is not None else -_MAX_TABLE
            if low_strict and low == sympy.floor(low) and self._bound_hit(symbol, low):
                low += 1
            high = sympy.floor(high) if high is not None else low + _MAX_TABLE - 1
            return sympy.Integer(self.generator.randint(int(low), max(int(low), int(high))))
        if low is not None and high is not None and high > low:
            steps = 24
            k = (
                self.generator.randint(1, steps - 1)
                if self.generator.random() < 0.8
                else (0 if not low_strict else steps if not high_strict else 1)
            )
            return low + (high - low) * Rational(k, steps)
        step = Rational(self.generator.randint(1, 24), self.generator.choice([1, 2, 4, 8, 8, 24]))
        if low is not None:
            return low + step
        if high is not None:
            return high - step
        return step * self.generator.choice([1, -1])

    def _edge(self, symbol: Symbol, place: str) -> Any:
        """The value of a symbol at a place; None where its range has no such place."""
        if symbol.is_nonnegative is None and symbol.is_zero is False and place == "zero":
            return None
        low, high, low_strict, high_strict = self._range(symbol)
        whole = bool(symbol.is_integer)
        if whole:
            low = low if low is None else sympy.floor(low) + 1 if low_strict else sympy.ceiling(low)
            high = high if high is None else sympy.ceiling(high) - 1 if high_strict else sympy.floor(high)
            low_strict = high_strict = False
        step = S.One if whole else _NEAR if low is None or high is None else _NEAR * (high - low)
        end, sign, closed = (high, -1, not high_strict) if "high" in place else (low, 1, not low_strict)
        value = S.Zero if place == "zero" else end if end is None or " " not in place else end + sign * step
        if value is None or (value == end and not closed and " " not in place):
            return None
        below = low is not None and (value < low or (value == low and low_strict))
        above = high is not None and (value > high or (value == high and high_strict))
        return None if below or above else value

    def _bound_hit(self, symbol: Symbol, low: Any) -> bool:
        return any(self._at(premise, {symbol: low}) is False for premise in self.premises if isinstance(premise, Relational))

    def _at(self, premise: Any, more: dict[Any, Any]) -> Any:
        moved = substitute(premise, {**self.values, **more})
        try:
            return None if free(moved) else bool(moved.func(moved.lhs, moved.rhs))
        except TypeError:
            return None

    def _range(self, symbol: Symbol) -> tuple[Any, Any, bool, bool]:
        """The interval that symbol assumptions and premises already decided leave for a symbol."""
        low: Any = S.Zero if symbol.is_nonnegative else None
        low_strict = bool(symbol.is_positive)
        high: Any = S.Zero if symbol.is_nonpositive else None
        high_strict = bool(symbol.is_negative)
        if symbol.is_integer and symbol.is_positive:
            low, low_strict = S.One, False
        for premise in self.premises:
            if type(premise) not in ORDERS or symbol not in free(premise):
                continue
            moved = substitute(premise, self.values)
            if free(moved) != {symbol} or moved.has(Sum, Integral, PrivacyQuantity):
                continue
            u = sympy.expand(moved.lhs - moved.rhs)
            a = u.coeff(symbol, 1)
            rest = sympy.expand(u - a * symbol)
            if symbol in rest.free_symbols or not a.is_Rational or a == 0 or not rest.is_real:
                continue
            bound = sympy.Rational(str(sympy.N(-rest / a, 30))) if not rest.is_Rational else -rest / a
            strict = type(premise) in (sympy.Gt, sympy.Lt) or not rest.is_Rational
            above = (a > 0) == (type(premise) in (sympy.Ge, sympy.Gt))
            if above and (low is None or bound >= low):
                low, low_strict = bound, strict or (low_strict and bound == low)
            if not above and (high is None or bound <= high):
                high, high_strict = bound, strict or (high_strict and bound == high)
        return low, high, low_strict, high_strict

    def member(self, base: IndexedBase, indices: tuple[Any, ...]) -> Any:
        """A member of a family, chosen when first asked for."""
        key = (base, indices)
        if key not in self.members:
            value = Rational(self.generator.randint(1, 12), self.generator.choice([1, 2, 3, 4, 6]))
            assumptions = base.assumptions0
            if assumptions.get("integer"):
                value = sympy.Integer(self.generator.randint(1, _MAX_TABLE))
            if assumptions.get("nonnegative") and not assumptions.get("positive") and self.generator.random() < 0.15:
                value = S.Zero
            elif not assumptions.get("nonnegative") and not assumptions.get("positive") and self.generator.random() < 0.5:
                value = -value
            self.members[key] = value
        return self.members[key]

    def _normalise(self) -> None:
        """Meet the premises "the family sums to one", also under a `ForAll` over a finite range."""
        for premise in self.premises:
            self._normalise_one(premise, {})

    def _normalise_one(self, premise: Any, known: dict[Any, Any]) -> None:
        if isinstance(premise, ForAll) and premise.variable.is_integer:
            for value in self._finite_range(premise, known):
                self._normalise_one(premise.body, {**known, premise.variable: value})
            return
        if isinstance(premise, And):
            for part in premise.args:
                self._normalise_one(part, known)
            return
        if not (
            isinstance(premise, Eq) and isinstance(premise.lhs, Sum) and isinstance(premise.lhs.function, Indexed) and premise.rhs == 1
        ):
            return
        cells = []
        total = premise.lhs
        variable, low, high = total.limits[0]
        if len(total.limits) != 1:
            return
        bounds = [self.ground(substitute(end, known)) for end in (low, high)]
        for k in range(int(bounds[0]), int(bounds[1]) + 1):
            indices = tuple(self.ground(substitute(part, {**known, variable: sympy.Integer(k)})) for part in total.function.indices)
            cells.append((total.function.base, indices))
        mass = sum(self.member(*cell) for cell in cells)
        if mass == 0:
            self.members[cells[0]] = mass = S.One
        for cell in cells:
            self.members[cell] = self.members[cell] / mass

    def _finite_range(self, quantified: ForAll, known: dict[Any, Any]) -> list[Any]:
        low: int | None = None
        high: int | None = None
        if quantified.variable.is_nonnegative:
            low = 1 if quantified.variable.is_positive else 0
        for part in conjuncts(quantified.condition):
            if not isinstance(part, Relational) or quantified.variable not in (part.lhs, part.rhs):
                raise _Unreadable
            end = self.ground(substitute(part.rhs if part.lhs == quantified.variable else part.lhs, known))
            below = (type(part) in (sympy.Le, sympy.Lt)) == (part.lhs == quantified.variable)
            strict = type(part) in (sympy.Lt, sympy.Gt)
            if below:
                high = int(end) - strict
            else:
                low = int(end) + strict if low is None else max(low, int(end) + strict)
        if low is None or high is None or high - low > 64:
            raise _Unreadable
        return [sympy.Integer(k) for k in range(low, high + 1)]

    def ground(self, node: Any) -> Any:
        """The expression at the point: no symbols, no families, no sums of symbolic length."""
        ground = entry_for(_GROUND, node)
        return node if ground is None else ground(self, node)

    def _symbol(self, symbol: Symbol) -> Any:
        if symbol not in self.values:
            raise _Unreadable
        return self.values[symbol]

    def _member(self, node: Indexed) -> Any:
        return self.member(node.base, tuple(self.ground(part) for part in node.indices))

    def _extremum(self, node: Extremum) -> Any:
        raise _Unreadable

    def _power(self, node: sympy.Pow) -> Any:
        return _tame_power(*(self.ground(part) for part in node.args)) if self.edge else self._rebuilt(node)

    def _rebuilt(self, node: Expr) -> Any:
        return rebuild(node, (self.ground(part) for part in node.args)) if node.args else node

    def _piecewise(self, node: sympy.Piecewise) -> Any:
        for value, condition in node.args:
            truth = True if condition == True else self.truth(condition)  # noqa: E712
            if truth is None:
                raise _Unreadable
            if truth:
                return self.ground(value)
        raise _Unreadable

    def _sum(self, node: Sum) -> Any:
        *inner, (variable, low, high) = node.limits
        body = Sum(node.function, *inner) if inner else node.function
        start, stop = int(self.ground(low)), int(self.ground(high))
        return sympy.Add(*(self.ground(substitute(body, {variable: sympy.Integer(k)})) for k in range(start, stop + 1)))

    def _integral(self, node: Integral) -> Any:
        if len(node.limits) != 1:
            raise _Unreadable
        variable, low, high = node.limits[0]
        inside = substitute(node.function, {symbol: value for symbol, value in self.values.items() if symbol != variable})
        if free(inside) - {variable}:
            raise _Unreadable
        ends = [self.ground(end) if end.is_finite is not False else (_REACH if end == sympy.oo else -_REACH) for end in (low, high)]
        if ends[0] > ends[1]:
            if {low, high} & {sympy.oo, -sympy.oo}:
                raise _Unreadable  # the finite end lies beyond the piece that is looked at
            return -self._integral(Integral(node.function, (variable, high, low)))
        pieces = _cut(variable, inside, *map(sympy.sympify, ends))
        _check_tails(inside, variable, [end for end in ends if abs(end) == _REACH], [piece[0] for piece in pieces[1:]])
        if any(
            variable in power.base.free_symbols and power.exp.is_Rational and not power.exp.is_Integer for power in inside.atoms(sympy.Pow)
        ):
            return _quadrature(inside, variable, pieces)
        return sympy.Add(*(Integral(inside, (variable, *piece)) for piece in pieces))

    def truth(self, statement: Any, tolerant: bool = False) -> bool | None:
        """True or False when balls decide, None when they do not."""
        if statement == True:  # noqa: E712
            return True
        if (joined := _JOINED.get(type(statement))) is not None:
            return joined(*(self.truth(part, tolerant) for part in statement.args))
        if isinstance(statement, ForAll):
            return self._for_all(statement, tolerant)
        left, right = self.ground(statement.lhs), self.ground(statement.rhs)
        if tolerant and any(side.has(S.NaN, S.ComplexInfinity) for side in (left, right)):
            return False
        return _compare(type(statement), left, right, tolerant and statement.has(Integral, PrivacyQuantity))

    def _for_all(self, statement: ForAll, tolerant: bool) -> bool | None:
        if not statement.variable.is_integer:
            raise _Unreadable
        values = self._finite_range(statement, {})
        return both(*(self.truth(substitute(statement.body, {statement.variable: value}), tolerant) for value in values))

    def __str__(self) -> str:
        shown = [f"{symbol} = {value}" for symbol, value in self.values.items()]
        shown += [f"{base.label}[{', '.join(map(str, indices))}] = {value}" for (base, indices), value in self.members.items()]
        return ", ".join(shown) or "every point"


_JOINED: dict[Any, Callable[..., bool | None]] = {And: both, Or: either, Not: negated}
"""The truth of a joined statement from those of its parts."""

_GROUND: dict[Any, Callable[[Any, Any], Any]] = {
    Symbol: Point._symbol,
    Indexed: Point._member,
    Sum: Point._sum,
    Integral: Point._integral,
    Extremum: Point._extremum,
    PrivacyQuantity: lambda point, node: point.ground(node.definition()),
    sympy.Pow: Point._power,
    sympy.Piecewise: Point._piecewise,
    Expr: Point._rebuilt,
}
"""The value at a point of each kind of expression; what is none stays as it is."""


def _tame_power(base: Any, exponent: Any) -> Any:
    """A power as sympy writes it, unless writing it exactly takes too long: next to the end of a range exponents grow without limit."""
    root = exponent.is_Rational and not exponent.is_Integer
    if abs(exponent) > _LONG or (root and not (base.is_Rational and max(abs(base.p), base.q) < _LONG**2 and exponent.q <= 8)):
        raise _Unreadable
    return base**exponent


def _cut(variable: Symbol, inside: Any, low: Any, high: Any) -> list[tuple[Any, Any]]:
    """Split at the kinks of |x − c|, max and min so that the quadrature sees smooth pieces."""
    kinks = set()
    turning = [node.args[0] for node in inside.atoms(sympy.Abs)]
    turning += [first - second for node in inside.atoms(sympy.Max, sympy.Min) for first, second in combinations(node.args, 2)]
    for inner in map(sympy.expand, turning):
        slope = inner.coeff(variable, 1)
        if slope.is_Rational and slope != 0:
            kinks.add(sympy.expand(-(inner - slope * variable) / slope))
    marks = [low, *sorted(k for k in kinks if low < k < high), *([S.Zero] if low < 0 < high and S.Zero not in kinks else []), high]
    marks = sorted(set(marks))
    return list(zip(marks, marks[1:], strict=False))


def _check_tails(inside: Any, variable: Symbol, ends: list[Any], middle: list[Any]) -> None:
    """Give up where the finite piece of an infinite interval may miss a part of the integral that matters."""
    if ends:
        scale = max(abs(sympy.N(inside.subs(variable, point), 15)) for point in (*middle, S.One, S.NegativeOne, 5, -5))
        if any(abs(sympy.N(inside.subs(variable, end), 15)) * _REACH > scale * _TOLERANCE / 1000 for end in ends):
            raise _Unreadable


def _quadrature(inside: Any, variable: Symbol, pieces: list[tuple[Any, Any]]) -> Any:
    """An approximate integral for integrands with a branch point at the end of a piece, where Arb subdivides without end."""
    import mpmath

    function = sympy.lambdify(variable, inside, modules="mpmath")
    with mpmath.workdps(20):
        marks = sorted(
            {*(end for piece in pieces for end in piece), *(S(k) for k in (-20, -5, -1, 1, 5, 20) if pieces[0][0] < k < pieces[-1][1])}
        )
        total = mpmath.quad(function, [mpmath.mpf(int(mark.p)) / int(mark.q) for mark in marks])
        return sympy.Rational(str(mpmath.nstr(total, 15)))


def _compare(relation: type, left: Any, right: Any, tolerant: bool) -> bool | None:
    if tolerant and relation is Eq:
        return _compare_loosely(relation, left, right)
    if not tolerant and left.is_Rational and right.is_Rational:
        return bool(relation(left, right))
    if tolerant and (left.has(Integral) or right.has(Integral)):
        return _compare_loosely(relation, left, right)
    if relation in (Eq, Ne) and sympy.expand(left - right) == 0:
        return relation is Eq
    if relation in (sympy.Le, sympy.Ge) and left == right:
        return True
    return enclose.compare(relation, _ball(left), _ball(right))


def _compare_loosely(relation: type, left: Any, right: Any) -> bool | None:
    a, b = (enclose.enclose(side, {}, 60).ball() for side in (left, right))
    margin = (abs(a) + abs(b)) * float(_TOLERANCE)
    if relation in (sympy.Ge, sympy.Gt):
        a, b, relation = b, a, (sympy.Le if relation is sympy.Ge else sympy.Lt)
    if relation is Eq:
        return False if bool(abs(a - b) > margin) else None
    return False if bool(a - b > margin) else (True if bool(b - a > margin) else None)


def _ball(expression: Any) -> Any:
    try:
        return enclose.enclose(expression, {}, _BITS).ball()
    except LanguageError as error:
        raise _Unreadable from error


def _short(statement: Any) -> str:
    text = str(statement)
    return text if len(text) < 200 else text[:197] + "..."
