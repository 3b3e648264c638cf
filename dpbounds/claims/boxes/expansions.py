"""Taylor forms of a gap g from places where it is known exactly; they settle ties, which no interval evaluation can.

*From a graph.* Let h be an expression in the other variables, p a point of the box and p₀ the point with xᵢ = h instead. If the
derivatives of order 1 to m−1 of g in xᵢ vanish identically at xᵢ = h, then g(p) = g(p₀) + ∂ᵢᵐg(ξ)·(xᵢ−h)ᵐ/m! for a ξ between p₀ and p.
So g(p) ≥ g(p₀) where ∂ᵢᵐg·(xᵢ−h)ᵐ ≥ 0: for even m where ∂ᵢᵐg ≥ 0 on the reach (the box with its i-th side stretched to h), for odd m where
it has the sign of xᵢ−h, which the box or a premise knows. What is left, g(p₀) ≥ 0, has one variable less and is a gap of its own. Faces of
the domain are graphs (h constant), and so are premises xᵢ ≤ h, lines on which both sides touch, and critical points in xᵢ.

*From a point.* If ∇g vanishes at a point c and the matrix of second derivatives is positive definite on the box stretched to c, then
g(p) = g(c) + ½(p−c)ᵀH(ξ)(p−c) ≥ g(c).

Both need g analytic on the reach, points outside of the domain included; `Gap.is_smooth_on` checks it, and so derivatives may be rewritten.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import sympy

from dpbounds.claims.boxes import ties
from dpbounds.claims.boxes.bounds import Bound, Box, Difference, Moved
from dpbounds.claims.boxes.writings import MOST_TERMS, Writings, terms_of, tidied, vanishes
from dpbounds.claims.domain import one_sided
from dpbounds.errors import LanguageError
from dpbounds.language import enclose
from dpbounds.language.substitution import substituted
from dpbounds.language.symbols import canonical_text
from dpbounds.numbers.balls import Ball

_MOST_ORDER = 4
_MOST_OPERATIONS = 400
_LOOK_FOR_TIES = {2, 10, 40, 160}

Point = tuple[sympy.Expr, ...]


@dataclass(frozen=True)
class Graph:
    """A place of expansion x = h(other variables).

    Attributes:
        variable: x.
        at: h.
        side: 1 when a premise or a face says x ≥ h, −1 when it says x ≤ h, else 0.
        about: the variables of that premise; where one of them was moved, the premise says nothing.
    """

    variable: sympy.Symbol
    at: Any
    side: int = 0
    about: frozenset[sympy.Symbol] = frozenset()


@dataclass(frozen=True)
class Learned:
    """What the Taylor forms of one gap have learned.

    Attributes:
        asked: how many boxes they did not settle.
        tried: points, coordinates in the order of the variables, at which forms were looked for.
    """

    asked: int = 0
    tried: tuple[Point, ...] = ()


class Memory:
    """What a search has learned, besides its tree: it can be set back, so that equal boxes find equal forms wherever they are judged.

    Attributes:
        places: the places of expansion that settled some box.
        known: what each gap starts from.
        learners: the forms of all gaps, as they were built.
    """

    def __init__(self) -> None:
        self.places: dict[Any, None] = {}
        self.known: dict[str, Learned] = {}
        self.learners: list[Expansions] = []

    def recall(self, known: Mapping[str, Learned]) -> None:
        """Forget everything but this."""
        self.places, self.known = {}, dict(known)
        for learner in self.learners:
            learner.recall(self.known.get(learner.key, Learned()))

    def news(self) -> dict[str, Learned]:
        """What was learned since the last recall."""
        found: dict[str, Learned] = {}
        for learner in self.learners:
            before, after = self.known.get(learner.key, Learned()), learner.learned
            if after != before:
                told = found.get(learner.key, Learned())
                new = (*told.tried, *(point for point in after.tried if point not in before.tried and point not in told.tried))
                found[learner.key] = Learned(told.asked + after.asked - before.asked, new)
        return found

    @staticmethod
    def merged(known: Mapping[str, Learned], news: Iterable[Mapping[str, Learned]]) -> dict[str, Learned]:
        """What is known after the news of several parts of a search, in their order."""
        result = dict(known)
        for part in news:
            for key, told in part.items():
                before = result.get(key, Learned())
                tried = (*before.tried, *(point for point in told.tried if point not in before.tried))
                result[key] = Learned(before.asked + told.asked, tried)
        return result


class Expansions:
    """The Taylor forms of one gap, built when the first box asks for them.

    Args:
        gap: a smooth gap.
    """

    def __init__(self, gap: Difference) -> None:
        self.gap = gap
        self.usable = sympy.count_ops(gap.expression) <= _MOST_OPERATIONS
        self.key = f"{canonical_text(gap.expression)} {gap.strict} {gap.variables}"
        self._forms: dict[Point, list[_FromGraph | _FromPoint]] = {}
        self.recall(gap.memory.known.get(self.key, Learned()))
        gap.memory.learners.append(self)

    def recall(self, learned: Learned) -> None:
        """Start from what is given, and from nothing else."""
        self._asked, self._tried = learned.asked, list(learned.tried)

    @property
    def learned(self) -> Learned:
        """What is known now."""
        return Learned(self._asked, tuple(self._tried))

    @cached_property
    def _known(self) -> list[_FromGraph | _FromPoint]:
        return [form for graph in _graphs_of(self.gap) if (form := _FromGraph.of_gap(self.gap, graph)) is not None]

    def bound(self, box: Box, values: list[Ball], moved: Moved) -> Bound | None:
        """A bound that settles the box, or None."""
        if not self.usable:
            return None
        found = self._first([*(form for point in self._tried for form in self._forms_at(point)), *self._known], box, values, moved)
        self._asked += found is None
        if found is None and self._asked in _LOOK_FOR_TIES:
            found = self._first(self._forms_near(box), box, values, moved)
        return found

    def _first(self, forms: list[Any], box: Box, values: list[Ball], moved: Moved) -> Bound | None:
        for form in forms:
            bound: Bound | None = form.bound(box, values, moved)
            if bound is not None:
                self.gap.memory.places[form.hint] = None
                return bound
        return None

    def _forms_near(self, box: Box) -> list[Any]:
        """Forms at a critical point near the box, if it has coordinates that can be guessed."""
        variables = self.gap.variables
        if any(v.is_integer for v in variables):
            return []
        found = ties.critical_point(self.gap, box)
        point = () if found is None else tuple(found[v] for v in variables)
        if found is None or point in self._tried:
            return []
        self._tried.append(point)
        return self._forms_at(point)

    def _forms_at(self, point: Point) -> list[Any]:
        """The forms at a point that is worth trying; built once."""
        if point not in self._forms:
            values = dict(zip(self.gap.variables, point, strict=True))
            graphs = (_FromGraph.of_gap(self.gap, Graph(v, at), least_order=2) for v, at in values.items())
            forms: list[Any] = [form for form in graphs if form is not None]
            if not forms and len(values) > 1 and (whole := _FromPoint.of_gap(self.gap, values)) is not None:
                forms.append(whole)
            self._forms[point] = forms
        return self._forms[point]


class _FromGraph:
    def __init__(self, gap: Difference, graph: Graph, order: int, derivative: Any) -> None:
        self.gap, self.graph, self.order = gap, graph, order
        self.position = gap.variables.index(graph.variable)
        self._at = enclose.compile_expression(graph.at, gap.variables)
        self._derivative = Writings(derivative, gap.variables)
        rest = tuple(v for v in gap.variables if v != graph.variable)
        faces = _without(gap.faces, self.position)
        premises = tuple(c for c in gap.premises if graph.variable not in c.free_symbols)
        self._base = tidied(substituted(gap.expression, {graph.variable: graph.at}))
        self._inner = gap.inner_gap(self._base, rest, faces, premises) if rest else None

    @classmethod
    def of_gap(cls, gap: Difference, graph: Graph, least_order: int = 1) -> _FromGraph | None:
        """The form, or None where a derivative that should vanish does not or something has no value there."""
        derivative = gap.expression
        try:
            for order in range(1, _MOST_ORDER + 1):
                derivative = sympy.diff(derivative, graph.variable)
                if order == _MOST_ORDER or not vanishes(substituted(derivative, {graph.variable: graph.at})):
                    return cls(gap, graph, order, derivative) if order >= least_order else None
        except LanguageError:
            return None
        return None

    @property
    def hint(self) -> tuple[tuple[str, Any], ...]:
        return ((str(self.graph.variable), self.graph.at),)

    @cached_property
    def _closed(self) -> bool:
        """Of a gap in one variable: whether it is ≥ 0 (or > 0) at the place of expansion."""
        return ties.holds_at_point(self._base, self.gap.strict)

    def bound(self, box: Box, values: list[Ball], moved: Moved) -> Bound | None:
        at, position = self._at(values), self.position
        if not at.is_finite():
            return None
        away = values[position] - at
        side = (self.graph.side if not self.graph.about & moved else 0) or (1 if away >= 0 else (-1 if away <= 0 else 0))
        wanted = 1 if self.order % 2 == 0 else side
        if wanted == 0:
            return None
        reach = list(values)
        reach[position] = values[position].union(at)
        if self._derivative.sign(reach) != wanted and not self._is_zero(reach):
            return None
        if not self.gap.is_smooth_on(reach):
            return None
        if self._inner is None:
            return Bound(True, Ball(0), "taylor", None) if self._closed else None
        inner = self._inner.bound_on(_without(box, position), touching=True, moved=moved)
        return Bound(True, inner.margin, "taylor", None) if inner.truth is True else None

    def _is_zero(self, reach: list[Ball]) -> bool:
        return bool(self._derivative.raw(reach) == 0)


class _FromPoint:
    def __init__(self, gap: Difference, point: dict[sympy.Symbol, Any], second: dict[tuple[int, int], Writings]) -> None:
        self.gap, self.point, self._second = gap, point, second
        self._coordinates = [enclose.compile_expression(value, ()) for value in point.values()]

    @classmethod
    def of_gap(cls, gap: Difference, point: dict[sympy.Symbol, Any]) -> _FromPoint | None:
        """The form, or None where the gradient does not vanish exactly or the gap is not shown to be ≥ 0 (or > 0)."""
        if not all(vanishes(substituted(sympy.diff(gap.expression, v), point)) for v in gap.variables):
            return None
        if not ties.holds_at_point(substituted(gap.expression, point), gap.strict):
            return None
        second = {}
        for (i, first), (j, other) in itertools.combinations_with_replacement(enumerate(gap.variables), 2):
            writings = gap.derivative(first, other)
            if writings is None:
                return None
            second[i, j] = writings
        return cls(gap, point, second)

    @property
    def hint(self) -> tuple[tuple[str, Any], ...]:
        return tuple((str(v), value) for v, value in self.point.items())

    def bound(self, box: Box, values: list[Ball], moved: Moved) -> Bound | None:
        reach = [value.union(program([])) for value, program in zip(values, self._coordinates, strict=True)]
        size = len(values)
        matrix = [[self._second[min(i, j), max(i, j)].raw(reach) for j in range(size)] for i in range(size)]
        if not ties.is_positive_definite(matrix) or not self.gap.is_smooth_on(reach):
            return None
        return Bound(True, Ball(0), "tie", None)


def _without(sides: Any, position: int) -> Any:
    return (*sides[:position], *sides[position + 1 :])


def _graphs_of(gap: Difference) -> Iterator[Graph]:
    """Places worth trying, found without looking at any box."""
    seen: set[tuple[Any, Any]] = set()
    for graph in itertools.chain(_faces(gap), _premises(gap, one_sided), _critical(gap), _diagonals(gap)):
        key = (graph.variable, sympy.expand(graph.at))
        if key not in seen and not graph.variable.is_integer:
            seen.add(key)
            yield graph


def _faces(gap: Difference) -> Iterator[Graph]:
    for v, side in zip(gap.variables, gap.faces, strict=True):
        for end, sign in zip(side, (1, -1), strict=True):
            if not isinstance(end, float):
                yield Graph(v, sympy.Rational(end), sign)


def _premises(gap: Difference, one_sided: Any) -> Iterator[Graph]:
    for premise in gap.premises:
        for symbol, end, bound in one_sided(premise):
            if symbol in gap.variables and bound.free_symbols <= set(gap.variables):
                yield Graph(symbol, bound, 1 if end == "low" else -1, frozenset(premise.free_symbols))


def _critical(gap: Difference) -> Iterator[Graph]:
    """Where a factor of the derivative in x that is linear in x vanishes."""
    for v in gap.variables:
        slope = tidied(sympy.diff(gap.expression, v))
        for factor in sympy.Mul.make_args(sympy.numer(slope)):
            base = factor.as_base_exp()[0]
            if terms_of(base) > MOST_TERMS:  # what follows expands it
                continue
            rise = sympy.expand(base).coeff(v, 1)
            rest = sympy.expand(base - rise * v)
            if rise != 0 and v not in rise.free_symbols | rest.free_symbols and terms_of(rest) * terms_of(rise) <= MOST_TERMS:
                yield Graph(v, sympy.cancel(-rest / rise))


def _diagonals(gap: Difference) -> Iterator[Graph]:
    """x = ±y where the derivative in x vanishes there."""
    for v, other in itertools.permutations(gap.variables, 2):
        for at in (other, -other):
            if vanishes(substituted(sympy.diff(gap.expression, v), {v: at})):
                yield Graph(v, at)
