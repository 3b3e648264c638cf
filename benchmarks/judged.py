"""How many descents are written as documents that the proof checker accepts, and what stops the others: these settle nothing.

    python -m benchmarks.judged [--every N] [--seconds S] [LIST ...]

Each lemma is put to the search of descents for some seconds; what it finds is written as a document and judged. Reasons are counted by
kind. Times are processor seconds of this process.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from benchmarks.lemmas import LISTS, lemmas_of
from dpbounds import Claim
from dpbounds.claims.evidence.compiled import compiled
from dpbounds.claims.evidence.descents import certificate_of

_SECONDS = 5.0
_SHOWN = 3
"""Claims that are named for each reason."""


def descents_of(name: str, every: int, seconds: float) -> Iterator[tuple[Claim, Mapping[str, Any], float]]:
    """The claims of a list for which a descent is found, with it and the time that the search took."""
    for lemma in lemmas_of(name)[::every]:
        start = time.process_time()
        found = certificate_of(lemma.true, seconds)
        if found is not None:
            yield lemma.true, found, time.process_time() - start


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.judged", description="How many descents the proof checker accepts.")
    parser.add_argument("lists", nargs="*", default=[*LISTS], help="lists of lemmas (default: all)")
    parser.add_argument("--every", type=int, default=1, help="every N-th lemma only")
    parser.add_argument("--seconds", type=float, default=_SECONDS, help="for the search of one descent")
    options = parser.parse_args(arguments)
    reasons: Counter[str] = Counter()
    named: dict[str, list[str]] = {}
    times: list[float] = []
    searched: list[float] = []
    accepted = total = 0
    for name in options.lists:
        own = count = 0
        for claim, found, seconds in descents_of(name, options.every, options.seconds):
            start = time.process_time()
            judged = compiled(claim, found)
            count += 1
            times.append(time.process_time() - start)
            searched.append(seconds)
            if judged.statement is not None:
                own += 1
                continue
            reasons[judged.reason] += 1
            named.setdefault(judged.reason, []).append(claim.id)
        print(f"{name:12s} {own:4d} of {count:4d} descents are documents that the proof checker accepts", flush=True)
        accepted, total = accepted + own, total + count
    print(f"{'all':12s} {accepted:4d} of {total:4d}, {100 * accepted / max(total, 1):.0f} %")
    print(f"writing and checking: median {statistics.median(times or [0]):.3f} s, most {max(times or [0]):.2f} s; "
          f"the search: median {statistics.median(searched or [0]):.3f} s")  # fmt: skip
    for reason, number in reasons.most_common():
        print(f"{number:4d}  {reason} ({', '.join(named[reason][:_SHOWN])}{' and others' if number > _SHOWN else ''})")


if __name__ == "__main__":
    main()
