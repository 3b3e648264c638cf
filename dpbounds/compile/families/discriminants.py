"""Claims B² ≤ A·C about sums, as those of Cauchy and Schwarz: from 0 ≤ A − 2λB + λ²C for every number λ.

That is a claim about sums in which λ is a parameter, and where A, B and C are sums it holds at each place. If C > 0 take λ = B/C. If C = 0
and B ≠ 0 then λ = (A + 1)/(2B) would say A + 1 ≤ A.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import sympy

from dpbounds.compile.library import Library
from dpbounds.compile.one_term import OneTerm
from dpbounds.compile.steps import Steps
from dpbounds.kernel.terms import ONE, ZERO, Term, at_most, below, node, number, over, plus, power, times, variable

if TYPE_CHECKING:
    from dpbounds.compile.families.search import Families


def by_discriminant(own: Families, large: Any, small: Any, goal: Term, units: Sequence[tuple[Any, Any]]) -> int | None:
    """The goal small ≤ large as B² ≤ A·C, or as B ≤ √(A·C)."""
    sums = {t.symbol for t in own.totals.values()}
    term = OneTerm(own.steps, own.symbols, ()).term
    for a, b, c, rooted in _products(large, small, sums):
        found = _squared(own, a, b, c, units)
        if found is not None and rooted:
            found = _root(own, found, [_nonnegative(own, f, units) for f in (a, c)])
        weight = sympy.S.One if rooted else small / b**2
        if found is not None and (found := own.steps.sum_of(goal, [found], [*own.signs(), *own.known], [term(weight)])) is not None:
            return found
    return None


def _products(large: Any, small: Any, sums: set[Any]) -> Iterator[tuple[Any, Any, Any, bool]]:
    """(A, B, C, whether the claim is B ≤ √(A·C)) with sums in A and in C, for a tangent of B² serves otherwise."""
    factors = sympy.Mul.make_args(sympy.powdenest(small))
    squared = all(f.is_positive and not f.free_symbols & sums or f.is_Pow and f.exp.is_Integer and f.exp % 2 == 0 for f in factors)
    roots = [f for f in sympy.Mul.make_args(large) if f.is_Pow and f.exp == sympy.S.Half and f.free_symbols & sums]
    if squared and small.free_symbols & sums:
        root = sympy.Mul(*(f.base ** (f.exp / 2) for f in factors if f.is_Pow and f.free_symbols & sums))
        whole, rooted = large * root**2 / small, False
    elif roots:
        root, whole, rooted = small, sympy.Mul(*(f.base if f in roots else f**2 for f in sympy.Mul.make_args(large))), True
    else:
        return
    moving = [f for f in sympy.Mul.make_args(whole) if f.free_symbols & sums]
    for k in range(1, len(moving)) if len(moving) < 4 else ():
        for chosen in itertools.combinations(moving, k):
            yield sympy.Mul(*chosen), root, whole / sympy.Mul(*chosen), rooted


def _root(own: Families, step: int, signs: Sequence[int | None]) -> int | None:
    """B ≤ √A·√C from B² ≤ A·C, 0 ≤ A and 0 ≤ C."""
    if None in signs:
        return None
    steps, marks = own.steps, [variable(f"{name}_", "R") for name in "abc"]
    a, b, c = marks
    least = [steps.assume(at_most(ZERO, f)) for f in (a, c)]
    below_ = Library(steps).below_root(b, times(a, c), steps.assume(at_most(power(b, 2), times(a, c))), strict=False)
    goal = at_most(b, times(*(node("pow", f, number("1/2")) for f in (a, c))))
    lemma = steps.write("linear", below_, *least, formula=goal, multipliers=[ONE])
    square, product = steps.formula(step).parts
    values = (product.parts[0], square.parts[0], product.parts[1])
    return Library(steps).instance(lemma, dict(zip(marks, values, strict=True)), step, *(k for k in signs if k is not None))


def _nonnegative(own: Families, e: Any, units: Sequence[tuple[Any, Any]]) -> int | None:
    goal = at_most(ZERO, own.valued(OneTerm(own.steps, own.symbols, ()).term(e)))
    found = own.steps.attempt("sign", *own.signs(), *own.known, formula=goal)
    return found if found is not None else own.shown(e, sympy.S.Zero, goal, units)


def _squared(own: Families, a: Any, b: Any, c: Any, units: Sequence[tuple[Any, Any]]) -> int | None:
    """B² ≤ A·C."""
    steps = own.steps
    factor, multiplier = own.parameter("multiplier")
    values = [own.valued(OneTerm(steps, own.symbols, ()).term(e)) for e in (a, b, c)]
    goal = _at(multiplier, *values)
    step = own.shown(a + factor**2 * c, 2 * factor * b, goal, units)
    least = None if step is None else _nonnegative(own, c, units)
    if step is None or least is None:
        return None
    lemma, marks = _lemma(steps)
    instances = [
        steps.write("substitution", step, terms={multiplier: term}, functions={})
        for term in (over(values[1], values[2]), _beyond(values[0], values[1]))
    ]
    return Library(steps).instance(lemma, dict(zip(marks, values, strict=True)), *instances, least)


def _at(multiplier: Term, a: Term, b: Term, c: Term) -> Term:
    """2λB ≤ A + λ²C."""
    return at_most(times(number(2), times(multiplier, b)), plus(a, times(power(multiplier, 2), c)))


def _beyond(a: Term, b: Term) -> Term:
    """(A + 1)·B/(2B²)."""
    return times(times(number("1/2"), plus(a, ONE)), times(b, power(power(b, 2), -1)))


def _lemma(steps: Steps) -> tuple[int, list[Term]]:
    """b² ≤ a·c from two values of λ and 0 ≤ c."""
    a, b, c = marks = [variable(f"{name}_", "R") for name in "uvw"]
    first, second = (steps.assume(_at(term, a, b, c)) for term in (over(b, c), _beyond(a, b)))
    least, goal = steps.assume(at_most(ZERO, c)), at_most(power(b, 2), times(a, c))
    split = steps.write("total_order", left=c, right=ZERO)
    zero, some = (steps.assume(f) for f in steps.formula(split).parts)
    positive = steps.write("linear", first, some, formula=goal, multipliers=[c])
    nothing = steps.write("antisymmetric", zero, least)
    inner = steps.write("total_order", left=power(b, 2), right=ZERO)
    none, more = (steps.assume(f) for f in steps.formula(inner).parts)
    plain = steps.write("linear", none, nothing, formula=goal, multipliers=[ONE, times(number(-1), a)])
    wrong = steps.write("linear", second, nothing, more, formula=below(ZERO, ZERO), multipliers=[ONE, power(_beyond(a, b), 2)])
    absurd = steps.write("absurd", wrong, steps.write("irreflexive", term=ZERO), formula=goal)
    return steps.write("cases", split, steps.write("cases", inner, plain, absurd), positive), marks
