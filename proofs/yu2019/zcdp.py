"""Yu et al. 2019: statements about concentrated differential privacy that fail."""

from dpbounds.notation import *

source = Source("yu2019")

alpha = real("alpha")
epsilon, delta = nonnegative("epsilon delta")
m, i = positive_integer("m"), index("i")
points = (i, 1, m)
p, q = laws("p", points), laws("q", points)

tail_from_dp = source.at("Section II, equivalence of (epsilon, delta)-DP and a tail bound").claim(
    "(epsilon, delta)-indistinguishability bounds the probability of a loss above epsilon by delta.",
    [p, q, HockeyStick(epsilon, p, q) <= delta, HockeyStick(epsilon, q, p) <= delta],
    LossTail(epsilon, p, q) <= delta, {m: 2, epsilon: 0, delta: "1/3", p: ("2/3", "1/3"), q: ("1/3", "2/3")})

theorem_2__average = source.at("Note on Theorem 2 of the conference version").claim(
    "On a random partition into two batches, with rho_1 = 1/2 and rho_2 = 0, the whole is zCDP with the "
    "average rho = 1/4.",
    [alpha > 1], SampledGaussianRenyi(alpha, 1, Rational(1, 2)) <= alpha * Rational(1, 4), Search())
