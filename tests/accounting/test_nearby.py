"""A contour that was planned for one ε and is used at others: every enclosure holds the truth, and ε(δ) needs few contours."""

from fractions import Fraction

import pytest

from dpbounds.accounting import bromwich
from dpbounds.accounting.evaluate import evaluate
from dpbounds.accounting.inverse import search
from dpbounds.accounting.inverse.first_points import rare_start
from dpbounds.accounting.invert import epsilon
from dpbounds.accounting.nearby import Nearby
from dpbounds.mechanisms import Gaussian, PoissonSampling, Repeated, Sampled
from dpbounds.mechanisms.pairs import dominating_pairs
from dpbounds.numbers.balls import Enclosure, ball, precision


def sampled(sigma, q, steps):
    return Repeated(Sampled(Gaussian(sigma), PoissonSampling(q)), steps)


LONG, FEW = sampled("1.1", "0.02", 300), sampled("0.7", "0.01", 3)


@pytest.mark.parametrize(("mechanism", "direction"), [(LONG, "remove"), (LONG, "add"), pytest.param(FEW, "remove", marks=pytest.mark.slow)])
def test_another_epsilon_is_enclosed(mechanism, direction):
    product = dominating_pairs(mechanism, direction=direction)[0]
    nearby, at = Nearby(), Fraction(1, 2)
    evaluate(product, at, 20, nearby=nearby)
    assert nearby.line is not None
    for factor in ("1/100", "1/2", "99/100", "101/100", "3/2", "4"):
        epsilon_there = at * Fraction(factor)
        with precision(nearby.bits):
            there = Enclosure.of_ball(nearby.line.delta(ball(epsilon_there)))
        truth, _ = evaluate(product, epsilon_there, 25)
        assert there.low <= truth.high and truth.low <= there.high


def test_a_line_with_too_few_digits_is_replaced():
    product = dominating_pairs(sampled("1.1", "0.02", 300), direction="remove")[0]
    nearby = Nearby()
    evaluate(product, Fraction(1), 5, nearby=nearby)
    first = nearby.line
    found, _ = evaluate(product, Fraction(1), 15, nearby=nearby)
    assert nearby.line is not first and found.meets(15)
    far, _ = evaluate(product, Fraction(3), 15, nearby=nearby)
    truth, _ = evaluate(product, Fraction(3), 20)
    assert far.low <= truth.high and truth.low <= far.high and far.meets(15)


def test_few_contours_are_planned(monkeypatch):
    planned = []
    choose = bromwich._choose
    monkeypatch.setattr(bromwich, "_choose", lambda *given: planned.append(given[1]) or choose(*given))
    found = epsilon(sampled("1", "0.01", 1000), "1e-5", digits=12, direction="remove")
    assert found.lower.startswith("1.82823666651") and len(planned) <= 4


def test_delta_at_zero_is_not_needed_where_a_point_below_the_root_is_near(monkeypatch):
    """Few steps have their longest contours at ε = 0."""
    asked = []
    monkeypatch.setattr(search, "evaluate", lambda product, at, *rest, **more: asked.append(at) or evaluate(product, at, *rest, **more))
    found = epsilon(sampled("0.8", "0.01", 1000), "1e-9", digits=8, direction="remove")
    assert 0 not in asked
    (product,) = dominating_pairs(sampled("0.8", "0.01", 1000), direction="remove")
    target = Fraction(1, 10**9)
    assert evaluate(product, found.enclosure.lower, 24)[0].lower > target >= evaluate(product, found.enclosure.upper, 24)[0].upper


def test_rare_sampling_starts_near_the_root(monkeypatch):
    """δ of 100 uses with the record in one of 10⁴ is 100 times that of one, nearly: the first contour serves all of the search."""
    planned = []
    choose = bromwich._choose
    monkeypatch.setattr(bromwich, "_choose", lambda *given: planned.append(given[1]) or choose(*given))
    found = epsilon(sampled("1", "1e-4", 100), "1e-8", digits=6, direction="remove").enclosure
    (product,) = dominating_pairs(sampled("1", "1e-4", 100), direction="remove")
    target = Fraction(1, 10**8)
    assert planned and all(abs(at / float(found.lower) - 1) < 0.1 for at in planned)
    assert evaluate(product, found.lower, 24)[0].lower > target >= evaluate(product, found.upper, 24)[0].upper
    assert rare_start(product, target, Fraction(1)) < 1
    (added,) = dominating_pairs(sampled("1", "1e-4", 100), direction="add")
    assert rare_start(added, target, Fraction(1)) == 1
