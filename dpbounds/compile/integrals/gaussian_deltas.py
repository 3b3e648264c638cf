"""The δ of the Gaussian mechanism in closed form, as a lemma of a document.

With N(m, s²) the normal density, ∫ max(0, N(d, s²)(x) − e^ε·N(0, s²)(x)) dx = Φ(d/(2s) − εs/d) − e^ε·Φ(−d/(2s) − εs/d) for s, d > 0: what
is integrated is positive from a = s²ε/d + d/2 on, and there it is the derivative of F(x) = e^ε·Φ(−x/s) − Φ(−(x − d)/s), which rises to 0.
"""

from __future__ import annotations

from dataclasses import dataclass

from dpbounds.compile.bounds import BoundLemmas
from dpbounds.compile.steps import NotWritten, positive
from dpbounds.kernel.terms import (
    ONE,
    TWO,
    ZERO,
    Term,
    at_most,
    below,
    equal,
    minus,
    negative,
    node,
    number,
    over,
    plus,
    power,
    times,
    variable,
)
from dpbounds.prover.rewriting.roots import HALF

_E, _S, _D, _X, _Y, _W = (variable(f"{name}_", "R") for name in "esdxyw")


@dataclass(frozen=True)
class ClosedDelta:
    """A step δ = its closed form, and the step that what is integrated is integrable."""

    equation: int
    integrable: int


