"""The sum of Zhu & Wang: as printed, with the factor 3, and without it for the Gaussian mechanism, where it is exact."""

from __future__ import annotations

from sympy import Expr, Lambda, Le, Sum, Symbol, binomial, exp, log

from dpbounds.derive import reverse_sampling as base
from dpbounds.derive import rules
from dpbounds.derive.derivation import Proof, recipe
from dpbounds.derive.kernel import Fact
from dpbounds.derive.subsampled import ORDER as LAMBDA
from dpbounds.derive.subsampled import SAMPLING, sampled_gaussian_renyi

ORDER, GAMMA, ELL = base.ORDER, base.GAMMA, base.TERM
GIVEN = (ORDER >= 2, GAMMA < 1)


def printed_sum(order: Symbol) -> Expr:
    """(1−γ)^{α−1}(αγ−γ+1) + C(α,2)γ²(1−γ)^{α−2}e^{ε(2)} + 3 Σ_{ℓ=3}^{α} C(α,ℓ)(1−γ)^{α−ℓ}γ^ℓ e^{(ℓ−1)ε(ℓ)}."""
    head = (1 - GAMMA) ** (order - 1) * (order * GAMMA - GAMMA + 1)
    return head + _second(order) + 3 * _rest(order)


def _term(order: Symbol) -> Expr:
    return binomial(order, ELL) * GAMMA**ELL * (1 - GAMMA) ** (order - ELL) * exp((ELL - 1) * base.curve(ELL))


def _second(order: Symbol) -> Expr:
    return _term(order).subs(ELL, 2)


def _rest(order: Symbol) -> Expr:
    return Sum(_term(order), (ELL, 3, order))


@recipe("sampling-with-factor-three", "Rényi divergence of a Poisson-sampled mechanism, with the factor 3", "Zhu & Wang 2019, Theorem 6")
def sampling_with_factor_three(proof: Proof) -> Fact:
    """D_α ≤ log{the printed sum}/(α−1) in both directions: the sum without the 3 is no larger."""
    known = proof("without the factor", base.sampling_without_factor_three().result)
    total = base.sampled_sum(ORDER)
    tail = next(part for part in total.args if isinstance(part, Sum))
    split = rules.first_term(tail, GIVEN)
    rest = next(part for part in split.rhs.args if isinstance(part, Sum))
    more = rules.nonnegative(2 * rest, GIVEN)
    larger = total - tail + (split.rhs - rest) + 3 * rest
    bigger = proof("three times the rest is more", rules.restate(rules.le(total, larger), more, GIVEN, using=[split]))
    x = Symbol("x", positive=True)
    shown = rules.positive(total, GIVEN)
    logs = rules.scale(rules.apply(Lambda(x, log(x)), bigger, GIVEN, using=[shown]), 1 / (ORDER - 1), GIVEN)
    both = [rules.chain(rules.part(known, bound), logs, given=GIVEN) for bound in known.statement.args]
    return proof("both directions", rules.conjunction(*both))


@recipe(
    "poisson-sum-gaussian",
    "The sum without the factor 3 is exact for the Gaussian mechanism",
    "Zhu & Wang 2019; Mironov, Talwar & Zhang 2019",
)
def poisson_sum_gaussian(proof: Proof) -> Fact:
    """D_α = log{(1−q)^{α−1}(αq−q+1) + Σ_{ℓ=2}^{α} C(α,ℓ)(1−q)^{α−ℓ}q^ℓ e^{ℓ(ℓ−1)/2σ²}}/(α−1), record removed."""
    given = (LAMBDA > 1, Le(SAMPLING, 1), SAMPLING < 1)
    known = proof("all terms", sampled_gaussian_renyi().result)
    total = next(part for part in known.rhs.atoms(Sum))
    splits = [rules.first_term(total, given)]
    rest = next(part for part in splits[0].rhs.args if isinstance(part, Sum))
    splits.append(rules.first_term(rest, given))
    tail = next(part for part in splits[1].rhs.args if isinstance(part, Sum))
    head = (1 - SAMPLING) ** (LAMBDA - 1) * (LAMBDA * SAMPLING - SAMPLING + 1)
    opened = proof("the terms of order 0 and 1", rules.equality(total, head + tail, given, using=splits))
    shown = rules.positive(head + tail, given)
    x = Symbol("x", positive=True)
    logs = rules.scale(rules.apply(Lambda(x, log(x)), opened, given, using=[shown]), 1 / (LAMBDA - 1), given)
    return proof("take the logarithm", rules.chain(known, logs, given=given))
