"""Rows of binomial coefficients beside positive parts, as lemmas: what a composition of equal responses loses.

For e_j = u + vj and f_j = y + zj, with n, w ≥ 0:

* Σ_j C(n, j)·max(0, e^e − e^f) ≤ e^{u + w(u − y)}·(1 + e^{v + w(v − z)})^n, Chernoff's bound of a hockey stick;
* with P = Σ C(n, j)·e^e, Q = Σ C(n, j)·e^f and K = Σ C(n, j)·e^e·(e − f), for t > 0,
  Σ_j C(n, j)·max(0, e^e − e^f) ≤ t·(P + 2Q)/12 + (K − P + Q)/(2t) + (P − Q)/2, Pinsker's inequality before t is chosen;
* Σ_j C(n, j)·e^e·|f| ≤ Σ_j C(n, j)·e^e·(f²/(2t) + t/2), the mean of a size by its second moment.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from dpbounds.compile.joining.included import included
from dpbounds.compile.steps import NotWritten, Steps, positive
from dpbounds.compile.towers.descents import Descents
from dpbounds.kernel.terms import (
    ONE,
    ZERO,
    Term,
    at_most,
    binder,
    equal,
    minus,
    negative,
    node,
    number,
    over,
    plus,
    power,
    substitute,
    times,
    variable,
)

NAMES = ("u_", "v_", "y_", "z_", "w_")
"""The real variables of the lemmas: the first terms and slopes of both exponents, and the tilt."""
LENGTH = "n_"
"""The number n."""
_INDEX = variable("j_", "Z")


def _exp(*parts: Term) -> Term:
    return node("exp", plus(*parts) if len(parts) > 1 else parts[0])


@cache
def tilted_lemma() -> str:
    """The document of Σ C(n, j)·max(0, e^{u + vj} − e^{y + zj}) ≤ e^{u + w(u − y)}·(1 + e^{v + w(v − z)})^n for n, w ≥ 0."""
    steps = Steps((*NAMES, LENGTH, "j_", "a_", "b_"))
    write, n = steps.write, variable(LENGTH, "Z")
    u, v, y, z, w = (variable(name, "R") for name in NAMES)
    least, tilt = steps.assume(at_most(ZERO, n)), steps.assume(at_most(ZERO, w))
    a, b = variable("a_", "R"), variable("b_", "R")
    bound = _exp(a, times(w, minus(a, b)))
    gap = minus(_exp(a), _exp(b))
    goal = at_most(node("max", ZERO, gap), bound)
    split, branches = write("total_order", left=b, right=a), []
    for f in steps.formula(split).parts:
        here = steps.assume(f)
        if f.tag == "<=":
            room = _sum(steps, at_most(ZERO, minus(a, b)), here)
            more = write("sign", room, tilt, formula=at_most(ZERO, times(w, minus(a, b))))
            order = _sum(steps, at_most(ZERO, gap), write("exp_monotone", here))
            grown = write("exp_monotone", _sum(steps, at_most(a, plus(a, times(w, minus(a, b)))), more))
            part = write("sign", formula=at_most(ZERO, _exp(b)))
            branches.append(steps.sum_of(goal, [grown, part], [_larger(steps, order, goal)]))
        else:
            weak = _sum(steps, at_most(a, b), here)
            order = _sum(steps, at_most(gap, ZERO), write("exp_monotone", weak))
            part = write("sign", formula=at_most(ZERO, bound))
            branches.append(steps.sum_of(goal, [part], [_larger(steps, order, goal)]))
    if None in branches:
        raise NotWritten("a step of the lemma")
    every = write("cases", split, *(k for k in branches if k is not None))
    first, other = plus(u, times(v, _INDEX)), plus(y, times(z, _INDEX))
    every = write("substitution", every, terms={a: first, b: other}, functions={})
    inside = [steps.assume(at_most(ZERO, _INDEX)), steps.assume(at_most(_INDEX, n))]
    coefficient = node("binom", n, _INDEX)
    some = write("part", write("binomial_positive", *inside), number=0)
    small, large = (times(coefficient, side) for side in steps.formula(every).parts)
    term = write("linear", every, some, formula=at_most(small, large), multipliers=[coefficient])
    total = write("sum_termwise", term, variable=_INDEX, low=ZERO, high=n)
    ratio, start = _exp(v, times(w, minus(v, z))), _exp(u, times(w, minus(u, y)))
    theorem = write("binomial_theorem", least, left=ratio, right=ONE)
    row = binder("sum", _INDEX, ZERO, n, small)
    claim = at_most(row, times(start, node("pow", plus(ratio, ONE), n)))
    found = write("linear", total, theorem, formula=claim, multipliers=[ONE, start])
    return _document(steps, "tilted-row", [least, tilt], found)


@cache
def moment_lemma(text: str, kink: str) -> str:
    """The document of the second bound (kink "max") or of the third one ("abs").

    Args:
        text: the document of the inequality at one place, for the variables a, b and t, or b and t.
        kink: which of the two.
    """
    steps = Steps((*NAMES, LENGTH, "j_", "m_"))
    steps.write.work *= 20
    write, n = steps.write, variable(LENGTH, "Z")
    u, v, y, z, t = (variable(name, "R") for name in NAMES)
    least, some = steps.assume(at_most(ZERO, n)), steps.assume(positive(t))
    e, f = plus(u, times(v, _INDEX)), plus(y, times(z, _INDEX))
    place = included(steps, text, {"a": e, "b": f, "t": t})
    if place is None:
        raise NotWritten("a step of the lemma")
    inside = [steps.assume(at_most(ZERO, _INDEX)), steps.assume(at_most(_INDEX, n))]
    coefficient, half = node("binom", n, _INDEX), number("1/2")
    weight = coefficient if kink == "max" else times(coefficient, _exp(e))
    least_weight = write("sign", write("part", write("binomial_positive", *inside), number=0), formula=at_most(ZERO, weight))
    small, large = (times(weight, side) for side in steps.formula(place).parts)
    term = write("linear", place, least_weight, formula=at_most(small, large), multipliers=[weight])
    total = write("sum_termwise", term, variable=_INDEX, low=ZERO, high=n)
    rows, sums, shares = [], [], []
    for first, rate in ((u, v), (y, z)):
        r = _exp(rate)
        rows.append(moments(steps, n, r, least, write("sign", formula=positive(r))))
        sums.append(times(_exp(first), node("pow", plus(r, ONE), n)))
        shares.append(over(r, plus(r, ONE)))
    (p, q), share, inverse = sums, shares[0], over(half, t)
    if kink == "max":
        mean = plus(times(p, minus(u, y)), times(times(minus(v, z), times(n, share)), p))
        sizes = times(over(t, number(12)), plus(p, times(number(2), q)))
        bound = plus(sizes, times(inverse, plus(minus(mean, p), q)), times(half, minus(p, q)))
        own = plus(over(t, number(12)), times(inverse, minus(minus(u, y), ONE)), half)
        other = plus(over(t, number(6)), inverse, negative(half))
        weights = [times(_exp(u), own), times(_exp(u), times(inverse, minus(v, z))), times(_exp(y), other)]
        by = [rows[0][0], rows[0][1], rows[1][0]]
    else:
        second = plus(power(y, 2), times(times(plus(times(number(2), times(y, z)), power(z, 2)), n), share))
        second = plus(second, times(power(z, 2), times(times(n, minus(n, ONE)), power(share, 2))))
        bound = times(p, plus(times(inverse, second), times(half, t)))
        parts = [plus(times(inverse, power(y, 2)), times(half, t)), times(inverse, plus(times(number(2), times(y, z)), power(z, 2)))]
        weights = [times(_exp(u), part) for part in (*parts, times(inverse, power(z, 2)))]
        by = list(rows[0])
    claim = at_most(binder("sum", _INDEX, ZERO, n, small), bound)
    found = write("linear", total, *by, some, formula=claim, multipliers=[ONE, *weights])
    return _document(steps, f"row-of-{kink}", [least, some], found)


def moments(steps: Steps, n: Term, r: Term, least: int, some: int) -> tuple[int, int, int]:
    """Σ C(n, j)·r^j, Σ j·C(n, j)·r^j and Σ j(j − 1)·C(n, j)·r^j, by n ≥ 0 and r > 0: the last two by j·C(n, j) = n·C(n − 1, j − 1)."""
    rows = [steps.write("binomial_theorem", least, left=r, right=ONE)]
    below_ = steps.write("sign", some, formula=positive(plus(r, ONE)))
    m, share = variable("m_", "Z"), over(r, plus(r, ONE))
    whole = node("pow", plus(r, ONE), m)
    values = [whole, times(m, times(share, whole)), times(times(m, minus(m, ONE)), times(power(share, 2), whole))]

    def weight(order: int, j: Term) -> Term:
        return times(j if order == 1 else times(j, minus(j, ONE)), node("pow", r, j))

    for order in (1, 2):
        formula = equal(binder("sum", _INDEX, ZERO, m, times(node("binom", m, _INDEX), weight(order, _INDEX))), values[order])
        start = steps.write("sum_single", total=substitute(formula.parts[0], {m: ZERO}))
        base = steps.write("linear", start, below_, formula=substitute(formula, {m: ZERO}), multipliers=[ONE])
        here = steps.assume(at_most(ZERO, m))
        later = plus(m, ONE)
        shown = steps.write("linear", here, formula=at_most(ONE, later), multipliers=[ONE])

        def beside(j: Term, order: int = order) -> Term:  # what stands beside j·C(m + 1, j)
            return node("pow", r, j) if order == 1 else times(minus(j, ONE), node("pow", r, j))

        moved = absorbed(steps, m, here, shown, beside)
        theorem = (
            steps.write("binomial_theorem", here, left=r, right=ONE)
            if order == 1
            else steps.write("detach", steps.write("specialize", rows[1], at=m), here)
        )
        goal = substitute(formula, {m: later})
        grown = steps.write("linear", moved, theorem, below_, some, formula=goal, multipliers=[ONE, times(later, r)])
        rows.append(steps.write("induction", base, grown, variable=m, start=ZERO, formula=formula))
    found = [rows[0], *(steps.write("detach", steps.write("specialize", k, at=n), least) for k in rows[1:])]
    return found[0], found[1], found[2]


def absorbed(steps: Steps, m: Term, here: int, one: int, rest: Callable[[Term], Term]) -> int:
    """Σ_{j=0}^{m+1} j·C(m + 1, j)·g(j) = (m + 1)·Σ_{i=0}^m C(m, i)·g(i + 1)."""
    later, j = plus(m, ONE), _INDEX

    def body(at: Term) -> Term:
        return times(times(at, node("binom", later, at)), rest(at))

    total = binder("sum", j, ZERO, later, body(j))
    ends = [steps.write("linear", formula=at_most(ZERO, plus(ZERO, ONE)), multipliers=[])]
    ends.append(steps.write("linear", here, formula=at_most(ZERO, later), multipliers=[ONE]))
    split = steps.write("sum_split", *ends, total=total)
    head, tail = steps.formula(split).parts[1].parts
    single = steps.write("sum_single", total=head)
    low, high, _ = tail.parts
    inside = steps.assume(at_most(low, j))
    first = steps.write("linear", inside, formula=at_most(ONE, j), multipliers=[ONE])
    steps.assume(at_most(j, high))
    up = steps.write("absorption", one, first)
    smaller = times(times(later, node("binom", m, minus(j, ONE))), rest(j))
    term = steps.write("linear", up, formula=equal(body(j), smaller), multipliers=[rest(j)])
    every = steps.write("sum_termwise", term, variable=j, low=low, high=high)
    moved = binder("sum", j, ZERO, m, times(times(later, node("binom", m, j)), rest(plus(j, ONE))))
    shift = steps.write("sum_shift", total=moved, by=ONE)
    goal = equal(total, times(later, binder("sum", j, ZERO, m, times(node("binom", m, j), rest(plus(j, ONE))))))
    return steps.write("linear", split, single, every, shift, formula=goal, multipliers=[ONE, ONE, ONE, negative(ONE)])


def _document(steps: Steps, name: str, given: Sequence[int], end: int) -> str:
    """The document of a lemma, with what must be defined in it."""
    formulas, search = [steps.formula(k) for k in given], Descents(steps).search
    defined = [search.prove(o, given) for o in steps.write.obligations(formulas, steps.formula(end))]
    if None in defined:
        raise NotWritten("what must be defined in the lemma")
    return steps.write.document(name, formulas, end, [k for k in defined if k is not None])


def _sum(steps: Steps, goal: Term, *by: int) -> int:
    found = steps.sum_of(goal, list(by))
    if found is None:
        raise NotWritten("a step of the lemma")
    return found


def _larger(steps: Steps, order: int, goal: Term) -> int:
    """What the maximum is under an order."""
    both = steps.write("larger", order)
    parts = (steps.write("part", both, number=k) for k in range(4))
    return next(k for k in parts if steps.formula(k).parts[0] == goal.parts[0])
