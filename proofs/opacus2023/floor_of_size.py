"""Opacus issues 571 and 819: sums of gradients divided by the floor of the expected batch size, which depends on the data.

Let the neighbours have the divisors m and m + 1 and only gradients of 0 in all other records. The release is N(0, σ²I_d)/m for one, and
N(c, σ²I_d)/(m+1) for the other, whose record has the gradient c, |c| ≤ 1; take c = 0. The scale of the output then shows the number of
records, and the more the larger d is, though the accounting says δ = δ of Gaussian noise at most (δ = 0 for this pair).
"""

from dpbounds.notation import *

source = Source("opacus2023", "Issues 571 and 819")

epsilon, cut = nonnegative("epsilon c")
m = positive_integer("m")

def event(divisor):
    """The probability that a coordinate of N(0, σ²)/divisor is larger than cσ in absolute value."""
    return erfc(divisor * cut / sqrt(2))

one_coordinate = source.claim(
    "One coordinate, sigma = 1: no tail event exceeds what Gaussian noise allows, whatever the divisors.",
    event(m) - exp(epsilon) * event(m + 1) <= GaussianDelta(epsilon, 1), {m: 1, epsilon: 1, cut: 1},
    id="floor",
    note="0.1936... > 0.1269... Data of one record and of two, batches of all of them.")

size = positive("M")
floor__many_coordinates = source.claim(
    "With M = 2m^2 + 2m + 1: delta tends to 1 as the number d of coordinates grows.",
    [size > 1], (1 - 1 / size) ** size <= exp(-1),
    mutant=(1 - 1 / size) ** size <= Rational(99, 100) * exp(-1),
    note="1 - delta is the integral of min(p, e^epsilon q), at most e^(epsilon/2) times that of sqrt(p q), "
    "which is (2m(m+1)/(m^2 + (m+1)^2))^(d/2).")
