"""The kernel: what each rule accepts, and above all what it refuses."""

import dataclasses

import pytest
import sympy
from sympy import Eq, Integral, Lambda, Max, Rational, Sum, Symbol, erf, exp, log, oo, sqrt

from dpbounds.errors import DerivationError
from dpbounds.language.functions import (
    GaussianRenyi,
    HockeyStick,
    Infimum,
    RenyiDivergence,
    RenyiMoment,
    SampledGaussianMoment,
    Supremum,
    normal_density,
)
from dpbounds.language.quantifiers import ForAll, for_each
from dpbounds.language.symbols import family, index, nonnegative, positive, positive_integer, real
from dpbounds.prover import guard, rules
from dpbounds.prover.facts import Fact, make
from dpbounds.prover.normal import equal
from dpbounds.prover.signs import Signs
from dpbounds.prover.terms import free, substitute

x, y, s, t = positive("x y s t")
a, b = real("a b")
lam = positive("lambda")
n, m = positive_integer("n m")
i, j = index("i"), index("j")
p, q = family("p"), family("q", "positive")
k = Symbol("k", integer=True, nonnegative=True)


def refused(build, *words):
    with pytest.raises(DerivationError) as caught:
        build()
    message = str(caught.value)
    assert "\n" not in message
    for word in words:
        assert word in message


# --- facts cannot be forged


def test_a_fact_needs_the_key():
    refused(lambda: Fact(sympy.Le(1, 0, evaluate=False), frozenset(), (), "trust me", (), 0, None))
    genuine = rules.nonnegative(a**2)
    refused(lambda: dataclasses.replace(genuine, statement=rules.lt(a**2, 0), key=None))
    with pytest.raises(dataclasses.FrozenInstanceError):
        genuine.statement = rules.lt(1, 0)


def test_the_guard_catches_a_false_statement_that_a_rule_let_through():
    refused(lambda: make(rules.le(x**2, x), "broken rule"), "fails at")
    refused(lambda: make(Eq(sqrt(a**2), a, evaluate=False), "broken rule"), "fails at")
    refused(lambda: make(rules.le(Sum(p[i], (i, 1, n)), p[1]), "broken rule"), "fails at")


def test_the_guard_tries_zero_the_ends_and_values_next_to_them():
    """Each is true at all other points that used to be tried: multiples of 1/24 of a range, and of 1/24 from its end on."""
    wrong = [
        (rules.lt(0, a**2), []),  # 0
        (rules.eq(a / a**3, a**-2), []),  # no value at 0
        (rules.lt(0, k), []),  # 0 of an integer
        (rules.lt(a, 1), [a >= 0, a <= 1]),  # an upper end
        (rules.lt(2, a), [a >= 2]),  # a lower end
        (rules.le(a, Rational(98, 100)), [a >= 0, a < 1]),  # below an open end
        (rules.le(Rational(1, 50), a), [a > 0, a <= 1]),  # above one
        (rules.le(Rational(1, 50), x), []),
    ]
    for statement, premises in wrong:
        refused(lambda statement=statement, premises=premises: guard.check(statement, premises), "fails at")
    apart = Symbol("w", real=True, nonzero=True)
    assert guard.check(rules.lt(0, apart**2), []) == guard.check(rules.lt(0, a**2), [a > 0]) == guard.POINTS


def test_an_integral_from_far_out_is_no_objection():
    """The guard looks at a long finite piece of an infinite range; where the range starts beyond it, nothing is seen."""
    u = real("u")
    for end, points in ((1, 1), (10**4, 0)):
        assert guard.check(rules.le(0, Integral(exp(-(u**2)), (u, end, oo))), []) == points


def test_the_guard_respects_assumptions():
    assert guard.check(rules.le(x**2, x), [x <= 1]) == guard.POINTS


def test_the_guard_meets_sums_to_one():
    total = Sum(p[i], (i, 1, n))
    assert guard.check(rules.le(Sum(p[i] ** 2, (i, 1, n)), 1), [Eq(total, 1)]) == guard.POINTS
    with pytest.raises(DerivationError):
        guard.check(rules.lt(Sum(p[i], (i, 1, n)), Rational(99, 100)), [Eq(total, 1)])


