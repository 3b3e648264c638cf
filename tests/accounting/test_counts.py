"""Laws of few outcomes any number of times: against convolutions, mpmath and float64, each term needed."""

import itertools
import math
from dataclasses import replace
from fractions import Fraction

import mpmath as mp
import pytest
from flint import arb

from dpbounds import float64
from dpbounds.accounting import delta, epsilon
from dpbounds.accounting.few_uses import counts
from dpbounds.accounting.few_uses.counts import OF_TWO, TiltedOutcome, binomial_delta, delta_by_counts, sum_over_counts
from dpbounds.laws.convolve import convolved_delta, groups_of
from dpbounds.laws.normal_form import elements_of
from dpbounds.mechanisms import Direction, FiniteTable, PoissonSampling, RandomizedResponse, Repeated, Sampled
from dpbounds.mechanisms.pairs import dominating_pairs
from dpbounds.noise.epsilon_delta import EpsilonDelta
from dpbounds.numbers.balls import precision
from dpbounds.numbers.binomial import upper_tail
from dpbounds.numbers.inputs import exact_ball

THIRD = Fraction(1, 3)
LAWS = [
    (Repeated(Sampled(RandomizedResponse("0.5", 3), PoissonSampling("0.4")), 90), "0.3"),
    (Repeated(Sampled(EpsilonDelta("0.4", "0.01"), PoissonSampling("0.2")), 60), "0.2"),
    (Repeated(FiniteTable((THIRD, Fraction(1, 2), Fraction(1, 6)), (THIRD * 2, Fraction(1, 5), Fraction(2, 15))), 50), "7.5"),
    (Repeated(FiniteTable(*((Fraction(i, 20) for i in row) for row in ((3, 4, 6, 7), (7, 2, 5, 6)))), 20), "1"),
]


def elements_in(mechanism, direction):
    return elements_of(dominating_pairs(mechanism, direction=Direction(direction))[0])


@pytest.mark.parametrize("mechanism, at", LAWS)
@pytest.mark.parametrize("direction", ["remove", "add"])
def test_against_the_sum_over_every_count(mechanism, at, direction):
    elements = elements_in(mechanism, direction)
    found = delta_by_counts(elements, Fraction(at), 12)
    with precision(200):
        value = elements.certain_loss() + convolved_delta(groups_of(elements.listed()), arb(at))
    assert found is not None and found.meets(12) and found.ball().overlaps(value)


def test_ten_million_uses_in_mpmath():
    """Two outcomes: the incomplete beta function, and the sums of mpmath's own tails."""
    mechanism, steps = Repeated(RandomizedResponse("0.001"), 10**7), 10**7
    found = delta(mechanism, "10", digits=12)
    assert found.method == OF_TWO
    mp.mp.dps = 40
    p = mp.e ** mp.mpf("0.001") / (1 + mp.e ** mp.mpf("0.001"))
    least = math.floor((10 / mp.mpf("0.001") + steps) / 2) + 1

    def log_mass(n, chance):
        ways = mp.loggamma(steps + 1) - mp.loggamma(n + 1) - mp.loggamma(steps - n + 1)
        return ways + n * mp.log(chance) + (steps - n) * mp.log(1 - chance)

    def tail(chance):
        total, term = mp.mpf(0), mp.e ** log_mass(least, chance)
        for n in range(least, least + 15_000):
            total, term = total + term, term * (steps - n) / (n + 1) * chance / (1 - chance)
        return total

    truth = tail(p) - mp.e**10 * tail(1 - p)
    assert abs(mp.mpf(found.enclosure.upper_float) / truth - 1) < 1e-11


@pytest.mark.parametrize("count, least", [(10**6, 500_700), (10**6, 499_000), (2 * 10**11, 10**11 + 10**6)])
def test_long_tails_against_the_sum_of_their_terms(count, least, monkeypatch):
    with precision(100):
        found, before = upper_tail(count, least, arb(1) / 2, arb(1) / 2)
        assert found.rel_accuracy_bits() > 50 and before > 0
        if count < 10**7:
            monkeypatch.setattr("dpbounds.numbers.binomial._EACH_BIT", 10**6)
            assert found.overlaps(upper_tail(count, least, arb(1) / 2, arb(1) / 2)[0])
        else:  # the normal law, with the error of Berry and Esseen
            z = (least - 0.5 - count / 2) / math.sqrt(count / 4)
            assert abs(float(found.mid()) - 0.5 * math.erfc(z / math.sqrt(2))) < 1e-5


@pytest.mark.parametrize("mechanism, at", LAWS[:2])
def test_what_is_left_out_is_counted(mechanism, at):
    """Few counts alone are far below δ; with the weight of the others both ends hold."""
    elements = elements_in(mechanism, "remove")
    truth = delta(mechanism, at, digits=10, direction="remove").enclosure.ball() - elements.certain_loss()
    with precision(120):
        (use,) = elements.listed()
        c, e = arb(1), arb(at)
        rows = [TiltedOutcome((p / q).log(), p, q, p * (c * (p / q).log()).exp()) for p, q in zip(use.law.p, use.law.q, strict=True)]
        total, left = sum_over_counts(rows, use.law.steps, e, 4.0)
        assert total < truth < total + left * (-c * e).exp() / 4  # κ(1) = 1/4
        whole, nothing = sum_over_counts(rows, use.law.steps, e, 80.0)
        assert whole.overlaps(truth) and nothing < left * 1e-9


