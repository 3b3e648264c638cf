"""What has no value proves nothing: factors, functions, points, bounds and coefficients that a rule takes must be numbers.

sympy cancels (1/x)·x when it builds a product, before anything can be asked of it. Most false statements here are about `PEAK`, a supremum,
which no evaluation at points contradicts, so that the rule itself has to refuse. `ENDLESS` is an integral that is infinite.
"""

import pytest
from sympy import Eq, IndexedBase, Integral, Lambda, Ne, Rational, Sum, Symbol, exp, log, oo

from dpbounds.errors import DerivationError
from dpbounds.language.functions import GaussianRenyi, HockeyStick, Infimum, Supremum
from dpbounds.language.quantifiers import ForAll
from dpbounds.language.symbols import family, index, positive, positive_integer, real
from dpbounds.prover import facts as kernel
from dpbounds.prover import rules
from dpbounds.prover.signs import Signs
from dpbounds.theory.averages import averages

a, x, y, z, t, u = real("a x y z t u")
c = positive("c")
n, i, j = positive_integer("n"), index("i"), index("j")
PEAK = Supremum(u * (1 - u), (u, 0, 1))
ENDLESS = Integral(c, (x, 0, oo))
AT_ZERO = rules.eq(x, 0)


def refused(build, word=""):
    with pytest.raises(DerivationError) as caught:
        build()
    assert word in str(caught.value) and "\n" not in str(caught.value)


def doubled_peak():
    """x·PEAK = 2x·PEAK under x = 0: true, and it says nothing about PEAK."""
    zero = rules.hypothesis(AT_ZERO)
    return rules.chain(rules.scale(zero, PEAK), rules.restate(rules.eq(0, 2 * x * PEAK), rules.scale(zero, 2 * PEAK)))


# --- coefficients of hypotheses


def test_a_hypothesis_is_not_divided_by_what_may_be_zero():
    """a²x ≤ 5a² says nothing about x where a = 0."""
    refused(lambda: rules.sign(rules.le(x, 5), [a**2 * x <= 5 * a**2]), "not shown")
    assert rules.sign(rules.le(x, 5), [a**2 * x <= 5 * a**2, Ne(a, 0)]).rule == "sign"


def test_a_hypothesis_about_an_unseen_quantity_is_not_divided_by_what_may_be_zero():
    refused(lambda: rules.sign(rules.le(PEAK, 0), [a**2 * PEAK <= 0]), "not shown")
    refused(lambda: rules.sign(rules.le(x, PEAK), [a**4 * x <= PEAK * a**4]), "not shown")


@pytest.mark.parametrize("nothing", [x**-2, exp(1 / x), abs(1 / x), log(1 + 1 / x**2), abs(log(x)), exp(log(x) ** 2)], ids=str)
def test_what_is_not_defined_everywhere_has_no_sign(nothing):
    assert not Signs([]).nonnegative(nothing)


def test_an_even_power_is_positive_only_where_its_base_is_not_zero():
    for power in (x**2, (x - y) ** 4, (x * y - c) ** 2):
        assert Signs([]).nonnegative(power) and not Signs([]).positive(power)
    assert Signs([Ne(x, 0)]).positive(x**2) and Signs([Ne(x, 0)]).nonnegative(x**-2)


def test_an_assumption_without_a_value_is_not_proved():
    """1/x² ≥ 0 is no matter of course: it fails at x = 0."""
    fact = rules.sign(rules.le(x, PEAK), [x <= PEAK, x**-2 >= 0])
    refused(lambda: rules.discharge(fact, rules.nonnegative(x**2)), "none")
    assert rules.instance(fact, {x: y}).assumptions == {y <= PEAK, y**-2 >= 0}


# --- scale


def test_an_equation_is_not_multiplied_by_what_is_undefined():
    """Under x = 0 the factor 1/x turned x·PEAK = 2x·PEAK into PEAK = 2·PEAK."""
    refused(lambda: rules.scale(doubled_peak(), 1 / x), "defined")
    refused(lambda: rules.scale(doubled_peak(), log(x) / x), "defined")
    assert rules.scale(doubled_peak(), 1 / (1 + x**2)).rule == "scale"


@pytest.mark.parametrize("kind", [rules.le, rules.lt])
def test_an_inequality_is_not_multiplied_by_what_is_undefined(kind):
    squared = rules.hypothesis(kind(2 * x**2 * PEAK, x**2 * PEAK))
    refused(lambda: rules.scale(squared, x**-2))
    refused(lambda: rules.scale(squared, x**-4 * exp(1 / x)))
    refused(lambda: rules.scale(squared, -(x**-2)))


def test_a_factor_that_may_be_infinite_does_not_cancel():
    """ENDLESS = 2·ENDLESS holds, and 1 = 2 does not."""
    same = rules.hypothesis(rules.eq(ENDLESS, 2 * ENDLESS))
    refused(lambda: rules.scale(same, 1 / ENDLESS), "defined")


# --- apply


