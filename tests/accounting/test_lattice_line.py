"""The trapezoid rule over one period against binomial sums, convolution and mpmath; every error term is needed."""

import math
from dataclasses import replace
from fractions import Fraction

import mpmath
import pytest
from flint import arb

from dpbounds.accounting import delta, epsilon, lattice_line
from dpbounds.laws.convolve import convolved_delta, groups_of
from dpbounds.laws.discrete_gaussian import DiscreteGaussian
from dpbounds.laws.discrete_laplace import DiscreteLaplace
from dpbounds.laws.normal_form import elements_of
from dpbounds.mechanisms import Composed, RandomizedResponse, Repeated
from dpbounds.mechanisms.pairs import dominating_pairs
from dpbounds.numbers.balls import Enclosure, precision


def elements(mechanism):
    return elements_of(dominating_pairs(mechanism)[0])


def binomial(size, steps, level):
    """δ of randomized response used `steps` times, from its definition."""
    with mpmath.workdps(60):
        size, level = mpmath.mpf(size.numerator) / size.denominator, mpmath.mpf(level.numerator) / level.denominator
        likely = 1 / (1 + mpmath.exp(-size))
        found = mpmath.mpf(0)
        for count in range(steps + 1):
            loss = (2 * count - steps) * size
            if loss > level:
                found += mpmath.binomial(steps, count) * likely**count * (1 - likely) ** (steps - count) * (1 - mpmath.exp(level - loss))
        return Fraction(str(mpmath.nstr(found, 50)))


@pytest.fixture(autouse=True)
def _short(monkeypatch):
    monkeypatch.setattr(lattice_line, "SHORTEST", 2)


@pytest.mark.parametrize(("size", "steps", "level"), [("1/10", 40, "1"), ("1/10", 40, "1.03"), ("1/2", 12, "0"), ("1/5", 30, "5.6")])
def test_against_the_binomial_sum(size, steps, level):
    size, level = Fraction(size), Fraction(level)
    found, how = lattice_line.lattice_delta(elements(Repeated(RandomizedResponse(size), steps)), level, 20)
    truth = binomial(size, steps, level)
    assert found.meets(20) and how.startswith(lattice_line.METHOD)
    assert found.lower <= truth * (1 + Fraction(1, 10**40)) and truth * (1 - Fraction(1, 10**40)) <= found.upper


@pytest.mark.parametrize(
    "mechanism",
    [
        Repeated(DiscreteGaussian(2, 1), 6),
        Repeated(DiscreteLaplace(3, 2), 9),
        Composed((Repeated(RandomizedResponse("0.01"), 30), Repeated(RandomizedResponse("0.02"), 20))),
    ],
)
def test_against_the_power_of_a_polynomial(mechanism):
    parts = elements(mechanism)
    found, _ = lattice_line.lattice_delta(parts, Fraction(1, 4), 15)
    with precision(200):
        truth = Enclosure.of(parts.unlisted_mass() + convolved_delta(groups_of(parts.listed()), arb("0.25")))
    assert found.meets(15) and found.overlaps(truth)


@pytest.mark.parametrize("term", ["left_alias_bound", "right_alias_bound", "no_right_alias"])
def test_the_aliases_are_needed(monkeypatch, term):
    """A period that is too short on one side."""
    parts, level = elements(Repeated(RandomizedResponse("0.1"), 40)), Fraction(1)
    truth = binomial(Fraction(1, 10), 40, level)
    with precision(200):
        chosen = lattice_line.plan(parts, 1.0, 40.0)
        chosen = replace(
            chosen,
            count=17 if term == "left_alias_bound" else 9,
            c=1.0 if term == "left_alias_bound" else 8.0,
            right=9.0 if term == "right_alias_bound" else 0.0,
        )
        line = lattice_line.LatticeLine(parts, chosen)
        assert Enclosure.of(line.delta(arb(1))).contains(truth)
        monkeypatch.setattr(lattice_line, term, lambda *_: arb(0))
        assert not Enclosure.of(line.delta(arb(1))).contains(truth)


def test_an_index_in_doubt():
    """Losses 0, 1, 2 … known to 1/100: at ε = 2.005 the index 2 may be above, and then adds at most its distance."""
    parts = elements(Repeated(RandomizedResponse("0.5"), 4))
    with precision(100):
        line = lattice_line.LatticeLine(parts, lattice_line.plan(parts, 1.0, 20.0))
        line.unit, line.start = arb(1), arb(0, 0.01)
        first, doubt = line._first(arb("2.005"))
        assert first == 3 and 0.0049 < float(doubt) < 0.0051
        line.start = arb(0)
        assert line._first(arb("2.005")) == (3, 0) and line._first(arb("1.995")) == (2, 0) and line._first(arb(2)) == (3, 0)


def test_many_uses_are_quick_and_have_digits():
    mechanism = Repeated(DiscreteGaussian(5, 2), 1000)
    found = delta(mechanism, 150, digits=12)
    assert found.method.startswith(lattice_line.METHOD)
    # nearly the Gaussian of the same σ: μ = 2·√1000/5
    mu = 2 * math.sqrt(1000) / 5
    with mpmath.workdps(30):
        near = mpmath.ncdf(mu / 2 - 150 / mu) - mpmath.exp(150) * mpmath.ncdf(-mu / 2 - 150 / mu)
    assert abs(float(found.lower) / float(near) - 1) < 0.1
    back = epsilon(mechanism, found.lower, digits=8)
    assert Fraction(back.lower) <= 150 * (1 + Fraction(1, 10**7)) and 150 * (1 - Fraction(1, 10**7)) <= Fraction(back.upper)
