"""Budgets chosen along the way: a privacy filter for concentrated differential privacy.

After j steps the history is a number h. The next kernel K[j,h], L[j,h] is (αρ[j,h])-close at order α: its budget ρ[j,h] may depend on
all that was seen. S[j,h] is what the history has spent. Then

    V(j) = Σ_h J[j,h]^α I[j,h]^{1−α} e^{−α(α−1)S[j,h]}

does not grow, whatever the budgets are: e^{αL − α(α−1)S} is a supermartingale under Q. A filter stops before S exceeds ρ, so the moment is
at most e^{α(α−1)ρ}. Only the order α is involved, so the same holds on any fixed range of orders.
"""

from __future__ import annotations

from typing import Any

from sympy import Eq, Expr, Lambda, Sum, Symbol, exp, true

from dpbounds.language.functions import RenyiDivergence
from dpbounds.language.quantifiers import ForAll, for_each
from dpbounds.language.symbols import family, index, nonnegative, positive_integer, sums_to_one
from dpbounds.prover import rules
from dpbounds.prover.derivation import ProofSteps, recipe
from dpbounds.prover.facts import Fact
from dpbounds.theory.averages.averages import moment_below
from dpbounds.theory.averages.power_means import LAMBDA
from dpbounds.theory.composition.composition import GIVEN, HISTORY, OUTPUT, OUTPUTS, SIZES, STEP, I, J, K, L

COST, SPENT = family("rho"), family("S")
TOTAL = nonnegative("rho_total")
h, y, j = HISTORY, OUTPUT, STEP
OVER = (y, 1, OUTPUTS)


def histories(step: Any) -> tuple[Symbol, Any, Any]:
    """All histories after so many steps."""
    return (h, 1, SIZES[step])


def weight(spent: Expr) -> Expr:
    """e^{−α(α−1)S}."""
    return exp(-LAMBDA * (LAMBDA - 1) * spent)


def moment(step: Any) -> Sum:
    """Σ_h J^α I^{1−α} after so many steps."""
    return Sum(J[step, h] ** LAMBDA * I[step, h] ** (1 - LAMBDA), histories(step))


def potential(step: Any) -> Sum:
    """V: the moment with every history weighed by what it has spent."""
    return Sum(J[step, h] ** LAMBDA * I[step, h] ** (1 - LAMBDA) * weight(SPENT[step, h]), histories(step))


def extended(step: Any) -> Sum:
    """V after one more step, written over a history and an output: probabilities multiply and budgets add."""
    term = (J[step, h] * K[step, h, y]) ** LAMBDA * (I[step, h] * L[step, h, y]) ** (1 - LAMBDA)
    return Sum(term * weight(SPENT[step, h] + COST[step, h]), OVER, histories(step))


CLOSE = ForAll(j, true, for_each(histories(j), RenyiDivergence(LAMBDA, K[j, h, y], L[j, h, y], OVER) <= LAMBDA * COST[j, h]))
ROWS = tuple(ForAll(j, true, for_each(histories(j), Eq(Sum(kernel[j, h, y], OVER), 1))) for kernel in (K, L))
MEANING = ForAll(j, true, Eq(potential(j + 1), extended(j)))
START = Eq(potential(0), 1, evaluate=False)
WITHIN = ForAll(j, true, for_each(histories(j), SPENT[j, h] <= TOTAL))


