"""Yu et al. 2019, Appendix -G: is the Rényi divergence of the sampled Gaussian at most αq²/σ²?

The appendix reports a grid of tests that the bound passed. It is false at the edge σ = 1 of the stated range,
and true at the orders 2 and 3.
"""

from dpbounds.notation import *

source = Source("yu2019.appendix-g", "Appendix -G")

alpha, sigma, q = positive("alpha sigma q")
rate = nonnegative("q")

STATED_RANGE = [sigma >= 1, q <= 1 / (16 * sigma), alpha > 1, alpha <= sigma**2 * log(1 / (q * sigma)) + 1]

appendix_g = source.claim(
    "The Rényi divergence of the sampled Gaussian is at most alpha q^2/sigma^2 in the range of orders of the "
    "moments accountant.",
    STATED_RANGE, SampledGaussianRenyi(alpha, sigma, q) <= alpha * q**2 / sigma**2, Search(),
    note="The search is not told the point.")

def at_order(order: int, share: Rational) -> Claim:
    """The bound at one integer order, on σ in [1, 30] down to q = 0; `share` of the bound is already too little."""
    bound = order * rate**2 / sigma**2
    divergence = SampledGaussianRenyi(order, sigma, rate)
    return source.claim(
        f"At order {order} the bound of Appendix -G holds for sigma in [1, 30] and q in [0, 1/(16 sigma)].",
        [sigma >= 1, sigma <= 30, rate <= 1 / (16 * sigma)], divergence <= bound, Boxes(budget=20_000),
        mutant=divergence <= share * bound,
        id=f"order-{order}")

order_2 = at_order(2, Rational(17, 20))
order_3 = at_order(3, Rational(19, 20))

def from_noise(least):
    """All larger noise."""
    return [sigma >= least, rate <= 1 / (16 * sigma)]

order_2__range = source.claim(
    "At order 2 the bound of Appendix -G holds from sigma = 0.893 on, for every q up to 1/(16 sigma), and not from 0.892 on.",
    from_noise(Rational(893, 1000)), SampledGaussianRenyi(2, sigma, rate) <= 2 * rate**2 / sigma**2,
    mutant=(from_noise(Rational(892, 1000)), {sigma: "892/1000", rate: "1/1000"}))
