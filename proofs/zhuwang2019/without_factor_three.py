"""Zhu & Wang 2019: the factor 3 of the bound for Poisson sampling is not needed, for any mechanism and any integer order.

A pair of neighbouring outputs is a pair P, Q of distributions of full support on n outcomes, for every n; sampling at rate γ turns it into
S = γP+(1−γ)Q against Q. ε(ℓ) is the larger of D_ℓ(P‖Q) and D_ℓ(Q‖P): what the base mechanism guarantees in both directions.
"""

from dpbounds.notation import *
from dpbounds.theory.noise import laplace
from dpbounds.theory.sampling import poisson_sum, subsampled
from dpbounds.theory.sampling import reverse_sampling as theory

source = Source("zhuwang2019", "slide Exact RDP of Subsampled Mechanism")

n, gamma = theory.SIZE, theory.GAMMA
P, Q, i = family("p", "positive"), family("q", "positive"), index("i")
outcomes = (i, 1, n)
p, q = P[i], Q[i]
sampled, mirrored = gamma * p + (1 - gamma) * q, gamma * q + (1 - gamma) * p
HALF = Rational(1, 2)

alpha = positive("alpha")
theta = 3 * (1 - gamma) / (3 + 2 * (alpha - 2) * gamma)
forward, backward, reverse = (RenyiMoment(alpha, *pair, outcomes) for pair in ((sampled, q), (mirrored, p), (q, sampled)))
point = {n: 2, alpha: 3, gamma: HALF, P: ("1/4", "3/4"), Q: (HALF, HALF)}

reverse_moment = source.claim(
    "for every real alpha > 1 and every rate the reverse moment of a sampled mechanism is at most a mixture of "
    "its two forward moments.",
    [alpha > 1, gamma < 1, *theory.MASSES], reverse <= theta * forward + (1 - theta) * backward,
    Proof(theory.reverse_of_sampling),
    mutant=(reverse <= forward, {**point, alpha: "3/2"}),
    example=point,
    note="theta = 3(1-gamma)/(3+2(alpha-2)gamma). Neither forward moment alone is enough: the mutant drops "
    "one.")

order, ell = theory.ORDER, theory.TERM

def bound(curve):
    """log{(1−γ)^{α−1}(αγ−γ+1) + Σ_{ℓ=2}^{α} C(α,ℓ)(1−γ)^{α−ℓ}γ^ℓ e^{(ℓ−1)ε(ℓ)}}/(α−1)."""
    terms = Sum(binomial(order, ell) * gamma**ell * (1 - gamma) ** (order - ell) * exp((ell - 1) * curve), (ell, 2, order))
    return log((1 - gamma) ** (order - 1) * (order * gamma - gamma + 1) + terms) / (order - 1)

def divergences_at_most(value):
    """D_α(S‖Q) and D_α(Q‖S) are at most `value`."""
    return And(*(RenyiDivergence(order, *pair, outcomes) <= value for pair in ((sampled, q), (q, sampled))))

one_way = RenyiDivergence(ell, p, q, outcomes)
point_at_order = {order if key == alpha else key: value for key, value in point.items()}

without_factor_three = source.claim(
    "the bound on the Rényi divergence of a Poisson-sampled mechanism holds without the factor 3, for every "
    "mechanism, every integer order alpha >= 2, and in both directions.",
    [order >= 2, gamma < 1, *theory.MASSES], divergences_at_most(bound(theory.curve(ell))),
    Proof(theory.sampling_without_factor_three),
    mutant=(divergences_at_most(bound(one_way)), point_at_order),
    example=point_at_order,
    note="The mutant reads epsilon(l) in one direction only. The slide's formula has 1/alpha in front and a "
    "3 from l = 3 on.")

symmetric = {n: 2, order: 2, gamma: HALF, P: ("1/3", "2/3"), Q: ("2/3", "1/3")}
factor_three = source.claim(
    "the general bound as printed, with the 3 and the prefactor 1/(alpha-1), in both directions.",
    [order >= 2, gamma < 1, *theory.MASSES],
    divergences_at_most(log(poisson_sum.printed_sum(order)) / (order - 1)),
    Proof("sampling-with-factor-three"),
    mutant=(divergences_at_most(log(poisson_sum.printed_sum(order)) / order), symmetric),
    corrects="zhuwang2019.prefactor", uses=[without_factor_three], example=point_at_order,
    note="The mutant has the printed prefactor 1/alpha: at order 2 the bound with 1/(alpha-1) is exact for "
    "this pair.")

whole, sigma, rate, k = subsampled.ORDER, subsampled.SIGMA, subsampled.SAMPLING, subsampled.TERM
terms = Sum(binomial(whole, k) * (1 - rate) ** (whole - k) * rate**k * exp(k * (k - 1) / (2 * sigma**2)), (k, 2, whole))
head = (1 - rate) ** (whole - 1) * (whole * rate - rate + 1)
divergence = SampledGaussianRenyi(whole, sigma, rate)
gaussian_exact = source.at("slide Exact RDP of Subsampled Mechanism, the factor 3 for Gaussian and Laplace").claim(
    "For the Gaussian mechanism the sum without the 3 is the divergence itself, record removed.",
    [whole > 1, rate < 1], Eq(divergence, log(head + terms) / (whole - 1), evaluate=False),
    Proof("poisson-sum-gaussian"),
    mutant=(Eq(divergence, log(head + 3 * terms) / (whole - 1), evaluate=False),
        {whole: 2, sigma: 1, rate: HALF}),
    note="So is it for every mechanism whose divergences are the same in both directions: the forward moment is "
    "the sum (chen2019.claim-27.corrected).")

shifted, centred = (laplace_density(laplace.OUTPUT, shift, laplace.SCALE) for shift in (laplace.SHIFT, 0))
laplace_divergence = RenyiDivergence(whole, gamma * shifted + (1 - gamma) * centred, centred, laplace.LINE)

def laplace_bound(factor):
    """The slide's bound with the prefactor 1/(α−1) and `factor` before the sum, for Laplace noise."""
    return log(poisson_sum.laplace_sum(whole, factor)) / (whole - 1)

laplace_exact = source.at("slide Exact Amplification Bound for RDP: matches the lower bound for Laplace").claim(
    "For Laplace noise the sum without the 3 is the divergence itself, record removed, at every integer order.",
    [whole > 1, gamma < 1], Eq(laplace_divergence, laplace_bound(1), evaluate=False), Proof("poisson-sum-laplace"),
    mutant=(Eq(laplace_divergence, laplace_bound(3), evaluate=False),
        {whole: 2, gamma: HALF, laplace.SHIFT: 1, laplace.SCALE: 1}),
    note="epsilon(k) is the divergence of chen2019.laplace-renyi. The mutant has the factor 3 before the terms "
    "from order 2 on.")
