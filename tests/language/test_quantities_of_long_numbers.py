"""Powers of rational numbers that sympy would compute, or factor, in one step that nothing interrupts have no value."""

import time

import pytest
import sympy

from dpbounds.language.functions import RenyiDivergence, RenyiMoment

HALF = (sympy.Rational(1, 2), sympy.Rational(1, 2))
LONG = (sympy.Rational(2**70 + 3, 2**72), sympy.Rational(3 * 2**70 - 3, 2**72))


@pytest.mark.parametrize("order", [sympy.Rational(37439, 37436), sympy.Integer(10**9), sympy.Rational(10**9, 7)])
def test_what_would_take_long_has_no_value(order):
    start = time.process_time()
    assert RenyiMoment(order, LONG, HALF).definition() is sympy.nan
    assert RenyiDivergence(order, LONG, HALF).definition() is sympy.nan
    assert time.process_time() - start <= 1


@pytest.mark.parametrize("order", [sympy.Integer(1000), sympy.Rational(5, 2), sympy.Rational(453, 4)])
def test_ordinary_orders_have_one(order):
    assert RenyiMoment(order, (sympy.Rational(1, 3), sympy.Rational(2, 3)), HALF).definition().is_finite
