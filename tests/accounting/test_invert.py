"""Certified ε(δ): brackets against δ itself, closed forms, edge cases."""

from __future__ import annotations

from fractions import Fraction

import pytest

from dpbounds import accounting
from dpbounds.errors import InputError, PrecisionError
from dpbounds.mechanisms import FiniteTable, Gaussian, PoissonSampling, RandomizedResponse, Repeated, Sampled


def poisson(sigma, q, steps):
    return Repeated(Sampled(Gaussian(sigma), PoissonSampling(q)), steps)


@pytest.mark.parametrize(
    ("mechanism", "delta"),
    [
        (Gaussian(1), "1e-5"),
        (poisson("1.5", "0.01", 10_000), "1e-5"),
        (poisson(2, "0.01", 1000), "1e-71"),
        (Repeated(RandomizedResponse(1), 100), "1e-6"),
        (poisson("0.5", "0.01", 1), "1e-5"),
        (Repeated(FiniteTable(["1/2", "1/4", "1/4"], ["1/4", "1/4", "1/2"]), 20), "1e-3"),
    ],
)
@pytest.mark.parametrize("digits", [4, 15, 25])
def test_the_bracket_holds_the_crossing(mechanism, delta, digits):
    result = accounting.epsilon(mechanism, delta, digits=digits)
    assert result.enclosure.meets(digits)
    below = accounting.delta(mechanism, result.enclosure.lower, digits=digits + 6).enclosure
    above = accounting.delta(mechanism, result.enclosure.upper, digits=digits + 6).enclosure
    assert below.upper >= Fraction(delta)
    assert above.lower <= Fraction(delta)


@pytest.mark.parametrize(
    ("mechanism", "delta", "low", "high"),
    [  # other accountants return 6.90236, 5.376 and at most 72.1 here
        (poisson(50, "0.5", 10_000), "1e-11", "6.90441", "6.90443"),
        (poisson(2, "0.01", 20_000), "1e-12", "5.4052", "5.4053"),
        (Repeated(RandomizedResponse(1), 100), "1e-6", "83.53", "83.54"),
        (poisson("0.5", "0.01", 1), "1e-5", "3.025", "3.026"),
    ],
)
def test_known_values(mechanism, delta, low, high):
    found = accounting.epsilon(mechanism, delta).enclosure
    assert Fraction(low) <= found.lower
    assert found.upper <= Fraction(high)


def test_edges():
    assert accounting.epsilon(Gaussian(1), "0.5").enclosure.upper == 0
    half_lost = Repeated(FiniteTable(["1/2", "1/2", "0"], ["1/2", "0", "1/2"]), 3)
    assert accounting.epsilon(half_lost, "0.5").upper == "inf"
    assert accounting.epsilon(poisson(1, 0, 10), "1e-9").enclosure.upper == 0


def test_a_tie_is_an_honest_error():
    # δ(0) of one use is 1/3 exactly, so ε(1/3) = 0; of randomized response the comparison cannot be decided by balls
    with pytest.raises(PrecisionError):
        accounting.epsilon(FiniteTable(["2/3", "1/3"], ["1/3", "2/3"]), "1/3")


@pytest.mark.parametrize("delta", ["0", "1", "-0.1", "2", "nan", "x"])
def test_bad_delta(delta):
    with pytest.raises(InputError):
        accounting.epsilon(Gaussian(1), delta)


@pytest.mark.parametrize(
    "asked", [{"digits": 0}, {"digits": "many"}, {"digits": 2.5}, {"direction": "up"}, {"guarantee": "both"}, {"relation": "friends"}]
)
def test_what_is_asked_for_must_exist(asked):
    with pytest.raises(InputError, match=f"{next(iter(asked))} must be"):
        accounting.epsilon(Gaussian(1), "1/10", **asked)
