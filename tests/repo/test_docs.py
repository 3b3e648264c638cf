"""Links lead somewhere, commands in the pages exist, everything public is documented."""

import ast
import doctest
import gc
import json
import os
import re
import runpy
import shlex
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import click
import pytest

from dpbounds.cli import COMMANDS, cli

SHOWN = [
    "README.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "docs/check-your-own-claim.md", "docs/best-constant.md", "docs/own-mechanism.md",
    "docs/write-a-proof.md", "docs/true-values.md", "docs/questions.md", "docs/libraries.md",
]  # fmt: skip
"""Pages whose outputs are those of their commands."""
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
FENCE = re.compile(r"^```(\w*)\n(.*?)^```", re.M | re.S)
OWN_PATH = re.compile(r"`((?:dpbounds|proofs|notebooks|tests|benchmarks|docs|\.ci)/[\w./-]*|[\w.-]+\.(?:md|toml|txt|cff)|make\.py)`")


def pages(files: list[Path]) -> list[Path]:
    found = [path for path in files if path.suffix == ".md"]
    assert {"README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"} <= {path.name for path in found}
    return found


def anchors(page: Path) -> set[str]:
    """The anchors that GitHub makes from the headings of a page."""
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    headings = re.findall(r"^#+ (.+?)\s*$", text, re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_links_lead_somewhere(files):
    dead = []
    for page in pages(files):
        for target in LINK.findall(FENCE.sub("", page.read_text(encoding="utf-8"))):
            if re.match(r"https://\w", target):
                continue
            name, _, anchor = target.partition("#")
            path = (page.parent / name).resolve() if name else page
            if not path.exists() or (anchor and path.suffix == ".md" and anchor not in anchors(path)):
                dead.append(f"{page.name}: {target}")
    assert not dead


def test_the_page_of_the_notebooks_lists_every_one(root):
    listed = set(re.findall(r"\]\(\.\./(notebooks/[\w.]+\.ipynb)\)", (root / "docs/notebooks.md").read_text(encoding="utf-8")))
    assert listed == {f"notebooks/{path.name}" for path in (root / "notebooks").glob("*.ipynb")} and len(listed) >= 12


def test_files_that_are_named_exist(files, root):
    missing = []
    for path in files:
        if path.suffix not in (".md", ".py", ".ipynb") or path.is_relative_to(root / "tests"):
            continue
        for name in OWN_PATH.findall(path.read_text(encoding="utf-8")):
            if not (root / name).exists() and not (path.parent / name).exists():
                missing.append(f"{path.relative_to(root)}: {name}")
    assert not missing


def shell_lines(page: Path) -> list[list[str]]:
    """The words of every command in the fenced blocks of a page, without prompts and comments."""
    blocks = [body for language, body in FENCE.findall(page.read_text(encoding="utf-8")) if language in ("", "sh", "bash", "console")]
    lines = [line.removeprefix("$ ").strip() for block in blocks for line in block.replace("\\\n", " ").splitlines()]
    return [shlex.split(line, comments=True) for line in lines if re.match(r"(python3 make\.py|(\.venv/bin/)?dpbounds) ", line)]


def test_what_make_runs_exists(root):
    make = runpy.run_path(str(root / "make.py"), run_name="make")
    found = [command for job in make["JOBS"] if job != "setup" for command in make["commands"](job, [])]
    modules = [words[2] for words in found if words[1:2] == ["-m"] and words[2].startswith("dpbounds")]
    assert len(modules) >= 2 and all(map(find_spec, modules))
    assert all((root / words[1]).is_file() for words in found if words[1:] and words[1].endswith(".py"))


def test_commands_in_the_pages_exist(files, root):
    usage = subprocess.run([sys.executable, "make.py", "--help"], cwd=root, capture_output=True, text=True, check=True).stdout
    jobs = set(re.findall(r"python3 make\.py (\w+)", usage))
    assert {"check", "test", "notebooks"} <= jobs
    seen = 0
    for page in pages(files):
        for words in shell_lines(page):
            seen += 1
            if words[0] == "python3":
                assert words[2] in jobs, f"{page.name}: {' '.join(words)}"
                continue
            command = cli.get_command(click.Context(cli), words[1])
            assert command is not None or words[1] in ("--help", "--version"), f"{page.name}: {' '.join(words)}"
            known = {option for parameter in command.params for option in parameter.opts} | {"--help"} if command else set()
            used = {word.partition("=")[0] for word in words[2:] if word.startswith("--")}
            assert used <= known, f"{page.name}: {' '.join(words)}"
    assert seen >= 3


@pytest.mark.parametrize("name", [*SHOWN, pytest.param("docs/which-sampling.md", marks=pytest.mark.slow)])
def test_the_pages_show_what_the_commands_print(root, tmp_path, name):
    """Runs the `console` blocks; a `python` block that begins with a file name is that file.

    A `json` block is `spec.json`. `...` stands for any text.
    """
    checker, flags = doctest.OutputChecker(), doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    shown = FENCE.findall((root / name).read_text(encoding="utf-8"))
    assert all("$ dpbounds" in body for language, body in shown if language == "console")
    for language, body in shown:
        if language == "python" and (title := re.match(r"# (\w+\.py)\n", body)):
            (tmp_path / title[1]).write_text(body, encoding="utf-8")
        if language == "json":
            (tmp_path / "spec.json").write_text(body, encoding="utf-8")
        for example in body.split("$ dpbounds ")[1:] if language == "console" else []:
            words, _, expected = example.partition("\n")
            command = [sys.executable, "-m", "dpbounds", *shlex.split(words)]
            run = subprocess.run(command, cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(root)}, capture_output=True, text=True)
            said = "".join(line for line in run.stderr.splitlines(True) if line.startswith("dpbounds:"))
            assert checker.check_output(expected, run.stdout + said, flags), f"dpbounds {words}\n{run.stdout}{run.stderr}"


