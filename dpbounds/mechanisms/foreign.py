"""Descriptions that other accountants write, as plain text: dp_accounting events, Opacus histories, JAX-Privacy parameters.

Nothing is imported from them and nothing is evaluated: a file is JSON, or Python literals with the names of event classes. Numbers count as
the decimals that are printed.

* An event is `{"class_name": "GaussianDpEvent", "noise_multiplier": 1.1}`, as its named tuple has it, or what `print(event)` shows.
* An Opacus history is `accountant.history`, a list of (noise multiplier, sample rate, steps), or a `state_dict` that holds it.
* JAX-Privacy's `DpParams`, its fields as an object or what `print` shows, with `num_updates` beside them.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise
from typing import Any

from dpbounds.errors import InputError, did_you_mean
from dpbounds.mechanisms import (
    Composed,
    FixedSizeSampling,
    Gaussian,
    GroupPoissonSampling,
    Mechanism,
    PoissonSampling,
    Repeated,
    Sampled,
    Sampling,
    TruncatedPoissonSampling,
)
from dpbounds.mechanisms.events import FIELDS, Event, mechanism_of, notes_of
from dpbounds.numbers import exact
from dpbounds.numbers.domains import at_least_one

_LONGEST = 4_000_000
"""Characters of a file: a history of a hundred thousand entries."""
_MEMBER = re.compile(r"<(\w+\.\w+): [^<>]*>")
"""How Python prints a member of an enumeration."""
_PARAMETERS = (
    "noise_multipliers", "num_samples", "delta", "batch_size", "batch_size_scale_schedule", "is_finite_guarantee", "batch_sizes",
    "examples_per_user", "cycle_length", "sampling_method", "truncated_batch_size", "num_updates",
)  # fmt: skip


@dataclass(frozen=True)
class ForeignDescription:
    """What was read, and what must be said beside its values."""

    mechanism: Mechanism
    notes: tuple[str, ...] = ()


def text_to_description(text: str) -> ForeignDescription:
    """Read a description in any of the forms above.

    Raises:
        InputError: text in none of the forms, or a part of it that is refused, by name.

    >>> text_to_description("SelfComposedDpEvent(event=GaussianDpEvent(noise_multiplier=2.0), count=3)").mechanism
    Repeated(mechanism=Gaussian(sigma=Fraction(2, 1)), steps=3)
    >>> text_to_description('[[1.1, 0.01, 500]]').mechanism.steps
    500
    """
    value = _parsed(text)
    if isinstance(value, Event) and value.class_name == "DpParams":
        value = value.fields
    if isinstance(value, Event):
        return ForeignDescription(mechanism_of(value), notes_of(value))
    if isinstance(value, Mapping) and "history" in value:
        value = value["history"]
    if isinstance(value, Mapping) and "noise_multipliers" in value:
        return ForeignDescription(parameters_to_mechanism(value))
    if isinstance(value, (list, tuple)):
        return ForeignDescription(history_to_mechanism(value))
    raise InputError(
        "the event file holds neither a dp_accounting event, nor an Opacus history, nor JAX-Privacy parameters; "
        'an event is {"class_name": "GaussianDpEvent", "noise_multiplier": 1.1}'
    )


def history_to_mechanism(history: Iterable[Any]) -> Mechanism:
    """Opacus: (noise multiplier, sample rate, steps) of each phase of Poisson-sampled Gaussian noise.

    Args:
        history: `accountant.history`, or the entry "history" of its `state_dict()`.

    >>> history_to_mechanism([(1.5, 0.01, 100)]).steps
    100
    """
    parts: list[Mechanism] = []
    for index, entry in enumerate(history, start=1):
        if not isinstance(entry, (list, tuple)) or len(entry) != 3:
            raise InputError(f"history, entry {index}: must be (noise multiplier, sample rate, steps), got {entry!r}")
        sigma, rate, steps = entry
        parts.append(Repeated(Sampled(Gaussian(sigma), PoissonSampling(rate)), steps))
    if not parts:
        raise InputError("the history is empty: nothing was run")
    return parts[0] if len(parts) == 1 else Composed(parts)


def parameters_to_mechanism(given: Mapping[str, Any]) -> Mechanism:
    """JAX-Privacy: the fields of `DpParams`, and `num_updates`.

    Poisson sampling, truncated where `truncated_batch_size` is given, seen by a group of `examples_per_user`; or batches of fixed size.
    A list of (step, noise multiplier) says where the noise changes.

    Raises:
        InputError: fields that are missing or unknown; cycles and changing batch sizes, which are refused by name.

    >>> found = parameters_to_mechanism({"noise_multipliers": 2, "num_samples": 100, "batch_size": 10, "num_updates": 5})
    >>> found.steps, found.mechanism.sampling.q
    (5, Fraction(1, 10))
    """
    for name in given:
        if name not in _PARAMETERS:
            raise InputError(f"DpParams has no field {name!r}{did_you_mean(name, _PARAMETERS)}")
    for name in ("noise_multipliers", "num_samples", "batch_size", "num_updates"):
        if given.get(name) is None:
            raise InputError(f"DpParams needs {name}" + (", the number of steps, beside its own fields" if name == "num_updates" else ""))
    if given.get("cycle_length") not in (None, 1):
        raise InputError(f"cycle_length must be 1: cyclic sampling has no certified bound here, got {given['cycle_length']}")
    if given.get("batch_size_scale_schedule"):
        raise InputError("batch_size_scale_schedule is refused: write each phase as an entry of a history, with its sample rate")
    if given.get("is_finite_guarantee") is False:
        raise InputError("is_finite_guarantee is false: no finite epsilon holds")
    sampling, steps = _jax_sampling(given), at_least_one(given["num_updates"], "num_updates")
    noises = given["noise_multipliers"]
    phases = [tuple(phase) for phase in noises] if isinstance(noises, (list, tuple)) else [(0, noises)]
    if any(len(phase) != 2 for phase in phases):
        raise InputError("noise_multipliers must be a number or a list of (step, noise multiplier)")
    starts = [exact.integer(start, "noise_multipliers, step") for start, _ in phases]
    if not starts or starts[0] != 0 or any(later <= earlier for earlier, later in pairwise(starts)):
        raise InputError(f"noise_multipliers must begin at step 0 and rise in their steps, got {starts}")
    parts: list[Mechanism] = []
    for (_, sigma), (start, end) in zip(phases, pairwise([*(min(start, steps) for start in starts), steps]), strict=True):
        if end > start:
            parts.append(Repeated(Sampled(Gaussian(sigma), sampling), end - start))
    return parts[0] if len(parts) == 1 else Composed(parts)


def _jax_sampling(given: Mapping[str, Any]) -> Sampling:
    records, batch = exact.integer(given["num_samples"], "num_samples"), exact.integer(given["batch_size"], "batch_size")
    if not 1 <= batch <= records:
        raise InputError(f"batch_size must lie between 1 and num_samples = {records}, got {batch}")
    rate, limit = f"{batch}/{records}", given.get("truncated_batch_size")
    group = 1 if given.get("examples_per_user") is None else exact.integer(given["examples_per_user"], "examples_per_user")
    method = str(given.get("sampling_method") or "POISSON").rpartition(".")[2].upper()
    if method == "FIXED_BATCH_SIZE" and limit is None and group == 1:
        return FixedSizeSampling(records, batch)
    if method != "POISSON":
        raise InputError(f"sampling_method must be POISSON, or FIXED_BATCH_SIZE without truncation and groups, got {method}")
    if limit is not None:
        if group > 1:
            raise InputError("examples_per_user beside truncated_batch_size has no certified bound here; drop one of them")
        return TruncatedPoissonSampling(rate, records, limit)
    return PoissonSampling(rate) if group == 1 else GroupPoissonSampling(rate, group)


def _parsed(text: str) -> Any:
    if len(text) > _LONGEST:
        raise InputError(f"the event file has {len(text)} characters; {_LONGEST} are read at most")
    try:
        return _from_json(json.loads(text, parse_float=Decimal))
    except (ValueError, RecursionError):
        pass
    try:
        return _from_node(ast.parse(_MEMBER.sub(r"'\1'", text.strip()), mode="eval").body)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise InputError("the event file is neither JSON nor a Python literal of events") from None


def _from_json(value: Any) -> Any:
    if isinstance(value, list):
        return [_from_json(part) for part in value]
    if not isinstance(value, dict):
        return value
    fields = {name: _from_json(part) for name, part in value.items()}
    if "class_name" not in fields:
        return fields
    fields.pop("module_name", None)
    return _event(str(fields.pop("class_name")), (), fields)


def _from_node(node: ast.expr) -> Any:
    if isinstance(node, ast.Call):
        name = node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id if isinstance(node.func, ast.Name) else ""
        named = {word.arg: _from_node(word.value) for word in node.keywords if word.arg}
        return _event(name, [_from_node(part) for part in node.args], named)
    if isinstance(node, (ast.List, ast.Tuple)):
        return [_from_node(part) for part in node.elts]
    if isinstance(node, ast.Dict) and all(isinstance(key, ast.Constant) for key in node.keys):
        return {key.value: _from_node(part) for key, part in zip(node.keys, node.values, strict=True) if isinstance(key, ast.Constant)}
    if isinstance(node, ast.Name) and node.id in ("inf", "nan"):
        return float(node.id)
    return ast.literal_eval(node)


def _event(name: str, values: Iterable[Any], named: Mapping[str, Any]) -> Event:
    known = _PARAMETERS if name == "DpParams" else FIELDS.get(name)
    if known is None:
        raise InputError(f"there is no event {name!r}{did_you_mean(name, FIELDS)}; known are {', '.join(FIELDS)}")
    positional = list(values)
    if len(positional) > len(known):
        raise InputError(f"{name} has {len(known)} fields, got {len(positional)}")
    fields = dict(zip(known, positional, strict=False))
    for field in named:
        if field not in known or field in fields:
            raise InputError(
                f"{name} has no field {field!r}{did_you_mean(field, known)}" if field not in known else f"{name}: {field} is given twice"
            )
    return Event(name, fields | dict(named))
