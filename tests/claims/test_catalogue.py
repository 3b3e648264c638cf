"""The catalogue: every claim in its place, settled as expected from nothing, its certificates replayed."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from dpbounds.claims import HOLDS
from dpbounds.claims.collect import collect
from dpbounds.claims.page import page_of
from dpbounds.claims.sources import BIBLIOGRAPHY

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def located():
    return collect([ROOT / "proofs"])


def test_a_claim_stands_in_the_folder_of_its_source(located):
    for entry in located:
        source = entry.file.parent.name
        assert source in BIBLIOGRAPHY
        assert entry.claim.id.startswith(f"{source}.")
        assert entry.claim.source[0] == source
        assert entry.claim.expect is not None


def test_every_claim_that_holds_has_a_mutant(located):
    assert not [entry.claim.id for entry in located if entry.claim.expect is HOLDS and entry.claim.mutant is None]


def test_corrections_and_uses_name_claims(located):
    known = {entry.claim.id for entry in located}
    for entry in located:
        named = {*entry.claim.uses, *([entry.claim.corrects] if entry.claim.corrects else [])}
        assert named <= known, entry.claim.id


@pytest.fixture(scope="module")
def checked(tmp_path_factory):
    folder = tmp_path_factory.mktemp("certificates")
    command = [sys.executable, "-m", "dpbounds", "check", "proofs/", "--workers", "1", "--certificates", str(folder), "--json"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout), folder


def test_every_verdict_is_the_expected_one(located, checked):
    document, _ = checked
    assert document["schema"] == "dpbounds/1"
    assert {claim["id"] for claim in document["claims"]} == {entry.claim.id for entry in located}
    assert [claim["id"] for claim in document["claims"] if not claim["as_expected"]] == []
    counts = document["counts"]
    assert counts["total"] == len(located)
    assert counts["mutants"] == counts["mutants_refuted"] >= sum(entry.claim.expect is HOLDS for entry in located)


# Boxes that the small checker needs minutes for; `dpbounds replay` on the folder checks these too.
_MOST_LEAVES = 1500


def leaves_of(path):
    """How many boxes a certificate holds; 0 for points and proofs."""
    return json.loads(path.read_text(encoding="utf-8"))["evidence"].get("leaves", 0)


def test_every_certificate_survives_replay(checked):
    _, folder = checked
    files = [path for path in sorted(folder.glob("[!_]*.json")) if leaves_of(path) <= _MOST_LEAVES]  # not the run's own record
    assert len(files) > 60
    run = subprocess.run([sys.executable, "-m", "dpbounds", "replay", *map(str, files)], cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr
    assert len(run.stdout.splitlines()) == len(files)


def test_rows_of_the_page_are_those_of_the_run(located, checked):
    """A row that is out of date fails; `python -m dpbounds.claims.page` writes the page again."""
    _, folder = checked
    row = re.compile(r"^\| `([^`]+)` \|.*$", re.M)
    wanted = {found[1]: found[0] for found in row.finditer(page_of(located, folder))}
    shown = {found[1]: found[0] for found in row.finditer((ROOT / "docs/catalogue.md").read_text(encoding="utf-8"))}
    assert len(shown) > 150
    assert {name: text for name, text in shown.items() if wanted.get(name) != text} == {}
