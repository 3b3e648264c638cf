"""Claims on both sides of an axis of symmetry; false twins have a point and no document."""

from dataclasses import replace

import pytest
import sympy

from benchmarks.lemmas.lemma import lemma
from dpbounds.claims import clock
from dpbounds.claims.evidence import ways
from dpbounds.claims.evidence.reductions.halves import at_zero, halves, where_branches_meet
from dpbounds.claims.signs import with_signs
from dpbounds.notation import Integral, Max, NormalCDF, exp, log, real
from tests.lemmas import assert_only_the_true_one_has_a_document, for_pairs

p, t, w = real("p t w")
less = [p > 0, 2 * p < 1]

coin, tilt = log((exp(w) + exp(t)) / (1 + exp(w))) - t / (1 + exp(w)), (exp(w) - 1) / (exp(w) + 1) / w
left, odds = log(1 - p + p * exp(t)) - p * t, (1 - 2 * p) / log((1 - p) / p)

LEMMAS = [
    lemma("kearns-saul-in-odds", [w > 0], coin <= tilt * t**2 / 4, coin <= tilt * t**2 / 5),
    lemma("kearns-saul", less, left <= odds * t**2 / 4, left <= odds * t**2 / 5),
]


@for_pairs(LEMMAS, quick=())
def test_the_true_one_has_a_document_and_the_twin_has_none(pair):
    assert_only_the_true_one_has_a_document(pair, with_signs)


def test_an_axis_is_where_both_sides_are_symmetric():
    (way,) = halves(with_signs(LEMMAS[0].true))
    assert (way.variable, way.axis, way.name) == (sympy.Symbol("t", real=True), sympy.Symbol("w", real=True), "s_t")
    skew = lemma("skew", [w > 0], (t - w) ** 3 <= (t - w) ** 4 + 1, t <= w)
    assert not list(halves(with_signs(skew.true)))


def test_both_halves_are_needed():
    """(t − w)³ ≤ 0 holds below the axis alone, so that its upper half may not be taken from the lower one."""
    false = lemma("lower-half", [w > 0], (t - w) ** 3 <= 0, t <= w).true

    def lower(claim):
        if claim.id != "lower-half":
            return
        way = next(halves(with_signs(lemma("even", [w > 0], (t - w) ** 2 >= 0, t <= w).true)))
        below = replace(way.below, then=-(sympy.Symbol("s_t", real=True) ** 3) <= 0)
        yield replace(way, above=below, below=below)

    assert replace(ways.by_halves, reductions=lower)(with_signs(false), None) is None


def test_a_maximum_is_at_least_one_of_its_numbers_on_each_side_where_they_are_equal():
    pair = lemma("mean-below-a-maximum", [], (p + t) / 2 <= Max(p, t), (p + t) / 2 <= Max(p, t) - p**2 / 100)
    (way, *_) = where_branches_meet(with_signs(pair.true))
    assert way.kink is not None and way.kink[1] == 1
    found = ways.by_halves(with_signs(pair.true), None)
    assert found is not None and found.statement is not None
    assert not list(where_branches_meet(with_signs(pair.twin)))


@pytest.mark.slow
def test_pure_privacy_lies_above_the_gaussian_at_its_kink():
    odds = NormalCDF(w / 2) / NormalCDF(-w / 2)
    kink = Max(1 - odds * NormalCDF(-t), NormalCDF(t) / odds)
    pair = lemma("pure-to-gaussian", [w > 0], NormalCDF(t - w) <= kink, NormalCDF(t - 9 * w / 10) <= kink)
    assert_only_the_true_one_has_a_document(pair, with_signs, 2.0)


mean = Integral(exp(t * w), (w, 0, 1))
SIGNS = lemma("uniform-moment", [], mean <= exp(t / 2 + t**2 / 24), mean <= exp(t / 2 + t**2 / 25))


@pytest.mark.slow
def test_an_integral_on_both_sides_of_0_exists_on_both():
    """The document shows that the integral exists, from both halves; each half alone would not."""
    found = ways.by_halves(with_signs(SIGNS.true), None)
    assert found is not None and found.statement is not None
    assert [o.formula.tag for o in found.statement.defined] == ["integrable"]
    assert ways.by_halves(with_signs(SIGNS.twin), clock.now() + 0.5) is None


def test_a_variable_with_a_range_has_no_halves_at_0():
    bounded = lemma("bounded", [t >= -1], mean <= exp(1 + t**2), mean <= 0)
    assert not list(at_zero(with_signs(bounded.true)))
