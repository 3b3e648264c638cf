"""`python -m benchmarks.frozen`: about 300 certified results that a change of the inside must keep.

`record` answers the questions of `questions()` and writes `frozen.json` beside this file; those that take longer than `LIMIT` are left
out. `compare` answers the questions in the file again and says where a result differs. A result is kept when the new enclosure overlaps
the old one and has the digits asked for, or when bad input is refused as before. A question that found no digits then may be answered now.
A question may take at most three times the processor time of the record, and all together no more than then.
"""

from __future__ import annotations

import argparse
import json
import random
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from dpbounds.accounting import delta, epsilon
from dpbounds.errors import InputError, PrecisionError
from dpbounds.mechanisms.results import PrivacyResult
from dpbounds.mechanisms.specs import spec_to_mechanism
from dpbounds.renyi.solve import renyi_divergence

FILE = Path(__file__).with_name("frozen.json")
LIMIT = 6
"""Seconds: questions that take longer are not recorded, so that a comparison takes minutes."""
FLOOR = 0.05
"""Seconds below which a time is mostly noise: quicker answers count as this long."""
SLOWER = 3
SPARE = 3
"""Digits that an end has more than were asked for, so that rounding outward does not hide a difference."""

Part = dict[str, Any]


@dataclass(frozen=True)
class Question:
    """A quantity of a mechanism: `spec` is a specification, `at` the ε, δ or order, `extra` the relation, direction or guarantee."""

    family: str
    quantity: str
    spec: list[Part]
    at: str
    digits: int
    extra: dict[str, str]

    def ask(self) -> PrivacyResult:
        """The certified answer."""
        mechanism = spec_to_mechanism(self.spec)
        if self.quantity == "delta":
            return delta(mechanism, self.at, digits=self.digits, **self.extra)
        if self.quantity == "epsilon":
            return epsilon(mechanism, self.at, digits=self.digits, **self.extra)
        return renyi_divergence(mechanism, self.at, digits=self.digits, **self.extra)


@dataclass(frozen=True)
class Answer:
    """The ends as decimals rounded outward, or the kind of the refusal."""

    lower: str = ""
    upper: str = ""
    method: str = ""
    refused: str = ""
    seconds: float = 0.0


class TooSlow(Exception):
    """A question took longer than `LIMIT`."""


def answer(question: Question) -> Answer:
    """Ask and measure the processor time."""
    start = time.process_time()
    try:
        found = question.ask()
    except (InputError, PrecisionError) as error:
        return Answer(refused=type(error).__name__, seconds=round(time.process_time() - start, 4))
    seconds = round(time.process_time() - start, 4)
    lower = found.enclosure.lower_decimal(question.digits + SPARE)
    return Answer(lower, found.enclosure.upper_decimal(question.digits + SPARE), found.method, "", seconds)


def difference(question: Question, before: Answer, now: Answer) -> str | None:
    """What is worse now than it was, or None."""
    if before.refused == "InputError" or now.refused:
        if before.refused == now.refused:
            return None
        if before.refused == "PrecisionError" and now.refused == "InputError":
            return "digits that could not be certified are now refused as bad input"
        return f"refused as {before.refused or 'nothing'} before, as {now.refused or 'nothing'} now"
    if not has_digits(now, question.digits):
        return f"{question.digits} digits asked for, got [{now.lower}, {now.upper}]"
    if before.refused:
        return None
    if not overlap(before, now):
        return f"[{before.lower}, {before.upper}] before, [{now.lower}, {now.upper}] now"
    if max(now.seconds, FLOOR) > SLOWER * max(before.seconds, FLOOR):
        return f"{before.seconds:.2f} s before, {now.seconds:.2f} s now"
    return None


def overlap(left: Answer, right: Answer) -> bool:
    """Whether the two enclosures share a point."""
    if "inf" in (left.lower, right.lower):
        return left.lower == right.lower
    return Fraction(left.lower) <= Fraction(right.upper) and Fraction(right.lower) <= Fraction(left.upper)


def has_digits(found: Answer, digits: int) -> bool:
    """Whether upper − lower ≤ 10^{1−digits}·upper."""
    if found.lower == "inf":
        return True
    lower, upper = Fraction(found.lower), Fraction(found.upper)
    return upper - lower <= upper * Fraction(1, 10 ** (digits - 1))


