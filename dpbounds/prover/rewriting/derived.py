"""Facts of order that are no rules of the checker: each is a few steps by cases, or one step of `linear` or `ring` under its premises.

The checker's `ring` says what max, min and |·| are where the order of their arguments is a premise, and that e^a ≤ e^b where a ≤ b is one.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Protocol

from dpbounds.kernel.terms import ONE, ZERO, Refused, Term, at_most, equal, minus, need, negative, node, plus


class Write(Protocol):
    """Takes a step and returns its number."""

    def __call__(self, rule: str, *by: int, **given: object) -> int: ...

    def formula(self, step: int) -> Term:
        """What a step says."""


def _by_order(write: Write, a: Term, b: Term, goal: Term, *by: tuple[int, ...]) -> int:
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
    return write("conjunction", *(_by_order(write, left, right, goal) for goal in every))


def maximum_least(write: Write, first: int, second: int) -> int:
    """a ≤ c and b ≤ c give max(a, b) ≤ c."""
    (a, c), (b, d) = write.formula(first).parts, write.formula(second).parts
    need(c == d, "the premises bound by different terms")
    return _by_order(write, a, b, at_most(node("max", a, b), c), (second,), (first,))


def minimum_greatest(write: Write, first: int, second: int) -> int:
    """c ≤ a and c ≤ b give c ≤ min(a, b)."""
    (c, a), (d, b) = write.formula(first).parts, write.formula(second).parts
    need(c == d, "the premises bound different terms")
    return _by_order(write, a, b, at_most(c, node("min", a, b)), (first,), (second,))


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


_FUNCTIONS = (absolute, exp_monotone, integrable_congruence, integral_congruence, larger, log_monotone, maximum, maximum_least)
DERIVED: dict[str, Callable[..., int]] = {f.__name__: f for f in (*_FUNCTIONS, minimum_greatest, power_antitone, reflexive)}
"""What a writer may ask for like a rule."""