def test_a_function_is_not_applied_where_it_is_undefined():
    """z ↦ z/x took x·PEAK = 2x·PEAK, under x = 0, to PEAK = 2·PEAK."""
    refused(lambda: rules.apply(Lambda(z, z / x), doubled_peak()), "defined")
    refused(lambda: rules.apply(Lambda(z, z + z / x), doubled_peak()), "defined")
    assert rules.apply(Lambda(z, z / (1 + x**2)), doubled_peak()).rule == "apply"


def test_a_function_is_applied_to_an_equation_where_the_sides_let_it():
    fact = rules.hypothesis(Eq(y, c))
    assert rules.apply(Lambda(z, log(z)), fact).rhs == log(c)
    refused(lambda: rules.apply(Lambda(z, log(z)), rules.hypothesis(Eq(y, x))), "defined")


def test_a_function_does_not_hold_what_may_be_infinite():
    """z ↦ z − ENDLESS takes ENDLESS + 1 = ENDLESS to 1 = 0."""
    difference = Lambda(z, z - ENDLESS)
    refused(lambda: rules.apply(difference, rules.hypothesis(rules.eq(ENDLESS + c, ENDLESS))), "infinite")
    refused(lambda: rules.apply(difference, rules.hypothesis(rules.le(ENDLESS, ENDLESS / 2))), "infinite")


# --- sums and products of relations


def test_infinite_terms_of_two_relations_do_not_cancel():
    more = rules.hypothesis(rules.le(ENDLESS + c, ENDLESS))
    refused(lambda: rules.add(more, rules.equality(-ENDLESS, -ENDLESS)), "defined")
    ratio = rules.hypothesis(rules.eq(2 * ENDLESS, ENDLESS))
    refused(lambda: rules.multiply(ratio, rules.equality(1 / ENDLESS, 1 / ENDLESS)), "defined")


def test_rewriting_does_not_divide_by_what_may_be_infinite():
    """ENDLESS·S = ENDLESS holds of every positive S; S = 1 does not."""
    total = Sum(family("q", "positive")[i], (i, 1, n))
    known = rules.hypothesis(rules.eq(ENDLESS * total, ENDLESS))
    refused(lambda: rules.equality(total, 1, using=[known]), "not shown")


def test_rewriting_does_not_divide_by_a_power_that_may_be_zero():
    """A power is written e^{λ log b} there, which looks positive; b^λ·S = b^λ·c says nothing of S where b = 0."""
    b, order = Symbol("b", nonnegative=True), positive("lambda")
    total = Sum(family("q", "positive")[i], (i, 1, n))
    known = rules.hypothesis(rules.eq(b**order * total, b**order * c))
    refused(lambda: rules.equality(total, c, using=[known]), "not shown")


def test_a_power_of_what_may_be_infinite_may_vanish():
    refused(lambda: rules.sign(Ne(2 ** (-ENDLESS), 0)), "not shown")
    refused(lambda: rules.sign(Ne(1 / ENDLESS, 0)), "not shown")


# --- suprema and infima


def test_the_bound_of_an_extremum_does_not_move_with_its_variable():
    """sup of t over (0, 1) is 1, which is not at most 2t for a small t."""
    refused(lambda: rules.bound_extremum(Supremum(t, (t, 0, 1)), rules.sign(rules.le(t, 2 * t), [t > 0])), "constant")
    refused(lambda: rules.bound_extremum(Infimum(t, (t, 0, 1)), rules.sign(rules.le(t / 2, t), [t > 0])), "constant")


def test_the_factor_of_an_extremum_does_not_move_with_its_variable():
    """sup of t²(1 − t) is not t times the supremum of t(1 − t)."""
    refused(lambda: rules.scale_extremum(Supremum(t * (1 - t), (t, 0, 1)), 1 + t**2), "constant")
    refused(lambda: rules.scale_extremum(Infimum(t * (1 - t), (t, 0, 1)), exp(t)), "constant")


def test_the_factor_of_an_extremum_is_a_number():
    peak = Supremum(t * (1 - t), (t, 0, 1))
    refused(lambda: rules.scale_extremum(peak, x**-2, [x**-2 > 0]), "defined")
    refused(lambda: rules.scale_extremum(Supremum(t - 1, (t, 0, 1)), ENDLESS), "constant")


def test_the_point_where_an_extremum_is_attained_is_a_number():
    """−(xt − 1)² has the maximum 0 at t = 1/x, and at x = 0 it is −1 everywhere."""
    quantity = Supremum(-((x * t - 1) ** 2), (t, -oo, oo))
    bound = rules.sign(rules.le(-((x * t - 1) ** 2), 0))
    refused(lambda: rules.supremum(quantity, bound, rules.equality(0, 0), 1 / x), "number")
    assert rules.supremum(quantity, bound, rules.equality(0, 0), 1 / x, [Ne(x, 0)]).rhs == 0
    falling = Supremum(-exp(-t), (t, -oo, oo))
    refused(lambda: rules.supremum(falling, rules.sign(rules.le(-exp(-t), 0)), rules.equality(0, 0), oo), "number")


# --- integrals and minima


def test_the_point_of_reflection_is_finite():
    bell = exp(-(y**2))
    refused(lambda: rules.reflect_integral(bell, y, ENDLESS), "constant")
    refused(lambda: rules.reflect_integral(bell, y, 1 / x), "constant")


