"""Bun & Steinke 2016: is Gaussian noise the worst mechanism of its ρ, so that ρ-zCDP bounds δ by that of Gaussian noise?

No. Randomized response with e^ε₀ : 1 has ρ = ε₀²/2, as has Gaussian noise with σ = 1/ε₀; but at ε = 0 its δ is tanh(ε₀/2) against
erf(ε₀/(2√2)), which have the slopes 1/2 and 1/√(2π) at ε₀ = 0.
"""

from dpbounds.notation import *

source = Source("bunsteinke2016.worst-mechanism", "Definition 1.1 and Proposition 1.6")

epsilon, alpha, scale = nonnegative("epsilon"), positive("alpha"), positive("epsilon_0")
TRUE, FALSE = (Rational(3, 4), Rational(1, 4)), (Rational(1, 4), Rational(3, 4))

randomized_response = source.at("Proposition 1.4").claim(
    "Randomized response that is true with probability 3/4 has rho = log(3)^2/2.",
    [alpha > 1], RenyiDivergence(alpha, TRUE, FALSE) <= alpha * log(3) ** 2 / 2,
    mutant=RenyiDivergence(alpha, TRUE, FALSE) <= Rational(9, 10) * alpha * log(3) ** 2 / 2)

worst_mechanism = source.claim(
    "Randomized response that is true with probability 3/4 has at most the delta of Gaussian noise with the same rho, sigma = 1/log(3).",
    HockeyStick(epsilon, TRUE, FALSE) <= GaussianDelta(epsilon, 1 / log(3)), {epsilon: 0},
    uses=[randomized_response],
    note="1/2 > 0.417...: rho-zCDP does not give the (epsilon, delta) curve of Gaussian noise.")

range = source.claim(
    "At epsilon = 0 randomized response has at least the delta of Gaussian noise, for odds up to e^4.81, and not up to e^4.82.",
    [scale <= Rational(481, 100)], erf(scale / (2 * sqrt(2))) <= tanh(scale / 2), Boxes(budget=200),
    mutant=([scale <= Rational(482, 100)], {scale: "482/100"}))
