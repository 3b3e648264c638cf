"""The ways to a document of a claim that is no descent of the claim itself: descents of parts of it, and lemmas that are joined to them."""

from __future__ import annotations

import itertools
import math
import re
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import sympy

from dpbounds.claims import clock
from dpbounds.claims.boxes.inequalities import problems_of
from dpbounds.claims.claim import Claim
from dpbounds.claims.evidence import descents
from dpbounds.claims.evidence.at_bounds import at_bounds
from dpbounds.claims.evidence.binomial_rows import at_one_place, binomial_rows
from dpbounds.claims.evidence.corrections import corrected
from dpbounds.claims.evidence.in_other_variables import in_other_variables
from dpbounds.claims.evidence.judged import judged
from dpbounds.claims.evidence.powers import in_powers
from dpbounds.claims.evidence.reductions.central import central_bounds_of
from dpbounds.claims.evidence.reductions.chords import with_chords
from dpbounds.claims.evidence.reductions.closed_ends import closed_ends
from dpbounds.claims.evidence.reductions.closed_rows import INDEX, closed_rows
from dpbounds.claims.evidence.reductions.exponential_sums import exponential_sums
from dpbounds.claims.evidence.reductions.fewer_variables import with_fewer_variables
from dpbounds.claims.evidence.reductions.growing_rows import growing_rows
from dpbounds.claims.evidence.reductions.halves import at_zero, halves, where_branches_meet
from dpbounds.claims.evidence.reductions.laws_of_tables import laws_of_tables
from dpbounds.claims.evidence.reductions.likelihood_ratios import likelihood_ratios
from dpbounds.claims.evidence.reductions.neighbours import neighbours
from dpbounds.claims.evidence.reductions.one_place import one_place
from dpbounds.claims.evidence.reductions.partial_fractions import partial_fractions
from dpbounds.claims.evidence.reductions.powers_of_means import powers_of_means
from dpbounds.claims.evidence.reductions.quadratic_roots import quadratic_roots
from dpbounds.claims.evidence.reductions.recursions import recursions
from dpbounds.claims.evidence.reductions.shifted import shifted_rows
from dpbounds.claims.evidence.reductions.telescopes import telescopes
from dpbounds.claims.evidence.reductions.tilted import tilted_rows
from dpbounds.claims.evidence.reductions.without_kinks import with_maxima, without_kinks
from dpbounds.claims.evidence.reductions.without_place import without_place
from dpbounds.claims.evidence.two_points import two_points
from dpbounds.compile.families.resumed import FamilySearch
from dpbounds.compile.families.without_place import place_document
from dpbounds.compile.joining.binomial_rows import moment_lemma, tilted_lemma
from dpbounds.compile.joining.central_claims import central_document
from dpbounds.compile.joining.closed_rows import closed_row_document
from dpbounds.compile.joining.exponential_claims import exponential_document
from dpbounds.compile.joining.factorial_claims import factorial_document
from dpbounds.compile.joining.gamma_limits import half_step_document
from dpbounds.compile.joining.gammas import gamma_document
from dpbounds.compile.joining.growing_rows import growing_row_document
from dpbounds.compile.joining.joined import branches_document, ends_document, halves_document, joined_document
from dpbounds.compile.joining.laws_of_tables import laws_document
from dpbounds.compile.joining.likelihood_ratios import ratio_document
from dpbounds.compile.joining.neighbours import neighbours_document
from dpbounds.compile.joining.one_place import one_place_document
from dpbounds.compile.joining.partial_fractions import fractions_document
from dpbounds.compile.joining.quadratic_ranges import range_document
from dpbounds.compile.joining.quadratic_roots import quadratic_document
from dpbounds.compile.joining.recursions import recursion_document
from dpbounds.compile.joining.shifted_rows import shifted_document
from dpbounds.compile.joining.telescopes import telescope_document
from dpbounds.compile.joining.tilted_rows import tilted_document
from dpbounds.compile.joining.two_points import two_point_lemma
from dpbounds.compile.statements import document_of
from dpbounds.compile.steps import NotWritten
from dpbounds.compile.tails import tail_document
from dpbounds.descent.refusal import DescentRefused
from dpbounds.descent.search.trying import fails_somewhere
from dpbounds.kernel.checker import Statement
from dpbounds.kernel.terms import DEPTH, Refused
from dpbounds.language.definedness import conditions_of_quantities