def test_the_sign_of_a_derivative_is_read_where_it_is_defined():
    refused(lambda: rules.minimum(t**2 * PEAK, t, 0, [PEAK > 0], factored=2 * t**2 * PEAK + log(x)))
    refused(lambda: rules.convex_tangent(t**2 * PEAK, t, 1 / x, [PEAK >= 0]), "range")
    refused(lambda: rules.minimum(t**2 * PEAK / x**2, t, 0, [PEAK >= 0]), "defined")


# --- ranges of sums


def test_what_is_known_of_a_symbol_does_not_fill_an_inner_range():
    """The inner sum is empty at j = 1, so for n = 1 nothing is added, whatever is known of a symbol j outside."""
    pairs = Sum(exp(PEAK), (i, 1, j - 1), (j, 1, n))
    refused(lambda: rules.positive(pairs, [j >= 2]), "not shown")
    assert rules.nonnegative(pairs).rule == "sign"


# --- quantities


@pytest.mark.parametrize(
    "nothing", [GaussianRenyi(2, c, 1 / x), HockeyStick(log(x), Rational(1, 2) * exp(-abs(y)), exp(-2 * abs(y)), (y, -oo, oo))], ids=str
)
def test_the_arguments_of_a_quantity_are_numbers(nothing):
    refused(lambda: rules.equality(nothing, nothing), "defined")


# --- instances, quantifiers and helpers


def test_helpers_bring_their_assumptions_to_an_instance():
    """y ≤ 0 puts −y where a nonnegative symbol stands; the instance holds only under it."""
    w = Symbol("w", nonnegative=True)
    fact = rules.nonnegative(w * PEAK, [PEAK >= 0])
    helper = rules.hypothesis(rules.le(y, 0))
    assert rules.le(y, 0) in rules.instance(fact, {w: -y}, using=[helper]).assumptions
    bounded = rules.sign(rules.le(x, 5), [x <= 5])
    assert rules.instance(bounded, {x: y}, using=[helper]).assumptions == {rules.le(y, 0)}


def test_helpers_bring_their_assumptions_to_what_they_discharge():
    fact = rules.sign(rules.le(x, PEAK), [x <= PEAK])
    helper = rules.sign(rules.le(x, PEAK), [x <= y, y <= PEAK])
    assert rules.discharge(fact, helper).assumptions == {x <= y, y <= PEAK}


def test_a_family_is_replaced_by_what_is_defined_for_every_index():
    p = family("p")
    fact = rules.nonnegative(p[i] * PEAK, [PEAK >= 0])
    refused(lambda: rules.instance(fact, {p: Lambda(j, (j - 1) ** -2)}), "defined")
    whole = IndexedBase("m", integer=True)
    even = Symbol("j", even=True, positive=True)
    refused(lambda: rules.instance(rules.equality(whole[i] * PEAK, whole[i] * PEAK), {whole: Lambda(even, even / 2)}), "all positive")


def test_a_quantifier_is_used_at_numbers():
    premise = rules.hypothesis(ForAll(z, z > 0, rules.le(x * z * PEAK, 0)))
    refused(lambda: rules.specialize(premise, x**-2), "defined")
    refused(lambda: rules.specialize(rules.hypothesis(ForAll(z, True, rules.le(x * z * PEAK, 0))), 1 / x), "defined")


def test_a_part_of_a_conjunction_is_called_by_its_statement():
    """sympy sorts the parts of a conjunction, so a position says nothing."""
    first, second = rules.le(y, 0), rules.le(a, 0)
    both = rules.conjunction(rules.hypothesis(first), rules.hypothesis(second))
    assert rules.conjunct(both, first).statement == first and rules.conjunct(both, second).statement == second
    refused(lambda: rules.conjunct(both, rules.le(x, 0)), "no part")


def test_outcomes_are_counted_from_one():
    """Σ p^λ q^{1−λ} from 1 on, where a sum from 2 on was asked for."""
    k = index("k")
    p, q = family("p"), family("q", "positive")
    sums = [rules.hypothesis(rules.eq(Sum(law[k], (k, 2, n)), 1)) for law in (p, q)]
    refused(lambda: averages.at_least_one(p[k], q[k], sums, (k, 2, n)), "counted from 1")


# --- forged facts


def forged(statement):
    fact = object.__new__(kernel.Fact)
    values = {"statement": statement, "assumptions": frozenset(), "assumed": (), "rule": "sign", "premises": (), "points": 3, "detail": ""}
    for name, value in values.items():
        object.__setattr__(fact, name, value)
    return fact


def test_a_fact_that_no_rule_made_is_no_premise_and_no_step():
    from dpbounds.prover import derive

    false = forged(rules.lt(1, 0))
    refused(lambda: rules.scale(false, 2), "not made")
    refused(lambda: derive("forged", "Forged", lambda proof: proof("trust me", false)), "not made")
    genuine = rules.nonnegative(x**2)
    object.__setattr__(genuine, "statement", rules.lt(1, 0))
    refused(lambda: derive("changed", "Changed", lambda proof: proof("trust me", genuine)), "changed")
