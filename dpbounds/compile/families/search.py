"""Claims about families of any length, as documents: one inequality between the entries at one place, added up.

Let S_k = Σ t_k(i) be the sums of a claim and G its larger side less the smaller one. For any numbers ν_k that may depend on the sums,
Σ_i h(i) = G for h = Σ ν_k t_k + (G − Σ ν_k S_k)·u, where Σ u = 1 by a premise. With the slopes ν_k of G, 0 ≤ h is the inequality of
Jensen by a tangent, that of log-sum, of Hölder by Young, of Gibbs; a multiple of the difference of two laws may be added. `forms` also
writes the claim as a comparison of powers, logarithms or exponentials of its sides. Nothing here is believed: the steps show what holds.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import sympy
from sympy import Sum, Symbol

from dpbounds.compile.families.as_written import sums_as_written
from dpbounds.compile.families.at_place import AtPlace
from dpbounds.compile.families.candidates import Places
from dpbounds.compile.families.chords import by_chord_of_sum
from dpbounds.compile.families.definedness import asked_for, defined
from dpbounds.compile.families.discriminants import by_discriminant
from dpbounds.compile.families.facts_of_totals import facts_of_totals
from dpbounds.compile.families.first_words import finished
from dpbounds.compile.families.fixed_places import by_places
from dpbounds.compile.families.forms import Form, forms_of
from dpbounds.compile.families.longer_sums import by_shorter_sums
from dpbounds.compile.families.statement import Total
from dpbounds.compile.families.ways import by_bounded_sums, by_replacement, by_sign
from dpbounds.compile.one_term import OneTerm
from dpbounds.compile.patience import Patience, TurnIsOver
from dpbounds.compile.ratios import vanishing
from dpbounds.compile.steps import NotWritten
from dpbounds.compile.trials import fails
from dpbounds.kernel.terms import ONE, ZERO, Term, at_most, below, over, substitute
from dpbounds.language.quantifiers import ForAll
from dpbounds.language.substitution import parts_of_and

_SECONDS = (0.4, 1.2, 4.0, 12.0, 40.0)
"""Processor seconds for one candidate: each is tried with few before one has more, and goes on from where it was."""
_FAVOUR = 4
"""How many times as many the first candidate of a relation has, the second half of them, the third a third of them."""
_DESCENT, _LONGEST_DESCENT = 0.25, 0.7
"""The share of these for a descent, and the processor seconds after which a longer one is not expected to end."""
_RELATIONS = (sympy.Le, sympy.Ge)


@dataclass
class _Candidate:
    """What is to be shown at one place for a relation in some form; again under more facts; spent where more time does not help."""

    form: Form
    h: Any
    facts: Sequence[Any]
    again: bool
    spent: bool = False


@dataclass
class _Candidates:
    """Candidates that were made, and those that are still to be made."""

    found: list[_Candidate]
    rest: Iterator[_Candidate]

    def __iter__(self) -> Iterator[_Candidate]:
        yield from self.found
        for candidate in self.rest:
            self.found.append(candidate)
            yield candidate


class Families(AtPlace):
    """The search for what holds at each place, with more and more time for each candidate."""

    def __init__(self, then: Any, given: Sequence[Any]) -> None:
        super().__init__(then, given)
        self.until, self.patience, self.level = math.inf, Patience(), 0
        self.cut_short = False
        self._parts_shown: dict[int, int] = {}
        self.means: dict[Symbol, Symbol] = {}
        self._candidates: dict[Any, _Candidates] = {}
        self._provers: dict[Any, OneTerm] = {}

    def document(self, name: str, asked: Sequence[Any] = (), until: float = math.inf) -> str:
        """The document of the claim; it also shows what is asked, where it can.

        Raises:
            TurnIsOver: it is not found before a processor time; a call with more time goes on.
            NotWritten: it is not found.
        """
        self.until = until
        shown = self._all_parts(self.goal.parts if self.goal.tag == "and" else (self.goal,))
        end = shown[0] if len(shown) == 1 else self.steps.write("conjunction", *shown)
        end = self.moved_back(end)
        more = [self.returned(k) for k in self.auxiliary]
        self.given, self.goal = self.stated, self.claimed
        self.known = [*more, *(k for g in self.given for k in self.search.opened(self.steps.assume(g)))]
        return self.ended(name, end, asked)

    def ended(self, name: str, end: int, asked: Sequence[Any]) -> str:
        """The document that ends in a step, from what is known."""
        needed = [defined(self, o) for o in self.steps.write.obligations(self.given, self.goal)]
        needed += [k for condition in asked if (k := asked_for(self, condition)) is not None]
        return self.steps.write.document(name, self.given, end, needed)

    def _all_parts(self, goals: Sequence[Term]) -> list[int]:
        """Every relation of the claim, with more and more time for each candidate."""
        while True:
            self.cut_short = False
            for k, (goal, relation) in enumerate(zip(goals, self.parts, strict=True)):
                found = self._parts_shown.get(k)
                if found is None and (found := self._part(goal, relation)) is not None:
                    self._parts_shown[k] = found
            if len(self._parts_shown) == len(goals):
                return [self._parts_shown[k] for k in range(len(goals))]
            if not self.cut_short or self.level + 1 == len(_SECONDS):
                raise NotWritten("no inequality at one place")
            self.level += 1

    def patiently(self, search: Callable[[], int | None], favour: float = 1.0) -> int | None:
        """What a search of provers finds in the time that each has now; where that is not enough it is for a later turn.

        Raises:
            TurnIsOver: all time is up.
        """
        now, seconds = time.process_time(), favour * _SECONDS[self.level]
        if now > self.until:
            raise TurnIsOver
        self.patience.until, self.patience.descent = min(now + seconds, self.until), min(_DESCENT * seconds, _LONGEST_DESCENT)
        try:
            found = search()
        except TurnIsOver:
            found, self.cut_short = None, True
        self.cut_short |= found is None and self.patience.descent < _LONGEST_DESCENT
        self.patience.until = math.inf
        return found

    def prover(self, facts: Sequence[tuple[Any, int]]) -> OneTerm:
        """The prover under these facts, with what it has found so far."""
        mark = tuple(facts), tuple(self.symbols), len(self.implied)
        if mark not in self._provers:
            self._provers[mark] = OneTerm(self.steps, self.symbols, facts, self.patience, self.implied, list(self.entries.values()))
        return self._provers[mark]

    def _part(self, goal: Term, relation: Any) -> int | None:
        if not isinstance(relation, _RELATIONS):
            raise NotWritten("a statement of another kind", type(relation).__name__)
        large, small = self.in_symbols(relation.gts), self.in_symbols(relation.lts)
        units = self.units()
        written = sums_as_written(self.steps, goal, map(self.valued, (t.term for t in self.totals.values())), self.at)
        positive = [*self._positive_arguments(), *self._positive_bases()]
        self.auxiliary += [k for k in positive if k not in self.auxiliary]
        self.known += [k for k in (*written, *positive) if k not in self.known]
        large, small = self._with_positive_totals(large, small, units)
        self._show_roots(large, small, units)
        found = by_shorter_sums(self, large, small, goal, units)
        return self.relation_shown(large, small, goal, units) if found is None else found

    def relation_shown(self, large: Any, small: Any, goal: Term, units: Sequence[tuple[Any, Any]]) -> int | None:
        """A relation between sums in symbols, by the first way that shows it."""
        first = partial(by_places, self), partial(self.shown, plain=True), partial(by_replacement, self), partial(by_discriminant, self)
        ways = (*first, partial(by_bounded_sums, self), self.shown, partial(by_chord_of_sum, self), partial(by_sign, self))
        return next((found for way in ways if (found := way(large, small, goal, units)) is not None), None)

    def _positive_arguments(self) -> list[int]:
        """0 < a where ε = log a is that of a hockey-stick divergence, whose e^{log a} is then a."""
        beyond = {t.symbol for t in self.totals.values()} | set(self.entries.values())
        facts = [(r, k) for r, k in self.facts() if not r.free_symbols & beyond]
        prover = self.prover(facts)
        inside = {a.args[0] for epsilon in self.levels for a in epsilon.atoms(sympy.log)}
        plain = [self.in_symbols(a) for a in sorted(inside, key=str) if not a.has(sympy.Indexed, Sum)]
        return [k for a in plain if (k := self.patiently(partial(prover.strictly_positive, a))) is not None]

    def _positive_bases(self) -> list[int]:
        """0 < a at every place for means a of which powers are added up."""
        entries, prover, found = set(self.entries.values()), self.prover(self.facts()), list[int]()
        powers = {p for t in self.totals.values() for p in t.body.atoms(sympy.Pow) if p.base.is_Add and not p.exp.is_Integer}
        for base in sorted({p.base for p in powers if p.base.is_positive is None and p.base.free_symbols & entries}, key=str):
            shown = self.patiently(partial(prover.strictly_positive, base))
            if shown is not None and (step := self.in_values(shown)) is not None:
                for k in self.within[::-1]:
                    step = self.steps.write("discharge", step, formula=self.steps.formula(k))
                found.append(self.steps.write("generalize", step, variable=self.at))
        return found

    def _with_positive_totals(self, large: Any, small: Any, units: Sequence[tuple[Any, Any]]) -> tuple[Any, Any]:
        """The sides where sums of logarithms and divisors are known to be positive, because they are at least what is."""
        inside = {s for side in (large, small) for e in side.atoms(sympy.log) for s in e.free_symbols}
        powers = {e for side in (large, small) for e in side.atoms(sympy.Pow)}
        inside |= {s for e in powers if not e.exp.is_positive for s in e.base.free_symbols}
        if any(not e.exp.is_Integer for e in powers):  # roots of both sides divide by what is below them
            inside |= {t.symbol for t in self.totals.values() if any(not e.exp.is_Integer for e in t.body.atoms(sympy.Pow))}
        for mark, t in list(self.totals.items()):
            if t.symbol not in inside or t.symbol.is_positive:
                continue
            sign = below(ZERO, substitute(t.term, self.values))
            step = self.steps.attempt("sign", *self.known, formula=sign)
            if step is None:
                least = next((s for e in self._lower_bounds(t, units) if (s := self._above(t, e, units)) is not None), None)
                step = None if least is None else self.steps.sum_of(sign, [least], self.known)
            if step is None:
                continue
            self.auxiliary.append(step)
            self.known.append(step)
            positive = Symbol(t.symbol.name, positive=True)
            self.symbols[positive] = self.symbols.pop(t.symbol)
            self.totals[mark] = Total(positive, t.body, t.term)
            large, small = (side.xreplace({t.symbol: positive}) for side in (large, small))
        return large, small

    def _lower_bounds(self, t: Total, units: Sequence[tuple[Any, Any]]) -> Iterator[Any]:
        """What a sum may be at least: 1, and e^{Σ u·x} for a sum of u·e^x with Σ u = 1."""
        yield sympy.S.One
        for u in (u for u, c in units if c == 1 and u.free_symbols):
            inner = sympy.powsimp(t.body / u, combine="exp")
            if isinstance(inner, sympy.exp) and not inner.free_symbols & u.free_symbols:
                places = {v: k for k, v in self.entries.items()}
                yield sympy.exp(self.total(Sum((u * inner.args[0]).xreplace(places), (self.i, 1, self.length))).symbol)

    def _above(self, t: Total, bound: Any, units: Sequence[tuple[Any, Any]]) -> int | None:
        reader = OneTerm(self.steps, self.symbols, ())
        return self.shown(t.symbol, bound, self.valued(at_most(reader.term(bound), reader.term(t.symbol))), units)

    def _show_roots(self, large: Any, small: Any, units: Sequence[tuple[Any, Any]]) -> None:
        """0 ≤ a for what stands under a root, where that needs sums: roots of others are not defined."""
        totals = {t.symbol for t in self.totals.values()}
        roots = {e.base for side in (large, small) for e in side.atoms(sympy.Pow) if not e.exp.is_Integer}
        reader = OneTerm(self.steps, self.symbols, ())
        for base in sorted((b for b in roots if b.free_symbols & totals and not b.is_nonnegative), key=str):
            goal = at_most(ZERO, self.valued(reader.term(base)))
            if (step := self.shown(base, sympy.S.Zero, goal, units)) is not None:
                self.auxiliary.append(step)
                self.known.append(step)

    def shown(
        self,
        large: Any,
        small: Any,
        goal: Term,
        units: Sequence[tuple[Any, Any]],
        own: Form | None = None,
        given: Sequence[Any] = (),
        *,
        plain: bool = False,
    ) -> int | None:
        """A relation between sums, in a form of its own if it has one, and with more facts; or only by the plain candidates."""
        facts = [*self.facts(), *given]
        in_units = [u for u, _ in units]
        totals = [t for t in self.totals.values() if t.body in in_units or (large - small).has(t.symbol)]
        mark = large, small, own, tuple(facts), tuple(t.symbol for t in totals), plain
        if mark not in self._candidates:
            forms = [own] if own is not None else list(forms_of(large, small, [t.symbol for t in totals]))
            self._candidates[mark] = _Candidates([], self._sound_candidates(forms, totals, units, facts, plain))
        for k, candidate in enumerate(self._candidates[mark], 1):
            if candidate.again and self.level == 0:
                self.cut_short = True
            elif not candidate.spent and (found := self._tried(candidate, goal, max(1.0, _FAVOUR / k))) is not None:
                return found
        return None

    def _sound_candidates(
        self, forms: Sequence[Form], totals: Sequence[Total], units: Sequence[tuple[Any, Any]], facts: list[Any], plain: bool
    ) -> Iterator[_Candidate]:
        """Candidates that no point refutes."""
        more: list[tuple[Any, int]] | None = None
        seen, before, entries = set(), set(), set(self.entries.values())
        for form, h in self._all_candidates(forms, totals, units, facts, plain):
            if (form, h, len(facts)) in seen or fails(h, self.symbols, facts):
                continue
            seen.add((form, h, len(facts)))
            gone = bool({t.symbol for t in totals} & set(vanishing(h))) or any(
                e.exp == sympy.S.Half and e.base.is_nonnegative is None and e.base.free_symbols & entries for e in h.atoms(sympy.Pow)
            )
            if gone and more is None:
                more = facts_of_totals(self, [t for t in totals if t.body.is_nonnegative], units)
            yield _Candidate(form, h, [*facts, *(more or [] if gone else [])], (form, h) in before)
            before.add((form, h))

    def _tried(self, candidate: _Candidate, goal: Term, favour: float) -> int | None:
        """The goal by one candidate."""
        h, weight = self._with_means(candidate.h)
        prover, before, self.cut_short = self.prover(candidate.facts), self.cut_short, False
        shown = self.patiently(partial(prover.shown, h), favour)
        candidate.spent, self.cut_short = not self.cut_short, self.cut_short or before
        total = None if shown is None else self._added(shown)
        return None if total is None else finished(self, candidate.form, total, goal, prover, weight)

    def _with_means(self, h: Any) -> tuple[Any, Term]:
        """n·h in means S/n of sums in the place of the sums and their number n, where that is gone then; and 1/n. Or h and 1."""
        n, sums = self.length, [t for t in self.totals.values() if h.has(t.symbol)]
        if not sums or not h.has(n):
            return h, ONE
        length = self.read.term(n)
        for t in (t for t in sums if t.symbol not in self.means):
            self.means[t.symbol] = self.new_symbol(f"{t.symbol.name}mean", t.symbol, over(t.term, length))
        scaled = _by_logarithms(n * h.xreplace({t.symbol: n * self.means[t.symbol] for t in sums}))
        return (h, ONE) if scaled.has(n) else (scaled, over(ONE, length))

    def _all_candidates(
        self, forms: Sequence[Form], totals: Sequence[Total], units: Sequence[tuple[Any, Any]], facts: list[Any], plain: bool
    ) -> Iterator[tuple[Form, Any]]:
        """Forms, each with what is to be shown at one place: plain ones first; facts grow before the last ones."""
        at_place = [r for p in self.premises if isinstance(p, ForAll) for r in parts_of_and(p.body.xreplace({p.variable: self.i}))]
        relations = [relation for r in at_place if isinstance(r, _RELATIONS) and isinstance(relation := self.relation_at(r), _RELATIONS)]
        places = Places([(t.symbol, t.body) for t in totals], units, frozenset(self.entries.values()), relations)
        yield from ((f, h) for f in forms for h in places.plain(f))
        if plain:
            return
        yield from ((f, h) for f in forms for h in places.adjusted(f))
        kinked = [t for t in totals if t.body.has(sympy.Abs, sympy.Max)]
        if kinked:
            facts += facts_of_totals(self, kinked, units)
            yield from ((f, h) for f in forms for h in places.halved(f))
        facts += facts_of_totals(self, [t for t in totals if t.body.is_nonnegative and t not in kinked], units)
        yield from ((f, h) for moved in (False, True) for f in forms for h in places.spread(f, moved=moved))

    def _added(self, shown: int) -> int | None:
        """Σ 0 ≤ Σ h, from 0 ≤ h for real numbers."""
        step = self.in_values(shown)
        if step is None:
            return None
        return self.steps.attempt("sum_termwise", step, variable=self.at, low=ONE, high=self.read.term(self.length))


def _by_logarithms(e: Any) -> Any:
    """An expression as a sum of logarithms times their slopes, each in lowest terms."""
    marks = {log: sympy.Dummy() for log in e.atoms(sympy.log)}
    rows = {log: sympy.cancel(sympy.diff(e.xreplace(marks), mark)) for log, mark in marks.items()}
    rest = sympy.cancel(e.xreplace(dict.fromkeys(marks, sympy.S.Zero)))
    return rest + sympy.Add(*(log * slope for log, slope in rows.items()))
