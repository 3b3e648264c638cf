"""Yuchen 2019, Conjecture 1: averages of comonotone pairs against one law, and the hypotheses that this needs."""

from dpbounds.notation import *
from dpbounds.theory.averages import comonotone as theory

source = Source("chen2019.conjecture-1", "Conjecture 1")

order, w, n, over = theory.LAMBDA, theory.WEIGHT, theory.SIZE, theory.TOP
y, nu = theory.INDEX, theory.NU
LAWS, RATIOS = theory.LAWS, theory.RATIOS

def divergence(law):
    """D_λ of a law against ν."""
    return RenyiDivergence(order, law, nu[y], over)

averages = [theory.mean(*(law[y] for law in LAWS)), theory.height(y) * nu[y]]
CONCLUSION = divergence(averages[0]) <= divergence(averages[1])
RISING = [theory.rising(k) for k in (0, 1)]
uniform, half = (Rational(1, 3),) * 3, Rational(1, 2)

# One divergence in order, both pairs rising: (1/6, 1/3, 1/2) twice against (1/6, 1/3, 1/2) and (7/30, 7/30, 8/15), ν uniform.
first = ("1/6", "1/3", "1/2")
three_outcomes = {
    order: 2,
    w: half,
    n: 3,
    nu: uniform,
    LAWS[0]: first,
    LAWS[1]: first,
    RATIOS[0]: ("1/2", 1, "3/2"),
    RATIOS[1]: ("7/10", "7/10", "8/5"),
}
only_divergences = [
    order > 1,
    w < 1,
    sums_to_one(nu, over),
    *(sums_to_one(law, over) for law in LAWS),
    *RISING,
    *(divergence(law[y]) <= divergence(ratio[y] * nu[y]) for law, ratio in zip(LAWS, RATIOS, strict=True)),
]

comonotone_only = source.claim(
    "Conjecture 1 if all second laws are one law nu and mu_1/nu, mu_2/nu rise together along the outcomes.",
    only_divergences, CONCLUSION, three_outcomes,
    note="The p_i are one law, the mu_i are not, and all four divergences nearly agree: averages of "
    "different laws are closer to nu.")

comonotone = source.claim(
    "for pairs against one law nu: true if mu_i/nu rise together and all hockey sticks are in order.",
    [order > 1, w < 1, *RISING, *(theory.closer(k) for k in (0, 1))], CONCLUSION,
    Proof("conjecture-1-comonotone"),
    mutant=(only_divergences, three_outcomes),
    corrects="chen2019.conjecture-1",
    note="mu_i = l_i nu; hockey sticks in order mean that p_i/nu is below mu_i/nu in the convex order. In "
    "the mutant one divergence is. Without rising together it fails too: "
    "chen2019.conjecture-1.same-second-laws.")

# --- sticks and moments --------------------------------------------------------------------------------------------

pairs = [(theory.P[y], theory.Q[y], theory.OVER), (theory.MU[y], theory.NU[y], theory.OTHER)]
moments = [Sum(p**order * q ** (1 - order), over) for p, q, over in pairs]
variation = [HockeyStick(0, *pair) for pair in pairs]
sticks_to_moments = source.claim(
    "On finitely many outcomes: hockey-stick divergences in order give Renyi moments in order.",
    [order > 1, theory.ORDERED], moments[0] <= moments[1], Proof("sticks-order-moments"),
    mutant=([order > 1, *(sums_to_one(x, o) for a, b, o in pairs for x in (a.base, b.base)),
        variation[0] <= variation[1]],
        {order: 2, theory.SIZE: 2, theory.OTHER_SIZE: 2, theory.P: ("1/10", "9/10"), theory.Q: ("1/1000",
        "999/1000"), theory.MU: ("3/5", "2/5"), theory.NU: ("1/2", "1/2")}),
    note="In the mutant one of them is in order, the total variation.")
