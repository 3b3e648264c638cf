"""A branch of OpenDP, not in releases 0.15.1 and 0.16.0, declares `make_above_threshold` private with d/scale, d the range distance. Is it?

Under `MaxDivergence` the threshold and every answer get exponential noise, of scale s each where the answers move in one direction
(`monotonic`). Then d = Δ, and ε = Δ/s is declared. Take s = 1, the threshold 0 and two answers 0, 0. In the neighbouring data the first
is u ≤ Δ, the second 0. The first is below the noisy threshold z and the second above it with probability ∫ e^{−z}(1 − e^{−z})e^{−z} over
z > 0, and ∫ e^{−z}(1 − e^{u − z})e^{−z} over z > u: e^{−2u} of the former. So ε is 2Δ/s at least, twice what is declared.
"""

from dpbounds.notation import *

source = Source("opendp2026.above-threshold",
    "rust/src/measurements/above_threshold/mod.rs, make_above_threshold, commit 0c951d3d of a branch")

u = positive("u")
z = real("z")

def below_then_above(first):
    """The noisy threshold is above the first answer and below the second, which is 0."""
    return Integral(exp(-z) * (1 - exp(first - z)) * exp(-z), (z, first, oo))

above_threshold = source.claim(
    "Two answers of which the first moves by u and the second does not are within a factor e^(u/scale).",
    below_then_above(0) <= exp(u) * below_then_above(u), {u: 1},
    note="The factor is e^(2u) at every u. So the declared epsilon is half of what is spent.")
