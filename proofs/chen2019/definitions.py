"""Yuchen 2019: definitions and identities as printed."""

from itertools import combinations

from dpbounds.notation import *

source = Source("chen2019", "the definition of the delta-approximate max divergence")

epsilon, delta = nonnegative("epsilon delta")
order = positive("lambda")
n, i = positive_integer("n"), index("i")
p, q = family("p"), family("q")
three, over = (i, 1, 3), (i, 1, n)
full_p, full_q = laws("p", over, "positive"), laws("q", over, "positive")

approximate_max_divergence = source.claim("the maximum of log((p(y) - delta)/q(y)) bounds epsilon.",
    [sums_to_one(p, three), sums_to_one(q, three),
        And(*(p[k] - delta <= exp(epsilon) * q[k] for k in (1, 2, 3)))],
    HockeyStick(epsilon, p[i], q[i], three) <= delta,
    {epsilon: 0, delta: "1/4", p: (0, "1/2", "1/2"), q: ("1/2", "1/4", "1/4")},
    note="The maximum must run over sets of outcomes, not over single ones.")

missing_exponential = source.at("(9), left side").claim(
    "the moment of p against q is the expectation of (lambda - 1) L: an exp is missing in print.",
    [order > 1, full_p, full_q],
    Eq(Sum(full_p[i] * (order - 1) * log(full_p[i] / full_q[i]), over), RenyiMoment(order, full_p, full_q)),
    {order: 2, n: 2, full_p: ("2/3", "1/3"), full_q: ("1/3", "2/3")},
    id="equation-9")

level, y = real("epsilon"), index("y")
sets = [chosen for size in (1, 2, 3) for chosen in combinations((1, 2, 3), size)]

approximate_max_divergence__corrected = source.claim(
    "if p(S) - e^epsilon q(S) <= delta for every set S of outcomes, then delta(epsilon) <= delta.",
    [sum((p[k] - exp(level) * q[k] for k in chosen), start=0) <= delta for chosen in sets],
    HockeyStick(level, p[y], q[y], (y, 1, 3)) <= delta, Proof("sets-of-outcomes"),
    mutant=([p[k] - exp(level) * q[k] <= delta for k in (1, 2, 3)],
        {level: 0, delta: "1/4", p: (0, "1/2", "1/2"), q: ("1/2", "1/4", "1/4")}),
    corrects=approximate_max_divergence)

exponential = Sum(full_p[i] * exp((order - 1) * log(full_p[i] / full_q[i])), over)
moment = RenyiMoment(order, full_p, full_q)

def with_exponential(proof):
    """p·e^{(λ−1)log(p/q)} = p^λ q^{1−λ}."""
    given = [order > 1]
    defined = rules.definition(moment, given)
    return proof("term by term", rules.chain(rules.equality(exponential, defined.rhs, given), defined))

equation_9__corrected = source.at("(9), left side").claim(
    "the moment of p against q is the expectation of exp((lambda - 1) L).",
    [order > 1], Eq(exponential, moment), Proof(with_exponential),
    mutant=(Eq(Sum(full_p[i] * exp(order * log(full_p[i] / full_q[i])), over), moment),
        {order: 2, n: 2, full_p: ("2/3", "1/3"), full_q: ("1/3", "2/3")}),
    corrects=missing_exponential)
