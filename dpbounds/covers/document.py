"""Covers as plain text: one JSON object a line.

    {"claim": "name", "variables": ["x", "n"], "integers": ["n"], "given": ["0 < x", "x <= 1/n"], "then": "x * n < 2", "solve": [],
     "root": [["0", "1"], ["1", "inf"]], "places": [["x", "0"]], "bits": 80, "tree": "0n1m-"}

`solve` names equality premises in the form [variable, expression]. The tree is in preorder: a digit splits that side in the middle; "n",
"m", "t" are leaves on which the statement holds, by values, by slopes too, by case distinctions and Taylor forms (at `places`) too;
"-" is a leaf on which a premise fails; "?" and "!" are leaves that rest on the engine: the statement holds, a premise fails.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dpbounds.covers.leaves import Place
from dpbounds.covers.notation import NAME, RESERVED, Reader
from dpbounds.covers.terms import Refused, Term, need

FIELDS = {"claim", "variables", "integers", "given", "then", "solve", "root", "places", "bits", "tree"}
LINE = 4_000_000
"""Characters of one cover."""
TREE = 400_000
_RATIO = re.compile(r"-?\d{1,4000}(/\d{1,4000})?")

Side = tuple[Fraction | None, Fraction | None]


@dataclass(frozen=True)
class Cover:
    """A cover as it was read; nothing of it is checked beyond its form."""

    claim: str
    variables: tuple[str, ...]
    integers: frozenset[str]
    given: tuple[Term, ...]
    then: Term
    solve: tuple[tuple[str, Term], ...]
    root: tuple[Side, ...]
    places: tuple[Place, ...]
    bits: int
    tree: str


def read_line(line: str) -> Cover:
    """Read one cover.

    Raises:
        Refused: it is not in the format.
    """
    need(len(line) <= LINE, "the cover is too long")
    try:
        found = json.loads(line, object_pairs_hook=_each_once, parse_constant=_no_number)
    except (ValueError, RecursionError):
        raise Refused("not a line of JSON") from None
    need(isinstance(found, dict), "a cover is an object")
    return read(found)


def read(found: Mapping[str, Any]) -> Cover:
    """Read the fields of a cover.

    Raises:
        Refused: a field that does not fit.
    """
    try:
        return _read(found)
    except RecursionError:
        raise Refused("the document is nested too deeply") from None


def _read(found: Mapping[str, Any]) -> Cover:
    need(set(found) == FIELDS, "a cover has the fields " + ", ".join(sorted(FIELDS)))
    for name, kind in {"claim": str, "bits": int, "tree": str, "then": str}.items():
        need(type(found[name]) is kind, f"{name} is of another kind")
    for name in ("variables", "integers", "given", "solve", "root", "places"):
        need(type(found[name]) is list and len(found[name]) <= 500, f"{name} is a list, not too long")
    need(found["claim"].isascii() and found["claim"].isprintable(), "a claim's name is printable ASCII")  # it is printed beside the verdict
    names = found["variables"]
    need(
        all(isinstance(n, str) and NAME.fullmatch(n) and n not in RESERVED and len(n) <= 100 for n in names), "a variable has a plain name"
    )
    need(len(set(names)) == len(names) <= 10, "variables are named once, and there are at most ten")
    need(all(isinstance(n, str) for n in found["integers"]) and set(found["integers"]) <= set(names), "integers are variables")
    need(20 <= found["bits"] <= 2000, "bits are between 20 and 2000")
    need(len(found["tree"]) <= TREE, "the tree is too large")
    reader = Reader(names)
    solve = tuple((_name(name, names), reader.expression(text)) for name, text in map(_pair, found["solve"]))
    places = tuple(Place(_name(name, names), reader.expression(text)) for name, text in map(_pair, found["places"]))
    need(all(p.variable not in p.at.names for p in places), "a place of expansion is given by the other variables")
    root = tuple((_end(low, "-inf"), _end(high, "inf")) for low, high in map(_pair, found["root"]))
    return Cover(
        found["claim"],
        tuple(names),
        frozenset(found["integers"]),
        tuple(reader.formula(text) for text in found["given"]),
        reader.formula(found["then"]),
        solve,
        root,
        places,
        found["bits"],
        found["tree"],
    )


def _pair(entry: Any) -> tuple[Any, Any]:
    need(type(entry) is list and len(entry) == 2, "an entry is a list of two")
    return entry[0], entry[1]


def _name(name: Any, names: list[str]) -> str:
    need(name in names, "an entry speaks of an unknown variable")
    return str(name)


def _end(text: Any, infinite: str) -> Fraction | None:
    if text == infinite:
        return None
    need(isinstance(text, str) and _RATIO.fullmatch(text), "a side of the root box is given by fractions, -inf and inf")
    try:
        return Fraction(text)
    except ZeroDivisionError:
        raise Refused("a side of the root box is no number") from None


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    need(len(found) == len(pairs), "a key occurs twice")
    return found


def _no_number(text: str) -> Any:
    raise Refused(f"{text} is no number")
