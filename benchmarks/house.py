"""`python -m benchmarks.house`: how large each part of the library is against its budget, and which habits it keeps.

Lines are physical lines of Python. A circle is a set of files that import each other, late imports included and imports for type
checkers left out. A package's depth is the longest chain of imports inside it. `--files` prints every package by itself.
"""

from __future__ import annotations

import argparse
import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

HOME = Path(__file__).parents[1]
PACKAGE = HOME / "dpbounds"

BUDGETS: Mapping[str, tuple[int, tuple[str, ...]]] = {
    "what reasons": (24_000, ("claims", "descent", "prover", "language", "covers", "kernel", "logic", "compile", "definitions")),
    "what computes": (
        22_000,
        (*("mechanisms", "laws", "renyi", "accounting", "float64", "recheck"), *("certificates", "numbers", "oracle", "noise", "solve")),
    ),
    "shuffling and its neighbours": (3_000, ("shuffle", "hidden_state", "matrix", "selection", "one_run", "gdp")),
    "all of dpbounds": (68_000, ("",)),
    "tests": (42_000, ("../tests",)),
}
"""Lines allowed, and the folders that they are counted over."""

VAGUE = frozenset(["of", "at", "on", "up", "by", "put", "go", "part", "one", "rest"])
"""Names that do not say what a function returns."""
WIDE = 100
LARGE = 25


@dataclass(frozen=True)
class File:
    """A module of the library: its path and what is imported and defined in it."""

    path: Path

    @cached_property
    def text(self) -> str:
        """The source."""
        return self.path.read_text(encoding="utf-8")

    @cached_property
    def tree(self) -> ast.Module:
        """The parsed source."""
        return ast.parse(self.text)

    @property
    def lines(self) -> int:
        """Physical lines."""
        return self.text.count("\n")

    @property
    def name(self) -> str:
        """The dotted name of the module."""
        parts = self.path.relative_to(HOME).with_suffix("").parts
        return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)

    @cached_property
    def functions(self) -> list[ast.FunctionDef]:
        """All functions and methods."""
        return [node for node in ast.walk(self.tree) if isinstance(node, ast.FunctionDef)]

    def imports(self) -> Iterator[tuple[str, bool]]:
        """The dotted names that are imported, and whether the import is late, inside a function."""
        yield from _imports(self.tree, False)


def _imports(node: ast.AST, late: bool) -> Iterator[tuple[str, bool]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
            continue
        if isinstance(child, ast.Import):
            yield from ((alias.name, late) for alias in child.names)
        elif isinstance(child, ast.ImportFrom) and child.module:
            yield from ((f"{child.module}.{alias.name}", late) for alias in child.names)
        yield from _imports(child, late or isinstance(child, ast.FunctionDef))


def files_below(folder: Path) -> list[File]:
    """The Python files of a folder, sorted."""
    return [File(path) for path in sorted(folder.rglob("*.py"))]


def lines_below(folders: Iterable[str]) -> int:
    """Lines of Python below folders of the package."""
    return sum(file.lines for folder in folders for file in files_below((PACKAGE / folder).resolve()))


def import_graph(files: Iterable[File]) -> dict[str, set[str]]:
    """For each module the modules of the library that it imports."""
    modules = {file.name: file for file in files}
    graph = {}
    for name, file in modules.items():
        wanted = {each for each, _ in file.imports()}
        found = {each if each in modules else each.rpartition(".")[0] for each in wanted}
        graph[name] = (found & set(modules)) - {name}
    return graph


def circles(graph: Mapping[str, set[str]]) -> list[set[str]]:
    """The sets of two or more modules that import each other (strongly connected components, by Tarjan's algorithm)."""
    numbers: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[set[str]] = []

    def visit(name: str) -> None:
        numbers[name] = low[name] = len(numbers)
        stack.append(name)
        for other in graph[name]:
            if other not in numbers:
                visit(other)
            if other in stack:
                low[name] = min(low[name], low[other])
        if low[name] == numbers[name]:
            component = set()
            while name not in component:
                component.add(stack.pop())
            if len(component) > 1:
                found.append(component)

    for name in graph:
        if name not in numbers:
            visit(name)
    return found


def depth(graph: Mapping[str, set[str]], package: str) -> int:
    """The longest chain of imports inside a package; modules of a circle count once."""
    names = {name for name in graph if name.startswith(package + ".")}
    inside = {name: graph[name] & names for name in names}
    home = {name: min(circle) for circle in circles(inside) for name in circle}
    merged: dict[str, set[str]] = {}
    for name, found in inside.items():
        merged.setdefault(home.get(name, name), set()).update(home.get(other, other) for other in found)
    heights: dict[str, int] = {}

    def height(name: str) -> int:
        if name not in heights:
            heights[name] = 1 + max((height(other) for other in merged[name] - {name}), default=0)
        return heights[name]

    return max((height(name) for name in merged), default=0)


def habits(files: list[File]) -> Iterator[tuple[str, int, int]]:
    """What is counted, how often it occurs, and how often it may."""
    graph = import_graph(files)
    functions = [node for file in files for node in file.functions]
    top = [node for file in files for node in file.tree.body if isinstance(node, ast.FunctionDef)]
    public = [node for node in top if not node.name.startswith("_")]
    yield "circles of imports", len(circles(graph)), 0
    yield "depth of claims", depth(graph, "dpbounds.claims"), 8
    elsewhere = [file for file in files if ".cli" not in file.name]
    late = [name for file in elsewhere for name, is_late in file.imports() if is_late and name.startswith("dpbounds")]
    yield "late imports of the library outside of the command line", len(late), 0
    yield "isinstance", sum(file.text.count("isinstance(") for file in files), 600
    yield "functions with names that do not say what they return", sum(node.name in VAGUE for node in functions), 0
    yield f"lines wider than {WIDE}", sum(len(line) > WIDE for file in files for line in file.text.splitlines()), 0
    yield "public functions without an example", sum(">>>" not in (ast.get_docstring(node) or "") for node in public), 0
    folders = {file.path.parent for file in files}
    yield f"folders with more than {LARGE} files", sum(len(list(folder.glob("*.py"))) > LARGE for folder in folders), 0


def main() -> None:
    """Print the budgets, the habits and, if asked, the packages."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.house", description=__doc__)
    parser.add_argument("--files", action="store_true", help="print files and lines of each package too")
    options = parser.parse_args()
    print(f"{'part':58}{'lines':>8}{'budget':>8}")
    for part, (budget, folders) in BUDGETS.items():
        print(f"{part:58}{lines_below(folders):8}{budget:8}")
    print(f"\n{'habit':58}{'count':>8}{'aim':>8}")
    for habit, count, most in habits(files_below(PACKAGE)):
        print(f"{habit:58}{count:8}{most:8}")
    if options.files:
        print(f"\n{'package':50}{'files':>8}{'lines':>8}")
        for folder in sorted(path for path in PACKAGE.iterdir() if path.is_dir()):
            if found := files_below(folder):
                print(f"{folder.name:50}{len(found):8}{sum(file.lines for file in found):8}")


if __name__ == "__main__":
    main()