@recipe(
    "adaptive-budgets",
    "Budgets chosen from what was seen add up as fixed ones do, if a filter stops in time",
    "Rogers et al. 2016 for (ε, δ); Feldman & Zrnic 2021, Theorem 3.1, for Rényi divergence",
)
def adaptive_budgets(proof: ProofSteps) -> Fact:
    """Σ_h J^α I^{1−α} ≤ e^{α(α−1)ρ} after j steps with budgets chosen adaptively, when no history spends more than ρ in all."""
    kernels, rows = rules.hypothesis(CLOSE), [rules.hypothesis(row) for row in ROWS]
    within = [h <= SIZES[j]]
    divergence = rules.specialize(rules.specialize(kernels, j, GIVEN), h, [*within, *GIVEN])
    sums = tuple(rules.specialize(rules.specialize(row, j), h, within) for row in rows)
    inner = proof("every kernel, at the order alpha", moment_below(divergence, K[j, h, y], L[j, h, y], sums, OVER))
    factor = J[j, h] ** LAMBDA * I[j, h] ** (1 - LAMBDA) * weight(SPENT[j, h] + COST[j, h])
    outer = rules.sum_termwise(rules.scale(inner, factor, GIVEN), histories(j))
    product = rules.specialize(rules.hypothesis(MEANING), j, GIVEN)
    grown = rules.chain(product, rules.equality(extended(j), outer.lhs, GIVEN), outer, given=GIVEN)
    falls = proof("the weighed moment does not grow", rules.restate(rules.le(potential(j + 1), potential(j)), grown, GIVEN))
    statement = rules.le(potential(j), 1)
    step = rules.chain(falls, rules.hypothesis(statement, GIVEN))
    base = rules.restate(rules.le(potential(0), 1), rules.hypothesis(START, GIVEN), GIVEN)
    kept = proof("so it stays below 1", rules.induction(base, step, j, statement))
    spent = rules.specialize(rules.specialize(rules.hypothesis(WITHIN), j), h, within)
    x = Symbol("x", real=True)
    raised = rules.apply(Lambda(x, exp(x)), rules.scale(spent, LAMBDA * (LAMBDA - 1), GIVEN), GIVEN)
    term = J[j, h] ** LAMBDA * I[j, h] ** (1 - LAMBDA)
    one = rules.scale(raised, term * weight(SPENT[j, h]), GIVEN)
    bound = exp(LAMBDA * (LAMBDA - 1) * TOTAL)
    plain = rules.restate(rules.le(term, bound * term * weight(SPENT[j, h])), one, GIVEN)
    summed = rules.restate(rules.le(moment(j), bound * potential(j)), rules.sum_termwise(plain, histories(j)), GIVEN)
    return proof("no history spends more than rho", rules.chain(summed, rules.scale(kept, bound, GIVEN), given=GIVEN))


BEFORE, UPPER, LOWER, AFTER = family("p", "positive"), family("K"), family("L", "positive"), family("M", "positive")
RHO = nonnegative("rho")
EARLIER, LATER = positive_integer("m"), positive_integer("N")
z = index("z")


@recipe(
    "blocks-of-data",
    "Mechanisms on the blocks of a partition cost what the block of the differing record costs",
    "Yu et al. 2019, Theorem 2; McSherry 2009, Theorem 4, for pure privacy",
)
def blocks_of_data(proof: ProofSteps) -> Fact:
    """Σ (pKM)^α (pLM)^{1−α} ≤ e^{α(α−1)ρ} for p what the blocks before show, K or L what the block of the record shows, M the blocks after.

    Each may depend on all that came before; p and M are the same for both data sets.
    """
    earlier, later = (h, 1, EARLIER), (z, 1, LATER)
    first, upper, lower, last = BEFORE[h], UPPER[h, y], LOWER[h, y], AFTER[h, y, z]
    within, here = [h <= EARLIER], [y <= OUTPUTS]
    close = rules.hypothesis(for_each(earlier, RenyiDivergence(LAMBDA, upper, lower, OVER) <= LAMBDA * RHO))
    rows = [rules.hypothesis(for_each(earlier, Eq(Sum(kernel, OVER), 1))) for kernel in (upper, lower)]
    sums = tuple(rules.specialize(row, h, within) for row in rows)
    inner = proof("the block of the record", moment_below(rules.specialize(close, h, [*within, *GIVEN]), upper, lower, sums, OVER))
    tail = rules.hypothesis(for_each(earlier, for_each(OVER, Eq(Sum(last, later), 1))))
    whole = rules.specialize(rules.specialize(tail, h, within), y, here)
    weight = first * upper**LAMBDA * lower ** (1 - LAMBDA)
    split = rules.equality((first * upper * last) ** LAMBDA * (first * lower * last) ** (1 - LAMBDA), weight * last, GIVEN)
    after, one = rules.sum_termwise(split, later), rules.scale(whole, weight, GIVEN)
    kept = proof("the blocks after it sum to one", rules.chain(after, rules.equality(after.rhs, one.lhs, GIVEN), one, given=GIVEN))
    summed, cost = rules.sum_termwise(kept, OVER), rules.scale(inner, first)
    before = rules.sum_termwise(rules.chain(summed, rules.equality(summed.rhs, cost.lhs, GIVEN), cost, given=GIVEN), earlier)
    mass = rules.hypothesis(sums_to_one(BEFORE, earlier))
    joint = Sum((first * upper * last) ** LAMBDA * (first * lower * last) ** (1 - LAMBDA), later, OVER, earlier)
    bound = exp(LAMBDA * (LAMBDA - 1) * RHO)
    whole_mass = rules.equality(before.rhs, bound, using=[mass])
    return proof("and so do the blocks before", rules.restate(rules.le(joint, bound), rules.chain(before, whole_mass, given=GIVEN), GIVEN))
