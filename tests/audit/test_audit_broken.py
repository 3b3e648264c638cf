"""Accountants that are wrong in ways of which nobody told the audit, each in a process of its own."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from dpbounds.audit.judge import Outcome
from dpbounds.audit.run import Settings, adapters_of, audit_of, truth_worker

TARGET = str(Path(__file__).parent / "broken_adapters.py")
QUICK = Settings(budget=4.0, seconds=0.5, truth_seconds=0.3, questions=60, findings=1)
MORE = replace(QUICK, questions=150)
SHORT = replace(QUICK, budget=2.0, seconds=0.2, questions=25)


@pytest.fixture(scope="module")
def audited():
    described = {adapter.name.removeprefix("broken."): adapter for adapter in adapters_of(TARGET)}
    certified = truth_worker(QUICK)
    yield lambda kind, settings=QUICK: audit_of(TARGET, described[kind], settings, certified=certified)
    certified.close()


WRONG = """OneStepLess RoundsDown Float32 AddOnly Interpolates CachedWithoutDelta RateClamped Underflows WrapsAround NotMonotone
    WrongConversion VarianceForDeviation Merged OnlyFirst Capped Coarse TooLittle OneUse InnerCountLost"""


@pytest.mark.parametrize("kind", [*WRONG.split(), pytest.param("Central", marks=pytest.mark.slow)])
def test_is_found_and_reproduced(audited, kind):
    found = audited(kind, MORE if kind in ("Merged", "OnlyFirst") else QUICK)
    assert not found.selftest
    (finding,) = found.findings
    lines = finding.reproduction.splitlines()
    assert 1 <= len(lines) <= 4 and finding.reproduced
    if kind == "RoundsDown":
        shown = subprocess.run([sys.executable, "-I", "-c", finding.reproduction], capture_output=True, text=True, check=True).stdout
        assert float(shown.split()[-1]) == float(finding.row.answer)


def test_what_depends_on_an_earlier_call_is_shown_with_it(audited):
    (finding,) = audited("CachedWithoutDelta").findings
    assert finding.reproduction.count("print") == 2 and finding.reproduced


@pytest.mark.parametrize("kind", ["Closed", "FewOrders", "RateIgnored", pytest.param("Renyi", marks=pytest.mark.slow)])
def test_sound_ones_are_not_accused(audited, kind):
    found = audited(kind)
    assert not found.selftest and found.count(Outcome.UNSOUND) == 0 and found.count(Outcome.SOUND) + found.count(Outcome.LOOSE) >= 20
    assert found.count(Outcome.LOOSE) > 0 or kind not in ("FewOrders", "RateIgnored")


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        ("Unlike", "exception: IndexError"),
        ("ManySteps", "exception: OverflowError"),
        ("NotANumber", "nan"),
        ("Sleeps", "time"),
        ("InC", "time"),
        ("NeverEnds", "time"),
        ("Odd", "exception"),
    ],
)
def test_no_answer_is_shown_and_no_accusation(audited, kind, reason):
    found = audited(kind, replace(SHORT, budget=5.0, seconds=0.1) if kind == "NeverEnds" else SHORT)
    assert found.count(Outcome.UNSOUND) == 0 and found.count(Outcome.NO_ANSWER) > 0
    assert any(silence.row.detail.startswith(reason) and silence.reproduction for silence in found.silences)
    assert found.count(Outcome.SOUND) + found.count(Outcome.LOOSE) > 0 or kind == "Odd"
