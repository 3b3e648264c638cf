"""Terms whose value may be infinite, and where that matters.

Integrals over infinite intervals or of functions without a bound, infinite sums, suprema and infima, and divergences of densities have
values in [−∞, ∞], and ∞ ≤ ∞ holds. What is shown with such a term as a real number stays true when it is infinite, by taking limits, if

(a) no side subtracts or divides infinite terms, so that it has a value;
(b) no strict relation has them on both sides, for ∞ < ∞ fails where D < D + 1 seems clear;
(c) no knowledge is drawn from a relation that has them on both sides: J + 1 ≤ J is true of J = ∞, and 1 ≤ 0 does not follow;
(d) e^{−D} and 1/D count as ≥ 0, not as > 0.

A term that a known relation bounds by finite ones is a real number like any other. A product of 0 and ∞ is 0.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import sympy
from sympy import Basic, Eq, Integral, Piecewise, Sum
from sympy.core.function import AppliedUndef

from dpbounds.language import functions
from dpbounds.prover.terms import alpha, conjuncts

_ALWAYS = (functions.Extremum, functions.MechanismRenyi)


@lru_cache(maxsize=16384)
def infinite_parts(node: Any) -> frozenset[Any]:
    """The parts of a term that may be infinite, as far as their form tells; of nested ones the outermost.

    >>> x = sympy.Symbol("x", real=True)
    >>> [len(infinite_parts(Integral(sympy.exp(-x), (x, 0, end)))) for end in (1, sympy.oo)]
    [0, 1]
    """
    if not isinstance(node, Basic) or not node.args or isinstance(node, (sympy.Indexed, sympy.IndexedBase)):
        return frozenset()
    if _may_be_infinite(node):
        return frozenset({node})
    return frozenset().union(*(infinite_parts(part) for part in node.args))


def _may_be_infinite(node: Any) -> bool:
    if isinstance(node, _ALWAYS):
        return True
    if isinstance(node, (Sum, Integral)):
        endless = any(end.is_finite is False for limit in node.limits for end in limit[1:])
        return endless or (isinstance(node, Integral) and node.function.has(Piecewise, AppliedUndef, *_ALWAYS, Integral))
    if isinstance(node, functions.Divergence) and not node.is_table:
        variable, *ends = node.args[3]
        return not variable.is_integer or any(end.is_finite is False for end in ends)
    return False


def infinite(term: Any, hypotheses: Iterable[Any]) -> frozenset[Any]:
    """The parts of a term that may be infinite and that no hypothesis bounds by finite terms."""
    parts = infinite_parts(alpha(term))
    return parts and parts - _bounded(tuple(hypotheses))


@lru_cache(maxsize=1024)
def _bounded(hypotheses: tuple[Any, ...]) -> frozenset[Any]:
    """The terms that stand in an equation with a finite one, or below one.

    Integrals, sums and divergences that have a value are ≥ 0; suprema and infima may be −∞, so of them only equations are used.
    """
    found: set[Any] = set()
    for statement in hypotheses:
        for relation in conjuncts(statement):
            if isinstance(relation, Eq):
                pairs, equation = [(relation.lhs, relation.rhs), (relation.rhs, relation.lhs)], True
            elif isinstance(relation, (sympy.Le, sympy.Lt)):
                pairs, equation = [(relation.lhs, relation.rhs)], False
            elif isinstance(relation, (sympy.Ge, sympy.Gt)):
                pairs, equation = [(relation.rhs, relation.lhs)], False
            else:
                continue
            for small, large in pairs:
                factor, term = alpha(small).as_coeff_Mul()
                known = factor.is_positive and not infinite_parts(alpha(large)) and _may_be_infinite(term)
                if known and (equation or not isinstance(term, _ALWAYS)):
                    found.add(term)
    return frozenset(found)
