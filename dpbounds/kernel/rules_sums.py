"""Rules of finite sums, which are 0 when the upper end lies below the lower one.

No rule asks whether an end of a sum or an argument of a binomial coefficient is an integer: `node` refuses others.
"""

from __future__ import annotations

from dpbounds.kernel.sequents import Premises, Sequent, Variable, above_zero, arbitrary, conclude, real, rule, take
from dpbounds.kernel.terms import ONE, ZERO, Term, at_most, binder, equal, instantiate, minus, need, node, plus, times, variable

INDEX, OTHER = variable("%i", "Z"), variable("%j", "Z")
"""Names that no document can use."""


def indexed(total: Term) -> tuple[Term, Term, Term]:
    """Ends and body of a sum."""
    need(total.tag == "sum", "a sum is wanted")
    low, high, body = total.parts
    return low, high, body


@rule
def sum_termwise(premises: Premises, variable: Variable, low: Term, high: Term) -> Sequent:
    """Γ, l ≤ i, i ≤ h ⊢ a ≤ b gives Γ ⊢ Σ a ≤ Σ b; also =, and < with a second premise l ≤ h (a sum with no term is not < another).

    i is an integer variable that is not free in Γ, l, h.
    """
    need(premises, "expected a premise")
    f, *more = (p.formula for p in premises)
    a, b = real(f, "<=", "=", "<")
    if f.tag == "<":
        need(more == [at_most(low, high)], "the second premise is not l ≤ h")
    else:
        need(not more, "expected 1 premise")
    here = [at_most(low, variable), at_most(variable, high)]
    result = conclude(premises[:1], f, without=here)
    arbitrary(variable, result.hypotheses, low, high)
    sides = [binder("sum", variable, low, high, side) for side in (a, b)]
    return conclude([result, *premises[1:]], node(f.tag, *sides))


@rule
def sum_split(premises: Premises, total: Term) -> Sequent:
    """l ≤ m + 1 and m ≤ h for an integer m give Σ_l^h = Σ_l^m + Σ_{m+1}^h."""
    f, g = take(premises, 2)
    low, high, body = indexed(total)
    (start, after), (m, end) = real(f, "<="), real(g, "<=")
    need(start == low and end == high and after == plus(m, ONE), "the premises are not l ≤ m + 1 and m ≤ h")
    return conclude(premises, equal(total, plus(node("sum", low, m, body), node("sum", plus(m, ONE), high, body))))


@rule
def sum_shift(premises: Premises, total: Term, by: Term) -> Sequent:
    """⊢ Σ_l^h f(i) = Σ_{l+s}^{h+s} f(i − s) for an integer s."""
    take(premises, 0)
    low, high, body = indexed(total)
    moved = binder("sum", INDEX, plus(low, by), plus(high, by), instantiate(body, minus(INDEX, by)))
    return conclude(premises, equal(total, moved))


@rule
def sum_exchange(premises: Premises, total: Term) -> Sequent:
    """⊢ Σ_i Σ_j f = Σ_j Σ_i f, where the ends of the inner sum do not depend on i."""
    take(premises, 0)
    low, high, inner = indexed(total)
    m, n, body = indexed(instantiate(inner, INDEX))
    need(INDEX not in m.free | n.free, "an end depends on the outer index")
    rows = binder("sum", INDEX, low, high, instantiate(body, OTHER))
    return conclude(premises, equal(total, binder("sum", OTHER, m, n, rows)))


@rule
def binomial_theorem(premises: Premises, left: Term, right: Term) -> Sequent:
    """0 ≤ n for an integer n gives Σ_{k=0}^n C(n,k) a^k b^{n−k} = (a + b)^n, with 0^0 = 1."""
    (f,) = take(premises, 1)
    n, k = above_zero(f, "<="), INDEX
    term = times(times(node("binom", n, k), node("pow", left, k)), node("pow", right, minus(n, k)))
    return conclude(premises, equal(binder("sum", k, ZERO, n, term), node("pow", plus(left, right), n)))
