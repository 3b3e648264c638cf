"""Zhu & Wang 2019 (slides): the bound on the Rényi divergence under Poisson sampling, read for the Gaussian mechanism."""

from dpbounds.notation import *

source = Source("zhuwang2019.prefactor", "slide Exact RDP of Subsampled Mechanism")

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
    def part(k):
        return binomial(order, k) * (1 - gamma) ** (order - k) * gamma**k * exp((k - 1) * epsilon(k))

    rest = sum(part(Integer(k)) for k in range(3, order + 1)) if isinstance(order, int) else Sum(part(ell), (ell, 3, order))
    return first + second + factor * rest

prefactor = source.claim(
    "The Rényi divergence of the sampled mechanism is at most log{...}/alpha (read for Gaussian noise).",
    [alpha >= 2, gamma > 0, gamma < 1],
    SampledGaussianRenyi(alpha, sigma, gamma) <= log(inner_sum(alpha, 3)) / alpha, Search())

def with_right_prefactor(order: int) -> Claim:
    """The bound with 1/(α−1), at one integer order, for the Gaussian mechanism."""
    divergence = SampledGaussianRenyi(order, sigma, gamma)
    return source.claim(
        f"With the prefactor 1/(alpha-1) the bound holds for Gaussian noise at alpha = {order}, sigma in [1, " f"30].",
        [sigma >= 1, sigma <= 30, gamma <= 1], divergence <= log(inner_sum(order, 3)) / (order - 1),
        Boxes(budget=50_000),
        mutant=divergence <= log(inner_sum(order, 3)) / order,
        id=f"order-{order}", corrects=prefactor)

order_3 = with_right_prefactor(3)
