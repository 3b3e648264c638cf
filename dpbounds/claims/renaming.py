"""A claim in the names of a theorem: a claim file has variables of its own, and a derivation has others.

What holds for all values of its variables says the same under other names, as long as two variables never get one name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import sympy
from sympy.logic.boolalg import Boolean

from dpbounds.claims.assumptions import assumptions_of
from dpbounds.claims.canonical import as_written, orders_of
from dpbounds.claims.claim import Claim
from dpbounds.errors import ClaimError


def in_names_of(claim: Claim, conclusion: Boolean, assumptions: Iterable[Boolean]) -> Iterator[Claim]:
    """The claim with the variables of a theorem for its own, once for each way in which the two conclusions fit.

    A variable of the theorem takes the place of one of the same kind. What the claim's variable assumes becomes a premise, and what the
    theorem's assumes must be among the claim's premises or assumptions.
    """
    assumptions = tuple(assumptions)
    text, (order, *_) = orders_of(conclusion)
    own, orders = orders_of(claim.then)
    known = {as_written(part): part for part in (conclusion, *assumptions)}
    for mine in orders if own == text else []:
        names = dict(zip(mine, order, strict=True))
        if (renamed := _renamed(claim, names, known)) is not None and renamed.then == conclusion:
            yield renamed


def _renamed(claim: Claim, names: Mapping[Any, Any], known: Mapping[str, Boolean]) -> Claim | None:
    """The claim under other names, its parts as the theorem writes them where only names of bound symbols differ."""
    everywhere = {str(s) for part in (claim.then, *claim.given) for s in part.atoms(sympy.Symbol)}  # bound ones too
    if (everywhere - set(map(str, names))) & {str(v) for v in names.values()}:
        return None
    signs = [sign for v in names if isinstance(v, sympy.Symbol) for sign in assumptions_of(v)]
    parts = [_moved(part, names) for part in (claim.then, *claim.given, *signs)]
    then, *given = (known.get(as_written(part), part) for part in parts)
    needed = [sign for v in names.values() if isinstance(v, sympy.Symbol) for sign in assumptions_of(v)]
    if not {as_written(sign) for sign in needed} <= {as_written(premise) for premise in given}:
        return None
    try:
        return replace(claim, then=then, given=tuple(given), mutant=None, example=None, witness={})
    except ClaimError:  # a name that the claim binds elsewhere
        return None


def _moved(part: Any, names: Mapping[Any, Any]) -> Any:
    """Other names at every place, without evaluation of relations."""
    if isinstance(part, sympy.core.relational.Relational):
        return part.func(*(side.xreplace(names) for side in part.args), evaluate=False)
    return part.xreplace(names)
