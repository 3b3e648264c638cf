"""Sums and integrals compared through their terms: N = B − w or N = B + w with some number w ≥ 0, where B is simpler than N.

A certificate names B; what follows has the new variable w ≥ 0, whatever it is. Each rule is a theorem, and its conditions are inequalities
that have certificates of their own, on the box of the statement and with its premises. Such a certificate shows that both sides are defined
wherever it speaks of them, so f and g are continuous on the closed range of their variable.

* "terms" of N = ∫_a^b f or Σ_{k=a}^b f, with a ≤ b (for a sum, a ≤ b + 1): f ≤ g for all real values in [a, b] gives N = B − w for the
  integral or sum B of g, and f ≥ g gives N = B + w. When g does not speak of the variable, B = g·(b − a), for a sum g·(b − a + 1).
  For b = ∞, 0 ≤ f ≤ g is shown, so N is finite when B is; and a g that does not speak of the variable is 0 or has no such B.
  With "beside", some factors h of the terms of a sum that are not negative: C(M, k) or 1/k! with k ≥ 0 throughout, or others of which it is
  shown. It is enough to compare what stands beside them, f = h·f₀ and g = h·g₀ with f₀ ≤ g₀.
* "monotone" of N = Σ_{k=a}^b f(k), f(t) ≥ f(t + s) for all real t ≥ a and s ≥ 0. Then f(k + 1) ≤ ∫_k^{k+1} f ≤ f(k) for every k ≥ a, so
  N = f(a) + ∫_a^b f − w when a ≤ b, and N = ∫_a^{b+1} f + w when a ≤ b + 1. When f(t) ≤ f(t + s) instead, w changes its sign.
  For b = ∞: if the integral is finite, f tends to 0 and keeps one sign, so that N is finite too.

An integral to ∞ that is left in B is shown to be finite by the rule that gives its closed form; nothing else reads it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar

import sympy

from dpbounds.descent import polynomials as poly
from dpbounds.descent.induction import Elsewhere
from dpbounds.descent.integrals.sums import Closed, SumOrIntegral, at_end, is_coefficient, is_factorial, is_whole_multiple, least_first
from dpbounds.descent.interval import Interval
from dpbounds.descent.logarithms import require_counts
from dpbounds.descent.polynomials import Quotient
from dpbounds.descent.problem import Problem
from dpbounds.descent.reading import TowerReader
from dpbounds.descent.refusal import need
from dpbounds.descent.tower import Tower
from dpbounds.descent.written import expression_of, row_of
from dpbounds.language.functions import unevaluated

_STEP = "step"
"""The name of s in f(t + s)."""


def problem_of_terms(problem: Problem, bound: SumOrIntegral, large: sympy.Expr, small: sympy.Expr) -> Problem:
    """small ≤ large for all real values of the variable between the ends, these included."""
    box, premises = {**problem.box, bound.name: Interval()}, list(problem.premises)
    t, low, high = sympy.Symbol(bound.name), bound.low, bound.high
    need(not _speaks(problem, bound.name), "a premise that speaks of the variable of a sum or an integral")
    if low.is_Rational:
        box[bound.name] = replace(box[bound.name], low=Fraction(int(low.p), int(low.q)), low_closed=True)
    else:
        premises.append((t, low, False))
    if high.is_Rational:
        box[bound.name] = replace(box[bound.name], high=Fraction(int(high.p), int(high.q)), high_closed=True)
    elif high is not sympy.oo:
        premises.append((high, t, False))
    return Problem(large, small, False, box, tuple(premises), problem.meanings)


def problem_of_ends(problem: Problem, bound: SumOrIntegral, room: int) -> Problem | None:
    """a ≤ b + room; None for b = ∞."""
    if bound.high is sympy.oo:
        return None
    high = sympy.Add(bound.high, room, evaluate=False) if room else bound.high
    return Problem(high, bound.low, False, problem.box, problem.premises, problem.meanings)


@dataclass(frozen=True)
class Monotone(Problem):
    """side·f(t) ≥ side·f(t + s), where `large` is f and `small` is 0."""

    compares: ClassVar[bool] = False
    variable: str = ""
    side: int = 1

    def free(self) -> tuple[Tower, Quotient, tuple[Quotient, ...]]:
        """The difference, and the premises, over a free tower."""
        tower = Tower()
        here = TowerReader(tower, self.ranges, self.meanings)
        later = poly.sum_of([here.read(sympy.Symbol(self.variable)), here.read(sympy.Symbol(_STEP))])
        now, then = here.read(self.large), Elsewhere(here, self.variable, later).read(self.large)
        gap = poly.sum_of([(poly.scaled(now[0], self.side), now[1]), (poly.scaled(then[0], -self.side), then[1])])
        known = (poly.sum_of([here.read(a), (poly.scaled(n, -1), d)]) for a, b, _ in self.premises for n, d in (here.read(b),))
        return tower, gap, tuple(known)


def problem_of_monotone(problem: Problem, bound: SumOrIntegral, side: int, integers: frozenset[str]) -> Monotone:
    """That the terms of a sum fall from its least first one on (side 1), or rise (side −1)."""
    need(_STEP not in problem.box and _STEP not in problem.meanings and bound.name != _STEP, "a name that is taken")
    need(not _speaks(problem, bound.name) and not _speaks(problem, _STEP), "a premise that speaks of the variable of a sum")
    start, zero = Interval(Fraction(least_first(problem, bound, integers)), None, True, False), Interval(Fraction(0), None, True, False)
    box = {**problem.box, bound.name: start, _STEP: zero}
    return Monotone(bound.term, sympy.S.Zero, False, box, problem.premises, problem.meanings, variable=bound.name, side=side)


def terms(problem: Problem, bound: SumOrIntegral, row: Mapping[str, Any], integers: frozenset[str], rest: str) -> Closed:
    """f ≤ g (side 1) or f ≥ g (side −1) for all terms."""
    side, is_sum, infinite = row["side"], isinstance(bound.node, sympy.Sum), bound.high is sympy.oo
    need(side in (1, -1) and (side == 1 or not infinite), "no such side")
    need(not is_sum or ends_at_integer(bound, integers), "a sum that does not run between integers")
    g = expression_of(row["of"], (*problem.box, bound.name))
    f, kept = bound.term, ()
    if "beside" in row:
        f, kept = beside(problem, bound, row["beside"], integers)
    t = sympy.Symbol(bound.name)
    if "beside" in row:
        own = sympy.Mul(*kept, *sympy.Mul.make_args(g), evaluate=False)
        return _less(unevaluated(sympy.Sum, own, (t, bound.low, bound.high)), side, rest)
    if t in g.free_symbols:
        return _less(unevaluated(type(bound.node), g, (t, bound.low, bound.high)), side, rest)
    need(not infinite, "a sum or an integral of numbers to infinity")
    length = sympy.Add(bound.high, sympy.Mul(-1, bound.low, evaluate=False), int(is_sum), evaluate=False)
    return _less(sympy.Mul(g, length, evaluate=False), side, rest)


def beside(problem: Problem, bound: SumOrIntegral, rows: Any, integers: frozenset[str]) -> tuple[sympy.Expr, tuple[sympy.Expr, ...]]:
    """What stands beside some factors of the terms of a sum, and those factors in variables of the same names.

    Each row has the place of a factor: C(M, k) or 1/k!, or another one with a certificate that it is not negative.

    Raises:
        Refused: a factor that may be negative.
    """
    factors = list(sympy.Mul.make_args(bound.term))
    places = [at for at, _ in rows]
    need(isinstance(bound.node, sympy.Sum) and 0 < len(places) < len(factors), "nothing beside them")
    others = [factor for at, factor in enumerate(factors) if at not in places]
    kept = tuple(_not_negative(problem, bound, factors[at], proof, integers) for at, proof in rows)
    return others[0] if len(others) == 1 else sympy.Mul(*others, evaluate=False), kept


def _not_negative(problem: Problem, bound: SumOrIntegral, factor: sympy.Expr, proof: Any, integers: frozenset[str]) -> sympy.Expr:
    k = sympy.Symbol(bound.name)
    if is_coefficient(factor, bound.name):
        need(least_first(problem, bound, integers) >= 0, "a sum that begins below 0")
        row = expression_of(row_of(factor.args[0]), problem.box)
        require_counts(problem, [row], integers)
        return sympy.binomial(row, k, evaluate=False)
    if is_factorial(factor, bound.name):
        need(least_first(problem, bound, integers) >= 0, "a sum that begins below 0")
        return sympy.Pow(sympy.factorial(k, evaluate=False), -1, evaluate=False)
    own = expression_of(row_of(factor), (*problem.box, bound.name))
    need(proof is not None, "a factor that may be negative")
    return own


def monotone(problem: Problem, bound: SumOrIntegral, row: Mapping[str, Any], integers: frozenset[str], rest: str) -> Closed:
    """A sum of terms that fall (side 1) or rise (side −1), and the integral from a to b, with f(a), or to b + 1, without."""
    side, head = row["side"], row["head"]
    need(isinstance(bound.node, sympy.Sum) and ends_at_integer(bound, integers), "no sum between integers")
    t = sympy.Symbol(bound.name)
    of = row_of(bound.term)
    f = expression_of(of, (*problem.box, bound.name))
    if head:
        area = unevaluated(sympy.Integral, f, (t, bound.low, bound.high))
        return _less(sympy.Add(at_end(of, bound, bound.low, problem), area, evaluate=False), side, rest)
    high = sympy.oo if bound.high is sympy.oo else sympy.Add(bound.high, 1, evaluate=False)
    return _less(unevaluated(sympy.Integral, f, (t, bound.low, high)), -side, rest)


def _less(value: sympy.Expr, side: int, rest: str) -> Closed:
    """B − side·w."""
    w = sympy.Mul(-side, sympy.Symbol(rest), evaluate=False)
    return sympy.Add(value, w, evaluate=False), {rest: Interval(Fraction(0), None, True, False)}


def ends_at_integer(bound: SumOrIntegral, integers: frozenset[str]) -> bool:
    """Whether a sum begins at an integer and ends at one, or at infinity."""
    ends = [bound.low] if bound.high is sympy.oo else [bound.low, bound.high]
    return all(is_whole_multiple(part, integers) for end in ends for part in sympy.Add.make_args(end))


def _speaks(problem: Problem, name: str) -> bool:
    """Whether a premise or a meaning speaks of a name, which then has another meaning there."""
    sides = [side for large, small, _ in problem.premises for side in (large, small)]
    return any(s.name == name for side in (*sides, *problem.meanings.values()) for s in side.free_symbols)