def test_the_guard_integrates_over_the_line():
    density = normal_density(a, 0, 1)
    assert guard.check(Eq(Integral(density, (a, -oo, oo)), 1, evaluate=False), []) == 1
    with pytest.raises(DerivationError):
        guard.check(Eq(Integral(density, (a, -oo, oo)), Rational(1001, 1000), evaluate=False), [])


def test_everything_in_a_fact_is_defined():
    refused(lambda: rules.equality(a / a + log(b), 1 + log(b)), "log(b)", "defined")
    refused(lambda: rules.equality((x - 1) ** 2 / (x - 1) + 1 / (x - 1), x - 1 + 1 / (x - 1)), "defined")
    assert rules.equality((x**2 - 1) / (x - 1), x + 1, given=[x > 1]).assumptions == {x > 1}


# --- terms


def test_substitution_avoids_capture():
    moved = substitute(Sum(x * i, (i, 1, n)), {x: i})
    assert free(moved) == {i, n}
    assert moved.subs({i: 5, n: 2}).doit() == 15
    body = substitute(ForAll(y, y > 0, rules.le(x, y)), {x: y})
    assert free(body) == {y}


def test_substitution_keeps_relations():
    assert substitute(rules.le(x, y), {y: x}) == rules.le(x, x)


def test_families_are_replaced_by_functions_of_their_index():
    moved = substitute(Sum(p[i], (i, 1, n)), {p: Lambda((j,), x * j)})
    assert moved == Sum(x * i, (i, 1, n))


# --- signs


@pytest.mark.parametrize(
    "expression, given",
    [
        (a**2 + b**2, []),
        (x - 1, [x >= 1]),
        (1 - x, [x <= 1]),
        (x * y - y, [x >= 1]),
        ((x - 1) * (y - 2), [x > 1, y > 2]),
        (log(1 / x), [x < 1]),
        (-log(x), [x <= 1]),
        (Sum(p[i] * q[i], (i, 1, n)), []),
        (x**3 - 3 * x + 2, [x > 1]),
        (Max(a, 0), []),
        (sympy.binomial(n, k) * x**k, []),
        (lam * (lam - 1) * x ** (lam - 2), [lam > 1]),
        (y - x, [x <= 1, y >= 1]),
    ],
)
def test_signs_are_shown(expression, given):
    assert Signs(given).nonnegative(expression)


@pytest.mark.parametrize(
    "expression, given",
    [
        (a, []),
        (x - 1, []),
        (x - 1, [x > Rational(1, 2)]),
        (1 - x**2, [x < 2]),
        (log(x), [x < 1]),
        (x**3 - 3 * x + 2 - Rational(1, 100), [x > 0]),
        (Sum(a * p[i], (i, 1, n)), []),
        ((x - 1) * (y - 2), [x > 1]),
        (x - y, [x <= y]),
        (a**3, []),
        (lam * (lam - 1), []),
    ],
)
def test_signs_are_not_invented(expression, given):
    assert not Signs(given).nonnegative(expression)


def test_strict_and_weak_signs_differ():
    assert Signs([x >= 1]).nonnegative(x - 1) and not Signs([x >= 1]).positive(x - 1)
    z = nonnegative("z")
    assert not Signs([]).positive(z) and not Signs([]).positive(Sum(p[i], (i, 1, n)))
    assert Signs([]).positive(Sum(q[i], (i, 1, n)))
    assert not Signs([]).positive(Sum(q[i], (i, 1, k)))
    assert Signs([z <= 1]).positive(z * x + (1 - z) * y) and not Signs([]).positive(z * x + (1 - z) * y)


# --- identities


