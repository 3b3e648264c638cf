"""What a document says: a statement, and the boxes that show it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from dpbounds.covers.leaves import Place
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

    solve: tuple[tuple[str, Term, tuple[Term, ...]], ...]
    root: tuple[Side, ...]
    places: tuple[Place, ...]
    bits: int
    tree: str


@dataclass(frozen=True)
class Cover:
    """A document as it was read."""

    statement: Statement
    boxes: Boxes
