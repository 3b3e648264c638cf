"""Digits and seconds of blankets over a grid: `python -m benchmarks.blankets [gaussian|laplace] [--inverse] [--seconds S]`.

The 252 questions have users from 2 to 10⁹, σ from 0.5 to 5 or a local ε from 0.05 to 4, δ from 10⁻³ to 10⁻⁸⁰. Each line has 15 digits of
δ at an ε that is about where δ has this size; with --inverse first those of ε(δ), and δ there. A line is given up after S seconds of the
processor, 60 if not given. The last lines sum up.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import signal
import statistics
import time
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from flint import arb

from dpbounds import Shuffled, accounting
from dpbounds.errors import DPBoundsError
from dpbounds.shuffle.noise import approx_log_noise_delta

USERS = (2, 10, 100, 1000, 10_000, 1_000_000, 1_000_000_000)
NOISES = {"gaussian": ("0.5", "0.7", "1", "2", "3", "5"), "laplace": ("0.05", "0.2", "0.5", "1", "2", "4")}
"""σ of Gaussian noise, the local ε of Laplace noise."""
DELTAS = ("1e-3", "1e-6", "1e-10", "1e-20", "1e-40", "1e-80")
DIGITS = 15


def questions(noise: str) -> Iterator[tuple[str, int, str, str]]:
    """Noise, users, σ or the local ε, δ.

    >>> len(list(questions("gaussian")))
    252
    """
    return itertools.product([noise], USERS, NOISES[noise], DELTAS)


def approx_epsilon(noise: str, users: int, size: str, delta: str) -> Fraction:
    """About where δ has this size, with four digits; 0 where it is smaller everywhere.

    >>> approx_epsilon("gaussian", 100, "1", "1e-3") > 0
    True
    """
    low, high, goal = 0.0, 80.0, math.log(float(delta))
    for _ in range(14):
        middle = (low + high) / 2 if low else high / 8
        below = approx_log_noise_delta(users, noise, arb(size), arb(middle)) < goal
        low, high = (low, middle) if below else (middle, high)
        if high < 1e-6:
            return Fraction(0)
    return Fraction(f"{high:.4g}")


def row(noise: str, users: int, size: str, delta: str, inverse: bool) -> dict[str, Any]:
    """What was reached, or the refusal, with the seconds.

    >>> row("gaussian", 100, "1", "1e-3", False)["digits"]
    True
    """
    mechanism = Shuffled(users, size, others="any", randomizer=noise)
    found: dict[str, Any] = {"users": users, "size": size, "asked": delta, "digits": False}
    epsilon = approx_epsilon(noise, users, size, delta)
    try:
        start = time.process_time()
        if inverse:
            epsilon = accounting.epsilon(mechanism, delta, digits=DIGITS).enclosure.upper
            found["epsilon seconds"] = round(time.process_time() - start, 3)
            start = time.process_time()
        there = accounting.delta(mechanism, epsilon, digits=DIGITS).enclosure
        found |= {"epsilon": float(epsilon), "delta": there.upper_float, "delta seconds": round(time.process_time() - start, 3)}
        found["digits"] = there.meets(DIGITS)
    except (DPBoundsError, TimeoutError) as error:
        found["refused"] = str(error) or "too slow"
    return found


def _stop(*_: object) -> None:
    raise TimeoutError


def main() -> None:
    """All questions, one line each, and how many have their digits."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("noise", nargs="?", choices=NOISES, default="gaussian")
    parser.add_argument("--inverse", action="store_true")
    parser.add_argument("--seconds", type=float, default=60.0)
    options = parser.parse_args()
    signal.signal(signal.SIGPROF, _stop)
    rows = []
    for question in questions(options.noise):
        signal.setitimer(signal.ITIMER_PROF, options.seconds)
        rows.append(row(*question, options.inverse))
        signal.setitimer(signal.ITIMER_PROF, 0)
        print(json.dumps(rows[-1]), flush=True)
    print(f"{sum(found['digits'] for found in rows)} of {len(rows)} have {DIGITS} digits")
    for what in ("epsilon seconds", "delta seconds"):
        if taken := sorted(found[what] for found in rows if what in found):
            print(f"{what}: median {statistics.median(taken):.2f}, most {taken[-1]:.2f}; above 2: {sum(t > 2 for t in taken)}")


if __name__ == "__main__":
    main()
