"""Rules for sums and sequences: termwise comparison, the binomial theorem, induction, suprema and infima."""

from __future__ import annotations

from typing import Any

import sympy
from sympy import Eq, Le, Sum, Symbol, binomial

from dpbounds.errors import DerivationError
from dpbounds.language.functions import Infimum, Supremum
from dpbounds.prover.choices import KnownFacts
from dpbounds.prover.facts import Booleans, Fact, Facts, make
from dpbounds.prover.rules_algebra import oriented
from dpbounds.prover.rules_order import relation
from dpbounds.prover.terms import conjuncts, free, substitute


def sum_termwise(fact: Fact, over: tuple[Symbol, Any, Any]) -> Fact:
    """a(i) ≤ b(i), or a(i) = b(i), for every index in a range gives the same between the sums; < stays strict on a nonempty range.

    Assumptions about the index must follow from its range and disappear.
    """
    index, low, high = map(sympy.sympify, over)
    kind, *sides = oriented(fact.statement)
    about = {assumption for assumption in fact.assumptions if index in free(assumption)}
    strict = kind is sympy.Lt and KnownFacts(fact.assumptions - about).nonnegative(high - low)
    kind = Eq if kind is Eq else sympy.Lt if strict else Le
    return make(relation(kind, *(Sum(side, (index, low, high)) for side in sides)), "sum_termwise", [fact], discharged=about)


def sum_split(total: Sum, at: Any, given: Booleans = ()) -> Fact:
    """Σ from a to b = Σ from a to c + Σ from c+1 to b, for integers a ≤ c+1 and c ≤ b; of several indices, the outermost."""
    if not isinstance(total, Sum):
        raise DerivationError(f"sum_split: {total} is not a sum")
    *inner, (index, low, high) = total.limits
    at = sympy.sympify(at)
    halves = Sum(total.function, *inner, (index, low, at)) + Sum(total.function, *inner, (index, at + 1, high))
    return make(Eq(total, halves, evaluate=False), "sum_split", given=given)


def first_term(total: Sum, given: Booleans = ()) -> Fact:
    """Σ_{i=a}^{b} f(i) = f(a) + Σ_{i=a+1}^{b} f(i) for integers a ≤ b."""
    index, low, high = _single(total, "first_term")
    split = substitute(total.function, {index: low}) + Sum(total.function, (index, low + 1, high))
    return make(Eq(total, split, evaluate=False), "first_term", given=given)


def shift_index(total: Sum, by: int, given: Booleans = ()) -> Fact:
    """Σ_{k=a}^{b} f(k) = Σ_{k=a−s}^{b−s} f(k+s) for an integer s."""
    index, low, high = _single(total, "shift_index")
    moved = Sum(substitute(total.function, {index: index + by}), (index, low - by, high - by))
    return make(Eq(total, moved, evaluate=False), "shift_index", given=given, detail=f"{index} := {index} + {by}")


def _single(total: Any, rule: str) -> Any:
    if not isinstance(total, Sum) or len(total.limits) != 1:
        raise DerivationError(f"{rule}: {total} is not a sum over one index")
    return total.limits[0]


def absorption(n: Any, k: Any, given: Booleans = ()) -> Fact:
    """k·C(n,k) = n·C(n−1,k−1) for integers n, k ≥ 1."""
    n, k = sympy.sympify(n), sympy.sympify(k)
    return make(Eq(k * binomial(n, k), n * binomial(n - 1, k - 1), evaluate=False), "absorption", given=given)


def binomial_theorem(a: Any, b: Any, n: Any, index: Symbol, given: Booleans = ()) -> Fact:
    """(a + b)^n = Σ_{k=0}^{n} C(n,k)·a^k·b^{n−k} for an integer n ≥ 0."""
    n = sympy.sympify(n)
    summand = binomial(n, index) * a**index * b ** (n - index)
    return make(Eq((a + b) ** n, Sum(summand, (index, 0, n)), evaluate=False), "binomial_theorem", given=given)


