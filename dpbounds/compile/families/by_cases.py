"""What is said of families, said of others that stand for them by cases of the index: x_i for i < m and x_{i+1} above, or a table."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from functools import reduce

from dpbounds.compile.families.entries import places_of
from dpbounds.compile.joining.included import all_included
from dpbounds.compile.steps import NotWritten, Steps
from dpbounds.compile.written_out import sums_in
from dpbounds.kernel.terms import (
    MINUS,
    ONE,
    ZERO,
    Term,
    at_most,
    below,
    binder,
    binder_sort,
    equal,
    instantiate,
    minus,
    node,
    number,
    plus,
    substitute,
    value,
    variable,
)

AT = variable("where_", "Z")
"""The index of a family."""


class ByCases:
    """Steps under what is known.

    Args:
        steps: of the document that grows.
        known: what holds in it.
    """

    def __init__(self, steps: Steps, known: Sequence[int]) -> None:
        self.steps, self.known = steps, list(known)

    def taken(self, text: str, values: Mapping[str, Term], functions: Mapping[str, Term]) -> list[int]:
        """The last step of a document about families, and what it shows to be defined, at bodies with `AT` for them; from what is known.

        Raises:
            NotWritten: one is not.
        """
        found = all_included(self.steps, text, values, {name: ((AT,), body) for name, body in functions.items()})
        if not found:
            raise NotWritten("a claim about families that is not taken again")
        given = {self.steps.formula(k): k for k in self.known}
        wanted = {step: sorted(self.steps.write.steps[step].hypotheses, key=str) for step in found}
        proofs = {h: given[h] if h in given else self.shown(h, self.known) for h in dict.fromkeys(itertools.chain(*wanted.values()))}
        ends = [self.steps.write("cut", step, *(proofs[h] for h in own)) if own else step for step, own in wanted.items()]
        totals = [self.sums(self.steps.formula(end), self.known) for end in ends]
        return [reduce(lambda now, same: self.steps.write("rewrite", now, same), own, end) for end, own in zip(ends, totals, strict=True)]

    def shown(self, f: Term, known: Sequence[int]) -> int:
        """A premise about these families from what is known.

        Raises:
            NotWritten: it is not seen.
        """
        steps = self.steps
        if f.tag == "all":
            x = variable(f"{AT.data[0]}{len(known)}", binder_sort(f))
            return steps.write("generalize", self.shown(instantiate(f.parts[0], x), known), variable=x)
        if f.tag == "->":
            return steps.write("discharge", self.shown(f.parts[1], [*known, steps.assume(f.parts[0])]), formula=f.parts[0])
        for condition in self._open(f, known):
            split = steps.write("total_order", left=condition.parts[0], right=condition.parts[1])
            return steps.write(
                "cases", split, *(self.shown(f, [*known, *self._whole(steps.assume(c))]) for c in steps.formula(split).parts)
            )
        new = [*self.branches(f, known), *self.sums(f, known)]
        there = [k for t in dict.fromkeys((f, *map(steps.formula, new))) for k in self._there(t, known)]
        facts, own = [*new, *there, *known], [k for k in known if steps.formula(k).tag in ("<=", "<", "=")] + there
        found = next((k for by in ([], *([k] for k in own)) if (k := steps.sum_of(f, by, facts)) is not None), None)
        if found is None:
            raise NotWritten("a premise about other families")
        return found

    def _whole(self, order: int) -> list[int]:
        """a < b for integers, with a + 1 ≤ b."""
        f = self.steps.formula(order)
        return [self.steps.write("next_integer", order), order] if f.tag == "<" else [order]

    def _there(self, f: Term, known: Sequence[int]) -> list[int]:
        """What is known of every place, at those that a formula speaks of, its sums aside."""
        steps, found = self.steps, list[int]()
        for k in (k for k in known if steps.formula(k).tag == "all"):
            for t in places_of(f):
                step: int | None = steps.attempt("specialize", k, at=t)
                while step is not None and steps.formula(step).tag == "->":
                    condition = self.order(steps.formula(step).parts[0], known)
                    step = None if condition is None else steps.write("detach", step, condition)
                found += [] if step is None else [step]
        return found

    def order(self, f: Term, known: Sequence[int]) -> int | None:
        """An order as the sum of at most two that are known."""
        if f.tag not in ("<=", "<"):
            return next((k for k in known if self.steps.formula(k) == f), None)
        own = [k for k in known if self.steps.formula(k).tag in ("<=", "<")]
        sets = (by for n in range(3) for by in itertools.combinations(own, n))
        return next((k for by in sets if (k := self.steps.sum_of(f, by)) is not None), None)

    def _open(self, f: Term, known: Sequence[int]) -> Iterator[Term]:
        """The conditions in a formula that are not decided."""
        for t in _distinctions(f):
            if self._decided(t.parts[0], known) is None:
                yield t.parts[0]

    def _decided(self, c: Term, known: Sequence[int]) -> int | None:
        """A condition a ≤ b, or that it does not hold."""
        steps = self.steps
        if (holds := self.order(c, known)) is not None:
            return holds
        if (never := self.order(below(*c.parts[::-1]), known)) is None:
            return None
        wrong = steps.assume(c)
        false = steps.write("linear", wrong, never, formula=below(ZERO, ZERO), multipliers=[ONE, ONE])
        no, split = steps.write("irreflexive", term=ZERO), steps.write("excluded_middle", formula=c)
        return steps.write("cases", split, steps.write("absurd", false, no, formula=node("not", c)), steps.assume(node("not", c)))

    def branches(self, f: Term, known: Sequence[int]) -> list[int]:
        """What case distinctions are, in sums between numbers too, which arithmetic writes out."""
        written = [instantiate(t.parts[2], j) for t in sums_in(f) for j in _between(t)]
        found = list[int]()
        for t in dict.fromkeys(s for part in (f, *written) for s in _distinctions(part)):
            condition = self._decided(t.parts[0], known)
            found += [] if condition is None else [self.steps.write("branch", condition, then=t.parts[1], other=t.parts[2])]
        return found

    def sums(self, f: Term, known: Sequence[int]) -> list[int]:
        """Σ_{j<n} t(y_j) = Σ_{i≤n} t(x_i) − t(x_m) for the sums of a formula, y_j being x_j for j < m and x_{j+1} above."""
        totals = dict.fromkeys(t for t in sums_in(f) if _distinctions(instantiate(t.parts[2], AT)))
        return [self._apart(t, known) for t in totals if not _between(t)]

    def _apart(self, total: Term, known: Sequence[int]) -> int:
        steps, write = self.steps, self.steps.write
        low, high, _ = total.parts
        there = instantiate(total.parts[2], AT)
        before = _distinctions(there)[0].parts[0].parts[1]
        body, m, n = reduce(lambda t, d: _with(t, d, d.parts[1]), _distinctions(there), there), plus(before, ONE), plus(high, ONE)

        def same(start: Term, end: Term, at: Term) -> int:
            inside = [steps.assume(at_most(start, AT)), steps.assume(at_most(AT, end))]
            value = substitute(body, {AT: at})
            here = self._equal(there, value, [*known, *inside])
            return write("sum_termwise", here, variable=AT, low=start, high=end)

        cut = write("sum_split", *self._ends(low, m, before, high, known), total=total)
        first, second = same(low, before, AT), same(m, high, plus(AT, ONE))
        moved = write("sum_shift", total=steps.formula(second).parts[1], by=ONE)
        whole = binder("sum", AT, low, n, body)
        parts = write("sum_split", *self._ends(low, m, before, n, known), total=whole)
        rest = steps.formula(parts).parts[1].parts[1]
        single = write("sum_split", *self._ends(m, plus(m, ONE), m, n, known), total=rest)
        one = write("sum_single", total=steps.formula(single).parts[1].parts[0])
        goal = equal(total, minus(whole, steps.formula(one).parts[1]))
        by = [cut, first, second, moved, parts, single, one]
        return write("linear", *by, formula=goal, multipliers=[*[ONE] * 4, *[MINUS] * 3])

    def _ends(self, low: Term, above: Term, m: Term, high: Term, known: Sequence[int]) -> list[int]:
        found = [self.order(at_most(low, above), known), self.order(at_most(m, high), known)]
        if None in found:
            raise NotWritten("a place among others")
        return [k for k in found if k is not None]

    def _equal(self, a: Term, b: Term, known: Sequence[int]) -> int:
        found = self.steps.sum_of(equal(a, b), [], [*self.branches(a, known), *known])
        if found is None:
            raise NotWritten("a term at a place among others")
        return found


def _between(total: Term) -> list[Term]:
    """The places of a sum between numbers."""
    low, high = map(value, total.parts[:2])
    return [] if low is None or high is None else [number(j) for j in range(int(low), int(high) + 1)]


def _distinctions(t: Term) -> list[Term]:
    """Its case distinctions that are in no range, outer ones last."""
    own = [t] if t.tag == "ite" and not t.loose else []
    return list(dict.fromkeys([*(s for part in t.parts for s in _distinctions(part)), *own]))


def _with(t: Term, old: Term, new: Term) -> Term:
    return new if t == old else node(t.tag, *(_with(part, old, new) for part in t.parts), data=t.data) if t.parts else t
