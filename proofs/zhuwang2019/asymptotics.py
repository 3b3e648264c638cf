"""Zhu & Wang 2019: the rates O(γε, γδ) and O(αγ²ε(2)), with explicit constants."""

from dpbounds.notation import *

source = Source("zhuwang2019", "slide Privacy Amplification by Sampling")

alpha = integer("alpha")
gamma, epsilon = nonnegative("gamma epsilon")
sigma = positive("sigma")

amplified = log(1 + gamma * (exp(epsilon) - 1))
rate = source.claim("Sampling at rate gamma turns epsilon into O(gamma epsilon), read with the constant 10.",
    [gamma <= 1], amplified <= 10 * gamma * epsilon, Search(),
    id="amplification",
    note="No constant will do: at gamma = 1/epsilon^2 the left side is close to epsilon and the right side "
    "is 10/epsilon.")
amplification__no_constant = source.claim(
    "For every constant C there is a pair at which the amplified epsilon exceeds C gamma epsilon: gamma = "
    "e^-epsilon, epsilon >= 3 with e^epsilon >= 3 C epsilon.",
    [epsilon >= 3, epsilon <= 100, sigma <= exp(epsilon) / (3 * epsilon)],
    log(2 - exp(-epsilon)) >= sigma * exp(-epsilon) * epsilon, Boxes(budget=5000),
    mutant=log(2 - exp(-epsilon)) >= 3 * sigma * exp(-epsilon) * epsilon,
    note="sigma stands for the constant C; at gamma = e^-epsilon the amplified epsilon is log(2 - "
    "e^-epsilon).")
amplification__corrected = source.claim("For epsilon <= 1 the constant 2 is enough.",
    [gamma <= 1, epsilon <= 1], amplified <= 2 * gamma * epsilon,
    mutant=amplified <= Rational(17, 10) * gamma * epsilon,
    corrects=rate)

amplification__range = source.claim("The constant 2 is enough for epsilon <= 1.256, and not for epsilon <= 1.257.",
    [gamma <= 1, epsilon <= Rational(1256, 1000)], amplified <= 2 * gamma * epsilon,
    mutant=([gamma <= 1, epsilon <= Rational(1257, 1000)], {gamma: "1/10000", epsilon: "1257/1000"}))


GAUSSIAN = SampledGaussianRenyi(alpha, sigma, Rational(1, 100))
asymptotic_rate = source.at("slide Exact RDP of Subsampled Mechanism, asymptotic rate").claim(
    "The divergence of the sampled mechanism is O(alpha gamma^2 epsilon(2)) for any mechanism, read with 100 "
    "for Gaussian noise.",
    [alpha >= 2, sigma >= 1], 100 * alpha * Rational(1, 10_000) / sigma**2 >= GAUSSIAN,
    {alpha: 400, sigma: 4},
    note="Beyond the phase change, alpha of order sigma^2 log(1/gamma), the divergence is close to alpha/(2 "
    "sigma^2), whatever gamma is.")

def regime(noise: int, largest: int, rate: Rational, by=None) -> tuple[list, object]:
    """Premises and bound D ≤ 2αγ²ε(2) at γ = 1/1000 and one noise, ε(2) = 1/σ²."""
    divergence = SampledGaussianRenyi(alpha, noise, Rational(1, 1000))
    return [alpha >= 2, alpha <= largest], divergence <= rate * alpha * Rational(1, 10**6) / noise**2

given, within = regime(5, 64, Rational(6, 5))
_, too_little = regime(5, 64, Rational(1, 2))
regime_sigma_5 = source.at("slide Subsampled Gaussian Mechanism, sigma = 5").claim(
    "At sigma = 5, gamma = 1/1000 the rate holds with the constant 6/5 at all integer orders up to 64.",
    given, within, Boxes(budget=500),
    mutant=too_little)
given, within = regime(1, 64, Rational(6, 5))
regime_sigma_1 = source.at("slide Subsampled Gaussian Mechanism, sigma = 1, low privacy regime").claim(
    "At sigma = 1, gamma = 1/1000 it does as well.",
    given, within, Search(),
    note="The phase change comes between the orders 8 and 16 here.")
