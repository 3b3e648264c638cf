"""A progress bar on a terminal, nothing elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def bar(total: int | None, shown: bool | None = None) -> Iterator[Callable[[int, str], None]]:
    """A function that is told how many rounds are done, and a word about the last one.

    Args:
        total: rounds, None where only the budget tells.
        shown: None means: if standard error is a terminal.

    >>> with bar(3, shown=False) as tell:
    ...     tell(1, "sigma 8")
    """
    if not (sys.stderr.isatty() if shown is None else shown):
        yield lambda done, text: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("noisy SGD"), BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}"), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True, force_terminal=True), transient=True) as progress:
        task = progress.add_task("", total=total)
        yield lambda done, text: progress.update(task, completed=done, description=text)
