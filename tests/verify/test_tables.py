"""Statements as a table: the same verdicts as from TOML, and rows that cannot be read named."""

import json

import pytest

from dpbounds.cli import main
from dpbounds.errors import InputError
from dpbounds.verify.reading import Unread, read_each, read_statements

TABLE = """name,source,sigma,q,steps,rho,sampling,relation,claim-epsilon,claim-delta,claim-rho
right,"a paper, page 3",4,,1,,none,add-or-remove,1.2,1e-5,
wrong,a model card,1,,1,,none,add-or-remove,1,1e-5,
premise,,,,,0.5,,,,,0.5
two,,2,0.01,10,,poisson;none,unstated,1,1e-5,
"""
TOML = """
[[statement]]
name = "right"
source = "a paper, page 3"
sigma = "4"
steps = "1"
sampling = "none"
relation = "add-or-remove"
claim = { epsilon = "1.2", delta = "1e-5" }
"""


def test_a_row_is_the_statement_of_a_file(tmp_path):
    (tmp_path / "survey.csv").write_text(TABLE)
    (tmp_path / "one.toml").write_text(TOML)
    rows = read_statements([tmp_path / "survey.csv"])
    assert rows[0] == read_statements([tmp_path / "one.toml"])[0]
    assert rows[3].samplings == ("poisson", "none") and rows[2].promise.kind == "rho"


def test_a_survey_is_judged_and_a_bad_row_hides_no_other(tmp_path, capsys):
    (tmp_path / "survey.csv").write_text("\ufeff" + TABLE.replace("two,,2,0.01", "two,,two,0.01"))
    assert main(["verify", str(tmp_path / "survey.csv"), "--json"]) == 2
    document = json.loads(capsys.readouterr().out)
    assert [entry["verdict"] for entry in document["statements"]] == ["HOLDS", "REFUTED", "HOLDS"]
    assert [entry["name"] for entry in document["unread"]] == ["two"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "must hold a line of keys"),
        ("name,sigma\n", "must hold"),
        ("name,sigma\na,1,2\n", "line 2 has more"),
        ('name\n"a\n', "not valid CSV"),
    ],
)
def test_tables_that_are_none(tmp_path, text, message):
    (tmp_path / "bad.csv").write_text(text)
    (found,) = read_each([tmp_path / "bad.csv"])
    assert isinstance(found, Unread) and message in found.reason
    with pytest.raises(InputError):
        read_statements([tmp_path / "bad.csv"])
