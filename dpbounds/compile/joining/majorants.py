"""Infinite sums with a bound b(k) of what is left from each k on: a(k) + b(k + 1) ≤ b(k) and 0 ≤ b(k) give Σ_{k≥l} a(k) ≤ b(l).

By induction over n from l − 1 on, Σ_l^n a + b(n + 1) ≤ b(l). Nothing here is believed: each step is one of the checker's.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from dpbounds.compile.inductions import last_term
from dpbounds.compile.joining.joined import ClaimCompiler
from dpbounds.compile.steps import NotWritten
from dpbounds.kernel.terms import MINUS, ONE, ZERO, Term, at_most, below, instantiate, minus, node, plus, power, substitute, times, variable


def majorant_document(
    name: str, claim: tuple[Any, Sequence[Any]], bound: tuple[Any, Any, str], texts: Sequence[str], values: Mapping[str, Any]
) -> str:
    """The document of Σ_{i≥l} a(i) ≤ B.

    Args:
        name: of the document.
        claim: conclusion and premises.
        bound: the integer variable k, then b(k), or c(k) with b(k) = c(k)·a(k), and "bound", "multiple", or "geometric" for c = 1/(1 − r).
        texts: the documents of 0 ≤ a(k), empty where that is seen; of a(k) + b(k + 1) ≤ b(k) and 0 ≤ b(k), of 1 + r(k)·c(k + 1) ≤ c(k) and
            0 ≤ c(k), or of r(k) ≤ r and r < 1, for all k ≥ l; and of b(l) ≤ B where that is not the same.
        values: of other variables of these documents than k.

    Raises:
        NotWritten: a step is not seen.
    """
    return _Majorant(*claim).document_of_sum(name, bound, texts, values)


class _Majorant(ClaimCompiler):
    def document_of_sum(self, name: str, majorant: tuple[Any, Any, str], texts: Sequence[str], values: Mapping[str, Any]) -> str:
        steps, write, (k, bound, kind) = self.steps, self.steps.write, majorant
        if self.goal.tag != "and":
            raise NotWritten("a majorant: no infinite sum")
        n, at = variable("n_", "Z"), variable(k.name, "Z")
        condition, relation = instantiate(self.goal.parts[1].parts[0], n).parts
        total, large = relation.parts
        low, last, body = total.parts
        total = node("sum", low, n, body)
        self.read.symbols[k] = at
        a, b = instantiate(body, at), self.read.term(bound)
        weights = {"bound": [ONE, ONE], "multiple": [a, a], "geometric": [times(b, a), ZERO]}[kind]
        b = b if kind == "bound" else times(b, a)
        self.known += [self.taken_again(texts[2], {})] if kind == "geometric" else []
        own = self._written_by(at, a, b, weights)
        positive, falls, least = (self._for_all(text, k.name, values, at, low, partial(own, which=j)) for j, text in enumerate(texts[:3]))
        top = substitute(b, {at: low}) if texts[3:] else large
        formula = at_most(plus(total, substitute(b, {at: plus(n, ONE)})), top)
        before = minus(low, ONE)
        ends = [steps.sum_of(at_most(low, plus(before, ONE)), []), steps.sum_of(at_most(before, low), [])]
        if None in ends:
            raise NotWritten("a majorant: the ends")
        empty = write("sum_split", *[e for e in ends if e is not None], total=node("sum", low, low, body))
        base = steps.sum_of(substitute(formula, {n: before}), [empty], self.known, [MINUS])
        order, here = steps.assume(at_most(before, n)), steps.assume(formula)
        later = plus(n, ONE)
        inside = [steps.sum_of(at_most(low, later), [order]), steps.sum_of(at_most(n, later), [])]
        split = write("sum_split", *[e for e in inside if e is not None], total=node("sum", low, later, body))
        single = write("sum_single", total=node("sum", later, later, body))
        assert inside[0] is not None
        step, rest = (write("detach", write("specialize", f, at=later), inside[0]) for f in (falls, least))
        grown = steps.sum_of(substitute(formula, {n: later}), [here, split, single, step], [order, *self.known])
        if base is None or grown is None:
            raise NotWritten("a majorant: the start" if base is None else "a majorant: from n to n + 1")
        every = write("induction", base, grown, variable=n, start=before, formula=formula)
        found = write("detach", write("specialize", every, at=n), order)
        first = [self.taken_again(text, {}) for text in texts[3:]]
        below_ = None
        c = substitute(self.read.term(bound), {at: low})
        for share in (ONE,) if kind != "geometric" else (times(c, instantiate(body, low)), c):
            below_ = below_ or steps.sum_of(at_most(total, large), [found, rest, *first], self.known, [ONE, ONE, share][: 2 + len(first)])
        if below_ is None:
            raise NotWritten("a majorant: the end")
        whole = write("generalize", write("discharge", below_, formula=at_most(before, n)), variable=n)
        reached = steps.sum_of(at_most(before, last), [steps.assume(condition)])
        if reached is None:
            raise NotWritten("a majorant: the lower end")
        end = write("detach", write("specialize", whole, at=last), reached)
        end = write("generalize", write("discharge", end, formula=condition), variable=n)
        return self.ended(name, write("conjunction", positive, end))

    def _written_by(self, k: Term, a: Term, b: Term, weights: Sequence[Term]) -> Callable[..., int]:
        """0 ≤ a(k), a(k) + b(k + 1) ≤ b(k) and 0 ≤ b(k), from what documents say times the weights."""
        goals = [at_most(ZERO, a), at_most(plus(a, substitute(b, {k: plus(k, ONE)})), b), at_most(ZERO, b)]
        signs: list[int] = []

        def written(step: int | None, which: int) -> int:
            if which == 0:
                found = self._follows(goals[0]) if step is None else step
                signs.extend([] if found is None else [found])
            else:
                own = [step] if step is not None and weights[which - 1] != ZERO else []
                divisors = dict.fromkeys(d for f in (*map(self.steps.formula, own), goals[which]) for d in _divisors(f))
                parts = [s for d in divisors if (s := self._follows(below(ZERO, d))) is not None]
                found = self.steps.sum_of(
                    goals[which], own, [*self._next(a, k), *signs, *parts, *self.known], weights[which - 1 :][: len(own)]
                )
            if found is None:
                raise NotWritten("a majorant: " + ("the signs", "a step", "the rest")[which])
            return found

        return written

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

    def _for_all(self, text: str, name: str, values: Mapping[str, Any], k: Term, low: Term, after: Callable[[int | None], int]) -> int:
        """∀k (l ≤ k → …) of a document, or of what is said with it; `after` has what is seen without one."""

        def written() -> int:
            if values and text:  # 1/k ≤ 1
                least, some = self._follows(at_most(ONE, k)), self._follows(below(ZERO, k))
                more = (
                    []
                    if least is None or some is None
                    else [self.steps.sum_of(at_most(power(k, -1), ONE), [least], [some], [power(k, -1)]), some]
                )
                self.known = [*self.known, *(step for step in more if step is not None)]
            return after(self.taken_again(text, {**values, name: k}) if text else None)

        found = self._under(at_most(low, k), written)
        return self.steps.write("generalize", found, variable=k)

    def _defined(self, o: Term) -> int:
        """Under the conditions before it."""
        if o.tag == "->":
            return self._under(o.parts[0], lambda: self._defined(o.parts[1]))
        return self._summed(o) or self.steps.attempt("sign", formula=o) or super()._defined(o)

    def _follows(self, h: Term, extra: Sequence[int] = ()) -> int | None:
        """Also as the sum of relations."""
        return self._summed(h) or super()._follows(h, extra)

    def _summed(self, h: Term) -> int | None:
        """An order from at most two that are known, as from l ≤ k and 1 ≤ l."""
        sets = [by for n in range(3) for by in itertools.combinations(self.known, n)] if h.tag in ("<=", "<") else []
        found = (self.steps.attempt("linear", *by, formula=h, multipliers=[ONE] * len(by)) for by in sets)
        return next((k for k in found if k is not None), None)

    def _under(self, condition: Term, write: Callable[[], int]) -> int:
        """condition → F, of what is written under the condition."""
        before, self.known = self.known, [self.steps.assume(condition), *self.known]
        try:
            found = write()
        finally:
            self.known = before
        return self.steps.write("discharge", found, formula=condition)


def _divisors(t: Term) -> list[Term]:
    """The divisors in a term, and the bases of its real powers."""
    own = [t.parts[0]] if (t.tag == "^" and int(str(t.data[0])) < 0 or t.tag == "pow") and not t.parts[0].loose else []
    return [*own, *(d for part in t.parts for d in _divisors(part))]
