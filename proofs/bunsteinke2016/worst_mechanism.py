"""Bun & Steinke 2016: is Gaussian noise the worst mechanism of its ρ, so that ρ-zCDP bounds δ by that of Gaussian noise?

No. Randomized response with e^ε₀ : 1 has ρ = ε₀²/2, as has Gaussian noise with σ = 1/ε₀; but at ε = 0 its δ is tanh(ε₀/2) against
erf(ε₀/(2√2)), which have the slopes 1/2 and 1/√(2π) at ε₀ = 0.
"""

from sympy import Rational, erf, log, sqrt, tanh

from dpbounds import FAILS, HOLDS, Boxes, Claim, Counterexample, Mutant
from dpbounds.language.functions import GaussianDelta, HockeyStick, RenyiDivergence
from dpbounds.language.symbols import nonnegative, positive

SOURCE = ("bunsteinke2016", "Definition 1.1 and Proposition 1.6")
epsilon, alpha, scale = nonnegative("epsilon"), positive("alpha"), positive("epsilon_0")
TRUE, FALSE = (Rational(3, 4), Rational(1, 4)), (Rational(1, 4), Rational(3, 4))

concentrated = Claim(
    id="bunsteinke2016.worst-mechanism.randomized-response",
    source=("bunsteinke2016", "Proposition 1.4"),
    text="Randomized response that is true with probability 3/4 has rho = log(3)^2/2: D_alpha <= alpha rho at every order alpha > 1.",
    given=[alpha > 1],
    then=RenyiDivergence(alpha, TRUE, FALSE) <= alpha * log(3) ** 2 / 2,
    expect=HOLDS,
    mutant=Mutant(RenyiDivergence(alpha, TRUE, FALSE) <= Rational(9, 10) * alpha * log(3) ** 2 / 2),
)

gaussian = Claim(
    id="bunsteinke2016.worst-mechanism",
    source=SOURCE,
    text="Its delta is at most that of Gaussian noise with the same rho, sigma = 1/log(3), at every epsilon >= 0.",
    then=HockeyStick(epsilon, TRUE, FALSE) <= GaussianDelta(epsilon, 1 / log(3)),
    expect=FAILS,
    by=Counterexample({epsilon: 0}),
    uses=("bunsteinke2016.worst-mechanism.randomized-response",),
    note="1/2 > 0.417...: rho-zCDP does not give the (epsilon, delta) curve of Gaussian noise.",
)

range_of = Claim(
    id="bunsteinke2016.worst-mechanism.range",
    source=SOURCE,
    text="At epsilon = 0 randomized response with odds e^epsilon_0 has at least the delta of Gaussian noise with sigma = 1/epsilon_0 for"
    " epsilon_0 in (0, 24/5].",
    given=[scale <= Rational(24, 5)],
    then=erf(scale / (2 * sqrt(2))) <= tanh(scale / 2),
    expect=HOLDS,
    by=Boxes(budget=200),
    mutant=Mutant(erf(scale / (2 * sqrt(2))) <= tanh(scale / 2), given=[scale <= Rational(49, 10)]),
)
