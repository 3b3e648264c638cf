"""Exact changes of variables, undone: what a new variable is in terms of the old ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from dpbounds.compile.steps import NotWritten
from dpbounds.kernel.terms import ONE, Term, minus, node, number, over, plus, power, times

Row = Sequence[Any]


def _root(v: Term, k: int) -> Term:
    return node("pow", v, number(Fraction(1, k)))


def inverse_of(row: Row, v: Term, names: Mapping[str, Term], bound: Term | None) -> dict[str, Term]:
    """The new variables of a change as terms in the old ones.

    Args:
        row: the change.
        v: the variable that it changes.
        names: the terms of the other variables.
        bound: b of a change that follows a premise.

    Raises:
        NotWritten: a change without an inverse here.
    """
    kind = row[0]
    if kind in ("above", "over"):
        assert bound is not None
        return {row[3]: minus(v, bound)}
    if kind == "below":
        assert bound is not None
        return {row[3]: minus(bound, v)}
    if kind in ("within", "under"):
        assert bound is not None
        return {row[3]: over(v, bound)}
    if kind in _INVERSES:
        return _INVERSES[kind](row, v, names)
    raise NotWritten(f"the change {kind}")


def _exponential(row: Row, v: Term, names: Mapping[str, Term]) -> dict[str, Term]:
    return {row[2]: _root(minus(node("log", number(Fraction(row[3]))), node("log", v)), 2)}


def _circle(row: Row, v: Term, names: Mapping[str, Term]) -> dict[str, Term]:
    return {row[2]: over(_root(v, 2), plus(ONE, _root(minus(ONE, v), 2)))}


def _sampled(row: Row, v: Term, names: Mapping[str, Term]) -> dict[str, Term]:
    loss = names[row[2]]
    return {row[3]: minus(node("log", plus(ONE, over(minus(node("exp", loss), ONE), v))), loss)}


_INVERSES: dict[str, Callable[[Row, Term, Mapping[str, Term]], dict[str, Term]]] = {
    "root": lambda row, v, names: {row[2]: power(v, 2)},
    "square": lambda row, v, names: {row[2]: _root(v, 2)},
    "rooted": lambda row, v, names: {row[2]: _root(v, int(row[3]))},
    "exponential": _exponential,
    "odds": lambda row, v, names: {row[2]: _root(over(v, minus(ONE, v)), 2)},
    "circle": _circle,
    "scaled": lambda row, v, names: {row[3]: over(v, names[row[2]])},
    "sampled": _sampled,
    "logarithm": lambda row, v, names: {row[2]: node("exp", v)},
    "power": lambda row, v, names: {row[2]: node("log", v)},
}
_ = times
