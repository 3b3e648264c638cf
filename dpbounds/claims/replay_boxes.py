"""Re-check a cover by boxes: substitution, root box, and every leaf of the tree, on intervals of mpmath.

Where the intervals say that a leaf is wrong, on all of it or at a point of it, the certificate is refused: the engine is not asked. What
they cannot evaluate or cannot decide is given to the ball engine, leaf by leaf, and counted: of these leaves only the finder speaks.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cached_property
from typing import Any

import sympy
from sympy.logic.boolalg import Boolean

from dpbounds.claims import instance, zero
from dpbounds.claims.checked import Checked
from dpbounds.claims.definedness import conditions_of
from dpbounds.claims.domain import Domain
from dpbounds.claims.expression_text import read_expression
from dpbounds.claims.intervals import Intervals, Undefined, Unsupported
from dpbounds.claims.leaves import Leaves, sides_of
from dpbounds.claims.replay_gap import GapChecker, follows, positive_part
from dpbounds.errors import CertificateError
from dpbounds.language.substitution import negation, substituted
from dpbounds.numbers import balls

Sides = tuple[tuple[Any, Any], ...]
_FIELDS = {"variables", "root", "tree", "leaves", "outside", "bits", "substitution", "places"}
_RATIO = re.compile(r"-?\d{1,4000}(/\d{1,4000})?")
_EXTRA_DEPTH = 6
_MAX_DEPTH = 400


def check_boxes(
    names: Mapping[str, Any], then: Any, constraints: list[Boolean], evidence: Mapping[str, Any], conditions: Iterable[Boolean] = ()
) -> Checked:
    """Check the evidence of a cover and say by what.

    Args:
        names: the variables of the statement by name.
        then: the conclusion.
        constraints: premises and assumptions of the symbols.
        evidence: the part of the certificate that `certificate.of_cover` wrote.
        conditions: what must hold on the domain besides, as where the statement is a derivative.

    Raises:
        CertificateError: a field that does not fit, or a leaf that is not settled.
    """
    if set(evidence) != _FIELDS:
        raise CertificateError("a certificate of boxes needs " + ", ".join(sorted(_FIELDS)))
    if not all(isinstance(evidence[name], list) for name in ("variables", "root", "places")):
        raise CertificateError("the variables, the root box and the places of expansion are lists")
    substitution = {names[name]: read_expression(text) for name, text in evidence["substitution"].items()}
    _check_substitution(substitution, constraints)
    needed = [*conditions, *conditions_of(then), *conditions_of(instance.elementary(then))]
    constraints = [substituted(c, substitution) for c in constraints]
    variables = [names[name] for name in evidence["variables"]]
    if sorted(map(str, variables)) != sorted(str(v) for v in names.values() if v not in substitution):
        raise CertificateError("the boxes do not cover exactly the variables of the statement")
    bits, root = evidence["bits"], tuple((_ratio(low, -math.inf), _ratio(high, math.inf)) for low, high in evidence["root"])
    if len(root) != len(variables) or not isinstance(evidence["tree"], str) or type(bits) is not int or not 20 <= bits <= 2000:
        raise CertificateError("the root box or the precision does not fit the variables")
    intervals = Intervals(bits + 20)
    _check_root(intervals, variables, root, constraints)
    statement = substituted(then, substitution)
    hints = [_place(entries, {v.name for v in variables}) for entries in evidence["places"]]
    checker = _LeafChecker(intervals, variables, root, statement, [substituted(c, substitution) for c in needed], constraints, hints)
    leaves, outside = _walk(evidence["tree"], root, variables, checker)
    stated = (evidence["leaves"], evidence["outside"])
    if (leaves, outside) != stated or any(type(count) is not int for count in stated) or leaves < 1:
        raise CertificateError("the numbers of leaves do not fit the tree")
    return Checked(leaves + outside, checker.by_balls)


def _place(entries: Any, names: set[str]) -> Mapping[str, Any]:
    """A place of Taylor forms: a list of [variable, expression]."""
    if not isinstance(entries, list) or not 1 <= len(entries) <= 8:
        raise CertificateError("a place names between one and eight variables")
    place = {}
    for entry in entries:
        if not isinstance(entry, list) or len(entry) != 2 or not isinstance(entry[0], str):
            raise CertificateError("a place is a list of a variable and an expression each")
        place[entry[0]] = read_expression(entry[1])
    if not all(isinstance(value, sympy.Expr) for value in place.values()):
        raise CertificateError("a place is given by expressions")
    if not names >= {*place, *(s.name for value in place.values() for s in value.free_symbols)}:
        raise CertificateError("a place speaks of variables that the boxes do not have")
    return place


def _ratio(text: Any, infinity: float) -> Fraction | float:
    if text == str(infinity):
        return infinity
    if not isinstance(text, str) or not _RATIO.fullmatch(text):
        raise CertificateError("a side of the root box is not an exact fraction")
    return Fraction(text)


def _check_substitution(substitution: Mapping[Any, Any], constraints: list[Boolean]) -> None:
    """Solve the equality premises again, one variable each, and compare."""
    solved: dict[Any, Any] = {}
    for equation in constraints:
        if not isinstance(equation, sympy.Eq):
            continue
        difference = zero.multiplied_out(substituted(equation.lhs - equation.rhs, solved))
        for symbol in sorted((s for s in difference.free_symbols if s in substitution), key=str, reverse=True):
            slope = difference.coeff(symbol, 1)
            rest = zero.multiplied_out(difference - slope * symbol)
            if zero.sign_of(slope) and symbol not in rest.free_symbols:
                solution = -rest / slope
                solved = {old: substituted(value, {symbol: solution}) for old, value in solved.items()} | {symbol: solution}
                break
    for symbol, value in substitution.items():
        if symbol not in solved or value.free_symbols & set(substitution) or not zero.is_equal(value, solved[symbol]):
            raise CertificateError(f"{symbol} = {value} does not follow from an equality premise")


# --- the root box --------------------------------------------------------------------------------------------------


def _check_root(intervals: Intervals, variables: list[Any], root: Sides, constraints: list[Boolean]) -> None:
    """Every side of the root must follow from a premise whose other variables are bounded already: no circular bounds."""
    position = {v: i for i, v in enumerate(variables)}
    for v, (low, high) in zip(variables, root, strict=True):
        if low > high or (v.is_integer and any(isinstance(end, Fraction) and end.denominator != 1 for end in (low, high))):
            raise CertificateError(f"the root box gives {v} the side [{low}, {high}]")
    # An infinite end bounds nothing, and nothing may lean on it.
    infinite = {(i, end) for i, side in enumerate(root) for end in (0, 1) if isinstance(side[end], float)}
    done: set[tuple[int, int]] = set()
    for _ in range(2 * len(variables) + 1):
        for constraint in constraints:
            for v, end, bound in _bounds_in(constraint):
                if (
                    v in position
                    and (position[v], end) not in done | infinite
                    and _implied(intervals, bound, end, root[position[v]][end], position, root, done, bool(v.is_integer))
                ):
                    done.add((position[v], end))
    missing = [str(v) for v, i in position.items() for end in (0, 1) if (i, end) not in done | infinite]
    if missing:
        raise CertificateError(f"the premises do not bound {', '.join(dict.fromkeys(missing))} as the root box says")
    for v, end, bound in itertools.chain.from_iterable(map(_bounds_in, constraints)):
        # A side without an end is for what no premise bounds; elsewhere it only leads away from what intervals can check.
        if v in position and (position[v], end) in infinite and _affine_extreme(bound, end, position, root, done) is not None:
            raise CertificateError(f"the premises bound {v}, and the root box does not")


def _bounds_in(constraint: Any) -> list[tuple[Any, int, Any]]:
    """(variable, 0 for a lower or 1 for an upper bound, bound) for every variable in which a premise is linear."""
    if isinstance(constraint, (sympy.Le, sympy.Lt)):
        small, large = constraint.args
    elif isinstance(constraint, (sympy.Ge, sympy.Gt)):
        large, small = constraint.args
    elif isinstance(constraint, sympy.Eq):
        left, right = constraint.args
        return _bounds_in(sympy.Le(left, right, evaluate=False)) + _bounds_in(sympy.Le(right, left, evaluate=False))
    else:
        return []
    rest_of, found = zero.multiplied_out(large - small), []
    for symbol in rest_of.free_symbols:
        slope = rest_of.coeff(symbol)
        rest = zero.multiplied_out(rest_of - slope * symbol)
        if (sign := zero.sign_of(slope)) and not rest.has(symbol):
            found.append((symbol, 0 if sign > 0 else 1, -rest / slope))
    return found


def _implied(
    intervals: Intervals,
    bound: Any,
    end: int,
    claimed: Fraction,
    position: Mapping[Any, int],
    root: Sides,
    done: set[tuple[int, int]],
    whole: bool,
) -> bool:
    affine = _affine_extreme(bound, end, position, root, done)
    if affine is not None:
        # An integer variable below a bound is below its floor.
        return affine <= claimed or (whole and affine < claimed + 1) if end else affine >= claimed or (whole and affine > claimed - 1)
    box = {}
    for symbol in bound.free_symbols:
        if symbol not in position:
            return False
        i = position[symbol]
        if (i, 0) in done and (i, 1) in done:
            box[symbol] = intervals.side(*root[i])
        elif end == 1 and (i, 0) in done and root[i][0] > 0 and _is_decreasing_monomial(bound):
            box[symbol] = intervals.side(root[i][0], root[i][0])  # the largest value is at the smallest x
        else:
            return False
    corner = {
        symbol: sympy.Rational(*root[position[symbol]][0].as_integer_ratio())
        for symbol in box
        if intervals.low(box[symbol]) == intervals.high(box[symbol])
    }
    exact = substituted(bound, corner)
    if exact.is_Rational:
        low = high = Fraction(int(exact.p), int(exact.q))
    else:
        try:
            value = intervals.value(bound, box)
        except (Undefined, Unsupported):
            return False
        low, high = intervals.low(value), intervals.high(value)
    return high <= claimed or (whole and high < claimed + 1) if end else low >= claimed or (whole and low > claimed - 1)


def _affine_extreme(bound: Any, end: int, position: Mapping[Any, int], root: Sides, done: set[tuple[int, int]]) -> Fraction | None:
    """The largest (end 1) or least (end 0) value of c + Σ cᵢ·xᵢ over sides of the root that are known already; None if it is none such."""
    total = Fraction(0)
    for term in sympy.Add.make_args(bound):
        coefficient, rest = term.as_coeff_Mul()
        if not coefficient.is_Rational:
            return None
        factor = Fraction(int(coefficient.p), int(coefficient.q))
        if rest is sympy.S.One:
            total += factor
            continue
        wanted = end if factor > 0 else 1 - end
        if rest not in position or (position[rest], wanted) not in done:
            return None
        total += factor * root[position[rest]][wanted]
    return total


def _is_decreasing_monomial(bound: Any) -> bool:
    """c·x^(−n)·(other negative powers) with c > 0: largest at the smallest x."""
    coefficient, factors = bound.as_coeff_mul()
    pairs = [factor.as_base_exp() for factor in factors]
    return zero.sign_of(coefficient) > 0 and all(base.is_Symbol and exponent.is_Integer and exponent < 0 for base, exponent in pairs)


# --- the tree ------------------------------------------------------------------------------------------------------


def _walk(tree: str, root: Sides, variables: list[Any], checker: _LeafChecker) -> tuple[int, int]:
    stack, leaves, outside, position = [(root, 0)], 0, 0, 0
    while stack:
        if position >= len(tree):
            raise CertificateError("the tree ends early")
        (box, depth), token = stack.pop(), tree[position]
        position += 1
        if token == "+":
            if not checker.holds(box):
                raise CertificateError(f"a leaf does not hold: {_shown(box, variables)}")
            leaves += 1
        elif token == "-":
            if not checker.outside(box):
                raise CertificateError(f"a leaf is not outside the domain: {_shown(box, variables)}")
            outside += 1
        elif token in "0123456789" and int(token) < len(root) and depth < _MAX_DEPTH:
            first, second = _bisect(box, int(token), bool(variables[int(token)].is_integer))
            stack += [(second, depth + 1), (first, depth + 1)]
        else:
            raise CertificateError(f"unknown token {token!r} in the tree, or a tree too deep")
    if position != len(tree):
        raise CertificateError("the tree goes on after its last leaf")
    return leaves, outside


def _bisect(box: Sides, axis: int, whole: bool) -> tuple[Sides, Sides]:
    low, high = box[axis]
    if low == high:
        raise CertificateError("a side of length 0 cannot be split")
    middle = _cut(low, high) if isinstance(low, float) or isinstance(high, float) else (low + high) / 2
    ends = ((low, Fraction(middle.__floor__())), (Fraction(middle.__floor__() + 1), high)) if whole else ((low, middle), (middle, high))
    first, second = ((*box[:axis], side, *box[axis + 1 :]) for side in ends)
    return first, second


def _cut(low: Any, high: Any) -> Fraction:
    """Where a side that reaches to infinity is split: at 0, then at ±1, ±2, ±4 times its end, and at least at ±1."""
    if low < 0 < high:
        return Fraction(0)
    return max(Fraction(1), 2 * low) if isinstance(high, float) else min(Fraction(-1), 2 * high)


def _shown(box: Sides, variables: list[Any]) -> str:
    return ", ".join(f"{v} in [{low}, {high}]" for v, (low, high) in zip(variables, box, strict=True))


def _marks(low: Any, high: Any, whole: bool) -> tuple[Fraction, ...]:
    """Two ends and a middle of a side, numbers where the side has no end."""
    first = low if isinstance(low, Fraction | int) else (high - 1000 if isinstance(high, Fraction | int) else Fraction(-1000))
    last = high if isinstance(high, Fraction | int) else max(first, Fraction(0)) + 1000
    middle = Fraction(first + last) / 2
    return Fraction(first), Fraction(last), Fraction(middle.__floor__()) if whole else middle


class _LeafChecker:
    """Decides single boxes: natural intervals, then slopes, then Taylor at a face where the gap vanishes, then a few splits more.

    Attributes:
        by_balls: how many leaves were left to the ball engine.
    """

    def __init__(
        self,
        intervals: Intervals,
        variables: list[Any],
        root: Sides,
        then: Any,
        needed: list[Boolean],
        constraints: list[Boolean],
        hints: list[Mapping[str, Any]],
    ) -> None:
        self.intervals, self.variables, self.root, self.then, self.hints = intervals, variables, root, then, hints
        self.constraints = [c for c in constraints if not c.has(sympy.Mod)]
        self._all_premises = len(self.constraints) == len(constraints)
        self.by_balls, self._asked = 0, False
        self._extra = needed
        self._needed = [*needed, *conditions_of(then), *conditions_of(instance.elementary(then))]
        self._cache: dict[Any, Any] = {}

    def outside(self, box: Sides) -> bool:
        """True when some premise surely fails on the whole box."""
        sides = self._sides(box)
        for constraint in self.constraints:
            try:
                if self.intervals.truth(constraint, sides) is False:
                    return True
            except Unsupported:
                continue
        if any(self._is_inside(point) for point in self._points_of(box)):
            raise CertificateError(f"a leaf that should lie outside holds a point of the domain: {_shown(box, self.variables)}")
        return self._by_balls(lambda: self._leaves.outside(box, sides_of(box)))

    def holds(self, box: Sides) -> bool:
        """True when the statement surely holds, and is surely defined, on the whole box."""
        self._asked = False
        try:
            if self._holds(box, 0):
                self.by_balls += self._asked
                return True
        except Unsupported:
            pass
        if self._is_refuted(box):
            raise CertificateError(f"a leaf is refuted by intervals: {_shown(box, self.variables)}")
        return self._by_balls(lambda: self._holds_by_balls(box))

    # the veto of the intervals

    def _is_refuted(self, box: Sides) -> bool:
        """True when the statement surely fails on the whole box, or fails or has no value at one of its points in the domain."""
        if self._surely(self.then, self._sides(box)) is False:
            return True
        conditions = [self.then, *self._open_conditions]
        return any(
            self._is_inside(point) and any(self._surely(condition, point) is False for condition in conditions)
            for point in self._points_of(box)
        )

    def _is_inside(self, point: dict[Any, Any]) -> bool:
        return self._all_premises and all(self._surely(constraint, point) is True for constraint in self.constraints)

    def _surely(self, condition: Any, sides: dict[Any, Any]) -> bool | None:
        try:
            return self.intervals.truth(condition, sides)
        except (Unsupported, Undefined):
            return None

    def _points_of(self, box: Sides) -> Iterator[dict[Any, Any]]:
        """The corners and the middle of a box; of a side without an end, its end and points beyond."""
        marks = [_marks(low, high, bool(v.is_integer)) for v, (low, high) in zip(self.variables, box, strict=True)]
        for place in dict.fromkeys([*itertools.product(*(m[:2] for m in marks)), tuple(m[-1] for m in marks)]):
            yield self._sides(tuple((x, x) for x in place))

    # the ball engine, where intervals do not reach

    def _by_balls(self, decide: Any) -> bool:
        with balls.precision(self.intervals.context.prec):
            decided = bool(decide())
        self.by_balls += decided
        return decided

    @cached_property
    def _leaves(self) -> Leaves:
        return Leaves(Domain(tuple(self.variables), (), tuple(self.constraints)), self.then, self.root, self._extra)

    def _holds_by_balls(self, box: Sides) -> bool:
        sides = sides_of(box)
        if self._leaves.bound(box, sides, touching=True).truth is True and self._leaves.defined(box, sides):
            return True
        return self._leaves.holds_exactly(box, sides)

    # intervals

    def _holds(self, box: Sides, depth: int) -> bool:
        if self._statement(self.then, box) and self._all_true(self._open_conditions, self._sides(box)):
            return True
        if all(low == high for low, high in box):
            point = {v: sympy.Rational(low.numerator, low.denominator) for v, (low, _) in zip(self.variables, box, strict=True)}
            self._asked = True  # a point that intervals leave open is decided by the finder's own test, and counted
            return self._all_true(self._open_conditions, self._sides(box)) and instance.truth_at(self.then, point) is True
        if depth >= _EXTRA_DEPTH:
            return False
        if any(isinstance(end, float) for side in box for end in side):
            return False
        widths = [
            (high - low) / (last - first) if last > first else Fraction(0)
            for (low, high), (first, last) in zip(box, self.root, strict=True)
        ]
        if not widths or max(widths) == 0:
            return False
        axis = widths.index(max(widths))
        return all(self._settled(half, depth + 1) for half in _bisect(box, axis, bool(self.variables[axis].is_integer)))

    def _settled(self, box: Sides, depth: int) -> bool:
        sides = self._sides(box)
        return any(self.intervals.truth(c, sides) is False for c in self.constraints) or self._holds(box, depth)

    def _sides(self, box: Sides) -> dict[Any, Any]:
        return {v: self.intervals.side(low, high) for v, (low, high) in zip(self.variables, box, strict=True)}

    @cached_property
    def _premises(self) -> set[tuple[Any, bool]]:
        return {part for c in self.constraints if (part := positive_part(c)) is not None}

    @cached_property
    def _open_conditions(self) -> list[Boolean]:
        # A condition that is a premise itself holds on the domain, though not on the closed box.
        return list(dict.fromkeys(c for c in self._needed if c is not sympy.true and not follows(c, self._premises)))

    def _all_true(self, conditions: list[Boolean], sides: dict[Any, Any]) -> bool:
        return all(self.intervals.truth(c, sides) is True for c in conditions)

    def _statement(self, then: Any, box: Sides) -> bool:
        if then is sympy.true:
            return True
        if isinstance(then, sympy.And):
            return all(self._statement(part, box) for part in then.args)
        if isinstance(then, sympy.Or):
            return any(self._statement(part, box) for part in then.args)
        if isinstance(then, sympy.Implies):
            return self._statement(sympy.Or(negation(then.args[0]), then.args[1]), box)
        if not isinstance(then, (sympy.Le, sympy.Lt, sympy.Ge, sympy.Gt)):
            return False
        return self._gap_holds(then, box)

    def _gap_holds(self, relation: Any, box: Sides) -> bool:
        if relation not in self._cache:
            root = dict(zip(self.variables, self.root, strict=True))
            self._cache[relation] = GapChecker.of_relation(relation, root, self.constraints, self.hints, self.intervals)
        checker = self._cache[relation]
        return bool(checker.holds(dict(zip(checker.root, box, strict=True))))
