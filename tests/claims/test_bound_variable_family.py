"""Random statements with bound variables under every assumption, against direct evaluation on exact numbers.

sympy writes a term by what its symbol assumes, so every verdict is compared with what was typed: a function of real numbers in Python.
"""

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pytest
import sympy
from sympy import Abs, Eq, Integral, Max, Min, Piecewise, Rational, Sum, Symbol, sqrt

from dpbounds.claims.claim import Claim
from dpbounds.claims.settling import settle
from dpbounds.claims.statement.expression_text import read_expression
from dpbounds.claims.verdict import Verdict
from dpbounds.errors import ClaimError
from dpbounds.language.functions import Infimum, Supremum
from dpbounds.language.symbols import real

X = real("x")
REAL = [{}, {"nonnegative": True}, {"positive": True}, {"nonpositive": True}, {"negative": True}, {"nonzero": True}]
WHOLE = [{"integer": True} | traits for traits in REAL] + [{"even": True}, {"odd": True}]
ENDS: list[Callable[[Any], Any]] = [
    lambda x: x,
    lambda x: -x,
    lambda x: x + 1,
    lambda x: x - 2,
    lambda x: abs(x),
    lambda x: -abs(x),
    *((lambda x, n=n: n + 0 * x) for n in (-3, -1, 0, 1, 2, 6)),
]


@dataclass(frozen=True)
class Body:
    """A term as it is typed in sympy, as a function of real numbers, and that function's integral from 0."""

    typed: Callable[[Any], Any]
    value: Callable[[Fraction], Fraction]
    integral: Callable[[Fraction], Fraction] | None
    breaks: tuple[int, ...] = (0,)


BODIES = [
    Body(lambda v: Abs(v), abs, lambda t: t * abs(t) / 2),
    Body(lambda v: sqrt(v**2), abs, lambda t: t * abs(t) / 2),
    Body(lambda v: Max(v, 0), lambda t: max(t, Fraction(0)), lambda t: max(t, Fraction(0)) ** 2 / 2),
    Body(lambda v: Min(v, 0), lambda t: min(t, Fraction(0)), lambda t: min(t, Fraction(0)) ** 2 / 2),
    Body(lambda v: Max(v, -v, 1), lambda t: max(abs(t), Fraction(1)), None, (-1, 0, 1)),
    Body(lambda v: v * Abs(v), lambda t: t * abs(t), lambda t: abs(t) ** 3 / 3),
    Body(lambda v: v - Abs(v), lambda t: t - abs(t), lambda t: t**2 / 2 - t * abs(t) / 2),
    Body(lambda v: sympy.sign(v) * v, abs, lambda t: t * abs(t) / 2),
    Body(lambda v: Piecewise((v, v > 0), (-2 * v, True)), lambda t: t if t > 0 else -2 * t, None),
    Body(lambda v: Piecewise((5, Eq(v, 0)), (0, True)), lambda t: Fraction(5 * (t == 0)), lambda t: Fraction(0)),
    Body(lambda v: Abs(v + 1), lambda t: abs(t + 1), None, (-1, 0)),
    Body(lambda v: v**2, lambda t: t**2, lambda t: t**3 / 3),
]


def value_of(kind: str, body: Body, low: Fraction, high: Fraction) -> Fraction | None:
    """What was typed, of real numbers; None where there is no value."""
    if kind == "Sum":
        whole = low.denominator == high.denominator == 1 and high >= low - 1
        return sum((body.value(Fraction(k)) for k in range(int(low), int(high) + 1)), Fraction(0)) if whole else None
    if kind == "Integral":
        assert body.integral is not None
        return body.integral(high) - body.integral(low)
    if not low < high:
        return None
    inside = [Fraction(b) for b in body.breaks if low < b < high]
    near = [low + (high - low) / 10**6, high - (high - low) / 10**6]
    jumps = body.value(Fraction(0)) == 5  # the only body that is not continuous
    values = [body.value(t) for t in (*inside, *(near if jumps else (low, high)))]
    return max(values) if kind == "Supremum" else min(values)


