"""What was found is there whatever ends the audit: a journal of JSON lines, also after kill -9 and SIGINT."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from dpbounds.cli import main

TARGET = str(Path(__file__).parent / "fakes.py") + ":Factor"


@pytest.mark.parametrize("name", [signal.SIGKILL, signal.SIGINT] if sys.platform != "win32" else [])
def test_the_journal_outlives_the_audit(tmp_path, name):
    journal = tmp_path / "found.jsonl"
    words = [sys.executable, "-m", "dpbounds", "audit", TARGET, "--budget", "60", "--journal", str(journal)]
    run = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    for _ in range(600):
        if journal.exists() and journal.read_text(encoding="utf-8").endswith("\n"):
            break
        time.sleep(0.05)
    run.send_signal(name)
    out, said = run.communicate()
    lines = [json.loads(line) for line in journal.read_text(encoding="utf-8").splitlines()]
    assert lines and all("below the truth" in line["side"] for line in lines)
    if name == signal.SIGINT:
        assert "UNSOUND" in out and "interrupted" in said


def test_a_journal_that_cannot_be_written(tmp_path, capsys):
    assert main(["audit", TARGET, "--journal", str(tmp_path / "no" / "found.jsonl")]) == 2
    assert "--journal cannot be written" in capsys.readouterr().err
