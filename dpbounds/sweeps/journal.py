"""What a sweep has found so far, line by line, so that a sweep that was killed goes on where it was."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dpbounds import __version__
from dpbounds.errors import InputError
from dpbounds.sweeps.answer import FIELDS


def address_of(row: Mapping[str, Any], method: str, digits: int) -> str:
    """A hash of everything that the answer of a row depends on, the version of dpbounds included.

    >>> len(address_of({"sigma": "1"}, "certified", 10))
    64
    """
    asked = [__version__, method, digits, sorted((str(key), str(value)) for key, value in row.items())]
    return hashlib.sha256(json.dumps(asked, ensure_ascii=False).encode()).hexdigest()


class SweepJournal:
    """Answers by the address of their row, kept in a file of JSON lines that is only ever added to.

    A last line without its end is of a write that was cut off; it counts as nothing and is overwritten.
    """

    def __init__(self, path: Path) -> None:
        self.path, self.known = path, dict[str, dict[str, str]]()
        whole = 0
        try:
            raw = path.read_bytes() if path.exists() else b""
            for line in raw.splitlines(keepends=True):
                found = _read(line)
                if found is None:
                    break
                self.known[found[0]], whole = found[1], whole + len(line)
            if raw and not whole:
                raise InputError(f"{path} is no journal of a sweep; move it away or name another --journal")
            self._out = path.open("r+b" if raw else "wb")
            self._out.truncate(whole)
            self._out.seek(whole)
        except OSError as error:
            raise InputError(f"cannot write the journal {path}: {error.strerror}") from None

    def keep(self, address: str, answer: dict[str, str]) -> None:
        """Add an answer; it outlives the process from here on."""
        self.known[address] = answer
        try:
            self._out.write(json.dumps({"row": address, "answer": answer}, ensure_ascii=False).encode() + b"\n")
            self._out.flush()
        except OSError as error:
            raise InputError(f"cannot write the journal {self.path}: {error.strerror}") from None

    def close(self, *, remove: bool) -> None:
        """The end: all answers are in the table, or the journal stays for the next time."""
        self._out.close()
        if remove:
            self.path.unlink(missing_ok=True)


def _read(line: bytes) -> tuple[str, dict[str, str]] | None:
    try:
        found = json.loads(line) if line.endswith(b"\n") else None
        row, answer = found["row"], found["answer"]  # type: ignore[index]
        return (row, answer) if isinstance(row, str) and set(answer) == set(FIELDS) else None
    except (ValueError, KeyError, TypeError):
        return None