def test_a_loss_at_epsilon_itself_has_its_positive_part():
    """ε is the loss of one count: balls leave it open, and the ends hold all the same."""
    mechanism = Repeated(FiniteTable((Fraction(3, 4), Fraction(1, 4)), (Fraction(1, 4), Fraction(3, 4))), 7)
    found = delta(mechanism, "log(27)", digits=12, direction="remove")
    truth = sum(math.comb(7, n) * max(Fraction(3**n, 4**7) - 27 * Fraction(3 ** (7 - n), 4**7), 0) for n in range(8))
    assert found.enclosure.contains(truth)


@pytest.mark.parametrize("steps", [10**9, 2 * 10**11])
def test_three_outcomes_many_times(steps):
    """They were refused: as many terms as the square of the uses."""
    mechanism = Repeated(Sampled(EpsilonDelta("0.379", "1e-10"), PoissonSampling("1e-6")), steps)
    certified = epsilon(mechanism, "1e-3", digits=8, direction="remove")
    plain = float64.epsilon_bounds(mechanism, "1e-3", direction=Direction.REMOVE)
    assert counts.METHOD in certified.method
    assert plain.lower <= certified.enclosure.upper_float and certified.enclosure.lower_float <= plain.upper


def test_an_outcome_whose_weight_is_no_float():
    """Its loss is far below two that are close together, and c is in the hundreds: it never shows where the loss is above ε."""
    first, second, steps = Fraction(499, 1000) / Fraction("1.5001"), Fraction(1, 3), 4000
    mechanism = Repeated(FiniteTable((Fraction(499, 1000), Fraction(1, 2), Fraction(1, 1000)), (first, second, 1 - first - second)), steps)
    found = delta(mechanism, "1622.02", digits=8, direction="remove")
    mp.mp.dps = 700
    scale, truth = mp.e ** mp.mpf("1622.02"), mp.mpf(0)
    for n in range(2300, 2800):
        p = mp.mpf("0.499") ** n * mp.mpf("0.5") ** (steps - n)
        truth += math.comb(steps, n) * max(p - scale * p / mp.mpf("1.5001") ** n / mp.mpf("1.5") ** (steps - n), 0)
    assert found.method == counts.METHOD and found.enclosure.contains(Fraction(mp.nstr(truth, 80)))


def test_too_many_counts_are_refused():
    elements = elements_in(Repeated(Sampled(RandomizedResponse("0.1", 3), PoissonSampling("0.3")), 10**9), "remove")
    assert delta_by_counts(elements, Fraction(1), 8) is None


@pytest.mark.parametrize("third", [0, 1])
def test_an_open_count_is_neither_left_out_nor_taken_for_sure(third):
    """ε is a ball around the loss of one count, whichever: δ at both of its ends is enclosed."""
    steps, masses = 3, [(Fraction(2, 3) - Fraction(third, 10), Fraction(1, 5)), (Fraction(1, 3), Fraction(4, 5) - Fraction(third, 10))]
    masses += [(Fraction(1, 10), Fraction(1, 10))] * third
    rows = [
        TiltedOutcome((arb(p.numerator) / p.denominator / q.numerator * q.denominator).log(), *(exact_ball(v) for v in (p, q, p)))
        for p, q in masses
    ]
    for counted in itertools.product(range(len(masses)), repeat=steps):
        level = sum((rows[i].loss for i in counted), arb(0))
        for at in (level - 0.05, level + 0.05):
            scale, truth = at.exp(), arb(0)
            for outcome in itertools.product(masses, repeat=steps):
                p, q = (exact_ball(math.prod(column)) for column in zip(*outcome, strict=True))
                truth += (p - scale * q).nonnegative_part()
            total, left = sum_over_counts(rows, steps, level.union(level - 0.05).union(level + 0.05), 50.0)
            assert total.overlaps(truth) and abs(left) < 1e-9
            close = sum_over_counts(rows, steps, level.union(at), 50.0)[0]
            assert close.overlaps(truth) and total.is_finite() and close.is_finite()
            rough = [replace(row, loss=row.loss.union(row.loss + 0.02)) for row in rows]
            assert (found := sum_over_counts(rough, steps, at, 50.0)[0]).overlaps(truth) and found.is_finite()


@pytest.mark.parametrize("at", ["0", "0.2", "1", "1.7"])
def test_two_outcomes_and_an_event(at):
    """The mass of infinite loss is a term of its own, also where no count is above ε."""
    mp.mp.dps, steps = 40, 4
    failure, scale = mp.mpf(1) / 100, mp.e ** mp.mpf(at)
    likely = (1 - failure) / (1 + mp.e ** mp.mpf("-0.4"))
    rare = 1 - failure - likely
    truth = 1 - (1 - failure) ** steps
    for n in range(steps + 1):
        truth += math.comb(steps, n) * max(likely**n * rare ** (steps - n) - scale * rare**n * likely ** (steps - n), 0)
    found = binomial_delta(elements_in(Repeated(EpsilonDelta("0.4", "0.01"), steps), "remove"), Fraction(at), 12)
    assert found is not None and found.meets(12) and abs(mp.mpf(found.upper_float) / truth - 1) < 1e-11


@pytest.mark.parametrize("least", [380, 520])
def test_what_a_tail_leaves_out_is_counted(least, monkeypatch):
    """Terms end early here, at 2^-3 of their sum."""
    with precision(100):
        truth, _ = upper_tail(1000, least, arb(1) / 2, arb(1) / 2)
        monkeypatch.setattr("dpbounds.numbers.binomial.working_bits", lambda: 3)
        found, _ = upper_tail(1000, least, arb(1) / 2, arb(1) / 2)
        assert found.contains(truth) and found.rel_accuracy_bits() < 60