def induction(base: Fact, step: Fact, index: Symbol, statement: Any, start: int = 0, upto: Any = None) -> Fact:
    """P(start), and P(j+1) under P(j), give P(j) for every integer j ≥ start; with `upto`, for start ≤ j ≤ upto.

    Args:
        base: P(start).
        step: P(j+1), which may assume P(j) or a part of it (made with `hypothesis`) and, with `upto`, that j + 1 ≤ upto.
        index: j, an integer symbol that is ≥ start by its own assumptions.
        statement: P(j).
        start: 0 or 1.
        upto: where the induction ends, if it does.
    """
    kept = {a for a in step.assumptions if a != statement and a not in conjuncts(statement) and index not in free(a)}
    reach = [] if upto is None else [relation(Le, index, upto)]
    shown = f"on {index} from {start}"
    return make(statement, "induction", [base, step], reach, assumptions=kept | base.assumptions, detail=shown)


def supremum(quantity: Supremum, bound: Fact, attained: Fact, at: Any, given: Booleans = (), using: Facts = ()) -> Fact:
    """sup f = v from f(t) ≤ v for every t inside the interval and f(t₀) = v at a point t₀ of it, ends included.

    f is smooth where it is defined, so that it makes no difference whether the ends belong to the interval.

    Args:
        quantity: `Supremum(f, (t, low, high))`.
        bound: f(t) ≤ v; assumptions about t must follow from the interval.
        attained: f(t₀) = v.
        at: t₀.
    """
    return _extremum(quantity, bound, attained, at, given, using, "supremum")


def infimum(quantity: Infimum, bound: Fact, attained: Fact, at: Any, given: Booleans = (), using: Facts = ()) -> Fact:
    """inf f = v from v ≤ f(t) for every t inside the interval and f(t₀) = v at a point t₀ of it, ends included."""
    return _extremum(quantity, bound, attained, at, given, using, "infimum")


def _extremum(quantity: Any, bound: Fact, attained: Fact, at: Any, given: Booleans, using: Facts, rule: str) -> Fact:
    t, using = _variable(quantity, rule), tuple(using)
    _, small, large = oriented(bound.statement)
    value = large if isinstance(quantity, Supremum) else small
    about = {part for fact in (bound, *using) for part in fact.assumptions if t in free(part)}
    shown = f"attained at {t} = {at}"
    return make(Eq(quantity, value, evaluate=False), rule, [bound, attained, *using], given, discharged=about, detail=shown)


def bound_extremum(quantity: Any, fact: Fact, given: Booleans = ()) -> Fact:
    """c ≤ f(t) for every t inside the interval gives c ≤ inf f; f(t) ≤ c gives sup f ≤ c. c must not depend on t.

    Assumptions of the fact about t must follow from the interval and disappear.
    """
    t = _variable(quantity, "bound_extremum")
    _, small, large = oriented(fact.statement)
    sides = (quantity, large) if isinstance(quantity, Supremum) else (small, quantity)
    about = {part for part in fact.assumptions if t in free(part)}
    return make(relation(Le, *sides), "bound_extremum", [fact], given, discharged=about)


def scale_extremum(quantity: Any, factor: Any, given: Booleans = ()) -> Fact:
    """sup(c·f) = c·sup f and inf(c·f) = c·inf f for a constant c > 0; `quantity` is the one without the factor."""
    _variable(quantity, "scale_extremum")
    factor = sympy.sympify(factor)
    scaled = quantity.func(factor * quantity.args[0], quantity.args[1])
    return make(Eq(scaled, factor * quantity, evaluate=False), "scale_extremum", given=given)


def rewrite_extremum(quantity: Any, other: Any, given: Booleans = ()) -> Fact:
    """sup f = sup g when f = g by identities for every t inside the interval, and both run over the same interval."""
    return make(Eq(quantity, other, evaluate=False), "rewrite_extremum", given=given)


def exponential_extremum(quantity: Supremum, using: Facts = ()) -> Fact:
    """inf e^{−f} = e^{−sup f}: the exponential is continuous and falling. Where sup f = ∞, both sides are 0.

    `using`: facts that show that f is defined on the whole interval.
    """
    _variable(quantity, "exponential_extremum")
    lowest = Infimum(sympy.exp(-quantity.args[0]), quantity.args[1])
    return make(Eq(lowest, sympy.exp(-quantity), evaluate=False), "exponential_extremum", using)


def _variable(quantity: Any, rule: str) -> Symbol:
    if not isinstance(quantity, (Supremum, Infimum)):
        raise DerivationError(f"{rule}: {quantity} is not a supremum or infimum")
    return quantity.args[1][0]
