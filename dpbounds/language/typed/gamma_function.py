"""What the proof checker is told of Γ, for which it has no symbol of its own."""

from __future__ import annotations

from functools import reduce

from dpbounds.kernel.terms import ONE, ZERO, Term, at_most, below, binder, equal, implies, node, over, plus, times, variable


def axioms_of_gamma(symbol: tuple[str, str] | None) -> list[Term]:
    """For x, y, a, b > 0: Γ(1) = 1, Γ(x) > 0, Γ(x + 1) = x·Γ(x), and log Γ is convex; no other function does that (Bohr, Mollerup).

    What follows for every function symbol with these properties holds of Γ on x > 0. Elsewhere the symbol may have any value.

    >>> len(axioms_of_gamma(("Gamma", "R>R"))), axioms_of_gamma(None)
    (4, [])
    """
    if symbol is None:
        return []
    x, y, a, b = (variable(f"%{name}", "R") for name in "xyab")

    def gamma(t: Term) -> Term:
        return node("f", t, data=symbol)

    def every(formula: Term, *names: Term) -> Term:
        return reduce(lambda f, v: binder("all", v, implies([below(ZERO, v)], f)), names, formula)

    middle = node("log", gamma(over(plus(times(a, x), times(b, y)), plus(a, b))))
    chord = plus(times(a, node("log", gamma(x))), times(b, node("log", gamma(y))))
    step = equal(gamma(plus(x, ONE)), times(x, gamma(x)))
    convex = every(at_most(times(plus(a, b), middle), chord), b, a, y, x)
    return [equal(gamma(ONE), ONE), every(below(ZERO, gamma(x)), x), every(step, x), convex]
