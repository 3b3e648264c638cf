"""Rules of order: signs, transitivity, sums and products of inequalities, monotone functions, max."""

from __future__ import annotations

from typing import Any

import sympy
from sympy import Dummy, Eq, Lambda, Le, Lt, Max, Min, S
from sympy.core.function import AppliedUndef

from dpbounds.derive.kernel import Booleans, Fact, Facts, context, make
from dpbounds.derive.rules_algebra import equal_modulo, oriented
from dpbounds.derive.signs import Signs
from dpbounds.derive.terms import applied, conjuncts, free
from dpbounds.errors import DerivationError
from dpbounds.functions import PrivacyQuantity

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


def sign(statement: Any, given: Booleans = (), using: Facts = ()) -> Fact:
    """An inequality that follows from signs alone: the difference of its sides is positive or nonnegative.

    Sums, products, powers, exponentials, sums over an index, polynomials with nonnegative coefficients after shifting every variable to
    its lower bound, and nonnegative combinations of the assumptions.

    Raises:
        DerivationError: the sign was not shown.
    """
    using, given = tuple(using), tuple(given)
    signs = context(given, using)
    for part in conjuncts(statement):
        if isinstance(part, Eq) or not signs.holds(part):
            bad = next((bad for side in part.args if (bad := signs.undefined_part(side)) is not None), None)
            why = "" if bad is None else f": {_short(bad)} is not known to be defined"
            raise DerivationError(f"sign: {_short(part)} was not shown{why}")
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
    signs = context(given, (*facts, *using))
    if any(oriented(fact.statement)[0] not in _KINDS for fact in facts):
        raise DerivationError("chain: only =, <= and < are transitive")
    kind, low, high = oriented(facts[0].statement)
    for position, fact in enumerate(facts[1:]):
        next_kind, left, right = oriented(fact.statement)
        if position == 0 and kind is Eq and not equal_modulo(high, left, using, signs) and equal_modulo(low, left, using, signs):
            low, high = high, low
        if next_kind is Eq and high != left and (high == right or not equal_modulo(high, left, using, signs)):
            left, right = right, left
        if not equal_modulo(high, left, using, signs):
            raise DerivationError(f"chain: {_short(high)} is not shown to equal {_short(left)}")
        kind, high = max(kind, next_kind, key=_KINDS.__getitem__), right
    return make(relation(kind, low, high), "chain", [*facts, *using], given)


def add(*facts: Fact) -> Fact:
    """Sum relations: a ≤ b and c ≤ d give a + c ≤ b + d."""
    parts = [oriented(fact.statement) for fact in facts]
    if any(part[0] not in _KINDS for part in parts):
        raise DerivationError("add: only =, <= and < can be added")
    kind = max((part[0] for part in parts), key=_KINDS.__getitem__)
    sums = [sympy.Add(*(part[k] for part in parts), evaluate=False) for k in (1, 2)]
    return make(relation(kind, *(sympy.Add(*total.args) for total in sums)), "add", facts, terms=sums)


def scale(fact: Fact, factor: Any, given: Booleans = (), using: Facts = ()) -> Fact:
    """Multiply both sides by a factor: ≥ 0 for ≤, > 0 for <, any for =; a negative factor turns the relation around.

    The factor must be defined: under x = 0 nothing is multiplied by 1/x, also where x would cancel.
    """
    using, given, factor = tuple(using), tuple(given), sympy.sympify(factor)
    signs = context(given, using)
    kind, low, high = oriented(fact.statement)
    if kind not in _KINDS:
        raise DerivationError("scale: only =, <= and < can be scaled")
    shows = signs.positive if kind is Lt else signs.nonnegative
    if kind is Eq or shows(factor):
        left, right = factor * low, factor * high
    elif shows(-factor):
        left, right = factor * high, factor * low
    else:
        raise DerivationError(f"scale: the sign of the factor {_short(factor)} is not shown")
    products = [sympy.Mul(factor, side, evaluate=False) for side in (low, high)]
    return make(relation(kind, left, right), "scale", [fact, *using], given, detail=f"times {factor}", terms=[factor, *products])


def multiply(first: Fact, second: Fact, given: Booleans = (), using: Facts = ()) -> Fact:
    """0 ≤ a ≤ b and 0 ≤ c ≤ d give a·c ≤ b·d."""
    using, given = tuple(using), tuple(given)
    signs = context(given, using)
    (kind, a, b), (other, c, d) = oriented(first.statement), oriented(second.statement)
    if kind not in _KINDS or other not in _KINDS:
        raise DerivationError("multiply: only =, <= and < can be multiplied")
    if not (kind is Eq and other is Eq):
        for term in (a, c):
            if not signs.nonnegative(term):
                raise DerivationError(f"multiply: {_short(term)} is not shown to be nonnegative")
    both = Eq if kind is Eq and other is Eq else Le
    products = [sympy.Mul(*pair, evaluate=False) for pair in ((a, c), (b, d))]
    return make(relation(both, a * c, b * d), "multiply", [first, second, *using], given, terms=products)


