"""Whatever goes wrong inside a claim is that claim's UNDECIDED: the run goes on, and the others keep their verdicts."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from dpbounds import Claim, Mutant, Verdict, settle
from dpbounds.claims import run
from dpbounds.claims.settling import _decide
from dpbounds.claims.statement import failures
from dpbounds.errors import ClaimError
from dpbounds.language.symbols import real

ROOT = Path(__file__).parents[2]
HEAD = (
    "from dpbounds import *\nfrom dpbounds.language.symbols import *\nfrom dpbounds.language.functions import *\n"
    "from sympy import *\nx, y = real('x y')\n"
)
EASY = "easy = Claim(id='easy', text='', given=[x >= 0, x <= 1], then=x <= 1)\n"
x = real("x")
SETTLING = sys.modules[_decide.__module__]
"""The module; the package has the function under its name."""


def checked(folder, text, **options):
    file = folder / "claims.py"
    file.write_text(HEAD + text)
    rows = run.check([file], run.Options(certificates=folder / "certificates", **options))
    return {row.claim.id: row for row in rows}


@pytest.mark.parametrize(
    "claim",
    [
        "given=[y >= 0], then=NormalCDF(-y) <= exp(-y**2/2)/2",
        "given=[x > 0], then=NormalCDF(-x) <= exp(-x**2/2)/(x*sqrt(2*pi))",
        "given=[x >= 0], then=erfc(x) <= exp(-x**2)",
        "then=cosh(x) <= exp(x**2/2)",
    ],
)
def test_slopes_beyond_all_numbers_end_no_run(tmp_path, claim):
    rows = checked(tmp_path, f"a = Claim(id='far', text='', {claim}, by=Boxes(budget=4000))\n" + EASY)
    assert rows["far"].outcome.method != "error" and "cannot be written out" not in rows["far"].outcome.detail
    assert rows["easy"].outcome.verdict is Verdict.CERTIFIED


class _Lost(Exception):
    pass


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (_Lost("the seventh\nline"), "a step failed with _Lost: the seventh"),
        (RecursionError("maximum recursion depth exceeded"), "nested too deep"),
        (MemoryError(), "memory ran out"),
        (AssertionError(), "a step failed with AssertionError"),
        (ClaimError("claim bad: no good"), "no good"),
    ],
)
def test_any_exception_is_the_claims(tmp_path, monkeypatch, error, words):
    def decide(claim, *rest):
        if claim.id == "bad":
            raise error
        return _decide(claim, *rest)

    monkeypatch.setattr(SETTLING, "_decide", decide)
    rows = checked(tmp_path, "bad = Claim(id='bad', text='', given=[x >= 0], then=x >= 0)\n" + EASY)
    bad = rows["bad"].outcome
    assert bad.verdict is Verdict.UNDECIDED and words in bad.detail
    assert bad.bad_input is isinstance(error, ClaimError) and rows["bad"].exit_code == (2 if bad.bad_input else 3)
    assert rows["easy"].outcome.verdict is Verdict.CERTIFIED


def test_an_error_in_the_mutant_leaves_the_claim_its_verdict(monkeypatch):
    def decide(claim, *rest):
        if claim.id.endswith("~mutant"):
            raise _Lost("twin")
        return _decide(claim, *rest)

    monkeypatch.setattr(SETTLING, "_decide", decide)
    made = Claim(id="a", text="", given=[x >= 0, x <= 1], then=x <= 1, mutant=Mutant(2 * x <= 1))
    found = settle(made, contained=True)
    assert found.verdict is Verdict.CERTIFIED
    assert found.mutant.verdict is Verdict.UNDECIDED and "twin" in found.mutant.detail
    with pytest.raises(_Lost):
        settle(made)


@pytest.mark.parametrize("workers", [1, 2])
def test_what_is_outside_of_the_language_is_bad_input_of_its_claim_alone(tmp_path, workers):
    text = (
        "a = Claim(id='a', text='', given=[x >= 0, x <= 1], then=zeta(x + 2) <= 2)\n"
        "b = Claim(id='b', text='', given=[x >= 0, x <= 1], then=Eq(sin(x)**2 + cos(x)**2, 1, evaluate=False))\n"
        "c = Claim(id='c', text='', given=[x >= 2, x <= 1], then=x <= 3)\n" + EASY
    )
    rows = checked(tmp_path, text, workers=workers)
    assert [rows[name].exit_code for name in ("a", "b", "c", "easy")] == [2, 2, 2, 0]
    assert "zeta is not part of the claim language" in rows["a"].outcome.detail and "empty" in rows["c"].outcome.detail
    assert run.exit_code_of(rows.values()) == 2
    assert [entry["bad_input"] for entry in run.document_of(list(rows.values()))["claims"]] == [True, True, True, False]


def test_a_worker_that_dies_takes_no_other_claim_with_it(tmp_path):
    """The file is run in the process of the test as well, which must live."""
    text = (
        "import multiprocessing, os\n"
        "def die():\n    os._exit(9) if multiprocessing.parent_process() else None\n"
        "a = Claim(id='a', text='', given=[x >= 0, x <= 1], then=x <= 1, by=Proof(die))\n"
    )
    more = "".join(f"c{k} = Claim(id='c{k}', text='', given=[x >= 0, x <= {k + 1}], then=x <= {k + 1}, by=Boxes())\n" for k in range(2))
    rows = checked(tmp_path, text + more, workers=2)
    assert rows["a"].outcome.verdict is Verdict.UNDECIDED and "died" in rows["a"].outcome.detail
    assert all(rows[f"c{k}"].outcome.verdict is Verdict.CERTIFIED for k in range(2))


def test_reasons_are_one_short_line():
    assert failures.reason_of(ValueError("x" * 1000), "a").endswith("...")
    assert "\n" not in failures.reason_of(ValueError("two\nlines"), "a")
    assert failures.reason_of(ValueError(), "a") == "a step failed with ValueError"


# --- no process stays behind -----------------------------------------------------------------------------------------


def _session(leader):
    """The processes of a group that are not dead: from /proc, or from ps where there is none."""
    if not Path("/proc/self/stat").exists():
        listed = subprocess.run(["ps", "-A", "-o", "pid=,pgid=,stat="], capture_output=True, text=True, check=True).stdout
        rows = [line.split() for line in listed.splitlines()]
        return [int(pid) for pid, group, state in rows if int(group) == leader and not state.startswith("Z")]
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                state, _, group = (entry / "stat").read_text().rsplit(")", 1)[1].split()[:3]
            except (OSError, ValueError):
                continue
            if int(group) == leader and state != "Z":
                found.append(int(entry.name))
    return found


def test_nothing_outlives_a_run_that_is_killed(tmp_path):
    hard = (
        "Claim(id='{0}', text='', given=[q>=0,q<=1,x>=0,x<=1], then=(1+q*x+x**2)**40*exp(q*x) >= 1+40*(q*x+x**2), by=Boxes(budget=10**6))"
    )
    (tmp_path / "hard.py").write_text(HEAD + "q = real('q')\nC = [" + ", ".join(hard.format(name) for name in "abc") + "]\n")
    command = [
        sys.executable,
        "-m",
        "dpbounds",
        "check",
        str(tmp_path / "hard.py"),
        "--workers",
        "2",
        "--certificates",
        str(tmp_path / "c"),
    ]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    process = subprocess.Popen(command, cwd=ROOT, start_new_session=True, **quiet)
    try:
        limit = time.monotonic() + 60
        while len(_session(process.pid)) < 4 and time.monotonic() < limit:  # itself, the tracker of resources and two workers
            time.sleep(0.1)
        assert len(_session(process.pid)) >= 4
        time.sleep(1.0)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        limit = time.monotonic() + 5
        while _session(process.pid) and time.monotonic() < limit:
            time.sleep(0.1)
        assert _session(process.pid) == []
    finally:
        process.poll() is None and process.kill()
        for left in _session(process.pid):
            os.kill(left, signal.SIGKILL)
