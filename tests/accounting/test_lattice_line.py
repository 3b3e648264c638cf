"""The trapezoid rule over one period against binomial sums, convolution and mpmath; every error term is needed."""

import math
from dataclasses import replace
from fractions import Fraction

import mpmath
import pytest
from flint import arb

from dpbounds.accounting import delta, epsilon, lattice_line
from dpbounds.accounting.nearby import Nearby
from dpbounds.laws.convolve import convolved_delta, groups_of
from dpbounds.laws.normal_form import elements_of
from dpbounds.mechanisms import Composed, RandomizedResponse, Repeated
from dpbounds.mechanisms.pairs import dominating_pairs
from dpbounds.noise.discrete_gaussian import DiscreteGaussian
from dpbounds.noise.discrete_laplace import DiscreteLaplace
from dpbounds.noise.epsilon_delta import EpsilonDelta
from dpbounds.numbers.balls import Enclosure, precision
from tests.truths import gaussian_delta


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
        truth = Enclosure.of_ball(parts.unlisted_mass() + convolved_delta(groups_of(parts.listed()), arb("0.25")))
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
        assert Enclosure.of_ball(line.delta(arb(1))).contains(truth)
        monkeypatch.setattr(lattice_line, term, lambda *_: arb(0))
        assert not Enclosure.of_ball(line.delta(arb(1))).contains(truth)


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


def test_the_index_in_doubt_is_needed(monkeypatch):
    """The least loss is −2 and known to 0.006: at ε = 0.995 the loss 1 may be below, and is above."""
    parts, level = elements(Repeated(RandomizedResponse("1/2"), 4)), Fraction("0.995")
    truth = binomial(Fraction(1, 2), 4, level)
    with precision(100):
        line = lattice_line.LatticeLine(parts, lattice_line.plan(parts, 0.995, 20.0))
        line.start = arb(-2, 0.006)
        assert Enclosure.of_ball(line.delta(arb("0.995"))).contains(truth)
        first = line._first(arb("0.995"))[0]
        monkeypatch.setattr(line, "_first", lambda _: (first, arb(0)))
        assert not Enclosure.of_ball(line.delta(arb("0.995"))).contains(truth)


@pytest.mark.parametrize("c", [-2.0, -0.3, 0.0, 0.01, 40.0])
@pytest.mark.parametrize("count", [1, 5, 200])
def test_a_wrong_line_is_wide_and_not_wrong(c, count):
    """Γ has no sum for c ≤ 0."""
    parts, level = elements(Repeated(RandomizedResponse("1/2"), 10)), Fraction(1, 2)
    truth = binomial(Fraction(1, 2), 10, level)
    with precision(150):
        for right in (0.0, 1.5, 50.0):
            found = lattice_line.LatticeLine(parts, lattice_line.LatticePlan(c, count, right, 0.0, 0.0)).delta(arb("0.5"))
            assert found.overlaps(arb(truth.numerator) / truth.denominator)


def test_infinite_losses_are_added():
    """(ε₀, δ₀) many times: no failure in any use, and randomized response."""
    failure, steps = Fraction(1, 1000), 30
    kept = (1 - failure) ** steps
    truth = 1 - kept + kept * binomial(Fraction(1, 5), steps, Fraction(2))
    found, _ = lattice_line.lattice_delta(elements(Repeated(EpsilonDelta("1/5", failure), steps)), Fraction(2), 15)
    assert found.meets(15) and found.lower <= truth * (1 + Fraction(1, 10**40)) and truth * (1 - Fraction(1, 10**40)) <= found.upper


def test_infinite_losses_are_added_where_a_line_is_used_again():
    parts, nearby = elements(Repeated(EpsilonDelta("1/5", "1/1000"), 30)), Nearby()
    lattice_line.lattice_delta(parts, Fraction(2), 15, nearby)
    line = nearby.line
    found, _ = lattice_line.lattice_delta(parts, Fraction("2.01"), 12, nearby)
    fresh, _ = lattice_line.lattice_delta(parts, Fraction("2.01"), 12)
    assert nearby.line is line and found.meets(12) and found.overlaps(fresh)


def test_masses_that_tails_leave_out_are_added(monkeypatch):
    """A cut at 2^−bits in every use, as if it were at 1/1000."""
    parts = elements(Repeated(DiscreteGaussian(2, 1), 6))
    monkeypatch.setattr(type(parts), "dropped", lambda self: arb(0).union(arb("0.001")))
    found, _ = lattice_line.lattice_delta(parts, Fraction(1, 4), 8)
    with precision(100):
        alone = Enclosure.of_ball(convolved_delta(groups_of(parts.listed()), arb("0.25")))
    assert found.upper >= alone.lower + Fraction(9, 10_000) and found.lower <= alone.upper


