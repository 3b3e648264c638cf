"""Check files of covers: python -m dpbounds.covers FILE… ; exit code 0 when every cover is accepted."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from dpbounds.covers.check import check
from dpbounds.covers.document import read_line
from dpbounds.covers.terms import Refused


def main(names: Sequence[str]) -> int:
    """Check every line of every file and print one line each."""
    code = 0 if names else 2
    for name in names:
        try:
            with open(name, encoding="ascii") as file:
                lines = file.read().splitlines()
        except (OSError, ValueError) as error:
            print(f"{name}: cannot be read ({type(error).__name__})")
            return 2
        for position, line in enumerate(lines, 1):
            try:
                cover = read_line(line)
                found = check(cover)
                rest = f", rests on the engine: {found.by_engine}" if found.by_engine else ""
                print(f"{cover.statement.claim}: accepted, {found.leaves} leaves{rest}")
            except Refused as reason:
                print(f"{name}:{position}: refused: {reason}")
                code = 1
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
