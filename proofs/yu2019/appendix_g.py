"""Yu et al. 2019, Appendix -G: is the Rényi divergence of the sampled Gaussian at most αq²/σ²?

The appendix reports a grid of tests that the bound passed. It is false at the edge σ = 1 of the stated range,
and true at the orders 2 and 3.
"""

from sympy import Rational, log

from dpbounds import FAILS, HOLDS, Boxes, Claim, Mutant, Search
from dpbounds.language.functions import SampledGaussianRenyi
from dpbounds.language.symbols import nonnegative, positive

alpha, sigma, q = positive("alpha sigma q")
rate = nonnegative("q")

STATED_RANGE = [sigma >= 1, q <= 1 / (16 * sigma), alpha > 1, alpha <= sigma**2 * log(1 / (q * sigma)) + 1]

printed = Claim(
    id="yu2019.appendix-g",
    source=("yu2019", "Appendix -G"),
    text="The Rényi divergence of the sampled Gaussian is at most alpha q^2/sigma^2 in the range of orders of the moments accountant.",
    given=STATED_RANGE,
    then=SampledGaussianRenyi(alpha, sigma, q) <= alpha * q**2 / sigma**2,
    expect=FAILS,
    by=Search(),
    note="The search is not told the point.",
)


def at_order(order: int, share: Rational) -> Claim:
    """The bound at one integer order, on σ in [1, 30] down to q = 0; `share` of the bound is already too little."""
    bound = order * rate**2 / sigma**2
    divergence = SampledGaussianRenyi(order, sigma, rate)
    return Claim(
        id=f"yu2019.appendix-g.order-{order}",
        source=("yu2019", "Appendix -G"),
        text=f"At order {order} the bound of Appendix -G holds for sigma in [1, 30] and q in [0, 1/(16 sigma)].",
        given=[sigma >= 1, sigma <= 30, rate <= 1 / (16 * sigma)],
        then=divergence <= bound,
        expect=HOLDS,
        by=Boxes(budget=20_000),
        mutant=Mutant(divergence <= share * bound),
    )


order_2 = at_order(2, Rational(17, 20))
order_3 = at_order(3, Rational(19, 20))
