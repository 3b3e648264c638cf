"""The sum of Zhu & Wang: as printed, with the factor 3, and without it for Gaussian and Laplace noise, where it is exact."""

from __future__ import annotations

from sympy import Eq, Expr, Lambda, Le, Sum, Symbol, binomial, exp, log
from sympy.logic.boolalg import Boolean

from dpbounds.language.functions import RenyiDivergence, laplace_density
from dpbounds.prover import rules
from dpbounds.prover.derivation import ProofSteps, recipe
from dpbounds.prover.facts import Fact
from dpbounds.theory.noise import laplace
from dpbounds.theory.sampling import reverse_sampling as base
from dpbounds.theory.sampling.subsampled import ORDER as LAMBDA
from dpbounds.theory.sampling.subsampled import SAMPLING, TERM, sampled_gaussian_renyi

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
def sampling_with_factor_three(proof: ProofSteps) -> Fact:
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
    both = [rules.chain(rules.conjunct(known, bound), logs, given=GIVEN) for bound in known.statement.args]
    return proof("both directions", rules.conjunction(*both))


@recipe(
    "poisson-sum-gaussian",
    "The sum without the factor 3 is exact for the Gaussian mechanism",
    "Zhu & Wang 2019; Mironov, Talwar & Zhang 2019",
)
def poisson_sum_gaussian(proof: ProofSteps) -> Fact:
    """D_α = log{(1−q)^{α−1}(αq−q+1) + Σ_{ℓ=2}^{α} C(α,ℓ)(1−q)^{α−ℓ}q^ℓ e^{ℓ(ℓ−1)/2σ²}}/(α−1), record removed."""
    given = (LAMBDA > 1, Le(SAMPLING, 1), SAMPLING < 1)
    known = proof("all terms", sampled_gaussian_renyi().result)
    total = next(part for part in known.rhs.atoms(Sum))
    splits, (_, tail) = base.first_two(total, given)
    head = (1 - SAMPLING) ** (LAMBDA - 1) * (LAMBDA * SAMPLING - SAMPLING + 1)
    both = rules.restate(Eq(total, head + tail, evaluate=False), rules.add(*splits), given)
    opened = proof("the terms of order 0 and 1", both)
    shown = rules.positive(head + tail, given)
    x = Symbol("x", positive=True)
    logs = rules.scale(rules.apply(Lambda(x, log(x)), opened, given, using=[shown]), 1 / (LAMBDA - 1), given)
    return proof("take the logarithm", rules.chain(known, logs, given=given))


def laplace_sum(order: Symbol, factor: int = 1) -> Expr:
    """(1−γ)^{α−1}(αγ−γ+1) + factor·Σ_{k=2}^{α} C(α,k)(1−γ)^{α−k}γ^k e^{(k−1)ε(k)}, ε(k) the divergence of Laplace noise at order k."""
    head = (1 - GAMMA) ** (order - 1) * (order * GAMMA - GAMMA + 1)
    return head + factor * Sum(_weight(order) * laplace.moment_of(TERM), (TERM, 2, order))


def _weight(order: Symbol) -> Expr:
    return binomial(order, TERM) * GAMMA**TERM * (1 - GAMMA) ** (order - TERM)


@recipe("poisson-sum-laplace", "The sum without the factor 3 is exact for Laplace noise", "Zhu & Wang 2019; Mironov 2017, Proposition 6")
def poisson_sum_laplace(proof: ProofSteps) -> Fact:
    """D_α = log{(1−γ)^{α−1}(αγ−γ+1) + Σ_{k=2}^{α} C(α,k)(1−γ)^{α−k}γ^k e^{(k−1)ε(k)}}/(α−1), record removed."""
    given, later = (LAMBDA > 1, GAMMA < 1), (LAMBDA > 1, GAMMA < 1, TERM >= 2, Le(TERM, LAMBDA))
    one, zero = (laplace_density(laplace.OUTPUT, shift, laplace.SCALE) for shift in (laplace.SHIFT, 0))
    masses = [proof(f"mass of the density around {shift}", laplace.mass(shift)) for shift in (0, laplace.SHIFT)]
    moment = proof("the moment of order k", rules.instance(laplace.moment_in_pieces(proof), {laplace.ALPHA: TERM}, later))
    mixture = GAMMA * one + (1 - GAMMA) * zero
    quantity = RenyiDivergence(LAMBDA, mixture, zero, laplace.LINE)
    expansion = proof("binomial theorem", rules.binomial_theorem(GAMMA * one, (1 - GAMMA) * zero, LAMBDA, TERM, given))
    term = rules.scale(expansion, zero ** (1 - LAMBDA), given)
    powers = Sum(_weight(LAMBDA) * one**TERM * zero ** (1 - TERM), (TERM, 0, LAMBDA))
    regrouped = rules.chain(term, rules.equality(term.rhs, powers, given))
    integrated = rules.integrate_termwise(regrouped, laplace.LINE)
    exchanged = proof("integrate term by term", rules.chain(integrated, rules.integral_of_sum(powers, laplace.LINE, given)))
    opened = proof("orders 0 and 1 are masses", _opened(exchanged.rhs, masses, moment, given, later))
    whole, total = rules.chain(exchanged, opened), laplace_sum(LAMBDA)
    shown = rules.chain(rules.positive(whole.lhs, given), whole)
    value = rules.equality(quantity.definition(), log(total) / (LAMBDA - 1), given, using=[whole, shown])
    return proof("take the logarithm", rules.chain(rules.definition(quantity, given), value, given=given, using=[shown]))


def _opened(total: Sum, masses: list[Fact], moment: Fact, given: tuple[Boolean, ...], later: tuple[Boolean, ...]) -> Fact:
    """Σ_k ∫ = the sum of Zhu & Wang, by the masses and the moments of orders from 2 on."""
    splits, (rest, tail) = base.first_two(total, given)
    firsts = [splits[0].rhs - rest, splits[1].rhs - tail]
    values = ((1 - GAMMA) ** LAMBDA, LAMBDA * GAMMA * (1 - GAMMA) ** (LAMBDA - 1))
    known = [rules.equality(first, value, given, using=[mass]) for first, value, mass in zip(firsts, values, masses, strict=True)]
    each = rules.equality(tail.function, _weight(LAMBDA) * laplace.moment_of(TERM), later, using=[moment])
    summed = rules.sum_termwise(each, tail.limits[0])
    return rules.equality(total, laplace_sum(LAMBDA), given, using=[summed, *known, *splits[::-1]])
