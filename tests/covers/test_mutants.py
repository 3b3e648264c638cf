"""Each condition of the rules, flipped or dropped one at a time: some document must then be judged otherwise.

The numbers of survivors are what was measured; they may only fall. Many are shortcuts, or checks that another check repeats: where a
function is not analytic, its derivative by the table has no value either, so `_is_analytic` is asked twice over.
"""

import ast
import importlib
import sys

import pytest

from dpbounds.covers import document
from tests.covers.test_documents import FALSE, FALSE_SHAPES, RULES, SHAPES

MODULES = ["evaluate", "leaves", "cover", "shapes", "document", "check"]
_WORK = 30_000
"""Operations for one document: a changed condition may make the rules go on for ever."""
ALLOWED = {"leaves": 88, "check": 101, "shapes": 2}


def sites(tree):
    """(number of the node, kind) of each condition that can be changed."""
    for position, node in enumerate(ast.walk(tree)):
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            yield position, "flip"
        elif isinstance(node, (ast.If, ast.IfExp)):
            yield position, "true"
            yield position, "false"
        elif isinstance(node, ast.BoolOp):
            yield from ((position, f"drop {k}") for k in range(len(node.values)))


_FLIPS = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq}
_FLIPS |= {ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is}


def mutant(source, position, kind):
    tree = ast.parse(source)
    node = list(ast.walk(tree))[position]
    if kind == "flip":
        node.ops = [_FLIPS[type(node.ops[0])]()]
    elif kind in ("true", "false"):
        node.test = ast.Constant(kind == "true")
    else:
        del node.values[int(kind.split()[1])]
        if len(node.values) == 1:
            node.values.append(node.values[0])
    return ast.fix_missing_locations(tree), node.lineno


def judged(check):
    """What a checker says of each document of the table, None where it fails in another way than by refusing."""
    from dpbounds.covers.terms import Refused

    fields = [{**made, **edit} for made, edits in (*RULES.values(), *SHAPES.values()) for edit in ({}, *edits)]
    fields += [{**made, "tree": tree} for made in FALSE for tree in ("n", "m", "t", "-")]
    fields += FALSE_SHAPES
    for made in fields:
        try:
            check(document.read(made))
            yield True
        except Refused:
            yield False
        except Exception:
            yield None


def survivors_of(name):
    """The changes of one module that no document notices, as "line: kind", and how many changes there are."""
    module = importlib.import_module(f"dpbounds.covers.{name}")
    with open(module.__file__, encoding="utf-8") as file:
        source = file.read()
    users = [sys.modules[f"dpbounds.covers.{user}"] for user in MODULES]
    kept = [dict(vars(user)) for user in users]
    expected = list(judged(importlib.import_module("dpbounds.covers.check").check))
    alive, count = [], 0
    for position, kind in sites(ast.parse(source)):
        tree, line = mutant(source, position, kind)
        count += 1
        try:
            exec(compile(tree, module.__file__, "exec"), vars(module))
            for user in users:  # names that others imported from it
                for key, value in kept[users.index(user)].items():
                    if user is not module and getattr(value, "__module__", "") == module.__name__:
                        vars(user)[key] = vars(module)[key]
            if all(a is b for a, b in zip(judged(vars(sys.modules["dpbounds.covers.check"])["check"]), expected, strict=True)):
                alive.append(f"{line}: {kind}")
        except Exception:  # a mutant that raises is noticed
            continue
        finally:
            for user, names in zip(users, kept, strict=True):
                vars(user).update(names)
    return alive, count


@pytest.mark.slow
@pytest.mark.parametrize("name", ALLOWED)
def test_changed_conditions_are_noticed(name, monkeypatch):
    monkeypatch.setattr("dpbounds.covers.evaluate.MOST_WORK", _WORK)
    alive, count = survivors_of(name)
    assert count > 20 and len(alive) <= ALLOWED[name], f"{len(alive)} of {count} survive: {alive}"
