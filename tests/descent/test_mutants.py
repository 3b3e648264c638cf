"""Every condition that decides what a division into boxes shows matters: with one dropped, turned around or cut, some test fails.

A mutant is `dpbounds.descent.boxes` with one condition, comparison, term, entry or number changed, held against the quick tests of
`test_boxes`. Slow: `pytest -m slow`; `python -m tests.descent.test_mutants` lists what survives.
"""

from __future__ import annotations

import collections
import itertools
import os
import signal
import sys
from pathlib import Path
from typing import Any

import pytest

from dpbounds.descent import boxes
from tests.claims.test_mutants_of_documents import mutants
from tests.descent import test_boxes

LAST = ("test_enclosures_hold_the_values_by_mpmath", "test_a_twin_is_not_decided_by_boxes", "test_a_part_of_a_range_is_decided_by_boxes")
"""The slowest."""
PATIENCE = 20
"""Seconds of processor time for one mutant, of which all tests together take two."""
NAMES = ("EnclosedTower", "check_boxes", "lower_end")
EFFORT = "how much work is counted"
ASKED = "a bound on some infinite box is an error then, and not a proof"
SURVIVORS: dict[str, tuple[int, str]] = {
    "check_boxes: all of them:  for i, g in enumerate(tower.generators) if g.kind == 'varia": (1, "only variables are looked up"),
    "check_boxes: one more: 0": (2, "cuts are counted from 1, or refuses more: the bound has to be larger"),
    "check_boxes: one more: 1": (2, "refuses more: a cut counts twice"),
    "check_boxes: turned around: depth < _DEEPEST": (1, "one cut more"),
    "lower_end: all for any: any((end is None for v in variables for end in box[v]))": (1, ASKED),
    "lower_end: always: found if best is None else largest(best, found)": (1, "the smaller of two lower bounds is one"),
    "lower_end: always: sorted(set().union(*(tower.variables_of(i) for i in used(f))": (1, "the polynomial 0 uses nothing"),
    "lower_end: never: found if best is None else largest(best, found)": (1, ASKED),
    "lower_end: never: if any((end is None for v in variables for end in box[v])):": (1, ASKED),
    "lower_end: never: if best is not None and best[0] > 0:": (1, "the second bound is not needed there"),
    "lower_end: one more: 0": (3, "whether the second bound is looked for; and no slope, a product with a reciprocal, has the mantissa 1"),
    "lower_end: turned around: best is None": (1, "the smaller of two lower bounds is one, and none is an error"),
    "lower_end: turned around: best[0] > 0": (1, "whether the second bound is looked for"),
    "lower_end: without entry 1: (Undefined, DescentRefused)": (1, "a refusal"),
    "lower_end: without part 0: low is not None and high is not None": (1, "infinite ends do not come so far"),
    "lower_end: without part 1: low is not None and high is not None": (1, "infinite ends do not come so far"),
    "module: always: if g.kind == 'root':": (1, "what is no root has the order 0, and 1/0 is an error"),
    "module: always: if index not in self._known:": (1, "the same enclosure once more"),
    "module: left only: 1 + len(monomial)": (1, EFFORT),
    "module: left only: 1 + len(monomial) - monomial.count(0)": (1, EFFORT),
    "module: left only: _CHEAP * (1 + len(monomial) - monomial.count(0))": (1, EFFORT),
    "module: left only: _CHEAP * (1 + len(monomial) - monomial.count(0)) + length_of": (1, EFFORT),
    "module: never: a.root(inner) if g.order == 2 else a.power(inner, a.number(F": (1, "the power 1/2 is the root"),
    "module: one more: 0": (1, EFFORT),
    "module: one more: 1": (1, EFFORT),
    "module: one more: 100": (1, EFFORT),
    "module: one more: 2": (1, EFFORT),
    "module: one more: 256": (1, EFFORT),
    "module: one more: 60": (1, "how deep cuts may be"),
    "module: one more: 64": (1, "how many digits enclosures have"),
    "module: right only: 1 + len(monomial)": (1, EFFORT),
    "module: right only: 1 + len(monomial) - monomial.count(0)": (1, EFFORT),
    "module: right only: _CHEAP * (1 + len(monomial) - monomial.count(0))": (1, EFFORT),
    "module: right only: _CHEAP * (1 + len(monomial) - monomial.count(0)) + length_of": (1, EFFORT),
    "module: without entry 0: (int, Range)": (1, "a type"),
    "module: without entry 1: (int, Range)": (1, "a type"),
}
"""What no test notices: in how many places, and why nothing false is shown with it."""


