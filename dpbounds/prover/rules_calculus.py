"""Rules of calculus: tangents of convex functions, minima on intervals, integrals by antiderivative."""

from __future__ import annotations

from typing import Any

import sympy
from sympy import Dummy, Eq, Integral, Le, Symbol

from dpbounds.errors import DerivationError
from dpbounds.prover.facts import Booleans, Fact, Facts, context, make
from dpbounds.prover.normal import equal
from dpbounds.prover.rules_algebra import equal_modulo, oriented
from dpbounds.prover.rules_order import relation, smooth
from dpbounds.prover.signs import Signs
from dpbounds.prover.terms import ORDERS, conjuncts, difference, free, substitute


def _interior(x: Symbol) -> Symbol:
    """A copy of the variable inside its range: an endpoint 0 is left out, for there a derivative may be one-sided."""
    if x.is_nonnegative:
        return Dummy(x.name, positive=True)
    if x.is_nonpositive:
        return Dummy(x.name, negative=True)
    return Dummy(x.name, real=True)


def _derivative(f: Any, x: Symbol) -> Any:
    """f' with powers of one base joined, so that λ·x^λ/x reads λ·x^{λ−1}, which is defined at 0 too."""
    return sympy.powsimp(sympy.diff(f, x))


def _interval(x: Symbol, domain: Booleans, rule: str) -> list[Any]:
    """The conditions on x, checked to cut out an interval: each is linear in x."""
    if not x.is_real or x.is_integer:
        raise DerivationError(f"{rule}: the variable {x} must be real")
    conditions = [part for condition in domain for part in conjuncts(condition)]
    for condition in conditions:
        if type(condition) not in ORDERS:
            raise DerivationError(f"{rule}: the condition {condition} does not cut out an interval")
        u = sympy.expand(difference(condition)[0])
        if x in sympy.expand(u - u.coeff(x, 1) * x).free_symbols or x in u.coeff(x, 1).free_symbols:
            raise DerivationError(f"{rule}: the condition {condition} is not linear in {x}")
    return conditions


def _throughout(x: Symbol, conditions: list[Any], given: Booleans, using: Facts) -> Signs:
    """What is known on the whole interval: of the facts about x those that hold there, and nothing that is only given about x."""
    inside = Signs(conditions)
    others = [part for condition in given for part in conjuncts(condition) if x not in free(part)]
    facts = [fact for fact in using if all(inside.holds(a) for a in fact.assumptions if x in free(a))]
    return context(others, facts)


def _admits(x: Symbol, at: Any, conditions: list[Any], signs: Signs, rule: str) -> None:
    """Check that a point lies in the interval."""
    if (
        (x.is_positive and not signs.positive(at))
        or (x.is_nonnegative and not signs.nonnegative(at))
        or not signs.real(at)
        or signs.infinite(at)
    ):
        raise DerivationError(f"{rule}: the point {at} is not shown to lie in the range of {x}")
    for condition in conditions:
        if not signs.holds(substitute(condition, {x: at})):
            raise DerivationError(f"{rule}: the point {at} is not shown to satisfy {condition}")


