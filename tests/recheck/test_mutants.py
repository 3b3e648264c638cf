"""Each term and each condition of the checker, dropped one at a time: some probe must then find the truth outside, or nothing at all.

A dropped term is one side of a sum, a difference or a product, or a widening call; a dropped condition is one that refuses. The numbers of
survivors of most modules are what was measured; they may only fall. Most are guards of rounding too small for the probes, factors that
only make a bound larger, and conditions that another one repeats: in `numbers` bits beyond those asked for, errors of the second order
and what counts the work;
in `grid` the factor Q(R <= x) of a mass below the grid, which is at most 1, and a count that `zip` repeats; in `profiles` a sign that the
logarithm refuses as well. Those of the modules in `tests.recheck.survivors` are argued there one by one, and there may be no others.
`python -m tests.recheck.test_mutants MODULE` lists them.
"""

import ast
import collections
import functools
import importlib
import signal
import sys
import time
import types

import pytest

from dpbounds.recheck import bromwich, numbers
from dpbounds.recheck.order_range import BoundOnOrders
from tests.mutants import cases_of
from tests.recheck.probes import PROBES, holds
from tests.recheck.survivors import PLACES, SURVIVORS, key_of

ALLOWED = {"bromwich": 45, "convolution": 14, "laplace_sum": 7, "atoms": 15, "grid": 2, "renyi": 1, "profiles": 2, "numbers": 51}
FOR = {
    "bromwich": ("aliases", "line", "factors", "infinite", "Gaussian", "kernels", "listed"),
    "convolution": ("convolution", "discrete"),
    "laplace_sum": ("residues",),
    "atoms": ("convolution", "discrete", "divergence"),
    "renyi": ("divergence",),
    "grid": ("grid",),
    "profiles": ("closed form", "truncated"),
    "noises": ("Laplace", "Gaussian noise", "two factors", "largest loss"),
    "numbers": ("powers", "products", "phases", "logarithms", "kernels", "arithmetic"),
    "truncated_batch": ("truncated", "full batches"),
    "irrational": ("formulas",),
    "gaussian_mixture": ("moment", "line", "decay", "closed forms", "moves"),
}
"""Words in the names of the probes that a module is held against."""
_PATIENCE = 6.0
"""Seconds of processor time for one probe, of which the slowest takes two."""
CONDITIONS = ("grid", "renyi", "profiles", "noises", "gaussian_mixture", "order_range")
"""Modules whose refusals are dropped too."""
WIDENING = ("plus_minus", "down_by", "wider", "upper", "absolute")


CALLS = ("add", "multiply", "minimum", "_difference", "max", "min", "largest")
"""Calls with two operands of which one is dropped, in modules on plain intervals."""
NOTHING = ("False", "True", "(ZERO, INFINITY)", "(ONE, INFINITY)")
"""What an early return gives where a condition of a bound is not met."""


def is_count(node):
    """Whether a call counts work, which bounds no error."""
    return isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", "")) == "spend"


def sites(tree):
    """(node, kind) of each term that can be dropped."""
    counts = {id(inner) for node in ast.walk(tree) if is_count(node) for inner in ast.walk(node)}
    for position, node in enumerate(ast.walk(tree)):
        if id(node) in counts:
            continue
        if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub, ast.Mult)):
            yield position, "left only"
            if isinstance(node.op, ast.Add):
                yield position, "right only"
        elif isinstance(node, ast.If) and gives_nothing(node.body[0]):
            yield position, "no condition"
        elif isinstance(node, ast.Call) and name_of(node) in CALLS and len(node.args) == 2:
            yield position, "first only"
            if name_of(node) != "_difference":
                yield position, "second only"
        elif isinstance(node, ast.BoolOp):
            yield from ((position, f"without part {index}") for index in range(len(node.values)))
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in WIDENING:
            yield position, "no widening"


def gives_nothing(step):
    """Whether a step refuses, or returns what shows nothing."""
    return isinstance(step, ast.Raise) or (isinstance(step, ast.Return) and ast.unparse(step.value) in NOTHING)