def test_laws_stay_on_one_lattice_where_more_digits_need_more_values():
    """At 53 bits the common lattice has less than a million values, at 128 bits more."""
    found = delta(Composed((Repeated(DiscreteGaussian(2, 1), 6000), Repeated(DiscreteGaussian(2, 3), 4000))), 5500, digits=8)
    assert found.method.startswith(lattice_line.METHOD)
    with mpmath.workdps(30):
        near = gaussian_delta(math.sqrt(6000 / 4 + 4000 * 9 / 4), 5500)
    assert abs(float(found.lower) / float(near) - 1) < 0.01


def test_many_uses_are_quick_and_have_digits():
    mechanism = Repeated(DiscreteGaussian(5, 2), 1000)
    found = delta(mechanism, 150, digits=12)
    assert found.method.startswith(lattice_line.METHOD)
    # nearly the Gaussian of the same σ: μ = 2·√1000/5
    with mpmath.workdps(30):
        near = gaussian_delta(2 * math.sqrt(1000) / 5, 150)
    assert abs(float(found.lower) / float(near) - 1) < 0.1
    back = epsilon(mechanism, found.lower, digits=8)
    assert Fraction(back.lower) <= 150 * (1 + Fraction(1, 10**7)) and 150 * (1 - Fraction(1, 10**7)) <= Fraction(back.upper)


@pytest.mark.parametrize("steps", [1, 7])
def test_the_modulus_falls_as_it_is_bounded(steps):
    """|Σ w_j e^{ijθ}| for every node beyond the angle, for weights with and without neighbours."""
    for masses in ({0: 0.2, 1: 0.5, 2: 0.3}, {0: 0.1, 1: 0.1, 2: 0.4, 3: 0.2, 5: 0.2}, {0: 0.5, 2: 0.5}, {3: 1.0}):
        balls = {index: arb(mass) for index, mass in masses.items()}
        for m in range(1, 30):
            bound = lattice_line.modulus_bound(balls, arb(math.pi * m / 30)) ** steps
            for other in range(m, 31):
                turned = sum(
                    mass * complex(math.cos(math.pi * other / 30 * index), math.sin(math.pi * other / 30 * index))
                    for index, mass in masses.items()
                )
                assert abs(turned) ** steps <= float(bound) + 1e-12
    assert lattice_line.modulus_bound({0: arb(0.5), 1: arb(0.5)}, arb.pi()) < 1e-7


def test_nodes_far_up_are_left_out(monkeypatch):
    """All of them against the few near the real line, and what the others add is needed."""
    monkeypatch.setattr(lattice_line, "_FEW_NODES", 10)
    parts, level = elements(Repeated(DiscreteGaussian(3, 1), 3000)), Fraction(170)
    with precision(200):
        chosen = lattice_line.plan(parts, 170.0, 40.0)
        assert chosen.kept is not None and chosen.kept < chosen.count / 8
        whole = lattice_line.LatticeLine(parts, replace(chosen, kept=None)).delta(arb(170))
        few = lattice_line.LatticeLine(parts, chosen).delta(arb(170))
        assert few.overlaps(whole) and few.rad() < 1e-12 * few.mid()
        # with half of the nodes the rest is no longer small, and holds what is missing
        short = lattice_line.LatticeLine(parts, replace(chosen, kept=chosen.kept // 8))
        assert short.delta(arb(170)).contains(whole.mid())
        monkeypatch.setattr(lattice_line.LatticeLine, "left_out", lambda *_: arb(0))
        assert not short.delta(arb(170)).contains(whole.mid())
    found, how = lattice_line.lattice_delta(parts, level, 15)
    assert found.meets(15) and found.ball().overlaps(whole) and f"{chosen.count // 2 + 1} nodes" not in how


def test_discrete_gaussian_noise_hundreds_of_thousands_of_times():
    """Nearly the Gaussian mechanism: k/σ² = 457.8, and noise on the integers is that close to the continuous one."""
    found = delta(Repeated(DiscreteGaussian(29, 1), 385_000), 300, digits=6, direction="add")
    assert found.enclosure.meets(6)
    with mpmath.workdps(30):
        normal = gaussian_delta(mpmath.sqrt(385_000) / 29, 300)
        assert abs(mpmath.mpf(str(found.lower)) / normal - 1) < 1e-5
