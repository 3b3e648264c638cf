"""Which direction of sampling shows more: the inequalities behind the proofs, tried in exact arithmetic off the beaten path."""

from fractions import Fraction

import pytest
from sympy import Rational

from dpbounds.language.functions import SampledGaussianDelta, SampledGaussianRenyi
from dpbounds.theory import get
from dpbounds.theory.sampling import directions


@pytest.mark.slow
def test_conclusions_are_stated_for_every_order_and_every_epsilon():
    every_order, one_step = get("remove-above-add"), get("remove-above-add-delta")
    alpha, sigma, q, epsilon = directions.ALPHA, directions.SIGMA, directions.RATE, directions.EPSILON
    assert every_order.conclusion == (SampledGaussianRenyi(alpha, sigma, q, "add") <= SampledGaussianRenyi(alpha, sigma, q, "remove"))
    assert every_order.assumptions == {alpha > 1, q < 1}
    assert one_step.conclusion.lhs == SampledGaussianDelta(epsilon, sigma, q, 1, "add")
    assert one_step.assumptions == {q < 1}
    assert every_order.assumed == one_step.assumed == ()


@pytest.mark.parametrize("odds", ["1/100", "1", "50"])
@pytest.mark.parametrize("ratio", ["1/1000", "9/10", "1", "11/10", "1000"])
@pytest.mark.parametrize("alpha", ["2", "3", "9"])
def test_gap_is_nonnegative_and_symmetric(odds, ratio, alpha):
    values = {directions.ODDS: Rational(odds), directions.ALPHA: Rational(alpha)}
    y = Rational(ratio)
    here, there = (directions._gap(directions.RATIO).subs({**values, directions.RATIO: at}) for at in (y, 1 / y))
    assert here == y * there
    assert Fraction(int(here.p), int(here.q)) >= 0


def test_orders_below_one_are_ordered_the_other_way():
    """The curvature is a multiple of alpha - 1, so between 1/2 and 1 the gap is negative."""
    gap = directions._gap(directions.RATIO).subs({directions.ODDS: 1, directions.ALPHA: Rational(3, 4), directions.RATIO: 16})
    assert gap < 0
