"""`dpbounds rdp`: documents, directions, bad input, and a quick start."""

import json
import subprocess
import sys
from decimal import Decimal

import pytest

from dpbounds.cli import main


def run(capsys: pytest.CaptureFixture[str], *words: str) -> dict:
    assert main(["rdp", *words, "--json"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return json.loads(out)


@pytest.mark.parametrize("direction", ["remove", "add", "worst"])
@pytest.mark.parametrize("mechanism", [
    ["--sigma", "1.5", "--q", "0.01"], ["--laplace-scale", "2"], ["--laplace-scale", "2", "--q", "0.01"], ["--randomized-response", "1"],
    ["--randomized-response", "1", "--q", "0.01"],
])  # fmt: skip
def test_documents(capsys: pytest.CaptureFixture[str], mechanism: list[str], direction: str) -> None:
    document = run(capsys, *mechanism, "--alpha", "7/2", "--digits", "30", "--direction", direction)
    assert (document["schema"], document["quantity"], document["direction"]) == ("dpbounds/1", "rdp", direction)
    lower, upper = Decimal(document["lower"]), Decimal(document["upper"])
    assert isinstance(document["lower"], str) and 0 < lower <= upper and upper - lower <= Decimal("1e-29") * upper


@pytest.mark.parametrize("words", [
    ["--sigma", "1", "--q", "0.01", "--alpha", "1.0001"], ["--sigma", "1", "--q", "0.01", "--alpha", "1000"],
    ["--sigma", "1", "--q", "1e-9", "--alpha", "3.5"], ["--sigma", "1e8", "--q", "0.01", "--alpha", "3.5"],
    ["--sigma", "1e8", "--q", "1e-9", "--alpha", "1.0001"],
])  # fmt: skip
def test_relative_digits_in_the_corners(capsys: pytest.CaptureFixture[str], words: list[str]) -> None:
    document = run(capsys, *words, "--digits", "30")
    lower, upper = Decimal(document["lower"]), Decimal(document["upper"])
    assert 0 < lower <= upper and upper - lower <= Decimal("1e-29") * upper


def test_text(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rdp", "--sigma", "2", "--alpha", "3"]) == 0
    assert capsys.readouterr().out.startswith("rdp in [0.375, 0.375]\n")


def test_composition_from_a_file(tmp_path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mechanism.json"
    path.write_text('[{"sigma": 2, "steps": 3}, {"sigma": 4}]')
    document = run(capsys, "--spec", str(path), "--alpha", "2")
    assert Decimal(document["lower"]) == Decimal("0.8125") == Decimal(document["upper"])


def test_starts_without_the_heavy_libraries() -> None:
    code = (
        "import sys; from dpbounds.cli import main; "
        "assert main(['rdp', '--sigma', '1.5', '--q', '0.01', '--alpha', '7/2']) == 0; "
        "sys.exit(1 if {'sympy', 'numpy', 'scipy', 'mpmath'} & set(sys.modules) else 0)"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True).returncode == 0
