"""Mutants: a module with one condition, term, entry or number changed, which some test must notice.

A `Trial` names a module and its tests. Each mutant runs in a process of its own, in which dpbounds and the tests are imported anew, the
module from its changed source. What no test notices is listed with the reason why nothing false is accepted with it.
"""

import ast
import copy
import functools
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import inspect
import itertools
import os
import resource
import sys
import tempfile
import time
import types
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

Change = Callable[[Any], Any]
"""Changes a node, or returns another one for its place."""
_FLIPPED: dict[type[ast.cmpop], type[ast.cmpop]] = {ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE,
                                                    ast.GtE: ast.Gt, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot,
                                                    ast.IsNot: ast.Is}  # fmt: skip


def conditions(node: ast.AST) -> Iterator[tuple[str, Change]]:
    """(what, how) for each change of a condition: dropped, turned around, without a part."""
    match node:
        case ast.Call(func=ast.Name(id="need")):
            yield "dropped", lambda t: t.args.__setitem__(0, ast.Constant(True))
        case ast.Call(func=ast.Name(id="arbitrary" | "_within")):
            yield "dropped", lambda t: ast.Constant(None)
        case ast.Call(func=ast.Name(id="all" | "any" as name)):
            other = "any" if name == "all" else "all"
            yield f"{other} for {name}", lambda t: setattr(t.func, "id", other)
        case ast.BoolOp():
            for k in range(len(node.values)):
                yield f"without part {k}", lambda t, k=k: t.values.pop(k) and (t.values[0] if len(t.values) == 1 else None)
        case ast.Compare(ops=[operator]) if type(operator) in _FLIPPED:
            yield "turned around", lambda t: t.ops.__setitem__(0, _FLIPPED[type(t.ops[0])]())
        case ast.UnaryOp(op=ast.Not()):
            yield "without not", lambda t: t.operand
        case ast.If():
            yield "always", lambda t: setattr(t, "test", ast.Constant(True))
            yield "never", lambda t: setattr(t, "test", ast.Constant(False))
        case ast.IfExp():
            yield "always", lambda t: t.body
            yield "never", lambda t: t.orelse
        case ast.comprehension(ifs=[_, *_]):
            yield "all of them", lambda t: t.ifs.clear()


def terms(node: ast.AST) -> Iterator[tuple[str, Change]]:
    """(what, how) for each change of a term: one side of a sum or product, one entry of a list, a number, a part of a sequence."""
    match node:
        case ast.BinOp(op=ast.Add() | ast.Sub() | ast.Mult()):
            yield "left only", lambda t: t.left
            yield "right only", lambda t: t.right
        case ast.AugAssign():
            yield "left out", lambda t: ast.Pass()
        case ast.List() | ast.Tuple() | ast.Set() if isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
            for k in range(len(node.elts)):
                yield f"without entry {k}", lambda t, k=k: (t.elts.pop(k), None)[1]
        case ast.Constant() if type(node.value) is int:
            yield "one more", lambda t: setattr(t, "value", t.value + 1)
        case ast.Subscript(slice=ast.Slice()):
            yield "all of it", lambda t: t.value


def everything(node: ast.AST) -> Iterator[tuple[str, Change]]:
    """Changes of conditions and of terms."""
    yield from conditions(node)
    yield from terms(node)


class _Replaced(ast.NodeTransformer):
    """Puts one node in the place of another."""

    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self.old, self.new = old, new

    def visit(self, node: ast.AST) -> Any:
        return self.new if node is self.old else self.generic_visit(node)


