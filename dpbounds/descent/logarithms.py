"""Statements with factorials in which they cancel, and binomial coefficients less than a whole row of them.

With R = large/small > 0 the statement is log R ≥ 0, in which factorials z! and (z + m)! are one and a few logarithms.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction

import sympy

from dpbounds.descent import polynomials as poly
from dpbounds.descent.polynomials import ONE
from dpbounds.descent.problem import Problem
from dpbounds.descent.ratio import Start
from dpbounds.descent.reading import TowerReader
from dpbounds.descent.refusal import need
from dpbounds.descent.tower import Tower


def logarithm_of(problem: Problem) -> Start:
    """log R ≥ 0 on the whole domain: both sides are positive since their logarithms are defined.

    Raises:
        Refused: the statement has cases.
    """
    need(not problem.nodes, "a logarithm of cases")
    return Start(problem.large, problem.small, problem.strict, problem.box, problem.premises, problem.meanings)


def exponential_of(problem: Problem) -> Problem:
    """e^small ≤ e^large says what small ≤ large does: exp rises. So log n! beside other terms becomes n! in a product.

    Raises:
        Refused: it is no comparison of two sides.
    """
    need(problem.compares, "exponentials of what is not compared")
    return replace(problem, large=sympy.exp(problem.large, evaluate=False), small=sympy.exp(problem.small, evaluate=False))


def bounded(problem: Problem, x: sympy.Expr, y: sympy.Expr, integers: frozenset[str]) -> Problem:
    """(x + y)^a·x^(−b)·y^(b − a) in the place of a factor C(a, b) of the smaller side.

    It is not less for x, y > 0 and integers a ≥ 0 and b ≥ 0: C(a, b)·x^b·y^(a − b) is one term of the binomial theorem, or C(a, b) = 0 for
    b > a. For b < 0 the statement has no value. Where the logarithm of the side is defined, x and y are positive, and so are the other
    factors.

    Raises:
        Refused: the smaller side has no such factor, or one whose arguments may be others.
    """
    factors, at = _coefficient_of(problem)
    require_counts(problem, factors[at].args, integers)
    a, b = factors[at].args
    less = sympy.Mul(-1, b, evaluate=False)
    rest = sympy.Add(b, sympy.Mul(-1, a, evaluate=False), evaluate=False)
    powers = ((sympy.Add(x, y, evaluate=False), a), (x, less), (y, rest))
    others = factors[:at] + factors[at + 1 :]  # C·C may be two factors that are one object
    bound = sympy.Mul(*others, *(sympy.Pow(base, e, evaluate=False) for base, e in powers), evaluate=False)
    return replace(problem, small=bound)


def halved(problem: Problem, integers: frozenset[str]) -> Problem:
    """2^(a − 1) in the place of a factor C(a, b) of the smaller side, for integers a ≥ 1 and b ≥ 0.

    C(a, b) = C(a − 1, b − 1) + C(a − 1, b), by Pascal's rule; these are two terms of the row a − 1, or one and 0, and the whole row is
    2^(a − 1).

    Raises:
        Refused: the smaller side has no such factor, or one whose arguments may be others.
    """
    factors, at = _coefficient_of(problem)
    a, b = factors[at].args
    before = sympy.Add(a, -1, evaluate=False)
    require_counts(problem, (before, b), integers)
    others = factors[:at] + factors[at + 1 :]
    return replace(problem, small=sympy.Mul(*others, sympy.Pow(2, before, evaluate=False), evaluate=False))


def _coefficient_of(problem: Problem) -> tuple[tuple[sympy.Expr, ...], int]:
    """The factors of the smaller side, and which of them is the first binomial coefficient."""
    factors = sympy.Mul.make_args(problem.small)
    at = next((i for i, f in enumerate(factors) if isinstance(f, sympy.binomial)), None)
    need(at is not None, "no binomial coefficient is a factor")
    assert at is not None
    return factors, at


def require_counts(problem: Problem, parts: Iterable[sympy.Expr], integers: frozenset[str]) -> None:
    """Refuse what may be no integer ≥ 0: each part is a polynomial with whole coefficients in integer variables, and nowhere negative."""
    reader = TowerReader(Tower(), problem.ranges, {})
    for part in parts:
        need(not set(problem.meanings) & {s.name for s in part.free_symbols}, "a binomial coefficient in other variables")
        n, d = reader.read(part)
        kinds = {(reader.tower.generators[i].kind, reader.tower.generators[i].name in integers) for i in poly.used(n)}
        need(d == ONE and kinds <= {("variable", True)} and all(Fraction(c).denominator == 1 for c in n.values()), "what may be no integer")
        need(reader.tower.weak_sign(n) == 1, "a row or a place that may be negative")
