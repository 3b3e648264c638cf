"""Rules of calculus: tangents of convex functions, minima on intervals, integrals by antiderivative."""

from __future__ import annotations

from typing import Any

import sympy
from sympy import Eq, Integral, Le, Symbol

from dpbounds.errors import DerivationError
from dpbounds.prover.choices import KnownFacts
from dpbounds.prover.facts import Booleans, Fact, Facts, make
from dpbounds.prover.rules_algebra import oriented
from dpbounds.prover.rules_order import relation
from dpbounds.prover.terms import free, substitute


def convex_tangent(f: Any, x: Symbol, at: Any, given: Booleans = (), domain: Booleans = (), using: Facts = ()) -> Fact:
    """f(at) + f'(at)·(x − at) ≤ f(x) for f with f'' ≥ 0 on an interval that contains both points.

    Args:
        f: an expression in x, twice differentiable inside the interval and with f, f' defined on all of it.
        x: a real symbol; its range is what its symbol assumptions and `domain` leave.
        at: the point of tangency.
        given: assumptions about other symbols.
        domain: conditions linear in x.
    """
    at = sympy.sympify(at)
    # Powers of one base are joined, so that λ·x^λ/x reads λ·x^{λ−1}, which is defined at 0 too.
    slope = sympy.powsimp(sympy.diff(f, x))
    tangent = substitute(f, {x: at}) + substitute(slope, {x: at}) * (x - at)
    return make(relation(Le, tangent, f), "convex_tangent", using, [*given, *domain], detail=f"at {x} = {at}")


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
        factored: f'(x)·(x − at) in a form whose sign is visible.
    """
    at = sympy.sympify(at)
    return make(relation(Le, substitute(f, {x: at}), f), "minimum", using, [*given, *domain], detail=f"at {x} = {at}")


def integral(integrand: Any, over: tuple[Symbol, Any, Any], antiderivative: Any, given: Booleans = (), using: Facts = ()) -> Fact:
    """∫ f = F(b) − F(a) for f ≥ 0 with F' = f inside, limits taken at infinite ends.

    Args:
        integrand: f, nonnegative on the interval (so that the improper integral is a Lebesgue integral).
        over: (x, a, b) with x real and a < b, possibly infinite.
        antiderivative: F, smooth.

    Raises:
        DerivationError: a limit is not found.
    """
    using, given = tuple(using), tuple(given)
    x, low, high = map(sympy.sympify, over)
    known = KnownFacts(given, using)
    value = limit(antiderivative, x, high, known) - limit(antiderivative, x, low, known)
    whole = Integral(integrand, (x, low, high))
    return make(Eq(whole, value, evaluate=False), "integral", using, given, detail=f"antiderivative {antiderivative}")


def limit(expression: Any, x: Symbol, end: Any, known: KnownFacts) -> Any:
    """The value at a finite end, or the limit at infinity, by structural rules: sums, products, and
    erf, exp and powers of an affine function of x whose slope has a known sign.

    Raises:
        DerivationError: a limit that these rules do not give.
    """
    if end.is_finite is not False:
        return substitute(expression, {x: end})
    value = _at_infinity(expression, x, end, known)
    if value is None or value in (sympy.oo, -sympy.oo):
        raise DerivationError(f"integral: the limit of {expression} at {end} is not found")
    return value


def _at_infinity(e: Any, x: Symbol, end: Any, known: KnownFacts) -> Any:
    if x not in e.free_symbols:
        return e
    if isinstance(e, sympy.Add):
        parts = [_at_infinity(part, x, end, known) for part in e.args]
        infinite = {part for part in parts if part in (sympy.oo, -sympy.oo)}
        if None in parts or len(infinite) > 1:
            return _affine_end(e, x, end, known)
        return infinite.pop() if infinite else sympy.Add(*parts)
    if isinstance(e, sympy.Mul):
        return _product_end([_at_infinity(part, x, end, known) for part in e.args], known)
    if isinstance(e, sympy.Pow) and not (e.exp.free_symbols & {x}):
        return _power_end(_at_infinity(e.base, x, end, known), e.exp, known)
    if e == x:
        return end
    inner = _at_infinity(e.args[0], x, end, known) if len(e.args) == 1 else None
    if inner is None:
        return None
    sign = {sympy.oo: 1, -sympy.oo: -1}.get(inner, 0)
    if isinstance(e, sympy.erf):
        return sympy.Integer(sign) if sign else e.func(inner)
    if isinstance(e, sympy.exp):
        return {1: sympy.oo, -1: sympy.S.Zero, 0: e.func(inner)}[sign]
    return None


def _affine_end(e: Any, x: Symbol, end: Any, known: KnownFacts) -> Any:
    slope = sympy.expand(e).coeff(x, 1)
    if x in sympy.expand(e - slope * x).free_symbols or x in slope.free_symbols:
        return None
    return _signed(slope, end, known)


def _signed(factor: Any, infinity: Any, known: KnownFacts) -> Any:
    """A number times ±∞, if its sign is shown."""
    return infinity if known.positive(factor) else -infinity if known.positive(-factor) else None


def _product_end(parts: list[Any], known: KnownFacts) -> Any:
    if None in parts:
        return None
    infinite = [part for part in parts if part in (sympy.oo, -sympy.oo)]
    finite = sympy.Mul(*(part for part in parts if part not in (sympy.oo, -sympy.oo)))
    return _signed(finite, sympy.Mul(*infinite), known) if infinite else finite


def _power_end(base: Any, exponent: Any, known: KnownFacts) -> Any:
    if base is None:
        return None
    if base in (sympy.oo, -sympy.oo):
        if known.positive(-exponent) and (base == sympy.oo or exponent.is_Integer):
            return sympy.S.Zero
        if known.positive(exponent) and (base == sympy.oo or (exponent.is_Integer and exponent.is_even)):
            return sympy.oo
        return -sympy.oo if exponent.is_Integer and exponent.is_odd and exponent.is_positive else None
    return base**exponent if known.positive(base) else None


def integral_split(integrand: Any, over: tuple[Symbol, Any, Any], at: Any, given: Booleans = ()) -> Fact:
    """∫ from a to b = ∫ from a to c + ∫ from c to b, for an integrand nonnegative on the interval and a ≤ c ≤ b."""
    x, low, high = map(sympy.sympify, over)
    halves = Integral(integrand, (x, low, at)) + Integral(integrand, (x, at, high))
    return make(Eq(Integral(integrand, (x, low, high)), halves, evaluate=False), "integral_split", given=given)


def integrate_termwise(fact: Fact, over: tuple[Symbol, Any, Any]) -> Fact:
    """f(x) ≤ g(x), or f(x) = g(x), for every x of the interval gives the same between the integrals (both sides nonnegative)."""
    x, low, high = map(sympy.sympify, over)
    kind, *sides = oriented(fact.statement)
    about = {assumption for assumption in fact.assumptions if x in free(assumption)}
    integrals = (Integral(side, (x, low, high)) for side in sides)
    return make(relation(Eq if kind is Eq else Le, *integrals), "integrate_termwise", [fact], discharged=about)


def integral_of_sum(integrand: Any, over: tuple[Symbol, Any, Any], given: Booleans = ()) -> Fact:
    """∫ Σ = Σ ∫ for a finite sum of nonnegative terms."""
    if not isinstance(integrand, sympy.Sum) or len(integrand.limits) != 1:
        raise DerivationError(f"integral_of_sum: {integrand} is not a sum over one index")
    swapped = sympy.Sum(Integral(integrand.function, over), *integrand.limits)
    return make(Eq(Integral(integrand, over), swapped, evaluate=False), "integral_of_sum", given=given)