class GaussianDeltas:
    """The lemma, and its instances.

    Args:
        bounds: lemmas of the document.
    """

    def __init__(self, bounds: BoundLemmas) -> None:
        self.bounds, self.steps = bounds, bounds.steps

    def instance(self, epsilon: Term, s: Term, d: Term, *shown: int) -> ClosedDelta:
        """The closed form at ε, s, d, where steps show 0 < s and 0 < d."""
        values = {_E: epsilon, _S: s, _D: d}
        return ClosedDelta(*(self.bounds.library.instance(k, values, *shown) for k in self._lemma()))

    def _sum(self, goal: Term, rows: list[tuple[int, Term]], *facts: int) -> int:
        found = self.steps.attempt("linear", *(k for k, _ in rows), *facts, formula=goal, multipliers=[w for _, w in rows])
        if found is None:
            raise NotWritten("the closed form of a Gaussian delta")
        return found

    def _lemma(self) -> tuple[int, int]:
        steps, x = self.steps, _X
        signs = [steps.assume(positive(v)) for v in (_S, _D)]
        root = node("pow", times(TWO, node("pi")), number("-1/2"))
        signs.append(steps.write("sign", formula=positive(root)))
        a = plus(over(times(power(_S, 2), _E), _D), times(HALF, _D))
        big = minus(times(node("exp", _E), node("Phi", negative(over(x, _S)))), node("Phi", negative(over(minus(x, _D), _S))))
        slope = steps.write("derivative", function=big, variable=x)
        f = steps.formula(slope).parts[1]
        here = steps.assume(at_most(a, x))
        rises = self._sign(f, root, here, signs, up=True)
        top = self._top(big, slope, f, root, a, signs)
        own = steps.write("fundamental_theorem_above", slope, rises, top, variable=x, low=a)
        integrable, value = (steps.write("part", own, number=k) for k in (0, 1))
        same = self._pointwise(f, root, a, rises, signs)
        moved = steps.write("integral_congruence", same, variable=x)
        top = steps.write("cut", top, self._sum(at_most(a, x), [(steps.assume(below(a, x)), ONE)]))
        least = self._least(big, a, top, signs)
        most = steps.write("extremum_bound", top, variable=x, ends=[a])
        both = steps.write("antisymmetric", most, least)
        phi = [node("Phi", minus(t, over(times(_E, _S), _D))) for t in (times(HALF, over(_D, _S)), negative(times(HALF, over(_D, _S))))]
        closed = minus(phi[0], times(node("exp", _E), phi[1]))
        found = self._sum(equal(steps.formula(moved).parts[0], closed), [(moved, ONE), (value, ONE), (both, ONE)], *signs)
        sides = steps.formula(same).parts
        turned = steps.attempt("ring", same, formula=equal(*sides[::-1]))
        if turned is None:
            turned = self._sum(equal(*sides[::-1]), [(same, number(-1))])
        return found, steps.write("integrable_congruence", turned, integrable, variable=x)

    def _sign(self, f: Term, root: Term, here: int, signs: list[int], *, up: bool) -> int:
        """0 ≤ f from a ≤ x, f ≤ 0 from x ≤ a."""
        x = _X
        first = times(number("-1/2"), power(over(minus(x, _D), _S), 2))
        second = plus(_E, times(number("-1/2"), power(over(x, _S), 2)))
        pair = (second, first) if up else (first, second)
        grown = self.steps.write("exp_monotone", self._sum(at_most(*pair), [(here, over(_D, power(_S, 2)))], *signs))
        goal = at_most(ZERO, f) if up else at_most(f, ZERO)
        return self._sum(goal, [(grown, over(root, _S))], *signs)

    def _far(self, w_signs: list[int], t: Term, least: int, signs: list[int]) -> int:
        """Φ(−t/s) ≤ 2·s²·w for t·w ≥ 1 and 0 < w ≤ 1."""
        steps = self.steps
        share = over(t, _S)
        weak = self._sum(at_most(ZERO, share), [(least, power(times(_S, _W), -1))], *w_signs, *signs)
        tail = self.bounds.library.normal_tail(share, weak)
        square = times(HALF, power(share, 2))
        tangent = steps.write("exp_above", term=square)
        size = self._sum(at_most(ONE, power(times(t, _W), 2)), [(least, plus(times(t, _W), ONE))], *w_signs, weak, *signs)
        e = node("exp", negative(square))
        small = self._sum(at_most(e, times(TWO, power(times(_S, _W), 2))), [
            (tangent, times(times(TWO, power(times(_S, _W), 2)), e)), (size, e)], *signs, *w_signs)  # fmt: skip
        one = w_signs[1]
        goal = at_most(node("Phi", negative(share)), times(times(TWO, power(_S, 2)), _W))
        return self._sum(goal, [(tail, ONE), (small, ONE), (one, times(times(TWO, power(_S, 2)), _W))], *signs, w_signs[0])

    def _top(self, big: Term, slope: int, f: Term, root: Term, a: Term, signs: list[int]) -> int:
        """F ≤ 0 for a ≤ x."""
        steps, x, y = self.steps, _X, _Y
        need = plus(TWO, power(x, 2))
        w_signs = self._small(need, x)
        far = plus(_D, power(_W, -1))
        order = self._sum(at_most(x, far), [(w_signs[2], power(_W, -1)), (steps.write.square(minus(x, HALF)), ONE)], *w_signs, *signs)
        ends = [steps.assume(at_most(x, y)), steps.assume(at_most(y, far))]
        start = steps.assume(at_most(a, x))
        beyond = self._sum(at_most(a, y), [(start, ONE), (ends[0], ONE)])
        moved = steps.write("substitution", self._sign(f, root, steps.assume(at_most(a, x)), signs, up=True), terms={x: y}, functions={})
        sign = steps.write("cut", moved, beyond)
        own = steps.write("substitution", slope, terms={x: y}, functions={})
        rise = steps.write("monotone", own, sign, order, variable=y, low=x, high=far)
        least = self._sum(at_most(ONE, times(far, _W)), [], *signs, *w_signs)
        tail = self._far(w_signs, far, least, signs)
        bound = times(times(TWO, power(_S, 2)), node("exp", _E))
        goal = at_most(times(negative(bound), _W), negative(big))
        found = self._sum(goal, [(rise, ONE), (tail, node("exp", _E))], *signs)
        zero = self._vanish(found, negative(big), need, bound, w_signs, signs)
        return self._sum(at_most(big, ZERO), [(zero, ONE)])

    def _least(self, big: Term, a: Term, top: int, signs: list[int]) -> int:
        """0 ≤ sup F over a < x."""
        steps, x = self.steps, _X
        need = plus(TWO, power(a, 2))
        w_signs = self._small(need, a)
        far = plus(_D, power(_W, -1))
        inside = self._sum(below(a, far), [(w_signs[2], power(_W, -1)), (steps.write.square(minus(a, HALF)), ONE)], *w_signs, *signs)
        reached = steps.write("extremum_reached", top, inside, variable=x, ends=[a], at=far)
        least = self._sum(at_most(ONE, times(power(_W, -1), _W)), [], *w_signs)
        tail = self._far(w_signs, power(_W, -1), least, signs)
        sup, bound = steps.formula(reached).parts[1], times(TWO, power(_S, 2))
        found = self._sum(at_most(times(negative(bound), _W), sup), [(reached, ONE), (tail, ONE)], *signs)
        return self._vanish(found, sup, need, bound, w_signs, signs)

    def _small(self, need: Term, t: Term) -> list[int]:
        """0 < w, w ≤ 1 and need·w ≤ 1, where need = 2 + t²."""
        steps = self.steps
        least, small = steps.assume(positive(_W)), steps.assume(at_most(times(need, _W), ONE))
        return [least, self._sum(at_most(_W, ONE), [(small, ONE), (steps.write.square(t), _W)], least), small]

    def _vanish(self, found: int, h: Term, need: Term, bound: Term, w_signs: list[int], signs: list[int]) -> int:
        steps = self.steps
        inner = steps.write("discharge", found, formula=steps.formula(w_signs[2]))
        every = steps.write("generalize", steps.write("discharge", inner, formula=positive(_W)), variable=_W)
        size = self._sum(at_most(ZERO, bound), [], *signs)
        return self.bounds.vanishing(
            h, need, bound, every, self._sum(positive(need), [(steps.write.square(need.parts[1].parts[0]), ONE)]), size
        )

    def _pointwise(self, f: Term, root: Term, a: Term, rises: int, signs: list[int]) -> int:
        """max(0, N(d) − e^ε·N(0)) = f where a < x, else 0, for every x."""
        steps, x = self.steps, _X
        bells = [times(root, over(node("exp", times(number("-1/2"), power(over(t, _S), 2))), _S)) for t in (minus(x, _D), x)]
        gap = minus(bells[0], times(node("exp", _E), bells[1]))
        top, part = node("max", ZERO, gap), below(a, x)
        goal = equal(top, node("ite", part, f, ZERO))
        split = steps.write("total_order", left=x, right=a)
        low, high = steps.write.hypotheses(steps.formula(split).parts)
        above = steps.write("cut", rises, self._sum(at_most(a, x), [(high, ONE)]))
        up = steps.write("part", steps.write("larger", self._sum(at_most(ZERO, gap), [(above, ONE)], *signs)), number=0)
        first = self._sum(goal, [(up, ONE), (steps.write("branch", high, then=f, other=ZERO), number(-1))], *signs)
        falls = self._sign(f, root, low, signs, up=False)
        down = steps.write("part", steps.write("larger", self._sum(at_most(gap, ZERO), [(falls, ONE)], *signs)), number=1)
        refuted = steps.write("excluded_middle", formula=part)
        yes, no = steps.write.hypotheses(steps.formula(refuted).parts)
        wrong = steps.write(
            "absurd", self._sum(below(ZERO, ZERO), [(low, ONE), (yes, ONE)]), steps.write("irreflexive", term=ZERO), formula=goal
        )
        right = self._sum(goal, [(down, ONE), (steps.write("branch", no, then=f, other=ZERO), number(-1))], *signs)
        second = steps.write("cases", refuted, wrong, right)
        return steps.write("cases", split, second, first)
