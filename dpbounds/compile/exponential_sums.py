"""Partial sums S_n(u) = Σ_{i=0}^n u^i/i! of the exponential series, by the slope of e^{−t}·S_n(t), which is −e^{−t}·t^n/n!.

Each step is one of the checker's.
"""

from __future__ import annotations

from dpbounds.compile.bounds import BoundLemmas
from dpbounds.compile.recursions import last_term
from dpbounds.compile.steps import NotWritten, Steps
from dpbounds.kernel.terms import (
    MINUS,
    ONE,
    ZERO,
    Term,
    at_most,
    below,
    binder,
    equal,
    minus,
    negative,
    node,
    plus,
    power,
    substitute,
    times,
    variable,
)

N, U = variable("exp_n", "Z"), variable("exp_u", "R")
"""The variables of the lemmas."""
_I, _K, _W = variable("exp_i", "Z"), variable("exp_k", "Z"), variable("exp_w", "R")


def factorial(n: Term) -> Term:
    """n!, as the statements of claims have it."""
    return node("exp", binder("sum", _K, ONE, n, node("log", _K)))


def summand(u: Term, i: Term) -> Term:
    """u^i/i!."""
    return times(node("pow", u, i), power(factorial(i), -1))


def partial_sum(u: Term, n: Term) -> Term:
    """S_n(u)."""
    return binder("sum", _I, ZERO, n, summand(u, _I))


def _total(steps: Steps, goal: Term, by: list[int], facts: list[int], weights: list[Term] | None = None) -> int:
    found = steps.sum_of(goal, by, facts, weights or ())
    if found is None:
        raise NotWritten("a partial sum of the exponential series")
    return found


def _by_induction(steps: Steps, formula: Term, base: list[int], by: list[int], facts: list[int], weights: list[Term]) -> int:
    """F(n) from 0 ≤ n, for a relation about sums to n."""
    least = steps.assume(at_most(ZERO, N))
    start = _total(steps, substitute(formula, {N: ZERO}), [], base)
    grown = _total(steps, substitute(formula, {N: plus(N, ONE)}), [steps.assume(formula), *by], [*facts, least], [ONE, *weights])
    every = steps.write("induction", start, grown, variable=N, start=ZERO, formula=formula)
    return steps.write("detach", steps.write("specialize", every, at=N), least)


def _next(steps: Steps, total: Term, value: Term, facts: list[int]) -> int:
    """Σ to n + 1 is Σ to n and a term."""
    least = steps.assume(at_most(ZERO, N))
    last = last_term(steps, total, N, _total(steps, at_most(total.parts[0], plus(N, ONE)), [least], []))
    return _total(steps, equal(substitute(total, {N: plus(N, ONE)}), plus(total, value)), last, [*facts, least], [ONE, ONE])


def below_exponential(bounds: BoundLemmas) -> int:
    """0 ≤ u and 0 ≤ n give S_n(u) ≤ e^u: e^{−t}·S_n(t) falls, and is at most 1 + n·t near 0."""
    steps, write = bounds.steps, bounds.steps.write
    least, positive = steps.assume(at_most(ZERO, N)), steps.assume(below(ZERO, _W))
    falls = _falls(steps, times(node("exp", negative(U)), partial_sum(U, N)), 1)
    # near 0
    one = steps.assume(at_most(_W, ONE))
    weak = _total(steps, at_most(ZERO, _W), [positive], [])
    raised = write("power_monotone", weak, one, least)
    product = factorial(plus(N, ONE))
    some = write("sign", least, formula=at_most(ZERO, product.parts[0]))
    big = _total(steps, at_most(ONE, product), [write("exp_monotone", some)], [])
    weight = times(times(_W, node("pow", _W, N)), power(product, -1))
    grown = at_most(summand(_W, plus(N, ONE)), _W)
    term = _total(steps, grown, [raised, big], [positive, least], [_W, weight])
    sums = _next(steps, partial_sum(_W, N), summand(_W, plus(N, ONE)), [positive])
    near = at_most(partial_sum(_W, N), plus(ONE, times(N, _W)))
    bound = _by_induction(steps, near, [positive], [term, sums], [positive], [ONE, ONE])
    shrunk = write("exp_monotone", _total(steps, at_most(negative(_W), ZERO), [positive], []))
    own = times(node("exp", negative(_W)), partial_sum(_W, N))
    lower = _total(steps, at_most(own, plus(ONE, times(N, _W))), [shrunk, bound], [positive, least], [partial_sum(_W, N), ONE])
    gap = minus(ONE, times(node("exp", negative(U)), partial_sum(U, N)))
    whole = _total(steps, at_most(times(negative(N), _W), gap), [falls, lower], [])
    last = _vanishing(bounds, whole, gap, N, least)
    goal = at_most(partial_sum(U, N), node("exp", U))
    inside = _total(steps, goal, [last], [steps.assume(below(ZERO, U))], [node("exp", U)])
    # at 0
    split = write("total_order", left=U, right=ZERO)
    zero = write("antisymmetric", steps.assume(at_most(U, ZERO)), steps.assume(at_most(ZERO, U)))
    sums = _next(steps, partial_sum(ZERO, N), ZERO, [])
    one = _by_induction(steps, at_most(partial_sum(ZERO, N), ONE), [], [sums], [], [ONE])
    return write("cases", split, _total(steps, goal, [one], [zero]), inside)


