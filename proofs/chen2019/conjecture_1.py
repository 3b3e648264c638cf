"""Yuchen 2019, Conjecture 1: do averages of closer pairs stay closer in Rényi divergence? No, for no order λ > 1."""

from dpbounds.notation import *

source = Source("chen2019.conjecture-1", "Conjecture 1")

lam = real("lam")
m = positive_integer("m")
j = index("j")
LAWS = p1, p2, q1, q2, mu1, mu2, nu1, nu2 = laws("p1 p2 q1 q2 mu1 mu2 nu1 nu2", (j, 1, m))

def divergence(p, q):
    """D_λ of two laws on m points."""
    return RenyiDivergence(lam, p, q)

PREMISES = [lam > 1, *LAWS, divergence(p1, q1) <= divergence(mu1, nu1), divergence(p2, q2) <= divergence(mu2, nu2)]
CONCLUSION = divergence((p1 + p2) / 2, (q1 + q2) / 2) <= divergence((mu1 + mu2) / 2, (nu1 + nu2) / 2)

HALF = Rational(1, 2)
fair, one, two, low, high = (HALF, HALF), (1, 0), (0, 1), ("1/3", "2/3"), ("2/3", "1/3")

conjecture_1 = source.claim(
    "If p_i and q_i are closer than mu_i and nu_i for i = 1, 2, then so are their averages (distributions on "
    "finitely many outcomes).",
    PREMISES, CONCLUSION,
    {m: 2, lam: 2, p1: one, p2: one, q1: fair, q2: fair, mu1: one, mu2: two, nu1: fair, nu2: fair},
    note="Two point masses average to the fair coin, which is what they are compared with.")

full_support = source.claim("Conjecture 1 for distributions of full support.",
    [*PREMISES, *(Sum(law[j] ** -1, law.over) <= 10 for law in LAWS)], CONCLUSION,
    {m: 2, lam: 2, p1: low, p2: low, q1: high, q2: high, mu1: low, mu2: high, nu1: high, nu2: low})

# --- false at every order ------------------------------------------------------------------------------------------

order = positive("lambda")
heads, tails, coin = Tuple(1, 0), Tuple(0, 1), Tuple(HALF, HALF)

def table_divergence(p, q):
    """D_λ of two tables."""
    return RenyiDivergence(order, p, q)

every_order = source.claim(
    "For every lambda > 1, heads twice against heads and tails meet the premises and not the conclusion.",
    [order > 1],
    And(rules.le(table_divergence(heads, coin), table_divergence(heads, coin)),
        rules.le(table_divergence(heads, coin), table_divergence(tails, coin)),
        rules.lt(table_divergence(coin, coin), table_divergence(heads, coin))), Proof("conjecture-1-fails"),
    mutant=(rules.lt(table_divergence(heads, coin), table_divergence(tails, coin)), {order: 2}),
    note="The averages of mu_1, mu_2 are the coin; those of p_1, p_2 are still heads.")

# --- a true case ---------------------------------------------------------------------------------------------------

i, y, n = index("j"), index("y"), positive_integer("n")
P, Q, ratio, nu = family("p"), family("q", "positive"), family("l"), family("nu", "positive")
pairs, outcomes = (i, 1, m), (y, 1, n)
first, second = (P[i, y], Q[i, y]), (ratio[y] * nu[i, y], nu[i, y])

def mean(weights):
    """The average over all pairs, at one outcome."""
    return Sum(weights, pairs) / m

def divergence_of(p, q):
    """D_λ of two laws on n outcomes."""
    return RenyiDivergence(order, p, q, outcomes)

common_ratio = source.claim(
    "Conjecture 1, for any number of pairs, holds if all mu_i/nu_i are one likelihood ratio.",
    [order > 1, *(for_each(pairs, Eq(Sum(weights, outcomes), 1)) for weights in (*first, *second)),
        for_each(pairs, divergence_of(*first) <= divergence_of(*second))],
    divergence_of(*map(mean, first)) <= divergence_of(*map(mean, second)), Proof("conjecture-1-common-ratio"),
    mutant=(PREMISES, CONCLUSION, conjecture_1.by),
    corrects=conjecture_1,
    note="The mutant is the conjecture without a common ratio.")
