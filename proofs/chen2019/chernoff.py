"""Chen 2019: from moments to (ε, δ) (equation (7.7), Claims 20 and 21)."""

from sympy import Function, Rational, Sum, exp, log, oo, true

from dpbounds import FAILS, HOLDS, Claim, Counterexample, Mutant, Proof
from dpbounds.language.functions import GaussianDelta, HockeyStick, Infimum, LossTail, RenyiDivergence, RenyiMoment, Supremum
from dpbounds.language.quantifiers import ForAll
from dpbounds.language.symbols import family, index, positive, positive_integer, real, sums_to_one

t, order, rho, delta = positive("t lambda rho delta")
epsilon = real("epsilon")
n, i = positive_integer("n"), index("i")
p, q = family("p"), family("q", "positive")
over = (i, 1, n)
DISTRIBUTIONS = [sums_to_one(p, over), sums_to_one(q, over)]
moment = RenyiMoment(1 + t, p[i], q[i], over)
chernoff = exp(-t * epsilon) * moment
sharp = t**t / (1 + t) ** (1 + t)
coin = {n: 2, p: ("2/3", "1/3"), q: ("1/3", "2/3")}

tail = Claim(
    id="chen2019.equation-7.7",
    source=("chen2019", "(7.7)"),
    text="On finitely many outcomes: the privacy loss exceeds epsilon with probability at most exp(kappa(t) - epsilon t), for every t > 0.",
    then=LossTail(epsilon, p[i], q[i], over) <= chernoff,
    expect=HOLDS,
    by=Proof("chernoff-tail"),
    mutant=Mutant(LossTail(epsilon, p[i], q[i], over) <= sharp * chernoff, by=Counterexample({**coin, epsilon: 0, t: 1})),
    note="The mutant has the constant that the hockey-stick divergence allows and the tail does not.",
)

sharp_delta = Claim(
    id="chen2019.chernoff-sharp",
    source=("chen2019", "Claim 20, with the constant of Canonne, Kamath & Steinke 2020, Proposition 12"),
    text="On finitely many outcomes: delta(epsilon) is at most t^t/(1+t)^(1+t) exp(kappa(t) - epsilon t), "
    "for every t > 0 and real epsilon.",
    then=HockeyStick(epsilon, p[i], q[i], over) <= sharp * chernoff,
    expect=HOLDS,
    by=Proof("sharp-delta"),
    mutant=Mutant(
        HockeyStick(epsilon, p[i], q[i], over) <= Rational(9, 10) * sharp * chernoff,
        by=Counterexample({n: 2, p: (1, 0), q: ("1/2", "1/2"), t: 1, epsilon: 0}),
    ),
    note="Equality at a loss of log((1+t)/t) + epsilon: here p/q = 2, t = 1, epsilon = 0.",
)

claim_20 = Claim(
    id="chen2019.claim-20.one-sided",
    source=("chen2019", "Claim 20"),
    text="On finitely many outcomes: delta(epsilon) of (p, q) is at most exp(-kappa*(epsilon)) of (p, q).",
    then=HockeyStick(epsilon, p[i], q[i], over) <= Infimum(exp(-epsilon * t) * Sum(p[i] ** (t + 1) / q[i] ** t, over), (t, 0, oo)),
    expect=HOLDS,
    by=Proof("claim-20"),
    corrects="chen2019.claim-20",
    mutant=Mutant(
        HockeyStick(epsilon, q[i], p[i], over) <= chernoff,
        by=Counterexample({n: 2, p: ("9/10", "1/10"), q: ("1/2", "1/2"), epsilon: log(2), t: 20}),
    ),
)

claim_20_printed = Claim(
    id="chen2019.claim-20",
    source=("chen2019", "Claim 20"),
    text="On finitely many outcomes: indistinguishability in both directions from the moments of one: delta "
    "of (q, p) is at most exp(kappa(t) - epsilon t) of (p, q).",
    given=DISTRIBUTIONS,
    then=HockeyStick(epsilon, q[i], p[i], over) <= chernoff,
    expect=FAILS,
    by=Counterexample({n: 2, p: ("9/10", "1/10"), q: ("1/2", "1/2"), epsilon: log(2), t: 20}),
)

