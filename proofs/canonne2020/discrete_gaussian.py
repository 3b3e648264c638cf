"""Canonne, Kamath & Steinke 2020: is discrete Gaussian noise as private as continuous Gaussian noise of the same σ, in (ε, δ)?

It is in Rényi divergence. It is not in δ, at any σ: at ε = 0 both are total variation distances between neighbours, and with
θ(σ) = Σ e^{−x²/(2σ²)} over the integers they are 1/θ(σ) and 2Φ(1/(2σ)) − 1. From Jacobi's identity
θ(σ) = √(2π) σ Σ e^{−2π²σ²x²} and x² ≥ |x|,

    1 + 2r + 2r⁴ ≤ θ(σ) ≤ (1+r)/(1−r), r = e^{−1/(2σ²)},        √(2π) σ ≤ θ(σ) ≤ √(2π) σ (1+w)/(1−w), w = e^{−2π²σ²}.
"""

from dpbounds.notation import *

source = Source("canonne2020", '§1, "essentially the same privacy"')

epsilon = nonnegative("epsilon")
m, n, u = positive("m n u")
c = real("c")

def discrete(value):
    """δ of discrete Gaussian noise at σ = 1."""
    return mechanism_delta(value, discrete_gaussian=1)

delta = source.claim(
    "At sigma = 1 discrete Gaussian noise has at most the delta of continuous Gaussian noise.",
    discrete(epsilon) <= GaussianDelta(epsilon, 1), {epsilon: 0},
    note="0.398942... > 0.382924...: both are total variation distances.")

# --- epsilon = 0, with u = 1/sigma ---------------------------------------------------------------------------------

continuous = erf(u / (2 * sqrt(2)))
closer = exp(-(u**2) / 2)

total_variation__small_noise = source.claim(
    "For sigma <= 1/2 the total variation distance of discrete noise exceeds that of continuous noise.",
    [u >= 2], c * (2 * NormalCDF(u / 2) - 1) * (1 + closer) < 1 - closer, tight=(c, 1, "6/5"),
    note="erf(z) is 2 Phi(sqrt(2) z) - 1.")

total_variation__large_noise = source.claim(
    "For sigma >= 1/2 it exceeds it as well (u = 1/sigma), with w = exp(-2 pi^2 sigma^2) and (1-w)/(1+w) > 1 - 2w.",
    [u <= 2], sqrt(2 * pi) * continuous <= u * (1 - u**2 / c), tight=(c, 30, 23),
    uses=["canonne2020.total-variation.theta"])

total_variation__theta = source.claim("2 exp(-2 pi^2/u^2) < u^2/30 for 0 < u <= 2.",
    [u <= 2], 2 * exp(-2 * pi**2 / u**2) < u**2 / c, tight=(c, 30, 300))

total_variation__factor = source.claim(
    "The distance of discrete noise is at most 1.1681 times that of continuous noise, u = 1/sigma >= 5/3.",
    [u >= Rational(5, 3)], c * continuous * (1 + 2 * closer + 2 * closer**4) >= 1, Boxes(budget=500), tight=(c, "1.1681", "1.168"))

total_variation__factor_large_noise = source.claim(
    "The factor 1.1681 is enough for sigma >= 3/5, where the distance is at most 1/(sqrt(2 pi) sigma) (u = 1/sigma).",
    [u <= Rational(5, 3)], c * sqrt(2 * pi) * continuous >= u, tight=(c, "1.1681", "1.11"))

factor, worst = Rational(11681, 10000), (GaussianDelta(0, Rational(53, 125)), mechanism_delta(0, discrete_gaussian="53/125"))
total_variation__attained = source.claim(
    "The factor 1.1681 is sharp in its last digit: at sigma = 53/125 it exceeds 1.168.",
    And(Rational(1168, 1000) * worst[0] < worst[1], worst[1] < factor * worst[0]), Boxes(),
    mutant=factor * worst[0] < worst[1])

