"""What no file of the project may hold: stubs, soft checks, tests that cannot fail, traces of one machine."""

import ast
import json
import re
from functools import cache
from pathlib import Path

import pytest

FORBIDDEN = {
    "a folder of one machine": re.compile(r"(?<![\w.~*])/(?:home|root|work|Users|tmp|opt|mnt|var/folders)/[\w.]"),
    "a package index": re.compile(
        r"https?://[^\s\"')]*(?:pypi|/simple/|pythonhosted|artifactory|nexus)|--(?:extra-)?index-url|--find[-]links", re.I
    ),
    "a promise instead of code": re.compile(r"#\s*(?:TO" + r"DO|FIX" + r"ME|X" + r"XX)\b"),
    "a doctest that does not run": re.compile(r"doctest:\s*\+SK" + "IP"),
    "a conflict marker": re.compile(r"^(?:<{7}|>{7}) ", re.M),
}
SOFT = {"approx", "is" + "close", "all" + "close", "assert_all" + "close", "assert_almost_" + "equal"}
LEFT_OUT = {"sk" + "ip", "sk" + "ipif", "x" + "fail", "importorsk" + "ip"}
STUB = "NotImplemented" + "Error"


def text_of(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return ""


def names_in(tree: ast.AST) -> set[str]:
    return {node.id if isinstance(node, ast.Name) else node.attr for node in ast.walk(tree) if isinstance(node, (ast.Name, ast.Attribute))}


def catches_all(handler: ast.ExceptHandler) -> list[str]:
    return ["all"] if handler.type is None else sorted(names_in(handler.type) & {"Exception", "BaseException"})


def python_files(files: list[Path], *words: str) -> list[tuple[Path, ast.Module]]:
    """The files of Python, or those that hold one of some words: to parse and walk all takes seconds."""
    held = re.compile("|".join(words and map(r"\b{}\b".format, words)))
    return [(path, tree_of(path)) for path in files if path.suffix == ".py" and held.search(text_of(path))]


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(text_of(path))


@pytest.mark.parametrize("what", FORBIDDEN)
def test_no_file_holds(files, root, what):
    hits = []
    for path in files:
        if path.suffix in (".png", ".gz", ".npz"):
            continue
        hits += [f"{path.relative_to(root)}: {match.group()!r}" for match in FORBIDDEN[what].finditer(text_of(path))]
    assert not hits


def test_the_patterns_find_what_they_are_for():
    machine, index, promise, doctest, conflict = FORBIDDEN.values()
    assert machine.search("see /ho" + "me/ada/notes") and not machine.search("examples/home/page and ~/opt/x")
    assert (
        index.search("https" + "://py" + "pi.example/x")
        and index.search("--index" + "-url x")
        and not index.search("https://arxiv.org/abs/1")
    )
    assert promise.search("# TO" + "DO later") and doctest.search("# doctest: +SK" + "IP") and conflict.search("<" * 7 + " HEAD")


def test_nothing_goes_through_the_parts_of_a_conjunction_in_the_order_of_a_set(root):
    """`And.make_args` gives a set: certificates that were written in one process were refused in another one."""
    files = sorted((root / "dpbounds").rglob("*.py"))
    assert not [path for path in files if re.search(r"\b(And|Or)\.make_args\(", path.read_text(encoding="utf-8"))]


def test_no_stubs(files, root):
    hits = []
    for path, tree in python_files(files, STUB, "pass"):
        if STUB in names_in(tree):
            hits.append(f"{path.relative_to(root)}: {STUB}")
        for node in ast.walk(tree):
            if isinstance(node, ast.ExceptHandler) and all(isinstance(statement, ast.Pass) for statement in node.body):
                hits += [f"{path.relative_to(root)}:{node.lineno}: swallows an exception" for _ in catches_all(node)]
    assert not hits


def test_tests_are_strict(files, root):
    """Containment is tested with <= and >=, and no test is left out."""
    hits = []
    for path, tree in python_files(files, *SOFT, *LEFT_OUT):
        if path.is_relative_to(root / "tests"):
            hits += [f"{path.relative_to(root)}: {name}" for name in sorted(names_in(tree) & (SOFT | LEFT_OUT))]
    assert not hits


@cache
def asserts_and_names(function: ast.FunctionDef) -> tuple[bool, frozenset[str]]:
    """Whether a function asserts something itself, and every name in it."""
    asserted = any(isinstance(node, ast.Assert) and not isinstance(node.test, ast.Constant) for node in ast.walk(function))
    return asserted, frozenset(names_in(function))


def can_fail(function: ast.FunctionDef, functions: dict[str, ast.FunctionDef], seen: frozenset[str] = frozenset()) -> bool:
    """Whether a test asserts something, itself or through functions of its own file."""
    asserted, names = asserts_and_names(function)
    if asserted or names & {"raises", "warns", "fail"} or any(name.startswith("assert_") for name in names):
        return True
    return any(can_fail(functions[name], functions, seen | {name}) for name in names - seen if name in functions)


def test_every_test_can_fail(files, root):
    hits = []
    for path, tree in python_files([path for path in files if path.is_relative_to(root / "tests") and path.name.startswith("test_")]):
        functions = {node.name: node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
        tests = {name: node for name, node in functions.items() if name.startswith("test_")}
        hits += [f"{path.relative_to(root)}: {name}" for name, node in tests.items() if not can_fail(node, functions)]
    assert not hits


def test_the_slow_tests_that_are_listed_exist(root):
    for line in (root / "tests/slow.txt").read_text(encoding="utf-8").splitlines():
        file, _, name = line.partition("::")
        source = (root / file).read_text(encoding="utf-8")
        assert not name or f"def {name.partition('[')[0].rpartition('::')[2]}(" in source, line


def test_notebooks_were_run_from_top_to_bottom(files, root):
    hits = []
    for path in files:
        if path.suffix != ".ipynb":
            continue
        cells = [cell for cell in json.loads(text_of(path))["cells"] if cell["cell_type"] == "code"]
        if [cell["execution_count"] for cell in cells] != list(range(1, len(cells) + 1)):
            hits.append(f"{path.relative_to(root)}: not run in order")
        outputs = [output for cell in cells for output in cell["outputs"]]
        if any(output["output_type"] == "error" or output.get("name") == "stderr" for output in outputs):
            hits.append(f"{path.relative_to(root)}: errors or warnings in the output")
    assert not hits
