"""The ways to a document of a claim that is no descent of the claim itself: descents of parts of it, and lemmas that are joined to them."""

from __future__ import annotations

import itertools
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeVar

import sympy

from dpbounds.claims import clock
from dpbounds.claims.boxes.inequalities import problems_of
from dpbounds.claims.claim import Claim
from dpbounds.claims.evidence import descents
from dpbounds.claims.evidence.at_bounds import AtBound, at_bounds
from dpbounds.claims.evidence.binomial_rows import BinomialRow, at_one_place, binomial_rows
from dpbounds.claims.evidence.corrections import corrected
from dpbounds.claims.evidence.in_other_variables import Renamed, in_other_variables
from dpbounds.claims.evidence.judged import judged
from dpbounds.claims.evidence.powers import InParts, in_powers
from dpbounds.claims.evidence.reductions.central import CentralBounds, central_bounds_of
from dpbounds.claims.evidence.reductions.chords import with_chords
from dpbounds.claims.evidence.reductions.closed_ends import ClosedEnd, closed_ends
from dpbounds.claims.evidence.reductions.closed_rows import INDEX, ClosedRow, closed_rows
from dpbounds.claims.evidence.reductions.exponential_sums import ExponentialSum, exponential_sums
from dpbounds.claims.evidence.reductions.fewer_variables import with_fewer_variables
from dpbounds.claims.evidence.reductions.growing_rows import GrowingRow, growing_rows
from dpbounds.claims.evidence.reductions.halves import TwoHalves, at_zero, halves, where_branches_meet
from dpbounds.claims.evidence.reductions.neighbours import Neighbours, neighbours
from dpbounds.claims.evidence.reductions.one_place import OnePlace, one_place
from dpbounds.claims.evidence.reductions.partial_fractions import PartialFractions, partial_fractions
from dpbounds.claims.evidence.reductions.powers_of_means import powers_of_means
from dpbounds.claims.evidence.reductions.shifted import ShiftedRow, shifted_rows
from dpbounds.claims.evidence.reductions.telescopes import Telescope, telescopes
from dpbounds.claims.evidence.reductions.tilted import TiltedRow, tilted_rows
from dpbounds.claims.evidence.reductions.without_kinks import WithoutKinks, with_maxima, without_kinks
from dpbounds.claims.evidence.two_points import TwoPoints, two_points
from dpbounds.compile.joining.binomial_rows import moment_lemma, tilted_lemma
from dpbounds.compile.joining.quadratic_ranges import range_document
from dpbounds.compile.joining.two_points import two_point_lemma
from dpbounds.compile.steps import NotWritten
from dpbounds.compile.tails import tail_document
from dpbounds.descent.refusal import DescentRefused
from dpbounds.descent.search.trying import fails_somewhere
from dpbounds.kernel.checker import Statement
from dpbounds.kernel.terms import DEPTH, Refused

SECONDS = 8.0
"""Processor time for writing and checking one document; half of them take less than a hundredth of it."""

_SHARE = 0.5
"""The share of the time that is left for each part of a claim."""


@dataclass(frozen=True)
class Compiled:
    """A document that the proof checker accepts, or why there is none.

    Attributes:
        text: the document, empty where there is none.
        statement: what it proves.
        reason: in a few words, the same for the same reason: what the compiler does not write yet, or why the checker refuses.
        detail: one line more.
    """

    text: str = ""
    statement: Statement | None = None
    reason: str = ""
    detail: str = ""


