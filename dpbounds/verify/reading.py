"""Statements from TOML files, folders of them, CSV tables, and mappings."""

from __future__ import annotations

import csv
import io
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

from dpbounds.errors import InputError, other_name
from dpbounds.files import read_text
from dpbounds.mechanisms.libraries import RELATION, run_of_library
from dpbounds.mechanisms.registry import plain_noises
from dpbounds.mechanisms.training import ROUNDINGS
from dpbounds.numbers import exact
from dpbounds.numbers.domains import whole_at_least
from dpbounds.verify.formulas import KINDS, Formula, read_formula
from dpbounds.verify.span import Span, read_span
from dpbounds.verify.statement import NOISES, PREMISES, RELATIONS, SAMPLINGS, MechanismUse, PrintedPromise, Statement

_FURTHER = {name: tuple(parameter.key for parameter in kind.parameters[1:]) for name, kind in plain_noises().items()}
"""The other parameters of the noises in files of their own."""
_NAMES = (*NOISES, *_FURTHER)
_OF_A_NOISE = tuple(dict.fromkeys(key for keys in _FURTHER.values() for key in keys))
_PART_KEYS = (*_NAMES, *_OF_A_NOISE, "records", "batch", "q", "epochs", "steps", "rounding", "batch-limit", "group")
_KEYS = (*_PART_KEYS, *KINDS, "library", "parts", "name", "source", "link", "unit", "note", "read", "sampling", "relation", "claim")
_CLAIM = "claim-"
"""Columns of a CSV that belong to the claim."""
_PROMISES = {"epsilon": "delta", "rho": None, "mu": None, "power": "false-positives"}
"""What may be claimed, and what stands beside it."""
_SHARED = ("records", "batch", "q", "rounding", "batch-limit")
"""Keys that all parts may share, and that mean nothing beside a premise."""
UNSTATED_SAMPLINGS = ("poisson", "without-replacement", "shuffled", "none")
"""What "sampling unstated" is read as: the four ways in which batches are drawn in practice."""


@dataclass(frozen=True)
class Unread:
    """A statement, or a whole file, that cannot be read.

    Args:
        name: the name of the statement, "" where it has none.
        reason: the error, one line.
    """

    name: str
    reason: str


def read_statements(paths: Iterable[Path]) -> tuple[Statement, ...]:
    """Read every statement of the files, and of the `.toml` files of the folders.

    Raises:
        InputError: a file that cannot be read, and whatever `read_statement` refuses.

    >>> read_statements([])
    ()
    """
    found = []
    for entry in read_each(paths):
        if isinstance(entry, Unread):
            raise InputError(entry.reason)
        found.append(entry)
    return tuple(found)


def read_each(paths: Iterable[Path]) -> Iterator[Statement | Unread]:
    """The same, with what cannot be read in its place, so that it does not hide the others.

    Raises:
        InputError: a folder without a statement file.
    """
    for path in paths:
        files = sorted(path.rglob("*.toml")) if path.is_dir() else [path]
        if not files:
            raise InputError(f"{path} holds no .toml file; give a statement file or a folder of them")
        for file in files:
            yield from _of_file(file)


def _of_file(path: Path) -> Iterator[Statement | Unread]:
    try:
        entries = _tables_of(path)
    except InputError as error:
        yield Unread("", str(error))
        return
    for index, entry in enumerate(entries, start=1):
        try:
            yield read_statement(entry, f"{path.name}, statement {index}")
        except InputError as error:
            yield Unread(str(entry.get("name", "")), str(error))


def _tables_of(path: Path) -> list[Any]:
    if path.suffix == ".csv":
        return _rows_of(path)
    try:
        document = tomllib.loads(read_text(path, "the statement file"), parse_float=Decimal)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        raise InputError(f"{path} is not valid TOML: {error}") from None
    entries = document.get("statement")
    extra = sorted(set(document) - {"statement"})
    if extra or not isinstance(entries, list) or not entries or not all(isinstance(entry, Mapping) for entry in entries):
        got = f"the key {extra[0]!r}" if extra else "none"
        raise InputError(f"{path} must hold [[statement]] tables and nothing else, got {got}")
    return entries


