"""Searches for proofs of relations: identities, signs by structure, and linear combinations found by a linear program."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement

import numpy as np
from scipy.optimize import linprog

from dpbounds.kernel.polynomials import UNIT, Budget, Monomial, Polynomial, add, multiply
from dpbounds.kernel.ring import NONNEGATIVE, POSITIVE, Ring
from dpbounds.kernel.terms import (
    ONE,
    ZERO,
    Refused,
    Term,
    at_most,
    below,
    equal,
    instantiate,
    minus,
    node,
    number,
    times,
    unequal,
    variable,
)
from dpbounds.prover.building import WORK, Writer

_ORDERS = ("<=", "<")


def attempt(write: Writer, rule: str, *by: int, **given: object) -> int | None:
    """A step, or None where the rule refuses."""
    try:
        return write(rule, *by, **given)
    except Refused:
        return None


class Search:
    """Proofs of formulas from known steps.

    Args:
        write: the document.
    """

    def __init__(self, write: Writer) -> None:
        self.write = write
        self._fresh = 0
        self.depth = 0

    def prove(self, goal: Term, known: Sequence[int]) -> int | None:
        """A step that shows the goal under hypotheses of the known steps, or None."""
        known = list(dict.fromkeys(known))
        for k in known:
            if self.write.formula(k) == goal:
                return k
        if self.depth > 12:
            return None
        self.depth += 1
        try:
            return self._prove(goal, known)
        finally:
            self.depth -= 1

    def _prove(self, goal: Term, known: list[int]) -> int | None:
        match goal.tag:
            case "and":
                steps = []
                for part in goal.parts:
                    step = self.prove(part, [*known, *steps])
                    if step is None:
                        return None
                    steps.append(step)
                return self.write("conjunction", *steps)
            case "or":
                for part in goal.parts:
                    if (step := self.prove(part, known)) is not None:
                        return self.write("alternative", step, formula=goal)
                return None
            case "all":
                self._fresh += 1
                x = variable(f"w{self._fresh}", str(goal.data[0]))
                step = self.prove(instantiate(goal.parts[0], x), known)
                return None if step is None else attempt(self.write, "generalize", step, variable=x)
            case "->":
                extra = self.opened(self.write.hypothesis(goal.parts[0]))
                step = self.prove(goal.parts[1], [*known, *extra])
                return None if step is None else self.write("discharge", step, formula=goal.parts[0])
            case "integrable":
                return None
            case "=" | "<=" | "<" | "not":
                return self.relation(goal, known)
        return None

    def opened(self, step: int) -> list[int]:
        """The parts of a conjunction as steps of their own."""
        f = self.write.formula(step)
        if f.tag != "and":
            return [step]
        return [n for k in range(len(f.parts)) for n in self.opened(self.write("part", step, number=k))]

    # relations

    def relation(self, goal: Term, known: list[int]) -> int | None:
        """A proof of a relation: with few facts first."""
        known = [k for k in dict.fromkeys(n for k in known for n in self.opened(k))]
        near = [k for k in known if self._about(k, goal)]
        known = [*known, *self.instances(goal, known)]
        for facts in ([near, known] if len(near) < len(known) else [known]):
            if (step := self._direct(goal, facts)) is not None:
                return step
        if goal.tag in ("<=", "<", "="):
            return self.combination(goal, known)
        return None

    def _about(self, k: int, goal: Term) -> bool:
        return bool(self.write.formula(k).free & goal.free)

    def instances(self, goal: Term, known: Sequence[int]) -> list[int]:
        """∀i … at the indices that occur in the goal, where the conditions can be shown."""
        found: list[int] = []
        for k in known:
            if self.write.formula(k).tag == "all":
                found += self._instances(k, goal, known)
        return found

    def _instances(self, k: int, goal: Term, known: Sequence[int]) -> list[int]:
        f = self.write.formula(k)
        if f.tag == "->":
            plain = [n for n in known if self.write.formula(n).tag != "all"]
            step = self._simple(f.parts[0], plain)
            return [] if step is None else self._instances(self.write("detach", k, step), goal, known)
        if f.tag != "all":
            return self.opened(k)
        symbols = {s for s in f.free if isinstance(s, tuple)}
        arguments = {a for a in _arguments(goal, symbols) if f.data == ("R",) or a.sort == "Z"}
        found = []
        for a in list(arguments)[:4]:
            found += self._instances(self.write("specialize", k, at=a), goal, known)
        return found

    def _simple(self, goal: Term, known: Sequence[int]) -> int | None:
        if goal.tag == "and":
            steps = [self._simple(part, known) for part in goal.parts]
            return None if None in steps else self.write("conjunction", *[s for s in steps if s is not None])
        for k in known:
            if self.write.formula(k) == goal:
                return k
        near = [k for k in known if self._about(k, goal)]
        if goal.tag not in (*_ORDERS, "=", "not"):
            return None
        step = self._direct(goal, near)
        return step if step is not None or goal.tag not in _ORDERS else self.combination(goal, near, products=False)

    def _direct(self, goal: Term, facts: Sequence[int]) -> int | None:
        """By one use of ring, sign or linear."""
        if goal.tag == "=":
            return attempt(self.write, "ring", *facts, formula=goal)
        if goal.tag == "not":
            if goal.parts[0].tag != "=":
                return None
            a, b = goal.parts[0].parts
            return attempt(self.write, "sign", *facts, formula=goal) if b == ZERO else None
        a, b = goal.parts
        if a.sort == "E":
            return None
        if a == ZERO and (step := attempt(self.write, "sign", *facts, formula=goal)) is not None:
            return step
        return attempt(self.write, "linear", *facts, formula=goal, multipliers=[])

    def combination(self, goal: Term, known: Sequence[int], products: bool = True) -> int | None:
        """A linear combination of the known relations, and of products of two of them."""
        relations = [k for k in known if self.write.formula(k).tag in ("=", *_ORDERS) and self.write.formula(k).parts[0].sort != "E"]
        certificates = [k for k in known if k not in relations]
        step = self._program(goal, relations, certificates)
        if step is not None or not products or goal.tag == "=":
            return step
        near = [k for k in relations if self._about(k, goal) and self.write.formula(k).tag in _ORDERS][:9]
        more = []
        for i, j in combinations_with_replacement(near, 2):
            more += [k for k in [self.product(i, j)] if k is not None]
        return self._program(goal, [*relations, *more], certificates)

    def nonnegative(self, k: int) -> int | None:
        """From a ≤ b the step 0 ≤ b − a."""
        f = self.write.formula(k)
        a, b = f.parts
        if a == ZERO:
            return k
        return attempt(self.write, "linear", k, formula=node(f.tag, ZERO, minus(b, a)), multipliers=[ONE])

    def product(self, i: int, j: int) -> int | None:
        """From a ≤ b and c ≤ d the step 0 ≤ (b − a)(d − c)."""
        u, v = self.nonnegative(i), self.nonnegative(j)
        if u is None or v is None:
            return None
        (f, g) = self.write.formula(u), self.write.formula(v)
        tag = "<" if f.tag == g.tag == "<" else "<="
        return attempt(self.write, "sign", u, v, formula=node(tag, ZERO, times(f.parts[1], g.parts[1])))

    def _program(self, goal: Term, relations: Sequence[int], certificates: Sequence[int]) -> int | None:
        try:
            ring = Ring([self.write.formula(k) for k in (*relations, *certificates)], Budget(5 * WORK))
            target = ring.cleared(ring.value(minus(goal.parts[1], goal.parts[0])), POSITIVE)
            columns = [ring.value(minus(f.parts[1], f.parts[0])) for f in map(self.write.formula, relations)]
        except Refused:
            return None
        used = [j for j, c in enumerate(columns) if c]
        solution = solve(target, [columns[j] for j in used], [self.write.formula(relations[j]) for j in used], goal.tag, ring)
        if solution is None:
            return None
        chosen = [(relations[used[j]], m) for j, m in solution]
        rest = [k for k in (*relations, *certificates) if k not in [c for c, _ in chosen]]
        steps = [k for k, _ in chosen]
        multipliers = [number(m) for _, m in chosen]
        for extra in ([], rest):
            step = attempt(self.write, "linear", *steps, *extra, formula=goal, multipliers=multipliers)
            if step is not None:
                return step
        return None


def solve(
    target: Polynomial, columns: Sequence[Polynomial], relations: Sequence[Term], tag: str, ring: Ring
) -> list[tuple[int, Fraction]] | None:
    """Multipliers of the relations such that the target minus their combination has nonnegative terms only."""
    monomials: dict[Monomial, int] = {}
    for p in (target, *columns):
        for m in p:
            monomials.setdefault(m, len(monomials))
    signs = {m: ring.certain({m: Fraction(1)}, NONNEGATIVE) for m in monomials} if tag != "=" else {}
    slack = [m for m, yes in signs.items() if yes]
    width = len(columns) + len(slack)
    if not width or len(monomials) > 400:
        return None
    matrix = np.zeros((len(monomials), width))
    for j, p in enumerate(columns):
        for m, c in p.items():
            matrix[monomials[m], j] = float(c)
    for j, m in enumerate(slack):
        matrix[monomials[m], len(columns) + j] = 1.0
    right = np.array([float(target.get(m, 0)) for m in monomials])
    bounds: list[tuple[float | None, float | None]] = [(None, None) if f.tag == "=" else (0, None) for f in relations]
    if tag == "=":
        bounds = [b if f.tag == "=" else (0, 0) for b, f in zip(bounds, relations, strict=True)]
    bounds += [(0, None)] * len(slack)
    strict = [j for j, f in enumerate(relations) if f.tag == "<"]
    strict += [len(columns) + j for j, m in enumerate(slack) if tag == "<" and ring.certain({m: Fraction(1)}, POSITIVE)]
    cost = np.ones(width)
    above = None
    if tag == "<":
        above = np.zeros((1, width))
        above[0, strict] = -1.0
    for least in ([1.0, 1e-3] if tag == "<" else [0.0]):
        limits = {"A_ub": above, "b_ub": np.array([-least])} if above is not None else {}
        found = linprog(cost, A_eq=matrix, b_eq=right, bounds=bounds, method="highs", **limits)
        if found.status == 0:
            values = [Fraction(float(v)).limit_denominator(5040) for v in found.x[: len(columns)]]
            return [(j, v) for j, v in enumerate(values) if v]
    return None


def _arguments(t: Term, symbols: set[object]) -> set[Term]:
    """The arguments of the function symbols in a term, where they are closed."""
    found = {part for part in t.parts if not part.loose} if t.tag == "f" and t.data in symbols else set()
    return found.union(*(_arguments(part, symbols) for part in t.parts))


def facts(write: Writer, steps: Iterable[int]) -> list[Term]:
    """What steps say."""
    return [write.formula(k) for k in steps]


__all__ = ["UNIT", "Search", "add", "at_most", "attempt", "below", "equal", "multiply", "unequal"]
