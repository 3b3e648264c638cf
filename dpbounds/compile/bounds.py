"""BoundLemmas of exp, log and 1/(1 + s) near 0, of products and of what vanishes, as lemmas of one document.

For |s| ≤ 1/2, s = m·p with 0 < m and |p| ≤ S, and the partial sums T of f(s) = e^s, log(1 + s), 1/(1 + s) of order n = 1 or 2,

    |f(s) − T(s)| ≤ 2·(S·m)^n,

by 1 + t ≤ e^t alone: 1 + s ≤ e^s ≤ 1/(1 − s), and s/(1 + s) ≤ log(1 + s) ≤ s.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from dpbounds.compile.library import Library
from dpbounds.compile.steps import NotWritten, positive
from dpbounds.kernel.terms import (
    ONE,
    TWO,
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
    number,
    plus,
    power,
    times,
    variable,
)
from dpbounds.prover.rewriting.roots import HALF

_S, _M, _P, _K, _L = (variable(f"{name}_", "R") for name in "smpkl")


@dataclass(frozen=True)
class Bounded:
    """−bound ≤ term ≤ bound, with the steps that say so."""

    term: Term
    bound: Term
    low: int
    high: int


def partial_sum(kind: str, s: Term, order: int) -> Term:
    """The terms of f(s) below s^order."""
    first = {"exp": ONE, "log": ZERO, "inverse": ONE}[kind]
    return first if order == 1 else {"exp": plus(ONE, s), "log": s, "inverse": minus(ONE, s)}[kind]


def function_near(kind: str, s: Term) -> Term:
    """f(s)."""
    if kind == "exp":
        return node("exp", s)
    return node("log", plus(ONE, s)) if kind == "log" else power(plus(ONE, s), -1)


class BoundLemmas:
    """The lemmas, each written at its first use.

    Args:
        library: of the document.
    """

    def __init__(self, library: Library) -> None:
        self.library, self.steps = library, library.steps

    def _sum(self, goal: Term, rows: list[tuple[int, Term]], *facts: int) -> int:
        found = self.steps.attempt("linear", *(k for k, _ in rows), *facts, formula=goal, multipliers=[w for _, w in rows])
        if found is None:
            raise NotWritten("a bound near 0")
        return found

    # --- f(s) near 0

    def near(self, kind: str, order: int, s: Term, m: Term, p: Bounded, *shown: int) -> Bounded:
        """The bounds of (f(s) − T(s))/m^order.

        Args:
            kind: exp, log or inverse.
            order: 1 or 2.
            s, m: s = m·p.
            p: p and its bounds.
            shown: s = m·p, −1/2 ≤ s, s ≤ 1/2, 0 < m.
        """
        low, high = self._near(kind, order)
        values = {_S: s, _M: m, _P: p.term, _K: p.bound}
        steps = [self.library.instance(k, values, *shown, p.low, p.high) for k in (low, high)]
        f = times(minus(function_near(kind, s), partial_sum(kind, s, order)), power(m, -order))
        return Bounded(f, times(TWO, power(p.bound, order)), *steps)

    def _near(self, kind: str, order: int) -> tuple[int, int]:
        steps, s = self.steps, _S
        same = steps.assume(equal(s, times(_M, _P)))
        ends = [steps.assume(at_most(number("-1/2"), s)), steps.assume(at_most(s, HALF))]
        m, lower, upper = (steps.assume(f) for f in (positive(_M), at_most(negative(_K), _P), at_most(_P, _K)))
        above = self._sum(positive(plus(ONE, s)), [(ends[0], ONE)])
        under = self._sum(positive(minus(ONE, s)), [(ends[1], ONE)])
        room = [
            self._sum(at_most(ZERO, plus(ONE, times(number(2 * side), s))), [(end, TWO)]) for side, end in zip((1, -1), ends, strict=True)
        ]
        size = self._sum(at_most(ZERO, _K), [(lower, HALF), (upper, HALF)])
        facts = [same, m, above, under, size]
        if order == 2:
            parts = [self._sum(at_most(ZERO, side), [(k, ONE)]) for side, k in ((plus(_K, _P), lower), (minus(_K, _P), upper))]
            both = steps.write("sign", *parts, formula=at_most(ZERO, times(plus(_K, _P), minus(_K, _P))))
            lower = upper = self._sum(at_most(power(_P, 2), power(_K, 2)), [(both, ONE)])
        bound = power(_K, order)
        scale, over = power(_M, -order), power(plus(ONE, s) if kind != "exp" else minus(ONE, s), -1)
        wide = self._sum(at_most(ZERO, bound), [], *facts)
        square = steps.write.square(_P)
        f = times(minus(function_near(kind, s), partial_sum(kind, s, order)), scale)
        down, up = at_most(negative(times(TWO, bound)), f), at_most(f, times(TWO, bound))
        inner = times(bound, over)
        if kind == "exp":
            tangent = steps.write("exp_above", term=s)
            turned = steps.write("exp_above", term=negative(s))
            most = self._sum(at_most(node("exp", s), over), [(turned, times(node("exp", s), over))], under)
            low = [(tangent, scale), (wide, ONE if order == 1 else TWO), *([(lower, ONE)] if order == 1 else [])]
            return self._sum(down, low, *facts), self._sum(up, [(most, scale), (upper, over), (room[1], inner)], *facts)
        if kind == "log":
            log = node("log", plus(ONE, s))
            tangent = self._sum(at_most(log, s), [(steps.write("exp_above", term=log), ONE)], above)
            turned = self._sum(at_most(minus(ONE, log), over), [(steps.write("exp_above", term=negative(log)), ONE)], above)
            high = [(tangent, scale), (wide, ONE if order == 1 else TWO), *([(upper, ONE)] if order == 1 else [])]
            return self._sum(down, [(turned, scale), (lower, over), (room[0], inner)], *facts), self._sum(up, high, *facts)
        if order == 1:
            return tuple(self._sum(goal, [(k, over), (room[0], inner)], *facts) for goal, k in ((down, upper), (up, lower)))  # type: ignore[return-value]
        return self._sum(down, [(square, over), (wide, TWO)], *facts), self._sum(up, [(upper, over), (room[0], inner)], *facts)

    # --- products

    def product(self, a: Bounded, b: Bounded) -> Bounded:
        """a·b, by KL ± ab = ((K + a)(L ± b) + (K − a)(L ∓ b))/2."""
        steps = self.steps
        signs = [steps.assume(f) for x, k in ((_S, _K), (_P, _L)) for f in (at_most(negative(k), x), at_most(x, k))]
        gaps = [self._sum(at_most(ZERO, g), [(k, ONE)]) for g, k in zip(
            (plus(_K, _S), minus(_K, _S), plus(_L, _P), minus(_L, _P)), signs, strict=True)]  # fmt: skip
        ends = []
        for goal, pairs in (
            (at_most(negative(times(_K, _L)), times(_S, _P)), ((0, 2), (1, 3))),
            (at_most(times(_S, _P), times(_K, _L)), ((0, 3), (1, 2))),
        ):
            both = []
            for i, j in pairs:
                total = times(*(steps.formula(gaps[k]).parts[1] for k in (i, j)))
                both.append(steps.write("sign", gaps[i], gaps[j], formula=at_most(ZERO, total)))
            ends.append(self._sum(goal, [(k, HALF) for k in both]))
        values = {_S: a.term, _K: a.bound, _P: b.term, _L: b.bound}
        low, high = (self.library.instance(k, values, a.low, a.high, b.low, b.high) for k in ends)
        return Bounded(times(a.term, b.term), times(a.bound, b.bound), low, high)

    def exponential(self, n: int, x: Term, u: Term, order: int, least: int) -> int:
        """u ≤ x and 0 < u give e^−x ≤ (n/u)^n, by 1 + x/n ≤ e^{x/n}."""
        steps = self.steps
        given = [steps.assume(at_most(_P, _S)), steps.assume(positive(_P))]
        share = times(number(Fraction(1, n)), _S)
        grown = self._sum(
            at_most(times(number(Fraction(1, n)), _P), node("exp", share)),
            [(steps.write("exp_above", term=share), ONE), (given[0], number(Fraction(1, n)))],
        )
        ends = [
            self._sum(at_most(ZERO, steps.formula(grown).parts[0]), [], given[1]),
            grown,
            steps.write("sign", formula=at_most(ZERO, number(n))),
        ]
        raised = steps.write("power_monotone", *ends)
        fall, bound = node("exp", negative(_S)), power(times(number(n), power(_P, -1)), n)
        lemma = self._sum(at_most(fall, bound), [(raised, times(fall, bound))], given[1])
        return self.library.instance(lemma, {_S: x, _P: u}, order, least)

    def normal_near(self, a: Term, s: Term, m: Term, p: Bounded, *shown: int) -> Bounded:
        """The bounds ±S of (Φ(a + s) − Φ(a))/m for s = m·p, |p| ≤ S and 0 < m, which two steps show."""
        steps, x = self.steps, variable("x_", "R")
        order = steps.assume(at_most(_K, _L))
        slope = steps.write("derivative", function=node("Phi", x), variable=x)
        density = steps.formula(slope).parts[1]
        rise = steps.write("monotone", slope, steps.write("sign", formula=at_most(ZERO, density)), order, variable=x, low=_K, high=_L)
        flat = steps.write("derivative", function=minus(x, node("Phi", x)), variable=x)
        gap = self._sum(at_most(ZERO, steps.formula(flat).parts[1]), [(self._density_below_one(x), ONE)])
        most = steps.write("monotone", flat, gap, order, variable=x, low=_K, high=_L)
        same, least, *ends = (steps.assume(f) for f in (equal(_S, times(_M, _P)), positive(_M), at_most(negative(_K), _P), at_most(_P, _K)))
        y = variable("y_", "R")
        after, difference = plus(y, _S), times(minus(node("Phi", plus(y, _S)), node("Phi", y)), power(_M, -1))
        split = steps.write("total_order", left=ZERO, right=_S)
        pairs = [(y, after), (after, y)]
        lemmas = []
        for up in (False, True):
            goal = at_most(difference, _K) if up else at_most(negative(_K), difference)
            branches = []
            for (low, high), here in zip(pairs, steps.formula(split).parts, strict=True):
                sign = steps.assume(here)
                way = self._sum(at_most(low, high), [(sign, ONE)])
                own = [self.library.instance(k, {_K: low, _L: high}, way) for k in (rise, most)]
                steep = (low == y) == up
                size = [(ends[up], ONE)] if steep else [(k, HALF) for k in ends]
                branches.append(self._sum(goal, [(own[steep], power(_M, -1)), *size], same, least))
            lemmas.append(steps.write("cases", split, *branches))
        values = {_S: s, _M: m, _P: p.term, _K: p.bound, y: a}
        own = [self.library.instance(k, values, *shown, p.low, p.high) for k in lemmas]
        return Bounded(times(minus(node("Phi", plus(a, s)), node("Phi", a)), power(m, -1)), p.bound, *own)

    def _density_below_one(self, x: Term) -> int:
        """e^{−x²/2}/√(2π) ≤ 1."""
        steps = self.steps
        e, root = node("exp", times(number("-1/2"), power(x, 2))), node("pow", times(TWO, node("pi")), number("-1/2"))
        bell = steps.write("exp_monotone", self._sum(at_most(times(number("-1/2"), power(x, 2)), ZERO), [(steps.write.square(x), HALF)]))
        pi = steps.write("part", steps.write("bounds_of_pi"), number=0)
        under = self._sum(at_most(ONE, times(TWO, node("pi"))), [(pi, TWO)])
        one = steps.write("sign", formula=below(ZERO, ONE))
        fall = steps.write("power_antitone", one, under, self._sum(at_most(number("-1/2"), ZERO), []))
        least = steps.write("sign", formula=positive(root))
        return self._sum(at_most(times(e, root), ONE), [(bell, root), (fall, ONE)], least)

    # --- what vanishes

    def vanishing(self, h: Term, a: Term, k: Term, every: int, least: int, size: int) -> int:
        """−K·w ≤ h for all w > 0 with a·w ≤ 1, and 0 < a, 0 ≤ K, give 0 ≤ h: else w = 1/(a − (K + 1)/h) is too small."""
        steps, w = self.steps, _M
        rule = binder("all", w, implies([positive(w), at_most(times(_L, w), ONE)], at_most(times(negative(_K), w), _S)))
        given = [steps.assume(rule), steps.assume(positive(_L)), steps.assume(at_most(ZERO, _K))]
        wrong = steps.assume(below(_S, ZERO))
        opposite = self._sum(positive(negative(_S)), [(wrong, ONE)])
        one = self._sum(positive(plus(_K, ONE)), [(given[2], ONE)])
        bottom = plus(_L, times(plus(_K, ONE), power(negative(_S), -1)))
        under = steps.write("sign", opposite, one, given[1], formula=positive(bottom))
        at = power(bottom, -1)
        own = steps.write("sign", under, formula=positive(at))
        share = steps.write("sign", opposite, one, formula=positive(times(plus(_K, ONE), power(negative(_S), -1))))
        small = self._sum(at_most(times(_L, at), ONE), [(share, at)], under, own)
        part = steps.write("detach", steps.write("detach", steps.write("specialize", given[0], at=at), own), small)
        # with w so chosen, −h = (K + 1)·w + a·w·(−h) > K·w
        rows = [(part, ONE), (given[1], times(at, negative(_S))), (own, ONE)]
        bad = self._sum(below(ZERO, ZERO), rows, under, opposite, own)
        goal = at_most(ZERO, _S)
        absurd = steps.write("absurd", bad, steps.write("irreflexive", term=ZERO), formula=goal)
        lemma = steps.write("cases", steps.write("total_order", left=ZERO, right=_S), steps.assume(goal), absurd)
        return self.library.instance(lemma, {_S: h, _L: a, _K: k}, every, least, size)
