"""The data set: the same rows in both forms, the schema, the loader without dpbounds, and the way back into the table."""

import csv
import io
import json
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest

from dpbounds.errors import InputError
from dpbounds.reference import load_table
from dpbounds.reference.dataset import FIELDS, about, files_of, main
from dpbounds.reference.load_certified import load
from dpbounds.reference.table import TableRow

TABLE = load_table()


@pytest.fixture(scope="module")
def files():
    return files_of(TABLE, about())


def test_both_forms_have_the_same_rows(files):
    lines = [json.loads(line) for line in files["certified.jsonl"].splitlines()]
    cells = list(csv.DictReader(io.StringIO(files["certified.csv"])))
    assert len(lines) == len(cells) == len(TABLE)
    for line, cell in zip(lines, cells, strict=True):
        assert {key: json.loads(cell[key]) if key in ("mechanism", "binary") else cell[key] for key in FIELDS} == line


def test_every_row_keeps_to_the_schema(files):
    schema = json.loads(files["schema.json"])
    kinds = {"string": str, "array": list, "boolean": bool}
    names = set()
    for line in files["certified.jsonl"].splitlines():
        row = json.loads(line)
        assert list(row) == schema["required"] and row["id"] not in names
        names.add(row["id"])
        for key, rule in schema["properties"].items():
            assert row[key] in rule["enum"] if "enum" in rule else isinstance(row[key], kinds[rule["type"]]), (row["id"], key)
    assert all(rule["description"] for rule in schema["properties"].values())


def test_the_metadata_name_version_date_and_licence(files):
    found = json.loads(files["datacite.json"])
    assert (found["version"], found["dates"][0]["date"]) == (about()["version"], about()["date"])
    assert {"titles", "creators", "publicationYear", "types", "rightsList", "descriptions"} <= set(found)
    assert f"version: {about()['version']}\n" in files["CITATION.cff"]


def test_the_loader_needs_nothing_and_the_table_comes_back(tmp_path):
    assert main([str(tmp_path)]) == 0
    code = "import load; rows = list(load.load()); print(len(rows), all(row['lower'] <= row['upper'] for row in rows))"
    done = subprocess.run([sys.executable, "-S", "-c", code], cwd=tmp_path, env={}, capture_output=True, text=True)
    assert done.stdout == f"{len(TABLE)} True\n", done.stderr
    lines = [
        line
        for line in (Path(__file__).parents[2] / "dpbounds/reference/load_certified.py").read_text().split("def load")[1].splitlines()
        if line.strip()
    ]
    assert len(lines) <= 10
    again = load_table(tmp_path / "certified.jsonl")
    for before, after in zip(TABLE, again, strict=True):
        assert (before.lower_value, before.upper_value, before.argument_value) == (
            after.lower_value,
            after.upper_value,
            after.argument_value,
        )
        for field in fields(TableRow):
            if field.name not in ("spec", "argument", "lower", "upper"):
                assert getattr(before, field.name) == getattr(after, field.name)
        assert json.loads(before.spec) == json.loads(after.spec)


def test_a_compressed_one_and_one_that_is_none(tmp_path):
    assert main([str(tmp_path), "--gzip"]) == 0
    assert sum(1 for _ in load(str(tmp_path / "certified.jsonl.gz"))) == len(TABLE)
    (tmp_path / "other.jsonl").write_text('{"id": 1}\n')
    with pytest.raises(InputError, match="no data set"):
        load_table(tmp_path / "other.jsonl")
