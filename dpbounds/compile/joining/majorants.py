"""Infinite sums with a bound whose lower end may move: a(k) + b(k + 1) ≤ b(k) and 0 ≤ b(k) give Σ_{k≥m} a(k) ≤ b(m).

By induction over n from m − 1 on, Σ_m^n a + b(n + 1) ≤ b(m). Nothing here is believed: each step is one of the checker's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from dpbounds.compile.joining.joined import ClaimCompiler
from dpbounds.compile.steps import NotWritten
from dpbounds.kernel.terms import MINUS, ONE, ZERO, Term, at_most, instantiate, minus, node, plus, substitute, variable


def majorant_document(name: str, then: Any, given: Sequence[Any], k: Any, bound: Any, texts: Sequence[str]) -> str:
    """The document of Σ_{i≥m} a(i) ≤ B.

    Args:
        name: of the document.
        then, given: the claim.
        k: the integer variable of the bound b.
        bound: b(k), with b(m) = B.
        texts: the documents of 0 ≤ a(k), a(k) + b(k + 1) ≤ b(k) and 0 ≤ b(k), for all k ≥ m.

    Raises:
        NotWritten: a step is not seen.
    """
    return _Majorant(then, given).document_of_sum(name, k, bound, texts)


class _Majorant(ClaimCompiler):
    def document_of_sum(self, name: str, k: Any, bound: Any, texts: Sequence[str]) -> str:
        steps, write = self.steps, self.steps.write
        if self.goal.tag != "and":
            raise NotWritten("a majorant: no infinite sum")
        partial, n, at = self.goal.parts[1], variable("n_", "Z"), variable(k.name, "Z")
        self.read.symbols[k] = at
        total, large = instantiate(partial.parts[0], n).parts[1].parts
        low, last, body = total.parts
        total = node("sum", low, n, body)
        b = self.read.term(bound)
        positive, falls, least = (self._for_all(text, k.name, at, low) for text in texts)
        formula = at_most(plus(total, substitute(b, {at: plus(n, ONE)})), large)
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
        below = steps.sum_of(at_most(total, large), [found, rest], self.known)
        if below is None:
            raise NotWritten("a majorant: the end")
        whole = write("generalize", write("discharge", below, formula=at_most(before, n)), variable=n)
        zero = steps.assume(at_most(ZERO, n))
        reached = steps.sum_of(at_most(before, last), [zero])
        if reached is None:
            raise NotWritten("a majorant: the lower end is a number")
        end = write("detach", write("specialize", whole, at=last), reached)
        end = write("generalize", write("discharge", end, formula=at_most(ZERO, n)), variable=n)
        return self.ended(name, write("conjunction", positive, end))

    def _for_all(self, text: str, name: str, k: Term, low: Term) -> int:
        """∀k (m ≤ k → …) of a document."""
        found = self._under(at_most(low, k), lambda: self.taken_again(text, {name: k}))
        return self.steps.write("generalize", found, variable=k)

    def _defined(self, o: Term) -> int:
        """Under the conditions before it."""
        if o.tag != "->":
            return super()._defined(o)
        return self._under(o.parts[0], lambda: self._defined(o.parts[1]))

    def _under(self, condition: Term, write: Callable[[], int]) -> int:
        """condition → F, of what is written under the condition."""
        before, self.known = self.known, [self.steps.assume(condition), *self.known]
        try:
            found = write()
        finally:
            self.known = before
        return self.steps.write("discharge", found, formula=condition)
