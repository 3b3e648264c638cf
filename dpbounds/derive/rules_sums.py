"""Rules for sums and sequences: termwise comparison, the binomial theorem, induction, suprema and infima."""

from __future__ import annotations

from typing import Any

import sympy
from sympy import Eq, Le, Sum, Symbol, binomial

from dpbounds.derive.kernel import Booleans, Fact, Facts, context, make
from dpbounds.derive.rules_algebra import equal_modulo, oriented
from dpbounds.derive.rules_logic import same_statement
from dpbounds.derive.rules_order import relation, smooth
from dpbounds.derive.signs import Signs, open_interval
from dpbounds.derive.terms import conjuncts, free, substitute
from dpbounds.errors import DerivationError
from dpbounds.functions import Infimum, Supremum
from dpbounds.quantifiers import assumes_more_than_a_start


def sum_termwise(fact: Fact, over: tuple[Symbol, Any, Any]) -> Fact:
    """a(i) ≤ b(i), or a(i) = b(i), for every index in a range gives the same between the sums; < stays strict on a nonempty range.

    Assumptions about the index must follow from its range and disappear.
    """
    index, low, high = over[0], sympy.sympify(over[1]), sympy.sympify(over[2])
    if not index.is_integer:
        raise DerivationError(f"sum_termwise: the index {index} must be an integer")
    kind, left, right = oriented(fact.statement)
    if kind is sympy.Ne:
        raise DerivationError("sum_termwise: only =, <= and < can be summed")
    inside = Signs().under(Sum(left, (index, low, high)))
    _check_index(index, low, "sum_termwise")
    about = {assumption for assumption in fact.assumptions if index in free(assumption)}
    for assumption in about:
        if not inside.holds(assumption):
            raise DerivationError(f"sum_termwise: {assumption} does not follow from {low} <= {index} <= {high}")
    sides = [Sum(side, (index, low, high)) for side in (left, right)]
    strict = kind is sympy.Lt and Signs(fact.assumptions - about).nonnegative(high - low)
    return make(relation(Eq if kind is Eq else sympy.Lt if strict else Le, *sides), "sum_termwise", [fact], discharged=about)


def sum_split(total: Sum, at: Any, given: Booleans = ()) -> Fact:
    """Σ from a to b = Σ from a to c + Σ from c+1 to b, for integers a ≤ c+1 and c ≤ b; of several indices, the outermost."""
    given = tuple(given)
    if not isinstance(total, Sum):
        raise DerivationError(f"sum_split: {total} is not a sum")
    *inner, (index, low, high) = total.limits
    signs, at = context(given), sympy.sympify(at)
    if not (signs.integer(at) and signs.nonnegative(at + 1 - low) and signs.nonnegative(high - at)):
        raise DerivationError(f"sum_split: {low} <= {at} + 1 and {at} <= {high} are not shown")
    halves = Sum(total.function, *inner, (index, low, at)) + Sum(total.function, *inner, (index, at + 1, high))
    return make(Eq(total, halves, evaluate=False), "sum_split", given=given)


def first_term(total: Sum, given: Booleans = ()) -> Fact:
    """Σ_{i=a}^{b} f(i) = f(a) + Σ_{i=a+1}^{b} f(i) for integers a ≤ b."""
    if not isinstance(total, Sum) or len(total.limits) != 1:
        raise DerivationError(f"first_term: {total} is not a sum over one index")
    given = tuple(given)
    index, low, high = total.limits[0]
    signs = context(given)
    if not (index.is_integer and signs.integer(low) and signs.integer(high) and signs.nonnegative(high - low)):
        raise DerivationError(f"first_term: integers {low} <= {high} are not shown")
    _check_index(index, low, "first_term")
    split = substitute(total.function, {index: low}) + Sum(total.function, (index, low + 1, high))
    return make(Eq(total, split, evaluate=False), "first_term", given=given)


def shift_index(total: Sum, by: int, given: Booleans = ()) -> Fact:
    """Σ_{k=a}^{b} f(k) = Σ_{k=a−s}^{b−s} f(k+s) for an integer s."""
    if not isinstance(total, Sum) or len(total.limits) != 1 or not isinstance(by, int):
        raise DerivationError("shift_index: give a sum over one index and a whole number")
    index, low, high = total.limits[0]
    given = tuple(given)
    signs = context(given)
    if not index.is_integer or not signs.integer(low):
        raise DerivationError(f"shift_index: the index {index} must be an integer")
    _check_index(index, low, "shift_index")
    _check_index(index, low - by, "shift_index")
    moved = Sum(substitute(total.function, {index: index + by}), (index, low - by, high - by))
    return make(Eq(total, moved, evaluate=False), "shift_index", given=given, detail=f"{index} := {index} + {by}")


