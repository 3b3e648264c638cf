"""Sums with a bound b(k) of what is left from each k on: a(k) + b(k + 1) ≤ b(k) gives Σ_l^n a ≤ b(l) − b(n + 1), by induction over n.

Nothing here is believed: each step is one of the checker's.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from dpbounds.compile.inductions import with_value
from dpbounds.compile.joining.joined import ClaimCompiler
from dpbounds.compile.recursions import last_term
from dpbounds.compile.steps import NotWritten
from dpbounds.kernel.terms import (
    MINUS,
    ONE,
    ZERO,
    Term,
    at_most,
    below,
    implies,
    instantiate,
    minus,
    node,
    number,
    plus,
    substitute,
    times,
    value,
    variable,
)

if TYPE_CHECKING:
    from dpbounds.claims.evidence.reductions.telescopes import Telescope


def telescope_document(name: str, claim: tuple[Any, Sequence[Any]], way: Telescope, texts: Sequence[str]) -> str:
    """The document of a claim about a sum.

    Args:
        name: of the document.
        claim: conclusion and premises.
        way: the sum and its witness.
        texts: the documents of what is left: the step, 0 ≤ b(k), the end; empty where there is nothing.

    Raises:
        NotWritten: a step is not seen.
    """
    return _Telescope(*claim).document_of_sum(name, way, texts)


_WORK = 10


class SumCompiler(ClaimCompiler):
    """A claim about a sum."""

    def order(self, a: Term, b: Term) -> int:
        """The step a ≤ b, from at most two relations that are known."""
        found = self._summed(at_most(a, b)) or self._follows(at_most(a, b))
        if found is None:
            raise NotWritten("a telescope: an order")
        return found

    def sign_as_stated(self, sign: int, low: Term) -> int:
        """∀i (0 ≤ i → 0 ≤ f(l + i)) from ∀j (l ≤ j → 0 ≤ f(j)), where l is no number: the terms of a sum without an end."""
        if value(low) is not None:
            return sign
        steps, i = self.steps, variable("from_", "Z")
        least = steps.assume(at_most(ZERO, i))
        order = steps.write("linear", least, formula=at_most(low, plus(low, i)), multipliers=[ONE])
        found = steps.write("detach", steps.write("specialize", sign, at=plus(low, i)), order)
        return steps.write("generalize", steps.write("discharge", found, formula=at_most(ZERO, i)), variable=i)

    def _defined(self, o: Term) -> int:
        """Under the conditions before it."""
        if o.tag == "->":
            known, self.known = self.known, [self.steps.assume(o.parts[0]), *self.known]
            try:
                found = self._defined(o.parts[1])
            finally:
                self.known = known
            return self.steps.write("discharge", found, formula=o.parts[0])
        return self._summed(o) or self.steps.attempt("sign", formula=o) or super()._defined(o)

    def _follows(self, h: Term, extra: Sequence[int] = ()) -> int | None:
        """Also as the sum of relations."""
        return self._summed(h) or super()._follows(h, extra)

    def _summed(self, h: Term) -> int | None:
        """An order from at most two that are known, as from l ≤ k and 1 ≤ l."""
        sets = [by for n in range(3) for by in itertools.combinations(self.known, n)] if h.tag in ("<=", "<") else []
        found = (self.steps.attempt("linear", *by, formula=h, multipliers=[ONE] * len(by)) for by in sets)
        return next((k for k in found if k is not None), None)


class _Telescope(SumCompiler):
    def document_of_sum(self, name: str, way: Telescope, texts: Sequence[str]) -> str:
        """As `telescope_document`."""
        self.steps.write.work *= _WORK
        self.at = self.read.symbols[way.k] = variable(way.k.name, "Z")
        self.way, self.texts, self.b = way, texts, self.read.term(way.witness)
        if self.goal.tag == "and":
            least = self.taken_again(texts[1], {}) if texts[1] else None
            self.known += [least] if least is not None and self.at not in self.steps.formula(least).free else []
            return self.ended(name, self._endless())
        total = self.read.term(way.total)
        low, high, body = total.parts
        until, facts = (minus(high, ONE), self._last(total)) if way.last else (high, [])
        found = self._bounded(low, until, body, until)
        inside = [self.order(minus(self._start(low), ONE), until), self.order(until, until)]
        for k in inside:
            found = self.steps.write("detach", found, k)
        end = [self.taken_again(texts[2], {})] if texts[2] else []
        return self.ended(name, self._added(self.goal, [found, *end], facts))

    def _start(self, low: Term) -> Term:
        return self.read.term(self.way.total.limits[0][1] + self.way.first)

    def _last(self, total: Term) -> list[int]:
        """Σ_l^h = Σ_l^{h − 1} + a(h)."""
        low, high, body = total.parts
        until = minus(high, ONE)
        split = self.steps.write("sum_split", self.order(low, plus(until, ONE)), self.order(until, high), total=total)
        last = plus(until, ONE)
        return [self.steps.write("sum_single", total=node("sum", last, last, body)), split]

    def _endless(self) -> int:
        """The signs of the terms, and all partial sums."""
        steps, write, n, way, at = self.steps, self.steps.write, variable("at_n", "Z"), self.way, self.at
        condition, relation = instantiate(self.goal.parts[-1].parts[0], n).parts
        small, large = relation.parts
        total = next(t for t in (small, *small.parts) if t.tag == "sum")
        low, last, body = total.parts
        signs = [self._sign(part) for part in self.goal.parts[:-2]]
        self.known = [*self.known, *signs]
        signs.append(self._for_all("", at_most(ZERO, instantiate(body, at)), low, None))
        start, before = self._start(low), minus(low, ONE)
        found = self._bounded(low, n, body, None)
        least = self._for_all(self.texts[1], at_most(ZERO, self.b), start, None)
        end = [self.taken_again(self.texts[2], {})] if self.texts[2] else []
        partial = node("sum", low, n, body)
        bounded = at_most(partial if small == total else times(small.parts[0], partial), large)
        order = steps.assume(at_most(minus(start, ONE), n))
        known, self.known = self.known, [order, *self.known]
        rest = write("detach", write("specialize", least, at=plus(n, ONE)), self.order(start, plus(n, ONE)))
        shown = self._added(bounded, [write("detach", found, order), rest, *end], [])
        self.known = known
        if way.first:  # the sum with no term
            number_ = int(str(low.data[0]))
            own = [write("detach", write("specialize", k, at=t), self.order(t, t)) for k, t in ((signs[-1], low), (least, start))]
            none = self._added(substitute(bounded, {n: number(number_ - 1)}), [*own, *end], [])
            later = steps.sum_of(at_most(minus(start, ONE), n), [steps.assume(at_most(low, n))])
            shown = write("cut", shown, later) if later is not None else shown
            shown = with_value(steps, bounded, n, number_ - 1, none, shown)
            own_low = steps.sum_of(at_most(number(number_ - 1), n), [steps.assume(at_most(before, n))])
            shown = write("cut", shown, own_low) if own_low is not None else shown
        whole = write("generalize", write("discharge", shown, formula=at_most(before, n)), variable=n)
        self.known = [steps.assume(condition), *self.known]
        every = write("detach", write("specialize", whole, at=last), self.order(before, last))
        self.known = known
        every = write("generalize", write("discharge", every, formula=condition), variable=n)
        return write("conjunction", *signs[:-1], self.sign_as_stated(signs[-1], low), every)

    def _sign(self, goal: Term) -> int:
        """0 < F."""
        found = self._follows(goal) or self.steps.attempt("sign", *self._facts(goal), formula=goal)
        if found is None:
            raise NotWritten("a telescope: a factor")
        return found

    def _added(self, goal: Term, by: Sequence[int], facts: Sequence[int]) -> int:
        """The goal as the sum of steps times F, the first ones times F too."""
        weight = self.read.term(self.way.weight)
        own = self._facts(goal, *map(self.steps.formula, by))
        end = times(weight, self.read.term(self.way.scales[2]))
        for weights in ([weight] * len(by), [*[weight] * (len(by) - 1), end]):
            found = self.steps.sum_of(goal, by, [*facts, *own, *self.known], weights)
            if found is not None:
                return found
        raise NotWritten("a telescope: the end")

    def _facts(self, *formulas: Term) -> list[int]:
        """That divisors and bases of powers are positive, and what powers and factorials are one place on."""
        divisors = dict.fromkeys(d for f in formulas for d in _divisors(f))
        return [s for d in divisors if (s := self._follows(below(ZERO, d)) or self._summed(below(ZERO, minus(ZERO, d)))) is not None]

    def _bounded(self, low: Term, n: Term, body: Term, until: Term | None) -> int:
        """start − 1 ≤ n → s·Σ_l^n a + b(n + 1) ≤ T, T of the first terms and b(start); until an end, where one is given."""
        steps, write, at, way = self.steps, self.steps.write, self.at, self.way
        sign, start, m = number(way.sign), self._start(low), variable("at_m", "Z")
        a = times(sign, instantiate(body, at)) if way.sign < 0 else instantiate(body, at)
        falls = self._for_all(self.texts[0], at_most(plus(a, substitute(self.b, {at: plus(at, ONE)})), self.b), start, until)
        total, before = node("sum", low, m, body), minus(start, ONE)
        first = [instantiate(body, plus(low, number(j)) if j else low) for j in range(way.first)]
        top = plus(*(times(sign, t) for t in first), substitute(self.b, {at: start}))
        bounded = at_most(plus(times(sign, total), substitute(self.b, {at: plus(m, ONE)})), top)
        formula = bounded if until is None else implies([at_most(m, until)], bounded)
        facts = []
        if not way.first and value(low) is None:
            ends = [self.order(low, plus(before, ONE)), self.order(before, low)]
            facts = [write("sum_split", *ends, total=node("sum", low, low, body))]
        base = substitute(bounded, {m: before})
        first_step = steps.sum_of(base, [], [*facts, *self.known]) or steps.sum_of(base, facts, self.known, [MINUS] * len(facts))
        if first_step is None:
            raise NotWritten("a telescope: the start")
        base_step = first_step if until is None else write("discharge", first_step, formula=at_most(before, until))
        order, here, later, known = steps.assume(at_most(before, m)), steps.assume(formula), plus(m, ONE), self.known
        inside = [] if until is None else [steps.assume(at_most(later, until))]
        self.known = [order, *inside, *known]
        now = here if until is None else write("detach", here, self.order(m, until))
        step = write("detach", write("specialize", falls, at=later), self.order(start, later))
        step = step if until is None else write("detach", step, inside[0])
        split = write("sum_split", self.order(low, later), self.order(m, later), total=node("sum", low, later, body))
        single = write("sum_single", total=node("sum", later, later, body))
        goal = substitute(bounded, {m: later})
        by, weights = [now, step, split, single], [ONE, ONE, sign, sign]
        grown = steps.sum_of(goal, by, self.known, weights) or steps.sum_of(
            goal, by, [*self._facts(goal, steps.formula(step)), *self.known], weights
        )
        self.known = known
        if grown is None:
            raise NotWritten("a telescope: from n to n + 1")
        grown = grown if until is None else write("discharge", grown, formula=at_most(later, until))
        every = write("induction", base_step, grown, variable=m, start=before, formula=formula)
        return write("specialize", every, at=n)

    def _next(self, t: Term, k: Term) -> list[int]:
        """What a term at k + 1 has of it at k: (k + 1)! = (k + 1)·k!, as sums of logarithms, and a^{n+1} = a^n·a for integers n ≥ 0."""
        found = [step for part in t.parts if not part.loose for step in self._next(part, k)]
        if t.tag == "sum" and not t.loose and k in t.free:
            order = self._follows(at_most(t.parts[0], plus(t.parts[1], ONE)))
            found += [] if order is None else last_term(self.steps, t, k, order)
        elif t.tag == "pow" and k in t.parts[1].free and t.parts[1].sort == "Z":
            order = self._follows(at_most(ZERO, t.parts[1]))
            found += [] if order is None else [self.steps.write("integer_power", order, base=t.parts[0])]
        return found

    def _for_all(self, text: str, goal: Term, start: Term, until: Term | None) -> int:
        """∀k (l ≤ k → k ≤ h → …) of a document times g, or of what is seen without one."""
        steps, at = self.steps, self.at
        conditions = [at_most(start, at), *([] if until is None else [at_most(at, until)])]
        known, self.known = self.known, [*map(steps.assume, conditions), *self.known]
        scale = self.read.term(self.way.scales[0 if text == self.texts[0] else 1])
        facts = [*self._next(self.b, at), *self._next(scale, at), *self._next(goal, at)]
        values = self.way.values if text and text == self.texts[0] else {}
        self.known += [k for e in values.values() for k in self._scaled(self.read.term(e))]
        own = [self.taken_again(text, values)] if text else []
        facts = [*dict.fromkeys(facts), *self._facts(goal, *map(steps.formula, own)), *self.known]
        found = steps.sum_of(goal, own, facts, [scale] * len(own)) or steps.sum_of(goal, [], [*own, *facts])
        found = self._follows(goal) if found is None and not text else found
        self.known = known
        if found is None:
            raise NotWritten("a telescope: a step")
        for f in reversed(conditions):
            found = steps.write("discharge", found, formula=f)
        return steps.write("generalize", found, variable=at)

    def _scaled(self, t: Term) -> list[int]:
        """0 < t, and t ≤ k·t where 1 ≤ k."""
        some, least = self._follows(below(ZERO, t)), self._follows(at_most(ONE, self.at))
        if some is None or least is None:
            return []
        found = self.steps.attempt("linear", least, some, formula=at_most(t, times(self.at, t)), multipliers=[t])
        return [some] if found is None else [some, found]


def _divisors(t: Term) -> list[Term]:
    """The divisors in a term, and the bases of its real powers."""
    own = [t.parts[0]] if (t.tag == "^" and int(str(t.data[0])) < 0 or t.tag == "pow") and not t.parts[0].loose else []
    return [*own, *(d for part in t.parts for d in _divisors(part))]
