"""Φ at a number beside 0, from above: e^{−y} ≤ 1 − y + y²/2 for y ≥ 0, integrated at y = x²/2."""

from __future__ import annotations

from fractions import Fraction

from dpbounds.compile.steps import NotWritten, Steps
from dpbounds.kernel.terms import ONE, ZERO, Term, at_most, minus, negative, node, number, plus, power, times, variable

HALF = number("1/2")
_X, _U = variable("x_", "R"), variable("u_", "R")
_ROOT = node("pow", times(number(2), node("pi")), number("-1/2"))


def normal_above_zero(steps: Steps, q: Fraction) -> tuple[Term, int]:
    """s, and the step Φ(q) ≤ s, for q > 0 and s = 1/2 + (q − q³/6 + q⁵/40)/√(2π).

    Raises:
        NotWritten: a step is refused.
    """
    write, y = steps.write, times(HALF, power(_X, 2))

    def linear(goal: Term, rows: list[tuple[int, Term]]) -> int:
        found = steps.attempt("linear", *(k for k, _ in rows), formula=goal, multipliers=[w for _, w in rows])
        if found is None:
            raise NotWritten("a value of the normal law")
        return found

    # −e^{−x} + 1 − x + x²/2 does not fall, and is 0 at 0
    gap = minus(plus(minus(ONE, _X), y), node("exp", negative(_X)))
    slope = write("derivative", function=gap, variable=_X)
    rises = linear(at_most(ZERO, steps.formula(slope).parts[1]), [(write("exp_above", term=negative(_X)), ONE)])
    order = steps.assume(at_most(ZERO, _U))
    above = write("monotone", slope, rises, order, variable=_X, low=ZERO, high=_U)
    placed = write("substitution", above, terms={_U: y}, functions={})
    bell = write("cut", placed, linear(at_most(ZERO, y), [(write.square(_X), HALF)]))
    # its integral from 0 to u
    series = plus(minus(_X, times(number("1/6"), power(_X, 3))), times(number("1/40"), power(_X, 5)))
    slope = write("derivative", function=minus(times(_ROOT, series), node("Phi", _X)), variable=_X)
    rises = linear(at_most(ZERO, steps.formula(slope).parts[1]), [(bell, _ROOT)])
    above = write("monotone", slope, rises, order, variable=_X, low=ZERO, high=_U)
    at = write("cut", write("substitution", above, terms={_U: number(q)}, functions={}), write("sign", formula=at_most(ZERO, number(q))))
    bound = plus(HALF, times(number(q - q**3 / 6 + q**5 / 40), _ROOT))
    return bound, linear(at_most(node("Phi", number(q)), bound), [(at, ONE), (write("normal_symmetry", term=ZERO), HALF)])
