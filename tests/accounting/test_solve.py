"""Certified δ(ε): calibration values, closed forms, edge cases."""

import json
from fractions import Fraction
from pathlib import Path

import pytest
from flint import arb

from dpbounds import accounting
from dpbounds.accounting import solve
from dpbounds.accounting.bounds.upper_bounds import surely_below
from dpbounds.accounting.bromwich import integrate
from dpbounds.accounting.closed import within_unit
from dpbounds.accounting.solve import possibly_largest
from dpbounds.errors import InputError, PrecisionError
from dpbounds.laws.closed_forms import mixture_delta
from dpbounds.laws.factors import MixtureFactor
from dpbounds.laws.mixture import Mixture
from dpbounds.laws.with_replacement import DrawsFactor
from dpbounds.mechanisms import (
    Composed,
    FiniteTable,
    Gaussian,
    PoissonSampling,
    RandomizedResponse,
    Repeated,
    Sampled,
    WithReplacementSampling,
)
from dpbounds.mechanisms.pairs import dominating_pairs
from dpbounds.noise.epsilon_delta import EpsilonDelta
from dpbounds.numbers.balls import Enclosure, ball
from dpbounds.numbers.refine import refine

CALIBRATION = json.loads((Path(__file__).parent.parent / "reference" / "calibration.json").read_text())


def poisson(sigma, q, steps):
    return Repeated(Sampled(Gaussian(sigma), PoissonSampling(q)), steps)


@pytest.mark.parametrize("row", CALIBRATION, ids=lambda row: f"{row['q']}-{row['sigma']}-{row['steps']}-{row['direction']}")
def test_calibration_to_twenty_digits(row):
    result = accounting.delta(poisson(row["sigma"], row["q"], row["steps"]), row["epsilon"], digits=20, direction=row["direction"])
    value, radius = Fraction(row["value"]), Fraction(row["radius"])
    assert result.enclosure.meets(20)
    assert result.enclosure.lower <= value + radius
    assert result.enclosure.upper >= value - radius
    assert result.method.startswith("Bromwich line, ")


@pytest.mark.parametrize("shape", [(True, False), (False, True), (True, True)])
@pytest.mark.parametrize(("q", "sigma", "epsilon"), [("0.5", "3", "0.1"), ("0.9", "1", "0"), ("0.1", "20", "0"), ("0.9", "3", "1")])
def test_one_step_by_contour_holds_the_closed_form(shape, q, sigma, epsilon):
    mixture = Mixture(Fraction(q), Fraction(sigma), *shape)
    exact = refine(lambda: mixture_delta(mixture, ball(Fraction(epsilon))), 25)
    found, _ = integrate(lambda: [MixtureFactor(mixture, 1)], lambda: ball(Fraction(epsilon)), 12)
    assert found.overlaps(exact)
    assert found.meets(12)


def test_edges_are_exact():
    zero = Enclosure.exactly(0)
    for mechanism, epsilon, direction in [
        (poisson(1, 0, 100), 0, "worst"),
        (poisson(1, "0.01", 100), "1.1", "add"),
        (Repeated(RandomizedResponse("0.5"), 4), 2, "worst"),
        (FiniteTable(["1/2", "1/2"], ["1/2", "1/2"]), 0, "worst"),
    ]:
        result = accounting.delta(mechanism, epsilon, direction=direction)
        assert result.enclosure.low == zero.low and result.enclosure.high == zero.high


def test_sampling_everything_is_no_sampling():
    sampled = accounting.delta(poisson(2, 1, 10), 1).enclosure
    plain = accounting.delta(Repeated(Gaussian(2), 10), 1).enclosure
    assert sampled.overlaps(plain)


def test_total_variation_of_tables():
    # δ(0) of k = 2 is the total variation of the product, by hand: P⊗P = (4,2,2,1)/9, Q⊗Q = (1,2,2,4)/9
    result = accounting.delta(Repeated(FiniteTable(["2/3", "1/3"], ["1/3", "2/3"]), 2), 0)
    assert result.enclosure.contains(Fraction(1, 3))


@pytest.mark.parametrize("epsilon", ["-1", "nan", "x", float("inf")])
def test_bad_epsilon(epsilon):
    with pytest.raises(InputError):
        accounting.delta(Gaussian(1), epsilon)


@pytest.mark.parametrize(
    "asked", [{"digits": 0}, {"digits": "many"}, {"digits": 2.5}, {"direction": "up"}, {"guarantee": "both"}, {"relation": "friends"}]
)
def test_what_is_asked_for_must_exist(asked):
    with pytest.raises(InputError, match=f"{next(iter(asked))} must be"):
        accounting.delta(Gaussian(1), "1/10", **asked)


def test_surely_below_counts_every_mass(monkeypatch):
    """A Chernoff bound, the mass of infinite loss, and what a truncated law leaves out."""
    failing = dominating_pairs(Composed((Repeated(EpsilonDelta("1/2", "1/1000"), 2), Gaussian(2))))[0]
    assert surely_below(failing, Fraction(8), arb("0.0021")) and not surely_below(failing, Fraction(8), arb("0.0019"))
    drawn = dominating_pairs(Sampled(Gaussian(2), WithReplacementSampling(100, 2)), guarantee="pair")[0]
    assert surely_below(drawn, Fraction(2), arb("0.1"))
    monkeypatch.setattr(DrawsFactor, "lost", lambda self: arb("0.1"))
    assert not surely_below(drawn, Fraction(2), arb("0.1"))


def test_the_other_direction_has_no_contour_where_a_bound_at_its_saddle_point_is_enough(monkeypatch):
    """Added records have a thirtieth of δ at 1.5, and nearly all of it at 0.1."""
    run = Repeated(Sampled(Gaussian(1), PoissonSampling("0.01")), 1000)
    asked = []
    whole = solve.enclosed_delta
    monkeypatch.setattr(solve, "enclosed_delta", lambda product, *given, **more: asked.append(product) or whole(product, *given, **more))
    for epsilon, count in (("1.5", 1), ("0.1", 2)):
        asked.clear()
        found = accounting.delta(run, epsilon, digits=8).enclosure
        assert len(asked) == count
        assert found.overlaps(accounting.delta(run, epsilon, digits=8, direction="remove").enclosure)


def test_only_what_a_few_digits_separate_is_left_out(monkeypatch):
    """Sampled noise is less private when a record is removed; a table and its mirror image are equally private either way."""
    sampled, even = poisson(1, "1/10", 1), FiniteTable(["1/4", "3/4"], ["3/4", "1/4"])
    for mechanism, left in ((sampled, 1), (even, 2)):
        products = dominating_pairs(mechanism, direction="worst")
        assert len(products) == 2 and len(possibly_largest(products, Fraction(1, 2))) == left
    both = [accounting.delta(sampled, "1/2", digits=60, direction=way).enclosure for way in ("remove", "add")]
    worst = accounting.delta(sampled, "1/2", digits=60).enclosure
    assert worst.overlaps(both[0]) and worst.low > both[1].high
    rough = iter([Enclosure.between(arb(1), arb(3)), Enclosure.between(arb(2), arb(4))])
    monkeypatch.setattr(solve, "enclosed_delta", lambda *_: (next(rough), ""))
    assert len(possibly_largest(dominating_pairs(sampled, direction="worst"), Fraction(1))) == 2


@pytest.mark.parametrize("ends", [(arb(2), arb(3)), (arb.pos_inf(), arb.pos_inf()), (arb(-2), arb(-1))])
def test_no_delta_lies_outside_of_the_unit_interval(ends):
    with pytest.raises(PrecisionError, match="report"):
        within_unit(Enclosure.between(*ends))
