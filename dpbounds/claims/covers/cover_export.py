"""From what the search found to a document that `dpbounds.covers` accepts. Nothing here is trusted: the checker reads the document alone.

The tree of the search is kept; where the checker needs smaller boxes it is grown, and each leaf names the rules that settle it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import sympy

from dpbounds.claims.boxes.tree import SearchedCover
from dpbounds.claims.covers.cover_offers import places_for
from dpbounds.claims.statement.cover_text import CoverWriter, minus
from dpbounds.covers.algebra import is_opaque
from dpbounds.covers.check import Checker, Sides, halves_of
from dpbounds.covers.cover import Boxes, Statement
from dpbounds.covers.document import read_boxes
from dpbounds.covers.evaluate import MOST_WORK, Tools
from dpbounds.covers.leaves import SLOPES, TAYLOR
from dpbounds.kernel.notation import show
from dpbounds.kernel.polynomials import Budget
from dpbounds.kernel.terms import Refused

_EXTRA_DEPTH, _WITH_FORMS = 12, 4
"""A leaf is halved up to so many times; with at most so many left, Taylor forms are tried too."""
_MOST_BOXES = 20_000
"""Boxes that are tried besides those of the search."""
_MOST_PLACES = 500
"""As many as a cover may have."""
_MARGIN_BITS = 20
_SPAN = Fraction(1)
_PLAIN = ("natural", "monotone", "mean-value", "")
"""How the search settles what needs neither Taylor forms nor cases."""
_MOST_WORK = 10 * MOST_WORK
"""For the search of a tree that the checker accepts within its own budget."""


class NotConfirmed(Exception):
    """A cover of the search that the checker of covers does not confirm."""


def document_of(statement: Statement, writer: CoverWriter, found: SearchedCover, bits: int) -> dict[str, Any]:
    """The document of what was found.

    Args:
        statement: the statement in the notation of documents.
        writer: what wrote it.
        found: a complete cover.
        bits: the precision of the search.

    Raises:
        NotConfirmed: the checker does not settle every leaf of a statement that it can evaluate, or the search left the statement.
    """
    order = [writer.names[v.name] for v in found.variables if v.name in writer.names]
    variables = (*order, *(v for v in statement.variables if v not in order))
    statement = replace(statement, variables=variables)
    fields = {
        "claim": statement.claim,
        "variables": list(variables),
        "integers": sorted(statement.integers),
        "given": list(map(show, statement.given)),
        "then": show(statement.then),
    } | ({"engine": dict(statement.engine)} if statement.engine else {})
    try:
        return {**fields, **_boxes_of(statement, writer, found, bits)}
    except (Refused, RecursionError) as reason:
        raise NotConfirmed(str(reason)) from None


# --- boxes ---------------------------------------------------------------------------------------------------------


def _boxes_of(statement: Statement, writer: CoverWriter, found: SearchedCover, bits: int) -> dict[str, Any]:
    """The fields of a cover by boxes: first with what the search names, then with all that may help."""
    names = writer.names
    solve = sorted((names[v.name], show(writer.expression(value))) for v, value in found.substitution.items())
    multipliers = _multipliers(statement, [name for name, _ in solve])
    coordinates = [v for v in statement.variables if v not in dict(solve)]
    axes = {names[v.name]: axis for axis, v in enumerate(found.variables)}  # a variable that the search does not know is without bounds
    root = [[_end(end) for end in found.root[axes[v]]] if v in axes else ["-inf", "inf"] for v in coordinates]
    digits: dict[str, str | int | None] = {str(axis): str(coordinates.index(v)) for v, axis in axes.items()}
    places: dict[tuple[str, str], None] = {}
    for place in found.hints:
        at = {names[name]: show(writer.expression(value)) for name, value in place}
        places |= dict.fromkeys(at.items())
    fields = {
        "solve": [[*pair, row] for pair, row in zip(solve, multipliers, strict=True)],
        "root": root,
        "places": [list(place) for place in places][:_MOST_PLACES],
        "bits": bits + _MARGIN_BITS,
        "tree": "?",
    }
    tree = found.tree.translate(str.maketrans(digits))
    ends = [[v, end] for v, side in zip(coordinates, root, strict=True) for end in side if v not in statement.integers and "inf" not in end]
    try:
        return _grown({**fields, "places": fields["places"] or ends}, statement, tree, found.ways)
    except NotConfirmed:
        pass
    offered = places_for(Checker(statement, _read(fields, statement)))
    more = [[*pair] for pair in dict.fromkeys((*places, *offered, *map(tuple, ends)))][:_MOST_PLACES]
    return _grown({**fields, "places": more}, statement, tree, ["tie"] * len(tree))


def _multipliers(statement: Statement, solved: Sequence[str]) -> list[list[str]]:
    """For each variable that is solved for, what the equations among the premises are multiplied with to give it."""
    tools, equations = Tools(80), [minus(*premise.parts) for premise in statement.given if premise.tag == "="]
    slopes = sympy.Matrix(len(equations), len(solved), [sympy.Rational(str(tools.slope(e, v))) for e in equations for v in solved])
    try:
        found = [slopes.T.gauss_jordan_solve(sympy.eye(len(solved))[:, [k]]) for k in range(len(solved))]
    except ValueError:
        raise NotConfirmed("no numbers times the equations give the variables that are solved for") from None
    return [[str(m) for m in row.subs(dict.fromkeys(free, 0))] for row, free in found]


def _read(fields: Mapping[str, Any], statement: Statement) -> Boxes:
    return read_boxes(fields, statement.variables)


def _grown(fields: dict[str, Any], statement: Statement, tree: str, ways: Sequence[str]) -> dict[str, Any]:
    """The fields with the tree that the checker accepts, and without what no leaf needs."""
    checker = Checker(statement, _read(fields, statement), Budget(_MOST_WORK))
    grown = _Grower(checker).tree(tree, ways)
    fields = {**fields, "tree": grown}
    if "t" not in grown:
        fields["places"] = []
    return fields


def _end(end: Any) -> str:
    return str(end) if isinstance(end, float) and math.isinf(end) else str(Fraction(end))


class _Grower:
    """Names the leaves of a tree for the checker, and splits those that it does not settle as they are.

    Args:
        checker: asked what it settles.
    """

    def __init__(self, checker: Checker) -> None:
        self.checker, self.root = checker, checker.boxes.root
        self.whole = [name in checker.statement.integers for name in checker.names]
        self.opaque = is_opaque(checker.then)
        self.opaque_outside = any(is_opaque(premise) for premise in checker.given)
        self.left = _MOST_BOXES

    def tree(self, text: str, ways: Sequence[str]) -> str:
        """The tree with each of its leaves named or grown.

        Args:
            text: the tree of the search.
            ways: by what each of its leaves was settled: Taylor forms are worth trying at once where the search needed them.

        Raises:
            NotConfirmed: a leaf that the checker does not settle, though it can evaluate the statement.
        """
        tokens: list[str] = []
        stack, position = [self.root], 0
        while stack:
            sides, token = stack.pop(), text[position]
            position += 1
            if token.isdigit():
                tokens.append(token)
                stack += reversed(halves_of(sides, int(token), self.whole[int(token)]))
            else:
                tokens.append(self._leaf(sides, token, ways[position - 1] not in _PLAIN, _EXTRA_DEPTH))
        return "".join(tokens)

    def _leaf(self, sides: Sides, token: str, tie: bool, depth: int) -> str:
        checker = self.checker
        if checker.is_outside(sides):
            return "-"
        if not self.opaque:
            # A higher level tries the lower ones first: its name costs nothing where they are enough.
            forms = tie or depth <= _WITH_FORMS
            if checker.holds(sides, TAYLOR if forms else SLOPES):
                return "t" if forms else "m"
        elif token == "+":
            return "?"
        if token == "-" and self.opaque_outside:
            return "!"
        axis = self._widest(sides)
        self.left -= 1
        if depth == 0 or axis is None or self.left < 0:
            raise NotConfirmed(f"the checker of covers does not confirm {checker.text_of(sides)}")
        halves = halves_of(sides, axis, self.whole[axis])
        return f"{axis}{''.join(self._leaf(half, token, tie, depth - 1) for half in halves)}"

    def _widest(self, sides: Sides) -> int | None:
        """The side to split: one without an end before all others; None where no side is left."""
        widths = []
        for (low, high), (first, last) in zip(sides, self.root, strict=True):
            if low is None or high is None:
                widths.append(4 * _SPAN)
                continue
            span = (last - first) if first is not None and last is not None else _SPAN
            widths.append((high - low) / span if span else Fraction(0))
        return widths.index(max(widths)) if widths and max(widths) > 0 else None
