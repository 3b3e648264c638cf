"""Packed certificates and the command that stores those of the catalogue."""

import gzip
import json
import signal
import time
from multiprocessing import active_children

import pytest

from dpbounds.claims import catalogue as places
from dpbounds.claims import run, stored
from dpbounds.claims.collect import collect
from dpbounds.claims.evidence import certificate, replay_files
from dpbounds.cli import main
from dpbounds.errors import CertificateError, InputError

HEAD = "from dpbounds import *\nfrom dpbounds.language.symbols import *\nfrom sympy import *\nx = real('x')\n"
ONE = "a = Claim(id='a', text='', given=[x >= 0, x <= 1], then=x <= 1, by=Boxes(), expect=HOLDS, mutant=Mutant(2*x <= 1))\n"
TWO = "b = Claim(id='b', text='', given=[x >= 0, x <= 1], then=x**2 <= 1, by=Boxes(), expect=HOLDS)\n"
OTHER = "b = Claim(id='b', text='', given=[x >= 0, x <= 1], then=x**2 <= 2, by=Boxes(), expect=HOLDS)\n"


@pytest.fixture
def catalogue(tmp_path, monkeypatch):
    """A small catalogue; a function that writes its file anew."""
    for module in (places, stored):
        monkeypatch.setattr(module, "catalogue_folder", lambda: tmp_path / "proofs")
    count = iter(range(100))

    def write(text):
        for old in (tmp_path / "proofs").glob("*.py"):
            old.unlink()
        (tmp_path / "proofs").mkdir(exist_ok=True)
        (tmp_path / "proofs" / f"topic_{next(count)}.py").write_text(HEAD + text)

    return write


def kept(tmp_path):
    return {path.name: path.stat().st_mtime_ns for path in (tmp_path / "proofs/certificates").iterdir()}


def store(tmp_path, name, missing):
    options = run.Options(certificates=tmp_path / name)
    return [row.claim.id for row in stored.store(options, places.certificates_folder(), missing=missing)]


def test_everything_is_stored_and_what_says_the_same_is_left_alone(catalogue, tmp_path):
    catalogue(ONE + TWO)
    assert store(tmp_path, "first", missing=False) == ["a", "b"]
    before = kept(tmp_path)
    assert set(before) == {"a.json.gz", "a~mutant.json.gz", "b.json.gz"}
    assert store(tmp_path, "second", missing=False) == ["a", "b"] and kept(tmp_path) == before


def test_only_what_is_missing_or_stale_is_settled(catalogue, tmp_path):
    catalogue(TWO)
    store(tmp_path, "first", missing=False)
    catalogue(ONE + TWO)
    assert store(tmp_path, "second", missing=True) == ["a"]
    before = kept(tmp_path)
    catalogue(ONE + OTHER)
    (other,) = (e.claim for e in collect([tmp_path / "proofs"]) if e.claim.id == "b")
    assert not stored.is_current(other, places.certificates_folder())
    assert store(tmp_path, "third", missing=True) == ["b"]
    assert stored.is_current(other, places.certificates_folder())
    after = kept(tmp_path)
    assert after["a.json.gz"] == before["a.json.gz"] and after["b.json.gz"] != before["b.json.gz"]
    assert store(tmp_path, "fourth", missing=True) == []


def test_claims_that_are_no_more_lose_their_certificates(catalogue, tmp_path):
    catalogue(ONE + TWO)
    store(tmp_path, "first", missing=False)
    catalogue(TWO)
    store(tmp_path, "second", missing=True)
    assert set(kept(tmp_path)) == {"b.json.gz"}


