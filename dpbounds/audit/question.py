"""Questions to an accountant: data, how they are read exactly, and how they are written."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dpbounds.mechanisms import Mechanism, specs

COUNTS = ("steps", "epochs", "bins")
"""The keys of a part that say how often something is done."""


@dataclass(frozen=True)
class Question:
    """One question.

    Args:
        quantity: "epsilon", "delta", "rdp" or "sigma".
        spec: parts of the composition; numbers are floats and ints, and exactly these numbers are certified.
        argument: δ, ε, the order, or the pair (ε, δ) of a calibration.
        family: what kind of question it is, for tables.
    """

    quantity: str
    spec: tuple[Mapping[str, Any], ...]
    argument: Any
    family: str = ""

    @property
    def key(self) -> str:
        """A line that identifies the question."""
        return json.dumps([self.quantity, list(self.spec), self.argument])

    @property
    def steps(self) -> int:
        """All uses of all parts."""
        return sum(int(part.get("steps", 1)) for part in flat(self.spec))

    @property
    def releases(self) -> int:
        """All noisy answers of all parts: an epoch of random allocation has one for each batch."""
        return sum(math.prod(int(part.get(key, 1)) for key in COUNTS) for part in flat(self.spec))


def flat(spec: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """A spec without nested parts: k uses of a composition are k uses of each of its parts.

    >>> flat([{"parts": [{"sigma": 1.0, "steps": 2}, {"sigma": 3.0}], "steps": 5}])
    [{'sigma': 1.0, 'steps': 10}, {'sigma': 3.0, 'steps': 5}]
    """
    found: list[Mapping[str, Any]] = []
    for part in spec:
        if "parts" in part:
            outer = int(part.get("steps", 1))
            found += [{**inner, "steps": outer * int(inner.get("steps", 1))} for inner in flat(part["parts"])]
        else:
            found.append(part)
    return found


def filled(part: Mapping[str, Any], value: float) -> dict[str, Any]:
    """The part of a calibration with the noise that was found.

    >>> filled({"steps": 3}, 2.0), filled({"unknown": "laplace-scale"}, 2.0)
    ({'steps': 3, 'sigma': 2.0}, {'laplace-scale': 2.0})
    """
    return {key: entry for key, entry in part.items() if key != "unknown"} | {part.get("unknown", "sigma"): value}


def mechanism_of(spec: Iterable[Mapping[str, Any]]) -> Mechanism:
    """The mechanism of a spec of floats, each read as the rational number that it is, not as the decimal that it prints.

    >>> mechanism_of([{"sigma": 0.1}]).sigma == Fraction(0.1) != Fraction(1, 10)
    True
    """
    return specs.spec_to_mechanism([{key: exactly(value) for key, value in part.items()} for part in flat(spec)])


def exactly(value: Any) -> Any:
    """A float as the rational number that it is; lists and tables likewise; anything else unchanged."""
    if isinstance(value, float):
        return Fraction(value)
    if isinstance(value, Mapping):
        return {key: exactly(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [exactly(entry) for entry in value]
    return value


def grid_hash(questions: Iterable[Question]) -> str:
    """A short hash of the questions of a grid."""
    digest = hashlib.sha256("\n".join(question.key for question in questions).encode())
    return digest.hexdigest()[:16]
