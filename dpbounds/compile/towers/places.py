"""Where a step of a descent holds: a tower, the terms of its generators, and what is known of its variables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from dpbounds.compile.steps import NotWritten, sum_of_terms
from dpbounds.descent import polynomials as poly
from dpbounds.descent.polynomials import ONE as UNIT
from dpbounds.descent.polynomials import Polynomial, Quotient
from dpbounds.descent.tower import Generator, Tower
from dpbounds.kernel.terms import Term, exponent_of, node, number, over, power, times, value, variable

_TAGS = {"exp": "exp", "log": "log", "phi": "Phi"}
"""What functions of one argument are called in terms."""


@dataclass(frozen=True)
class Variable:
    """A variable of a tower: its term, its ends, and the steps that say that it lies between them (< or ≤)."""

    term: Term
    low: Fraction | None = None
    high: Fraction | None = None
    above_low: int | None = None
    below_high: int | None = None

    @property
    def known(self) -> tuple[int, ...]:
        """The steps about its ends."""
        return tuple(s for s in (self.above_low, self.below_high) if s is not None)


@dataclass(frozen=True)
class Way:
    """The way of a variable from a to b.

    Attributes:
        low, high: a and b.
        order: the step a ≤ b (or a < b).
        above: a step that says that the low end of the variable's range is ≤ a, None where there is no end.
        under: a step that says that b is ≤ the high end.
    """

    low: Term
    high: Term
    order: int
    above: int | None
    under: int | None


@dataclass(frozen=True)
class WritingPlace:
    """A tower and the terms of its generators.

    Attributes:
        variables: by name.
        tower: the generators, None before one is chosen.
        terms: of the generators, by index.
        facts: further steps that may be used: arguments of logarithms and roots are positive; premises.
        proofs: of a certificate, that arguments of the tower are positive, by number.
        premises: steps that say that a premise of the problem is ≥ 0 (or > 0), where it may be used.
    """

    variables: Mapping[str, Variable]
    tower: Tower = field(default_factory=Tower)
    terms: tuple[Term, ...] = ()
    facts: tuple[int, ...] = ()
    proofs: Mapping[int, Any] = field(default_factory=dict)
    premises: tuple[int, ...] = ()

    @property
    def known(self) -> tuple[int, ...]:
        """All that is known of the variables, and the further facts."""
        return tuple(dict.fromkeys([*self.facts, *(s for v in self.variables.values() for s in v.known)]))

    def term(self, p: Polynomial) -> Term:
        """The term of a polynomial in the generators."""
        parts = []
        for monomial, c in p.items():
            t: Term | None = None if c != 1 or not any(monomial) else None
            if c != 1 or not any(monomial):
                t = number(Fraction(c))
            for g, e in zip(self.terms, monomial, strict=False):
                if e:
                    part = g if e == 1 else power(g, e)
                    t = part if t is None else times(t, part)
            assert t is not None
            parts.append(t)
        return sum_of_terms(parts)

    def quotient(self, q: Quotient) -> Term:
        """The term of a quotient of polynomials."""
        return self.term(q[0]) if q[1] == UNIT else over(self.term(q[0]), self.term(q[1]))

    def function(self, g: Generator) -> Term:
        """The term of a generator whose argument speaks of the others."""
        if g.kind == "variable":
            return self.variables[g.name].term
        if g.kind == "pi":
            return node("pi")
        inner = self.quotient(g.inner)
        if g.kind in _TAGS:
            return node(_TAGS[g.kind], inner)
        if g.kind == "root":
            return node("pow", inner, number(Fraction(1, g.order)))
        return variable(f"log_factorial_{len(self.terms)}_", "R")  # any number: what is spoken of does not have it

    def holding(self, *facts: int) -> WritingPlace:
        """With more facts."""
        return replace(self, facts=tuple(dict.fromkeys([*self.facts, *facts])))

    def with_tower(self, tower: Tower) -> WritingPlace:
        """The terms of another tower over the same variables."""
        here = replace(self, tower=tower, terms=())
        for g in tower.generators:
            here = replace(here, terms=(*here.terms, here.function(g)))
        return here

    def without(self, name: str) -> WritingPlace:
        """Without a variable."""
        return replace(self, variables={n: v for n, v in self.variables.items() if n != name})

    def read(self, t: Term) -> Quotient:
        """A term as a quotient of polynomials in the generators.

        Raises:
            NotWritten: a part that is none.
        """
        if t in self.terms:
            return poly.generator(self.terms.index(t)), UNIT
        q = value(t)
        if q is not None:
            return poly.constant(q), UNIT
        match t.tag, t.parts:
            case "+", (a, b):
                return poly.sum_of([self.read(a), self.read(b)])
            case "*", (a, b):
                (n, d), (m, e) = self.read(a), self.read(b)
                return poly.times(n, m), poly.times(d, e)
            case "^", (a,):
                n, d = self.read(a)
                k = exponent_of(t)
                n, d = (n, d) if k >= 0 else (d, n)
                return poly.power(n, abs(k)), poly.power(d, abs(k))
            case "pow", (a, r) if (q := value(r)) is not None and q.denominator > 1:
                root = node("pow", a, number(Fraction(1, q.denominator)))
                if root in self.terms:
                    own = poly.power(poly.generator(self.terms.index(root)), abs(q.numerator))
                    return (own, UNIT) if q > 0 else (UNIT, own)
            case "exp", (a,):
                n, d = self.read(a)
                if not n:
                    return UNIT, UNIT
                for i, g in ((i, g) for i, g in enumerate(self.tower.generators) if g.kind == "exp"):
                    times_ = poly.proportional(poly.times(n, g.inner[1]), poly.times(g.inner[0], d))
                    if times_ is not None and times_.denominator == 1:
                        own = poly.power(poly.generator(i), abs(times_.numerator))
                        return (own, UNIT) if times_ > 0 else (UNIT, own)
        raise NotWritten("a term that is no quotient", t.tag)
