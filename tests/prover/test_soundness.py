"""Steps that look legal and are not: each would derive something false, or a statement about what has no value.

The guard evaluates statements at random points, but not suprema; so the false statements here carry one, `PEAK` = 1/4, and only the rule
itself can refuse them.
"""

import pytest
from sympy import Abs, IndexedBase, Integral, Lambda, Le, Ne, Piecewise, Sum, Symbol, exp, factorial, log, oo

from dpbounds.errors import DerivationError
from dpbounds.language.functions import HockeyStick, Supremum
from dpbounds.language.symbols import family, index, positive, positive_integer, real
from dpbounds.prover import rules
from dpbounds.prover.infinite import infinite
from dpbounds.prover.signs import Signs
from dpbounds.prover.terms import applied, free

x, y, t, u = real("x y t u")
c = positive("c")
n, i, j = positive_integer("n"), index("i"), index("j")
k = Symbol("k", integer=True, nonnegative=True)
PEAK = Supremum(u * (1 - u), (u, 0, 1))
ENDLESS = Integral(c, (x, 0, oo))
TAIL = Integral(c, (y, 1, oo))


def refused(build, word=""):
    with pytest.raises(DerivationError) as caught:
        build()
    assert word in str(caught.value)


# --- what comes in under a binder


def test_a_function_that_holds_a_sum_does_not_bind_what_it_is_applied_to():
    summed = Lambda(x, Sum(x, (i, 1, n)))
    assert i in free(applied(summed, i))
    bounded = rules.apply(summed, rules.hypothesis(Le(i, 5)))  # Σ_{k=1}^n i ≤ 5n where i ≤ 5, so at i = 1: n ≤ 5n
    assert rules.instance(bounded, {i: 1}).lhs.function == 1


def test_a_family_that_holds_a_sum_does_not_bind_its_index():
    p = IndexedBase("p", real=True)
    fact = rules.instance(rules.equality(p[j], p[j]), {p: Lambda(i, Sum(i, (j, 1, n)))})
    assert j in free(fact.lhs)


def test_sums_and_integrals_change_places_only_where_neither_range_depends_on_the_other():
    refused(lambda: rules.integral_of_sum(Sum(PEAK, (i, 1, n)), (x, 0, i), [PEAK >= 0]), "depend")


def test_the_index_of_the_binomial_theorem_is_new():
    refused(lambda: rules.binomial_theorem(k * PEAK, PEAK, n, k), "occurs")


def test_names_of_bound_variables_are_taken():
    """Σ e^{iu} and Σ e^{i²} read the same where u is called as the index is inside."""
    taken = Symbol("_0", integer=True, positive=True)
    refused(lambda: rules.equality(Sum(exp(i * taken) * PEAK, (i, 1, n)), Sum(exp(i * i) * PEAK, (i, 1, n))), "reserved")


def test_the_ends_of_a_range_do_not_depend_on_its_variable():
    refused(lambda: rules.nonnegative(Sum(i**2, (i, 1, i))), "defined")


# --- what is known of a variable outside of its range


def test_what_is_given_about_the_variable_does_not_make_a_function_convex_elsewhere():
    refused(lambda: rules.convex_tangent(x**-2 * PEAK, x, -1, [x > 0, PEAK >= 0]), "not defined")


def test_what_is_given_about_the_variable_does_not_place_its_minimum():
    refused(lambda: rules.minimum((x - 1) ** 2 * PEAK, x, 0, [x >= 1, PEAK >= 0]), "nonnegative")


@pytest.mark.parametrize("rule", [rules.minimum, rules.convex_tangent])
def test_the_point_of_contact_does_not_move_with_the_variable(rule):
    refused(lambda: rule(PEAK * (x - 1) ** 2, x, 10 - 9 * x, [PEAK >= 0]), "depend")


def test_what_is_given_about_the_variable_does_not_bound_a_supremum():
    refused(lambda: rules.bound_extremum(Supremum(Abs(t), (t, -3, 1)), rules.sign(rules.le(t, 1), [t < 1]), [t >= 0]), "does not bound")


def test_facts_that_hold_on_a_part_of_an_interval_do_not_bound_a_supremum():
    onto = rules.equality(Abs(t), t, [t >= 0])
    bound = rules.sign(rules.le(t, 1), [t < 1])
    attained = rules.equality(1, 1)
    refused(lambda: rules.supremum(Supremum(Abs(t), (t, -3, 1)), bound, attained, 1, using=[onto]), "does not follow")


# --- statements about nothing


@pytest.mark.parametrize(
    "nothing",
    [
        Abs(factorial(x)),
        Integral(exp(-x), (x, log(y), oo)),
        Abs(Sum((-1) ** i, (i, 1, oo))),
        Abs(Supremum(log(t), (t, -1, 1))),
        Abs(Supremum(t, (t, 1, 0))),
        Abs(Integral(x, (x, -oo, oo))),
        Abs(Integral(Piecewise((1 / x, Ne(x, 0)), (0, True)), (x, -1, 1))),
        Abs(HockeyStick(0, -exp(-(x**2)), exp(-(x**2)), (x, -oo, oo))),
        Abs(ENDLESS - TAIL),
        ENDLESS / TAIL,
    ],
    ids=str,
)
def test_what_has_no_value_has_no_sign(nothing):
    refused(lambda: rules.nonnegative(nothing))