def absorption(n: Any, k: Any, given: Booleans = ()) -> Fact:
    """k·C(n,k) = n·C(n−1,k−1) for integers n, k ≥ 1; checked through factorials, and both sides are 0 for k > n."""
    n, k, given = sympy.sympify(n), sympy.sympify(k), tuple(given)
    signs = context(given)
    if not all(signs.integer(part) and signs.positive(part) for part in (n, k)):
        raise DerivationError(f"absorption: {n} and {k} must be integers >= 1")
    top, low = sympy.symbols("n k", positive=True)
    if sympy.gammasimp(low * binomial(top, low) / (top * binomial(top - 1, low - 1))) != 1:
        raise DerivationError("absorption: the identity of factorials fails")
    return make(Eq(k * binomial(n, k), n * binomial(n - 1, k - 1), evaluate=False), "absorption", given=given)


def _check_index(index: Symbol, low: Any, rule: str) -> None:
    """The index may be an integer, ≥ 0 or ≥ 1 by its own assumptions, and its range must start no lower."""
    if assumes_more_than_a_start(index):
        raise DerivationError(f"{rule}: the index {index} carries assumptions beyond a sign")
    if (index.is_positive and not low.is_positive) or (index.is_nonnegative and not low.is_nonnegative):
        raise DerivationError(f"{rule}: the index {index} is assumed to be larger than its range, which starts at {low}")


def binomial_theorem(a: Any, b: Any, n: Any, index: Symbol, given: Booleans = ()) -> Fact:
    """(a + b)^n = Σ_{k=0}^{n} C(n,k)·a^k·b^{n−k} for an integer n ≥ 0.

    Checked by induction on n. With H(k) = C(n,k−1)·a^k·b^{n+1−k} the summands F(n,k) satisfy F(n+1,k) = (a+b)·F(n,k) + H(k) − H(k+1);
    summed over k = 0..n+1 the H telescope to H(0) − H(n+2) = 0. The recurrence is verified here after division by C(n,k)·a^k·b^{n−k}.
    """
    n, given = sympy.sympify(n), tuple(given)
    signs = context(given)
    if not (signs.integer(n) and signs.nonnegative(n)) or not index.is_integer:
        raise DerivationError(f"binomial_theorem: the exponent {n} must be an integer >= 0")
    if any(index in free(sympy.sympify(part)) for part in (a, b, n)):
        raise DerivationError(f"binomial_theorem: the index {index} occurs in what is expanded")
    x, y = sympy.symbols("x y", positive=True)
    top, k = sympy.symbols("n k", positive=True)
    pascal = sympy.gammasimp(binomial(top + 1, k) / binomial(top, k)).simplify()
    left_neighbour = sympy.gammasimp(binomial(top, k - 1) / binomial(top, k)).simplify()
    if sympy.simplify(pascal * y - (x + y) - left_neighbour * y + x) != 0:
        raise DerivationError("binomial_theorem: the recurrence of the summands fails")
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
    _check_index(index, sympy.Integer(start), "induction")
    if not index.is_integer or (start == 0 and not index.is_nonnegative) or (start == 1 and not index.is_positive) or start not in (0, 1):
        raise DerivationError(f"induction: {index} must be an integer symbol with values >= {start} only")
    first = substitute(statement, {index: sympy.Integer(start)})
    if not same_statement(base.statement, first, Signs(base.assumptions)):
        raise DerivationError(f"induction: the base {base.statement} is not the statement at {start}")
    if index in set().union(*(free(a) for a in base.assumptions)) or index in free(base.statement):
        raise DerivationError(f"induction: the base must not mention {index}")
    if not same_statement(step.statement, substitute(statement, {index: index + 1}), Signs(step.assumptions)):
        raise DerivationError(f"induction: the step {step.statement} is not the statement at {index} + 1")
    left = {a for a in step.assumptions if a != statement and a not in conjuncts(statement)}
    within = Signs([] if upto is None else [relation(Le, index + 1, upto), relation(sympy.Lt, index, upto), relation(Le, index, upto)])
    about = {a for a in left if index in free(a)}
    stray = [a for a in about if not within.holds(a)]
    if stray or (upto is not None and index in free(sympy.sympify(upto))):
        raise DerivationError(f"induction: the step assumes {stray[0] if stray else upto} about {index} besides the statement itself")
    range_of = [] if upto is None else [relation(Le, index, upto)]
    return make(
        statement,
        "induction",
        [base, step],
        range_of,
        assumptions=(left - about) | set(base.assumptions),
        detail=f"on {index} from {start}",
    )


