"""Small lemmas as steps, each written once in a document and used by substitution."""

from __future__ import annotations

from dpbounds.compile.steps import Steps, Stuck
from dpbounds.kernel.terms import ZERO, Term, at_most, equal, node, number, power, variable


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

    def root(self, s: Term, a: Term, k: int, same: int, least: int) -> int:
        """s^k = a and 0 ≤ s give a^{1/k} = s."""
        steps, u, v = self.steps, variable("u_", "R"), variable("v_", "R")
        r = number(f"1/{k}")
        sign = steps.assume(at_most(ZERO, u))
        own = steps.write("ring", sign, formula=equal(node("pow", power(u, k), r), u))
        rewritten = steps.attempt("rewrite", own, steps.assume(equal(power(u, k), v)))
        if rewritten is None:
            raise Stuck("a root in other words")
        return self.instance(rewritten, {u: s, v: a}, same, least)
