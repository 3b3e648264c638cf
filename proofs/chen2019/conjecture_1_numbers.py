"""Yuchen 2019, Conjecture 1 for more than two pairs: false for every number of them, and what the reduction to two pairs needs."""

from dpbounds.notation import *

source = Source("chen2019.conjecture-1", "Conjecture 1")

order, n = positive("lambda"), positive_integer("n")
HALF = Rational(1, 2)
heads, coin = Tuple(1, 0), Tuple(HALF, HALF)
averaged = Tuple(1 - 1 / n, 1 / n)
divergences = [RenyiDivergence(order, law, coin) for law in (averaged, heads)]

def every_number(proof):
    """x^λ + (1−x)^λ < 1 at x = 1/n."""
    given = [order > 1, n >= 2]
    z = positive("z")
    parts = []
    for x in (1 / n, 1 - 1 / n):
        shown = rules.positive(x, given)
        below = rules.apply(Lambda(z, z ** (order - 1)), rules.sign(rules.lt(x, 1), given), given, using=[shown])
        parts.append(rules.restate(rules.lt(x**order, x), rules.scale(below, x, given, using=[shown]), given, using=[shown]))
    moments = proof("each share is below itself", rules.restate(rules.lt(parts[0].lhs + parts[1].lhs, 1), rules.add(*parts)))
    scaled = rules.scale(moments, 2 ** (order - 1), given)
    above = rules.positive(moments.lhs, given)
    logs = rules.apply(Lambda(z, log(z)), scaled, given, using=[above])
    divided = rules.scale(logs, 1 / (order - 1), given, using=[above])
    meaning = [rules.definition(divergences[0], given, using=[above]), rules.definition(divergences[1], given)]
    return proof("take the logarithm", rules.restate(rules.lt(*divergences), divided, given, using=[*meaning, above]))

numbers = source.claim("n - 1 heads and one tail average to what is closer to a fair coin than n heads are.",
    [order > 1, n >= 2], rules.lt(*divergences), Proof(every_number),
    mutant=([order > 1, n >= 2], divergences[1] < divergences[0], {order: 2, n: 2}),
    id="every-number",
    note="With p_i = heads, mu_i = heads or (once) tails, q_i = nu_i = the coin, every D_lambda is log 2: "
    "Conjecture 1 fails for n pairs.")

# --- the reduction to two pairs ------------------------------------------------------------------------------------

term, x = index("i"), family("x", "real")
mean = Sum(x[term], (term, 1, n + 1)) / (n + 1)
halves = source.claim("By induction two pairs are enough: the average of n+1 laws is one of two.",
    Eq(mean, x[n + 1] / 2 + Sum(x[term], (term, 1, n)) / (2 * n), evaluate=False), {n: 2, x: (1, 0, 0)},
    note="The weights are 1/(n+1) and n/(n+1): chen2019.conjecture-1.weights.")
