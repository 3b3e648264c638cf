"""Rules of logic: hypotheses, instances, quantifiers, cases, conjunctions, and the one cited step."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sympy
from sympy import And, IndexedBase, Lambda, Symbol
from sympy.core.relational import Relational

from dpbounds.errors import DerivationError
from dpbounds.language.quantifiers import ForAll
from dpbounds.prover.choices import KnownFacts
from dpbounds.prover.facts import Assumed, Booleans, Fact, Facts, make
from dpbounds.prover.terms import conjuncts, free, substitute


def hypothesis(statement: Any, given: Booleans = ()) -> Fact:
    """A ⊢ A: take a Boolean as an assumption (`given`: the conditions under which it makes sense)."""
    return make(statement, "hypothesis", given=[statement, *given])


def assume(statement: Any, citation: str, given: Booleans = ()) -> Fact:
    """Take a step from the literature without checking it; it is listed with everything built on it."""
    if not citation.strip():
        raise DerivationError("assume: a step that is not checked needs a citation")
    return make(statement, "assume", given=given, assumed=[Assumed(statement, citation)])


def conjunction(*facts: Fact) -> Fact:
    """From A, B, … the conjunction A ∧ B ∧ …"""
    parts = [part for fact in facts for part in conjuncts(fact.statement)]
    return make(And(*parts, evaluate=False), "conjunction", facts)


def conjunct(fact: Fact, statement: Any) -> Fact:
    """One part of a conjunction, called by its statement: sympy keeps the parts in an order of its own."""
    if statement not in conjuncts(fact.statement):
        raise DerivationError(f"part: {statement} is no part of {fact.statement}")
    return make(statement, "part", [fact])


def instance(fact: Fact, values: Mapping[Any, Any], given: Booleans = (), using: Facts = ()) -> Fact:
    """Put terms for variables: from S(x) under A(x), S(t) under A(t). Assumptions that are shown at sight fall away.

    Args:
        fact: what is specialised.
        values: symbol → term, or family → `Lambda` of its indices.
        given: assumptions that help to show that the terms are admissible.
        using: facts that help.
    """
    using, given, values = tuple(using), tuple(given), {variable: sympy.sympify(term) for variable, term in values.items()}
    for variable, term in values.items():
        if isinstance(variable, IndexedBase) and not isinstance(term, (IndexedBase, Lambda)):
            raise DerivationError(f"instance: a family is replaced by a Lambda of its indices, got {term}")
    known = KnownFacts(given, using)
    moved = {part for assumption in fact.assumptions for part in conjuncts(substitute(assumption, values))}
    kept = {part for part in moved if not known.holds(part)} | {part for helper in using for part in helper.assumptions}
    shown = ", ".join(f"{variable} := {term}" for variable, term in values.items())
    return make(substitute(fact.statement, values), "instance", [fact, *using], given, assumptions=kept, detail=shown)


def specialize(fact: Fact, value: Any, given: Booleans = (), using: Facts = ()) -> Fact:
    """From ∀x with C(x): B(x), and C(t), the statement B(t)."""
    quantified = fact.statement
    if not isinstance(quantified, ForAll):
        raise DerivationError(f"specialize: the fact is not quantified: {fact.statement}")
    x = quantified.variable
    return make(substitute(quantified.body, {x: value}), "specialize", [fact, *using], given, detail=f"{x} := {value}")


def generalize(fact: Fact, variable: Symbol, condition: Any = sympy.true) -> Fact:
    """From S(x) under conditions on x, the statement ∀x with these conditions: S(x)."""
    about = {assumption for assumption in fact.assumptions if variable in free(assumption)}
    return make(ForAll(variable, condition, fact.statement), "generalize", [fact], discharged=about)


def discharge(fact: Fact, *proved: Fact) -> Fact:
    """Remove assumptions that other facts establish, as far as this is seen at sight."""
    known = KnownFacts(using=proved)
    kept = {assumption for assumption in fact.assumptions if not known.holds(assumption)}
    kept |= {part for helper in proved for part in helper.assumptions}
    return make(fact.statement, "discharge", [fact, *proved], assumptions=kept)


def cases(*facts: Fact, over: Any) -> Fact:
    """From S under A and S under ¬A, the statement S.

    Args:
        facts: two facts with the same statement.
        over: the relation A; the first fact may assume it, the second its negation.
    """
    if len(facts) != 2 or not isinstance(over, Relational):
        raise DerivationError("cases: give two facts and the relation that separates them")
    branches = zip(facts, (KnownFacts([over]), KnownFacts([over.negated])), strict=True)
    kept = {part for fact, known in branches for part in fact.assumptions if not known.holds(part)}
    return make(facts[0].statement, "cases", facts, assumptions=kept, detail=f"{over}, or not")