def mutants(source: str, changes: Callable[[ast.AST], Iterator[tuple[str, Change]]] = everything) -> dict[str, Callable[[], str]]:
    """What gives each changed source, by "function: what: text"; a second place with the same label ends with (2)."""
    tree = ast.parse(source)
    skipped = {id(inner) for node in ast.walk(tree) for note in _annotations(node) for inner in ast.walk(note)}
    owners, outer = _owners(tree), {id(inner): node for node in ast.walk(tree) for inner in ast.iter_child_nodes(node)}
    found: dict[str, Callable[[], str]] = {}
    for number, node in enumerate(ast.walk(tree)):
        for what, change in changes(node) if id(node) not in skipped else ():
            text = ast.unparse(node) + (f" in {ast.unparse(outer[id(node)])}" if isinstance(node, ast.Constant) else "")
            label = f"{owners.get(id(node), 'module')}: {what}: {text.splitlines()[0][:60].rstrip()}"
            again = next(k for k in itertools.count(1) if (label if k == 1 else f"{label} ({k})") not in found)
            found[label if again == 1 else f"{label} ({again})"] = functools.partial(_changed, tree, number, change)
    return found


def _changed(tree: ast.Module, number: int, change: Change) -> str:
    mutated = copy.deepcopy(tree)
    target = next(itertools.islice(ast.walk(mutated), number, None))
    new = change(target)
    mutated = _Replaced(target, new).visit(mutated) if isinstance(new, ast.AST) else mutated
    return ast.unparse(ast.fix_missing_locations(mutated))


def _annotations(node: ast.AST) -> Iterator[ast.AST]:
    """What is written of types, which decides nothing."""
    for name in ("annotation", "returns"):
        if isinstance(getattr(node, name, None), ast.AST):
            yield getattr(node, name)


def _owners(tree: ast.AST, outer: str = "") -> dict[int, str]:
    """The qualified name of the function or class in which each node stands."""
    found = {}
    for node in ast.iter_child_nodes(tree):
        name = f"{outer}.{node.name}".lstrip(".") if isinstance(node, (ast.FunctionDef, ast.ClassDef)) else outer
        if name:
            found[id(node)] = name
        found |= _owners(node, name)
    return found