SECONDS = 8.0
"""Processor time for writing and checking one document; half of them take less than a hundredth of it."""

_SHARE, _SHARE_OF_FAMILIES = 0.5, 0.8
"""The share of the time that is left for each part of a claim, and for one about families."""


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


@dataclass(frozen=True)
class DocumentWay:
    """A way to documents of claims: others that a claim follows from, and what joins their documents.

    Attributes:
        reductions: what a claim is reduced to; the first that has a document is taken.
        document: from a name, conclusion with premises, a reduction and a document for each part, group by group.
        parts: groups of claims that a reduction leaves; None has the document "".
        bounds: whether a part may be shown by a variable at a bound.
        glances: whether it has little time at first.
        planned: processor seconds with which the searches for its parts plan.
    """

    reductions: Callable[[Claim], Iterable[Any]]
    document: Callable[..., str]
    parts: Callable[[Any], Sequence[Sequence[Claim | None]]] = lambda reduction: ()
    bounds: bool = False
    glances: bool = False
    planned: float = SECONDS

    def __call__(self, claim: Claim, until: float | None) -> Compiled | None:
        """The document of a claim, None where it has none in this way."""

        def written(reduction: Any) -> Compiled:
            groups = self.parts(reduction)
            texts = iter(
                texts_of([part for group in groups for part in group if part is not None], until, bounds=self.bounds, planned=self.planned)
            )
            found = [["" if part is None else next(texts) for part in group] for group in groups]
            text = self.document(name_of(claim.id), (claim.then, claim.given), reduction, *found)
            return Compiled(text, judged(claim, text))

        return first_of(itertools.takewhile(lambda _: until is None or clock.now() < until, self.reductions(claim)), written)


def first_of(ways: Iterable[Any], written: Callable[[Any], Compiled]) -> Compiled | None:
    """The document of the first way that has one."""
    left = iter(ways)
    while True:
        try:
            return written(next(left))
        except StopIteration:
            return None
        except Exception:  # a search that decides nothing may fail in ways that cannot be listed
            continue


by_tail = DocumentWay(lambda claim: [claim], lambda name, claim, way: tail_document(name, *claim))
"""By one end of a sum."""

by_gammas = DocumentWay(
    lambda claim: (gamma_document, half_step_document) if claim.then.has(sympy.gamma) else (), lambda name, claim, way: way(name, *claim)
)
"""By what is known of the gamma function."""

by_factorials = DocumentWay(
    lambda claim: (factorial_document,) if claim.then.has(sympy.factorial, sympy.binomial) else (),
    lambda name, claim, way: way(name, *claim),
)
"""By Stirling's formula."""

at_a_bound = DocumentWay(
    at_bounds,
    lambda name, claim, way, both, known: joined_document(
        name, claim[0], claim[1], [(text, {way.name: way.bound}) for text in both], known
    ),
    lambda way: ((way.moved, way.there), way.known),
    glances=True,
)
"""By a variable that may be put where a premise bounds it."""

by_one_branch = DocumentWay(
    without_kinks,
    lambda name, claim, way, texts, known: branches_document(
        name, claim, with_maxima(claim[0]),
        [(text, part.taken, part.lowered) for text, part in zip(texts, way.parts, strict=True)], way.factors, known,
    ),
    lambda way: ([None if part.is_equation else part.claim for part in way.parts], way.known),
)  # fmt: skip
"""By one branch of each maximum that counts in favour."""

by_halves = DocumentWay(
    lambda claim: itertools.islice(itertools.chain(where_branches_meet(claim), halves(claim), at_zero(claim)), 1),
    lambda name, claim, way, texts: halves_document(name, claim, (way.variable, way.axis), way.name, texts, way.kink),
    lambda way: ((way.above, way.below),),
)
"""On both sides of an axis of symmetry, or of one where the numbers of a maximum are equal."""

by_shifted_rows = DocumentWay(
    shifted_rows,
    lambda name, claim, way, texts: shifted_document(name, claim[0], claim[1], way.total, way.factor, way.parts, texts[0], way.weight),
    lambda way: ((way.left,),),
    glances=True,
)
"""By one coefficient in the place of a tail of a row."""