# the questions ------------------------------------------------------------------------------------------------------------------------


def questions() -> Iterator[Question]:
    """The questions in a fixed order, a few more than are recorded."""
    draw = random.Random(20)
    yield from _few_steps(draw)
    yield from _tiny_delta(draw)
    yield from _substitute(draw)
    yield from _products(draw)
    yield from _many_steps(draw)
    yield from _without_sampling(draw)
    yield from _renyi(draw)
    yield from _chosen()


def _few_steps(draw: random.Random) -> Iterator[Question]:
    for index in range(115):
        noise = {"laplace-scale": _log(draw, 0.4, 6)} if index % 8 == 7 else {"sigma": _log(draw, 0.35, 5)}
        part = noise | {"q": _log(draw, 5e-4, 0.5), "steps": draw.choice((2, 3, 4, 5, 7, 10, 15, 20))}
        yield _either(draw, "few steps", [part], 12, draw.choice(("remove", "add")))


def _tiny_delta(draw: random.Random) -> Iterator[Question]:
    for index in range(40):
        part: Part = {"sigma": _log(draw, 0.6, 8), "steps": draw.choice((10, 50, 300, 2000, 10000))}
        if index % 4:
            part["q"] = _log(draw, 1e-3, 0.2)
        target = f"1e-{draw.randrange(25, 320)}"
        yield Question("tiny delta", "epsilon", [part], target, 12, {"direction": "remove"})


def _substitute(draw: random.Random) -> Iterator[Question]:
    for index in range(28):
        part: Part = {"sigma": _log(draw, 0.8, 6), "steps": draw.choice((1, 2, 8, 40, 300, 2000))}
        extra = {"relation": "substitute"}
        if index % 4 == 0:
            part["q"] = _log(draw, 1e-3, 0.3)
        else:
            part |= {"population": draw.randrange(50, 5000), "batch-size": draw.randrange(1, 50)}
            part["sampling"] = "with-replacement" if index % 4 == 3 else "without-replacement"
            if index % 4 > 1:
                extra["guarantee"] = "pair"
        yield _either(draw, "substitute", [part], 12, None, extra)


def _products(draw: random.Random) -> Iterator[Question]:
    table = {"table": {"p": ["1/2", "3/10", "1/5"], "q": ["2/5", "7/20", "1/4"]}}
    for index in range(28):
        others: list[Part] = [
            {"laplace-scale": _log(draw, 1, 10), "steps": draw.randrange(1, 6)},
            {"randomized-response": _log(draw, 0.05, 1), "steps": draw.randrange(1, 8)},
            table | {"steps": draw.randrange(1, 5)},
            {"sigma": _log(draw, 1, 20)},
            {"sigma": _log(draw, 0.7, 4), "q": _log(draw, 0.01, 0.3), "steps": draw.randrange(1, 200)},
            {"laplace-scale": _log(draw, 1, 10), "q": _log(draw, 0.01, 0.3), "steps": draw.randrange(1, 200)},
        ]
        spec = draw.sample(others, 2 + index % 2)
        yield _either(draw, "products", spec, 12, draw.choice(("remove", "add", "worst")))


def _many_steps(draw: random.Random) -> Iterator[Question]:
    for index in range(55):
        noise = {"laplace-scale": _log(draw, 0.6, 8)} if index % 9 == 8 else {"sigma": _log(draw, 0.6, 6)}
        steps = draw.choice((50, 100, 400, 1000, 5000, 20_000, 100_000, 1_000_000))
        part = noise | {"q": _log(draw, 1e-4, 0.1), "steps": steps}
        yield _either(draw, "many steps", [part], draw.choice((12, 15, 25)), draw.choice(("remove", "add", "worst")))


def _without_sampling(draw: random.Random) -> Iterator[Question]:
    for index in range(36):
        noises: list[Part] = [
            {"sigma": _log(draw, 0.3, 30)},
            {"laplace-scale": _log(draw, 0.3, 20)},
            {"randomized-response": _log(draw, 0.01, 2)},
            {"table": {"p": ["7/10", "1/5", "1/10"], "q": ["3/5", "3/20", "1/4"]}},
            {"table": {"p": ["1/100", "59/100", "2/5"], "q": ["0", "3/5", "2/5"]}},
            {"randomized-response": _log(draw, 0.01, 2), "q": _log(draw, 0.01, 0.5)},
        ]
        part = noises[index % 6] | {"steps": draw.choice((1, 2, 5, 30))}
        yield _either(draw, "without sampling", [part], 20, draw.choice(("remove", "worst")))


