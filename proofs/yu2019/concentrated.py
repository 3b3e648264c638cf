"""Yu et al. 2019, Section II: concentrated differential privacy, its conversions, and sampling, (12) and (13)."""

from sympy import And, Eq, Rational, exp, log, sqrt

from dpbounds import FAILS, HOLDS, Claim, Counterexample, Mutant, Proof
from dpbounds.language.functions import GaussianRenyi, HockeyStick, LossTail, RenyiDivergence, RenyiMoment
from dpbounds.language.quantifiers import ForAll
from dpbounds.language.symbols import family, index, positive, positive_integer, sums_to_one

alpha, rho, delta, t, sigma, sensitivity, rate = positive("alpha rho delta t sigma Delta r")
n, i = positive_integer("n"), index("i")
p, q, u = family("p"), family("q", "positive"), family("u")
over = (i, 1, n)
DISTRIBUTIONS = [sums_to_one(p, over), sums_to_one(q, over)]
divergence, moment = RenyiDivergence(alpha, p[i], q[i], over), RenyiMoment(alpha, p[i], q[i], over)
zcdp = ForAll(alpha, alpha > 1, divergence <= alpha * rho)
a_few_orders = ForAll(alpha, And(alpha > 1, alpha <= 10), divergence <= alpha * rho)
growth = exp(alpha * rho * (alpha - 1))
biased = {n: 2, p: ("2/3", "1/3"), q: ("1/3", "2/3")}

six_to_seven = Claim(
    id="yu2019.equation-7",
    source=("yu2019", "(6) implies (7)"),
    text="On finitely many outcomes: D_alpha <= alpha rho bounds the moment of order alpha - 1 of the "
    "privacy loss by exp((alpha-1) alpha rho).",
    given=[alpha > 1, *DISTRIBUTIONS, divergence <= alpha * rho],
    then=moment <= growth,
    expect=HOLDS,
    by=Proof("zcdp-moment"),
    mutant=Mutant(moment <= exp(rho * (alpha - 1)), by=Counterexample({**biased, alpha: 2, rho: "1/4"})),
)

seven_to_six = Claim(
    id="yu2019.equation-6",
    source=("yu2019", "(7) implies (6)"),
    text="On finitely many outcomes: a moment of order alpha - 1 at most exp((alpha-1) alpha rho) gives D_alpha <= alpha rho.",
    given=[alpha > 1, *DISTRIBUTIONS, moment <= growth],
    then=divergence <= alpha * rho,
    expect=HOLDS,
    by=Proof("zcdp-divergence"),
    mutant=Mutant(divergence <= rho, by=Counterexample({**biased, alpha: 2, rho: "1/4"})),
)

tail = Claim(
    id="yu2019.tail",
    source=("yu2019", "Section II, the tail bound of zCDP"),
    text="On finitely many outcomes: rho-zCDP gives Pr(L > t + rho) <= exp(-t^2/(4 rho)).",
    given=[*DISTRIBUTIONS, zcdp],
    then=LossTail(rho + t, p[i], q[i], over) <= exp(-(t**2) / (4 * rho)),
    expect=HOLDS,
    by=Proof("zcdp-tail"),
    example={n: 1, p: [1], q: [1], rho: 1, t: 1},
    mutant=Mutant(
        LossTail(rho + t, p[i], q[i], over) <= exp(-4 * t**2 / rho),
        given=[*DISTRIBUTIONS, a_few_orders],
        by=Counterexample({**biased, rho: "1/4", t: "2/5"}),
    ),
)

proposition_1 = Claim(
    id="yu2019.proposition-1",
    source=("yu2019", "Proposition 1"),
    text="On finitely many outcomes: rho-zCDP gives (rho + 2 sqrt(rho log(1/delta)), delta)-differential privacy for 0 < delta <= 1.",
    given=[*DISTRIBUTIONS, zcdp, delta <= 1],
    then=HockeyStick(2 * sqrt(rho) * sqrt(log(1 / delta)) + rho, p[i], q[i], over) <= delta,
    expect=HOLDS,
    by=Proof("proposition-1"),
    example={n: 1, p: [1], q: [1], rho: 1, delta: "1/2"},
    mutant=Mutant(
        HockeyStick(rho, p[i], q[i], over) <= delta,
        given=[*DISTRIBUTIONS, a_few_orders],
        by=Counterexample({**biased, rho: "1/4", delta: "1/10"}),
    ),
)

proposition_2 = Claim(
    id="yu2019.proposition-2",
    source=("yu2019", "Proposition 2"),
    text="The Gaussian mechanism with noise Delta sigma is 1/(2 sigma^2)-zCDP.",
    given=[alpha > 1],
    then=GaussianRenyi(alpha, sensitivity * sigma, sensitivity) <= alpha / (2 * sigma**2),
    expect=HOLDS,
    by=Proof("proposition-2"),
    mutant=Mutant(GaussianRenyi(alpha, sensitivity * sigma, sensitivity) <= Rational(9, 20) * alpha / sigma**2),
)

mixture = RenyiDivergence(alpha, rate * u[i] + (1 - rate) * q[i], q[i], over)
base = RenyiDivergence(alpha, u[i], q[i], over)
SAMPLED = [alpha > 1, rate < 1, sums_to_one(u, over), sums_to_one(q, over)]

equation_12 = Claim(
    id="yu2019.equation-12",
    source=("yu2019", "(12)"),
    text="On finitely many outcomes: sampling at rate q takes at most a factor q^alpha off the moment.",
    given=SAMPLED,
    then=alpha * log(rate) + (alpha - 1) * base < (alpha - 1) * mixture,
    expect=HOLDS,
    by=Proof("yu-12"),
    mutant=Mutant(
        (alpha - 1) * log(rate) + (alpha - 1) * base < (alpha - 1) * mixture,
        by=Counterexample({n: 2, u: (1, 0), q: ("1/1000", "999/1000"), alpha: 2, rate: "1/2"}),
    ),
)

equation_13_printed = Claim(
    id="yu2019.equation-13.bounded",
    source=("yu2019", "(13)"),
    text="On finitely many outcomes: if D_alpha of the base is at most alpha rho, sampling leaves more than "
    "alpha rho + alpha/(alpha-1) log q.",
    given=[*SAMPLED, base <= alpha * rho],
    then=alpha * rho + alpha * log(rate) / (alpha - 1) < mixture,
    expect=FAILS,
    by=Counterexample({n: 2, u: ("1/2", "1/2"), q: ("1/2", "1/2"), alpha: 2, rho: 1, rate: "1/2"}),
    note="The base may be far below its bound: here it is 0.",
)

equation_13 = Claim(
    id="yu2019.equation-13",
    source=("yu2019", "(13)"),
    text="On finitely many outcomes: if D_alpha of the base is exactly alpha rho, sampling leaves more than "
    "alpha rho + alpha/(alpha-1) log q.",
    given=[*SAMPLED, Eq(base, alpha * rho)],
    then=alpha * rho + alpha * log(rate) / (alpha - 1) < mixture,
    expect=HOLDS,
    by=Proof("yu-13"),
    corrects="yu2019.equation-13.bounded",
    example={n: 2, u: (1, 0), q: ("1/2", "1/2"), alpha: 2, rho: log(2) / 2, rate: "1/2"},
    mutant=Mutant(alpha * rho < mixture, by=Counterexample({n: 2, u: (1, 0), q: ("1/2", "1/2"), alpha: 2, rho: log(2) / 2, rate: "1/2"})),
)
