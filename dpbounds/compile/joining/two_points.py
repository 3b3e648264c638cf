"""A moment of a law on two points that is 1 at the orders 0 and 1, as one lemma: Hoeffding's bound at every order from 1 on.

For S(x) = A·e^{ax} + B·e^{bx} with A, B ≥ 0, S(0) = S(1) = 1 and (a − b)² ≤ 8c, g(x) = c·(x² − x) − log S(x) is convex, by
4AB·e^{(a+b)x} ≤ S², and g(0) = g(1) = 0; so g ≥ 0 from 1 on. With x the order of a Rényi divergence this is what zCDP says.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from dpbounds.compile.steps import NotWritten, Steps
from dpbounds.kernel.notation import show
from dpbounds.kernel.terms import ONE, ZERO, Term, at_most, below, equal, minus, node, number, over, plus, power, times, variable

NAMES = ("first_", "second_", "up_", "down_", "cap_", "order_")
"""The variables of the lemma: A, B, a, b, c, x."""


@cache
def two_point_lemma(*, logarithm: bool = False) -> str:
    """The document of S(x) ≤ e^{c·(x² − x)}, or of log S(x) ≤ c·(x² − x)."""
    steps = Steps(NAMES)
    write = steps.write
    a_, b_, a, b, c, x = (variable(n, "R") for n in NAMES)
    t, half = variable("t_", "R"), number("1/2")

    def s(at: Term) -> Term:
        return plus(times(a_, node("exp", times(a, at))), times(b_, node("exp", times(b, at))))

    given = [at_most(ZERO, a_), at_most(ZERO, b_), equal(plus(a_, b_), ONE)]
    given.append(equal(plus(times(a_, node("exp", a)), times(b_, node("exp", b))), ONE))
    given += [at_most(power(minus(a, b), 2), times(number(8), c)), at_most(ONE, x)]
    least, other, whole, end, cap, order = (steps.assume(f) for f in given)
    start, end = _linear(steps, equal(s(ZERO), ONE), whole), _linear(steps, equal(s(ONE), ONE), end)
    split = write("total_order", left=a_, right=half)
    branches = []
    for f, large, rate in zip(steps.formula(split).parts, (b_, a_), (b, a), strict=True):
        big = _linear(steps, below(ZERO, large), steps.assume(f), facts=[whole])
        part = write("sign", big, formula=below(ZERO, times(large, node("exp", times(rate, t)))))
        rest, base = (a_, a) if large == b_ else (b_, b)
        side = write("sign", least, other, formula=at_most(ZERO, times(rest, node("exp", times(base, t)))))
        branches.append(_linear(steps, below(ZERO, s(t)), part, side))
    above = write("cases", split, *branches)
    gap = minus(times(c, minus(power(t, 2), t)), node("log", s(t)))
    first = write("derivative", above, function=gap, variable=t)
    second = write("derivative", above, function=steps.formula(first).parts[1], variable=t)
    u, v = (times(k, node("exp", times(rate, t))) for k, rate in ((a_, a), (b_, b)))
    share = over(times(number("1/4"), times(power(minus(a, b), 2), power(minus(u, v), 2))), power(s(t), 2))
    bend = steps.formula(second).parts[1]
    form = plus(share, times(number("1/4"), minus(times(number(8), c), power(minus(a, b), 2))))
    same = write("ring", above, formula=equal(bend, form))
    squares = write("sign", above, formula=at_most(ZERO, share))
    room = write("linear", squares, cap, formula=at_most(ZERO, form), multipliers=[ONE, number("1/4")])
    curved = _linear(steps, at_most(ZERO, bend), room, facts=[same])
    wide = _linear(steps, at_most(ZERO, x), order)
    ends = {p: (write("linear", *k, formula=at_most(ZERO, p), multipliers=[ONE] * len(k)), write("linear", *m, formula=at_most(p, x),
            multipliers=[ONE] * len(m))) for p, k, m in ((ZERO, [], [wide]), (ONE, [], [order]), (x, [wide], []))}  # fmt: skip
    lines = [
        write("tangent", first, second, curved, *ends[ONE], *ends[to], variable=t, low=ZERO, high=x, at=ONE, to=to) for to in (ZERO, x)
    ]
    here = [write("substitution", above, terms={t: at}, functions={}) for at in (ZERO, ONE)]
    nothing = [write("log_monotone", *pair) for pair in zip((start, end), here, strict=True)]
    length = minus(x, ONE)
    goal = at_most(node("log", s(x)), times(c, minus(power(x, 2), x)))
    shown = steps.write("linear", lines[1], lines[0], *nothing, order, formula=goal, multipliers=[ONE, length])
    if logarithm:
        return write.document("two-points", given, shown, [])
    at_x = write("substitution", above, terms={t: x}, functions={})
    grown = write("exp_monotone", shown)
    found = steps.write("linear", grown, at_x, formula=at_most(s(x), node("exp", times(c, minus(power(x, 2), x)))), multipliers=[ONE])
    return write.document("two-points", given, found, [])


def _linear(steps: Steps, goal: Term, *by: int, facts: Sequence[int] = ()) -> int:
    """The goal from steps, and from equations of either sign."""
    found = steps.sum_of(goal, list(by), list(facts))
    for w in (1, -1):
        if found is None and facts:
            found = steps.sum_of(goal, [*by, *facts], [], [*[ONE] * len(by), *[number(w)] * len(facts)])
    if found is None:
        raise NotWritten("a step of the lemma", show(goal))
    return found
