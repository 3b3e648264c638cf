"""Bundles: what a referee unpacks is checked by Python alone, and the same claim gives the same bytes."""

import hashlib
import json
import re
import subprocess
import sys
import zipfile

import pytest

from dpbounds.claims.addresses import address_of, site_of
from dpbounds.cli import main
from dpbounds.errors import InputError

CLAIMS = """from dpbounds.claims import Boxes, Claim
from dpbounds.notation import *
x = nonnegative("x")
bound = claim("log(1 + x) is at most x", [], log(1 + x) <= x, mutant=log(1 + x) <= Rational(9, 10) * x)
wrong = claim("it is not at most x/2", [x <= 1], log(1 + x) <= x / 2)
boxed = Claim(id="boxed", text="by boxes", given=[x <= 3], then=x * exp(-x) <= Rational(1, 2), by=Boxes())
composed = claim("two rounds have a small delta", [], SampledGaussianDelta(1, 2, Rational(1, 2), 2) <= Rational(1, 100))
"""


@pytest.fixture
def packed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(CLAIMS, encoding="utf-8")

    def pack(identifier, name="lemma.zip"):
        assert main(["bundle", identifier, "--path", "mine.py", "-o", name]) == 0
        folder = tmp_path / f"of-{name}"
        with zipfile.ZipFile(name) as archive:
            archive.extractall(folder)
        return folder

    return pack


def checked(folder):
    """By a Python that finds no package, not even this one."""
    return subprocess.run([sys.executable, "-I", "-S", "checkers.pyz"], cwd=folder, capture_output=True, text=True, check=False)


def test_a_referee_needs_python_alone(packed):
    folder = packed("bound")
    done = checked(folder)
    assert done.returncode == 0 and "claim  log(x + 1) <= x" in done.stdout
    evidence = folder / "evidence/bound.jsonl"
    evidence.write_text(evidence.read_text(encoding="utf-8").replace("log(x + 1) <= x", "log(x + 1) <= 0", 1), encoding="utf-8")
    done = checked(folder)
    assert done.returncode == 1 and "REFUSED" in done.stdout


def test_a_cover_too(packed):
    done = checked(packed("boxed"))
    assert done.returncode == 0 and re.search(r"ACCEPTED: boxed: \d+ boxes", done.stdout)


def test_the_readme_names_the_command_the_hash_and_a_sentence(packed):
    folder = packed("bound")
    text = (folder / "README.md").read_text(encoding="utf-8")
    (digest,) = re.findall(r"certificate sha256 (\w{64})", text)
    assert digest == hashlib.sha256((folder / "certificates/bound.json").read_bytes()).hexdigest()
    assert "python3 checkers.pyz" in text and json.loads((folder / "certificates/bound.json").read_text())["statement_hash"] in text
    for name, wanted in re.findall(r"\| `([^`]+)` \| `(\w{64})` \|", text):
        assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == wanted
    assert r"\log \left(1 + x\right) \leq x" in (folder / "statement.tex").read_text(encoding="utf-8")
    assert main(["replay", str(folder / "certificates/bound.json"), "--path", str(folder / "claims")]) == 0


def test_the_same_bytes_every_time(packed, tmp_path):
    packed("bound", "one.zip")
    packed("bound", "two.zip")
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()


def test_a_counterexample_too(packed):
    folder = packed("wrong")
    done = checked(folder)
    assert done.returncode == 0 and "ACCEPTED" in done.stdout and "not log(3/2) <= 1/4" in done.stdout
    assert main(["replay", str(folder / "certificates/wrong.json"), "--path", str(folder / "claims")]) == 0


def test_what_only_the_engine_evaluates_needs_the_library(packed):
    folder = packed("composed")
    text = (folder / "README.md").read_text(encoding="utf-8")
    assert "cannot read this kind" in text and "checkers.pyz" not in text and not (folder / "checkers.pyz").exists()
    assert main(["replay", str(folder / "certificates/composed.json"), "--path", str(folder / "claims")]) == 0


def test_what_cannot_be_packed(packed, capsys):
    for words, says in (
        (["bundle", "bound", "--path", "mine.py"], "--output must name a .zip file"),
        (["bundle", "bond", "--path", "mine.py", "-o", "x.zip"], "no claim is called 'bond'"),
    ):
        assert main(words) == 2
        assert says in capsys.readouterr().err


def test_reports_link_to_the_site_that_is_named(packed, tmp_path, capsys, monkeypatch):
    words = ["report", "mine.py", "--certificates", "kept", "--budget", "20"]
    main([*words, "-o", "plain.html"])
    main([*words, "-o", "linked.html", "--site", "https://example.org/dp"])
    plain, linked = ((tmp_path / name).read_text(encoding="utf-8") for name in ("plain.html", "linked.html"))
    assert "dpbounds check mine.py --only bound" in plain and "#lemma?text=" not in plain
    assert 'href="https://example.org/dp/#lemma?text=from%20dpbounds.claims' in linked
    assert main([*words, "-o", "x.html", "--site", "javascript:alert(1)"]) == 2
    monkeypatch.setenv("DPBOUNDS_SITE_URL", "http://localhost:8000")
    assert site_of() == "http://localhost:8000/"


def test_a_claim_of_the_catalogue_has_its_page(root_of_claims):
    assert address_of("chen2019.claim-25", root_of_claims / "chen2019/chernoff.py", "https://example.org/") == (
        "https://example.org/catalogue/chen2019.claim-25.html"
    )
    with pytest.raises(InputError, match="must begin with https"):
        site_of("example.org")


@pytest.fixture
def root_of_claims():
    from dpbounds.claims.catalogue import catalogue_folder

    return catalogue_folder()
