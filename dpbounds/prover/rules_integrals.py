"""Rules for integrals of nonnegative functions over the line: reflections, changes of scale, and comparisons that a reflection makes."""

from __future__ import annotations

from typing import Any

import sympy
from sympy import Eq, Integral, Le, Symbol

from dpbounds.errors import DerivationError
from dpbounds.prover.facts import Booleans, Fact, context, make
from dpbounds.prover.rules_algebra import equal_modulo, oriented
from dpbounds.prover.rules_calculus import plain_variable
from dpbounds.prover.rules_order import relation
from dpbounds.prover.signs import Signs
from dpbounds.prover.terms import free, substitute


def _line(x: Symbol, total: Any, signs: Signs, rule: str) -> tuple[Symbol, Any, Any]:
    """The whole line in x, and `total` is a real constant."""
    over = plain_variable((x, -sympy.oo, sympy.oo), rule)
    if x in free(total) or not signs.real(total) or signs.infinite(total):
        raise DerivationError(f"{rule}: {total} is not shown to be a real constant")
    return over


def reflect_integral(integrand: Any, x: Symbol, total: Any, given: Booleans = ()) -> Fact:
    """∫ f(x) dx = ∫ f(total − x) dx over the whole line, for a nonnegative integrand and a constant `total`.

    Raises:
        DerivationError: the integrand is not shown to be nonnegative, or `total` is no constant.
    """
    given, total = tuple(given), sympy.sympify(total)
    signs = context(given)
    before = Integral(sympy.sympify(integrand), _line(x, total, signs, "reflect_integral"))
    if not signs.under(before).nonnegative(before.function):
        raise DerivationError(f"reflect_integral: {before.function} is not shown to be nonnegative")
    after = Integral(substitute(before.function, {x: total - x}), before.limits[0])
    return make(Eq(before, after, evaluate=False), "reflect_integral", given=given, detail=f"{x} := {total} - {x}")


def rescale_integral(integrand: Any, x: Symbol, factor: Any, given: Booleans = ()) -> Fact:
    """∫ f(x) dx = ∫ c·f(c·x) dx over the whole line, for a nonnegative integrand and a constant c > 0.

    Raises:
        DerivationError: the integrand is not shown to be nonnegative, or the factor is not shown to be a positive constant.
    """
    given, factor = tuple(given), sympy.sympify(factor)
    signs = context(given)
    before = Integral(sympy.sympify(integrand), _line(x, factor, signs, "rescale_integral"))
    if not signs.positive(factor):
        raise DerivationError(f"rescale_integral: {factor} is not shown to be positive")
    if not signs.under(before).nonnegative(before.function):
        raise DerivationError(f"rescale_integral: {before.function} is not shown to be nonnegative")
    after = Integral(factor * substitute(before.function, {x: factor * x}), before.limits[0])
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

    Raises:
        DerivationError: the fact says something else, an integrand may be negative, or an assumption is about x.
    """
    given, total, terms = tuple(given), sympy.sympify(total), tuple(map(sympy.sympify, (small, large)))
    signs = context((*given, *fact.assumptions))
    over = _line(x, total, signs, "integrate_mirrored")
    if any(x in free(assumption) for assumption in (*fact.assumptions, *given)):
        raise DerivationError(f"integrate_mirrored: the inequality must hold for every {x}")
    kind, *sides = oriented(fact.statement)
    if kind not in (Le, sympy.Lt, Eq):
        raise DerivationError("integrate_mirrored: only =, <= and < can be integrated")
    for side, term in zip(sides, terms, strict=True):
        if not equal_modulo(side, term + substitute(term, {x: total - x}), (), signs):
            raise DerivationError(f"integrate_mirrored: {side} is not shown to be {term} and its mirror image")
        if not signs.nonnegative(term):
            raise DerivationError(f"integrate_mirrored: {term} is not shown to be nonnegative")
    return make(
        relation(Le, *(Integral(term, over) for term in terms)), "integrate_mirrored", [fact], given, detail=f"{x} and {total} - {x}"
    )
