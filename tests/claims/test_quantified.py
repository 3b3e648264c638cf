"""Universal premises at a point: true only where they surely hold everywhere."""

import sympy
from sympy import Symbol

from dpbounds import Claim, settle
from dpbounds.claims.boxes.quantified import holds_at
from dpbounds.claims.counterexamples.refute import refute_at
from dpbounds.claims.plans import Counterexample
from dpbounds.language.functions import RenyiDivergence
from dpbounds.language.quantifiers import ForAll, for_each
from dpbounds.language.symbols import bernoulli, family, index, positive, positive_integer

alpha, rho, u = positive("alpha rho u")
HALF, THIRD = sympy.Rational(1, 2), sympy.Rational(1, 3)


def zcdp(p, q, condition):
    return ForAll(alpha, condition, RenyiDivergence(alpha, p, q) <= alpha * rho)


def test_equal_tables_on_an_unbounded_range():
    assert holds_at(zcdp(sympy.Tuple(1), sympy.Tuple(1), alpha > 1), {rho: 1}) is True


def test_a_range_where_the_divergence_is_undefined_is_not_accepted():
    assert holds_at(zcdp(sympy.Tuple(1), sympy.Tuple(1), alpha > 0), {rho: 1}) is None


def test_a_bounded_range_is_covered():
    bounded = sympy.And(alpha > 1, alpha <= u)
    pair = bernoulli(2 * THIRD), bernoulli(THIRD)
    assert holds_at(zcdp(*pair, bounded), {rho: HALF / 2, u: 10}) is True
    assert holds_at(zcdp(*pair, bounded), {rho: HALF / 3, u: 10}) is None


def test_an_unbounded_range_without_an_evaluation_is_left_open():
    assert holds_at(zcdp(bernoulli(2 * THIRD), bernoulli(THIRD), alpha > 1), {rho: 1}) is None


def test_integers_are_tried_one_by_one():
    low, high = Symbol("j", integer=True, nonnegative=True), positive_integer("n")
    values = family("E")
    below = for_each((low, 2, high), values[low] <= 3)
    assert holds_at(below, {high: 3, values: (9, 3, 2)}) is True  # E[1] lies outside the range
    assert holds_at(below, {high: 3, values: (0, 3, 4)}) is False
    assert holds_at(below, {high: 1, values: (9,)}) is True  # nothing to show
    assert holds_at(below, {high: 4, values: (9, 3, 2)}) is None  # no fourth entry
    assert holds_at(below, {values: (9, 3, 2)}) is None  # no upper end
    assert holds_at(for_each((low, 2, high), values[low] < 3), {high: 3, values: (9, 3, 2)}) is False


def test_an_index_starts_where_its_assumptions_let_it():
    i, n, p = index("i"), positive_integer("n"), family("p")
    rising = ForAll(i, sympy.And(sympy.Ge(i, -5), sympy.Le(i, n)), p[i] <= 1)
    assert holds_at(rising, {n: 2, p: (1, 1)}) is True
    even = Symbol("i", integer=True, positive=True, even=True)
    assert holds_at(ForAll(even, sympy.Le(even, n), p[even] <= 1), {n: 2, p: (1, 1)}) is None


def test_premises_over_integers_may_be_nested():
    i, j, n, p = index("i"), index("j"), positive_integer("n"), family("p")
    rising = ForAll(i, i <= n, ForAll(j, j <= i, p[j] <= p[i]))
    assert holds_at(rising, {n: 3, p: (1, 1, 2)}) is True
    assert holds_at(rising, {n: 3, p: (1, 2, 1)}) is False


def test_what_follows_from_a_finite_end_needs_no_cover():
    x, t = Symbol("x", real=True), Symbol("t", positive=True)

    def beyond(low, body):
        return ForAll(x, sympy.And(sympy.Ge(x, low, evaluate=False), sympy.Le(x, sympy.oo, evaluate=False), evaluate=False), body)

    assert holds_at(beyond(1, sympy.Ne(x, 0)), {}) is True
    assert holds_at(beyond(t, sympy.Ne(x, 0)), {t: THIRD}) is True
    for low in (0, -1, -sympy.oo):
        assert holds_at(beyond(low, sympy.Ne(x, 0)), {}) is None
    assert holds_at(beyond(1, sympy.Ne(1 / (x - 1), -5)), {}) is None  # no value at 1
    tail = sympy.Integral(sympy.exp(-x) / x, (x, t, sympy.oo))
    assert refute_at(Claim(id="tail", text="", then=tail <= THIRD), {t: sympy.Rational(1, 2)}).sides
    below = sympy.Integral(sympy.exp(-x) / x, (x, t - 1, sympy.oo))
    assert isinstance(refute_at(Claim(id="tail", text="", then=below <= THIRD), {t: sympy.Rational(1, 2)}), str)


def test_what_differs_throughout_a_range_has_one_sign_there():
    x = Symbol("x", real=True)
    between = sympy.And(sympy.Ge(x, 1, evaluate=False), sympy.Le(x, 2, evaluate=False), evaluate=False)
    for body, holds in ((sympy.log(1 + x), True), (-sympy.log(1 + x), True), (sympy.log(x), None), (sympy.exp(x) - 5, None)):
        assert holds_at(ForAll(x, between, sympy.Ne(body, 0)), {}) is holds


def test_a_premise_about_some_integers_stands_in_the_document_of_a_counterexample_value_by_value():
    i, n, p = index("i"), positive_integer("n"), family("p")
    premise = ForAll(i, sympy.Le(i, n), p[i] <= i)
    claim = Claim(id="small", text="", then=p[1] <= HALF, given=(premise,), by=Counterexample({n: 2, p: (THIRD * 2, 2)}))
    found = settle(claim).certificate["evidence"]["cover"]
    assert "2/3 <= 1 and 2 <= 2" in found["then"] and found["then"].endswith("not 2/3 <= 1/2")
    endless = Claim(
        id="small", text="", then=p[1] <= HALF, given=(ForAll(i, sympy.Ge(i, 1), i >= 1),), by=Counterexample({p: (THIRD * 2,)})
    )
    assert "cover" not in settle(endless).certificate["evidence"]