def name_of(call):
    """What is called, without what it belongs to."""
    return getattr(call.func, "attr", getattr(call.func, "id", ""))


class Dropper(ast.NodeTransformer):
    """Replaces one node by a part of it."""

    def __init__(self, target, kind):
        self.target, self.kind = target, kind

    def visit(self, node):
        if node is not self.target:
            return self.generic_visit(node)
        if self.kind == "no condition":
            return ast.copy_location(ast.Pass(), node)
        if self.kind == "no widening":
            return node.func.value
        if self.kind in ("first only", "second only"):
            return node.args[self.kind == "second only"]
        if self.kind.startswith("without part"):
            left = [value for index, value in enumerate(node.values) if index != int(self.kind.split()[-1])]
            return left[0] if len(left) == 1 else ast.copy_location(ast.BoolOp(node.op, left), node)
        return node.left if self.kind == "left only" else node.right


def functions_of(code):
    """Code objects by qualified name."""
    found = {}
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            found[constant.co_qualname] = constant
            found |= functions_of(constant)
    return found


def live_functions(module):
    """The functions and methods of a module by qualified name."""
    found = {}
    for value in vars(module).values():
        if isinstance(value, types.FunctionType) and value.__module__ == module.__name__:
            found[value.__qualname__] = value
        elif isinstance(value, type) and value.__module__ == module.__name__:
            for part in vars(value).values():
                part = part.__func__ if isinstance(part, staticmethod) else part.fget if isinstance(part, property) else part
                part = part.func if isinstance(part, functools.cached_property) else getattr(part, "__wrapped__", part)
                if isinstance(part, types.FunctionType) and part.__module__ == module.__name__:
                    found[part.__qualname__] = part
    return found


class Late(BaseException):
    """Time is up; nothing in the checker catches this."""


def _stop(number, frame):
    raise Late


def all_hold(names):
    """Whether every probe finds the truth inside."""
    return all(_holds_in_time(functools.partial(holds, name)) for name in names)


def _holds_in_time(probe):
    """Whether a probe holds, or a test passes, and in time: a mutant may go on for ever."""
    before = signal.signal(signal.SIGVTALRM, _stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, _PATIENCE)
    try:
        return probe() is not False
    except (Exception, Late, pytest.fail.Exception):
        return False
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def decides_nothing(function):
    """Whether what a function finds is tried and not believed, or counts work."""
    last = function.rsplit(".", 1)[-1]
    return last.startswith(("approx_", "_approx_")) or last.endswith("_work")


def probes_of(name):
    """What a module is held against, the quickest first; those of `order_range` are its own tests."""
    found = [functools.partial(holds, probe) for probe in PROBES if any(word in probe for word in FOR.get(name, ()))]
    timed = []
    for probe in found or list(cases_of(["tests.recheck.test_order_range"]).values()):
        assert _holds_in_time(probe), probe
        start = time.process_time()
        _holds_in_time(probe)
        timed.append((time.process_time() - start, len(timed), probe))
    return [probe for _, _, probe in sorted(timed)]


def survivors_of(name):
    """The dropped terms of one module that no probe notices, as "kind: source", and how many there are."""
    module = importlib.import_module(f"dpbounds.recheck.{name}")
    with open(module.__file__, encoding="utf-8") as file:
        source = file.read()
    probes = probes_of(name)
    live, alive, count = live_functions(module), [], 0
    for position, kind in sites(ast.parse(source)):
        if not (kind.endswith("only") or kind == "no widening" or name in CONDITIONS):
            continue
        if kind in ("first only", "second only") and name != "order_range":
            continue
        tree = ast.parse(source)
        node = list(ast.walk(tree))[position]
        line = node.lineno
        changed = functions_of(compile(ast.fix_missing_locations(Dropper(node, kind).visit(tree)), module.__file__, "exec"))
        kept = {name: function.__code__ for name, function in live.items()}
        different = [key for key in live if key in changed and changed[key] != kept[key] and not decides_nothing(key)]
        if not different:
            continue
        count += 1
        try:
            for key in different:
                live[key].__code__ = changed[key]
            BoundOnOrders._weights.cache_clear()
            if all(_holds_in_time(probe) for probe in probes):
                alive.append(f"{line}: {kind}: {ast.unparse(node).splitlines()[0]}")
        finally:
            for key, code in kept.items():
                live[key].__code__ = code
    return alive, count


