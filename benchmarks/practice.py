"""Questions of practice, certified and in float64.

    python -m benchmarks.practice [--every N] [--digits D] [--limit SECONDS] [--output FILE]

ε at a given δ for Poisson sampling with Gaussian noise over sampling rates, noise multipliers, steps and δ that people run, and for
Laplace noise, randomized response, tables and products. Each question is asked of the certified engine (12 digits, or as many as are
asked for) and of the float64 accountants (two-sided), each in processor time and in a process that is stopped at the limit. Every row
is one line of JSON; a file that has lines already is continued.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import statistics
import time
from collections.abc import Callable, Iterator
from fractions import Fraction
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from dpbounds import accounting
from dpbounds.errors import DPBoundsError
from dpbounds.mechanisms.specs import spec_to_mechanism

DIGITS = 12
RATES = ("1e-4", "0.001", "0.01", "0.1", "0.5")
NOISES = ("0.3", "0.7", "1", "2", "5", "20")
STEPS = (1, 100, 10_000, 1_000_000)
DELTAS = ("1e-3", "1e-5", "1e-8", "1e-12")
WIDE = Fraction(1, 1000)
"""Relative width beyond which a two-sided float64 answer is of no use."""

Question = tuple[str, list[dict[str, Any]], str]


def questions() -> Iterator[Question]:
    """(name, specification, δ): 480 of sampled Gaussian noise, then 216 of other noises and of products."""
    for q, sigma, steps, delta in itertools.product(RATES, NOISES, STEPS, DELTAS):
        yield f"sampled q={q} sigma={sigma} steps={steps} delta={delta}", [{"sigma": sigma, "q": q, "steps": steps}], delta
    for sigma, delta in itertools.product(("0.5", "1", "3", "10"), DELTAS):
        yield f"gaussian sigma={sigma} delta={delta}", [{"sigma": sigma, "steps": 10}], delta
    for scale, steps, delta in itertools.product(("0.5", "2", "10"), (1, 3, 20, 200), DELTAS):
        yield f"laplace scale={scale} steps={steps} delta={delta}", [{"laplace-scale": scale, "steps": steps}], delta
    for scale, steps, delta in itertools.product(("0.5", "2", "10"), (1, 3, 20), DELTAS):
        part = {"laplace-scale": scale, "q": "0.1", "steps": steps}
        yield f"sampled laplace scale={scale} steps={steps} delta={delta}", [part], delta
    for size, steps, delta in itertools.product(("0.1", "1", "3"), (1, 10, 1000), DELTAS):
        yield f"randomized response epsilon={size} steps={steps} delta={delta}", [{"randomized-response": size, "steps": steps}], delta
    for shape, steps, delta in itertools.product(("1/3", "1/10"), (1, 10, 100), DELTAS):
        table = {"table": {"p": [shape, str(1 - Fraction(shape))], "q": [str(1 - Fraction(shape)), shape]}, "steps": steps}
        yield f"table {shape} steps={steps} delta={delta}", [table], delta
    for steps, scale, delta in itertools.product((10, 100, 1000, 10_000), ("2", "10"), DELTAS):
        parts = [{"sigma": "1", "q": "0.01", "steps": steps}, {"sigma": "5", "steps": 2}, {"laplace-scale": scale}]
        yield f"sampled steps={steps} + gaussian + laplace scale={scale} delta={delta}", parts, delta
    for steps, size, delta in itertools.product((10, 100, 1000, 10_000), ("0.1", "1"), DELTAS[:3]):
        parts = [{"sigma": "1", "q": "0.01", "steps": steps}, {"randomized-response": size, "steps": 3}]
        yield f"sampled steps={steps} + randomized response {size} delta={delta}", parts, delta


def certified(parts: list[dict[str, Any]], delta: str, digits: int) -> tuple[float, float]:
    """Both ends of ε to so many digits."""
    found = accounting.epsilon(spec_to_mechanism(parts), delta, digits=digits).enclosure
    return float(found.lower), float(found.upper)


def float64(parts: list[dict[str, Any]], delta: str, _: int) -> tuple[float, float]:
    """Both bounds on ε of the float64 accountants, which have the digits that they have."""
    from dpbounds.float64 import epsilon_bounds

    found = epsilon_bounds(spec_to_mechanism(parts), float(delta))
    return float(found.lower), float(found.upper)


ANSWERS: dict[str, Callable[[list[dict[str, Any]], str, int], tuple[float, float]]] = {"certified": certified, "float64": float64}


def _serve(connection: Connection) -> None:
    """Answer questions until there are no more; the first answer of a process pays for imports, so one is asked for nothing."""
    warm = [{"sigma": "1", "q": "0.5"}]
    for answer in ANSWERS.values():
        answer(warm, "0.01", DIGITS)
    connection.send("ready")
    while True:
        try:
            kind, *question = connection.recv()
        except EOFError:
            return
        start = time.process_time()
        try:
            lower, upper = ANSWERS[kind](*question)
            row: dict[str, Any] = {"lower": lower, "upper": upper}
        except (DPBoundsError, MemoryError, OverflowError) as error:
            row = {"refused": str(error)[:200]}
        connection.send(row | {"seconds": round(time.process_time() - start, 4)})


class Asker:
    """A process that answers, replaced when it takes longer than the limit."""

    def __init__(self, limit: float, digits: int) -> None:
        self.limit, self.digits = limit, digits
        self._start()

    def _start(self) -> None:
        context = get_context("spawn")
        self.connection, other = context.Pipe()
        self.process = context.Process(target=_serve, args=(other,), daemon=True)
        self.process.start()
        self.connection.recv()

    def ask(self, kind: str, parts: list[dict[str, Any]], delta: str) -> dict[str, Any]:
        """The answer, a refusal, or that there was none in time."""
        self.connection.send((kind, parts, delta, self.digits))
        if self.connection.poll(self.limit):
            answer: dict[str, Any] = self.connection.recv()
            return answer
        self.process.kill()
        self.process.join()
        self._start()
        return {"refused": f"no answer in {self.limit:g} s", "seconds": self.limit}


def summary_of(rows: list[dict[str, Any]], kind: str) -> str:
    """One line: how many were answered, and the times."""
    answers = [row[kind] for row in rows]
    times = sorted(answer["seconds"] for answer in answers)
    answered = [answer for answer in answers if "refused" not in answer]
    ninety_nine = times[min(len(times) - 1, math.ceil(0.99 * len(times)) - 1)]
    wide = sum(answer["upper"] - answer["lower"] > WIDE * answer["upper"] for answer in answered)
    timing = f"CPU seconds: median {statistics.median(times):.4f}, 99 % {ninety_nine:.3f}, worst {times[-1]:.3f}"
    return f"{kind}: {len(answered)} of {len(rows)} answered, {wide} wider than 1e-3; {timing}"


def contradictions(rows: list[dict[str, Any]]) -> list[str]:
    """Questions whose two answers have no value in common: one of them is wrong."""
    return [
        row["question"]
        for row in rows
        if all("refused" not in row[kind] for kind in ANSWERS)
        and (
            row["float64"]["lower"] > row["certified"]["upper"] * (1 + 1e-15)
            or row["float64"]["upper"] < row["certified"]["lower"] * (1 - 1e-15)
        )
    ]


def main() -> None:
    """Ask, write, summarize."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.practice", description=__doc__)
    parser.add_argument("--every", type=int, default=1, help="ask every N-th question only")
    parser.add_argument("--digits", type=int, default=DIGITS, help="digits of the certified answers")
    parser.add_argument("--limit", type=float, default=60.0, help="seconds for one answer")
    parser.add_argument("--output", type=Path, help="file of JSON lines, continued where it ends")
    options = parser.parse_args()
    kept = options.output.read_text(encoding="utf-8").splitlines() if options.output and options.output.exists() else []
    rows = [json.loads(line) for line in kept]
    done = {row["question"] for row in rows}
    asker = Asker(options.limit, options.digits)
    for name, parts, delta in itertools.islice(questions(), 0, None, options.every):
        if name in done:
            continue
        rows.append({"question": name} | {kind: asker.ask(kind, parts, delta) for kind in ANSWERS})
        line = json.dumps(rows[-1])
        print(line, flush=True)
        if options.output:
            with options.output.open("a", encoding="utf-8") as file:
                file.write(line + "\n")
    for kind in ANSWERS:
        print(summary_of(rows, kind))
    print("contradictions:", ", ".join(contradictions(rows)) or "none")


if __name__ == "__main__":
    main()
