"""Claims about products of values of the gamma function: their logarithms by Γ(x + 1) = x·Γ(x) and the convexity of log Γ.

Nothing here is believed: each step is one of the checker's.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Any

import sympy

from dpbounds.compile.joining.joined import ClaimCompiler
from dpbounds.compile.steps import NotWritten, sum_of_terms
from dpbounds.kernel.terms import ZERO, Term, at_most, below, binder_sort, instantiate, node, number, times, variable
from dpbounds.language.typed.gamma_function import axioms_of_gamma

_FACTORS = ("1", "2", "1/2")


def gamma_document(name: str, then: Any, given: Sequence[Any]) -> str:
    """The document of a claim about values of the gamma function.

    Args:
        name: of the document.
        then, given: the claim.

    Raises:
        NotWritten: another claim, or a step that is not seen.
    """
    if not isinstance(then, (sympy.Le, sympy.Ge)) or not then.has(sympy.gamma):
        raise NotWritten("no values of the gamma function")
    return _Gammas(then, given).document_of_gammas(name)


class LogCompiler(ClaimCompiler):
    """A claim about products, by their logarithms."""

    def log_of(self, e: Any) -> Term:
        """log e of a product of positive factors, factor by factor."""
        rows = (f.as_base_exp() for f in sympy.Mul.make_args(sympy.powsimp(e)))
        return sum_of_terms(times(self.read.term(k), node("log", self.read.term(base))) for base, k in rows)

    def without_logs(self, step: int) -> int | None:
        """The claim from the order of the logarithms of its sides."""
        if self.steps.formula(step) == self.goal:
            return step
        return self.steps.sum_of(self.goal, [self.steps.write("exp_monotone", step)], self.known)


class GammaCompiler(LogCompiler):
    """A claim about values of the gamma function."""

    def take_gamma(self) -> None:
        """From now on it is known what Γ does."""
        _, self.positive, self.step, self.convex = map(self.steps.assume, axioms_of_gamma(self.read.typed.gamma))

    def _instance(self, every: int, terms: Sequence[Term]) -> int | None:
        """What is said for all positive numbers, at some that are."""
        for t in terms:
            sign = self._follows(below(ZERO, t))
            if sign is None:
                return None
            every = self.steps.write("detach", self.steps.write("specialize", every, at=t), sign)
        return every

    def at(self, every: int, *terms: Term) -> int:
        """What is said for all positive numbers, at some that are.

        Raises:
            NotWritten: one may not be.
        """
        found = self._instance(every, terms)
        if found is None:
            raise NotWritten("a gamma function of what may not be positive")
        return found

    def _defined(self, o: Term) -> int:
        """Also that values of the gamma function are positive, for all positive numbers."""
        steps = self.steps
        if o.tag == "all":
            x = variable(str(steps.fresh("x").data[0]), binder_sort(o))
            return steps.write("generalize", self._defined(instantiate(o.parts[0], x)), variable=x)
        if o.tag == "->":
            known, self.known = self.known, [steps.assume(o.parts[0]), *self.known]
            try:
                return steps.write("discharge", self._defined(o.parts[1]), formula=o.parts[0])
            finally:
                self.known = known
        facts = [k for t in _values(o) if (k := self._instance(self.positive, [t])) is not None]
        found = steps.attempt("sign", *facts, *self.known, formula=o)
        return super()._defined(o) if found is None else found

    def _follows(self, h: Term, extra: Sequence[int] = ()) -> int | None:
        """At sight first."""
        found = self.steps.attempt("sign", *self.known, formula=h)
        return super()._follows(h, extra) if found is None else found


class _Gammas(GammaCompiler):
    def document_of_gammas(self, name: str) -> str:
        """As `gamma_document`."""
        self.take_gamma()
        values = sorted({e.args[0] for e in self.then.atoms(sympy.gamma)}, key=str)
        places = [e for e in dict.fromkeys(sympy.expand(e + s) for s in (0, 1, -1) for e in values) if e.is_positive]
        facts = [self.at(self.positive, self.read.term(e)) for e in places]
        facts += [self.at(self.step, self.read.term(e)) for e in places if e + 1 in places]
        self.known = [*facts, *self.known]
        logs = self.goal if _has(self.goal, "log") else at_most(self.log_of(self.then.lts), self.log_of(self.then.gts))
        for a, x, b, y in _between(places):
            terms = [self.read.term(e) for e in (x, y, a, b)]
            if (instance := self._instance(self.convex, terms)) is None:
                continue
            for factor in _FACTORS:
                found = self.steps.attempt("linear", instance, *self.known, formula=logs, multipliers=[number(factor)])
                if found is not None:
                    return self.ended(name, self.without_logs(found))
        raise NotWritten("an order of values of the gamma function")


def _between(places: Sequence[Any]) -> Iterator[tuple[Any, Any, Any, Any]]:
    """Weights a, b and places x, y, where (a·x + b·y)/(a + b) is another place."""
    for x, z, y in itertools.permutations(places, 3):
        near, far = sympy.expand(z - x), sympy.expand(y - z)
        if all(e.free_symbols or e.is_positive for e in (near, far)):
            yield far, x, near, y


def _has(t: Term, tag: str) -> bool:
    return t.tag == tag or any(_has(part, tag) for part in t.parts)


def _values(t: Term) -> list[Term]:
    """What the gamma function is taken of."""
    own = [t.parts[0]] if t.tag == "f" and not t.loose else []
    return [*own, *(v for part in t.parts for v in _values(part))]
