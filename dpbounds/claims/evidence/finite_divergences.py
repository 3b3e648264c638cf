"""Divergences of families whose masses may be 0, as sums that a document can speak of. Nothing here is trusted.

Σ_i d_i stands for D(p ‖ q), with d_i = 0 where p_i ≤ 0. For a conclusion a ≤ b with a divergence in b, q_i > 0 is assumed where p_i > 0.
When that says what the claim says, `dpbounds.claims.statement.infinite_divergences` decides, from the claim as it was typed.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import sympy
from sympy import Sum

from dpbounds.claims.claim import Claim
from dpbounds.language import functions
from dpbounds.language.quantifiers import ForAll

_DIVIDING = (functions.KLDivergence, functions.RenyiMoment, functions.RenyiDivergence)


def in_finite_terms(claim: Claim) -> Claim:
    """The claim with sums for its divergences of families; the claim itself where it has none, or may have infinite ones in premises.

    >>> from dpbounds.language.symbols import family, index, positive_integer
    >>> i, n, p, q = index("i"), positive_integer("n"), family("p"), family("q", "positive")
    >>> said = Claim(id="a", text="", then=functions.KLDivergence(p[i], q[i], (i, 1, n)) >= -1)
    >>> in_finite_terms(said).then.lhs.function.args[0]
    (0, p[i] <= 0)
    """
    parts = (claim.then, *claim.given)
    found = sorted({d for part in parts for d in part.atoms(*_DIVIDING) if not d.is_table and d.args[3][0].is_integer}, key=str)
    rest = [d for d in found if not _is_sure(d.args[2])]
    if not found or (rest and (any(part.has(*rest) for part in claim.given) or not isinstance(claim.then, (sympy.Le, sympy.Ge)))):
        return claim
    values = {d: _finite(d) for d in found if d in rest or not _is_sure(d.args[1])}
    given = [*claim.given, *(_where_finite(d) for d in rest if claim.then.gts.has(d))]
    return replace(
        claim, then=_put(claim.then, values), given=tuple(_put(g, values) for g in given), by=None, mutant=None, uses=(), witness={}
    )


def _put(part: Any, values: dict[Any, Any]) -> Any:
    return functions.with_replaced(part, values) if values and part.has(*values) else part


def _where_finite(d: functions.Divergence) -> Any:
    """q > 0 where p > 0."""
    _, p, q, (i, _, high) = d.args
    condition = sympy.And(sympy.Le(i, high, evaluate=False), sympy.Gt(p, 0, evaluate=False), evaluate=False)
    return ForAll(i, condition, sympy.Gt(q, 0, evaluate=False))


def _finite(d: functions.Divergence) -> Any:
    """F, or log F/(α − 1)."""
    order, p, q, over = d.args
    if isinstance(d, functions.KLDivergence):
        term = sympy.Mul(p, sympy.Add(sympy.log(p), sympy.Mul(-1, sympy.log(q), evaluate=False), evaluate=False), evaluate=False)
    else:
        term = sympy.Mul(sympy.Pow(p, order, evaluate=False), sympy.Pow(q, 1 - order, evaluate=False), evaluate=False)
    absent = sympy.Le(p, 0, evaluate=False)
    total = Sum(term if _is_sure(p) else sympy.Piecewise((sympy.S.Zero, absent), (term, True), evaluate=False), over)
    return sympy.log(total) / (order - 1) if isinstance(d, functions.RenyiDivergence) else total


def _is_sure(mass: Any) -> bool:
    """Whether a mass is positive by what its family is."""
    return isinstance(mass, sympy.Indexed) and bool(mass.is_positive)
