"""Claims about families of any length, as documents: one inequality between the entries at one place, added up.

Let S_k = Σ t_k(i) be the sums of a claim and G its larger side less the smaller one. For any numbers ν_k that may depend on the sums,
Σ_i h(i) = G for h = Σ ν_k t_k + (G − Σ ν_k S_k)·u, where Σ u = 1 by a premise. With the slopes ν_k of G, 0 ≤ h is the inequality of
Jensen by a tangent, that of log-sum, of Hölder by Young, of Gibbs; a multiple of the difference of two laws may be added. `forms` also
writes the claim as a comparison of powers, logarithms or exponentials of its sides. Nothing here is believed: the steps show what holds.
"""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import sympy
from sympy import Sum, Symbol

from dpbounds.compile.as_written import sums_as_written
from dpbounds.compile.candidates import Places
from dpbounds.compile.discriminants import by_discriminant
from dpbounds.compile.fixed_places import by_places
from dpbounds.compile.forms import Form, forms_of
from dpbounds.compile.library import Library
from dpbounds.compile.masses import below_total, bounds_of
from dpbounds.compile.one_term import OneTerm
from dpbounds.compile.patience import Patience, TurnIsOver
from dpbounds.compile.ratios import exponents, vanishing
from dpbounds.compile.steps import NotWritten, Steps
from dpbounds.compile.towers.descents import Descents
from dpbounds.compile.trials import fails, vanishes
from dpbounds.kernel.terms import (
    ONE,
    ZERO,
    Refused,
    Term,
    at_most,
    below,
    binder,
    instantiate,
    minus,
    node,
    power,
    substitute,
    variable,
)
from dpbounds.language import functions
from dpbounds.language.quantifiers import ForAll
from dpbounds.language.substitution import parts_of_and
from dpbounds.prover.statements import NotConverted, Statements, sequent

_SECONDS = (0.4, 1.2, 4.0, 12.0, 40.0)
"""Processor seconds for one candidate: each is tried with few before one has more, and goes on from where it was."""
_FAVOUR = 4
"""How many times as many the first candidate of a relation has, the second half of them, the third a third of them."""
_DESCENT, _LONGEST_DESCENT = 0.25, 0.7
"""The share of these for a descent, and the processor seconds after which a longer one is not expected to end."""
_RELATIONS = (sympy.Le, sympy.Ge)


@dataclass(frozen=True)
class _Total:
    """A sum of the claim: the symbol that stands for it, its term in symbols of entries, and the sum itself in the checker's language."""

    symbol: Symbol
    body: Any
    term: Term


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