def apply(function: Lambda, fact: Fact, given: Booleans = (), using: Facts = ()) -> Fact:
    """Apply a monotone function to both sides: increasing keeps the relation, decreasing turns it around.

    Monotone means: the derivative has one sign between the two sides, shown by `Signs`; a strict relation needs a strict sign.

    Args:
        function: `Lambda(x, g)`; g is built from +, ·, powers, exp and log, and is defined between the sides.
    """
    using, given = tuple(using), tuple(given)
    (variable,) = function.variables
    kind, low, high = oriented(fact.statement)
    if kind not in _KINDS:
        raise DerivationError("apply: a function is applied to =, <= or <")
    image = (applied(function, low), applied(function, high))
    signs = context(given, using)
    if signs.infinite(function.expr):
        raise DerivationError(f"apply: {function} holds a term that may be infinite")
    x, inner = _between(low, high, signs)
    if kind is Eq:
        at = context((*given, relation(Eq, x, low), relation(Eq, x, high)), (fact, *using))
        if (bad := at.undefined_part(applied(function, x))) is not None:
            raise DerivationError(f"apply: {bad} is not known to be defined at {x} = {_short(low)}")
        return make(relation(Eq, *image), "apply", [fact, *using], given, detail=str(function))
    smooth(function.expr, variable)
    bounds = [relation(Le, low, x), relation(Le, x, high)]
    around = signs.and_also(*bounds)
    value = applied(function, x)
    if (bad := around.undefined_part(value)) is not None:
        raise DerivationError(f"apply: {bad} is not defined between {_short(low)} and {_short(high)}")
    slope = sympy.diff(applied(function, inner), inner)
    inside = signs.and_also(relation(Le, low, inner), relation(Le, inner, high))
    strict = kind is Lt
    if (inside.positive if strict else inside.nonnegative)(slope):
        left, right = image
    elif (inside.positive if strict else inside.nonnegative)(-slope):
        right, left = image
    else:
        raise DerivationError(f"apply: {function} is not shown to be monotone between {_short(low)} and {_short(high)}")
    return make(relation(kind, left, right), "apply", [fact, *using], given, detail=str(function))


def _between(low: Any, high: Any, signs: Signs) -> tuple[Any, Any]:
    """A variable for the closed range between two sides, and one for its interior (where derivatives are taken)."""
    if signs.positive(low):
        return Dummy("x", positive=True), Dummy("x", positive=True)
    if signs.nonnegative(low):
        return Dummy("x", nonnegative=True), Dummy("x", positive=True)
    if signs.nonnegative(-high):
        return Dummy("x", nonpositive=True), Dummy("x", negative=True)
    return Dummy("x", real=True), Dummy("x", real=True)


_ROUGH = (sympy.Abs, Max, sympy.Min, sympy.Piecewise, sympy.sign, sympy.floor, sympy.ceiling, sympy.Heaviside)
_OPAQUE = (sympy.Integral, PrivacyQuantity, AppliedUndef)


def smooth(expression: Any, x: Any) -> None:
    """Refuse functions of x that may fail to be differentiable where they are defined: kinks, case distinctions, opaque terms in x."""
    for node in expression.atoms(*_ROUGH, *_OPAQUE):
        if x in free(node):
            raise DerivationError(f"the function {_short(expression)} must be smooth in {x}, but it contains {_short(node)}")


def triangle(first: Any, second: Any, given: Booleans = ()) -> Fact:
    """|u + v| ≤ |u| + |v| for reals u and v (`given`: the conditions under which they are defined)."""
    first, second = sympy.sympify(first), sympy.sympify(second)
    signs = context(tuple(given))
    for term in (first, second):
        if not signs.real(term):
            raise DerivationError(f"triangle: {_short(term)} is not shown to be real")
    return make(relation(Le, sympy.Abs(first + second), sympy.Abs(first) + sympy.Abs(second)), "triangle", given=given)


def maximum(*facts: Fact) -> Fact:
    """a ≤ c and b ≤ c give max(a, b) ≤ c."""
    parts = [oriented(fact.statement) for fact in facts]
    signs = context(using=facts)
    if any(part[0] not in (Le, Lt, Eq) or not equal_modulo(part[2], parts[0][2], (), signs) for part in parts):
        raise DerivationError("maximum: all facts must bound by the same term")
    return make(relation(Le, Max(*(part[1] for part in parts)), parts[0][2]), "maximum", facts)


def least(*facts: Fact) -> Fact:
    """c ≤ a and c ≤ b give c ≤ min(a, b)."""
    parts = [oriented(fact.statement) for fact in facts]
    signs = context(using=facts)
    if any(part[0] not in (Le, Lt, Eq) or not equal_modulo(part[1], parts[0][1], (), signs) for part in parts):
        raise DerivationError("least: all facts must bound the same term")
    return make(relation(Le, parts[0][1], Min(*(part[2] for part in parts))), "least", facts)


def below_maximum(largest: Max, position: int, given: Booleans = ()) -> Fact:
    """An argument of a max is at most the max (`given`: the conditions under which the arguments are defined)."""
    if not isinstance(largest, Max):
        raise DerivationError(f"below_maximum: {_short(largest)} is not a max")
    if not 0 <= position < len(largest.args):
        raise DerivationError(f"below_maximum: the max has {len(largest.args)} arguments, asked for number {position}")
    return make(relation(Le, largest.args[position], largest), "below_maximum", given=given)


def _short(expression: Any) -> str:
    text = str(expression)
    return text if len(text) < 200 else text[:197] + "..."
