"""Certified Rényi divergence: the moment function M(t) = E_P[e^{tL}] on the real line.

`renyi_divergence` answers for a mechanism, `renyi_of` for a product of pairs, `log_moment` gives K = log M itself, and `renyi_ball`
encloses the Poisson-sampled Gaussian over a box of parameters.
"""

from dpbounds.renyi.poisson_gaussian import renyi_ball
from dpbounds.renyi.solve import divergence, log_moment, renyi_divergence, renyi_of

__all__ = ["divergence", "log_moment", "renyi_ball", "renyi_divergence", "renyi_of"]
