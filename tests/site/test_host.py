"""What the page's Python answers, in this Python: the same as the library and the command line."""

import importlib
import json
import subprocess
import sys
import zipfile

import pytest

from dpbounds.logic.evidence import NOT_ONE

GUARANTEE = {"sigma": "1", "sampling": "none", "relation": "add-or-remove", "claim": {"epsilon": "4.37", "delta": "1e-5"}}
CLAIM = 'from dpbounds.notation import *\nx = nonnegative("x")\nlemma = claim("a tangent", [x <= 2], exp(x) <= 2 + x)\n'


def ask(host, name, *arguments):
    return json.loads(host.answer(name, json.dumps(arguments)))


def test_a_command_line_prints_what_it_prints_elsewhere(host, capsys):
    from dpbounds.cli import main

    words = ["delta", "--sigma", "1.5", "--q", "0.01", "--steps", "100", "--epsilon", "1", "--json"]
    found = ask(host, "run", words)
    assert main(words) == 0
    assert (found["out"], found["err"], found["code"]) == (capsys.readouterr().out, "", 0)


def test_what_is_printed_is_heard_at_once(host):
    heard = []
    host.answer("run", json.dumps([["delta", "--sigma", "1", "--epsilon", "1"]]), heard.append)
    assert "delta in" in "".join(heard)


def test_a_command_finds_its_files_and_gives_back_what_it_wrote(host):
    spec = json.dumps([{"sigma": "1.5", "steps": 3}, {"laplace-scale": "4"}])
    found = ask(host, "run", ["delta", "--spec", "spec.json", "--epsilon", "1", "--certificate", "number.json"], {"spec.json": spec})
    assert list(found["files"]) == ["number.json"]
    assert ask(host, "run", ["replay", "number.json"], found["files"])["code"] == 0


def test_a_second_claim_file_of_the_same_name_is_read_anew(host):
    first, second = ask(host, "echo", CLAIM), ask(host, "echo", CLAIM.replace("lemma", "other"))
    assert [found["claims"][0]["id"] for found in (first, second)] == ["lemma", "other"]
    assert "<math" in first["claims"][0]["then"] and "ln" not in first["claims"][0]["words"]


def test_words_of_a_claim_are_escaped(host):
    (claim,) = ask(host, "echo", CLAIM.replace("a tangent", "<script>alert(1)</script>"))["claims"]
    assert "<script>" not in claim["words"]


def test_bad_input_is_one_sentence(host):
    found = ask(host, "echo", CLAIM.replace("exp(x)", "sine(x)"))
    assert "sine" in found["refused"] and "\n" not in found["refused"]


def test_a_guarantee_comes_with_its_curve_and_certificate(host, bare):
    found = ask(host, "judge", GUARANTEE)
    assert found["document"]["verdict"] == "REFUTED" and found["curves"] == [True] and found["point"] == [4.37, 1e-5]
    point = ask(host, "curve_point", 0, "4.37")
    assert 1e-5 < float(point["lower"]) <= float(point["upper"])
    made = ask(host, "reading_certificate", 0)
    (row,) = bare.check({"guarantee.json": made["text"]})
    assert row["verdict"] == "accepted" and "epsilon = " in row["says"]


@pytest.mark.parametrize(("quantity", "argument"), [("delta", "1"), ("epsilon", "1e-5"), ("rdp", "8")])
@pytest.mark.parametrize("part", [{"sigma": "1.5", "q": "0.01", "steps": "100"}, {"laplace-scale": "3"}])
def test_the_question_in_python_has_the_same_answer(host, part, quantity, argument):
    text = ask(host, "python_of", [part], quantity, argument, 8)["text"]
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True)
    options = {"delta": "--epsilon", "epsilon": "--delta", "rdp": "--alpha"}
    words = [quantity, *(word for key, value in part.items() for word in (f"--{key}", value)), options[quantity], argument, "--digits", "8"]
    assert ask(host, "run", words)["out"] == done.stdout


def test_a_composition_in_python_too(host):
    parts = [{"sigma": "1.5", "q": "0.01", "steps": "10"}, {"discrete-laplace": "2"}, {"sigma": "3"}]
    text = ask(host, "python_of", parts, "delta", "1/2", 6, {"relation": "add-or-remove"})["text"]
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True)
    found = ask(host, "run", ["delta", "--spec", "s.json", "--epsilon", "1/2", "--digits", "6"], {"s.json": json.dumps(parts)})
    assert done.stdout == found["out"]


