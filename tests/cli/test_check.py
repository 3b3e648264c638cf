"""`dpbounds check` as a new user meets it: files of one's own, outside the tree, and every way in which they can be wrong."""

import json
import os
import re
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from dpbounds.claims.run import Interrupted
from dpbounds.cli import main

ROOT = Path(__file__).resolve().parents[2]
HEAD = "from dpbounds import *\nfrom dpbounds.language.symbols import *\nfrom sympy import *\nx, y = real('x y')\n"


@pytest.fixture
def check(tmp_path, monkeypatch, capsys):
    """Write a claim file, run `check` on it in an empty folder, return (exit code, stdout, stderr)."""
    monkeypatch.chdir(tmp_path)
    count = iter(range(100))

    def run(text, *options, name="", head=HEAD):
        file = tmp_path / (name or f"claims_{next(count)}.py")
        file.write_text(head + text)
        budget = [] if "--budget" in options else ["--budget", "20"]
        code = main(["check", str(file), "--workers", "1", *budget, *options])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


def one_line(stderr, *words):
    """The errors of the contract: one line that names what is wrong."""
    assert stderr.count("\n") == 1 and stderr.startswith("dpbounds: ") and "Traceback" not in stderr
    for word in words:
        assert word in stderr, stderr


# --- the five trials of a new user ---------------------------------------------------------------------------------


def test_a_true_claim(check):
    code, out, _ = check("a = Claim(id='mine', text='', given=[x >= 0, x <= 1], then=x*(1 - x) <= Rational(3, 10))")
    assert code == 0
    assert "mine" in out and "CERTIFIED" in out and "1 claim: 1 CERTIFIED" in out


def test_a_false_claim_prints_exact_numbers(check):
    code, out, _ = check("a = Claim(id='mine', text='', given=[x >= 0, x <= 1], then=x**2 >= x)")
    assert code == 1
    assert "REFUTED" in out and "x = 1/2" in out and "not 1/4 >= 1/2" in out


def test_a_claim_that_is_too_hard_says_what_is_left(check):
    code, out, _ = check(
        "a = Claim(id='mine', text='', given=[x >= -1, x <= 1], then=exp(x - pi / 10) >= 1 + x - pi / 10, by=Boxes(budget=200))"
    )
    assert code == 3
    assert "UNDECIDED" in out and "the budget of 200 boxes is used up" in out
    assert "left; the hardest:" in out and "x within" in out and "next: " in out


def test_when_time_is_up_the_first_search_still_counts(check):
    code, out, _ = check(
        "z = real('z')\n"
        "a = Claim(id='mine', text='', given=[x >= 0, x <= 1, z >= 0, z <= 1], "
        "then=Integral(exp(-x*z*y**2), (y, 0, x + z)) <= x + z - x*z*(x + z)**3/3 + (x*z)**2*(x + z)**5/10)",
        "--budget",
        "2",
    )
    assert code == 3
    said = " ".join(out.split())  # lines break where the number of boxes has another length
    assert "time is up" in said and re.search("no counterexample in [0-9]+ simple points", said)


@pytest.mark.parametrize("columns", [20, 60, 90])
def test_evidence_is_whole_on_a_narrow_terminal(check, monkeypatch, columns):
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", str(columns))
    name = "a-name.that-is-rather-long"
    code, out, _ = check(f"a = Claim(id='{name}', text='', given=[x >= 2, x <= 3], then=x**2 <= 2*x - 1)")
    assert code == 1
    lines = re.sub(r"\x1b\[[0-9;]*m", "", out).splitlines()
    assert re.match(f"{name} +REFUTED", lines[1])
    assert "counterexamplex=2:not4<=3" in "".join(out.split())
    assert all(len(line) <= columns for line in lines[2:])


