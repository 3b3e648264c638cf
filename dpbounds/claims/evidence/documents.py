"""Proof documents: whether the proof checker accepts the document of a derivation, and whether a claim follows from it.

A document is a file of `proofs/documents`. It has the name of a derivation of the catalogue, or that of the claim whose file has the
derivation (`name_of`). `dpbounds.claims.evidence.write_documents` writes them; nothing here believes what is written.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import sympy

from dpbounds.claims.catalogue import catalogue_folder
from dpbounds.claims.claim import Claim
from dpbounds.claims.evidence.finite_divergences import is_mass
from dpbounds.claims.evidence.restated import Restating, hypotheses, not_negative, opened, simplified, without
from dpbounds.claims.plans import Proof
from dpbounds.claims.statement import checker_terms
from dpbounds.claims.statement.checker_terms import NotRead
from dpbounds.errors import DerivationError, ForeignError
from dpbounds.kernel import checker
from dpbounds.kernel.checker import Statement
from dpbounds.kernel.definedness import obligations, ranges
from dpbounds.kernel.sequents import Sequent
from dpbounds.kernel.terms import DEPTH, ONE, ZERO, Refused, Term, below, need
from dpbounds.language.bridge import name_from_sympy, variable_from
from dpbounds.language.definedness import conditions_of_quantities
from dpbounds.language.functions import Divergence, Extremum, Infimum, KLDivergence, PrivacyQuantity, RenyiDivergence
from dpbounds.language.quantifiers import ForAll
from dpbounds.logic.terms import TermError
from dpbounds.prover.statements import NotConverted, Statements, sequent
from dpbounds.prover.terms import conjuncts

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
    clear = [g for g in wanted if not ranges(g)]
    places = [x for x in claim.free.union(*(g.free for g in wanted)) if isinstance(x, Term)]

    def known_from(formulas: list[Term], own: Sequence[Sequent] = ()) -> list[Sequent]:
        plain, shown = hypotheses(formulas), opened([without(statement.sequent, own)])
        defined = [s for d in statement.defined if (s := simplified(without(d, own), shown)).hypotheses <= set(formulas)]
        roots = [root for s in defined for root in not_negative(s)]
        return [*plain, *(s for x in places for s in Restating().instances(plain, x)), *defined, *roots]

    first = known_from(clear)  # what a sum says depends on what it is where it ends before it starts
    if not all(_follows(o, first, clear) for g in wanted for o in ranges(g)):
        return False
    known = known_from(wanted)
    own = [s for h in statement.given if h not in wanted and (s := Restating().shown(h, known)) is not None]
    known = known_from(wanted, own)
    last = Restating().restated(without(statement.sequent, own), claim, known)
    if last is None or last.formula != claim or not last.hypotheses <= set(wanted):
        return False
    return all(_follows(o, known, wanted) for part in _parts(claim) for o in obligations(part))


def _follows(formula: Term, known: list[Sequent], given: Iterable[Term]) -> bool:
    """Whether a sequent of the checker says a formula under what is given."""
    found = Restating().shown(formula, known)
    return found is not None and found.formula == formula and found.hypotheses <= set(given)


def _parts(claim: Term) -> list[Term]:
    """The parts of a conjunction, all of which hold: none needs another one as a condition."""
    return [inner for part in claim.parts for inner in _parts(part)] if claim.tag == "and" else [claim]


def _speaks_of_quantities(claim: Claim, read: Statements, given: list[Term], proved: Statement) -> bool:
    """True if the terms of the checker say what the quantities of a claim do.

    What a quantity of the conclusion asks for must follow from the premises, for its definition may have a value without it: that masses
    and densities are not negative, which must be plain at sight, and its conditions, at sight or because the document showed them from
    the premises. A quantity of a premise may be infinite, which no term is: it is at most a number by the premise, or the other premises
    say that it is not, at sight or because the document showed it from them. That a sum of a premise does not end before its start, and
    that a quantile exists, must follow without these kinds, or two premises could each be clear by the other.
    """
    unclear = {read.formula(part) for premise in claim.given for part in conjuncts(premise) if not _says_finite(part)}
    named = {equation.parts[0].parts[0] for equation in read.quantiles.values()}
    others, plain = [g for g in given if g not in unclear], [g for g in given if not ranges(g) and not named & g.free]
    clear = [g for g in others if g in plain]

    def follows(wanted: Term, allowed: list[Term], known: list[Term]) -> bool:
        shown = (s.formula for s in proved.defined if s.hypotheses <= set(allowed) and not s.citations)
        return wanted in shown or _follows(wanted, hypotheses(known), known)

    return (
        all(_are_masses(quantity, claim) for quantity in claim.then.atoms(Divergence))
        and all(follows(read.formula(condition), plain, plain) for condition in conditions_of_quantities(claim.then))
        and all(follows(o, clear, clear) for equation in read.quantiles.values() for o in _of_quantile(equation))
        and all(follows(o, clear, clear) for premise in given for o in ranges(premise))
        and all(follows(o, others, clear) for premise in unclear for o in obligations(premise))
    )


def _of_quantile(equation: Term) -> list[Term]:
    """What Φ(x) = p asks for: 0 < p < 1 as the checker reads p, for sympy's own signs show nothing, and that p has a value."""
    p = equation.parts[1]
    return [below(ZERO, p), below(p, ONE), *obligations(equation)]


def _are_masses(quantity: Divergence, claim: Claim) -> bool:
    """Whether two families or densities are not negative at sight, and q is positive in KL, whose definition sympy has cancelled."""
    if quantity.is_table:  # its conditions say it
        return True
    p, q = quantity.args[1:3]
    return is_mass(p, claim) and is_mass(q, claim) and not (isinstance(quantity, KLDivergence) and not q.is_positive)