def convex_tangent(f: Any, x: Symbol, at: Any, given: Booleans = (), domain: Booleans = (), using: Facts = ()) -> Fact:
    """f(at) + f'(at)·(x − at) ≤ f(x) for f with f'' ≥ 0 on an interval that contains both points.

    Args:
        f: an expression in x, twice differentiable inside the interval and with f, f' defined on all of it.
        x: a real symbol; its range is what its symbol assumptions and `domain` leave.
        at: the point of tangency.
        given: assumptions about other symbols.
        domain: conditions linear in x.

    Raises:
        DerivationError: f'' ≥ 0 is not shown, or the point is outside.
    """
    using, given = tuple(using), tuple(given)
    conditions = _interval(x, domain, "convex_tangent")
    signs, at = _throughout(x, conditions, given, using), sympy.sympify(at)
    if x in free(at):
        raise DerivationError(f"convex_tangent: the point {at} must not depend on {x}")
    smooth(f, x)
    _admits(x, at, conditions, signs, "convex_tangent")
    slope = _derivative(f, x)
    everywhere = signs.and_also(*conditions)
    for part in (f, slope):
        if (bad := everywhere.undefined_part(part)) is not None:
            raise DerivationError(f"convex_tangent: {bad} is not defined on the whole range of {x}")
    inside = _interior(x)
    moved = [substitute(condition, {x: inside}) for condition in conditions]
    bend = sympy.diff(substitute(f, {x: inside}), inside, 2)
    if not signs.and_also(*moved).nonnegative(sympy.powsimp(sympy.factor_terms(bend))) and not signs.and_also(*moved).nonnegative(bend):
        raise DerivationError(f"convex_tangent: the second derivative {bend} is not shown to be nonnegative")
    tangent = substitute(f, {x: at}) + substitute(slope, {x: at}) * (x - at)
    return make(relation(Le, tangent, f), "convex_tangent", using, [*given, *conditions], detail=f"at {x} = {at}")


def minimum(f: Any, x: Symbol, at: Any, given: Booleans = (), domain: Booleans = (), using: Facts = (), factored: Any = None) -> Fact:
    """f(at) ≤ f(x) on an interval where f'(x)·(x − at) ≥ 0: f falls before `at` and rises after it.

    `at` may be an end of the interval, so the rule covers stationary points and constrained minima alike.

    Args:
        f: an expression in x, differentiable on the whole interval.
        x: a real symbol.
        at: where the minimum is.
        given: assumptions about other symbols.
        domain: conditions linear in x that cut out the interval.
        using: facts that help with signs.
        factored: f'(x)·(x − at) in a form whose sign is visible; checked to be equal.
    """
    using, given = tuple(using), tuple(given)
    conditions = _interval(x, domain, "minimum")
    signs, at = _throughout(x, conditions, given, using), sympy.sympify(at)
    if x in free(at):
        raise DerivationError(f"minimum: the point {at} must not depend on {x}")
    smooth(f, x)
    _admits(x, at, conditions, signs, "minimum")
    everywhere = signs.and_also(*conditions)
    slope = _derivative(f, x)
    for part in (f, slope):
        if (bad := everywhere.undefined_part(part)) is not None:
            raise DerivationError(f"minimum: {bad} is not defined on the whole range of {x}")
    product = slope * (x - at)
    if factored is not None:
        if not equal(product, factored, everywhere):
            raise DerivationError(f"minimum: f'(x)(x - {at}) is not shown to equal {factored}")
        product = factored
    if not everywhere.nonnegative(product):
        raise DerivationError(f"minimum: {product} is not shown to be nonnegative on the interval")
    return make(relation(Le, substitute(f, {x: at}), f), "minimum", using, [*given, *conditions], detail=f"at {x} = {at}")


def plain_variable(over: tuple[Symbol, Any, Any], rule: str) -> tuple[Symbol, Any, Any]:
    """The variable and the ends of an integral; the variable must be real and carry no further assumption."""
    x, low, high = over[0], sympy.sympify(over[1]), sympy.sympify(over[2])
    if not x.is_real or x.is_nonnegative or x.is_nonpositive or x.is_nonzero or x.is_integer:
        raise DerivationError(f"{rule}: the variable {x} must be real without a sign")
    return x, low, high


