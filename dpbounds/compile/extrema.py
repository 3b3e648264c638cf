"""Extrema over an open range in a claim, from a bound of what they are taken of."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import cast

from dpbounds.compile.steps import Steps
from dpbounds.compile.towers.at_sight import subterms
from dpbounds.kernel.definedness import inside
from dpbounds.kernel.terms import EXTREMA, Term, at_most, below, instantiate, substitute


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

    def at_point(self, whole: Term, t: Term, least: int, point: Term, order: Sequence[int]) -> int:
        """inf f ≤ f(u) or f(u) ≤ sup f.

        Args:
            whole: the extremum.
            t: the variable of the bound.
            least: L ≤ f(t), or f(t) ≤ L, inside of the range.
            point: u.
            order: that u lies inside of the range.
        """
        steps, ends, f, side = self.steps, list(whole.parts[:-1]), instantiate(whole.parts[-1], t), whole.tag.startswith("inf")
        parts = list(steps.formula(least).parts)
        parts[side] = f
        bound = steps.weaker(at_most(*parts), least)
        inner = [steps.weaker(wanted, k) for wanted, k in zip(inside(ends, point), order, strict=True)]
        here = [steps.assume(g) for g in inside(ends, t)]
        self._reached.append((t, steps.write("extremum_reached", bound, *here, variable=t, ends=ends, at=t)))
        return steps.write("extremum_reached", bound, *inner, variable=t, ends=ends, at=point)

    def reached(self, goal: Term) -> int | None:
        """f(x) ≤ sup f or inf f ≤ f(x), for x in the range."""
        for v, k in self._reached:
            for x in (x for x in cast("frozenset[Term]", goal.free) if x.sort == v.sort):
                if substitute(self.steps.formula(k), {v: x}) == goal:
                    return self.steps.write("substitution", k, terms={v: x}, functions={})
        return None
