"""The judge: no accusation without a certificate, whatever is returned and whatever the certified side does."""

import math
from fractions import Fraction

import pytest

from dpbounds.audit import truth
from dpbounds.audit.adapter import INTERVAL, LOWER, UPPER, Promise, estimate
from dpbounds.audit.judge import AnswerOutcome, judged
from dpbounds.audit.process import Answer
from dpbounds.audit.question import Question

PLAIN = ({"sigma": 1.0, "steps": 1},)
TRUE = 4.3771780956811664


def certified(quantity, spec, argument):
    """The certified side, in this process."""
    found = getattr(truth.Truth(), quantity)(spec, argument)
    return Answer(None if found is None else tuple(found))


def outcome(question, promise, *values, ask=certified, relation="add-or-remove"):
    value = repr(values[0]) if len(values) == 1 else tuple(map(repr, values))
    return judged(question, promise, relation, Answer(value), ask).outcome


EPSILON = Question("epsilon", PLAIN, 1e-5)
DELTA = Question("delta", PLAIN, 2.0)
RDP = Question("rdp", PLAIN, 2.0)
NOISE = Question("sigma", ({"steps": 1},), [4.0, 1e-5])

RARE, OFTEN = (Question("sigma", ({"sampling": "poisson", "q": 0.125, "steps": steps},), [1.0, 0.25]) for steps in (2, 3))
"""Without any noise δ is the probability of being sampled: 0.234375 and 0.330078125."""


@pytest.mark.parametrize(
    ("question", "promise", "value", "expected"),
    [
        (EPSILON, UPPER, TRUE * (1 + 1e-9), AnswerOutcome.SOUND),
        (EPSILON, UPPER, TRUE * (1 - 1e-7), AnswerOutcome.UNSOUND),
        (EPSILON, UPPER, TRUE * (1 - 1e-11), AnswerOutcome.ROUNDING),
        (EPSILON, UPPER, TRUE * 1.3, AnswerOutcome.LOOSE),
        (EPSILON, UPPER, math.inf, AnswerOutcome.LOOSE),
        (EPSILON, UPPER, -1.0, AnswerOutcome.UNSOUND),
        (EPSILON, UPPER, math.nan, AnswerOutcome.NO_ANSWER),
        (EPSILON, UPPER, -math.inf, AnswerOutcome.NO_ANSWER),
        (EPSILON, LOWER, TRUE * (1 - 1e-9), AnswerOutcome.SOUND),
        (EPSILON, LOWER, TRUE * (1 + 1e-7), AnswerOutcome.UNSOUND),
        (EPSILON, LOWER, TRUE * (1 + 1e-11), AnswerOutcome.ROUNDING),
        (EPSILON, LOWER, 0.0, AnswerOutcome.SOUND),
        (EPSILON, estimate(0.01), TRUE - 0.009, AnswerOutcome.SOUND),
        (EPSILON, estimate(0.01), TRUE - 0.011, AnswerOutcome.UNSOUND),
        (EPSILON, estimate(0.01), TRUE + 0.011, AnswerOutcome.UNSOUND),
        (EPSILON, estimate(relative=0.01), TRUE * 0.995, AnswerOutcome.SOUND),
        (EPSILON, estimate(), 0.0, AnswerOutcome.LISTED),
        (DELTA, UPPER, 0.0209246, AnswerOutcome.SOUND),
        (DELTA, UPPER, 0.0209226, AnswerOutcome.UNSOUND),
        (DELTA, UPPER, 0.5, AnswerOutcome.LOOSE),
        (DELTA, LOWER, 0.0209226, AnswerOutcome.SOUND),
        (DELTA, LOWER, 0.0209246, AnswerOutcome.UNSOUND),
        (RDP, UPPER, 1.0, AnswerOutcome.SOUND),
        (RDP, UPPER, 0.999, AnswerOutcome.UNSOUND),
        (RDP, UPPER, 1.0 - 1e-12, AnswerOutcome.ROUNDING),
        (RDP, UPPER, -0.5, AnswerOutcome.UNSOUND),
        (NOISE, UPPER, 1.09, AnswerOutcome.SOUND),
        (NOISE, UPPER, 1.07, AnswerOutcome.UNSOUND),
        (NOISE, UPPER, 5.0, AnswerOutcome.LOOSE),
        (NOISE, UPPER, 0.0, AnswerOutcome.UNSOUND),
        (NOISE, UPPER, -1.0, AnswerOutcome.UNSOUND),
        (RARE, UPPER, 0.0, AnswerOutcome.SOUND),
        (OFTEN, UPPER, 0.0, AnswerOutcome.UNSOUND),
        (EPSILON, estimate(relative=0.01), math.inf, AnswerOutcome.LOOSE),
        (NOISE, Promise("upper", 0.3), 1.05, AnswerOutcome.SOUND),
    ],
)
def test_outcome(question, promise, value, expected):
    assert outcome(question, promise, value) is expected


