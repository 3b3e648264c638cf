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

from dpbounds.kernel.terms import DEPTH
from dpbounds.logic.evidence import ACCEPTED, LIBRARY, REFUSED, UNKNOWN, rows_of
from dpbounds.logic.listing import lines, rules

_CODES = {ACCEPTED: 0, LIBRARY: 3, REFUSED: 1, UNKNOWN: 2}


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
