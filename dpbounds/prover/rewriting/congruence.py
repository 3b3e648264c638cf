"""Equations between terms of one shape: part by part, under sums and integrals too."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from dpbounds.kernel.terms import BINDERS, ONE, Term, at_most, equal, instantiate, variable

if TYPE_CHECKING:
    from dpbounds.prover.rewriting.arithmetic import ProofSearch


def same(search: ProofSearch, a: Term, b: Term, known: Sequence[int]) -> int | None:
    """a = b, where both differ in parts that are equal by `ring`."""
    if a == b:
        return search.write("reflexive", term=a)
    goal = equal(a, b)
    for facts in ([], known):
        if (step := search.attempt("ring", *facts, formula=goal)) is not None:
            return step
    if a.tag != b.tag or a.data != b.data or len(a.parts) != len(b.parts) or not a.parts:
        return None
    if a.tag in BINDERS:
        return _bound(search, a, b, known)
    last, now = None, a
    for x, y in differences(a, b):
        part = same(search, x, y, known)
        step = None if part is None else search.attempt("congruence", part, term=now)
        if step is None:
            return None
        now = search.write.formula(step).parts[1]
        last = step if last is None else search.attempt("linear", last, step, formula=equal(a, now), multipliers=[ONE, ONE])
        if last is None:
            return None
    return last if now == b else None


def differences(a: Term, b: Term) -> Iterator[tuple[Term, Term]]:
    """Pairs of terms that stand at the same place in both, below formulas too."""
    for x, y in zip(a.parts, b.parts, strict=True):
        if x == y:
            continue
        if x.sort == "F" and x.tag == y.tag and x.tag not in BINDERS and len(x.parts) == len(y.parts):
            yield from differences(x, y)
        else:
            yield x, y


def _bound(search: ProofSearch, a: Term, b: Term, known: Sequence[int]) -> int | None:
    """Sums over one range, and integrals over one domain."""
    if a.parts[:-1] != b.parts[:-1] or a.tag not in ("sum", "line"):
        return None
    x = variable(search.fresh(), "Z" if a.tag == "sum" else "R")
    ends = list(a.parts[:-1])
    here = search.write.hypotheses([at_most(ends[0], x), at_most(x, ends[1])] if a.tag == "sum" else [])
    sides = [instantiate(t.parts[-1], x) for t in (a, b)]
    facts = [*known, *here]
    inner = same(search, sides[0], sides[1], [*facts, *search.instances(equal(*sides), facts)])
    if inner is None:
        return None
    if a.tag == "sum":
        return search.attempt("sum_termwise", inner, variable=x, low=ends[0], high=ends[1])
    return search.attempt("integral_congruence", inner, variable=x)
