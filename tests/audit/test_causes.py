"""Hints and words for sizes, on accountants of one line."""

import pytest

from dpbounds.audit.causes import HINTS, hints_for
from dpbounds.audit.judge import AnswerOutcome, Judged
from dpbounds.audit.question import Question
from dpbounds.audit.severity import severity_in, severity_of, unused_delta

TWO = ({"sigma": 2.0, "sampling": "poisson", "q": 0.0123, "steps": 3}, {"laplace-scale": 5.0, "steps": 2})
ONE = ({"sigma": 2.0, "steps": 3},)


def value(question, *, steps=True, rate=lambda q: q, noise=True, argument=True, take=slice(None), order=False, squared=False):
    total = 0.0
    for place, part in enumerate(question.spec[take]):
        scale = part.get("sigma", part.get("laplace-scale")) if noise else 1.0
        uses = part["steps"] if steps else 1
        total += (place + 1 if order else 1) * rate(part.get("q", 1.0)) * (uses**2 if squared else uses) / scale
    return total / (question.argument if argument else 1.0)


@pytest.mark.parametrize(
    ("faults", "spec", "hint"),
    [
        ({"steps": False}, TWO, "the answer does not grow with the number of uses"),
        ({"rate": lambda q: 1.0}, TWO, "the answer does not grow with the sampling rate"),
        ({"rate": lambda q: int(q * 1000) / 1000}, TWO, "the answer is that of the sampling rate cut to whole thousandths"),
        ({"noise": False}, TWO, "the answer does not depend on the noise"),
        ({"argument": False}, TWO, "the answer does not depend on its delta, epsilon or order"),
        ({"take": slice(0, 1)}, TWO, "the answer is that of the first part alone"),
        ({"take": slice(-1, None)}, TWO, "the answer is that of the last part alone"),
        ({"order": True}, TWO, "the answer depends on the order of the parts"),
        ({"squared": True}, ONE, "uses one by one have another answer"),
    ],
)
def test_each_hint_has_its_fault(faults, spec, hint):
    question = Question("epsilon", spec, 1e-5)
    assert hint in hints_for(question, value(question, **faults), lambda other: value(other, **faults))
    assert hint in {one.words for one in HINTS}


def test_an_accountant_without_these_faults_has_no_hint():
    for spec in (ONE, TWO):
        question = Question("epsilon", spec, 1e-5)
        assert hints_for(question, value(question), value) == ()
        assert hints_for(question, value(question), lambda other: None) == ()
    assert hints_for(Question("epsilon", ONE, 1e-5), 0.0, value) == ("the answer is 0",)


def test_sizes_have_different_words():
    words = [severity_of(excess) for excess in (0.0, 3e-9, 1e-4, 0.5, 20.0, 2e6)]
    assert len(set(words)) == len(words)
    assert severity_in("the noise does not reach the target: δ is at least 2.1e+6 times it") == severity_of(2.1e6 - 1)
    assert severity_in("lower bound above the truth") == ""


def test_a_delta_that_nobody_uses_is_said_to_be_one():
    unused = unused_delta("delta", "3.5e-47", "2.8e-31 ≤ delta(0.497) ≤ 2.9e-31")
    assert unused and not unused_delta("epsilon", "3.5e-47", "2.8e-31 ≤ delta(0.497) ≤ 2.9e-31")
    assert not unused_delta("delta", "1.2e-13", "1e-16 ≤ delta(4) ≤ 2e-16") and not unused_delta("delta", "0.0", "0.1 ≤ delta(4) ≤ 0.2")
    row = Judged(Question("delta", ({"sigma": 1.0},), 8.0), "1e-15", AnswerOutcome.UNSOUND, "2e-8691 ≤ delta(8) ≤ 3e-8691", excess=1e12)
    assert row.severity.startswith(severity_of(1e12)) and unused in row.severity


def test_epochs_are_uses_too():
    question = Question("delta", ({"sigma": 1.0, "sampling": "random-allocation", "bins": 2, "epochs": 3},), 1.0)
    assert HINTS[0].words in hints_for(question, 0.5, lambda other: 0.5)
    assert HINTS[0].words not in hints_for(question, 0.5, lambda other: 0.1 * other.spec[0]["epochs"])