def integral(integrand: Any, over: tuple[Symbol, Any, Any], antiderivative: Any, given: Booleans = (), using: Facts = ()) -> Fact:
    """∫ f = F(b) − F(a) for f ≥ 0 with F' = f inside, limits taken at infinite ends.

    Args:
        integrand: f, nonnegative on the interval (so that the improper integral is a Lebesgue integral).
        over: (x, a, b) with x real and a < b, possibly infinite.
        antiderivative: F, smooth; differentiated back exactly.

    Raises:
        DerivationError: F' − f does not reduce to zero, f may be negative, or a limit is not found.
    """
    using, given = tuple(using), tuple(given)
    x, low, high = plain_variable(over, "integral")
    whole = Integral(integrand, (x, low, high))
    signs = context(given, using)
    if low.is_finite is not False and high.is_finite is not False and not signs.positive(high - low):
        raise DerivationError(f"integral: {low} < {high} is not shown")
    inside = signs.under(whole)
    smooth(antiderivative, x)
    if not equal(sympy.diff(antiderivative, x), integrand, inside):
        raise DerivationError(f"integral: the derivative of {antiderivative} is not shown to be {integrand}")
    if (bad := inside.undefined_part(antiderivative)) is not None:
        raise DerivationError(f"integral: {bad} is not defined inside the interval")
    if not inside.nonnegative(integrand):
        raise DerivationError(f"integral: {integrand} is not shown to be nonnegative")
    value = limit(antiderivative, x, high, inside) - limit(antiderivative, x, low, inside)
    return make(Eq(whole, value, evaluate=False), "integral", using, given, detail=f"antiderivative {antiderivative}")


def limit(expression: Any, x: Symbol, end: Any, signs: Signs) -> Any:
    """The value at a finite end, or the limit at infinity, by structural rules: sums, products, and
    erf, exp and powers of an affine function of x whose slope has a known sign.

    Raises:
        DerivationError: a limit that these rules do not give.
    """
    if end.is_finite is not False:
        return substitute(expression, {x: end})
    value = _at_infinity(expression, x, end, signs)
    if value is None or value in (sympy.oo, -sympy.oo):
        raise DerivationError(f"integral: the limit of {expression} at {end} is not found")
    return value


def _at_infinity(e: Any, x: Symbol, end: Any, signs: Signs) -> Any:
    if x not in e.free_symbols:
        return e
    if isinstance(e, sympy.Add):
        parts = [_at_infinity(part, x, end, signs) for part in e.args]
        infinite = {part for part in parts if part in (sympy.oo, -sympy.oo)}
        if None in parts or len(infinite) > 1:
            return _affine_end(e, x, end, signs)
        return infinite.pop() if infinite else sympy.Add(*parts)
    if isinstance(e, sympy.Mul):
        return _product_end([_at_infinity(part, x, end, signs) for part in e.args], signs)
    if isinstance(e, sympy.Pow) and not (e.exp.free_symbols & {x}):
        return _power_end(_at_infinity(e.base, x, end, signs), e.exp, signs)
    if e == x:
        return end
    if isinstance(e, sympy.lowergamma) and not (e.args[0].free_symbols & {x}) and _at_infinity(e.args[1], x, end, signs) == sympy.oo:
        return sympy.gamma(e.args[0])
    inner = _at_infinity(e.args[0], x, end, signs) if len(e.args) == 1 else None
    if inner is None:
        return None
    sign = {sympy.oo: 1, -sympy.oo: -1}.get(inner, 0)
    if isinstance(e, sympy.erf):
        return sympy.Integer(sign) if sign else e.func(inner)
    if isinstance(e, sympy.exp):
        return {1: sympy.oo, -1: sympy.S.Zero, 0: e.func(inner)}[sign]
    return None


def _affine_end(e: Any, x: Symbol, end: Any, signs: Signs) -> Any:
    slope = sympy.expand(e).coeff(x, 1)
    if x in sympy.expand(e - slope * x).free_symbols or x in slope.free_symbols:
        return None
    up = 1 if signs.positive(slope) else (-1 if signs.positive(-slope) else 0)
    return None if up == 0 else (end if up == 1 else -end)


def _product_end(parts: list[Any], signs: Signs) -> Any:
    if None in parts:
        return None
    infinite = [part for part in parts if part in (sympy.oo, -sympy.oo)]
    finite = sympy.Mul(*(part for part in parts if part not in (sympy.oo, -sympy.oo)))
    if not infinite:
        return finite
    sign = 1 if signs.positive(finite) else (-1 if signs.positive(-finite) else 0)
    return None if sign == 0 else sympy.Mul(sign, *infinite)


