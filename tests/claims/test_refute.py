"""Refutation at a point: membership and violation are decided, and an undefined side decides nothing."""

import pytest
import sympy
from sympy import Eq, Max, Ne, Or, Piecewise, Rational, Sum, Symbol, exp, log, pi, sqrt

from dpbounds import Claim
from dpbounds.claims.counterexamples.refute import Refutation, refute_at
from dpbounds.claims.statement import instance
from dpbounds.errors import ClaimError, InputError
from dpbounds.language.functions import GaussianRenyi, HockeyStick, RenyiDivergence, RenyiMoment, SampledGaussianRenyi, Supremum
from dpbounds.language.symbols import bernoulli, family, index, integer, positive, positive_integer, real, sums_to_one

x, y = real("x y")
n = integer("n")


def refuted(then, point, *given):
    return isinstance(refute_at(Claim(id="c", text="", given=given, then=then), point), Refutation)


@pytest.mark.parametrize(
    ("then", "point"),
    [
        (x**2 >= x, {x: "1/2"}),
        (x < 1, {x: 1}),
        (exp(x) > 2, {x: log(2)}),
        (x <= Rational(1, 3), {x: "0.3333333333333333333333333333334"}),
        (Eq(x, y), {x: 1, y: 2}),
        (Ne(exp(x), 2), {x: log(2)}),
        (Or(x > 1, x < -1), {x: 1}),
        (Max(x, -x) > 0, {x: 0}),
        (Piecewise((log(x), x > 0), (0, True)) > 0, {x: 0}),
        (HockeyStick(0, bernoulli(x), bernoulli(0)) <= 0, {x: "1/2"}),
        (RenyiDivergence(2, bernoulli(x), bernoulli(0)) <= 10**6, {x: "1/2"}),
        (RenyiDivergence(2, bernoulli(x), bernoulli(x)) > 0, {x: 0}),
    ],
)
def test_violations(then, point):
    assert refuted(then, point)


@pytest.mark.parametrize(
    ("then", "point"),
    [
        (x**2 >= x, {x: 1}),
        (x <= sqrt(2) * sqrt(3), {x: sqrt(6)}),
        (x**2 <= 2, {x: sqrt(2)}),
        (exp(x) <= 2, {x: log(2)}),
        (Eq(log(x), 3 * log(2)), {x: 8}),
        (x <= Rational(1, 3), {x: "0.3333333333333333333333333333333"}),
        (sympy.Le(RenyiDivergence(2, bernoulli(x), bernoulli(0)), sympy.oo, evaluate=False), {x: "1/2"}),
        (RenyiDivergence(2, bernoulli(x), bernoulli(0)) <= RenyiDivergence(3, bernoulli(x), bernoulli(0)), {x: "1/2"}),
    ],
)
def test_true_instances_are_not_refuted(then, point):
    assert not refuted(then, point)


@pytest.mark.parametrize(
    ("then", "point"),
    [
        (log(x) >= 0, {x: -1}),
        (log(x) >= 0, {x: 0}),
        (sqrt(x) * sqrt(x - 1) >= 0, {x: -1}),
        (sqrt(x) * sqrt(x + 1) > 0, {x: -1}),
        (sqrt(x) / x**2 > 1, {x: 0}),
        (x ** Rational(1, 3) >= 0, {x: -8}),
        (x**y >= 0, {x: -8, y: "1/3"}),
        (1 / x >= 1, {x: 0}),
        (Piecewise((1, x > 0)) > 2, {x: -1}),
        (Piecewise((log(x), x < 0), (0, True)) > 2, {x: -1}),
        (GaussianRenyi(x, 1) >= 1, {x: "1/2"}),
        (GaussianRenyi(2, x) >= 1, {x: -2}),
        (SampledGaussianRenyi(2, 1, x) <= 0, {x: -1}),
        (SampledGaussianRenyi(2, 1, x) <= 0, {x: 2}),
        (RenyiDivergence(x, bernoulli(Rational(1, 2)), bernoulli(Rational(1, 3))) <= 0, {x: 1}),
        (Sum(1, (Symbol("k", integer=True), 1, n)) >= 0, {n: -4}),
        (Max(log(x), 0) > 1, {x: -1}),
    ],
)
def test_an_undefined_statement_is_not_refuted(then, point):
    found = refute_at(Claim(id="c", text="", then=then), point)
    assert found == "the statement could not be decided at the point"


def test_an_undefined_premise_puts_no_point_in_the_domain():
    assert not refuted(x >= 0, {x: -1}, sqrt(x) <= 5)
    assert not refuted(x > 0, {x: 0}, x * log(x) <= 5)


def test_membership_is_decided_exactly():
    assert refuted(x >= 2, {x: sqrt(2)}, Eq(x**2, 2))
    assert not refuted(x >= 2, {x: Rational(141421356, 10**8)}, Eq(x**2, 2))
    assert not refuted(x >= 2, {x: 1}, x > 1)
    assert refuted(x >= 4, {x: pi}, x <= pi)


def test_families_have_exactly_the_entries_they_are_given():
    p, i, m = family("p", "real"), index("i"), positive_integer("m")
    premise = sums_to_one(p, (i, 1, m))
    half = Rational(1, 2)
    assert refuted(p[1] >= 1, {p: (half, half), m: 2}, premise)
    assert not refuted(p[3] >= 1, {p: (half, half), m: 2}, premise)
    assert not refuted(p[0] >= 1, {p: (half, half), m: 2}, premise)
    assert not refuted(p[-1] >= 1, {p: (half, half), m: 2}, premise)
    assert not refuted(p[1] >= 1, {p: (half, half), m: 3}, premise)
    weights = family("w")
    assert not refuted(weights[1] >= 2, {weights: (Rational(3, 2), -half), m: 2}, sums_to_one(weights, (i, 1, m)))


