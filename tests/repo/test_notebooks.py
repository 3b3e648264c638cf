"""Notebooks as a student meets them: unchanged when they are opened, figures with words, test machinery out of sight."""

import ast
import json
import re
from importlib import import_module

import nbformat
import pytest

PHRASE = "*What the plot shows.*"


@pytest.fixture(scope="module", params=[f"{number:02}" for number in range(16)])
def notebook(root, request):
    (path,) = (root / "notebooks").glob(f"{request.param}_*.ipynb")
    return path


def cells(path, kind):
    return [cell for cell in json.loads(path.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == kind]


def test_opening_and_saving_leaves_it_as_it_is(notebook):
    text = notebook.read_text(encoding="utf-8")
    written = nbformat.writes(nbformat.validator.normalize(nbformat.read(notebook, 4))[1])
    assert written.rstrip("\n") + "\n" == text
    metadata = json.loads(text)["metadata"]
    assert metadata["kernelspec"] == {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
    assert set(metadata) == {"kernelspec", "language_info"} and metadata["language_info"]["name"] == "python"


def test_every_figure_is_described(notebook):
    for cell in cells(notebook, "code"):
        for output in cell["outputs"]:
            if "image/png" in output.get("data", {}):
                alternative = output["metadata"]["image/png"]["alt"]
                assert len(alternative.split()) >= 6 and " from " in alternative, cell["source"]


def test_one_phrase_says_what_a_plot_shows(notebook):
    words = "\n".join("".join(cell["source"]) for cell in cells(notebook, "markdown"))
    figures = [cell for cell in cells(notebook, "code") for output in cell["outputs"] if "image/png" in output.get("data", {})]
    assert set(re.findall(r"\*What (?:the|one|to)[^*]*\*", words)) <= {PHRASE}
    assert PHRASE in words or not figures


def test_the_machinery_of_tests_is_out_of_sight(notebook):
    for cell in cells(notebook, "code"):
        source, tags = "".join(cell["source"]), cell["metadata"].get("tags", [])
        assert "NBVAL" not in source and set(tags) <= {"nbval-check-output", "hide-input"}
        assert cell["metadata"].get("jupyter", {}) == ({"source_hidden": True} if "hide-input" in tags else {})
    *_, last = cells(notebook, "code")
    assert "assert" not in "".join(last["source"]) or "hide-input" in last["metadata"]["tags"]


def test_exercises_have_folded_solutions_that_are_checked(notebook):
    every = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    for place, cell in enumerate(every):
        if cell["cell_type"] == "markdown" and "".join(cell["source"]).startswith("**Exercise.**"):
            solution = every[place + 1]
            assert solution["metadata"]["tags"] == ["nbval-check-output", "hide-input"] and solution["outputs"]
            assert "".join(solution["source"]).startswith("# solution")


def test_what_it_imports_exists(notebook):
    """The quick suite runs two notebooks; a name that is gone is found here in all."""
    for cell in cells(notebook, "code"):
        lines = ["" if line.startswith(("%", "!")) else line for line in "".join(cell["source"]).splitlines()]
        for node in ast.walk(ast.parse("\n".join(lines))):
            if isinstance(node, ast.Import):
                assert all(import_module(alias.name) for alias in node.names)
            if isinstance(node, ast.ImportFrom):
                module = import_module(node.module)
                for alias in node.names:
                    assert alias.name == "*" or hasattr(module, alias.name) or import_module(f"{node.module}.{alias.name}")
