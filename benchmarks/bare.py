"""Count the stored certificates that `python -S -m dpbounds.logic` accepts: `python -m benchmarks.bare`."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from pathlib import Path

from dpbounds.logic.evidence import rows_of

STORED = Path(__file__).parent.parent / "proofs" / "certificates"


def counts() -> dict[str, Counter[str]]:
    """How many certificates of each method are accepted, refused, or left to the library."""
    found: dict[str, Counter[str]] = {}
    for file in sorted(STORED.glob("*.json.gz")):
        content = gzip.decompress(file.read_bytes())
        for row in rows_of({file.name: content}):
            found.setdefault(json.loads(content)["method"], Counter())[row.verdict] += 1
    return found


def main() -> None:
    """Print one line a method."""
    for method, verdicts in sorted(counts().items()):
        print(f"{method}: {', '.join(f'{n} {verdict}' for verdict, n in sorted(verdicts.items()))} of {sum(verdicts.values())}")


if __name__ == "__main__":
    main()
