"""Gatica-Perez, Sajadmanesh & Shahin Shamsabadi 2022: the Laplace mechanism, and Gaussian against Laplace noise as the dimension grows."""

from dpbounds.notation import *

source = Source("trustworthy2022", "slide Gaussian mechanism, why to use it")

epsilon, sensitivity = positive("epsilon Delta")
coordinates, k = positive_integer("K"), index("k")
o, f, g = (family(name, "real") for name in "ofg")
over = (k, 1, coordinates)

def density(centre):
    """The density of the mechanism at the output o, up to its constant factor."""
    return exp(-epsilon / sensitivity * Sum(Abs(o[k] - centre[k]), over))

distance = Sum(Abs(f[k] - g[k]), over)

laplace = source.at("slide Laplace mechanism").claim(
    "Laplace noise of scale Delta/epsilon is epsilon-private for queries of l1 distance at most Delta.",
    [distance <= sensitivity], density(f) <= exp(epsilon) * density(g), Proof("laplace-private"),
    mutant=([Sum((f[k] - g[k]) ** 2, over) <= sensitivity**2],
        {coordinates: 2, o: (0, 0), f: (0, 0), g: (1, 1), epsilon: 1, sensitivity: "3/2"}),
    example={coordinates: 1, o: [0], f: [0], g: [1], epsilon: 1, sensitivity: 1},
    note="The mutant calibrates the noise to the l2 distance.")

size = positive("s")

def distances(proof):
    """(Σ|x|)² against KΣx² for equal entries."""
    one = rules.equality(Sum(size, over), sqrt(coordinates) * sqrt(Sum(size**2, over)))
    return proof("equal entries", one)

sensitivities = source.claim(
    "For a change of all K coordinates by the same amount the l1 distance is sqrt(K) times the l2 distance.",
    Eq(Sum(size, over), sqrt(coordinates) * sqrt(Sum(size**2, over)), evaluate=False), Proof(distances),
    mutant=(Eq(Sum(size, over), coordinates * sqrt(Sum(size**2, over)), evaluate=False),
        {size: 1, coordinates: 2}),
    note="So at a fixed l2 sensitivity Laplace noise must grow with the dimension, and Gaussian noise need "
    "not.")

# All coordinates change by at most 1: ℓ₁ distance d, ℓ₂ distance √d. Laplace noise of standard deviation √2·d gives ε = 1; Gaussian noise
# of the same standard deviation is √(2d) times its sensitivity.
real_dimension = real("d")
target = Rational(1, 10**5)
same_deviation = GaussianDelta(1, sqrt(2 * real_dimension))

less_noise_in_high_dimension = source.claim(
    "From dimension 7 on Gaussian noise of the same deviation is (1, 10^-5)-private.",
    [real_dimension >= 7], same_deviation <= target, Boxes(budget=2000),
    mutant=([real_dimension >= 6], {real_dimension: 6}))

more_noise_in_low_dimension = source.claim("Up to dimension 6 Gaussian noise must be larger than that.",
    [real_dimension >= 1, real_dimension <= 6], same_deviation > target, Boxes(budget=2000),
    mutant=([real_dimension >= 1, real_dimension <= 7], {real_dimension: 7}))
