"""What went wrong inside a claim, in words: it is that claim's UNDECIDED, and the run goes on."""

from __future__ import annotations

from dpbounds.errors import InputError
from dpbounds.kernel.terms import Refused

_LONGEST = 300


def is_bad_input(error: BaseException) -> bool:
    """Whether the claim is at fault: it is malformed, its domain is empty, or it is outside of the claim language."""
    return isinstance(error, InputError)


def reason_of(error: BaseException, identifier: str) -> str:
    """One line about an exception.

    >>> reason_of(RecursionError("maximum recursion depth exceeded"), "a")
    'the expression is nested too deep: write it with fewer levels, or split the claim'
    """
    if isinstance(error, RecursionError):
        return "the expression is nested too deep: write it with fewer levels, or split the claim"
    if isinstance(error, MemoryError):
        return "memory ran out: make the domain or the expression smaller"
    lines = str(error).strip().splitlines() or [""]
    text = lines[0].removeprefix(f"claim {identifier}: ").removeprefix(f"{identifier}: ")
    text = text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."
    if is_bad_input(error):
        return text
    if isinstance(error, Refused):
        return f"no descent was found, and the checker of covers does not read the statement: {text}"
    return f"a step failed with {type(error).__name__}: {text}" if text else f"a step failed with {type(error).__name__}"
