"""Certificates that carry a cover document: how they are made from what the search found, and how they are checked.

The document is checked by `dpbounds.covers`, which shares no code with the search. Two things are done here, and are trusted: the
statement of the document is compared with that of the certificate, and leaves that rest on the engine are given to it and counted.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from dpbounds.claims.checked import Checked
from dpbounds.claims.cover_export import document_of
from dpbounds.claims.cover_text import Writer, statement_of
from dpbounds.claims.domain import Domain
from dpbounds.claims.expression_text import read_expression
from dpbounds.claims.leaves import Leaves, sides_of
from dpbounds.covers import document
from dpbounds.covers.check import Checker, Leaf
from dpbounds.covers.notation import Reader, show
from dpbounds.covers.terms import Refused
from dpbounds.errors import CertificateError
from dpbounds.numbers import balls

FIELDS = {"cover", "leaves", "bits"}


def evidence_of(
    claim: str, names: Mapping[str, Any], then: Any, constraints: Sequence[Any], evidence: Mapping[str, Any], domain: Domain
) -> dict[str, Any] | None:
    """The evidence with a cover document in place of what the search found.

    None where the checker does not settle every leaf of an elementary statement: that certificate stays as it is.
    """
    try:
        if "hint" in evidence:
            bounds = domain.bounds()
            found = document_of(
                claim,
                names,
                then,
                constraints,
                variables=[v.name for v in domain.variables],
                root=[_side(*bounds[v]) for v in domain.variables],
                tree="+",
                bits=80,
                extra_depth=12,
                ties=True,
            )
        else:
            found = document_of(
                claim,
                names,
                then,
                constraints,
                variables=evidence["variables"],
                root=[(_end(low), _end(high)) for low, high in evidence["root"]],
                tree=evidence["tree"],
                bits=evidence["bits"],
                solve={name: read_expression(text) for name, text in evidence["substitution"].items()},
                places=[tuple((name, read_expression(text)) for name, text in place) for place in evidence["places"]],
            )
        cover = document.read(found)
        checked = Checker(cover).run()
    except (Refused, ValueError, RecursionError):
        return None
    if checked.by_engine and not cover.then.is_opaque:
        return None
    return {"cover": found, "leaves": checked.leaves, "bits": found["bits"]}


def _side(low: Fraction | None, high: Fraction | None) -> tuple[Any, Any]:
    return (-math.inf if low is None else low), (math.inf if high is None else high)


def _end(text: str) -> Any:
    return float(text) if text in ("inf", "-inf") else Fraction(text)


def check_cover(claim: str, names: Mapping[str, Any], then: Any, constraints: Sequence[Any], evidence: Mapping[str, Any]) -> Checked:
    """Check the document of a certificate against its statement, and say by what it was checked.

    Args:
        claim: the claim's name.
        names: the variables of the statement by name.
        then: the conclusion.
        constraints: premises and assumptions of the symbols.
        evidence: the document, and the numbers that are shown of it.

    Raises:
        CertificateError: another statement, or a document that is refused.
    """
    if set(evidence) != FIELDS:
        raise CertificateError("a certificate of a cover needs " + ", ".join(sorted(FIELDS)))
    try:
        cover = document.read(evidence["cover"])
        writer, given, conclusion = statement_of(names, then, constraints)
        read = Reader(cover.variables).formula  # both statements as the reader reads them: what is printed is what is compared
        integers = {writer.names[name] for name, v in names.items() if v.is_integer}
        stated = [read(show(premise)) for premise in given], read(show(conclusion))
        same = set(cover.variables) == set(writer.names.values()) and cover.integers == integers and cover.claim == claim
        if not same or stated != (list(cover.given), cover.then):
            raise CertificateError(f"{claim}: the cover is about another statement")
        checker = Checker(cover)
        found = checker.run(_Engine(writer, names, then, constraints, checker))
    except Refused as reason:
        raise CertificateError(f"{claim}: {reason}") from None
    except RecursionError:
        raise CertificateError(f"{claim}: the cover is nested too deeply") from None
    if (type(evidence["leaves"]), evidence["leaves"], evidence["bits"]) != (int, found.leaves, cover.bits):
        raise CertificateError(f"{claim}: the number of leaves or the precision is not that of the cover")
    return Checked(found.leaves, found.by_engine)


class _Engine:
    """The finder's own tests, for leaves that only they settle."""

    def __init__(self, writer: Writer, names: Mapping[str, Any], then: Any, constraints: Iterable[Any], checker: Checker) -> None:
        back = {new: names[old] for old, new in writer.names.items()}
        self._variables, self._then, self._constraints = tuple(back[n] for n in checker.names), then, tuple(constraints)
        self._bits, self._root, self._solved = checker.cover.bits, checker.cover.root, bool(checker.cover.solve)
        self._leaves: Leaves | None = None

    def __call__(self, leaf: Leaf) -> bool:
        if self._solved:
            return False
        box = tuple(_side(*side) for side in leaf.sides)
        with balls.precision(self._bits):
            if self._leaves is None:
                root = tuple(_side(*side) for side in self._root)
                self._leaves = Leaves(Domain(self._variables, (), self._constraints), self._then, root)
            leaves, sides = self._leaves, sides_of(box)
            if leaf.outside:
                return bool(leaves.outside(box, sides))
            if leaves.bound(box, sides, touching=True).truth is True and leaves.defined(box, sides):
                return True
            return leaves.holds_exactly(box, sides)