def test_a_claim_about_a_pair_of_ones_own(check):
    text = (
        "from dpbounds.language.functions import HockeyStick, RenyiDivergence\n"
        "p, q = Tuple(Rational(1, 2), Rational(1, 4), Rational(1, 4)), Tuple(Rational(1, 3), Rational(1, 3), Rational(1, 3))\n"
        "eps = nonnegative('epsilon')\n"
        "a = Claim(id='renyi', text='', given=[x >= 2, x <= 4], then=RenyiDivergence(x, p, q) <= Rational(2, 5))\n"
        "b = Claim(id='dp', text='', given=[eps <= 1], then=HockeyStick(eps, p, q) <= Rational(1, 10))\n"
    )
    code, out, _ = check(text)
    assert code == 1
    assert "CERTIFIED" in out and "REFUTED" in out and "epsilon = 0" in out


def test_a_file_with_an_error(check):
    code, out, err = check("a = Claim(id='mine', text='', then=undefined_name <= 1)")
    assert (code, out) == (2, "")
    one_line(err, "line 5", "NameError", "undefined_name", "q = real(")
    code, _, err = check("a = claim('', [], q <= 1)", head="import sympy\n")
    assert code == 2
    one_line(err, "line 2", "from dpbounds.notation import *")


@pytest.mark.parametrize(
    ("wrong", "hint"),
    [
        ("x = reel('x')", "did you mean real?"),
        ("b = Boxez()", "did you mean Boxes?"),
        ("epsilon = real('epsilon')\na = claim('', [], gamma*epsilon <= 1)", 'gamma = real("gamma")'),
        ("a = claim('', [], undeclared <= 1)", 'q = real("q")'),
        ("x = positive('x')\na = claim(sin(x) <= x)", "put a variable in its place"),
        ("x = positive('x')\na = claim(x <= infinity)", "write oo"),
        ("x = positive('x')\na = claim(x <= 1, mutnt=x <= 0)", "did you mean mutant?"),
        ("x = positive('x')\na = claim(max(x, 1) <= x + 1)", "written And, Or, Not, Max, Min"),
        ("x = positive('x')\na = claim(x ^ 2 <= x)", "x**2"),
        ("import math\nx = positive('x')\na = claim(math.exp(x) >= 1)", "of dpbounds.notation"),
        ("x = positive('x')\na = claim(0 < x < 1, x <= 2)", "are two premises"),
        ("x = real('x')\na = claim(x > 0, x <= 2)", "premises stand in a list"),
        ("i, n = index('i'), positive_integer('n')\na = claim(Sum(i, (i, 0, n)) <= n**2)", 'i = index("i", start=0)'),
        ("x = positive('x')\na = claim(mechanism_delta(x, sgima=x) <= 1)", "did you mean sigma?"),
        ("x = positive('x')\na = claim(mechanism_delta(x, qqqqq=x) <= 1)", "the names are"),
    ],
    ids=str,
)
def test_a_name_that_is_not_known_is_told_the_nearest(check, wrong, hint):
    code, out, err = check(f"from dpbounds.notation import *\nfrom dpbounds import mechanism_delta\n{wrong}\n", head="")
    assert (code, out) == (2, "")
    one_line(err, hint)


