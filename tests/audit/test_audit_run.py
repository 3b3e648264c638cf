"""Whole audits of fake accountants, in a process of their own where that is what they are about."""

import json
import re
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from dpbounds.audit import documents, pages, run
from dpbounds.audit.adapter import description_of
from dpbounds.audit.judge import AnswerOutcome
from dpbounds.audit.process import Worker
from dpbounds.audit.run import Settings, adapters_of, audit_of
from dpbounds.audit.worker import load
from dpbounds.cli import main

FAKES = str(Path(__file__).parent / "fakes.py")


APART = ("hang", "crash", "forks", "raise", "hungry", "missing", "restless")
"""These need a process of their own."""


@pytest.fixture(scope="module")
def described():
    return {adapter.name.removeprefix("fake.").replace("-", ""): adapter for adapter in adapters_of(FAKES)}


@pytest.fixture
def audited(described, certified, request):
    def audit(kind, **options):
        if kind.lower() not in APART:
            request.getfixturevalue("inside")
        settings = {"budget": 1.5, "seconds": 2.0, "related": False, "quantities": ("epsilon",), "questions": 30, "findings": 1} | options
        return audit_of(FAKES, described[kind.lower()], Settings(**settings), certified=certified)

    return audit


@pytest.mark.parametrize("kind", ["Sound", "Lower", "Estimate", "Rounded", "Loose"])
def test_sound_accountants_are_not_accused(audited, kind):
    found = audited(kind, quantities=(), grid=("practice", "calibrate"), questions=60)
    assert found.selftest == "" and not found.findings
    assert (
        found.count(AnswerOutcome.UNSOUND) == 0
        and found.count(AnswerOutcome.SOUND) + found.count(AnswerOutcome.LOOSE) + found.count(AnswerOutcome.ROUNDING) >= 5
    )
    assert (kind == "Rounded") == (found.count(AnswerOutcome.ROUNDING) > 0)


@pytest.mark.parametrize(("kind", "quantity"), [
    ("Sign", "epsilon"), ("Factor", "delta"), ("LostCount", "rdp"), ("SmallDelta", "epsilon"), ("LowerTooHigh", "epsilon"),
    ("Interval", "epsilon"), ("Swapped", "epsilon"), ("Substitute", "epsilon"), ("Argument", "delta"),
])  # fmt: skip
def test_every_kind_of_wrongness_is_found(audited, kind, quantity):
    found = audited(kind, quantities=(quantity,), budget=3.0, questions=60)
    assert found.count(AnswerOutcome.UNSOUND, quantity) >= 1 and found.findings
    finding = found.findings[0]
    assert finding.row.certified and finding.reproduction.count("\n") < 4 and finding.reproduced


def test_the_counterexample_is_small(audited):
    """The planted fault needs three uses; nothing else of the question matters."""
    found = audited("LostCount", quantities=("rdp",), budget=3.0, questions=60)
    sizes = [finding.row.question.steps for finding in found.findings]
    assert min(sizes) <= 5 and all(len(finding.row.question.spec) == 1 for finding in found.findings)


@pytest.mark.parametrize(
    ("kind", "reason"),
    [("Hang", "time"), ("Crash", "exit"), ("Forks", "time"), ("Raise", "exception"), ("Hungry", "memory"), ("Nan", "nan"), ("Missing", "")],
)
def test_what_gives_no_answer_is_no_accusation(audited, kind, reason):
    seconds = 0.1 if kind in ("Hang", "Forks") else 3.0
    found = audited(kind, budget=0.6, seconds=seconds)
    assert found.count(AnswerOutcome.UNSOUND) == 0
    if kind == "Missing":
        assert "a_package_that_nobody_has" in found.selftest and not found.rows
        return
    kinds = {row.detail.split(":")[0] for row in found.rows if row.outcome is AnswerOutcome.NO_ANSWER}
    assert kinds == {reason}


