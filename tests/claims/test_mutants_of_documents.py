"""Every condition that decides which document proves which claim matters: with one dropped, turned around or cut, some test fails.

A mutant is `dpbounds.claims.documents` with one condition, comparison, term, entry or number changed. It is held against the quick tests of
`test_documents`, hostile pairs of a claim and a document among them, and against claims of the catalogue that must still be taken. Slow:
`pytest -m slow`; `python -m tests.claims.test_mutants_of_documents` lists what survives.
"""

from __future__ import annotations

import ast
import collections
import copy
import functools
import inspect
import itertools
import os
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from dpbounds.claims import documents
from tests.claims import test_documents
from tests.kernel.test_mutants import _changes as conditions

NOT_RUN = (
    "test_evidence_says_whether_the_kernel_checked",
    "test_both_kinds_of_derivation_stay_apart_in_a_set_of_evidence",
    "test_every_document_belongs_to_a_derivation_and_the_page_has_the_number",
    "test_what_is_only_cited_needs_no_document",
    "test_a_derivation_has_a_limit_of_processor_time",
    "test_no_two_claims_share_a_name_of_a_document",
)
"""Tests of what stands beside: evidence, how documents are written, how many there are."""
LAST = (
    "test_no_document_concludes_from_an_infimum_of_infinite_numbers",
    "test_infinite_sums_of_the_catalogue_are_compared_by_the_kernel",
    "test_a_document_shows_that_a_premise_has_no_infinite_quantity_from_the_others_alone",
)
"""The slowest."""
PATIENCE = 40
"""Seconds of processor time for one mutant, of which all tests together take eight."""
SURVIVORS: dict[str, str] = {
    "_is_single: without part 0: isinstance(side, (PrivacyQuantity, sympy.Integral)) and all(": "one side has a quantity",
    "_known: one more: 16": "how many folders are remembered",
    "_restated: all of them:  for s in parts if s is not None": "none of them is None there",
    "_restated: always: ('1', '-1') if last.formula.tag == '=' else ('1',)": "the rule takes no inequality times −1",
    "_restated: never: ('1', '-1') if last.formula.tag == '=' else ('1',)": "refuses more",
    "_restated: turned around: last.formula.tag == '='": "the rule takes no inequality times −1",
    "_restated: without entry 0: ('1', '-1')": "refuses more",
    "_restated: without entry 0: ([], known)": "the same step with more premises, which all hold",
    "_restated: without entry 1: ('1', '-1')": "refuses more",
    "_shown: all of them:  for s in known if s not in chosen": "a premise is offered twice",
    "_shown: all of them:  for s in known if s.formula.tag in ('=', '<=', '<')": "the rule refuses what is no relation",
    "_shown: all of them:  for s in parts if s is not None": "none of them is None there",
    "_shown: always: choices if wanted.tag in ('=', '<=', '<') else []": "the rule refuses what is no relation",
    "_shown: left only: [number(1)] * len(chosen)": "a premise that holds is added once",
    "_shown: turned around: s not in chosen": "refuses more: fewer premises are offered",
    "_shown: without entry 0: ('=', '<=', '<')": "refuses more",
    "_shown: without entry 0: [[], *([s] for s in known if s.formula.tag in ('=', '<=', '<": "refuses more",
    "_shown: without entry 1: ('=', '<=', '<')": "refuses more",
    "_speaks_of_quantities: turned around: s.hypotheses <= set(hypotheses)": "refuses more",
    "_visit: left only: checker.lemmas(rows) - found.keys()": "a document that is known is checked once more",
    "accepted: always: if name not in found:": "a document that is known is checked once more",
    "accepted: left only: 20 * DEPTH": "how deep Python may recurse: less ends in a refusal",
    "accepted: one more: 20": "how deep Python may recurse",
    "accepted: right only: 20 * DEPTH": "how deep Python may recurse: less ends in a refusal",
    "accepted: without part 0: file.is_file() and file.parent == where.resolve()": "`_visit` asks for the file again",
    "document_of: never: if name is None:": "there is no document of the name None",
    "document_of: without entry 2: (Refused, NotConverted, OSError, ValueError, TypeError, Recu": "ends in an error",
    "document_of: without entry 3: (Refused, NotConverted, OSError, ValueError, TypeError, Recu": "ends in an error",
    "document_of: without entry 4: (Refused, NotConverted, OSError, ValueError, TypeError, Recu": "ends in an error",
    "document_of: without entry 5: (Refused, NotConverted, OSError, ValueError, TypeError, Recu": "ends in an error",
    "establishes: always: {*obligations(statement.claim), *wanted} if claim != stateme": "nothing is missing then",
    "establishes: without entry 0: {*obligations(statement.claim), *wanted}": "refuses more",
    "establishes: without entry 1: {*obligations(statement.claim), *wanted}": "refuses more",
    "module: one more: 40000": "how much work may be spent",
    "name_of: never: if not isinstance(claim.by, Proof):": "ends in an error: other evidence names no derivation",
    "says: without entry 1: (NotConverted, Refused)": "ends in an error",
}
"""What no test notices, each with the reason why no false claim is taken with it."""


