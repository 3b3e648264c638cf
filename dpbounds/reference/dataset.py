"""Write the data set of certified values: `python -m dpbounds.reference.dataset [FOLDER] [--gzip]`.

The same rows twice, certified.jsonl and certified.csv, with schema.json (JSON Schema), datacite.json (metadata for a DOI, DataCite 4.5),
CITATION.cff, a loader that needs the standard library alone, and a page. The rows are those of the reference table of dpbounds.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import io
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from importlib import resources
from pathlib import Path
from typing import Any

from dpbounds.files import write_output
from dpbounds.reference.table import TableRow, load_table

TITLE = "Certified values of differential privacy: delta, epsilon and Rényi divergences of composed mechanisms"
_TEXT = {"type": "string"}
FIELDS: dict[str, dict[str, Any]] = {
    "id": _TEXT | {"description": "short and unique; what the row is about"},
    "quantity": {
        "enum": ["delta", "epsilon", "rdp", "rho"],
        "description": "what is certified; rdp is the Rényi divergence at a real order alpha, rho the least number with rdp <= alpha*rho",
    },
    "mechanism": {"type": "array", "description": "parts of the composition, as dpbounds --spec reads them; numbers are exact texts"},
    "argument": _TEXT
    | {"description": "epsilon of a delta, delta of an epsilon, the order of a Rényi divergence; 1 for rho, whose orders lie above; exact"},
    "argument_is": {"enum": ["epsilon", "delta", "alpha"], "description": "what the argument is"},
    "unit": {"enum": ["probability", "nats"], "description": "of the ends: delta is a probability, the others are natural logarithms"},
    "relation": {"enum": ["add-or-remove", "substitute"], "description": "which data sets are neighbours"},
    "direction": {
        "enum": ["remove", "add", "worst", "symmetric"],
        "description": "remove: with the record against without it; worst: the larger of both; symmetric: both are equal",
    },
    "lower": _TEXT | {"description": "certified lower end: at most the true value of what lower_is_of names; exact, rounded down"},
    "upper": _TEXT | {"description": "certified upper end: at least the true value of what upper_is_of names; exact, rounded up"},
    "lower_is_of": {
        "enum": ["mechanism", "pair"],
        "description": "mechanism: no smaller guarantee is true; pair: only of the published pair, and the mechanism may do better",
    },
    "upper_is_of": {"enum": ["mechanism"], "description": "the mechanism guarantees this much in every row"},
    "method": _TEXT | {"description": "the function of dpbounds that encloses the value, in ball arithmetic"},
    "binary": {"type": "boolean", "description": "whether every number of the question is exactly a float64"},
    "regime": _TEXT | {"description": "why the row is there"},
    "version": _TEXT | {"description": "version of dpbounds that computed the row"},
    "date": _TEXT | {"format": "date", "description": "when the table was computed"},
}
_METHODS = {
    "delta": "dpbounds.accounting.delta",
    "epsilon": "dpbounds.accounting.epsilon",
    "rdp": "dpbounds.renyi.renyi_divergence",
    "rho": "dpbounds.reference.generate.least_rho",
}
_ARGUMENTS = {"delta": "epsilon", "epsilon": "delta", "rdp": "alpha", "rho": "alpha"}


def about() -> dict[str, str]:
    """Date and version of the table that ships with dpbounds.

    >>> sorted(about())
    ['date', 'version']
    """
    found: dict[str, str] = json.loads(resources.files("dpbounds.reference").joinpath("data/about.json").read_text(encoding="utf-8"))
    return found


def records(rows: Iterable[TableRow], made: dict[str, str]) -> Iterator[dict[str, Any]]:
    """The rows with the keys of `FIELDS`, in their order.

    Args:
        rows: of the table.
        made: date and version, as `about` has them.

    >>> from dpbounds.reference import load_table
    >>> list(next(records(load_table(), about()))) == list(FIELDS)
    True
    """
    seen: dict[str, int] = {}
    for row in rows:
        name = f"{row.id}-{row.relation}" if row.relation == "substitute" else row.id
        seen[name] = seen.get(name, 0) + 1
        found = {
            "id": name if seen[name] == 1 else f"{name}-{seen[name]}",
            "quantity": row.quantity,
            "mechanism": json.loads(row.spec),
            "argument": row.argument,
            "argument_is": _ARGUMENTS[row.quantity],
            "unit": "probability" if row.quantity == "delta" else "nats",
            "relation": row.relation,
            "direction": row.direction,
            "lower": row.lower,
            "upper": row.upper,
            "lower_is_of": row.guarantee,
            "upper_is_of": "mechanism",
            "method": _METHODS[row.quantity],
            "binary": row.binary,
            "regime": row.regime,
        }
        yield found | {"version": made["version"], "date": made["date"]}


def schema() -> dict[str, Any]:
    """The JSON Schema of a row.

    >>> schema()["type"]
    'object'
    """
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": TITLE,
        "type": "object",
        "properties": FIELDS,
        "required": list(FIELDS),
        "additionalProperties": False,
    }


def files_of(rows: Sequence[TableRow], made: dict[str, str]) -> dict[str, str]:
    """The files of the data set: name and text."""
    found = list(records(rows, made))
    table = io.StringIO()
    writer = csv.writer(table, lineterminator="\n")
    writer.writerow(FIELDS)
    for row in found:
        writer.writerow([json.dumps(value) if isinstance(value, (list, bool)) else value for value in row.values()])
    return {
        "certified.jsonl": "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in found),
        "certified.csv": table.getvalue(),
        "schema.json": json.dumps(schema(), ensure_ascii=False, indent=1) + "\n",
        "datacite.json": json.dumps(_datacite(len(found), made), ensure_ascii=False, indent=1) + "\n",
        "CITATION.cff": _citation(made),
        "load.py": resources.files("dpbounds.reference").joinpath("load_certified.py").read_text(encoding="utf-8"),
        "README.md": _page(len(found), made),
    }


def _datacite(rows: int, made: dict[str, str]) -> dict[str, Any]:
    """What a registry of DOIs asks for; the DOI and the publisher are entered there."""
    return {
        "schemaVersion": "http://datacite.org/schema/kernel-4",
        "titles": [{"title": TITLE}],
        "creators": [{"name": "The dpbounds authors", "nameType": "Organizational"}],
        "publicationYear": made["date"][:4],
        "types": {"resourceType": "Certified numerical values", "resourceTypeGeneral": "Dataset"},
        "dates": [{"date": made["date"], "dateType": "Created"}],
        "version": made["version"],
        "language": "en",
        "rightsList": [{"rights": "Apache License 2.0", "rightsIdentifier": "Apache-2.0", "rightsIdentifierScheme": "SPDX"}],
        "subjects": [
            {"subject": word} for word in ("differential privacy", "privacy accounting", "interval arithmetic", "verified numerics")
        ],
        "descriptions": [{"description": f"{rows} enclosures, at least 20 digits each. {_SIGNS}", "descriptionType": "Abstract"}],
        "formats": ["application/jsonl", "text/csv"],
    }


_SIGNS = (
    "The lower end of each is at most the true value and the upper end at least it; where lower_is_of is pair, the lower end is that of a "
    "published dominating pair and only the upper end speaks of the mechanism."
)


def _citation(made: dict[str, str]) -> str:
    lines = [
        "cff-version: 1.2.0",
        "message: If you use these values, please cite the data set with its version.",
        f'title: "{TITLE}"',
        "type: dataset",
        f"version: {made['version']}",
        f"date-released: {made['date']}",
        "license: Apache-2.0",
        "authors:",
        "  - name: The dpbounds authors",
    ]
    return "\n".join(lines) + "\n"


def _page(rows: int, made: dict[str, str]) -> str:
    lines = [
        f"# {TITLE}",
        "",
        f"{rows} rows, computed by dpbounds {made['version']} on {made['date']}. {_SIGNS}",
        "",
        "`certified.jsonl` and `certified.csv` have the same rows; `load.py` reads the first with the standard library alone.",
        "All numbers are texts, decimals or fractions, and exact.",
        "",
        "| key | meaning |",
        "|---|---|",
        *(f"| {name} | {field['description']} |" for name, field in FIELDS.items()),
    ]
    return "\n".join(lines) + "\n"


def main(words: Sequence[str]) -> int:
    """Write the files into a folder."""
    parser = argparse.ArgumentParser(prog="python -m dpbounds.reference.dataset", description="Write the data set of certified values.")
    parser.add_argument("folder", nargs="?", default="certified-values", help="where the files go")
    parser.add_argument("--gzip", action="store_true", help="compress the two large files")
    options = parser.parse_args(words)
    folder = Path(options.folder)
    folder.mkdir(parents=True, exist_ok=True)
    rows = load_table()
    for name, text in files_of(rows, about()).items():
        if options.gzip and name.startswith("certified."):
            (folder / f"{name}.gz").write_bytes(gzip.compress(text.encode("utf-8"), mtime=0))
        else:
            write_output(folder / name, text, "FOLDER")
    print(f"{len(rows)} rows in {folder}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