def test_identities_are_recognised():
    everything = Signs([lam > 1])
    total_p, total_q = Sum(p[i], (i, 1, n)), Sum(q[i], (i, 1, n))
    ratio = total_p / total_q
    assert equal(Sum(ratio * q[i] - p[i], (i, 1, n)), 0, everything)
    assert equal(Sum((p[i] / q[i]) ** lam * q[i], (i, 1, n)), Sum(p[j] ** lam * q[j] ** (1 - lam), (j, 1, n)), everything)
    assert equal(Sum(Sum(p[i] * q[j], (i, 1, n)), (j, 1, m)), total_p * Sum(q[i], (i, 1, m)), everything)
    assert equal(exp(log(x) * lam), x**lam, everything)
    assert equal(sqrt(x) * sqrt(x * y), x * sqrt(y), everything)


@pytest.mark.parametrize(
    "left, right",
    [
        (x**s, x ** (s + 1)),
        (sqrt(a**2), a),
        ((a * b) ** s, a**s * b**s),
        (log(a * b), log(a) + log(b)),
        (Sum(p[i], (i, 1, n)), Sum(p[i], (i, 1, m))),
        (Sum(p[i] * q[i], (i, 1, n)), Sum(p[i], (i, 1, n)) * Sum(q[i], (i, 1, n))),
        (Sum(x, (i, 1, n)), x),
        (exp(x + y), exp(x) + exp(y)),
        (RenyiMoment(lam, p[i], q[i], (i, 1, n)), RenyiMoment(lam, q[i], p[i], (i, 1, n))),
    ],
)
def test_false_identities_are_not(left, right):
    assert not equal(left, right, Signs([lam > 1]))


def test_equality_refuses_a_lost_factor():
    refused(lambda: rules.equality(exp(x + y), 2 * exp(x) * exp(y)), "not shown")


def test_rewriting_with_a_wrong_equation_is_impossible():
    known = rules.hypothesis(Eq(x, y))
    fact = rules.equality(x + 1, y + 1, using=[known])
    assert Eq(x, y) in fact.assumptions


def test_rewriting_does_not_divide_by_what_may_be_zero():
    known = rules.hypothesis(Eq(a * Sum(p[i], (i, 1, n)), a * x))
    refused(lambda: rules.equality(Sum(p[i], (i, 1, n)), x, using=[known]))


# --- order


def test_chain_needs_meeting_sides():
    one, two = rules.sign(rules.le(x, x + 1)), rules.sign(rules.le(x + 2, x + 3))
    refused(lambda: rules.chain(one, two), "equal")
    assert rules.chain(one, rules.sign(rules.lt(1 + x, x + 3))).statement == rules.lt(x, x + 3)


def test_chain_keeps_the_weaker_side_weak():
    weak = rules.hypothesis(rules.le(x, y))
    assert isinstance(rules.chain(weak, rules.equality(y, y)).statement, sympy.Le)


def test_scale_needs_the_sign_of_the_factor():
    fact = rules.hypothesis(rules.le(a, b))
    refused(lambda: rules.scale(fact, a), "sign")
    assert rules.scale(fact, -1).statement == rules.le(-b, -a)
    strict = rules.hypothesis(rules.lt(a, b))
    refused(lambda: rules.scale(strict, nonnegative("z")), "sign")


def test_multiply_needs_nonnegative_left_sides():
    fact = rules.hypothesis(rules.le(a, b))
    refused(lambda: rules.multiply(fact, fact), "nonnegative")


def test_apply_needs_a_monotone_function():
    fact = rules.hypothesis(rules.le(a, b))
    z = real("z")
    refused(lambda: rules.apply(Lambda(z, z**2), fact), "monotone")
    refused(lambda: rules.apply(Lambda(z, log(z)), fact), "defined")
    refused(lambda: rules.apply(Lambda(z, sympy.Abs(z)), fact), "smooth")
    assert rules.apply(Lambda(z, exp(-z)), fact).statement == rules.le(exp(-b), exp(-a))
    strict = rules.hypothesis(rules.lt(x, y))
    refused(lambda: rules.apply(Lambda(z, z * 0 + 1), strict), "monotone")


def test_maximum_needs_one_bound():
    refused(lambda: rules.maximum(rules.sign(rules.le(x, x + 1)), rules.sign(rules.le(0, x))), "same")


# --- calculus


