"""Powers of means below their tangents; a false twin has a point and no document."""

from __future__ import annotations

import pytest
import sympy

from benchmarks.lemmas.lemma import lemma
from dpbounds.claims import clock
from dpbounds.claims.evidence.reductions.powers_of_means import powers_of_means
from dpbounds.claims.evidence.ways import in_parts
from dpbounds.claims.signs import with_signs
from dpbounds.notation import Rational, exp, positive, real

e, x = positive("e"), real("x")
power = ((exp(e) + 2 * exp(-e) + 1) / 4) ** Rational(1, 4)
stair, b = (exp(-e) * (1 + exp(-e)) / 2) ** Rational(2, 3), exp(-e)


def _line(c):
    return exp(-e / 16) * (exp(Rational(5, 4) * e) + 2 * exp(-Rational(3, 4) * e) + exp(e / 4) + c) / 16


LEMMAS = [
    lemma("three-parts", [], power <= _line(12), power <= _line(11)),
    lemma("staircase", [], (stair + b) / (1 - b) ** 2 <= 2 / e**2, (stair + b) / (1 - b) ** 2 <= Rational(199, 100) / e**2),
]


@pytest.mark.parametrize("pair", [pytest.param(own, id=own.true.id, marks=[pytest.mark.slow] * (own is LEMMAS[1])) for own in LEMMAS])
def test_the_true_one_has_a_document_and_the_twin_has_none(pair):
    found = in_parts(with_signs(pair.true), None)
    assert found is not None and found.statement is not None
    assert in_parts(with_signs(pair.twin), clock.now() + 0.5) is None


def test_the_tangent_meets_the_power_where_the_parts_are_equal():
    """At e = 0 all exponentials are 1: the bound is the power there, and nowhere less."""
    (way,) = powers_of_means(with_signs(LEMMAS[0].true))
    bound, v = way.parts[1][0].then.lhs, next(iter(way.parts[1][0].then.lhs.free_symbols))
    for at in (0, 0.01, 0.5, 3.0):
        gap = bound.subs(v, at) - LEMMAS[0].true.then.lhs.subs(next(iter(LEMMAS[0].true.then.free_symbols)), at)
        assert gap > -1e-12 and (at != 0 or sympy.simplify(gap) == 0)


def test_a_difference_is_no_mean():
    assert not list(powers_of_means(with_signs(lemma("gap", [x > 1], (exp(x) - 1) ** Rational(1, 2) <= exp(x), x <= 0).true)))
