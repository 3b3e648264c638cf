"""Seventeen accountants that are right but in one place: at most two are missed in the default budget, and the sound one is not accused."""

from pathlib import Path

import pytest

from dpbounds.audit.judge import AnswerOutcome
from dpbounds.audit.run import Settings, adapters_of, audit_of, truth_worker

TARGET = str(Path(__file__).parent / "seventeen.py")


@pytest.mark.slow
def test_at_most_two_are_missed_and_the_sound_one_is_not_accused():
    settings = Settings()
    certified = truth_worker(settings)
    try:
        found = {adapter.name: audit_of(TARGET, adapter, settings, certified=certified) for adapter in adapters_of(TARGET)}
    finally:
        certified.close()
    assert not any(audit.selftest for audit in found.values())
    control = found.pop("Sound")
    assert control.count(AnswerOutcome.UNSOUND) == 0 and control.count(AnswerOutcome.SOUND) >= 50
    wrong = {name: audit for name, audit in found.items() if audit.count(AnswerOutcome.UNSOUND)}
    assert len(found) == 17 and len(wrong) >= 15
    for audit in wrong.values():
        assert any(finding.reproduced for finding in audit.findings)
        assert all(finding.worst is not None and finding.worst.excess >= 0 for finding in audit.findings)