def _rows_of(path: Path) -> list[Any]:
    """The rows of a survey as tables of statements: a column for each key, `claim-epsilon` and `claim-delta` for the claim.

    A column such as `matrix.sigma` belongs to the table `matrix`. Empty cells are left out; readings of sampling and relation are
    separated by semicolons.
    """
    reader = csv.DictReader(io.StringIO(read_text(path, "the table of statements").removeprefix("\ufeff"), newline=""), strict=True)
    entries: list[Any] = []
    try:
        for number, row in enumerate(reader, start=2):
            if None in row or None in row.values():
                raise InputError(f"{path}, line {number} has more or fewer cells than the first line")
            cells = {key.strip(): value.strip() for key, value in row.items() if value.strip()}
            claim = {key.removeprefix(_CLAIM): cells.pop(key) for key in [*cells] if key.startswith(_CLAIM)}
            lists = {key: [word.strip() for word in cells[key].split(";")] for key in ("sampling", "relation") if ";" in cells.get(key, "")}
            tables: dict[str, dict[str, str]] = {}
            for key in [key for key in cells if "." in key]:
                table, _, name = key.partition(".")
                tables.setdefault(table, {})[name] = cells.pop(key)
            entries.append({**cells, **lists, **tables, "claim": claim})
    except csv.Error as error:
        raise InputError(f"{path} is not valid CSV: {error}") from None
    if not entries:
        raise InputError(f"{path} must hold a line of keys, such as sigma,q,steps,sampling,relation,claim-epsilon,claim-delta, and rows")
    return entries


def read_statement(entry: Mapping[str, Any], where: str = "the statement", formula: Formula | None = None) -> Statement:
    """Read one statement.

    Args:
        entry: the keys of a `[[statement]]` table.
        where: how error messages call it.
        formula: the mechanism, where it has a formula of its own and is no table of the entry.

    Raises:
        InputError: unknown keys, no claim, two noises in a part, or no word on sampling or relation where they matter.

    >>> entry = {"sigma": "4", "q": "0.01", "steps": 10, "sampling": "poisson", "relation": "add-or-remove"}
    >>> read_statement(entry | {"claim": {"epsilon": "1", "delta": "1e-5"}}).promise.text()
    '(1, 1e-5)-DP'
    """
    _known(entry, _KEYS, where)
    where = f"{where} ({entry['name']})" if "name" in entry else where
    library = ""
    if "library" in entry:
        if "parts" in entry:
            raise InputError(f"{where}: library describes one run, and this statement has parts; give each part its q and steps")
        run, library = run_of_library(entry, where)
        entry = {**run, "q": exact.text(run["q"]), "relation": RELATION}
    kinds = [kind for kind in KINDS if kind in entry]
    if kinds or formula is not None:
        formula = formula or read_formula(kinds[0], entry[kinds[0]], where)
        extra = [key for key in (*_PART_KEYS, *kinds[1:], "library", "parts", "sampling", "relation") if key in entry]
        if extra:
            raise InputError(f"{where}: {extra[0]} beside {formula.kind} has no meaning; leave it out, or leave out {formula.kind}")
        parts: tuple[MechanismUse, ...] = ()
    elif "parts" in entry:
        repeated = [key for key in (*_NAMES, "steps", "epochs") if key in entry]
        if repeated:
            raise InputError(f"{where}: {repeated[0]} beside parts has no meaning; put it into each part")
        shared = {key: entry[key] for key in _SHARED if key in entry}
        users = {"group": entry["group"]} if "group" in entry else {}
        tables = entry["parts"]
        if not isinstance(tables, list) or not tables or not all(isinstance(table, Mapping) for table in tables):
            raise InputError(f"{where}: parts must be a list of tables")
        parts = tuple(
            _part({**users, **({} if set(PREMISES) & set(table) else shared), **table}, f"{where}, part {index}")
            for index, table in enumerate(tables, start=1)
        )
    else:
        parts = (_part({key: entry[key] for key in _PART_KEYS if key in entry}, where),)
    promise = _promise(entry.get("claim"), where)
    said: dict[str, Any] = {key: str(entry.get(key, "")) for key in ("name", "source", "link", "unit", "note", "read")}
    statement = Statement(parts=parts, samplings=(), relations=(), promise=promise, **said, library=library, formula=formula)
    if statement.is_premise:
        return statement
    samplings = _choices(entry, "sampling", SAMPLINGS, UNSTATED_SAMPLINGS, where)
    relations = _choices(entry, "relation", RELATIONS, RELATIONS[:2], where)
    if "truncated-poisson" not in samplings and any(part.batch_limit is not None for part in parts):
        raise InputError(f"{where}: batch-limit is the size at which a truncated-poisson batch is cut; take it out, or add that sampling")
    unstated = tuple(key for key in ("sampling", "relation") if entry[key] == "unstated")
    return Statement(**{**vars(statement), "samplings": samplings, "relations": relations, "unstated": unstated})


def _choices(entry: Mapping[str, Any], key: str, allowed: tuple[str, ...], unstated: tuple[str, ...], where: str) -> tuple[str, ...]:
    if key not in entry:
        raise InputError(
            f"{where}: {key} is missing, and it has no default because the verdict hangs on it; "
            f"give one of {', '.join(allowed)}, a list of them, or unstated"
        )
    given = entry[key]
    if given == "unstated":
        return unstated
    values = [given] if isinstance(given, str) else given
    if not isinstance(values, list) or not values:
        raise InputError(f"{where}: {key} must be text or a list of texts, got {given!r}")
    for value in values:
        if value not in allowed:
            raise InputError(f"{where}: {key} must be one of {', '.join(allowed)}, or unstated, got {value!r}")
    return tuple(dict.fromkeys(values))