def test_what_cannot_be_seen_again_is_no_reproduced_finding(audited):
    found = audited("Restless")
    assert found.count(AnswerOutcome.UNSOUND) > 0 and found.findings
    assert not any(finding.reproduced for finding in found.findings)


def test_a_worker_ends_with_the_audit():
    """A killed audit leaves no process behind that asks for ever; only Linux has the call that sees to it."""
    if sys.platform != "linux":
        return
    lines = f"from dpbounds.audit.process import Worker\nworker = Worker({FAKES + ':Hang'!r}, seconds=60)\n"
    lines += "worker.about('fake.hang'); print(worker._process.pid, flush=True)\n"
    lines += "worker.ask('fake.hang', 'epsilon', [{'sigma': 1.0, 'steps': 2}], 1e-5)"
    parent = subprocess.Popen([sys.executable, "-c", lines], stdout=subprocess.PIPE, text=True)
    stat = Path("/proc", parent.stdout.readline().strip(), "stat")
    assert _runs(stat)
    parent.kill()
    parent.communicate()
    for _ in range(100):
        if not _runs(stat):
            return
        time.sleep(0.05)
    pytest.fail("the worker is still there")


def _runs(stat):
    try:
        return stat.read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.parametrize("kind", ["NoSelftest", "FailedSelftest"])
def test_no_verdicts_without_a_selftest(audited, kind):
    found = audited(kind, quantities=("delta",))
    assert "selftest" in found.selftest and not found.rows and not found.findings


def test_estimates_without_a_stated_error_are_listed(audited):
    found = audited("Unstated", budget=1.0, questions=10)
    assert found.count(AnswerOutcome.LISTED) == len(found.rows) > 0


def test_the_smallest_answered_delta_is_looked_for(audited):
    """It refuses δ below 3e−9 and is wrong only below 1e−8, where the ordinary grids ask for nothing."""
    found = audited("Edge", related=True, questions=60, budget=3.0)
    assert found.findings and all(finding.row.question.argument < 1e-8 for finding in found.findings)


def test_related_answers_show_what_values_do_not(audited):
    found = audited("Unstable", quantities=("rdp",), related=True, budget=5.0, questions=60)
    assert found.count(AnswerOutcome.UNSOUND) == 0 and "more noise" in {breach.relation for breach in found.breaches}
    assert not audited("Sound", quantities=("rdp", "epsilon"), related=True, questions=60).breaches


def test_the_same_seed_asks_the_same(audited):
    first, second = (audited("Sound", quantities=("rdp",), budget=1.5, questions=40) for _ in range(2))
    common = min(len(first.rows), len(second.rows))
    assert common > 5 and [r.question for r in first.rows[:common]] == [r.question for r in second.rows[:common]]


def test_another_interpreter_needs_no_dpbounds(tmp_path):
    """The worker gets a folder with a few modules and nothing else of the package."""
    file = tmp_path / "other.py"
    file.write_text(
        "from dpbounds.audit import INTERVAL, LOWER, UPPER, Adapter, Selftest, estimate\n"
        "class Other(Adapter):\n"
        "    name = 'other'\n"
        "    guarantee = {'epsilon': UPPER}\n"
        "    def epsilon(self, spec, delta):\n"
        "        import dpbounds, os\n"
        "        return len(os.listdir(os.path.dirname(dpbounds.__file__)))\n"
    )
    worker = Worker(f"{file}:Other", sys.executable)
    try:
        answer = worker.ask("other", "epsilon", [], 1.0)
    finally:
        worker.close()
    assert answer.kind == "" and int(float(answer.value)) <= 4


