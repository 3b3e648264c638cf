"""Tails of rows of binomial coefficients by one coefficient: C(n, j) ≤ C(n, m)·C(n − m, j − m) for m ≤ j ≤ n, and so, for a, b ≥ 0,

    Σ_{j=m}^n C(n, j)·a^j·b^{n−j} ≤ C(n, m)·a^m·(a + b)^{n−m}.

The first is j·C(n, j) = n·C(n − 1, j − 1), used m times on both sides.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dpbounds.compile.joining.joined import ClaimCompiler
from dpbounds.compile.limits_of_sequences import sum_of
from dpbounds.compile.steps import NotWritten, Steps
from dpbounds.kernel.terms import (
    MINUS,
    ONE,
    ZERO,
    Term,
    at_most,
    binder,
    implies,
    instantiate,
    minus,
    negative,
    node,
    over,
    plus,
    times,
    variable,
)

_WORK = 20
_M, _N, _J = variable("m_i", "Z"), variable("n_i", "Z"), variable("j_i", "Z")


def shifted_document(
    name: str, then: Any, given: Sequence[Any], sum_: Any, factor: Any, parts: tuple[Any, Any, Any], text: str, weight_of_rest: Any
) -> str:
    """The document of factor·Σ_{j=m}^n C(n, j)·c·a^j·b^{n−j} ≤ R.

    Args:
        name: of the document.
        then, given: the claim.
        sum_: the sum.
        factor: what it is multiplied by.
        parts: a, b and c.
        text: the document of what is left; empty where it is that R is not negative.
        weight_of_rest: what this is multiplied by.

    Raises:
        NotWritten: a step is not seen.
    """
    return _Shifted(then, given).document_of_tail(name, sum_, factor, parts, text, weight_of_rest)


def product_lemma(steps: Steps) -> int:
    """∀m (0 ≤ m → ∀n ∀j (m ≤ j → j ≤ n → C(n, j) ≤ C(n, m)·C(n − m, j − m))), by induction over m."""
    write = steps.write

    def product(m: Term) -> Term:
        return times(node("binom", _N, m), node("binom", minus(_N, m), minus(_J, m)))

    def every(m: Term) -> Term:
        return binder("all", _N, binder("all", _J, implies([at_most(m, _J), at_most(_J, _N)], at_most(node("binom", _N, _J), product(m)))))

    def closed(step: int, m: Term) -> int:
        for f in (at_most(_J, _N), at_most(m, _J)):
            step = write("discharge", step, formula=f)
        return write("generalize", write("generalize", step, variable=_J), variable=_N)

    inside = [steps.assume(at_most(ZERO, _J)), steps.assume(at_most(_J, _N))]
    some = write("binomial_positive", *inside)
    ends = [write("part", some, number=k) for k in (0, 1)]
    base = write("linear", ends[1], formula=at_most(node("binom", _N, _J), product(ZERO)), multipliers=[])
    least, here, later = steps.assume(at_most(ZERO, _M)), steps.assume(every(_M)), plus(_M, ONE)
    low, high = steps.assume(at_most(later, _J)), inside[1]
    before = write("specialize", write("specialize", here, at=minus(_N, ONE)), at=minus(_J, ONE))
    before = write("detach", before, sum_of(steps, at_most(_M, minus(_J, ONE)), low))
    before = write("detach", before, sum_of(steps, at_most(minus(_J, ONE), minus(_N, ONE)), high))
    first = sum_of(steps, at_most(ONE, _J), low, least)
    ones = [sum_of(steps, at_most(ONE, _N), first, high), first, sum_of(steps, at_most(ONE, later), least)]
    up, across = write("absorption", ones[0], first), write("absorption", ones[0], ones[2])
    rest = [sum_of(steps, at_most(ZERO, minus(_J, later)), low), sum_of(steps, at_most(minus(_J, later), minus(_N, later)), high)]
    whole = [sum_of(steps, at_most(ZERO, later), least), sum_of(steps, at_most(later, _N), low, high)]
    signs = [write("part", write("binomial_positive", *pair), number=0) for pair in (rest, whole)]
    other = node("binom", minus(_N, later), minus(_J, later))
    room = write("sign", *signs, low, formula=at_most(ZERO, times(times(minus(_J, later), product(later)), ONE)))
    goal = at_most(node("binom", _N, _J), product(later))
    share = over(ONE, _J)
    grown = write("linear", before, up, across, room, *ones, *signs, formula=goal, multipliers=[
        over(_N, _J), share, negative(times(share, other)), share])  # fmt: skip
    return write("induction", closed(base, ZERO), closed(grown, later), variable=_M, start=ZERO, formula=every(_M))


class _Shifted(ClaimCompiler):
    def document_of_tail(self, name: str, sum_: Any, factor: Any, parts: tuple[Any, Any, Any], text: str, weight_of_rest: Any) -> str:
        self.steps.write.work *= _WORK
        steps, write, j = self.steps, self.steps.write, _J
        low, n, body = self.read.term(sum_).parts
        a, b, c = map(self.read.term, parts)
        orders = [self._follows(f) for f in (at_most(ZERO, low), at_most(low, n), at_most(ZERO, a), at_most(ZERO, b))]
        if None in orders:
            raise NotWritten("the ends of a row, or signs of its terms")
        start, inside, *signs = (k for k in orders if k is not None)
        first, last = steps.assume(at_most(low, j)), steps.assume(at_most(j, n))
        lemma = write("detach", write("specialize", product_lemma(steps), at=low), start)
        lemma = write("specialize", write("specialize", lemma, at=n), at=j)
        lemma = write("detach", write("detach", lemma, first), last)
        one, rest = node("binom", n, low), minus(n, low)
        weight = times(c, times(node("pow", a, j), node("pow", b, minus(n, j))))
        goal = at_most(instantiate(body, j), times(steps.formula(lemma).parts[1], weight))
        known = [*self.known, *signs]
        term = write("linear", lemma, first, last, *known, formula=goal, multipliers=[weight])
        total = write("sum_termwise", term, variable=j, low=low, high=n)
        row = times(node("binom", rest, j), times(node("pow", a, j), node("pow", b, minus(rest, j))))
        shift = write("sum_shift", total=binder("sum", j, ZERO, rest, row), by=low)
        theorem = write("binomial_theorem", sum_of(steps, at_most(ZERO, rest), inside), left=a, right=b)
        scale = times(times(c, one), node("pow", a, low))
        some = write("part", write("binomial_positive", start, inside), number=0)
        wanted = self.taken_again(text, {}) if text else write("sign", some, *known, formula=at_most(ZERO, self.goal.parts[1]))
        known, share = [*known, some], self.read.term(weight_of_rest)
        f = self.read.term(factor)
        for sign in (ONE, MINUS):
            found = steps.attempt("linear", total, theorem, shift, wanted, *known, formula=self.goal, multipliers=[
                f, times(f, scale), times(times(f, sign), scale), share])  # fmt: skip
            if found is not None:
                break
        return self.ended(name, found)
