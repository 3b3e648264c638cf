"""What a rule has to choose: whether a factor is negative, which assumptions of an instance fall away.

A short search with the proof checker's own rules answers. No answer is believed: the document of the derivation shows each again.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import Any

import sympy

from dpbounds.kernel.terms import Refused, Term
from dpbounds.language.typed.checker_terms import NotRead
from dpbounds.language.typed.read_sympy import Statements
from dpbounds.prover.facts import Booleans, Facts
from dpbounds.prover.rewriting.arithmetic import ProofSearch
from dpbounds.prover.rewriting.building import StepWriter
from dpbounds.prover.terms import ORDERS, conjuncts, difference

_ZERO = sympy.S.Zero


class KnownFacts:
    """What follows from assumptions and facts as far as a short search shows it.

    >>> x, y = sympy.symbols("x y", positive=True)
    >>> KnownFacts([x > 2]).holds(x * y > 2 * y), KnownFacts().holds(x > 2)
    (True, False)
    """

    def __init__(self, given: Booleans = (), using: Facts = ()) -> None:
        self.statements = [part for whole in (*given, *(fact.statement for fact in using)) for part in conjuncts(whole)]

    def holds(self, statement: Any) -> bool:
        """True when a statement is shown; an equation must be one of those that are known."""
        return all(self._holds(part) for part in conjuncts(statement))

    def positive(self, expression: Any) -> bool:
        """True when expression > 0 is shown."""
        return self.holds(sympy.Lt(_ZERO, expression, evaluate=False))

    def nonnegative(self, expression: Any) -> bool:
        """True when expression >= 0 is shown."""
        return self.holds(sympy.Le(_ZERO, expression, evaluate=False))

    def equal(self, left: Any, right: Any) -> bool:
        """True when two terms are the same, or shown to be equal."""
        return left == right or self._searched(sympy.Eq(left, right, evaluate=False))

    def _holds(self, statement: Any) -> bool:
        if statement in self.statements:
            return True
        if type(statement) in ORDERS:
            u, strict = difference(statement)
            if u.is_positive if strict else u.is_nonnegative:
                return True
        return not isinstance(statement, sympy.Eq) and self._searched(statement)

    def _searched(self, statement: Any) -> bool:
        read, write = Statements(), StepWriter()
        try:
            goal = read.formula(statement)
            hypotheses = [*self._read(read), *read.signs()]
            return ProofSearch(write).prove(goal, write.hypotheses(hypotheses)) is not None
        except (NotRead, Refused, ValueError, TypeError, RecursionError):
            return False

    def _read(self, read: Statements) -> Iterable[Term]:
        for statement in self.statements:
            with suppress(NotRead, Refused, ValueError, TypeError):
                yield read.formula(statement)