bounded = RenyiDivergence(order, p[i], q[i], over) <= rho

claim_21_1 = Claim(
    id="chen2019.claim-21.1",
    source=("chen2019", "Claim 21, item 1"),
    text="On finitely many outcomes: D_lambda <= rho gives delta(epsilon) <= exp((lambda - 1)(rho - epsilon)).",
    given=[order > 1, *DISTRIBUTIONS, bounded],
    then=HockeyStick(epsilon, p[i], q[i], over) <= exp((order - 1) * (rho - epsilon)),
    expect=HOLDS,
    by=Proof("rdp-to-delta"),
    mutant=Mutant(
        HockeyStick(epsilon, p[i], q[i], over) <= exp((order - 1) * (rho - epsilon)) / 5,
        by=Counterexample({n: 2, p: (1, 0), q: ("1/2", "1/2"), order: 2, rho: log(2), epsilon: 0}),
    ),
    note="Vacuous for epsilon < rho. At lambda = 2 the best constant in front is 1/4; the mutant has 1/5.",
)

claim_21_3 = Claim(
    id="chen2019.claim-21.3",
    source=("chen2019", "Claim 21, item 3"),
    text="On finitely many outcomes: D_lambda <= rho gives (rho + log(1/delta)/(lambda - 1), delta).",
    given=[order > 1, *DISTRIBUTIONS, bounded],
    then=HockeyStick(rho + log(1 / delta) / (order - 1), p[i], q[i], over) <= delta,
    expect=HOLDS,
    by=Proof("rdp-to-epsilon"),
    mutant=Mutant(
        HockeyStick(rho - log(1 / delta) / (order - 1), p[i], q[i], over) <= delta,
        by=Counterexample({n: 2, p: (1, 0), q: ("1/2", "1/2"), order: 2, rho: log(2), delta: "1/4"}),
    ),
)

claim_21_2_printed = Claim(
    id="chen2019.claim-21.2",
    source=("chen2019", "Claim 21, item 2"),
    text="On finitely many outcomes: delta(epsilon) <= -exp(kappa*(epsilon)) with kappa(t) = t rho(t + 1); read at one t.",
    given=[order > 1, *DISTRIBUTIONS, bounded],
    then=HockeyStick(epsilon, p[i], q[i], over) <= -exp((order - 1) * (epsilon - rho)),
    expect=FAILS,
    by=Counterexample({n: 1, p: [1], q: [1], order: 2, rho: 1, epsilon: 0}),
    note="The sign belongs into the exponent: exp(-kappa*).",
)

kappa = Function("kappa", real=True)
cumulant = log(Sum(p[i] ** (t + 1) / q[i] ** t, over))

claim_21_2 = Claim(
    id="chen2019.claim-21.2.corrected",
    source=("chen2019", "Claim 21, item 2"),
    text="On finitely many outcomes: if kappa bounds the cumulants of the loss, delta(epsilon) <= exp(-kappa*(epsilon)).",
    given=[*DISTRIBUTIONS, ForAll(t, true, cumulant <= kappa(t))],
    then=HockeyStick(epsilon, p[i], q[i], over) <= exp(-Supremum(epsilon * t - kappa(t), (t, 0, oo))),
    expect=HOLDS,
    by=Proof("claim-21-2"),
    corrects="chen2019.claim-21.2",
    mutant=Mutant(GaussianDelta(epsilon, 1) <= exp(-((epsilon - Rational(1, 2)) ** 2)), given=(), by=Counterexample({epsilon: 6})),
    note="The mutant reads the Gaussian mechanism of sigma = 1, where kappa*(epsilon) = (epsilon - 1/2)^2/2, with 2 kappa*.",
)
