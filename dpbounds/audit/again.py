"""A reproduction run again: the few lines of a finding, in the interpreter of the accountant, without dpbounds."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

LINES = 4
"""A reproduction has at most so many lines."""


def printed_by(text: str, python: str | None, seconds: float, folder: Path | None = None) -> str:
    """What the lines print; "" where they print nothing in time.

    Args:
        text: Python.
        python: an interpreter; None for this one.
        seconds: limit on the clock.
        folder: a folder whose modules may be imported, that of an adapter file.

    >>> printed_by("print(0.1 + 0.2)", None, 20.0)
    '0.30000000000000004'
    """
    paths = [str(folder) if folder else "", os.environ.get("PYTHONPATH", "")]
    environment = dict(os.environ) | {"PYTHONPATH": os.pathsep.join(filter(None, paths))}
    words = [python or sys.executable, "-W", "ignore", "-c", text]
    try:
        process = subprocess.Popen(
            words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment, start_new_session=True
        )
    except OSError:
        return ""
    try:
        return process.communicate(timeout=seconds)[0].decode(errors="replace").strip()
    except subprocess.TimeoutExpired:
        return ""
    finally:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def is_reproduced(finding: Mapping[str, Any]) -> bool:
    """Whether the reproduction, in at most four lines, printed the value that the audit saw in its last line.

    >>> is_reproduced({"answer": "0.5", "printed": "np.float64(0.5)", "reproduction": "print(1)"})
    True
    """
    values = finding["answer"].split(" … ")
    last = finding.get("printed", "").splitlines()[-1:]
    found = _numbers("".join(last).replace("np.float64", ""))
    return bool(found) and finding["reproduction"].count("\n") < LINES and all(float(value) in found for value in values)


def merged(first: str, second: str) -> str:
    """Two reproductions as one, the imports of both once; what belongs together goes on one line so that four lines are enough.

    >>> print(merged("import m\\nprint(m.f(1))", "import m\\nprint(m.f(2))"))
    import m
    print(m.f(1))
    print(m.f(2))
    """
    heads, tails = [], []
    for text in (first, second):
        lines = text.splitlines()
        heads += [line for line in lines if line.startswith(("import ", "from ")) and line not in heads]
        tails.append([line for line in lines if not line.startswith(("import ", "from "))])
    if any(line.startswith(" ") for tail in tails for line in tail):  # a statement over several lines stays as it is
        return "\n".join([*heads, *tails[0], *tails[1]])
    return "\n".join([*heads, *("; ".join(tail) for tail in tails)])


def _numbers(text: str) -> list[float]:
    found = []
    for mark in "(),[]":
        text = text.replace(mark, " ")
    for word in text.split():
        with contextlib.suppress(ValueError):
            found.append(float(word))
    return found
