"""Claims about sums of c·u^{j+s}/(j + s)!, from bounds of the partial sums of the exponential series. Each step is one of the checker's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from dpbounds.compile.exponential_sums import N, U, above_exponential, below_exponential, factorial, partial_sum, summand
from dpbounds.compile.inductions import with_value
from dpbounds.compile.joining.telescopes import SumCompiler
from dpbounds.compile.recursions import last_term
from dpbounds.compile.steps import NotWritten
from dpbounds.kernel.terms import (
    ONE,
    ZERO,
    Term,
    at_most,
    below,
    binder,
    equal,
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
    from dpbounds.claims.evidence.reductions.exponential_sums import ExponentialSum


def exponential_document(name: str, claim: tuple[Any, Sequence[Any]], way: ExponentialSum, text: str) -> str:
    """The document of a claim about such a sum.

    Args:
        name: of the document.
        claim: conclusion and premises.
        way: the sum.
        text: the document of what is left of the claim, empty where there is nothing.

    Raises:
        NotWritten: a step is not seen.
    """
    return _ExponentialSum(*claim).document_of_sum(name, way, text)


class _ExponentialSum(SumCompiler):
    def document_of_sum(self, name: str, way: ExponentialSum, text: str) -> str:
        """As `exponential_document`."""
        self.steps.write.work *= 10
        self.way, self.u, self.scale, self.weight = way, *(self.read.term(e) for e in (way.u, way.scale, way.weight))
        self.shift, self.least = number(way.shift), self._sign(at_most(ZERO, self.u))
        self.positive = self.steps.attempt("sign", *self.known, formula=below(ZERO, self.u)) or self.least
        self.end = [self.taken_again(text, {})] if text else []
        if self.goal.tag == "and":
            return self.ended(name, self._endless())
        total = self.read.term(way.total)
        return self.ended(name, self._bounded(total, self.goal))

    def _sign(self, goal: Term) -> int:
        found = self.steps.attempt("sign", *self.known, formula=goal) or self._follows(goal)
        if found is None:
            raise NotWritten("an exponential sum: a sign")
        return found

    def _bounded(self, total: Term, goal: Term) -> int:
        """The goal about a sum to its end."""
        steps, write = self.steps, self.steps.write
        low, high, body = total.parts
        start = self.read.term(self.way.start)
        by, scale, weight = list[tuple[int, Term]](), times(self.weight, self.scale), self.weight
        above = self.way.total in self.then.lts.atoms(type(self.way.total))
        sign = ONE if above else number(-1)
        if start != low:
            before = minus(start, ONE)
            by.append((write("sum_split", self.order(low, plus(before, ONE)), self.order(before, high), total=total), weight))
        by.append((self._termwise(body, start, high), times(sign, weight)))
        place, last = plus(start, self.shift), plus(high, self.shift)
        if self.way.shift:
            j = variable("exp_j", "Z")
            moved = write("sum_shift", total=binder("sum", j, start, high, summand(self.u, plus(j, self.shift))), by=self.shift)
            by.append((moved, scale))
        far, bounds = self.way.tail, self.c.bounds
        if above:
            by.append((self._at(below_exponential(bounds), last), scale))
            if value(self.read.term(self.way.start + self.way.shift)) != 0:
                before = minus(place, ONE)
                ends = self.order(ZERO, plus(before, ONE)), self.order(before, last)
                by.append((write("sum_split", *ends, total=partial_sum(self.u, last)), times(number(-1), scale)))
                by += [(self._at(above_exponential(bounds), before), scale)] if far else []
        else:
            by.append((self._at(above_exponential(bounds), last), scale))
        steps_, weights = [*(k for k, _ in by), *self.end], [*(w for _, w in by), *[ONE] * len(self.end)]
        found = steps.sum_of(goal, steps_, [*self.known, self.positive], weights)
        if found is None:
            raise NotWritten("an exponential sum: the end")
        return found

    def _at(self, lemma: int, n: Term) -> int:
        """A lemma at u and n."""
        return self.c.library.instance(lemma, {N: n, U: self.u}, self.positive, self.least, self.order(ZERO, n))

    def _termwise(self, body: Term, low: Term, high: Term) -> int:
        """Σ f(j) = Σ c·u^{j+s}/(j + s)!."""
        steps, write, j = self.steps, self.steps.write, variable("exp_j", "Z")
        known, self.known = self.known, [steps.assume(at_most(low, j)), steps.assume(at_most(j, high)), *self.known]
        facts, s, v = list[int](), self.way.shift, variable("exp_i", "Z")
        step = last_term(steps, factorial(v).parts[0], v, steps.sum_of(at_most(ONE, plus(v, ONE)), [steps.assume(at_most(ZERO, v))]) or 0)
        for k in range(min(s, 0), max(s, 0)):
            place = plus(j, number(k))
            least = self.order(ZERO, place)
            facts.append(self._summed(below(ZERO, plus(place, ONE))) or least)
            facts += [self.c.library.instance(e, {v: place}, *([least] if steps.write.steps[e].hypotheses else [])) for e in step]
        goal = equal(instantiate(body, j), times(self.scale, summand(self.u, plus(j, self.shift))))
        found = steps.attempt("ring", *facts, *self.known, self.positive, formula=goal)
        self.known = known
        if found is None:
            raise NotWritten("an exponential sum: a term")
        return write("sum_termwise", found, variable=j, low=low, high=high)

    def _term_sign(self, goal: Term, j: Term) -> int:
        """0 ≤ f(j), also where first terms are 0."""
        found = self.steps.attempt("sign", *self.known, formula=goal)
        if found is not None:
            return found
        start, low = self.way.start, self.way.total.limits[0][1]
        known, self.known = self.known, [self.steps.assume(at_most(number(int(start)), j)), *self.known]
        own = [self.order(number(v), j) for v in range(int(start) + 1)]
        found = self.steps.write("sign", *own, *self.known, formula=goal)
        self.known = known
        for v in range(int(start) - 1, int(low) - 1, -1):
            at = self.steps.write("sign", *known, formula=substitute(goal, {j: number(v)}))
            found = with_value(self.steps, goal, j, v, at, found)
        return found

    def _endless(self) -> int:
        """The signs of the terms, and all partial sums."""
        steps, write, n, j = self.steps, self.steps.write, variable("at_n", "Z"), variable("exp_j", "Z")
        condition, relation = instantiate(self.goal.parts[-1].parts[0], n).parts
        small, large = relation.parts
        total = next(t for t in (small, *small.parts) if t.tag == "sum")
        low, last, body = total.parts
        signs = [self._sign(part) for part in self.goal.parts[:-2]]
        known, here = self.known, steps.assume(at_most(low, j))
        self.known = [here, *known]
        sign = write("discharge", self._term_sign(at_most(ZERO, instantiate(body, j)), j), formula=at_most(low, j))
        signs.append(write("generalize", sign, variable=j))
        partial, before = node("sum", low, n, body), minus(low, ONE)
        bounded = at_most(partial if small == total else times(small.parts[0], partial), large)
        start = self.way.start - (0 if self.way.start + self.way.shift == 0 else 1)
        self.known = [steps.assume(at_most(self.read.term(start), n)), *known]
        shown = self._bounded(partial, bounded)
        self.known = known
        lowest = self.way.total.limits[0][1]
        for v in range(int(start) - 1, int(lowest) - 2, -1) if lowest.is_Integer else ():
            later = write("substitution", shown, terms={n: number(v + 1)}, functions={})
            later = write("cut", later, self.order(number(v + 1), number(v + 1)))
            more = (
                write("detach", write("specialize", signs[-1], at=number(v + 1)), self.order(low, number(v + 1)))
                if v + 1 >= lowest
                else None
            )
            by, weights = ([later], [ONE]) if more is None else ([later, more], [ONE, self.weight])
            at = steps.sum_of(substitute(bounded, {n: number(v)}), by, [*known, self.positive], weights)
            if at is None:
                raise NotWritten("an exponential sum: a start")
            shown = with_value(steps, bounded, n, v, at, shown)
        self.known = [steps.assume(at_most(before, n)), *known]
        shown = self._from_here(shown, n)
        whole = write("generalize", write("discharge", shown, formula=at_most(before, n)), variable=n)
        self.known = [steps.assume(condition), *known]
        every = write("detach", write("specialize", whole, at=last), self.order(before, last))
        self.known = known
        every = write("generalize", write("discharge", every, formula=condition), variable=n)
        return write("conjunction", *signs[:-1], self.sign_as_stated(signs[-1], low), every)

    def _from_here(self, step: int, n: Term) -> int:
        """A step with its hypotheses about n from what is known."""
        missing = [h for h in self.steps.write.steps[step].hypotheses if n in h.free]
        return self.steps.write("cut", step, *(self.order(*h.parts) for h in missing)) if missing else step
