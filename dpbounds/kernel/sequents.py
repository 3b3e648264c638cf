"""Sequents, and the registry of rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from dpbounds.kernel.polynomials import Budget
from dpbounds.kernel.ring import Ring
from dpbounds.kernel.terms import ZERO, Term, need


@dataclass(frozen=True)
class Sequent:
    """Under the hypotheses the formula holds, for all values of the free variables and all functions.

    Attributes:
        hypotheses: formulas.
        formula: what follows from them.
        citations: what was cited without a proof on the way.
    """

    hypotheses: frozenset[Term]
    formula: Term
    citations: frozenset[str] = frozenset()


Premises = Sequence[Sequent]
Formula = Term
Variable = Term
RULES: dict[str, Callable[..., Sequent]] = {}


def rule(function: Callable[..., Sequent]) -> Callable[..., Sequent]:
    """Register a rule under its name.

    Its first parameter takes the premises. The checker reads the others from texts by their annotations: Term, Formula, Variable, int,
    list[Term], Substitution, Lambdas, str; a `budget` is supplied.
    """
    RULES[function.__name__] = function
    return function


def conclude(premises: Premises, formula: Term, without: Iterable[Term] = ()) -> Sequent:
    """The formula under the hypotheses of all premises, less those that the rule discharges."""
    hypotheses = frozenset[Term]().union(*(p.hypotheses for p in premises)) - frozenset(without)
    return Sequent(hypotheses, formula, citations(premises))


def citations(premises: Premises) -> frozenset[str]:
    """Everything that the premises cite."""
    return frozenset[str]().union(*(p.citations for p in premises))


def ring_of(premises: Premises, budget: Budget) -> Ring:
    """A ring that knows what the premises say."""
    return Ring([p.formula for p in premises], budget)


def take(premises: Premises, count: int) -> list[Term]:
    """The formulas of exactly so many premises."""
    need(len(premises) == count, f"expected {count} premises, got {len(premises)}")
    return [p.formula for p in premises]


def parts(formula: Term, *tags: str) -> tuple[Term, ...]:
    """The parts of a formula of one of these kinds."""
    need(formula.tag in tags, f"expected {' or '.join(tags)}, got {formula.tag}")
    return formula.parts


def real(formula: Term, *tags: str) -> tuple[Term, Term]:
    """Both sides of a relation between real numbers."""
    a, b = parts(formula, *tags)
    return a, b


def arbitrary(x: Term, hypotheses: Iterable[Term], *terms: Term) -> None:
    """Refuse unless x is a variable that the hypotheses and terms do not mention."""
    need(x.tag == "v", "a variable is wanted")
    need(all(x not in t.free for t in (*hypotheses, *terms)), "a hypothesis or a term mentions the variable")


def above_zero(formula: Term, *tags: str) -> Term:
    """a, from 0 < a or 0 ≤ a as the tags say."""
    zero, a = real(formula, *tags)
    need(zero == ZERO, "the left side must be 0")
    return a
