"""Files: read within a bound, written whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

from dpbounds.errors import InputError

LONGEST = 64 * 2**20
"""Bytes of the longest file that is read; every real specification, statement and baseline is far below."""


def read_text(path: str | Path, what: str, longest: int = LONGEST) -> str:
    """The UTF-8 text of a file, or of a pipe.

    Args:
        path: its name.
        what: what the file should hold, for the message, such as "the specification".
        longest: bytes; a device without an end is refused after so many.

    Raises:
        InputError: it cannot be read, is too long, or is not UTF-8.
    """
    try:
        with open(path, "rb") as file:
            content = file.read(longest + 1)
    except OSError as error:
        raise InputError(f"cannot read {what} {path}: {error.strerror or error}") from None
    except ValueError:  # a name with a null byte
        raise InputError(f"cannot read {what} {str(path)!r}: this is no name of a file") from None
    if len(content) > longest:
        raise InputError(f"cannot read {what} {path}: it is longer than {longest:,} bytes")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        raise InputError(f"cannot read {what} {path}: it is not UTF-8 text") from None


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file aside and rename it, so that a full disk or a signal leaves the old one, or none, and never a part.

    A device or a pipe (`/dev/stdout`) is written to as it is; behind a symbolic link its target is replaced.

    Raises:
        OSError: it cannot be written.
    """
    data = content.encode("utf-8") if isinstance(content, str) else content
    if path.exists() and not path.is_file():
        path.write_bytes(data)
        return
    target = path.resolve()
    partial = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        with partial.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())  # what is deleted once this file is there is not missed after a loss of power
        if target.exists():
            partial.chmod(target.stat().st_mode & 0o7777)
        partial.replace(target)
    finally:
        partial.unlink(missing_ok=True)


def write_output(path: Path, content: str | bytes, option: str) -> None:
    """Write a file that an option of the command line names.

    Raises:
        InputError: it cannot be written; the message names the option.
    """
    try:
        write_whole(path, content)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise InputError(f"{option}: cannot write {path}: {reason}; choose another file") from None
