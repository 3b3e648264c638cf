"""Sums of case distinctions as a claim writes them: the checker's normal form looks into no case, so equations say what is the same."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dpbounds.compile.steps import Steps
from dpbounds.kernel.terms import ONE, Term, equal, instantiate


def sums_as_written(steps: Steps, goal: Term, own: Iterable[Term], at: Term) -> list[int]:
    """Σ a = Σ b for sums a of a claim and b of ours that differ in how the terms of their cases are written.

    Args:
        steps: the document.
        goal: the claim.
        own: the sums as we write them.
        at: an integer variable.
    """
    found, ours = [], list(dict.fromkeys(own))
    for total in dict.fromkeys(_parts(goal, "sum")):
        for other in ours:
            if total != other and total.parts[:2] == other.parts[:2]:
                a, b = (instantiate(s.parts[2], at) for s in (total, other))
                if (step := _same(steps, a, b) if any(_parts(a, "ite")) else None) is not None:
                    low, high = total.parts[:2]
                    found.append(steps.write("sum_termwise", step, variable=at, low=low, high=high))
                    break
    return found


def _same(steps: Steps, a: Term, b: Term) -> int | None:
    """a = b, case distinction by case distinction."""
    pairs = zip(_parts(a, "ite"), _parts(b, "ite"), strict=False)
    equations = [k for pair in pairs if (k := _same_cases(steps, *pair)) is not None]
    return steps.attempt("linear", *equations, formula=equal(a, b), multipliers=[ONE] * len(equations))


def _same_cases(steps: Steps, a: Term, b: Term) -> int | None:
    """ite(c, u, v) = ite(c', u', v'), where terms and conditions are the same by the checker's normal form."""
    goal = equal(a, b)
    split, other = (steps.write("excluded_middle", formula=t.parts[0]) for t in (a, b))
    branches = []
    for f in steps.formula(split).parts:
        inner = []
        for g in steps.formula(other).parts:
            here, there = steps.assume(f), steps.assume(g)
            if f.tag == g.tag:
                values = [steps.write("branch", k, then=t.parts[1], other=t.parts[2]) for t, k in ((a, here), (b, there))]
                inner.append(steps.attempt("linear", *values, formula=goal, multipliers=[ONE, ONE]))
                continue
            yes, no = (here, there) if g.tag == "not" else (there, here)
            moved = steps.sum_of(steps.formula(no).parts[0], [yes])
            inner.append(None if moved is None else steps.write("absurd", moved, no, formula=goal))
        if None in inner:
            return None
        branches.append(steps.write("cases", other, *(k for k in inner if k is not None)))
    return steps.write("cases", split, *branches)


def _parts(t: Term, tag: str) -> Iterator[Term]:
    """The parts of a kind that are in no range of another variable."""
    if t.tag == tag and not t.loose:
        yield t
    for part in t.parts:
        yield from _parts(part, tag)