def test_the_python_of_the_pages_runs(root):
    """Every `python` block of `docs` runs, and what it defines as a test passes."""
    passed = []
    for page in sorted((root / "docs").glob("*.md")):
        for language, body in FENCE.findall(page.read_text(encoding="utf-8")):
            if language == "python" and (find_spec("torch") or "import torch" not in body):  # torch is an extra
                names: dict[str, object] = {}
                exec(compile(body, page.name, "exec"), names)
                for name, test in names.items():
                    if name.startswith("test_") and callable(test):
                        test()
                        passed.append(name)
    assert passed == ["test_epsilon_is_never_too_small"]


def test_every_command_answers_help(root):
    for name in COMMANDS:
        run = subprocess.run([sys.executable, "-m", "dpbounds", name, "--help"], cwd=root, capture_output=True, text=True)
        assert (run.returncode, run.stderr) == (0, ""), name
        assert run.stdout.startswith("Usage: dpbounds " + name)


def test_continuous_integration_runs_the_test_command_of_the_readme(root):
    last = (root / ".ci/run").read_text(encoding="utf-8").rstrip().splitlines()[-1]
    command = last.removeprefix("exec ")
    assert command == "python3 make.py test"
    assert re.search(rf"^{re.escape(command)}\b", (root / "README.md").read_text(encoding="utf-8"), re.M)


def test_the_page_of_the_tests_names_every_folder(files, root):
    table = re.findall(r"^\| `tests/(\w+)` \|", (root / "tests/README.md").read_text(encoding="utf-8"), re.M)
    folders = {path.relative_to(root / "tests").parts[0] for path in files if path.parents[1].is_relative_to(root / "tests")}
    assert sorted(table) == sorted(folders)


