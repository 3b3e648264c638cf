"""`python -m benchmarks.verdicts`: what is said of every claim and lemma, frozen so that a command compares it.

    record   settle the lists of lemmas, replay the catalogue, and write `verdicts.jsonl` beside this file
    compare  do it again and print each row that differs; the exit code is 1 when a verdict does

A row holds the canonical hash, the verdict and the methods of a statement. `--only catalogue` or `--only LIST` takes a part,
`--every N` each N-th row. A lemma has ten seconds of processor time. Times are not compared, because they depend on the machine.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.lemmas import LISTS, lemmas_of
from dpbounds import Claim, settle

FILE = Path(__file__).with_name("verdicts.jsonl")
CATALOGUE = "catalogue"
SECONDS = 10.0

Row = dict[str, Any]


def catalogue_rows() -> Iterator[Row]:
    """One row for each claim of the catalogue and each mutant, from the stored certificates."""
    command = [sys.executable, "-m", "dpbounds", "check", "proofs/", "--replay", "--json"]
    found = subprocess.run(command, capture_output=True, text=True, check=False, cwd=FILE.parents[1])
    for claim in json.loads(found.stdout)["claims"]:
        yield _catalogue_row(claim["id"], claim)
        if claim.get("mutant"):
            yield _catalogue_row(claim["id"] + "~mutant", claim["mutant"])


def _catalogue_row(name: str, said: Row) -> Row:
    methods = sorted({each["method"] for each in said.get("evidence") or ()})
    return {"of": CATALOGUE, "id": name, "hash": said.get("statement_hash", "")[:16], "verdict": said["verdict"], "methods": methods}


def lemma_rows(name: str, every: int) -> Iterator[Row]:
    """One row for each lemma of a list and each false twin."""
    for index, lemma in enumerate(lemmas_of(name)):
        for claim in (lemma.true, lemma.twin):
            if index % every == 0:
                yield _lemma_row(name, claim)


def _lemma_row(name: str, claim: Claim) -> Row:
    start = time.process_time()
    found = settle(claim, budget=SECONDS, contained=True)
    methods = sorted({each.method for each in found.evidence})
    seconds = round(time.process_time() - start, 2)
    row = {"of": name, "id": claim.id, "hash": claim.statement_hash[:16], "verdict": found.verdict.name}
    return row | {"methods": methods, "seconds": seconds}


def stored_rows() -> dict[tuple[str, str], Row]:
    """What the file holds, by list and name."""
    rows = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()] if FILE.exists() else []
    return {(row["of"], row["id"]): row for row in rows}


def rows_of(part: str | None, every: int) -> Iterator[Row]:
    """The rows of the catalogue, of one list, or of all."""
    for name in (CATALOGUE, *LISTS) if part is None else (part,):
        yield from catalogue_rows() if name == CATALOGUE else lemma_rows(name, every)


def differences(before: Row, now: Row) -> list[str]:
    """Which of hash, verdict and methods differ, as text."""
    keys = [key for key in ("verdict", "hash", "methods") if before[key] != now[key]]
    return [f"{key}: {before[key]} before, {now[key]} now" for key in keys]


def record(part: str | None) -> int:
    """Write the rows of a part, and keep those of other parts."""
    kept = stored_rows()
    for row in rows_of(part, 1):
        kept[row["of"], row["id"]] = row
    order = {name: index for index, name in enumerate((CATALOGUE, *LISTS))}
    rows = sorted(kept.values(), key=lambda row: order[row["of"]])
    FILE.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    print(f"{len(rows)} rows")
    return 0


def compare(part: str | None, every: int) -> int:
    """Print what differs; 1 when a verdict does."""
    before, seen, changed, lost = stored_rows(), 0, 0, 0
    for row in rows_of(part, every):
        seen += 1
        old = before.get((row["of"], row["id"]))
        said = ["new"] if old is None else differences(old, row)
        changed += bool(said)
        lost += old is not None and old["verdict"] != row["verdict"]
        if said:
            print(f"{row['of']:12s} {row['id']}: " + "; ".join(said), flush=True)
    print(f"{seen} rows, {changed} differ, {lost} verdicts differ")
    return 1 if lost else 0


def main() -> None:
    """Read the options and run."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.verdicts", description=__doc__)
    parser.add_argument("what", choices=("record", "compare"))
    parser.add_argument("--only", choices=(CATALOGUE, *LISTS), help="the catalogue or one list (default: all)")
    parser.add_argument("--every", type=int, default=1, help="compare every N-th lemma only")
    options = parser.parse_args()
    sys.exit(record(options.only) if options.what == "record" else compare(options.only, options.every))


if __name__ == "__main__":
    main()
