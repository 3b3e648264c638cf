"""`dpbounds delta` and `dpbounds epsilon`: documents, text, bad input."""

import json
import subprocess
import sys
from decimal import Decimal
from fractions import Fraction

import mpmath
import pytest

from dpbounds.cli import main

DPSGD = ["--sigma", "1.5", "--q", "0.01", "--steps", "10000"]


def document(capsys, *words):
    assert main([*words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_delta_document(capsys):
    found = document(capsys, "delta", *DPSGD, "--epsilon", "1", "--digits", "30")
    assert found["schema"] == "dpbounds/1"
    assert (found["quantity"], found["relation"]) == ("delta", "add-or-remove")
    assert (found["direction"], found["guarantee"]) == ("worst", "mechanism")
    assert found["inputs"] == {
        "mechanism": [{"sigma": "1.5", "sampling": "poisson", "q": "0.01", "steps": 10000}],
        "epsilon": "1",
        "digits": 30,
    }
    lower, upper = Fraction(found["lower"]), Fraction(found["upper"])
    assert lower <= upper
    assert upper - lower <= upper / 10**29
    assert found["lower"].startswith("0.04960141031482577560694")


def test_epsilon_document(capsys):
    found = document(capsys, "epsilon", *DPSGD, "--delta", "1e-5")
    lower, upper = Fraction(found["lower"]), Fraction(found["upper"])
    assert upper - lower <= upper / 10**14
    assert Fraction("3.185") < lower < Fraction("3.186")


def test_closed_numbers(capsys):
    found = document(capsys, "delta", "--sigma", "sqrt(2)", "--epsilon", "log(3)")
    assert found["inputs"] == {"mechanism": [{"sigma": "sqrt(2)", "steps": 1}], "epsilon": "log(3)", "digits": 15}
    assert found["lower"].startswith("0.0303095292293571")
    again = document(capsys, "epsilon", "--sigma", "sqrt(2)", "--delta", "exp(-20)")
    assert again["lower"].startswith("4.138902217442786")


@pytest.mark.parametrize(
    ("words", "beginning"),
    [
        (["delta", "--sigma", "1", "--epsilon", "1e10"], "delta in [3.209493112302797"),
        (["delta", "--sigma", "1e9", "--epsilon", "1"], "delta in [9.8286268544505"),
        (["delta", "--sigma", "1.5", "--q", "0.01", "--steps", "1e30", "--epsilon", "1"], "delta in [0.99999999999999999, 1]"),
        (["delta", *DPSGD, "--epsilon", "1e-400"], "delta in [0.2902701312821"),
        (["epsilon", "--sigma", "1", "--delta", "1e-5000"], "epsilon in [152.17040848952777"),
        (["rdp", "--sigma", "1", "--alpha", "1e400"], "rdp in [4.9999999999999999e+399, 5.0000000000000001e+399]"),
    ],
)
def test_extreme_inputs_that_have_an_answer(capsys, words, beginning):
    assert main(words) == 0
    assert capsys.readouterr().out.startswith(beginning)


@pytest.mark.parametrize(
    "words",
    [
        ["delta", *DPSGD, "--epsilon", "1e400"],
        ["delta", "--sigma", "1e-9", "--q", "0.01", "--steps", "10", "--epsilon", "1", "--digits", "15"],
        ["delta", "--randomized-response", "1e400", "--steps", "5", "--epsilon", "1"],
        ["delta", *DPSGD, "--epsilon", "1", "--digits", "9999"],
        ["rdp", *DPSGD, "--alpha", "1e400"],
    ],
)
def test_extreme_inputs_that_have_none(capsys, words):
    assert main(words) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert "no digit was reached" in captured.err or "too extreme" in captured.err or "too large" in captured.err


def test_without_digits_an_extreme_input_has_a_wide_answer(capsys):
    assert main(["delta", "--sigma", "1e-9", "--q", "0.01", "--steps", "10", "--epsilon", "1"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("delta in [0.0") and "wider than 15 digits" in said


def test_text(capsys):
    assert main(["delta", "--randomized-response", "1", "--steps", "2", "--epsilon", "2"]) == 0
    assert capsys.readouterr().out.startswith("delta in [0, 0]")


def test_spec_file(capsys, tmp_path):
    path = tmp_path / "spec.json"
    path.write_text('[{"sigma": "1.5", "sampling": "poisson", "q": "0.01", "steps": 5000}, {"laplace-scale": 20}]')
    found = document(capsys, "delta", "--spec", str(path), "--epsilon", "1")
    assert len(found["inputs"]["mechanism"]) == 2


def test_fixed_size_sampling(capsys):
    words = ["delta", "--sigma", "1", "--sampling", "without-replacement", "--population", "100", "--batch-size", "1", "--epsilon", "1"]
    mechanism, pair = document(capsys, *words), document(capsys, *words, "--guarantee", "pair")
    assert (mechanism["guarantee"], pair["guarantee"]) == ("mechanism", "pair")
    assert mechanism["lower"].startswith("0.000273")
    assert Fraction(pair["upper"]) < Fraction("3e-9")


def test_no_heavy_imports():
    code = (
        "import sys; from dpbounds.cli import main; "
        "main(['delta', '--sigma', '1.5', '--q', '0.01', '--steps', '1000', '--epsilon', '1']); "
        "print(sorted({'sympy', 'numpy', 'scipy', 'mpmath'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip().endswith("[]")


@pytest.mark.parametrize(
    "words", [["--sigma", "1.5", "--q", "0.1"], ["--laplace-scale", "2"], ["--randomized-response", "1", "--steps", "3"]]
)
def test_the_second_opinion_stands_beside_the_certified_value(capsys, words):
    assert main(["delta", *words, "--epsilon", "1/4", "--digits", "8", "--oracle", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    opinion = document["oracle"]
    assert opinion["outside"] == "0.0"
    low, high, value = Decimal(document["lower"]), Decimal(document["upper"]), Decimal(opinion["value"])
    assert low - high / 10**8 <= value <= high + high / 10**8
    assert main(["delta", *words, "--epsilon", "1/4", "--digits", "8", "--oracle"]) == 0
    assert capsys.readouterr().out.splitlines()[-1].endswith("inside the interval")


def test_a_wrong_value_is_seen_by_the_second_opinion(capsys, monkeypatch):
    from dpbounds.oracle import delta as oracle

    honest = oracle.approx_delta
    monkeypatch.setattr(oracle, "approx_delta", lambda *args, **words: honest(*args, **words) * (1 + mpmath.mpf(10) ** -5))
    assert main(["delta", "--sigma", "2", "--epsilon", "1", "--digits", "8", "--oracle"]) == 0
    assert "outside the interval by 1.0e-5" in capsys.readouterr().out


def test_without_an_oracle_the_reason_is_given(capsys):
    assert main(["delta", "--laplace-scale", "1", "--steps", "3", "--epsilon", "1", "--oracle"]) == 0
    assert "no second opinion: the mpmath oracle has no composed delta" in capsys.readouterr().out


@pytest.mark.parametrize("words", [["tradeoff", "--sigma", "2"], ["pmf", "--sigma", "2", "--spacing", "1", "--low", "-1", "--high", "1"]])
def test_what_writes_no_certificate_does_not_offer_one(words, capsys, tmp_path):
    assert main([words[0], "--help"]) == 0 and "--certificate" not in capsys.readouterr().out
    assert main([*words, "--certificate", str(tmp_path / "c.json")]) == 2
    assert "No such option '--certificate'" in capsys.readouterr().err
