"""Finite tables beside continuous noise, and binomial sums whose two losses nearly agree: both once came out wrong."""

import math
from fractions import Fraction

import mpmath
import pytest
from flint import arb

from dpbounds.accounting import delta, epsilon
from dpbounds.accounting.few_uses.counts import tails_of_two
from dpbounds.errors import PrecisionError
from dpbounds.laws.ball_numbers import BALLS
from dpbounds.laws.convolve import Outcomes, positive_sum
from dpbounds.laws.finite_sums import FiniteLaw, count_states
from dpbounds.mechanisms import Composed, FiniteTable, Gaussian, Laplace, PoissonSampling, RandomizedResponse, Repeated, Sampled
from dpbounds.numbers.balls import precision
from tests.truths import gaussian_delta

HIDDEN = Fraction(1, 4 * 10**6)
TABLE = FiniteTable((Fraction(1, 2), Fraction(1, 2), 0), (Fraction(3, 5) - HIDDEN, Fraction(2, 5), HIDDEN))


def mixed_delta(p, q, at):
    """δ of a table beside four Gaussians of σ = 1 (μ = 2): the mean over the table of δ of the Gaussian at ε − loss, in mpmath."""
    total = mpmath.mpf(0)
    for a, b in zip(p, q, strict=True):
        a, b = mpmath.mpf(a.numerator) / a.denominator, mpmath.mpf(b.numerator) / b.denominator
        if a:
            total += a * gaussian_delta(2, at - mpmath.log(a / b)) if b else a
    return total


@pytest.mark.parametrize("direction", ["remove", "add"])
@pytest.mark.parametrize("at", ["0", "0.5", "2"])
def test_a_rare_outcome_that_one_side_never_shows(direction, at):
    """Mass below 1e-6 is missed by a test of the total with a tolerance."""
    found = delta(Composed((TABLE, Repeated(Gaussian(1), 4))), at, digits=20, direction=direction)
    p, q = (TABLE.p, TABLE.q) if direction == "remove" else (TABLE.q, TABLE.p)
    with mpmath.workdps(40):
        truth = mixed_delta(p, q, mpmath.mpf(at))
        assert mpmath.mpf(found.lower) <= truth <= mpmath.mpf(found.upper)


def test_no_epsilon_reaches_below_the_certain_loss():
    mechanism = Composed((TABLE, Repeated(Gaussian(1), 4)))
    found = epsilon(mechanism, "1e-6", digits=10, direction="add")
    back = delta(mechanism, found.upper, digits=12, direction="add")
    assert Fraction(back.lower) <= Fraction(1, 10**6)
    assert epsilon(mechanism, "1e-7", direction="add").lower == "inf"


@pytest.mark.parametrize("digits", [1, 5, 15])
def test_a_loss_below_every_working_bit_is_known(digits):
    """A ratio of 1e-30 is below the last bit at a few digits: its logarithm is a ball all the same, and δ(1) is not 0."""
    rare = Fraction(7, 4 * 10**30 + 7)
    mpmath.mp.dps = 50
    with precision(60):
        assert abs(BALLS.log(rare) - math.log(rare)) < 1e-9
    truth = 1 - rare - Fraction(mpmath.nstr(mpmath.e, 40)) * (1 - Fraction(6, 11)) / 16
    mechanism = Composed(
        (
            FiniteTable((rare, 1 - rare), (Fraction(6, 11), Fraction(5, 11))),
            Repeated(FiniteTable((Fraction(1), Fraction(0)), (Fraction(1, 4), Fraction(3, 4))), 2),
        )
    )
    found = delta(mechanism, 1, digits=digits, direction="remove").enclosure
    assert found.contains(truth) and found.meets(digits)