def test_points_are_exact_numbers():
    claim = Claim(id="c", text="", then=x**2 >= 2)
    for bad in (sympy.Float("0.5"), sympy.nan, sympy.oo, sympy.I, y, "abc", True):
        with pytest.raises(InputError):
            refute_at(claim, {x: bad})
    with pytest.raises(ClaimError, match="no value for x"):
        refute_at(claim, {y: 1})
    assert isinstance(refute_at(claim, {x: 0.1}), Refutation)  # a float means the decimal it prints


def test_statements_that_sympy_decided_are_left_alone():
    assert "sympy evaluates" in str(refute_at(Claim(id="c", text="", then=positive("q") < 0), {}))


# --- instances -----------------------------------------------------------------------------------------------------


def test_ties_need_symbols():
    assert instance.decide(sympy.Le, sqrt(2) * sqrt(3), sqrt(6)) is True
    assert instance.decide(sympy.Lt, log(8), 3 * log(2)) is False
    assert instance.decide(sympy.Eq, exp(log(3)), sympy.Integer(3)) is True
    near = sqrt(2) + Rational(1, 10**200)
    assert instance.decide(sympy.Eq, sqrt(2), near) is False
    assert instance.decide(sympy.Lt, sqrt(2), near) is True


@pytest.mark.parametrize("side", [sympy.nan, sympy.zoo, sympy.I, sqrt(sympy.Integer(-2)), log(sympy.Integer(-1))])
@pytest.mark.parametrize("relation", [sympy.Le, sympy.Lt, sympy.Ge, sympy.Gt, sympy.Eq, sympy.Ne])
def test_what_is_no_real_number_decides_nothing(relation, side):
    assert instance.decide(relation, side, sympy.Integer(0)) is None
    assert instance.decide(relation, sympy.Integer(0), side) is None


def test_infinity_is_a_value():
    oo = sympy.oo
    assert instance.decide(sympy.Le, oo, oo) is True
    assert instance.decide(sympy.Lt, oo, oo) is False
    assert instance.decide(sympy.Lt, sympy.Integer(5), oo) is True
    assert instance.decide(sympy.Le, oo, exp(100)) is False


def test_sums_that_run_backwards_have_no_value():
    k = Symbol("k", integer=True)
    assert instance.instantiate(Sum(k, (k, 1, n)), {n: 3}) == 6
    assert instance.instantiate(Sum(k, (k, 1, n)), {n: 0}) == 0
    with pytest.raises(instance.NoValue):
        instance.instantiate(Sum(k, (k, 1, n)), {n: -1})
    with pytest.raises(instance.NoValue):
        instance.instantiate(Sum(k, (k, 1, n)), {n: 10**9})
    positive_k = index("j")
    with pytest.raises(instance.NoValue):
        instance.instantiate(Sum(sympy.Abs(positive_k), (positive_k, n, 1)), {n: -1})


def test_divergences_of_densities_without_a_value_refute_nothing():
    """A density below 0, and an order that is not above 1: the formula has a value, the divergence has none."""
    t = real("t")
    for quantity in (HockeyStick(0, t - Rational(1, 2), 1, (t, 0, 1)), RenyiMoment(Rational(1, 2), 1 + t, 1, (t, 0, 1))):
        claim = Claim(id="none", text="", given=[x >= 2, x <= 3], then=quantity >= x)
        assert isinstance(refute_at(claim, {x: 2}), str)
    shown = Claim(id="some", text="", given=[x >= 2, x <= 3], then=HockeyStick(0, 2 * t, 1, (t, 0, 1)) >= x)
    assert not isinstance(refute_at(shown, {x: 2}), str)


def test_a_binomial_coefficient_of_a_variable_has_no_value_below_zero():
    """C(−1, k) is no number while k is a variable, neither in a conclusion nor in a premise; C(n, 3) is a polynomial in n."""
    k = positive_integer("k")
    assert not refuted(sympy.binomial(n, k) >= 0, {n: -1, k: 1})
    assert not refuted(n >= 0, {n: -1, k: 1}, sympy.binomial(n, k) <= 0)
    assert refuted(sympy.binomial(n, k) >= 1, {n: 1, k: 2})
    assert refuted(sympy.Ge(sympy.binomial(n, 3), 0, evaluate=False), {n: -1})


@pytest.mark.parametrize(
    "term", [sympy.Mul(y, x, 1 / x, evaluate=False), sympy.Mul(y, sympy.Add(log(x), -log(x), 1, evaluate=False), evaluate=False)]
)
def test_what_cancels_at_a_point_has_no_value_in_a_range_all_the_same(term):
    """At y = 2 sympy makes 2 of 2·x/x, which has no value at x = 0."""
    whole = sympy.Integral(term, (x, -1, 1))
    assert not refuted(sympy.Le(whole, 1, evaluate=False), {y: 2})
    assert not refuted(y >= 3, {y: 2}, sympy.Ge(whole, 1, evaluate=False))
    assert not refuted(sympy.Le(Supremum(term, (x, -1, 1)), 1, evaluate=False), {y: 2})
    assert refuted(sympy.Le(sympy.Integral(y * exp(-(x**2)), (x, -1, 1)), 1, evaluate=False), {y: 2})


def test_a_rational_number_of_many_digits_is_shown_as_an_enclosure():
    n = integer("n")
    found = refute_at(Claim(id="long", text="", given=[n >= 1], then=Rational(2, 3) ** n >= Rational(1, 10)), {n: 9000})
    assert isinstance(found, Refutation) and all(len(side) < 200 for side in found.sides)
