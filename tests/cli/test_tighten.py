"""`dpbounds tighten` from the command line."""

import json

import pytest

from dpbounds.cli import main

FILE = """
from sympy import exp, log
from dpbounds import Claim
from dpbounds.language.symbols import nonnegative, real
x, C = nonnegative("x"), real("C")
other = Claim(id="other", text="", then=x >= -1)
{more}
parabola = Claim(id="parabola", text="", given=[x <= 1], then=x*(1 - x) <= C)
"""


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)

    def tighten(*options, more=""):
        (tmp_path / "best.py").write_text(FILE.format(more=more))
        code = main(["tighten", "best.py", *options])
        return code, *capsys.readouterr()

    return tighten


def test_the_bracket_in_words(run, tmp_path):
    code, out, _ = run("--constant", "C", "--budget", "3")
    assert code == 0
    assert "the least C lies in [0.249, 0.25]" in out and "C = 0.25  CERTIFIED" in out and "C = 0.249  REFUTED" in out
    assert "a larger C is weaker  CERTIFIED" in out
    assert {path.name for path in (tmp_path / ".dpbounds/certificates").iterdir()} >= {"parabola.tight.json", "parabola.tight~mutant.json"}
    assert main(["replay", ".dpbounds/certificates", "--path", "best.py"]) == 0


def test_the_bracket_for_machines(run):
    code, out, _ = run("--constant", "C", "--digits", "1", "--json")
    found = json.loads(out)
    assert code == 0 and found["complete"] and found["side"] == "least"
    assert found["holds"]["verdict"] == "CERTIFIED" and found["fails"]["verdict"] == "REFUTED"


@pytest.mark.parametrize(
    ("options", "more", "words"),
    [
        (["--constant", "Q"], "", "0 claims of best.py have the constant 'Q'; it must be a variable of the claim"),
        (["--constant", "C"], 'second = Claim(id="second", text="", then=x <= C)', "choose one with --only: second, parabola"),
        (["--constant", "C", "--only", "parabol"], "", "did you mean parabola?"),
        (["--constant", "C", "--budget", "0"], "", "--budget must be"),
    ],
)
def test_bad_input_is_one_line(run, options, more, words):
    code, _, err = run(*options, more=more)
    assert code == 2 and err.count("\n") == 1 and words in err, err


def test_an_end_that_is_missing_is_exit_code_3(run):
    code, out, err = run("--constant", "C", "--only", "second", "--budget", "1", more='second = Claim(id="second", text="", then=x <= C)')
    assert code == 3 and "is not bracketed: REFUTED at" in out and "perhaps none is enough" in err


def test_a_constant_that_is_not_needed(run):
    code, _, err = run("--constant", "C", "--only", "third", more='third = Claim(id="third", text="", then=exp(x) + exp(C) >= x)')
    assert code == 3 and "perhaps all do" in err
