"""Rules of order: signs, transitivity, sums and products of inequalities, monotone functions, max."""

from __future__ import annotations

from typing import Any

import sympy
from sympy import Dummy, Eq, Lambda, Le, Lt, Max, Min, S

from dpbounds.errors import DerivationError
from dpbounds.prover.choices import KnownFacts
from dpbounds.prover.facts import Booleans, Fact, Facts, make
from dpbounds.prover.rules_algebra import oriented
from dpbounds.prover.terms import applied

_KINDS = {Eq: 0, Le: 1, Lt: 2}


def relation(kind: Any, left: Any, right: Any) -> Any:
    """An order relation that stays one, whatever sympy thinks of it."""
    return kind(left, right, evaluate=False)


def le(left: Any, right: Any) -> Any:
    """The statement left ≤ right, which sympy does not evaluate."""
    return relation(Le, sympy.sympify(left), sympy.sympify(right))


def lt(left: Any, right: Any) -> Any:
    """The statement left < right, which sympy does not evaluate."""
    return relation(Lt, sympy.sympify(left), sympy.sympify(right))


def eq(left: Any, right: Any) -> Any:
    """The statement left = right, which sympy does not evaluate."""
    return relation(Eq, sympy.sympify(left), sympy.sympify(right))


def sides_of(fact: Fact, rule: str) -> tuple[Any, Any, Any]:
    """(kind, left, right) of a fact that says =, ≤ or <.

    Raises:
        DerivationError: it says something else.
    """
    found = oriented(fact.statement)
    if found[0] not in _KINDS:
        raise DerivationError(f"{rule}: takes =, <= and < only, got {fact.statement}")
    return found


def sign(statement: Any, given: Booleans = (), using: Facts = ()) -> Fact:
    """An inequality that follows from signs alone: the difference of its sides is positive or nonnegative.

    Sums, products, powers, exponentials, sums over an index, polynomials with nonnegative coefficients after shifting every variable to
    its lower bound, and nonnegative combinations of the assumptions.
    """
    return make(statement, "sign", using, given)


def nonnegative(expression: Any, given: Booleans = (), using: Facts = ()) -> Fact:
    """0 ≤ expression, by signs."""
    return sign(relation(Le, S.Zero, expression), given, using)


def positive(expression: Any, given: Booleans = (), using: Facts = ()) -> Fact:
    """0 < expression, by signs."""
    return sign(relation(Lt, S.Zero, expression), given, using)


def chain(*facts: Fact, given: Booleans = (), using: Facts = ()) -> Fact:
    """Transitivity: a ≤ b, b = c, c < d give a < d. Meeting sides may differ by identities and by the equations in `using`."""
    if len(facts) < 2:
        raise DerivationError("chain: at least two facts are needed")
    using, given = tuple(using), tuple(given)
    known = KnownFacts(given, (*facts, *using))
    (kind, low, high), *others = (sides_of(fact, "chain") for fact in facts)
    for position, (next_kind, left, right) in enumerate(others):
        if position == 0 and kind is Eq and high != left and (low == left or not known.equal(high, left)):
            low, high = high, low
        if next_kind is Eq and high != left and (high == right or not known.equal(high, left)):
            left, right = right, left
        kind, high = max(kind, next_kind, key=_KINDS.__getitem__), right
    return make(relation(kind, low, high), "chain", [*facts, *using], given)


def add(*facts: Fact) -> Fact:
    """Sum relations: a ≤ b and c ≤ d give a + c ≤ b + d."""
    parts = [sides_of(fact, "add") for fact in facts]
    kind = max((part[0] for part in parts), key=_KINDS.__getitem__)
    return make(relation(kind, *(sympy.Add(*(part[k] for part in parts)) for k in (1, 2))), "add", facts)


def scale(fact: Fact, factor: Any, given: Booleans = (), using: Facts = ()) -> Fact:
    """Multiply both sides by a factor: ≥ 0 for ≤, > 0 for <, any for =; a factor that is shown to be negative turns the relation around."""
    using, given, factor = tuple(using), tuple(given), sympy.sympify(factor)
    kind, low, high = sides_of(fact, "scale")
    known = KnownFacts(given, using)
    turned = kind is not Eq and not factor.is_nonnegative and known.nonnegative(-factor) and not known.nonnegative(factor)
    left, right = (high, low) if turned else (low, high)
    return make(relation(kind, factor * left, factor * right), "scale", [fact, *using], given, detail=f"times {factor}")


def multiply(first: Fact, second: Fact, given: Booleans = (), using: Facts = ()) -> Fact:
    """0 ≤ a ≤ b and 0 ≤ c ≤ d give a·c ≤ b·d."""
    (kind, a, b), (other, c, d) = sides_of(first, "multiply"), sides_of(second, "multiply")
    both = Eq if kind is Eq and other is Eq else Le
    return make(relation(both, a * c, b * d), "multiply", [first, second, *using], given)


def apply(function: Lambda, fact: Fact, given: Booleans = (), using: Facts = ()) -> Fact:
    """Apply a monotone function to both sides: increasing keeps the relation, decreasing turns it around.

    Args:
        function: `Lambda(x, g)`; g is built from +, ·, powers, exp and log, and is defined between the sides.
    """
    using, given = tuple(using), tuple(given)
    kind, low, high = sides_of(fact, "apply")
    turned = kind is not Eq and _falls(function, low, high, KnownFacts(given, using))
    left, right = (applied(function, side) for side in ((high, low) if turned else (low, high)))
    return make(relation(kind, left, right), "apply", [fact, *using], given, detail=str(function))


def _falls(function: Lambda, low: Any, high: Any, known: KnownFacts) -> bool:
    """Whether the derivative is shown to be at most 0 between two sides, and not to be at least 0."""
    x = Dummy("x", positive=True) if known.nonnegative(low) else Dummy("x", real=True)
    inside = KnownFacts([*known.statements, relation(Lt, low, x), relation(Lt, x, high)])
    slope = sympy.diff(applied(function, x), x)
    return not inside.nonnegative(slope) and inside.nonnegative(-slope)


def triangle(first: Any, second: Any, given: Booleans = ()) -> Fact:
    """|u + v| ≤ |u| + |v| for reals u and v (`given`: the conditions under which they are defined)."""
    first, second = sympy.sympify(first), sympy.sympify(second)
    return make(relation(Le, sympy.Abs(first + second), sympy.Abs(first) + sympy.Abs(second)), "triangle", given=given)


def maximum(*facts: Fact) -> Fact:
    """a ≤ c and b ≤ c give max(a, b) ≤ c."""
    parts = [sides_of(fact, "maximum") for fact in facts]
    return make(relation(Le, Max(*(part[1] for part in parts)), parts[0][2]), "maximum", facts)


def least(*facts: Fact) -> Fact:
    """c ≤ a and c ≤ b give c ≤ min(a, b)."""
    parts = [sides_of(fact, "least") for fact in facts]
    return make(relation(Le, parts[0][1], Min(*(part[2] for part in parts))), "least", facts)


def below_maximum(largest: Max, position: int, given: Booleans = ()) -> Fact:
    """An argument of a max is at most the max (`given`: the conditions under which the arguments are defined)."""
    if not isinstance(largest, Max) or not 0 <= position < len(largest.args):
        raise DerivationError(f"below_maximum: {largest} is not a max with an argument number {position}")
    return make(relation(Le, largest.args[position], largest), "below_maximum", given=given)
