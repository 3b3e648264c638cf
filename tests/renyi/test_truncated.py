"""Rényi divergences of truncated Poisson batches and of several participations: upper bounds, against quadrature in mpmath."""

import math
from fractions import Fraction

import mpmath
import pytest

from dpbounds.cli import main
from dpbounds.mechanisms import Gaussian, PoissonSampling, RandomAllocation, Repeated, Sampled, TruncatedPoissonSampling
from dpbounds.numbers.balls import ball
from dpbounds.renyi import renyi_divergence, solve, truncated

SIGMA, Q, RECORDS, LIMIT = Fraction(3, 2), Fraction(1, 5), 12, 4
STEP = Sampled(Gaussian(SIGMA), TruncatedPoissonSampling(Q, RECORDS, LIMIT))


def full():
    """P(Bin(n−1, q) ≥ b), term by term."""
    others = RECORDS - 1
    return sum(Fraction(math.comb(others, j)) * Q**j * (1 - Q) ** (others - j) for j in range(LIMIT, others + 1))


def moment(rate, sigma, alpha, direction):
    """∫ p^α q^{1−α} of rate·N(1, σ²) + (1−rate)·N(0, σ²) and N(0, σ²), in the direction asked for."""

    def integrand(x):
        with_it = rate * mpmath.npdf(x, 1, sigma) + (1 - rate) * mpmath.npdf(x, 0, sigma)
        without = mpmath.npdf(x, 0, sigma)
        upper, lower = (with_it, without) if direction == "remove" else (without, with_it)
        return upper**alpha * lower ** (1 - alpha)

    reach = 12 * sigma + alpha
    return mpmath.quad(integrand, [-reach, -1, 0, 1, 2, alpha, reach + alpha])


def fraction(value):
    return mpmath.mpf(value.numerator) / value.denominator


@pytest.mark.parametrize("direction", ["remove", "add"])
@pytest.mark.parametrize("alpha", ["1.25", "7/2", "8"])
def test_both_kinds_of_batches_count(alpha, direction):
    """The laws of (full or not, output) integrated as they stand; either part alone is another number."""
    with mpmath.workdps(20):
        order, weight = fraction(Fraction(alpha)), fraction(full())
        plain = moment(fraction(Q), fraction(SIGMA), order, direction)
        pushed = moment(fraction(Q * Fraction(LIMIT, LIMIT + 1)), fraction(SIGMA / 2), order, direction)
        truth = mpmath.log((1 - weight) * plain + weight * pushed) / (order - 1)
        found = renyi_divergence(STEP, alpha, direction=direction, digits=12)
        slack = mpmath.mpf("1e-15")
        assert mpmath.mpf(found.lower) - slack <= truth <= mpmath.mpf(found.upper) + slack
        for wrong in (mpmath.log(plain), mpmath.log(pushed), mpmath.log((1 - weight) * plain + weight)):
            assert not mpmath.mpf(found.lower) <= wrong / (order - 1) <= mpmath.mpf(found.upper)
    assert "upper bound" in found.notes[0]


def test_steps_add_and_a_limit_that_is_never_met_changes_nothing():
    once, thrice = (renyi_divergence(mechanism, 3).enclosure for mechanism in (STEP, Repeated(STEP, 3)))
    assert 3 * once.lower <= thrice.upper and thrice.lower <= 3 * once.upper
    roomy = renyi_divergence(Sampled(Gaussian(SIGMA), TruncatedPoissonSampling(Q, RECORDS, RECORDS)), 3)
    assert roomy.enclosure.overlaps(renyi_divergence(Sampled(Gaussian(SIGMA), PoissonSampling(Q)), 3).enclosure)
    assert not roomy.notes


def test_forty_digits():
    assert renyi_divergence(STEP, "5/2", digits=40).enclosure.digits() >= 40


def test_order_one_is_the_limit():
    pair = truncated.TruncatedPair(Q, SIGMA, RECORDS - 1, LIMIT)
    limit = truncated.divergence(pair, Fraction(0), 60)
    above = truncated.divergence(pair, Fraction(1, 10**9), 60)
    assert limit < above < limit * (1 + ball(Fraction(1, 10**7)))


def test_several_participations_are_uses_of_fewer_bins():
    """k of t steps: k uses of 1 out of ⌊t/k⌋, as for δ, and it says so."""
    found = renyi_divergence(Sampled(Gaussian(2), RandomAllocation(10, 3)), "5/2", digits=10)
    parts = renyi_divergence(Repeated(Sampled(Gaussian(2), RandomAllocation(3)), 3), "5/2", digits=10)
    assert found.enclosure.overlaps(parts.enclosure)
    assert any("upper bound" in note for note in found.notes)
    assert not any("upper bound" in note for note in parts.notes)


def test_the_command_says_upper_bound(capsys):
    words = ["rdp", "--sigma", "1.5", "--sampling", "truncated-poisson", "--q", "0.2", "--population", "12", "--batch-limit", "4"]
    assert main([*words, "--alpha", "2"]) == 0
    assert "note: upper bound" in capsys.readouterr().out


def test_the_solver_knows_the_family():
    """Not only because a test imports it."""
    assert truncated in solve.FAMILIES
