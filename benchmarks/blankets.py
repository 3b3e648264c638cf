"""Digits and seconds of Gaussian blankets over a grid of 252 questions: `python -m benchmarks.blankets [SECONDS]`.

Users from 2 to 10⁹, σ from 0.5 to 5, δ from 10⁻³ to 10⁻⁸⁰. Each line asks for 15 digits of ε(δ), and then of δ at that ε; a line is given
up after SECONDS of processor time. The last lines sum up.
"""

from __future__ import annotations

import itertools
import json
import signal
import statistics
import sys
import time
from collections.abc import Iterator
from typing import Any

from dpbounds import Shuffled, accounting
from dpbounds.errors import DPBoundsError

USERS = (2, 10, 100, 1000, 10_000, 1_000_000, 1_000_000_000)
SIGMAS = ("0.5", "0.7", "1", "2", "3", "5")
DELTAS = ("1e-3", "1e-6", "1e-10", "1e-20", "1e-40", "1e-80")
DIGITS = 15


def questions() -> Iterator[tuple[int, str, str]]:
    """Users, σ, δ.

    >>> len(list(questions()))
    252
    """
    return itertools.product(USERS, SIGMAS, DELTAS)


def row(users: int, sigma: str, delta: str) -> dict[str, Any]:
    """Both answers, or the refusal, with the seconds of each.

    >>> row(100, "1", "1e-3")["digits"]
    True
    """
    mechanism = Shuffled(users, sigma, others="any", randomizer="gaussian")
    found: dict[str, Any] = {"users": users, "sigma": sigma, "delta": delta, "digits": False}
    start = time.process_time()
    try:
        epsilon = accounting.epsilon(mechanism, delta, digits=DIGITS).enclosure
        found["epsilon seconds"] = round(time.process_time() - start, 3)
        start = time.process_time()
        there = accounting.delta(mechanism, epsilon.upper, digits=DIGITS).enclosure
        found |= {"epsilon": epsilon.upper_float, "delta seconds": round(time.process_time() - start, 3)}
        found["digits"] = there.meets(DIGITS) and (epsilon.meets(DIGITS) or epsilon.upper == 0)
    except (DPBoundsError, TimeoutError) as error:
        found["refused"] = str(error) or "too slow"
    return found


def main(seconds: float) -> None:
    """All questions, one line each, and how many have their digits."""

    def stop(*_: object) -> None:
        raise TimeoutError

    signal.signal(signal.SIGPROF, stop)
    rows = []
    for question in questions():
        signal.setitimer(signal.ITIMER_PROF, seconds)
        rows.append(row(*question))
        signal.setitimer(signal.ITIMER_PROF, 0)
        print(json.dumps(rows[-1]), flush=True)
    print(f"{sum(found['digits'] for found in rows)} of {len(rows)} have {DIGITS} digits of both")
    for what in ("epsilon seconds", "delta seconds"):
        taken = sorted(found[what] for found in rows if what in found)
        print(f"{what}: median {statistics.median(taken):.2f}, most {taken[-1]:.2f}; above 2: {sum(t > 2 for t in taken)}")


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 60.0)
