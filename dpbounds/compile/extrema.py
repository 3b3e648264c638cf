"""Extrema over an open range in a claim, from a bound of what they are taken of."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any, cast

from dpbounds.compile.steps import NotWritten, Steps
from dpbounds.compile.towers.at_sight import subterms
from dpbounds.compile.towers.problems import Problems
from dpbounds.descent.point import bounded, extrema_of, parts_of, plain_bases
from dpbounds.descent.problem import Problem
from dpbounds.descent.written import expression_of
from dpbounds.kernel.definedness import inside
from dpbounds.kernel.terms import EXTREMA, Term, at_most, below, equal, instantiate, node, substitute
from dpbounds.language.functions import with_replaced

Under = Callable[[Problem, Mapping[str, Any], list[int], Mapping[str, Term]], int]
"""small ≤ large of a problem, by its certificate, under further hypotheses and with further names."""
Shown = Callable[[Problem, Mapping[str, Any]], int | None]
"""small ≤ large of a problem by its certificate; None where both sides are one."""


class ExtremaOfClaim:
    """The extrema of one claim.

    Args:
        steps: the document.
        follows: what follows from what is given.
    """

    def __init__(self, steps: Steps, follows: Callable[[Term], int | None]) -> None:
        self.steps, self.follows = steps, follows
        self._reached: list[tuple[Term, int]] = []

    def bounds(self, step: int, goal: Term, names: Collection[Term]) -> Iterator[int]:
        """Bounds of the extrema of a goal from a bound at a variable that is none of the claim's; what they bound is kept for `reached`."""
        free = cast("frozenset[Term]", self.steps.formula(step).free)
        for t in (t for t in subterms(goal) if t.tag in EXTREMA):
            ends = list(t.parts[:-1])
            orders = [self.follows(below(*ends))] if len(ends) == 2 else []
            shown = [k for k in orders if k is not None]
            for v in (v for v in free if v not in names and len(shown) == len(orders)):
                found = self.steps.attempt("extremum_bound", step, *shown, variable=v, ends=ends)
                if found is not None:
                    here = [self.steps.assume(f) for f in inside(ends, v)]
                    self._reached.append((v, self.steps.write("extremum_reached", step, *here, variable=v, ends=ends, at=v)))
                    yield found

    def at_point(
        self,
        of: Problems,
        problem: Problem,
        document: Mapping[str, Any],
        here: tuple[dict[str, Term], list[int]],
        under: tuple[Under, Shown],
    ) -> int:
        """inf f ≤ c from a value f(u) ≤ c and from L ≤ f, without which inf f may not be finite; c ≤ sup f likewise.

        Args:
            of: writes terms.
            problem: the statement.
            document: its certificate.
            here: the variables of the claim as terms, and what is given.
            under: write the bound, and other parts.

        Raises:
            NotWritten: no bound is known.
        """
        if "bound" not in document:
            raise NotWritten("an extremum that may not be finite")
        steps, (names, known), (bound_under, shown) = self.steps, here, under
        extremum, at = extrema_of(problem)[0], expression_of(document["point"], problem.box)
        whole, point, t = of.term(extremum, names), of.term(at, names), steps.fresh("t")
        ends, f, s = list(whole.parts[:-1]), instantiate(whole.parts[-1], t), extremum.args[1][0]
        range_ = [steps.assume(g) for g in inside(ends, t)]
        bound = bound_under(bounded(problem, document["bound"]), document["bounded"], range_, {s.name: t})
        low, high = steps.formula(bound).parts
        bound = steps.weaker(at_most(low, f) if extremum is problem.small else at_most(f, high), bound)
        self._reached.append((t, steps.write("extremum_reached", bound, *range_, variable=t, ends=ends, at=t)))
        parts = [shown(*part) for part in zip(parts_of(problem, document["point"]), document["parts"], strict=True)]
        order = [steps.weaker(g, k) for g, k in zip(inside(ends, point), parts[:-1], strict=True) if k is not None]
        found = steps.write("extremum_reached", bound, *order, variable=t, ends=ends, at=point)
        for bases in plain_bases(with_replaced(extremum.args[0], {s: at})).items():
            same = steps.write("ring", *known, formula=equal(*(of.term(base, names) for base in bases)))
            found = steps.write("rewrite", found, same)
        goal = node("<" if problem.strict else "<=", *(of.term(side, names) for side in (problem.small, problem.large)))
        step = steps.sum_of(goal, [found, *(k for k in parts[-1:] if k is not None)], known)
        if step is None:
            raise NotWritten("a relation in other words")
        return step

    def reached(self, goal: Term) -> int | None:
        """f(x) ≤ sup f or inf f ≤ f(x), for x in the range."""
        for v, k in self._reached:
            for x in (x for x in cast("frozenset[Term]", goal.free) if x.sort == v.sort):
                if substitute(self.steps.formula(k), {v: x}) == goal:
                    return self.steps.write("substitution", k, terms={v: x}, functions={})
        return None
