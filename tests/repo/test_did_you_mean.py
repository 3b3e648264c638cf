"""Typing errors in commands, derivations and claims: the message names what was probably meant."""

import pytest

from dpbounds.cli import main
from dpbounds.errors import InputError
from dpbounds.language.symbols import index


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (["chek"], "did you mean check?"),
        (["reprodce"], "did you mean reproduce?"),
        (["derive", "gausian-renyi"], "did you mean gaussian-renyi?"),
        (["show", "chen2019.clam-25"], "did you mean chen2019.claim-25?"),
        (["check", "--only", "chen2019.claim25"], "did you mean chen2019.claim-25?"),
        (["epsilon", "--noise-multiplier", "1.1"], "no such option '--noise-multiplier': it is called --sigma"),
        (["delta", "--sampling-rate", "0.01"], "it is called --q"),
        (["epsilon", "--dataset-size", "60000"], "it is called --records"),
        (["compare", "--sample-size", "60000"], "No such option"),
        (["epsilon", "--sigma", "1", "--delta", "1e-5", "--batch", "256"], "--batch needs --records"),
    ],
)
def test_what_was_meant(words, meant, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(words) == 2
    err = capsys.readouterr().err
    assert meant in err and err.count("\n") == 1


def test_nothing_near_names_nothing(capsys):
    assert main(["zzzzzz"]) == 2
    assert "did you mean" not in capsys.readouterr().err


def test_a_summation_index_starts_at_0_or_1():
    assert index("k").is_positive and index("k", start=0).is_positive is None
    with pytest.raises(InputError, match="starts at 0 or 1, got 2"):
        index("k", start=2)
    assert "starts at 1 unless told otherwise" in index.__doc__
