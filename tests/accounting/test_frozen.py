"""A sample of the frozen results; the whole is `python -m benchmarks.frozen compare`."""

from dataclasses import replace

import pytest

from benchmarks.frozen import Answer, answer, difference, stored

ROWS = stored()
QUICK = [row for row in ROWS if row[1].seconds < 0.3]
SAMPLE = QUICK[::11]


@pytest.mark.parametrize(("question", "before"), SAMPLE, ids=[f"{question.family}-{question.at}" for question, _ in SAMPLE])
def test_a_sample_is_as_it_was(question, before):
    now = replace(answer(question), seconds=before.seconds)  # times are compared by the command, on a quiet machine
    assert difference(question, before, now) is None


def test_the_file_holds_what_it_should():
    families = [question.family for question, _ in ROWS]
    assert len(ROWS) >= 300
    assert families.count("few steps") >= 100
    assert families.count("tiny delta") >= 30
    assert families.count("substitute") >= 20
    assert families.count("products") >= 20
    assert {question.family for question, before in ROWS if before.refused == "InputError"} == {"refused"}


BEFORE = Answer("0.1234567890120", "0.1234567890129", "a", "", 1.0)
QUESTION = replace(next(question for question, _ in ROWS), digits=12)


@pytest.mark.parametrize(
    ("now", "said"),
    [
        (replace(BEFORE, lower="0.1234567890130", upper="0.1234567890131"), "before"),
        (replace(BEFORE, lower="0.1234567880120"), "digits asked for"),
        (Answer(refused="PrecisionError"), "refused"),
        (Answer(refused="InputError"), "refused"),
        (replace(BEFORE, seconds=3.1), "3.10 s now"),
    ],
)
def test_what_is_worse_is_said(now, said):
    assert said in difference(QUESTION, BEFORE, now)


def test_what_is_as_good_is_not_said():
    assert difference(QUESTION, BEFORE, replace(BEFORE, seconds=2.9, method="b", upper="0.1234567890128")) is None
    assert difference(QUESTION, Answer(refused="PrecisionError"), BEFORE) is None
    assert difference(QUESTION, Answer(refused="InputError"), BEFORE) is not None
