"""Re-check one relation on a box: a gap that must be ≥ 0 (or > 0), on intervals of mpmath.

Natural evaluation of the gap as it stands and factored; slopes; Taylor forms from faces and from the places that a certificate names; a
distinction of cases. Nothing that a certificate says is believed: at a named place it is checked here which derivatives vanish, on which
side of it the box lies, that the gap is analytic on the reach, and that it is ≥ 0 there. For the arguments see `expansions` and `cases`.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

import sympy

from dpbounds import functions
from dpbounds.claims import instance, zero
from dpbounds.claims.definedness import conditions_of
from dpbounds.claims.intervals import Intervals, Undefined, Unsupported
from dpbounds.substitution import is_positive, replaced, substituted

Sides = Mapping[Any, tuple[Any, Any]]
Hint = Mapping[str, Any]

_MOST_ORDER = 4
_MOST_OPERATIONS = 250
_BRANCHING = (sympy.Max, sympy.Min, sympy.Abs, sympy.Piecewise)
_NOT_SMOOTH = (
    *_BRANCHING,
    sympy.floor,
    sympy.ceiling,
    sympy.Sum,
    sympy.Integral,
    sympy.factorial,
    sympy.binomial,
    sympy.gamma,
    functions.PrivacyQuantity,
)


class GapChecker:
    """Checks `gap >= 0` (or `> 0`) on boxes.

    Args:
        gap: an expression.
        strict: whether 0 is too little.
        root: the sides of the root box, by variable.
        premises: what holds on the domain.
        hints: places of Taylor forms: the coordinates of one variable (perhaps in terms of others) or of all.
        intervals: the arithmetic.
    """

    def __init__(self, gap: Any, strict: bool, root: Sides, premises: list[Any], hints: list[Hint], intervals: Intervals) -> None:
        self.gap, self.strict, self.root, self.premises, self.hints, self.intervals = gap, strict, root, premises, hints, intervals
        self.is_smooth = not gap.has(*_NOT_SMOOTH)
        self._cache: dict[Any, Any] = {}

    @classmethod
    def of_relation(cls, relation: Any, root: Sides, premises: list[Any], hints: list[Hint], intervals: Intervals) -> GapChecker:
        """The gap of a relation, in symbols that know the signs which the root box gives them."""
        large, small = (relation.rhs, relation.lhs) if isinstance(relation, (sympy.Le, sympy.Lt)) else (relation.lhs, relation.rhs)
        gap = _cleared(functions.expand_quantities(large) - functions.expand_quantities(small), root, premises)
        known: dict[Any, Any] = {}
        for v, (low, _) in root.items():
            if low >= 0:
                signs = {"positive": True} if low > 0 else {"nonnegative": True}
                whole = {"integer": True} if v.is_integer else {}
                parity = {name: True for name in ("even", "odd") if getattr(v, f"is_{name}")}
                known[v] = sympy.Symbol(v.name, real=True, **signs, **whole, **parity)
        strict = isinstance(relation, (sympy.Lt, sympy.Gt))
        renamed = {known.get(v, v): side for v, side in root.items()}
        return cls(substituted(gap, known), strict, renamed, [substituted(c, known) for c in premises], hints, intervals)

    def holds(self, box: Sides, moved: frozenset[str] = frozenset()) -> bool:
        """True when the relation surely holds on the whole box.

        Args:
            box: the sides, by the variables of `root`.
            moved: names of variables that stand at another place than in the domain; premises about them say nothing.
        """
        sides = self._sides(box)
        if any(self._is_enough(form, sides) for form in self._forms(self.gap)):
            return True
        wanted = (sympy.Gt if self.strict else sympy.Ge)(self.gap, 0, evaluate=False)
        if self._once(("said", moved), lambda: self._premise_says(wanted, moved)):
            return True
        if not self.is_smooth:
            return self._by_cases(box, sides, moved)
        if self._sloped(box, sides) or self._folded(box, sides, moved):
            return True
        if any(isinstance(end, float) for side in box.values() for end in side):
            return False
        return any(self._from_graph(v, at, box, sides, moved) for v, at in self._graphs()) or any(
            self._from_point(point, sides) for point in self._points()
        )

    # evaluation

    def _sides(self, box: Sides) -> dict[Any, Any]:
        return {v: self.intervals.side(low, high) for v, (low, high) in box.items()}

    def _once(self, key: Any, build: Any) -> Any:
        if key not in self._cache:
            self._cache[key] = build()
        return self._cache[key]

    def _forms(self, expression: Any) -> list[Any]:
        return self._once(("forms", expression), lambda: _forms_of(expression, self.intervals))  # type: ignore[no-any-return]

    def _is_enough(self, expression: Any, sides: dict[Any, Any]) -> bool:
        try:
            value = self.intervals.value(expression, sides)
        except (Undefined, Unsupported):
            return False
        return bool(value.a > 0 if self.strict else value.a >= 0)

    def _sign(self, expression: Any, sides: dict[Any, Any]) -> tuple[bool, bool]:
        """(surely >= 0, surely <= 0) of an expression, in any of its forms."""
        rising = falling = False
        for form in self._forms(expression):
            try:
                value = self.intervals.value(form, sides)
            except (Undefined, Unsupported):
                continue
            rising, falling = rising or bool(value.a >= 0), falling or bool(value.b <= 0)
        return rising, falling

    def _is_analytic(self, sides: dict[Any, Any]) -> bool:
        """Derivatives may be rewritten, and Taylor's theorem holds, where the gap is analytic: bases of fractional powers positive."""
        conditions = self._once(
            "analytic",
            lambda: [sympy.Gt(c.lhs, c.rhs, evaluate=False) if isinstance(c, sympy.Ge) else c for c in conditions_of(self.gap)],
        )
        return all(self.intervals.truth(c, sides) is True for c in conditions)

    def _derivative(self, *by: Any) -> Any:
        return self._once(("derivative", by), lambda: sympy.diff(self.gap, *by))

    # slopes

    def _sloped(self, box: Sides, sides: dict[Any, Any]) -> bool:
        """Mean-value form by the slopes that are known; along every other side the whole interval stays."""
        corner, rest = dict(sides), self.intervals.context.mpf(0)
        try:
            for v, (low, high) in box.items():
                if low == high or isinstance(low, float) or isinstance(high, float):
                    continue
                try:
                    slope = self.intervals.value(self._derivative(v), sides)
                except (Undefined, Unsupported):
                    continue
                if slope.a >= 0 or slope.b <= 0:
                    end = low if slope.a >= 0 else high
                    corner[v] = self.intervals.side(end, end)
                else:
                    middle = (low + high) / 2
                    corner[v] = self.intervals.side(middle, middle)
                    rest = rest + slope * (sides[v] - corner[v])
            value = self.intervals.value(self.gap, corner) + rest
        except (Undefined, Unsupported):
            return False
        if not (value.a > 0 if self.strict else value.a >= 0):
            return False
        regular = self._once("regular", lambda: conditions_of(self.gap))
        return all(self.intervals.truth(c, sides) is True for c in regular)

    def _folded(self, box: Sides, sides: dict[Any, Any], moved: frozenset[str]) -> bool:
        """On the part of the box where the gap is least by the signs of its slopes."""
        if not self._is_analytic(sides):
            return False
        folded = dict(box)
        for v, (low, high) in box.items():
            if low == high:
                continue
            rising, falling = self._sign(self._derivative(v), sides)
            if rising and not isinstance(low, float):
                folded[v] = (low, low)
            elif falling and not isinstance(high, float):
                folded[v] = (high, high)
        names = frozenset(v.name for v in box if folded[v] != box[v])
        return bool(names) and self.holds(folded, moved | names)

    # cases

    def _by_cases(self, box: Sides, sides: dict[Any, Any], moved: frozenset[str]) -> bool:
        cases = self._once("cases", self._cases)
        return bool(cases) and all(
            any(self.intervals.truth(c, sides) is False for c in conditions) or checker.holds(box, moved) for conditions, checker in cases
        )

    def _cases(self) -> list[tuple[list[Any], GapChecker]]:
        node = next((n for n in sympy.postorder_traversal(self.gap) if isinstance(n, _BRANCHING)), None)
        if node is None or moved_too_far(self.premises):
            return []
        found = []
        for branch, conditions in _branches_of(node):
            gap, premises = replaced(self.gap, node, branch), [*self.premises, *conditions]
            found.append((conditions, GapChecker(gap, self.strict, self.root, premises, self.hints, self.intervals)))
        return found

    # Taylor forms

    def _graphs(self) -> list[tuple[Any, Any]]:
        return self._once("graphs", lambda: list(self._find_graphs()))  # type: ignore[no-any-return]

    def _find_graphs(self) -> Iterator[tuple[Any, Any]]:
        by_name = {v.name: v for v in self.root}
        for hint in self.hints:
            if len(hint) == 1:
                ((name, at),) = hint.items()
                at = substituted(at, {s: by_name[s.name] for s in at.free_symbols if s.name in by_name})
                v = by_name.get(name)
                if v is not None and not v.is_integer and at.free_symbols <= set(self.root) - {v}:
                    yield v, at
        for v, side in self.root.items():
            for end in side:
                if not v.is_integer and not isinstance(end, float):
                    yield v, sympy.Rational(end.numerator, end.denominator)

    def _from_graph(self, v: Any, at: Any, box: Sides, sides: dict[Any, Any], moved: frozenset[str]) -> bool:
        order, derivative, base = self._once(("graph", v, at), lambda: self._order_at(v, at))
        if not order:
            return False
        try:
            place = self.intervals.value(at, sides)
        except (Undefined, Unsupported):
            return False
        above, below = bool(sides[v].a >= place.b), bool(sides[v].b <= place.a)
        if order % 2:
            above = above or self._premise_says(sympy.Ge(v, at, evaluate=False), moved)
            below = below or self._premise_says(sympy.Le(v, at, evaluate=False), moved)
        reach = {**sides, v: self.intervals.context.mpf([min(sides[v].a, place.a), max(sides[v].b, place.b)])}
        rising, falling = self._sign(derivative, reach)
        if not ((rising and (order % 2 == 0 or above)) or (falling and order % 2 and below)):
            return False
        if not self._is_analytic(reach):
            return False
        rest = {u: side for u, side in box.items() if u != v}
        return bool(base.holds(rest, moved)) if rest else _is_at_least_zero(base.gap, self.strict, self.intervals)

    def _order_at(self, v: Any, at: Any) -> tuple[int, Any, GapChecker | None]:
        """(m, the m-th derivative, the gap at x = h): derivatives 1 to m − 1 vanish identically at x = h; m = 0 for none."""
        derivative = self.gap
        for order in range(1, _MOST_ORDER + 1):
            derivative = sympy.diff(derivative, v)
            if order == _MOST_ORDER or not zero.is_zero(substituted(derivative, {v: at})):
                break
        gap = substituted(self.gap, {v: at})
        if gap.has(sympy.nan, sympy.zoo, sympy.oo):
            return 0, None, None
        root = {u: side for u, side in self.root.items() if u != v}
        premises = [c for c in self.premises if v not in c.free_symbols]
        return order, derivative, GapChecker(self._forms(gap)[-1], self.strict, root, premises, self.hints, self.intervals)

    def _premise_says(self, condition: Any, moved: frozenset[str]) -> bool:
        """A premise about variables that stand where they stood says so."""
        usable = [c for c in self.premises if not any(s.name in moved for s in c.free_symbols)]
        return follows(condition, {part for c in usable if (part := positive_part(c)) is not None})

    def _points(self) -> list[dict[Any, Any]]:
        def find() -> list[dict[Any, Any]]:
            found = []
            for hint in self.hints:
                point = {v: hint[v.name] for v in self.root if v.name in hint}
                if (
                    len(point) == len(self.root) == len(hint) > 1
                    and not any(value.free_symbols for value in point.values())
                    and all(zero.is_zero(substituted(self._derivative(v), point)) for v in self.root)
                    and _is_at_least_zero(substituted(self.gap, point), self.strict, self.intervals)
                ):
                    found.append(point)
            return found

        return self._once("points", find)  # type: ignore[no-any-return]

    def _from_point(self, point: dict[Any, Any], sides: dict[Any, Any]) -> bool:
        context, variables = self.intervals.context, list(self.root)
        reach, rows = {}, []
        try:
            for v in variables:
                place = self.intervals.value(point[v], {})
                reach[v] = context.mpf([min(sides[v].a, place.a), max(sides[v].b, place.b)])
            second = {
                pair: self.intervals.value(self._derivative(*pair), reach) for pair in itertools.combinations_with_replacement(variables, 2)
            }
        except (Undefined, Unsupported):
            return False
        rows = [[second[(a, b) if (a, b) in second else (b, a)] for b in variables] for a in variables]
        for k in range(len(rows)):  # elimination: positive pivots for every matrix within
            if not rows[k][k].a > 0:
                return False
            for i in range(k + 1, len(rows)):
                share = rows[i][k] / rows[k][k]
                rows[i] = [a - share * b for a, b in zip(rows[i], rows[k], strict=True)]
        return self._is_analytic(reach)


