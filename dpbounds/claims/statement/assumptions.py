"""What a symbol assumes, as explicit conditions; and what no condition here can express, which a claim must not assume.

The domain of a claim is its premises together with these conditions. An assumption that cannot be written as one (prime, rational,
complex, …) would be lost on the way, and with it the meaning of the claim, so it is refused.
"""

from __future__ import annotations

from typing import Any

import sympy
from sympy.logic.boolalg import Boolean

_MODELLED = ("integer", "positive", "negative", "nonnegative", "nonpositive", "nonzero", "even", "odd")


def assumptions_of(variable: Any) -> list[Boolean]:
    """The sign and parity assumptions of a symbol, or of an entry of a family, as conditions that are not evaluated away.

    >>> assumptions_of(sympy.Symbol("n", even=True, positive=True))
    [n > 0, Eq(Mod(n, 2), 0)]
    """
    conditions: list[Boolean] = []
    if variable.is_positive:
        conditions.append(sympy.StrictGreaterThan(variable, 0, evaluate=False))
    elif variable.is_nonnegative:
        conditions.append(sympy.GreaterThan(variable, 0, evaluate=False))
    if variable.is_negative:
        conditions.append(sympy.StrictLessThan(variable, 0, evaluate=False))
    elif variable.is_nonpositive:
        conditions.append(sympy.LessThan(variable, 0, evaluate=False))
    if variable.is_nonzero and not conditions:
        conditions.append(sympy.Ne(variable, 0, evaluate=False))
    for parity, remainder in (("is_even", 0), ("is_odd", 1)):
        if getattr(variable, parity):
            conditions.append(sympy.Eq(sympy.Mod(variable, 2, evaluate=False), remainder, evaluate=False))
    return conditions


def unmodelled(variable: Any) -> list[str]:
    """The assumptions of a symbol or family that no condition expresses; empty for real and integer variables of any sign.

    A symbol without any assumption counts as real, like every variable of a claim.

    >>> unmodelled(sympy.Symbol("p", prime=True)), unmodelled(sympy.Symbol("z", complex=True)), unmodelled(sympy.Symbol("x"))
    (['prime'], ['complex'], [])
    """
    stated = dict(getattr(variable, "_assumptions_orig", None) or variable.assumptions0)
    held = dict(variable.assumptions0)
    modelled: dict[str, bool | None] = {name: True for name in _MODELLED if getattr(variable, f"is_{name}", None) or held.get(name)}
    covered = sympy.Symbol("x", real=True, **modelled).assumptions0
    found = {name for name, value in stated.items() if value is not None and covered.get(name) is not value}
    hidden = {name for name, value in held.items() if value is not None and covered.get(name) is not value}
    if not held.get("real"):
        found |= {name for name, value in stated.items() if value is not None and name != "commutative"}
    names = found or hidden
    return sorted(name if stated.get(name, held.get(name)) else f"{name}=False" for name in names)