def _renyi(draw: random.Random) -> Iterator[Question]:
    for index in range(48):
        noises: list[Part] = [
            {"sigma": _log(draw, 0.5, 10)},
            {"sigma": _log(draw, 0.5, 10), "q": _log(draw, 1e-4, 0.5)},
            {"sigma": _log(draw, 0.5, 10), "q": _log(draw, 1e-4, 0.5)},
            {"laplace-scale": _log(draw, 0.5, 10), "q": _log(draw, 1e-4, 0.5)},
            {"randomized-response": _log(draw, 0.01, 2), "q": _log(draw, 0.01, 0.5)},
            {"table": {"p": ["7/10", "1/5", "1/10"], "q": ["3/5", "3/20", "1/4"]}},
            {"laplace-scale": _log(draw, 0.5, 10)},
            {"sigma": _log(draw, 0.5, 10), "q": _log(draw, 1e-3, 0.5), "relation": "substitute"},
        ]
        part = noises[index % 8]
        extra = {"relation": part.pop("relation")} if "relation" in part else {"direction": draw.choice(("remove", "add"))}
        order = draw.choice(("2", "3", "16", "3/2", "1.0001", _log(draw, 1.1, 60)))
        yield Question("renyi", "rdp", [part | {"steps": draw.randrange(1, 100)}], order, draw.choice((12, 15, 30)), extra)


def _chosen() -> Iterator[Question]:
    """Irrational parameters, many digits, values that are 0 or infinite, and refusals."""
    worst = {"direction": "worst"}
    yield Question("irrational", "delta", [{"sigma": "sqrt(2)"}], "log(3)", 20, worst)
    yield Question("irrational", "delta", [{"sigma": "sqrt(2)", "q": "0.01", "steps": 100}], "1", 12, worst)
    yield Question("irrational", "epsilon", [{"randomized-response": "log(3)", "steps": 4}], "exp(-9)", 15, worst)
    yield Question("irrational", "delta", [{"randomized-response": "log(3)", "steps": 4}], "4*log(3)", 15, worst)
    yield Question("irrational", "rdp", [{"sigma": "sqrt(3)", "q": "0.1"}], "sqrt(5)", 15, worst)
    for digits in (40, 60, 80):
        yield Question("digits", "delta", [{"sigma": "1.5", "q": "0.01", "steps": 10_000}], "1", digits, {"direction": "remove"})
        yield Question("digits", "delta", [{"sigma": "2", "q": "0.05", "steps": 300}], "2", digits, {"direction": "add"})
        yield Question("digits", "delta", [{"sigma": "1"}], "1", 5 * digits, worst)
        yield Question("digits", "rdp", [{"sigma": "2", "q": "0.05"}], "7/2", digits, {"direction": "remove"})
    fixed = {"sigma": "1.5", "sampling": "without-replacement", "population": 200, "batch-size": 4}
    for at in ("0.2", "1", "2.5"):
        yield Question("substitute", "delta", [{"sigma": "1.5", "q": "0.05", "steps": 6}], at, 12, {"relation": "substitute"})
        yield Question("substitute", "delta", [fixed | {"steps": 3}], at, 12, {"relation": "substitute", "guarantee": "pair"})
        yield Question("substitute", "delta", [fixed], at, 12, {"relation": "substitute"})
    yield Question("ends", "delta", [{"sigma": "2", "q": "0.01", "steps": 5}], "0.06", 15, {"direction": "add"})
    yield Question("ends", "delta", [{"randomized-response": "1/2", "steps": 4}], "2", 15, worst)
    yield Question("ends", "delta", [{"laplace-scale": "2", "steps": 4}], "3", 15, worst)
    yield Question("ends", "epsilon", [{"table": {"p": ["1/10", "9/10"], "q": ["0", "1"]}}], "0.05", 15, {"direction": "remove"})
    yield Question("ends", "epsilon", [{"sigma": "10"}], "0.9", 15, worst)
    fixed = {"sigma": "1", "sampling": "without-replacement", "population": 100, "batch-size": 1}
    replaced = {"sigma": "1", "sampling": "with-replacement", "population": 100, "batch-size": 5}
    yield Question("refused", "delta", [fixed], "1", 15, {"relation": "add-or-remove"})
    yield Question("refused", "delta", [replaced], "1", 15, {})
    yield Question("refused", "rdp", [fixed], "2", 15, {})
    yield Question("refused", "delta", [{"laplace-scale": "1", "q": "0.1"}], "1", 15, {"relation": "substitute"})
    yield Question("refused", "delta", [{"sigma": "0"}], "1", 15, {})
    yield Question("refused", "delta", [{"sigma": "1", "q": "2"}], "1", 15, {})
    yield Question("refused", "delta", [{"sigma": "1"}], "-1", 15, {})
    yield Question("refused", "epsilon", [{"sigma": "1"}], "1", 15, {})
    yield Question("refused", "rdp", [{"sigma": "1"}], "1", 15, {})
    small = [{"randomized-response": "0.01", "steps": 3000}, {"randomized-response": "0.02", "steps": 3000}]
    yield Question("refused", "delta", small, "5", 15, {})


