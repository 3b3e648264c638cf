"""Moments of Poisson-sampled mechanisms at integer order, by the binomial theorem."""

from __future__ import annotations

from sympy import Integral, Le, Sum, Symbol, binomial, exp, log, oo

from dpbounds.language.functions import RenyiMoment, SampledGaussianMoment, SampledGaussianRenyi, normal_density
from dpbounds.language.symbols import family, index, nonnegative, positive, positive_integer
from dpbounds.prover import rules
from dpbounds.prover.derivation import ProofSteps, recipe
from dpbounds.prover.facts import Fact
from dpbounds.theory.noise.gaussian import OUTPUT, gaussian_moment

ORDER = Symbol("lambda", integer=True, positive=True)
RATE = nonnegative("r")
SIZE = positive_integer("n")
INDEX = index("i")
TERM = Symbol("k", integer=True, nonnegative=True)
P = family("p")
Q = family("q", "positive")
SIGMA = positive("sigma")
SAMPLING = nonnegative("q")


@recipe(
    "subsampled-moment",
    "Moment of a subsampled mechanism in terms of the moments of its base",
    "Yuchen 2019, Claim 27, with the sum from k = 0",
)
def subsampled_moment(proof: ProofSteps) -> Fact:
    """G_λ(rp + (1−r)q ‖ q) = Σ_{k=0}^{λ} C(λ,k) r^k (1−r)^{λ−k} Σ_i p_i^k q_i^{1−k}, for integer λ > 1 and 0 ≤ r ≤ 1."""
    given = [ORDER > 1, RATE <= 1]
    p, q = P[INDEX], Q[INDEX]
    over = (INDEX, 1, SIZE)
    quantity = RenyiMoment(ORDER, RATE * p + (1 - RATE) * q, q, over)
    defined = proof("definition", rules.definition(quantity, given))
    expansion = proof("binomial theorem", rules.binomial_theorem(RATE * p, (1 - RATE) * q, ORDER, TERM, given))
    term = proof("multiply by q^(1−λ)", rules.scale(expansion, q ** (1 - ORDER), given))
    summed = proof("sum over the outcomes", rules.sum_termwise(term, over))
    base = Sum(p**TERM * q ** (1 - TERM), over)
    closed = Sum(binomial(ORDER, TERM) * RATE**TERM * (1 - RATE) ** (ORDER - TERM) * base, (TERM, 0, ORDER))
    exchange = proof("exchange the finite sums", rules.equality(summed.rhs, closed, given))
    return proof("the moment", rules.chain(defined, summed, exchange, given=given))


def sampled_gaussian(proof: ProofSteps) -> tuple[Fact, Sum]:
    """The steps shared by the moment and the divergence of the sampled Gaussian: ∫ = Σ."""
    given = [ORDER > 1, Le(SAMPLING, 1)]
    over = (OUTPUT, -oo, oo)
    one, zero = normal_density(OUTPUT, 1, SIGMA), normal_density(OUTPUT, 0, SIGMA)
    expansion = proof("binomial theorem", rules.binomial_theorem(SAMPLING * one, (1 - SAMPLING) * zero, ORDER, TERM, given))
    term = rules.scale(expansion, zero ** (1 - ORDER), given)
    weight = binomial(ORDER, TERM) * SAMPLING**TERM * (1 - SAMPLING) ** (ORDER - TERM)
    powers = Sum(weight * one**TERM * zero ** (1 - TERM), (TERM, 0, ORDER))
    regrouped = proof("multiply by the density to the power 1−λ", rules.chain(term, rules.equality(term.rhs, powers, given)))
    integrated = rules.integrate_termwise(regrouped, over)
    exchanged = proof("integrate the finite sum term by term", rules.chain(integrated, rules.integral_of_sum(powers, over, given)))
    _, _, moment = gaussian_moment(TERM, 1)
    proof("the moment of order k of the Gaussian", moment)
    growth = exp(TERM * (TERM - 1) / (2 * SIGMA**2))
    one_term = rules.equality(
        Integral(weight * one**TERM * zero ** (1 - TERM), over), weight * growth, [*given, Le(TERM, ORDER)], using=[moment]
    )
    closed = Sum(weight * growth, (TERM, 0, ORDER))
    total = rules.sum_termwise(one_term, (TERM, 0, ORDER))
    return proof("insert it in every term", rules.chain(exchanged, total)), closed


@recipe(
    "sampled-gaussian-moment",
    "Moment of the Poisson-sampled Gaussian at integer order",
    "Yuchen 2019, (9.5); Abadi et al. 2016; Mironov, Talwar & Zhang 2019",
)
def sampled_gaussian_moment(proof: ProofSteps) -> Fact:
    """G_λ = Σ_{k=0}^{λ} C(λ,k) q^k (1−q)^{λ−k} e^{k(k−1)/(2σ²)}, for integer λ > 1 and 0 ≤ q ≤ 1, record removed."""
    given = [ORDER > 1, Le(SAMPLING, 1)]
    quantity = SampledGaussianMoment(ORDER, SIGMA, SAMPLING, "remove")
    defined = proof("definition", rules.definition(quantity, given))
    total, closed = sampled_gaussian(proof)
    result = proof("the moment", rules.chain(defined, total))
    proof.formula(closed, ORDER, SIGMA, SAMPLING)
    return result


@recipe(
    "sampled-gaussian-renyi",
    "Rényi divergence of the Poisson-sampled Gaussian at integer order",
    "Yuchen 2019, (9.5); Mironov, Talwar & Zhang 2019",
)
def sampled_gaussian_renyi(proof: ProofSteps) -> Fact:
    """D_λ = log(Σ_{k=0}^{λ} C(λ,k) q^k (1−q)^{λ−k} e^{k(k−1)/(2σ²)}) / (λ−1), for integer λ > 1 and 0 ≤ q ≤ 1, record removed."""
    given = [ORDER > 1, Le(SAMPLING, 1)]
    quantity = SampledGaussianRenyi(ORDER, SIGMA, SAMPLING, "remove")
    defined = proof("definition", rules.definition(quantity, given))
    total, moment = sampled_gaussian(proof)
    closed = log(moment) / (ORDER - 1)
    positive_moment = rules.chain(rules.positive(total.lhs, given), total)
    value = rules.equality(quantity.definition(), closed, given, using=[total, positive_moment])
    result = proof("take the logarithm", rules.chain(defined, value, using=[positive_moment]))
    proof.formula(closed, ORDER, SIGMA, SAMPLING)
    return result
