"""The small rules behind sampling without replacement and comonotone pairs: what they show, and what they refuse."""

import pytest
from sympy import And, Eq, Min, Symbol, exp

from dpbounds.errors import DerivationError
from dpbounds.language.symbols import positive, real
from dpbounds.prover import rules
from dpbounds.theory.averages import comonotone
from dpbounds.theory.sampling import fixed_size_orders
from dpbounds.theory.sampling.fixed_size_orders import BOUND, GIVEN, NEIGHBOURS, ORDER, RATE, TERM

a, b, c = real("a b c")
k = Symbol("k", integer=True, nonnegative=True)


def refused(build):
    with pytest.raises(DerivationError):
        build()


def test_one_more_factor_of_a_power():
    step = rules.power_step(a - b, k)
    assert step.statement == Eq((a - b) ** (k + 1), (a - b) * (a - b) ** k, evaluate=False) and not step.assumptions
    refused(lambda: rules.power_step(a, b))  # a real exponent
    refused(lambda: rules.power_step(a, k - 1))  # 0^0 = 0·0^{−1} says nothing
    refused(lambda: rules.power_step(Symbol("z"), k))  # nothing is known of z
    assert rules.power_step(a, k - 1, [k >= 1]).lhs == a**k


def test_the_smaller_of_two_bounds():
    known = [rules.hypothesis(rules.le(a, b)), rules.hypothesis(rules.le(a, c))]
    assert rules.least(*known).statement == rules.le(a, Min(b, c))
    refused(lambda: rules.least(known[0], rules.hypothesis(rules.le(b, c))))  # another term is bounded
    refused(lambda: rules.least(known[0], rules.hypothesis(rules.le(c, a))))  # from below
    assert rules.least(*known).assumptions == {rules.le(a, b), rules.le(a, c)}


def test_an_induction_may_use_a_part_of_its_statement_and_nothing_else():
    statement = And(rules.le(0, k), rules.le(0, 2 * k), evaluate=False)
    base = rules.conjunction(rules.sign(rules.le(0, 0)), rules.sign(rules.le(0, 0)))

    def after(premise):
        moved = rules.restate(rules.le(1, k + 1), premise)
        one = rules.chain(rules.sign(rules.le(0, 1)), moved)
        return rules.conjunction(one, rules.restate(rules.le(0, 2 * (k + 1)), rules.scale(one, 2)))

    assert rules.induction(base, after(rules.hypothesis(rules.le(0, k))), k, statement).statement == statement
    refused(lambda: rules.induction(base, after(rules.sign(rules.le(0, k), [k <= 5])), k, statement))  # it holds up to 5 only


def test_powers_of_a_difference():
    bounded = fixed_size_orders._bounded_power()
    x, m = fixed_size_orders.X, fixed_size_orders.M
    assert bounded.statement == rules.le(x**TERM, m**TERM) and bounded.assumptions == {rules.le(-m, x), rules.le(x, m)}
    refused(lambda: rules.instance(bounded, {m: -positive("r")}))  # a bound that is negative


@pytest.mark.slow
def test_the_sum_of_bounds_needs_its_premises():
    """Each of the three pairs of neighbours is used: without one the derivation has no moment to rest on."""
    result = fixed_size_orders.fixed_size_orders().result
    assert {fixed_size_orders.moments_of(pair) for pair in NEIGHBOURS} <= result.assumptions
    assert set(GIVEN) <= result.assumptions
    bound = result.rhs
    assert bound.has(Min(4 * (BOUND[2] - 1), 2 * BOUND[2])) and bound.has(RATE**TERM * BOUND[TERM]) and bound.has(1 / (ORDER - 1))
    assert not fixed_size_orders.fixed_size_orders().assumed


@pytest.mark.slow
def test_comonotone_pairs_need_both_orders():
    """Rising ratios and sticks in order, for both pairs: nothing is lost on the way, and nothing is assumed besides."""
    result = comonotone.conjecture_1_comonotone().result
    premises = {comonotone.rising(0), comonotone.rising(1), comonotone.closer(0), comonotone.closer(1)}
    assert result.assumptions == premises | {*comonotone.GIVEN, *comonotone.PROPER}


def test_the_parts_of_a_largest_value_agree_only_with_their_signs():
    up = comonotone._parts_where_signs_agree(True)
    first, second = comonotone.A, comonotone.B
    assert {rules.le(0, first), rules.le(0, second)} <= up.assumptions
    whole, parts = comonotone._parts()
    refused(lambda: rules.equality(parts, whole, comonotone.PROPER, using=[rules.hypothesis(rules.le(0, first))]))


def test_levels_need_an_order_above_one():
    known = comonotone._power_by_levels()
    assert known.assumptions == set(comonotone.GIVEN)
    x, v = comonotone.RATIO, comonotone.MASS
    refused(lambda: rules.restate(rules.eq(2 * v * exp(comonotone.LAMBDA * x), known.rhs), known, comonotone.GIVEN))
