"""Every condition of the checker matters: with one dropped or turned around, some test of this folder fails.

A mutant is a copy of the kernel in which one `need(…)`, `if`, comparison or connective says something else. Slow: `pytest -m slow`.
"""

from __future__ import annotations

import ast
import copy
import importlib.abc
import importlib.machinery
import importlib.util
import os
import signal
import sys
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
KERNEL = ROOT / "dpbounds" / "kernel"
FILES = ["rules_logic", "rules_order", "rules_sums", "rules_calculus"]
"""The other files are tried by hand: `python tests/kernel/test_mutants.py ring`, which prints what survives."""
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


def _changes(node: ast.AST) -> Iterator[tuple[str, Any]]:
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


class _Mutated(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports one module of the kernel from another source."""

    def __init__(self, name: str, source: str) -> None:
        self.name, self.source = name, source

    def find_spec(self, fullname: str, path: object, target: object = None) -> importlib.machinery.ModuleSpec | None:
        return importlib.machinery.ModuleSpec(fullname, self) if fullname == self.name else None

    def create_module(self, spec: object) -> None:
        return None

    def exec_module(self, module: types.ModuleType) -> None:
        exec(compile(self.source, self.name, "exec"), module.__dict__)


def run_tests() -> None:
    """The quick tests of this folder, called directly."""
    for name in TESTS:
        spec = importlib.util.spec_from_file_location(f"mutant_{name}", ROOT / "tests" / "kernel" / f"{name}.py")
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        for called, test in list(vars(module).items()):
            if called.startswith("test_") and called not in SLOW:
                for arguments in _arguments(test):
                    test(*arguments)


def _arguments(test: Any) -> Iterator[tuple[Any, ...]]:
    marks = [mark for mark in getattr(test, "pytestmark", []) if mark.name == "parametrize"]
    if not marks:
        yield ()
        return
    names, values = marks[0].args
    values = list(values)[:3] if names == "seed" else values
    for value in values:
        yield tuple(value) if not isinstance(names, str) else (value,)


TESTS = ("test_rules", "test_ring", "test_documents", "test_definedness", "test_notation")
SLOW = (
    "test_hostile_documents_are_refused_in_a_line",
    "test_the_command_line_in_a_bare_interpreter",
    "test_documents_of_the_tree_are_accepted_by_a_bare_interpreter",
    "test_too_much_work_is_refused",
)


def survives(file: str, source: str) -> bool:
    """True if the tests pass with a mutated file, in a process of its own."""
    child = os.fork()
    if not child:
        signal.setitimer(signal.ITIMER_VIRTUAL, 60)
        sys.stdout = sys.stderr = open(os.devnull, "w")  # noqa: SIM115
        try:
            for name in [name for name in sys.modules if name.startswith("dpbounds.kernel")]:
                del sys.modules[name]
            sys.meta_path.insert(0, _Mutated(f"dpbounds.kernel.{file}", source))
            run_tests()
        except BaseException:
            os._exit(1)
        os._exit(0)
    return os.waitpid(child, 0)[1] == 0


@pytest.mark.slow
@pytest.mark.parametrize("file", FILES)
def test_mutants_are_killed(file: str) -> None:
    source = (KERNEL / f"{file}.py").read_text()
    assert survives(file, source)
    found = list(mutants(source))
    alive = [what for what, changed in found if survives(file, changed)]
    unexplained = [what for what in alive if not any(mark in what for mark in EQUIVALENT.get(file, ()))]
    assert not unexplained, f"{len(unexplained)} of {len(found)} survive:\n" + "\n".join(unexplained)


EQUIVALENT: dict[str, tuple[str, ...]] = {
    "rules_logic": (
        "need(f.data == ('R',) or at.sort == 'Z'",  # instantiate asks for an integer too
        "need(premises, 'expected a premise')",  # taking the first of no premises fails anyway
        "need(len(set(parameters)) == len(parameters)",  # the reader of lambdas refuses this first
        "variable.tag == 'v'",  # the reader gives variables only
        "x.tag == 'v'",
        "without part 0: x.sort == 'R' and t.sort == 'Z'",  # an integer for an integer is allowed by the first part
        "without part 1: x.sort == 'R' and t.sort == 'Z'",  # a term is of one of the two sorts; the reader refuses formulas
    ),
    "rules_order": (
        "integers are wanted",  # binomial coefficients refuse others
        "without part 1: above_zero(f, '<=') == k",
        "without part 0: n == 0 or even",  # the ring knows that t⁰ is 1
        "without part 2: n == 0 or even",  # the ring knows the sign of a power of what has one
        "without part 1: kind == NONNEGATIVE or (kind == POSITIVE",  # refuses more
        "turned around: kind == POSITIVE",  # refuses more; an even power of what is not 0 is not 0
        "without part 0: kind == POSITIVE and",  # likewise
        "without part 0: kind == NONNEGATIVE or parts_are(NONZERO)",  # the ring knows that |t| ≥ 0
        "turned around: kind == NONZERO",  # the least of numbers that are not 0 is not 0; for ≥ 0 it asks for more
    ),
    "rules_sums": ("an integer is wanted", "m.sort == 'Z'"),  # sums refuse these
    "rules_calculus": (
        "x.tag == 'v' and x.sort == 'R'",  # binders of reals refuse other variables
        "variable.tag == 'v' and variable.sort == 'R'",
        "t.tag == 'sum' and",  # only sums are left there
        "POINT not in low.free",  # no premise can name that point
        "turned around: n >= 0",  # n = 0 then asks for more
        "(not factor.loose)",  # the premise names the factor, and premises have no loose indices
    ),
}
"""Changes that make no difference to what a document can prove, by a part of their description."""


def test_there_are_mutants() -> None:
    assert len(list(mutants((KERNEL / "sequents.py").read_text()))) > 5


if __name__ == "__main__":
    for wanted in sys.argv[1:]:
        text = (KERNEL / f"{wanted}.py").read_text()
        print(wanted, "unchanged:", survives(wanted, text), flush=True)
        for label, changed_text in mutants(text):
            if survives(wanted, changed_text):
                print("ALIVE", label, flush=True)
