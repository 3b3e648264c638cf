"""Zhu & Wang 2019: the rates O(γε, γδ) and O(αγ²ε(2)), with explicit constants."""

from sympy import Rational, exp, log

from dpbounds import FAILS, HOLDS, Boxes, Claim, Convex, Counterexample, Mutant, Search
from dpbounds.language.functions import SampledGaussianRenyi
from dpbounds.language.symbols import integer, nonnegative, positive

alpha = integer("alpha")
gamma, epsilon = nonnegative("gamma epsilon")
sigma = positive("sigma")

amplified = log(1 + gamma * (exp(epsilon) - 1))
rate = Claim(
    id="zhuwang2019.amplification",
    source=("zhuwang2019", "slide Privacy Amplification by Sampling"),
    text="Sampling at rate gamma turns epsilon into O(gamma epsilon), read with the constant 10.",
    given=[gamma <= 1],
    then=amplified <= 10 * gamma * epsilon,
    expect=FAILS,
    by=Search(),
    note="No constant will do: at gamma = 1/epsilon^2 the left side is close to epsilon and the right side is 10/epsilon.",
)
no_constant = Claim(
    id="zhuwang2019.amplification.no-constant",
    source=("zhuwang2019", "slide Privacy Amplification by Sampling"),
    text="For every constant C there is a pair at which the amplified epsilon exceeds C gamma epsilon: gamma = e^-epsilon, epsilon >= 3 "
    "with e^epsilon >= 3 C epsilon.",
    given=[epsilon >= 3, epsilon <= 100, sigma <= exp(epsilon) / (3 * epsilon)],
    then=log(2 - exp(-epsilon)) >= sigma * exp(-epsilon) * epsilon,
    expect=HOLDS,
    by=Boxes(budget=5000),
    mutant=Mutant(log(2 - exp(-epsilon)) >= 3 * sigma * exp(-epsilon) * epsilon),
    note="sigma stands for the constant C; at gamma = e^-epsilon the amplified epsilon is log(2 - e^-epsilon).",
)
corrected = Claim(
    id="zhuwang2019.amplification.corrected",
    source=("zhuwang2019", "slide Privacy Amplification by Sampling"),
    text="For epsilon <= 1 the constant 2 is enough.",
    given=[gamma <= 1, epsilon <= 1],
    then=amplified <= 2 * gamma * epsilon,
    expect=HOLDS,
    by=Boxes(budget=5000, hints=(Convex(amplified, epsilon),)),
    corrects="zhuwang2019.amplification",
    mutant=Mutant(amplified <= Rational(17, 10) * gamma * epsilon),
)

GAUSSIAN = SampledGaussianRenyi(alpha, sigma, Rational(1, 100))
asymptotic = Claim(
    id="zhuwang2019.asymptotic-rate",
    source=("zhuwang2019", "slide Exact RDP of Subsampled Mechanism, asymptotic rate"),
    text="The divergence of the sampled mechanism is O(alpha gamma^2 epsilon(2)) for any mechanism, read with 100 for Gaussian noise.",
    given=[alpha >= 2, sigma >= 1],
    then=100 * alpha * Rational(1, 10_000) / sigma**2 >= GAUSSIAN,
    expect=FAILS,
    by=Counterexample({alpha: 400, sigma: 4}),
    note="Beyond the phase change, alpha of order sigma^2 log(1/gamma), the divergence is close to alpha/(2 sigma^2), whatever gamma is.",
)


def regime(noise: int, largest: int, rate: Rational, by=None) -> tuple[list, object]:
    """Premises and bound D ≤ 2αγ²ε(2) at γ = 1/1000 and one noise, ε(2) = 1/σ²."""
    divergence = SampledGaussianRenyi(alpha, noise, Rational(1, 1000))
    return [alpha >= 2, alpha <= largest], divergence <= rate * alpha * Rational(1, 10**6) / noise**2


given, within = regime(5, 64, Rational(6, 5))
_, too_little = regime(5, 64, Rational(1, 2))
high_privacy = Claim(
    id="zhuwang2019.regime-sigma-5",
    source=("zhuwang2019", "slide Subsampled Gaussian Mechanism, sigma = 5"),
    text="At sigma = 5, gamma = 1/1000 the rate holds with the constant 6/5 at all integer orders up to 64.",
    given=given,
    then=within,
    expect=HOLDS,
    by=Boxes(budget=500),
    mutant=Mutant(too_little),
)
given, within = regime(1, 64, Rational(6, 5))
low_privacy = Claim(
    id="zhuwang2019.regime-sigma-1",
    source=("zhuwang2019", "slide Subsampled Gaussian Mechanism, sigma = 1, low privacy regime"),
    text="At sigma = 1, gamma = 1/1000 it does as well.",
    given=given,
    then=within,
    expect=FAILS,
    by=Search(),
    note="The phase change comes between the orders 8 and 16 here.",
)
