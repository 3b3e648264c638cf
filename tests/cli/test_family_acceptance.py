"""Each further mechanism by command: plans that are met and just met, what every printed line assumes, claims, and rows of tables."""

import json
from fractions import Fraction

import pytest

from dpbounds.cli import main
from dpbounds.sweeps import sweep

MATRIX = "--matrix 1,0,3/4,1/4,0,2/3 --steps 8 --min-sep 2 --participations 4"
RUN = "--hidden-state --contraction 0.9 --gradient-change 1 --steps 50"
FAMILIES = {
    "matrix": (f"{MATRIX} --sigma 2", "moves x by a vector of norm 1 at most in each"),
    "run": (f"{RUN} --sigma 9", "convex losses, full batch, the last iterate alone"),
    "projected run": (f"{RUN} --sigma 9 --diameter 2 --step-size 0.1", "iterates are projected to diameter 2"),
    "sampled run": (f"{RUN.replace('50', '4')} --sigma 4 --q 0.1", "a lower bound for every guarantee of convex losses"),
    "range": ("--exponential-mechanism 1 --steps 3", "3 uses fixed beforehand (adaptive ones can be worse)"),
    "gumbel": ("--noisy-max 1", "range of the loss at most 1"),
    "flip": ("--permute-and-flip 1", "pure epsilon 1"),
    "threshold": ("--above-threshold 1", "an upper bound"),
}


@pytest.mark.parametrize("name", FAMILIES)
def test_every_line_says_what_it_assumes(name, capsys):
    words, said = FAMILIES[name]
    asked = ["delta --epsilon 0.2", "epsilon --delta 1e-3", "tradeoff --fpr 0.1", "verify --epsilon 0.3 --delta 0.2"]
    asked += [] if name == "sampled run" else ["rdp --alpha 3", "verify --claim-rho 2", "verify --claim-power 0.9 --false-positives 0.1"]
    for command in asked:
        assert main([*command.split(), *words.split()]) in (0, 1, 3)
        lines = capsys.readouterr().out.splitlines()
        assert lines and all(said in line for line in lines), (command, lines)


@pytest.mark.parametrize("words", [MATRIX, RUN, f"{RUN} --diameter 2 --step-size 0.1"])
def test_a_plan_is_met_and_its_other_end_is_not(words, capsys):
    target = ["--epsilon", "1", "--delta", "1e-5"]
    assert main(["plan", *words.split(), *target, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["quantity"] == "sigma" and found["assumes"] and Fraction(found["lower"]) < Fraction(found["upper"])
    for end, most in (("upper", True), ("lower", False)):
        assert main(["delta", *words.split(), "--sigma", found[end], "--epsilon", "1", "--json"]) == 0
        assert (Fraction(json.loads(capsys.readouterr().out)["upper"]) <= Fraction(1, 10**5)) is most


@pytest.mark.parametrize(("kind", "wanted"), [("permute-and-flip", "0.50200099"), ("noisy-max", "0.54131475")])
def test_a_plan_of_a_selection_by_its_closed_form(kind, wanted, capsys):
    """E − 2·log(1/(1 − δ)) and the root of (e^{(ε−E)/2} − 1)² = δ(1 − e^{−E})."""
    assert main(["plan", f"--{kind}", "--epsilon", "0.5", "--delta", "1e-3", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert Fraction(found["lower"]) - Fraction(1, 10**7) <= Fraction(wanted) <= Fraction(found["upper"]) and found["quantity"] == kind


def test_claims_of_zcdp_by_command():
    """μ²/2 of a matrix without doubt, of a run without projection, and between s/σ and the bound of a projected one."""
    for words, value, code in [
        (FAMILIES["matrix"][0], "1.77518", 0),
        (FAMILIES["matrix"][0], "1.77517", 1),
        (f"{RUN} --sigma 9", "0.1162", 0),
        (f"{RUN} --sigma 9", "0.1153", 1),
        (FAMILIES["projected run"][0], "0.1161", 0),
        (FAMILIES["projected run"][0], "0.0617", 3),
        (FAMILIES["projected run"][0], "0.00617", 1),
    ]:
        assert main(["verify", *words.split(), "--claim-rho", value]) == code, (words, value)


def test_tables_take_sampled_runs_and_several_uses():
    run = {"hidden-state": "yes", "contraction": "0.9", "gradient-change": 1}
    rows = [
        run | {"sigma": 4, "steps": 4, "q": "0.1", "delta": "1e-5"},
        {"exponential-mechanism": 1, "steps": 3, "epsilon": "0.5"},
        {"permute-and-flip": 1, "alpha": 2},
        run | {"sigma": 9, "steps": 5, "diameter": 2, "step-size": "0.1", "alpha": 3},
    ]
    found = sweep(rows)
    assert found.failed == 0 and [answer["quantity"] for answer in found.answers] == ["epsilon", "delta", "rdp", "rdp"]
    assert found.answers[2]["lower"].startswith("0.5760922614")


@pytest.mark.parametrize("words", ["audit-run --guesses 40 --correct 30", "sensitivity 1,1/2 --steps 4 --participations 2"])
def test_audits_and_sensitivities_say_what_they_assume(words, capsys):
    assert main([*words.split(), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)["assumes"]
    assert main(words.split()) == 0 and said in capsys.readouterr().out.splitlines()[0]


@pytest.mark.parametrize("name", FAMILIES)
def test_a_curve_with_its_mu(name, capsys):
    words, said = FAMILIES[name]
    if name != "flip":
        assert main(["tradeoff", *words.split(), "--fpr", "0.1", "--json"]) == 0
        assert said in json.loads(capsys.readouterr().out)["assumes"]
        return
    assert main(["tradeoff", *words.split(), "--gdp", "--fpr", "0.1", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["kind"] == "symmetric" and Fraction(found["gdp"]["mu"]["lower"]) <= Fraction("1.03018") <= Fraction(
        found["gdp"]["mu"]["upper"]
    )
