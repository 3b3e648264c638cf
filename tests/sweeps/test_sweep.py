"""Sweeps: rows in, rows out, whatever happens in between."""

import csv
import json
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction

import pytest

import dpbounds
from dpbounds import accounting
from dpbounds.cli import main
from dpbounds.errors import InputError
from dpbounds.mechanisms.specs import part_to_mechanism
from dpbounds.sweeps import tables
from dpbounds.sweeps.question import read_row
from dpbounds.sweeps.run import sweep

GAUSSIAN = {"sigma": "1.5", "q": "0.01", "steps": 1000, "delta": "1e-6"}


def widths(found):
    return [float(answer["upper"]) - float(answer["lower"]) for answer in found.answers]


def test_both_routes_hold_the_same_value():
    rows = [GAUSSIAN | {"steps": steps, "direction": direction} for steps in (100, 3000) for direction in ("remove", "add", "worst")]
    fast, exact = sweep(rows, method="auto", digits=6), sweep(rows, method="certified", digits=12)
    for row, left, right in zip(rows, fast.answers, exact.answers, strict=True):
        truth = accounting.epsilon(part_to_mechanism({k: row[k] for k in ("sigma", "q", "steps")}), "1e-6", direction=row["direction"])
        for answer in (left, right):
            assert Fraction(answer["lower"]) <= truth.enclosure.upper
            assert truth.enclosure.lower <= Fraction(answer["upper"])
    assert {answer["route"] for answer in fast.answers} == {"float64"}


def test_delta_of_a_row():
    row = {"sigma": "1.5", "q": "0.01", "steps": 10_000, "epsilon": "1"}
    fast, exact = sweep([row], digits=6), sweep([row], method="certified", digits=20)
    truth = Fraction(exact.answers[0]["lower"])
    assert Fraction(fast.answers[0]["lower"]) <= truth <= Fraction(fast.answers[0]["upper"])
    assert exact.answers[0]["lower"].startswith("0.0496014103148257756")


def test_digits_asked_for_are_there():
    for digits in (3, 6, 8, 15):
        (answer,) = sweep([GAUSSIAN], digits=digits).answers
        lower, upper = Fraction(answer["lower"]), Fraction(answer["upper"])
        assert upper - lower <= Fraction(10) ** (1 - digits) * upper
    (answer,) = sweep([GAUSSIAN | {"digits": 30}]).answers
    assert answer["route"] == "certified"
    assert Fraction(answer["upper"]) - Fraction(answer["lower"]) <= Fraction(1, 10**28)


def test_a_row_that_fails_has_its_reason():
    rows = [
        GAUSSIAN,
        {"sigma": "x", "q": "0.1", "delta": "1e-5"},
        {"sigma": "1"},
        {"sigma": "1", "delta": "1e-5", "epsilon": "1"},
        {"noise_multiplier": "1", "delta": "1e-5"},
        {"sigma": "1", "delta": "2"},
        {"sigma": "1", "delta": "1e-5", "direction": "up"},
        {"sigma": "1", "q": "2", "steps": 5, "delta": "1e-5"},
    ]
    for method in ("auto", "certified", "float64"):
        found = sweep(rows, method=method)
        assert found.failed == len(rows) - 1
        assert not found.answers[0]["error"]
        assert all(answer["error"] and not answer["lower"] for answer in found.answers[1:])
        assert "it is called sigma" in found.answers[4]["error"]


def test_float64_says_where_it_is_wide(monkeypatch):
    from dpbounds.sweeps import answer

    (found,) = sweep([{"laplace-scale": "3", "steps": 50, "delta": "1e-6"}], method="float64").answers
    assert found["route"] == "float64"
    monkeypatch.setattr(answer, "WIDE", 0.0)
    (found,) = sweep([{"laplace-scale": "3", "steps": 50, "delta": "1e-6"}], method="float64").answers
    assert found["note"].startswith("wide")