def test_a_loss_that_is_no_ball_leaves_nothing_out():
    """Masses that are known decide alone; where they are not, nothing is known."""
    nan, known = arb.nan(), Outcomes([arb(0)], [arb(1)], [arb(1)])
    rows = [arb(3) / 4, arb(1) / 4], [arb(1) / 4, arb(3) / 4]
    for losses in ([nan, nan], [arb(3).log(), nan], [nan, -arb(3).log()]):
        assert positive_sum([known], Outcomes(losses, *rows), arb(0)).overlaps(arb("0.5"))
        assert positive_sum([Outcomes(losses, *rows)], known, arb(0)).overlaps(arb("0.5"))
    assert positive_sum([known], Outcomes([nan], [arb(1)], [nan]), arb(0)).is_nan()


def test_losses_closer_than_floats_are_told_apart():
    """The order of the two outcomes decides which counts are summed; at rate 1e-17 both ratios are 1.0 as floats."""
    mechanism = Repeated(Sampled(RandomizedResponse(1), PoissonSampling("1e-17")), 1000)
    # at ε = 0 δ is the total variation distance, which is symmetric
    remove, add = (delta(mechanism, 0, digits=12, direction=way) for way in ("remove", "add"))
    assert Fraction(remove.lower) <= Fraction(add.upper)
    assert Fraction(add.lower) <= Fraction(remove.upper)


def test_losses_that_cannot_be_told_apart_leave_out_nothing():
    with precision(53):
        third = arb(1) / 3
        low, high = third + arb(0, 1e-14), 1 - third + arb(0, 1e-14)
        found = tails_of_two(FiniteLaw([low, high], [third, 1 - third], arb(0), 5000), arb(0))
        assert found >= 0 or found.contains(0)
        exact = FiniteLaw([third + arb(1e-15), 1 - third - arb(1e-15)], [third, 1 - third], arb(0), 5000)
        with precision(300):
            assert found.contains(tails_of_two(exact, arb(0)))


def test_the_certain_loss_of_many_steps_is_known_at_once():
    table = FiniteTable((1 - HIDDEN, HIDDEN), (1, 0))
    assert epsilon(Repeated(table, 10**7), "0.5", direction="remove").lower == "inf"
    assert epsilon(table, HIDDEN + Fraction(1, 10**15), direction="remove").lower == "0"


def test_disjoint_tables_lose_everything():
    assert delta(Composed((FiniteTable((0, 1), (1, 0)), Repeated(Laplace("0.7"), 3))), 2).upper == "1"
    assert delta(Composed((FiniteTable((0, 1), (1, 0)), Gaussian(1))), 2).upper == "1"
    assert epsilon(FiniteTable((0, 1), (1, 0)), "0.5").lower == "inf"


def test_only_the_infinite_loss_is_left_beyond_the_largest_finite_one():
    """P(outcome) = 2/5 where Q has none; the finite losses end at log(3/5) + 1/2 < 1."""
    table = FiniteTable((Fraction(3, 5), Fraction(2, 5)), (1, 0))
    found = delta(Composed((table, Laplace(2))), 1, direction="remove")
    assert Fraction(found.lower) <= Fraction(2, 5) <= Fraction(found.upper)
    with pytest.raises(PrecisionError, match="change delta"):
        epsilon(Composed((Repeated(table, 2000), Laplace(2))), 1 - Fraction(3, 5) ** 2000, direction="remove")
    assert epsilon(Composed((table, Laplace(2))), "0.4", direction="remove").upper == "0"


def test_counts_of_many_outcomes():
    """Two thousand outcomes once, and three of them four times: as many rows as there are counts, and the multinomial masses of all."""
    many = count_states([FiniteLaw([arb(1) / 2000] * 2000, [arb(1) / 2000] * 2000, arb(0), 1)])
    assert len(many) == 2000 and all(p.contains(q) and abs(p - arb(1) / 2000) < 1e-15 for p, q in many)
    halves = [arb(1) / 2, arb(1) / 4, arb(1) / 4]
    found = sorted(float(p) for p, _ in count_states([FiniteLaw(halves, halves, arb(0), 4)]))
    counts = [(i, j, 4 - i - j) for i in range(5) for j in range(5 - i)]
    ways = [math.factorial(4) / math.prod(map(math.factorial, row)) for row in counts]
    assert found == sorted(each * 2 ** -row[0] * 4 ** -(row[1] + row[2]) for each, row in zip(ways, counts, strict=True))
