"""The pairs of laws that say what δ(ε) and D_α of one use of a mechanism are, with symbols for its parameters.

Laplace noise of scale b on answers that differ by 1 has Laplace(1, b) and Laplace(0, b); randomized response of two answers with the ratio
e^a of their masses has (e^a, 1)/(1 + e^a) and (1, e^a)/(1 + e^a). Each law of a pair is the mirror image of the other one, so that both
directions have one value.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sympy import Symbol, Tuple, exp, oo

from dpbounds.language.closed_forms import Reading, expression_in, single
from dpbounds.language.density_pairs import laplace_density


def laws_of(parts: Sequence[Mapping[str, Any]], reading: Reading, y: Symbol) -> tuple[Any, ...] | None:
    """The arguments of a divergence after its order: two densities of y and their range, or two tables; None where no pair is written here.

    Args:
        parts: the objects of a specification.
        reading: direction, relation and guarantee.
        y: the output.

    >>> b, y = Symbol("b", positive=True), Symbol("y", real=True)
    >>> laws_of([{"laplace-scale": b}], ("worst", "", "mechanism"), y)
    (exp(-Abs(y - 1)/b)/(2*b), exp(-Abs(y)/b)/(2*b), (y, -oo, oo))
    """
    part = single(parts, reading)
    if part is None or len(part) != 1:
        return None
    ((name, value),) = part.items()
    if name == "laplace-scale":
        scale = expression_in(value)
        return laplace_density(y, 1, scale), laplace_density(y, 0, scale), (y, -oo, oo)
    if name == "randomized-response":
        likely = exp(expression_in(value))
        masses = likely / (1 + likely), 1 / (1 + likely)
        return Tuple(*masses), Tuple(*reversed(masses))
    return None