def _part(entry: Mapping[str, Any], where: str) -> MechanismUse:
    _known(entry, _PART_KEYS, where)
    noises = [name for name in _NAMES if name in entry]
    if len(noises) > 1:
        raise InputError(f"{where}: give one of {', '.join(_NAMES)}, got {' and '.join(noises)}")
    further = tuple((key, entry[key]) for key in _OF_A_NOISE if key in entry)
    for key, _ in further:
        if not noises or key not in _FURTHER.get(noises[0], ()):
            raise InputError(f"{where}: {key} beside {noises[0] if noises else 'no noise'} has no meaning; leave it out")
    idle = [key for key in _SHARED if key in entry and noises and noises[0] in PREMISES]
    if idle:
        raise InputError(f"{where}: {idle[0]} beside {noises[0]} has no meaning; a guarantee is of one use, and steps or epochs count uses")
    spans = {key: _positive(entry[key], key, where) for key in ("records", "batch", "q", "epochs", "steps", "batch-limit") if key in entry}
    for key in ("records", "batch", "steps", "batch-limit"):
        if key in spans and (spans[key].low.denominator != 1 or spans[key].high.denominator != 1):
            raise InputError(f"{where}: {key} must be a whole number, got {spans[key].text}")
    if "q" in spans and "batch" in spans:
        raise InputError(f"{where}: give either q or batch and records, got both")
    if "epochs" in spans and "steps" in spans:
        raise InputError(f"{where}: give either epochs or steps, got both")
    rounding = entry.get("rounding")
    if rounding is not None and rounding not in ROUNDINGS:
        raise InputError(f"{where}: rounding must be one of {', '.join(ROUNDINGS)}, got {rounding!r}")
    amount = _positive(entry[noises[0]], noises[0], where) if noises else None
    limit = spans.pop("batch-limit", None)
    group = whole_at_least(exact.without_thousands(entry.get("group", 1)), 1, f"{where}: group (the records of one user)")
    part = MechanismUse(noises[0] if noises else None, amount, rounding=rounding, batch_limit=limit, group=group, further=further, **spans)
    rate, uses = part.rate(), part.uses()
    if rate is not None and rate.high > 1:
        raise InputError(f"{where}: the sampling rate must be at most 1, got {rate.text}")
    if uses is not None and (uses.low.denominator != 1 or uses.high.denominator != 1):
        if rounding == "exact":
            raise InputError(f"{where}: the steps must be a whole number when rounding is exact, got {uses.text}")
        raise InputError(f"{where}: {part.epochs.text if part.epochs else ''} epochs are no whole number of steps; give steps")
    if uses is not None and uses.low < 1:
        raise InputError(f"{where}: there must be at least one step, got {uses.text}")
    return part


def _promise(claim: Any, where: str) -> PrintedPromise:
    if not isinstance(claim, Mapping):
        raise InputError(f'{where}: claim is missing; write claim = {{ epsilon = "8.68", delta = "1e-5" }}')
    kinds = [key for key in _PROMISES if key in claim]
    second = _PROMISES.get(kinds[0]) if kinds else None
    if len(kinds) != 1 or set(claim) - {kinds[0], second} or (kinds[0] == "power" and second not in claim):
        got = ", ".join(map(str, claim)) or "nothing"
        raise InputError(f"{where}: a claim is epsilon, epsilon and delta, rho, mu, or power and false-positives, got {got}")
    value = exact.rational(claim[kinds[0]], f"{where}: claim, {kinds[0]}")
    rate = claim.get(second, 0)
    delta = exact.rational(rate, f"{where}: claim, {second}")
    if value < 0 or (kinds[0] == "power" and value > 1):
        raise InputError(f"{where}: claim, {kinds[0]} must be >= 0{' and <= 1' * (value > 1)}, got {exact.text(value)}")
    if not 0 <= delta < 1 or (kinds[0] == "power" and delta == 0):
        least = "(0" if kinds[0] == "power" else "[0"
        raise InputError(f"{where}: claim, {second} must lie in {least}, 1), got {exact.text(delta)}")
    return PrintedPromise(kinds[0], value, delta, str(claim[kinds[0]]), str(rate))


def _positive(value: Any, key: str, where: str) -> Span:
    span = read_span(exact.without_thousands(value), f"{where}: {key}")
    if span.low <= 0:
        raise InputError(f"{where}: {key} must be > 0, got {span.text}")
    return span


def _known(entry: Mapping[str, Any], keys: tuple[str, ...], where: str) -> None:
    unknown = sorted(set(entry) - set(keys))
    if unknown:
        raise InputError(f"{where}: unknown key {unknown[0]!r}{other_name(unknown[0])}; the keys are {', '.join(keys)}")
