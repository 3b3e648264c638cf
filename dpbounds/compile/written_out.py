"""Claims in other words that a descent reads: sums between two numbers written out, the conditions of an implication as premises.

Then equations say what the sums are, as they were typed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import comb, prod
from typing import Any

import sympy

from dpbounds.compile.steps import Steps
from dpbounds.kernel.ring import WRITTEN
from dpbounds.kernel.terms import ONE, Term, at_most, equal, instantiate, node, number, plus, value
from dpbounds.language import functions
from dpbounds.language.substitution import parts_of_and

MOST_TERMS = 64
"""Terms of a sum that are written out."""


def sums_between_numbers(*parts: Any) -> set[sympy.Sum]:
    """The sums of few terms, whose ends are whole numbers."""
    found = set().union(*(part.atoms(sympy.Sum) for part in parts))
    return {s for s in found if len(s.limits) == 1 and _is_short(*s.limits[0][1:])}


def _is_short(low: Any, high: Any) -> bool:
    return bool(low.is_Integer and high.is_Integer and 0 <= high - low < MOST_TERMS)


def written_out(part: Any) -> Any:
    """A statement with the terms of its sums between numbers added up.

    >>> from sympy import Le, Sum, Symbol
    >>> j, q = Symbol("j", integer=True), Symbol("q", real=True)
    >>> written_out(Le(Sum(q**j, (j, 2, 4)), 1))
    q**4 + q**3 + q**2 <= 1
    """
    values = {}
    for total in sums_between_numbers(part):
        index, low, high = total.limits[0]
        values[total] = sympy.Add(*(total.function.subs(index, k) for k in range(int(low), int(high) + 1)))
    return functions.with_replaced(part, values)


def restated(then: Any, given: Iterable[Any]) -> tuple[Any, list[Any]]:
    """A claim with its sums between numbers written out, and with the conditions of an implication among its premises.

    >>> from sympy import Implies, log, Symbol
    >>> x = Symbol("x", real=True)
    >>> restated(Implies(x > 0, log(x) < x), [])
    (log(x) < x, [x > 0])
    """
    premises = list(given)
    while isinstance(then, sympy.Implies):
        condition, then = then.args
        premises += parts_of_and(condition)
    return written_out(then), list(map(written_out, premises))


def pieces_of(steps: Steps, total: Term) -> int | None:
    """That a sum between numbers is the sum of shorter ones, which the checker writes out; None where it does so at once."""
    ends = _numbers(total.parts[:2])
    if ends is None or ends[1] - ends[0] < WRITTEN:
        return None
    cut = number(ends[0] + WRITTEN - 1)
    inside = (total.parts[0], plus(cut, ONE)), (cut, total.parts[1])
    split = steps.write("sum_split", *(steps.write("linear", formula=at_most(a, b), multipliers=[]) for a, b in inside), total=total)
    rest = pieces_of(steps, steps.formula(split).parts[1].parts[1])
    return split if rest is None else steps.write("rewrite", split, rest)


def sums_in(t: Term) -> list[Term]:
    """The sums of a term or a formula that are in no range of another variable."""
    return [*([t] if t.tag == "sum" and not t.loose else []), *(s for part in t.parts for s in sums_in(part))]


def binomials_of(steps: Steps, parts: Iterable[Term]) -> list[int]:
    """The values of the binomial coefficients that occur where the sums between numbers in terms are written out."""
    pairs = set[tuple[int, int]]().union(*map(_coefficients_in, parts))
    return [_binomial(steps, n, k) for n, k in sorted(pairs) if 0 <= k <= n]


def _coefficients_in(t: Term) -> set[tuple[int, int]]:
    if t.tag == "sum" and (ends := _numbers(t.parts[:2])):
        low, high = ends
        terms = range(low, min(high, low + MOST_TERMS) + 1)
        return set().union(*(_coefficients_in(instantiate(t.parts[2], number(i))) for i in terms))
    found = set().union(*map(_coefficients_in, t.parts))
    if t.tag == "binom" and (pair := _numbers(t.parts)):
        found.add(pair)
    return found


def _numbers(pair: Sequence[Term]) -> tuple[int, int] | None:
    a, b = map(_whole, pair)
    return None if a is None or b is None else (a, b)


def _whole(t: Term) -> int | None:
    """The number that a sum or a product of whole numbers is."""
    if t.tag == "q":
        return int(q) if (q := value(t)) is not None and q.denominator == 1 else None
    pair = _numbers(t.parts) if t.tag in ("+", "*") else None
    return None if pair is None else sum(pair) if t.tag == "+" else prod(pair)


def _binomial(steps: Steps, n: int, k: int) -> int:
    """C(n, k) = its value, by k·C(n, k) = n·C(n − 1, k − 1) down to k = 0."""
    top = [steps.write("linear", formula=at_most(number(a), number(b)), multipliers=[]) for a, b in ((min(k, 1), k), (min(k, 1), n))]
    if k == 0:
        return steps.write("part", steps.write("binomial_positive", top[0], top[1]), number=1)
    smaller, product = _binomial(steps, n - 1, k - 1), steps.write("absorption", top[1], top[0])
    goal = equal(node("binom", number(n), number(k)), number(comb(n, k)))
    return steps.write("linear", product, smaller, formula=goal, multipliers=[number(Fraction(1, k)), number(Fraction(n, k))])