# --- epsilon > 0 ---------------------------------------------------------------------------------------------------

delta_factor = source.claim(
    "At sigma = 1 delta of discrete noise is at most 10 times that of continuous noise.",
    discrete(epsilon) <= 10 * GaussianDelta(epsilon, 1), {epsilon: "1619/40"},
    note="epsilon = n + 1/2 - 1/n with n = 40: a factor of 14.9. No factor is enough, see "
    "canonne2020.delta-factor.growth.")

delta_factor__tail = source.claim("At sigma = 1 and epsilon = m + 1/2: delta of continuous noise from above.",
    GaussianDelta(m + Rational(1, 2), 1) <= c * exp(-(m**2) / 2) / (sqrt(2 * pi) * m * (m + 1)), tight=(c, 1, "9/10"))

delta_factor__mass = source.claim(
    "At sigma = 1 the outcome 0 of discrete noise has the mass 1/theta = delta(0) > 0.3989.",
    discrete(0) > c, Boxes(), tight=(c, "0.3989", "0.399", {}))

reach = n - 1 / n
delta_factor__growth = source.claim(
    "The outcome n gives at least n/3 times delta of continuous noise, at epsilon = n - 1/n + 1/2.",
    [n >= 3],
    And(1 / sqrt(2 * pi) < Rational(401, 1000),
        Rational(401, 1000) * n * exp(1 - 1 / (2 * n**2)) / (reach * (reach + 1)) <= c * (1 - exp(-1 / n))),
    tight=(c, Rational(3 * 3989, 10000), Rational(27 * 3989, 100000)),
    uses=[delta_factor__tail, delta_factor__mass],
    note="e^(-m^2/2) = e^(-n^2/2 + 1 - 1/(2n^2)); theta is theta(1).")

epsilon_gap = source.claim(
    "At sigma = 1 discrete noise at epsilon + 1/6 has at most the delta of continuous noise at epsilon.",
    [epsilon <= 5], discrete(epsilon + c) <= GaussianDelta(epsilon, 1), Boxes(budget=3000), tight=(c, "1/6", "1/7", {epsilon: "83/20"}))

# --- epsilon in [0, 5], other noise --------------------------------------------------------------------------------

# sigma: a shift that is enough, one that is not and where; a factor that is enough, one that is not and where.
GAPS = {
    "1/2": (("5/6", "4/5", "9/2"), ("43/20", "2", "5")),
    "3/4": (("3/10", "2/7", "151/40"), ("19/10", "9/5", "163/40")),
    "1": (("3/20", "1/7", "83/20"), ("19/10", "9/5", "43/10")),
    "3/2": (("1/14", "1/17", "199/40"), ("2", "19/10", "5")),
}

def gap(noise: str, what: str, name: str, left, right, *tight) -> Claim:
    """A shift of ε, or a factor of δ, that is enough at one σ, and one that is not."""
    return source.claim(
        f"At sigma = {noise} {what}.", [epsilon <= 5], left <= right, Boxes(budget=6000),
        tight=(c, *tight[:2], {epsilon: tight[2]}), id=f"{name}.at~{noise.replace('/', '-')}")

def gaps_at(noise: str, shift, factor) -> tuple[Claim, Claim]:
    """Both claims at one σ."""
    bound = GaussianDelta(epsilon, Rational(noise))
    return (
        gap(noise, f"discrete noise at epsilon + {shift[0]} has at most the delta of continuous noise at epsilon", "epsilon-gap",
            mechanism_delta(epsilon + c, discrete_gaussian=noise), bound, *shift),
        gap(noise, f"and epsilon <= 5 delta of discrete noise is at most {factor[0]} times that of continuous noise", "delta-factor",
            mechanism_delta(epsilon, discrete_gaussian=noise), c * bound, *factor))

gaps = [claim for noise, sizes in GAPS.items() for claim in gaps_at(noise, *sizes)]
