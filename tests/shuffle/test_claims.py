"""Statements about shuffled messages in the claim language."""

import sympy

from dpbounds import Boxes, Claim, Counterexample, Shuffled, Verdict, mechanism_delta, settle

EPSILON = sympy.Symbol("epsilon", positive=True)
RANGE = (sympy.Rational(1, 20) <= EPSILON, sympy.Rational(1, 10) >= EPSILON)


def delta_of(others):
    return mechanism_delta(EPSILON, Shuffled(200, 1, 4, others))


def test_a_third_symbol_is_worse_than_the_old_one_on_a_range_of_epsilon():
    held = Claim(then=delta_of("0") < delta_of("third"), given=RANGE, by=Boxes(budget=200))
    assert settle(held).verdict is Verdict.CERTIFIED


def test_the_mutant_is_refuted():
    mutant = Claim(then=delta_of("third") <= delta_of("0"), given=RANGE, by=Counterexample({EPSILON: sympy.Rational(1, 10)}))
    assert settle(mutant).verdict is Verdict.REFUTED


def test_the_blanket_is_not_below_a_third_symbol():
    wrong = Claim(then=delta_of("any") <= delta_of("third"), given=RANGE, by=Counterexample({EPSILON: sympy.Rational(1, 10)}))
    assert settle(wrong).verdict is Verdict.REFUTED


def test_the_blanket_bounds_what_all_data_show():
    """A guarantee as it is printed: for all data, by the blanket; its mutant fails for a third symbol already."""
    held = Claim(then=delta_of("any") <= sympy.Rational(1, 50), given=RANGE, by=Boxes(budget=50))
    mutant = Claim(then=delta_of("third") <= sympy.Rational(1, 1000), given=RANGE, by=Counterexample({EPSILON: sympy.Rational(1, 20)}))
    assert settle(held).verdict is Verdict.CERTIFIED and settle(mutant).verdict is Verdict.REFUTED
