"""What a document says: a statement, and the boxes or the shape that show it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

from dpbounds.covers.leaves import Place
from dpbounds.kernel.polynomials import Budget
from dpbounds.kernel.terms import Term

Side = tuple[Fraction | None, Fraction | None]


@dataclass(frozen=True)
class Statement:
    """For all values of the variables with the premises `given`, `then` is defined and true.

    `engine` has the names of the functions that only the engine evaluates, with what they are.
    """

    claim: str
    variables: tuple[str, ...]
    integers: frozenset[str]
    given: tuple[Term, ...]
    then: Term
    engine: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Boxes:
    """A root box, a tree that splits it, and what the rules of the leaves may use; nothing of it is checked beyond its form."""

    solve: tuple[tuple[str, Term], ...]
    root: tuple[Side, ...]
    places: tuple[Place, ...]
    bits: int
    tree: str

    def parts_for(self, statement: Statement, budget: Budget) -> Iterator[tuple[Statement, Boxes]]:
        """The statement itself, by these boxes."""
        yield statement, self


class Evidence(Protocol):
    """What shows a statement."""

    def parts_for(self, statement: Statement, budget: Budget) -> Iterator[tuple[Statement, Boxes]]:
        """Statements that together say what the statement says, each with its boxes."""
        ...


@dataclass(frozen=True)
class Cover:
    """A document as it was read."""

    statement: Statement
    evidence: Evidence