def cases() -> list[tuple[Any, dict[str, Any]]]:
    """Every test with every choice of its parameters, the slowest last; what is slow by itself is not run."""
    found = []
    for name, test in vars(test_boxes).items():
        if name.startswith("test_") and not any(m.name == "slow" for m in getattr(test, "pytestmark", ())):
            marks = [m.args for m in getattr(test, "pytestmark", ()) if m.name == "parametrize"]
            rows = [[dict(zip(names, value, strict=True)) for value in values] for names, values in marks]
            found += [(test, {k: v for part in chosen for k, v in part.items()}) for chosen in itertools.product(*rows)]
    return sorted(found, key=lambda case: (case[0].__name__ in LAST, LAST.index(case[0].__name__) if case[0].__name__ in LAST else 0))


def killer(source: str) -> str | None:
    """The name of the first test that fails with a changed module, in a process of its own; None if all pass."""
    todo, (read, written) = cases(), os.pipe()
    child = os.fork()
    if not child:
        signal.setitimer(signal.ITIMER_VIRTUAL, PATIENCE)
        sys.stdout = sys.stderr = open(os.devnull, "w")  # noqa: SIM115
        called = "the module itself"
        try:
            before = {name: getattr(boxes, name) for name in NAMES}
            exec(compile(source, boxes.__file__, "exec"), boxes.__dict__)
            for module in list(sys.modules.values()):
                for name in NAMES:
                    if vars(module).get(name) is before[name]:
                        setattr(module, name, getattr(boxes, name))
            for test, given in todo:
                called = test.__name__
                test(**given)
        except BaseException:
            os.write(written, called.encode())
            os._exit(1)
        os._exit(0)
    os.close(written)
    status = os.waitpid(child, 0)[1]
    with os.fdopen(read) as file:
        called = file.read()
    return None if status == 0 else called or "time"


def source_of_boxes() -> str:
    """The text of the module."""
    return Path(boxes.__file__).read_text(encoding="utf-8")


def survivors() -> tuple[list[str], int]:
    """The mutants that no test notices, and how many there are."""
    source = source_of_boxes()
    assert killer(source) is None
    found = list(mutants(source))
    return [what for what, changed in found if killer(changed()) is None], len(found)


@pytest.mark.slow
def test_every_survivor_has_a_reason() -> None:
    alive, count = survivors()
    argued = collections.Counter({what: places for what, (places, _) in SURVIVORS.items()})
    unknown = list((collections.Counter(alive) - argued).elements())
    assert count > 150 and not unknown, f"{len(unknown)} of {count} survive without a reason:\n" + "\n".join(unknown)


def test_what_has_a_reason_is_still_there() -> None:
    labels = {what for what, _ in mutants(source_of_boxes())}
    assert set(SURVIVORS) <= labels, set(SURVIVORS) - labels


def test_a_cut_outside_of_its_box_is_noticed() -> None:
    (changed,) = (changed for what, changed in mutants(source_of_boxes()) if what.startswith("check_boxes: turned around: c < high_end"))
    assert killer(changed()) is not None


if __name__ == "__main__":
    left, tried = survivors()
    print(f"{len(left)} of {tried} survive", *left, sep="\n")
