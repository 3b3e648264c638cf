"""Terms of what a compiler makes of a statement: variables that assume nothing, and integrals whose ends are in order by what is given."""

from __future__ import annotations

from typing import Any

import sympy

from dpbounds.compile.towers.at_sight import subterms
from dpbounds.kernel.terms import Term, at_most, below, node
from dpbounds.prover.statements import Statements


class PieceReader(Statements):
    """Reads pieces of integrals; the statement itself is read by `Statements` alone."""

    def bind(self, expression: Any) -> None:
        """No bound variable is called as one of the symbols that were given; the variables of integrals that assume nothing are real."""
        self._taken.update(str(v.data[0]) for t in self.symbols.values() for v in subterms(t) if v.tag == "v")
        for v in {limit[0] for integral in expression.atoms(sympy.Integral) for limit in integral.limits}:
            if v not in self.symbols and v.is_extended_real is None:
                self.symbols[v] = self.fresh(v.name, "R")

    def part_of_line(self, x: Any, low: Any, high: Any) -> Term | None:
        """low < x ≤ high, whatever the order of the ends."""
        orders = [] if low == -sympy.oo else [below(self.term(low), self.symbol(x))]
        orders += [] if high == sympy.oo else [at_most(self.symbol(x), self.term(high))]
        return node("and", *orders) if len(orders) == 2 else next(iter(orders), None)
