"""Twice twelve accountants that are right but in one place: at least eleven are found in the default budget, and no sound one is accused.

python -m tests.audit.test_twelve [BUDGET] [NAME]...      prints a table of the first twelve
python -m tests.audit.test_twelve more [BUDGET] [NAME]... prints one of the others
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from dpbounds.audit.judge import AnswerOutcome
from dpbounds.audit.run import AuditInterrupted, Settings, adapters_of, audit_of, truth_worker

FIRST, MORE = (str(Path(__file__).parent / name) for name in ("twelve.py", "twelve_more.py"))


def audited(target: str, budget: float, names: tuple[str, ...] = ()):
    """The audits of the accountants, one after the other."""
    settings = Settings(budget=budget)
    certified = truth_worker(settings)
    try:
        for adapter in adapters_of(target):
            if not names or adapter.name in names:
                yield audit_of(target, adapter, settings, certified=certified)
    finally:
        certified.close()


@pytest.mark.slow
@pytest.mark.parametrize(("target", "sound"), [(FIRST, ("Sound",)), (MORE, ("moments", "losses"))], ids=["first", "more"])
def test_eleven_of_twelve_are_found_and_no_sound_one_is_accused(target, sound):
    found = {audit.name: audit for audit in audited(target, Settings().budget)}
    assert not any(audit.selftest for audit in found.values())
    for control in map(found.pop, sound):
        assert control.count(AnswerOutcome.UNSOUND) == 0 and control.count(AnswerOutcome.SOUND) >= 50
    assert len(found) == 12
    wrong = {name: audit for name, audit in found.items() if audit.count(AnswerOutcome.UNSOUND)}
    assert len(wrong) >= 11
    for audit in wrong.values():
        assert any(finding.reproduced for finding in audit.findings)
        assert all(finding.worst is not None and finding.worst.excess >= 0 for finding in audit.findings)


def until_the_first_finding(target: str, names: list[str]) -> None:
    """Print the first finding of each accountant and the number of answers before it."""

    def stop(line: str) -> None:
        if line.startswith("UNSOUND"):
            print(f"    {line}", flush=True)
            raise KeyboardInterrupt

    settings = Settings()
    certified = truth_worker(settings)
    for adapter in adapters_of(target):
        if names and adapter.name not in names:
            continue
        try:
            audit = audit_of(target, adapter, settings, stop, certified)
            print(f"{adapter.name:<22} nothing in {len(audit.rows)} answers {audit.selftest}", flush=True)
        except AuditInterrupted as found:
            seconds = found.audit.peer_seconds + found.audit.truth_seconds
            print(f"{adapter.name:<22} found after {len(found.audit.rows)} answers, {seconds:.0f} s", flush=True)
    certified.close()


def main(words: list[str]) -> int:
    """Print what was found of each, its smallest and its worst case, and the hints."""
    target = FIRST
    if words[:1] == ["more"]:
        target, words = MORE, words[1:]
    if words[:1] == ["first"]:
        until_the_first_finding(target, words[1:])
        return 0
    budget, *names = words or [str(Settings().budget)]
    for audit in audited(target, float(budget), tuple(names)):
        judged = sum(row.outcome is not AnswerOutcome.NO_ANSWER for row in audit.rows)
        print(f"{audit.name:<22} {audit.count(AnswerOutcome.UNSOUND):>4} of {judged:>4} UNSOUND {audit.selftest}", flush=True)
        for finding in audit.findings[:1]:
            print(f"    smallest: {list(finding.row.question.spec)} at {finding.row.question.argument}: {finding.row.detail}")
            if finding.worst is not None:
                print(f"    worst:    {list(finding.worst.question.spec)} at {finding.worst.question.argument}: {finding.worst.detail}")
            print(f"    hints:    {'; '.join(finding.hints)}; run again: {finding.reproduced}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