def changes(node: ast.AST) -> Iterator[tuple[str, Any]]:
    """(what, how) for each change of one node, which `how` makes in a copy and which may return another node."""
    yield from conditions(node)
    if isinstance(node, ast.Compare) and isinstance(node.ops[0], (ast.Is, ast.IsNot)):
        yield "turned around", lambda t: t.ops.__setitem__(0, ast.IsNot() if isinstance(t.ops[0], ast.Is) else ast.Is())
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield "without not", lambda t: t.operand
    if isinstance(node, ast.If):
        yield "always", lambda t: setattr(t, "test", ast.Constant(True))
        yield "never", lambda t: setattr(t, "test", ast.Constant(False))
    if isinstance(node, ast.IfExp):
        yield "always", lambda t: t.body
        yield "never", lambda t: t.orelse
    if isinstance(node, ast.comprehension) and node.ifs:
        yield "all of them", lambda t: t.ifs.clear()
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub, ast.Mult)):
        yield "left only", lambda t: t.left
        yield "right only", lambda t: t.right
    if isinstance(node, ast.AugAssign):
        yield "left out", lambda t: ast.Pass()
    if isinstance(node, (ast.List, ast.Tuple, ast.Set)) and isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
        for k in range(len(node.elts)):
            yield f"without entry {k}", lambda t, k=k: (t.elts.pop(k), None)[1]
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("all", "any"):
        yield "all for any", lambda t: setattr(t.func, "id", "any" if t.func.id == "all" else "all")
    if isinstance(node, ast.Constant) and type(node.value) is int:
        yield "one more", lambda t: setattr(t, "value", t.value + 1)
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
        yield "all of it", lambda t: t.value


class _Replaced(ast.NodeTransformer):
    """Puts one node in the place of another."""

    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self.old, self.new = old, new

    def visit(self, node: ast.AST) -> Any:
        return self.new if node is self.old else self.generic_visit(node)


def mutants(source: str) -> Iterator[tuple[str, Callable[[], str]]]:
    """("function: what: source", what gives the changed source) for each change of a module."""
    tree = ast.parse(source)
    skipped = {id(inner) for node in ast.walk(tree) for note in _annotations(node) for inner in ast.walk(note)}
    owner = {id(inner): f.name for f in tree.body if isinstance(f, ast.FunctionDef) for inner in ast.walk(f)}
    for number, node in enumerate(ast.walk(tree)):
        for what, change in changes(node) if id(node) not in skipped else ():
            text = ast.unparse(node).splitlines()[0]
            label = f"{owner.get(id(node), 'module')}: {what}: {text[:60].rstrip()}"
            yield label, functools.partial(_changed, tree, number, change)


