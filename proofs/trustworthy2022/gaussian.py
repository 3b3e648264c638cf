"""Gatica-Perez, Sajadmanesh & Shahin Shamsabadi 2022: the Gaussian mechanism on the slides."""

from sympy import Eq, Rational, log, oo, sqrt

from dpbounds import FAILS, HOLDS, Claim, Counterexample, Mutant, Proof, Search
from dpbounds.language.functions import GaussianDelta, GaussianRenyi, HockeyStick, normal_density
from dpbounds.language.symbols import positive, real

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

order, shift = positive("alpha"), real("Delta")

renyi = Claim(
    id="trustworthy2022.gaussian-rdp.corrected",
    source=("trustworthy2022", "slide Gaussian mechanism under Rényi DP"),
    text="The Gaussian mechanism of sensitivity Delta has Rényi divergence alpha Delta^2/(2 sigma^2).",
    given=[order > 1],
    then=Eq(GaussianRenyi(order, sigma, shift), order * shift**2 / (2 * sigma**2)),
    expect=HOLDS,
    by=Proof("gaussian-renyi"),
    corrects="trustworthy2022.gaussian-rdp",
    mutant=Mutant(Eq(GaussianRenyi(order, sigma, shift), order * shift**2 / sigma**2)),
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

y = real("y")
enough = sqrt(2 * log(Rational(5, 4) / delta)) / epsilon

noise = Claim(
    id="trustworthy2022.gaussian-mechanism.corrected",
    source=("trustworthy2022", "slide Gaussian mechanism"),
    text="Gaussian noise with sigma = sqrt(2 log(1.25/delta))/epsilon gives (epsilon, delta)-differential privacy for epsilon <= 1.",
    given=[epsilon <= 1, delta <= 1],
    then=HockeyStick(epsilon, normal_density(y, 1, enough), normal_density(y, 0, enough), (y, -oo, oo)) <= delta,
    expect=HOLDS,
    by=Proof("gaussian-noise"),
    corrects="trustworthy2022.gaussian-mechanism",
    mutant=Mutant(GaussianDelta(epsilon, enough) <= delta, given=[delta <= 1], by=Counterexample({epsilon: 10, delta: Rational(1, 100)})),
    note="The mutant has no bound on epsilon.",
)
