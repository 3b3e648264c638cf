"""The trusted kernel: facts, and the one way to make them.

A `Fact` says that its statement holds for all real values of its variables (within their symbol assumptions) that satisfy its
assumptions. Only rules make facts: each rule checks itself when it is called and raises `DerivationError` otherwise. `make` adds
two checks of its own: everything in the statement is defined (no zero denominator, no log of 0) and a certified evaluation at random exact
points finds no violation. `assume` is the one rule without a check; what it introduces stays visible in every fact built on it.

The design follows LCF (Gordon, Milner, Wadsworth 1979): trust lies in a few rules, not in whoever combines them.
"""

from __future__ import annotations

import re
import weakref
from collections.abc import Iterable
from dataclasses import InitVar, dataclass, field
from typing import Any

import sympy
from sympy.core.relational import Relational

from dpbounds.derive import guard
from dpbounds.derive.infinite import infinite, infinite_parts
from dpbounds.derive.signs import Signs
from dpbounds.derive.terms import conjuncts, free
from dpbounds.errors import DerivationError
from dpbounds.quantifiers import ForAll

_KEY = object()
_RESERVED = re.compile(r"_\d*")


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
    """A statement that a rule established.

    Attributes:
        statement: a relation, a conjunction of relations, or a `ForAll`.
        assumptions: Booleans under which it holds, beyond the assumptions of the symbols.
        assumed: the unchecked steps it rests on.
        rule: the name of the rule that made it.
        premises: the facts the rule used.
        points: at how many random exact points the statement was evaluated.
    """

    statement: Any
    assumptions: frozenset[Any]
    assumed: tuple[Assumed, ...]
    rule: str
    premises: tuple[Fact, ...]
    points: int
    key: InitVar[object]
    detail: str = field(default="")

    def __post_init__(self, key: object) -> None:
        if key is not _KEY:
            raise DerivationError("facts are made by the rules of dpbounds.derive only")

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


def context(given: Booleans = (), using: Facts = ()) -> Signs:
    """What a rule may use about signs: the stated assumptions and the statements of other facts."""
    using = tuple(using)
    return Signs((*given, *(fact.statement for fact in using)), map(_universal, using))


def _universal(fact: Fact) -> tuple[Any, frozenset[Any]]:
    """What a fact says, and the symbols that its assumptions are about."""
    return fact.statement, frozenset().union(*(free(assumption) for assumption in fact.assumptions))


def make(
    statement: Any,
    rule: str,
    premises: Facts = (),
    given: Booleans = (),
    assumed: Iterable[Assumed] = (),
    discharged: Booleans = (),
    assumptions: Booleans | None = None,
    detail: str = "",
    guarded: bool = True,
    terms: Iterable[Any] = (),
) -> Fact:
    """Make a fact after a rule has checked it (for rules only).

    Args:
        statement: what holds.
        rule: the rule's name.
        premises: the facts used; their assumptions carry over.
        given: assumptions that the rule used directly.
        assumed: unchecked steps that the rule adds.
        discharged: assumptions of the premises that the rule has proved.
        assumptions: the final assumptions, where the rule has worked them out itself.
        detail: how the rule was used, for readers.
        guarded: False only for `assume` and for hypotheses, which claim nothing.
        terms: what the rule built its statement from, before sympy could cancel anything in it; it must be defined like the statement.
    """
    premises = tuple(premises)
    for fact in premises:
        check_made(fact)
    given = [part for statement_given in given for part in conjuncts(statement_given)]
    if not isinstance(statement, (Relational, sympy.And, ForAll)):
        raise DerivationError(f"{rule}: a fact states relations, got {statement!r}")
    if assumptions is None:
        collected = {part for fact in premises for part in fact.assumptions} - set(discharged) | set(given)
    else:
        collected = set(assumptions) | set(given)
    collected.discard(sympy.true)
    _refuse_names(statement, collected, rule)
    if sympy.false in collected:
        raise DerivationError(f"{rule}: an assumption is false")
    _check_defined(statement, premises, collected, rule, tuple(terms))
    _check_strict(statement, premises, collected, rule)
    unique = tuple(dict.fromkeys([*(entry for fact in premises for entry in fact.assumed), *assumed]))
    points = guard.check(statement, collected) if guarded else 0
    fact = Fact(statement, frozenset(collected), unique, rule, premises, points, _KEY, detail)
    _MADE[fact] = _content(fact)
    return fact


