"""The cell magic %%lemma, in IPython's shell."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

from dpbounds.claims import settle
from dpbounds.claims.collect import collect
from dpbounds.reading.magic import SettledCell


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.chdir(tmp_path)
    found = InteractiveShell()
    found.run_line_magic("load_ext", "dpbounds")
    yield found
    InteractiveShell.clear_instance()


def answer(shell: Any, cell: str) -> tuple[Any, str]:
    with capture_output() as shown:
        result = shell.run_cell(cell)
    assert result.success, shown.stdout
    return result.result, shown.stdout


def test_a_lemma_in_latex(shell: Any) -> None:
    found, _ = answer(shell, "%%lemma tangent\nFor all real $x$, $1 + x \\le e^x$.")
    assert isinstance(found, SettledCell) and "e is Euler's number" in repr(found)
    (row,) = found.verdicts.rows
    assert row.claim.id == "tangent" and row.outcome.verdict.value == "CERTIFIED"
    assert [file.is_file() for file in found.files] == [True]
    assert r"1 + x \leq e^{x}" in found._repr_markdown_() and "tangent.json" in found._repr_markdown_()


def test_a_false_lemma_has_its_counterexample(shell: Any) -> None:
    found, _ = answer(shell, "%%lemma\nFor $x > 0$ we have $\\log x \\le x - 2$.")
    assert "REFUTED, counterexample x = " in repr(found)


def test_the_claim_language_with_variables_of_the_notebook(shell: Any) -> None:
    answer(shell, "from dpbounds.notation import *\nx = real('x')")
    found, _ = answer(shell, "%%lemma\nexp(x) >= 1 + x")
    assert found.verdicts["lemma"].outcome.verdict.value == "CERTIFIED"
    found, _ = answer(shell, "%%lemma 5\ny = positive('y')\nbelow = claim([y <= 1], log(y) <= y - 1)\nclaim([y >= 2], y**2 >= 5)")
    assert [(row.claim.id, row.outcome.verdict.value) for row in found.verdicts.rows] == [("below", "CERTIFIED"), ("lemma", "REFUTED")]


def test_the_answer_links_to_the_page_that_asks_the_same(shell: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    answer(shell, "from dpbounds.notation import *\nx = nonnegative('x')\nn = positive_integer('n')")
    found, _ = answer(shell, "%%lemma\nexp(n * x) >= 1 + n * x")
    assert "web page" not in found._repr_markdown_()
    monkeypatch.setenv("DPBOUNDS_SITE_URL", "https://example.org")
    (address,) = re.findall(r"\[the same question in a web page\]\((.*?)\)", found._repr_markdown_())
    assert address.startswith("https://example.org/#lemma?text=")
    (tmp_path / "linked.py").write_text(unquote(address.partition("text=")[2]), encoding="utf-8")
    (there,) = collect([tmp_path / "linked.py"])
    assert there.claim.id == "lemma" and settle(there.claim).verdict.value == "CERTIFIED"
    assert there.claim.premises is not None and {str(part) for part in there.claim.premises} == {"x >= 0", "n > 0"}


def test_what_has_two_readings_is_refused_in_one_line(shell: Any) -> None:
    found, out = answer(shell, "%%lemma\nFor $x > 0$, $1/2x \\ge 0$.")
    assert found is None and out.startswith("dpbounds: cannot be read") and "below the line" in out
    found, out = answer(shell, "%%lemma\nx = real('x')")
    assert found is None and "states no claim" in out
