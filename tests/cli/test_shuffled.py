"""Shuffled messages on the command line: what is said, which data, what is refused."""

import csv
import json

import pytest

from dpbounds.cli import main

HEAD = ["--shuffle", "300", "--local-epsilon", "1", "--answers", "4"]


def said(capsys, *arguments):
    code = main(list(arguments))
    return code, capsys.readouterr()


def document(capsys, *arguments):
    _, printed = said(capsys, *arguments, "--json")
    return json.loads(printed.out)


def test_delta_names_its_data(capsys):
    found = document(capsys, "delta", *HEAD, "--epsilon", "0.1", "--others", "third")
    assert found["delta"] == {"lower": found["lower"], "upper": found["upper"]} and found["bound"] is None
    assert found["data"] == "all others hold a third symbol" and found["adjacency"] == "one user's input changes from 0 to 1"
    assert found["guarantee"] == "pair" and found["relation"] == "substitute"


def test_the_blanket_has_known_data_beside_it(capsys):
    found = document(capsys, "delta", *HEAD, "--epsilon", "0.1", "--blanket", "--digits", "8")
    worst = document(capsys, "delta", *HEAD, "--epsilon", "0.1", "--digits", "8")
    assert found["guarantee"] == "mechanism" and found["delta"] == worst["delta"] and found["data"] == worst["data"]
    assert float(worst["delta"]["upper"]) <= float(found["bound"]["lower"])


def test_epsilon_has_the_published_bounds(capsys):
    found = document(capsys, "epsilon", "--shuffle", "5000", "--local-epsilon", "1", "--delta", "1e-6", "--blanket", "--digits", "6")
    assert len(found["published"]) == 2
    assert all(float(entry["epsilon"]) >= float(found["bound"]["upper"]) for entry in found["published"])


@pytest.mark.parametrize("others", ["third", "worst-known"])
def test_a_trade_off_curve_names_its_data(others, capsys):
    _, printed = said(capsys, "tradeoff", "--shuffle", "60", "--local-epsilon", "1", "--answers", "4", "--others", others, "--fpr", "0.1")
    assert "all others hold a third symbol" in printed.out and "no claim about others" in printed.out


def test_a_specification_says_the_same(capsys, tmp_path):
    path = tmp_path / "shuffle.json"
    path.write_text('[{"shuffle": 300, "local-epsilon": "1", "answers": 4, "blanket": true}]', encoding="utf-8")
    found = document(capsys, "delta", "--spec", str(path), "--epsilon", "0.1", "--digits", "6")
    assert found["inputs"]["mechanism"] == [{"shuffle": 300, "local-epsilon": "1", "answers": 4, "others": "any", "steps": 1}]


def test_a_table_of_shuffles(capsys, tmp_path):
    rows, bounds = tmp_path / "rows.csv", tmp_path / "bounds.csv"
    rows.write_text("shuffle,local-epsilon,answers,others,epsilon\n300,1,4,third,0.1\n300,1,4,any,0.1\n", encoding="utf-8")
    assert said(capsys, "sweep", str(rows), "-o", str(bounds))[0] == 0
    with bounds.open(encoding="utf-8", newline="") as file:
        known, bound = csv.DictReader(file)
    assert known["error"] == bound["error"] == "" and float(known["lower"]) <= float(known["upper"]) < float(bound["lower"])


SELECTED = [["--exponential-mechanism", "1", "--steps", "3"], ["--noisy-max", "1"], ["--permute-and-flip", "1"], ["--above-threshold", "1"]]
BLANKETS = [["--randomizer", "laplace", "--local-epsilon", "1"], ["--randomizer", "gaussian", "--local-sigma", "1"]]
RUN = ["--hidden-state", "--contraction", "0.9", "--gradient-change", "1", "--sigma", "9", "--steps", "50"]
STATE = [*RUN, "--diameter", "2", "--step-size", "0.1"]


@pytest.mark.parametrize("words", [*(["--shuffle", "60", *HEAD[2:], "--others", who] for who in ("0", "1", "third")), *SELECTED, STATE])
def test_both_ends_of_every_quantity(words, capsys):
    for quantity, given in (("delta", ["--epsilon", "0.2"]), ("epsilon", ["--delta", "0.01"]), ("rdp", ["--alpha", "3"])):
        found = document(capsys, quantity, *words, *given, "--digits", "5")[quantity]
        assert 0 <= float(found["lower"]) <= float(found["upper"]) < 9


@pytest.mark.parametrize("words", BLANKETS)
def test_both_ends_of_blankets_of_noise(words, capsys):
    found = document(capsys, "delta", "--shuffle", "3000", *words, "--epsilon", "0.05", "--blanket", "--digits", "5")
    assert 0 < float(found["bound"]["lower"]) <= float(found["bound"]["upper"]) < 0.01 and found["delta"] is None


def test_plans_and_verdicts(capsys):
    found = document(capsys, "plan", "--local-epsilon", "1", "--epsilon", "0.5", "--delta", "1e-3")
    assert found == document(capsys, "plan", "--local-epsilon", "1", "--epsilon", "0.5", "--delta", "1e-3", "--blanket")
    assert int(found["users"]) == int(found["beyond"]) + 1 and found["guarantee"] == "mechanism"
    claim = ["verify", *HEAD, "--epsilon", "0.1", "--delta"]
    assert said(capsys, *claim, "0.1")[0] == 0 and said(capsys, *claim, "1e-9")[0] == 1


def test_no_certificate(capsys, tmp_path):
    code, printed = said(capsys, "delta", *HEAD, "--epsilon", "0.1", "--certificate", str(tmp_path / "x.json"))
    assert code == 2 and "no certificate: the small checker does not know shuffled messages" in printed.err
