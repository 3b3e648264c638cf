"""Averages of mechanisms: subsampling (Claim 24), a family where Conjecture 1 holds, and its failure for every order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sympy import Eq, Expr, IndexedBase, Lambda, Lt, Rational, Sum, Symbol, Tuple, exp, log

from dpbounds.errors import DerivationError
from dpbounds.language.functions import RenyiDivergence
from dpbounds.language.quantifiers import ForAll, for_each
from dpbounds.language.symbols import family, index, nonnegative, positive_integer
from dpbounds.prover import rules
from dpbounds.prover.derivation import ProofSteps, recipe
from dpbounds.prover.facts import Fact
from dpbounds.theory.averages.power_means import LAMBDA, power_mean

GIVEN = (LAMBDA > 1,)
WITH = positive_integer("a")
WITHOUT = Symbol("b", integer=True, nonnegative=True)
RHO = nonnegative("rho")
BATCH, OUTCOME = index("j"), index("y")
SIZE = positive_integer("n")
OVER = (OUTCOME, 1, SIZE)
P, Q = family("p"), family("q", "positive")
RATIO, NU = family("l"), family("nu", "positive")
COUNT = positive_integer("m")
X, Z = Symbol("x", real=True), Symbol("z", positive=True)


def mean_of(p: Any, q: Any, variable: Symbol, size: Any) -> Fact:
    """Claim 25 for families p(variable) and q(variable) of the given length."""
    known = power_mean().result
    first, second = sorted(known.statement.atoms(IndexedBase), key=str)
    length = next(s for s in known.statement.free_symbols if str(s) == "n")
    return rules.instance(known, {first: Lambda((variable,), p), second: Lambda((variable,), q), length: size}, GIVEN)


def average(weights: IndexedBase, size: Any) -> Expr:
    """The average over the batches, at one outcome."""
    return Sum(weights[BATCH, OUTCOME], (BATCH, 1, size)) / size


def _law_sums(weights: Any, size: Any) -> Fact:
    """The premise that every batch has a probability distribution."""
    return rules.hypothesis(for_each((BATCH, 1, size), Eq(Sum(weights, OVER), 1)))


def _average_sums_to_one(weights: Any, row: Fact, size: Any) -> Fact:
    """The average of distributions is one."""
    each = rules.specialize(row, BATCH, [size >= BATCH])
    total = rules.sum_termwise(each, (BATCH, 1, size))
    mixed = Sum(weights, (BATCH, 1, size)) / size
    return rules.restate(Eq(Sum(mixed, OVER), 1, evaluate=False), rules.scale(total, 1 / size))


def _average_moment(p: Any, q: Any, size: Any) -> Fact:
    """Σ_y (avg p)^λ (avg q)^{1−λ} ≤ (1/N) Σ_j Σ_y p_j^λ q_j^{1−λ}: Claim 25 at every outcome."""
    pointwise = rules.sum_termwise(rules.scale(mean_of(p, q, BATCH, size), 1 / size), OVER)
    mixed = [Sum(weights, (BATCH, 1, size)) / size for weights in (p, q)]
    moment = Sum(mixed[0] ** LAMBDA * mixed[1] ** (1 - LAMBDA), OVER)
    parts = Sum(Sum(p**LAMBDA * q ** (1 - LAMBDA), OVER), (BATCH, 1, size)) / size
    return rules.restate(rules.le(moment, parts), pointwise, GIVEN)


def at_least_one(p: Any, q: Any, sums: Sequence[Fact], over: tuple[Any, ...] = OVER) -> Fact:
    """1 ≤ Σ p^λ q^{1−λ} for distributions over `over`, an index that counts from 1."""
    if over[1] != 1:
        raise DerivationError(f"at_least_one: outcomes are counted from 1, and {over[0]} starts at {over[1]}")
    mean = mean_of(p, q, over[0], over[2])
    return rules.chain(rules.equality(1, mean.lhs, GIVEN, using=sums), mean)


def moment_below(divergence: Fact, p: Any, q: Any, sums: Sequence[Fact], over: tuple[Any, ...] = OVER) -> Fact:
    """From D_λ(p‖q) ≤ r for distributions over `over`: Σ p^λ q^{1−λ} ≤ e^{(λ−1)r}."""
    one = at_least_one(p, q, sums, over)
    defined = rules.definition(RenyiDivergence(LAMBDA, p, q, over), GIVEN, using=[one])
    logs = rules.scale(rules.chain(defined, divergence, given=GIVEN), LAMBDA - 1, GIVEN)
    powered = rules.apply(Lambda(X, exp(X)), logs, GIVEN)
    return rules.chain(rules.equality(one.rhs, powered.lhs, GIVEN, using=[one]), powered)


@recipe("subsampling", "Rényi divergence of a subsampled mechanism", "Yuchen 2019, Claim 24")
def subsampling(proof: ProofSteps) -> Fact:
    """D_λ(avg p ‖ avg q) ≤ log(1 + r(e^{(λ−1)ρ} − 1))/(λ−1), where a of a+b batches contain the record and r = a/(a+b).

    Batches 1..a contain the record and have D_λ(p_j‖q_j) ≤ ρ; batches a+1..a+b do not, and p_j = q_j there. For batches of m out of
    n records, r = C(n−1,m−1)/C(n,m) = m/n.
    """
    j, y, total = BATCH, OUTCOME, WITH + WITHOUT
    p, q = P[j, y], Q[j, y]
    rows = [_law_sums(p, total), _law_sums(q, total)]
    close = rules.hypothesis(ForAll(j, j <= WITH, RenyiDivergence(LAMBDA, p, q, OVER) <= RHO))
    same = rules.hypothesis(ForAll(j, (j >= WITH + 1) & (j <= total), for_each(OVER, Eq(p, q))))
    convex = proof("Claim 25 at every outcome", _average_moment(p, q, total))
    sums = [rules.specialize(row, j, [j <= WITH]) for row in rows]
    one = moment_below(rules.specialize(close, j, [j <= WITH, *GIVEN]), p, q, sums)
    part_with = proof("batches with the record", rules.sum_termwise(one, (j, 1, WITH)))
    later = [j >= WITH + 1, j <= total]
    equal = rules.specialize(rules.specialize(same, j, later), y, [y <= SIZE])
    term = rules.equality(p**LAMBDA * q ** (1 - LAMBDA), q, [*GIVEN, *later], using=[equal])
    mass = rules.specialize(rows[1], j, later)
    trivial = rules.chain(rules.sum_termwise(term, OVER), mass)
    part_without = proof("batches without it", rules.sum_termwise(trivial, (j, WITH + 1, total)))
    split = rules.sum_split(Sum(Sum(p**LAMBDA * q ** (1 - LAMBDA), OVER), (j, 1, total)), WITH)
    rate = WITH / total
    growth = 1 + rate * (exp((LAMBDA - 1) * RHO) - 1)
    both = rules.scale(rules.chain(split, rules.add(part_with, part_without)), 1 / total)
    moment = proof("the moment", rules.restate(rules.le(convex.lhs, growth), rules.chain(convex, both), GIVEN))
    averages = [_average_sums_to_one(weights, row, total) for weights, row in ((p, rows[0]), (q, rows[1]))]
    mixed = [Sum(weights, (j, 1, total)) / total for weights in (p, q)]
    return proof(
        "take the logarithm", _divergence_below(moment, at_least_one(mixed[0], mixed[1], averages), mixed, log(growth) / (LAMBDA - 1))
    )


def _divergence_below(moment: Fact, low: Fact, pair: list[Any], bound: Expr) -> Fact:
    """From 1 ≤ G ≤ e^{(λ−1)·bound}: D_λ ≤ bound."""
    above = rules.sign(rules.lt(0, moment.lhs), GIVEN, using=[low])
    logs = rules.apply(Lambda(Z, log(Z)), moment, GIVEN, using=[above])
    quantity = RenyiDivergence(LAMBDA, pair[0], pair[1], OVER)
    defined = rules.definition(quantity, GIVEN, using=[low])
    divided = rules.scale(logs, 1 / (LAMBDA - 1), GIVEN)
    return rules.restate(rules.le(quantity, bound), divided, GIVEN, using=[defined])


@recipe("subsampling-linear", "Rényi divergence of a subsampled mechanism, by 1 + z ≤ e^z", "Yuchen 2019, after Claim 24")
def subsampling_linear(proof: ProofSteps) -> Fact:
    """D_λ(avg p ‖ avg q) ≤ r(e^{(λ−1)ρ} − 1)/(λ−1)."""
    bound = proof("Claim 24", subsampling().result)
    rate = WITH / (WITH + WITHOUT)
    z = Symbol("z", nonnegative=True)
    tangent = rules.convex_tangent(exp(X), X, 0)
    at = rules.instance(tangent, {X: z})
    logs = rules.restate(rules.le(log(1 + z), z), rules.apply(Lambda(Z, log(Z)), at))
    grown = rules.instance(logs, {z: rate * (exp((LAMBDA - 1) * RHO) - 1)}, GIVEN)
    divided = rules.scale(grown, 1 / (LAMBDA - 1), GIVEN)
    return proof("log(1 + z) ≤ z", rules.chain(bound, divided, given=GIVEN))


@recipe(
    "conjecture-1-common-ratio",
    "Conjecture 1 holds when the second pairs share one likelihood ratio",
    "Yuchen 2019, Conjecture 1, a true case",
)
def conjecture_1_common_ratio(proof: ProofSteps) -> Fact:
    """If D_λ(p_j‖q_j) ≤ D_λ(ℓν_j‖ν_j) for all j and one function ℓ, then D_λ(avg p ‖ avg q) ≤ D_λ(avg ℓν ‖ avg ν)."""
    j, y = BATCH, OUTCOME
    p, q, mu, nu = P[j, y], Q[j, y], RATIO[y] * NU[j, y], NU[j, y]
    rows = [_law_sums(weights, COUNT) for weights in (p, q, mu, nu)]
    within = [j <= COUNT]
    sums = [rules.specialize(row, j, within) for row in rows]
    premise = for_each((j, 1, COUNT), RenyiDivergence(LAMBDA, p, q, OVER) <= RenyiDivergence(LAMBDA, mu, nu, OVER))
    closer = rules.specialize(rules.hypothesis(premise), j, [*within, *GIVEN])
    large = at_least_one(mu, nu, sums[2:])
    right = rules.definition(RenyiDivergence(LAMBDA, mu, nu, OVER), GIVEN, using=[large])
    small = at_least_one(p, q, sums[:2])
    left = rules.definition(RenyiDivergence(LAMBDA, p, q, OVER), GIVEN, using=[small])
    logs = rules.scale(rules.chain(left, closer, right, given=GIVEN), LAMBDA - 1, GIVEN)
    moments = rules.apply(Lambda(X, exp(X)), logs, GIVEN)
    one = proof("moments of each pair", rules.restate(rules.le(small.rhs, large.rhs), moments, GIVEN, using=[small, large]))
    total = rules.scale(rules.sum_termwise(one, (j, 1, COUNT)), 1 / COUNT)
    convex = proof("Claim 25 at every outcome", _average_moment(p, q, COUNT))
    mixed_mu, mixed_nu = Sum(mu, (j, 1, COUNT)) / COUNT, Sum(nu, (j, 1, COUNT)) / COUNT
    target = Sum(mixed_mu**LAMBDA * mixed_nu ** (1 - LAMBDA), OVER)
    linear = proof("with one likelihood ratio the moment is linear", rules.equality(total.rhs, target, GIVEN))
    moment = rules.chain(convex, total, linear)
    averages = [_average_sums_to_one(weights, row, COUNT) for weights, row in zip((p, q, mu, nu), rows, strict=True)]
    mixed = [Sum(weights, (j, 1, COUNT)) / COUNT for weights in (p, q)]
    lower = at_least_one(mixed[0], mixed[1], averages[:2])
    upper = at_least_one(mixed_mu, mixed_nu, averages[2:])
    bound = _divergence_below(moment, lower, mixed, log(target) / (LAMBDA - 1))
    final = RenyiDivergence(LAMBDA, mixed_mu, mixed_nu, OVER)
    return proof("take the logarithm", rules.chain(bound, rules.definition(final, GIVEN, using=[upper])))


@recipe("conjecture-1-fails", "Conjecture 1 fails for every order", "Yuchen 2019, Conjecture 1")
def conjecture_1_fails(proof: ProofSteps) -> Fact:
    """With p₁=p₂=δ₁, q₁=q₂=ν₁=ν₂=B(½), μ₁=δ₁, μ₂=δ₀ both premises hold, and the conclusion fails, for every λ > 1."""
    half = Rational(1, 2)
    one, zero, fair = Tuple(1, 0), Tuple(0, 1), Tuple(half, half)

    def value(p: Tuple, q: Tuple, closed: Any) -> Fact:
        quantity = RenyiDivergence(LAMBDA, p, q)
        return rules.chain(rules.definition(quantity, GIVEN), rules.equality(quantity.definition(), closed, GIVEN))

    point = proof("a point mass against the fair coin", value(one, fair, log(2)))
    other = proof("the other point mass", value(zero, fair, log(2)))
    middle = proof("the average of the point masses is the fair coin", value(fair, fair, 0))
    first = rules.restate(rules.le(point.lhs, point.lhs), rules.equality(point.lhs, point.lhs, GIVEN))
    second = rules.restate(rules.le(point.lhs, other.lhs), point, using=[other])
    gap = rules.sign(rules.lt(0, log(2)))
    fails = rules.restate(Lt(middle.lhs, point.lhs, evaluate=False), gap, GIVEN, using=[middle, point])
    return proof("premises and failure", rules.conjunction(first, second, fails))
