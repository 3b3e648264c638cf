"""Rules of algebra: identities, definitions, rewriting, restating."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import sympy
from sympy import Eq, Expr, Piecewise

from dpbounds.errors import DerivationError
from dpbounds.language.functions import Extremum, PrivacyQuantity
from dpbounds.prover.facts import Booleans, Fact, Facts, context, make
from dpbounds.prover.normal import equal
from dpbounds.prover.signs import Signs
from dpbounds.prover.terms import binder, bound_variables, conjuncts, free, rebuild


def equality(left: Any, right: Any, given: Booleans = (), using: Facts = ()) -> Fact:
    """left = right, decided by the normal form of `normal`, after rewriting with the equations in `using`.

    Args:
        left, right: expressions.
        given: assumptions (about signs, mostly).
        using: facts; equations among them rewrite, the others inform about signs.

    Raises:
        DerivationError: the difference does not reduce to zero.
    """
    left, right, using, given = sympy.sympify(left), sympy.sympify(right), tuple(using), tuple(given)
    signs = context(given, using)
    if not equal_modulo(left, right, using, signs):
        raise DerivationError(f"equality: {_short(left)} and {_short(right)} are not shown to be equal")
    return make(Eq(left, right, evaluate=False), "equality", using, given)


def definition(quantity: Any, given: Booleans = (), using: Facts = ()) -> Fact:
    """A quantity equals its definition, where the definition applies.

    Args:
        quantity: an object of `dpbounds.language.functions`.
        given: assumptions that imply the quantity's conditions.
        using: facts that show that the definition is defined (a positive moment under a logarithm, say).
    """
    using, given = tuple(using), tuple(given)
    if not isinstance(quantity, PrivacyQuantity):
        raise DerivationError(f"definition: {_short(quantity)} is not a quantity of dpbounds.language.functions")
    if getattr(quantity, "binomial_excess", lambda: None)() is not None:
        raise DerivationError(
            f"definition: {quantity} has a fixed integer order; derive the formula for a symbolic order and take an instance"
        )
    signs = context(given, using)
    for condition in quantity.conditions():
        if not signs.holds(condition):
            raise DerivationError(f"definition: {quantity} needs {condition}")
    return make(Eq(quantity, quantity.definition(), evaluate=False), "definition", using, given)


def power_step(base: Any, exponent: Any, given: Booleans = ()) -> Fact:
    """b^{n+1} = b·b^n for a real b of any sign and an integer n ≥ 0, with 0^0 = 1."""
    base, exponent, given = sympy.sympify(base), sympy.sympify(exponent), tuple(given)
    signs = context(given)
    if not (signs.real(base) and signs.integer(exponent) and signs.nonnegative(exponent)):
        raise DerivationError(f"power_step: {_short(base)} must be real and {exponent} an integer >= 0")
    return make(Eq(base ** (exponent + 1), base * base**exponent, evaluate=False), "power_step", given=given)


def branch(piecewise: Piecewise, position: int, given: Booleans = (), using: Facts = ()) -> Fact:
    """A case distinction equals one of its branches where its condition holds and all earlier ones fail."""
    signs = context(given, using)
    for earlier in piecewise.args[:position]:
        if not signs.holds(earlier[1].negated):
            raise DerivationError(f"branch: the earlier condition {earlier[1]} is not excluded")
    value, condition = piecewise.args[position]
    if condition != True and not signs.holds(condition):  # noqa: E712
        raise DerivationError(f"branch: the condition {condition} is not proved")
    return make(Eq(piecewise, value, evaluate=False), "branch", using, given)


def restate(statement: Any, fact: Fact, given: Booleans = (), using: Facts = ()) -> Fact:
    """The same relation (or a weaker one) with its sides written differently.

    The sides may change by identities and by the equations in `using`; a common summand may move across.

    Raises:
        DerivationError: the new statement is not shown to follow.
    """
    using, given = tuple(using), tuple(given)
    signs = context(given, (fact, *using))
    for new in conjuncts(statement):
        if not any(_follows(new, old, using, signs) for old in conjuncts(fact.statement)):
            raise DerivationError(f"restate: {_short(new)} does not follow from {_short(fact.statement)} by identities")
    return make(statement, "restate", [fact, *using], given)


_WEAKER = {sympy.Lt: (sympy.Lt, sympy.Le, sympy.Ne), sympy.Le: (sympy.Le,), sympy.Eq: (sympy.Eq, sympy.Le), sympy.Ne: (sympy.Ne,)}


def _follows(new: Any, old: Any, using: Iterable[Fact], signs: Signs) -> bool:
    (new_kind, a, b), (old_kind, c, d) = oriented(new), oriented(old)
    if new_kind not in _WEAKER.get(old_kind, ()):
        return False
    orders = [(c, d)] if old_kind in (sympy.Lt, sympy.Le) else [(c, d), (d, c)]
    for low, high in orders:
        if equal_modulo(a, low, using, signs) and equal_modulo(b, high, using, signs):
            return True
        if all(_infinite_alike(*pair, using, signs) for pair in ((a, low), (b, high))) and equal_modulo(b - a, high - low, using, signs):
            return True
    return False


def _infinite_alike(new: Any, old: Any, using: Iterable[Fact], signs: Signs) -> bool:
    """The terms that may be infinite are the same in both, so that only finite ones move from side to side."""
    parts = [sympy.Add(*(term for term in sympy.Add.make_args(sympy.expand(side)) if signs.infinite(term))) for side in (new, old)]
    return parts == [0, 0] or equal_modulo(parts[0], parts[1], using, signs)


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


def equal_modulo(left: Any, right: Any, using: Iterable[Fact], signs: Signs) -> bool:
    """True when left = right by the normal form, after rewriting both with equations."""
    if left == right or equal(left, right, signs):
        return True
    equations = [part for fact in using for part in conjuncts(fact.statement) if isinstance(part, Eq)]
    if not equations:
        return False
    if equal(left, right, signs, equations):
        return True
    for _ in range(4):
        moved = tuple(_rewrite(side, equations, signs) for side in (left, right))
        if moved == (left, right):
            return False
        left, right = moved
        if equal(left, right, signs, equations):
            return True
    return False


def _rewrite(node: Any, equations: list[Any], signs: Signs) -> Any:
    """Replace left sides of equations by right sides, never under a binder of one of their variables."""
    for equation in equations:
        if _matches(node, equation.lhs, signs):
            return equation.rhs
    if not isinstance(node, Expr) or not node.args or isinstance(node, sympy.Indexed):
        return node
    if binder(node):
        bound = set(bound_variables(node))
        equations = [equation for equation in equations if not (free(equation) & bound)]
        if isinstance(node, PrivacyQuantity):  # only its order lies outside the scope of its variable
            return node if isinstance(node, Extremum) else rebuild(node, (_rewrite(node.args[0], equations, signs), *node.args[1:]))
    if isinstance(node, (sympy.Sum, sympy.Integral)):
        return node.func(_rewrite(node.function, equations, signs), *node.limits)
    return rebuild(node, (_rewrite(part, equations, signs) if isinstance(part, Expr) else part for part in node.args))


def _matches(node: Any, pattern: Any, signs: Signs) -> bool:
    if node == pattern:
        return True
    if type(node) is not type(pattern) or not isinstance(node, Expr) or node.is_number:
        return False
    if isinstance(node, (sympy.Sum, sympy.Integral, PrivacyQuantity, sympy.log)):
        return free(node) == free(pattern) and equal(node, pattern, signs)
    return False


def _short(expression: Any) -> str:
    text = str(expression)
    return text if len(text) < 200 else text[:197] + "..."
