"""The n-th entry of a family by induction, from documents of what one place says of the next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import sympy

from dpbounds.compile.joining.joined import ClaimCompiler
from dpbounds.compile.recursions import last_term
from dpbounds.compile.steps import NotWritten
from dpbounds.compile.written_out import sums_in
from dpbounds.kernel.terms import ONE, Term, at_most, implies, number, plus, substitute, variable


def recursion_document(
    name: str,
    claim: tuple[Any, Sequence[Any]],
    places: tuple[Any, Any, int],
    texts: tuple[Sequence[str], Sequence[str], Sequence[str]],
    weights: Sequence[Any],
    values: Mapping[str, Any],
) -> str:
    """The document of a claim about the n-th entry of a family.

    Args:
        name: of the document.
        claim: conclusion and premises.
        places: n, the place k of the induction and its first value.
        texts: the claim at the first place if need be, the parts of the step from k to k + 1, and signs of factors.
        weights: of a premise, of the claim at k, and of the parts in that step.
        values: what the variables of the parts stand for.

    Raises:
        NotWritten: they do not say the claim.
    """
    return RecursionCompiler(*claim).by_recursion(name, places, texts, weights, values)


class RecursionCompiler(ClaimCompiler):
    """A claim about the n-th entry of a family that is written by an induction."""

    def by_recursion(
        self,
        name: str,
        places: tuple[Any, Any, int],
        texts: tuple[Sequence[str], Sequence[str], Sequence[str]],
        weights: Sequence[Any],
        values: Mapping[str, Any],
    ) -> str:
        """As `recursion_document`."""
        steps, known, k = self.steps, self.known, variable("place_", "Z")
        n, start = self.read.term(places[0]), number(places[2])
        self.read.symbols[places[1]] = self.names[places[1].name] = k
        above = self._linear(at_most(start, n))
        first = substitute(self.goal, {n: start})
        self.known = [*known, *self._everywhere([start], [above])]
        values_at_start = {v: e for v, e in values.items() if not sympy.sympify(e).has(places[1])}
        known_first = [self.taken_again(text, values_at_start) for text in texts[0]]
        base = steps.sum_of(first, known_first, self.known)
        formula = implies([at_most(k, n)], substitute(self.goal, {n: k}))
        after = substitute(formula, {k: plus(k, ONE)})
        order, before, up = (steps.assume(f) for f in (at_most(start, k), formula, after.parts[0]))
        here = steps.write("detach", before, steps.write("linear", up, formula=at_most(k, n), multipliers=[ONE]))
        longer = [e for t in sums_in(steps.formula(here)) if k in t.free for e in last_term(steps, t, k, order)]
        facts = self._everywhere([k, plus(k, ONE), plus(k, number(-1))], [order, up])
        self.known = [*known, order, here, *facts, *longer]
        shown, signs = ([self.taken_again(text, values) for text in own] for own in texts[1:])
        factors = [self.read.term(w) for w in weights]
        rows = (steps.sum_of(after.parts[1], [fact, here, *shown], [*longer, *signs, *self.known], factors) for fact in facts)
        grown = next((row for row in rows if row is not None), None)
        if base is None or grown is None:
            raise NotWritten("the start or step of a recursion")
        ends = [
            steps.write("discharge", step, formula=f)
            for step, f in ((base, substitute(formula, {k: start}).parts[0]), (grown, after.parts[0]))
        ]
        every = steps.write("induction", *ends, variable=k, start=start, formula=formula)
        self.known = known
        end = steps.write("detach", steps.write("specialize", every, at=n), above)
        return self.ended(name, steps.write("detach", end, self._linear(at_most(n, n))))

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