def supremum(quantity: Supremum, bound: Fact, attained: Fact, at: Any, given: Booleans = (), using: Facts = ()) -> Fact:
    """sup f = v from f(t) ≤ v for every t inside the interval and f(t₀) = v at a point t₀ of it, ends included.

    f is smooth where it is defined, so that it makes no difference whether the ends belong to the interval.

    Args:
        quantity: `Supremum(f, (t, low, high))`.
        bound: f(t) ≤ v; assumptions about t must follow from the interval.
        attained: f(t₀) = v.
        at: t₀.
    """
    return _extremum(quantity, bound, attained, at, given, using, upper=True)


def infimum(quantity: Infimum, bound: Fact, attained: Fact, at: Any, given: Booleans = (), using: Facts = ()) -> Fact:
    """inf f = v from v ≤ f(t) for every t inside the interval and f(t₀) = v at a point t₀ of it, ends included."""
    return _extremum(quantity, bound, attained, at, given, using, upper=False)


def bound_extremum(quantity: Any, fact: Fact, given: Booleans = ()) -> Fact:
    """c ≤ f(t) for every t inside the interval gives c ≤ inf f; f(t) ≤ c gives sup f ≤ c. c must not depend on t.

    Assumptions of the fact about t must follow from the interval and disappear.
    """
    given, upper = tuple(given), isinstance(quantity, Supremum)
    function, t, about = _bounded(quantity, fact, given, (), "bound_extremum")
    kind, small, large = oriented(fact.statement)
    constant = large if upper else small
    sides = (quantity, constant) if upper else (constant, quantity)
    return make(relation(Le, *sides), "bound_extremum", [fact], given, discharged=about)


def scale_extremum(quantity: Any, factor: Any, given: Booleans = ()) -> Fact:
    """sup(c·f) = c·sup f and inf(c·f) = c·inf f for a constant c > 0; `quantity` is the one without the factor."""
    if not isinstance(quantity, (Supremum, Infimum)):
        raise DerivationError(f"scale_extremum: {quantity} is not a supremum or infimum")
    given, factor, signs = tuple(given), sympy.sympify(factor), context(given)
    if quantity.args[1][0] in free(factor) or not signs.positive(factor) or signs.infinite(factor):
        raise DerivationError(f"scale_extremum: {factor} is not shown to be a positive constant")
    scaled = quantity.func(factor * quantity.args[0], quantity.args[1])
    return make(Eq(scaled, factor * quantity, evaluate=False), "scale_extremum", given=given)


def rewrite_extremum(quantity: Any, other: Any, given: Booleans = ()) -> Fact:
    """sup f = sup g when f = g by identities for every t inside the interval, and both run over the same interval."""
    given = tuple(given)
    if type(quantity) is not type(other) or not isinstance(quantity, (Supremum, Infimum)) or quantity.args[1] != other.args[1]:
        raise DerivationError("rewrite_extremum: two suprema (or infima) over one interval are needed")
    t, low, high = quantity.args[1]
    _check_variable(t, low, context(given), "rewrite_extremum")
    signs = Signs((*open_interval(t, low, high), *(g for g in given if t not in free(g))))
    if not equal_modulo(quantity.args[0], other.args[0], (), signs):
        raise DerivationError(f"rewrite_extremum: {quantity.args[0]} and {other.args[0]} are not shown to be equal")
    return make(Eq(quantity, other, evaluate=False), "rewrite_extremum", given=given)


