"""From what the search found to a document that `dpbounds.covers` accepts. Nothing here is trusted: the checker reads the document alone.

The tree of the search is kept; where the checker needs smaller boxes it is grown, and each leaf names the rules that settle it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from dpbounds.claims.cover_text import statement_of
from dpbounds.covers import document
from dpbounds.covers.check import Checker, Sides, halves_of
from dpbounds.covers.leaves import KINKS, NATURAL, SLOPES, TAYLOR
from dpbounds.covers.notation import show
from dpbounds.covers.terms import Refused, parts_of

_EXTRA_DEPTH = 8
_MOST_BOXES = 20_000
"""Boxes that are tried in all; a cover of more rests on the engine for the rest."""
_MARGIN_BITS = 20


def document_of(
    claim: str,
    names: Mapping[str, Any],
    then: Any,
    constraints: Sequence[Any],
    *,
    variables: Sequence[str],
    root: Sequence[tuple[Any, Any]],
    tree: str,
    bits: int,
    solve: Mapping[str, Any] | None = None,
    places: Iterable[tuple[tuple[str, Any], ...]] = (),
    extra_depth: int = _EXTRA_DEPTH,
    ties: bool = False,
) -> dict[str, Any]:
    """The document of a cover.

    Args:
        claim: the claim's name.
        names: the variables of the statement.
        then: the conclusion.
        constraints: premises and assumptions of the symbols.
        variables: the coordinates of the boxes, in the order of the search.
        root: the root box; infinite ends are floats.
        tree: the tree of the search.
        bits: the precision of the search.
        solve: what equality premises were solved for.
        places: places of Taylor forms.
        extra_depth: how often a leaf of the search may be split again.
        ties: whether Taylor forms are worth trying on large boxes; they are where the search needed them.
    """
    writer, given, conclusion = statement_of(names, then, constraints)
    renamed = writer.names
    solved = {renamed[name]: show(writer.expression(value)) for name, value in (solve or {}).items()}
    graphs: dict[tuple[str, str], None] = {}
    for place in places:
        for name, at in place:
            graphs[renamed[name], show(writer.expression(at))] = None
    graphs_found = bool(graphs)
    for name, side in zip(variables, root, strict=True):
        for end in side:
            if not graphs_found and not isinstance(end, float) and not names[name].is_integer:
                graphs[renamed[name], str(Fraction(end))] = None
    fields: dict[str, Any] = {
        "claim": claim,
        "variables": [*(renamed[v] for v in variables), *sorted(set(renamed.values()) - {renamed[v] for v in variables})],
        "integers": sorted(renamed[n] for n, v in names.items() if v.is_integer),
        "given": list(map(show, given)),
        "then": show(conclusion),
        "solve": [[name, text] for name, text in sorted(solved.items())],
        "root": [[_end(low), _end(high)] for low, high in root],
        "places": [list(graph) for graph in graphs],
        "bits": bits + _MARGIN_BITS,
        "tree": "?",
    }
    cover = document.read(fields)
    fields["tree"] = _Grower(Checker(cover), cover.root, extra_depth, ties or graphs_found).tree(tree)
    if "t" not in fields["tree"]:
        fields["places"] = []
    return fields


def _end(end: Any) -> str:
    return str(end) if isinstance(end, float) and math.isinf(end) else str(Fraction(end))


class _Grower:
    def __init__(self, checker: Checker, root: Sides, extra_depth: int, ties: bool) -> None:
        self.checker, self.root, self.extra_depth = checker, root, extra_depth
        self.ties = ties or any(part.op in KINKS for part in parts_of(checker.then))
        self.whole = [name in checker.cover.integers for name in checker.names]
        self.opaque = checker.then.is_opaque
        self.tried = 0

    def tree(self, text: str) -> str:
        """The tree with each of its leaves named or grown."""
        tokens: list[str] = []
        stack, position = [self.root], 0
        while stack:
            sides, token = stack.pop(), text[position]
            position += 1
            if token.isdigit():
                tokens.append(token)
                stack += reversed(halves_of(sides, int(token), self.whole[int(token)]))
            else:
                tokens.append(self._leaf(sides, self.extra_depth))
        return "".join(tokens)

    def _leaf(self, sides: Sides, depth: int) -> str:
        self.tried += 1
        checker = self.checker
        if checker.is_outside(sides):
            return "-"
        if self.opaque:
            return "?"
        try:
            for token, level in (("n", NATURAL), ("m", SLOPES), ("t", TAYLOR)):
                if (level < TAYLOR or self.ties or depth == 0) and checker.holds(sides, level):
                    return token
        except RecursionError:
            return "?"
        axis = self._widest(sides)
        if depth == 0 or axis is None or self.tried > _MOST_BOXES:
            return "?"
        try:
            halves = halves_of(sides, axis, self.whole[axis])
        except Refused:
            return "?"
        grown = "".join(self._leaf(half, depth - 1) for half in halves)
        # A leaf of which a part is left to the engine is left to it as a whole.
        return "?" if "?" in grown else f"{axis}{grown}"

    def _widest(self, sides: Sides) -> int | None:
        widths = []
        for (low, high), (first, last) in zip(sides, self.root, strict=True):
            if low is None or high is None:
                return None
            span = (last - first) if first is not None and last is not None else Fraction(1)
            widths.append((high - low) / span if span else Fraction(0))
        if not widths or max(widths) == 0:
            return None
        return widths.index(max(widths))
