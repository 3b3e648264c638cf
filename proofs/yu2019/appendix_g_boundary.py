"""Yu et al. 2019, Appendix -G: from which noise on, and up to which rate, is the Rényi divergence of the sampled Gaussian at most αq²/σ²?

The printed range is σ ≥ 1, q ≤ 1/(16σ), α ≤ σ² log(1/(qσ)) + 1. Each claim has its mutant at the next digit, or nearly so.
"""

from dpbounds.notation import *

source = Source("yu2019.appendix-g", "Appendix -G")

alpha, sigma, q = positive("alpha sigma q")
bound = SampledGaussianRenyi(alpha, sigma, q) <= alpha * q**2 / sigma**2

def orders_up_to(noise, inverse):
    """σ ≥ σ₀, q ≤ 1/(mσ), 1 < α ≤ σ² log(1/(qσ)) + 1."""
    return [sigma >= Rational(noise), q <= 1 / (Rational(inverse) * sigma), alpha > 1, alpha <= sigma**2 * log(1 / (q * sigma)) + 1]

# name: (σ₀, m) that holds, (σ₀, m) that fails, and where.
BOUNDARY = {
    "noise-16": (("11071/10000", 16), ("1107/1000", 16), ("43976/10000", "1107/1000", "1000/17712")),
    "noise-32": (("1052/1000", 32), ("10519/10000", 32), ("48347/10000", "10519/10000", "10000/336608")),
    "noise-6": (("1127/1000", 6), ("1126/1000", 6), ("39193/10000", "1126/1000", "100/1126")),
    "rate": ((1, 64), (1, 63), ("51431/10000", 1, "1/63")),
}

def edge(name, holds, fails, point):
    """One edge of the range."""
    return source.claim(
        f"The bound holds for sigma >= {holds[0]} and q <= 1/({holds[1]} sigma), all orders of the printed range.",
        orders_up_to(*holds), bound, OrderRange(),
        mutant=(orders_up_to(*fails), Counterexample(dict(zip((alpha, sigma, q), point, strict=True)))),
        id=f"boundary.{name}")

boundary = [edge(name, *rest) for name, rest in BOUNDARY.items()]