def moved_too_far(premises: list[Any]) -> bool:
    """True when more cases were distinguished than a checker follows."""
    return len(premises) > 200


def _branches_of(node: Any) -> Iterator[tuple[Any, list[Any]]]:
    """(value, premises) of the branches of a node; at every point one of them applies."""
    if isinstance(node, sympy.Abs):
        yield node.args[0], [sympy.Ge(node.args[0], 0, evaluate=False)]
        yield -node.args[0], [sympy.Le(node.args[0], 0, evaluate=False)]
    elif isinstance(node, sympy.Piecewise):
        passed: list[Any] = []
        for value, condition in node.args:
            here = sympy.And.make_args(condition) if not isinstance(condition, sympy.Or) else ()
            yield value, [c for c in (*here, *passed) if isinstance(c, sympy.core.relational.Relational)]
            if isinstance(condition, sympy.core.relational.Relational):
                passed.append(condition.negated)
    else:
        relation = sympy.Ge if isinstance(node, sympy.Max) else sympy.Le
        for value in node.args:
            yield value, [relation(value, other, evaluate=False) for other in node.args if other != value]


def _forms_of(expression: Any, intervals: Intervals) -> list[Any]:
    """The expression and its factored form, when numbers do not tell them apart."""
    if sympy.count_ops(expression) > _MOST_OPERATIONS:
        return [expression]
    try:
        factored = sympy.factor(expression)
    except Exception:  # sympy fails on some expressions in ways that it does not document
        return [expression]
    if not zero.is_equal(expression, factored):
        return [expression]
    return [expression] if factored == expression else [expression, factored]


