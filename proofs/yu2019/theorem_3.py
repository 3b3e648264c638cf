"""Yu et al. 2019, Theorem 3: from Rényi divergence on a limited range of orders to (ε, δ)."""

from dpbounds.notation import *

source = Source("yu2019.theorem-3")

alpha, rho, u, delta = positive("alpha rho u delta")
n, i = positive_integer("n"), index("i")
over = (i, 1, n)
p, q = laws("p", over), laws("q", over, "positive")

PARAMETERS = [delta < 1, u > 1]
threshold = exp(-rho * (u - 1) ** 2)
inside = rho + 2 * sqrt(rho) * sqrt(log(1 / delta))
at_the_end = rho * u - log(delta) / (u - 1)
epsilon = Piecewise((inside, delta >= threshold), (at_the_end, True))
bounded = ForAll(alpha, And(alpha > 1, alpha <= u), RenyiDivergence(alpha, p, q) <= alpha * rho)

best_order = source.at("Theorem 3, (15) and (16)").claim(
    "The least alpha rho + log(1/delta)/(alpha-1) over 1 < alpha <= u: both branches and the threshold.",
    PARAMETERS, Eq(Infimum(alpha * rho + log(1 / delta) / (alpha - 1), (alpha, 1, u)), epsilon),
    Proof("constrained-order"),
    mutant=([*PARAMETERS, Eq(delta, threshold)], inside <= rho * u - log(delta) / (u - 1) - Rational(1, 1000),
        {rho: 1, u: 2, delta: exp(-1)}),
    note="The branches meet at rho (2u - 1).")

theorem_3 = source.at("Theorem 3").claim(
    "D_alpha <= alpha rho for 1 < alpha <= u gives (epsilon, delta), with epsilon of two branches.",
    [*PARAMETERS, p, q, bounded], HockeyStick(epsilon, p, q) <= delta, Proof("theorem-3"),
    mutant=(HockeyStick(Piecewise((rho, delta >= threshold), (at_the_end, True)), p, q)
        <= delta, {rho: "29/125", u: 10, delta: "1/5", n: 2, p: ("2/3", "1/3"), q: ("1/3", "2/3")}))