def is_documented(node: ast.AST, owner: ast.ClassDef | None, classes: dict[str, ast.ClassDef]) -> bool:
    """Whether a definition has a docstring, its own or that of the method which it overrides."""
    overload = any(getattr(decorator, "id", "") == "overload" for decorator in node.decorator_list)
    if overload or ast.get_docstring(node, clean=False) is not None:
        return True
    ancestors = list(owner.bases) if owner else []
    while ancestors:
        parent = classes.get(getattr(ancestors.pop(), "id", ""))
        if parent is not None:
            ancestors += parent.bases
            if any(getattr(child, "name", "") == node.name and ast.get_docstring(child, clean=False) is not None for child in parent.body):
                return True
    return False


def classes_in(node: ast.Module | ast.ClassDef) -> Iterator[ast.ClassDef]:
    """The classes of a module, and those within them."""
    for child in node.body:
        if isinstance(child, ast.ClassDef):
            yield child
            yield from classes_in(child)


@pytest.fixture(scope="module")
def trees(files, root):
    """Each module of the library, parsed once, without a search for garbage in a million nodes that are kept."""
    modules = [path for path in files if path.suffix == ".py" and path.is_relative_to(root / "dpbounds")]
    gc.disable()
    found = {path.relative_to(root / "dpbounds").as_posix(): ast.parse(path.read_text(encoding="utf-8")) for path in modules}
    gc.enable()
    return found


def test_everything_public_has_a_docstring(trees):
    classes = {node.name: node for tree in trees.values() for node in classes_in(tree)}
    undocumented = []

    def visit(body: list[ast.stmt], owner: ast.ClassDef | None, where: str) -> None:
        for node in body:
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) and not node.name.startswith("_"):
                if not is_documented(node, owner, classes):
                    undocumented.append(f"{where}: {node.name}")
                if isinstance(node, ast.ClassDef):
                    visit(node.body, node, f"{where}: {node.name}")

    for where, tree in trees.items():
        if ast.get_docstring(tree, clean=False) is None:
            undocumented.append(where)
        visit(tree.body, None, where)
    assert not undocumented


INDEPENDENT = ("kernel", "covers", "recheck", "audit/adapters")
"""Programs that import nothing of the rest name what they check by the field's words once more; an adapter is called like what it wraps."""


def test_no_two_classes_share_a_name(trees):
    """One class name, one thing: a reader who meets a name knows which class is meant."""
    found = defaultdict(list)
    for place, tree in trees.items():
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_") and not place.startswith(INDEPENDENT):
                found[node.name].append(place)
    assert len(found) >= 300
    assert not {name: places for name, places in found.items() if len(places) > 1}


@pytest.mark.parametrize("name", ["CHANGELOG.md", "CITATION.cff"])
def test_the_version_is_the_same_everywhere(root, name):
    from dpbounds import __version__

    assert __version__ in (root / name).read_text(encoding="utf-8")


CALLS = """
import json, shlex, sys
from dpbounds.cli import cli

called = {}

def note(frame, event, argument):
    file = frame.f_code.co_filename
    if event == "call" and "/dpbounds/" in file:
        called.setdefault(file.rpartition("/dpbounds/")[2] + ": " + frame.f_code.co_qualname, len(called))

words = shlex.split(sys.argv[1])
cli.main(words, standalone_mode=False)  # what is imported only once is out of the way
sys.setprofile(note)
cli.main(words, standalone_mode=False)
sys.setprofile(None)
print(json.dumps(called))
"""


def test_the_walk_names_what_the_command_calls(root):
    """Every function that the walk of ARCHITECTURE.md names is called by its command, in that order."""
    page = (root / "ARCHITECTURE.md").read_text(encoding="utf-8")
    section = page.split("## A walk through the house\n")[1].split("\n## ")[0]
    (command,) = re.findall(r"`dpbounds (.*?)`", section)
    named = re.findall(r"`([\w/]+\.py: [\w.]+)`", section)
    run = subprocess.run([sys.executable, "-c", CALLS, command], cwd=root, capture_output=True, text=True, timeout=120, check=True)
    called = json.loads(run.stdout.splitlines()[-1])
    assert len(named) >= 10 and [name for name in named if name not in called] == []
    assert sorted(named, key=called.__getitem__) == named