def test_convex_tangent_refuses_concave_functions_and_points_outside():
    z, c = nonnegative("z"), nonnegative("c")
    refused(lambda: rules.convex_tangent(x ** Rational(1, 2), x, y), "second derivative")
    refused(lambda: rules.convex_tangent(z**lam, z, c), "not")
    refused(lambda: rules.convex_tangent(z**lam, z, a, given=[lam > 1]), "range")
    refused(lambda: rules.convex_tangent(z**s, z, c, given=[s > Rational(1, 2)]), "not")
    refused(lambda: rules.convex_tangent(sympy.Abs(a), a, b), "smooth")
    refused(lambda: rules.convex_tangent(n**2, n, m), "real")


def test_convex_tangent_refuses_a_domain_with_a_hole():
    refused(lambda: rules.convex_tangent(1 / a**2, a, b, domain=[a**2 > 1], given=[b > 1]), "linear")


def test_minimum_needs_the_right_point():
    f = x + 1 / x
    assert rules.minimum(f, x, 1, factored=(x - 1) ** 2 * (x + 1) / x**2).statement == rules.le(2, f)
    refused(lambda: rules.minimum(f, x, 2), "nonnegative")
    refused(lambda: rules.minimum(f, x, 1, factored=(x - 1) ** 2), "equal")
    refused(lambda: rules.minimum(f, x, 0), "range")
    edge = rules.minimum(f, x, Rational(1, 2), domain=[x <= Rational(1, 2)], factored=(1 - x) * (x + 1) * (Rational(1, 2) - x) / x**2)
    assert edge.assumptions == {x <= Rational(1, 2)}


def test_integral_differentiates_back():
    z = real("z")
    density = normal_density(z, 0, s)
    assert rules.integral(density, (z, -oo, oo), erf(z / (sqrt(2) * s)) / 2).rhs == 1
    refused(lambda: rules.integral(density, (z, -oo, oo), erf(z / s) / 2), "derivative")
    refused(lambda: rules.integral(z, (z, -1, 1), z**2 / 2), "nonnegative")
    refused(lambda: rules.integral(exp(z), (z, -oo, oo), exp(z)), "limit")
    refused(lambda: rules.integral(exp(x), (x, 0, 1), exp(x)), "without a sign")
    refused(lambda: rules.integral(1 / z**2, (z, -1, 1), -1 / z), "defined")
    assert rules.integral(exp(-s * z), (z, 0, oo), -exp(-s * z) / s).rhs == 1 / s
    refused(lambda: rules.integral(exp(-a * z), (z, 0, oo), -exp(-a * z) / a))


def test_integrals_run_forward():
    z = real("z")
    fact = rules.sign(rules.le(0, z**2))
    assert rules.integrate_termwise(fact, (z, 0, 1)).statement.rhs == Integral(z**2, (z, 0, 1))
    for over in [(z, 1, 0), (z, x, 0), (z, oo, 0), (z, oo, -oo)]:
        refused(lambda over=over: rules.integrate_termwise(fact, over), "not")
    refused(lambda: rules.nonnegative(Integral(exp(-z), (z, oo, 0))))
    refused(lambda: rules.positive(Integral(exp(-(z**2)), (z, oo, 3))))
    # Between ends in the wrong order every premise about z holds, and its logarithm would count as defined.
    assert Signs([]).undefined_part(Integral(log(z), (z, -1, -2))) is not None


def test_the_guard_knows_which_way_an_integral_runs():
    z = real("z")
    refused(lambda: guard.check(rules.le(1, Integral(z**2, (z, 3, 0))), set()), "fails")
    assert guard.check(rules.le(Integral(z**2, (z, 3, 0)), -1), set()) > 0


# --- sums


def test_sums_that_run_backwards_have_no_value():
    backwards = Symbol("h", integer=True)
    assert rules.nonnegative(Sum(k**2, (k, 1, 0))).statement.lhs == 0
    refused(lambda: rules.equality(Sum(k, (k, 5, 0)), 0), "defined")
    refused(lambda: rules.nonnegative(Sum(k**2, (k, 3, 0))), "defined")
    refused(lambda: rules.nonnegative(Sum(k**2, (k, 0, backwards))), "defined")
    assert rules.nonnegative(Sum(k**2, (k, 0, backwards)), [backwards >= -1]).points > 0


