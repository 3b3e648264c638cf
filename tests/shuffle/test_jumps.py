"""Bounds on the Gaussian blanket where one message outweighs the rest: against contour and lattice, and each term of them."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import pytest
from flint import arb

from dpbounds import Gaussian, Shuffled, accounting
from dpbounds.errors import PrecisionError
from dpbounds.numbers.balls import precision
from dpbounds.shuffle.jumps import jump_delta, least_cut, lower_bound, upper_terms
from dpbounds.shuffle.noise import gaussian

VALUES = [
    (2, "1", "0.5", "0.184451", "0.184464"),
    (10, "2", "0.2", "0.016957", "0.0169573"),
    (1000, "1", "0.5", "2.1464e-10", "2.1465e-10"),
    (10_000, "0.8", "0.5", "1.31503e-11", "1.31505e-11"),
]
"""Users, σ and ε, and both ends that the lattice or the contour gives: `dpbounds delta --randomizer gaussian --digits 1`, or 3."""


@pytest.mark.parametrize(("users", "sigma", "epsilon", "low", "high"), VALUES)
def test_both_ends_hold_the_value(users, sigma, epsilon, low, high):
    found = jump_delta(users, Fraction(sigma), float(epsilon))
    assert 0 <= found.lower < Fraction(low) < Fraction(high) < found.upper < 3 * Fraction(high)


@pytest.mark.parametrize(("sigma", "epsilon"), [("1", 0.5), ("1", 0.5000001), ("0.5", 2.0), ("2", 3.0), ("0.3", 0.1)])
def test_jumps_outweigh_every_epsilon_of_the_ball(sigma, epsilon):
    with precision(96):
        spread, loss = arb(sigma), arb(epsilon) * arb(1, 2.0**-51)
        assert gaussian(spread, loss, arb(least_cut(spread, loss))).end > loss.upper()


def test_one_message_alone():
    """E[S; a jump] for two users, by quadrature: a jump of the one, or of the other alone."""
    sigma, epsilon, cut = mpmath.mpf(1), mpmath.mpf("0.5"), mpmath.mpf(1)
    with mpmath.workdps(25):
        level, end = mpmath.exp(epsilon), (sigma * cut + mpmath.mpf("0.5")) / sigma**2

        def density(t):
            return sigma * mpmath.npdf(1 / (2 * sigma) + sigma * t)

        rare = mpmath.quad(density, [end, end + 3, end + 12])
        often = mpmath.quad(lambda t: (mpmath.exp(t) - level) * density(t), [end, end + 3, end + 12])
        truth = often + rare * ((1 - level) - often)
    with precision(80):
        assert abs(lower_bound(2, arb(1), arb("0.5"), arb(1)) - arb(mpmath.nstr(truth, 20))) < 1e-15


@pytest.mark.parametrize(
    ("term", "users", "sigma", "epsilon", "cut", "chosen", "least"),
    [
        (0, 1000, "0.5", "1", 3.0, (-1544.9, 0.00275, 0.00198), "0.00123"),  # `jump_delta` certifies more
        (1, 10_000, "0.8", "0.5", 6.2, (-6480.0, 0.00447, 0.00284), "1.31503e-11"),
        (2, 10_000, "0.8", "0.5", 6.2, (-6480.0, 0.00447, 0.00284), "1.31503e-11"),
    ],
)
def test_the_upper_bound_needs_each_term(term, users, sigma, epsilon, cut, chosen, least):
    with precision(96):
        parts = upper_terms(users, arb(sigma), gaussian(arb(sigma), arb(epsilon), arb(cut)), arb(cut), chosen)
        assert sum(parts, arb(0)) > arb(least) > sum(parts, arb(0)) - parts[term]


@pytest.mark.parametrize(
    ("users", "sigma", "epsilon"), [(3, "0.05", 1.0), (10**5, "0.05", 150.0), (3, "0.8", 30.0), (10**9, "50", 2.0), (3, "0.3", 0.0)]
)
def test_steep_laws_have_the_noise_alone_above(users, sigma, epsilon):
    found = jump_delta(users, Fraction(sigma), epsilon)
    alone = accounting.delta(Gaussian(Fraction(sigma)), epsilon, relation="add-or-remove", digits=6).enclosure
    assert 0 <= found.lower <= found.upper <= alone.upper * Fraction(101, 100)


def test_a_refusal_has_both_ends():
    with pytest.raises(PrecisionError, match=r"certified: 0.0000169 <= delta\(1.0\) <= 0.000022\d; take fewer digits"):
        accounting.delta(Shuffled(10_000, "0.5", 2, "any", "gaussian"), 1, digits=3)
