"""Budgets in processor seconds: time that other work on the machine takes does not count.

Loops ask `now` between two steps. One step may take long by itself (sympy factors, expands and integrates without asking anybody), so
`within` watches from a second thread and raises `TimeIsUp` inside of the step. That changes no verdict but to UNDECIDED.
"""

from __future__ import annotations

import ctypes
import threading
import time
from collections.abc import Callable
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
            watch.start()
            return work()
        finally:
            watch.stop()
    except TimeIsUp:
        watch.stop()  # the exception may have come while the line above ran
        raise


class _Watch(threading.Thread):
    """Raises `TimeIsUp` in the thread that made it, once the deadline has passed."""

    def __init__(self, deadline: float) -> None:
        super().__init__(daemon=True, name="dpbounds-clock")
        self._deadline, self._watched = deadline, ctypes.c_ulong(threading.get_ident())
        self._lock, self._stopped = threading.Lock(), threading.Event()

    def run(self) -> None:
        pause = _PAUSE
        while not self._stopped.wait(pause):
            if now() < self._deadline:
                continue
            with self._lock:
                if not self._stopped.is_set():
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(self._watched, ctypes.py_object(TimeIsUp))
            pause = _AGAIN

    def stop(self) -> None:
        """No exception comes after this returns, not even one that was under way."""
        with self._lock:
            self._stopped.set()
            ctypes.pythonapi.PyThreadState_SetAsyncExc(self._watched, None)