def test_sum_termwise_discharges_only_the_range():
    fact = rules.sign(rules.le(p[i], i * p[i]))
    assert rules.sum_termwise(fact, (i, 1, n)).assumptions == frozenset()
    special = rules.sign(rules.le(2 * p[i], i * p[i]), [i >= 2])
    refused(lambda: rules.sum_termwise(special, (i, 1, n)), "follow")
    assert rules.sum_termwise(special, (i, 2, n)).assumptions == frozenset()
    refused(lambda: rules.sum_termwise(fact, (i, 0, n)), "index")


def test_binomial_theorem_needs_an_integer_exponent():
    refused(lambda: rules.binomial_theorem(x, y, s, k), "integer")
    order = Symbol("L", integer=True, nonnegative=True)
    assert rules.binomial_theorem(a, b, order, k).points > 0


def test_binomial_theorem_takes_an_exponent_that_premises_make_nonnegative():
    order = Symbol("n", integer=True, positive=True)
    assert rules.binomial_theorem(x, y, order - 2, k, [order >= 2]).assumptions == {order >= 2}
    refused(lambda: rules.binomial_theorem(x, y, order - 2, k), "integer")


def test_shift_index_keeps_the_index_in_its_range():
    n, j = Symbol("n", integer=True, positive=True), Symbol("j", integer=True, positive=True)
    fact = rules.shift_index(Sum(x**k, (k, 2, n)), 2)
    assert fact.rhs == Sum(x ** (k + 2), (k, 0, n - 2))
    refused(lambda: rules.shift_index(Sum(x**k, (k, 1, n)), 2), "range")  # k is assumed nonnegative, and would start at -1
    refused(lambda: rules.shift_index(Sum(x**j, (j, 1, n)), 1), "range")
    refused(lambda: rules.shift_index(Sum(x**k, (k, 1, n)), n), "whole number")


def test_absorption_needs_positive_integers():
    n = Symbol("n", integer=True, positive=True)
    assert rules.absorption(n, k + 1).points > 0
    refused(lambda: rules.absorption(n, k), "integers")
    refused(lambda: rules.absorption(x, k + 1), "integers")
    refused(lambda: rules.absorption(n - 1, k + 1), "integers")


def test_triangle_needs_reals():
    a, b = Symbol("a", real=True), Symbol("b", real=True)
    assert rules.triangle(a, -b).rhs == sympy.Abs(a) + sympy.Abs(b)
    refused(lambda: rules.triangle(sympy.log(a), b), "real")
    refused(lambda: rules.triangle(Symbol("z", complex=True), b), "real")


def test_sums_over_one_denominator_written_with_either_sign():
    u, v = family("u", "positive"), family("v", "positive")
    left = Sum(u[i] ** 2 / (x * v[i] + (1 - x) * u[i]), (i, 1, n))
    same = Sum((-u[i]) ** 2 / (u[i] - x * (u[i] - v[i])), (i, 1, n))
    assert equal(left, same, Signs([x < 1]))
    assert not equal(left, -same, Signs([x < 1]))
    assert not equal(left, Sum(u[i] ** 2 / (x * v[i] - (1 - x) * u[i]), (i, 1, n)), Signs([x < 1]))


def test_induction_needs_base_and_step():
    counter = Symbol("j", integer=True, nonnegative=True)
    statement = rules.le(1 + counter * x, (1 + x) ** counter)
    base = rules.sign(rules.le(1 + 0 * x, 1))
    before = rules.scale(rules.hypothesis(statement), 1 + x)
    more = rules.sign(rules.le(1 + (counter + 1) * x, (1 + counter * x) * (1 + x)))
    step = rules.restate(rules.le(1 + (counter + 1) * x, (1 + x) ** (counter + 1)), rules.chain(more, before))
    proved = rules.induction(base, step, counter, statement)
    assert proved.statement == statement and not proved.assumptions
    refused(lambda: rules.induction(base, base, counter, statement), "step")
    refused(lambda: rules.induction(step, step, counter, statement), "base")
    stray = rules.hypothesis(rules.le(1 + (counter + 1) * x, (1 + x) ** (counter + 1)))
    refused(lambda: rules.induction(base, stray, counter, statement), "assumes")


