"""The line of the claims at work, on a terminal only."""

import io
import time

from dpbounds.claims import run
from dpbounds.claims.outcome import Outcome
from dpbounds.claims.verdict import Verdict
from dpbounds.claims.workers import AtWork
from dpbounds.cli.shared import claim_progress as progress
from dpbounds.cli.shared.claim_progress import claim_progress, line_of

HEAD = "from dpbounds import *\nfrom dpbounds.language.symbols import *\nfrom sympy import *\nx = real('x')\n"
HARD = "a = Claim(id='a', text='', given=[x >= -1, x <= 1], then=exp(x - pi/10) >= 1 + x - pi/10, by=Boxes(budget=300))\n"


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_a_terminal_shows_seconds_and_boxes(monkeypatch):
    at_work, stream = AtWork(2), Terminal()
    slot = at_work.begin("my-claim")
    at_work.counts[slot] = 4096
    monkeypatch.setattr(progress, "_QUIET", 0.1)
    with claim_progress(at_work, stream) as on_row:
        on_row(3, 8, Outcome("other", Verdict.CERTIFIED, "boxes", "", seconds=1.5))
        time.sleep(0.6)
    assert "3/8  other  CERTIFIED  1.5 s" in stream.getvalue()
    assert "3/8 settled; my-claim" in stream.getvalue() and "4,096 boxes" in stream.getvalue()


def test_elsewhere_each_verdict_of_a_longer_run_is_a_line(monkeypatch):
    monkeypatch.setattr(progress, "_QUIET", 0.1)
    stream = io.StringIO()
    with claim_progress(AtWork(1), stream) as on_row:
        on_row(1, 1, Outcome("alone", Verdict.REFUTED, "counterexample", ""))
        on_row(1, 2, Outcome("first", Verdict.UNDECIDED, "boxes", "", seconds=2))
        assert stream.getvalue() == ""
        time.sleep(0.5)
        assert stream.getvalue() == "1/2  first  UNDECIDED  2.0 s\n"
        on_row(2, 2, Outcome("second", Verdict.PROVED, "derivation", ""))
    assert stream.getvalue() == "1/2  first  UNDECIDED  2.0 s\n2/2  second  PROVED  0.0 s\n"


def test_the_verdicts_of_a_short_run_are_in_its_table_only():
    stream = io.StringIO()
    with claim_progress(AtWork(1), stream) as on_row:
        on_row(1, 2, Outcome("first", Verdict.UNDECIDED, "boxes", "", seconds=2))
    assert stream.getvalue() == ""


def test_slots_are_reused():
    at_work = AtWork(1)
    first = at_work.begin("a")
    at_work.counts[first] = 7
    second = at_work.begin("b")
    assert first != second and [name for name, _, _ in at_work.lines()] == ["a", "b"]
    at_work.end("a")
    assert at_work.begin("c") == first and {name: boxes for name, _, boxes in at_work.lines()} == {"b": 0, "c": 0}


def test_a_run_counts_its_boxes_here_and_in_workers(tmp_path):
    file = tmp_path / "claims.py"
    file.write_text(HEAD + HARD + HARD.replace("a = ", "b = ").replace("'a'", "'b'") + HARD.replace("a = ", "c = ").replace("'a'", "'c'"))
    for workers in (1, 2):
        at_work = AtWork(workers)
        run.check([file], run.Options(workers=workers, certificates=tmp_path / "c"), at_work=at_work)
        assert max(at_work.counts) == 288 and at_work.lines() == []


def test_many_claims_are_counted():
    assert line_of("", [(name, 1.0, 0) for name in "abcde"]) == "a 1 s; b 1 s; c 1 s; 2 more"
