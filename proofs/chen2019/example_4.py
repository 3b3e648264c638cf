"""Yuchen 2019, Example 4: the subsampling theorem for the Gaussian mechanism, and when its bound is O(rλ/σ²)."""

from dpbounds.notation import *

source = Source("chen2019.example-4", "Example 4")

alpha, sigma, rate, top = positive("alpha sigma r a")
exponent = alpha * (alpha - 1) / (2 * sigma**2)
bound = rate * (exp(exponent) - 1) / (alpha - 1)
linear = rate * alpha / (2 * sigma**2)

example_4 = source.claim(
    "The subsampled Gaussian mechanism has D_lambda = O(r lambda/sigma^2) (read: with the constant 1000).",
    [alpha > 1, rate < 1], SampledGaussianRenyi(alpha, sigma, rate) <= 1000 * rate * alpha / sigma**2,
    {alpha: 100, sigma: 1, rate: "1/4000"},
    note="No other constant helps: see the claim on large orders.")

corrected = source.claim("The bound holds if lambda(lambda-1)/(2 sigma^2) <= a, with the constant (e^a - 1)/(2a).",
    [alpha > 1, exponent <= top], bound <= linear * (exp(top) - 1) / top, Proof("example-4"),
    mutant=(bound <= Rational(9, 10) * linear * (exp(top) - 1) / top,
        {alpha: 2, sigma: 1, rate: "1/2", top: 1}),
    corrects=example_4, example={alpha: 2, sigma: 1, rate: "1/2", top: 1},
    note="The bound itself is chen2019.claim-24.linear.")

large_orders = source.claim(
    "For lambda > 1 + 4 sigma^2 log(1/r), D_lambda > lambda/(4 sigma^2), however small r is.",
    [alpha > 1, rate < 1, alpha - 1 > 4 * sigma**2 * log(1 / rate)],
    rules.lt(exp(alpha * (alpha - 1) / (4 * sigma**2)), SampledGaussianMoment(alpha, sigma, rate)),
    Proof("example-4-large-orders"),
    mutant=(exp(alpha * (alpha - 1) / (2 * sigma**2)) < SampledGaussianMoment(alpha, sigma, rate),
        {alpha: 5, sigma: 1, rate: "1/2"}),
    uses=["chen2019.claim-26.top-term"], example={alpha: 5, sigma: 1, rate: "1/2"})