by_tilted_rows = DocumentWay(
    tilted_rows,
    lambda name, claim, way, texts, known: tilted_document(
        name, claim[0], claim[1], (way.total, way.factor, way.parts, way.upper), way.tilt, way.exponent, way.premise, texts[0], known
    ),
    lambda way: ((way.left,), way.known),
)
"""By Chernoff's bound of a tail of a row."""

by_telescopes = DocumentWay(telescopes, telescope_document, lambda way: ((way.step, way.least, way.end),))
"""By the bound of what is left of a sum from each place on."""

by_exponential_sums = DocumentWay(
    exponential_sums, lambda name, claim, way, texts: exponential_document(name, claim, way, *texts), lambda way: ((way.end,),)
)
"""By bounds of the partial sums of the exponential series."""

by_closed_rows = DocumentWay(
    closed_rows,
    lambda name, claim, way, texts: closed_row_document(
        name, claim, (way.total, way.row, way.base, way.factors), texts[0],
        None if way.term is None else (INDEX, texts[1], *way.term[1:]),
    ),
    lambda way: ((way.left, None if way.term is None else way.term[0]),),
    bounds=True,
)  # fmt: skip
"""By the closed form of a row of binomial coefficients."""

by_growing_rows = DocumentWay(
    growing_rows, lambda name, claim, way, texts: growing_row_document(name, claim, way, *texts), lambda way: ((way.order, way.left),)
)
"""By the greatest of the weights of a row of binomial coefficients."""

by_fractions = DocumentWay(
    partial_fractions,
    lambda name, claim, way, texts: fractions_document(name, claim, way.total, way.parts, (*texts, way.factor, way.values)),
    lambda way: ((way.left,),),
)
"""By the partial fractions of the terms of a sum."""

by_closed_ends = DocumentWay(
    closed_ends,
    lambda name, claim, way, texts: ends_document(name, claim, (way.variable, way.end), texts[::-1]),
    lambda way: ((way.at, way.within),),
    bounds=True,
)
"""Away from a closed end of a variable, and at it."""

by_neighbours = DocumentWay(
    neighbours,
    lambda name, claim, way, texts: neighbours_document(name, claim, way.first, way.count, way.degree, *texts),
    lambda way: ((way.left,),),
)
"""By the ratios of neighbours in a row of binomial coefficients."""

by_recursions = DocumentWay(
    recursions,
    lambda name, claim, way, *texts: recursion_document(name, claim, way, texts),
    lambda way: (way.first, [part for part, _ in way.parts], way.signs),
    bounds=True,
)
"""By an induction over the place of an entry of a family."""

by_one_place = DocumentWay(
    one_place,
    lambda name, claim, way, texts: one_place_document(name, claim, way.row, way.base, way.factor, *texts, half=way.half),
    lambda way: ((way.left,),),
)
"""By a row of binomial coefficients in the place of one term."""

by_place = DocumentWay(
    without_place,
    lambda name, claim, way, texts: place_document(name, claim, way, texts, list(conditions_of_quantities(claim[0]))),
    lambda way: ((way.claim,),),
)
"""By the entries of families at all places but one."""

by_laws = DocumentWay(laws_of_tables, laws_document, lambda way: ((way.claim,),))
"""By what holds for laws of any length."""

by_quadratic_roots = DocumentWay(quadratic_roots, quadratic_document, lambda way: ((way.claim,),), planned=40.0)
"""By a variable in which a root is rational."""

by_central_bounds = DocumentWay(
    central_bounds_of,
    lambda name, claim, way, texts, values: central_document(
        name, claim[0], claim[1], texts[0], way.rows, [(k, text) for (k, _), text in zip(way.values, values, strict=True)]
    ),
    lambda way: ((way.left,), [part for _, part in way.values]),
    bounds=True,
)
"""By bounds of central binomial coefficients."""

by_rows = DocumentWay(
    binomial_rows,
    lambda name, claim, way, known, texts, places: joined_document(
        name, claim[0], claim[1],
        [(tilted_lemma() if way.kink == "tilt" else moment_lemma(*places, way.kink), way.values), (*texts, way.at)],
        known, [way.factor],
    ),
    lambda way: (way.known, (way.left,), () if way.kink == "tilt" else (at_one_place(way.kink),)),
)  # fmt: skip
"""By a lemma about a row of binomial coefficients beside positive parts or sizes."""

