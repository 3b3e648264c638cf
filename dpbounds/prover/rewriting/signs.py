"""Signs that the normal form of a term does not show: they follow from the signs of its parts, a few steps for each operation."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TypeVar

from dpbounds.kernel.ring import NONNEGATIVE, NONZERO, POSITIVE
from dpbounds.kernel.terms import MINUS, ONE, ZERO, Refused, Term, at_most, below, equal, exponent_of, need, negative, power, unequal
from dpbounds.prover.rewriting.derived import Write, by_order, cut, maximum

Found = TypeVar("Found")


def sign(write: Write, *by: int, formula: Term) -> int:
    """⊢ 0 ≤ t, 0 < t or t ≠ 0 by the structure of t, where the premises give the signs of parts."""
    return _Signs(write, by).step(formula)


class _Signs:
    """Signs under some premises."""

    def __init__(self, write: Write, by: tuple[int, ...]) -> None:
        self.write, self.by = write, by

    def step(self, goal: Term) -> int:
        """The step that says 0 ≤ t, 0 < t or t ≠ 0."""
        with suppress(Refused):
            return self.write("ring", *self.by, formula=goal)
        t, kind = _subject(goal)
        return self._OPERATIONS[t.tag](self, t, kind) if t.tag in self._OPERATIONS else self._either()

    def sign_of(self, t: Term, kind: str) -> int:
        """The same for a term and its sign."""
        return self.step(_said(t, kind))

    def _either(self, *ways: Callable[[], Found]) -> Found:
        """What the first way gives that leads somewhere."""
        for way in ways:
            with suppress(Refused):
                return way()
        raise Refused("the sign is not shown")

    def _from(self, t: Term, kind: str, *steps: int) -> int:
        """The sign by the normal form, where some steps are known."""
        return self.write("ring", *steps, formula=_said(t, kind))

    # operations

    def _sum(self, t: Term, kind: str) -> int:
        if kind == NONZERO:
            return self._from(t, kind, self.sign_of(t, POSITIVE))
        parts = [pair for part in t.parts for pair in self._summands(part)]
        if kind == POSITIVE:
            parts = self._either(*(partial(self._with_positive, parts, k) for k in range(len(parts))))
        return self._added(_said(t, kind), *(step for _, step in parts))

    def _summands(self, t: Term) -> list[tuple[Term, int]]:
        """The summands of a sum with the steps that say that they are ≥ 0: added up once, a long sum takes few steps."""
        with suppress(Refused):
            return [(t, self.write("ring", *self.by, formula=at_most(ZERO, t)))]
        return [pair for part in t.parts for pair in self._summands(part)] if t.tag == "+" else [(t, self.sign_of(t, NONNEGATIVE))]

    def _with_positive(self, parts: list[tuple[Term, int]], k: int) -> list[tuple[Term, int]]:
        """The k-th of them is > 0."""
        return [*parts[:k], (parts[k][0], self.sign_of(parts[k][0], POSITIVE)), *parts[k + 1 :]]

    def _added(self, goal: Term, *steps: int) -> int:
        return self.write("linear", *steps, formula=goal, multipliers=[ONE] * len(steps))

    def _product(self, t: Term, kind: str) -> int:
        a, b = t.parts
        return self._multiplied(t, kind, a, self.sign_of(a, kind), b, self.sign_of(b, kind))

    def _multiplied(self, t: Term, kind: str, a: Term, first: int, b: Term, second: int) -> int:
        """The sign of t = a·b by those of a and b, which are of the same kind."""
        if kind != NONZERO:
            return self.write("linear", second, first, formula=_said(t, kind), multipliers=[a])
        nothing = self.write("hypothesis", formula=equal(t, ZERO))
        other = self.write("linear", nothing, first, formula=equal(b, ZERO), multipliers=[power(a, -1)])
        return self._unless(t, self.write("absurd", other, second, formula=unequal(t, ZERO)))

    def _unless(self, t: Term, wrong: int) -> int:
        """t ≠ 0, where it follows from t = 0."""
        split = self.write("excluded_middle", formula=equal(t, ZERO))
        return self.write("cases", split, wrong, self.write("hypothesis", formula=unequal(t, ZERO)))

    def _power(self, t: Term, kind: str) -> int:
        (a,), n = t.parts, exponent_of(t)
        return self._either(lambda: self._root(t, kind, n), lambda: self._repeated(t, kind, a, n))

    def _root(self, t: Term, kind: str, n: int) -> int:
        """An even power is the square of a number s: ≥ 0, and > 0 where s ≠ 0."""
        need(n % 2 == 0 and kind != NONZERO, "no even power")
        s = power(t.parts[0], n // 2) if n != 2 else t.parts[0]
        below_0 = self.write("hypothesis", formula=below(s, ZERO))
        falls = self.write("linear", below_0, formula=_said(t, kind), multipliers=[negative(s)])
        if kind == NONNEGATIVE:
            above_0 = self.write("hypothesis", formula=at_most(ZERO, s))
        else:
            above_0 = self._strictly(s, self.sign_of(s, NONZERO))
        rises = self.write("linear", above_0, formula=_said(t, kind), multipliers=[s])
        return self.write("cases", self.write("total_order", left=ZERO, right=s), rises, falls)

    def _strictly(self, s: Term, nonzero: int) -> int:
        """0 ≤ s ⊢ 0 < s where s ≠ 0."""
        most, least = (self.write("hypothesis", formula=f) for f in (at_most(s, ZERO), at_most(ZERO, s)))
        wrong = self.write("absurd", self.write("antisymmetric", most, least), nonzero, formula=below(ZERO, s))
        return self.write("cases", self.write("total_order", left=s, right=ZERO), wrong, self.write("hypothesis", formula=below(ZERO, s)))

    def _repeated(self, t: Term, kind: str, a: Term, n: int) -> int:
        """aⁿ = a·aⁿ⁻¹."""
        own = self.sign_of(a, kind)
        with suppress(Refused):
            return self._from(t, kind, own)
        if n < 0 and n % 2 and kind != NONZERO:
            return self._either(lambda: self._reciprocal(t, kind, a, n), lambda: self._inverse(t, a, own))
        need(0 < n <= 64, "no product")
        found = own
        for k in range(2, n + 1):
            found = self._multiplied(power(a, k), kind, a, own, power(a, k - 1) if k > 2 else a, found)
        return found

    def _reciprocal(self, t: Term, kind: str, a: Term, n: int) -> int:
        """a > 0 gives aⁿ = a·aⁿ⁻¹ > 0 for odd n, where the normal form has another sign in its denominator."""
        own = self.sign_of(a, POSITIVE)
        with suppress(Refused):
            return self._from(t, kind, own)
        least = self.write("linear", own, formula=at_most(ZERO, t), multipliers=[power(a, n - 1)])
        return least if kind == NONNEGATIVE else cut(self.write, self._strictly(t, self._from(t, NONZERO, own)), least)

    def _inverse(self, t: Term, a: Term, own: int) -> int:
        """0 ≤ a gives 0 ≤ a⁻ⁿ, where 1/0 = 0."""
        above, under = (self.write("hypothesis", formula=f) for f in (below(ZERO, a), at_most(a, ZERO)))
        moved = self.write("congruence", self.write("antisymmetric", under, own), term=t)
        at_0 = self.write("linear", moved, formula=at_most(ZERO, t), multipliers=[MINUS])
        split = self.write("total_order", left=a, right=ZERO)
        return self.write("cases", split, at_0, self._from(t, NONNEGATIVE, above))

    def _real_power(self, t: Term, kind: str) -> int:
        return self._from(t, kind, self.sign_of(t.parts[0], NONNEGATIVE if kind == NONNEGATIVE else POSITIVE))

    def _maximum(self, t: Term, kind: str) -> int:
        if kind == NONZERO:
            return self._from(t, kind, self.sign_of(t, POSITIVE))
        bounds = maximum(self.write, *t.parts)

        def way(k: int) -> Callable[[], int]:
            return lambda: self._added(_said(t, kind), self.sign_of(t.parts[k], kind), self.write("part", bounds, number=k))

        return self._either(way(0), way(1))

    def _minimum(self, t: Term, kind: str) -> int:
        if kind == NONZERO:
            return self._from(t, kind, self.sign_of(t, POSITIVE))
        a, b = t.parts
        return by_order(self.write, a, b, _said(t, kind), (self.sign_of(a, kind),), (self.sign_of(b, kind),))

    def _absolute(self, t: Term, kind: str) -> int:
        if kind == NONZERO:
            return self._from(t, kind, self.sign_of(t, POSITIVE))
        (a,) = t.parts
        above, under = self._strictly(a, self.sign_of(a, NONZERO)), self.write("hypothesis", formula=below(a, ZERO))
        sides = (self.write("linear", k, k, formula=_said(t, kind), multipliers=[ONE]) for k in (above, under))
        return self.write("cases", self.write("total_order", left=ZERO, right=a), *sides)

    def _distinction(self, t: Term, kind: str) -> int:
        condition, *branches = t.parts
        split = self.write("excluded_middle", formula=condition)
        shown = []
        for case, branch in zip(self.write.formula(split).parts, branches, strict=True):
            same = self.write("branch", self.write("hypothesis", formula=case), then=branches[0], other=branches[1])
            own = self.sign_of(branch, kind)
            if kind == NONZERO:
                shown.append(self._from(t, kind, own, same))
            else:
                shown.append(self.write("linear", own, same, formula=_said(t, kind), multipliers=[ONE, MINUS]))
        return self.write("cases", split, *shown)

    _OPERATIONS = {
        "+": _sum,
        "*": _product,
        "^": _power,
        "pow": _real_power,
        "max": _maximum,
        "min": _minimum,
        "abs": _absolute,
        "ite": _distinction,
    }


def _said(t: Term, kind: str) -> Term:
    """0 ≤ t, 0 < t or t ≠ 0."""
    return unequal(t, ZERO) if kind == NONZERO else below(ZERO, t) if kind == POSITIVE else at_most(ZERO, t)


def _subject(goal: Term) -> tuple[Term, str]:
    """The term, and what is said of its sign."""
    unlike = goal.tag == "not" and goal.parts[0].tag == "="
    need(unlike or goal.tag in ("<=", "<"), "a sign is wanted")
    t, zero = goal.parts[0].parts if unlike else goal.parts[::-1]
    need(zero == ZERO, "one side must be 0")
    return t, NONZERO if unlike else POSITIVE if goal.tag == "<" else NONNEGATIVE
