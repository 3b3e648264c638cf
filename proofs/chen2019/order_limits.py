"""Yuchen 2019: the Rényi divergence between the mean and the maximum of the privacy loss, as λ → 1 and λ → ∞."""

from dpbounds.notation import *

source = Source("chen2019", "after the definition of the Rényi divergence")

order, bound = positive("lambda B")
n, i, j = positive_integer("n"), index("i"), positive_integer("j")
over = (i, 1, n)
p, q = laws("p", over, "positive"), laws("q", over, "positive")

PREMISES = [order > 1, p, q]
loss = log(p[i] / q[i])
mean = Sum(p[i] * loss, over)
divergence = RenyiDivergence(order, p, q)
tiny, tinier = Rational(1, 10**10), Rational(1, 10**400)
coin = {n: 2, p: ("2/3", "1/3"), q: ("1/3", "2/3")}

order_to_1 = source.claim(
    "D_lambda tends to the KL divergence as lambda -> 1, for all pairs (read: within 1 at 11/10).",
    [*PREMISES, order <= Rational(11, 10)], divergence <= mean + 1,
    {order: "11/10", n: 2, p: (1 - tiny, tiny), q: (1 - tinier, tinier)},
    note="No order is close enough to 1 for all pairs. On infinitely many outcomes the limit itself fails: "
    "p_k ~ k^-3 and q_k ~ e^-k p_k have a finite mean and D_lambda = oo for every lambda > 1.")

order_to_1__above = source.claim("D_lambda is at least the KL divergence, for every lambda > 1.",
    PREMISES, mean <= divergence, Proof("renyi-above-mean"),
    mutant=(mean <= Rational(9, 10) * divergence, {**coin, order: "11/10"}))

order_to_1__bounded_loss = source.claim(
    "if |L| <= B, D_lambda exceeds the KL divergence by at most (lambda - 1) B^2.",
    [*PREMISES, for_each(over, And(-bound <= loss, loss <= bound)), bound * (order - 1) <= 1],
    divergence <= mean + (order - 1) * bound**2, Proof("renyi-near-mean"),
    mutant=(PREMISES, divergence <= mean, {**coin, order: 2}),
    corrects=order_to_1,
    note="So the limit holds whenever the loss is bounded, at a rate.")

order_to_infinity__below = source.claim("D_lambda is at most the largest privacy loss.",
    [*PREMISES, for_each(over, loss <= bound)], divergence <= bound, Proof("renyi-below-maximum"),
    mutant=([*PREMISES, *(log(p[k] / q[k]) <= bound for k in (1, 2))], divergence
        <= bound / 2, {**coin, order: 20, bound: log(2)}))

order_to_infinity = source.claim(
    "D_lambda is at least L(j) + log(p_j)/(lambda - 1) for every j: it tends to the largest loss.",
    [*PREMISES, j <= n], log(p[j] / q[j]) + log(p[j]) / (order - 1) <= divergence,
    Proof("renyi-near-maximum"),
    mutant=(log(p[j] / q[j]) <= divergence, {**coin, order: 2, j: 1}),
    note="With the bound above: max L - log(1/p_j)/(lambda - 1) <= D_lambda <= max L.")
