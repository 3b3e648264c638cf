"""Worker processes that settle claims: they end with their parent, and one that dies takes no other claim with it."""

from __future__ import annotations

import atexit
import ctypes
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait
from multiprocessing.sharedctypes import RawArray
from typing import Any

from dpbounds.claims import clock

_PR_SET_PDEATHSIG = 1
_CONTEXT = get_context("spawn")


@dataclass(frozen=True)
class Busy:
    """A claim at work.

    Attributes:
        claim: its id.
        since: `time.monotonic()` when it began.
        slot: where its boxes are counted.
    """

    claim: str
    since: float
    slot: int


@dataclass
class AtWork:
    """The claims at work, with the boxes that each has examined: written by any process, read for the line on a terminal.

    Args:
        places: claims that can be at work at once.
    """

    places: int
    counts: Any = None
    busy: dict[str, Busy] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.counts = RawArray("q", self.places + 1)  # one more, for a claim that shares out its boxes meanwhile

    def begin(self, identifier: str) -> int:
        """A claim begins; the slot in which its boxes are to be counted."""
        taken = {entry.slot for entry in self.busy.values()}
        slot = next(k for k in range(self.places + 1) if k not in taken)
        self.counts[slot] = 0
        self.busy[identifier] = Busy(identifier, time.monotonic(), slot)
        return slot

    def counter(self, slot: int) -> Callable[[int, int], None]:
        """What a search in this process calls with (boxes examined, boxes waiting)."""

        def count(boxes: int, _: int) -> None:
            self.counts[slot] = boxes

        return count

    def end(self, identifier: str) -> None:
        """The claim is settled."""
        self.busy.pop(identifier, None)

    def lines(self) -> list[tuple[str, float, int]]:
        """Id, seconds and boxes of each claim at work, the oldest first."""
        now = time.monotonic()
        return [(entry.claim, now - entry.since, int(self.counts[entry.slot])) for entry in list(self.busy.values())]


def usable(wanted: int) -> int:
    """How many of so many processes this Python can have: one where it has no semaphores, or no threads to talk to others.

    >>> usable(2)
    2
    """
    if wanted == 1 or sys.platform == "emscripten" or not clock.has_threads():
        return 1
    try:
        import multiprocessing.synchronize  # noqa: F401
    except ImportError:
        return 1
    return wanted


class _Pool(ProcessPoolExecutor):
    """Its processes get neither Ctrl-C nor SIGTERM of their group: they end when this one says so."""

    def submit(self, *args: Any, **kwargs: Any) -> Future[Any]:
        """A process that is started here keeps the signals that are held back now held back for good."""
        if not hasattr(signal, "pthread_sigmask"):
            return super().submit(*args, **kwargs)
        held = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT, signal.SIGTERM))
        try:
            return super().submit(*args, **kwargs)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, held)


@contextmanager
def pool(workers: int, at_work: AtWork) -> Iterator[ProcessPoolExecutor]:
    """Processes that end with this one, however it ends."""
    made = _Pool(max_workers=workers, mp_context=_CONTEXT, initializer=_begin, initargs=(at_work.counts,))
    try:
        yield made
    except BaseException:
        for process in list((made._processes or {}).values()):
            process.kill()
        made.shutdown(cancel_futures=True)
        raise
    made.shutdown()


_COUNTS: list[Any] = []


def count(slot: int, boxes: int) -> None:
    """In a worker: say how many boxes the claim of a slot has examined."""
    if _COUNTS:
        _COUNTS[0][slot] = boxes


def _begin(counts: Any) -> None:
    """In a new worker, before its first job."""
    _COUNTS[:] = [counts]
    atexit.register(os._exit, 0)  # nothing of a worker outlives its answers, and freeing millions of terms one by one takes a second
    _end_with_parent()


def _end_with_parent() -> None:
    """End this worker when its parent ends, also when that is killed.

    A thread waits for the pipe that the parent holds open; it needs the interpreter, which a long call of C code keeps. So on Linux the
    kernel is asked as well.
    """
    parent = parent_process()
    if parent is None:
        return
    threading.Thread(target=_leave_after, args=(parent.sentinel,), daemon=True, name="dpbounds-parent").start()
    if sys.platform == "linux":
        try:
            ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        except (OSError, AttributeError):
            return
        if os.getppid() != parent.pid:  # it ended before the kernel was asked
            os._exit(1)


def _leave_after(sentinel: Any) -> None:
    wait([sentinel])
    os._exit(1)
