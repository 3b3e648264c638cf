"""Zhu & Wang 2019 (slides): the bound on the Rényi divergence under Poisson sampling, read for the Gaussian mechanism."""

from sympy import Sum, binomial, exp, log

from dpbounds import FAILS, HOLDS, Boxes, Claim, Mutant, Search
from dpbounds.language.functions import SampledGaussianRenyi
from dpbounds.language.symbols import index, integer, nonnegative, positive

alpha = integer("alpha")
gamma = nonnegative("gamma")
sigma = positive("sigma")
ell = index("ell")


def epsilon(order):
    """The Rényi curve of the Gaussian mechanism, ε(ℓ) = ℓ/(2σ²)."""
    return order / (2 * sigma**2)


def inner_sum(order, factor):
    """What stands inside the logarithm of the slide's bound, with `factor` in front of the terms from ℓ = 3 on."""
    first = (1 - gamma) ** (order - 1) * (order * gamma - gamma + 1)
    second = binomial(order, 2) * gamma**2 * (1 - gamma) ** (order - 2) * exp(epsilon(2))
    rest = Sum(binomial(order, ell) * (1 - gamma) ** (order - ell) * gamma**ell * exp((ell - 1) * epsilon(ell)), (ell, 3, order))
    return first + second + factor * (rest.doit() if isinstance(order, int) else rest)


prefactor = Claim(
    id="zhuwang2019.prefactor",
    source=("zhuwang2019", "slide Exact RDP of Subsampled Mechanism"),
    text="The Rényi divergence of the sampled mechanism is at most log{...}/alpha (read for Gaussian noise).",
    given=[alpha >= 2, gamma > 0, gamma < 1],
    then=SampledGaussianRenyi(alpha, sigma, gamma) <= log(inner_sum(alpha, 3)) / alpha,
    expect=FAILS,
    by=Search(),
)


def with_right_prefactor(order: int) -> Claim:
    """The bound with 1/(α−1), at one integer order, for the Gaussian mechanism."""
    divergence = SampledGaussianRenyi(order, sigma, gamma)
    return Claim(
        id=f"zhuwang2019.prefactor.order-{order}",
        source=("zhuwang2019", "slide Exact RDP of Subsampled Mechanism"),
        text=f"With the prefactor 1/(alpha-1) the bound holds for Gaussian noise at alpha = {order}, sigma in [1, 30].",
        given=[sigma >= 1, sigma <= 30, gamma <= 1],
        then=divergence <= log(inner_sum(order, 3)) / (order - 1),
        expect=HOLDS,
        by=Boxes(budget=50_000),
        mutant=Mutant(divergence <= log(inner_sum(order, 3)) / order),
        corrects="zhuwang2019.prefactor",
    )


order_3 = with_right_prefactor(3)
