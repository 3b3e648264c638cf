"""The catalogue: every claim in its place, its stored certificates current and replayed, and what is quick settled from nothing."""

import json
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from dpbounds.claims import FAILS, HOLDS, OrderRange, certificate, run
from dpbounds.claims.collect import collect
from dpbounds.claims.page import page_of
from dpbounds.claims.replay import replay
from dpbounds.claims.sources import BIBLIOGRAPHY
from dpbounds.claims.stored import is_current, parts_of, store
from dpbounds.claims.verdict import Verdict
from dpbounds.language.functions import MomentConstant
from dpbounds.language.symbols import real

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


NO_OUTCOMES = {
    "chen2019.claim-25",  # numbers of any kind
    "chen2019.claim-25.equality",
    "chen2019.conjecture-1.halves",  # one coordinate of n + 1 laws
    "chen2019.conjecture-1.weights",
    "koskela2020.loss-with-replacement",  # coefficients of a polynomial
    "trustworthy2022.laplace",  # coordinates of a query
}
"""Claims whose families are no probabilities of outcomes."""


def test_a_claim_about_finite_families_of_probabilities_says_so(located):
    families = {entry.claim.id: entry.claim.text for entry in located if entry.claim.families}
    says_so = {name for name, text in families.items() if re.search(r"finitely many (outcomes|secrets)|three outcomes", text)}
    assert says_so == set(families) - NO_OUTCOMES and len(says_so) > 70
    assert not [name for name, text in families.items() if len(re.findall("finitely many|three outcomes", text)) > 1]


def test_the_constant_of_claim_26_is_about_integer_orders(located):
    texts = [entry.claim.text for entry in located if entry.claim.then.has(MomentConstant)]
    assert len(texts) == 9 and all("integer orders" in text for text in texts)


# --- stored certificates ---------------------------------------------------------------------------------------------

STORED = ROOT / "proofs/certificates"
FRESH = "python3 make.py certificates (--missing for new claims only) stores them again"
# A cover of more boxes is replayed here and recomputed by `make.py check`, `make.py certificates` and the slow suite.
_MOST_LEAVES = 300


@pytest.fixture(scope="module")
def parts(located):
    """Every claim, and every mutant as a claim, that has a stored certificate."""
    return {part.id: part for entry in located for part in parts_of(entry.claim)}


def leaves_of(claim):
    """How many boxes the stored certificate of a claim holds; 0 for points and claims without one."""
    path = certificate.find(STORED, claim.id)
    return 0 if path is None else certificate.leaves_of(certificate.read(path)["evidence"])


def test_every_stored_certificate_is_about_the_present_text_of_a_claim(parts):
    files = {path.name.removesuffix(".json.gz"): path for path in STORED.iterdir()}
    stale = [name for name in files if name not in parts or not is_current(parts[name], STORED)]
    assert stale == [], FRESH
    assert len(files) > 200 and sum(path.stat().st_size for path in files.values()) < 1_000_000


def test_every_stored_certificate_survives_replay(located, parts):
    done = subprocess.run([sys.executable, "-m", "dpbounds", "replay", str(STORED)], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr + FRESH
    shown = dict(line.split(": ", 1) for line in done.stdout.splitlines())
    assert len(shown) == len(list(STORED.iterdir()))
    expected = {entry.claim.id: entry.claim.expect for entry in located}
    for name, line in shown.items():
        assert expected.get(name, FAILS).agrees_with(Verdict[line.split(",")[0]]), name


@pytest.fixture(scope="module")
def checked(located, parts, tmp_path_factory):
    """All claims settled from nothing, but those with a stored cover of many boxes."""
    folder = tmp_path_factory.mktemp("certificates")
    short = [e.claim.id for e in located if not any(is_current(p, STORED) and leaves_of(p) > _MOST_LEAVES for p in parts_of(e.claim))]
    only = [word for name in short for word in ("--only", name)]
    command = [sys.executable, "-m", "dpbounds", "check", "proofs/", "--workers", "1", "--certificates", str(folder), "--json", *only]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout), folder


def test_every_verdict_from_nothing_is_the_expected_one(located, checked):
    document, _ = checked
    assert document["schema"] == "dpbounds/1"
    names = {claim["id"] for claim in document["claims"]}
    assert names <= {entry.claim.id for entry in located} and len(names) > len(located) - 12
    assert [claim["id"] for claim in document["claims"] if not claim["as_expected"]] == []
    counts = document["counts"]
    wanted = sum(entry.claim.expect is HOLDS for entry in located if entry.claim.id in names)
    assert counts["mutants"] == counts["mutants_refuted"] >= wanted


def test_stored_verdicts_are_those_found_now(parts, checked):
    _, folder = checked
    for path in sorted(folder.glob("[!_]*.json")):
        fresh, kept = certificate.read(path), certificate.find(STORED, path.stem)
        if kept is not None:
            assert fresh["verdict"] == certificate.read(kept)["verdict"], path.stem
        elif path.stem in parts and certificate.leaves_of(fresh["evidence"]) <= _MOST_LEAVES:
            # A new claim: what is not stored yet is replayed as it was found.
            assert replay(fresh, parts[path.stem]).verdict.value == fresh["verdict"]


def test_rows_of_the_page_are_those_of_the_run(located, checked):
    """A row that is out of date fails; `python -m dpbounds.claims.page` writes the page again."""
    _, folder = checked
    for path in STORED.iterdir():
        if certificate.find(folder, path.name.removesuffix(".json.gz")) is None:
            certificate.write(certificate.read(path), folder)
    row = re.compile(r"^\| `([^`]+)` \|.*$", re.M)
    wanted = {found[1]: found[0] for found in row.finditer(page_of(located, folder))}
    shown = {found[1]: found[0] for found in row.finditer((ROOT / "docs/catalogue.md").read_text(encoding="utf-8"))}
    assert len(shown) > 150
    assert {name: text for name, text in shown.items() if wanted.get(name) != text} == {}


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


def test_a_stale_certificate_is_noticed(parts, tmp_path):
    claim = next(part for part in parts.values() if "~" not in part.id and certificate.find(STORED, part.id) is not None)
    document = certificate.read(certificate.find(STORED, claim.id))
    assert not is_current(claim, tmp_path)
    certificate.pack(document, tmp_path)
    assert is_current(claim, tmp_path)
    other = replace(claim, given=(*claim.given, real("another_variable") >= 0))
    assert not is_current(other, tmp_path)
    assert not is_current(replace(claim, by=OrderRange()), tmp_path)
    (tmp_path / f"{claim.id}.json.gz").write_bytes(b"\x1f\x8b nothing")
    assert not is_current(claim, tmp_path)
