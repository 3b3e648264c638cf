"""Yuchen 2019, Further questions: Rényi divergences of noises other than Gaussian."""

from dpbounds.notation import *

source = Source("chen2019", "Further questions")

alpha, scale, shift = positive("alpha b Delta")
epsilon, y = nonnegative("epsilon"), real("y")
laplace_moment = alpha / (2 * alpha - 1) * exp((alpha - 1) * shift / scale) + (alpha - 1) / (2 * alpha - 1) * exp(-alpha * shift / scale)
densities = laplace_density(y, shift, scale), laplace_density(y, 0, scale)

laplace_renyi = source.claim(
    "The Rényi divergence of Laplace noise of scale b at distance Delta (Mironov 2017, Proposition 6).",
    [alpha > 1], Eq(RenyiDivergence(alpha, *densities, (y, -oo, oo)), log(laplace_moment) / (alpha - 1)),
    Proof("laplace-renyi"),
    mutant=(log(laplace_moment) / (alpha - 1) <= 9 * shift / (10 * scale), {alpha: 100, shift: 1, scale: 1}),
    note="It tends to Delta/b as alpha -> oo; the mutant has less.")

odds = exp(epsilon)
truth, lie = odds / (1 + odds), 1 / (1 + odds)
response = RenyiDivergence(alpha, Tuple(truth, lie), Tuple(lie, truth))

randomized_response_renyi = source.claim(
    "The Rényi divergence of randomized response (Mironov 2017, Proposition 5).",
    [alpha > 1],
    Eq(response, log((exp(alpha * epsilon) + exp((1 - alpha) * epsilon)) / (1 + odds)) / (alpha - 1)),
    Proof("randomized-response-renyi"),
    mutant=(Eq(response, alpha * epsilon**2 / 2), {alpha: 2, epsilon: 1}),
    note="The mutant has the divergence of the Gaussian mechanism, which is its limit at small epsilon.")
