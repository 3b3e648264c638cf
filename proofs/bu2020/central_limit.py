"""Bu, Dong, Long & Su 2020: on which side of the truth is the central limit theorem of Gaussian differential privacy?

For k steps of the Poisson-sampled Gaussian it replaces the composition by Gaussian noise with μ = q √(k(e^{1/σ²} − 1)). On neither side: it
is above at small ε and below at large ε, by orders of magnitude. δ is that of removing a record.
"""

from dpbounds.notation import *

source = Source("bu2020.central-limit", "the central limit theorem for Poisson sampling")

epsilon, c = nonnegative("epsilon c")

def limit(value, sigma, q, steps):
    """δ(ε) of Gaussian noise with the μ of the limit."""
    return GaussianDelta(value, 1 / (q * sqrt(steps * (exp(1 / Rational(sigma) ** 2) - 1))))

# q, sigma, steps: where it is above, where it is below, and a factor by which it is.
PLACES = (
    (Rational(1, 100), 1, 1000, 0, 3, 10_000),
    (Rational(1, 100), 2, 10_000, 0, 2, Rational(11, 10)),
    (Rational(1, 2), 2, 10, 1, 3, 2),
)
below = [
    source.claim(
        f"At q = {q}, sigma = {sigma}, k = {steps}: the limit is at most delta, at every epsilon >= 0.",
        limit(epsilon, sigma, q, steps) <= SampledGaussianDelta(epsilon, sigma, q, steps), {epsilon: small},
        id=f"below~{place}")
    for place, (q, sigma, steps, small, _, _) in enumerate(PLACES, 1)
]
above = [
    source.claim(
        f"At q = {q}, sigma = {sigma}, k = {steps}: {factor} times the limit is at least delta, at every epsilon >= 0.",
        SampledGaussianDelta(epsilon, sigma, q, steps) <= factor * limit(epsilon, sigma, q, steps),
        {epsilon: large},
        id=f"above~{place}")
    for place, (q, sigma, steps, _, large, factor) in enumerate(PLACES, 1)
]
range = source.claim(
    "At q = 1/100, sigma = 1, k = 1000: the limit understates delta for every epsilon in [2, 3].",
    [epsilon >= 2, epsilon <= 3],
    c * limit(epsilon, 1, Rational(1, 100), 1000) < SampledGaussianDelta(epsilon, 1, Rational(1, 100), 1000), Boxes(budget=300),
    tight=(c, 1, 20, {epsilon: 2}))