renamed = DocumentWay(
    in_other_variables,
    lambda name, claim, way, known, added, texts: joined_document(
        name, claim[0], claim[1], [(*texts, way.values), *((other, {}) for other in added)],
        [*known, *(range_document(*entry) for entry in way.ranges)],
        [sympy.S.One, *(weight for _, weight in way.added)], [] if way.raised is None else [(*way.raised, sympy.S.One, None)],
    ),
    lambda way: (way.known, [part for part, _ in way.added], (way.claim,)),
)  # fmt: skip
"""By a claim in another variable, or with another premise."""

in_parts = DocumentWay(
    lambda claim: itertools.chain(
        with_fewer_variables(claim), in_powers(claim), powers_of_means(claim), corrected(claim), with_chords(claim)
    ),
    lambda name, claim, way, texts, known: joined_document(
        name,
        claim[0],
        claim[1],
        [(text, values) for text, (_, values) in zip(texts, way.parts, strict=True)],
        known,
        way.weights,
        way.raised,
    ),
    lambda way: ([part for part, _ in way.parts], way.known),
    bounds=True,
    glances=True,
)
"""By one variable less, by one exponent on both sides, by a variable for a power, by an induction with a correction, or by a chord."""

by_ratios = DocumentWay(
    likelihood_ratios,
    ratio_document,
    lambda way: ((way.point,), way.signs, [side for _, *sides in way.bounds for side in sides], (way.left,)),
)
"""By a function of the likelihood ratio of two normal densities."""

by_two_points = DocumentWay(
    two_points,
    lambda name, claim, way, known: joined_document(
        name, claim[0], claim[1], [(two_point_lemma(logarithm=way.factor is not None), way.values)], known,
        [way.scale if way.factor is None else way.factor],
    ),
    lambda way: (way.left,),
    glances=True,
)  # fmt: skip
"""By Hoeffding's bound of the moments of a law on two points."""

FIRST: tuple[DocumentWay, ...] = (
    by_gammas, by_ratios, by_quadratic_roots, by_laws, by_two_points, by_one_branch, by_tilted_rows, by_exponential_sums,
    replace(by_telescopes, reductions=lambda claim: telescopes(claim) if claim.then.has(sympy.oo) else ()),
    by_closed_rows, by_growing_rows, by_fractions, by_neighbours, by_one_place, in_parts, at_a_bound, by_shifted_rows, by_central_bounds,
    by_factorials, by_telescopes,
)  # fmt: skip
"""The ways that are tried first."""
LAST: tuple[DocumentWay, ...] = (by_rows, renamed, by_halves)
"""Those that come after a search for a descent."""


def texts_of(parts: Sequence[Claim], until: float | None, *, bounds: bool = False, planned: float = SECONDS) -> list[str]:
    """A document for each of some claims, also by a variable at a bound.

    Raises:
        NotWritten: one is not found.
    """
    texts, found_before = [], dict[tuple[Any, ...], str]()
    if any(map(_is_false, parts)):
        raise NotWritten("a part of a claim that is false")
    for part in parts:
        mark = part.then, part.given
        if mark in found_before:
            texts.append(found_before[mark])
            continue
        # A search that plans with many seconds and is stopped early finds what no share of a few seconds suffices for.
        last = None if until is None else clock.now() + _SHARE * (until - clock.now())
        if part.families:
            left = math.inf if until is None else time.process_time() + _SHARE_OF_FAMILIES * (until - clock.now())
            texts.append(FamilySearch(name_of(part.id), part.then, part.given).document(left))
            continue
        own = in_parts(part, until) if bounds and part.then.has(sympy.Sum) else by_one_branch(part, last) or by_halves(part, last)
        if own is None:
            try:
                found = clock.within(last, partial(descents.certificate_of, part, planned))
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


def _is_false(part: Claim) -> bool:
    """Whether it fails at some point, so that it is not searched."""
    try:
        return any(map(fails_somewhere, problems_of(part)))
    except Exception:  # likewise
        return False


def name_of(identifier: str) -> str:
    """The name of a claim as documents have names.

    >>> name_of("Claim_2.tail~mutant")
    'claim-2-tail-mutant'
    """
    return re.sub(r"[^a-z0-9]+", "-", identifier.lower()).strip("-")[:60] or "claim"
