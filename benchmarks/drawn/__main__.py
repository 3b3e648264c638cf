"""Random statements of every kind: none may be settled wrongly.

    python -m benchmarks.drawn [--cases N] [--first K] [--budget SECONDS] [--record FILE] [KIND ...]

Each statement is put to `settle` with little time. PROVED and CERTIFIED are compared with values at points of the domain,
REFUTED with values at the counterexample (`judge`). Of each refuted statement it is also asked whether the points would have shown
that it is false: that is how many wrong CERTIFIED this command would notice. The same number gives the same statement.
With --record one line of JSON a run is added to a file, and without cases the lines of that file are summed up.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.drawn.judge import complaint, violation
from benchmarks.drawn.kinds import KINDS, drawn
from dpbounds import settle

RECORD = Path(__file__).with_name("record.jsonl")
Counts = dict[str, Counter[str]]


def main(arguments: Sequence[str] | None = None) -> int:
    """Settle, compare and count; 1 if something is wrong."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.drawn", description="Random statements against their values.")
    parser.add_argument("kinds", nargs="*", help=f"of {', '.join(KINDS)} (default: all)")
    parser.add_argument("--cases", type=int, default=0, help="how many statements; 0 sums up what was recorded")
    parser.add_argument("--first", type=int, default=0, help="number of the first statement")
    parser.add_argument("--budget", type=float, default=0.5, help="processor seconds for each statement")
    parser.add_argument("--record", type=Path, help="the file to which a line is added")
    options = parser.parse_args(arguments)
    kinds, counts, start = options.kinds or list(KINDS), {}, time.process_time()
    wrong: list[str] = []
    for number in range(options.first, options.first + options.cases):
        kind = kinds[number % len(kinds)]
        verdict, said, shown = verdict_of(kind, number, options.budget)
        counts.setdefault(kind, Counter()).update([verdict, *(["shown"] if shown else [])])
        if said:
            wrong.append(said)
            print(f"WRONG {number} {said}", flush=True)
    if not options.cases:
        counts, wrong = recorded(options.record or RECORD)
    elif options.record:
        row = {"first": options.first, "cases": options.cases, "budget": options.budget, "wrong": wrong, "counts": counts}
        with options.record.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")
    print(table(counts, wrong))
    if options.cases:
        print(f"{time.process_time() - start:.0f} processor seconds")
    return int(bool(wrong))


def verdict_of(kind: str, number: int, budget: float) -> tuple[str, str, bool]:
    """The verdict of one statement, what speaks against it, and whether points alone show that it is false."""
    one = drawn(kind, number)
    outcome = settle(one.claim, budget=budget, contained=True)
    against = complaint(one, outcome, number)
    said = f"{outcome.verdict.name} {one.claim.conclusion} {one.claim.premises}: {against}" if against else ""
    return outcome.verdict.name, said, outcome.verdict.holds is False and bool(violation(one, number))


def recorded(path: Path) -> tuple[Counts, list[str]]:
    """The sum of the runs of a file; each statement counts once."""
    counts: Counts = {}
    rows: list[dict[str, Any]] = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    ends = [(row["first"], row["first"] + row["cases"]) for row in rows]
    if any(a < d and c < b for k, (a, b) in enumerate(ends) for c, d in ends[:k]):
        raise SystemExit(f"{path}: two runs have statements in common")
    for row in rows:
        for kind, found in row["counts"].items():
            counts.setdefault(kind, Counter()).update(found)
    return counts, [said for row in rows for said in row["wrong"]]


def table(counts: Counts, wrong: Sequence[str]) -> str:
    """Verdicts by kind."""
    lines = [f"{'kind':14s} {'statements':>10s} {'hold':>6s} {'REFUTED':>8s} {'shown':>6s} {'UNDECIDED':>10s}"]
    rows = [*counts.items(), ("all", sum(counts.values(), Counter()))]
    for kind, found in rows:
        total = found.total() - found["shown"]
        hold = found["PROVED"] + found["CERTIFIED"]
        lines.append(f"{kind:14s} {total:10d} {hold:6d} {found['REFUTED']:8d} {found['shown']:6d} {found['UNDECIDED']:10d}")
    return "\n".join([*lines, f"{len(wrong)} wrong"])


if __name__ == "__main__":
    raise SystemExit(main())