def _power_end(base: Any, exponent: Any, signs: Signs) -> Any:
    if base is None:
        return None
    if base in (sympy.oo, -sympy.oo):
        if signs.positive(-exponent) and (base == sympy.oo or exponent.is_Integer):
            return sympy.S.Zero
        if signs.positive(exponent) and (base == sympy.oo or (exponent.is_Integer and exponent.is_even)):
            return sympy.oo
        return -sympy.oo if exponent.is_Integer and exponent.is_odd and exponent.is_positive else None
    return base**exponent if signs.positive(base) else None


def integral_split(integrand: Any, over: tuple[Symbol, Any, Any], at: Any, given: Booleans = ()) -> Fact:
    """∫ from a to b = ∫ from a to c + ∫ from c to b, for an integrand nonnegative on the interval and a ≤ c ≤ b."""
    given = tuple(given)
    x, low, high = plain_variable(over, "integral_split")
    signs = context(given)
    for left, right in ((low, at), (at, high)):
        if right - left not in (sympy.oo,) and not signs.nonnegative(right - left):
            raise DerivationError(f"integral_split: {left} <= {right} is not shown")
    if not signs.under(Integral(integrand, (x, low, high))).nonnegative(integrand):
        raise DerivationError(f"integral_split: {integrand} is not shown to be nonnegative")
    halves = Integral(integrand, (x, low, at)) + Integral(integrand, (x, at, high))
    return make(Eq(Integral(integrand, (x, low, high)), halves, evaluate=False), "integral_split", given=given)


def integrate_termwise(fact: Fact, over: tuple[Symbol, Any, Any]) -> Fact:
    """f(x) ≤ g(x), or f(x) = g(x), for every x of the interval gives the same between the integrals (both sides nonnegative)."""
    x, low, high = plain_variable(over, "integrate_termwise")
    kind, left, right = oriented(fact.statement)
    if kind is sympy.Ne:
        raise DerivationError("integrate_termwise: only =, <= and < can be integrated")
    inside = Signs().under(Integral(left, (x, low, high)))
    about = {a for a in fact.assumptions if x in free(a)}
    for assumption in about:
        if not inside.holds(assumption):
            raise DerivationError(f"integrate_termwise: {assumption} does not hold on the whole interval")
    signs = Signs((*fact.assumptions, *inside.hypotheses))
    for side in (left, right):
        if not signs.nonnegative(side):
            raise DerivationError(f"integrate_termwise: {side} is not shown to be nonnegative")
    sides = [Integral(side, (x, low, high)) for side in (left, right)]
    return make(relation(Eq if kind is Eq else Le, *sides), "integrate_termwise", [fact], discharged=about)


def integral_of_sum(integrand: Any, over: tuple[Symbol, Any, Any], given: Booleans = ()) -> Fact:
    """∫ Σ = Σ ∫ for a finite sum of nonnegative terms."""
    given = tuple(given)
    if not isinstance(integrand, sympy.Sum) or len(integrand.limits) != 1:
        raise DerivationError(f"integral_of_sum: {integrand} is not a sum over one index")
    (index, *ends), (x, *borders) = integrand.limits[0], over
    if any(x in free(sympy.sympify(end)) for end in ends) or any(index in free(sympy.sympify(end)) for end in borders):
        raise DerivationError(f"integral_of_sum: the range of {index} must not depend on {x}, nor that of {x} on {index}")
    signs = context(given)
    whole = Integral(integrand, over)
    if not signs.under(whole).under(integrand).nonnegative(integrand.function):
        raise DerivationError(f"integral_of_sum: {integrand.function} is not shown to be nonnegative")
    swapped = sympy.Sum(Integral(integrand.function, over), *integrand.limits)
    return make(Eq(whole, swapped, evaluate=False), "integral_of_sum", given=given)


__all__ = ["convex_tangent", "equal_modulo", "integral", "integral_of_sum", "integral_split", "integrate_termwise", "minimum"]
