"""What a sum says of one of its terms: v ≤ t(i) ≤ Σ t for t ≥ 0, as steps.

With Σ (p − q) = 0 it bounds each difference: 2(p_i − q_i) ≤ |p_i − q_i| + (p_i − q_i) ≤ Σ |p − q|.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sympy

from dpbounds.compile.steps import Steps
from dpbounds.kernel.terms import MINUS, ONE, ZERO, Term, at_most, binder, minus, plus, substitute, variable


def bounds_of(body: Any) -> Iterator[tuple[Any, Any]]:
    """(v, t) with v ≤ t, where Σ t is the sum of a body that is ≥ 0, if Σ u = 0 for the u within |u| or max(0, u)."""
    if isinstance(body, sympy.Abs):
        u = body.args[0]
        yield 2 * u, body + u
        yield -2 * u, body - u
    elif isinstance(body, sympy.Max) and 0 in body.args and len(body.args) == 2:
        u = next(a for a in body.args if a != 0)
        yield u, body
        yield -u, body - u
    elif body.is_nonnegative and body.free_symbols:
        yield body, body


def below_total(steps: Steps, t: Term, least: int, at: Term, length: Term) -> int | None:
    """t(i) ≤ Σ_{j=1}^n t(j) from a step 0 ≤ t(i), which may assume 1 ≤ i and i ≤ n.

    Args:
        steps: the document.
        t: a term in the integer variable `at`.
        least: the step.
        at: the variable i.
        length: n.
    """
    k = variable("before_", "Z")
    here = plus(k, ONE)
    order = [steps.assume(at_most(ZERO, k)), steps.assume(at_most(here, length))]
    whole, after = binder("sum", at, ONE, length, t), plus(here, ONE)

    def linear(formula: Term, *by: int) -> int:
        return steps.write("linear", *by, formula=formula, multipliers=[ONE] * len(by))

    first = steps.write("sum_split", linear(at_most(ONE, after), order[0]), order[1], total=whole)
    head = binder("sum", at, ONE, here, t)
    second = steps.write("sum_split", linear(at_most(ONE, here), order[0]), linear(at_most(k, here)), total=head)
    single = steps.write("sum_single", total=binder("sum", at, here, here, t))
    signs = []
    for low, high in ((ONE, k), (after, length)):
        inside = [steps.assume(at_most(low, at)), steps.assume(at_most(at, high))]
        own = {at_most(ONE, at), at_most(at, length)} & set(steps.write.steps[least].hypotheses)
        shown = [linear(f, *((inside[1], order[1]) if f == at_most(at, length) else (inside[0], order[0]))) for f in own if f not in
                 {at_most(low, at), at_most(at, high)}]  # fmt: skip
        step = steps.write("cut", least, *shown) if shown else least
        signs.append(steps.write("sum_termwise", step, variable=at, low=low, high=high))
    formula, weights = at_most(substitute(t, {at: here}), whole), [ONE, ONE, MINUS, MINUS, MINUS]
    end = steps.attempt("linear", *signs, single, second, first, formula=formula, multipliers=weights)
    if end is None:
        return None
    end = steps.write("substitution", end, terms={k: minus(at, ONE)}, functions={})
    from_one, to_end = (steps.assume(f) for f in (at_most(ONE, at), at_most(at, length)))
    wanted = [f for f in steps.write.steps[end].hypotheses if at in f.free]
    proofs = [linear(f, from_one if f.parts[0] == ZERO else to_end) for f in wanted]
    return steps.sum_of(at_most(t, whole), [steps.write("cut", end, *proofs) if proofs else end])
