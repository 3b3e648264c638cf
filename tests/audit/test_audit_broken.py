"""Accountants that are wrong in ways of which nobody told the audit."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from dpbounds.audit.judge import AnswerOutcome
from dpbounds.audit.run import Settings, adapters_of, audit_of

TARGET = str(Path(__file__).parent / "broken_adapters.py")
QUICK = Settings(budget=4.0, seconds=0.5, truth_seconds=0.3, questions=60, findings=1)
MORE = replace(QUICK, questions=150)
SHORT = replace(QUICK, budget=1.2, seconds=0.1, questions=50)


APART = ("CachedWithoutDelta", "Sleeps", "InC", "NeverEnds")
"""These need a process of their own: they remember or never end."""


@pytest.fixture(scope="module")
def described():
    return {adapter.name.removeprefix("broken."): adapter for adapter in adapters_of(TARGET)}


@pytest.fixture
def audited(described, certified, request):
    def audit(kind, settings=QUICK):
        if kind not in APART:
            request.getfixturevalue("inside")
        return audit_of(TARGET, described[kind], settings, certified=certified)

    return audit


WRONG = """OneStepLess RoundsDown Float32 AddOnly Interpolates CachedWithoutDelta RateClamped Underflows WrapsAround NotMonotone
    WrongConversion VarianceForDeviation Merged OnlyFirst Capped Coarse TooLittle OneUse InnerCountLost LargestOnly
    EqualPartsOnce FlooredOrders"""


@pytest.mark.parametrize("kind", [*WRONG.split(), pytest.param("Central", marks=pytest.mark.slow)])
def test_is_found_and_reproduced(audited, kind):
    found = audited(kind, MORE if kind in ("Merged", "OnlyFirst") else QUICK)
    assert not found.selftest
    (finding,) = found.findings
    lines = finding.reproduction.splitlines()
    assert 1 <= len(lines) <= 4 and finding.reproduced
    assert finding.reproduction.count("print") == (2 if kind == "CachedWithoutDelta" else 1), "an earlier call is shown where it matters"
    if kind == "RoundsDown":
        shown = subprocess.run([sys.executable, "-I", "-c", finding.reproduction], capture_output=True, text=True, check=True).stdout
        assert float(shown.split()[-1]) == float(finding.row.answer)


@pytest.mark.parametrize("kind", ["Closed", "FewOrders", "RateIgnored", pytest.param("Renyi", marks=pytest.mark.slow)])
def test_sound_ones_are_not_accused(audited, kind):
    found = audited(kind)
    assert (
        not found.selftest
        and found.count(AnswerOutcome.UNSOUND) == 0
        and found.count(AnswerOutcome.SOUND) + found.count(AnswerOutcome.LOOSE) >= 15
    )
    assert found.count(AnswerOutcome.LOOSE) > 0 or kind not in ("FewOrders", "RateIgnored")


@pytest.mark.parametrize(("kind", "reason"), [
    ("Unlike", "exception: IndexError"), ("ManySteps", "exception: OverflowError"), ("NotANumber", "nan"), ("Sleeps", "time"),
    ("InC", "time"), ("NeverEnds", "time"), ("Odd", "exception"),
])  # fmt: skip
def test_no_answer_is_shown_and_no_accusation(audited, kind, reason):
    found = audited(kind, SHORT)
    assert found.count(AnswerOutcome.UNSOUND) == 0 and found.count(AnswerOutcome.NO_ANSWER) > 0
    assert any(silence.row.detail.startswith(reason) and silence.reproduction for silence in found.silences)
    assert found.count(AnswerOutcome.SOUND) + found.count(AnswerOutcome.LOOSE) > 0 or kind == "Odd"