_EITHER_WAY = (Infimum, KLDivergence, sympy.Integral)
"""What may be −∞ too, KL where the masses are infinite: to be at most a number does not make it finite. A log 0 has no value."""


def _says_finite(premise: Any) -> bool:
    """True if a premise has no quantities and integrals, or says of one that it lies on the side of a number where it is finite.

    False of one with binomial coefficients: C(−1, 3) is −1 in a claim, and no such number is below 0 in the checker.
    """
    if premise.has(sympy.binomial):
        return False
    if not premise.has(PrivacyQuantity, sympy.Integral):
        return True
    if isinstance(premise, ForAll):
        return not premise.condition.has(PrivacyQuantity, sympy.Integral) and all(map(_says_finite, conjuncts(premise.body)))
    if not isinstance(premise, (sympy.Le, sympy.Lt, sympy.Ge, sympy.Gt, sympy.Eq)):
        return False
    small, large = premise.args[::-1] if isinstance(premise, (sympy.Ge, sympy.Gt)) else premise.args
    if isinstance(premise, sympy.Eq):
        return any(_is_single(a) and _is_plain(b) for a, b in ((small, large), (large, small)))
    strict = isinstance(premise, (sympy.Lt, sympy.Gt))
    if isinstance(small, RenyiDivergence) and not (large.is_positive if strict else large.is_nonnegative):
        return False  # it is −∞ where its moment is 0, and the checker has log 0 = 0
    below = _is_single(small) and not isinstance(small, _EITHER_WAY) and _is_nonempty(small) and _is_plain(large)
    return below or (isinstance(large, Infimum) and _is_single(large) and _is_nonempty(large) and _is_plain(small))


def _is_plain(side: Any) -> bool:
    """No quantity in it: one within another may be infinite where the other is not."""
    return not side.has(PrivacyQuantity, sympy.Integral)


def _is_single(side: Any) -> bool:
    """True for a quantity or an integral of plain terms: inf (t + J) ≥ 1 does not make J finite."""
    return isinstance(side, (PrivacyQuantity, sympy.Integral)) and all(map(_is_plain, side.args))


def _is_nonempty(quantity: Any) -> bool:
    """False for an extremum whose range may be empty: it may then be infinite on the side where it seems bounded."""
    return not isinstance(quantity, Extremum) or bool((quantity.args[1][2] - quantity.args[1][1]).is_extended_positive)


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
    """True if the proof checker takes a claim from what a document proves: as sympy reads it, and as it was typed.

    What quantities ask for is read off sympy's expressions. What sympy evaluated on the way decides nothing: the document must also prove
    the statement that was typed, which no sympy has read.
    """
    try:
        read = Statements()
        given, formula = sequent(read, claim.then, claim.given)
        said = establishes(statement, given, formula) and _speaks_of_quantities(claim, read, given, statement)
        return said and _proves_as_typed(statement, claim, read)
    except (Refused, NotConverted, NotRead, ForeignError, TermError, ValueError, TypeError, RecursionError):
        return False


def _proves_as_typed(statement: Statement, claim: Claim, names: Statements) -> bool:
    """As it was typed, with the names that the other reading has.

    That integrals run forward, Γ is taken of x > 0 and quantiles exist must follow from premises that speak neither of Γ nor of a quantile.
    """
    then, given = claim.terms
    called: dict[Any, str] = {variable_from(x): str(v.data[0]) for x, v in names.symbols.items() if x in claim.variables}
    called |= {(name_from_sympy(f), arity): name for (f, arity), (name, _) in names.families.items()}
    called |= {"gamma": names.gamma[0]} if names.gamma is not None else {}
    read = checker_terms.TypedReading(called)
    premises, formula = checker_terms.sequent(read, then, given)
    named = {read.gamma, *(equation.parts[0].parts[0] for equation in read.equations())}
    clear = [g for g in premises if not ranges(g) and not named & g.free]
    known = [*hypotheses(clear), *(d for d in statement.defined if d.hypotheses <= set(clear) and not d.citations)]
    asked = [*read.asked, *(o for equation in read.equations() for o in _of_quantile(equation))]
    return establishes(statement, premises, formula) and all(_follows(o, known, clear) for o in asked)


def reads_as_typed(claim: Claim) -> bool:
    """Whether what sympy makes of a statement, where it is defined, shows the statement that was typed."""
    try:
        read = Statements()
        given, formula = sequent(read, claim.then, claim.given)
        defined = tuple(Sequent(frozenset(), o) for part in (*given, formula) for o in obligations(part))
        return _proves_as_typed(Statement("", tuple(given), formula, frozenset(), 0, defined), claim, read)
    except (Refused, NotConverted, NotRead, ForeignError, TermError, ValueError, TypeError, RecursionError):
        return False


def would_prove(derivation: Any, claim: Claim) -> bool:
    """Whether the proof checker would take a claim from a document of a derivation, if there is one: no proof, but worth the writing."""
    try:
        read = Statements()
        assumed, concluded = sequent(read, derivation.conclusion, derivation.assumptions)
        given, formula = sequent(read, claim.then, claim.given)
        return establishes(Statement("", tuple(assumed), concluded, frozenset(), 0), given, formula)
    except (Refused, NotConverted, ValueError, TypeError, RecursionError):
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
    """True if a document proves exactly what a derivation ends in."""
    try:
        given, formula = sequent(Statements(), derivation.conclusion, derivation.assumptions)
    except (NotConverted, Refused):
        return False
    return statement.claim == formula and set(statement.given) <= set(given) and not statement.citations