def test_extremum_needs_bound_and_attainment():
    quantity = Supremum(2 * t - t**2, (t, 0, oo))
    bound = rules.sign(rules.le(2 * t - t**2, 1))
    attained = rules.equality(2 - 1, 1)
    assert rules.supremum(quantity, bound, attained, 1).rhs == 1
    loose = rules.chain(bound, rules.sign(rules.le(1, 2)))
    refused(lambda: rules.supremum(quantity, loose, attained, 1), "attained")
    refused(lambda: rules.infimum(Infimum(2 * t - t**2, (t, 0, oo)), bound, attained, 1), "bound")
    partial = rules.sign(rules.le(2 * t - t**2, 1), [t > 2])
    refused(lambda: rules.supremum(quantity, partial, attained, 1), "follow")
    z = positive("z")
    refused(lambda: rules.supremum(Supremum(2 * z - z**2, (z, -1, 3)), rules.sign(rules.le(2 * z - z**2, 1)), attained, 1), "assumptions")


# --- logic


def test_instance_checks_the_terms():
    fact = rules.sign(rules.lt(0, x))
    refused(lambda: rules.instance(fact, {x: a}), "positive")
    refused(lambda: rules.instance(fact, {x: nonnegative("z")}), "positive")
    refused(
        lambda: rules.instance(
            rules.binomial_theorem(x, y, Symbol("L", integer=True, positive=True), k), {Symbol("L", integer=True, positive=True): s}
        ),
        "integer",
    )
    assert rules.instance(fact, {x: a}, given=[a > 1]).assumptions == {a > 1}
    fact = rules.sign(rules.le(1, x), [x > 1])
    assert rules.instance(fact, {x: y + 1}).assumptions == frozenset()
    assert rules.instance(fact, {x: y}).assumptions == {y > 1}


def test_instance_of_a_family_checks_the_sign():
    fact = rules.sign(rules.le(0, Sum(p[i], (i, 1, n))))
    refused(lambda: rules.instance(fact, {p: Lambda((j,), a)}), "nonnegative")
    assert rules.instance(fact, {p: Lambda((j,), x * q[j])}).rhs == Sum(x * q[i], (i, 1, n))
    # A premise about a symbol outside says nothing about the index of that name: Σ (a − j) is negative for large n.
    refused(lambda: rules.instance(fact, {p: Lambda((j,), a - j)}, given=[a - j >= 0]), "nonnegative")


def test_instance_checks_every_assumption_of_a_symbol():
    ratio = Symbol("w", rational=True)
    fact = rules.hypothesis(sympy.Ne(ratio, a))
    refused(lambda: rules.instance(fact, {ratio: sqrt(2)}), "rational")
    refused(lambda: rules.instance(fact, {ratio: b}), "as w must be")
    assert rules.instance(fact, {ratio: n}).statement == sympy.Ne(n, a)


def test_specialize_checks_the_condition():
    premise = rules.hypothesis(ForAll(x, (x > 1) & (x <= y), rules.le(x, s)))
    refused(lambda: rules.specialize(premise, 2), "condition")
    fact = rules.specialize(premise, 2, [y >= 2])
    assert fact.statement == rules.le(2, s) and (y >= 2) in fact.assumptions
    kernels = rules.hypothesis(for_each((i, 1, n), rules.le(p[i], 1)))
    refused(lambda: rules.specialize(kernels, m), "condition")


def test_generalize_needs_the_conditions():
    fact = rules.sign(rules.le(1, x), [x > 1])
    refused(lambda: rules.generalize(fact, x), "follow")
    assert rules.generalize(fact, x, x > 1).assumptions == frozenset()


