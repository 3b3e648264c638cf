"""The n-th entry of a family by induction, from documents of what one place says of the next."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from dpbounds.compile.joining.joined import ClaimCompiler
from dpbounds.compile.recursions import last_term
from dpbounds.compile.steps import NotWritten
from dpbounds.compile.written_out import sums_in
from dpbounds.kernel.terms import ONE, Term, at_most, implies, number, plus, substitute, variable

if TYPE_CHECKING:
    from dpbounds.claims.evidence.reductions.recursions import Recursion


def recursion_document(
    name: str, claim: tuple[Any, Sequence[Any]], way: Recursion, texts: tuple[Sequence[str], Sequence[str], Sequence[str]]
) -> str:
    """The document of a claim about the n-th entry of a family.

    Args:
        name: of the document.
        claim: conclusion and premises.
        way: the induction.
        texts: documents of the claim at the first place if need be, of the parts of the step from k to k + 1, and of signs of factors.

    Raises:
        NotWritten: they do not say the claim.
    """
    return RecursionCompiler(*claim).by_recursion(name, way, *texts)


class RecursionCompiler(ClaimCompiler):
    """A claim about the n-th entry of a family that is written by an induction."""

    def by_recursion(self, name: str, way: Recursion, at_start: Sequence[str], parts: Sequence[str], signs: Sequence[str]) -> str:
        """As `recursion_document`."""
        steps, known, k = self.steps, self.known, variable("place_", "Z")
        n, start = self.read.term(way.count), number(way.start)
        self.read.symbols[way.k] = self.names[way.k.name] = k
        above = self._linear(at_most(start, n))
        self.known = [*known, *self._everywhere([start], [above])]
        values = {v: e for v, e in way.values.items() if way.k not in e.free_symbols}
        base = steps.sum_of(substitute(self.goal, {n: start}), [self.taken_again(text, values) for text in at_start], self.known)
        formula = implies([at_most(k, n)], substitute(self.goal, {n: k}))
        before, after = (substitute(formula, {k: t}) for t in (start, plus(k, ONE)))
        order, so_far, up = (steps.assume(f) for f in (at_most(start, k), formula, after.parts[0]))
        here = steps.write("detach", so_far, steps.write("linear", up, formula=at_most(k, n), multipliers=[ONE]))
        longer = [e for t in sums_in(steps.formula(here)) if k in t.free for e in last_term(steps, t, k, order)]
        facts = self._everywhere([k, plus(k, ONE), plus(k, number(-1))], [order, up])
        self.known = [*known, order, here, *facts, *longer]
        shown, least = ([self.taken_again(text, way.values) for text in own] for own in (parts, signs))
        weights = [self.read.term(w) for w in (*way.weights, *(w for _, w in way.parts))]
        rows = (steps.sum_of(after.parts[1], [fact, here, *shown], [*longer, *least, *self.known], weights) for fact in facts)
        grown = next((row for row in rows if row is not None), None)
        if base is None or grown is None:
            raise NotWritten("the start or step of a recursion")
        ends = [steps.write("discharge", step, formula=f.parts[0]) for step, f in ((base, before), (grown, after))]
        every = steps.write("specialize", steps.write("induction", *ends, variable=k, start=start, formula=formula), at=n)
        self.known = known
        return self.ended(name, steps.write("detach", steps.write("detach", every, above), self._linear(at_most(n, n))))

    def _linear(self, formula: Term, by: Sequence[int] = ()) -> int:
        found = next((s for own in ([], *([k] for k in by)) if (s := self.steps.sum_of(formula, own, self.known)) is not None), None)
        if found is None:
            raise NotWritten("a place")
        return found

    def _everywhere(self, places: Sequence[Term], by: Sequence[int]) -> list[int]:
        """What premises about every place say of some."""
        found = list[int]()
        for k in (k for k in self.known if self.steps.formula(k).tag == "all"):
            for at in places:
                step: int | None = self.steps.attempt("specialize", k, at=at)
                while step is not None and self.steps.formula(step).tag == "->":
                    try:
                        step = self.steps.attempt("detach", step, self._linear(self.steps.formula(step).parts[0], by))
                    except NotWritten:
                        step = None
                found += [] if step is None else self.c.search.opened(step)
        return found
