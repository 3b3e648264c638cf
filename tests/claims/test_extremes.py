"""Extrema over ranges without an enclosure: what one value decides, what a cover of the range decides, and what neither may."""

import pytest
from sympy import Integer, Integral, Le, Piecewise, Rational, Sum, Symbol, exp, log, oo, sin, sqrt

from dpbounds.claims import Boxes, Claim, Verdict, settle
from dpbounds.claims.boxes.certify import cover
from dpbounds.claims.evidence.replay import replay
from dpbounds.claims.statement import instance
from dpbounds.language.functions import Infimum, Supremum

t, x = Symbol("t", real=True), Symbol("x", real=True)
k = Symbol("k", integer=True, nonnegative=True)
b = Symbol("b", positive=True)
UP = t + 1 / t
"""At least 2 for t > 0."""


class TestRelations:
    @pytest.mark.parametrize(
        ("relation", "truth"),
        [
            (Infimum(UP, (t, 0, oo)) <= Rational(5, 2), True),
            (Infimum(UP, (t, 0, oo)) < Rational(5, 2), True),
            (Infimum(UP, (t, 0, oo)) <= Rational(3, 2), False),
            (Infimum(UP, (t, 0, oo)) < 2, False),
            (Infimum(UP, (t, 0, oo)) < Rational(3, 2), False),
            (Infimum(UP, (t, 0, oo)) >= Rational(5, 2), False),
            (Infimum(UP, (t, 0, oo)) > Rational(5, 2), False),
            (Infimum(UP, (t, 0, oo)) > 2, False),
            (Infimum(UP, (t, 0, oo)) >= 2, True),
            (Infimum(UP, (t, 0, oo)) > Rational(3, 2), True),
            (Supremum(-UP, (t, 0, oo)) >= Rational(-5, 2), True),
            (Supremum(-UP, (t, 0, oo)) >= Rational(-3, 2), False),
            (Supremum(-UP, (t, 0, oo)) > -2, False),
            (Supremum(-UP, (t, 0, oo)) <= Rational(-5, 2), False),
            (Supremum(-UP, (t, 0, oo)) < -2, False),
            (Supremum(-UP, (t, 0, oo)) <= -2, True),
            (Supremum(-UP, (t, 0, oo)) < Rational(-3, 2), True),
        ],
        ids=str,
    )
    def test_each_way(self, relation, truth):
        found = instance.truth_at(relation, {})
        assert found in (truth, None)
        assert found is truth or relation.args[1] in (2, -2)  # where both sides meet, a cover may fail

    def test_the_ends_do_not_belong_to_the_range(self):
        jump = Piecewise((5, t <= 0), (0, True))
        assert instance.truth_at(Supremum(jump, (t, 0, oo)) >= 4, {}) is not True
        assert instance.truth_at(Supremum(jump, (t, -1, oo)) >= 4, {}) is not False

    @pytest.mark.parametrize(
        "node",
        [
            Supremum(1 / t, (t, -1, oo)),
            Supremum(log(t), (t, -1, oo)),
            Supremum(sqrt(t), (t, -1, oo)),
            Supremum(t, (t, oo, oo)),
            Supremum(t, (t, 2, 1)),
            Supremum(t, (t, 1, 1)),
            Supremum(t, (t, -oo, -oo)),
            Supremum(b, (b, -1, oo)),
            Supremum(-b, (b, -oo, 1)),
            Supremum(Symbol("m", integer=True), (Symbol("m", integer=True), Rational(1, 4), oo)),
            Supremum(Symbol("w", nonzero=True) ** 2, (Symbol("w", nonzero=True), -1, oo)),
            Infimum(Integral(exp(-t * x), (x, 0, oo)) - Integral(exp(-2 * t * x), (x, 0, oo)), (t, -1, oo)),  # ∞ − ∞ for t ≤ 0
            Infimum(t + Supremum(x * (1 - x), (x, -t, 1)), (t, Rational(-3, 2), oo)),  # no x lies between −t and 1 for t ≤ −1
            Infimum(Sum((1 - 2**k) * exp(-t * k), (k, 0, oo)), (t, -1, oo)),
        ],
        ids=str,
    )
    def test_without_a_value_nothing_is_decided(self, node):
        for c in (-10, Rational(1, 10), 10):
            for relation in (node <= c, node >= c):
                assert instance.truth_at(relation, {}) is None

    def test_what_no_value_reaches_is_not_reached(self):
        # The supremum is 1, and no value is.
        rising = Supremum(t / (1 + t), (t, 0, oo))
        assert instance.truth_at(rising > 1, {}) is not True
        assert instance.truth_at(rising >= 1, {}) is not False
        assert instance.truth_at(rising < 1, {}) is not True
        assert instance.truth_at(rising <= 1, {}) is not False

    def test_two_extrema_are_not_compared(self):
        assert instance.truth_at(Le(Infimum(UP, (t, 0, oo)), Supremum(-UP, (t, 0, oo)), evaluate=False), {}) is None

    def test_a_narrow_peak_that_numbers_miss_decides_nothing_wrong(self):
        peak = Supremum(exp(-((1000 * (t - Rational(1234567, 10**6))) ** 2)) + sin(t) / 10, (t, 0, oo))
        assert instance.truth_at(peak <= Rational(1, 2), {}) is not True
        assert instance.truth_at(peak >= Rational(1, 2), {}) is not False


