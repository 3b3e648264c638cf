"""Chen 2019, Example 4: the subsampling theorem for the Gaussian mechanism, and when its bound is O(rλ/σ²)."""

from sympy import Rational, exp, log

from dpbounds import FAILS, HOLDS, Claim, Counterexample, Mutant, Proof
from dpbounds.language.functions import SampledGaussianMoment, SampledGaussianRenyi
from dpbounds.language.symbols import positive
from dpbounds.prover import rules

SOURCE = ("chen2019", "Example 4")
alpha, sigma, rate, top = positive("alpha sigma r a")
exponent = alpha * (alpha - 1) / (2 * sigma**2)
bound = rate * (exp(exponent) - 1) / (alpha - 1)
linear = rate * alpha / (2 * sigma**2)

printed = Claim(
    id="chen2019.example-4",
    source=SOURCE,
    text="The subsampled Gaussian mechanism has D_lambda = O(r lambda/sigma^2) (read: at most 1000 r lambda/sigma^2).",
    given=[alpha > 1, rate < 1],
    then=SampledGaussianRenyi(alpha, sigma, rate) <= 1000 * rate * alpha / sigma**2,
    expect=FAILS,
    by=Counterexample({alpha: 100, sigma: 1, rate: "1/4000"}),
    note="No other constant helps: see the claim on large orders.",
)

corrected = Claim(
    id="chen2019.example-4.corrected",
    source=SOURCE,
    text="If lambda(lambda-1)/(2 sigma^2) <= a, r(e^((lambda-1)rho) - 1)/(lambda-1) is at most (e^a - 1)/a * r lambda/(2 sigma^2).",
    given=[alpha > 1, exponent <= top],
    then=bound <= linear * (exp(top) - 1) / top,
    expect=HOLDS,
    by=Proof("example-4"),
    corrects="chen2019.example-4",
    example={alpha: 2, sigma: 1, rate: "1/2", top: 1},
    mutant=Mutant(bound <= Rational(9, 10) * linear * (exp(top) - 1) / top, by=Counterexample({alpha: 2, sigma: 1, rate: "1/2", top: 1})),
    note="The bound itself is chen2019.claim-24.linear.",
)

large_orders = Claim(
    id="chen2019.example-4.large-orders",
    source=SOURCE,
    text="For lambda > 1 + 4 sigma^2 log(1/r), D_lambda > lambda/(4 sigma^2), however small r is (stated for the moment).",
    given=[alpha > 1, rate < 1, alpha - 1 > 4 * sigma**2 * log(1 / rate)],
    then=rules.lt(exp(alpha * (alpha - 1) / (4 * sigma**2)), SampledGaussianMoment(alpha, sigma, rate)),
    expect=HOLDS,
    by=Proof("example-4-large-orders"),
    uses=("chen2019.claim-26.top-term",),
    example={alpha: 5, sigma: 1, rate: "1/2"},
    mutant=Mutant(
        exp(alpha * (alpha - 1) / (2 * sigma**2)) < SampledGaussianMoment(alpha, sigma, rate),
        by=Counterexample({alpha: 5, sigma: 1, rate: "1/2"}),
    ),
)
