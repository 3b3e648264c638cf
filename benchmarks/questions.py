"""Random questions over the whole space of mechanisms, certified and in float64: which have no answer, and which are slow.

    python -m benchmarks.questions [--count N] [--seed S] [--limit SECONDS] [--only INDEX] [--output FILE]

Every kind of noise, in products of up to three; every sampling; q from 1e-9 to 1, σ from 0.1 to 200, up to 10^12 steps, δ down to 1e-300,
each on a logarithmic scale.
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


def _shares(draw: random.Random, count: int) -> list[str]:
    """Rational probabilities of sum 1."""
    parts = [draw.randint(1, 9) for _ in range(count)]
    return [f"{part}/{sum(parts)}" for part in parts]


def _noise(draw: random.Random) -> dict[str, Any]:
    """One of every kind of noise, the Gaussian most often."""
    kinds: dict[str, Any] = {
        "sigma": (0.1, 200, dict),
        "laplace-scale": (0.2, 100, dict),
        "randomized-response": (0.01, 6, lambda: {"answers": draw.choice((2, 2, 3, 10))}),
        "discrete-laplace": (0.3, 30, lambda: {"sensitivity": draw.choice((1, 1, 2, 5))}),
        "discrete-gaussian": (0.4, 40, lambda: {"sensitivity": draw.choice((1, 1, 2))}),
        "skellam": (0.1, 200, lambda: {"sensitivity": draw.choice((1, 1, 2))}),
        "epsilon-delta": (0.01, 4, lambda: {"failure": _log_uniform(draw, 1e-12, 0.1)}),
        "mixture-of-gaussians": (0.3, 50, lambda: {"centres": ["0", "1", draw.choice(("2", "1/2"))], "weights": _shares(draw, 3)}),
    }
    name = draw.choice(["sigma"] * 7 + ["laplace-scale"] * 2 + [*kinds, "table"])
    if name == "table":
        count = draw.randint(2, 4)
        return {"table": {"p": _shares(draw, count), "q": _shares(draw, count)}}
    low, high, further = kinds[name]
    return {name: _log_uniform(draw, low, high), **further()}


def _part(draw: random.Random) -> dict[str, Any]:
    """One part of a product: half of the noise is sampled, Gaussian noise in every way."""
    part = _noise(draw)
    sampling = draw.random() if "sigma" in part else draw.choice((0.0, 1.0))
    records = int(float(_log_uniform(draw, 10, 1e6)))
    batch = max(1, int(records * float(_log_uniform(draw, 1e-4, 1))))
    if sampling < 0.5:
        part["q"] = _log_uniform(draw, 1e-9, 1)
        part |= {"group": draw.randint(2, 6)} if "sigma" in part and draw.random() < 0.1 else {}
    elif sampling < 0.6:
        part |= {"sampling": "without-replacement", "population": records, "batch-size": batch}
    elif sampling < 0.65:
        limit = min(records, int(batch * draw.uniform(1, 2)) + 1)
        part |= {"sampling": "truncated-poisson", "population": records, "q": f"{min(0.99, batch / records):.3g}", "batch-limit": limit}
    elif sampling < 0.7:
        return part | {"sampling": "random-allocation", "bins": draw.choice((2, 5, 20, 100)), "epochs": draw.choice((1, 2, 10))}
    steps = int(float(_log_uniform(draw, 1, 1e12))) if draw.random() < 0.5 else draw.choice((1, 1, 2, 3, 10, 100, 1000))
    return part | {"steps": max(1, steps)}


def question_of(seed: int, index: int) -> Question:
    """The question with that number, always the same."""
    draw = random.Random(f"{seed} {index}")
    parts = [_part(draw) for _ in range(1 if draw.random() < 0.7 else draw.choice((2, 2, 3)))]
    quantity = draw.choice(("delta", "epsilon"))
    if quantity == "delta":
        at = _log_uniform(draw, 1e-3, 60)
    else:
        at = _log_uniform(draw, 1e-300, 0.5) if draw.random() < 0.3 else _log_uniform(draw, 1e-12, 0.1)
    kinds = {part.get("sampling") for part in parts}
    if "without-replacement" in kinds:
        parts = [part for part in parts if part.get("sampling") in (None, "without-replacement") and "mixture-of-gaussians" not in part]
    symmetric = "without-replacement" in kinds
    if symmetric:
        parts = [part for part in parts if "group" not in part]
    direction = "symmetric" if symmetric else draw.choice(("worst", "remove", "add"))
    return {"quantity": quantity, "spec": parts, "at": at, "digits": draw.choice(_DIGITS), "direction": direction}


def _ask(question: Question, route: str) -> tuple[Fraction, Fraction]:
    from dpbounds import accounting, float64
    from dpbounds.mechanisms import Direction, Relation
    from dpbounds.mechanisms.specs import spec_to_mechanism

    mechanism, quantity = spec_to_mechanism(question["spec"]), question["quantity"]
    if question["direction"] == "symmetric":
        options: dict[str, Any] = {"relation": Relation.SUBSTITUTE}
    else:
        options = {"relation": Relation.ADD_OR_REMOVE, "direction": Direction(question["direction"])}
    if route == "certified":
        found = getattr(accounting, quantity)(mechanism, question["at"], digits=question["digits"], **options)
        if found.enclosure.upper_decimal(3).partition("e-")[2].zfill(9) > "000000330":  # its ends may be too long for fractions
            return Fraction(0), Fraction(1, 10**329)
        return _finite(found.enclosure.lower), _finite(found.enclosure.upper)
    pair = getattr(float64, f"{quantity}_bounds")(mechanism, question["at"], **options)
    return _finite(pair.lower), _finite(pair.upper)


def _finite(value: Any) -> Fraction:
    """The number, or one that is larger than every other answer."""
    return Fraction(10**400) if not isinstance(value, Fraction) and math.isinf(value) else Fraction(value)


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
        unknown = sum(answer.get("error", "").startswith("InputError") for answer in own)
        errors = [answer["error"] for answer in own if "error" in answer and not answer["error"].startswith("InputError")]
        slow = sum(answer["seconds"] > SLOW for answer in own)
        shares = [f"{100 * part / max(1, len(own) - unknown):.1f} %" for part in (len(errors), slow)]
        lines.append(f"{route}: {len(own)} questions, of which {unknown} are about pairs that it does not know")
        lines.append(f"  of the others {shares[0]} without an answer, {shares[1]} above {SLOW} s")
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