def _is_at_least_zero(value: Any, strict: bool, intervals: Intervals) -> bool:
    """A closed number ≥ 0 (or > 0): by intervals, at a tie exactly."""
    if value.free_symbols:
        return False
    try:
        found = intervals.value(value, {})
        if found.a > 0 or (found.a >= 0 and not strict):
            return True
        if found.b < 0:
            return False
    except (Undefined, Unsupported):
        return False
    return not strict and instance.exactly_equal(value, sympy.S.Zero)


def _cleared(gap: Any, root: Sides, premises: list[Any]) -> Any:
    """The gap times those denominators that the premises make positive on the domain: the same sign."""
    signs = {part for c in premises if (part := positive_part(c)) is not None}
    factor = sympy.S.One
    for power in gap.atoms(sympy.Pow):
        base = power.base
        if power.exp.is_Integer and power.exp < 0 and (base.is_Add or (base in root and Fraction(0) in root[base])):
            positive = sympy.Gt(base, 0, evaluate=False)
            at_corner = substituted(base, {v: sympy.S.Zero for v, side in root.items() if Fraction(0) in side})
            if follows(positive, signs) or (is_positive(base) and at_corner == 0):
                factor = sympy.lcm(factor, base**-power.exp)
    if factor == 1:
        return gap
    cleared = sympy.Add(*(sympy.cancel(factor * term) for term in sympy.Add.make_args(gap)))
    return cleared if zero.is_equal(cleared, factor * gap) else gap


