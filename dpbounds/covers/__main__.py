"""Check files of covers: python -m dpbounds.covers FILE…

Each line of a file is a cover. The exit code is 0 when every cover is accepted, 1 when one is refused, 2 for a file that holds something
else. `--lines` prints the length of each file that a sceptic reads, `--help` this text.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from dpbounds.covers.check import check
from dpbounds.covers.document import read_line
from dpbounds.covers.terms import Refused


def lines() -> str:
    """The length of each file of the checker, and of all."""
    sizes = {file.name: len(file.read_text(encoding="utf-8").splitlines()) for file in sorted(Path(__file__).parent.glob("*.py"))}
    return "\n".join(f"{size:5} {name}" for name, size in [*sizes.items(), ("in all", sum(sizes.values()))])


def main(names: Sequence[str]) -> int:
    """Check every line of every file and print one line each."""
    if list(names) == ["--lines"]:
        print(lines())
        return 0
    if not names or {"--help", "-h"} & set(names):
        print(__doc__.strip(), file=sys.stdout if names else sys.stderr)
        return 0 if names else 2
    code = 0
    for name in names:
        try:
            with open(name, encoding="ascii") as file:
                rows = file.read().splitlines()
        except (OSError, ValueError) as error:
            print(f"{name}: cannot be read ({type(error).__name__})")
            return 2
        for position, row in enumerate(rows, 1):
            try:
                cover = read_line(row)
            except Refused as reason:
                print(f"{name}:{position}: no cover: {reason}")
                code = 2
                break
            try:
                found = check(cover)
                rest = f", rests on the engine: {found.by_engine}" if found.by_engine else ""
                print(f"{cover.statement.claim}: accepted, {found.leaves} leaves{rest}")
            except Refused as reason:
                print(f"{name}:{position}: refused: {reason}")
                code = 1
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