def test_the_picture_of_a_counterexample_shows_the_sides_crossing(host):
    found = ask(host, "sides", CLAIM, "lemma", {"x": "2"})
    assert found["variable"] == "x" and found["at"] == 2.0
    signs = {left <= right for _, left, right in found["rows"]}
    assert signs == {True, False} and all(0 <= place <= 2 for place, _, _ in found["rows"])


def test_the_checkers_alone_refuse_what_was_edited(host, bare):
    made = ask(host, "run", ["delta", "--sigma", "1", "--epsilon", "1", "--certificate", "n.json"])["files"]["n.json"]
    (row,) = bare.check({"n.json": made})
    assert row["verdict"] == "accepted"
    edited = json.loads(made)
    edited["query"]["epsilon"] = "2"
    (row,) = bare.check({"n.json": json.dumps(edited)})
    assert row["verdict"] == "refused" and row["says"]


def test_proof_files_are_checked_with_what_they_rest_on(root, bare):
    names = ["power-mean", "yu-12"]
    texts = {f"{name}.jsonl": (root / f"proofs/documents/{name}.jsonl").read_text(encoding="utf-8") for name in names}
    assert [row["verdict"] for row in bare.check(texts)] == ["accepted", "accepted"]
    broken = {"yu-12.jsonl": texts["yu-12.jsonl"].replace("r < 1", "r < 2", 1)}
    assert [row["verdict"] for row in bare.check(broken)] == ["refused"]


def test_certificates_and_bundles_of_lemmas_need_the_checkers_alone(host, bare, tmp_path, monkeypatch):
    import base64

    from dpbounds.cli import main

    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text('from dpbounds.notation import *\nx = nonnegative("x")\nlog = claim("", [], log(1 + x) <= x)\n')
    found = ask(host, "run", ["check", "mine.py", "--certificates", "c"], {"mine.py": (tmp_path / "mine.py").read_text()})["files"]
    (row,) = bare.check({"log.json": found["c/log.json"]})
    assert (row["verdict"], row["kind"]) == ("accepted", "proof") and "claim  log(x + 1) <= x" in row["says"]
    assert main(["bundle", "log", "--path", "mine.py", "-o", "lemma.zip"]) == 0
    packed = base64.b64encode((tmp_path / "lemma.zip").read_bytes()).decode()
    (row,) = bare.check({"lemma.zip": packed})
    assert (row["verdict"], row["name"]) == ("accepted", "evidence/log.jsonl")
    (row,) = bare.check({"lemma.zip": packed[: len(packed) // 2]})
    assert row["verdict"] == "unknown"


@pytest.mark.parametrize("text", ["", "hello", "[1, 2]", '{"a": 1}', "\x00\x01", "1" * 5000])
def test_other_files_are_told_apart(bare, text):
    (row,) = bare.check({"file": text})
    assert (row["verdict"], row["says"]) == ("unknown", NOT_ONE)


def test_the_checkers_need_nothing_but_what_the_page_gives_them(root, host, tmp_path, monkeypatch):
    """In a process of its own, with the archive of the page and the standard library."""
    monkeypatch.syspath_prepend(root / "web")
    build, packages = importlib.import_module("build"), importlib.import_module("packages")
    packages.library(root, tmp_path / "checkers.zip", build.CHECKERS, root / "web/python/bare.py")
    with zipfile.ZipFile(tmp_path / "checkers.zip") as packed:
        packed.extractall(tmp_path)
    made = ask(host, "run", ["delta", "--laplace-scale", "1", "--epsilon", "1/2", "--certificate", "n.json"])["files"]["n.json"]
    text = "import sys, json; sys.path.insert(0, '.'); import bare; print(bare.check(json.load(sys.stdin))); print(sorted(sys.modules))"
    given = {"n.json": made, "p.jsonl": (root / "proofs/documents/power-mean.jsonl").read_text(encoding="utf-8"), "other": "{}"}
    done = subprocess.run([sys.executable, "-I", "-S", "-c", text], input=json.dumps(given), cwd=tmp_path, capture_output=True, text=True)
    assert done.stderr == "" and done.stdout.count("'accepted'") == 2 and done.stdout.count("'unknown'") == 2
    assert not any(f"'{name}" in done.stdout for name in ("sympy", "flint", "mpmath", "click", "dpbounds.errors", "dpbounds.language"))
