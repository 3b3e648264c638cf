"""A claim in the names of a theorem: a claim file has variables of its own, and a derivation has others.

What holds for all values of its variables says the same under other names, as long as two variables never get one name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import sympy
from sympy.logic.boolalg import Boolean

from dpbounds.claims.claim import Claim
from dpbounds.claims.statement.assumptions import assumptions_of
from dpbounds.claims.statement.canonical import as_written, orders_of
from dpbounds.claims.statement.typed import as_term
from dpbounds.errors import ClaimError
from dpbounds.language.symbols import facts_of
from dpbounds.language.typed.bridge import from_sympy, to_sympy


def in_names_of(claim: Claim, conclusion: Boolean, assumptions: Iterable[Boolean]) -> Iterator[Claim]:
    """The claim with the variables of a theorem for its own, once for each way in which the two conclusions fit.

    A variable of the theorem takes the place of one of the same kind. What the claim's variable assumes becomes a premise, and what the
    theorem's assumes must be among the claim's premises or assumptions.
    """
    assumptions = tuple(assumptions)
    if not claim.statement_hash or any(as_term(part) is None for part in (conclusion, *assumptions)):
        return  # the notation has no term for a part
    text, (order, *_) = orders_of(from_sympy(conclusion))
    own, orders = orders_of(from_sympy(claim.then))
    known = {_text_of(part): part for part in (conclusion, *assumptions)}
    for mine in orders if own == text else []:
        names = {to_sympy(v): to_sympy(w) for v, w in zip(mine, order, strict=True)}
        if (renamed := _renamed(claim, names, known)) is not None and renamed.then == conclusion:
            yield renamed


def _renamed(claim: Claim, names: Mapping[Any, Any], known: Mapping[str, Boolean]) -> Claim | None:
    """The claim under other names, its parts as the theorem writes them where only names of bound symbols differ."""
    parts = (claim.then, *claim.given)
    moved = {*names, *(v.label for v in names if isinstance(v, sympy.IndexedBase))}
    others = {str(s) for part in parts for s in part.atoms(sympy.Symbol) - moved}  # bound ones too, which may share a name with a variable
    if others & {str(v) for v in names.values()} or any(_kind_changes(s, names) for s in _bound_in(parts)):
        return None
    signs = [sign for v in names if isinstance(v, sympy.Symbol) for sign in assumptions_of(v)]
    # asked in the claim's own names: under those of the theorem, |x| > 0 would be written x > 0 where x is assumed to be positive
    needed = [_moved(s, {v: mine}) for mine, v in names.items() if isinstance(v, sympy.Symbol) for s in assumptions_of(v)]
    if not set(map(_text_of, needed)) <= set(map(_text_of, (*claim.given, *signs))):
        return None
    then, *given = (known.get(_text_of(part), part) for part in (_moved(part, names) for part in (*parts, *signs)))
    try:
        return replace(claim, then=then, given=tuple(given), mutant=None, example=None, witness={})
    except ClaimError:  # a name that the claim binds elsewhere
        return None


def _text_of(part: Any) -> str:
    return as_written(from_sympy(part))


def _bound_in(parts: Iterable[Any]) -> set[Any]:
    nodes = (node for part in parts for node in sympy.preorder_traversal(part))
    return {symbol for node in nodes for symbol in getattr(node, "bound_symbols", ())}


def _kind_changes(bound: Any, names: Mapping[Any, Any]) -> bool:
    """Whether a bound symbol, which is a variable elsewhere, would run over another range."""
    return bound in names and facts_of(bound) != facts_of(names[bound])


def _moved(part: Any, names: Mapping[Any, Any]) -> Any:
    """Other names at every place, without evaluation of relations."""
    if isinstance(part, sympy.core.relational.Relational):
        return part.func(*(side.xreplace(names) for side in part.args), evaluate=False)
    return part.xreplace(names)
