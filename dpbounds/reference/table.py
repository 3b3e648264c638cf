"""The reference table: one certified value a row, as package data.

The file is a gzipped CSV with the columns of `COLUMNS`. Numbers are decimal or fraction strings;
`lower` and `upper` enclose the true value.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from importlib import resources
from pathlib import Path
from typing import Any

from dpbounds.errors import InputError
from dpbounds.mechanisms import Mechanism
from dpbounds.mechanisms.events import event_of
from dpbounds.mechanisms.specs import spec_to_mechanism

COLUMNS = ("quantity", "mechanism", "argument", "relation", "direction", "guarantee", "lower", "upper", "binary", "regime")
SCHEMA = {
    "quantity": "delta, epsilon or rdp",
    "mechanism": "JSON specification, as for --spec",
    "argument": "epsilon for delta, delta for epsilon, the order alpha for rdp",
    "relation": "add-or-remove or substitute",
    "direction": "remove, add, worst or symmetric",
    "guarantee": "mechanism, or pair for the value of a published pair, which need not be that of the mechanism",
    "lower": "certified lower end, at least 20 significant digits",
    "upper": "certified upper end, at least 20 significant digits",
    "binary": "yes if every input is exactly a float64, so that a float64 accountant receives the same input",
    "regime": "why the row is there",
}


@dataclass(frozen=True)
class TableRow:
    """One certified value; see `SCHEMA` for the fields."""

    quantity: str
    spec: str
    argument: str
    relation: str
    direction: str
    guarantee: str
    lower: str
    upper: str
    binary: bool
    regime: str

    @property
    def mechanism(self) -> Mechanism:
        """The mechanism of the row."""
        return spec_to_mechanism(json.loads(self.spec))

    @property
    def argument_value(self) -> Fraction:
        """The argument, exactly; its `float` is exact too where `binary` is true.

        >>> load_table()[0].argument_value
        Fraction(1, 100000000000)
        """
        return Fraction(self.argument)

    @property
    def lower_value(self) -> Fraction:
        """The lower end, exactly."""
        return Fraction(self.lower)

    @property
    def upper_value(self) -> Fraction:
        """The upper end, exactly."""
        return Fraction(self.upper)

    @property
    def key(self) -> tuple[str, ...]:
        """What the row is about, without its value."""
        return (self.quantity, self.spec, self.argument, self.relation, self.direction, self.guarantee)

    @property
    def id(self) -> str:
        """A short name for `pytest.mark.parametrize(..., ids=lambda row: row.id)`.

        >>> load_table()[0].id
        'epsilon-sigma50-poisson-q0.5-steps10000-1e-11-remove'
        """
        texts = [(key, _short(value)) for part in json.loads(self.spec) for key, value in part.items()]
        parts = [f"{key}{text}" for key, text in texts]
        return "-".join([self.quantity, *parts, self.argument, self.direction]).replace("sampling", "").replace(" ", "")

    def dp_event(self) -> Any:
        """The mechanism as an event of dp_accounting, which must be installed.

        Raises:
            InputError: a mechanism that no event describes, such as a table, or dp_accounting is not installed.
        """
        return event_of(self.mechanism).built()

    def cells(self) -> tuple[str, ...]:
        """The cells in the order of `COLUMNS`."""
        return (*self.key, self.lower, self.upper, "yes" if self.binary else "no", self.regime)


def _short(value: Any) -> str:
    """A value of a specification without brackets: numbers of lists and tables by commas."""
    if isinstance(value, dict):
        value = [number for row in value.values() for number in row]
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)


def load_table(path: Path | None = None) -> tuple[TableRow, ...]:
    """Read the reference table.

    Args:
        path: another table of the same form; None for the one in the package.

    Raises:
        InputError: a file that is not such a table.

    >>> len(load_table()) >= 2000
    True
    """
    if path is None:
        data = resources.files("dpbounds.reference").joinpath("data/table.csv.gz").read_bytes()
    else:
        data = path.read_bytes()
    try:
        rows = list(csv.reader(io.StringIO(gzip.decompress(data).decode("utf-8"))))
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"the reference table cannot be read: {error}") from None
    if not rows or tuple(rows[0]) != COLUMNS:
        raise InputError(f"the reference table must have the columns {', '.join(COLUMNS)}")
    return tuple(read_row(cells) for cells in rows[1:])


def save_table(rows: Iterable[TableRow], path: Path) -> None:
    """Write a table; the same rows give the same bytes."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(row.cells() for row in rows)
    path.write_bytes(gzip.compress(text.getvalue().encode("utf-8"), mtime=0))


def read_row(cells: list[str]) -> TableRow:
    """The row of cells in the order of `COLUMNS`."""
    quantity, spec, argument, relation, direction, guarantee, lower, upper, binary, regime = cells
    return TableRow(quantity, spec, argument, relation, direction, guarantee, lower, upper, binary == "yes", regime)