def test_other_noises_and_orders():
    rows = [
        {"laplace-scale": "2", "steps": 3, "delta": "1e-5"},
        {"sigma": "2", "q": "0.1", "alpha": "8"},
        {"spec": [{"sigma": "2"}, {"laplace-scale": "3"}], "epsilon": "1"},
        {"spec": '[{"sigma": "2"}, {"laplace-scale": "3"}]', "epsilon": "1"},
        {"sigma": "1.12", "records": 60_000, "batch": 240, "epochs": 60, "delta": "1e-5"},
    ]
    found = sweep(rows, digits=8)
    assert found.failed == 0
    assert found.answers[2]["lower"] == found.answers[3]["lower"]
    assert [answer["quantity"] for answer in found.answers] == ["epsilon", "rdp", "delta", "delta", "epsilon"]


def test_a_training_run_is_a_rate_and_steps():
    part = read_row({"sigma": "1", "records": "1000", "batch": "300", "epochs": "2", "delta": "1e-5"}).part
    assert (part["q"], part["steps"]) == (Fraction(3, 10), 7)  # as on the command line: all steps are rounded up at the end
    fixed = read_row({"sigma": "1", "records": "1000", "batch": "300", "epochs": "2", "sampling": "without-replacement", "delta": "1e-5"})
    assert fixed.part["records"] == "1000" and fixed.mechanism().mechanism.sampling.batch == 300
    with pytest.raises(InputError, match="batch needs records"):
        read_row({"sigma": "1", "batch": "300", "epochs": "2", "delta": "1e-5"})


@pytest.mark.parametrize("rounding, steps", [(None, 7), ("floor", 6), ("ceil-epoch", 8)])
def test_a_training_run_is_read_as_the_command_line_reads_it(rounding, steps):
    run = {"sigma": "1", "records": "1000", "batch": "300", "epochs": "2", "rounding": rounding}
    question = read_row({**run, "delta": "1e-5"})
    assert (question.part["q"], question.part["steps"]) == (Fraction(3, 10), steps)
    assert question.mechanism() == part_to_mechanism(run)
    assert question.sampled_gaussian == (0.3, 1.0, steps)


def test_an_incomplete_training_run_is_refused():
    for run in ({"batch": "300"}, {"records": "1000", "batch": "300", "epochs": "2", "steps": "5"}):
        with pytest.raises(InputError, match="records|steps"):
            read_row({"sigma": "1", "delta": "1e-5", **run})


def test_an_executor_and_workers_change_nothing():
    rows = [GAUSSIAN | {"steps": steps} for steps in (10, 20, 30)]
    alone = sweep(rows, method="certified")
    with ThreadPoolExecutor(1) as executor:
        assert sweep(rows, method="certified", executor=executor) == alone


def test_frames():
    class Polars:
        def to_dicts(self):
            return [GAUSSIAN]

    class Pandas:
        columns = list(GAUSSIAN)

        def to_dict(self, orient):
            assert orient == "records"
            return [GAUSSIAN | {"epsilon": float("nan")}]

    assert sweep(Polars()).answers == sweep(Pandas()).answers == sweep([GAUSSIAN]).answers
    assert list(sweep([GAUSSIAN]).columns())[:4] == ["sigma", "q", "steps", "delta"]
    with pytest.raises(InputError, match="rows are a list"):
        sweep(7)
    assert dpbounds.sweep is sweep


@pytest.mark.parametrize("suffix", ["csv", "jsonl"])
def test_the_command_line(tmp_path, capsys, suffix):
    table, out = tmp_path / f"rows.{suffix}", tmp_path / "out.csv"
    table.write_text(tables.table_text([GAUSSIAN, {"sigma": "x", "delta": "1e-5"}], table))
    assert main(["sweep", str(table), "-o", str(out), "--json"]) == 3
    assert json.loads(capsys.readouterr().out) == {
        "rows": 2,
        "float64": 1,
        "certified": 0,
        "wide": 0,
        "without-bounds": 1,
        "output": str(out),
    }
    rows = list(csv.DictReader(out.open()))
    assert rows[0]["sigma"] == "1.5"
    assert float(rows[0]["lower"]) <= float(rows[0]["upper"])
    assert "InputError" in rows[1]["error"]
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([table.name, out.name])