def test_a_sum_of_a_number_of_terms_that_is_no_integer_has_no_value():
    refused(lambda: rules.nonnegative(Sum(i**2, (i, 1, x)), [x >= 1]), "defined")


def test_densities_are_judged_on_their_own_range():
    signed = HockeyStick(0, x, 1, (x, -1, 1))
    refused(lambda: rules.definition(signed, [x >= 0]))
    assert Signs().undefined_part(HockeyStick(0, x, 1, (x, 0, 1))) is None


def test_an_end_that_is_attained_belongs_to_where_the_function_is_continuous():
    """0^t is 1 at t = 0 and 0 after it."""
    bound = rules.sign(rules.le(0**t, 1), [t > 0])
    refused(lambda: rules.supremum(Supremum(0**t, (t, 0, oo)), bound, rules.equality(1, 1), 0), "defined")


def test_an_interval_without_points_has_no_supremum():
    contradiction = rules.hypothesis(Le(t, -5), [t > 0, t < 0])
    refused(lambda: rules.bound_extremum(Supremum(t, (t, 0, 0)), contradiction))


# --- relations that cannot be summed


def test_different_functions_say_nothing_about_their_sums_and_integrals():
    different = rules.sign(Ne(2 * c, c, evaluate=False))
    refused(lambda: rules.integrate_termwise(different, (x, 0, 1)), "only")
    refused(lambda: rules.sum_termwise(different, (i, 1, n)), "only")


def test_a_family_keeps_all_that_it_assumes():
    p, q = IndexedBase("p", real=True, nonzero=True), IndexedBase("q", real=True)
    fact = rules.nonnegative(p[i] ** 2)
    refused(lambda: rules.instance(fact, {p: q}), "sign")


# --- infinity


def test_infinity_is_not_below_infinity():
    refused(lambda: rules.sign(rules.lt(ENDLESS, ENDLESS + 1)))
    refused(lambda: rules.scale(rules.sign(rules.lt(c, c + 1)), ENDLESS))
    refused(lambda: rules.add(rules.sign(rules.lt(c, c + 1)), rules.equality(ENDLESS, ENDLESS)))
    assert rules.sign(rules.le(ENDLESS, ENDLESS + 1)).rule == "sign"


def test_what_vanishes_at_infinity_is_not_positive():
    refused(lambda: rules.positive(exp(-ENDLESS)))
    refused(lambda: rules.positive(1 / (1 + ENDLESS)))
    top = Supremum(t, (t, 0, oo))
    refused(lambda: rules.chain(rules.positive(exp(-top)), rules.exponential_extremum(top)))
    assert rules.nonnegative(exp(-ENDLESS)).rule == "sign"


def test_infinite_terms_do_not_cancel():
    """J + 1 ≤ J is true of J = ∞ (two ways of writing one integral lead there), and 1 ≤ 0 does not follow."""
    strange = rules.hypothesis(rules.le(ENDLESS + 1, ENDLESS))
    refused(lambda: rules.restate(rules.le(1, 0), strange))
    refused(lambda: rules.restate(rules.le(PEAK, 0), rules.hypothesis(rules.le(ENDLESS + PEAK, ENDLESS))))
    refused(lambda: rules.sign(rules.le(PEAK, -PEAK), using=[strange]))


def test_variables_stand_for_numbers():
    """x < x + 1 holds for numbers, and not for ∞; nor does a symbol that may be ∞ have a sign of its own."""
    below = rules.sign(rules.lt(x, x + 1))
    refused(lambda: rules.instance(below, {x: ENDLESS}), "infinite")
    refused(lambda: rules.minimum(exp(-t), t, ENDLESS), "range")
    wide = Symbol("wide", extended_real=True)
    refused(lambda: rules.sign(rules.lt(wide, wide + 1)), "defined")


def test_an_integral_below_a_number_is_a_number():
    gauss = Integral(exp(-(x**2)), (x, -oo, oo))
    assert infinite(gauss, ()) and not infinite(gauss, (Le(gauss, 2, evaluate=False),))
    small = rules.hypothesis(rules.le(gauss, 2))
    assert rules.sign(rules.lt(gauss, gauss + c), using=[small]).rule == "sign"


def test_a_supremum_is_defined_by_what_holds_for_every_value():
    """What rests on a condition about t says nothing of a supremum over t."""
    p = family("p", "positive")
    total = Sum(p[i] ** t, (i, 1, n))
    conditional = rules.hypothesis(rules.le(2, total))
    refused(lambda: rules.exponential_extremum(Supremum(-log(total - 1), (t, 1, oo)), [conditional]), "defined")
