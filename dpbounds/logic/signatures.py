"""What terms are made of: operations, functions, quantities and binders, with the numbers and sorts of their parts.

A sort is "R" (real), "Z" (integer, taken where a real number is asked for), "F" (formula), "T" (finite table)
or "L" (function of its variables, made by Lambda).
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from fractions import Fraction

RELATIONS: dict[str, Callable[[Fraction, Fraction], bool]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<=": operator.le,
    "<": operator.lt,
    ">=": operator.ge,
    ">": operator.gt,
}
CONSTANTS = {"pi": "R", "E": "R", "oo": "R", "true": "F", "false": "F"}
FUNCTIONS = {
    "exp": 1, "log": 1, "sqrt": 1, "Abs": 1, "floor": 1, "ceiling": 1, "factorial": 1, "gamma": 1, "binomial": 2, "Mod": 2,
    "cosh": 1, "sinh": 1, "tanh": 1, "erf": 1, "erfc": 1, "NormalCDF": 1, "NormalQuantile": 1,
    "GaussianDelta": 3, "GaussianRenyi": 3, "SampledGaussianMoment": 3, "SampledGaussianRenyi": 3, "SampledGaussianDelta": 4,
    "SubstituteGaussianDelta": 4, "MomentConstant": 2,
}  # fmt: skip
"""Numbers of real arguments."""
DEFAULTS: dict[str, tuple[int, ...]] = {
    "GaussianDelta": (1,),
    "GaussianRenyi": (1,),
    "SampledGaussianDelta": (1,),
    "SubstituteGaussianDelta": (1,),
}
"""Last arguments that may be left out: they are written into the term, so that both spellings are one statement."""
WORDS = {"SampledGaussianMoment": "remove", "SampledGaussianRenyi": "remove", "SampledGaussianDelta": "remove"}
"""Quantities with a direction after their arguments, and the one that is meant where none is given."""
DIRECTIONS = ("remove", "add")
MECHANISMS = ("MechanismDelta", "MechanismRenyi")
"""Quantities of a mechanism: an order, then the parameters of the specification, which is text."""
DIVERGENCES = {"HockeyStick": 1, "LossTail": 1, "RenyiDivergence": 1, "RenyiMoment": 1, "KLDivergence": 0}
"""Quantities of two laws: so many numbers, then two tables; or with a range, then two densities in its variable."""
QUANTITIES = (
    *("GaussianDelta", "GaussianRenyi", "SampledGaussianMoment", "SampledGaussianRenyi", "SampledGaussianDelta"),
    *("SubstituteGaussianDelta", "MomentConstant", "NormalCDF", "NormalQuantile", "Supremum", "Infimum"),
    *MECHANISMS,
    *DIVERGENCES,
)
"""Operations that are named after what they mean."""
BINDERS: dict[str, tuple[str, tuple[int, int]]] = {
    "Sum": ("Z", (2, 1)),
    "Integral": ("R", (2, 1)),
    "Supremum": ("R", (2, 1)),
    "Infimum": ("R", (2, 1)),
    "ForAll": ("", (0, 2)),
    "Lambda": ("", (0, 1)),
    **{name: ("", (2 + count, 2)) for name, count in DIVERGENCES.items()},
}
"""The sort of the variable ("" for any), and how many parts stand outside and under the binder; outer parts begin with both ends."""
_WHOLE = ("Abs", "Max", "Min", "binomial", "factorial", "Mod", "Sum")


def sort_of(tag: str, data: tuple[object, ...], sorts: Sequence[str]) -> str:
    """The sort of a node, or "" when it is not well formed. `data` is ("over",) for one that binds a variable."""
    n, whole = len(sorts), all(s == "Z" for s in sorts)
    real = all(s in "RZ" for s in sorts)
    if data == ("over",):
        return _sort_of_binder(tag, sorts, real)
    if tag in CONSTANTS:
        return CONSTANTS[tag] if n == 0 else ""
    if tag in ("And", "Or", "Implies", "Not"):
        fits = n == {"Not": 1, "Implies": 2}.get(tag, n) and n > 0
        return "F" if fits and set(sorts) == {"F"} else ""
    if tag in DIVERGENCES:
        return "R" if n == DIVERGENCES[tag] + 2 and set(sorts[:-2]) <= set("RZ") and set(sorts[-2:]) == {"T"} else ""
    if tag == "Piecewise":
        return _sort_of_cases(sorts)
    if not real:
        return ""
    if tag in RELATIONS:
        return "F" if n == 2 else ""
    if tag in ("+", "*", "Max", "Min"):
        return "" if n < (1 if tag in ("Max", "Min") else 2) else "Z" if whole else "R"
    if tag in ("neg", "inv"):
        return "" if n != 1 else "Z" if whole and tag == "neg" else "R"
    if tag == "**":
        return "R" if n == 2 else ""
    if tag == "Tuple":
        return "T"
    if tag == "apply":
        return data[0].sort if n else ""  # type: ignore[attr-defined,no-any-return]
    if tag in MECHANISMS:
        return "R" if n else ""
    if n != FUNCTIONS.get(tag, -1):
        return ""
    return "Z" if tag in ("floor", "ceiling") or (whole and tag in _WHOLE) else "R"


def _sort_of_binder(tag: str, sorts: Sequence[str], real: bool) -> str:
    outer, inner = BINDERS[tag][1]
    if len(sorts) != outer + inner:
        return ""
    if tag == "ForAll":
        return "F" if set(sorts) == {"F"} else ""
    if tag == "Lambda":
        return "L" if sorts[0] in "RZL" else ""
    if not real:
        return ""
    return "Z" if tag == "Sum" and sorts[-1] == "Z" else "R"


def _sort_of_cases(sorts: Sequence[str]) -> str:
    values, conditions = sorts[::2], sorts[1::2]
    fits = sorts and len(values) == len(conditions) and set(conditions) == {"F"} and set(values) <= set("RZ")
    return "" if not fits else "Z" if set(values) == {"Z"} else "R"
