"""Twice twelve accountants that are right but in one place: eleven are found in the default budget, and no sound one is accused."""

from pathlib import Path

import pytest

from dpbounds.audit.judge import AnswerOutcome
from dpbounds.audit.run import Settings, adapters_of, audit_of, truth_worker

FIRST, MORE = (str(Path(__file__).parent / name) for name in ("twelve.py", "twelve_more.py"))


def audited(target: str):
    """The audits of the accountants, one after the other."""
    settings = Settings()
    certified = truth_worker(settings)
    try:
        for adapter in adapters_of(target):
            yield audit_of(target, adapter, settings, certified=certified)
    finally:
        certified.close()


@pytest.mark.slow
@pytest.mark.parametrize(("target", "sound"), [(FIRST, ("Sound",)), (MORE, ("moments", "losses"))], ids=["first", "more"])
def test_eleven_of_twelve_are_found_and_no_sound_one_is_accused(target, sound):
    found = {audit.name: audit for audit in audited(target)}
    assert not any(audit.selftest for audit in found.values())
    for control in map(found.pop, sound):
        assert control.count(AnswerOutcome.UNSOUND) == 0 and control.count(AnswerOutcome.SOUND) >= 50
    assert len(found) == 12
    wrong = {name: audit for name, audit in found.items() if audit.count(AnswerOutcome.UNSOUND)}
    assert len(wrong) >= 11
    for audit in wrong.values():
        assert any(finding.reproduced for finding in audit.findings)
        assert all(finding.worst is not None and finding.worst.excess >= 0 for finding in audit.findings)
