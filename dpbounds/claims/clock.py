"""Budgets in processor seconds: time that other work on the machine takes does not count.

Loops ask `now` between two steps. One step may take long by itself (sympy factors, expands and integrates without asking anybody), so
`within` watches from a second thread and raises `TimeIsUp` inside of the step. That changes no verdict but to UNDECIDED.

Where no thread can be started, `look` raises it instead: a timer of the operating system calls it, and a host without one, such as a
browser, calls it from its own interrupts.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from types import FrameType
from typing import TypeVar

T = TypeVar("T")
_PAUSE = 0.05
_AGAIN = 1.0
"""Seconds after which a step that swallowed the exception gets it once more."""


class TimeIsUp(BaseException):
    """Ends a step that ran out of time; no `Exception`, so that no step takes it for a failure of its own."""


class _Helpers:
    """Processor seconds that other processes spent for this one."""

    def __init__(self) -> None:
        self.seconds = 0.0


_HELPERS = _Helpers()


def now() -> float:
    """Processor seconds of this process and of the workers that reported to it.

    >>> before = now()
    >>> now() >= before
    True
    """
    return time.process_time() + _HELPERS.seconds


def charge(seconds: float) -> None:
    """Count the seconds that a worker spent."""
    _HELPERS.seconds += seconds


def within(deadline: float | None, work: Callable[[], T]) -> T:
    """The result of `work()`, which is interrupted when `now()` passes the deadline; None never interrupts.

    Raises:
        TimeIsUp: the deadline passed first.
    """
    if deadline is None:
        return work()
    watch = _Watch(deadline)
    try:
        try:
            _begin(watch)
            return work()
        finally:
            _WATCHMAN.end(watch)
    except TimeIsUp:
        _WATCHMAN.end(watch)  # the exception may have come while the line above ran
        raise
    except Exception as error:
        # Compiled code that was interrupted in a function of Python's that it calls may fail in a way of its own (SystemError).
        # What fails after the end of a deadline within this one was caught is a failure like any other.
        if _WATCHMAN.has_fired(watch) and cause_in(error, TimeIsUp) is not None:
            raise TimeIsUp from error
        raise


def cause_in(error: BaseException | None, kind: type[BaseException]) -> BaseException | None:
    """The exception of a kind behind an error, or None: compiled code that is interrupted may fail in a way of its own (SystemError).

    >>> cause_in(ValueError("no value"), KeyboardInterrupt) is None
    True
    """
    while error is not None and not isinstance(error, kind):
        error = error.__cause__ or error.__context__
    return error


def look(*_: object) -> None:
    """Raise `TimeIsUp` in the step at work when a deadline of this thread has passed: a hook for hosts without threads.

    It takes what a signal handler takes, so that `signal.signal(signal.SIGINT, clock.look)` serves where a host can only interrupt.

    >>> look()
    """
    _WATCHMAN.look()


def has_threads() -> bool:
    """Whether deadlines are watched from a second thread, as far as is known before the first of them.

    >>> has_threads()
    True
    """
    return isinstance(_WATCHMAN, _Watchman)


def use_no_threads() -> None:
    """Start none from now on; call it before the first deadline."""
    global _WATCHMAN
    _WATCHMAN = _Lookout()


def _begin(watch: _Watch) -> None:
    try:
        _WATCHMAN.begin(watch)
    except RuntimeError:  # no thread can be started here
        use_no_threads()
        _WATCHMAN.begin(watch)


class _Watch:
    """A deadline of the thread that made it."""

    def __init__(self, deadline: float) -> None:
        self.deadline, self.thread = deadline, threading.get_ident()
        self.next = 0.0
        """When the exception may be raised next, on the clock of the wall."""


class _Lookout:
    """Deadlines of a process without a second thread: `look` raises `TimeIsUp` between two instructions of the step.

    A timer that counts processor seconds calls it, unless there is none, or somebody else uses its signal.
    """

    def __init__(self) -> None:
        self._watches: list[_Watch] = []

    def begin(self, watch: _Watch) -> None:
        """Watch from now on."""
        self._watches.append(watch)
        self._set_timer(_PAUSE)

    def end(self, watch: _Watch) -> None:
        """No exception comes after this returns."""
        if watch in self._watches:
            self._watches.remove(watch)
        if not self._watches:
            self._set_timer(0)

    def has_fired(self, watch: _Watch) -> bool:
        """Whether this deadline, or one around it, has passed."""
        return any(other.next for other in (watch, *self._watches) if other.thread == watch.thread)

    def look(self) -> None:
        """Raise the exception when a deadline of this thread has passed."""
        own = threading.get_ident()
        for watch in tuple(self._watches):
            if watch.thread == own and now() >= watch.deadline and time.monotonic() >= watch.next and not _is_delicate(own):
                watch.next = time.monotonic() + _AGAIN
                raise TimeIsUp

    def _set_timer(self, seconds: float) -> None:
        if not hasattr(signal, "setitimer") or sys.platform == "emscripten" or threading.current_thread() is not threading.main_thread():
            return
        # The handler stays when the timer stops: a signal that is under way would end the process without one.
        if signal.getsignal(signal.SIGPROF) is signal.SIG_DFL:
            signal.signal(signal.SIGPROF, look)
        if signal.getsignal(signal.SIGPROF) is look:
            signal.setitimer(signal.ITIMER_PROF, seconds, seconds)


class _Watchman:
    """One thread of the process that raises `TimeIsUp` in each thread whose deadline has passed.

    There is one for all deadlines, started before any: a thread that is just being started is told from the one that starts it by
    neither Python 3.11 nor 3.12, so that the exception of an outer deadline could end the watch of an inner one.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._watches: list[_Watch] = []
        self._wake = threading.Event()
        self._thread: threading.Thread | None = None

    def begin(self, watch: _Watch) -> None:
        """Watch from now on."""
        with self._lock:
            if self._thread is None:
                thread = threading.Thread(target=self._run, daemon=True, name="dpbounds-clock")
                thread.start()
                self._thread = thread
            self._watches.append(watch)
            self._wake.set()

    def end(self, watch: _Watch) -> None:
        """No exception comes after this returns, not even one that was under way."""
        with self._lock:
            if watch in self._watches:
                self._watches.remove(watch)
            if watch.next:
                _take_what_is_under_way(watch.thread)

    def has_fired(self, watch: _Watch) -> bool:
        """Whether this deadline, or one around it, has passed."""
        with self._lock:
            return any(other.next for other in (watch, *self._watches) if other.thread == watch.thread)

    def look(self) -> None:
        """Nothing is asked of others: the thread looks."""

    def _run(self) -> None:
        while True:
            self._wake.wait()
            time.sleep(_PAUSE)
            with self._lock:
                for watch in self._watches:
                    if now() >= watch.deadline and time.monotonic() >= watch.next and not _is_delicate(watch.thread):
                        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(watch.thread), ctypes.py_object(TimeIsUp))
                        watch.next = time.monotonic() + _AGAIN
                if not self._watches:
                    self._wake.clear()


def _take_what_is_under_way(thread: int) -> None:
    """Raise the exception once more in this thread, in the place of one that is under way, and catch it.

    Withdrawing it would leave a flag of the interpreter set for good, up to Python 3.12: every call is slower from then on, and the first
    function that is called under a tracer (coverage, a debugger) never starts.
    """
    try:
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(TimeIsUp))
        while True:
            pass
    except TimeIsUp:
        return


def _is_delicate(thread: int) -> bool:
    """Whether the step imports a module, which would stay broken for the rest of the process, or starts a thread and waits for it."""
    frame: FrameType | None = sys._current_frames().get(thread)
    while frame is not None and frame.f_code is not within.__code__:
        if frame.f_code.co_filename.startswith("<frozen importlib") or frame.f_code is threading.Thread.start.__code__:
            return True
        frame = frame.f_back
    return False


_WATCHMAN: _Watchman | _Lookout = _Watchman()


def _forget() -> None:
    """A forked process has no watchman: the first deadline starts one."""
    global _WATCHMAN
    _WATCHMAN = type(_WATCHMAN)()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
