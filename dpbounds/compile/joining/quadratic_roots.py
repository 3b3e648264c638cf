"""A claim in s = (x + R)/(2m) as one in x, where 1/s = (R − x)/(2c) because R² − x² = 4·m·c. Nothing here is believed."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from dpbounds.compile.joining.joined import ClaimCompiler
from dpbounds.compile.steps import NotWritten, positive
from dpbounds.compile.towers.problems import subterms
from dpbounds.kernel.terms import ONE, ZERO, Term, at_most, below, equal, number, over, plus, power, times

if TYPE_CHECKING:
    from dpbounds.claims.evidence.reductions.quadratic_roots import QuadraticRoot


def quadratic_document(name: str, claim: tuple[Any, Sequence[Any]], way: QuadraticRoot, texts: Sequence[str]) -> str:
    """The document of a claim with a root.

    Args:
        name: of the document.
        claim: conclusion and premises.
        way: the claim without the root.
        texts: its document.

    Raises:
        NotWritten: it does not say the claim.
    """
    return _Root(*claim).document_of_root(name, way, texts[0])


class _Root(ClaimCompiler):
    def document_of_root(self, name: str, way: QuadraticRoot, text: str) -> str:
        steps, s, inverse = self.steps, self.read.term(way.value), self.read.term(way.inverse)
        m, c = map(self.read.term, way.slopes)
        whole = self.steps.attempt("sign", *self.known, formula=positive(self.read.term(way.root)))
        if whole is None:
            raise NotWritten("a root: its sign")
        self.known = [*self.known, whole]
        self.known = [*self.known, self._otherwise(positive(s), [], [inverse], over(m, c))]
        one = self._added(equal(times(s, inverse), ONE), [])
        self.known = [*self.known, self._otherwise(positive(inverse), [one], [s, number(-1)])]
        same = self._added(equal(power(s, -1), inverse), [one], [power(s, -1)])
        self.known = [*self.known, *(self._end(order, at, way, inverse) for order, at in way.ends)]
        end = self.taken_again(text, {way.name: s})
        for t, k in [(t, k) for t in dict.fromkeys(subterms(steps.formula(end))) if (k := _exponent(t, s)) < 0]:
            end = steps.write("rewrite", end, same if k == -1 else self._added(equal(t, power(inverse, -k)), [], (), [same]))
        wanted = [t for t in subterms(self.goal) if t.tag == "Phi"]
        for t in [t for t in dict.fromkeys(subterms(steps.formula(end))) if t.tag == "Phi"]:
            rows = (steps.sum_of(equal(t.parts[0], other.parts[0]), [], self.known) for other in wanted)
            end = steps.write("rewrite", end, next((k for k in rows if k is not None), same))
        return self.ended(name, self._added(self.goal, [end]))

    def _end(self, order: Any, at: Any, way: QuadraticRoot, inverse: Term) -> int:
        """a < s, for otherwise (a − s)·(m + c/(a·s)) ≥ 0 says that x is at most what it is at a."""
        goal = self.read.formula(order)
        (m, c), fixed = map(self.read.term, way.slopes), goal.parts[goal.parts[0] == self.read.term(way.value)]
        weight = plus(m, over(times(c, inverse), fixed))
        sign = self._added(below(ZERO, weight), [self.known[-1]], [over(c, fixed)])
        for k in (k for k in self.known if self.steps.formula(k).tag in ("<", "<=")):
            with suppress(NotWritten):
                return self._otherwise(goal, [sign, k], [weight, ZERO, ONE])
        raise NotWritten("a root: an end of its variable")

    def _otherwise(self, goal: Term, by: Sequence[int], weights: Sequence[Term], share: Term = ZERO) -> int:
        """A relation whose contrary, times the first weight, adds up to 0 < 0 with others; the weight is at least share times it."""
        steps, (a, b) = self.steps, goal.parts
        split = steps.write("total_order", **({"left": b, "right": a} if goal.tag == "<" else {"left": a, "right": b}))
        here = steps.assume(next(f for f in steps.formula(split).parts if f != goal))
        least = [] if share == ZERO else [self._added(at_most(ZERO, weights[0]), [here], [share])]
        never = self._added(below(ZERO, ZERO), [here, *by], weights, [*least, *by])
        false = steps.write("absurd", never, steps.write("irreflexive", term=ZERO), formula=goal)
        return steps.write("cases", split, *(steps.assume(goal) if f == goal else false for f in steps.formula(split).parts))

    def _added(self, goal: Term, by: Sequence[int], weights: Sequence[Term] = (), facts: Sequence[int] = ()) -> int:
        found = self.steps.sum_of(goal, by, [*facts, *self.known], weights)
        if found is None:
            raise NotWritten("a root: a relation in other words")
        return found


def _exponent(t: Term, s: Term) -> int:
    """k where a term is s^k, written as powers of powers; 0 where it is none."""
    return 1 if t == s else _exponent(t.parts[0], s) * int(str(t.data[0])) if t.tag == "^" else 0