_OF_SYMPY = "dpbounds.language.assumptions"
"""Puts its rules into sympy; imported again, it would take them for those of sympy."""


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports one module from another source."""

    def __init__(self, name: str, source: str) -> None:
        self.name, self.source = name, source

    def find_spec(self, fullname: str, path: object, target: object = None) -> importlib.machinery.ModuleSpec | None:
        return importlib.machinery.ModuleSpec(fullname, self, origin=fullname) if fullname == self.name else None

    def create_module(self, spec: object) -> None:
        return None

    def exec_module(self, module: types.ModuleType) -> None:
        exec(compile(self.source, self.name, "exec"), module.__dict__)


@dataclass(frozen=True)
class Trial:
    """A module of dpbounds, and the tests that each of its mutants is held against.

    Attributes:
        module: its name.
        tests: names of modules of tests; those marked slow are not run.
        not_run: tests in them that say nothing of this module, or take long.
        changes: what is changed.
        patience: seconds of processor time for one mutant.
    """

    module: str
    tests: tuple[str, ...]
    not_run: tuple[str, ...] = ()
    changes: Callable[[ast.AST], Iterator[tuple[str, Change]]] = everything
    patience: int = 30

    @property
    def source(self) -> str:
        """The text of the module."""
        spec = importlib.util.find_spec(self.module)
        assert spec is not None and spec.origin is not None
        return Path(spec.origin).read_text(encoding="utf-8")

    @property
    def mutants(self) -> dict[str, Callable[[], str]]:
        """What gives each changed source, by its label."""
        return mutants(self.source, self.changes)

    def killer(self, source: str, order: list[str] | None = None) -> str | None:
        """The name of the first case that fails with another source, or "time"; None if all pass.

        Args:
            source: the source.
            order: names of cases, which come first; filled with the names from the quickest to the slowest if it is empty.
        """
        read, written = os.pipe()
        child = os.fork()
        if not child:
            os.close(read)
            resource.setrlimit(resource.RLIMIT_CPU, (self.patience, self.patience + 5))
            sys.stdout = sys.stderr = open(os.devnull, "w")  # noqa: SIM115
            called, seconds = "the module itself", dict[str, float]()
            try:
                for name in [name for name in sys.modules if name.split(".")[0] in ("dpbounds", "tests") and name != _OF_SYMPY]:
                    del sys.modules[name]
                sys.meta_path.insert(0, _Finder(self.module, source))
                cases = cases_of(self.tests, self.not_run)
                for called in [*(order or ()), *(name for name in cases if name not in (order or ()))]:
                    start = time.process_time()
                    cases[called]()
                    seconds[called] = time.process_time() - start
            except BaseException:
                os.write(written, called.encode())
                os._exit(1)
            if order is not None and not order:
                os.write(written, "\n".join(sorted(seconds, key=lambda name: seconds[name])).encode())
            os._exit(0)
        os.close(written)
        with os.fdopen(read) as file:
            said = file.read()
        if os.waitpid(child, 0)[1]:
            return said or "time"
        if order is not None and not order:
            order += said.split("\n")
        return None

    def survivors(self, progress: Callable[[str], None] = lambda line: None) -> tuple[list[str], int]:
        """The mutants that no test notices, and how many there are."""
        order: list[str] = []
        first = self.killer(self.source, order)
        assert first is None, f"{first} fails with the module as it is"
        alive, found = [], self.mutants
        for label, changed in found.items():
            last = self.killer(changed(), order)
            if last is None:
                alive.append(label)
                progress(label)
            elif last in order:  # what notices one mutant often notices the next
                order.remove(last)
                order.insert(0, last)
        return alive, len(found)

    def unexplained(self, reasons: Mapping[str, str]) -> list[str]:
        """The survivors without a reason."""
        return [label for label in self.survivors()[0] if label not in reasons]

    def gone(self, reasons: Mapping[str, str]) -> set[str]:
        """What has a reason and is no mutant any more."""
        return set(reasons) - set(self.mutants)


def cases_of(modules: Iterable[str], not_run: Container[str] = ()) -> dict[str, Callable[[], None]]:
    """What runs each test of some modules with each choice of its parameters, by module, function and number; none that is slow."""
    found = {}
    for module in modules:
        for name, test in vars(importlib.import_module(module)).items():
            marks = getattr(test, "pytestmark", ())
            if name.startswith("test_") and name not in not_run and not any(mark.name == "slow" for mark in marks):
                rows = [_rows(*mark.args) for mark in marks if mark.name == "parametrize"]
                for number, chosen in enumerate(itertools.product(*rows)):
                    given = {key: value for row in chosen for key, value in row.items()}
                    found[f"{module}.{name} {number}"] = functools.partial(_run, test, given)
    return found


def _rows(names: str | tuple[str, ...], values: Any, **_: Any) -> list[dict[str, Any]]:
    """The choices of a parametrization; those marked slow are left out."""
    keys = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    kept = [value for value in values if not getattr(value, "marks", ())]
    plain = [value.values if hasattr(value, "marks") else (value,) if len(keys) == 1 else value for value in kept]
    return [dict(zip(keys, value, strict=True)) for value in plain]


def _run(test: Any, given: dict[str, Any]) -> None:
    """One test with its parameters."""
    wanted = inspect.signature(test).parameters
    with tempfile.TemporaryDirectory() as where, pytest.MonkeyPatch.context() as patch:
        supplied = {"tmp_path": Path(where), "monkeypatch": patch}
        test(**given, **{name: supplied[name] for name in wanted if name in supplied})


def main(trials: Mapping[str, Trial]) -> None:
    """Print what survives, of the modules that are named on the command line."""
    for name in sys.argv[1:] or list(trials):
        print(name, flush=True)
        alive, count = trials[name].survivors(lambda line: print(f"    {line!r}", flush=True))
        print(f"{name}: {len(alive)} of {count} survive", flush=True)
