"""SIGTERM ends a command as Ctrl-C does: what was found is printed, and no process or semaphore is left."""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

EXIT_INTERRUPTED = 130
EXIT_TERMINATED = 143
_ONCE = 2.0
_SOON = 0.05


class Terminated(KeyboardInterrupt):
    """SIGTERM came."""


@contextmanager
def terminable() -> Iterator[None]:
    """Raise `Terminated` where SIGTERM comes, `KeyboardInterrupt` where Ctrl-C does.

    A signal that comes again within `_ONCE` seconds is the same one: `timeout` and a shell send it to the process and to its group. In a
    thread that is not the first nothing changes, nor for a signal that is ignored.

    What is raised in a finalizer, or in another function that the interpreter calls by itself, goes no further: it is raised once more.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    last = -_ONCE

    def stop(number: int, frame: FrameType | None) -> None:
        nonlocal last
        before, last = last, time.monotonic()
        if last - before >= _ONCE:
            raise Terminated if number == signal.SIGTERM else KeyboardInterrupt

    def again(swallowed: Any) -> None:
        nonlocal last
        if not issubclass(swallowed.exc_type, KeyboardInterrupt):
            report(swallowed)
            return
        last = -_ONCE
        later = threading.Timer(_SOON, _send, (signal.SIGTERM if issubclass(swallowed.exc_type, Terminated) else signal.SIGINT,))
        later.daemon = True
        later.start()

    report, sys.unraisablehook = sys.unraisablehook, again
    usual = {signal.SIGINT: signal.default_int_handler, signal.SIGTERM: signal.SIG_DFL}
    changed = {number: signal.signal(number, stop) for number, handler in usual.items() if signal.getsignal(number) is handler}
    try:
        yield
    finally:
        sys.unraisablehook = report
        for number, handler in changed.items():
            signal.signal(number, handler)


def _send(number: int) -> None:
    """A signal to the first thread, which wakes it."""
    if hasattr(signal, "pthread_kill"):
        signal.pthread_kill(threading.main_thread().ident or 0, number)
    else:
        signal.raise_signal(number)


def exit_code_of(interruption: BaseException) -> int:
    """130 after Ctrl-C, 143 after SIGTERM, wherever in the chain of causes it is named.

    >>> exit_code_of(KeyboardInterrupt()), exit_code_of(Terminated())
    (130, 143)
    """
    found: BaseException | None = interruption
    while found is not None:
        if isinstance(found, Terminated):
            return EXIT_TERMINATED
        found = found.__cause__
    return EXIT_INTERRUPTED
