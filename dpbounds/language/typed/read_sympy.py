"""Expressions of sympy as terms of the proof checker, for the programs that write documents: what `checker_terms` reads of them.

Nothing here is believed: a document is judged by the statement as it was typed.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from functools import lru_cache
from typing import Any

import sympy

from dpbounds.kernel.terms import Term, variable
from dpbounds.language.functions import Divergence, Extremum, NormalCDF, NormalQuantile, PrivacyQuantity, with_replaced
from dpbounds.language.typed.bridge import from_sympy, to_sympy, variable_from
from dpbounds.language.typed.checker_terms import NotRead, ReadStatement, TypedReading, reading, said_of
from dpbounds.logic import terms
from dpbounds.logic.terms import TermError

_KEPT = (Extremum, NormalCDF, NormalQuantile)
"""Quantities that terms of the proof checker have."""


def _unfolded(e: Any) -> Any:
    """An expression with quantities by their definitions, as searches read them; `checker_terms` has others of laws with a variable."""
    found = {}
    for q in e.atoms(PrivacyQuantity) - e.atoms(*_KEPT) - {d for d in e.atoms(Divergence) if not d.is_table}:
        with suppress(TypeError):  # it has none
            found[q] = _unfolded(q.definition())
    return with_replaced(e, found) if found else e


@lru_cache(maxsize=20_000)
def _typed(e: Any) -> tuple[Any, terms.Term, dict[terms.Term, Any]]:
    """An expression without quantities, as a typed term, and the symbols of its variables: a Dummy is called by its number, too."""
    e = _unfolded(e)
    symbols = sorted(e.atoms(sympy.Symbol), key=lambda s: bool(s.is_real))
    twins = {s: sympy.Symbol(f"{s.name}_{s.dummy_index}", **s.assumptions0) for s in symbols if s.is_Dummy}
    try:
        found = from_sympy(e.xreplace(twins))
        names = {variable_from(twins.get(s, s)): s for s in symbols}
    except TermError as why:
        raise NotRead(str(why)) from why
    return e, found, {v: names[v] for v in terms.walk(found) if v in names}


class Statements:
    """One reading of expressions: every symbol and family has one name, whatever else is called alike.

    Attributes:
        symbols: the variables of symbols; a program may choose them.
        seen: what was read, without quantities.
        typed: the reader of typed terms.
    """

    def __init__(self) -> None:
        self.symbols: dict[Any, Term] = {}
        self.seen: dict[Any, None] = {}
        self.typed = TypedReading()

    def fresh(self, name: str, sort: str) -> Term:
        """A variable that nothing else is called."""
        return variable(self.typed.name(name), sort)

    def symbol(self, s: Any) -> Term:
        """The variable of a symbol."""
        if s not in self.symbols:
            self.symbols[s] = self.fresh(s.name, "Z" if s.is_integer else "R")
        return self.symbols[s]

    def typed_term(self, e: Any) -> terms.Term:
        """An expression as a term of statements, whose variables are those of the symbols from now on.

        Raises:
            NotRead: the notation of statements has no such thing.
        """
        whole, found, symbols = _typed(sympy.sympify(e))
        self.seen[whole] = None
        for v, s in symbols.items():
            self.typed.variables[v] = self.symbol(s)
        return found

    def term(self, e: Any) -> Term:
        """The term of an expression."""
        return self.typed.term(self.typed_term(e))

    def formula(self, statement: Any) -> Term:
        """The formula of a condition."""
        return self.typed.formula(self.typed_term(statement))

    def conclusion(self, statement: Any) -> Term:
        """The formula of what is claimed."""
        return self.typed.conclusion(self.typed_term(statement))

    def stated(self, statement: Any, assumptions: Iterable[Any]) -> ReadStatement:
        """What is given, signs of symbols included, and the claim; the same names whoever reads them first."""
        then, *given = map(self.typed_term, (statement, *sorted(assumptions, key=str)))
        return reading(self.typed, then, given)

    def signs(self) -> list[Term]:
        """What is declared of each variable and family."""
        own = [sign for s, v in self.symbols.items() for sign in said_of(variable_from(s).data[2], v)]
        return own + [sign for family in self.typed.families for sign in self.typed.signs(*family)]

    def named(self, *tags: str) -> dict[Any, tuple[Term, list[Term]]]:
        """The variables that stand for quantiles, floors or ceilings, and what is said of them."""
        return {to_sympy(t): found for t, found in self.typed.named.items() if t.tag in tags}