@pytest.mark.slow
@pytest.mark.parametrize("name", ALLOWED)
def test_dropped_terms_are_noticed(name):
    alive, count = survivors_of(name)
    assert count > 5 and len(alive) <= ALLOWED[name], f"{len(alive)} of {count} survive: {alive}"


@pytest.mark.slow
@pytest.mark.parametrize("name", SURVIVORS)
def test_every_survivor_has_a_reason(name):
    alive, count = survivors_of(name)
    found = collections.Counter(key_of(each.split(": ", 1)[1]) for each in alive)
    unknown = [key for key, places in found.items() if key not in SURVIVORS[name] or places > PLACES.get(key, 1)]
    assert count > 30 and not unknown, f"{len(unknown)} of {count} survive without a reason: {unknown}"


def test_a_factor_is_told_from_its_product():
    product = "left only: " + "x" * 60 + " * size * weight"
    assert key_of(product) != key_of(product.removesuffix(" * weight")) and len(key_of(product)) <= 70


def test_what_has_a_reason_is_still_there():
    for name, reasons in SURVIVORS.items():
        module = importlib.import_module(f"dpbounds.recheck.{name}")
        with open(module.__file__, encoding="utf-8") as file:
            tree = ast.parse(file.read())
        nodes = list(ast.walk(tree))
        known = {key_of(f"{kind}: {ast.unparse(nodes[position]).splitlines()[0]}") for position, kind in sites(tree)}
        assert set(reasons) <= known, set(reasons) - known


TERMS = [
    ("gaussian_mixture", "GaussianMixture._discretisation", ["aliasing of a moment", "aliasing of a line", "aliasing of a decay bound"]),
    ("gaussian_mixture", "GaussianMixture._tail", ["tail of a moment", "tail of a line", "tail of a decay bound"]),
    ("bromwich", "Contour.beyond", ["nodes beyond the line"]),
    ("bromwich", "Contour.right_aliases", ["aliases on the right"]),
]


@pytest.mark.parametrize("module, name, probes", TERMS)
def test_a_term_that_is_nothing_is_noticed(module, name, probes, monkeypatch):
    owner, method = name.split(".")
    kind = getattr(importlib.import_module(f"dpbounds.recheck.{module}"), owner)
    whole = getattr(kind, method)
    monkeypatch.setattr(kind, method, functools.wraps(whole)(lambda *given: whole(*given) * 0))
    for probe in probes:
        assert not all_hold([probe]), probe


WIDENINGS = [
    ("Disc.wider", ["aliasing of a line", "tail of a line", "tails of sampled Laplace"]),
    ("Real.plus_minus", ["nodes beyond the line"]),
    ("Real.down_by", ["aliases on the right", "aliases on the left", "plain aliases on the left", "convolution of what is listed"]),
]


@pytest.mark.parametrize("name, probes", WIDENINGS)
def test_a_widening_that_is_left_out_is_noticed(name, probes, monkeypatch):
    owner, method = name.split(".")
    monkeypatch.setattr(getattr(numbers, owner), method, lambda self, error: self)
    for probe in probes:
        assert not all_hold([probe]), probe


def test_aliases_on_the_left_that_are_nothing_are_noticed(monkeypatch):
    whole = bromwich.geometric
    monkeypatch.setattr(bromwich, "geometric", lambda rate: whole(rate) * 0)
    for probe in ("aliases on the left", "plain aliases on the left"):
        assert not all_hold([probe]), probe


if __name__ == "__main__":
    found, tried = survivors_of(sys.argv[1])
    print(f"{len(found)} of {tried} survive", *found, sep="\n")
