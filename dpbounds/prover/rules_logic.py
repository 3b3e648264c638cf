"""Rules of logic: hypotheses, instances, quantifiers, cases, conjunctions, and the one unchecked step."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sympy
from sympy import And, IndexedBase, Lambda, Symbol
from sympy.core.relational import Relational

from dpbounds.errors import DerivationError
from dpbounds.language.quantifiers import ForAll, assumes_more_than_a_start
from dpbounds.prover.facts import Assumed, Booleans, Fact, Facts, context, make
from dpbounds.prover.normal import equal
from dpbounds.prover.signs import Signs
from dpbounds.prover.terms import conjuncts, free, substitute


def hypothesis(statement: Any, given: Booleans = ()) -> Fact:
    """A ⊢ A: take a Boolean as an assumption (`given`: the conditions under which it makes sense)."""
    return make(statement, "hypothesis", given=[statement, *given], guarded=False)


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
    """Put terms for variables: from S(x) under A(x), S(t) under A(t).

    Args:
        fact: what is specialised.
        values: symbol → term, or family → `Lambda` of its indices.
        given: assumptions that help to show that the terms are admissible.
        using: facts that help.

    Raises:
        DerivationError: a term that is not known to satisfy the assumptions of its symbol.
    """
    using, values = tuple(using), {variable: sympy.sympify(term) for variable, term in values.items()}
    signs = context(given, using)
    for variable, term in values.items():
        _check_admissible(variable, term, signs)
    moved = {substitute(assumption, values) for assumption in fact.assumptions}
    kept = {part for assumption in moved for part in conjuncts(assumption) if not signs.holds(part)}
    helpers = {part for helper in using for part in helper.assumptions}
    shown = ", ".join(f"{variable} := {term}" for variable, term in values.items())
    return make(substitute(fact.statement, values), "instance", [fact, *using], given, assumptions=kept | helpers, detail=shown)


def _check_admissible(variable: Any, term: Any, signs: Signs) -> None:
    if isinstance(variable, IndexedBase):
        if isinstance(term, IndexedBase):
            if any(term.assumptions0.get(name) is not value for name, value in variable.assumptions0.items() if value is not None):
                raise DerivationError(f"instance: the family {term} does not have the sign of {variable}")
            return
        if not isinstance(term, Lambda):
            raise DerivationError(f"instance: a family is replaced by a Lambda of its indices, got {term}")
        traits, body = variable.assumptions0, term.expr
        # What is known of a symbol outside says nothing about the index of the same name inside.
        signs = Signs([part for part in signs.hypotheses if not free(part) & set(term.variables)])
        for index in term.variables:
            if not (index.is_integer and index.is_positive) or assumes_more_than_a_start(index):
                raise DerivationError(f"instance: the indices of a family are all positive integers, got {index}")
        if len(set(term.variables)) < len(term.variables):
            raise DerivationError(f"instance: the indices of {term} have one name")
        if (bad := signs.undefined_part(body)) is not None:
            raise DerivationError(f"instance: {bad} is not known to be defined for every index")
    else:
        traits, body = variable.assumptions0, sympy.sympify(term)
        if (bad := signs.undefined_part(body)) is not None:
            raise DerivationError(f"instance: {bad} is not known to be defined")
    if signs.infinite(body):
        raise DerivationError(f"instance: {body} may be infinite, and {variable} stands for numbers")
    checks = {
        "positive": signs.positive,
        "nonnegative": signs.nonnegative,
        "integer": signs.integer,
        "nonzero": signs.nonzero,
        "real": signs.real,
    }
    for name, holds in checks.items():
        if traits.get(name) and not holds(body):
            raise DerivationError(f"instance: {body} is not known to be {name}, as {variable} must be")
    shown = Symbol("_", **{name: True for name in checks if traits.get(name)}).assumptions0
    for name, value in traits.items():
        if name not in shown and name != "commutative" and getattr(body, f"is_{name}", None) is not value:
            raise DerivationError(f"instance: {body} is not known to be {'' if value else 'not '}{name}, as {variable} must be")


def specialize(fact: Fact, value: Any, given: Booleans = (), using: Facts = ()) -> Fact:
    """From ∀x with C(x): B(x), and C(t), the statement B(t).

    Raises:
        DerivationError: the condition is not proved at the value.
    """
    quantified, using = fact.statement, tuple(using)
    if not isinstance(quantified, ForAll):
        raise DerivationError(f"specialize: the fact is not quantified: {fact.statement}")
    signs = context(given, using)
    _check_admissible(quantified.variable, value, signs)
    condition = substitute(quantified.condition, {quantified.variable: value})
    for statement in conjuncts(condition):
        if not signs.holds(statement):
            raise DerivationError(f"specialize: the condition {statement} is not proved at {quantified.variable} = {value}")
    return make(
        substitute(quantified.body, {quantified.variable: value}),
        "specialize",
        [fact, *using],
        given,
        detail=f"{quantified.variable} := {value}",
    )


def generalize(fact: Fact, variable: Symbol, condition: Any = sympy.true) -> Fact:
    """From S(x) under conditions on x, the statement ∀x with these conditions: S(x)."""
    signs = Signs([condition])
    about = {assumption for assumption in fact.assumptions if variable in free(assumption)}
    for assumption in about:
        if not signs.holds(assumption):
            raise DerivationError(f"generalize: {assumption} does not follow from {condition}")
    return make(ForAll(variable, condition, fact.statement), "generalize", [fact], discharged=about)


def discharge(fact: Fact, *proved: Fact) -> Fact:
    """Remove assumptions that other facts establish."""
    signs = Signs([helper.statement for helper in proved])
    done = {assumption for assumption in fact.assumptions if signs.holds(assumption)}
    if not done:
        raise DerivationError("discharge: none of the assumptions is established by these facts")
    kept = (set(fact.assumptions) - done) | {a for helper in proved for a in helper.assumptions}
    return make(fact.statement, "discharge", [fact, *proved], assumptions=kept)


def cases(*facts: Fact, over: Any) -> Fact:
    """From S under A and S under ¬A, the statement S.

    Args:
        facts: two facts with the same statement.
        over: the relation A; the first fact may assume it, the second its negation.
    """
    if len(facts) != 2 or not isinstance(over, Relational):
        raise DerivationError("cases: give two facts and the relation that separates them")
    first, second = facts
    if not same_statement(first.statement, second.statement, Signs([])):
        raise DerivationError(f"cases: the two facts say different things: {first.statement} and {second.statement}")
    held, denied = Signs([over]), Signs([over.negated])
    kept = {a for a in first.assumptions if not held.holds(a)} | {a for a in second.assumptions if not denied.holds(a)}
    everywhere = Signs(kept)
    for side in over.args:
        if (bad := everywhere.undefined_part(side)) is not None:
            raise DerivationError(f"cases: {bad} is not known to be defined, so {over} and its negation do not cover everything")
    return make(first.statement, "cases", facts, assumptions=kept, detail=f"{over}, or not")


def same_statement(left: Any, right: Any, signs: Signs) -> bool:
    """True when two statements are equal up to the normal form of their sides."""
    if left == right:
        return True
    if isinstance(left, And) and isinstance(right, And) and len(left.args) == len(right.args):
        rest = list(right.args)
        for part_here in left.args:
            match = next((other for other in rest if same_statement(part_here, other, signs)), None)
            if match is None:
                return False
            rest.remove(match)
        return True
    if isinstance(left, Relational) and isinstance(right, Relational) and left.func == right.func:
        return equal(left.lhs, right.lhs, signs) and equal(left.rhs, right.rhs, signs)
    return False
