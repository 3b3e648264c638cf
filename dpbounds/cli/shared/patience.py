"""A sign of life on a terminal while one value is computed."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO


@contextmanager
def patience(what: str, stream: TextIO | None = None, first: float = 2.0, pause: float = 1.0) -> Iterator[None]:
    """Count the seconds on standard error, if that is a terminal; the line is gone when the work ends.

    Args:
        what: named on the line.
        stream: standard error if not given.
        first: nothing is shown in so many seconds.
        pause: seconds between two counts.

    >>> with patience("delta"):
    ...     answer = 42
    """
    stream = stream or sys.stderr
    if not stream.isatty():
        yield
        return
    done, start, shown = threading.Event(), time.monotonic(), ""

    def count() -> None:
        nonlocal shown
        while not done.wait(pause):
            if (seconds := time.monotonic() - start) >= first:
                shown = f"{what}: {seconds:.0f} s; Ctrl-C stops"
                stream.write("\r" + shown)
                stream.flush()

    thread = threading.Thread(target=count, daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()
        if shown:
            stream.write("\r" + " " * len(shown) + "\r")
            stream.flush()