def from_descent(claim: Claim, certificate: Mapping[str, Any], descended: Claim | None = None) -> Compiled:
    """With the claim that the descent is of, where that is the claim in other words."""
    from dpbounds.compile.statements import document_of

    sys.setrecursionlimit(max(sys.getrecursionlimit(), 20 * DEPTH))
    try:
        problems = problems_of(descended or claim, named=certificate.get("quantiles") == "named")
        text = document_of(name_of(claim.id), claim.then, claim.given, problems, certificate)
    except NotWritten as why:
        return Compiled(reason=why.kind, detail=str(why))
    except DescentRefused as why:
        return Compiled(reason="the certificate is not read", detail=str(why))
    except Exception as why:  # a compiler that decides nothing may fail in ways that cannot be listed
        return Compiled(reason="the compiler failed", detail=f"{type(why).__name__}: {why}"[:200])
    try:
        return Compiled(text, judged(claim, text))
    except Refused as why:
        return Compiled(reason="refused by the checker", detail=str(why))


def of_tail(claim: Claim) -> Compiled:
    """Of a sum that one of its ends bounds."""
    try:
        text = tail_document(name_of(claim.id), claim.then, claim.given)
        return Compiled(text, judged(claim, text))
    except Exception as why:  # likewise
        return Compiled(reason="no tail", detail=f"{type(why).__name__}: {why}"[:200])


def of_gammas(claim: Claim) -> Compiled | None:
    """Of values of the gamma function."""
    from dpbounds.compile.joining.gamma_limits import half_step_document
    from dpbounds.compile.joining.gammas import gamma_document

    def written(document: Callable[[str, Any, Sequence[Any]], str]) -> Compiled:
        text = document(name_of(claim.id), claim.then, claim.given)
        return Compiled(text, judged(claim, text))

    return first_of([gamma_document, half_step_document] if claim.then.has(sympy.gamma) else [], written)


def of_factorials(claim: Claim) -> Compiled | None:
    """By Stirling's formula."""
    from dpbounds.compile.joining.factorial_claims import factorial_document

    def written(claim: Claim) -> Compiled:
        text = factorial_document(name_of(claim.id), claim.then, claim.given)
        return Compiled(text, judged(claim, text))

    return first_of([claim] * claim.then.has(sympy.factorial, sympy.binomial), written)


Way = TypeVar("Way")


def first_of(ways: Iterable[Way], written: Callable[[Way], Compiled]) -> Compiled | None:
    """The document of the first way that has one."""
    left = iter(ways)
    while True:
        try:
            return written(next(left))
        except StopIteration:
            return None
        except Exception:  # a search that decides nothing may fail in ways that cannot be listed
            continue


def _refuse_false(parts: Iterable[Claim]) -> None:
    """A part that fails at some point is not searched.

    Raises:
        NotWritten: one does.
    """
    if any(fails_somewhere(problem) for part in parts for problem in problems_of(part)):
        raise NotWritten("a part of a claim that is false")


def at_a_bound(claim: Claim, until: float | None) -> Compiled | None:
    """By a variable that may be put where a premise bounds it."""

    def written(way: AtBound) -> Compiled:
        both = (way.moved, way.there)
        _refuse_false(both)
        known = texts_of(way.known, until)
        return _joined(claim, [(text, {way.name: way.bound}) for text in texts_of(both, until)], known)

    return first_of(at_bounds(claim), written)


def by_one_branch(claim: Claim, until: float | None) -> Compiled | None:
    """By one branch of each maximum that counts in favour."""
    from dpbounds.compile.joining.joined import branches_document

    def written(way: WithoutKinks) -> Compiled:
        texts = iter(texts_of([part.claim for part in way.parts if not part.is_equation], until))
        parts = [("" if part.is_equation else next(texts), part.taken, part.lowered) for part in way.parts]
        known, then = texts_of(way.known, until), with_maxima(claim.then)
        text = branches_document(name_of(claim.id), (claim.then, claim.given), then, parts, way.factors, known)
        return Compiled(text, judged(claim, text))

    return first_of(without_kinks(claim), written)