def _either(
    draw: random.Random, family: str, spec: list[Part], digits: int, direction: str | None, extra: dict[str, str] | None = None
) -> Question:
    """δ at a random ε, or ε at a random δ."""
    extra = (extra or {}) | ({"direction": direction} if direction else {})
    if draw.random() < 0.5:
        return Question(family, "delta", spec, _log(draw, 0.05, 4), digits, extra)
    return Question(family, "epsilon", spec, f"1e-{draw.randrange(2, 13)}", digits, extra)


def _log(draw: random.Random, low: float, high: float) -> str:
    """A random number between the two, uniform on the scale of logarithms, of three digits."""
    return f"{low * (high / low) ** draw.random():.3g}"


# the command --------------------------------------------------------------------------------------------------------------------------


@contextmanager
def limit(seconds: int) -> Iterator[None]:
    """Stop what takes longer."""

    def stop(*_: object) -> None:
        raise TooSlow

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def stored() -> list[tuple[Question, Answer]]:
    """What the file holds."""
    rows = json.loads(FILE.read_text(encoding="utf-8"))
    return [(Question(**row["question"]), Answer(**row["answer"])) for row in rows]


def record() -> None:
    """Answer the questions and write the file."""
    rows, total = [], 0.0
    for question in questions():
        try:
            with limit(LIMIT):
                found = answer(question)
        except TooSlow:
            print(f"left out, slow: {question}", file=sys.stderr)
            continue
        total += found.seconds
        rows.append(json.dumps({"question": asdict(question), "answer": asdict(found)}, ensure_ascii=False))
    FILE.write_text("[\n" + ",\n".join(rows) + "\n]\n", encoding="utf-8")
    print(f"{len(rows)} results, {total:.1f} s of processor time")


def compare(index: int, shards: int) -> int:
    """Answer again what the file holds, every `shards`-th question; the number of differences."""
    wrong, before, now = 0, 0.0, 0.0
    for question, old in stored()[index::shards]:
        try:
            with limit(10 * LIMIT):
                found = answer(question)
                if difference(question, old, found) is not None and found.seconds > SLOWER * old.seconds:
                    found = min(found, answer(question), key=lambda each: each.seconds)  # another program may have been in the way
            said = difference(question, old, found)
        except TooSlow:
            found, said = Answer(seconds=10 * LIMIT), f"{old.seconds:.2f} s before, more than {10 * LIMIT} s now"
        before, now = before + old.seconds, now + found.seconds
        if said is not None:
            wrong += 1
            print(f"{said}\n    {question}", flush=True)
        elif old.refused and not found.refused:
            print(f"answered now: {question}", flush=True)
    print(f"{wrong} differences; {before:.1f} s of processor time before, {now:.1f} s now")
    return wrong + (now > 1.1 * before)


def main() -> None:
    """Read the options and run."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.frozen", description=__doc__)
    parser.add_argument("what", choices=("record", "compare"))
    parser.add_argument("--shard", default="0/1", help="I/N: compare every N-th question only, from the I-th on (0 to N-1)")
    options = parser.parse_args()
    if options.what == "record":
        return record()
    index, shards = (int(part) for part in options.shard.split("/"))
    sys.exit(1 if compare(index, shards) else 0)


if __name__ == "__main__":
    main()
