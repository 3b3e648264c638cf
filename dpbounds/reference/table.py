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
from dpbounds.mechanisms.specs import kinds_of, spec_to_mechanism
from dpbounds.numbers import exact
from dpbounds.reference import load_certified

COLUMNS = ("quantity", "mechanism", "argument", "relation", "direction", "guarantee", "lower", "upper", "binary", "regime")
SCHEMA = {
    "quantity": "delta, epsilon, rdp, or rho: the least of zCDP",
    "mechanism": "JSON specification, as for --spec",
    "argument": "epsilon for delta, delta for epsilon, the order alpha for rdp; for rho 1, above which alpha lies",
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
    def number(self) -> float:
        """The argument as the nearest float: δ of an ε, ε of a δ, the order of a Rényi divergence."""
        return float(self.argument_value)

    @property
    def parts(self) -> tuple[dict[str, Any], ...]:
        """The parts of the composition with floats for numbers, exactly the same numbers where `binary` is true.

        >>> load_table()[0].parts
        ({'sigma': 50.0, 'sampling': 'poisson', 'q': 0.5, 'steps': 10000},)
        """
        return tuple({key: _in_floats(key, value) for key, value in part.items()} for part in json.loads(self.spec))

    @property
    def part(self) -> dict[str, Any]:
        """The only part.

        Raises:
            InputError: there are several.
        """
        if len(self.parts) != 1:
            raise InputError(f"{self.id} has {len(self.parts)} parts; read them from .parts")
        return self.parts[0]

    @property
    def size(self) -> tuple[int, int, int]:
        """Smaller is simpler: number of parts, then uses, then the length of what is written."""
        parts = json.loads(self.spec)
        return len(parts), sum(int(part.get("steps", 1)) for part in parts), len(self.spec) + len(self.argument)

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


_NOT_FLOATS = (
    "hidden-state", "matrix", "min-sep", "shuffle", "others", "randomizer", "sampling", "steps", "answers", "sensitivity", "group",
    "bins", "population", "batch-size", "batch-limit", "records",
)  # fmt: skip


def _in_floats(key: str, value: Any) -> Any:
    """A value of a specification with floats for numbers; counts and words stay."""
    if key in _NOT_FLOATS:
        return value
    if isinstance(value, dict):
        return {inner: _in_floats(inner, numbers) for inner, numbers in value.items()}
    return [_in_floats(key, number) for number in value] if isinstance(value, list) else float(exact.rational(value))


def _short(value: Any) -> str:
    """A value of a specification without brackets: numbers of lists and tables by commas."""
    if isinstance(value, dict):
        value = [number for row in value.values() for number in row]
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)


def load_table(path: Path | None = None) -> tuple[TableRow, ...]:
    """Read the reference table.

    Args:
        path: another table of the same form, or the file certified.jsonl of a data set (`dpbounds.reference.dataset`), compressed or not;
            None for the table in the package.

    Raises:
        InputError: a file that is not such a table.

    >>> len(load_table()) >= 2000
    True
    """
    if path is None:
        data = resources.files("dpbounds.reference").joinpath("data/table.csv.gz").read_bytes()
    elif ".jsonl" in path.suffixes:
        return _rows_of_dataset(path)
    else:
        data = path.read_bytes()
    try:
        rows = list(csv.reader(io.StringIO(gzip.decompress(data).decode("utf-8"))))
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"the reference table cannot be read: {error}") from None
    if not rows or tuple(rows[0]) != COLUMNS:
        raise InputError(f"the reference table must have the columns {', '.join(COLUMNS)}")
    return tuple(read_row(cells) for cells in rows[1:])


def _rows_of_dataset(path: Path) -> tuple[TableRow, ...]:
    try:
        return tuple(
            TableRow(
                *(row["quantity"], json.dumps(row["mechanism"]), exact.text(row["argument"]), row["relation"], row["direction"]),
                *(row["lower_is_of"], exact.text(row["lower"]), exact.text(row["upper"]), row["binary"], row["regime"]),
            )
            for row in load_certified.load(str(path))
        )
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path} is no data set of certified values: {error}") from None


def rows_where(
    rows: Iterable[TableRow],
    *,
    noise: str | None = None,
    sampling: str | None = None,
    single: bool = False,
    most: int | None = None,
    **fields: Any,
) -> tuple[TableRow, ...]:
    """The rows whose fields have the given values.

    Args:
        rows: such as `load_table()`.
        noise: the key of the noise of every part, such as "sigma" or "laplace-scale"; None for any.
        sampling: "none", "poisson" or another one, of every part; None for any.
        single: one part only.
        most: at most so many, evenly spread; None for all.
        fields: `quantity`, `relation`, `direction`, `guarantee` ("mechanism" where it is not given), `binary`, `regime`. The direction
            "worst" takes "symmetric" too; None takes any value.

    Raises:
        InputError: no such field.

    >>> rows_where(load_table(), quantity="epsilon", noise="sigma", sampling="none", single=True, most=1)[0].spec
    '[{"sigma": "1.5", "steps": 1}]'
    """
    wanted = {"guarantee": "mechanism", **fields}
    if unknown := [name for name in wanted if name not in TableRow.__dataclass_fields__]:
        raise InputError(f"a row has no {unknown[0]}; it has {', '.join(TableRow.__dataclass_fields__)}")
    found = []
    for row in rows:
        parts = json.loads(row.spec)
        if (
            all(
                value is None or getattr(row, name) == value or (getattr(row, name), value) == ("symmetric", "worst")
                for name, value in wanted.items()
            )
            and (noise is None or all(noise in kinds_of(part).values() for part in parts))
            and (sampling is None or all(part.get("sampling", "none") == sampling for part in parts))
            and (not single or len(parts) == 1)
        ):
            found.append(row)
    return tuple(found if most is None or most >= len(found) else found[:: -(-len(found) // most)])


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
