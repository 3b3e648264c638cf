"""What standard error shows while claims are at work: each verdict when it is there, and on a terminal a line about the claims at work."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from dpbounds.claims.outcome import Outcome
    from dpbounds.claims.run import OnRow
    from dpbounds.claims.workers import AtWork

_PER_SECOND = 4
_NAMED = 3
_QUIET = 2.0


class _Lines:
    """The verdicts as lines. A run that ends within `_QUIET` seconds shows none: its table follows at once."""

    def __init__(self, write: Callable[[str], object], *, timed: bool) -> None:
        self._write, self._lock = write, threading.Lock()
        self._waiting: list[str] | None = []
        self._timer = threading.Timer(_QUIET, self._flush)
        self._timer.daemon = True
        if timed:
            with suppress(RuntimeError):  # no thread can be started: the next verdict flushes
                self._timer.start()
        self._first = time.monotonic()

    def add(self, line: str) -> None:
        """A verdict is there."""
        with self._lock:
            if self._waiting is None:
                self._write(line)
                return
            self._waiting.append(line)
        if time.monotonic() - self._first >= _QUIET:
            self._flush()

    def _flush(self) -> None:
        with self._lock:
            lines, self._waiting = self._waiting or [], None
            for line in lines:
                self._write(line)

    def end(self) -> None:
        """The run has ended; what was not written is in its table."""
        self._timer.cancel()


@contextmanager
def claim_progress(at_work: AtWork, stream: TextIO | None = None) -> Iterator[OnRow]:
    """Write each verdict on standard error; the line about the claims at work is for a terminal, and gone when the work ends.

    Args:
        at_work: written by the run.
        stream: standard error if not given.

    Yields:
        What the run calls after each claim. The verdict of a single claim, or of a run of two seconds, is not written.
    """
    from dpbounds.claims import clock

    stream = stream or sys.stderr
    settled, write = "", partial(print, file=stream, flush=True)
    with ExitStack() as stack:
        if stream.isatty() and clock.has_threads():
            from rich.console import Console
            from rich.live import Live
            from rich.text import Text

            console = Console(file=stream, highlight=False)

            def line() -> Text:
                return Text(line_of(settled, at_work.lines()), no_wrap=True, overflow="ellipsis")

            live = Live(get_renderable=line, console=console, refresh_per_second=_PER_SECOND, transient=True, redirect_stdout=False)
            stack.enter_context(live)
            write = partial(console.print, soft_wrap=True, markup=False)
        lines = _Lines(write, timed=clock.has_threads())
        stack.callback(lines.end)

        def on_row(done: int, total: int, outcome: Outcome) -> None:
            nonlocal settled
            settled = f"{done}/{total}"
            if total > 1:
                lines.add(f"{done}/{total}  {outcome.id}  {outcome.verdict.value}  {outcome.seconds:.1f} s")

        yield on_row


def line_of(settled: str, busy: list[tuple[str, float, int]]) -> str:
    """The line: what is settled, then (id, seconds, boxes) of the claims at work.

    >>> line_of("3/8", [("a", 12.3, 4096), ("b", 0.5, 0)])
    '3/8 settled; a 12 s, 4,096 boxes; b 0 s'
    """
    parts = [f"{settled} settled"] if settled else []
    for name, seconds, boxes in busy[:_NAMED]:
        parts.append(f"{name} {int(seconds)} s" + (f", {boxes:,} boxes" if boxes else ""))
    if len(busy) > _NAMED:
        parts.append(f"{len(busy) - _NAMED} more")
    return "; ".join(parts)