# --- what can be wrong with a file ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a = Claim(id='m', text='', given=[0 < x < 1], then=x <= 1)", ["line 5", "two premises"]),
        ("a = Claim(id='m', text='', given=[x > 0 and x < 1], then=x <= 1)", ["line 5", "And"]),
        ("a = Claim(id='m', text='', then=x == y)", ["Eq(a, b)"]),
        ("a = Claim(id='m', text='', given=[x != 0], then=x <= 1)", ["Ne(a, b)"]),
        ("a = Claim(id='m', text='', then=x <= 0.5)", ["float", "Rational"]),
        ("a = Claim(id='m', text='', then=x)", ["relation"]),
        ("a = Claim(id='M x', text='', then=x <= 1)", ["id must be"]),
        ("a = Claim(id='m', text='', then=x <= 1, expect='HOLDS')", ["HOLDS, FAILS, OPEN or ASSUMED"]),
        ("p = Symbol('p', prime=True)\na = Claim(id='m', text='', then=p <= x)", ["p assumes prime"]),
        ("z = Symbol('x', positive=True)\na = Claim(id='m', text='', given=[z <= 1], then=x <= 1)", ["both called x"]),
        ("a = Claim(id='m', text='', given=[positive('s') < 0], then=x <= 1)", ["empty"]),
        ("a = Claim(id='m', text='', given=[x >= 2, x <= 1], then=x <= 1)", ["empty"]),
        ("a = Claim(id='m', text='', given=[x >= 0, x <= 1, x**2 >= 2], then=x <= 1)", ["empty"]),
        ("a = Claim(id='m', text='', then=x <= 1)\nb = Claim(id='m', text='', then=x <= 2)", ["two claims are called 'm'"]),
        ("a = Claim(id='m', text='', then=x <= 1, uses=['n'])", ["m uses n"]),
        ("a = Claim(id='m', text='', given=[x >= 0, x <= 1], then=x <= 1, by=Counterexample({x: 'one'}))", ["number"]),
        ("a = Claim(id='m', text='', given=[x >= 0, x <= 1], then=x <= 1, by=Counterexample({}))", ["no value for x"]),
        ("a = Claim(id='m', text='', given=[x >= 0, x <= 1], then=x <= 1, by='boxes')", ["by must be Proof"]),
        ("a = Claim(id='m', text='', given=[x >= 0, x <= 1], then=x <= 1, by=Boxes)", ["by must be Proof"]),
        ("a = Claim(id='m', text='', given=[x >= 0, x <= 1], then=x <= 1, by=Proof(3))", ["Proof takes the name"]),
        ("a = Claim(id='m', text='', given=[x >= 0, x <= 1], then=x <= 1, by=Boxes(budget='many'))", ["budget must be a whole number"]),
        ("a = Claim(id='m', text='', given=[x >= 0, x <= 1], then=x <= 1, by=Search(tries=0))", ["tries must be a whole number"]),
        ("a = Claim(id='m', text='', given=[x >= 0, x <= 1], then=x <= 1, by=Counterexample({'x': 2}))", ["a value for each variable"]),
        ("a = Claim(id='m', text='', given=[x >= 0, x <= 1], then=x <= 1, mutant=2)", ["mutant must be Mutant(relation)"]),
        ("a = Claim(id='m', text='', given=[x >= 0, x <= 1], then=x <= 1, uses='n')", ["list of ids"]),
        ("a = Claim(id='m', text='', given=[x >= 0, x <= 1], then=x <= 1, source='a paper')", ["a place in it"]),
        ("a = Claim(id='m', text='', given=[x >= 0, x <= 1], then=x <= 1, witness=3)", ["values to symbols"]),
        ("raise SystemExit(3)", ["SystemExit"]),
        ("1 / 0", ["ZeroDivisionError", "line 5"]),
        ("a = ", ["SyntaxError", "line 5"]),
        ("x = 3", ["no claims in"]),
    ],
)
def test_one_clear_line(check, text, words):
    code, out, err = check(text)
    assert code == 2 and (out == "" or "bad input" in out)  # a file that cannot be run has no verdicts at all
    one_line(err, *words)


def test_a_construct_outside_the_language_is_named(check):
    code, out, err = check("a = Claim(id='m', text='', given=[x >= 0, x <= 1], then=zeta(x + 2) <= 2, by=Boxes())")
    assert code == 2 and "bad input: zeta" in out
    one_line(err, "claim m:", "zeta", "language")


@pytest.mark.parametrize("name", ["notes.txt", "data.json"])
def test_a_file_that_is_not_python(check, name):
    code, _, err = check("hello", name=name, head="")
    assert code == 2
    one_line(err, name)


def test_binary_data(tmp_path, capsys):
    file = tmp_path / "binary.py"
    file.write_bytes(bytes(range(256)))
    assert main(["check", str(file)]) == 2
    one_line(capsys.readouterr().err, "binary.py")


