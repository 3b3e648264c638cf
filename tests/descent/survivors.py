"""Changes of the checkers of descents that no test notices, each with the reason why nothing false is shown with it."""

from __future__ import annotations

EFFORT = "how much work is counted"
ASKED = "a bound on some infinite box is an error then, and not a proof"
SURVIVORS: dict[str, dict[str, str]] = {
    "boxes": {
        "EnclosedTower._generator: always: if g.kind == 'root':": "what is no root has the order 0, and 1/0 is an error",
        "EnclosedTower._generator: never: a.root(inner) if g.order == 2 else a.power(inner, a.number(F": "the power 1/2 is the root",
        "EnclosedTower.generator: always: if index not in self._known:": "the same enclosure once more",
        "EnclosedTower.polynomial: left only: 1 + len(monomial)": EFFORT,
        "EnclosedTower.polynomial: left only: 1 + len(monomial) - monomial.count(0)": EFFORT,
        "EnclosedTower.polynomial: left only: _CHEAP * (1 + len(monomial) - monomial.count(0))": EFFORT,
        "EnclosedTower.polynomial: left only: _CHEAP * (1 + len(monomial) - monomial.count(0)) + length_of": EFFORT,
        "EnclosedTower.polynomial: one more: 0 in monomial.count(0)": EFFORT,
        "EnclosedTower.polynomial: one more: 1 in 1 + len(monomial)": EFFORT,
        "EnclosedTower.polynomial: one more: 256 in length_of(coefficient) // 256": EFFORT,
        "EnclosedTower.polynomial: right only: 1 + len(monomial)": EFFORT,
        "EnclosedTower.polynomial: right only: 1 + len(monomial) - monomial.count(0)": EFFORT,
        "EnclosedTower.polynomial: right only: _CHEAP * (1 + len(monomial) - monomial.count(0))": EFFORT,
        "EnclosedTower.polynomial: right only: _CHEAP * (1 + len(monomial) - monomial.count(0)) + length_of": EFFORT,
        "check_boxes: all of them:  for i, g in enumerate(tower.generators) if g.kind == 'varia": "only variables are looked up",
        "check_boxes: one more: 0 in (tree, box, 0)": "how deep cuts may be: one less",
        "check_boxes: one more: 1 in depth + 1": "refuses more: a cut counts twice",
        "check_boxes: one more: 1 in depth + 1 (2)": "refuses more: a cut counts twice",
        "check_boxes: turned around: depth < _DEEPEST": "one cut more",
        "lower_end: always: found if best is None else max(best, found)": "the smaller of two lower bounds is one",
        "lower_end: always: sorted(set().union(*(tower.variables_of(i) for i in used(f))": "the polynomial 0 uses nothing",
        "lower_end: never: found if best is None else max(best, found)": ASKED,
        "lower_end: never: if any((end is None for v in variables for end in box[v])):": ASKED,
        "lower_end: never: if best is not None and best > 0:": "the second bound is not needed there",
        "lower_end: all for any: any((end is None for v in variables for end in box[v]))": ASKED,
        "lower_end: one more: 0 in best > 0": "whether the second bound is looked for",
        "lower_end: turned around: best is None": "the smaller of two lower bounds is one, and none is an error",
        "lower_end: turned around: best > 0": "whether the second bound is looked for",
        "lower_end: without entry 1: (Undefined, DescentRefused)": "a refusal",
        "lower_end: without part 0: low is not None and high is not None": "infinite ends do not come so far",
        "lower_end: without part 1: low is not None and high is not None": "infinite ends do not come so far",
        "module: one more: 100 in _EXPENSIVE = 100": EFFORT,
        "module: one more: 2 in _CHEAP = 2": EFFORT,
        "module: one more: 60 in _DEEPEST = 60": "how deep cuts may be",
        "module: one more: 64 in _BITS = 64": "how many digits enclosures have",
        "module: without entry 0: (int, Range)": "a type",
        "module: without entry 1: (int, Range)": "a type",
    },
    "logarithms": {},
    "point": {},
}
