"""Rules of arithmetic and order: ring, linear combination, signs, and what is known of max, |·|, exp, log and powers."""

from __future__ import annotations

from dpbounds.kernel.polynomials import Budget
from dpbounds.kernel.ring import NONNEGATIVE, POSITIVE, Ring
from dpbounds.kernel.sequents import Formula, Premises, Sequent, above_zero, conclude, parts, real, ring_of, rule, take
from dpbounds.kernel.terms import ONE, ZERO, Term, at_most, below, equal, minus, need, node, number, plus, times


@rule
def ring(premises: Premises, formula: Formula, budget: Budget) -> Sequent:
    """⊢ a = b, a ≤ b, a < b or a ≠ b, where the normal form of b − a is 0 or has that sign under the premises (signs and equations)."""
    need(ring_of(premises, budget).holds(formula), "not shown by the normal form")
    return conclude(premises, formula)


@rule
def linear(premises: Premises, formula: Formula, multipliers: list[Term], budget: Budget) -> Sequent:
    """lᵢ ≤ rᵢ and mᵢ ≥ 0 give a ≤ b if b − a − Σ mᵢ(rᵢ − lᵢ) ≥ 0; also < and =.

    The first premises belong to the multipliers, in order; the others say something about signs. What is left must be ≥ 0 by its
    normal form, and mᵢ too unless its premise is an equation. a < b needs something strict: a premise < with m > 0, or what is left > 0.
    An equation follows from equations only, and nothing may be left.
    """
    need(len(multipliers) <= len(premises), "more multipliers than premises")
    known = ring_of(premises[len(multipliers) :], budget)
    combination(known, formula, [(m, p.formula) for m, p in zip(multipliers, premises, strict=False)])
    return conclude(premises, formula)


def combination(known: Ring, formula: Term, terms: list[tuple[Term, Term]]) -> None:
    """Refuse unless the formula is the sum of the relations times their multipliers, and of what is ≥ 0."""
    a, b = real(formula, "=", "<=", "<")
    rest, strict = minus(b, a), False
    for m, relation in terms:
        low, high = real(relation, "=", "<=", "<")
        if relation.tag != "=":
            need(formula.tag != "=", "an equation follows from equations only")
            need(known.sign(m, NONNEGATIVE), "a multiplier is not shown to be nonnegative")
            strict = strict or (relation.tag == "<" and known.sign(m, POSITIVE))
        rest = minus(rest, times(m, minus(high, low)))
    kind = POSITIVE if formula.tag == "<" and not strict else NONNEGATIVE
    ok = (kind == NONNEGATIVE and known.zero(rest)) or (formula.tag != "=" and known.sign(rest, kind))
    need(ok, "the combination does not give the statement")


@rule
def antisymmetric(premises: Premises) -> Sequent:
    """a ≤ b and b ≤ a give a = b."""
    f, g = take(premises, 2)
    (a, b), (c, d) = parts(f, "<="), parts(g, "<=")
    need(a == d and b == c, "the premises are not a ≤ b and b ≤ a")
    return conclude(premises, equal(a, b))


@rule
def next_integer(premises: Premises) -> Sequent:
    """a < b for integers gives a + 1 ≤ b."""
    (f,) = take(premises, 1)
    a, b = real(f, "<")
    need(a.sort == b.sort == "Z", "integers are wanted")
    return conclude(premises, at_most(plus(a, ONE), b))


@rule
def branch(premises: Premises, then: Term, other: Term) -> Sequent:
    """F gives ite(F, a, b) = a; ¬F gives ite(F, a, b) = b."""
    (f,) = take(premises, 1)
    if f.tag == "not":
        return conclude(premises, equal(node("ite", f.parts[0], then, other), other))
    return conclude(premises, equal(node("ite", f, then, other), then))


@rule
def exp_above(premises: Premises, term: Term) -> Sequent:
    """⊢ 1 + t ≤ e^t: the exponential lies above its tangent at 0."""
    take(premises, 0)
    return conclude(premises, at_most(plus(ONE, term), node("exp", term)))


@rule
def power_monotone(premises: Premises) -> Sequent:
    """0 ≤ a, a ≤ b and 0 ≤ r give a^r ≤ b^r; a < b and 0 < r give a^r < b^r."""
    f, g, h = take(premises, 3)
    a, b = real(g, "<=", "<")
    need(above_zero(f, "<=") == a, "the first premise is not 0 ≤ a")
    r = above_zero(h, g.tag)
    return conclude(premises, node(g.tag, node("pow", a, r), node("pow", b, r)))


@rule
def integer_power(premises: Premises, base: Term) -> Sequent:
    """0 ≤ n for an integer n gives a^{n+1} = a^n·a for a real number a of any sign, with 0^0 = 1."""
    (f,) = take(premises, 1)
    n = above_zero(f, "<=")
    need(n.sort == "Z", "an integer is wanted")
    return conclude(premises, equal(node("pow", base, plus(n, ONE)), times(node("pow", base, n), base)))


@rule
def absorption(premises: Premises) -> Sequent:
    """1 ≤ n and 1 ≤ k for integers give k·C(n,k) = n·C(n−1,k−1)."""
    (one, n), (other, k) = (real(f, "<=") for f in take(premises, 2))
    need(one == other == ONE, "the premises are not 1 ≤ n and 1 ≤ k")
    smaller = node("binom", minus(n, ONE), minus(k, ONE))
    return conclude(premises, equal(times(k, node("binom", n, k)), times(n, smaller)))


@rule
def binomial_positive(premises: Premises) -> Sequent:
    """0 ≤ k and k ≤ n for integers give 0 < C(n,k), C(n,0) = 1 and C(n,n) = 1."""
    f, g = take(premises, 2)
    k, n = real(g, "<=")
    need(above_zero(f, "<=") == k, "the premises are not 0 ≤ k and k ≤ n")
    ends = [equal(node("binom", n, e), ONE) for e in (ZERO, n)]
    return conclude(premises, node("and", below(ZERO, node("binom", n, k)), *ends))


@rule
def bounds_of_pi(premises: Premises) -> Sequent:
    """⊢ 3 < π and π < 22/7."""
    take(premises, 0)
    return conclude(premises, node("and", below(number(3), node("pi")), below(node("pi"), number("22/7"))))
