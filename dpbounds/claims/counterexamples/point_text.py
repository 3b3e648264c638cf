"""A counterexample as a document of the checker of covers: at this point the premises are true, and the conclusion is defined and false.

The document is a statement without variables, so a single box shows it, with certificates of numbers where it speaks of sampled or composed
quantities, and `python -S -m dpbounds.logic` needs no package to check it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import sympy

from dpbounds.claims.stated import Stated
from dpbounds.claims.statement import instance
from dpbounds.claims.statement.cover_text import CoverWriter
from dpbounds.claims.statement.expression_text import read_expression
from dpbounds.covers.cover import Cover
from dpbounds.covers.document import read
from dpbounds.errors import CertificateError, LanguageError
from dpbounds.kernel.notation import show
from dpbounds.kernel.terms import Refused, Term, node
from dpbounds.language import functions
from dpbounds.language.quantifiers import ForAll
from dpbounds.recheck.leaves import check_with_numbers
from dpbounds.recheck.numbers import Refused as NumberRefused

_WAYS = ((80, "n"), (200, "n"), (600, "n"), (80, "t"))
"""Bits, and the rules of the single leaf: values, or case distinctions too."""
_BY_NUMBERS = ((80, "?"),)


def point_of(statement: Stated, texts: Mapping[str, Any]) -> dict[Any, Any]:
    """The point of a certificate: a number for each variable, and a tuple of them for each family.

    Raises:
        CertificateError: it does not name exactly the variables of the statement.
    """
    if set(texts) != {*statement.names, *statement.families}:
        raise CertificateError("the point does not name exactly the variables of the statement")
    point: dict[Any, Any] = {}
    for name, value in texts.items():
        if name in statement.families:
            point[statement.families[name]] = tuple(read_expression(entry) for entry in value)
        else:
            point[statement.names[name]] = read_expression(value)
    return point


def point_to_document(
    claim: str, statement: Stated, point: Mapping[Any, Any], numbers: Sequence[Mapping[str, Any]] = ()
) -> dict[str, Any] | None:
    """The document that refutes a statement at a point, or None where the checker of covers does not show it.

    Args:
        claim: the claim's name.
        statement: the statement.
        point: an exact number for each variable, and a tuple of them for each family.
        numbers: certificates of the numbers that it needs.
    """
    for document in _documents(claim, statement, point, _BY_NUMBERS if numbers else _WAYS):
        try:
            if check_with_numbers(read(document), numbers).by_engine == 0:
                return document
        except (Refused, NumberRefused):
            continue
    return None


def open_cover(claim: str, statement: Stated, point: Mapping[Any, Any]) -> Cover | None:
    """The document that refutes a statement at a point if its numbers do; None where the statement cannot be written."""
    try:
        return next(map(read, _documents(claim, statement, point, _BY_NUMBERS)), None)
    except Refused:
        return None


def _documents(claim: str, statement: Stated, point: Mapping[Any, Any], ways: Sequence[tuple[int, str]]) -> Iterator[dict[str, Any]]:
    writer = CoverWriter(())
    try:
        given = [_at(c, point, writer) for c in statement.constraints]
        parts = list(dict.fromkeys([*given, node("not", _at(statement.then, point, writer))]))
        stated = show(node("and", *parts) if len(parts) > 1 else parts[0])
    except (instance.NoValue, LanguageError, Refused):
        return
    for bits, tree in ways:
        boxes: dict[str, Any] = {"solve": [], "root": [], "places": [], "bits": bits, "tree": tree}
        engine = {"engine": writer.engine} if writer.engine else {}
        yield {"claim": claim, "variables": [], "integers": [], "given": [], "then": stated} | engine | boxes


def _at(condition: Any, point: Mapping[Any, Any], writer: CoverWriter) -> Term:
    """A condition with the point put in."""
    if isinstance(condition, (sympy.And, sympy.Or, sympy.Not, sympy.Implies)):
        parts = [_at(part, point, writer) for part in condition.args]
        match condition:
            case sympy.And():
                return node("and", *parts)
            case sympy.Or():
                return node("or", *parts)
            case sympy.Not():
                return node("not", *parts)
            case _:
                return node("or", node("not", parts[0]), parts[1])
    if isinstance(condition, ForAll):
        outer = {key: value for key, value in point.items() if key != condition.variable}
        values = instance.integers_of(condition, outer)
        if not values:
            raise Refused("a universal premise that is not about some integers between two numbers")
        every = [_at(condition.body, {**outer, condition.variable: value}, writer) for value in values]
        return node("and", *every) if len(every) > 1 else every[0]
    if not isinstance(condition, sympy.core.relational.Relational):
        raise Refused("a condition that is no inequality")
    sides = [functions.expand_quantities(instance.instantiate(side, point, whole=True)) for side in condition.args]
    return writer.condition(type(condition)(*sides, evaluate=False))
