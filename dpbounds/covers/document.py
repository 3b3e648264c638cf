"""Covers as plain text: one JSON object a line.

    {"claim": "name", "variables": ["x", "n"], "integers": ["n"], "given": ["0 < x", "x <= 1/n"], "then": "x * n < 2", "solve": [],
     "root": [["0", "1"], ["1", "inf"]], "places": [["x", "0"]], "bits": 80, "tree": "0n1m-"}

`solve` has [variable, expression, multipliers] where the equations among the premises, in their order and times the multipliers, add up to
variable = expression. The tree is in preorder: a digit splits that side in the middle; "n", "m", "t" are leaves on which the statement
holds, by values, by slopes too, by case distinctions and Taylor forms too; "-" is a leaf on which a premise fails; "?" and "!" are leaves
that rest on the engine: the statement holds, a premise fails. Taylor forms start from `places` ([variable, expression]). "engine" may name
functions of all variables, each with the text that says to the engine what it is; for this checker they are any functions.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from dpbounds.covers.algebra import names_in, real
from dpbounds.covers.cover import Boxes, Cover, Statement
from dpbounds.covers.leaves import Place
from dpbounds.kernel.checker import Arguments, object_of
from dpbounds.kernel.notation import NAME, RESERVED, Reader
from dpbounds.kernel.polynomials import Budget
from dpbounds.kernel.terms import Refused, need

_LISTS = ("variables", "integers", "given", "solve", "root", "places")
FIELDS: dict[str, type] = {"claim": str, "then": str, "tree": str, "bits": int, **dict.fromkeys(_LISTS, list)}
"""The fields of a cover beside "engine", and their kinds."""
LINE = 4_000_000
"""Characters of one cover."""
TREE = 400_000
_RATIO = re.compile(r"-?\d{1,4000}(/\d{1,4000})?", re.ASCII)


def read_line(line: str) -> Cover:
    """Read one cover.

    Raises:
        Refused: it is not in the format.
    """
    need(len(line) <= LINE, "the cover is too long")
    return read(object_of(line, "the cover"))


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
    need(isinstance(found, dict) and set(found) - {"engine"} == set(FIELDS), f"a cover has the fields {', '.join(sorted(FIELDS))}")
    for name, kind in FIELDS.items():
        need(type(found[name]) is kind, f"{name} is of another kind")
        need(kind is not list or len(found[name]) <= 500, f"{name} is a list, not too long")
    need(found["claim"].isascii() and found["claim"].isprintable(), "a claim's name is printable ASCII")  # it is printed beside the verdict
    names = found["variables"]
    engine = found.get("engine", {})
    need(isinstance(engine, dict) and all(isinstance(text, str) for text in engine.values()), "engine has a text for each name")
    for n in (*names, *engine):
        need(isinstance(n, str) and NAME.fullmatch(n) and n not in RESERVED and len(n) <= 100, "a variable has a plain name")
    need(len({*names, *engine}) == len(names) + len(engine), "what has a name has one of its own")
    need(len(names) <= 10 and len(engine) <= 100, "there are at most ten variables, and a hundred functions for the engine")
    need(all(isinstance(n, str) for n in found["integers"]) and set(found["integers"]) <= set(names), "integers are variables")
    reader = reader_of(names, engine)
    given = tuple(reader.formula(text) for text in found["given"])
    statement = Statement(
        found["claim"], tuple(names), frozenset(found["integers"]), given, reader.formula(found["then"]), tuple(engine.items())
    )
    return Cover(statement, read_boxes(found, names))


def reader_of(names: Sequence[str], engine: Iterable[str] = ()) -> Arguments:
    """Reads terms and formulas in some variables, and in functions of all of them that are left to the engine."""
    return Arguments(Reader({n: real(n) for n in names}, dict.fromkeys(engine, f"{'R' * len(names)}>R")), Budget())


def read_boxes(found: Mapping[str, Any], names: Sequence[str]) -> Boxes:
    """The boxes of a statement in some variables."""
    need(20 <= found["bits"] <= 2000, "bits are between 20 and 2000")
    need(len(found["tree"]) <= TREE, "the tree is too large")
    reader = reader_of(names)
    solve = tuple((_name(name, names), reader.term(text), tuple(reader.terms(m))) for name, text, m in _entries(found["solve"], 3))
    places = tuple(Place(_name(name, names), reader.term(text)) for name, text in _entries(found["places"], 2))
    need(all(p.variable not in names_in(p.at) for p in places), "a place of expansion is given by the other variables")
    root = tuple((_end(low, "-inf"), _end(high, "inf")) for low, high in _entries(found["root"], 2))
    return Boxes(solve, root, places, found["bits"], found["tree"])


def _entries(found: list[Any], count: int) -> list[list[Any]]:
    need(all(type(entry) is list and len(entry) == count for entry in found), f"an entry is a list of {count}")
    return found


def _name(name: Any, names: Sequence[str]) -> str:
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
