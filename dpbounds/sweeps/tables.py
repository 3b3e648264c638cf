"""Tables in and out: CSV, JSON lines, lists of mappings, and frames of pandas and polars, neither of which is imported."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

from dpbounds.errors import InputError

Row = Mapping[str, Any]
SUFFIXES = (".csv", ".jsonl", ".ndjson")


def rows_of(table: Any) -> list[Row]:
    """The rows of a frame or of an iterable of mappings.

    Raises:
        InputError: something else.

    >>> rows_of([{"sigma": 1}])
    [{'sigma': 1}]
    """
    if hasattr(table, "to_dicts"):  # polars
        return list(table.to_dicts())
    if hasattr(table, "to_dict") and hasattr(table, "columns"):  # pandas
        return list(table.to_dict(orient="records"))
    if isinstance(table, (str, bytes, Mapping)) or not isinstance(table, Iterable):
        raise InputError(f"rows are a list of mappings, or a frame of pandas or polars, got {type(table).__name__}")
    found = list(table)
    for number, row in enumerate(found, start=1):
        if not isinstance(row, Mapping):
            raise InputError(f"row {number} must be a mapping of columns to values, got {type(row).__name__}")
    return found


def read_table(path: str | Path) -> list[Row]:
    """The rows of a file: CSV with a head line, or JSON lines.

    Raises:
        InputError: a file that cannot be read, is no such table, or has another suffix.
    """
    kind = _kind(path)
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "not UTF-8 text"
        raise InputError(f"cannot read the table {path}: {reason}") from None
    return list(_csv_rows(text, path) if kind == ".csv" else _json_rows(text, path))


def table_text(rows: Sequence[Row], path: str | Path) -> str:
    """The text of a table, of the kind that the name of its file says.

    >>> table_text([{"sigma": "1", "epsilon": "2"}], "answers.csv").split()
    ['sigma,epsilon', '1,2']
    """
    if _kind(path) != ".csv":
        return "".join(json.dumps(row, ensure_ascii=False, default=str) + "\n" for row in rows)
    names = list(dict.fromkeys(name for row in rows for name in row))
    out = io.StringIO()
    writer = csv.DictWriter(out, names, lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: _cell(value) for name, value in row.items()} for row in rows)
    return out.getvalue()


def _kind(path: str | Path) -> str:
    suffix = Path(path).suffix.lower()
    if suffix not in SUFFIXES:
        raise InputError(f"the name of a table ends in {', '.join(SUFFIXES)}, got {path}")
    return suffix


def _csv_rows(text: str, path: str | Path) -> Iterator[Row]:
    reader = csv.DictReader(io.StringIO(text), strict=True)
    try:
        names = reader.fieldnames or []
        if not names:
            raise InputError(f"{path} is empty; its first line names the columns, such as sigma,q,steps,epsilon")
        if twice := next((name for name in names if names.count(name) > 1), None):
            raise InputError(f"{path}: two columns are called {twice!r}; rename or drop one")
        for row in reader:
            if None in row:
                raise InputError(f"{path}, line {reader.line_num}: more cells than columns")
            yield row
    except csv.Error as error:
        raise InputError(f"{path}, line {reader.line_num}: {error}") from None


def _json_rows(text: str, path: str | Path) -> Iterator[Row]:
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line, parse_float=Decimal)
        except (ValueError, RecursionError) as error:
            raise InputError(f"{path}, line {number}: not JSON: {error}") from None
        if not isinstance(row, dict):
            raise InputError(f"{path}, line {number}: a row is an object, got {type(row).__name__}")
        yield row


def _cell(value: Any) -> Any:
    return json.dumps(value, ensure_ascii=False, default=str) if isinstance(value, (dict, list)) else value
