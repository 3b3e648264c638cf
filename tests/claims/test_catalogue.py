"""The catalogue: every claim in its place, its stored certificates current and replayed, and what is quick settled from nothing."""

import json
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from dpbounds.claims import HOLDS, Proof, certificate, run
from dpbounds.claims.collect import collect
from dpbounds.claims.page import page_of
from dpbounds.claims.replay import replay
from dpbounds.claims.sources import BIBLIOGRAPHY
from dpbounds.claims.stored import is_current, store, with_mutant
from dpbounds.claims.verdict import Verdict
from dpbounds.symbols import real

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


# --- stored certificates ---------------------------------------------------------------------------------------------

STORED = ROOT / "proofs/certificates"
FRESH = "python3 make.py certificates (--missing for new claims only) stores them again"
# A cover of more boxes is replayed here and recomputed by `make.py check`, `make.py certificates` and the slow suite.
_MOST_LEAVES = 300


def parts_of(located):
    """Every claim, and every mutant as a claim."""
    return [part for entry in located for part in with_mutant(entry.claim)]


def leaves_of(claim):
    """How many boxes the stored certificate of a claim holds; 0 for points, proofs and claims without one."""
    path = certificate.find(STORED, claim.id)
    return 0 if path is None else certificate.leaves_of(certificate.read(path)["evidence"])


def test_every_stored_certificate_is_about_the_present_text_of_a_claim(located):
    claims = {part.id: part for part in parts_of(located)}
    files = {path.name.removesuffix(".json.gz"): path for path in STORED.iterdir()}
    stale = [name for name in files if name not in claims or not is_current(claims[name], STORED)]
    assert stale == [], FRESH
    assert len(files) > 300 and sum(path.stat().st_size for path in files.values()) < 2_000_000


def test_every_stored_certificate_survives_replay(located):
    """Points and boxes on intervals; proofs step by step, so they are built from nothing here."""
    done = subprocess.run([sys.executable, "-m", "dpbounds", "replay", str(STORED)], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr + FRESH
    assert len(done.stdout.splitlines()) == len(list(STORED.iterdir()))
    shown = dict(line.split(": ", 1) for line in done.stdout.splitlines())
    for entry in located:
        claim, verdict = entry.claim, Verdict[shown[entry.claim.id].split(",")[0]] if entry.claim.id in shown else None
        assert verdict is None or claim.expect.agrees_with(verdict), claim.id
        assert claim.mutant is None or shown.get(f"{claim.id}~mutant", "REFUTED").startswith("REFUTED")


@pytest.fixture(scope="module")
def recomputed(located):
    """The claims that no stored certificate settles, and those that settle quickly."""
    stored = {part.id for part in parts_of(located) if is_current(part, STORED)}
    return [
        entry.claim
        for entry in located
        if not {part.id for part in with_mutant(entry.claim)} <= stored
        or (not isinstance(entry.claim.by, Proof) and all(leaves_of(part) <= _MOST_LEAVES for part in with_mutant(entry.claim)))
    ]


def test_verdicts_from_nothing_are_the_expected_ones(recomputed, tmp_path):
    assert len(recomputed) > 60
    only = [word for claim in recomputed for word in ("--only", claim.id)]
    command = [sys.executable, "-m", "dpbounds", "check", "proofs/", "--workers", "1", "--certificates", str(tmp_path), "--json", *only]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    assert document["schema"] == "dpbounds/1"
    assert {claim.id for claim in recomputed} <= {claim["id"] for claim in document["claims"]}
    assert [claim["id"] for claim in document["claims"] if not claim["as_expected"]] == []
    assert document["counts"]["mutants"] == document["counts"]["mutants_refuted"]
    different = []
    for path in sorted(tmp_path.glob("[!_]*.json")):
        fresh, kept = certificate.read(path), certificate.find(STORED, path.stem)
        if kept is None:
            replay(fresh, next(part for part in parts_of(collect([ROOT / "proofs"])) if part.id == path.stem))
        elif fresh["verdict"] != certificate.read(kept)["verdict"]:
            different.append(path.stem)
    assert different == []


@pytest.mark.slow
def test_everything_from_nothing(located, tmp_path):
    """What `make.py certificates` does: settle all claims and compare with what is stored."""
    rows = store(run.Options(workers=2, certificates=tmp_path / "scratch"), tmp_path / "packed", missing=False)
    assert run.exit_code_of(rows) == 0 and {row.claim.id for row in rows} == {entry.claim.id for entry in located}
    for kept in STORED.iterdir():
        fresh, stored = certificate.read(tmp_path / "packed" / kept.name), certificate.read(kept)
        assert (fresh["verdict"], fresh["method"]) == (stored["verdict"], stored["method"]), kept.name
        if fresh["method"] != "counterexample":  # a search may find another point elsewhere
            assert fresh == stored, kept.name


def test_a_stale_certificate_is_noticed(located, tmp_path):
    claim = next(entry.claim for entry in located if certificate.find(STORED, entry.claim.id) is not None)
    document = certificate.read(certificate.find(STORED, claim.id))
    assert not is_current(claim, tmp_path)
    certificate.pack(document, tmp_path)
    assert is_current(claim, tmp_path)
    other = replace(claim, given=(*claim.given, real("another_variable") >= 0))
    assert not is_current(other, tmp_path)
    (tmp_path / f"{claim.id}.json.gz").write_bytes(b"\x1f\x8b nothing")
    assert not is_current(claim, tmp_path)


def test_rows_of_the_page_are_those_of_the_certificates(located):
    """A row that is out of date fails; `python -m dpbounds.claims.page` writes the page again."""
    row = re.compile(r"^\| `([^`]+)` \|.*$", re.M)
    wanted = {found[1]: found[0] for found in row.finditer(page_of(located, STORED))}
    shown = {found[1]: found[0] for found in row.finditer((ROOT / "docs/catalogue.md").read_text(encoding="utf-8"))}
    assert len(shown) > 150
    assert {name: text for name, text in shown.items() if wanted.get(name) != text} == {}
