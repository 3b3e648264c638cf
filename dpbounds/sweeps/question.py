"""One row of a table as a question: the words of the command line are the columns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

from dpbounds.errors import OTHER_NAMES, DPBoundsError, InputError
from dpbounds.mechanisms import Direction, Guarantee, Mechanism, Relation, libraries
from dpbounds.mechanisms.specs import keys, part_to_mechanism, spec_to_mechanism, text_to_spec
from dpbounds.mechanisms.training import run_in_steps
from dpbounds.numbers import exact

GIVEN = {"epsilon": "delta", "delta": "epsilon", "alpha": "rdp"}
"""What may be given, and what is asked for then."""
CHOICES = {"relation": Relation, "direction": Direction, "guarantee": Guarantee}
COLUMNS = (*keys(), *GIVEN, *CHOICES, "spec", "digits")


@dataclass(frozen=True)
class SweepQuestion:
    """What one row asks.

    Attributes:
        quantity: "epsilon", "delta" or "rdp". argument: the δ, ε or order that is given, exactly.
        part: the columns that describe the mechanism, a training run as its sampling rate and steps.
        options: relation, direction and guarantee as they are given.
        digits: what the row asks for itself, or None.
        notes: what was taken for granted about epochs and batches.
    """

    quantity: str
    argument: exact.Exact
    part: Mapping[str, Any]
    options: Mapping[str, str] = field(default_factory=dict)
    digits: int | None = None
    notes: tuple[str, ...] = ()

    def mechanism(self) -> Mechanism:
        """The mechanism of the row.

        Raises:
            InputError: columns that do not fit together.
        """
        if "spec" in self.part:
            spec = self.part["spec"]
            return spec_to_mechanism(text_to_spec(spec) if isinstance(spec, str) else spec)
        return part_to_mechanism(self.part, "the row")

    @cached_property
    def sampled_gaussian(self) -> tuple[float, float, float] | None:
        """(q, σ, steps) of Poisson sampling with Gaussian noise between neighbours of the default relation, else None."""
        if set(self.part) - {"sigma", "q", "steps", "sampling"} or self.part.get("sampling", "poisson") != "poisson":
            return None
        if (
            not {"sigma", "q"} <= set(self.part)
            or self.options.get("relation", Relation.ADD_OR_REMOVE.value) != Relation.ADD_OR_REMOVE.value
        ):
            return None
        try:
            values = [exact.number(self.part["q"], "q"), exact.number(self.part["sigma"], "sigma")]
            steps = exact.integer(self.part.get("steps", 1), "steps")
        except DPBoundsError:  # said where the mechanism is made
            return None
        rational = all(isinstance(value, Fraction) for value in values)
        return (float(values[0]), float(values[1]), float(steps)) if rational and 1 <= steps < 2**53 else None


def read_row(row: Mapping[str, Any]) -> SweepQuestion:
    """Read a row; empty cells, None and NaN count as absent. A training run in records, batch and epochs is read as `delta` reads it.

    Raises:
        InputError: an unknown column, none or two of epsilon, delta and alpha, a value that is no number.

    >>> found = read_row({"sigma": "1.5", "records": 60000, "batch": 600, "epochs": 10, "delta": "1e-6"})
    >>> found.quantity, found.part["q"], found.part["steps"]
    ('epsilon', Fraction(1, 100), 1000)
    """
    given = {str(key).strip().replace("_", "-"): plain for key, value in row.items() if (plain := _plain(value)) is not None}
    for key in given:
        if key not in COLUMNS:
            known = f": it is called {OTHER_NAMES[key]}" if key in OTHER_NAMES else f"; the columns are {', '.join(COLUMNS)}"
            raise InputError(f"unknown column {key!r}{known}")
    named = [key for key in GIVEN if key in given]
    if len(named) != 1:
        raise InputError(f"a row gives exactly one of {', '.join(GIVEN)}, got {' and '.join(named) or 'none'}")
    options = {key: str(given.pop(key)) for key in CHOICES if key in given}
    for key, value in options.items():
        allowed = [member.value for member in CHOICES[key]]
        if value not in allowed:
            raise InputError(f"{key} must be one of {', '.join(allowed)}, got {value!r}")
    digits = exact.integer(given.pop("digits"), "digits") if "digits" in given else None
    argument = exact.number(given.pop(named[0]), named[0])
    if "spec" in given:
        return SweepQuestion(GIVEN[named[0]], argument, given, options, digits)
    part, notes = run_in_steps(given, "the row")
    if "library" in given and options.get("relation", libraries.RELATION) != libraries.RELATION:
        raise InputError(f"{given['library']} accounts for {libraries.RELATION}, got relation {options['relation']}; leave one out")
    return SweepQuestion(GIVEN[named[0]], argument, part, options, digits, notes)


def _plain(value: Any) -> Any:
    """A value of a frame as a Python object, None where it counts as absent."""
    if isinstance(value, str):
        return value.strip() or None
    if isinstance(value, float):
        return float(value) if value == value else None
    return value.item() if hasattr(value, "item") else value