_MADE: weakref.WeakKeyDictionary[Fact, tuple[Any, ...]] = weakref.WeakKeyDictionary()
"""Every fact that `make` made, with what it said then."""


def _content(fact: Fact) -> tuple[Any, ...]:
    return fact.statement, fact.assumptions, fact.assumed, fact.rule, fact.premises


def check_made(fact: Fact) -> None:
    """Refuse what looks like a fact and was not made by a rule, or says something else since.

    Python hides nothing, so this is a check against mistakes and shortcuts, not against whoever sets out to deceive.

    Raises:
        DerivationError: `make` did not make it.
    """
    if type(fact) is not Fact or fact not in _MADE or _MADE[fact] != _content(fact):
        raise DerivationError("a fact was not made by a rule of dpbounds.derive, or was changed afterwards")


_CARRIERS = ("assume", "cases", "conjunction", "discharge", "generalize", "hypothesis", "instance", "part", "specialize")
"""Rules that only carry a statement on."""


def _check_strict(statement: Any, premises: tuple[Fact, ...], assumptions: set[Any], rule: str) -> None:
    """No strict relation between two terms that may both be infinite."""
    if rule in _CARRIERS:
        return
    for part in conjuncts(statement):
        if isinstance(part, (sympy.Lt, sympy.Gt, sympy.Ne)) and all(map(infinite_parts, part.args)):
            known = (*assumptions, *(fact.statement for fact in ancestors(premises) if fact.assumptions <= assumptions))
            if all(infinite(side, known) for side in part.args):
                raise DerivationError(f"{rule}: both sides may be infinite in {_short(part)}, so it may not be strict")


def _refuse_names(statement: Any, assumptions: set[Any], rule: str) -> None:
    """Bound variables are compared under the names _0, _1, …: nothing else may be called so."""
    for part in (statement, *assumptions):
        if taken := [s for s in part.atoms(sympy.Symbol) if not isinstance(s, sympy.Dummy) and _RESERVED.fullmatch(s.name)]:
            raise DerivationError(f"{rule}: the name {taken[0]} is reserved for bound variables; use another one")


def _check_defined(statement: Any, premises: tuple[Fact, ...], assumptions: set[Any], rule: str, terms: tuple[Any, ...]) -> None:
    """Everything in a relation, and the terms it was built from, must be defined; the premises are asked first, then the facts behind them.

    A premise under conditions that the conclusion does not have says nothing about the conclusion.
    """
    sides = [side for part in conjuncts(statement) if isinstance(part, Relational) for side in part.args]
    sides += terms
    behind = [fact for fact in ancestors(premises) if fact.assumptions <= assumptions]
    settled = {side for fact in behind for part in conjuncts(fact.statement) if isinstance(part, Relational) for side in part.args}
    sides = [side for side in sides if side not in settled]
    close = [fact for fact in premises if fact.assumptions <= assumptions]
    near = Signs((*assumptions, *(fact.statement for fact in close)), map(_universal, close))
    open_sides = [side for side in sides if near.undefined_part(side) is not None]
    if not open_sides:
        return
    far = Signs((*assumptions, *dict.fromkeys(fact.statement for fact in behind)), map(_universal, behind))
    for side in open_sides:
        if (bad := far.undefined_part(side)) is not None:
            raise DerivationError(f"{rule}: {bad} is not known to be defined in {_short(statement)}; state the missing condition")


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


def _short(statement: Any) -> str:
    text = str(statement)
    return text if len(text) < 160 else text[:157] + "..."