class TestClaims:
    @pytest.mark.parametrize(
        ("false", "given"),
        [
            (Supremum(t * exp(-b * t), (t, 0, oo)) <= Rational(9, 10) * exp(-1) / b, []),
            (Infimum(t + b / t, (t, 0, oo)) <= 2 * sqrt(b) - Rational(1, 50), [b <= 3]),
            (Infimum(t * b + 1 / (t - 1), (t, 1, oo)) <= b + Rational(19, 10) * sqrt(b), [b <= 3]),
            (Infimum(t * b + 1 / (t - 1), (t, 1, 20)) <= b + Rational(19, 10) * sqrt(b), [b >= Rational(1, 10)]),
        ],
        ids=["supremum at most", "infimum at most", "order", "an end without a value"],
    )
    def test_a_false_bound_is_refuted(self, false, given):
        outcome = settle(Claim(id="false", text="", given=given, then=false), budget=10)
        assert outcome.verdict is Verdict.REFUTED
        assert replay(outcome.certificate).verdict is Verdict.REFUTED

    def test_a_true_one_is_not(self):
        true = Infimum(t + b / t, (t, 0, oo)) <= 2 * sqrt(b)
        assert settle(Claim(id="true", text="", given=[b <= 3], then=true), budget=10).verdict.holds is True

    def test_a_premise_about_an_extremum_is_decided_at_points(self):
        premise = Supremum(t * exp(-b * t), (t, 0, oo)) <= 1
        assert instance.truth_at(premise, {b: Integer(1)}) is True
        assert instance.truth_at(premise, {b: Rational(1, 4)}) is False

    @pytest.mark.parametrize("inner", [log(1 + b * t), 1 - 1 / (t + b)], ids=str)
    def test_boxes_cover_a_function_whose_value_needs_a_condition(self, inner):
        claim = Claim(id="inside", text="", given=[b >= 1, b <= 2], then=b + Supremum(inner, (t, 0, 1)) <= 2 * b + Rational(1, 4))
        assert cover(claim, Boxes(budget=500)).complete

    def test_boxes_do_not_cover_one_without_a_value(self):
        claim = Claim(id="inside", text="", given=[b >= 1, b <= 2], then=b + Supremum(-1 / (t - b / 2) ** 2, (t, 0, 1)) <= 2 * b)
        assert not cover(claim, Boxes(budget=50)).complete


def test_a_bound_that_no_point_reaches_is_undecided_and_says_what_to_state():
    found = settle(Claim("limit", "", Infimum(exp(-t), (t, 0, oo)) <= 0), budget=2.0)
    assert found.verdict is Verdict.UNDECIDED and "state it there" in found.detail
