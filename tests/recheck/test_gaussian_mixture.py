"""Sums of terms of a Gaussian mixture at real nodes, against floating point."""

import math
from fractions import Fraction

import pytest

from dpbounds.recheck.gaussian_mixture import GaussianMixture
from dpbounds.recheck.numbers import Numbers


@pytest.mark.parametrize("weights", [("2/3", "1/3"), ("0", "1"), ("1/2", "0", "1/2"), ("1/4", "1/2", "1/4")])
@pytest.mark.parametrize("s", [Fraction(-3), Fraction(0), Fraction(7, 4)])
def test_every_term_counts_at_real_nodes(weights, s):
    mixture = GaussianMixture(tuple(map(Fraction, weights)), Fraction(3, 2), True, True)
    low, high = mixture._average(Numbers(100).number(s)).bounds()
    wanted = sum(float(w) * math.exp(k * float(s) / 1.5 - k * k / 4.5) for k, w in enumerate(mixture.weights))
    assert high - low <= Fraction(1, 10**25)
    assert abs(float(low) - wanted) <= 1e-12 * wanted