def test_intervals_are_judged_at_both_ends():
    assert outcome(EPSILON, INTERVAL, 4.3, 4.4) is AnswerOutcome.SOUND
    assert outcome(EPSILON, INTERVAL, 4.3, 4.37) is AnswerOutcome.UNSOUND
    assert outcome(EPSILON, INTERVAL, 4.38, 4.4) is AnswerOutcome.UNSOUND
    assert outcome(EPSILON, INTERVAL, 4.3) is AnswerOutcome.NO_ANSWER
    assert outcome(EPSILON, UPPER, 4.3, 4.4) is AnswerOutcome.NO_ANSWER


VALUES = (-1.0, 0.0, 1e-9, 0.02, 1.0, 4.0, 4.4, 100.0)
QUESTIONS = (EPSILON, DELTA, RDP, NOISE)
ODD = {
    "declines": Answer(None, "exception", "PrecisionError: no digit was reached"),
    "is late": Answer(None, "time", "no answer"),
    "dies": Answer(None, "exit", "the process ended"),
    "does not support it": Answer(None),
    "is not a number": Answer(("nan", "nan")),
    "is infinite": Answer(("0", "inf")),
    "is upside down": Answer(("0.9", "0.1")),
    "is negative": Answer(("-1", "-0.5")),
}


@pytest.mark.parametrize("what", ODD)
@pytest.mark.parametrize("promise", [UPPER, LOWER, estimate(0.1)])
def test_no_accusation_when_the_truth(what, promise):
    """When the certified side declines or contradicts itself, nothing is UNSOUND but noise that is no noise."""
    for question in QUESTIONS:
        for value in VALUES:
            if question is NOISE and (value <= 0 or promise is not UPPER):
                continue
            found = outcome(question, promise, value, ask=lambda *_: ODD[what])
            assert found in (AnswerOutcome.UNDECIDED, AnswerOutcome.SOUND) and (found is AnswerOutcome.UNDECIDED or promise is not UPPER)


@pytest.mark.parametrize("promise", [UPPER, LOWER])
def test_no_accusation_inside_a_wide_truth(promise):
    """A truth known to [0, 1] only decides nothing."""
    for question in (EPSILON, DELTA, NOISE):
        for value in (1e-9, 0.02, 0.5, 0.99):
            if question is NOISE and promise is LOWER:
                continue
            found = outcome(question, promise, value, ask=lambda *_: Answer(("0", "1")))
            assert found in (AnswerOutcome.UNDECIDED, AnswerOutcome.SOUND, AnswerOutcome.LOOSE)


def test_the_float_is_what_is_certified():
    """A σ of 0.1 is 0.1000000000000000055…, not 1/10: an answer between the two truths is judged by the float."""
    question = Question("rdp", ({"sigma": 0.1},), 2.0)
    exact = 1 / (0.1 * 0.1)
    assert outcome(question, UPPER, exact) in (AnswerOutcome.SOUND, AnswerOutcome.ROUNDING)


def test_less_than_any_float_may_come_out_as_zero():
    """δ(5) at σ = 20 is 8e−2177; at σ = 1 it is 1.4e−8, and 0 is no bound of that."""
    tiny = Question("delta", ({"sigma": 20.0, "steps": 1},), 5.0)
    assert outcome(tiny, UPPER, 0.0) is AnswerOutcome.ROUNDING
    assert outcome(Question("delta", PLAIN, 5.0), UPPER, 0.0) is AnswerOutcome.UNSOUND


def test_a_certified_number_of_a_billion_zeros_is_judged_at_once():
    """What calibrations for a large ε reach; the exact fraction would need gigabytes."""

    def tiny(*_):
        return Answer(("1.23e-1000000000", "1.24e-1000000000"))

    assert outcome(DELTA, UPPER, 0.0, ask=tiny) is AnswerOutcome.ROUNDING
    assert outcome(DELTA, UPPER, 1e-300, ask=tiny) is AnswerOutcome.LOOSE
    assert outcome(DELTA, LOWER, 1e-300, ask=tiny) is AnswerOutcome.UNSOUND
    assert outcome(EPSILON, UPPER, 4.0, ask=tiny) in (AnswerOutcome.SOUND, AnswerOutcome.LOOSE)
    assert outcome(NOISE, UPPER, 5.0, ask=tiny) in (AnswerOutcome.SOUND, AnswerOutcome.LOOSE)


def test_fixed_batches_are_accused_by_attained_data_sets_only(monkeypatch):
    monkeypatch.setattr(truth, "DIGITS", 6)
    spec = ({"sigma": 1.0, "sampling": "without-replacement", "population": 1000, "batch-size": 10, "steps": 1000},)
    question = Question("epsilon", spec, 1e-5)
    assert outcome(question, UPPER, 13.3607, relation="add-or-remove") is AnswerOutcome.UNSOUND
    assert outcome(question, UPPER, 13.3609, relation="add-or-remove") is AnswerOutcome.SOUND
    twice = {"sigma": 1.0, "sampling": "without-replacement", "population": 10, "batch-size": 1, "steps": 2}
    low, high = truth.Truth().delta([twice | {"relation": "substitute", "digits": 3}], "7.7483")
    assert Fraction(low) < Fraction(1e-5) < Fraction(high)
    between = Question("epsilon", (twice,), 1e-5)
    assert outcome(between, UPPER, 7.7483, relation="substitute", ask=lambda *asked: Answer((low, high))) is AnswerOutcome.UNDECIDED
