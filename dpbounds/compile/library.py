"""Small lemmas as steps, each written once in a document and used by substitution."""

from __future__ import annotations

from fractions import Fraction

from dpbounds.compile.steps import Steps
from dpbounds.kernel.terms import ONE, ZERO, Term, below, equal, node, number, power, times, variable


class Library:
    """Lemmas of one document.

    Args:
        steps: the document.
    """

    def __init__(self, steps: Steps) -> None:
        self.steps = steps

    def instance(self, lemma: int, values: dict[Term, Term], *shown: int) -> int:
        """A lemma at given terms, with its hypotheses shown by steps.

        Raises:
            NotWritten: a hypothesis is none of the steps.
        """
        step = self.steps.write("substitution", lemma, terms=values, functions={})
        return self.steps.write("cut", step, *shown) if shown else step

    def logarithm(self, s: Term, a: Term, same: int) -> int:
        """e^s = a gives log a = s."""
        steps, u, v = self.steps, variable("u_", "R"), variable("v_", "R")
        given = steps.assume(equal(node("exp", u), v))
        grown = steps.write("log_monotone", given, steps.write("sign", formula=node("<", ZERO, node("exp", u))))
        lemma = steps.write("linear", grown, formula=equal(node("log", v), u), multipliers=[number(-1)])
        return self.instance(lemma, {u: s, v: a}, same)

    def root(self, s: Term, a: Term, r: Fraction, same: int, least: int, positive: int) -> int:
        """s^q = a^p, 0 < s and 0 < a give a^{p/q} = s."""
        steps, u, v = self.steps, variable("u_", "R"), variable("v_", "R")
        signs = [steps.assume(below(ZERO, u)), steps.assume(below(ZERO, v))]
        given = steps.assume(equal(power(u, r.denominator), power(v, r.numerator)))
        grown = steps.write("log_monotone", given, steps.write("sign", *signs, formula=below(ZERO, power(u, r.denominator))))
        logs = equal(node("log", v), times(number(1 / r), node("log", u)))
        order = steps.write("linear", grown, *signs, formula=logs, multipliers=[number(-1 / Fraction(r.numerator))])
        powers = steps.write("exp_monotone", steps.write("linear", order, formula=_scaled(logs, r), multipliers=[number(r)]))
        lemma = steps.write("linear", powers, *signs, formula=equal(node("pow", v, number(r)), u), multipliers=[ONE])
        return self.instance(lemma, {u: s, v: a}, same, least, positive)

    def normal_above(self, t: Term, least: int) -> int:
        """0 < t gives 1/2 < Φ(t)."""
        steps, u, x = self.steps, variable("u_", "R"), variable("x_", "R")
        order = steps.assume(below(ZERO, u))
        slope = steps.write("derivative", function=node("Phi", x), variable=x)
        sign = steps.write("sign", formula=below(ZERO, steps.formula(slope).parts[1]))
        rise = steps.write("monotone", slope, sign, order, variable=x, low=ZERO, high=u)
        middle = steps.write("normal_symmetry", term=ZERO)
        half = steps.write("linear", middle, formula=equal(node("Phi", ZERO), number("1/2")), multipliers=[number("1/2")])
        lemma = steps.write("linear", rise, half, formula=below(number("1/2"), node("Phi", u)), multipliers=[ONE, number(-1)])
        return self.instance(lemma, {u: t}, least)

    def below_root(self, a: Term, v: Term, order: int, *, strict: bool) -> int:
        """a² ≤ v gives a ≤ v^{1/2}, by cases a ≤ 0 and 0 < a; also <."""
        steps, u, w = self.steps, variable("u_", "R"), variable("v_", "R")
        tag, half = "<" if strict else "<=", number("1/2")
        given = steps.assume(node(tag, power(u, 2), w))
        goal = node(tag, u, node("pow", w, half))
        least = steps.write("linear", given, steps.write("square", term=u), formula=node(tag, ZERO, w), multipliers=[ONE, ONE])
        root = steps.write("sign", least, formula=node(tag, ZERO, node("pow", w, half)))
        split = steps.write("total_order", left=u, right=ZERO)
        low, high = steps.write.hypotheses(steps.formula(split).parts)
        first = steps.write("linear", low, root, formula=goal, multipliers=[ONE, ONE])
        exponent = steps.write("sign", formula=node(tag, ZERO, half))
        grown = steps.write("power_monotone", steps.write("square", term=u), given, exponent)
        second = steps.write("linear", grown, high, formula=goal, multipliers=[ONE])
        lemma = steps.write("cases", split, first, second)
        return self.instance(lemma, {u: a, w: v}, order)


def _scaled(equation: Term, r: Fraction) -> Term:
    return equal(*(times(number(r), side) for side in equation.parts))
