"""Chen 2019: the Rényi divergence between the mean and the maximum of the privacy loss, as λ → 1 and λ → ∞."""

from sympy import And, Rational, Sum, log

from dpbounds import FAILS, HOLDS, Claim, Counterexample, Mutant, Proof
from dpbounds.language.functions import RenyiDivergence
from dpbounds.language.quantifiers import for_each
from dpbounds.language.symbols import family, index, positive, positive_integer, sums_to_one

SOURCE = ("chen2019", "after the definition of the Rényi divergence")
order, bound = positive("lambda B")
n, i, j = positive_integer("n"), index("i"), positive_integer("j")
p, q = family("p", "positive"), family("q", "positive")
over = (i, 1, n)
PREMISES = [order > 1, sums_to_one(p, over), sums_to_one(q, over)]
loss = log(p[i] / q[i])
mean = Sum(p[i] * loss, over)
divergence = RenyiDivergence(order, p[i], q[i], over)
tiny, tinier = Rational(1, 10**10), Rational(1, 10**400)
coin = {n: 2, p: ("2/3", "1/3"), q: ("1/3", "2/3")}

uniform = Claim(
    id="chen2019.order-to-1",
    source=SOURCE,
    text="On finitely many outcomes: D_lambda tends to the KL divergence as lambda -> 1, for all pairs "
    "(read: at lambda <= 11/10 they differ by at most 1).",
    given=[*PREMISES, order <= Rational(11, 10)],
    then=divergence <= mean + 1,
    expect=FAILS,
    by=Counterexample({order: "11/10", n: 2, p: (1 - tiny, tiny), q: (1 - tinier, tinier)}),
    note="No order is close enough to 1 for all pairs. On infinitely many outcomes the limit itself fails: "
    "p_k ~ k^-3 and q_k ~ e^-k p_k have a finite mean and D_lambda = oo for every lambda > 1.",
)

above_mean = Claim(
    id="chen2019.order-to-1.above",
    source=SOURCE,
    text="On finitely many outcomes: D_lambda is at least the KL divergence, for every lambda > 1.",
    given=PREMISES,
    then=mean <= divergence,
    expect=HOLDS,
    by=Proof("renyi-above-mean"),
    mutant=Mutant(mean <= Rational(9, 10) * divergence, by=Counterexample({**coin, order: "11/10"})),
)

near_mean = Claim(
    id="chen2019.order-to-1.bounded-loss",
    source=SOURCE,
    text="On finitely many outcomes: if |L| <= B, then D_lambda is at most the KL divergence plus (lambda - "
    "1) B^2, for (lambda - 1) B <= 1.",
    given=[*PREMISES, for_each(over, And(-bound <= loss, loss <= bound)), bound * (order - 1) <= 1],
    then=divergence <= mean + (order - 1) * bound**2,
    expect=HOLDS,
    by=Proof("renyi-near-mean"),
    corrects="chen2019.order-to-1",
    mutant=Mutant(divergence <= mean, given=PREMISES, by=Counterexample({**coin, order: 2})),
    note="So the limit holds whenever the loss is bounded, at a rate.",
)

below_maximum = Claim(
    id="chen2019.order-to-infinity.below",
    source=SOURCE,
    text="On finitely many outcomes: D_lambda is at most the largest privacy loss.",
    given=[*PREMISES, for_each(over, loss <= bound)],
    then=divergence <= bound,
    expect=HOLDS,
    by=Proof("renyi-below-maximum"),
    mutant=Mutant(
        divergence <= bound / 2,
        given=[*PREMISES, *(log(p[k] / q[k]) <= bound for k in (1, 2))],
        by=Counterexample({**coin, order: 20, bound: log(2)}),
    ),
)

near_maximum = Claim(
    id="chen2019.order-to-infinity",
    source=SOURCE,
    text="On finitely many outcomes: D_lambda is at least L(j) + log(p_j)/(lambda - 1) for every outcome j, "
    "so that it tends to the largest loss.",
    given=[*PREMISES, j <= n],
    then=log(p[j] / q[j]) + log(p[j]) / (order - 1) <= divergence,
    expect=HOLDS,
    by=Proof("renyi-near-maximum"),
    mutant=Mutant(log(p[j] / q[j]) <= divergence, by=Counterexample({**coin, order: 2, j: 1})),
    note="With the bound above: max L - log(1/p_j)/(lambda - 1) <= D_lambda <= max L.",
)
