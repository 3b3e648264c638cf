"""Functions that are 0 off a part of the line, and relations between them, by cases."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from dpbounds.kernel.terms import ONE, ZERO, Term, at_most, below, node, number
from dpbounds.prover.rewriting.arithmetic import ProofSearch, attempt
from dpbounds.prover.rewriting.building import StepWriter

if TYPE_CHECKING:
    from dpbounds.prover.rewriting.documents import Emission


class WithSearch(Protocol):
    """A document while it is written."""

    @property
    def write(self) -> StepWriter:
        """Its steps."""

    @property
    def search(self) -> ProofSearch:
        """The search for relations."""


MINUS = number(-1)
Leaf = Callable[[list[int]], "int | None"]


def cut(part: Term | None, body: Term) -> Term:
    """The body on a part of the line, 0 elsewhere."""
    return body if part is None else node("ite", part, body, ZERO)


def negation(e: WithSearch, f: Term, known: Sequence[int]) -> int | None:
    """¬F for an order or a conjunction of orders, from the opposite of one."""
    if f.tag == "and":
        for at, part in enumerate(f.parts):
            wrong = negation(e, part, known)
            if wrong is not None:
                held = e.write("part", e.write.hypothesis(f), number=at)
                return _never(e, f, e.write("absurd", held, wrong, formula=node("not", f)))
        return None
    a, b = f.parts
    opposite = order_shown(e, at_most(b, a) if f.tag == "<" else below(b, a), known)
    if opposite is None:
        return None
    clash = e.write("linear", opposite, e.write.hypothesis(f), formula=below(ZERO, ZERO), multipliers=[ONE, ONE])
    return _never(e, f, e.write("absurd", clash, e.write("irreflexive", term=ZERO), formula=node("not", f)))


def _never(e: WithSearch, f: Term, wrong: int) -> int:
    return e.write("cases", e.write("excluded_middle", formula=f), wrong, e.write.hypothesis(node("not", f)))


def order_shown(e: WithSearch, f: Term, known: Sequence[int]) -> int | None:
    """An order from one of the known ones, or by a search."""
    if f.tag == "and":
        parts = [order_shown(e, part, known) for part in f.parts]
        return None if None in parts else e.write("conjunction", *[k for k in parts if k is not None])
    for k in known:
        g = e.write.formula(k)
        if g == f:
            return k
        if g.tag in ("<", "<=") and (step := attempt(e.write, "linear", k, formula=f, multipliers=[ONE])) is not None:
            return step
    light, e.search.light = e.search.light, True
    found = e.search.combination(f, known, products=False)
    e.search.light = light
    return found


def decided(e: WithSearch, t: Term, known: Sequence[int]) -> list[int] | None:
    """ite(…) = its value for each case distinction in a term or formula, the inner ones first; None where one is not decided."""
    found: list[int] = []
    for d in _distinctions(t):
        held = order_shown(e, d.parts[0], known)
        step = negation(e, d.parts[0], known) if held is None else held
        if step is None:
            return None
        found.append(e.write("branch", step, then=d.parts[1], other=d.parts[2]))
    return found


def _distinctions(t: Term) -> list[Term]:
    inner = [d for part in t.parts for d in _distinctions(part)]
    return list(dict.fromkeys([*inner, t] if t.tag == "ite" and not t.loose else inner))


def by_cases(e: WithSearch, goal: Term, splits: Sequence[tuple[Term, Term]], known: Sequence[int], leaf: Leaf | None = None) -> int | None:
    """The goal, by cases a ≤ b or b < a as long as a case distinction in it is open.

    Args:
        e: the document.
        goal: a relation.
        splits: pairs (a, b).
        known: what may be used.
        leaf: shows the goal from equations for its case distinctions and the cases; without it, by arithmetic.
    """
    equations = decided(e, goal, known)
    if equations is not None:
        if leaf is not None:
            return leaf([*equations, *known])
        return _arithmetic(e, goal, equations, known)
    if not splits:
        return None
    (a, b), *others = splits
    start = e.write("total_order", left=a, right=b)
    branches = [by_cases(e, goal, others, [*e.write.hypotheses([f]), *known], leaf) for f in e.write.formula(start).parts]
    return None if None in branches else e.write("cases", start, *[k for k in branches if k is not None])


def _arithmetic(e: WithSearch, goal: Term, equations: list[int], known: Sequence[int]) -> int | None:
    if goal.tag == "=":
        found = attempt(e.write, "ring", *equations, formula=goal) or attempt(e.write, "ring", *equations, *known, formula=goal)
        if found is not None:
            return found
    direct = attempt(e.write, "sign", *equations, *known, formula=goal) if goal.parts[0] == ZERO else None
    return direct or e.search.prove(goal, [*equations, *known])


def on_part(e: Emission, step: int, x: Term, part: Term | None) -> int | None:
    """ite(part, a, 0) R ite(part, b, 0) from a R b, where what is assumed of x holds on the part."""
    if part is None:
        return step
    f, here = e.write.formula(step), e.write.hypothesis(part)
    opened = e.search.opened(here)
    outer = {h for h in e.write.steps[step].hypotheses if x not in h.free}
    outer |= {g for g in e.read.signs() if x not in g.free}
    step = e.without(step, outer | {e.write.formula(k) for k in opened})
    used = [k for k in opened if k != here and e.write.formula(k) in e.write.steps[step].hypotheses]
    step = e.write("cut", step, *used) if used else step
    goal = node("=" if f.tag == "=" else "<=", *(cut(part, side) for side in f.parts))
    yes = [e.write("branch", here, then=side, other=ZERO) for side in f.parts]
    elsewhere = e.write.hypothesis(node("not", part))
    no = [e.write("branch", elsewhere, then=side, other=ZERO) for side in f.parts]
    branches = [
        attempt(e.write, "linear", step, *yes, formula=goal, multipliers=[ONE, ONE, MINUS]),
        attempt(e.write, "linear", *no, formula=goal, multipliers=[ONE, MINUS]),
    ]
    if None in branches:
        return None
    return e.write("cases", e.write("excluded_middle", formula=part), *[k for k in branches if k is not None])
