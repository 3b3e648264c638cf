"""Canonne, Kamath & Steinke 2020: is discrete Gaussian noise as private as continuous Gaussian noise of the same σ, in (ε, δ)?

It is in Rényi divergence. It is not in δ, at any σ: at ε = 0 both are total variation distances between neighbours, and with
θ(σ) = Σ e^{−x²/(2σ²)} over the integers they are 1/θ(σ) and 2Φ(1/(2σ)) − 1. From Jacobi's identity
θ(σ) = √(2π) σ Σ e^{−2π²σ²x²} and x² ≥ |x|,

    1 + 2r + 2r⁴ ≤ θ(σ) ≤ (1+r)/(1−r), r = e^{−1/(2σ²)},        √(2π) σ ≤ θ(σ) ≤ √(2π) σ (1+w)/(1−w), w = e^{−2π²σ²}.
"""

from sympy import And, Rational, erf, exp, pi, sqrt

from dpbounds import FAILS, HOLDS, Boxes, Claim, Counterexample, Mutant, mechanism_delta
from dpbounds.language.functions import GaussianDelta
from dpbounds.language.symbols import nonnegative, positive

SOURCE = ("canonne2020", '§1, "essentially the same privacy"')
epsilon = nonnegative("epsilon")
m, n, u = positive("m n u")


def discrete(value):
    """δ of discrete Gaussian noise at σ = 1."""
    return mechanism_delta(value, discrete_gaussian=1)


same_delta = Claim(
    id="canonne2020.delta",
    source=SOURCE,
    text="At sigma = 1 discrete Gaussian noise has at most the delta of continuous Gaussian noise, at every epsilon >= 0.",
    then=discrete(epsilon) <= GaussianDelta(epsilon, 1),
    expect=FAILS,
    by=Counterexample({epsilon: 0}),
    note="0.398942... > 0.382924...: both are total variation distances.",
)

# --- epsilon = 0, with u = 1/sigma ---------------------------------------------------------------------------------

continuous = erf(u / (2 * sqrt(2)))
closer = exp(-(u**2) / 2)

never_better = Claim(
    id="canonne2020.total-variation.small-noise",
    source=SOURCE,
    text="For sigma <= 1/2 the total variation distance of discrete noise, at least (1-r)/(1+r) with r = exp(-1/(2 sigma^2)), exceeds that"
    " of continuous noise (u = 1/sigma).",
    given=[u >= 2],
    then=continuous * (1 + closer) < 1 - closer,
    expect=HOLDS,
    mutant=Mutant(Rational(6, 5) * continuous * (1 + closer) < 1 - closer),
)

never_better_far = Claim(
    id="canonne2020.total-variation.large-noise",
    source=SOURCE,
    text="So it does for sigma >= 1/2, where it is at least (1-w)/((1+w) sqrt(2 pi) sigma) with w = exp(-2 pi^2 sigma^2), and (1-w)/(1+w) >"
    " 1 - 2w (u = 1/sigma).",
    given=[u <= 2],
    then=sqrt(2 * pi) * continuous <= u * (1 - u**2 / 30),
    expect=HOLDS,
    uses=("canonne2020.total-variation.theta",),
    mutant=Mutant(sqrt(2 * pi) * continuous <= u * (1 - u**2 / 23)),
)

theta = Claim(
    id="canonne2020.total-variation.theta",
    source=SOURCE,
    text="2 exp(-2 pi^2/u^2) < u^2/30 for 0 < u <= 2.",
    given=[u <= 2],
    then=2 * exp(-2 * pi**2 / u**2) < u**2 / 30,
    expect=HOLDS,
    mutant=Mutant(2 * exp(-2 * pi**2 / u**2) < u**2 / 300),
)

FACTOR = Rational(11681, 10000)
at_most = Claim(
    id="canonne2020.total-variation.factor",
    source=SOURCE,
    text="The total variation distance of discrete noise is at most 1.1681 times that of continuous noise for sigma <= 3/5: 1/(1 + 2r +"
    " 2r^4) is, r = exp(-1/(2 sigma^2)) (u = 1/sigma).",
    then=FACTOR * continuous * (1 + 2 * closer + 2 * closer**4) >= 1,
    given=[u >= Rational(5, 3)],
    expect=HOLDS,
    by=Boxes(budget=500),
    mutant=Mutant(Rational(1168, 1000) * continuous * (1 + 2 * closer + 2 * closer**4) >= 1),
)

