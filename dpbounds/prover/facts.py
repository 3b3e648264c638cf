"""Facts: what the steps of a derivation say, under which assumptions, and which rule with which arguments said so.

A `Fact` is a proposal. Its rule computes what the step says and decides nothing: a derivation counts once the proof checker accepts the
document that `dpbounds.prover.rewriting` writes from its facts. `assume` is the rule without a step there; what it introduces stays
visible in every fact built on it.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import sympy
from sympy.core.relational import Relational

from dpbounds.errors import DerivationError
from dpbounds.language.quantifiers import ForAll
from dpbounds.prover.terms import conjuncts

_NUMBERS = itertools.count()


@dataclass(frozen=True)
class Assumed:
    """A step that is taken from the literature and not checked here.

    Attributes:
        statement: the mathematical statement, in words or as a Boolean.
        citation: where it is proved.
    """

    statement: Any
    citation: str

    def __str__(self) -> str:
        return f"{self.statement} [{self.citation}]"


@dataclass(frozen=True, eq=False)
class Fact:
    """A statement that a rule proposes for all real values of its variables that satisfy its assumptions.

    Attributes:
        statement: a relation, a conjunction of relations, or a `ForAll`.
        assumptions: Booleans under which it holds, beyond the assumptions of the symbols.
        assumed: the cited steps it rests on.
        rule: the name of the rule that made it.
        premises: the facts the rule used.
        detail: how the rule was used, for readers.
        arguments: what the rule was given, for whoever writes the document; None of a rule within a rule.
        number: facts that were made later have larger ones.
    """

    statement: Any
    assumptions: frozenset[Any]
    assumed: tuple[Assumed, ...]
    rule: str
    premises: tuple[Fact, ...]
    detail: str = ""
    arguments: dict[str, Any] | None = None
    number: int = field(default_factory=_NUMBERS.__next__)

    @property
    def lhs(self) -> Any:
        """The left side of a relation."""
        return self.statement.lhs

    @property
    def rhs(self) -> Any:
        """The right side of a relation."""
        return self.statement.rhs

    def __str__(self) -> str:
        under = f"   [{', '.join(sorted(map(str, self.assumptions)))}]" if self.assumptions else ""
        return f"{self.statement}{under}"


Booleans = Iterable[Any]
Facts = Iterable[Fact]


def make(
    statement: Any,
    rule: str,
    premises: Facts = (),
    given: Booleans = (),
    assumed: Iterable[Assumed] = (),
    discharged: Booleans = (),
    assumptions: Booleans | None = None,
    detail: str = "",
) -> Fact:
    """Make a fact (for rules only).

    Args:
        statement: what holds.
        rule: the rule's name.
        premises: the facts used; their assumptions carry over.
        given: assumptions that the rule used directly.
        assumed: cited steps that the rule adds.
        discharged: assumptions of the premises that do not carry over.
        assumptions: the final assumptions, where the rule has worked them out itself.
        detail: how the rule was used, for readers.
    """
    premises = tuple(premises)
    if not isinstance(statement, (Relational, sympy.And, ForAll)):
        raise DerivationError(f"{rule}: a fact states relations, got {statement!r}")
    carried = {part for fact in premises for part in fact.assumptions} - set(discharged) if assumptions is None else set(assumptions)
    carried |= {part for condition in given for part in conjuncts(condition)}
    unique = tuple(dict.fromkeys([*(entry for fact in premises for entry in fact.assumed), *assumed]))
    return Fact(statement, frozenset(carried - {sympy.true}), unique, rule, premises, detail)


def ancestors(facts: Facts) -> list[Fact]:
    """The facts and everything they rest on, premises first."""
    order: dict[int, Fact] = {}

    def visit(fact: Fact) -> None:
        if id(fact) not in order:
            for premise in fact.premises:
                visit(premise)
            order[id(fact)] = fact

    for fact in facts:
        visit(fact)
    return list(order.values())
