"""Claims with kinks as documents: a maximum on the larger side is bounded by one of its arguments, another kink is split into its cases."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy

from dpbounds.compile.joining.joined import ClaimCompiler
from dpbounds.compile.kinks import equation
from dpbounds.compile.one_term import OneTerm
from dpbounds.compile.steps import NotWritten
from dpbounds.kernel.terms import ONE, Term, at_most


def branched_document(
    name: str, then: Any, given: Sequence[Any], split: Any, cases: Sequence[tuple[str, Sequence[tuple[Any, Any, Any]]]]
) -> str:
    """The document of a claim with kinks from a document for each case, in which kinks are replaced by arguments of theirs.

    Args:
        name: of the document.
        then, given: the claim.
        split: a kink, a, b, and how often the kink counts against the claim: the cases are a ≤ b and b < a; None where there is one.
        cases: for each, a document, and (kink, argument, factor) for each kink that counts in favour.

    Raises:
        NotWritten: a case does not give the claim.
    """
    return _Branched(then, given).document_of_cases(name, split, cases)


def conjoined_document(name: str, then: Any, given: Sequence[Any], texts: Sequence[str]) -> str:
    """The document of a claim of several parts from a document for each.

    Raises:
        NotWritten: a part is in none of them.
    """
    return _Branched(then, given).conjoined(name, texts)


class _Branched(ClaimCompiler):
    def conjoined(self, name: str, texts: Sequence[str]) -> str:
        shown = [self.taken_again(text, {}) for text in texts]
        ends = [next((k for step in shown if (k := self.steps.sum_of(part, [step])) is not None), None) for part in self.goal.parts]
        if not shown or None in ends:
            raise NotWritten("a part of a claim")
        return self.ended(name, self.steps.write("conjunction", *(k for k in ends if k is not None)))

    def document_of_cases(self, name: str, split: Any, cases: Sequence[tuple[str, Sequence[tuple[Any, Any, Any]]]]) -> str:
        steps, prover = self.steps, OneTerm(self.steps, self.read.symbols, ())
        order = None if split is None else steps.write("total_order", left=self.read.term(split[1]), right=self.read.term(split[2]))
        facts: list[list[int]] = [[]] if order is None else [[self._in_case(prover, split[0], f)] for f in steps.formula(order).parts]
        ends = []
        for (text, chosen), fact in zip(cases, facts, strict=True):
            bounds = [self._bound_of_kink(*pair[:2]) for pair in chosen]
            factors = [self.read.term(-c if isinstance(kink, sympy.Min) else c) for kink, _, c in chosen]
            by = [self.taken_again(text, {}), *bounds, *fact]
            ends.append(steps.sum_of(self.goal, by, self.known, [ONE, *factors, *([self.read.term(split[3])] if split else [])]))
        whole = [k for k in ends if k is not None]
        if len(whole) < len(ends):
            raise NotWritten("cases that do not give the claim")
        return self.ended(name, whole[0] if order is None else steps.write("cases", order, *whole))

    def _in_case(self, prover: OneTerm, kink: Any, formula: Term) -> int:
        """What a kink is under an order."""
        here = self.steps.assume(formula)
        found = equation(prover, kink, formula, here, self.steps.weaker(at_most(*formula.parts), here))
        if found is None:
            raise NotWritten("a kink in one case")
        return found

    def _bound_of_kink(self, kink: Any, value: Any) -> int:
        """value ≤ max(…) or |…|, or min(…) ≤ value."""
        t, v = self.read.term(kink), self.read.term(value)
        goal = at_most(t, v) if t.tag == "min" else at_most(v, t)
        parts = self.steps.write.absolute_bounds(t.parts[0]) if t.tag == "abs" else self.c.search.opened(
            self.steps.write("maximum", left=t.parts[0], right=t.parts[1]))  # fmt: skip
        found = next((k for part in parts if (k := self.steps.sum_of(goal, [part])) is not None), None)
        if found is None:
            raise NotWritten("a bound of a kink")
        return found