def test_cases_needs_both_sides():
    above, below = rules.sign(rules.le(0, (x - 1) * x), [x >= 1]), rules.sign(rules.le(0, (x - 1) * x), [x >= 2])
    both = rules.cases(above, below, over=x >= 1)
    assert both.assumptions == {x >= 2}
    refused(lambda: rules.cases(above, rules.nonnegative(x), over=x >= 1), "different")


def test_discharge_needs_a_proof():
    fact = rules.sign(rules.le(1, x), [x > 1])
    refused(lambda: rules.discharge(fact, rules.nonnegative(x)), "none")


def test_assume_stays_visible():
    step = rules.assume(rules.le(log(x), x), "Some paper, Theorem 1")
    assert rules.scale(step, 2).assumed == step.assumed and len(step.assumed) == 1
    refused(lambda: rules.assume(rules.le(log(x), x), " "), "citation")
    refused(lambda: rules.assume(rules.le(x, y), "a false theorem"), "fails at")


def test_definitions_hold_at_finite_orders_only():
    refused(lambda: rules.definition(GaussianRenyi(oo, s, 1)), "needs")
    refused(lambda: rules.definition(SampledGaussianMoment(oo, s, Rational(1, 2))), "needs")


def test_definition_needs_its_conditions():
    quantity = RenyiDivergence(lam, p[i], q[i], (i, 1, n))
    refused(lambda: rules.definition(quantity), "lambda > 1")
    refused(lambda: rules.definition(RenyiMoment(lam, p[i], p[i], (i, 1, n)), [lam > 1]), "defined")
    refused(lambda: rules.definition(SampledGaussianMoment(3, s, Rational(1, 2))), "integer order")
    assert rules.definition(HockeyStick(a, p[i], q[i], (i, 1, n))).points > 0


def test_bound_variables_must_not_claim_more_than_their_range():
    wrong = Sum(i * p[i], (i, 0, n))
    refused(lambda: rules.nonnegative(wrong), "defined")
    refused(lambda: rules.equality(Integral(sqrt(x**2), (x, -1, 1)), Integral(x, (x, -1, 1))), "defined")
    low = Symbol("i", integer=True, nonnegative=True)
    assert rules.nonnegative(Sum(low * x, (low, 0, n))).points > 0


def test_cases_must_cover_everything():
    over = rules.le(0, log(a))
    holds, fails = rules.sign(rules.le(0, a**2), [over]), rules.sign(rules.le(0, a**2), [over.negated])
    refused(lambda: rules.cases(holds, fails, over=over), "defined")


def test_powers_of_zero():
    z = nonnegative("z")
    refused(lambda: rules.nonnegative(z**a, [a >= 0]), "defined")
    assert rules.nonnegative(z**a, [a > 0]).points > 0


def test_conjunctions_are_matched_part_by_part():
    counter = Symbol("j", integer=True, nonnegative=True)
    both = sympy.And(rules.le(0, counter), rules.le(counter, 2), evaluate=False)
    first = rules.conjunction(rules.sign(rules.le(0, 0)), rules.sign(rules.le(0, 0)))
    step = rules.hypothesis(substitute(both, {counter: counter + 1}))
    refused(lambda: rules.induction(first, step, counter, both))


def test_inequations_are_not_chained():
    apart = rules.sign(sympy.Ne(x + 1, x, evaluate=False))
    for build in (lambda: rules.chain(apart, apart), lambda: rules.add(apart, apart), lambda: rules.scale(apart, 2)):
        refused(build)


def test_the_points_of_a_statement_do_not_depend_on_what_was_built_before():
    """Bound symbols of rules have numbers that grow: with another number a statement is tried at the same points."""
    found, shown = set(), set()
    for _ in range(10):
        d, e = sympy.Dummy("x", real=True), sympy.Dummy("x", real=True)
        found.add(guard.check(d**2 + e >= e, [d**2 > 20, d**2 < 30, e**2 > 1, e**2 < 5]))
        with pytest.raises(DerivationError) as why:
            guard.check(d**3 + e > e, [d**2 < 5, e**2 < 5])
        shown.add(str(why.value))
    assert len(found) == 1
    assert len(shown) == 1
