"""Moments of laws on two points at every order: what a claim about them says in the terms of `dpbounds.compile.joining.two_points`."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import sympy

from dpbounds.claims.claim import Claim
from dpbounds.compile.joining.two_points import NAMES


@dataclass(frozen=True)
class TwoPoints:
    """A claim as an instance of the lemma.

    Attributes:
        values: of the lemma's variables.
        left: what is left to show.
        factor: of log S where the claim speaks of it, such as 1/(x − 1); None where it speaks of S.
        scale: what S and its bound are multiplied by, where the claim speaks of S.
    """

    values: dict[str, Any]
    left: list[Claim]
    factor: Any
    scale: Any = sympy.S.One


def two_points(claim: Claim) -> Iterator[TwoPoints]:
    """The ways to read a claim as A·e^{ax} + B·e^{bx} ≤ e^{c·(x² − x)}, or so of logarithms.

    >>> from sympy import cosh, exp, symbols
    >>> x, e = symbols("x e", positive=True)
    >>> p = 1 / (1 + exp(e))
    >>> moment = p * exp(x * e) + (1 - p) * exp(-x * e)
    >>> (found,) = two_points(Claim(id="a", then=moment <= exp(x * (x - 1) * e**2 / 2), given=[x > 1]))
    >>> found.values["cap_"], found.left[-1].then
    (e**2/2, 4*e**2 <= 4*e**2)
    """
    then, scale = claim.then, sympy.S.One
    if claim.families or not isinstance(then, (sympy.Le, sympy.Ge)):
        return
    small, large = (part.rewrite([sympy.cosh, sympy.sinh, sympy.tanh], sympy.exp) for part in (then.lts, then.gts))
    logs = [part for part in sympy.Mul.make_args(small) if isinstance(part, sympy.log)]
    if len(logs) == 1:
        factor, moment = small / logs[0], logs[0].args[0]
        exponent = large / factor
    else:
        own = [part for part in sympy.Mul.make_args(large) if isinstance(part, sympy.exp)]
        factor, moment, exponent = None, small, sympy.Add(*(part.args[0] for part in own))
        scale = sympy.Mul(*(part for part in sympy.Mul.make_args(large) if part not in own))
    if not moment.free_symbols & exponent.free_symbols:
        return
    for x in sorted(moment.free_symbols & exponent.free_symbols, key=str):
        cap = sympy.cancel(exponent / (x * (x - 1)))
        terms = None if cap.has(x) else _exponentials(moment, x)
        if terms is None or len(terms) != 2 or scale.has(x):
            continue
        terms = {a: k / scale for a, k in terms.items()}
        (a, first), (b, second) = sorted(terms.items(), key=lambda entry: str(entry[0]))
        values = dict(zip(NAMES, (first, second, a, b, cap, x), strict=True))
        given = tuple(p for p in claim.given if x not in p.free_symbols)
        left = [
            sympy.Le(0, first, evaluate=False),
            sympy.Le(0, second, evaluate=False),
            sympy.Eq(first + second, 1, evaluate=False),
            sympy.Eq(first * sympy.exp(a) + second * sympy.exp(b), 1, evaluate=False),
            sympy.Le((a - b) ** 2, 8 * cap, evaluate=False),
        ]
        left += [] if scale == 1 else [sympy.Lt(0, scale, evaluate=False)]
        plain = replace(claim, by=None, mutant=None, uses=(), witness={}, example=None)
        yield TwoPoints(values, [replace(plain, then=part, given=given) for part in left], factor, scale)


def _exponentials(e: Any, x: Any) -> dict[Any, Any] | None:
    """The factors of e^{ax} by a, where an expression is a sum of such terms."""
    if not e.has(x):
        return {sympy.S.Zero: e}
    if isinstance(e, sympy.exp):
        exponent = sympy.expand(e.args[0])
        slope = exponent.coeff(x)
        rest = sympy.expand(exponent - slope * x)
        return None if slope.has(x) or rest.has(x) else {slope: sympy.exp(rest)}
    if not isinstance(e, (sympy.Add, sympy.Mul)):
        return None
    parts = [_exponentials(part, x) for part in e.args]
    if None in parts:
        return None
    if isinstance(e, sympy.Add):
        pairs = [entry for part in parts for entry in (part or {}).items()]
    else:
        rows = itertools.product(*((part or {}).items() for part in parts))
        pairs = [(sympy.expand(sympy.Add(*(a for a, _ in row))), sympy.Mul(*(k for _, k in row))) for row in rows]
    found: dict[Any, Any] = defaultdict(lambda: sympy.S.Zero)
    for slope, factor in pairs:
        found[slope] += factor
    return dict(found)
