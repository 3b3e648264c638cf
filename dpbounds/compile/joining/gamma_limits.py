"""Claims (Γ(x + 1/2)/Γ(x))² ≥ q(x), by the limit along x, x + 1, x + 2, …. Each step is one of the checker's.

g(x) = 2·log Γ(x + 1/2) − 2·log Γ(x) − log q(x) falls from x to x + 1 where (x + 1/2)²·q(x) ≤ x²·q(x + 1). Because log Γ is convex,
2·log Γ(x) ≤ log Γ(x − 1/2) + log Γ(x + 1/2), so g(x) ≥ log((x − 1/2)/q(x)) ≥ 1 − q(x)/(x − 1/2). For q(x) ≤ x + 1/2 and x ≥ m + 1/2
that is at least −1/m. So 0 ≤ g.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy

from dpbounds.compile.joining.gammas import GammaCompiler
from dpbounds.compile.limits_of_sequences import INDEX, SEQUENCE, limit_lemma
from dpbounds.compile.steps import NotWritten
from dpbounds.kernel.terms import ONE, ZERO, Term, at_most, below, minus, node, number, over, plus, power, substitute, times, variable

_M, _PLACE, _HALF, _TWO = variable("m_i", "Z"), variable("place_", "R"), number("1/2"), number(2)
_NAMES = tuple(variable(f"{name}_", "R") for name in "abcd")
_WORK = 10


def half_step_document(name: str, then: Any, given: Sequence[Any]) -> str:
    """The document of a claim about the ratio of Γ(x + 1/2) to Γ(x).

    Args:
        name: of the document.
        then, given: the claim.

    Raises:
        NotWritten: another claim, or a step that is not seen.
    """
    if not isinstance(then, (sympy.Le, sympy.Ge)):
        raise NotWritten("no values of the gamma function")
    return _HalfStep(then, given).document_of_ratio(name)


class _HalfStep(GammaCompiler):
    def document_of_ratio(self, name: str) -> str:
        """As `half_step_document`."""
        self.steps.write.work *= _WORK
        steps, write = self.steps, self.steps.write
        self.take_gamma()
        x = self._read_claim()
        known, order = self.known, steps.assume(at_most(ZERO, _M))
        t = plus(x, _M)
        self.known = [order, *known]
        falls = self._falls(t)
        start, self.known = steps.assume(at_most(ONE, _M)), known
        self.known = [start, *known]
        near = self._near(t)
        self.known = known
        body = plus(ONE, self._gap(t))
        falling = at_most(substitute(body, {_M: plus(_M, ONE)}), body)
        rows = [self._added(falling, [(falls, ONE)], []), near]
        rows = [write("generalize", write("discharge", self._cut(k, start), formula=at_most(ONE, _M)), variable=_M) for k in rows]
        lemma = write("substitution", limit_lemma(steps), terms={INDEX: ONE}, functions={SEQUENCE: ((_M,), body)})
        lemma = write("cut", lemma, *rows, write("linear", formula=at_most(ONE, ONE), multipliers=[]))
        first = write("substitution", falls, terms={_M: ZERO}, functions={})
        first = write("cut", first, write("linear", formula=at_most(ZERO, ZERO), multipliers=[]))
        logs = at_most(self.log_of(self.then.lts), self.log_of(self.then.gts))
        found = self._added(logs, [(lemma, _HALF), (first, _HALF)], self._signs(x))
        self.known = [*self._signs(x), *self.known]
        return self.ended(name, self.without_logs(found))

    def _read_claim(self) -> Term:
        """x, and q from now on."""
        values = sorted({e.args[0] for e in self.then.atoms(sympy.gamma)}, key=str)
        pair = next(((x, y) for x in values for y in values if sympy.expand(y - x) == sympy.Rational(1, 2)), None)
        if pair is None or len(values) != 2 or len(pair[0].free_symbols) != 1:
            raise NotWritten("a ratio of other values of the gamma function")
        (x, y), place = pair, sympy.Symbol("place_", positive=True)
        (v,) = x.free_symbols
        square = sympy.simplify((self.then.lts / self.then.gts * sympy.gamma(y) / sympy.gamma(x)) ** 2)
        q = sympy.factor(square.subs(v, place - x + v))
        if q.free_symbols != {place} or q.has(sympy.gamma):
            raise NotWritten("a ratio of other values of the gamma function")
        self.read.symbols[place] = _PLACE
        self.q = self.read.term(q)
        return self.read.term(x)

    def _bound(self, t: Term) -> Term:
        """q(t)."""
        return substitute(self.q, {_PLACE: t})

    def _value(self, t: Term) -> Term:
        """log Γ(t)."""
        return node("log", node("f", t, data=self.read.typed.gamma or ()))

    def _gap(self, t: Term) -> Term:
        """g(t)."""
        return minus(times(_TWO, minus(self._value(plus(t, _HALF)), self._value(t))), node("log", self._bound(t)))

    def _signs(self, t: Term) -> list[int]:
        """That t, q(t), Γ(t) and Γ(t + 1/2) are positive."""
        own = [self._known(below(ZERO, e)) for e in (t, self._bound(t))]
        return [*own, *(self.at(self.positive, e) for e in (t, plus(t, _HALF)))]

    def _falls(self, t: Term) -> int:
        """g(t + 1) ≤ g(t)."""
        later, signs = plus(t, ONE), self._signs(t)
        values = dict(zip(_NAMES, (plus(t, _HALF), t, self._bound(t), self._bound(later)), strict=True))
        lemma, order = self._logs_of_products()
        shown = self._added(substitute(order, values), [], signs)
        logs = self.c.library.instance(lemma, values, shown, *(self._known(below(ZERO, e)) for e in values.values()))
        ratios = [self.at(self.step, e) for e in (t, plus(t, _HALF))]
        return self._added(at_most(self._gap(later), self._gap(t)), [(logs, ONE)], [*ratios, *signs, *self._signs(later)])

    def _logs_of_products(self) -> tuple[int, Term]:
        """a²·c ≤ b²·d gives 2·log a + log c ≤ 2·log b + log d for positive numbers; and the first of these."""
        steps, (a, b, c, d) = self.steps, _NAMES
        signs = [steps.assume(below(ZERO, e)) for e in _NAMES]
        small, large = (times(power(e, 2), f) for e, f in ((a, c), (b, d)))
        least = steps.write("sign", *signs, formula=below(ZERO, small))
        order = at_most(small, large)
        grown = steps.write("log_monotone", steps.assume(order), least)
        sides = (plus(times(_TWO, node("log", e)), node("log", f)) for e, f in ((a, c), (b, d)))
        return steps.write("linear", grown, *signs, formula=at_most(*sides), multipliers=[ONE]), order

    def _near(self, t: Term) -> int:
        """1 − 1/m ≤ 1 + g(t)."""
        before, signs = minus(t, _HALF), self._signs(t)
        convex = self.at(self.convex, before, plus(t, _HALF), ONE, ONE)
        tangent = self.steps.write("exp_above", term=minus(node("log", self._bound(t)), node("log", before)))
        own = [self._known(below(ZERO, before)), self.at(self.positive, before), self.at(self.step, before)]
        room = self._known(at_most(_M, before)), over(ONE, times(_M, before))
        goal = at_most(minus(ONE, over(ONE, _M)), plus(ONE, self._gap(t)))
        return self._added(goal, [(convex, ONE), (tangent, ONE), room], [*signs, *own])

    def _cut(self, step: int, start: int) -> int:
        """A step from 1 ≤ m in the place of 0 ≤ m."""
        least = self._added(at_most(ZERO, _M), [(start, ONE)], [])
        return self.steps.write("cut", step, least) if at_most(ZERO, _M) in self.steps.write.steps[step].hypotheses else step

    def _known(self, goal: Term) -> int:
        found = self._follows(goal)
        if found is None:
            raise NotWritten("a ratio of values of the gamma function: a sign")
        return found

    def _added(self, goal: Term, by: Sequence[tuple[int, Term]], facts: Sequence[int]) -> int:
        found = self.steps.sum_of(goal, [k for k, _ in by], [*facts, *self.known], [w for _, w in by])
        if found is None:
            raise NotWritten("a ratio of values of the gamma function")
        return found