def by_halves(claim: Claim, until: float | None) -> Compiled | None:
    """On both sides of an axis of symmetry, or of one where the numbers of a maximum are equal."""
    from dpbounds.compile.joining.joined import halves_document

    def written(way: TwoHalves) -> Compiled:
        texts = texts_of((way.above, way.below), until)
        text = halves_document(name_of(claim.id), (claim.then, claim.given), (way.variable, way.axis), way.name, texts, way.kink)
        return Compiled(text, judged(claim, text))

    return first_of(itertools.islice(itertools.chain(where_branches_meet(claim), halves(claim), at_zero(claim)), 1), written)


def by_shifted_rows(claim: Claim, until: float | None) -> Compiled | None:
    """By one coefficient in the place of a tail of a row."""
    from dpbounds.compile.joining.shifted_rows import shifted_document

    def written(way: ShiftedRow) -> Compiled:
        text = "" if way.left is None else texts_of([way.left], until)[0]
        text = shifted_document(name_of(claim.id), claim.then, claim.given, way.total, way.factor, way.parts, text, way.weight)
        return Compiled(text, judged(claim, text))

    return first_of(shifted_rows(claim), written)


def by_tilted_rows(claim: Claim, until: float | None) -> Compiled | None:
    """By Chernoff's bound of a tail of a row."""
    from dpbounds.compile.joining.tilted_rows import tilted_document

    def written(way: TiltedRow) -> Compiled:
        _refuse_false((way.left, *way.known))
        (text,), known = texts_of([way.left], until), texts_of(way.known, until)
        row = way.total, way.factor, way.parts, way.upper
        text = tilted_document(name_of(claim.id), claim.then, claim.given, row, way.tilt, way.exponent, way.premise, text, known)
        return Compiled(text, judged(claim, text))

    return first_of(tilted_rows(claim), written)


def by_telescopes(claim: Claim, until: float | None) -> Compiled | None:
    """By the bound of what is left of a sum from each place on."""
    from dpbounds.compile.joining.telescopes import telescope_document

    def written(way: Telescope) -> Compiled:
        parts = (way.step, way.least, way.end)
        _refuse_false(part for part in parts if part is not None)
        texts = [*(("" if part is None else texts_of([part], until)[0]) for part in parts)]
        text = telescope_document(name_of(claim.id), (claim.then, claim.given), way, texts)
        return Compiled(text, judged(claim, text))

    in_time = itertools.takewhile(lambda _: until is None or clock.now() < until, telescopes(claim))
    return first_of(in_time, written)


def by_exponential_sums(claim: Claim, until: float | None) -> Compiled | None:
    """By bounds of the partial sums of the exponential series."""
    from dpbounds.compile.joining.exponential_claims import exponential_document

    def written(way: ExponentialSum) -> Compiled:
        parts = [] if way.end is None else [way.end]
        _refuse_false(parts)
        text = exponential_document(name_of(claim.id), (claim.then, claim.given), way, "".join(texts_of(parts, until)))
        return Compiled(text, judged(claim, text))

    return first_of(exponential_sums(claim), written)


def by_closed_rows(claim: Claim, until: float | None) -> Compiled | None:
    """By the closed form of a row of binomial coefficients."""
    from dpbounds.compile.joining.closed_rows import closed_row_document

    def written(way: ClosedRow) -> Compiled:
        others = [] if way.term is None else [way.term[0]]
        _refuse_false([way.left, *others])
        text, *terms = [*texts_of([way.left], until, bounds=True), *texts_of(others, until)]
        row = way.total, way.row, way.base, way.factors
        term = None if way.term is None else (INDEX, terms[0], *way.term[1:])
        text = closed_row_document(name_of(claim.id), (claim.then, claim.given), row, text, term)
        return Compiled(text, judged(claim, text))

    return first_of(closed_rows(claim), written)


def by_growing_rows(claim: Claim, until: float | None) -> Compiled | None:
    """By the greatest of the weights of a row of binomial coefficients."""
    from dpbounds.compile.joining.growing_rows import growing_row_document

    def written(way: GrowingRow) -> Compiled:
        parts = [way.order, *([] if way.left is None else [way.left])]
        _refuse_false(parts)
        order, *left = texts_of(parts, until)
        text = growing_row_document(name_of(claim.id), (claim.then, claim.given), way, order, "".join(left))
        return Compiled(text, judged(claim, text))

    return first_of(growing_rows(claim), written)


