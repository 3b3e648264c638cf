"""Yu et al. 2019, Theorem 3: from Rényi divergence on a limited range of orders to (ε, δ)."""

from sympy import And, Eq, Piecewise, Rational, exp, log, sqrt

from dpbounds import HOLDS, Claim, Counterexample, Mutant, Proof
from dpbounds.language.functions import HockeyStick, Infimum, RenyiDivergence
from dpbounds.language.quantifiers import ForAll
from dpbounds.language.symbols import family, index, positive, positive_integer, sums_to_one

alpha, rho, u, delta = positive("alpha rho u delta")
n, i = positive_integer("n"), index("i")
p, q = family("p"), family("q", "positive")
over = (i, 1, n)

PARAMETERS = [delta < 1, u > 1]
threshold = exp(-rho * (u - 1) ** 2)
inside = rho + 2 * sqrt(rho) * sqrt(log(1 / delta))
at_the_end = rho * u - log(delta) / (u - 1)
epsilon = Piecewise((inside, delta >= threshold), (at_the_end, True))
bounded = ForAll(alpha, And(alpha > 1, alpha <= u), RenyiDivergence(alpha, p[i], q[i], over) <= alpha * rho)

best_order = Claim(
    id="yu2019.theorem-3.best-order",
    source=("yu2019", "Theorem 3, (15) and (16)"),
    text="The least alpha rho + log(1/delta)/(alpha-1) over 1 < alpha <= u: both branches and the threshold.",
    given=PARAMETERS,
    then=Eq(Infimum(alpha * rho + log(1 / delta) / (alpha - 1), (alpha, 1, u)), epsilon),
    expect=HOLDS,
    by=Proof("constrained-order"),
    mutant=Mutant(
        inside <= rho * u - log(delta) / (u - 1) - Rational(1, 1000),
        given=[*PARAMETERS, Eq(delta, threshold)],
        by=Counterexample({rho: 1, u: 2, delta: exp(-1)}),
    ),
    note="The branches meet at rho (2u - 1).",
)

theorem_3 = Claim(
    id="yu2019.theorem-3",
    source=("yu2019", "Theorem 3"),
    text="On finitely many outcomes: if D_alpha <= alpha rho for 1 < alpha <= u, then (epsilon, "
    "delta)-indistinguishability with epsilon of two branches.",
    given=[*PARAMETERS, sums_to_one(p, over), sums_to_one(q, over), bounded],
    then=HockeyStick(epsilon, p[i], q[i], over) <= delta,
    expect=HOLDS,
    by=Proof("theorem-3"),
    mutant=Mutant(
        HockeyStick(Piecewise((rho, delta >= threshold), (at_the_end, True)), p[i], q[i], over) <= delta,
        by=Counterexample({rho: "29/125", u: 10, delta: "1/5", n: 2, p: ("2/3", "1/3"), q: ("1/3", "2/3")}),
    ),
)
