"""What a sceptic reads: the rules of the proof checker, and the files that decide about each kind of evidence. Nothing is decided here."""

from __future__ import annotations

from pathlib import Path

from dpbounds.kernel.sequents import RULES

_ROOT = Path(__file__).parent.parent
_ARITHMETIC = "covers/intervals.py"
"""Of covers and of numbers."""
_CLAIMS_ALONE = "recheck/order_range.py", "recheck/leaves.py"
"""They read evidence of claims, no certificates of numbers."""
READ = {
    "a proof": ("kernel/*.py",),
    "a cover": ("covers/*.py", "kernel/*.py"),
    "a number": ("recheck/**/*.py", _ARITHMETIC),
    "a cover with numbers": ("recheck/leaves.py",),
    "a range of orders": ("recheck/order_range.py", _ARITHMETIC),
    "files of evidence": ("logic/__main__.py", "logic/evidence.py"),
}
"""What decides about each kind of evidence."""


def rules() -> str:
    """Every rule of the proof checker with its statement, one a line."""
    return "\n".join(f"{name}: {(function.__doc__ or '').splitlines()[0]}" for name, function in RULES.items())


def sizes_of(kind: str) -> dict[str, int]:
    """The lines of each file that evidence of a kind rests on.

    Args:
        kind: a key of `READ`.
    """
    files = (file for pattern in READ[kind] for file in sorted(_ROOT.glob(pattern)))
    names = {file.relative_to(_ROOT).as_posix(): file for file in files}
    read = {name: file for name, file in names.items() if name in READ[kind] or name not in _CLAIMS_ALONE}
    return {name: len(file.read_text(encoding="utf-8").splitlines()) for name, file in read.items()}


def lines() -> str:
    """The length of each file that a sceptic reads, by kinds of evidence, and of each kind."""
    said = []
    for kind in READ:
        sizes = sizes_of(kind)
        said += [f"{kind}: {sum(sizes.values())} lines", *(f"{size:7} {name}" for name, size in sizes.items())]
    every = {name: size for kind in READ for name, size in sizes_of(kind).items()}
    return "\n".join([*said, f"in all: {sum(every.values())} lines"])
