"""Moments of averages: the power-mean inequality of Claim 25 over families of any length."""

from __future__ import annotations

from sympy import Sum, Symbol

from dpbounds.language.symbols import family, index, positive, positive_integer
from dpbounds.prover import rules
from dpbounds.prover.derivation import ProofSteps, recipe
from dpbounds.prover.facts import Fact

LAMBDA = positive("lambda")
SIZE = positive_integer("n")
INDEX = index("i")
P = family("p")
Q = family("q", "positive")


def _tangent_of_power(at: Symbol, x: Symbol, order: Symbol = LAMBDA) -> Fact:
    """c^λ + λ·c^{λ−1}·(x − c) ≤ x^λ for x, c ≥ 0 and λ > 1."""
    return rules.convex_tangent(x**order, x, at, given=[order > 1])


@recipe("power-mean", "A power of sums is at most the sum of powers", "Yuchen 2019, Claim 25")
def power_mean(proof: ProofSteps) -> Fact:
    """(Σp)^λ (Σq)^{1−λ} ≤ Σ p^λ q^{1−λ} for λ > 1, p ≥ 0, q > 0, of any length.

    An index with q = 0 needs no proof: there the right side is infinite when p > 0, and both sides lose nothing when p = 0.
    """
    x, c = Symbol("x", nonnegative=True), Symbol("c", nonnegative=True)
    given = [LAMBDA > 1]
    total_p, total_q = Sum(P[INDEX], (INDEX, 1, SIZE)), Sum(Q[INDEX], (INDEX, 1, SIZE))
    ratio = total_p / total_q
    tangent = proof("tangent of the convex function x^λ", _tangent_of_power(c, x))
    at_term = proof("at x = p/q, c = Σp/Σq", rules.instance(tangent, {x: P[INDEX] / Q[INDEX], c: ratio}, given))
    weighted = rules.scale(at_term, Q[INDEX])
    line = ratio**LAMBDA * Q[INDEX] + LAMBDA * ratio ** (LAMBDA - 1) * (P[INDEX] - ratio * Q[INDEX])
    term = proof("multiply by q", rules.restate(line <= P[INDEX] ** LAMBDA * Q[INDEX] ** (1 - LAMBDA), weighted, given))
    summed = proof("sum over the index", rules.sum_termwise(term, (INDEX, 1, SIZE)))
    target = total_p**LAMBDA * total_q ** (1 - LAMBDA) <= Sum(P[INDEX] ** LAMBDA * Q[INDEX] ** (1 - LAMBDA), (INDEX, 1, SIZE))
    return proof("the linear terms cancel", rules.restate(target, summed, given))
