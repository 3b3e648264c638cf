"""One term of a row of binomial coefficients is at most the row: C(n, k)·a^k·b^{n−k} ≤ (a + b)^n for a, b > 0. Nothing here is believed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dpbounds.compile.joining.joined import ClaimCompiler
from dpbounds.compile.steps import NotWritten, positive
from dpbounds.kernel.terms import ONE, ZERO, at_most, instantiate, minus, node, number, plus, variable

_J = variable("j_", "Z")


def one_place_document(
    name: str, claim: tuple[Any, Sequence[Any]], row: tuple[Any, Any], base: tuple[Any, Any], factor: Any, text: str
) -> str:
    """The document of a claim whose smaller side is c·C(n, k)·a^k·b^{n−k}.

    Args:
        name: of the document.
        claim: conclusion and premises.
        row: n and k.
        base: a and b.
        factor: c.
        text: the document of the claim with c·(a + b)^n there; empty where both sides are the same then.

    Raises:
        NotWritten: a step is not seen.
    """
    return _OnePlace(*claim).document_of_place(name, row, base, factor, text)


class _OnePlace(ClaimCompiler):
    def document_of_place(self, name: str, row: tuple[Any, Any], base: tuple[Any, Any], factor: Any, text: str) -> str:
        steps, write = self.steps, self.steps.write
        (n, k), (a, b), c = map(self.read.term, row), map(self.read.term, base), self.read.term(factor)
        signs = [self.c.prove(positive(t), self.known) for t in (a, b)]
        least, most = self.order(ZERO, k), self.order(k, n)
        theorem = write("binomial_theorem", self.order(ZERO, n), left=a, right=b)
        whole = steps.formula(theorem).parts[0]
        before = minus(k, ONE)
        upper = write("sum_split", self.order(ZERO, plus(before, ONE)), self.order(before, n), total=whole)
        rest = node("sum", plus(before, ONE), n, whole.parts[2])
        lower = write("sum_split", self.order(plus(before, ONE), plus(k, ONE)), most, total=rest)
        own = write("sum_single", total=node("sum", k, k, whole.parts[2]))
        outside = []
        for part in (steps.formula(upper).parts[1].parts[0], steps.formula(lower).parts[1].parts[1]):
            first, last, _ = part.parts
            inside = [steps.assume(at_most(first, _J)), steps.assume(at_most(_J, last))]
            ends = [self.c.prove(f, [*inside, least, most, *self.known]) for f in (at_most(ZERO, _J), at_most(_J, n))]
            some = write("part", write("binomial_positive", *ends), number=0)
            sign = write("sign", *signs, some, formula=at_most(ZERO, instantiate(whole.parts[2], _J)))
            outside.append(write("sum_termwise", sign, variable=_J, low=first, high=last))
        goal = at_most(instantiate(whole.parts[2], k), steps.formula(theorem).parts[1])
        found = steps.sum_of(goal, [theorem, upper, lower, own, *outside], [least, most], [number(s) for s in (1, -1, -1, -1, 1, 1)])
        if found is None:
            raise NotWritten("one term of a row")
        shown = [self.taken_again(text, {})] if text else []
        return self.ended(name, steps.sum_of(self.goal, [found, *shown], self.known, [c]))
