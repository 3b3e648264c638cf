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
            Stuck: a hypothesis is none of the steps.
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


def _scaled(equation: Term, r: Fraction) -> Term:
    return equal(*(times(number(r), side) for side in equation.parts))