def test_missing_paths_and_empty_folders(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["check", "nowhere.py"]) == 2
    one_line(capsys.readouterr().err, "nowhere.py", "no such file")
    (tmp_path / "empty").mkdir()
    assert main(["check", "empty"]) == 2
    one_line(capsys.readouterr().err, "no claims in empty")


def test_unknown_ids(check):
    code, _, err = check("a = Claim(id='m', text='', then=x <= 1)", "--only", "other")
    assert code == 2
    one_line(err, "other")


@pytest.mark.parametrize(
    "options", [["--budget", "0"], ["--budget", "-1"], ["--budget", "nan"], ["--budget", "inf"], ["--budget", "x"], ["--workers", "0"]]
)
def test_bad_options(check, options):
    code, out, err = check("a = Claim(id='m', text='', then=x <= 1)", *options)
    assert (code, out) == (2, "")
    one_line(err, options[0])


def test_unknown_options(check):
    code, _, err = check("a = Claim(id='m', text='', then=x <= 1)", "--what")
    assert code == 2
    one_line(err, "--what")


def test_a_folder_that_cannot_be_written(check, tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    code, _, err = check("a = Claim(id='m', text='', given=[x >= 0, x <= 1], then=x <= 1)", "--certificates", str(blocked / "deeper"))
    assert code == 2
    one_line(err, "--certificates")
    if os.name == "posix" and os.geteuid() != 0:  # elsewhere permissions are of another kind, and root may write anywhere
        shut = tmp_path / "shut"
        shut.mkdir()
        shut.chmod(stat.S_IRUSR | stat.S_IXUSR)
        code, _, err = check("a = Claim(id='m', text='', given=[x >= 0, x <= 1], then=x <= 1)", "--certificates", str(shut))
        assert code == 2


# --- output --------------------------------------------------------------------------------------------------------


def test_json_is_one_document(check):
    text = "print('noise')\na = Claim(id='m', text='', given=[x >= 0, x <= 1], then=x <= 1, expect=HOLDS, mutant=Mutant(2*x <= 1))"
    code, out, err = check(text, "--json")
    document = json.loads(out)
    assert code == 0 and "noise" in err
    (claim,) = document["claims"]
    assert document["schema"] == "dpbounds/1"
    assert {"id", "verdict", "expected", "as_expected", "evidence", "seconds", "file"} <= set(claim)
    assert (claim["id"], claim["verdict"], claim["expected"], claim["as_expected"]) == ("m", "CERTIFIED", "HOLDS", True)
    assert claim["mutant"]["verdict"] == "REFUTED"
    assert document["counts"]["CERTIFIED"] == 1 and document["counts"]["unexpected"] == 0


def test_a_changed_verdict_fails(check):
    assert check("a = Claim(id='m', text='', given=[x >= 0, x <= 1], then=x <= 1, expect=FAILS)")[0] == 1
    assert check("a = Claim(id='m', text='', given=[x >= 0, x <= 1], then=x < 1, expect=HOLDS)")[0] == 1
    assert check("a = Claim(id='m', text='', given=[x >= 0, x <= 1], then=x <= 1, expect=OPEN)")[0] == 1
    hard = "a = Claim(id='m', text='', given=[x >= -1, x <= 1], then=exp(x - pi/10) >= 1 + x - pi/10, by=Boxes(budget=50), expect={})"
    assert check(hard.format("OPEN"))[0] == 0
    assert check(hard.format("HOLDS"))[0] == 3


def test_certificates_are_left_and_can_be_replayed(check, tmp_path, capsys):
    text = "a = Claim(id='m', text='', given=[x >= 0, x <= 1], then=x <= 1, by=Boxes())\nb = Claim(id='n', text='', then=x <= 1)"
    folder = tmp_path / "certificates"
    check(text, "--certificates", str(folder), name="mine.py")
    assert sorted(p.name for p in folder.glob("[a-z]*.json")) == ["m.json", "n.json"]
    assert main(["replay", str(folder), "--path", str(tmp_path / "mine.py")]) == 0
    out = capsys.readouterr().out
    assert "m: CERTIFIED" in out and "n: REFUTED" in out
    document = json.loads((folder / "m.json").read_text())
    document["evidence"]["leaves"] += 1
    (folder / "m.json").write_text(json.dumps(document))
    assert main(["replay", str(folder), "--path", str(tmp_path / "mine.py")]) == 1
    assert "FAILED" in capsys.readouterr().out


def test_proof_documents_are_replayed_together(tmp_path, capsys):
    resting, lemma = (ROOT / "proofs" / "documents" / name for name in ("claim-20.jsonl", "chernoff-delta.jsonl"))
    for file in (resting, lemma):
        shutil.copy(file, tmp_path)
    (tmp_path / "other.jsonl").write_text(resting.read_text(encoding="utf-8").replace('"claim"', '"clam"'), encoding="utf-8")
    (tmp_path / "unread.jsonl").write_bytes(b"\xff")
    for workers in ("1", "2"):
        assert main(["replay", str(tmp_path), "--workers", workers]) == 1
        lines = {line.split(": ")[0]: line.split(": ", 1)[1] for line in capsys.readouterr().out.splitlines()}
        assert lines[str(tmp_path / resting.name)] == "accepted by the proof checker"
        assert lines[str(tmp_path / "other.jsonl")].startswith("FAILED: ")
        assert lines[str(tmp_path / "unread.jsonl")] == "FAILED: cannot be read: UnicodeDecodeError"
    assert main(["replay", str(tmp_path / resting.name)]) == 1
    assert "FAILED" in capsys.readouterr().out


def test_interrupted_it_says_where_the_next_run_goes_on(check, monkeypatch):
    def interrupted(*_, **__):
        raise Interrupted([], 1)

    monkeypatch.setattr("dpbounds.claims.run.check", interrupted)
    code, out, err = check("a = Claim(id='m', text='', then=x <= 1)")
    assert (code, out) == (130, "")
    assert "certificates" in err and "the next run goes on from there" in err


def test_a_source_of_ones_own_needs_no_entry_in_the_bibliography(check, tmp_path, capsys, monkeypatch):
    claim = "Claim(id='m', text='', given=[x <= 1, n >= 0, n <= 4], then=x <= 1 + n, source=('smith2026', 'Theorem 3'))"
    check(f"n = Symbol('n', even=True)\na = {claim}", name="mine.py")
    assert main(["show", "m", "--path", str(tmp_path / "mine.py")]) == 0
    out = capsys.readouterr().out
    assert "source    Theorem 3 of\n    smith2026" in out and "where  n: integer, even" in out
    assert "file      mine.py\n" in out
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert main(["show", "m", "--path", str(tmp_path / "mine.py")]) == 0
    assert f"file      {tmp_path / 'mine.py'}\n" in capsys.readouterr().out
    assert main(["show", "m", "--json", "--path", str(tmp_path / "mine.py")]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["source"], document["bibtex"]) == (["smith2026", "Theorem 3"], None)


def test_replaying_what_is_no_certificate(tmp_path, capsys):
    (tmp_path / "c.json").write_text("{}")
    assert main(["replay", str(tmp_path / "c.json")]) == 1
    assert capsys.readouterr().out.count("c.json") == 1
    assert main(["replay", str(tmp_path / "none.json")]) == 2
    one_line(capsys.readouterr().err, "none.json")


def test_a_file_named_twice_is_read_once(check, tmp_path):
    file = tmp_path / "twice.py"
    code, out, _ = check("a = Claim(id='m', text='', given=[x >= 0, x <= 1], then=x <= 1)", str(file), name="twice.py")
    assert code == 0 and "1 claim:" in out


def test_the_whole_process_ends_with_the_exit_code(tmp_path):
    file = tmp_path / "claims.py"
    file.write_text(HEAD + "a = Claim(id='m', text='', then=x**2 >= x)")
    done = subprocess.run(
        [sys.executable, "-m", "dpbounds", "check", str(file), "--certificates", str(tmp_path / "c")],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )
    assert done.returncode == 1 and "REFUTED" in done.stdout and done.stderr == ""
