"""Pessimistic and optimistic pmfs against certified values of the mechanisms that they stand for."""

import json
from fractions import Fraction

import mpmath
import pytest

from dpbounds.accounting import delta, pmf
from dpbounds.cli import main
from dpbounds.errors import InputError, PrecisionError
from dpbounds.mechanisms import (
    Composed,
    FiniteTable,
    Gaussian,
    Laplace,
    PoissonSampling,
    RandomizedResponse,
    Repeated,
    Sampled,
    TruncatedPoissonSampling,
)
from dpbounds.noise.loss_pmf import LossPmf

SAMPLED = Sampled(Gaussian("0.8"), PoissonSampling("0.2"))
MECHANISMS = [
    (Gaussian(1), "remove"),
    (Laplace(1), "remove"),
    (SAMPLED, "remove"),
    (SAMPLED, "add"),
    (FiniteTable(["1/2", "1/2"], ["1/4", "3/4"]), "add"),
]


@pytest.mark.parametrize(("mechanism", "direction"), MECHANISMS)
def test_the_truth_lies_between_both_pmfs(mechanism, direction):
    above, below = (pmf.loss_pmf(mechanism, "0.25", -3, 4, side, direction=direction) for side in pmf.SIDES)
    for steps in (1, 3):
        for epsilon in ("0", "0.6", "1.3"):
            truth = delta(Repeated(mechanism, steps), epsilon, direction=direction, digits=8).enclosure
            most, least = (delta(Repeated(side, steps), epsilon).enclosure for side in (above, below))
            assert least.lower <= truth.upper
            assert truth.lower <= most.upper
            assert most.upper < truth.upper * Fraction(3, 2) + Fraction(1, 20)


def test_a_finer_grid_is_nearer():
    truth = delta(Repeated(Gaussian(2), 5), "0.5", digits=8).enclosure
    widths = []
    for spacing in ("0.5", "0.125"):
        sides = [pmf.loss_pmf(Gaussian(2), spacing, -2, 3, side) for side in pmf.SIDES]
        most, least = (delta(Repeated(side, 5), "0.5").enclosure for side in sides)
        assert least.lower <= truth.upper
        assert truth.lower <= most.upper
        widths.append(most.upper - least.lower)
    assert widths[1] < widths[0] / 2


def test_a_loss_on_the_grid_is_kept():
    """Randomized response with ε = 1 has the losses ±1: both pmfs are its law but for the rounding."""
    for side in pmf.SIDES:
        found = pmf.loss_pmf(RandomizedResponse(1), "0.5", -1, 1, side)
        value = delta(Repeated(found, 4), 1).enclosure
        truth = delta(Repeated(RandomizedResponse(1), 4), 1).enclosure
        if side == "pessimistic":
            assert abs(value.upper - truth.upper) < Fraction(1, 10**10)


def test_the_check_of_a_pessimistic_pmf_sees_a_missing_mass():
    with pmf.precision(200):
        product = pmf.dominating_pairs(Gaussian(1))[0]
        points = [pmf._Grid.of_point(product, Fraction(i, 2)) for i in range(-6, 9)]
        masses = pmf._pessimistic(points)
        assert pmf.is_pessimistic(points, masses)
        for index in range(6, len(masses)):
            moved = list(masses)
            amount = masses[index] / 1000
            moved[index] -= amount
            moved[index - 1] += amount  # a little mass at a smaller loss
            assert not pmf.is_pessimistic(points, moved)


def test_optimistic_tails_are_below_the_true_ones():
    """σ = 1: P(L > ε) = Φ(1/2 − ε). With the slope on the left of a point in place of that on its right, the tails are above."""
    product = pmf.dominating_pairs(Gaussian(1))[0]
    with pmf.precision(200):
        points = [pmf._Grid.of_point(product, Fraction(i, 4)) for i in range(-8, 13)]
        masses = pmf._optimistic(points)
        left = [
            point.low + point.x * (before.low - point.high) / (point.x - before.x)
            for before, point in zip(points, points[1:], strict=False)
        ]
    for index in range(1, len(points)):
        tail, truth = sum(masses[index:]), mpmath.ncdf(0.5 - (index - 8) / 4)
        assert float(tail) <= truth
        assert float(left[index - 1].mid()) > truth


def test_an_upper_bound_has_no_optimistic_pmf():
    mechanism = Sampled(Gaussian(2), TruncatedPoissonSampling("0.1", 10, 3))
    with pytest.raises(InputError, match="attained"):
        pmf.loss_pmf(mechanism, 1, -1, 1, "optimistic")
    above = pmf.loss_pmf(mechanism, "0.25", -1, 2)
    assert delta(above, "0.3").enclosure.upper >= delta(mechanism, "0.3", direction="remove", digits=6).enclosure.lower


def test_pmfs_compose_with_other_mechanisms():
    mixed = delta(Composed((LossPmf("0.5", -1, ["0.25", "0.5", "0.2"], "0.05"), RandomizedResponse(1))), "0.5").enclosure
    assert 0 < mixed.lower < 1


def test_the_command_writes_what_spec_reads(tmp_path, capsys):
    assert main(["pmf", "--sigma", "2", "--spacing", "0.5", "--low", "-2", "--high", "2"]) == 0
    path = tmp_path / "pmf.json"
    path.write_text(capsys.readouterr().out, encoding="utf-8")
    assert main(["delta", "--spec", str(path), "--epsilon", "0.3", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert Fraction(found["upper"]) >= delta(Gaussian(2), "0.3", digits=8).enclosure.lower


@pytest.mark.parametrize(
    "fields",
    [
        ("0", 0, ["1"]),
        ("1", "0.5", ["1"]),
        ("1", 0, []),
        ("1", 0, ["-1/2", "1"]),
        ("1", 0, ["0.9"], "0.2"),
        ("1", 0, ["0.5"], "0.2"),
        ("1", 0, "1"),
    ],
)
def test_numbers_that_are_no_pmf_are_refused(fields):
    with pytest.raises(InputError):
        LossPmf(*fields)


def test_deltas_that_are_not_known_well_enough_are_refused(monkeypatch):
    product = pmf.dominating_pairs(Gaussian(1))[0]
    with pmf.precision(200):
        points = [pmf._Grid.of_point(product, Fraction(i, 2)) for i in range(-4, 5)]
        points[3].high = points[3].high + Fraction(1, 4).__float__()
        with pytest.raises(PrecisionError):
            pmf._pessimistic(points)
