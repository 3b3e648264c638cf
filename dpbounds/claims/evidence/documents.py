"""Proof documents: whether the proof checker accepts the document of a derivation, and whether a claim follows from it.

A document is a file of `proofs/documents`. It has the name of a derivation of the catalogue, or that of the claim whose file has the
derivation (`name_of`). `dpbounds.claims.evidence.write_documents` writes them; nothing here believes what is written.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from dpbounds.claims.catalogue import catalogue_folder
from dpbounds.claims.claim import Claim
from dpbounds.claims.evidence.restated import Restating, hypotheses, not_negative, opened, simplified, without
from dpbounds.claims.plans import Proof
from dpbounds.claims.statement.infinite_divergences import laws_that_divide, where_finite
from dpbounds.errors import DerivationError, ForeignError
from dpbounds.kernel import checker
from dpbounds.kernel.checker import Statement
from dpbounds.kernel.definedness import obligations, ranges
from dpbounds.kernel.sequents import Sequent
from dpbounds.kernel.terms import DEPTH, Refused, Term, need
from dpbounds.language.typed.checker_terms import NotRead, ReadStatement, TypedReading, plain_name, reading
from dpbounds.logic.terms import Term as LogicTerm
from dpbounds.logic.terms import TermError, free_in, term
from dpbounds.logic.terms import name_of as name_in_claim

SUFFIX = ".jsonl"


def folder() -> Path:
    """Where the documents of the catalogue lie."""
    return catalogue_folder() / "documents"


def name_of(claim: Claim) -> str | None:
    """The name of the document of a claim's derivation; None of a claim without one.

    A derivation of the claim file's own has the name of the claim, with dashes for dots.
    """
    if not isinstance(claim.by, Proof):
        return None
    return claim.by.name or claim.id.replace(".", "-")


def accepted(name: str, where: Path) -> Statement:
    """What a document proves, checked now with all documents that it rests on.

    Raises:
        Refused: there is no such document, it has another name, or the checker refuses it or one that it rests on.
    """
    file = (where / f"{name}{SUFFIX}").resolve()
    need(file.is_file() and file.parent == where.resolve(), f"there is no document {name}")
    found = _known(where, tuple((f.name, f.stat().st_mtime_ns, f.stat().st_size) for f in sorted(where.glob(f"*{SUFFIX}"))))
    sys.setrecursionlimit(max(sys.getrecursionlimit(), 20 * DEPTH))
    if name not in found:
        _visit(name, where, found, ())
    return found[name]


@lru_cache(maxsize=16)
def _known(where: Path, states: tuple[tuple[str, int, int], ...]) -> dict[str, Statement]:
    """What was accepted in a folder, as long as its files stay as they are."""
    return {}


def _visit(name: str, where: Path, found: dict[str, Statement], path: tuple[str, ...]) -> None:
    need(name not in path, "documents rest on each other in a circle")
    file = where / f"{name}{SUFFIX}"
    need(file.is_file(), f"there is no document {name}")
    rows = checker.parse(file.read_text(encoding="utf-8"))
    for other in sorted(checker.lemmas(rows) - found.keys()):
        need(other.replace("-", "").isalnum(), "no name of a document")
        _visit(other, where, found, (*path, name))
    statement = checker.check(rows, found)
    need(statement.name == name, f"the document {name} calls itself {statement.name}")
    found[name] = statement


def establishes(statement: Statement, given: Iterable[Term], claim: Term) -> bool:
    """True if a claim follows from what a document proves by rules of the checker: in other words, or under stronger premises.

    The claim must also be defined wherever its premises hold. What the document cites, the claim rests on.
    """
    wanted = list(given)
    clear = [g for g in wanted if not ranges(g)]  # what a sum says depends on what it is where it ends before it starts
    if not _all_follow([o for g in wanted for o in ranges(g)], clear, statement):
        return False
    known, own = _knowledge(statement, wanted)
    last = Restating().restated(without(statement.sequent, own), claim, known)
    if last is None or last.formula != claim or not last.hypotheses <= set(wanted):
        return False
    return all(_follows(o, known, wanted) for part in _parts(claim) for o in obligations(part))


def _knowledge(statement: Statement, given: Sequence[Term]) -> tuple[list[Sequent], list[Sequent]]:
    """What is known under formulas, with all that a document showed to be defined; and which of the document's premises they show."""
    places = [x for x in frozenset[Any]().union(*(g.free for g in (*given, statement.claim))) if isinstance(x, Term)]

    def known_from(own: Sequence[Sequent]) -> list[Sequent]:
        plain, shown = hypotheses(given), opened([without(statement.sequent, own)])
        defined = [s for d in statement.defined if (s := simplified(without(d, own), shown)).hypotheses <= set(given)]
        roots = [root for s in defined for root in not_negative(s)]
        return [*plain, *(s for x in places for s in Restating().instances([*plain, *defined], x)), *defined, *roots]

    first = known_from(())
    own = [s for h in statement.given if h not in given and (s := Restating().shown(h, first)) is not None]
    return (known_from(own) if own else first), own


def _all_follow(formulas: Iterable[Term], given: Sequence[Term], statement: Statement) -> bool:
    """Whether sequents of the checker say formulas under what is given, with what a document showed from that."""
    known = [*hypotheses(given), *(d for d in statement.defined if d.hypotheses <= set(given))]
    left = [f for f in formulas if not _follows(f, known, given)]
    more, _ = _knowledge(statement, given) if left else ([], [])
    return all(_follows(f, more, given) for f in left)


