"""Quantiles of the standard normal law: a claim about Φ⁻¹(p) speaks of a number x with Φ(x) = p, and Φ rises."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dpbounds.compile.library import Library
from dpbounds.kernel.terms import MINUS, ONE, ZERO, Term, equal, minus, negative, node, number
from dpbounds.language.functions import NormalQuantile

_HALF = number("1/2")


class Quantiles:
    """The quantiles of one document.

    Args:
        library: the lemmas of the document.
        read: a variable x and the equation Φ(x) = p, by quantile.
    """

    def __init__(self, library: Library, read: Mapping[Any, tuple[Term, list[Term]]]) -> None:
        self.library, self.steps = library, library.steps
        self.equations = {e: self.steps.assume(f) for e, (_, (f,)) in read.items()}
        self.places = {e: x for e, (x, _) in read.items()}
        self.facts = [*self.equations.values(), *map(self._turned, self.equations.values())]

    def _turned(self, equation: int) -> int:
        """Φ(−x) = 1 − p."""
        (x,), p = self.steps.formula(equation).parts[0].parts, self.steps.formula(equation).parts[1]
        both = self.steps.write("normal_symmetry", term=x)
        goal = equal(node("Phi", negative(x)), minus(ONE, p))
        return self.steps.write("linear", both, equation, formula=goal, multipliers=[ONE, MINUS])

    def names(self) -> dict[str, Term]:
        """The variables quantile_p of a descent: the quantile of p, or minus that of 1 − p."""
        found: dict[str, Term] = {}
        for e, x in self.places.items():
            for p, w in ((e.args[0], x), (1 - e.args[0], negative(x))):
                if p.is_Symbol:
                    found.setdefault(f"quantile_{p.name}", w)
        return found

    def mirrored(self) -> list[int]:
        """x = −y for the quantiles x of p and y of 1 − p."""
        write, found = self.steps.write, []
        for e, x in self.places.items():
            other = NormalQuantile(1 - e.args[0])
            if other in self.places and str(e) < str(other):
                y = negative(self.places[other])
                goals = [node("<=", node("Phi", u), node("Phi", v)) for u, v in ((x, y), (y, x))]
                turned = write("normal_symmetry", term=self.places[other])
                orders = [self.steps.sum_of(goal, [], [*self.facts, turned]) for goal in goals]
                found.append(write("antisymmetric", *(self.ordered(k) for k in orders if k is not None)))
        return found

    def ordered(self, step: int) -> int:
        """u ≤ v from Φ(u) ≤ Φ(v), and u < v from Φ(u) < Φ(v)."""
        f = self.steps.formula(step)
        u, v = (side.parts[0] for side in f.parts)
        return self.library.normal_order(u, v, step, strict=f.tag == "<")

    def inner(self, step: int, known: Sequence[int]) -> int | None:
        """u ≤ v where the sides of a step are Φ(u) and Φ(v), as far as that is known; also <."""
        f = self.steps.formula(step)
        if f.tag not in ("<=", "<"):
            return None
        sides = [self._place(side, known) for side in f.parts]
        if None in sides:
            return None
        (u, left), (v, right) = (side for side in sides if side is not None)
        order = self.steps.sum_of(node(f.tag, node("Phi", u), node("Phi", v)), [step], [left, right])
        return None if order is None else self.ordered(order)

    def _place(self, a: Term, known: Sequence[int]) -> tuple[Term, int] | None:
        """u with a = Φ(u), and the step that says so."""
        inside = [t.parts[0] for t in _normal_in(a)]
        for t in dict.fromkeys([*inside, *self.places.values(), ZERO]):
            facts = [*self.facts, self.steps.write("normal_symmetry", term=t), *known]
            for u in (t, negative(t)) if t != ZERO else (t,):
                same = self.steps.attempt("linear", *facts, formula=equal(a, node("Phi", u)), multipliers=[])
                if same is not None:
                    return u, same
        return None

    def sign(self, h: Term, known: Sequence[int]) -> int | None:
        """x ≤ 0 or 0 ≤ x for a quantile, also <, where it is seen on which side of 1/2 its p lies."""
        if ZERO not in h.parts or h.tag not in ("<=", "<") or not set(h.free) & set(self.places.values()):
            return None
        half = self.steps.write(
            "linear", self.steps.write("normal_symmetry", term=ZERO), formula=equal(node("Phi", ZERO), _HALF), multipliers=[_HALF]
        )
        facts = [half, *self.facts, *known]
        goal = node(h.tag, *(node("Phi", side) for side in h.parts))
        for by in ([], *([k] for k in known)):
            found = self.steps.attempt("linear", *by, *facts, formula=goal, multipliers=[ONE] * len(by))
            if found is not None:
                return self.ordered(found)
        return None


def _normal_in(t: Term) -> list[Term]:
    return [t, *(s for part in t.parts for s in _normal_in(part))] if t.tag == "Phi" else [s for part in t.parts for s in _normal_in(part)]
