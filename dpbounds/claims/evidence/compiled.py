"""Descents and statements about families as documents of the proof checker, written by `dpbounds.compile` and then judged."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import sympy

from dpbounds.claims import clock
from dpbounds.claims.claim import Claim
from dpbounds.claims.evidence import descents
from dpbounds.claims.evidence.binomial_rows import binomial_rows
from dpbounds.claims.evidence.finite_divergences import in_finite_terms
from dpbounds.claims.evidence.in_other_variables import in_other_variables
from dpbounds.claims.evidence.judged import judged
from dpbounds.claims.evidence.powers import of_logarithms, stated
from dpbounds.claims.evidence.reductions.chords import with_chords
from dpbounds.claims.evidence.reductions.fewer_variables import with_fewer_variables
from dpbounds.claims.evidence.reductions.halves import where_branches_meet
from dpbounds.claims.evidence.reductions.laws_of_tables import laws_of_tables
from dpbounds.claims.evidence.reductions.likelihood_ratios import likelihood_ratios
from dpbounds.claims.evidence.reductions.powers_of_means import powers_of_means
from dpbounds.claims.evidence.ways import (
    FIRST,
    LAST,
    SECONDS,
    Compiled,
    DocumentWay,
    by_place,
    by_recursions,
    by_tail,
    first_of,
    from_descent,
    name_of,
    texts_of,
)
from dpbounds.compile.families.resumed import FamilySearch
from dpbounds.compile.joining.joined import conjoined_document
from dpbounds.compile.steps import NotWritten
from dpbounds.compile.written_out import restated
from dpbounds.kernel.terms import DEPTH, Refused
from dpbounds.language.definedness import conditions_of_quantities

_GRACE = 0.5
"""Processor seconds after which a search that should stop by itself is interrupted."""
_OF_A_DESCENT = 10.0
"""Processor seconds for writing and checking the document of a descent; nearly all take less than one."""
_OTHERWISE = 2.0
"""Processor seconds for a document in another way, where a descent has none; those that are found take less than one."""
_OF_OTHERS = 0.3
"""The share of the time for the entries of families at all places but one."""
_GLANCE = 0.6
"""Processor seconds for the parts of a claim at first: most that are found are found at once."""


def compiled(claim: Claim, certificate: Mapping[str, Any], seconds: float | None = _OF_A_DESCENT) -> Compiled:
    """The document of a claim that a descent settles, judged by the proof checker: of the descent, or found in another way.

    Args:
        claim: the claim.
        certificate: of its descent.
        seconds: of processor time; None is without end.
    """
    try:
        found = clock.within(None if seconds is None else clock.now() + seconds, partial(from_descent, claim, certificate))
    except clock.TimeIsUp:
        found = Compiled(reason="time is up")
    if found.statement is not None:
        return found
    other = written(claim, _OTHERWISE if seconds is None else min(_OTHERWISE, seconds))
    return found if other.statement is None else other


def written(claim: Claim, seconds: float | None = SECONDS, *, briefly: bool = False) -> Compiled:
    """A document of a claim about families, with sums between numbers or with a condition, found and judged by the proof checker.

    Args:
        claim: the claim.
        seconds: of processor time; None is without end.
        briefly: without the ways that come after a search for a descent.
    """
    return Documents(claim).written(seconds, briefly=briefly)


class Documents:
    """Searches for the document of one claim; of families, each goes on where the one before was interrupted.

    Args:
        claim: about families, with sums between numbers or with a condition.
    """

    def __init__(self, claim: Claim) -> None:
        self.claim = claim
        self._family: FamilySearch | None = None

    def written(self, seconds: float | None = SECONDS, *, briefly: bool = False) -> Compiled:
        """As the function of this name."""
        until = None if seconds is None else clock.now() + seconds
        hard = None if until is None else until + (_GRACE if self.claim.families else 0.0)
        try:
            return clock.within(hard, partial(self._written, until, briefly))
        except clock.TimeIsUp:
            return Compiled(reason="time is up")

    @property
    def has_longer_ways(self) -> bool:
        """Whether there are ways that come after a search for a descent."""
        return bool(self.claim.families) or any(_leads(way, self.claim) for way in (binomial_rows, in_other_variables, where_branches_meet))

    @property
    def has_fewer_variables(self) -> bool:
        """Whether the claim may be said with fewer variables or powers, which is worth more time at once."""
        ways = (likelihood_ratios, with_fewer_variables, with_chords, powers_of_means, of_logarithms, laws_of_tables)
        return any(_leads(way, self.claim) for way in ways)

    def _written(self, until: float | None, briefly: bool) -> Compiled:
        claim = self.claim
        if claim.families:
            return self._of_families(until)
        found = _in_other_words(claim, until)
        if found.statement is not None:
            return found
        glance = briefly and not self.has_fewer_variables
        soon = min(math.inf if until is None else until, clock.now() + _GLANCE) if glance else until
        ways = FIRST if briefly else (by_tail, *FIRST, *LAST)
        return _by_one_of(ways, claim, soon, until) or _by_conjuncts(claim, soon, until) or found

    def _of_families(self, until: float | None) -> Compiled:
        sys.setrecursionlimit(max(sys.getrecursionlimit(), 20 * DEPTH))
        soon = None if until is None else clock.now() + _OF_OTHERS * (until - clock.now())
        if (found := by_recursions(self.claim, until) or by_place(self.claim, soon)) is not None:
            return found
        try:
            if self._family is None:
                stated = in_finite_terms(self.claim)
                asked = list(conditions_of_quantities(stated.then))
                self._family = FamilySearch(name_of(self.claim.id), stated.then, stated.given, asked)
            text = self._family.document(math.inf if until is None else time.process_time() + until - clock.now())
            return Compiled(text, judged(self.claim, text))
        except NotWritten as why:
            return Compiled(reason=why.kind, detail=str(why))
        except Refused as why:
            return Compiled(reason="refused by the checker", detail=str(why))
        except Exception as why:  # likewise
            return Compiled(reason="the compiler failed", detail=f"{type(why).__name__}: {why}"[:200])


def _by_one_of(ways: Sequence[DocumentWay], claim: Claim, soon: float | None, until: float | None) -> Compiled | None:
    """By the first way that has a document."""
    return next((found for way in ways if (found := way(claim, soon if way.glances else until)) is not None), None)


def _by_conjuncts(claim: Claim, soon: float | None, until: float | None) -> Compiled | None:
    """By its parts, where one of them has a way of its own."""
    if claim.families or not isinstance(claim.then, sympy.And):
        return None

    def written(parts: Sequence[Claim]) -> Compiled:
        found = [_by_one_of(FIRST, part, soon, until) for part in parts]
        texts = (
            [texts_of([part], until)[0] if own is None else own.text for part, own in zip(parts, found, strict=True)] if any(found) else []
        )
        text = conjoined_document(name_of(claim.id), claim.then, claim.given, texts)
        return Compiled(text, judged(claim, text))

    return first_of([[stated(claim, part) for part in claim.then.args]], written)


def _in_other_words(claim: Claim, until: float | None) -> Compiled:
    """From a descent of what the claim says with its sums between numbers written out and its conditions as premises."""
    try:
        then, given = restated(claim.then, claim.given)
        if (then, given) == (claim.then, list(claim.given)):
            return Compiled(reason="no families, no sums between numbers and no condition")
        plain = replace(claim, then=then, given=tuple(given), by=None, mutant=None, uses=(), witness={})
        found = descents.certificate_of(plain, SECONDS if until is None else 0.7 * (until - clock.now()))
    except Exception as why:  # likewise
        return Compiled(reason="the compiler failed", detail=f"{type(why).__name__}: {why}"[:200])
    return Compiled(reason="no descent of what the claim says in other words") if found is None else from_descent(claim, found, plain)


def _leads(way: Callable[[Claim], Iterable[Any]], claim: Claim) -> bool:
    """Whether a reduction leads anywhere; one that fails does not, as it decides nothing."""
    try:
        return next(iter(way(claim)), None) is not None
    except Exception:
        return False
