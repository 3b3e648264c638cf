"""What is true near a claim: each finding holds, and its neighbour is refuted."""

import json
from pathlib import Path

import pytest

from dpbounds import Claim, replay
from dpbounds.claims.brackets import constants_of
from dpbounds.claims.mine import Mined, mine
from dpbounds.cli import main
from dpbounds.errors import InputError
from dpbounds.notation import exp, integer, log, real

X, K, E = real("x"), integer("k"), real("epsilon")


def kinds(findings: list[Mined], kind: str) -> list[Mined]:
    return [finding for finding in findings if finding.kind == kind]


def test_k_ary_randomized_response_fails_at_seven() -> None:
    """D_4 <= 4 KL at ε = 1/3, for k answers."""
    kl = E * (exp(E) - 1) / (exp(E) + K - 1)
    order_4 = log((exp(4 * E) + exp(-3 * E) + K - 2) / (exp(E) + K - 1)) / 3
    claim = Claim(id="krr", given=[K >= 2, 3 * E >= 1, 3 * E <= 1], then=order_4 <= 4 * kl)
    (found,) = kinds(list(mine(claim)), "integer")
    assert found.words == "it fails for k = 7 and holds for k = 2, 3, 4, 5, 6"
    assert found.fails is not None and found.fails.outcome.verdict.value == "REFUTED"
    held = [s for s in (*found.also, found.holds) if s is not None]
    assert [s.claim.id for s in held] == [f"krr.k-{k}" for k in range(2, 7)]
    for settled in (*held, found.fails):
        assert settled.outcome.certificate is not None and replay(settled.outcome.certificate, settled.claim)


def test_every_finding_is_settled() -> None:
    findings = list(mine(Claim(id="tangent", given=[X >= 0, X <= 1], then=log(1 + X) <= X)))
    words = [finding.words for finding in findings]
    assert "the premise x <= 1 is not needed" in words and "both sides are equal at x = 0" in words
    assert "log(1 + b) is enough in place of b = x" in words and "b/(1 + b) is not enough in place of b = x" in words
    assert any(word.startswith("the best C with log(1 + x) <= C*(x) lies in [99/100, 1]") for word in words)
    for finding in findings:
        assert finding.holds is None or finding.holds.outcome.verdict.holds is True
        assert finding.fails is None or finding.fails.outcome.verdict.holds is False
        assert finding.holds or finding.fails or finding.kind == "claim"


def test_how_far_a_variable_reaches() -> None:
    """exp(x) <= 1 + 2x up to x = 1.2564..."""
    (upper,) = kinds(list(mine(Claim(id="chord", given=[X >= 0, X <= 1], then=exp(X) <= 1 + 2 * X))), "range")
    assert upper.holds is not None and upper.fails is not None
    (low,), (high,) = ([p.parts[1].data[0] for p in s.claim.premises or () if p.tag == "<="] for s in (upper.holds, upper.fails))
    assert 1 < low <= 1.2565 and 1.2564 <= high < 1.5


def test_a_strict_inequality_and_a_false_claim() -> None:
    (strict,) = kinds(list(mine(Claim(id="strict", given=[X >= 1], then=log(X) <= X))), "equality")
    assert "never equal" in strict.words and strict.holds is not None
    first, *rest = mine(Claim(id="false", given=[X >= 1], then=log(X) >= X))
    assert first.words == "the claim fails" and not kinds(rest, "premise") and not kinds(rest, "sharper")


def test_the_budget_ends_the_search() -> None:
    assert len(list(mine(Claim(id="tangent", given=[X >= 0], then=log(1 + X) <= X), budget=0.001))) <= 1
    with pytest.raises(InputError, match="seconds > 0"):
        list(mine(Claim(id="tangent", then=log(1 + X) <= X), budget=0))


FILE = """
from dpbounds.notation import *
x, c = real("x"), real("c")
parabola = claim([x >= 0, x <= 1], x - x**2 <= c)
tangent = claim([x >= 0], log(1 + x) <= x)
"""


def test_the_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, folder = tmp_path / "claims.py", tmp_path / "certificates"
    file.write_text(FILE)
    assert main(["mine", str(file)]) == 2 and "--only" in capsys.readouterr().err
    assert main(["mine", str(file), "--only", "tangent", "--certificates", str(folder)]) == 0
    assert "equality  both sides are equal at x = 0" in capsys.readouterr().out
    assert (folder / "tangent.strict.json").is_file()
    assert main(["mine", str(file), "--only", "tangent", "--json", "--certificates", str(folder)]) == 0
    assert json.loads(capsys.readouterr().out)["findings"][0]["holds"]["verdict"] == "CERTIFIED"
    assert main(["tighten", str(file), "--certificates", str(folder)]) == 0
    assert "the least c lies in [0.249, 0.25]" in capsys.readouterr().out


def test_a_constant_is_found_where_there_is_one() -> None:
    c, d = real("c"), real("d")
    assert constants_of(Claim(id="a", given=[X >= 0], then=c * exp(X) >= X)) == ["c"]
    assert constants_of(Claim(id="a", given=[X >= 0], then=c * exp(X) + d >= X)) == ["c", "d"]
    assert constants_of(Claim(id="a", given=[X >= 0, c >= 0], then=exp(c * X) >= X)) == []
