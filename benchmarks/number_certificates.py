"""Certificates for numbers: written, checked again by `dpbounds.recheck`, compared with the engine, and counted.

    python -m benchmarks.number_certificates coverage
    python -m benchmarks.number_certificates table --every 20
    python -m benchmarks.number_certificates random --count 1000
    python -m benchmarks.number_certificates practice --every 6

`coverage` is a table of laws by numbers of uses by quantities, with the method and the digits or why there is none; an infinite
value is counted apart. `table` takes rows of
the reference table, `--every 1` all of them; `random` asks random questions of every law; `practice` those of `benchmarks.practice`.
With `--answers FOLDER` each answer is kept and a stopped run goes on; `--shard 2/8` does the second of eight parts. A certificate is
wrong if what it shows has nothing in common with what the engine found; then the exit code is 1. Times are of the processor.
"""

from __future__ import annotations

import argparse
import json
import random
import signal
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

from benchmarks import practice
from dpbounds import accounting
from dpbounds.certificates.number import certificate_for, certificate_of
from dpbounds.errors import DPBoundsError
from dpbounds.mechanisms.specs import mechanism_to_spec, spec_to_mechanism
from dpbounds.recheck.check import check
from dpbounds.recheck.numbers import Refused
from dpbounds.recheck.query import ARGUMENTS
from dpbounds.reference.sweep import Answers, Shard, sweep
from dpbounds.reference.table import TableRow, load_table
from dpbounds.renyi import renyi_divergence

SOLVERS: dict[str, Callable[..., Any]] = {"delta": accounting.delta, "epsilon": accounting.epsilon, "rdp": renyi_divergence}
PATIENCE = 20.0
"""Seconds of processor time for one question: to find the number, to write its certificate and to check it."""
TABLE = {"p": ["1/2", "1/3", "1/6"], "q": ["1/6", "1/2", "1/3"]}
LAWS: dict[str, dict[str, Any]] = {
    "Gaussian": {"sigma": "2"},
    "sampled Gaussian": {"sigma": "1", "q": "0.05"},
    "group of records": {"sigma": "2", "q": "0.05", "group": 3},
    "mixture of Gaussians": {"mixture-of-gaussians": "1", "centres": ["0", "1", "2"], "weights": ["0.8", "0.1", "0.1"]},
    "Laplace": {"laplace-scale": "2"},
    "sampled Laplace": {"laplace-scale": "2", "q": "0.05"},
    "randomized response": {"randomized-response": "0.5"},
    "epsilon-delta": {"epsilon-delta": "0.5", "failure": "1e-6"},
    "discrete Laplace": {"discrete-laplace": "2"},
    "sampled discrete Laplace": {"discrete-laplace": "2", "q": "0.05"},
    "discrete Gaussian": {"discrete-gaussian": "2"},
    "sampled discrete Gaussian": {"discrete-gaussian": "2", "q": "0.05"},
    "table": {"table": TABLE},
    "sampled table": {"table": TABLE, "q": "0.05"},
    "without replacement": {"sigma": "2", "sampling": "without-replacement", "population": 100, "batch-size": 3},
    "with replacement, pair": {"sigma": "2", "sampling": "with-replacement", "population": 100, "batch-size": 3},
    "truncated Poisson": {"sigma": "2", "sampling": "truncated-poisson", "q": "0.05", "population": 100, "batch-limit": 20},
    "random allocation": {"sigma": "2", "sampling": "random-allocation", "bins": 10},
    "irrational noise": {"sigma": "sqrt(2)"},
}
ASKED = {"delta": "0.5", "rdp": "2.5"}
"""ε takes the methods of δ, at both ends."""


def question(spec: list[dict[str, Any]], quantity: str, at: str, digits: int, **more: str) -> str:
    """What is asked, as text."""
    return json.dumps({"mechanism": spec, "quantity": quantity, "at": at, "digits": digits, **more})


def row_question(row: TableRow, digits: int) -> str:
    """A row of the reference table, with what it says."""
    query = {
        "quantity": row.quantity,
        ARGUMENTS[row.quantity]: row.argument,
        "mechanism": mechanism_to_spec(row.mechanism),
        "relation": row.relation,
        "direction": row.direction,
        "guarantee": row.guarantee,
    }
    return json.dumps({"query": query, "lower": row.lower, "upper": row.upper, "digits": digits})


