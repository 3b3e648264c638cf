"""One epoch of random allocation as an option on a mean: each error term, poor plans, and the contour beside it."""

from dataclasses import replace
from fractions import Fraction

import pytest
from flint import arb

from dpbounds.accounting import delta
from dpbounds.accounting.allocation import one_epoch
from dpbounds.accounting.allocation.allocation_delta import Route
from dpbounds.accounting.allocation.one_epoch import one_epoch_delta, plan_option, put_option
from dpbounds.laws.allocation.random_allocation import AllocationFactor
from dpbounds.mechanisms import Gaussian
from dpbounds.numbers.balls import Enclosure, precision

SIGMA, STRIKE = Fraction(3), 1.25


def normal(x: arb) -> arb:
    return (-x / arb(2).sqrt()).erfc() / 2


def true_put(strike: arb) -> arb:
    """t = 1: S = exp(u/σ − 1/(2σ²)) is lognormal."""
    sigma = arb(3)
    cut = sigma * strike.log() + 1 / (2 * sigma)
    return strike * normal(cut) - normal(cut - 1 / sigma)


def found_put(**change: object) -> arb:
    factor = AllocationFactor(1, SIGMA)
    with precision(300):
        plan = replace(plan_option(factor.mean(0).model, STRIKE, -38.0), **change)
        return put_option(factor, arb(STRIKE), plan)


def test_one_bin_is_a_lognormal_put():
    with precision(300):
        found = found_put()
        assert found.overlaps(true_put(arb(STRIKE))) and float(found.rad()) <= 1e-14


TERMS = {"right_main": {"step": 3.0}, "right_rest": {"step": 5.0}, "left_aliases": {"step": 12.0, "far": 60.0}, "ends_error": {"count": 12}}


@pytest.mark.parametrize("term", TERMS)
def test_each_error_term_is_needed(term, monkeypatch):
    change = {"b": 4.0, **TERMS[term]} if term != "ends_error" else TERMS[term]
    with precision(300):
        truth = true_put(arb(STRIKE))
        assert found_put(**change).overlaps(truth)
        monkeypatch.setattr(one_epoch, term, lambda *_: arb(0))
        assert not found_put(**change).overlaps(truth)


@pytest.mark.parametrize(
    "change",
    [
        {"b": 0.5},
        {"b": 3.0},
        {"b": 60.0},
        {"step": 0.5},
        {"step": 9.0},
        {"step": 40.0, "far": 90.0},
        {"step": 40.0, "far": 0.0},
        {"count": 3},
        {"turn": 0.0},
        {"turn": 1.5},
        {"turn": 1.6},
        {"turn": -0.1},
        {"tolerance": 15.0},
        {"tolerance": 1.0},
    ],
)
def test_a_poor_plan_widens_the_enclosure_and_never_falsifies_it(change):
    with precision(300):
        found = found_put(**change)
        assert not found.is_finite() or found.overlaps(true_put(arb(STRIKE)))


def by_contour(route: Route, level: Fraction) -> Enclosure:
    """15 digits of δ by this route, whatever the others would cost."""
    found, log_value, tolerance = Enclosure.between(arb(0), arb(1)), -5.0, 39.0
    while not found.meets(15):
        found = route.delta(level, route.plan(level, log_value, tolerance)[1], log_value)
        log_value, tolerance = float(found.high.log().mid()), tolerance + 10
    return found


@pytest.mark.parametrize(
    ("sigma", "bins", "epsilon"), [("2", 100, "1/2"), ("1", 1000, "1/10"), ("5", 50, "1/5"), ("1", 100, "1"), ("8", 2, "1/4")]
)
def test_the_two_routes_agree(sigma, bins, epsilon):
    """The option formula along Re s = b against the Mellin moments along Re z = c."""
    level = Fraction(epsilon)
    for remove in (True, False):
        contour = by_contour(Route(lambda: [AllocationFactor(bins, Fraction(sigma))], parity=remove), level)
        directly = one_epoch_delta(AllocationFactor(bins, Fraction(sigma)), level, 15, remove, float(contour.ball().log().mid()))
        assert contour.meets(15) and directly.meets(15) and contour.overlaps(directly)


def test_one_bin_directly_is_the_gaussian():
    truth = delta(Gaussian(4), "0.5", digits=20).enclosure
    for remove in (True, False):
        found = one_epoch_delta(AllocationFactor(1, Fraction(4)), Fraction(1, 2), 12, remove, -3.0)
        assert found.meets(12) and found.overlaps(truth)