def statement(rng: random.Random) -> tuple[Callable[[], Claim], Callable[[Fraction], bool | None], tuple[Fraction, Fraction]]:
    """A claim, its truth at a point, and the range of x."""
    kind = rng.choice(["Supremum", "Infimum", "Supremum", "Infimum", "Integral", "Sum"])
    traits = rng.choice(WHOLE if kind == "Sum" else [*REAL, {"integer": True}] if rng.random() < 0.1 else REAL)
    v = Symbol("v", **({"real": True} if not traits.get("integer") else {}), **traits)
    body = rng.choice([b for b in BODIES if kind != "Integral" or b.integral is not None])
    low, high = rng.choice(ENDS), rng.choice(ENDS)
    if (far := rng.random()) < 0.7:  # one end moves, and the range is not empty
        low, high = (rng.choice(ENDS[:4]), ENDS[-1]) if far < 0.4 else (lambda x: -9 + 0 * x, rng.choice(ENDS[:4]))
    first = Fraction(rng.randint(-8, 2), 1 if kind == "Sum" else 2)
    last = first if kind == "Sum" else first + Fraction(rng.randint(0, 6), 2)
    at = rng.choice([first, last, (first + last) / 2])
    reached = value_of(kind, body, Fraction(low(at)), Fraction(high(at)))
    bound = (reached if reached is not None else Fraction(1)) + Fraction(rng.randint(-3, 6), 4)
    below = rng.random() < 0.6
    factor, more = rng.choice([(1, 0), (1, 0), (2, 1), (-1, 2)])

    def truth(x: Fraction) -> bool | None:
        value = value_of(kind, body, Fraction(low(x)), Fraction(high(x)))
        return None if value is None else (factor * value + more <= bound) if below else (factor * value + more >= bound)

    def claim() -> Claim:
        made: Any = {"Supremum": Supremum, "Infimum": Infimum, "Integral": Integral, "Sum": Sum}[kind](body.typed(v), (v, low(X), high(X)))
        relation = sympy.Le if below else sympy.Ge
        left = sympy.Add(sympy.Mul(factor, made, evaluate=False) if factor != 1 else made, more, evaluate=False) if more else made
        then = relation(left, Rational(bound.numerator, bound.denominator), evaluate=False)
        ends = [sympy.Ge(X, Rational(first), evaluate=False), sympy.Le(X, Rational(last), evaluate=False)]
        return Claim(id="random", then=then, given=ends)

    return claim, truth, (first, last)


def outcome_of(seed: int, budget: float = 0.3) -> tuple[str, str]:
    """The verdict, and what is wrong with it, if anything is."""
    make, truth, (first, last) = statement(random.Random(seed))
    try:
        claim = make()
    except ClaimError:
        return "refused", ""
    found = settle(claim, budget=budget, contained=True)
    if found.verdict is Verdict.CERTIFIED:
        places = [first + (last - first) * Fraction(k, 24) for k in range(25)]
        wrong = [x for x in places if truth(x) is not True]
        return "CERTIFIED", f"{claim.then} on [{first}, {last}] is {truth(wrong[0])} at x = {wrong[0]}" if wrong else ""
    if found.verdict is Verdict.REFUTED:
        assert found.certificate is not None
        point = found.certificate["evidence"]["point"]
        x = read_expression(point["x"]) if "x" in point else Rational(first)
        place = Fraction(int(x.p), int(x.q))
        return "REFUTED", "" if truth(place) is False else f"{claim.then} is {truth(place)} at x = {place}"
    return "UNDECIDED", ""


QUICK = (*range(15), 16, 17, 21, 26, 37)
"""The first seeds, and those that reach lines which no other quick test reaches."""


@pytest.mark.parametrize("seed", [pytest.param(seed, marks=[pytest.mark.slow] * (seed not in QUICK)) for seed in range(100)])
def test_no_random_statement_with_a_bound_variable_gets_a_wrong_verdict(seed: int) -> None:
    _, wrong = outcome_of(seed)
    assert not wrong


@pytest.mark.slow
@pytest.mark.parametrize("start", range(100, 2200, 300))
def test_no_random_statement_of_thousands_gets_a_wrong_verdict(start: int) -> None:
    found = [outcome_of(seed) for seed in range(start, start + 300)]
    assert not [wrong for _, wrong in found if wrong]
    counts = Counter(verdict for verdict, _ in found)
    assert counts["CERTIFIED"] >= 3 and counts["REFUTED"] >= 3 and counts["UNDECIDED"] + counts["refused"] >= 3