def _changed(tree: ast.Module, number: int, change: Any) -> str:
    mutated = copy.deepcopy(tree)
    target = next(itertools.islice(ast.walk(mutated), number, None))
    new = change(target)
    mutated = mutated if new is None else _Replaced(target, new).visit(mutated)
    return ast.unparse(ast.fix_missing_locations(mutated))


def _annotations(node: ast.AST) -> Iterator[ast.AST]:
    """What is written of types, which decides nothing."""
    for name in ("annotation", "returns"):
        if isinstance(getattr(node, name, None), ast.AST):
            yield getattr(node, name)


def cases() -> list[tuple[Any, dict[str, Any]]]:
    """Every test with every choice of its parameters, the slowest last."""
    found = []
    for name, test in vars(test_documents).items():
        if name.startswith("test_") and name not in NOT_RUN:
            marks = [m.args for m in getattr(test, "pytestmark", ()) if m.name == "parametrize"]
            rows = [
                [{names: value} if isinstance(names, str) else dict(zip(names, value, strict=True)) for value in values]
                for names, values in marks
            ]
            found += [(test, {k: v for part in chosen for k, v in part.items()}) for chosen in itertools.product(*rows)]
    return sorted(found, key=lambda case: (case[0].__name__ in LAST, LAST.index(case[0].__name__) if case[0].__name__ in LAST else 0))


def run(test: Any, given: dict[str, Any]) -> None:
    """One test with its parameters."""
    if "tmp_path" not in inspect.signature(test).parameters:
        return test(**given)
    with tempfile.TemporaryDirectory() as where:
        test(**given, tmp_path=Path(where))


def killer(source: str) -> str | None:
    """The name of the first test that fails with a changed module, in a process of its own; None if all pass."""
    todo, (read, written) = cases(), os.pipe()
    child = os.fork()
    if not child:
        signal.setitimer(signal.ITIMER_VIRTUAL, PATIENCE)
        sys.stdout = sys.stderr = open(os.devnull, "w")  # noqa: SIM115
        called = "the module itself"
        try:
            exec(compile(source, documents.__file__, "exec"), documents.__dict__)
            for name in ("accepted", "document_of", "folder", "name_of"):
                setattr(test_documents, name, getattr(documents, name))
            for test, given in todo:
                called = test.__name__
                run(test, given)
        except BaseException:
            os.write(written, called.encode())
            os._exit(1)
        os._exit(0)
    os.close(written)
    status = os.waitpid(child, 0)[1]
    with os.fdopen(read) as file:
        called = file.read()
    return None if status == 0 else called or "time"


def source_of_documents() -> str:
    """The text of the module."""
    return Path(documents.__file__ or "").read_text(encoding="utf-8")


def survivors() -> tuple[list[str], int]:
    """The mutants that no test notices, and how many there are."""
    source = source_of_documents()
    assert killer(source) is None
    found = list(mutants(source))
    return [what for what, changed in found if killer(changed()) is None], len(found)


@pytest.mark.slow
def test_every_survivor_has_a_reason() -> None:
    alive, count = survivors()
    unknown = list((collections.Counter(alive) - collections.Counter(SURVIVORS.keys())).elements())  # a reason holds in one place
    assert count > 200 and not unknown, f"{len(unknown)} of {count} survive without a reason:\n" + "\n".join(unknown)


def test_what_has_a_reason_is_still_there() -> None:
    labels = {what for what, _ in mutants(source_of_documents())}
    assert set(SURVIVORS) <= labels, set(SURVIVORS) - labels


def test_a_conjunction_without_the_parts_that_are_not_shown_is_noticed() -> None:
    (changed,) = (changed for what, changed in mutants(source_of_documents()) if what.startswith("_restated: never: None if None in parts"))
    assert killer(changed()) == "test_a_claim_must_follow_from_the_document"


if __name__ == "__main__":
    left, tried = survivors()
    print(f"{len(left)} of {tried} survive", *left, sep="\n")