at_most_far = Claim(
    id="canonne2020.total-variation.factor-large-noise",
    source=SOURCE,
    text="1/(sqrt(2 pi) sigma) is at most 1.1681 times the total variation distance of continuous noise for sigma >= 3/5 (u = 1/sigma).",
    given=[u <= Rational(5, 3)],
    then=FACTOR * sqrt(2 * pi) * continuous >= u,
    expect=HOLDS,
    mutant=Mutant(Rational(111, 100) * sqrt(2 * pi) * continuous >= u),
)

attained = Claim(
    id="canonne2020.total-variation.attained",
    source=SOURCE,
    text="The factor 1.1681 is sharp in its last digit: at sigma = 53/125 it exceeds 1.168.",
    then=And(
        Rational(1168, 1000) * GaussianDelta(0, Rational(53, 125)) < mechanism_delta(0, discrete_gaussian="53/125"),
        mechanism_delta(0, discrete_gaussian="53/125") < FACTOR * GaussianDelta(0, Rational(53, 125)),
    ),
    expect=HOLDS,
    by=Boxes(),
    mutant=Mutant(FACTOR * GaussianDelta(0, Rational(53, 125)) < mechanism_delta(0, discrete_gaussian="53/125")),
)

# --- epsilon > 0 ---------------------------------------------------------------------------------------------------

some_factor = Claim(
    id="canonne2020.delta-factor",
    source=SOURCE,
    text="At sigma = 1 delta of discrete noise is at most 10 times that of continuous noise, at every epsilon >= 0.",
    then=discrete(epsilon) <= 10 * GaussianDelta(epsilon, 1),
    expect=FAILS,
    by=Counterexample({epsilon: "1619/40"}),
    note="epsilon = n + 1/2 - 1/n with n = 40: a factor of 14.9. No factor is enough, see canonne2020.delta-factor.growth.",
)

tail = Claim(
    id="canonne2020.delta-factor.tail",
    source=SOURCE,
    text="At sigma = 1 and epsilon = m + 1/2 delta of continuous noise is at most e^(-m^2/2)/(sqrt(2 pi) m (m+1)), for every m > 0.",
    then=GaussianDelta(m + Rational(1, 2), 1) <= exp(-(m**2) / 2) / (sqrt(2 * pi) * m * (m + 1)),
    expect=HOLDS,
    mutant=Mutant(GaussianDelta(m + Rational(1, 2), 1) <= Rational(9, 10) * exp(-(m**2) / 2) / (sqrt(2 * pi) * m * (m + 1))),
)

mass = Claim(
    id="canonne2020.delta-factor.mass",
    source=SOURCE,
    text="At sigma = 1 the outcome 0 of discrete noise has the mass 1/theta = delta(0) > 0.3989.",
    then=discrete(0) > Rational(3989, 10000),
    expect=HOLDS,
    by=Boxes(),
    mutant=Mutant(discrete(0) > Rational(3990, 10000), by=Counterexample({})),
)

reach = n - 1 / n
growth = Claim(
    id="canonne2020.delta-factor.growth",
    source=SOURCE,
    text="At sigma = 1 and epsilon = m + 1/2, m = n - 1/n, the outcome n gives delta >= e^(-n^2/2) (1 - e^(-1/n))/theta,"
    " 1/theta > 0.3989, which is at least n/3 times delta of continuous noise, for every n >= 3.",
    given=[n >= 3],
    then=n * exp(1 - 1 / (2 * n**2)) / (sqrt(2 * pi) * reach * (reach + 1)) <= Rational(3 * 3989, 10000) * (1 - exp(-1 / n)),
    expect=HOLDS,
    uses=("canonne2020.delta-factor.tail", "canonne2020.delta-factor.mass"),
    mutant=Mutant(n * exp(1 - 1 / (2 * n**2)) / (sqrt(2 * pi) * reach * (reach + 1)) <= Rational(27 * 3989, 100000) * (1 - exp(-1 / n))),
    note="e^(-m^2/2) = e^(-n^2/2 + 1 - 1/(2n^2)); theta is theta(1).",
)

shifted = Claim(
    id="canonne2020.epsilon-gap",
    source=SOURCE,
    text="At sigma = 1 discrete noise at epsilon + 1/6 has at most the delta of continuous noise at epsilon, for epsilon in [0, 5].",
    given=[epsilon <= 5],
    then=discrete(epsilon + Rational(1, 6)) <= GaussianDelta(epsilon, 1),
    expect=HOLDS,
    by=Boxes(budget=3000),
    mutant=Mutant(discrete(epsilon + Rational(1, 7)) <= GaussianDelta(epsilon, 1), by=Counterexample({epsilon: "83/20"})),
)
