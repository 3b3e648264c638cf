"""Check evidence with the small checkers alone: python -S -m dpbounds.logic FILE...

A FILE is a certificate of a claim or of a number (.json), a proof document (.jsonl), covers (.cover), or a bundle (.zip). The checkers need
the standard library of Python and nothing else. Each prints what it derived: compare that with the statement that you want to know.

`--rules` prints every rule of the proof checker with its statement, `--lines` what a sceptic reads, by files.

The exit code is 0 when everything is accepted, 1 when something is refused, 2 when a file cannot be read or is no certificate, and 3 when
a certificate carries no evidence for these checkers.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from dpbounds.kernel.sequents import RULES
from dpbounds.kernel.terms import DEPTH
from dpbounds.logic.evidence import ACCEPTED, LIBRARY, REFUSED, UNKNOWN, rows_of

_CODES = {ACCEPTED: 0, LIBRARY: 3, REFUSED: 1, UNKNOWN: 2}
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


def main(files: Sequence[str]) -> int:
    """Check files and print what each shows; returns the exit code."""
    if not files or {"--help", "-h"} & set(files):
        print((__doc__ or "").strip(), file=sys.stdout if files else sys.stderr)
        return 0 if files else 2
    if list(files) in (["--rules"], ["--lines"]):
        print(rules() if files[0] == "--rules" else lines())
        return 0
    sys.setrecursionlimit(20 * DEPTH)
    contents = {}
    for file in files:
        try:
            contents[file] = Path(file).read_bytes()
        except OSError as error:
            print(f"{file}: cannot be read: {type(error).__name__}", file=sys.stderr)
            return 2
    rows = rows_of(contents)
    for row in rows:
        print(f"{row.name if row.name.isprintable() else ascii(row.name)}: {row.verdict.upper()}: {row.says}")
    counts = Counter(row.verdict for row in rows)
    print(", ".join(f"{counts[verdict]} {verdict}" for verdict in _CODES if counts[verdict] or verdict in (ACCEPTED, REFUSED)))
    found = {_CODES[row.verdict] for row in rows}
    return next((code for code in (1, 2, 3) if code in found), 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
