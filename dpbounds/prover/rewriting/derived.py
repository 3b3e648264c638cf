"""Facts that are no rules of the checker: each is a few steps, by cases, or one step of `linear` or `ring` under its premises.

The checker's `ring` says what max, min and |·| are where the order of their arguments is a premise, and that e^a ≤ e^b where a ≤ b is one.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Protocol

from dpbounds.kernel.sequents import Sequent
from dpbounds.kernel.terms import (
    MINUS,
    ONE,
    ZERO,
    Refused,
    Term,
    at_most,
    below,
    equal,
    instantiate,
    minus,
    need,
    negative,
    node,
    plus,
    power,
    times,
    value,
    variable,
)


class Write(Protocol):
    """Takes a step and returns its number."""

    steps: list[Sequent]

    def __call__(self, rule: str, *by: int, **given: object) -> int: ...

    def formula(self, step: int) -> Term:
        """What a step says."""


def by_order(write: Write, a: Term, b: Term, goal: Term, *by: tuple[int, ...]) -> int:
    """The goal by cases: a ≤ b, where it follows from the first of some steps, and b < a, where it follows from the second."""
    split = write("total_order", left=a, right=b)
    cases = [write("hypothesis", formula=case) for case in write.formula(split).parts]
    multipliers = [[ONE] * len(used) for used in by] or [[], []]
    shown = zip(cases, by or ((), ()), multipliers, strict=True)
    return write("cases", split, *(write("linear", *used, case, formula=goal, multipliers=m) for case, used, m in shown))


def maximum(write: Write, left: Term, right: Term) -> int:
    """⊢ a ≤ max(a, b), b ≤ max(a, b), min(a, b) ≤ a, min(a, b) ≤ b, max(a, b) + min(a, b) = a + b."""
    high, low = node("max", left, right), node("min", left, right)
    bounds = [at_most(left, high), at_most(right, high), at_most(low, left), at_most(low, right)]
    every = [*bounds, equal(plus(high, low), plus(left, right))]
    return write("conjunction", *(by_order(write, left, right, goal) for goal in every))


def maximum_least(write: Write, first: int, second: int) -> int:
    """a ≤ c and b ≤ c give max(a, b) ≤ c."""
    (a, c), (b, d) = write.formula(first).parts, write.formula(second).parts
    need(c == d, "the premises bound by different terms")
    return by_order(write, a, b, at_most(node("max", a, b), c), (second,), (first,))


def minimum_greatest(write: Write, first: int, second: int) -> int:
    """c ≤ a and c ≤ b give c ≤ min(a, b)."""
    (c, a), (d, b) = write.formula(first).parts, write.formula(second).parts
    need(c == d, "the premises bound different terms")
    return by_order(write, a, b, at_most(c, node("min", a, b)), (first,), (second,))


def _equations(write: Write, by: int, *pairs: tuple[Term, Term]) -> int:
    return write("conjunction", *(write("ring", by, formula=equal(*pair)) for pair in pairs))


def larger(write: Write, order: int) -> int:
    """a ≤ b gives max(a, b) = b, max(b, a) = b, min(a, b) = a, min(b, a) = a."""
    a, b = write.formula(order).parts
    highs, lows = ([node(tag, *pair) for pair in ((a, b), (b, a))] for tag in ("max", "min"))
    return _equations(write, order, *((high, b) for high in highs), *((low, a) for low in lows))


def absolute(write: Write, sign: int) -> int:
    """0 ≤ a gives |a| = a and |−a| = a."""
    a = write.formula(sign).parts[1]
    return _equations(write, sign, (node("abs", a), a), (node("abs", negative(a)), a))


def exp_monotone(write: Write, order: int) -> int:
    """a ≤ b gives e^a ≤ e^b; also < and =: by the sign of the difference, or from e^{b − a} ≥ 1 + b − a."""
    tag, (a, b) = write.formula(order).tag, write.formula(order).parts
    need(tag in ("<=", "<", "="), "an order is wanted")
    low, high = node("exp", a), node("exp", b)
    goal = node(tag, low, high)
    with suppress(Refused):
        return write("congruence", order, term=low) if tag == "=" else write("linear", order, formula=goal, multipliers=[])
    above = write("exp_above", term=minus(b, a))
    return write("linear", above, order, formula=goal, multipliers=[low, low])


def log_monotone(write: Write, order: int, positive: int) -> int:
    """a ≤ b and 0 < a give log a ≤ log b; also < and =: otherwise e^{log b} and e^{log a} were in the wrong order."""
    tag, (a, b) = write.formula(order).tag, write.formula(order).parts
    need(tag in ("<=", "<", "=") and write.formula(positive) == node("<", ZERO, a), "an order and a sign are wanted")
    logs = node("log", a), node("log", b)
    if tag == "=":
        return write("congruence", order, term=logs[0])
    goal, wrong = node(tag, *logs), node("<" if tag == "<=" else "<=", *reversed(logs))
    split = (
        write("total_order", left=goal.parts[0], right=goal.parts[1]) if tag == "<=" else write("total_order", left=logs[1], right=logs[0])
    )
    right, other = (write("hypothesis", formula=f) for f in (goal, wrong))
    above = write("linear", positive, order, formula=node("<", ZERO, b), multipliers=[ONE, ONE])
    turned = exp_monotone(write, other)
    never = write("linear", turned, order, positive, above, formula=node("<", a, a), multipliers=[ONE, ONE])
    absurd = write("absurd", never, write("irreflexive", term=a), formula=goal)
    return write("cases", split, *((right, absurd) if tag == "<=" else (absurd, right)))


def power_antitone(write: Write, positive: int, order: int, exponent: int) -> int:
    """0 < a, a ≤ b and r ≤ 0 give b^r ≤ a^r."""
    (a, b), r = write.formula(order).parts, write.formula(exponent).parts[0]
    need(write.formula(positive).parts == (ZERO, a) and write.formula(exponent).parts[1] == ZERO, "the signs of others are shown")
    logs = log_monotone(write, order, positive)
    above = write("linear", positive, order, formula=node("<", ZERO, b), multipliers=[ONE, ONE])
    low, high = (node("*", r, node("log", side)) for side in (b, a))
    fall = write("linear", logs, exponent, positive, above, formula=at_most(low, high), multipliers=[negative(r)])
    grown = exp_monotone(write, fall)
    signs = (positive, above)
    return write("linear", grown, *signs, formula=at_most(node("pow", b, r), node("pow", a, r)), multipliers=[ONE])


def reflexive(write: Write, term: Term) -> int:
    """⊢ a = a."""
    return write("ring", formula=equal(term, term))


def integral_congruence(write: Write, same: int, variable: Term) -> int:
    """a(x) = b(x) for every x gives ∫ a = ∫ b."""
    return write("part", write("equal_functions", same, variable=variable), number=0)


def integrable_congruence(write: Write, same: int, integrable: int, variable: Term) -> int:
    """a(x) = b(x) for every x and a integrable: b is integrable."""
    return write("detach", write("part", write("equal_functions", same, variable=variable), number=1), integrable)


def cut(write: Write, step: int, *proofs: int) -> int:
    """Γ, H₁, … ⊢ F and Δᵢ ⊢ Hᵢ give Γ, Δ₁, … ⊢ F: each H that is among the hypotheses is discharged, and detached again."""
    for proof in proofs:
        shown = write.formula(proof)
        if shown in write.steps[step].hypotheses:
            step = write("detach", write("discharge", step, formula=shown), proof)
    return step


def congruence(write: Write, same: int, term: Term) -> int:
    """a = b gives t = t with b for a: ∀u (u = t → u = t with b for a), at t."""
    said = write.steps[same]
    taken = {x.data[0] if isinstance(x, Term) else x for f in (term, said.formula, *said.hypotheses) for x in f.free}
    taken = {name[0] if isinstance(name, tuple) else name for name in taken}
    u = variable(next(name for k in range(len(taken) + 1) if (name := f"same{k}") not in taken), "R")
    start = equal(u, term)
    moved = write("discharge", write("rewrite", write("hypothesis", formula=start), same), formula=start)
    every = write("generalize", moved, variable=u)
    return write("detach", write("specialize", every, at=term), reflexive(write, term))


def sum_single(write: Write, total: Term) -> int:
    """⊢ Σ_l^l f = f(l): moved to a sum from 0 to 0, which the ring writes out."""
    low, high, body = total.parts
    need(low == high, "the sum has more than one term")
    goal = equal(total, instantiate(body, low))
    if value(low) is not None:
        return write("ring", formula=goal)
    shift = write("sum_shift", total=total, by=negative(low))
    moved = write.formula(shift).parts[1]
    return write("rewrite", shift, write("ring", formula=equal(moved, goal.parts[1])))


def power_of_zero(write: Write, positive: int) -> int:
    """0 < r gives 0^r = 0."""
    return write("ring", positive, formula=equal(node("pow", ZERO, write.formula(positive).parts[1]), ZERO))


def valley(write: Write, first: int, sign: int, *ends: int, variable: Term, low: Term, high: Term, at: Term, to: Term) -> int:
    """f' = d on [a, b], 0 ≤ d(x)·(x − u) inside, and u, v in [a, b], give f(u) ≤ f(v): f rises from u to v, or falls from v to u.

    The last premises are a ≤ u, u ≤ b, a ≤ v, v ≤ b.
    """
    need(len(ends) == 4, "the points are not shown to lie in the interval")
    slope, distance = write.formula(first).parts[1], minus(variable, at)
    split = write("total_order", left=at, right=to)
    branches = []
    for case, (start, end) in zip(write.formula(split).parts, ((at, to), (to, at)), strict=True):
        ordered = write("hypothesis", formula=case)
        rises = start == at and case.tag == "<="
        below_, above = (ends[0], ends[3]) if rises else (ends[2], ends[1])
        known = [
            _sum_of(write, node(tag, *pair), write("hypothesis", formula=f), by)
            for tag in ("<=", "<")
            for by, pair, f in ((below_, (low, variable), node(tag, start, variable)), (above, (variable, high), node(tag, variable, end)))
        ]
        beyond = node("<", at, variable) if rises else node("<", variable, at)
        side = _sum_of(write, below(ZERO, distance) if rises else below(distance, ZERO), write("hypothesis", formula=beyond))
        shown = cut(write, _sign_of_factor(write, slope, distance, rises), cut(write, sign, *known), side)
        order = ordered if rises else _sum_of(write, at_most(start, end), ordered)
        branches.append(write("monotone", cut(write, first, *known[:2]), shown, order, variable=variable, low=start, high=end))
    return write("cases", split, *branches)


def _sum_of(write: Write, goal: Term, *by: int) -> int:
    """The goal from the sum of some steps."""
    return write("linear", *by, formula=goal, multipliers=[ONE] * len(by))


def _sign_of_factor(write: Write, factor: Term, other: Term, positive: bool) -> int:
    """0 ≤ d·s ⊢ 0 ≤ d where 0 < s, and d ≤ 0 where s < 0; for two names first, which are the factors then."""
    d, s = variable("slope_", "R"), variable("step_", "R")
    product, sign = (write("hypothesis", formula=f) for f in (at_most(ZERO, times(d, s)), below(ZERO, s) if positive else below(s, ZERO)))
    goal, multiplier = (at_most(ZERO, d), power(s, -1)) if positive else (at_most(d, ZERO), times(MINUS, power(s, -1)))
    shown = write("linear", product, sign, formula=goal, multipliers=[multiplier])
    return write("substitution", shown, terms={d: factor, s: other}, functions={})


_FUNCTIONS = (absolute, exp_monotone, integrable_congruence, integral_congruence, larger, log_monotone, maximum, maximum_least)
_STEPS = (congruence, cut, power_of_zero, sum_single, valley)
DERIVED: dict[str, Callable[..., int]] = {f.__name__: f for f in (*_FUNCTIONS, minimum_greatest, power_antitone, reflexive, *_STEPS)}
"""What a writer may ask for like a rule."""