@pytest.mark.parametrize("few", [20, 1], ids=["one process", "workers"])
def test_a_claim_that_states_something_else_is_told_of(catalogue, tmp_path, monkeypatch, few):
    """Whether certificates are checked beside the claim files or after them."""
    catalogue(ONE + TWO)
    store(tmp_path, "first", missing=False)
    catalogue(ONE + OTHER)
    monkeypatch.setattr(replay_files, "_FEW", few)
    files = sorted(places.certificates_folder().iterdir())
    found = {file.name: (line, good) for file, line, good in replay_files.replay_files(files, [str(tmp_path / "proofs")], 2)}
    assert [found[name][1] for name in ("a.json.gz", "a~mutant.json.gz", "b.json.gz")] == [True, True, False]
    assert "FAILED: b: the certificate is about another statement than the claim" in found["b.json.gz"][0]


def test_a_claim_file_that_cannot_be_read_is_told_of_before_anything_is_replayed(catalogue, tmp_path, monkeypatch):
    catalogue(ONE + TWO)
    store(tmp_path, "first", missing=False)
    catalogue("1 / 0")
    monkeypatch.setattr(replay_files, "_alone", lambda *asked: pytest.fail("a certificate is replayed"))
    with pytest.raises(InputError, match="ZeroDivisionError"):
        next(replay_files.replay_files(sorted(places.certificates_folder().iterdir()), [str(tmp_path / "proofs")], 1))


def test_workers_end_where_a_claim_file_cannot_be_read(catalogue, tmp_path, monkeypatch):
    """Nobody waits for the certificates that they are at."""
    catalogue(ONE + TWO)
    store(tmp_path, "first", missing=False)
    begun, others = [], active_children()

    def unreadable(folders):
        begun.extend(child for child in active_children() if child not in others)
        raise InputError("a claim file")

    monkeypatch.setattr(replay_files, "_FEW", 1)
    monkeypatch.setattr(replay_files, "_claims_in", unreadable)
    with pytest.raises(InputError, match="a claim file"):
        next(replay_files.replay_files(sorted(places.certificates_folder().iterdir()), [str(tmp_path / "proofs")], 2))
    end = time.monotonic() + 20
    while any(child.exitcode is None for child in begun) and time.monotonic() < end:
        time.sleep(0.05)  # `join` may return before the exit code is known: the pool waits for the same process
    assert begun and {child.exitcode for child in begun} == {-signal.SIGKILL}


def test_packed_certificates_are_replayed(catalogue, tmp_path, capsys):
    catalogue(ONE + TWO)
    store(tmp_path, "first", missing=False)
    folder = tmp_path / "proofs/certificates"
    assert main(["replay", str(folder), "--path", str(tmp_path / "proofs")]) == 0
    assert "a: CERTIFIED" in capsys.readouterr().out
    document = certificate.read(folder / "b.json.gz")
    document["evidence"]["leaves"] += 1
    (folder / "b.json.gz").write_bytes(gzip.compress(json.dumps(document).encode()))
    assert main(["replay", str(folder), "--path", str(tmp_path / "proofs")]) == 1
    rows = run.check([tmp_path / "proofs"], run.Options(certificates=folder, replay=True))
    assert {row.claim.id: bool(row.problem) for row in rows} == {"a": False, "b": True}


@pytest.mark.parametrize(
    "content",
    [b"", b"\x1f\x8b", b"no gzip", gzip.compress(b"{}")[:-9], gzip.compress(b"{}"), gzip.compress(b"\xff")],
    ids=["nothing", "magic alone", "text", "cut short", "no certificate", "no text"],  # gzip writes the time into its output
)
def test_what_is_no_packed_certificate_is_refused(content, tmp_path):
    file = tmp_path / "c.json.gz"
    file.write_bytes(content)
    with pytest.raises(CertificateError):
        certificate.read(file)


def test_a_packed_file_that_never_ends_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(certificate, "_LONGEST", 1000)
    file = tmp_path / "c.json.gz"
    file.write_bytes(gzip.compress(b" " * 2000 + b"{}"))
    with pytest.raises(CertificateError, match="not a readable"):
        certificate.read(file)


def test_usage(capsys):
    assert stored.main(["--what"]) == 2
    assert "usage" in capsys.readouterr().err
