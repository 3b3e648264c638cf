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


def python_of(cell):
    """The Python of a cell: commands of the notebook are no Python, and a cell that begins with %% has none."""
    source = "".join(cell["source"])
    lines = ["" if line.startswith(("%", "!")) or source.startswith("%%") else line for line in source.splitlines()]
    return ast.parse("\n".join(lines))


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


def test_exercises_judge_the_answer_of_the_student(notebook):
    """Definition, task, hint; a cell for the answer; one that judges it, or says that there is none yet; a solution, folded and silent."""
    every = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    exercises = [place for place, cell in enumerate(every) if "**Exercise.**" in "".join(cell["source"])]
    assert exercises, "every notebook has an exercise"
    for place in exercises:
        words = "".join(every[place]["source"])
        assert words.startswith("**Definition.** ") and "<summary>Hint</summary>" in words
        answer, check, solution = every[place + 1 : place + 4]
        blank = re.findall(r"^(my_\w+) = ", "".join(answer["source"]), re.M)
        assert "".join(answer["source"]).startswith("# your answer") and blank
        judged = "".join(check["source"])
        assert all(re.search(rf"^assert .*\b{name}\b", judged, re.M) for name in blank)
        assert check["metadata"]["tags"] == ["nbval-check-output"]
        assert "".join(check["outputs"][0]["text"]).startswith("Nothing to judge yet")
        text = "".join(solution["source"])
        assert solution["metadata"]["tags"] == ["hide-input"] and not solution["outputs"]
        assert text.startswith("# solution") and '"Right"' in text and '"Not yet' in text, "a right and a wrong answer are judged"


def test_it_imports_what_dpbounds_offers(notebook):
    """Students copy imports: names of `dpbounds` itself, and its packages."""
    for cell in cells(notebook, "code"):
        for node in ast.walk(python_of(cell)):
            names = [node.module] if isinstance(node, ast.ImportFrom) else [alias.name for alias in getattr(node, "names", [])]
            assert not [name for name in names if isinstance(node, (ast.Import, ast.ImportFrom)) and name.startswith("dpbounds.")]


def test_lines_of_code_fit_into_a_cell(notebook):
    for cell in cells(notebook, "code"):
        assert max(map(len, "".join(cell["source"]).splitlines())) <= 88, cell["source"]


def test_what_it_imports_exists(notebook):
    """The quick suite runs two notebooks; a name that is gone is found here in all."""
    for cell in cells(notebook, "code"):
        for node in ast.walk(python_of(cell)):
            if isinstance(node, ast.Import):
                assert all(import_module(alias.name) for alias in node.names)
            if isinstance(node, ast.ImportFrom):
                module = import_module(node.module)
                for alias in node.names:
                    assert alias.name == "*" or hasattr(module, alias.name) or import_module(f"{node.module}.{alias.name}")
