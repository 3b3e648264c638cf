"""whole side of a premise by a name of its own: what is found, and each condition of the rule."""

import copy
import functools
from dataclasses import replace
from typing import Any

import pytest
import sympy
from sympy import Integral, Rational, Symbol, exp, log, sqrt

from dpbounds import Claim
from dpbounds.claims.boxes.inequalities import check_claim, problems_of
from dpbounds.claims.evidence.descents import certificate_of
from dpbounds.descent.refusal import DescentRefused
from dpbounds.descent.subterms import by_name, named
from dpbounds.language.symbols import positive

x, y, d = positive("x y d")
whole = 2 + x * sqrt(y) / d
GIVEN = [d < 1, whole <= 1 / d]


def claim_of(then: Any, *given: Any) -> Claim:
    return Claim(id="named", text="", given=given or GIVEN, then=then)


TRUE = claim_of(x * sqrt(log(whole)) + x * y * sympy.tanh(x) <= x * sqrt(log(1 / d)) + x**2 * y)
FALSE = claim_of(x * sqrt(log(whole)) + x * y * sympy.tanh(x) <= x * sqrt(log(1 / d)) + x**2 * y * Rational(9, 10))


@functools.cache
def found_of() -> Any:
    found = certificate_of(TRUE)
    assert found is not None and "subterm" in found["problems"][0]
    return found


def test_it_is_found_and_accepted():
    check_claim(TRUE, found_of())


def test_a_false_one_is_not():
    assert certificate_of(FALSE, 0.5) is None
    with pytest.raises(DescentRefused):
        check_claim(FALSE, found_of())


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("low", "3"),
        ("low", "100"),
        ("premise", 1),
        ("premise", -1),
        ("premise", "0"),
        ("premise", True),
        ("side", 0),
        ("side", 2),
        ("shown", {"before": [], "parts": []}),
    ],
)
def test_an_edited_certificate_is_refused(key, value):
    edited = copy.deepcopy(found_of())
    edited["problems"][0]["subterm"][key] = value
    with pytest.raises(DescentRefused):
        check_claim(TRUE, edited)


class TestConditions:
    """Each on a problem where everything else is in order."""

    @staticmethod
    def problem(then: Any = None, *given: Any) -> Any:
        return problems_of(claim_of(TRUE.then if then is None else then, *given))[-1]

    ROW = {"premise": 0, "side": 1, "low": "1"}

    def test_it_replaces_the_part_wherever_it_stands(self):
        found = named(self.problem(), self.ROW)
        t = Symbol("subterm")
        assert found.premises[0][1] == t and found.small.has(t) and not found.small.has(whole)
        assert (found.box["subterm"].low, found.box["subterm"].low_closed, found.box["subterm"].high) == (1, True, None)

    def test_a_part_that_may_be_less_is_refused(self):
        less = self.problem(log(x + y) <= d, x + y <= exp(d))
        for low in ("1", "1/1000"):
            with pytest.raises(DescentRefused):
                by_name(less, {**self.ROW, "low": low, "shown": found_of()["problems"][0]["subterm"]["shown"]})

    def test_a_part_without_a_value_is_refused(self):
        # log(x − 1) has none where x ≤ 1, and nothing else says that it has.
        problem = replace(self.problem(), premises=((d, log(x - 1) + y, False),))
        with pytest.raises(DescentRefused):
            by_name(problem, {"premise": 0, "side": 1, "low": "-oo", "shown": found_of()["problems"][0]["subterm"]["shown"]})

    def test_a_name_that_is_taken_is_refused(self):
        taken = Symbol("subterm", positive=True)
        with pytest.raises(DescentRefused, match="taken"):
            named(self.problem(whole * taken <= taken / d), self.ROW)

    def test_a_bound_variable_is_refused(self):
        longer = whole + Integral(x + y, (x, 0, 1))
        with pytest.raises(DescentRefused, match="variables of its own"):
            named(replace(self.problem(), small=longer), self.ROW)

    def test_what_has_been_changed_is_refused(self):
        problem = self.problem()
        for changed in (replace(problem, meanings={"x": y}), replace(problem, nodes={x + y: x})):
            with pytest.raises(DescentRefused, match="changed"):
                named(changed, self.ROW)

    def test_a_variable_is_not_named(self):
        with pytest.raises(DescentRefused, match="nothing to name"):
            named(self.problem(x <= 2 * exp(y), x <= exp(y)), {**self.ROW, "side": 1})
