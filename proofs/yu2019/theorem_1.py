"""Yu et al. 2019, Theorem 1: the budgets of zCDP add up under composition."""

from dpbounds.notation import *
from dpbounds.theory.composition import composition as theory

source = Source("yu2019", "Theorem 1")

alpha, (first, second) = positive("lambda"), nonnegative("rho_1 rho_2")
h, y, (m, n) = index("h"), index("y"), positive_integer("m n")
states, outputs = (h, 1, m), (y, 1, n)
p, q = laws("p", states), laws("q", states, "positive")
kernel, other = family("K")[h, y], family("L", "positive")[h, y]
joint = log(Sum((kernel * p[h]) ** alpha * (other * q[h]) ** (1 - alpha), outputs, states)) / (alpha - 1)

def budgets(proof):
    """Claim 22 of Yuchen 2019 at ρ_i = αρ_i."""
    known = theory.two_step_composition().result
    at = rules.instance(known, {first: alpha * first, second: alpha * second}, [alpha > 1])
    return proof("at every order", rules.restate(rules.le(joint, alpha * (first + second)), at, [alpha > 1]))

a, b = positive("a b")
product = [Tuple(x**2, x * (1 - x), x * (1 - x), (1 - x) ** 2) for x in (a, b)]
theorem_1 = source.claim(
    "rho_1-zCDP, then rho_2-zCDP that may depend on its output: (rho_1 + rho_2)-zCDP, order by order.",
    [alpha > 1, p, q, *(for_each(states, Eq(Sum(k, outputs), 1)) for k in (kernel, other)),
        RenyiDivergence(alpha, p, q) <= alpha * first,
        for_each(states, RenyiDivergence(alpha, kernel, other, outputs) <= alpha * second)],
    joint <= alpha * (first + second), Proof(budgets),
    mutant=([alpha > 1, a < 1, b < 1, RenyiDivergence(alpha, bernoulli(a), bernoulli(b)) <= alpha * first],
        RenyiDivergence(alpha, *product) <= alpha * first, {alpha: 2, a: "2/3", b: "1/3", first: "1/4"}),
    uses=["chen2019.claim-22.two-steps"],
    note="The mutant lets the second step go free.")
