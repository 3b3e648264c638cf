"""Every condition of the checker matters: with one dropped or turned around, some test of this folder fails.

A mutant is a copy of the kernel in which one `need(…)`, `if`, comparison or connective says something else. Slow: `pytest -m slow`.
"""

from __future__ import annotations

import ast
import copy
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
KERNEL = ROOT / "dpbounds" / "kernel"
FILES = ["rules_logic", "rules_order", "rules_sums", "rules_calculus", "definedness", "ring", "sequents", "terms"]
_FLIPPED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}


def mutants(source: str) -> Iterator[tuple[str, str]]:
    """(what was changed, the changed source) for each condition of a file."""
    tree = ast.parse(source)
    for number, node in enumerate(ast.walk(tree)):
        for what, change in _changes(node):
            mutated = copy.deepcopy(tree)
            target = next(n for k, n in enumerate(ast.walk(mutated)) if k == number)
            change(target)
            yield f"line {getattr(node, 'lineno', 0)}: {what}: {ast.unparse(node)[:90]}", ast.unparse(ast.fix_missing_locations(mutated))


def _changes(node: ast.AST) -> Iterator[tuple[str, object]]:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "need":
        yield "dropped", lambda t: t.args.__setitem__(0, ast.Constant(True))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("arbitrary", "_within"):
        yield "dropped", lambda t: setattr(t, "func", ast.Name("print", ast.Load()))
    if isinstance(node, ast.BoolOp):
        for k in range(len(node.values)):
            yield f"without part {k}", lambda t, k=k: t.values.pop(k) if len(t.values) > 2 else _single(t, k)
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in _FLIPPED:
        yield "turned around", lambda t: t.ops.__setitem__(0, _FLIPPED[type(t.ops[0])]())


def _single(t: ast.BoolOp, k: int) -> None:
    """The other part alone, written as part ∧ part."""
    t.values[k] = t.values[1 - k]


def survives(folder: Path, file: str, source: str) -> bool:
    """True if the tests of the rules, the ring and the documents pass with a mutated file."""
    target = folder / "dpbounds" / "kernel" / f"{file}.py"
    original = target.read_text()
    target.write_text(source)
    tests = [f"tests/kernel/{name}.py" for name in ("test_rules", "test_ring", "test_documents", "test_notation")]
    run = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "--no-header", *tests]
    env = {**os.environ, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        return subprocess.run(run, cwd=folder, env=env, capture_output=True, timeout=300).returncode == 0
    except subprocess.TimeoutExpired:
        return False
    finally:
        target.write_text(original)


@pytest.mark.slow
@pytest.mark.parametrize("file", FILES)
def test_mutants_are_killed(file: str, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "dpbounds", tmp_path / "dpbounds", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "tests" / "kernel", tmp_path / "tests" / "kernel", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    found = list(mutants((KERNEL / f"{file}.py").read_text()))
    alive = [what for what, source in found if survives(tmp_path, file, source)]
    equivalent = [what for what in alive if any(mark in what for mark in EQUIVALENT.get(file, ()))]
    assert alive == equivalent, f"{len(alive) - len(equivalent)} of {len(found)} survive:\n" + "\n".join(alive)


EQUIVALENT: dict[str, tuple[str, ...]] = {}
"""Changes that make no difference to what is accepted, by a part of their description."""


def test_there_are_mutants() -> None:
    assert sum(len(list(mutants((KERNEL / f"{file}.py").read_text()))) for file in FILES) > 200