def by_fractions(claim: Claim, until: float | None) -> Compiled | None:
    """By the partial fractions of the terms of a sum."""
    from dpbounds.compile.joining.partial_fractions import fractions_document

    def written(way: PartialFractions) -> Compiled:
        _refuse_false([way.left])
        left = texts_of([way.left], until)[0], way.factor, way.values
        text = fractions_document(name_of(claim.id), (claim.then, claim.given), way.total, way.parts, left)
        return Compiled(text, judged(claim, text))

    return first_of(partial_fractions(claim), written)


def by_closed_ends(claim: Claim, until: float | None) -> Compiled | None:
    """Away from a closed end of a variable, and at it."""
    from dpbounds.compile.joining.joined import ends_document

    def written(way: ClosedEnd) -> Compiled:
        texts = texts_of([way.at, way.within], until, bounds=True)[::-1]
        text = ends_document(name_of(claim.id), (claim.then, claim.given), (way.variable, way.end), texts)
        return Compiled(text, judged(claim, text))

    return first_of(closed_ends(claim), written)


def by_neighbours(claim: Claim, until: float | None) -> Compiled | None:
    """By the ratios of neighbours in a row of binomial coefficients."""
    from dpbounds.compile.joining.neighbours import neighbours_document

    def written(way: Neighbours) -> Compiled:
        _refuse_false([way.left])
        (text,) = texts_of([way.left], until)
        text = neighbours_document(name_of(claim.id), (claim.then, claim.given), way.first, way.count, way.degree, text)
        return Compiled(text, judged(claim, text))

    return first_of(neighbours(claim), written)


def by_one_place(claim: Claim, until: float | None) -> Compiled | None:
    """By a row of binomial coefficients in the place of one term."""
    from dpbounds.compile.joining.one_place import one_place_document

    def written(way: OnePlace) -> Compiled:
        parts = [] if way.left is None else [way.left]
        _refuse_false(parts)
        text = "".join(texts_of(parts, until))
        text = one_place_document(name_of(claim.id), (claim.then, claim.given), way.row, way.base, way.factor, text, half=way.half)
        return Compiled(text, judged(claim, text))

    return first_of(one_place(claim), written)


def by_central_bounds(claim: Claim, until: float | None) -> Compiled | None:
    """By bounds of central binomial coefficients."""
    from dpbounds.compile.joining.central_claims import central_document

    def written(way: CentralBounds) -> Compiled:
        own = in_parts(way.left, until) if way.left.then.has(sympy.Sum) else None
        text = texts_of([way.left], until, bounds=True)[0] if own is None else own.text
        values = [(k, _at_number(claim, k, until)) for k in way.values]
        text = central_document(name_of(claim.id), claim.then, claim.given, text, way.rows, values)
        return Compiled(text, judged(claim, text))

    return first_of(central_bounds_of(claim), written)


def _at_number(claim: Claim, k: int, until: float | None) -> str:
    """A document of a claim in one variable at a number; empty where sympy sees that it holds."""
    then = claim.then.subs(claim.variables[0], k)
    return (
        "" if then is sympy.true else texts_of([replace(claim, then=then, given=(), by=None, mutant=None, uses=(), witness={})], until)[0]
    )


def by_rows(claim: Claim, until: float | None) -> Compiled | None:
    """By a lemma about a row of binomial coefficients beside positive parts or sizes."""

    def written(way: BinomialRow) -> Compiled:
        known, (text,) = texts_of(way.known, until), texts_of([way.left], until)
        lemma = tilted_lemma() if way.kink == "tilt" else moment_lemma(*texts_of([at_one_place(way.kink)], until), way.kink)
        return _joined(claim, [(lemma, way.values), (text, way.at)], known, [way.factor])

    return first_of(binomial_rows(claim), written)