def answer(asked: str) -> dict[str, Any]:
    """Write a certificate, check it and compare it with the engine, or with the row."""
    given = json.loads(asked)
    before = signal.signal(signal.SIGVTALRM, _stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, PATIENCE)
    stage = "engine"
    try:
        start = time.process_time()
        if "query" in given:
            lower, upper, stage = given["lower"], given["upper"], "writing"
            text = certificate_for(given["query"], lower, upper, given["digits"])
        else:
            more = {key: given[key] for key in ("guarantee", "direction", "relation") if key in given}
            mechanism = spec_to_mechanism(given["mechanism"])
            try:
                result = SOLVERS[given["quantity"]](mechanism, given["at"], digits=given["digits"], **more)
            except DPBoundsError as reason:
                return {"engine": str(reason)}
            start, stage = time.process_time(), "writing"
            lower, upper, text = result.lower, result.upper, certificate_of(result)
        written, stage = time.process_time(), "check"
        found = check(text)
        checked = time.process_time()
    except Refused as reason:
        return {"refused": str(reason)}
    except DPBoundsError as reason:
        return {"none": str(reason)}
    except Late:
        return {"late": stage}
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
    return {
        "digits": found.digits if found.high > 0 else given["digits"],
        "size": len(text),
        "write": round(written - start, 2),
        "check": round(checked - written, 3),
        "method": methods_of(json.loads(text)["evidence"]),
        "wrong": not (found.low <= Fraction(upper) and Fraction(lower) <= found.high),
    }


class Late(BaseException):
    """Time is up. The checker refuses what fails with an Exception, so this is none."""


def _stop(number: int, frame: object) -> None:
    raise Late


def methods_of(evidence: dict[str, Any]) -> str:
    """The names of the methods of all directions, ends and rational sides."""
    names: list[str] = []
    for part in evidence.values():
        if isinstance(part, dict):
            names += [part["name"]] if "name" in part else methods_of(part.get("evidence", {})).split(", ")
    return ", ".join(dict.fromkeys(name for name in names if name))


def random_questions(count: int, seed: int, digits: int) -> Iterator[str]:
    """Random questions of every law that has certificates, alone and in products."""
    chosen = random.Random(seed)
    pick = chosen.choice
    scales: dict[str, tuple[str, ...]] = {
        "sigma": ("0.7", "1", "1.5", "4"),
        "laplace-scale": ("1", "3", "10"),
        "discrete-gaussian": ("1.5", "3"),
        "discrete-laplace": ("1", "4"),
        "randomized-response": ("0.1", "0.5", "1"),
        "epsilon-delta": ("0.1", "0.5"),
        "mixture-of-gaussians": ("1", "2"),
    }
    for _ in range(count):
        parts: list[dict[str, Any]] = []
        for _ in range(pick((1, 1, 1, 2))):
            name = pick([name for name in LAWS if name not in ("truncated Poisson", "random allocation", "irrational noise")])
            part = dict(LAWS[name])
            for key, values in scales.items():
                if key in part:
                    part[key] = pick(values)
            if "q" in part:
                part["q"] = pick(("0.003", "0.02", "0.1", "0.6"))
            heavy = "Gaussian" in name or "replacement" in name or "group" in name
            parts.append(part | {"steps": pick((1, 2, 10, 60, 400)) if heavy else pick((1, 2, 5, 12))})
        quantity = pick(("delta", "delta", "rdp", "epsilon"))
        at = {"delta": pick(("0.1", "1", "2.5")), "rdp": pick(("1.5", "4")), "epsilon": pick(("1e-3", "1e-6"))}[quantity]
        batches = [part["sampling"] for part in parts if "sampling" in part]
        more = {"guarantee": "pair"} if "with-replacement" in batches else {}
        yield question(parts, quantity, at, digits, **more)


