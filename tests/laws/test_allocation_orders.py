"""Rényi divergences of random allocation: exact values, whole orders beside fractional ones, each error term."""

import math
from fractions import Fraction

import numpy as np
import pytest
from flint import arb

from dpbounds.errors import PrecisionError
from dpbounds.laws.allocation.allocation_orders import divergence, positive_moment
from dpbounds.laws.allocation.mean_of_lognormals import MeanOfLognormals
from dpbounds.mechanisms import Gaussian, RandomAllocation, Repeated, Sampled
from dpbounds.mechanisms.pairs import AllocationPair
from dpbounds.numbers.balls import precision
from dpbounds.renyi.solve import renyi_divergence


@pytest.mark.parametrize("t", ["1", "1/1000", "5/2", "61/4"])
@pytest.mark.parametrize("reversed", [False, True])
def test_one_bin_is_the_gaussian(t, reversed):
    found = divergence(AllocationPair(1, Fraction(2)), Fraction(t), 60, reversed=reversed)
    assert found.overlaps(arb((1 + Fraction(t)).numerator) / (1 + Fraction(t)).denominator / 8)
    assert found.rel_accuracy_bits() >= 60


def test_two_bins_by_quadrature_in_two_dimensions():
    u = np.arange(-1400, 1401) / 100.0
    weight = np.exp(-u * u / 2) / math.sqrt(2 * math.pi) / 100
    y = np.exp(u - 0.5)
    s = (y[:, None] + y[None, :]) / 2
    for t in (0.3, 1.0, 1.7):
        for reversed, power in ((False, 1 + t), (True, -t)):
            other = math.log((weight[:, None] * weight[None, :] * s**power).sum()) / t
            found = divergence(AllocationPair(2, Fraction(1)), Fraction(str(t)), 50, reversed=reversed)
            assert abs(float(found) - other) <= 1e-11


@pytest.mark.parametrize(("sigma", "bins"), [("1", 10), ("1/2", 3), ("3", 1000)])
def test_fractional_moments_meet_those_of_whole_orders(sigma, bins):
    with precision(200):
        for n in (2, 3, 5):
            whole = MeanOfLognormals(bins, Fraction(sigma)).power_moment(n, 200)
            assert positive_moment(bins, Fraction(sigma), arb(n), 60.0).overlaps(whole)


def test_the_front_door_takes_both_directions_and_epochs():
    one = renyi_divergence(Sampled(Gaussian(1), RandomAllocation(10)), "7/2", direction="remove").enclosure
    three = renyi_divergence(Repeated(Sampled(Gaussian(1), RandomAllocation(10)), 3), "7/2").enclosure
    add = renyi_divergence(Sampled(Gaussian(1), RandomAllocation(10)), "7/2", direction="add").enclosure
    assert add.upper < one.lower and three.lower <= 3 * one.upper and 3 * one.lower <= three.upper


def test_several_participations_have_an_upper_bound_that_says_so():
    found = renyi_divergence(Sampled(Gaussian(1), RandomAllocation(10, 2)), 2)
    assert any("upper bound" in note for note in found.notes)


def test_what_is_refused():
    with pytest.raises(PrecisionError, match="fractional orders"):
        divergence(AllocationPair(10, Fraction(1)), Fraction(401, 2), 50)
