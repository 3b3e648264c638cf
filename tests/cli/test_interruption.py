"""Ctrl-C and SIGTERM: what was found is printed, and no process and no semaphore is left."""

import os
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from signal import SIG_DFL, SIGINT, raise_signal
from signal import signal as handle

import pytest
import sympy

from dpbounds.claims import settling
from dpbounds.claims.claim import Claim
from dpbounds.cli.shared.interruption import terminable

ROOT = Path(__file__).resolve().parents[2]
CLAIMS = """
from dpbounds import *
from dpbounds.language.symbols import *
from sympy import *
x, y, z = real('x y z')
first = Claim(id='first', text='', given=[x >= 0, x <= 1], then=x**2 >= x)
endless = Claim(id='endless', text='', given=[x >= 0, x <= 1, z >= 0, z <= 1],
    then=Integral(exp(-x*z*y**2), (y, 0, x + z)) <= x + z + (x*z)**2*(x + z)**5/10, by=Boxes(budget=10**9))
"""


def interrupted(arguments, signal, until, folder):
    """Run dpbounds under `timeout`, which sends it and its group a signal once standard error has a word, and read all it prints."""
    environment = dict(os.environ) | {"PYTHONPATH": str(ROOT), "DPBOUNDS_MARK": (mark := f"mark-{os.getpid()}-{time.monotonic_ns()}")}
    log = folder / "stderr.txt"
    with log.open("w") as stderr, (folder / "stdout.txt").open("w") as stdout:
        process = subprocess.Popen(
            ["timeout", "-s", signal, "--preserve-status", "100", sys.executable, "-m", "dpbounds", *arguments],
            stdout=stdout, stderr=stderr, cwd=folder, env=environment, start_new_session=True,
            preexec_fn=partial(handle, SIGINT, SIG_DFL),  # a shell that starts the tests in the background lets them ignore it
        )  # fmt: skip
        last = time.monotonic() + 90
        while until not in log.read_text() and time.monotonic() < last and process.poll() is None:
            time.sleep(0.1)
        process.send_signal({"INT": 2, "TERM": 15}[signal])  # timeout passes it on, twice: to its child and to the group
        code = process.wait(timeout=60)
    return code, (folder / "stdout.txt").read_text(), log.read_text(), mark


def processes_of(mark):
    """The processes that inherited the mark."""
    found = []
    for environ in Path("/proc").glob("[0-9]*/environ"):
        try:
            if mark.encode() in environ.read_bytes():
                found.append(environ.parent.name)
        except OSError:
            continue
    return found


def nothing_is_left(mark):
    last = time.monotonic() + 10
    while processes_of(mark) and time.monotonic() < last:
        time.sleep(0.1)
    return not processes_of(mark)


def test_an_interruption_in_a_finalizer_comes_again():
    """The interpreter ignores what a finalizer raises: the check went on as if nobody had interrupted it."""

    class Finalized:
        def __del__(self):
            raise_signal(SIGINT)

    with terminable(), pytest.raises(KeyboardInterrupt):
        Finalized()
        time.sleep(30)


def test_an_interruption_that_compiled_code_wraps_has_no_circle_of_causes(monkeypatch):
    """The circle had no end where the exit code is looked for in it: the process never ended."""

    def wrap(*_):
        try:
            raise KeyboardInterrupt
        except KeyboardInterrupt as stop:
            raise SystemError("a function of Python's failed") from stop

    monkeypatch.setattr(settling, "_decide", wrap)
    with pytest.raises(KeyboardInterrupt) as found:
        settling.settle(Claim(id="x", text="", given=[], then=sympy.Le(sympy.Symbol("x", real=True), 1)))
    seen, cause = [], found.value
    while cause is not None and cause not in seen:
        seen.append(cause)
        cause = cause.__cause__
    assert cause is None and len(seen) == 3


@pytest.mark.parametrize(("workers", "signal", "code"), [("1", "INT", 130), ("1", "TERM", 143), ("2", "INT", 130), ("2", "TERM", 143)])
def test_a_check_prints_the_verdicts_that_it_has(tmp_path, signal, code, workers):
    (tmp_path / "claims.py").write_text(CLAIMS)
    found, out, err, mark = interrupted(["check", "claims.py", "--workers", workers], signal, "REFUTED", tmp_path)
    assert found == code
    assert "first" in out and "REFUTED" in out and "1 claim: 1 REFUTED" in out
    lines = err.splitlines()
    assert lines[0].startswith("1/2  first  REFUTED")
    assert lines[1].startswith("dpbounds: interrupted; 1 of 2 claims are settled") and len(lines) == 2
    assert nothing_is_left(mark)


@pytest.mark.parametrize(("signal", "code"), [("INT", 130), ("TERM", 143)])
def test_an_audit_prints_the_findings_that_it_has(tmp_path, signal, code):
    target = f"{ROOT / 'tests' / 'audit' / 'fakes.py'}:Factor"
    found, out, err, mark = interrupted(["audit", target, "--quantity", "delta", "--budget", "500"], signal, "UNSOUND", tmp_path)
    assert found == code
    assert "UNSOUND  fake.factor, delta" in out and "not run again: the audit was interrupted" in out
    assert err.startswith("UNSOUND  fake.factor, delta of ") and "certified: " in err.splitlines()[0]
    assert "of them UNSOUND" in err.splitlines()[-1] and "Traceback" not in err and "leaked" not in err
    assert nothing_is_left(mark)


LARGEST = "delta --sigma 0.2 --epsilon 1 --sampling random-allocation --bins 1000000 --epochs 1 --digits 100"
"""Minutes of work, in calls that sum over the bins."""


def test_ctrl_c_ends_the_largest_random_allocation_within_two_seconds(tmp_path):
    (tmp_path / "run.py").write_text(
        "import os, signal, sys, threading, time\n"
        "from dpbounds.cli import main\n"
        "sent = []\n"
        "def send():\n"
        "    while time.process_time() < 1: time.sleep(0.05)\n"
        "    sent.append(time.process_time())\n"
        "    os.kill(os.getpid(), signal.SIGINT)\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "threading.Thread(target=send, daemon=True).start()\n"
        "code = main(sys.argv[1:])\n"
        "print(code, time.process_time() - sent[0])\n"
    )
    run = subprocess.run(
        [sys.executable, "run.py", *LARGEST.split()], capture_output=True, text=True, cwd=tmp_path, timeout=300,
        env=dict(os.environ) | {"PYTHONPATH": str(ROOT)}, check=False,
    )  # fmt: skip
    code, after = run.stdout.split()
    assert code == "130" and float(after) <= 2
    assert run.stderr == "dpbounds: interrupted\n"
