"""Yu et al. 2019: statements about concentrated differential privacy that fail."""

from sympy import Rational

from dpbounds import FAILS, Claim, Counterexample, Search
from dpbounds.language.functions import HockeyStick, LossTail, SampledGaussianRenyi
from dpbounds.language.symbols import family, index, nonnegative, positive_integer, real, sums_to_one

alpha = real("alpha")
epsilon, delta = nonnegative("epsilon delta")
m, i = positive_integer("m"), index("i")
p, q = family("p"), family("q")
points = (i, 1, m)

tail = Claim(
    id="yu2019.tail-from-dp",
    source=("yu2019", "Section II, equivalence of (epsilon, delta)-DP and a tail bound"),
    text="On finitely many outcomes: if two distributions are (epsilon, delta)-indistinguishable, the "
    "privacy loss exceeds epsilon with probability at most delta.",
    given=[
        sums_to_one(p, points),
        sums_to_one(q, points),
        HockeyStick(epsilon, p[i], q[i], points) <= delta,
        HockeyStick(epsilon, q[i], p[i], points) <= delta,
    ],
    then=LossTail(epsilon, p[i], q[i], points) <= delta,
    expect=FAILS,
    by=Counterexample({m: 2, epsilon: 0, delta: "1/3", p: ("2/3", "1/3"), q: ("1/3", "2/3")}),
)

average = Claim(
    id="yu2019.theorem-2.average",
    source=("yu2019", "Note on Theorem 2 of the conference version"),
    text="On a random partition into two batches, with rho_1 = 1/2 and rho_2 = 0, the whole is zCDP with the average rho = 1/4.",
    given=[alpha > 1],
    # The record is in the first batch with probability 1/2; the second mechanism is constant.
    then=SampledGaussianRenyi(alpha, 1, Rational(1, 2)) <= alpha * Rational(1, 4),
    expect=FAILS,
    by=Search(),
)
