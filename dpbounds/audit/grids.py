"""Which questions are asked: grids, drawn with a seed, breadth first.

Breadth of mechanisms finds more than depth of digits, so a grid goes round all families of mechanisms. Every number is a float, and that
float is what is certified.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from dpbounds.audit.question import Question
from dpbounds.errors import InputError
from dpbounds.mechanisms.registry import plain_noises

Part = dict[str, Any]
_REPEATS = 2000
"""So many repeated draws in a row mean that a grid has been asked through."""
_ROUND = 0.7
"""Share of round numbers, such as people use."""
GRIDS = ("practice", "stress", "calibrate", "allocation", "noises", "table")
NESTED = "nested"
"""The family of compositions of compositions, for adapters that nest."""
ALLOCATION = "allocation"
"""The family of each record in one batch of an epoch, drawn at random, for adapters that know it."""
EQUAL = "equal parts"
"""The family of compositions that name one part twice: whoever collects them in a table counts it once."""
_FAMILIES = (
    "tail", "sampled", "plain", "plain twice", EQUAL, "laplace", "response", "sampled and laplace", "sampled and plain", "fixed", NESTED,
    "discrete", "sampled twice", "pure", "coin", "few", "unround", "many parts",
)  # fmt: skip
"""Every kind of composition is a family of its own: what is lost in one is not lost in another."""
_COMPOSED = {
    "plain twice": ("plain", "plain"),
    "sampled and plain": ("sampled", "plain"),
    "sampled and laplace": ("sampled", "laplace"),
    "sampled twice": ("sampled", "sampled"),
    "pure": ("laplace", "response"),
}
_RATES = (1e-4, 1e-3, 0.004, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5)
_EXTREME = (1e-5, 0.75, 0.9, 0.99, 1.0)
_SIGMAS = (0.3, 0.5, 0.6, 0.8, 1.0, 1.1, 1.5, 2.0, 4.0, 8.0, 20.0)
_STEPS = (1, 2, 10, 100, 1000, 10_000, 100_000, 1_000_000)
_DELTAS = (1e-3, 1e-5, 1e-6, 1e-8, 1e-10, 1e-12)
_TAIL = (1e-12, 1e-11, 3e-13, 1e-10, 1e-13, 1e-14)
"""Where the rounding errors of sums in float64 are as large as δ itself, after many uses. They are asked in this turn, the likeliest first:
such questions are slow, and a small budget reaches few of them."""
_COMMON_TAIL = (1e-12, 1e-11, 1e-10)
"""Those of them that people ask for."""
_SMALL = (1e-10, 5e-11, 2e-10, 1e-9, 3.7e-10, 9.9e-11, 1e-11)
"""Around 1e-10, where grids end and sums in float64 lose their digits."""
_ODD_COUNTS = (3, 17, 257, 65_537, 131_071, 999_983, 1_048_577, 16_777_259)
"""Odd counts, and some just beyond powers of two, where counters and tables end."""
_EPSILONS = (0.1, 0.5, 1.0, 2.0, 4.0, 8.0)
_ORDERS = (1.5, 2.0, 2.5, 4.0, 8.0, 16.5, 32.0, 60.5)


def questions_of(grid: str, seed: int) -> Iterator[Question]:
    """The questions of a grid, some thousands of them; the same seed gives the same ones.

    Args:
        grid: "practice" (what people train with), "stress" (tiny and large parameters, fractional orders, unlike parts, fixed batches),
            "calibrate" (noise for a target), "allocation" (random allocation), "noises" (those with a file
            of their own, each its own family), or "table" (the shipped reference table).
        seed: of the draws.

    Raises:
        InputError: no such grid.
    """
    if grid == "table":
        return _table()
    if grid not in GRIDS:
        raise InputError(f"--grid must be one of {', '.join(GRIDS)}, got {grid!r}")
    draw = {"practice": _practice, "stress": _stress, "calibrate": _calibrate, ALLOCATION: _allocation, "noises": _noises}[grid]
    return _drawn(draw, random.Random(f"{grid} {seed}"))


def _drawn(draw: Callable[[random.Random, int], Question], generator: random.Random) -> Iterator[Question]:
    seen: set[str] = set()
    repeats = 0
    for turn in itertools.count():
        question = draw(generator, turn)
        if question.key not in seen:
            seen.add(question.key)
            repeats = 0
            yield question
        elif (repeats := repeats + 1) > _REPEATS:
            return


def _practice(generator: random.Random, turn: int) -> Question:
    family = _FAMILIES[turn % len(_FAMILIES)]
    deltas = {"tail": _in_turn(_COMMON_TAIL, turn), "unround": _SMALL}.get(family, _DELTAS)
    return _asked(family, _spec(family, generator), generator, deltas, _EPSILONS, _ORDERS)


def _in_turn(values: Sequence[float], turn: int) -> tuple[float, ...]:
    """One of the values, the next one each time that the family comes round."""
    return (values[turn // len(_FAMILIES) % len(values)],)


def _stress(generator: random.Random, turn: int) -> Question:
    family = _FAMILIES[turn % len(_FAMILIES)]
    if family == "tail":
        return _asked(family, _spec(family, generator), generator, _in_turn(_TAIL, turn), _EPSILONS, (1.5, 16.5, 60.5))
    spec = _spec(family, generator, wide=True)
    deltas = (0.5, 1e-2, 1e-5, 1e-10, 1e-11, 1e-12, 1e-13, 1e-14, 1e-16, 1e-20, 1e-30)
    orders = (1.0009765625, 1.25, 1.5, 2.75, 7.5, 32.5, 60.5, 128.0, 256.5)
    return _asked(family, spec, generator, deltas, (0.0, 1e-6, 1e-3, 0.1, 1.0, 5.0, 10.0, 20.0), orders)


def _calibrate(generator: random.Random, turn: int) -> Question:
    family = ("once", "plain", "sampled", "wide", "laplace", "discrete", "wide-sampled")[turn % 7]
    part: Part = {"steps": generator.choice((2, 10, 100)) if family == "plain" else 1}
    if family in ("laplace", "discrete"):
        part = {"unknown": {"laplace": "laplace-scale", "discrete": "discrete-gaussian"}[family], "steps": 1}
    if family in ("sampled", "wide-sampled"):
        part = {"sampling": "poisson", "q": generator.choice(_RATES[1:]), "steps": generator.choice(_STEPS[:6])}
    epsilons: tuple[float, ...] = _EPSILONS
    deltas: tuple[float, ...] = _DELTAS
    if family in ("wide", "wide-sampled", "discrete"):
        epsilons, deltas = (0.001, 0.01, 0.1, 1.0, 3.0, 10.0, 20.0, 50.0, 100.0, 1000.0), (0.5, 0.1, *_DELTAS, 1e-14, 1e-16, 1e-20)
    return Question("sigma", (part,), [_pick(generator, epsilons), _pick(generator, deltas)], family)


def _allocation(generator: random.Random, turn: int) -> Question:
    part: Part = {"sigma": _pick(generator, _SIGMAS[2:]), "sampling": "random-allocation"}
    part |= {"bins": generator.choice((2, 3, 10, 100, 1000)), "epochs": generator.choice((1, 2, 10))}
    return _asked(ALLOCATION, (part,), generator, _DELTAS, _EPSILONS, _ORDERS)


def own_noises() -> tuple[str, ...]:
    """The noises with a file of their own whose other parameters have defaults."""
    return tuple(name for name, kind in plain_noises().items() if all(entry.default is not None for entry in kind.parameters[1:]))


def _noises(generator: random.Random, turn: int) -> Question:
    names = own_noises()
    name = names[turn % len(names)]
    part: Part = {name: generator.choice((1.0, 2.0, 4.0, 8.0, 16.0)), "steps": generator.choice((1, 1, 2, 3, 10))}
    if generator.random() < 0.3:
        part |= {"sampling": "poisson", "q": _pick(generator, _RATES), "steps": 1}
    return _asked(name, (part,), generator, _DELTAS, _EPSILONS, _ORDERS)


def _asked(
    family: str,
    spec: tuple[Mapping[str, Any], ...],
    generator: random.Random,
    deltas: tuple[float, ...],
    epsilons: tuple[float, ...],
    orders: tuple[float, ...],
) -> Question:
    kind = generator.choice(("epsilon", "epsilon", "delta", "rdp"))
    argument = _pick(generator, {"epsilon": deltas, "delta": epsilons, "rdp": orders}[kind])
    return Question(kind, spec, argument, family)


def _pick(generator: random.Random, values: Sequence[float]) -> float:
    """One of the values, or now and then a number between them of three digits: faults at round numbers and between them differ."""
    if generator.random() < _ROUND:
        return generator.choice(values)
    low, high = math.log(min(value for value in values if value > 0)), math.log(max(values))
    return float(f"{math.exp(generator.uniform(low, high)):.3g}")


def _spec(family: str, generator: random.Random, wide: bool = False) -> tuple[Mapping[str, Any], ...]:
    rates = (*_RATES, *_EXTREME) if wide else _RATES
    sigmas = (*_SIGMAS, 0.2, 50.0, 100.0) if wide else _SIGMAS
    many = int(_pick(generator, _STEPS))
    if family == "plain":
        return ({"sigma": _pick(generator, sigmas), "steps": many},)
    if family == "laplace":
        part: Part = {"laplace-scale": generator.choice((0.5, 1.0, 2.0, 5.0, 10.0, 100.0)), "steps": min(many, 1000)}
        if generator.random() < 0.4:
            part |= {"sampling": "poisson", "q": _pick(generator, rates), "steps": min(many, 100)}
        return (part,)
    if family == "response":
        return ({"randomized-response": generator.choice((0.1, 0.5, 1.0, 2.0, 5.0)), "steps": min(many, 1000)},)
    if family == "fixed":
        population = generator.choice((100, 1000, 10_000))
        batch = generator.choice((1, 10, population // 10))
        part = {"sigma": generator.choice(sigmas[2:9]), "sampling": "without-replacement", "population": population, "batch-size": batch}
        return (part | {"steps": min(many, 10_000)},)
    if family == EQUAL:
        part = _component(generator.choice(("plain", "sampled", "laplace")), generator, sigmas[4:], rates, many)
        return (part, dict(part))
    if family in _COMPOSED:
        return tuple(_component(kind, generator, sigmas[4:], rates, many) for kind in _COMPOSED[family])
    if family == "discrete":
        name = generator.choice(("discrete-laplace", "discrete-gaussian"))
        return ({name: generator.choice((0.5, 1.0, 2.0, 4.0)), "steps": min(many, 100)},)
    if family == "coin":
        low = generator.choice((0.03125, 0.125, 0.25, 0.375))  # dyadic, so that the float probabilities add up to 1 exactly
        return ({"table": {"p": [1 - low, low], "q": [low, 1 - low]}, "steps": min(many, 100)},)
    if family == "tail":
        part = {"sigma": generator.choice(_SIGMAS[3:9]), "steps": generator.choice((5000, 10_000, 20_000, 100_000))}
        return (part | {"sampling": "poisson", "q": generator.choice(_RATES[1:6])},)
    if family == "unround":
        rate = float(f"{math.exp(generator.uniform(math.log(1e-4), math.log(0.3))):.{generator.choice((3, 5, 7))}g}")
        part = {"sigma": float(f"{generator.uniform(0.6, 8.0):.4g}"), "steps": generator.choice(_ODD_COUNTS)}
        return (part | {"sampling": "poisson", "q": rate} if generator.random() < 0.7 else part,)
    if family == "many parts":
        kinds = generator.choices(("plain", "sampled", "laplace", "response"), k=generator.randint(3, 7))
        return tuple(_component(kind, generator, sigmas[4:], rates, min(many, 100)) for kind in kinds)
    if family == NESTED:
        inside: list[Part] = [{"sigma": generator.choice(sigmas[5:]), "steps": generator.choice((1, 2, 5))} for _ in range(2)]
        if generator.random() < 0.5:
            inside[0] |= {"sampling": "poisson", "q": _pick(generator, rates)}
        return ({"parts": inside, "steps": generator.choice((2, 3, 10, 50))},)
    rate = generator.choice(_EXTREME) if family == "few" and wide else _pick(generator, rates)
    if family == "few":
        many = generator.choice((1, 2, 3, 5))
    return ({"sigma": _pick(generator, sigmas), "sampling": "poisson", "q": rate, "steps": many},)


def _component(kind: str, generator: random.Random, sigmas: Sequence[float], rates: Sequence[float], many: int) -> Part:
    """A part of a composition of unlike parts."""
    if kind == "sampled":
        return {"sigma": _pick(generator, sigmas), "sampling": "poisson", "q": _pick(generator, rates), "steps": min(many, 10_000)}
    few = generator.choice((1, 2, 5, 50) if kind == "plain" else (1, 2, 5))
    return {
        "plain": {"sigma": generator.choice(sigmas), "steps": few},
        "laplace": {"laplace-scale": generator.choice((2.0, 5.0, 20.0)), "steps": few},
        "response": {"randomized-response": generator.choice((0.1, 0.5, 1.0)), "steps": few},
    }[kind]


_TABLE_KEYS = {"sigma", "laplace-scale", "randomized-response", "discrete-laplace", "discrete-gaussian", "sampling", "q", "steps"}


def _table() -> Iterator[Question]:
    """The rows that the adapters can be asked: no tables, groups or unusual sampling."""
    from dpbounds.reference.table import load_table, rows_where

    asked: dict[str, Question] = {}
    for row in rows_where(load_table(), relation="add-or-remove", direction="worst", binary=True):
        if row.direction == "worst" and not any(
            set(part) - _TABLE_KEYS or part.get("sampling", "poisson") != "poisson" for part in row.parts
        ):
            question = Question(row.quantity, row.parts, row.number, "table")
            asked.setdefault(question.key, question)
    yield from asked.values()
