"""Terms of the proof checker in covers: their derivatives by its table, and what its ring says of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TypeVar

from dpbounds.kernel.definedness import obligations
from dpbounds.kernel.polynomials import UNIT, Budget, Polynomial, quotient
from dpbounds.kernel.polynomials import add as total
from dpbounds.kernel.ring import NONNEGATIVE, Ring
from dpbounds.kernel.rules_calculus import slope_of
from dpbounds.kernel.terms import Refused, Term, minus, node, substitute, transform, value, variable

Answer = TypeVar("Answer")
_WORK = 50_000
"""For one question to a ring."""
_COST = 4
"""Microseconds of one unit of that, where a sum is written out."""


def real(name: str) -> Term:
    """A variable of a cover; that some are integers is said beside the statement."""
    return variable(name, "R")


@lru_cache(100_000)
def names_in(t: Term) -> frozenset[str]:
    """The variables in a term."""
    return frozenset(str(x.data[0]) for x in t.free if isinstance(x, Term))


def is_opaque(t: Term) -> bool:
    """Whether a part of it is a function of which nothing is known here."""
    return any(not isinstance(x, Term) for x in t.free)


class _Granted(frozenset[Term]):
    """What the table of derivatives asks for: `leaves` uses a derivative only on a box on which it has an enclosure."""

    def __contains__(self, formula: object) -> bool:
        return True


def derivative(t: Term, x: str) -> Term:
    """∂t/∂x by the table, where that has a value.

    Raises:
        Refused: |·|, max, min, case distinctions, functions of which nothing is known, and what grows too large.
    """
    return slope_of(t, real(x), _Granted())


def replaced(t: Term, old: Term, new: Term) -> Term:
    """The term with every occurrence of a part replaced; nothing else changes."""
    return transform(t, lambda part, _: new if part == old else None)


def parts_of(t: Term) -> list[Term]:
    """All parts of a term, each once, a part before what it stands in."""
    found: dict[Term, None] = {}

    def visit(part: Term) -> None:
        if part not in found:
            for inner in part.parts:
                visit(inner)
            found[part] = None

    visit(t)
    return list(found)


def relation_of(formula: Term) -> tuple[Term, bool] | None:
    """(e, strict) of a condition e > 0 or e >= 0."""
    relation = _without_not(formula)
    return (minus(relation.parts[1], relation.parts[0]), relation.tag == "<") if relation.tag in ("<=", "<") else None


def _without_not(formula: Term) -> Term:
    """b < a for ¬ a <= b, and b <= a for ¬ a < b; another condition as it is."""
    if formula.tag != "not" or formula.parts[0].tag not in ("<=", "<"):
        return formula
    small, large = formula.parts[0].parts
    return node("<" if formula.parts[0].tag == "<=" else "<=", large, small)


def inequalities_of(premise: Term) -> list[tuple[Term, bool]]:
    """(e, strict) of each inequality e > 0 or e >= 0 that a premise says."""
    if premise.tag == "and":
        return [found for part in premise.parts for found in inequalities_of(part)]
    if premise.tag == "=":
        a, b = premise.parts
        return [(minus(a, b), False), (minus(b, a), False)]
    found = relation_of(premise)
    return [found] if found is not None else []


class Known:
    """What follows from premises by the ring; what asks for too much work is not known.

    Args:
        premises: conditions that hold at the points in question.
        budget: that of the document.
    """

    def __init__(self, premises: Sequence[Term], budget: Budget) -> None:
        self.budget, self.ring = budget, Ring((), Budget())
        self.ring = self._asked(lambda: Ring([_without_not(p) for p in premises], self.ring.budget)) or self.ring
        self._answers: dict[tuple[Term, str], bool] = {}
        self._said = [(form, strict) for p in premises for e, strict in inequalities_of(p) if (form := self.form(e))]

    def _asked(self, question: Callable[[], Answer]) -> Answer | None:
        self.ring.budget = Budget(_WORK)
        try:
            return question()
        except Refused:
            return None
        finally:
            self.budget.spend(_COST * (_WORK - self.ring.budget.left))

    def form(self, t: Term) -> Polynomial | None:
        """The normal form of a term."""
        return self._asked(lambda: self.ring.value(t))

    def is_zero(self, t: Term) -> bool:
        """True only if t = 0 wherever the premises hold."""
        return bool(self._asked(lambda: self.ring.zero(t)))

    def sign(self, t: Term, which: str) -> bool:
        """True only if t > 0, t ≥ 0 or t ≠ 0 wherever the premises hold: by the ring, or as c·e + d for a premise e, c > 0 and d ≥ 0."""
        if (t, which) not in self._answers:
            self._answers[t, which] = bool(self._asked(lambda: self.ring.sign(t, which) or self._is_more(self.ring.value(t), which)))
        return self._answers[t, which]

    def _is_more(self, form: Polynomial, which: str) -> bool:
        for said, strict in self._said:
            m = next((m for m in said if m != UNIT), UNIT)
            c = quotient(form.get(m, 0), said[m])
            rest = total(form, said, -c)
            if c > 0 and set(rest) <= {UNIT} and (rest.get(UNIT, 0) > 0 or (not rest and (strict or which == NONNEGATIVE))):
                return True
        return False


@lru_cache(maxsize=4096)
def operations_of(t: Term) -> tuple[Term, ...]:
    """What holds where t has a value, as premises of a ring."""
    return tuple(_least(o) for o in obligations(t))


@lru_cache(maxsize=4096)
def placed(t: Term, x: str, at: Term) -> Term:
    """The term with another one in the place of a variable."""
    return substitute(t, {real(x): at})


def _least(o: Term) -> Term:
    """Of a base that is > 0, or >= 0 with an exponent > 0, both parts say that it is >= 0."""
    if o.tag != "or" or o.parts[1].tag != "and":
        return o
    base, exponent = o.parts[1].parts
    q = value(exponent.parts[1])
    return o.parts[0] if q is not None and q <= 0 else base
