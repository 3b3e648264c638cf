"""Stirling's formula by doubling, as lemmas. With ρ(n) = log(n!·eⁿ/(nⁿ·√(2πn))) and w(n) = (2n)!/(n!²·4ⁿ), for n ≥ 1:

    1/(15n) ≤ ρ(n) ≤ 1/(12n).

For 2ρ(n) − ρ(2n) = −log(√(πn)·w(n)), and the bounds of w give 1/(8n + 2) ≤ 2ρ(n) − ρ(2n) ≤ 1/(8n). So f = ρ − 1/(15n) and
f = 1/(12n) − ρ have f(2n) ≤ 2f(n). Both are bounded below, by −3, for ρ falls and ρ − 1/n rises. Then −3 ≤ k·f(n) for all k, and
0 ≤ f(n). Each step is one of the checker's.
"""

from __future__ import annotations

from collections.abc import Sequence

from dpbounds.compile.exponential_sums import factorial
from dpbounds.compile.factorials.central_binomials import bound_of_shares
from dpbounds.compile.limits_of_sequences import INDEX, SEQUENCE, limit_lemma, sum_of
from dpbounds.compile.recursions import last_term
from dpbounds.compile.steps import Steps
from dpbounds.kernel.terms import (
    MINUS,
    ONE,
    ZERO,
    Term,
    at_most,
    below,
    binder,
    equal,
    implies,
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

_DOUBLED = ("doubled_", "Z>R")
_M, _K, _B = variable("m_i", "Z"), variable("k_i", "Z"), variable("b_", "R")
_Y, _T = variable("y_", "R"), variable("t_", "R")
_TWO, _HALF, _PI, _QUARTER, _LEAST = number(2), number("1/2"), node("pi"), number("1/4"), number(3)


def log_factorial(n: Term) -> Term:
    """log n!, as Σ_{k=1}^n log k."""
    return factorial(n).parts[0]


def remainder(n: Term) -> Term:
    """ρ(n)."""
    main = plus(times(n, node("log", n)), times(_HALF, node("log", times(times(_TWO, _PI), n))))
    return plus(minus(log_factorial(n), main), n)


def _from_one(formula: Term) -> Term:
    """∀m (1 ≤ m → F)."""
    return binder("all", _M, implies([at_most(ONE, _M)], formula))


def _closed(steps: Steps, step: int) -> int:
    """∀m (1 ≤ m → F) from F."""
    return steps.write("generalize", steps.write("discharge", step, formula=at_most(ONE, _M)), variable=_M)


def doubling_lemma(steps: Steps) -> int:
    """1 ≤ n, 0 < b, ∀m (1 ≤ m → f(2m) ≤ 2f(m)) and ∀m (1 ≤ m → −b ≤ f(m)) give 0 ≤ f(n)."""
    write, n, k = steps.write, INDEX, _K

    def f(t: Term) -> Term:
        return node("f", t, data=_DOUBLED)

    def at(row: int, t: Term, least: int) -> int:
        return write("detach", write("specialize", row, at=t), least)

    given, some, one = (steps.assume(g) for g in (at_most(ONE, n), below(ZERO, _B), at_most(ONE, _M)))
    doubled = steps.assume(_from_one(at_most(f(times(_TWO, _M)), times(_TWO, f(_M)))))
    bounded = steps.assume(_from_one(at_most(negative(_B), f(_M))))
    inside = at_most(negative(_B), times(k, f(_M)))
    base = _closed(steps, sum_of(steps, substitute(inside, {k: ONE}), at(bounded, _M, one)))
    order, here, later = steps.assume(at_most(ONE, k)), steps.assume(_from_one(inside)), plus(k, ONE)
    by = [at(here, times(_TWO, _M), sum_of(steps, at_most(ONE, times(_TWO, _M)), one)), at(doubled, _M, one), order]
    weights = (over(later, times(_TWO, k)), times(_HALF, later), over(_B, times(_TWO, k)))
    grown = sum_of(steps, substitute(inside, {k: later}), *by, facts=(order, some), weights=weights)
    every = write("induction", base, _closed(steps, grown), variable=k, start=ONE, formula=_from_one(inside))
    each = at(at(every, _M, one), n, given)
    g = plus(ONE, over(f(n), _B))
    near = sum_of(steps, at_most(minus(ONE, over(ONE, _M)), g), each, facts=(one, some), weights=(over(ONE, times(_M, _B)),))
    rows = [_closed(steps, k) for k in (sum_of(steps, at_most(g, g)), near)]
    found = write("cut", write("substitution", limit_lemma(steps), terms={}, functions={SEQUENCE: ((_M,), g)}), *rows)
    return sum_of(steps, at_most(ZERO, f(n)), found, facts=(some,), weights=(_B,))


def stirling_bound(steps: Steps, *, upper: bool) -> int:
    """ρ(n) ≤ 1/(12n), or 1/(15n) ≤ ρ(n), from 1 ≤ n."""
    write, m = steps.write, _M
    f = minus(over(number("1/12"), m), remainder(m)) if upper else minus(remainder(m), over(number("1/15"), m))
    doubled = at_most(substitute(f, {m: times(_TWO, m)}), times(_TWO, f))
    parts = [_Doubling(steps).shown(doubled, upper=upper), _bounded(steps, at_most(negative(_LEAST), f), upper=upper)]
    lemma = write("substitution", doubling_lemma(steps), terms={_B: _LEAST}, functions={_DOUBLED: ((m,), f)})
    found = write("cut", lemma, *(_closed(steps, k) for k in parts), write("sign", formula=below(ZERO, _LEAST)))
    bound = over(number("1/12" if upper else "1/15"), INDEX)
    sides = (remainder(INDEX), bound) if upper else (bound, remainder(INDEX))
    return sum_of(steps, at_most(*sides), found)


class _Doubling:
    """2ρ(m) − ρ(2m) by the bounds of w(m)."""

    def __init__(self, steps: Steps) -> None:
        self.steps, self.write = steps, steps.write
        self.one = steps.assume(at_most(ONE, _M))

    def shown(self, goal: Term, *, upper: bool) -> int:
        """The goal about f(2m)."""
        steps, write, m = self.steps, self.write, _M
        product = node("exp", minus(log_factorial(times(_TWO, m)), times(_TWO, log_factorial(m))))
        share = times(product, node("pow", number(4), negative(m)))
        bound = self._share_bound(share, upper=not upper)
        least = write("sign", self.one, formula=below(ZERO, steps.formula(bound).parts[0]))
        logs = write("log_monotone", bound, least)
        if upper:
            t = over(_QUARTER, m)
            near = plus(plus(m, _QUARTER), over(number("1/32"), m))
            curved = write("substitution", self._second_order(), terms={_Y: t}, functions={})
            curved = write("cut", curved, write("sign", self.one, formula=at_most(ZERO, t)))
            order = sum_of(steps, at_most(near, times(m, node("exp", t))), curved, facts=(self.one,), weights=(m,))
            order = write("log_monotone", order, write("sign", self.one, formula=below(ZERO, near)))
            return sum_of(steps, goal, logs, order, facts=(self.one,), weights=(_HALF, _HALF))
        near = plus(m, _QUARTER)
        tangent = write("exp_above", term=minus(node("log", m), node("log", near)))
        room = over(ONE, times(times(number(5), m), plus(times(number(8), m), _TWO)))
        return sum_of(steps, goal, logs, tangent, self.one, facts=(self.one,), weights=(_HALF, _HALF, room))

    def _second_order(self) -> int:
        """1 + y + y²/2 ≤ e^y, from 0 ≤ y."""
        e = minus(node("exp", _Y), plus(plus(ONE, _Y), times(_HALF, power(_Y, 2))))
        found = rises(self.steps, e, [], [(self.write("exp_above", term=_T), ONE)])
        return sum_of(self.steps, at_most(plus(plus(ONE, _Y), times(_HALF, power(_Y, 2))), node("exp", _Y)), found)

    def _share_bound(self, share: Term, *, upper: bool) -> int:
        """π·(m + 1/4)·w(m)² ≤ 1, or 1 ≤ π·(m + 1/4 + 1/(32m))·w(m)²."""
        steps, write, m = self.steps, self.write, _M
        order, later = steps.assume(at_most(ZERO, m)), plus(m, ONE)
        positive = write("sign", order, formula=below(ZERO, share))
        double = times(_TWO, m)
        more = [*next_factorial(steps, m, order)]
        for t in (double, plus(double, ONE)):
            more += next_factorial(steps, t, sum_of(steps, at_most(ZERO, t), order, order))
        ratio = equal(times(times(_TWO, later), substitute(share, {m: later})), times(plus(double, ONE), share))
        step = write("linear", *more, order, formula=ratio, multipliers=[])
        start = write("linear", formula=equal(substitute(share, {m: ZERO}), ONE), multipliers=[])
        found = bound_of_shares(steps, m, share, (start, positive, step), upper=upper)
        return write("cut", write("substitution", found, terms={INDEX: m}, functions={}), self.one)


def next_factorial(steps: Steps, t: Term, least: int) -> list[int]:
    """log (t + 1)! = log t! + log(t + 1), from 0 ≤ t."""
    v = variable("v_i", "Z")
    order = sum_of(steps, at_most(ONE, plus(v, ONE)), steps.assume(at_most(ZERO, v)))
    found = last_term(steps, log_factorial(v), v, order)
    same = equal(log_factorial(plus(v, ONE)), plus(log_factorial(v), node("log", plus(v, ONE))))
    step = sum_of(steps, same, *found)
    return [steps.write("cut", steps.write("substitution", step, terms={v: t}, functions={}), least)]


def rises(steps: Steps, f: Term, signs: Sequence[Term], by: Sequence[tuple[int, Term]]) -> int:
    """f(0) ≤ f(y) from 0 ≤ y, where 0 ≤ f'(t) is the sum of steps times weights; some terms in t are positive."""
    write, f = steps.write, substitute(f, {_Y: _T})
    inside = [steps.assume(at_most(ZERO, _T)), steps.assume(at_most(_T, _Y))]
    some = [write("sign", inside[0], formula=below(ZERO, t)) for t in signs]
    slope = write("derivative", *some, function=f, variable=_T)
    goal = at_most(ZERO, steps.formula(slope).parts[1])
    up = sum_of(steps, goal, *(k for k, _ in by), facts=(*some, inside[0]), weights=tuple(w for _, w in by))
    return write("monotone", slope, up, steps.assume(at_most(ZERO, _Y)), variable=_T, low=ZERO, high=_Y)


def _bounded(steps: Steps, goal: Term, *, upper: bool) -> int:
    """−3 ≤ 1/(12m) − ρ(m) from ρ(m) ≤ 1, or −3 ≤ ρ(m) − 1/(15m) from −2 ≤ ρ(m) − 1/m, by inductions."""
    write, m, one = steps.write, _M, steps.assume(at_most(ONE, _M))
    formula = at_most(remainder(m), ONE) if upper else at_most(negative(_LEAST), minus(remainder(m), over(ONE, m)))
    pi = [write("part", write("bounds_of_pi"), number=k) for k in (0, 1)]
    log = node("log", times(_TWO, _PI))
    above = plus(ONE, _T)
    if upper:
        order = sum_of(steps, at_most(ONE, times(_TWO, _PI)), pi[0], weights=(_TWO,))
        least = write("log_monotone", order, write("sign", formula=below(ZERO, ONE)))
        base = sum_of(steps, substitute(formula, {m: ONE}), least, weights=(_HALF,))
        wide = plus(_TWO, _Y)
        f, signs = minus(node("log", plus(ONE, _Y)), over(times(_TWO, _Y), wide)), [above, plus(_TWO, _T)]
        by = (write.square(_T), over(ONE, times(above, power(plus(_TWO, _T), 2))))
    else:
        tangent = write("exp_above", term=log)
        base = sum_of(steps, substitute(formula, {m: ONE}), tangent, pi[1], weights=(_HALF, ONE))
        share = over(ONE, plus(ONE, _Y))
        f, signs = minus(times(_HALF, minus(plus(ONE, _Y), share)), node("log", plus(ONE, _Y))), [above]
        by = (write.square(minus(ONE, over(ONE, above))), _HALF)
    log_bound = write("substitution", rises(steps, f, signs, [by]), terms={_Y: over(ONE, m)}, functions={})
    log_bound = write("cut", log_bound, write("sign", one, formula=at_most(ZERO, over(ONE, m))))
    order = sum_of(steps, at_most(ZERO, m), one)
    rows = [steps.assume(formula), log_bound, *next_factorial(steps, m, order)]
    weights = (ONE, plus(m, _HALF), ONE if upper else MINUS)
    grown = sum_of(steps, substitute(formula, {m: plus(m, ONE)}), *rows, facts=(one,), weights=weights)
    every = write("induction", base, grown, variable=m, start=ONE, formula=formula)
    return sum_of(steps, goal, write("detach", write("specialize", every, at=m), one), facts=(one,))