@pytest.mark.parametrize(
    "words",
    [
        ["{t}"],
        ["{t}", "-o", "out.txt"],
        ["missing.csv", "-o", "out.csv"],
        ["{t}", "-o", "{d}/none/out.csv"],
        ["{t}", "-o", "{d}/out.csv", "--digits", "0"],
        ["{t}", "-o", "{d}/out.csv", "--method", "quick"],
        ["{t}", "-o", "{d}/out.csv", "--executor", "tcp://127.0.0.1:1"],
    ],
)
def test_bad_usage(tmp_path, capsys, monkeypatch, words):
    monkeypatch.setitem(sys.modules, "distributed", None)
    table = tmp_path / "rows.csv"
    table.write_text("sigma,delta\n1,1e-5\n")
    assert main(["sweep", *(word.format(t=table, d=tmp_path) for word in words)]) == 2
    error = capsys.readouterr().err
    assert error.startswith("dpbounds:")
    assert error.count("\n") == 1


def test_bad_tables(tmp_path):
    for text, reason in (("a,a\n1,2\n", "two columns"), ("a\n1,2\n", "more cells")):
        (tmp_path / "t.csv").write_text(text)
        with pytest.raises(InputError, match=reason):
            tables.read_table(tmp_path / "t.csv")
    (tmp_path / "t.jsonl").write_text('{"a": 1}\n[2]\n')
    with pytest.raises(InputError, match="line 2"):
        tables.read_table(tmp_path / "t.jsonl")


def test_a_journal_is_read_again(tmp_path, monkeypatch):
    journal, rows = tmp_path / "journal", [GAUSSIAN | {"steps": steps} for steps in (10, 20, 30)]
    first = sweep(rows[:2], method="certified", journal=journal)
    raw = journal.read_bytes()
    journal.write_bytes(raw[:-7])  # the last line was cut off
    asked = []
    run = sys.modules["dpbounds.sweeps.run"]
    whole = run.certified_row
    monkeypatch.setattr(run, "certified_row", lambda row, digits, near: asked.append(row["steps"]) or whole(row, digits, near))
    second = sweep(rows, method="certified", journal=journal)
    assert asked == [20, 30]
    assert [(row["lower"], row["upper"]) for row in second.answers[:2]] == [(row["lower"], row["upper"]) for row in first.answers]
    asked.clear()
    assert sweep(rows, method="certified", journal=journal) == second
    assert not asked
    sweep(rows[:1], method="certified", digits=9, journal=journal)  # another question
    assert asked == [10]
    (tmp_path / "notes.txt").write_text("not a journal\n")
    with pytest.raises(InputError, match="no journal"):
        sweep(rows, journal=tmp_path / "notes.txt")
    assert (tmp_path / "notes.txt").read_text() == "not a journal\n"


def test_a_sweep_that_is_killed_goes_on(tmp_path):
    table, out = tmp_path / "rows.csv", tmp_path / "out.csv"
    table.write_text(tables.table_text([GAUSSIAN | {"steps": steps} for steps in range(10, 130)], table))
    words = [sys.executable, "-m", "dpbounds", "sweep", str(table), "-o", str(out), "--method", "certified"]
    process = subprocess.Popen(words, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    journal = tmp_path / "out.csv.journal"
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and not (journal.exists() and journal.read_bytes().count(b"\n") >= 3):
        time.sleep(0.02)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    kept = journal.read_bytes().count(b"\n")
    assert kept >= 3
    assert not out.exists()
    assert main(["sweep", str(table), "-o", str(out), "--method", "certified"]) == 0
    rows = list(csv.DictReader(out.open()))
    assert [int(row["steps"]) for row in rows] == list(range(10, 130))
    assert all(row["lower"] and not row["error"] for row in rows)
    assert not journal.exists()
