"""0 ≤ h(x, ε) where −ε ≤ log x ≤ ε and h rises with ε: h(x, ε) ≥ h(x, |log x|), which has one variable less.

On each side of 1 |log x| is log x or −log x. Nothing here is believed: each of the two relations is shown by steps.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import sympy
from sympy import Symbol

from dpbounds.compile.trials import fails, gap_of, vanishes
from dpbounds.kernel.terms import ONE, ZERO, Term, at_most, below, negative, node

if TYPE_CHECKING:
    from dpbounds.compile.one_term import OneTerm


def by_logarithmic_range(prover: OneTerm, h: Any, goal: Term, depth: int) -> int | None:
    """By both sides of 1, each with a parameter at the logarithm that it lies above."""
    if depth > 1 or h.has(sympy.Max, sympy.Min, sympy.Abs):
        return None
    for x in sorted((s for s in h.free_symbols if s.is_positive and s.name.endswith("_ratio")), key=str):
        for epsilon in sorted((s for s in h.free_symbols if s != x and s.is_positive), key=str):
            ends = [_premise(prover, gap) for gap in (sympy.exp(epsilon) - x, x * sympy.exp(epsilon) - 1)]
            if None not in ends and not fails(sympy.diff(h, epsilon), prover.symbols, prover.facts):
                return _by_sides(prover, h, x, epsilon, [k for k in ends if k is not None], goal, depth)
    return None


def _premise(prover: OneTerm, gap: Any) -> int | None:
    """The step of a premise that says 0 ≤ gap."""
    own = ((gap_of(r), step) for r, step in prover.facts if r.free_symbols == gap.free_symbols)
    return next((step for g, step in own if g is not None and vanishes(g - gap)), None)


def _by_sides(prover: OneTerm, h: Any, x: Symbol, epsilon: Symbol, ends: list[int], goal: Term, depth: int) -> int | None:
    steps, t = prover.steps, prover.term(x)
    log, positive = node("log", t), prover.positive(x)
    if positive is None:
        return None
    split, branches = steps.write("total_order", left=ONE, right=t), list[int]()
    for f, sign, end in zip(steps.formula(split).parts, (1, -1), ends, strict=True):
        here = steps.assume(f)
        order = steps.sum_of(at_most(ONE, t) if sign > 0 else at_most(t, ONE), [here])
        least = _logarithm_of(prover, order, sign, log, positive)
        grown = steps.write("log_monotone", *((end, positive) if sign > 0 else (end, steps.write("sign", formula=below(ZERO, ONE)))))
        size = log if sign > 0 else negative(log)
        most = steps.sum_of(at_most(size, prover.term(epsilon)), [grown], [positive, *prover.known])
        if order is None or least is None or most is None:
            return None
        branch = _on_one_side(prover, h, x, epsilon, (sign, size, order, least, most), goal, depth)
        if branch is None:
            return None
        branches.append(branch)
    return steps.write("cases", split, *branches)


def _logarithm_of(prover: OneTerm, order: int | None, sign: int, log: Term, positive: int) -> int | None:
    """0 ≤ log x from 1 ≤ x, and 0 ≤ −log x from x ≤ 1."""
    if order is None:
        return None
    least = prover.steps.write("sign", formula=below(ZERO, ONE)) if sign > 0 else positive
    return prover.steps.sum_of(at_most(ZERO, log if sign > 0 else negative(log)), [prover.steps.write("log_monotone", order, least)])


def _on_one_side(
    prover: OneTerm, h: Any, x: Symbol, epsilon: Symbol, side: tuple[int, Term, int, int, int], goal: Term, depth: int
) -> int | None:
    """0 ≤ h from h(x, ε) ≥ h(x, u) and h(x, u) ≥ 0 for u = |log x|."""
    sign, size, order, least, most = side
    u = Symbol(f"{x.name}_size", nonnegative=True)
    moved = sympy.factor(sympy.expand(h - h.xreplace({epsilon: u})))
    there = h.xreplace({epsilon: sign * sympy.log(x)})
    relation = sympy.Ge(x, 1, evaluate=False) if sign > 0 else sympy.Le(x, 1, evaluate=False)
    facts = [(sympy.Ge(u, 0, evaluate=False), least), (sympy.Le(u, epsilon, evaluate=False), most), (relation, order)]

    def made(own: list[tuple[Any, int]], symbols: dict[Symbol, Term]) -> OneTerm:
        inner = type(prover)(prover.steps, symbols, own, prover.patience)
        inner.equations = list(prover.equations)
        return inner

    there_facts = [(r, k) for r, k in prover.facts if r.free_symbols <= {x}] + [(relation, order)]
    first = prover.inner(("size", x, sign), partial(made, [*prover.facts, *facts], {**prover.symbols, u: size}))
    second = prover.inner(("there", x, sign), partial(made, there_facts, dict(prover.symbols)))
    if second.refuted(there):
        return None
    shown = [first.shown(moved, depth + 1), second.shown(there, depth + 1)]
    return None if None in shown else prover.total(goal, [k for k in shown if k is not None], [1, 1])