def above_exponential(bounds: BoundLemmas) -> int:
    """0 < u and 0 ≤ n give e^u ≤ S_n(u) + u^{n+1}/(n+1)!·e^u: e^{−t}·S_n(t) + t^{n+1}/(n+1)! rises, and is at least e^{−t} near 0."""
    steps, write = bounds.steps, bounds.steps.write
    least, positive = steps.assume(at_most(ZERO, N)), steps.assume(below(ZERO, _W))
    f = plus(times(node("exp", negative(U)), partial_sum(U, N)), summand(U, plus(N, ONE)))
    rises = _falls(steps, f, -1)
    sums = _next(steps, partial_sum(_W, N), summand(_W, plus(N, ONE)), [positive])
    sign = write("sign", positive, least, formula=at_most(ZERO, summand(_W, plus(N, ONE))))
    some = _by_induction(steps, at_most(ONE, partial_sum(_W, N)), [positive], [sign, sums], [positive], [ONE, MINUS])
    tangent = write("exp_above", term=negative(_W))
    gap = minus(f, ONE)
    by = [rises, tangent, some, sign]
    whole = _total(steps, at_most(times(negative(ONE), _W), gap), by, [positive], [ONE, ONE, node("exp", negative(_W)), ONE])
    last = _vanishing(bounds, whole, gap, ONE, write("linear", formula=at_most(ZERO, ONE), multipliers=[]))
    goal = at_most(node("exp", U), plus(partial_sum(U, N), times(summand(U, plus(N, ONE)), node("exp", U))))
    return _total(steps, goal, [last], [steps.assume(below(ZERO, U))], [node("exp", U)])


def _falls(steps: Steps, f: Term, sign: int) -> int:
    """f(u) ≤ f(w), or the other order for −1, from 0 < w ≤ u: by its derivative, which has t^n/n! for S_n'(t) − S_n(t)."""
    write, positive = steps.write, steps.assume(below(ZERO, U))
    derivative = write("derivative", positive, function=f, variable=U)
    slope = steps.formula(derivative).parts[1]
    inner = write("derivative", positive, function=partial_sum(U, N), variable=U)
    own = steps.formula(inner).parts[1]
    least = steps.assume(at_most(ZERO, N))
    equation = equal(own, minus(partial_sum(U, N), summand(U, N)))
    more = last_term(steps, factorial(N).parts[0], N, _total(steps, at_most(ONE, plus(N, ONE)), [least], []))
    sums = [_next(steps, own, summand(U, N), [*more, positive]), _next(steps, partial_sum(U, N), summand(U, plus(N, ONE)), [positive])]
    moved = _by_induction(steps, equation, [positive], sums, [positive], [ONE, MINUS])
    damped = node("exp", negative(U))
    goal = at_most(slope, ZERO) if sign > 0 else at_most(ZERO, slope)
    by, weights = [moved], [damped if sign > 0 else negative(damped)]
    if sign < 0:
        by.append(write("exp_monotone", _total(steps, at_most(negative(U), ZERO), [positive], [])))
        weights = [negative(damped), summand(U, N)]
    shown = _total(steps, goal, by, [*more, positive, least], weights)
    low, high = _W, variable("exp_v", "R")
    start = steps.assume(below(ZERO, _W))
    here = _total(steps, below(ZERO, U), [start, steps.assume(at_most(_W, U))], [])
    order = steps.assume(at_most(_W, high))
    by = [write("cut", derivative, here), write("cut", shown, here)]
    found = write("monotone", *by, order, variable=U, low=low, high=high)
    return write("substitution", found, terms={high: U}, functions={})


def _vanishing(bounds: BoundLemmas, whole: int, gap: Term, size: Term, least: int) -> int:
    """0 ≤ gap from −K·w ≤ gap for 0 < w ≤ 1 and w ≤ u."""
    steps, write = bounds.steps, bounds.steps.write
    a = plus(ONE, power(U, -1))
    own, small, start = steps.assume(below(ZERO, U)), steps.assume(at_most(times(a, _W), ONE)), steps.assume(below(ZERO, _W))
    share = write("sign", own, start, formula=at_most(ZERO, times(power(U, -1), _W)))
    bounded = {
        at_most(_W, ONE): _total(steps, at_most(_W, ONE), [small, share], []),
        at_most(_W, U): _total(steps, at_most(_W, U), [small, start], [own], [U, U]),
    }
    cut = [k for f, k in bounded.items() if f in steps.write.steps[whole].hypotheses]
    inside = write("cut", whole, *cut)
    for f in (at_most(times(a, _W), ONE), below(ZERO, _W)):
        inside = write("discharge", inside, formula=f)
    every = write("generalize", inside, variable=_W)
    return bounds.vanishing(gap, a, size, every, write("sign", own, formula=below(ZERO, a)), least)