def coverage_questions() -> dict[tuple[str, str, str], str]:
    """(law, uses, quantity) to what is asked."""
    found = {}
    for name, part in LAWS.items():
        more = {"guarantee": "pair"} if name == "with replacement, pair" else {}
        for uses, spec in (
            ("1 use", [part]),
            ("2 uses", [part | ({"epochs": 2} if "bins" in part else {"steps": 2})]),
            ("100 uses", [part | ({"epochs": 100} if "bins" in part else {"steps": 100})]),
        ):
            for quantity, at in ASKED.items():
                larger = "2" if uses == "100 uses" and quantity == "delta" else at
                found[name, uses, quantity] = question(spec, quantity, larger, 8, **more)
    return found


def summary(answers: list[dict[str, Any]]) -> list[str]:
    """How many have a certificate, why others have none, and sizes and times."""
    done = [each for each in answers if "digits" in each]
    infinite = [each for each in answers if "is infinite" in each.get("none", "")]
    asked = [each for each in answers if "engine" not in each and each.get("late") != "engine" and each not in infinite]
    lines = [f"{len(done)} of {len(asked)} numbers have a certificate; {sum(each['wrong'] for each in done)} contradict the engine"]
    lines.append(f"{sum('refused' in each for each in answers)} written certificates were refused")
    if infinite:
        lines.append(f"{len(infinite)} questions more have an infinite value, which is no number")
    if len(asked) + len(infinite) < len(answers):
        unanswered = len(answers) - len(asked) - len(infinite)
        lines.append(f"{unanswered} questions more have no answer of the engine, or none in {PATIENCE:.0f} seconds")
    late = Counter(each["late"] for each in asked if "late" in each)
    lines += [f"{count:5} took more than {PATIENCE:.0f} seconds, in {stage}" for stage, count in late.most_common()]
    reasons = Counter(each["none"].split(";")[0].split(", more than")[0] for each in asked if "none" in each)
    lines += [f"{count:5} {reason}" for reason, count in reasons.most_common()]
    lines += [f"{count:5} by {method}" for method, count in Counter(each["method"] for each in done).most_common(12)]
    for key, name in (("size", "bytes"), ("write", "seconds of writing"), ("check", "seconds of check")):
        if values := sorted(each[key] for each in done):
            lines.append(f"{name}: median {statistics.median(values)}, largest {values[-1]}, all {sum(values):.0f}")
    if done:
        lines.append(f"digits: fewest {min(each['digits'] for each in done)}, median {statistics.median(each['digits'] for each in done)}")
    return lines


def _coverage(answers: Answers) -> int:
    asked = coverage_questions()
    found = dict(sweep(asked.values(), answer, answers))
    for (law, uses, quantity), text in asked.items():
        each = found[text]
        said = f"{each['digits']} digits by {each['method']}" if "digits" in each else " ".join(f"{key}: {v}" for key, v in each.items())
        print(f"{law} | {uses} | {quantity} | {said[:110]}")
    print(*summary(list(found.values())), sep="\n")
    return any(each.get("wrong") or "refused" in each for each in found.values())


def main() -> int:
    """Print what was found; 1 if a certificate is wrong or refused."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("coverage", "table", "random", "practice"))
    parser.add_argument("--every", type=int, default=1, help="take every n-th question")
    parser.add_argument("--first", type=int, default=0, help="the question to begin with")
    parser.add_argument("--count", type=int, default=1000, help="how many random questions")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--digits", type=int, default=12)
    parser.add_argument("--answers", type=Path, help="a folder for the answers")
    parser.add_argument("--shard", default="1/1")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        answers = Answers(options.answers or Path(folder))
        if options.what == "coverage":
            return _coverage(answers)
        if options.what == "table":
            asked = [row_question(row, options.digits) for row in load_table()]
        elif options.what == "random":
            asked = list(random_questions(options.count, options.seed, min(options.digits, 8)))
        else:
            asked = [question(spec, "epsilon", delta, options.digits) for _, spec, delta in practice.questions()]
        shard = Shard.read(options.shard)
        found = []
        for text, each in sweep([t for t in asked[options.first :: options.every] if shard.has(t)], answer, answers):
            found.append(each)
            if each.get("wrong") or not ("digits" in each or "engine" in each or each.get("late") == "engine"):
                print(json.dumps([text, each]), flush=True)
    print(*summary(found), sep="\n")
    return any(each.get("wrong") or "refused" in each for each in found)


if __name__ == "__main__":
    sys.exit(main())
