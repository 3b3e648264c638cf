"""Composition theorems against each other and against exact sums over randomized response."""

from fractions import Fraction
from math import comb

import mpmath as mp
import pytest

from dpbounds.budgets.composition import (
    advanced_composition_of,
    basic_composition_of,
    group_privacy_of,
    optimal_delta_of,
    optimal_epsilon_of,
    parallel_composition_of,
)
from dpbounds.errors import InputError
from dpbounds.numbers.balls import ball
from dpbounds.numbers.to_digits import certified


def hockey_stick(epsilon, delta, steps, total):
    """δ of the k-fold worst (ε, δ) mechanism, summed over its outcomes: each use reveals all with probability δ."""
    with mp.workdps(40):
        e, d = mp.exp(mp.mpf(epsilon)), mp.mpf(delta)
        inside = mp.mpf(0)
        for wins in range(steps + 1):
            p, q = e**wins / (1 + e) ** steps, e ** (steps - wins) / (1 + e) ** steps
            inside += comb(steps, wins) * max(mp.mpf(0), p - mp.exp(mp.mpf(total)) * q)
        return 1 - (1 - d) ** steps * (1 - inside)


@pytest.mark.parametrize(
    ("epsilon", "delta", "steps", "total"), [("0.3", "0", 7, "0.5"), ("0.1", "1e-6", 60, "1"), ("1", "0", 3, "0"), ("0.5", "1e-3", 4, "2")]
)
def test_the_optimal_theorem_is_the_hockey_stick_of_randomized_response(epsilon, delta, steps, total):
    found = optimal_delta_of(epsilon, delta, steps, total)
    truth = hockey_stick(epsilon, delta, steps, total)
    with mp.workdps(40):
        assert mp.mpf(found.lower_decimal(30)) - mp.mpf(10) ** -25 <= truth <= mp.mpf(found.upper_decimal(30)) + mp.mpf(10) ** -25


def test_ordering_of_the_theorems():
    for epsilon, steps in (("0.01", 100), ("0.1", 50), ("1", 20)):
        optimal = optimal_epsilon_of(epsilon, 0, steps, "1e-5")
        sharp, printed = (advanced_composition_of(epsilon, 0, steps, "1e-5", constant).epsilon for constant in ("sharp", "printed"))
        basic = basic_composition_of([(epsilon, 0)] * steps).epsilon
        assert optimal <= sharp and sharp <= printed
        assert optimal.lower <= basic.upper


def test_optimal_epsilon_is_certified_on_both_sides():
    found = optimal_epsilon_of("0.1", "1e-8", 100, "1e-5", 8)
    assert (
        optimal_delta_of("0.1", "1e-8", 100, found.upper).lower
        <= Fraction("1e-5")
        <= optimal_delta_of("0.1", "1e-8", 100, found.lower).upper
    )
    assert optimal_epsilon_of("0.1", 0, 1, "0.9").upper == 0


def test_group_privacy_is_a_chain_and_below_the_slides():
    found = group_privacy_of("0.5", "1e-6", 3)
    chained = certified(lambda: sum(((ball(i) / 2).exp() for i in range(3)), ball(0)) / 10**6)
    assert found.epsilon.contains(Fraction(3, 2)) and found.delta.overlaps(chained)
    assert found.delta <= certified(lambda: 3 * (ball(3) / 2).exp() / 10**6)
    assert group_privacy_of(5, "0.5", 9).delta.upper == 1


def test_parallel_and_basic():
    parts = [("0.5", "1e-6"), ("0.25", "1e-5")]
    assert parallel_composition_of(parts).delta.contains(Fraction("1e-5")) and parallel_composition_of(parts).epsilon.contains(
        Fraction("0.5")
    )
    assert basic_composition_of(parts).epsilon.contains(Fraction("0.75"))
    assert advanced_composition_of("0.5", "1e-6", 10, "1e-5").delta.contains(Fraction("2e-5"))


@pytest.mark.parametrize(
    "call",
    [
        lambda: basic_composition_of([]),
        lambda: basic_composition_of([(-1, 0)]),
        lambda: advanced_composition_of(1, 0, 0, "1e-5"),
        lambda: advanced_composition_of(1, 0, 5, 0),
        lambda: advanced_composition_of(1, 0, 5, "1e-5", "best"),
        lambda: optimal_epsilon_of(1, "1e-3", 100, "1e-5"),
        lambda: optimal_epsilon_of(-1, 0, 1, "0.5"),
        lambda: group_privacy_of(1, 2, 3),
    ],
)
def test_bad_input(call):
    with pytest.raises(InputError):
        call()