def exponential_extremum(quantity: Supremum, using: Facts = ()) -> Fact:
    """inf e^{−f} = e^{−sup f}: the exponential is continuous and falling. Where sup f = ∞, both sides are 0.

    `using`: facts that show that f is defined on the whole interval.
    """
    if not isinstance(quantity, Supremum):
        raise DerivationError(f"exponential_extremum: {quantity} is not a supremum")
    lowest = Infimum(sympy.exp(-quantity.args[0]), quantity.args[1])
    return make(Eq(lowest, sympy.exp(-quantity), evaluate=False), "exponential_extremum", using)


def _check_variable(t: Symbol, low: Any, signs: Signs, rule: str) -> None:
    """The variable may be assumed ≥ 0 or > 0 only where its interval starts at 0 or later."""
    beyond = t.is_integer or t.is_nonpositive or (t.is_zero is False and not t.is_positive) or not t.is_real
    if beyond or (t.is_nonnegative and not signs.nonnegative(low)):
        raise DerivationError(f"{rule}: the symbol {t} carries assumptions that its interval does not have")


def _bounded(quantity: Any, bound: Fact, given: tuple[Any, ...], using: tuple[Fact, ...], rule: str) -> tuple[Any, Symbol, set[Any]]:
    """Check that a fact bounds the function of an extremum by a constant; the function, its variable, the assumptions that disappear."""
    if not isinstance(quantity, (Supremum, Infimum)):
        raise DerivationError(f"{rule}: {quantity} is not a supremum or infimum")
    function, (t, low, high) = quantity.args[0], quantity.args[1]
    kind, small, large = oriented(bound.statement)
    side, value = (small, large) if isinstance(quantity, Supremum) else (large, small)
    _check_variable(t, low, context(given), rule)
    around = Signs((*open_interval(t, low, high), *(g for g in given if t not in free(g))))
    about = {assumption for fact in (bound, *using) for assumption in fact.assumptions if t in free(assumption)}
    for assumption in about:
        if not around.holds(assumption):
            raise DerivationError(f"{rule}: {assumption} does not follow from the interval of {t}")
    # What is given about a symbol outside that has the name of t says nothing inside.
    inside = around.and_also(bound.statement, *(fact.statement for fact in using))
    if kind not in (Le, sympy.Lt) or t in free(value) or not equal_modulo(side, function, using, inside):
        raise DerivationError(f"{rule}: {bound.statement} does not bound {function} by a constant")
    return function, t, about


def _extremum(quantity: Any, bound: Fact, attained: Fact, at: Any, given: Booleans, using: Facts, upper: bool) -> Fact:
    rule = "supremum" if upper else "infimum"
    using, given = tuple(using), tuple(given)
    if not isinstance(quantity, Supremum if upper else Infimum):
        raise DerivationError(f"{rule}: {quantity} is not such a quantity")
    function, t, about = _bounded(quantity, bound, given, using, rule)
    _, low, high = quantity.args[1]
    _, small, large = oriented(bound.statement)
    value = large if upper else small
    signs = context(given, (*using, attained))
    at = sympy.sympify(at)
    if not signs.real(at) or signs.infinite(at):
        raise DerivationError(f"{rule}: the point {at} is not known to be a number")
    smooth(function, t)
    reach: list[Any] = []
    for condition in open_interval(t, low, high):
        closed = relation(Le, condition.lhs, condition.rhs)
        if not signs.holds(substitute(closed, {t: at})):
            raise DerivationError(f"{rule}: the point {at} is not shown to satisfy {condition}")
        reach.append(condition if signs.holds(substitute(condition, {t: at})) else closed)
    # An end that is attained belongs to where the function is smooth: 0^t is 1 at t = 0 and 0 after it.
    if (bad := Signs((*reach, *(g for g in given if t not in free(g)))).undefined_part(function)) is not None:
        raise DerivationError(f"{rule}: {bad} is not known to be defined up to {at}")
    if t in set().union(free(at), *(free(a) for a in attained.assumptions)):
        raise DerivationError(f"{rule}: the value at the point must not depend on {t}")
    if (
        not isinstance(attained.statement, Eq)
        or not equal_modulo(attained.lhs, substitute(function, {t: at}), using, signs)
        or not equal_modulo(attained.rhs, value, using, signs)
    ):
        raise DerivationError(f"{rule}: {attained.statement} does not say that the bound is attained at {at}")
    kept = {a for fact in (bound, attained, *using) for a in fact.assumptions} - about
    return make(
        Eq(quantity, value, evaluate=False), rule, [bound, attained, *using], given, assumptions=kept, detail=f"attained at {t} = {at}"
    )
