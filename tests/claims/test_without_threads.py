"""Where no thread starts, as in a browser, budgets hold too, and one worker does all of the work."""

import contextlib
import signal
import threading
import time

import flint
import pytest
from click.testing import CliRunner
from sympy import exp

from dpbounds import Claim, Verdict, settle
from dpbounds.claims import clock, workers
from dpbounds.cli.check import command
from dpbounds.language.symbols import real

e, q, x = real("e q x")
SUM = q * x + e * x**2 + q * e
HARD = Claim(id="hard", text="", given=[q >= 0, q <= 1, x >= 0, x <= 1, e >= 0, e <= 1], then=(1 + SUM) ** 40 * exp(q * x) >= 1 + 40 * SUM)
EASY = "from dpbounds.notation import *\nx = positive('x')\nown = Claim(id='own', text='', then=exp(x) >= 1 + x)\n"


def burn(seconds):
    limit = time.process_time() + seconds
    while time.process_time() < limit:
        sum(range(1000))
    return "done"


def must_not_start(thread):
    raise RuntimeError("can't start new thread")


@pytest.fixture
def without_threads(monkeypatch):
    monkeypatch.setattr(clock, "_WATCHMAN", clock._WATCHMAN)  # put back afterwards
    monkeypatch.setattr(threading.Thread, "start", must_not_start)
    clock.use_no_threads()


def test_a_claim_keeps_its_budget(without_threads):
    start = time.process_time()
    found = settle(HARD, budget=1)
    assert found.verdict is Verdict.UNDECIDED and "time is up" in found.detail
    assert time.process_time() - start <= 2


def test_a_step_that_asks_nobody_is_interrupted_and_nothing_comes_late(without_threads):
    start = time.process_time()
    with pytest.raises(clock.TimeIsUp):
        clock.within(clock.now() + 0.2, lambda: burn(60))
    assert time.process_time() - start <= 1
    assert burn(1.2) == "done" and signal.getitimer(signal.ITIMER_PROF) == (0, 0)
    assert clock.within(clock.now() + 9, lambda: 7) == 7


def test_deadlines_within_deadlines(without_threads):
    inner_ends = []

    def inner():
        for _ in range(5):
            try:
                clock.within(clock.now() + 0.01, lambda: burn(0.3))
            except clock.TimeIsUp:
                inner_ends.append(True)
        burn(60)

    start = time.process_time()
    with pytest.raises(clock.TimeIsUp):
        clock.within(clock.now() + 1, inner)
    assert len(inner_ends) >= 3 and time.process_time() - start <= 3
    assert not clock._WATCHMAN._watches


def test_compiled_code_that_is_interrupted_in_a_callback_ends_with_the_time(without_threads):
    def slow(z, _):
        burn(0.02)
        return z

    with pytest.raises(clock.TimeIsUp):
        clock.within(clock.now() + 0.1, lambda: [flint.acb.integral(slow, 0, 1) for _ in range(1000)])


def test_a_host_without_a_timer_calls_look_itself(without_threads, monkeypatch):
    monkeypatch.setattr(clock._Lookout, "_set_timer", lambda self, seconds: None)
    before = signal.signal(signal.SIGALRM, clock.look)
    signal.setitimer(signal.ITIMER_REAL, 0.05, 0.05)
    try:
        start = time.process_time()
        with pytest.raises(clock.TimeIsUp):
            clock.within(clock.now() + 0.2, lambda: burn(60))
        assert time.process_time() - start <= 1
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_a_signal_that_somebody_else_uses_is_left_alone(without_threads):
    def own(*_):
        return None

    before = signal.signal(signal.SIGPROF, own)
    try:
        assert clock.within(clock.now() + 0.05, lambda: burn(0.3)) == "done"
        assert signal.getsignal(signal.SIGPROF) is own and signal.getitimer(signal.ITIMER_PROF) == (0, 0)
    finally:
        signal.signal(signal.SIGPROF, before)


def test_a_thread_that_does_not_start_is_done_without(monkeypatch):
    monkeypatch.setattr(clock, "_WATCHMAN", clock._Watchman())
    monkeypatch.setattr(threading.Thread, "start", must_not_start)
    for _ in range(2):
        with pytest.raises(clock.TimeIsUp):
            clock.within(clock.now() + 0.1, lambda: burn(60))
    assert not clock.has_threads()
    with contextlib.suppress(clock.TimeIsUp):
        clock.within(clock.now() + 0.01, lambda: burn(0.3))
    assert not clock._WATCHMAN._watches


def test_a_failure_of_the_work_is_no_missing_thread(monkeypatch):
    monkeypatch.setattr(clock, "_WATCHMAN", clock._WATCHMAN)
    with pytest.raises(RuntimeError, match="of the work"):
        clock.within(clock.now() + 9, lambda: (_ for _ in ()).throw(RuntimeError("of the work")))
    assert clock.has_threads()


@pytest.mark.parametrize("words", [["--no-threads"], []], ids=["asked for", "no semaphores"])
def test_two_workers_where_there_are_none_are_one_line_and_one_worker(without_threads, monkeypatch, tmp_path, words):
    (tmp_path / "claims.py").write_text(EASY)
    if not words:
        monkeypatch.setattr(clock, "_WATCHMAN", clock._Watchman())
        monkeypatch.setitem(__import__("sys").modules, "multiprocessing.synchronize", None)
    found = CliRunner().invoke(
        command, [str(tmp_path / "claims.py"), "--workers", "2", "--certificates", str(tmp_path / "out"), *words], standalone_mode=False
    )
    assert found.exception is None and found.return_value == 0, found.output
    assert found.stderr.splitlines() == ["dpbounds: no work is shared between processes here; one worker does all of it"]
    assert "CERTIFIED" in found.stdout


def test_workers_are_there_where_nothing_is_missing():
    assert workers.usable(3) == 3 and workers.usable(1) == 1
