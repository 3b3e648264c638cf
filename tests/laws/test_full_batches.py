"""Truncated batches as one law: against the sum over the number of full batches, and every part of the mean."""

from dataclasses import replace
from fractions import Fraction

import pytest
from flint import arb

from dpbounds.accounting import delta, epsilon, truncated
from dpbounds.accounting.evaluate import evaluate
from dpbounds.laws.contour_factor import Need
from dpbounds.laws.normal_form import elements_of
from dpbounds.mechanisms import Gaussian, PoissonSampling, Repeated, Sampled, TruncatedPoissonSampling
from dpbounds.mechanisms.pairs import dominating_pairs

STEP = Sampled(Gaussian(3), TruncatedPoissonSampling("0.05", 60, 5))


def factor_of(direction="remove", steps=50):
    (product,) = dominating_pairs(Repeated(STEP, steps), direction=direction, upper_bounds=True)
    return product, elements_of(product).factors()[0]


@pytest.mark.parametrize("direction", ["remove", "add"])
def test_the_contour_and_the_sum_are_one_number(direction, monkeypatch):
    """20 steps, of which 3 are full in the mean: a contour of the mean, and a sum of contours."""
    (product,) = dominating_pairs(Repeated(STEP, 20), direction=direction, upper_bounds=True)
    monkeypatch.setattr(truncated, "_MANY", 0)
    contour, how = evaluate(product, Fraction(1, 20), 6)
    assert contour.meets(6) and truncated.METHOD not in how
    monkeypatch.setattr(truncated, "_MANY", 100)
    monkeypatch.setattr(truncated, "_SHORT", 400)
    total, how = evaluate(product, Fraction(1, 20), 4)
    assert truncated.METHOD in how and total.meets(4)
    assert contour.overlaps(total) and contour.low > arb(10) ** -9


@pytest.mark.parametrize("direction", ["remove", "add"])
def test_the_mean_of_both_kinds_of_step(direction):
    product, factor = factor_of(direction)
    plain, full = (
        elements_of(replace(product, factors=(replace(product.factors[0], pair=pair),))).factors()[0]
        for pair in (product.factors[0].pair.uncut, product.factors[0].pair.pushing)
    )
    rate = factor.weights[1]
    assert arb("0.05") < rate < arb("0.2") and (rate + factor.weights[0]).contains(1)
    assert factor.moment(arb(2)).overlaps((1 - rate) * plain.moment(arb(2)) + rate * full.moment(arb(2)))
    assert factor.moment(arb(2)) < full.moment(arb(2)) and factor.moment(arb(2)) > plain.moment(arb(2))
    y, need = arb(90), Need(40.0, lambda _: 0.0, 900.0)
    bound = factor.decay(arb(2), y, factor.approx_decay(2.0, 90.0)[1])
    values = factor.line(arb(2), y, 10, need)
    assert values[0].overlaps(factor.moment(arb(2)))
    assert max(abs(complex(value)) for value in values[1:]) <= float(bound) < float(factor.moment(arb(2)))
    assert factor.largest_loss == plain.largest_loss and (factor.loss_bound() >= full.loss_bound() or direction == "remove")
    h = 1e-4
    value, first, second = factor.approx_log_moments(2.0)
    low, high = (factor.approx_log_moments(2.0 + way * h)[0] for way in (-1, 1))
    assert abs((high - low) / (2 * h) - first) <= 1e-6 * first and abs((high - 2 * value + low) / h**2 - second) <= 1e-3 * second
    if direction == "remove":
        cut = factor.with_cut(factor.cut_at(30.0))
        assert cut.cut is not None and cut.cut_mass().overlaps((1 - rate) * cut.parts[0].cut_mass() + rate * cut.parts[1].cut_mass())
        assert 0 < cut.cut_mass() < arb(10) ** -10 and cut.room(1.0) > 5 and factor.ends_before(1.0, 200.0, 40.0)


def test_batches_of_which_many_are_full():
    """Refused by the sum; the divergence of float64 is that of the same mean."""
    found = epsilon(
        Repeated(Sampled(Gaussian("23.8"), TruncatedPoissonSampling("0.029", 69, 4)), 6_200_000), "3.18e-12", digits=8, direction="remove"
    )
    assert found.enclosure.meets(8)
    back = delta(found.mechanism, found.enclosure.lower, digits=6, direction="remove").enclosure
    assert abs(back.lower_float / 3.18e-12 - 1) <= 1e-6
    tiny = delta(Repeated(Sampled(Gaussian("78.4"), TruncatedPoissonSampling("0.000475", 821_000, 461)), 100), "0.776", digits=4)
    assert tiny.enclosure.upper_float <= 1e-300


@pytest.mark.parametrize("direction", ["remove", "add"])
@pytest.mark.parametrize(("q", "limit"), [("1", 5), ("0.999", 5), ("1", 60)])
def test_batches_that_are_full_for_certain_or_never(q, limit, direction):
    """Among 59 others each batch of 5 is full: Poisson sampling at rate 5q/6 with half of the noise; one of 60 never is."""
    found = delta(Repeated(Sampled(Gaussian(9), TruncatedPoissonSampling(q, 60, limit)), 5), "0.5", digits=6, direction=direction)
    one = Sampled(Gaussian("4.5"), PoissonSampling(Fraction(q) * 5 / 6)) if limit == 5 else Gaussian(9)
    assert found.enclosure.overlaps(delta(Repeated(one, 5), "0.5", digits=6, direction=direction).enclosure)
