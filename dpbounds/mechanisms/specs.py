"""Mechanism specifications: the one text form of a mechanism, for options, files and results.

A specification is a list of objects, one for each part of a composition, such as
`{"sigma": "1.5", "sampling": "poisson", "q": "0.01", "steps": 500}`. Numbers are decimal or fraction strings, or JSON
numbers read as decimals. `spec_to_mechanism` and `mechanism_to_spec` are inverse to each other.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import cache
from typing import Any

from dpbounds.errors import InputError, other_name
from dpbounds.mechanisms import (
    Composed,
    FixedSizeSampling,
    GroupPoissonSampling,
    Mechanism,
    Noise,
    PoissonSampling,
    RandomAllocation,
    Relation,
    Sampled,
    Sampling,
    TruncatedPoissonSampling,
    WithReplacementSampling,
    repeated,
)
from dpbounds.mechanisms.registry import readable_noises, readable_parameters
from dpbounds.mechanisms.training import OLDER_NAMES, run_in_steps
from dpbounds.numbers import exact

SAMPLINGS = ("none", "poisson", "truncated-poisson", "without-replacement", "with-replacement", "random-allocation")
RUN = ("records", "batch", "epochs", "rounding", "library")
"""Keys of a training run (`mechanisms.training`)."""


@cache
def keys() -> tuple[str, ...]:
    """All keys of an object.

    >>> "sigma" in keys()
    True
    """
    return (*readable_parameters(), "sampling", "q", "group", *RUN, "batch-limit", "steps", "bins", "participations")


def part_to_mechanism(part: Mapping[str, Any], where: str = "mechanism", prefix: str = "") -> Mechanism:
    """Read one object of a specification.

    Args:
        part: keys of `keys()`; a value None counts as absent. Exactly one noise key is needed; `table` is an object
            `{"p": [...], "q": [...]}`.
        where: how error messages call the object.
        prefix: what error messages put before a key (the command line uses `--`).

    Raises:
        InputError: unknown keys, no noise or two, or sampling options that do not fit together.

    >>> part_to_mechanism({"sigma": "1.5", "q": "0.01", "steps": 500}).steps
    500
    """
    given = {key.replace("_", "-"): value for key, value in part.items() if value is not None}
    unknown = sorted(set(given) - {*keys(), *OLDER_NAMES})
    if unknown:
        raise InputError(f"{where}: unknown key {unknown[0]!r}{other_name(unknown[0])}; the keys are {', '.join(keys())}")
    kinds = kinds_of(given)
    if len(kinds) != 1:
        named = ", ".join(f"{prefix}{name}" for name in readable_noises() if name in given) or "none"
        words = [f"{prefix}{name}" for name in readable_noises() if not prefix or readable_parameters()[name].on_command_line]
        raise InputError(f"{where} needs exactly one of {', '.join(words[:-1])} and {words[-1]}, got {named}")
    (kind, named), *_ = kinds.items()
    noise = _noise(named, given, where, prefix)
    if kind.takes:  # a mechanism of its own, sampled or repeated by itself
        return noise
    given, _ = run_in_steps(given, where, prefix)
    sampling = _sampling(given, where, prefix)
    steps = given.get("epochs" if isinstance(sampling, RandomAllocation) else "steps", 1)
    return repeated(noise if sampling is None else Sampled(noise, sampling), steps)


def kinds_of(part: Mapping[str, Any]) -> dict[type[Noise], str]:
    """The kinds of noise that a part names, each with its key; one that takes keys of others stands before them.

    >>> list(kinds_of({"hidden-state": True, "sigma": 1}).values())
    ['hidden-state']
    """
    found = {readable_noises()[name]: name for name in readable_noises() if name in part}
    return {kind: name for kind, name in found.items() if kind.takes} or found


def spec_to_mechanism(spec: Sequence[Mapping[str, Any]]) -> Mechanism:
    """Read a specification: the adaptive composition of its objects.

    >>> spec_to_mechanism([{"sigma": 1}, {"laplace-scale": "2.5", "steps": 3}]).parts[1].steps
    3
    """
    if not isinstance(spec, Sequence) or isinstance(spec, str) or not spec:
        raise InputError("a specification must be a non-empty list of mechanism objects")
    parts = []
    for index, part in enumerate(spec, start=1):
        if not isinstance(part, Mapping):
            raise InputError(f"specification, entry {index}: must be an object, got {json.dumps(part, default=str)}")
        parts.append(part_to_mechanism(part, f"specification, entry {index}"))
    return parts[0] if len(parts) == 1 else Composed(parts)


def notes_of(spec: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    """What reading a specification took for granted about epochs and batches, each sentence once.

    >>> notes_of([{"sigma": 1, "records": 1000, "batch": 30, "epochs": 2}])[0]
    '2 epochs of 100/3 steps are 67 steps (rounded up)'
    """
    return tuple(dict.fromkeys(note for part in spec for note in run_in_steps(part, "specification")[1]))


def text_to_spec(text: str) -> list[dict[str, Any]]:
    """Parse the JSON text of a specification; JSON numbers are read as decimals, repeated keys refused.

    >>> text_to_spec('[{"sigma": 1.5, "steps": 3}]')
    [{'sigma': Decimal('1.5'), 'steps': 3}]
    """
    try:
        spec = json.loads(text, parse_float=Decimal, parse_constant=_no_constant, object_pairs_hook=_no_repeats)
    except (ValueError, RecursionError) as error:
        raise InputError(f"the specification is not valid JSON: {error}") from None
    if not isinstance(spec, list):
        raise InputError('the specification must be a JSON list of mechanism objects, such as [{"sigma": "1.5"}]')
    return spec


def journal_to_spec(text: str) -> tuple[list[dict[str, Any]], str]:
    """Read the journal of a noisy training (`dpbounds.sgd`): a line that names its neighbours, then one part for each round.

    Equal rounds in a row become one part. A last line without an end is of a round that never began.

    Returns:
        The specification and the relation.

    >>> row = '{"round": 0, "sigma": "2", "sampling": "poisson", "q": "0.1", "steps": 1}'
    >>> journal_to_spec('{"relation": "add-or-remove"}\\n' + row + "\\n" + row.replace("0", "1", 1) + "\\n")
    ([{'sigma': '2', 'sampling': 'poisson', 'q': '0.1', 'steps': 2}], 'add-or-remove')
    """
    header, *rows = text_to_spec("[" + ",".join(text[: text.rfind("\n") + 1].splitlines()) + "]") or [{}]
    if not isinstance(header, Mapping) or header.get("relation") not in tuple(Relation):
        raise InputError("the specification must be a JSON list of mechanism objects, or a journal whose first line names the relation")
    if header.get("adaptive"):
        raise InputError("the noise of this training followed its outputs: what was executed is no guarantee, its budget is")
    spec: list[dict[str, Any]] = []
    for number, row in enumerate(rows):
        count = "epochs" if isinstance(row, Mapping) and "bins" in row else "steps"
        if not isinstance(row, Mapping) or row.get("round") != number or row.get(count) != 1:
            raise InputError(f"the journal, line {number + 2}: not the round {number} of a training")
        part = {key: value for key, value in row.items() if key != "round"}
        if spec and spec[-1] | {count: 1} == part:
            spec[-1][count] += 1
        else:
            spec.append(part)
    return spec, header["relation"]


def mechanism_to_spec(mechanism: Mechanism) -> list[dict[str, Any]]:
    """Write a mechanism as a specification; exact numbers become strings, steps an integer.

    >>> from dpbounds.mechanisms import Gaussian
    >>> mechanism_to_spec(repeated(Sampled(Gaussian("1.5"), PoissonSampling("0.01")), 500))
    [{'sigma': '1.5', 'sampling': 'poisson', 'q': '0.01', 'steps': 500}]
    """
    rows = [(part, steps, _part(part, steps)) for part, steps in mechanism.counted_parts()]
    return [row for part, steps, row in rows for _ in range(steps if part.noise.takes else 1)]


def _part(part: Noise | Sampled, steps: int) -> dict[str, Any]:
    """One row; the steps of a noise that `takes` them are its own."""
    row = part.noise.to_spec()
    if not part.noise.takes:
        row |= part.sampling.to_spec(steps) if isinstance(part, Sampled) else {"steps": steps}
    return row


def _noise(name: str, given: Mapping[str, Any], where: str, prefix: str) -> Noise:
    kind = readable_noises()[name]
    own = {parameter.key for parameter in kind.parameters} | kind.takes
    for key in given if kind.takes else readable_parameters():
        if key in given and key not in own:
            raise InputError(f"{where}: {prefix}{key} has no meaning with {prefix}{name}; drop one of them")
    for parameter in kind.parameters:
        if parameter.default is None and parameter.key not in {*given, *kind.optional}:
            raise InputError(f"{where}: {prefix}{name} needs {prefix}{parameter.key}")
    return kind.from_spec(given)


def _sampling(given: Mapping[str, Any], where: str, prefix: str) -> Sampling | None:
    named = given.get("sampling", "poisson" if "q" in given else "none")
    if named not in SAMPLINGS:
        instead = "; dpbounds compare has bounds for shuffled epochs" if str(named).startswith("shuffle") else ""
        raise InputError(f"{where}: {prefix}sampling must be one of {', '.join(SAMPLINGS)}, got {named!r}{instead}")
    for name, needed in (("group", "poisson"), ("batch-limit", "truncated-poisson")):
        if name in given and named != needed:
            raise InputError(f"{where}: {prefix}{name} needs {prefix}sampling {needed}")
    if named == "random-allocation":
        extra = [name for name in ("q", "records", "steps") if name in given]
        if extra:
            fix = f"give {prefix}epochs" if extra[0] == "steps" else "drop it"
            raise InputError(f"{where}: {prefix}{extra[0]} has no meaning with {prefix}sampling random-allocation; {fix}")
        if "bins" not in given:
            run = f"{prefix}bins, the steps of an epoch, or {prefix}records and {prefix}batch"
            raise InputError(f"{where}: random-allocation sampling needs {run}")
        return RandomAllocation(given["bins"], given.get("participations", 1))
    for name in ("bins", "participations"):
        if name in given:
            raise InputError(f"{where}: {prefix}{name} needs {prefix}sampling random-allocation")
    fixed = [name for name in ("records", "batch") if name in given]
    if named == "none":
        extra = [*(["q"] if "q" in given else []), *fixed]
        if extra and "sampling" in given:
            raise InputError(f"{where}: {prefix}{extra[0]} has no meaning with {prefix}sampling none; drop one of them")
        if extra:
            raise InputError(f"{where}: {prefix}{extra[0]} needs {prefix}batch, the records of a batch")
        return None
    if named in ("poisson", "truncated-poisson"):
        return _poisson(named, given, fixed, where, prefix)
    if "q" in given and fixed:
        raise InputError(f"{where}: give either {prefix}q or {prefix}records and {prefix}batch, got both")
    if "q" in given and named == "without-replacement":
        rate = exact.rational(given["q"], "q (the sampling rate)")
        if not 0 < rate <= 1:
            raise InputError(f"q (the sampling rate) must lie in (0, 1] for sampling without replacement, got {exact.text(rate)}")
        return FixedSizeSampling(rate.denominator, rate.numerator)
    if len(fixed) != 2:
        raise InputError(f"{where}: {named} sampling needs {prefix}records and {prefix}batch")
    records, batch = exact.integer(given["records"], "records"), exact.integer(given["batch"], "batch")
    return FixedSizeSampling(records, batch) if named == "without-replacement" else WithReplacementSampling(records, batch)


def _poisson(named: str, given: Mapping[str, Any], fixed: list[str], where: str, prefix: str) -> Sampling:
    if named == "truncated-poisson":
        missing = [name for name in ("q", "records", "batch-limit") if name not in given]
        if missing:
            raise InputError(f"{where}: truncated-poisson sampling needs {' and '.join(prefix + name for name in missing)}")
        return TruncatedPoissonSampling(given["q"], given["records"], given["batch-limit"])
    if fixed or "q" not in given:
        got = f"{prefix}q and {prefix}{fixed[0]}" if fixed and "q" in given else (f"{prefix}{fixed[0]}" if fixed else "nothing")
        raise InputError(f"{where}: poisson sampling takes {prefix}q, or {prefix}records and {prefix}batch, got {got}")
    return PoissonSampling(given["q"]) if given.get("group", 1) == 1 else GroupPoissonSampling(given["q"], given["group"])


def _no_constant(name: str) -> Fraction:
    raise ValueError(f"{name} is not a finite number")


def _no_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    names = [name for name, _ in pairs]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"the key {name!r} appears twice")
    return dict(pairs)
