"""Random questions over the whole space of mechanisms, certified and in float64: which have no answer, and which are slow.

    python -m benchmarks.questions [--count N] [--seed S] [--limit SECONDS] [--only INDEX] [--output FILE]

Noises, samplings and products; q from 1e-9 to 1, σ from 0.1 to 200, up to 10^12 steps, δ down to 1e-300, each on a logarithmic scale.
Each question is asked of both routes, in processor time, in a process that is stopped at the limit and may use four gigabytes; the float64
bounds must contain the certified value. Every row is one line of JSON; a file that has lines already is continued. At the end it prints
the share of each route without an answer, that above two seconds, and what has to be looked at.
"""

from __future__ import annotations

import argparse
import collections
import contextlib
import json
import math
import random
import resource
import time
from fractions import Fraction
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

SLOW = 2.0
_MEMORY = 4 << 30
_PATIENCE = 6
"""Seconds of the clock for a second of processor time, on a machine that does other things too."""
_DIGITS = (4, 8, 12, 15)
Question = dict[str, Any]


def _log_uniform(draw: random.Random, low: float, high: float) -> str:
    return f"{low * (high / low) ** draw.random():.3g}"


def _part(draw: random.Random, kind: str) -> dict[str, Any]:
    """One part of a product."""
    steps = int(float(_log_uniform(draw, 1, 1e12))) if draw.random() < 0.5 else draw.choice((1, 1, 2, 3, 10, 100, 1000))
    if kind in ("gaussian", "sampled", "sampled", "sampled"):
        part: dict[str, Any] = {"sigma": _log_uniform(draw, 0.1, 200)}
    elif kind == "laplace":
        part, steps = {"laplace-scale": _log_uniform(draw, 0.2, 100)}, min(steps, 1000)
    elif kind == "discrete":
        part, steps = {draw.choice(("discrete-laplace", "discrete-gaussian")): _log_uniform(draw, 0.5, 20)}, min(steps, 100)
    else:
        part, steps = {"randomized-response": _log_uniform(draw, 0.01, 5)}, min(steps, 10_000)
    if kind == "sampled" or (kind == "laplace" and draw.random() < 0.5):
        part["q"] = _log_uniform(draw, 1e-9, 1)
    elif kind == "fixed":
        records = int(float(_log_uniform(draw, 10, 1e6)))
        batch = draw.randint(1, max(1, records // 2))
        part = {"sigma": _log_uniform(draw, 0.3, 50), "sampling": "without-replacement", "records": records, "batch": batch}
    return part | {"steps": max(1, steps)}


def question_of(seed: int, index: int) -> Question:
    """The question with that number, always the same."""
    draw = random.Random(f"{seed} {index}")
    kinds = ["sampled"] * 6 + ["gaussian", "laplace", "discrete", "response", "fixed"]
    parts = [_part(draw, draw.choice(kinds)) for _ in range(1 if draw.random() < 0.75 else 2)]
    quantity = draw.choice(("delta", "epsilon"))
    if quantity == "delta":
        at = _log_uniform(draw, 1e-3, 30)
    else:
        at = _log_uniform(draw, 1e-300, 0.5) if draw.random() < 0.3 else _log_uniform(draw, 1e-12, 0.1)
    fixed = [part for part in parts if part.get("sampling") == "without-replacement"]
    if fixed:
        parts = fixed[:1]
    direction = "symmetric" if fixed else draw.choice(("worst", "remove", "add"))
    return {"quantity": quantity, "spec": parts, "at": at, "digits": draw.choice(_DIGITS), "direction": direction}


def _ask(question: Question, route: str) -> tuple[Fraction, Fraction]:
    from dpbounds import accounting, float64
    from dpbounds.mechanisms import Direction
    from dpbounds.mechanisms.specs import spec_to_mechanism

    mechanism, quantity, options = spec_to_mechanism(question["spec"]), question["quantity"], {}
    if question["direction"] != "symmetric":
        options["direction"] = Direction(question["direction"])
    if route == "certified":
        found = getattr(accounting, quantity)(mechanism, question["at"], digits=question["digits"], **options)
        return Fraction(found.enclosure.lower), Fraction(found.enclosure.upper)
    pair = getattr(float64, f"{quantity}_bounds")(mechanism, question["at"], **options)
    return Fraction(pair.lower), Fraction(pair.upper)


def _text(value: Fraction) -> str:
    """Numerator and denominator, in the base that has no limit of length."""
    return f"{value.numerator:x}/{value.denominator:x}"


def _value(text: str) -> Fraction:
    top, bottom = text.split("/")
    return Fraction(int(top, 16), int(bottom, 16))


def _worker(question: Question, route: str, pipe: Connection, limit: float) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    spent = math.ceil(limit)
    resource.setrlimit(resource.RLIMIT_CPU, (spent, spent + 1))
    start = time.process_time()
    try:
        low, high = _ask(question, route)
        answer: dict[str, Any] = {"lower": _text(low), "upper": _text(high)}
    except Exception as error:
        answer = {"error": f"{type(error).__name__}: {error}"[:300]}
    pipe.send(answer | {"seconds": round(time.process_time() - start, 3)})


def answered(question: Question, route: str, limit: float) -> dict[str, Any]:
    """What the route says within the limit."""
    context = get_context("fork")
    here, there = context.Pipe()
    worker = context.Process(target=_worker, args=(question, route, there, limit))
    worker.start()
    there.close()
    found: dict[str, Any] = {"error": "stopped at the limit", "seconds": limit}
    if here.poll(_PATIENCE * limit):
        with contextlib.suppress(EOFError):
            found = here.recv()
    worker.kill()
    worker.join()
    return found


def contradicts(row: dict[str, Any]) -> bool:
    """Whether the float64 bounds and the certified ones have no number in common."""
    certified, plain = row["certified"], row["float64"]
    if "lower" not in certified or "lower" not in plain:
        return False
    return _value(plain["lower"]) > _value(certified["upper"]) or _value(plain["upper"]) < _value(certified["lower"])


def summary(rows: list[dict[str, Any]]) -> str:
    """Shares of both routes, and the questions that need a look."""
    lines = []
    for route in ("certified", "float64"):
        own = [row[route] for row in rows]
        errors = [answer["error"] for answer in own if "error" in answer]
        slow = sum(answer["seconds"] > SLOW for answer in own)
        shares = [f"{100 * part / len(own):.1f} %" for part in (len(errors), slow)]
        lines.append(f"{route}: {len(own)} questions, {shares[0]} without an answer, {shares[1]} above {SLOW} s")
        lines += [f"  {count} × {error}" for error, count in collections.Counter(error[:80] for error in errors).most_common(8)]
    lines += [f"CONTRADICTION in question {row['index']}: {row['question']}" for row in rows if contradicts(row)]
    return "\n".join(lines)


def main() -> None:
    """Ask, write the rows and print the summary."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=float, default=10.0)
    parser.add_argument("--only", type=int)
    parser.add_argument("--output", type=Path)
    given = parser.parse_args()
    for route in ("certified", "float64"):  # everything is imported before the workers are forked
        _ask(
            {"quantity": "epsilon", "spec": [{"sigma": "1", "q": "0.1", "steps": 9}], "at": "1e-5", "digits": 8, "direction": "worst"},
            route,
        )
    rows = [json.loads(line) for line in given.output.read_text().splitlines()] if given.output and given.output.exists() else []
    done = {row["index"] for row in rows}
    for index in range(given.count) if given.only is None else [given.only]:
        if index in done:
            continue
        question = question_of(given.seed, index)
        answers = {route: answered(question, route, given.limit) for route in ("certified", "float64")}
        rows.append({"index": index, "question": question, **answers})
        if given.output:
            with given.output.open("a") as file:
                file.write(json.dumps(rows[-1]) + "\n")
        else:
            print(json.dumps(rows[-1]), flush=True)
    print(summary(rows))


if __name__ == "__main__":
    main()
