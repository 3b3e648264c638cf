"""A document while it is compiled: steps of the checker's rules, and the few ways in which they are found."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

from dpbounds.kernel.terms import ONE, ZERO, Refused, Term, below, node, number, plus, power, times, variable
from dpbounds.prover.rewriting.building import StepWriter


class NotWritten(Exception):
    """A step of the certificate has no steps of the checker yet.

    Attributes:
        kind: what is missing, in a few words; the same words for the same reason.
    """

    def __init__(self, kind: str, detail: str = "") -> None:
        super().__init__(f"{kind}: {detail}" if detail else kind)
        self.kind = kind


class Steps:
    """Steps that are taken, with names that are free."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self.write = StepWriter()
        self._taken = set(taken)

    def fresh(self, name: str) -> Term:
        """A real variable that nothing else is called."""
        base = re.sub(r"[^a-z]", "", name.lower()) or "x"
        k = 1
        while f"{base}_{k}" in self._taken:
            k += 1
        self._taken.add(f"{base}_{k}")
        return variable(f"{base}_{k}", "R")

    def reserve(self, names: Iterable[str]) -> None:
        """No later fresh variable has one of these names."""
        self._taken.update(names)

    def formula(self, step: int) -> Term:
        """What a step says."""
        return self.write.formula(step)

    def attempt(self, rule: str, *by: int, **given: object) -> int | None:
        """A step, None where the rule refuses."""
        try:
            return self.write(rule, *by, **given)
        except Refused:
            return None

    @contextmanager
    def longer(self, times_: int) -> Iterator[None]:
        """With so many times the work for an attempt."""
        work, self.write.work = self.write.work, self.write.work * times_
        try:
            yield
        finally:
            self.write.work = work

    def assume(self, formula: Term) -> int:
        """F ⊢ F."""
        return self.write.hypothesis(formula)

    def sum_of(self, goal: Term, steps: Sequence[int], facts: Sequence[int] = (), multipliers: Sequence[Term] = ()) -> int | None:
        """The goal as a sum of relations times multipliers (1 where none are given); first without more facts."""
        weights = [*multipliers, *[ONE] * (len(steps) - len(multipliers))]
        for more in ((), tuple(facts)) if facts else ((),):
            if (step := self.attempt("linear", *steps, *more, formula=goal, multipliers=weights)) is not None:
                return step
        return None

    def weaker(self, goal: Term, step: int) -> int:
        """A relation from one that says at least as much."""
        if self.formula(step) == goal:
            return step
        found = self.sum_of(goal, [step])
        if found is None:
            raise NotWritten("a relation in other words")
        return found


def product_of(factors: Iterable[tuple[Term, int]]) -> Term:
    """Π a^k, 1 of none."""
    total: Term | None = None
    for a, k in factors:
        part = a if k == 1 else power(a, k)
        total = part if total is None else times(total, part)
    return ONE if total is None else total


def sum_of_terms(terms: Iterable[Term]) -> Term:
    """a + b + …, 0 of none."""
    found = list(terms)
    return plus(*found) if found else ZERO


def multiple(factor: object, term: Term) -> Term:
    """c·t for a number c."""
    return term if factor == 1 else times(number(factor), term)  # type: ignore[arg-type]


def positive(term: Term) -> Term:
    """0 < t."""
    return below(ZERO, term)


def sign_of(term: Term, *, strict: bool) -> Term:
    """0 < t, or 0 ≤ t."""
    return node("<" if strict else "<=", ZERO, term)
