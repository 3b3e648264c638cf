"""δ of the Gaussian mechanism below its moments, as a lemma of a document.

With y = L − ε for the privacy loss L, 1 − e^{−y} ≤ c·e^{(α − 1)y}: for c = 1 and α ≥ 1, because 1 − e^{−y} ≤ 1 ≤ e^{(α − 1)y} where y ≥ 0;
for c = (1 − 1/α)^{α − 1}/α and α > 1, because with t = y + log(1 − 1/α) both c·e^{(α − 1)y} = e^{(α − 1)t}/α ≥ (1 + (α − 1)t)/α and
e^{−y} = (1 − 1/α)·e^{−t} ≥ (1 − 1/α)·(1 − t). Times the density N(d, s²), the right side is c·e^{(α − 1)(αd²/(2s²) − ε)}·N(αd, s²).
"""

from __future__ import annotations

from collections.abc import Sequence

from dpbounds.compile.integrals.gaussian_deltas import ClosedDelta, GaussianDeltas
from dpbounds.compile.steps import NotWritten, Steps, positive
from dpbounds.kernel.terms import (
    ONE,
    TWO,
    ZERO,
    Term,
    at_most,
    below,
    binder,
    equal,
    instantiate,
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

_A, _E, _S, _D, _X = (variable(f"{name}_", "R") for name in "aesdx")


def closed_moment(steps: Steps, total: Term, order: Term, s: Term, d: Term, known: Sequence[int], sign: int) -> ClosedDelta:
    """∫ N(d, s²)^α·N(0, s²)^{1 − α} = e^{α(α − 1)d²/(2s²)}, an integral of the density N(αd, s²), and that it exists.

    Args:
        steps: the document.
        total: the integral as it stands in the claim.
        order, s, d: α, s and d.
        known: what is given.
        sign: the step 0 < s.
    """
    write, x = steps.write, steps.fresh("x")
    bell, root = write("gaussian_integral", sign, mean=times(order, d)), node("pow", times(TWO, node("pi")), number("-1/2"))
    value = node("exp", over(times(times(order, minus(order, ONE)), power(d, 2)), times(TWO, power(s, 2))))
    factor = times(over(root, s), value)
    whole = write("integrable_multiple", write("part", bell, number=0), factor=factor)
    body, large = (instantiate(t.parts[0], x) for t in (total, steps.formula(whole)))
    same, turned = (steps.attempt("ring", *known, sign, formula=equal(*pair)) for pair in ((body, large), (large, body)))
    if same is None or turned is None:
        raise NotWritten("a moment of the Gaussian mechanism")
    rows = [write("integral_congruence", same, variable=x), write("part", bell, number=1)]
    found = steps.attempt("linear", *rows, *known, sign, formula=equal(total, value), multipliers=[ONE, factor])
    if found is None:
        raise NotWritten("a moment of the Gaussian mechanism")
    return ClosedDelta(found, write("integrable_congruence", turned, whole, variable=x))


class GaussianMoments:
    """The lemma, and its instances.

    Args:
        deltas: closed forms in the document.
    """

    def __init__(self, deltas: GaussianDeltas) -> None:
        self.deltas, self.steps = deltas, deltas.steps

    def instance(self, order: Term, epsilon: Term, s: Term, d: Term, *shown: int, sharp: bool) -> int:
        """δ ≤ c·e^{(α − 1)(αd²/(2s²) − ε)}, where steps show 0 < s, 0 < d and 1 ≤ α, or 1 < α with the factor c."""
        return self.deltas.bounds.library.instance(self._lemma(sharp), {_A: order, _E: epsilon, _S: s, _D: d}, *shown)

    def _sum(self, goal: Term, rows: list[tuple[int, Term]], *facts: int) -> int:
        found = self.steps.sum_of(goal, [k for k, _ in rows], facts, [w for _, w in rows])
        if found is None:
            raise NotWritten("a moment of the Gaussian mechanism")
        return found

    def _lemma(self, sharp: bool) -> int:
        write, x, less = self.steps.write, _X, minus(_A, ONE)
        root = node("pow", times(TWO, node("pi")), number("-1/2"))
        signs = [self.steps.assume(positive(v)) for v in (_S, _D)]
        above = self.steps.assume((below if sharp else at_most)(ONE, _A))
        signs += [write("sign", formula=positive(root)), self._sum(positive(_A), [(above, ONE)])]
        p, q = (times(root, over(node("exp", times(number("-1/2"), power(over(t, _S), 2))), _S)) for t in (minus(x, _D), x))
        gap, y = minus(p, times(node("exp", _E), q)), minus(over(minus(times(x, _D), over(power(_D, 2), TWO)), power(_S, 2)), _E)
        rest = minus(ONE, power(_A, -1))
        c = over(node("pow", rest, less), _A) if sharp else ONE
        bound = times(c, node("exp", times(less, minus(over(times(_A, power(_D, 2)), times(TWO, power(_S, 2))), _E))))
        bell = write("gaussian_integral", signs[0], mean=times(_A, _D))
        exponent = negative(over(power(minus(x, times(_A, _D)), 2), times(TWO, power(_S, 2))))
        factor = times(bound, over(root, _S))
        large = times(factor, node("exp", exponent))
        if sharp:
            signs.append(self._sum(positive(rest), [(above, power(_A, -1))], *signs))
            order = self._sharp(gap, large, p, y, rest, signs)
        else:
            order = self._plain(gap, large, (p, q), y, above, signs)
        least = write("sign", *signs, formula=at_most(ZERO, large))
        inside = self._positive_part(gap, large, order, least)
        whole = write("integrable_multiple", write("part", bell, number=0), factor=factor)
        _, integrable = self.deltas._lemma()
        grown = write("integral_monotone", inside, integrable, whole, variable=x)
        top = binder("line", x, node("max", ZERO, gap))
        return self._sum(at_most(top, bound), [(grown, ONE), (write("part", bell, number=1), factor)], *signs)

    def _positive_part(self, gap: Term, large: Term, order: int, least: int) -> int:
        """max(0, a) ≤ b from a ≤ b and 0 ≤ b."""
        write, goal = self.steps.write, at_most(node("max", ZERO, gap), large)
        split, branches = write("total_order", left=ZERO, right=gap), []
        for f, number_, by in zip(self.steps.formula(split).parts, (0, 1), (order, least), strict=True):
            here = self.steps.assume(f)
            weak = here if f.tag == "<=" else self._sum(at_most(*f.parts), [(here, ONE)])
            branches.append(self._sum(goal, [(by, ONE), (write("part", write("larger", weak), number=number_), ONE)]))
        return write("cases", split, *branches)

    def _plain(self, gap: Term, large: Term, densities: tuple[Term, Term], y: Term, above: int, signs: list[int]) -> int:
        """a ≤ b by cases: y ≤ 0 or 0 < y."""
        write, (p, q), less, goal = self.steps.write, densities, minus(_A, ONE), at_most(gap, large)
        split = write("total_order", left=y, right=ZERO)
        low, high = write.hypotheses(self.steps.formula(split).parts)
        least = write("sign", *signs, formula=at_most(ZERO, large))
        shrunk = write("exp_monotone", self._sum(at_most(plus(y, _E), _E), [(low, ONE)]))
        first = self._sum(goal, [(shrunk, q), (least, ONE)], *signs)
        grown = write("exp_above", term=times(less, y))
        some = write("sign", high, self._sum(at_most(ZERO, less), [(above, ONE)]), formula=at_most(ZERO, times(less, y)))
        other = write("sign", *signs, formula=at_most(ZERO, q))
        second = self._sum(goal, [(grown, p), (some, p), (other, node("exp", _E))], *signs)
        return write("cases", split, first, second)

    def _sharp(self, gap: Term, large: Term, p: Term, y: Term, rest: Term, signs: list[int]) -> int:
        """a ≤ b by two tangents."""
        t = plus(y, node("log", rest))
        tangents = [self.steps.write("exp_above", term=e) for e in (times(minus(_A, ONE), t), negative(t))]
        return self._sum(at_most(gap, large), [(tangents[0], over(p, _A)), (tangents[1], times(rest, p))], *signs)