def positive_part(constraint: Any) -> tuple[Any, bool] | None:
    """A premise as (expression, strict): expression > 0, or >= 0."""
    if isinstance(constraint, (sympy.Gt, sympy.Ge)):
        return zero.multiplied_out(constraint.lhs - constraint.rhs), isinstance(constraint, sympy.Gt)
    if isinstance(constraint, (sympy.Lt, sympy.Le)):
        return zero.multiplied_out(constraint.rhs - constraint.lhs), isinstance(constraint, sympy.Lt)
    return None


def follows(condition: Any, premises: set[tuple[Any, bool]]) -> bool:
    """condition `e > 0`, `e >= 0` or `e != 0` follows from a premise `f > 0` or `f >= 0` with e − f a number of the right sign."""
    if isinstance(condition, sympy.Ne):
        e = zero.multiplied_out(condition.lhs - condition.rhs)
        return any(follows(sympy.Gt(s, 0, evaluate=False), premises) for s in (e, -e))
    part = positive_part(condition)
    if part is None:
        return False
    for expression, strict in premises:
        excess = zero.multiplied_out(part[0] - expression)
        if zero.sign_of(excess) > 0 or (excess == 0 and (strict or not part[1])):
            return True
        ratio = sympy.cancel(part[0] / expression) if expression != 0 else sympy.S.Zero
        positive = (strict or not part[1]) and (is_positive(ratio) or zero.sign_of(ratio) > 0)
        if positive and zero.is_equal(part[0], ratio * expression):
            return True
    return False