class Families:
    """A claim about families while its document is written: its symbols, what is known of them, and the steps so far."""

    def __init__(self, then: Any, given: Sequence[Any]) -> None:
        self.read = Statements()
        self.given, self.goal = sequent(self.read, then, given)
        self.until, self.patience, self.level = math.inf, Patience(), 0
        self.cut_short = False
        self._parts_shown: dict[int, int] = {}
        self._candidates: dict[Any, _Candidates] = {}
        self._provers: dict[Any, OneTerm] = {}
        self.steps = Steps(str(v.data[0]) for v in self.read.symbols.values())
        self.search = Descents(self.steps).search
        signed = self._signed(given)
        then, given = then.xreplace(signed), [g.xreplace(signed) for g in given]
        self.levels = sorted({d.args[0] for d in then.atoms(functions.HockeyStick)}, key=str)
        self.parts = [r.xreplace(_definitions(r)) for r in parts_of_and(then)]
        self.premises = [part.xreplace(_definitions(part)) for g in given for part in parts_of_and(g)]
        self.i, self.length = self._range(self.parts)
        self.at = variable("i_", "Z")
        self.entries: dict[Any, Symbol] = {}
        self.fixed: dict[Any, Symbol] = {}
        self.values: dict[Term, Term] = {}
        self.totals: dict[Any, _Total] = {}
        self.symbols: dict[Symbol, Term] = {}
        self.auxiliary: list[int] = []
        self.at_place: dict[Term, int] = {}
        self._more: list[Symbol] = []
        self.implied: list[tuple[Term, Any, Term]] = []
        self.images: dict[Term, Term] = {}
        self.back: dict[Term, Term] = {}
        self.moved = self._moved()
        self.stated, self.claimed = self.given, self.goal
        signs = [below(ZERO, self.symbols[m]) if m.is_positive else at_most(ZERO, self.symbols[m]) for m in self._more]
        self.given = [*signs, *(substitute(g, self.images) for g in self.given)]
        self.goal = substitute(self.goal, self.images)
        self.known = [k for g in self.given for k in self.search.opened(self.steps.assume(g))]
        self.within = [self.steps.assume(at_most(ONE, self.at)), self.steps.assume(at_most(self.at, self.read.term(self.length)))]

    def document(self, name: str, asked: Sequence[Any] = (), until: float = math.inf) -> str:
        """The document of the claim; it also shows what is asked, where it can.

        Raises:
            TurnIsOver: it is not found before a processor time; a call with more time goes on.
            NotWritten: it is not found.
        """
        self.until = until
        shown = self._all_parts(self.goal.parts if self.goal.tag == "and" else (self.goal,))
        end = shown[0] if len(shown) == 1 else self.steps.write("conjunction", *shown)
        end = self._moved_back(end)
        more = [self._returned(k) for k in self.auxiliary]
        self.given, self.goal = self.stated, self.claimed
        self.known = [*more, *(k for g in self.given for k in self.search.opened(self.steps.assume(g)))]
        defined = [self._defined(o) for o in self.steps.write.obligations(self.given, self.goal)]
        defined += [k for condition in asked if (k := self._asked(condition)) is not None]
        return self.steps.write.document(name, self.given, end, defined)

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

    def parameter(self, name: str) -> tuple[Symbol, Term]:
        """A real number of which nothing is known, the same one for a name."""
        found = next((s for s in self.symbols if s.name == name), None)
        if found is None:
            found = Symbol(name, real=True)
            self.symbols[found] = self.read.symbols[found] = self.steps.fresh(name)
        return found, self.symbols[found]

    def prover(self, facts: Sequence[tuple[Any, int]]) -> OneTerm:
        """The prover under these facts, with what it has found so far."""
        mark = tuple(facts), tuple(self.symbols), len(self.implied)
        if mark not in self._provers:
            self._provers[mark] = OneTerm(self.steps, self.symbols, facts, self.patience, self.implied, list(self.entries.values()))
        return self._provers[mark]

    def _asked(self, condition: Any) -> int | None:
        """What a quantity asks for, from the premises."""
        try:
            if isinstance(condition, (sympy.Gt, sympy.Lt)) and (found := self._mean_of_premises(condition)) is not None:
                return found
            return self._defined(self.read.formula(condition))
        except (NotWritten, NotConverted, Refused):
            return None

    def _mean_of_premises(self, condition: Any) -> int | None:
        """0 < a where it is a sum of what premises say, with numbers ≥ 0."""
        plain = [p for p in self.premises if isinstance(p, (*_RELATIONS, sympy.Lt, sympy.Gt)) and not p.has(sympy.Indexed)]
        prover = OneTerm(self.steps, self.read.symbols, [(p, self.steps.assume(self.read.formula(p))) for p in plain])
        step = prover.combined(below(ZERO, self.read.term(condition.gts - condition.lts)), condition.gts - condition.lts)
        return None if step is None else self.steps.sum_of(self.read.formula(condition), [step])

    def _moved_back(self, end: int) -> int:
        """The claim in its own parameters."""
        if not self.back:
            return end
        steps, end = self.steps, self._returned(end)
        parts = self.claimed.parts if self.claimed.tag == "and" else (self.claimed,)
        own = [end] if self.claimed.tag != "and" else [steps.write("part", end, number=k) for k in range(len(parts))]
        ends = [steps.weaker(f, k) for f, k in zip(parts, own, strict=True)]
        return ends[0] if len(ends) == 1 else steps.write("conjunction", *ends)

    def _returned(self, end: int) -> int:
        """A step in the claim's own parameters."""
        if not self.back:
            return end
        steps = self.steps
        end = steps.write("substitution", end, terms=self.back, functions={})
        for v, image in self.images.items():
            end = steps.write("rewrite", end, steps.write("ring", formula=node("=", substitute(image, self.back), v)))
        given = [k for g in self.stated for k in self.search.opened(steps.assume(g))]
        shown = []
        for f in steps.write.steps[end].hypotheses:
            if f not in self.stated:
                found = next(
                    (x for k in given if steps.formula(k).tag in ("<=", "<", "=") and (x := steps.sum_of(f, [k])) is not None), None
                )
                found = found if found is not None else steps.attempt("linear", *given, formula=f, multipliers=[])
                if found is None:
                    raise NotWritten("a premise in other words")
                shown.append(found)
        return steps.write("cut", end, *shown) if shown else end

    # --- reading

    def _range(self, parts: Sequence[Any]) -> tuple[Symbol, Any]:
        sums = [s for r in (*parts, *self.premises) for s in r.atoms(Sum)]
        ends = {s.limits[0][1:] for s in sums}
        if not sums or len(ends) != 1 or any(len(s.limits) != 1 for s in sums):
            raise NotWritten("sums over one range")
        ((low, high),) = ends
        if low != 1 or not high.is_Symbol:
            raise NotWritten("sums from 1 to a length")
        return sums[0].limits[0][0], high

    def _signed(self, given: Sequence[Any]) -> dict[Symbol, Any]:
        """Parameters that a premise says to be positive, or not negative, as symbols of which sympy knows it."""
        found: dict[Symbol, Any] = {}
        for premise in (part for g in given for part in parts_of_and(g)):
            if isinstance(premise, (sympy.Le, sympy.Lt, sympy.Ge, sympy.Gt)) and premise.lts == 0 and premise.gts.is_Symbol:
                s, strict = premise.gts, isinstance(premise, (sympy.Lt, sympy.Gt))
                if not s.is_integer and s.is_nonnegative is None:
                    found[s] = Symbol(s.name, **{"positive" if strict else "nonnegative": True})
                    self.read.symbols[found[s]] = self.read.symbol(s)
        return found

    def _moved(self) -> dict[Symbol, Any]:
        """Parameters above a bound that a premise states, as that bound and what is more: sympy knows the signs of these."""
        found: dict[Symbol, Any] = {}
        bounds = [p for p in self.premises if isinstance(p, (sympy.Le, sympy.Lt, sympy.Ge, sympy.Gt))]
        for premise in sorted(bounds, key=lambda p: len(p.lts.free_symbols)):
            s, low = premise.gts, premise.lts.xreplace(found)
            plain = s.is_Symbol and not s.is_integer and s not in found and low != 0 and not low.has(sympy.Indexed, Sum)
            if not plain or low.free_symbols & {s, self.length} or any(s in image.free_symbols for image in found.values()):
                continue
            strict = isinstance(premise, (sympy.Lt, sympy.Gt))
            more = Symbol(f"{s.name}_more", **{"positive" if strict else "nonnegative": True})
            v = self.read.symbol(s)
            if any(v in g.free for g in self.given if g.tag == "all"):
                continue
            self.symbols[more] = self.read.symbols[more] = self.steps.fresh(f"{s.name}more")
            self._more.append(more)
            self.images[v] = self.read.term(low + more)
            self.back[self.symbols[more]] = minus(v, self.read.term(premise.lts))
            found[s] = low + more
        return found

    def _symbol(self, name: str, like: Any, term: Term) -> Symbol:
        sign = {"positive": True} if like.is_positive else {"nonnegative": True} if like.is_nonnegative else {"real": True}
        s = Symbol(name, **sign)
        v = self.steps.fresh(name)
        self.symbols[s] = v
        self.values[v] = term
        return s

    def in_symbols(self, e: Any) -> Any:
        """An expression with symbols for sums and entries."""
        e = sympy.sympify(e)
        sums = sorted((s for s in e.atoms(Sum) if not s.function.has(Sum)), key=str)
        while sums:
            e = e.xreplace({s: self._total(s).symbol for s in sums})
            sums = sorted((s for s in e.atoms(Sum) if not s.function.has(Sum)), key=str)
        found = {}
        for entry in sorted(e.atoms(sympy.Indexed), key=str):
            single = not entry.indices[0].has(self.i)
            symbols = self.fixed if single else self.entries
            if entry not in symbols:
                inner = self._as_term(entry.xreplace({self.i: _PLACE}))
                name = f"{entry.base.label}at{entry.indices[0]}" if single else f"{entry.base.label}entry"
                symbols[entry] = self._symbol(name, entry, inner)
            found[entry] = symbols[entry]
        e = e.xreplace(found)
        e = e.xreplace(self.moved)
        for s in e.free_symbols - set(self.symbols):
            if s == self.i:
                raise NotWritten("a term that speaks of its place")
            self.symbols[s] = self.read.symbol(s)
        return e

    def _as_term(self, e: Any) -> Term:
        self.read.symbols.setdefault(_PLACE, self.at)
        return self.read.term(e)

    def _total(self, s: Any) -> _Total:
        index = s.limits[0][0]
        body = s.function.xreplace({index: self.i}) if index != self.i else s.function
        mark = Sum(body, (self.i, 1, self.length))
        if mark not in self.totals:
            inside = self.in_symbols(body)
            term = OneTerm(self.steps, self.symbols, ()).term(inside)
            whole = binder("sum", self.at, ONE, self.read.term(self.length), self.valued(term))
            signed = (
                Symbol("s", positive=True)
                if inside.is_positive
                else Symbol("s", nonnegative=True)
                if inside.is_nonnegative
                else Symbol("s", real=True)
            )
            symbol = self._symbol(f"total{'abcdefghijklmnopqrstuvwxyz'[len(self.totals)]}", signed, whole)
            self.totals[mark] = _Total(symbol, inside, self.values[self.symbols[symbol]])
        return self.totals[mark]

    # --- one relation

    def _part(self, goal: Term, relation: Any) -> int | None:
        if not isinstance(relation, _RELATIONS):
            raise NotWritten("a statement of another kind", type(relation).__name__)
        large, small = self.in_symbols(relation.gts), self.in_symbols(relation.lts)
        units = self._units()
        written = sums_as_written(self.steps, goal, map(self.valued, (t.term for t in self.totals.values())), self.at)
        self.known += [k for k in (*written, *self._positive_arguments()) if k not in self.known]
        large, small = self._with_positive_totals(large, small, units)
        self._show_roots(large, small, units)
        first = partial(by_places, self), partial(self.shown, plain=True), self._by_affinity, partial(by_discriminant, self)
        ways = (*first, self._by_bounded_sums, self.shown, self._by_sign)
        return next((found for way in ways if (found := way(large, small, goal, units)) is not None), None)

    def _positive_arguments(self) -> list[int]:
        """0 < a where ε = log a is that of a hockey-stick divergence, whose e^{log a} is then a."""
        beyond = {t.symbol for t in self.totals.values()} | set(self.entries.values())
        facts = [(r, k) for r, k in self.facts() if not r.free_symbols & beyond]
        prover = self.prover(facts)
        inside = {a.args[0] for epsilon in self.levels for a in epsilon.atoms(sympy.log)}
        plain = [self.in_symbols(a) for a in sorted(inside, key=str) if not a.has(sympy.Indexed, Sum)]
        return [k for a in plain if (k := self.patiently(partial(prover.strictly_positive, a))) is not None]

    def _with_positive_totals(self, large: Any, small: Any, units: Sequence[tuple[Any, Any]]) -> tuple[Any, Any]:
        """The sides where sums of logarithms and divisors are known to be positive, because they are at least 1."""
        inside = {s for side in (large, small) for e in side.atoms(sympy.log) for s in e.free_symbols}
        powers = {e for side in (large, small) for e in side.atoms(sympy.Pow)}
        inside |= {s for e in powers if not e.exp.is_positive for s in e.base.free_symbols}
        if any(not e.exp.is_Integer for e in powers):  # roots of both sides divide by what is below them
            inside |= {t.symbol for t in self.totals.values() if any(not e.exp.is_Integer for e in t.body.atoms(sympy.Pow))}
        for mark, t in list(self.totals.items()):
            if t.symbol not in inside or t.symbol.is_positive:
                continue
            step = self.shown(t.symbol, sympy.S.One, at_most(ONE, substitute(t.term, self.values)), units)
            if step is None:
                continue
            self.auxiliary.append(step)
            self.known.append(step)
            positive = Symbol(t.symbol.name, positive=True)
            self.symbols[positive] = self.symbols.pop(t.symbol)
            self.totals[mark] = _Total(positive, t.body, t.term)
            large, small = (side.xreplace({t.symbol: positive}) for side in (large, small))
        return large, small

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
        self, forms: Sequence[Form], totals: Sequence[_Total], units: Sequence[tuple[Any, Any]], facts: list[Any], plain: bool
    ) -> Iterator[_Candidate]:
        """Candidates that no point refutes."""
        more: list[tuple[Any, int]] | None = None
        seen, before = set(), set()
        for form, h in self._all_candidates(forms, totals, units, facts, plain):
            if (form, h, len(facts)) in seen or fails(h, self.symbols, facts):
                continue
            seen.add((form, h, len(facts)))
            gone = [t for t in totals if t.symbol in vanishing(h)]
            if gone and more is None:
                more = self._facts_of_totals([t for t in totals if t.body.is_nonnegative], units)
            yield _Candidate(form, h, [*facts, *(more or [] if gone else [])], (form, h) in before)
            before.add((form, h))

    def _tried(self, candidate: _Candidate, goal: Term, favour: float) -> int | None:
        """The goal by one candidate."""
        prover, before, self.cut_short = self.prover(candidate.facts), self.cut_short, False
        shown = self.patiently(partial(prover.shown, candidate.h), favour)
        candidate.spent, self.cut_short = not self.cut_short, self.cut_short or before
        total = None if shown is None else self._added(shown)
        return None if total is None else self._finished(candidate.form, total, goal, prover)

    def _by_sign(self, large: Any, small: Any, goal: Term, units: Sequence[tuple[Any, Any]]) -> int | None:
        """c·e^a ≥ s by the sign of s: a ≥ log(s/c) where it is positive."""
        steps, gap, totals = self.steps, sympy.expand(large - small), {t.symbol for t in self.totals.values()}
        reader = OneTerm(steps, self.symbols, ())
        for e in sorted((e for e in gap.atoms(sympy.exp) if e.free_symbols & totals and gap.coeff(e).is_positive), key=str):
            c, s = gap.coeff(e), sympy.expand(gap.coeff(e) * e - gap)
            if s.has(e) or s.is_positive or not s.free_symbols & totals:
                continue
            split = steps.write("total_order", left=self.valued(reader.term(s)), right=ZERO)
            least, some = (steps.assume(f) for f in steps.formula(split).parts)
            first = steps.sum_of(goal, [least], self.known)
            relation = sympy.Lt(0, s, evaluate=False)
            self.known.append(some)
            form = Form(e.args[0], sympy.log(s / c), (("exp", None), ("times", c)))
            fact = relation, steps.assume(reader.read.formula(relation))
            second = None if first is None else self.shown(large, small, goal, units, form, [fact])
            self.known.remove(some)
            if first is not None and second is not None:
                return steps.write("cases", split, first, second)
        return None

    def _by_bounded_sums(self, large: Any, small: Any, goal: Term, units: Sequence[tuple[Any, Any]]) -> int | None:
        """With the mean of sums for a parameter that premises say to lie above each of them, where the gap is linear in it."""
        sums, reader = {t.symbol for t in self.totals.values()}, OneTerm(self.steps, self.symbols, ())
        below_: dict[Any, list[Any]] = {}
        for relation, _ in self.facts():
            if relation.lts in sums and relation.gts.is_Symbol and isinstance(relation, _RELATIONS):
                below_.setdefault(relation.gts, []).append(relation)
        for c, relations in below_.items():
            slope = sympy.factor(sympy.diff(large - small, c))
            if slope == 0 or slope.has(c):
                continue
            mean = sympy.Add(*(r.lts for r in relations)) / len(relations)
            high, low = (side.xreplace({c: mean}) for side in (large, small))
            step = self.shown(high, low, self.valued(at_most(reader.term(low), reader.term(high))), units)
            orders = [k for r in relations if (k := self._hypothesis(self.valued(reader.read.formula(r)))) is not None]
            weights = [ONE, *[self.valued(reader.term(slope / len(relations)))] * len(relations)]
            if step is None or len(orders) < len(relations):
                continue
            if (found := self.steps.sum_of(goal, [step, *orders], self.known, weights)) is not None:
                return found
        return None

    def _by_affinity(self, large: Any, small: Any, goal: Term, units: Sequence[tuple[Any, Any]]) -> int | None:
        """Through e^{−D} ≤ (Σ √(pq))² for a divergence D of two laws, where −e^{−D} is a part of the gap, perhaps below a root."""
        places = {v: k for k, v in self.entries.items()}
        laws = [u for u, _ in units[:-1] if u in places]
        sums = {t.symbol for t in self.totals.values()}
        for form in forms_of(large, small, sorted(sums, key=str)):
            gap = sympy.expand(form.large - form.small)
            for e in [e for e in gap.atoms(sympy.exp) if -e.args[0] in sums and gap.coeff(e).is_negative]:
                for a, b in itertools.combinations(laws, 2):
                    root = self._total(Sum(sympy.sqrt(places[a]) * sympy.sqrt(places[b]), (self.i, 1, self.length))).symbol
                    order = self._through(form, e, root**2, -gap.coeff(e), units)
                    if order is not None:
                        return self._in_first_words(form, order, goal)
        return None

    def _through(self, form: Form, e: Any, value: Any, weight: Any, units: Sequence[tuple[Any, Any]]) -> int | None:
        """A relation from e ≤ v for an expression that its gap has with a negative weight, and from what it is with v for e."""
        shown, reader = [], OneTerm(self.steps, self.symbols, ())
        for high, low in ((value, e), (form.large.xreplace({e: value}), form.small.xreplace({e: value}))):
            order = at_most(*(self.valued(reader.term(side)) for side in (low, high)))
            if (step := self.shown(high, low, order, units)) is None:
                return None
            shown.append(step)
        aim = at_most(*(self.valued(reader.term(side)) for side in (form.small, form.large)))
        return self.steps.sum_of(aim, shown, self.known, [reader.term(weight), ONE])

    def _all_candidates(
        self, forms: Sequence[Form], totals: Sequence[_Total], units: Sequence[tuple[Any, Any]], facts: list[Any], plain: bool
    ) -> Iterator[tuple[Form, Any]]:
        """Forms, each with what is to be shown at one place: plain ones first; facts grow before the last ones."""
        at_place = [r for p in self.premises if isinstance(p, ForAll) for r in parts_of_and(p.body.xreplace({p.variable: self.i}))]
        relations = [relation for r in at_place if isinstance(r, _RELATIONS) and isinstance(relation := self._relation(r), _RELATIONS)]
        places = Places([(t.symbol, t.body) for t in totals], units, frozenset(self.entries.values()), relations)
        yield from ((f, h) for f in forms for h in places.plain(f))
        if plain:
            return
        yield from ((f, h) for f in forms for h in places.adjusted(f))
        kinked = [t for t in totals if t.body.has(sympy.Abs, sympy.Max)]
        if kinked:
            facts += self._facts_of_totals(kinked, units)
            yield from ((f, h) for f in forms for h in places.halved(f))
        facts += self._facts_of_totals([t for t in totals if t.body.is_nonnegative and t not in kinked], units)
        yield from ((f, h) for moved in (False, True) for f in forms for h in places.spread(f, moved=moved))

    def _facts_of_totals(self, totals: Sequence[_Total], units: Sequence[tuple[Any, Any]]) -> list[tuple[Any, int]]:
        """What the sums, with their values where premises give them, say of one of their terms."""
        steps, found, reader = self.steps, [], OneTerm(self.steps, self.symbols, ())
        for t in totals:
            for small, large in bounds_of(t.body):
                level = next((c for u, c in units if u == t.body and c != 0), t.symbol)
                relation = sympy.Le(small, level, evaluate=False)
                low, high = (self.valued(reader.term(e)) for e in (small, large))
                kinks = self._kinks_in(self.valued(reader.term(t.body)))
                least = self.nonnegative(high, kinks)
                least = least if least is not None else self._by_kink(at_most(ZERO, high), kinks)
                order = self._by_kink(at_most(low, high), [*kinks, *([least] if least is not None else [])])
                below_ = None if least is None else below_total(steps, high, least, self.at, self.read.term(self.length))
                if order is None or below_ is None:
                    continue
                formula = self.valued(reader.read.formula(relation))
                whole = steps.attempt("linear", order, below_, *self.known, formula=formula, multipliers=[ONE, ONE])
                if whole is not None:
                    found.append(self.fact(relation, whole))
        return found

    def fact(self, relation: Any, step: int) -> tuple[Any, int]:
        """A relation between symbols, assumed; the step shows it for the entries and sums that they stand for."""
        formula = OneTerm(self.steps, self.symbols, ()).read.formula(relation)
        self.at_place[self.valued(formula)] = self.steps.weaker(self.valued(formula), step)
        return relation, self.steps.assume(formula)

    def valued(self, t: Term) -> Term:
        """A term with entries and sums in the place of their symbols."""
        return substitute(t, {v: substitute(value, self.values) for v, value in self.values.items()})

    def nonnegative(self, t: Term, kinks: Sequence[int] = ()) -> int | None:
        """0 ≤ t for a term at one place, by the signs of its entries and what is known of its kinks."""
        signs = [k for e in _entries_in(t) if (k := self._hypothesis(at_most(ZERO, e))) is not None]
        return self.steps.attempt("sign", *signs, *kinks, *self.known, formula=at_most(ZERO, t))

    def sides_of_absolute(self, relation: Any, step: int) -> Iterator[tuple[Any, int]]:
        """u ≤ c and −u ≤ c, where the step says |u| ≤ c."""
        if not isinstance(relation.lts, sympy.Abs):
            return
        reader, inside = OneTerm(self.steps, self.symbols, ()).read, relation.lts.args[0]
        bounds = self.steps.write.absolute_bounds(reader.term(relation.lts).parts[0])
        for side, bound in zip((inside, -inside), bounds, strict=True):
            weaker = sympy.Le(side, relation.gts, evaluate=False)
            found = self.steps.sum_of(reader.formula(weaker), [step, bound])
            if found is not None:
                yield weaker, found

    def _kinks_in(self, t: Term) -> list[int]:
        """What is known of |u| and of max(a, b)."""
        steps = self.steps
        if t.tag == "abs":
            return steps.write.absolute_bounds(t.parts[0])
        if t.tag == "max":
            both = steps.write("maximum", left=t.parts[0], right=t.parts[1])
            return [steps.write("part", both, number=k) for k in range(2)]
        return []

    def _by_kink(self, goal: Term, facts: Sequence[int]) -> int | None:
        steps = self.steps
        tries = itertools.chain(([],), ([k] for k in facts))
        return next((k for chosen in tries if (k := steps.sum_of(goal, chosen, self.known)) is not None), None)

    def _units(self) -> list[tuple[Any, Any]]:
        """(u, c) with Σ u = c: laws, and the number of places."""
        found: list[tuple[Any, Any]] = []
        for premise in self.premises:
            if isinstance(premise, sympy.Eq):
                for side, other in (premise.args, premise.args[::-1]):
                    if isinstance(side, Sum) and not other.has(sympy.Indexed):
                        found.append((self._total(side).body, self.in_symbols(other)))
        self.symbols.setdefault(self.length, self.read.symbol(self.length))
        return [*found, (sympy.S.One, self.length)]

    def facts(self) -> list[tuple[Any, int]]:
        """What is known of entries, sums and parameters, in symbols, each with a step."""
        steps = self.steps
        found: list[tuple[Any, Term | None]] = []
        for premise in self.premises:
            if isinstance(premise, ForAll):
                body = premise.body.xreplace({premise.variable: self.i})
                if (extra := self._extra(premise)) is not None:
                    self._imply(extra, body)
                    continue
                found += [(self._relation(r), None) for r in parts_of_and(body) if isinstance(r, sympy.core.relational.Relational)]
            elif isinstance(premise, sympy.core.relational.Relational) and not isinstance(premise, sympy.Eq):
                relation = self._relation(premise)
                if relation is not None and not vanishes(relation.gts - relation.lts - sympy.Add(*self._more)):
                    found.append((relation, None))
        for s, v in self.symbols.items():
            if v.sort == "Z" and s.is_positive:
                found.append((sympy.Ge(s, 1, evaluate=False), at_most(ONE, v)))
            elif s.is_positive or s.is_nonnegative:
                relation = sympy.Gt if s.is_positive else sympy.Ge
                found.append((relation(s, 0, evaluate=False), below(ZERO, v) if s.is_positive else at_most(ZERO, v)))
        reader = OneTerm(steps, self.symbols, ()).read
        result = []
        for relation, formula in found:
            if relation is None:
                continue
            try:
                own = steps.assume(reader.formula(relation) if formula is None else formula)
            except NotConverted:
                continue
            result += [(relation, own), *self.sides_of_absolute(relation, own)]
        return result

    def _extra(self, premise: ForAll) -> Any:
        """What a premise at every place asks for besides the range."""
        parts = [c.xreplace({premise.variable: self.i}) for c in parts_of_and(premise.condition)]
        return next((c for c in parts if c.has(sympy.Indexed)), None)

    def _imply(self, condition: Any, body: Any) -> None:
        """0 < p → 0 < q at one place, for a branch in which a mass is positive."""
        left, right = self._relation(condition), self._relation(body)
        reader = OneTerm(self.steps, self.symbols, ()).read
        try:
            a, b = reader.formula(left), reader.formula(right)
        except NotConverted:
            return
        entry = a, sympy.Lt(right.lts, right.gts, evaluate=False), node("->", a, b)
        if entry not in self.implied:
            self.implied.append(entry)

    def _relation(self, r: Any) -> Any:
        try:
            return type(r)(*map(self.in_symbols, r.args), evaluate=False)
        except (NotWritten, NotConverted):
            return None

    # --- the sum

    def _added(self, shown: int) -> int | None:
        """Σ 0 ≤ Σ h, from 0 ≤ h for real numbers."""
        step = self.in_values(shown)
        if step is None:
            return None
        return self.steps.attempt("sum_termwise", step, variable=self.at, low=ONE, high=self.read.term(self.length))

    def anywhere(self, shown: int) -> int | None:
        """A step about symbols of sums and single places as one about what they stand for, under the premises alone."""
        within, self.within = self.within, []
        try:
            return self.in_values(shown)
        finally:
            self.within = within

    def in_values(self, shown: int) -> int | None:
        """A step about symbols as one about entries and sums, under the premises and the range of the place."""
        used = self.steps.write.steps[shown]
        free = used.formula.free.union(*(f.free for f in used.hypotheses))
        values = {v: t for v, t in self.values.items() if v in free}
        values = {v: substitute(t, self.values) for v, t in values.items()}
        step = self.steps.write("substitution", shown, terms=values, functions={})
        proofs = []
        for f in self.steps.write.steps[step].hypotheses:
            if f in self.given:
                continue
            found = self._hypothesis(f)
            if found is None:
                return None
            proofs.append(found)
        return self.steps.write("cut", step, *proofs) if proofs else step

    def _hypothesis(self, f: Term) -> int | None:
        """A premise at one place, or the sign of a sum."""
        steps = self.steps
        if f in self.at_place:
            return self.at_place[f]
        for k in [*self.known, *self.within]:
            if steps.formula(k) == f:
                return k
        for k in self.known:
            if steps.formula(k).tag == "all" and (found := self._special(k, f)) is not None:
                return found
        found = steps.attempt("sign", *self.known, *self.within, formula=f) if f.tag in ("<=", "<") and f.parts[0] == ZERO else None
        found = found if found is not None else steps.attempt("linear", *self.known, formula=f, multipliers=[])
        if found is None:
            found = next(
                (x for k in self.known if steps.formula(k).tag in ("=", "<=", "<") and (x := steps.sum_of(f, [k])) is not None), None
            )
        return found if found is not None else self._nonnegative_sum(f)

    def _nonnegative_sum(self, f: Term) -> int | None:
        """0 ≤ Σ t, from 0 ≤ t."""
        if f.tag != "<=" or f.parts[0] != ZERO or f.parts[1].tag != "sum":
            return None
        steps, (low, high, body) = self.steps, f.parts[1].parts
        signs = [k for e in _entries_in(instantiate(body, self.at)) if (k := self._hypothesis(at_most(ZERO, e))) is not None]
        least = steps.attempt("sign", *signs, *self.known, formula=at_most(ZERO, instantiate(body, self.at)))
        added = None if least is None else steps.attempt("sum_termwise", least, variable=self.at, low=low, high=high)
        return None if added is None else steps.sum_of(f, [added], self.known)

    def _special(self, k: int, f: Term) -> int | None:
        """∀i (A → F) at the places that f speaks of."""
        steps = self.steps
        for t in _places(f):
            step = steps.attempt("specialize", k, at=t)
            while step is not None and steps.formula(step).tag == "->" and steps.formula(step) != f:
                condition = self.short(steps.formula(step).parts[0])
                step = None if condition is None else steps.attempt("detach", step, condition)
            if step is None:
                continue
            for part in self.search.opened(step):
                if steps.formula(part) == f:
                    return part
                if steps.formula(part).tag in ("<=", "<") and (found := steps.sum_of(f, [part])) is not None:
                    return found
        return None

    def short(self, condition: Term, *, anywhere: bool = False) -> int | None:
        """A condition on a place, from the premises and, unless it holds anywhere, from the range of the place."""
        steps, known = self.steps, [*([] if anywhere else self.within), *self.known]
        for k in known:
            if steps.formula(k) == condition:
                return k
        for by in ([], *([k] for k in known if steps.formula(k).tag in ("<=", "<"))):
            found = steps.attempt("linear", *by, *known, formula=condition, multipliers=[ONE] * len(by))
            if found is not None:
                return found
        return None

    # --- the end

    def _finished(self, form: Form, total: int, goal: Term, prover: OneTerm) -> int | None:
        """The claim from Σ 0 ≤ Σ h."""
        facts = [*self.signs(), *self.known]

        def whole(e: Any) -> Term:
            return self.valued(prover.term(e))

        if not form.back:
            return self._linear(goal, total, [ONE], facts)
        aim = at_most(whole(form.small), whole(form.large))
        order = self._linear(aim, total, [ONE], facts)
        order = order if order is not None else self._linear_by_zeros(aim, total, ONE, form, whole, facts)
        return None if order is None else self._in_first_words(form, order, goal)

    def _in_first_words(self, form: Form, step: int, goal: Term) -> int | None:
        """The claim from what one of its forms says."""
        steps, facts, weight = self.steps, [*self.signs(), *self.known], ONE
        order: int | None = step

        def whole(e: Any) -> Term:
            return self.valued(OneTerm(steps, self.symbols, ()).term(e))

        for kind, number_ in form.back:
            if order is None:
                return None
            small, large = steps.formula(order).parts
            if kind == "log":
                least = steps.attempt("sign", *facts, formula=below(ZERO, small))
                order = None if least is None else steps.attempt("log_monotone", order, least)
            elif kind == "exp":
                order = steps.attempt("exp_monotone", order)
            elif kind == "sides":
                factor, low, high = number_
                order = self._linear(at_most(whole(low), whole(high)), order, [whole(factor)], facts)
            elif kind == "power":
                least = steps.attempt("sign", *facts, formula=at_most(ZERO, small))
                r = steps.attempt("sign", *facts, formula=at_most(ZERO, whole(number_)))
                order = None if least is None or r is None else steps.attempt("power_monotone", least, order, r)
                order = order if order is None else self._root_of_power(order, facts)
            else:  # "times", which is the last one
                weight = whole(number_)
        if order is None:
            return None
        end = self._linear(goal, order, [weight], facts)
        return end if end is not None else self._linear_by_zeros(goal, order, weight, form, whole, facts)

    def _root_of_power(self, order: int, facts: Sequence[int]) -> int:
        """b ≤ (a^m)^r as b ≤ a for m·r = 1 where a ≥ 0 is no product: what the checker's normal form does not see of a sum."""
        steps, (small, large) = self.steps, self.steps.formula(order).parts
        inner, r = large.parts
        a = inner.parts[0] if inner.tag in ("^", "pow") else None
        least = None if a is None else steps.attempt("sign", *facts, formula=at_most(ZERO, a))
        share = steps.attempt("sign", formula=below(ZERO, r))
        if a is None or least is None or share is None:
            return order
        u = variable("u_", "R")
        goal = node("=", node("pow", node(inner.tag, u, *inner.parts[1:], data=inner.data), r), u)
        split = steps.write("total_order", left=u, right=ZERO)
        zero, some = (steps.assume(f) for f in steps.formula(split).parts)
        none = [steps.write("antisymmetric", zero, steps.assume(at_most(ZERO, u))), steps.write("power_of_zero", share)]
        ends = [steps.attempt("linear", *by, formula=goal, multipliers=[]) for by in (none, [some])]
        if None in ends:
            return order
        lemma = steps.write("cases", split, *(k for k in ends if k is not None))
        same = Library(steps).instance(lemma, {u: a}, least)
        found = steps.sum_of(at_most(small, a), [order, same])
        return order if found is None else found

    def _linear(self, goal: Term, step: int, weights: Sequence[Term], facts: Sequence[int]) -> int | None:
        return self.steps.sum_of(goal, [step], facts, weights)

    def _linear_by_zeros(
        self, aim: Term, step: int, weight: Term, form: Form, whole: Callable[[Any], Term], facts: Sequence[int]
    ) -> int | None:
        """A relation in other words where a sum may be 0 of which they have a power or a quotient: by whether it is."""
        steps, gap = self.steps, form.large - form.small
        for t in [t for t in self.totals.values() if t.symbol.is_nonnegative and not t.symbol.is_positive and gap.has(t.symbol)]:
            least = self._nonnegative_sum(at_most(ZERO, whole(t.symbol)))
            powers = [*exponents(gap, t.symbol), *(r for kind, r in form.back if kind == "power")]
            signs = [steps.attempt("sign", *facts, formula=below(ZERO, whole(e))) for e in powers]
            if least is None or None in signs:
                continue
            split = steps.write("total_order", left=whole(t.symbol), right=ZERO)
            zero, some = (steps.assume(f) for f in steps.formula(split).parts)
            gone = [steps.write("antisymmetric", zero, least), *(steps.write("power_of_zero", k) for k in signs if k is not None)]
            ends = [steps.attempt("linear", step, *own, *facts, formula=aim, multipliers=[weight]) for own in (gone, [some])]
            if None not in ends:
                return steps.attempt("cases", split, *(k for k in ends if k is not None))
        return None

    def signs(self) -> list[int]:
        """The signs of the sums."""
        found = []
        for t in self.totals.values():
            for f in (below(ZERO, t.term), at_most(ZERO, t.term)):
                f = substitute(f, self.values)
                step = self.steps.attempt("sign", *self.known, formula=f)
                if (step := step if step is not None else self._nonnegative_sum(f)) is not None:
                    found.append(step)
                    break
        return found

    def _defined(self, o: Term) -> int:
        """What must be shown to be defined."""
        found = self.steps.attempt("sign", *self.known, formula=o) if o.tag in ("<", "<=", "not") else None
        if found is None and o.tag in ("<", "<="):
            found = self.steps.attempt("linear", *self.known, formula=o, multipliers=[])
        if found is None and o.tag == "all" and o.data == ("Z",):
            found = self._defined_everywhere(o)
        found = found if found is not None else self.search.prove(o, self.known)
        if found is None:
            raise NotWritten("what must be defined", o.tag)
        return found

    def _defined_everywhere(self, o: Term) -> int | None:
        steps = self.steps
        body, conditions = instantiate(o.parts[0], self.at), []
        while body.tag == "->":
            conditions.append(body.parts[0])
            body = body.parts[1]
        here = [steps.assume(c) for c in conditions]
        plain = OneTerm(steps, {}, ())
        here += [plain.plain_order(steps.formula(k), k) for k in here if steps.formula(k).tag == "not"]
        self.within, kept = [*self.within, *here], self.within
        self.within += self._at_place()
        try:
            return self._defined_here(body, conditions, here)
        finally:
            self.within = kept

    def _at_place(self) -> list[int]:
        """What the premises say at the place, and what lies above something positive."""
        steps, found = self.steps, []
        for k in self.known:
            step = steps.attempt("specialize", k, at=self.at) if steps.formula(k).tag == "all" else None
            while step is not None and steps.formula(step).tag == "->":
                condition = self.short(steps.formula(step).parts[0])
                step = None if condition is None else steps.attempt("detach", step, condition)
            if step is not None:
                found += self.search.opened(step)
        least = {
            steps.formula(k).parts[1]: k
            for k in (*self.within, *found)
            if steps.formula(k).tag == "<" and steps.formula(k).parts[0] == ZERO
        }
        for k in list(found):
            f = steps.formula(k)
            if f.tag == "<=" and f.parts[0] in least and f.parts[1].tag == "*":
                above = steps.sum_of(below(ZERO, f.parts[1]), [k, least[f.parts[0]]])
                if above is None:
                    continue
                for entry in _entries_in(f.parts[1]):
                    other = next((x for x in f.parts[1].parts if x != entry), ONE)
                    found += [x for x in [steps.attempt("linear", above, formula=below(ZERO, entry), multipliers=[power(other, -1)])] if x]
        return found

    def _defined_here(self, body: Term, conditions: Sequence[Term], here: Sequence[int]) -> int | None:
        steps = self.steps
        found: int | None = None
        options = body.parts if body.tag == "or" else (body,)
        for option in options:
            if option.tag in ("<=", "<") and (found := self._hypothesis(option)) is not None:
                pass
            elif option.tag in ("<=", "<", "not"):
                signs = [
                    k for f in _entries_in(option) for k in [self._hypothesis(below(ZERO, f)) or self._hypothesis(at_most(ZERO, f))] if k
                ]
                found = steps.attempt("sign", *signs, *here, *self.known, formula=option)
            if found is None:
                continue
            found = steps.write("alternative", found, formula=body) if body.tag == "or" else found
            for c in reversed(conditions):
                found = steps.write("discharge", found, formula=c)
            return steps.attempt("generalize", found, variable=self.at)
        return None


_PLACE = Symbol("place_of_a_term", integer=True)


def _definitions(e: Any) -> dict[Any, Any]:
    return {d: d.definition() for d in e.atoms(functions.Divergence) if not d.is_table}


def _places(f: Term) -> list[Term]:
    """The arguments of families in a formula."""
    found: dict[Term, None] = {}

    def visit(t: Term) -> None:
        if t.tag == "f" and len(t.parts) == 1 and not t.parts[0].loose:
            found[t.parts[0]] = None
        for part in t.parts:
            visit(part)

    visit(f)
    return list(found)


def _entries_in(f: Term) -> list[Term]:
    found: dict[Term, None] = {}

    def visit(t: Term) -> None:
        if t.tag == "f" and not t.loose:
            found[t] = None
        for part in t.parts:
            visit(part)

    visit(f)
    return list(found)
