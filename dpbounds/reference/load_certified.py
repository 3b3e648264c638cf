"""Read the data set of certified values; it needs the standard library alone, and is copied beside the data.

for row in load("certified.jsonl"): print(row["id"], float(row["lower"]), float(row["upper"]))
"""

import gzip
import json
from collections.abc import Iterator
from fractions import Fraction
from typing import Any


def load(path: str = "certified.jsonl") -> Iterator[dict[str, Any]]:
    """The rows as dictionaries; argument and ends are exact fractions, and schema.json says what the keys mean."""
    opened: Any = gzip.open if path.endswith(".gz") else open
    with opened(path, "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            yield row | {key: Fraction(row[key]) for key in ("argument", "lower", "upper")}
