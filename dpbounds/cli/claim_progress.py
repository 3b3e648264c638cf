"""The line on a terminal while claims are at work: how many are settled, and the seconds and boxes of those that are not."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from dpbounds.claims.workers import AtWork

OnRow = Callable[[int, int, str], None]
_PER_SECOND = 4
_NAMED = 3


@contextmanager
def claim_progress(at_work: AtWork, stream: TextIO | None = None) -> Iterator[OnRow | None]:
    """Show the claims at work on standard error, if that is a terminal; the line is gone when the work ends.

    Args:
        at_work: written by the run.
        stream: standard error if not given.

    Yields:
        What the run calls after each claim; None where nothing is shown: elsewhere, and without threads.
    """
    from dpbounds.claims import clock

    stream = stream or sys.stderr
    if not stream.isatty() or not clock.has_threads():
        yield None
        return
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text

    settled = ""

    def on_row(done: int, total: int, identifier: str) -> None:
        nonlocal settled
        settled = f"{done}/{total}"

    def line() -> Text:
        return Text(line_of(settled, at_work.lines()), no_wrap=True, overflow="ellipsis")

    console = Console(file=stream, highlight=False)
    with Live(get_renderable=line, console=console, refresh_per_second=_PER_SECOND, transient=True, redirect_stdout=False):
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
