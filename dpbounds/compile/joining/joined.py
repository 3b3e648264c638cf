"""Claims from other claims: as sums of them at expressions for their variables, by branches of maxima, or on both sides of an axis."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

from dpbounds.compile.joining.included import all_included
from dpbounds.compile.joining.kinks import branch_bounds
from dpbounds.compile.statements import StatementCompiler
from dpbounds.compile.steps import NotWritten
from dpbounds.kernel.terms import ONE, ZERO, Term, at_most, minus
from dpbounds.language import functions


def joined_document(
    name: str,
    then: Any,
    given: Sequence[Any],
    parts: Sequence[tuple[str, Mapping[str, Any]]],
    known: Sequence[str] = (),
    weights: Sequence[Any] = (),
    raised: Sequence[tuple[Any, Any, Any, Any]] = (),
) -> str:
    """The document of a claim that is the sum of others, each at expressions for some of its variables.

    Args:
        name: of the document.
        then, given: the claim.
        parts: documents, each with expressions for variables of its own; other variables are those of the claim.
        known: documents of what the parts rest on.
        weights: factors of the parts, 1 where none are given.
        raised: (u, v, c, r) of each part that, times c, says u ≤ v, where u^r ≤ v^r is added up, or e^u ≤ e^v; none where the parts are.

    Raises:
        NotWritten: the parts do not add up to the claim.
    """
    return ClaimCompiler(then, given).joined(name, parts, known, weights, raised)


BranchPart = tuple[str, Mapping[Any, Any], Mapping[Any, Sequence[tuple[Any, Any]]]]
"""A document, empty where both sides are the same; what some kinks are there; means of branches that stand for others."""


def branches_document(
    name: str, claim: tuple[Any, Sequence[Any]], then: Any, parts: Sequence[BranchPart], factors: Mapping[Any, Any], known: Sequence[str]
) -> str:
    """The document of a claim with maxima, minima and absolute values, from others in which branches stand for them.

    Args:
        name: of the document.
        claim: conclusion and premises.
        then: the conclusion with the kinks that the branches are of.
        parts: of all branches of the kinks that do not count in favour.
        factors: of the kinks that count in favour.
        known: documents of what the parts rest on.

    Raises:
        NotWritten: a bound that is not seen.
    """
    return ClaimCompiler(*claim).branches(name, then, parts, factors, known)


def halves_document(
    name: str, claim: tuple[Any, Sequence[Any]], axis: tuple[Any, Any], s: str, texts: Sequence[str], kink: tuple[Any, Any] | None = None
) -> str:
    """The document of a claim from those of its halves, where v = m + s and v = m − s.

    Args:
        name: of the document.
        claim: conclusion and premises.
        axis: v and m.
        s: the name of the distance; none where v itself stays.
        texts: the documents of both halves.
        kink: a maximum or minimum for which one of its numbers stands in each half, with its factor.

    Raises:
        NotWritten: they do not say the claim.
    """
    return ClaimCompiler(*claim).halves(name, *axis, s, texts, kink)


def ends_document(name: str, claim: tuple[Any, Sequence[Any]], end: tuple[Any, Any], texts: Sequence[str]) -> str:
    """The document of a claim from that away from a closed end of a variable and that at the end.

    Args:
        name: of the document.
        claim: conclusion and premises.
        end: the variable and its end.
        texts: the documents of both.

    Raises:
        NotWritten: they do not say the claim.
    """
    return ClaimCompiler(*claim).at_closed_end(name, *end, texts)


def conjoined_document(name: str, then: Any, given: Sequence[Any], texts: Sequence[str]) -> str:
    """The document of a claim of several parts from a document for each.

    Args:
        name: of the document.
        then, given: the claim.
        texts: the documents.

    Raises:
        NotWritten: a part is in none of them.
    """
    return ClaimCompiler(then, given).conjoined(name, texts)


class ClaimCompiler(StatementCompiler):
    """A claim that is written from documents of others.

    Args:
        then, given: the claim.
    """

    def order(self, a: Term, b: Term) -> int:
        """The step a ≤ b, from what is known.

        Raises:
            NotWritten: it is not seen.
        """
        return self.c.prove(at_most(a, b), self.known)

    def joined(
        self,
        name: str,
        parts: Sequence[tuple[str, Mapping[str, Any]]],
        known: Sequence[str],
        weights: Sequence[Any],
        raised: Sequence[tuple[Any, Any, Any, Any]],
    ) -> str:
        """As `joined_document`."""
        self.known = [*self.known, *(self.taken_again(text, {}) for text in known)]
        shown = [self.taken_again(text, values) for text, values in parts]
        shown = [self._raised(step, *own) for step, own in zip(shown, raised, strict=True)] if raised else shown
        terms = [self.read.term(w) for w in weights]
        self.equations = self.closed.equations((self.then, *self.claimed), shown, self.known)
        end = self.steps.sum_of(self.goal, shown, [*self.equations, *self.known], terms)
        return self.ended(name, end)

    def branches(self, name: str, then: Any, parts: Sequence[BranchPart], factors: Mapping[Any, Any], known: Sequence[str]) -> str:
        """As `branches_document`."""
        self.known = [*self.known, *(self.taken_again(text, {}) for text in known)]
        bounds = {kink: dict(branch_bounds(self.steps, self.read.term, kink)) for kink in factors}
        shown = []
        for text, taken, lowered in parts:
            goal = self.read.formula(type(then)(*(functions.with_replaced(side, taken) for side in then.args), evaluate=False))
            rows = [(bounds[kink][b], factors[kink] * weight) for kink, shares in lowered.items() for b, weight in shares]
            by = [self.taken_again(text, {})] if text else []
            weights = [*[ONE] * len(by), *(self.read.term(weight) for _, weight in rows)]
            step = self.steps.sum_of(goal, [*by, *(bound for bound, _ in rows)], self.known, weights)
            if step is None:
                raise NotWritten("a branch that does not bound a kink")
            shown.append(step)
        others = {t for kink in dict.fromkeys(kink for _, taken, _ in parts for kink in taken) for t in _nested(self.read.term(kink))}
        return self.ended(name, self._by_cases(self.goal, shown, [], [], others))

    def halves(self, name: str, v: Any, axis: Any, s: str, texts: Sequence[str], kink: tuple[Any, Any] | None) -> str:
        """As `halves_document`."""
        t, m, steps = self.read.term(v), self.read.term(axis), self.steps
        bounds = [] if kink is None else [[bound] for _, bound in branch_bounds(steps, self.read.term, kink[0])]
        weights = [ONE, *([] if kink is None else [self.read.term(kink[1])])]
        split, known = steps.write("total_order", left=m, right=t), self.known
        branches, exist = list[int](), list[list[int]]()
        for f, text, distance in zip(steps.formula(split).parts, texts, (minus(t, m), minus(m, t)), strict=True):
            self.known = [*known, steps.assume(f)]
            before = len(self.closed.integrals)
            own = self.taken_again(text, {s: distance})
            exist.append(self.closed.integrals[before:])
            del self.closed.integrals[before:]
            rows = (steps.sum_of(self.goal, [own, *bound], self.known, weights) for bound in bounds or [[]])
            branch = next((k for k in rows if k is not None), None)
            if branch is None:
                raise NotWritten("a half that says something else")
            branches.append(branch)
        self.known = known
        pairs = (pair for pair in itertools.product(*exist) if steps.formula(pair[0]) == steps.formula(pair[1]))
        self.closed.integrals += [steps.write("cases", split, *pair) for pair in pairs]
        return self.ended(name, steps.write("cases", split, *branches))

    def at_closed_end(self, name: str, v: Any, end: Any, texts: Sequence[str]) -> str:
        """As `ends_document`."""
        t, c, steps, known = self.read.term(v), self.read.term(end), self.steps, self.known
        above = any(steps.formula(k) == at_most(t, c) for k in known)
        split = steps.write("total_order", **({"left": c, "right": t} if above else {"left": t, "right": c}))
        edge, inside = map(steps.assume, steps.formula(split).parts)
        self.known = [*known, inside]
        within = self.taken_again(texts[0], {})
        bound = self._follows(at_most(t, c) if above else at_most(c, t))
        if bound is None:
            raise NotWritten("an end that is not given")
        same = steps.write("antisymmetric", *((bound, edge) if above else (edge, bound)))
        self.known = [*known, same]
        there = steps.sum_of(self.goal, [self.taken_again(texts[1], {})], [same, *known])
        branches = [there, steps.sum_of(self.goal, [within], known)]
        self.known = known
        if None in branches:
            raise NotWritten("an end that says something else")
        return self.ended(name, steps.write("cases", split, *(k for k in branches if k is not None)))

    def conjoined(self, name: str, texts: Sequence[str]) -> str:
        """As `conjoined_document`."""
        shown = [self.taken_again(text, {}) for text in texts]
        ends = [next((k for step in shown if (k := self.steps.sum_of(part, [step])) is not None), None) for part in self.goal.parts]
        if not shown or None in ends:
            raise NotWritten("a part of a claim")
        return self.ended(name, self.steps.write("conjunction", *(k for k in ends if k is not None)))

    def ended(self, name: str, end: int | None) -> str:
        """The document that ends in a step.

        Raises:
            NotWritten: there is none.
        """
        if end is None or self.conditions:
            raise NotWritten("parts that do not add up")
        if not self.equations:
            self.closed.equations((self.then, *self.claimed), [], self.known)
        defined = [self._shown_before(o) or self._defined(o) for o in self.steps.write.obligations(*self.stated)]
        return self.steps.write.document(name, self.stated[0], end, self._with_conditions(defined))

    def _shown_before(self, o: Term) -> int | None:
        """A step of the other documents that says it under what is given."""
        own = (k for k, step in enumerate(self.steps.write.steps) if self.steps.formula(k) == o and set(step.hypotheses) <= set(self.given))
        return next(own, None)

    def taken_again(self, text: str, values: Mapping[str, Any]) -> int:
        """The last step of a document, at expressions for its variables, from what is given."""
        terms = {v: e if isinstance(e, Term) else self.read.term(e) for v, e in values.items()}
        found = all_included(self.steps, text, {**self.names, **terms})
        if not found:
            raise NotWritten("a part that is not taken again")
        end, *exist = [self._from_given(k) for k in found if k == found[0] or self.steps.formula(k).tag == "integrable"]
        self.closed.integrals += exist
        return end

    def _raised(self, step: int, u: Any, v: Any, factor: Any, exponent: Any) -> int:
        """u^r ≤ v^r from a step that, times a factor, says u ≤ v, where 0 ≤ u and 0 ≤ r follow; e^u ≤ e^v where there is no r."""
        low, high, c = (self.read.term(e) for e in (u, v, factor))
        order = self.steps.sum_of(at_most(low, high), [step], self.known, [c])
        if order is not None and exponent is None:
            return self.steps.write("exp_monotone", order)
        r = self.read.term(exponent)
        least, sign = (self._follows(at_most(ZERO, t)) for t in (low, r))
        if order is None or least is None or sign is None:
            raise NotWritten("a relation to raise")
        return self.steps.write("power_monotone", least, order, sign)


def _nested(t: Term) -> list[Term]:
    """A maximum of maxima and these; so of minima."""
    return [t, *(s for part in t.parts if part.tag == t.tag for s in _nested(part))]
