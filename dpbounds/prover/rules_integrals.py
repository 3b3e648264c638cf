"""Rules for integrals of nonnegative functions over the line: reflections, changes of scale, and comparisons that a reflection makes."""

from __future__ import annotations

from typing import Any

import sympy
from sympy import Eq, Integral, Le, Symbol

from dpbounds.prover.facts import Booleans, Fact, make
from dpbounds.prover.rules_order import relation
from dpbounds.prover.terms import substitute


def _over_line(integrand: Any, x: Symbol) -> Any:
    return Integral(sympy.sympify(integrand), (x, -sympy.oo, sympy.oo))


def reflect_integral(integrand: Any, x: Symbol, total: Any, given: Booleans = ()) -> Fact:
    """∫ f(x) dx = ∫ f(total − x) dx over the whole line, for a nonnegative integrand and a constant `total`."""
    before = _over_line(integrand, x)
    after = _over_line(substitute(before.function, {x: sympy.sympify(total) - x}), x)
    return make(Eq(before, after, evaluate=False), "reflect_integral", given=given, detail=f"{x} := {total} - {x}")


def rescale_integral(integrand: Any, x: Symbol, factor: Any, given: Booleans = ()) -> Fact:
    """∫ f(x) dx = ∫ c·f(c·x) dx over the whole line, for a nonnegative integrand and a constant c > 0."""
    before, factor = _over_line(integrand, x), sympy.sympify(factor)
    after = _over_line(factor * substitute(before.function, {x: factor * x}), x)
    return make(Eq(before, after, evaluate=False), "rescale_integral", given=given, detail=f"{x} := {factor * x}")


def integrate_mirrored(fact: Fact, x: Symbol, total: Any, small: Any, large: Any, given: Booleans = ()) -> Fact:
    """∫ a ≤ ∫ b over the whole line, from a(x) + a(total−x) ≤ b(x) + b(total−x) for every x, with a, b ≥ 0.

    Both sides integrate to twice what is compared: a reflection does not change a Lebesgue integral, be it finite or not.

    Args:
        fact: the inequality, under assumptions that do not mention x.
        x: the variable, real without a sign.
        total: twice the point of reflection.
        small, large: a and b.
        given: conditions under which they make sense.
    """
    compared = relation(Le, _over_line(small, x), _over_line(large, x))
    return make(compared, "integrate_mirrored", [fact], given, detail=f"{x} and {total} - {x}")
