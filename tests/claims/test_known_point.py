"""A claim is settled in its favour only where a point of its domain is known: without one it may say nothing at all."""

import pytest
import sympy
from sympy import Eq, Rational, exp, sqrt

from dpbounds import Claim
from dpbounds.claims import Boxes, Proof, settle
from dpbounds.claims.settling import _guarded
from dpbounds.claims.verdict import Verdict
from dpbounds.language.functions import Supremum
from dpbounds.language.quantifiers import ForAll
from dpbounds.language.symbols import positive, real

x = real("x")
HIDDEN = Eq(exp(x), 2 + sqrt(x) / 1000)
"""Holds at one point, which is no closed number: no search finds it."""


def scaling(*given, example=None):
    """A proved theorem about every function f, with premises about numbers besides."""
    k, t, f = positive("k"), positive("t"), sympy.Function("f", real=True)
    line = (t, 0, sympy.oo)
    statement = Eq(Supremum(-k * f(t) + t * x, line), k * Supremum(-f(t) + t * x / k, line))
    finite = ForAll(t, sympy.true, t * x / k - f(t) <= real("c"))
    return Claim(id="scaling", text="", given=[finite, *given], then=statement, by=Proof("legendre-scaling"), example=example)


@pytest.mark.parametrize("plan", [None, Boxes(budget=500)])
def test_a_cover_without_a_known_point_settles_nothing(plan):
    made = Claim(id="c", text="", given=[x >= 0, x <= 1, HIDDEN], then=x**2 <= 1, by=plan)
    outcome = settle(made, budget=10)
    assert outcome.verdict is Verdict.UNDECIDED and outcome.certificate is None
    assert "point" in outcome.detail


def test_the_same_claim_with_a_point_is_certified():
    made = Claim(id="c", text="", given=[x >= 0, x <= 1], then=x**2 <= 1, by=Boxes(), example={x: Rational(1, 2)})
    assert settle(made).verdict is Verdict.CERTIFIED


def test_an_example_that_cannot_be_decided_is_no_point():
    """exp(x) = 2 at the example is neither shown nor refuted where sympy only evaluates numbers."""
    near = sympy.gamma(Rational(1, 3)) * sympy.gamma(Rational(2, 3)) * sqrt(3) / (2 * sympy.pi)  # 1, by the reflection formula
    made = Claim(id="c", text="", given=[x >= 0, x <= 2, Eq(x * near, x)], then=x <= 2, by=Boxes(), example={x: 1})
    assert settle(made).verdict in (Verdict.UNDECIDED, Verdict.CERTIFIED)
    assert (settle(made).verdict is Verdict.CERTIFIED) <= (sympy.S.One == near)


def test_a_theorem_about_functions_needs_a_point_for_its_premises_about_numbers():
    """Because of the function in it no point at all was asked for, and a claim with contradictory premises was PROVED."""
    assert settle(scaling()).verdict is Verdict.PROVED
    assert settle(scaling(x >= 0, x <= 1)).verdict is Verdict.PROVED
    assert settle(scaling(x >= 0, x <= 1, HIDDEN)).verdict is Verdict.UNDECIDED


def test_every_verdict_in_favour_passes_the_guard():
    made = Claim(id="c", text="", given=[x >= 0, x <= 1, HIDDEN], then=x**2 <= 1)
    for verdict in Verdict:
        outcome = settle(Claim(id="c", text="", given=[x >= 0, x <= 1], then=x**2 <= 1, by=Boxes()))
        guarded = _guarded(made, type(outcome)(**{**vars(outcome), "verdict": verdict}))
        assert guarded.verdict is (Verdict.UNDECIDED if verdict.holds else verdict)