@pytest.mark.parametrize(
    ("line", "part"),
    [
        ("guarantee = {'eps': UPPER}", "guarantee must be for epsilon, delta, rdp, sigma, got 'eps'"),
        ("guarantee = {'epsilon': 'upper'}", "must be UPPER, LOWER, INTERVAL or estimate(...), got 'upper'"),
        ("guarantee = {}", "it promises nothing"),
        ("relation = 'replace-one'", "relation must be one of add-or-remove, add, remove, substitute, got 'replace-one'"),
        ("selftest = [([], 1e-5, 4.0, 'README')]", "Selftest(quantity, spec, argument, value, within, place)"),
    ],
)
def test_a_misstated_adapter_is_bad_input(line, part, tmp_path):
    """It is named before any question: an unknown relation would leave every answer undecided."""
    file = tmp_path / "mine.py"
    file.write_text(f"from dpbounds.audit import UPPER, Adapter\nclass Mine(Adapter):\n    guarantee = {{'delta': UPPER}}\n    {line}\n")
    (kind,) = load(f"{file}:Mine")
    with pytest.raises(ValueError, match=re.escape(part)):
        description_of(kind)


def test_nothing_supported_is_no_verdict(audited):
    found = audited("Sound", quantities=("sigma",), grid=("practice",))
    assert not found.rows and "supported" in found.no_verdict and documents.is_blemished([found])
    assert "no verdict" in pages.text_of([found]) and "no verdict" in documents.badge_of([found])
    assert 'errors="1"' in documents.junit_of([found])


def test_infinite_answers_are_counted_apart(audited):
    found = audited("Loose", questions=10)
    row = replace(found.rows[0], outcome=AnswerOutcome.LOOSE, detail="infinite")
    found.rows = [row, row, replace(row, detail="2")]
    assert "LOOSE 3 (median at least 2, worst 2 times the truth; 2 infinite)" in pages.summary_of(found, "epsilon")
    found.rows = [row]
    assert "LOOSE 1 (1 infinite)" in pages.summary_of(found, "epsilon")


def test_outputs(audited, tmp_path):
    found = [audited("Factor", quantities=("delta",), budget=2.5), audited("NoSelftest")]
    document = json.loads(json.dumps(documents.document_of(found)))
    first = document["accountants"][0]
    assert first["counts"]["delta"]["UNSOUND"] >= 1 and first["findings"][0]["certified"] and first["grid"]
    assert "UNSOUND" in pages.text_of(found) and "no verdict" in pages.text_of(found)
    page = pages.page_of(found)
    assert page.startswith("<!doctype html>") and "http" not in page.replace("http://www.w3.org", "")
    assert 'failures="0"' not in documents.junit_of(found[:1]) and "<failure" in documents.junit_of(found)
    assert "no verdict" in documents.badge_of(found) and "unsound of" in documents.badge_of(found[:1])
    known = documents.known_keys(json.dumps(document))
    assert documents.new_findings(found, known) == 0 and documents.new_findings(found, set()) >= 1
    assert documents.is_blemished(found)


def test_command_line(capsys, tmp_path, inside, certified, monkeypatch):
    monkeypatch.setattr(certified, "close", lambda: None)
    monkeypatch.setattr(run, "truth_worker", lambda settings: certified)
    words = ["audit", f"{FAKES}:Factor", "--quantity", "delta", "--questions", "8"]
    assert (
        main([*words, "--json", "--html", str(tmp_path / "a.html"), "--badge", str(tmp_path / "a.svg"), "--junit", str(tmp_path / "a.xml")])
        == 1
    )
    text = capsys.readouterr().out
    assert all((tmp_path / name).stat().st_size > 100 for name in ("a.html", "a.svg", "a.xml"))
    baseline = tmp_path / "known.json"
    baseline.write_text(text)
    assert main([*words, "--baseline", str(baseline)]) == 0
    assert main([*words, "--seed", "2", "--baseline", str(baseline)]) == 1
    assert main(["audit", f"{FAKES}:NoSelftest", "--questions", "5"]) == 3
    assert main(["audit", "--list"]) == 0
    assert "dp_accounting.pld" in capsys.readouterr().out