def _follows(formula: Term, known: list[Sequent], given: Iterable[Term]) -> bool:
    """Whether a sequent of the checker says a formula under what is given."""
    found = Restating().shown(formula, known)
    return found is not None and found.formula == formula and found.hypotheses <= set(given)


def _parts(claim: Term) -> list[Term]:
    """The parts of a conjunction, all of which hold: none needs another one as a condition."""
    return [inner for part in claim.parts for inner in _parts(part)] if claim.tag == "and" else [claim]


def document_of(claim: Claim, where: Path | None = None) -> Statement | None:
    """What the document of a derivation proves, if the proof checker accepts it and takes the claim from it; None otherwise."""
    name = name_of(claim)
    try:
        found = None if name is None else accepted(name, folder() if where is None else where)
    except (Refused, OSError, ValueError, RecursionError):
        return None
    return found if found is not None and not found.citations and proves(found, claim) else None


def document_in(text: str) -> Statement:
    """What a document proves that is no file of the catalogue, checked now with those of the catalogue that it rests on.

    Raises:
        Refused: the checker refuses it, or one that it rests on.
    """
    rows = checker.parse(text)
    return checker.check(rows, {name: accepted(name, folder()) for name in checker.lemmas(rows)})


def proves(statement: Statement, claim: Claim) -> bool:
    """True if the proof checker takes a claim from what a document proves: the claim as it was typed, which no sympy has read."""
    try:
        return _proves(statement, *claim.terms)
    except (Refused, NotRead, ForeignError, TermError, ValueError, TypeError, RecursionError):
        return False


def _proves(statement: Statement, then: LogicTerm, given: Sequence[LogicTerm]) -> bool:
    return any(_shows(statement, *found) for found in _readings(statement, then, given))


def _readings(statement: Statement, then: LogicTerm, given: Sequence[LogicTerm]) -> Iterator[tuple[ReadStatement, list[Term]]]:
    """The ways in which a statement is read, with what may be assumed besides: each says all that the statement says."""
    called = names_in(statement, then, given)
    yield reading(TypedReading(called), then, given), []
    if laws_that_divide((then, *given)):
        read = TypedReading(called, absent=True)
        found = reading(read, then, given)
        yield found, []
        if (more := where_finite(read, then)) is not None:
            yield replace(found, wanted=[*found.wanted, *more[1]]), more[0]


def _shows(statement: Statement, read: ReadStatement, assumed: list[Term]) -> bool:
    """Whether a document proves a statement as it is read, and what is asked for follows from the premises.

    What is asked of premises must follow from those that are clear. A quantity of a premise may be infinite, which no term is: the premise
    must say that it is not, or the premises without such quantities.
    """
    if not establishes(statement, [*read.given, *assumed], read.claim):
        return False

    others = [g for g in read.given if g not in read.unclear]
    return (
        _all_follow(read.asked, read.clear, statement)
        and all(
            (finite is not None and _all_follow(finite, read.clear, statement)) or _all_follow(obligations(premise), others, statement)
            for premise, finite in read.unclear.items()
        )
        and _all_follow(read.wanted, read.given, statement)
    )


def names_in(statement: Statement, then: LogicTerm, given: Iterable[LogicTerm]) -> dict[Any, str]:
    """Names that a document may have for what a statement speaks of, such as x1 for x. Whatever they are: two things never get one."""
    free: frozenset[Any] = frozenset().union(*(f.free for f in (*statement.given, statement.claim)))
    names = sorted({str(x.data[0] if isinstance(x, Term) else x[0]) for x in free}, key=lambda name: (len(name), name))
    called: dict[Any, str] = {}
    for ending in ("", "_?[0-9]+"):
        for x in (x for x in free_in((then, *given)) if x not in called):
            own = next((name for name in names if re.fullmatch(plain_name(name_in_claim(x)) + ending, name)), None)
            if own is not None:
                called[x] = own
                names.remove(own)
    return called


def would_prove(derivation: Any, claim: Claim) -> bool:
    """Whether the proof checker would take a claim from a document of a derivation, if there is one: no proof, but worth the writing."""
    try:
        assumed = reading(TypedReading(), term(derivation.conclusion), tuple(map(term, derivation.assumptions)))
        read = reading(TypedReading(), *claim.terms)
        given = frozenset(assumed.given)
        defined = tuple(Sequent(given, o) for part in (*assumed.given, *_parts(assumed.claim)) for o in obligations(part))
        return establishes(Statement("", tuple(assumed.given), assumed.claim, frozenset(), 0, defined), read.given, read.claim)
    except (Refused, NotRead, ForeignError, TermError, ValueError, TypeError, RecursionError):
        return False


def require_document(derivation: Any) -> None:
    """Check that the proof checker accepts the stored document of a derivation, and that it proves what the derivation ends in.

    Raises:
        DerivationError: it does not.
    """
    try:
        found = says(accepted(derivation.name, folder()), derivation)
    except Refused as why:
        raise DerivationError(f"{derivation.name}: {why}") from why
    if not found:
        raise DerivationError(f"{derivation.name}: its document proves something else")


def says(statement: Statement, derivation: Any) -> bool:
    """True if a document proves what a derivation ends in, and cites nothing."""
    try:
        return not statement.citations and _proves(statement, term(derivation.conclusion), tuple(map(term, derivation.assumptions)))
    except (Refused, NotRead, TermError, ValueError, TypeError, RecursionError):
        return False
