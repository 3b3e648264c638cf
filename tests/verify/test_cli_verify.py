"""`dpbounds verify`: documents, text, exit codes, bad input."""

import json

import pytest

from dpbounds.cli import main

GAUSSIAN = ["--sigma", "1", "--sampling", "none", "--relation", "add-or-remove", "--delta", "1e-5"]
STATEMENT = """
[[statement]]
name = "plain"
source = "a text, page 3"
sigma = 1.0
sampling = "none"
relation = "add-or-remove"
claim = {{ epsilon = {epsilon}, delta = "1e-5" }}
"""


def run(capsys, *words):
    code = main(["verify", *words])
    return code, capsys.readouterr().out


def test_exit_codes(capsys, tmp_path):
    assert run(capsys, *GAUSSIAN, "--epsilon", "4.38")[0] == 0
    assert run(capsys, *GAUSSIAN, "--epsilon", "4.37")[0] == 1
    assert run(capsys, *GAUSSIAN[:4], *GAUSSIAN[6:], "--epsilon", "5", "--relation", "add-or-remove,substitute")[0] == 3
    file = tmp_path / "two.toml"
    file.write_text(STATEMENT.format(epsilon=4.38) + STATEMENT.format(epsilon=4.37).replace("plain", "other"))
    code, text = run(capsys, str(tmp_path))
    assert code == 1 and text.endswith("2 statements: 1 HOLDS, 1 REFUTED\n")
    assert run(capsys, str(file), "--only", "plain")[0] == 0


def test_document(capsys, tmp_path):
    file = tmp_path / "one.toml"
    file.write_text(STATEMENT.format(epsilon=4.37))
    code, text = run(capsys, str(file), "--json")
    (found,) = json.loads(text)["statements"]
    assert code == 1
    assert (found["name"], found["verdict"], found["claim"]) == ("plain", "REFUTED", "(4.37, 1e-5)-DP")
    (reading,) = found["readings"]
    assert reading["needed_lower"].startswith("4.37717") and reading["print_instead"] == "4.38"
    assert all(value is None or isinstance(value, (str, bool)) for value in reading.values())


def test_text_says_what_was_assumed(capsys):
    _, text = run(capsys, *GAUSSIAN, "--epsilon", "4.37", "--source", "a text", "--unit", "person")
    assert text.startswith("REFUTED  a text\n")
    assert "assumed: no amplification" in text and "unit: person" in text and "[4.377178, 4.377179]" in text


def test_the_table_of_readings(capsys):
    words = [
        "--sigma", "1.12", "--q", "0.004", "--epochs", "60", "--rounding", "exact", "--relation", "zero-out", "--sampling",
        "poisson,none",
    ]  # fmt: skip
    code, text = run(capsys, *words, "--epsilon", "2.92", "--delta", "1e-5")
    assert code == 3 and text.startswith("DEPENDS")
    assert [line.split()[:3] for line in text.splitlines() if line.split()[0] in ("poisson", "none")] == [
        ["poisson", "zero-out", "HOLDS"],
        ["none", "zero-out", "REFUTED"],
    ]


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("x = 1", "nothing else"),
        ("[[statement]]\nsigma = ", "not valid TOML"),
        ("[[statement]]\nsgima = 1", "unknown key"),
        (STATEMENT.format(epsilon=4) + "parts = []", "beside parts"),
        (STATEMENT.format(epsilon=4).replace("1.0", "[2, 1]"), "rising order"),
        (STATEMENT.format(epsilon=4).replace("1.0", "{ about = 1 }"), "rounded"),
        (STATEMENT.format(epsilon=4).replace("1.0", "true"), "must be a number"),
        (STATEMENT.format(epsilon=4).replace('"1e-5"', "1.5"), "[0, 1)"),
    ],
)
def test_bad_files_are_one_line(capsys, tmp_path, text, part):
    file = tmp_path / "bad.toml"
    file.write_text(text)
    assert main(["verify", str(file)]) == 2
    caught = capsys.readouterr()
    assert caught.out == "" and caught.err.count("\n") == 1
    assert part in caught.err


def test_one_bad_statement_hides_no_verdict(capsys, tmp_path):
    good = STATEMENT.format(epsilon=8).replace("plain", "good")
    bad = '[[statement]]\nname = "bad"\nnoise_multiplier = "1"\nclaim = { epsilon = "8", delta = "1e-5" }\n'
    (tmp_path / "a.toml").write_text(bad + good)
    (tmp_path / "b.toml").write_text("nothing")
    assert main(["verify", str(tmp_path)]) == 2
    caught = capsys.readouterr()
    assert "HOLDS  good" in caught.out and "3 statements: 1 HOLDS, 2 not read" in caught.out
    assert "'noise_multiplier', which is called sigma here" in caught.err and caught.err.count("\n") == 2
    assert main(["verify", str(tmp_path), "--json"]) == 2
    document = json.loads(capsys.readouterr().out)
    assert [entry["verdict"] for entry in document["statements"]] == ["HOLDS"] and len(document["unread"]) == 2
    assert main(["verify", str(tmp_path), "--only", "good"]) == 0


def test_everything_that_is_missing_is_named_at_once(capsys):
    assert main(["verify", "--epsilon", "1", "--delta", "1e-5"]) == 2
    said = capsys.readouterr().err
    assert all(option in said for option in ("--sigma", "--sampling", "--relation", "--records and --batch", "--epochs or --steps"))
