"""Rules of algebra: identities, definitions, rewriting, restating."""

from __future__ import annotations

from typing import Any

import sympy
from sympy import Eq, Piecewise

from dpbounds.errors import DerivationError
from dpbounds.language.functions import PrivacyQuantity
from dpbounds.prover.facts import Booleans, Fact, Facts, make


def equality(left: Any, right: Any, given: Booleans = (), using: Facts = ()) -> Fact:
    """left = right, by identities of polynomials, exponentials, logarithms and powers, and by the equations in `using`.

    Args:
        left, right: expressions.
        given: assumptions (about signs, mostly).
        using: facts; equations among them rewrite, the others inform about signs.
    """
    return make(Eq(sympy.sympify(left), sympy.sympify(right), evaluate=False), "equality", using, given)


def definition(quantity: Any, given: Booleans = (), using: Facts = ()) -> Fact:
    """A quantity equals its definition, where the definition applies.

    Args:
        quantity: an object of `dpbounds.language.functions`.
        given: assumptions that imply the quantity's conditions.
        using: facts that show that the definition is defined (a positive moment under a logarithm, say).
    """
    if not isinstance(quantity, PrivacyQuantity):
        raise DerivationError(f"definition: {_short(quantity)} is not a quantity of dpbounds.language.functions")
    if getattr(quantity, "binomial_excess", lambda: None)() is not None:
        raise DerivationError(
            f"definition: {quantity} has a fixed integer order; derive the formula for a symbolic order and take an instance"
        )
    return make(Eq(quantity, quantity.definition(), evaluate=False), "definition", using, given)


def power_step(base: Any, exponent: Any, given: Booleans = ()) -> Fact:
    """b^{n+1} = b·b^n for a real b of any sign and an integer n ≥ 0, with 0^0 = 1."""
    base, exponent = sympy.sympify(base), sympy.sympify(exponent)
    return make(Eq(base ** (exponent + 1), base * base**exponent, evaluate=False), "power_step", given=given)


def branch(piecewise: Piecewise, position: int, given: Booleans = (), using: Facts = ()) -> Fact:
    """A case distinction equals one of its branches where its condition holds and all earlier ones fail."""
    return make(Eq(piecewise, piecewise.args[position][0], evaluate=False), "branch", using, given)


def restate(statement: Any, fact: Fact, given: Booleans = (), using: Facts = ()) -> Fact:
    """The same relation (or a weaker one) with its sides written differently.

    The sides may change by identities and by the equations in `using`; a common summand may move across.
    """
    return make(statement, "restate", [fact, *using], given)


def oriented(relation: Any) -> tuple[Any, Any, Any]:
    """(kind, left, right) with kind Lt, Le, Eq or Ne."""
    if isinstance(relation, sympy.Gt):
        return sympy.Lt, relation.rhs, relation.lhs
    if isinstance(relation, sympy.Ge):
        return sympy.Le, relation.rhs, relation.lhs
    for kind in (sympy.Lt, sympy.Le, sympy.Eq, sympy.Ne):
        if isinstance(relation, kind):
            return kind, relation.lhs, relation.rhs
    raise DerivationError(f"a relation was expected, got {relation}")


def _short(expression: Any) -> str:
    text = str(expression)
    return text if len(text) < 200 else text[:197] + "..."
