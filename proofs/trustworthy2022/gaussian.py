"""Gatica-Perez, Sajadmanesh & Shahin Shamsabadi 2022: the Gaussian mechanism on the slides."""

from dpbounds.notation import *

source = Source("trustworthy2022", "slide Gaussian mechanism under Rényi DP")

alpha = real("alpha")
sigma, sensitivity = positive("sigma Delta")

gaussian_rdp = source.claim(
    "The Rényi divergence of the Gaussian mechanism, with a Delta that is not squared.",
    [alpha > 1], GaussianRenyi(alpha, sigma, sensitivity) <= alpha * sensitivity / (2 * sigma**2), Search())

order, shift = positive("alpha"), real("Delta")

gaussian_rdp__corrected = source.claim(
    "The Gaussian mechanism of sensitivity Delta has Rényi divergence alpha Delta^2/(2 sigma^2).",
    [order > 1], Eq(GaussianRenyi(order, sigma, shift), order * shift**2 / (2 * sigma**2)),
    Proof("gaussian-renyi"),
    mutant=Eq(GaussianRenyi(order, sigma, shift), order * shift**2 / sigma**2),
    corrects=gaussian_rdp)

epsilon, delta = positive("epsilon delta")

gaussian_mechanism = source.at("slide Gaussian mechanism").claim(
    "Gaussian noise with sigma = sqrt(2 log(1/delta))/epsilon (sensitivity 1) gives (epsilon, "
    "delta)-differential privacy.",
    [delta < 1], GaussianDelta(epsilon, sqrt(2 * log(1 / delta)) / epsilon) <= delta, Search())

y = real("y")
enough = sqrt(2 * log(Rational(5, 4) / delta)) / epsilon

gaussian_mechanism__corrected = source.at("slide Gaussian mechanism").claim(
    "Gaussian noise with sigma = sqrt(2 log(1.25/delta))/epsilon gives (epsilon, delta)-differential privacy "
    "for epsilon <= 1.",
    [epsilon <= 1, delta <= 1],
    HockeyStick(epsilon, normal_density(y, 1, enough), normal_density(y, 0, enough), (y, -oo, oo)) <= delta,
    Proof("gaussian-noise"),
    mutant=([delta <= 1], GaussianDelta(epsilon, enough) <= delta, {epsilon: 10, delta: Rational(1, 100)}),
    corrects=gaussian_mechanism,
    note="The mutant has no bound on epsilon.")
