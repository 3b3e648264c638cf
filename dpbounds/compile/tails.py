"""Sums that are bounded by one of their ends: f(k + 1) ≤ ρ·f(k) gives (1 − ρ)·Σ f ≤ f(first), and f(k) ≤ ρ·f(k + 1) the same for the last.

Binomial tails and rows of binomial coefficients are such sums. Nothing here is believed: each step is one of the checker's.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import sympy

from dpbounds.compile.one_term import OneTerm
from dpbounds.compile.recursions import last_term, pascal
from dpbounds.compile.steps import NotWritten, Steps
from dpbounds.compile.towers.descents import Descents
from dpbounds.kernel.terms import (
    ONE,
    ZERO,
    Term,
    at_most,
    below,
    binder,
    equal,
    implies,
    minus,
    negative,
    node,
    over,
    plus,
    substitute,
    times,
    variable,
)
from dpbounds.language.typed.checker_terms import NotRead
from dpbounds.language.typed.read_sympy import Statements

_F = ("f_", "Z>R")


def tail_document(name: str, then: Any, given: Sequence[Any]) -> str:
    """The document of c·Σ f ≤ R, where the terms fall or rise at least as fast as a geometric series with the ratio at one end.

    Args:
        name: of the document.
        then, given: the claim.

    Raises:
        NotWritten: another claim, or a step that is not seen.
    """
    try:
        return _Tail(then, given).document(name)
    except NotRead as why:
        raise NotWritten("the statement is not read", str(why)) from why


class _Tail:
    def __init__(self, then: Any, given: Sequence[Any]) -> None:
        sums = list(then.atoms(sympy.Sum)) if isinstance(then, (sympy.Le, sympy.Ge)) else []
        if len(sums) != 1 or len(then.lts.args) == 0:
            raise NotWritten("a tail: not one sum")
        self.sum = sums[0]
        self.factor, self.large = sympy.cancel(then.lts / self.sum), then.gts
        self.i, self.low, self.high = self.sum.limits[0]
        if self.factor.has(sympy.Sum) or self.large.has(sympy.Sum) or len(self.sum.limits) > 1 or self.high.is_infinite:
            raise NotWritten("a tail: not a finite sum on the left")
        self.then, self.read, self.f = then, Statements(), self.sum.function
        stated = self.read.stated(then, given)
        self.stated = stated.given, stated.claim
        self.steps = Steps(str(v.data[0]) for v in self.read.symbols.values())
        self.steps.write.work *= 10
        self.search = Descents(self.steps).search
        self.known = [k for g in self.stated[0] for k in self.search.opened(self.steps.assume(g))]
        self.facts = [(r, k) for r in given if isinstance(r, (sympy.Le, sympy.Lt, sympy.Ge, sympy.Gt))
                      if (k := self.above(self.read.formula(r))) is not None]  # fmt: skip
        self.k = sympy.Symbol("k_", integer=True, nonnegative=bool(self.low.is_nonnegative))
        self.at = self.read.symbols[self.k] = variable("k_", "Z")

    def document(self, name: str) -> str:
        ratio = _simple(self.f.subs(self.i, self.k + 1) / self.f.subs(self.i, self.k))
        for rises, rho in ((False, ratio.subs(self.k, self.low)), (True, _simple(1 / ratio).subs(self.k, self.high - 1))):
            end = self._bounded(ratio, _simple(rho), rises)
            if end is not None:
                defined = [self._defined(o) for o in self.steps.write.obligations(*self.stated)]
                return self.steps.write.document(name, self.stated[0], end, defined)
        raise NotWritten("a tail: a ratio that is not seen")

    def above(self, formula: Term) -> int | None:
        """A relation as a sum of few of those that are known."""
        for n in range(4):
            for by in itertools.combinations(self.known, n):
                found = self.steps.attempt("linear", *by, formula=formula, multipliers=[ONE] * n)
                if found is not None:
                    return found
        return None

    def _factors(self, *expressions: Any) -> tuple[list[int], list[Any]]:
        """Steps 0 < d, or 0 ≤ d for others than divisors, for the factors of expressions where they are seen, and the expressions again."""
        shown: dict[Any, int] = {}
        turned = []
        for e in expressions:
            whole = []
            for part, side in zip(sympy.fraction(sympy.together(e)), (1, -1), strict=True):
                number, rows = (part, []) if part.is_number else (sympy.S.One, [(part, 1)])
                if part.is_polynomial():
                    number, rows = sympy.factor_list(part) if rows else (part, [])
                whole.append(number**side)
                for d, n in rows:
                    for s, order in itertools.product((1, -1), (below, at_most) if side > 0 else (below,)):
                        if d.is_Add and not {d, -d} & set(shown) and (k := self.above(order(ZERO, self.read.term(s * d)))) is not None:
                            shown[s * d] = k
                    s = -1 if -d in shown else 1
                    whole += [s**n, (s * d) ** (side * n)]
            turned.append(sympy.Mul(*whole))
        return list(shown.values()), turned

    def _bounded(self, ratio: Any, rho: Any, rises: bool) -> int | None:
        """c·Σ f ≤ R from the ratio at one end."""
        steps, term = self.steps, self.read.term
        low, high, (edge, other) = term(self.low), term(self.high), (self.high, self.low) if rises else (self.low, self.high)
        signs, (rho, weight) = self._factors(rho, _simple(self.factor / (1 - rho)))
        signs = [*signs, *self._factors(self.large)[0], *self.known]
        body = self.read.term(self.f.subs(self.i, self.k))
        rest = times(term(rho), substitute(body, {self.at: term(other)}))
        order, least = self.above(at_most(low, high)), steps.attempt("sign", *signs, formula=at_most(ZERO, rest))
        if order is None or least is None or steps.attempt("sign", *signs, formula=at_most(ZERO, term(weight))) is None:
            return None
        step = self._ratio(ratio, rho, rises)
        if step is None:
            return None
        for f in (at_most(plus(self.at, ONE), high), at_most(low, self.at)):
            step = steps.write("discharge", step, formula=f)
        every = steps.write("generalize", step, variable=self.at)
        values = {variable("rho_", "R"): term(rho), variable("a_", "Z"): low, variable("b_", "Z"): high}
        total = steps.write("substitution", self._total(rises), terms=values, functions={_F: ((self.at,), body)})
        total = steps.write("detach", steps.write("cut", total, every), order)
        room = _simple(_simple(self.large / self.f.subs(self.i, edge)) - weight)
        found, (room,) = self._factors(room)
        more = [] if room == 0 else [steps.attempt("sign", *found, *signs, formula=at_most(ZERO, term(room)))]
        more = [OneTerm(steps, self.read.symbols, self.facts).shown(room) if k is None else k for k in more]
        signs += found
        weights = [term(weight), term(weight), *[term(self.f.subs(self.i, edge))] * len(more)]
        by = [k for k in (total, least, *more) if k is not None]
        return None if None in more else steps.attempt("linear", *by, *signs, formula=self.stated[1], multipliers=weights)

    def _ratio(self, ratio: Any, rho: Any, rises: bool) -> int | None:
        """f(k + 1) ≤ ρ·f(k), or f(k) ≤ ρ·f(k + 1), which may assume a ≤ k and k + 1 ≤ b."""
        steps, term, k = self.steps, self.read.term, self.k
        before, within = (list(self.known), list(self.facts)), [sympy.Le(self.low, k, evaluate=False), sympy.Le(k + 1, self.high)]
        own = [steps.assume(at_most(term(self.low), self.at)), steps.assume(at_most(plus(self.at, ONE), term(self.high)))]
        self.known, self.facts = [*self.known, *own], [*self.facts, *zip(within, own, strict=True)]
        try:
            small, large = (k, k + 1) if rises else (k + 1, k)
            signs, (gap, _) = self._factors(sympy.factor(rho - (1 / ratio if rises else ratio)), rho)
            signs += self.known
            equations = [e for b in sorted(self.f.subs(self.i, k).atoms(sympy.binomial), key=str) for e in self._next_binomial(b)]
            shown = None
            for relation, step in self.facts[::-1]:
                _, (weight,) = self._factors(sympy.factor(gap / (relation.gts - relation.lts)))
                shown = steps.attempt("linear", step, *signs, formula=at_most(ZERO, term(gap)), multipliers=[term(weight)])
                if shown is not None:
                    break
            shown = OneTerm(steps, self.read.symbols, self.facts).shown(gap) if shown is None else shown
            if shown is None or None in equations:
                return None
            body = term(self.f.subs(self.i, k))
            sides = [substitute(body, {self.at: plus(self.at, ONE)}) if e != k else body for e in (small, large)]
            facts = [*(e for e in equations if e is not None), *signs]
            goal = at_most(sides[0], times(term(rho), sides[1]))
            return steps.attempt("linear", shown, *facts, formula=goal, multipliers=[sides[1]])
        finally:
            self.known, self.facts = before

    def _next_binomial(self, b: Any) -> list[int | None]:
        """C(n, k + 1) = (n − k)/(k + 1)·C(n, k), and 0 < C(n, k)."""
        n, k = self.read.term(b.args[0]), self.at
        orders = [self.above(f) for f in (at_most(ZERO, k), at_most(plus(k, ONE), n), at_most(k, n))]
        if b.args[1] != self.k or None in orders:
            return [None]
        least, most, inside = (o for o in orders if o is not None)
        steps, m = self.steps, variable("m_", "Z")
        row = steps.write("specialize", pascal(steps, m, k), at=k)
        here = steps.write("detach", steps.write("specialize", steps.write("detach", row, least), at=n), most)
        one = steps.write("linear", least, formula=at_most(ONE, plus(k, ONE)), multipliers=[ONE])
        whole = steps.write("linear", least, most, formula=at_most(ONE, n), multipliers=[ONE, ONE])
        up, inverse = steps.write("absorption", whole, one), over(ONE, plus(k, ONE))
        goal = equal(node("binom", n, plus(k, ONE)), times(over(minus(n, k), plus(k, ONE)), node("binom", n, k)))
        some = steps.write("part", steps.write("binomial_positive", least, inside), number=0)
        return [steps.attempt("linear", up, here, least, formula=goal, multipliers=[inverse, negative(inverse)]), some]

    def _total(self, rises: bool) -> int:
        """∀k f(k + 1) ≤ ρ·f(k) ⊢ a ≤ b → (1 − ρ)·Σ_a^b f + ρ·f(b) ≤ f(a), and likewise with the ends exchanged."""
        steps, k = self.steps, variable("j_", "Z")
        a, b, rho = variable("a_", "Z"), variable("b_", "Z"), variable("rho_", "R")

        def f(t: Term) -> Term:
            return node("f", t, data=_F)

        later = plus(k, ONE)
        step = at_most(f(k), times(rho, f(later))) if rises else at_most(f(later), times(rho, f(k)))
        given = steps.assume(binder("all", k, implies([at_most(a, k), at_most(later, b)], step)))
        total = binder("sum", variable("i_", "Z"), a, k, f(variable("i_", "Z")))
        first, last = (a, k) if rises else (k, a)
        bounded = at_most(plus(times(minus(ONE, rho), total), times(rho, f(first))), f(last))
        formula = implies([at_most(k, b)], bounded)
        single = steps.write("sum_single", total=substitute(total, {k: a}))
        base = steps.write("linear", single, formula=substitute(bounded, {k: a}), multipliers=[])
        base = steps.write("discharge", base, formula=at_most(a, b))
        start, here, end = (steps.assume(g) for g in (at_most(a, k), formula, at_most(later, b)))
        inside = steps.write("linear", end, formula=at_most(k, b), multipliers=[ONE])
        now = steps.write("detach", here, inside)
        own = steps.write("detach", steps.write("detach", steps.write("specialize", given, at=k), start), end)
        grown = steps.sum_of(substitute(bounded, {k: later}), [now, own], last_term(steps, total, k, start))
        if grown is None:
            raise NotWritten("a tail: the induction")
        grown = steps.write("discharge", grown, formula=at_most(later, b))
        every = steps.write("specialize", steps.write("induction", base, grown, variable=k, start=a, formula=formula), at=b)
        order = steps.assume(at_most(a, b))
        found = steps.write("detach", steps.write("detach", every, order), steps.write("linear", formula=at_most(b, b), multipliers=[]))
        return steps.write("discharge", found, formula=at_most(a, b))

    def _defined(self, o: Term) -> int:
        """What must be shown to be defined."""
        found = self.above(o) if o.tag in ("<=", "<") else None
        if o.tag == "not" and o.parts[0].tag == "=":
            signs = [self.above(below(ZERO, s)) for s in (o.parts[0].parts[0], negative(o.parts[0].parts[0]))]
            found = next((x for k in signs if k is not None and (x := self.steps.attempt("sign", k, formula=o)) is not None), None)
        found = self.search.prove(o, self.known) if found is None else found
        if found is None:
            raise NotWritten("what must be defined", o.tag)
        return found


def _simple(e: Any) -> Any:
    """A quotient of neighbouring terms, without factorials where that is seen."""
    return sympy.factor(sympy.powsimp(sympy.combsimp(e)))