def renamed(claim: Claim, until: float | None) -> Compiled | None:
    """By a claim in another variable, or with another premise."""

    def written(way: Renamed) -> Compiled:
        known = [*texts_of(way.known, until), *(range_document(*entry) for entry in way.ranges)]
        added = texts_of([part for part, _ in way.added], until)
        (text,) = texts_of([way.claim], until)
        weights = [sympy.S.One, *(weight for _, weight in way.added)]
        raised = [] if way.raised is None else [(*way.raised, sympy.S.One, None)]
        return _joined(claim, [(text, way.values), *((other, {}) for other in added)], known, weights, raised)

    return first_of(in_other_variables(claim), written)


def in_parts(claim: Claim, until: float | None) -> Compiled | None:
    """By one variable less, by one exponent on both sides, by a variable for a power, by an induction with a correction, or by a chord."""

    def written(way: InParts) -> Compiled:
        _refuse_false((*(part for part, _ in way.parts), *way.known))
        texts, known = texts_of([part for part, _ in way.parts], until, bounds=True), texts_of(way.known, until, bounds=True)
        parts = [(text, values) for text, (_, values) in zip(texts, way.parts, strict=True)]
        return _joined(claim, parts, known, way.weights, way.raised)

    return first_of(
        itertools.chain(with_fewer_variables(claim), in_powers(claim), powers_of_means(claim), corrected(claim), with_chords(claim)),
        written,
    )


def by_two_points(claim: Claim, until: float | None) -> Compiled | None:
    """By Hoeffding's bound of the moments of a law on two points."""

    def written(way: TwoPoints) -> Compiled:
        lemma = two_point_lemma(logarithm=way.factor is not None)
        return _joined(claim, [(lemma, way.values)], texts_of(way.left, until), [way.scale if way.factor is None else way.factor])

    return first_of(two_points(claim), written)


def texts_of(parts: Sequence[Claim], until: float | None, *, bounds: bool = False) -> list[str]:
    """A document for each of some claims, also by a variable at a bound.

    Raises:
        NotWritten: one is not found.
    """
    texts, found_before = [], dict[tuple[Any, ...], str]()
    for part in parts:
        mark = part.then, part.given
        if mark in found_before:
            texts.append(found_before[mark])
            continue
        # A search that plans with many seconds and is stopped early finds what no share of a few seconds suffices for.
        last = None if until is None else clock.now() + _SHARE * (until - clock.now())
        own = by_one_branch(part, last) or by_halves(part, last)
        if own is None:
            try:
                found = clock.within(last, partial(descents.certificate_of, part, SECONDS))
            except clock.TimeIsUp:
                found = None
            own = None if found is None else from_descent(part, found)
        if bounds and (own is None or own.statement is None):
            own = at_a_bound(part, until) or by_closed_ends(part, until)
        if own is None or own.statement is None:
            raise NotWritten("a part of a claim")
        found_before[mark] = own.text
        texts.append(own.text)
    return texts


def _joined(
    claim: Claim,
    parts: Sequence[tuple[str, Mapping[str, Any]]],
    known: Sequence[str] = (),
    weights: Sequence[Any] = (),
    raised: Sequence[tuple[Any, Any, Any, Any]] = (),
) -> Compiled:
    from dpbounds.compile.joining.joined import joined_document

    text = joined_document(name_of(claim.id), claim.then, claim.given, parts, known, weights, raised)
    return Compiled(text, judged(claim, text))


def name_of(identifier: str) -> str:
    """The name of a claim as documents have names.

    >>> name_of("Claim_2.tail~mutant")
    'claim-2-tail-mutant'
    """
    return re.sub(r"[^a-z0-9]+", "-", identifier.lower()).strip("-")[:60] or "claim"
