"""Bu, Dong, Long & Su 2020: on which side of the truth is the central limit theorem of Gaussian differential privacy?

For k steps of the Poisson-sampled Gaussian it replaces the composition by Gaussian noise with μ = q √(k(e^{1/σ²} − 1)). On neither side: it
is above at small ε and below at large ε, by orders of magnitude. δ is that of removing a record.
"""

from sympy import Rational, exp, sqrt

from dpbounds import FAILS, HOLDS, Boxes, Claim, Counterexample, Mutant
from dpbounds.language.functions import GaussianDelta, SampledGaussianDelta
from dpbounds.language.symbols import nonnegative

SOURCE = ("bu2020", "the central limit theorem for Poisson sampling")
epsilon = nonnegative("epsilon")


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
    Claim(
        id=f"bu2020.central-limit.below~{place}",
        source=SOURCE,
        text=f"At q = {q}, sigma = {sigma}, k = {steps} the limit is at most delta, at every epsilon >= 0.",
        then=limit(epsilon, sigma, q, steps) <= SampledGaussianDelta(epsilon, sigma, q, steps),
        expect=FAILS,
        by=Counterexample({epsilon: small}),
    )
    for place, (q, sigma, steps, small, _, _) in enumerate(PLACES, 1)
]
above = [
    Claim(
        id=f"bu2020.central-limit.above~{place}",
        source=SOURCE,
        text=f"At q = {q}, sigma = {sigma}, k = {steps} {factor} times the limit is at least delta, at every epsilon >= 0.",
        then=SampledGaussianDelta(epsilon, sigma, q, steps) <= factor * limit(epsilon, sigma, q, steps),
        expect=FAILS,
        by=Counterexample({epsilon: large}),
    )
    for place, (q, sigma, steps, _, large, factor) in enumerate(PLACES, 1)
]
one_sign = Claim(
    id="bu2020.central-limit.range",
    source=SOURCE,
    text="At q = 1/100, sigma = 1, k = 1000 the limit is below delta for every epsilon in [2, 3]: it understates the loss.",
    given=[epsilon >= 2, epsilon <= 3],
    then=limit(epsilon, 1, Rational(1, 100), 1000) < SampledGaussianDelta(epsilon, 1, Rational(1, 100), 1000),
    expect=HOLDS,
    by=Boxes(budget=300),
    mutant=Mutant(
        20 * limit(epsilon, 1, Rational(1, 100), 1000) < SampledGaussianDelta(epsilon, 1, Rational(1, 100), 1000),
        by=Counterexample({epsilon: 2}),
    ),
)
