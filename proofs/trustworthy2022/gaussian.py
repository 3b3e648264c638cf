"""Gatica-Perez, Sajadmanesh & Shahin Shamsabadi 2022: the Gaussian mechanism on the slides."""

from sympy import log, sqrt

from dpbounds import FAILS, Claim, Search
from dpbounds.functions import GaussianDelta, GaussianRenyi
from dpbounds.symbols import positive, real

alpha = real("alpha")
sigma, sensitivity = positive("sigma Delta")

renyi_printed = Claim(
    id="trustworthy2022.gaussian-rdp",
    source=("trustworthy2022", "slide Gaussian mechanism under Rényi DP"),
    text="The Gaussian mechanism of sensitivity Delta has Rényi divergence at most alpha Delta/(2 sigma^2): Delta is not squared.",
    given=[alpha > 1],
    then=GaussianRenyi(alpha, sigma, sensitivity) <= alpha * sensitivity / (2 * sigma**2),
    expect=FAILS,
    by=Search(),
)

epsilon, delta = positive("epsilon delta")

noise_printed = Claim(
    id="trustworthy2022.gaussian-mechanism",
    source=("trustworthy2022", "slide Gaussian mechanism"),
    text="Gaussian noise with sigma = sqrt(2 log(1/delta))/epsilon (sensitivity 1) gives (epsilon, delta)-differential privacy.",
    given=[delta < 1],
    then=GaussianDelta(epsilon, sqrt(2 * log(1 / delta)) / epsilon) <= delta,
    expect=FAILS,
    by=Search(),
)
