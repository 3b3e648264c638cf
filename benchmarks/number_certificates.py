"""Certificates for the rows of the reference table: written, checked again by `dpbounds.recheck`, and counted.

    python -m benchmarks.number_certificates --every 100

`--every 1` takes the whole table. Of 24 rows (`--every 150 --first 7`) the median took 0.1 seconds to check and the slowest 0.7.
Writing takes longer, because several methods and precisions are tried.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections import Counter
from dataclasses import dataclass

from dpbounds.certificates.number import certificate_for
from dpbounds.errors import InputError, PrecisionError
from dpbounds.mechanisms.specs import mechanism_to_spec
from dpbounds.recheck.check import check
from dpbounds.recheck.query import ARGUMENTS
from dpbounds.reference.table import Row, load_table


@dataclass(frozen=True)
class Checked:
    """A row whose certificate was accepted: its length, the seconds of the check, and the digits."""

    size: int
    seconds: float
    digits: int


def checked_row(row: Row, digits: int) -> Checked:
    """Write and check the certificate of one row.

    Raises:
        InputError, PrecisionError: the row has none.
        Refused: the checker found something else than the table says.
    """
    query = {
        "quantity": row.quantity,
        ARGUMENTS[row.quantity]: row.argument,
        "mechanism": mechanism_to_spec(row.mechanism),
        "relation": row.relation,
        "direction": row.direction,
        "guarantee": row.guarantee,
    }
    text = certificate_for(query, row.lower, row.upper, digits)
    start = time.process_time()
    found = check(text)
    return Checked(len(text), time.process_time() - start, found.digits)


def main() -> None:
    """Print how many rows have a certificate, why others have none, and sizes and times."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--every", type=int, default=100, help="take every n-th row")
    parser.add_argument("--first", type=int, default=0, help="the row to begin with")
    parser.add_argument("--digits", type=int, default=12)
    options = parser.parse_args()
    rows = load_table()[options.first :: options.every]
    done: list[Checked] = []
    reasons: Counter[str] = Counter()
    for row in rows:
        try:
            done.append(checked_row(row, options.digits))
        except (InputError, PrecisionError) as reason:
            reasons[str(reason).split(";")[0].split(", more than")[0]] += 1
            print(json.dumps([row.key, str(reason)]), flush=True)
    print(f"{len(done)} of {len(rows)} rows have a certificate that was accepted")
    for reason, count in reasons.most_common():
        print(f"{count:5} {reason}")
    if done:
        for name, values in (("bytes", [each.size for each in done]), ("seconds of check", [round(each.seconds, 2) for each in done])):
            print(f"{name}: median {statistics.median(values)}, largest {max(values)}")
        print(f"digits: fewest {min(each.digits for each in done)}")


if __name__ == "__main__":
    main()
