"""How sums and binomial coefficients go on from n to n + 1, as steps."""

from __future__ import annotations

from dpbounds.compile.steps import Steps
from dpbounds.kernel.terms import ONE, ZERO, Term, at_most, binder, equal, implies, minus, negative, node, over, plus, substitute, times


def last_term(steps: Steps, total: Term, n: Term, order: int) -> list[int]:
    """Σ up to n + 1 as Σ up to n and its last term: the value of the latter, and then the former."""
    low, high, body = total.parts
    longer = substitute(total, {n: plus(n, ONE)})
    ends = [
        steps.write("linear", order, formula=at_most(low, plus(high, ONE)), multipliers=[ONE]),
        steps.write("linear", formula=at_most(high, longer.parts[1]), multipliers=[]),
    ]
    split = steps.write("sum_split", *ends, total=longer)
    last = plus(high, ONE)
    single = steps.write("sum_single", total=node("sum", last, last, body))
    return [single, split]  # in this order: an equation is read with those before it


def pascal(steps: Steps, n: Term, k: Term) -> int:
    """∀k (0 ≤ k → ∀n (k + 1 ≤ n → (n − k)·C(n, k) = n·C(n − 1, k))), by induction over k with k·C(n, k) = n·C(n − 1, k − 1)."""

    def linear(formula: Term, *by: int) -> int:
        return steps.write("linear", *by, formula=formula, multipliers=[ONE] * len(by))

    before, later = minus(n, ONE), plus(k, ONE)
    same = equal(times(minus(n, k), node("binom", n, k)), times(n, node("binom", before, k)))
    formula = binder("all", n, implies([at_most(later, n)], same))

    def closed(step: int, at: Term) -> int:
        return steps.write("generalize", steps.write("discharge", step, formula=substitute(at_most(later, n), {k: at})), variable=n)

    start, zero = steps.assume(substitute(at_most(later, n), {k: ZERO})), linear(at_most(ZERO, ZERO))
    ones = [steps.write("part", steps.write("binomial_positive", zero, linear(at_most(ZERO, m), start)), number=1) for m in (n, before)]
    base = closed(steps.write("linear", *ones, formula=substitute(same, {k: ZERO}), multipliers=[n, negative(n)]), ZERO)
    least, here = steps.assume(at_most(ZERO, k)), steps.assume(formula)
    order = steps.assume(at_most(plus(later, ONE), n))
    smaller = steps.write("detach", steps.write("specialize", here, at=before), linear(at_most(later, before), order))
    one = linear(at_most(ONE, later), least)
    ups = [steps.write("absorption", linear(at_most(ONE, m), order, least), one) for m in (n, before)]
    weights = [over(minus(n, later), later), negative(over(n, later)), over(n, later)]
    grown = steps.write("linear", *ups, smaller, least, formula=substitute(same, {k: later}), multipliers=weights)
    return steps.write("induction", base, closed(grown, later), variable=k, start=ZERO, formula=formula)
