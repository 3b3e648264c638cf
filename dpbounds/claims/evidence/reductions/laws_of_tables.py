"""Claims about divergences of tables of numbers as claims about laws of any length, of which the tables are some.

So the weak triangle inequality for coins is that of all laws, which one inequality at each place gives. Nothing here is believed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import sympy

from dpbounds.claims.claim import Claim
from dpbounds.claims.evidence.powers import stated
from dpbounds.language.functions import Divergence

_TABLES = 3
"""Two tables are for a descent."""
_MOST = 4
"""Entries of a table."""


@dataclass(frozen=True)
class LawsOfTables:
    """Such a claim.

    Attributes:
        claim: about laws.
        tables: the table of each law.
        length: the name of the number of places.
    """

    claim: Claim
    tables: Mapping[str, Any]
    length: str


def laws_of_tables(claim: Claim) -> Iterator[LawsOfTables]:
    """The way to say it so, if there is one.

    >>> from dpbounds.notation import KLDivergence, bernoulli, real
    >>> p, q, r = map(bernoulli, real("p q r"))
    >>> (way,) = laws_of_tables(Claim(id="a", then=KLDivergence(p, q) <= KLDivergence(p, r) + KLDivergence(r, q)))
    >>> len(way.claim.given), way.tables["law_b"]
    (3, (q, 1 - q))
    """
    found = sorted((d for d in claim.then.atoms(Divergence) if d.is_table), key=str)
    tables = sorted({t for d in found for t in d.args[1:]}, key=str)
    sizes = {len(t) for t in tables}
    if claim.families or len(tables) < _TABLES or len(sizes) != 1 or not 2 <= max(sizes) <= _MOST:
        return
    i, n = sympy.Symbol("i", integer=True, positive=True), sympy.Symbol("n_places", integer=True, positive=True)
    names = {t: sympy.IndexedBase(f"law_{letter}", real=True, positive=True) for t, letter in zip(tables, "abcdefghijklm", strict=False)}
    values = {d: d.func(d.args[0], names[d.args[1]][i], names[d.args[2]][i], (i, 1, n)) for d in found}
    then, free = claim.then.xreplace(values), set().union(*(t.free_symbols for t in tables))
    if free & then.free_symbols:
        return
    sums = [sympy.Eq(sympy.Sum(law[i], (i, 1, n)), 1, evaluate=False) for law in names.values()]
    given = [*sums, *(p for p in claim.given if p.free_symbols <= then.free_symbols)]
    yield LawsOfTables(stated(claim, then, given), {str(law.label): t for t, law in names.items()}, n.name)
