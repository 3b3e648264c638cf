"""One term of a row of binomial coefficients is at most the row: C(n, k)·a^k·b^{n−k} ≤ (a + b)^n for a, b > 0.

With a = b = 1 it is the sum of two terms of the row before: C(n, k) = C(n − 1, k − 1) + C(n − 1, k) ≤ 2^{n−1} for 1 ≤ k < n, and
C(n, n) = 1. Nothing here is believed: each step is one of the checker's.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dpbounds.compile.joining.joined import ClaimCompiler
from dpbounds.compile.recursions import pascal
from dpbounds.compile.steps import NotWritten, positive
from dpbounds.kernel.terms import MINUS, ONE, ZERO, Term, at_most, instantiate, minus, node, number, over, plus, times, variable

_J = variable("j_", "Z")


def one_place_document(
    name: str, claim: tuple[Any, Sequence[Any]], row: tuple[Any, Any], base: tuple[Any, Any], factor: Any, text: str, *, half: bool = False
) -> str:
    """The document of a claim whose smaller side is c·C(n, k)·a^k·b^{n−k}.

    Args:
        name: of the document.
        claim: conclusion and premises.
        row: n and k.
        base: a and b.
        factor: c.
        text: the document of the claim with c·(a + b)^n there; empty where both sides are the same then.
        half: whether c·2^{n−1} stands there.

    Raises:
        NotWritten: a step is not seen.
    """
    return _OnePlace(*claim).document_of_place(name, row, base, factor, text, half)


class _OnePlace(ClaimCompiler):
    def document_of_place(self, name: str, row: tuple[Any, Any], base: tuple[Any, Any], factor: Any, text: str, half: bool) -> str:
        (n, k), (a, b), c = map(self.read.term, row), map(self.read.term, base), self.read.term(factor)
        found = self._by_pascal(n, k) if half else self._among(n, k, k, a, b)
        shown = [self.taken_again(text, {})] if text else []
        return self.ended(name, self.steps.sum_of(self.goal, [found, *shown], self.known, [c]))

    def _among(self, n: Term, low: Term, high: Term, a: Term, b: Term) -> int:
        """C(n, l)·a^l·b^{n−l} ≤ (a + b)^n for h = l, and so the sum of two for h = l + 1."""
        steps, write = self.steps, self.steps.write
        signs = [self.c.prove(positive(t), self.known) for t in (a, b)]
        least, most, order = self.order(ZERO, low), self.order(high, n), self.order(low, high)
        theorem = write("binomial_theorem", self.order(ZERO, n), left=a, right=b)
        whole, bound = steps.formula(theorem).parts
        body, before = whole.parts[2], minus(low, ONE)
        upper = write("sum_split", self.order(ZERO, plus(before, ONE)), self.order(before, n), total=whole)
        rest = node("sum", plus(before, ONE), n, body)
        lower = write("sum_split", self.order(plus(before, ONE), plus(high, ONE)), most, total=rest)
        outside = []
        for part in (steps.formula(upper).parts[1].parts[0], steps.formula(lower).parts[1].parts[1]):
            first, last, _ = part.parts
            inside = [steps.assume(at_most(first, _J)), steps.assume(at_most(_J, last))]
            ends = [self.c.prove(f, [*inside, least, most, order, *self.known]) for f in (at_most(ZERO, _J), at_most(_J, n))]
            some = write("part", write("binomial_positive", *ends), number=0)
            sign = write("sign", *signs, some, formula=at_most(ZERO, instantiate(body, _J)))
            outside.append(write("sum_termwise", sign, variable=_J, low=first, high=last))
        terms, inner = [instantiate(body, low)], list[int]()
        if high != low:
            terms.append(instantiate(body, high))
            inner = [write("sum_split", self.order(low, plus(low, ONE)), order, total=node("sum", low, high, body))]
            inner.append(write("sum_single", total=node("sum", high, high, body)))
        inner.append(write("sum_single", total=node("sum", low, low, body)))
        goal = at_most(plus(*terms) if len(terms) > 1 else terms[0], bound)
        weights = [number(s) for s in (1, -1, -1, 1, 1)] + [MINUS] * len(inner)
        found = steps.sum_of(goal, [theorem, upper, lower, *outside, *inner], [least, most], weights)
        if found is None:
            raise NotWritten("one term of a row")
        return found

    def _by_pascal(self, n: Term, k: Term) -> int:
        """C(n, k) ≤ 2^{n−1} for 1 ≤ k ≤ n."""
        steps, write, before = self.steps, self.steps.write, minus(n, ONE)
        goal, one = at_most(node("binom", n, k), node("pow", number(2), before)), self.order(ONE, k)
        whole = self.order(ONE, n)
        split = write("total_order", left=n, right=k)
        edge, inside = map(steps.assume, steps.formula(split).parts)
        room = self._follows(at_most(plus(k, ONE), n))
        known, self.known = self.known, [write("next_integer", inside) if room is None else room, *self.known]
        up = write("absorption", whole, one)
        every = write("specialize", pascal(steps, variable("l_i", "Z"), variable("k_i", "Z")), at=k)
        across = write("detach", write("specialize", write("detach", every, self.order(ZERO, k)), at=n), self.order(plus(k, ONE), n))
        two = self._among(before, minus(k, ONE), k, ONE, ONE)
        self.known = known
        first = steps.sum_of(goal, [two, up, across], [whole, one], [ONE, over(ONE, n), over(ONE, n)])
        if room is not None and first is not None:
            return first
        same = write("antisymmetric", edge, self.order(k, n))
        own = write("part", write("binomial_positive", self.order(ZERO, k), self.order(k, k)), number=2)
        large = write("exp_monotone", write("sign", whole, formula=at_most(ZERO, times(before, node("log", number(2))))))
        last = steps.sum_of(goal, [own, large], [same])
        if first is None or last is None:
            raise NotWritten("one term by two of the row before")
        return write("cases", split, last, first)
