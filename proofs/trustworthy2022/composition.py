"""Gatica-Perez, Sajadmanesh & Shahin Shamsabadi 2022: post-processing and the composition theorems."""

from dpbounds.notation import *

source = Source("trustworthy2022", "slide Fundamental properties")

epsilon, e1, e2 = real("epsilon"), real("epsilon_1"), real("epsilon_2")
d, d1, d2 = nonnegative("delta"), nonnegative("delta_1"), nonnegative("delta_2")
h, y, i = index("h"), index("y"), index("i")
m, n, steps = positive_integer("m"), positive_integer("n"), positive_integer("k")
first_over, outputs = (h, 1, m), (y, 1, n)
P, Q, K, L = laws("p", first_over), laws("q", first_over), family("K"), family("L")
rows = for_each(first_over, Eq(Sum(K[h, y], outputs), 1))
a, b = positive("a b")
pair = [Tuple(x**2, x * (1 - x), x * (1 - x), (1 - x) ** 2) for x in (a, b)]
single = HockeyStick(epsilon, bernoulli(a), bernoulli(b))
twice_for_once = Mutant(
    HockeyStick(epsilon, *pair) <= d, given=[a < 1, b < 1, single <= d], by=Counterexample({a: "2/3", b: "1/3", epsilon: log(2), d: 0})
)

post_processing = source.claim("post-processing keeps (epsilon, delta).",
    [rows],
    HockeyStick(epsilon, *(Sum(x[h] * K[h, y], first_over) for x in (P, Q)), outputs)
        <= HockeyStick(epsilon, P, Q), Proof("post-processing"),
    mutant=([a < 1, b < 1],
        HockeyStick(epsilon, *(Tuple(*(x * w for x in law for w in (1, 2))) for law in (bernoulli(a),
        bernoulli(b)))) <= single, {a: "2/3", b: "1/3", epsilon: 0}),
    note="The mutant has a kernel whose rows do not sum to one.")

basic_composition = source.claim(
    "Basic composition: the epsilons and the deltas of a law and of kernels that follow it add up.",
    [P, rows, HockeyStick(e1, P, Q) <= d1,
        for_each(first_over, HockeyStick(e2, K[h, y], L[h, y], outputs) <= d2)],
    Sum(Max(P[h] * K[h, y] - exp(e1 + e2) * Q[h] * L[h, y], 0), outputs, first_over) <= d1 + d2,
    Proof("approximate-composition"),
    mutant=twice_for_once,
    note="Two steps; repeat it for k.")

parallel_composition = source.claim(
    "Mechanisms on distinct data sets have the largest (epsilon, delta), here where both data sets hold the "
    "record that changes.",
    [a < 1, b < 1, single <= d], HockeyStick(epsilon, *pair) <= d,
    {a: "2/3", b: "1/3", epsilon: log(2), d: 0},
    note="The data sets must be disjoint, chosen without looking at the data, and neighbours differ by "
    "adding or removing a record.")

parallel_composition__corrected = source.claim(
    "if one block alone changes, the blocks together have that block's (epsilon, delta).",
    [rows, HockeyStick(epsilon, P, Q) <= d],
    Sum(Max(P[h] * K[h, y] - exp(epsilon) * Q[h] * K[h, y], 0), outputs, first_over) <= d,
    Proof("parallel-composition"),
    mutant=twice_for_once,
    corrects=parallel_composition)

level, t, delta = positive("epsilon"), positive("t"), positive("delta")
over = (i, 1, n)
p, q = laws("p", over, "positive"), laws("q", over, "positive")

moment = Sum(p[i] ** (1 + t) * q[i] ** -t, over)
premise = ForAll(t, true, log(moment) <= steps * (t * level * (exp(level) - 1) + t**2 * level**2 / 2))

advanced_composition = source.claim("Advanced composition of k epsilon-private steps, for delta' < 1.",
    [premise, delta < 1],
    HockeyStick(sqrt(2) * level * sqrt(steps) * sqrt(log(1 / delta)) + level * steps * (exp(level) - 1), p, q)
        <= delta, Proof("advanced-composition"),
    mutant=([delta < 1],
        GaussianDelta(sqrt(2) * level * sqrt(steps) * sqrt(log(1 / delta)), 1 / (level * sqrt(steps)))
        <= delta, {level: 1, steps: 100, delta: "1/10"}),
    uses=["chen2019.part-1.moment-of-loss", "chen2019.claim-22"],
    example={n: 1, p: [1], q: [1], steps: 1, level: 1, delta: "1/2"},
    note="Proved for steps with delta = 0. The slides allow every delta' > 0; beyond 1 the square root is "
    "not real.")

order = positive("lambda")
r1, r2, rho = nonnegative("rho_1"), nonnegative("rho_2"), nonnegative("rho")
fp, fq = family("p"), family("q", "positive")
FK, FL = family("K"), family("L", "positive")

rdp_composition = source.at("slide Properties of Rényi DP").claim(
    "composition adds the Rényi divergences of one order.",
    [order > 1, sums_to_one(fp, first_over), sums_to_one(fq, first_over),
        *(for_each(first_over, Eq(Sum(kernel[h, y], outputs), 1)) for kernel in (FK, FL)),
        RenyiDivergence(order, fp[h], fq[h], first_over) <= r1,
        for_each(first_over, RenyiDivergence(order, FK[h, y], FL[h, y], outputs) <= r2)],
    log(Sum((FK[h, y] * fp[h]) ** order * (FL[h, y] * fq[h]) ** (1 - order), outputs,
        first_over)) / (order - 1) <= r1 + r2, Proof("two-step-composition"),
    mutant=([order > 1, a < 1, b < 1, RenyiDivergence(order, bernoulli(a), bernoulli(b)) <= rho],
        RenyiDivergence(order, *pair) <= rho, {order: 2, a: "2/3", b: "1/3", rho: "1/2"}))

bound = positive("rho")

rdp_conversion = source.at("slide Properties of Rényi DP").claim(
    "D_alpha <= rho gives (rho + log(1/delta)/(alpha - 1), delta).",
    [order > 1, sums_to_one(fp, over), sums_to_one(fq, over),
        RenyiDivergence(order, fp[i], fq[i], over) <= bound],
    HockeyStick(bound + log(1 / delta) / (order - 1), fp[i], fq[i], over) <= delta, Proof("rdp-to-epsilon"),
    mutant=(HockeyStick(bound, fp[i], fq[i], over)
        <= delta, {n: 2, fp: (Rational(1, 2), Rational(1, 2)), fq: ("1/10", "9/10"), order: 2, bound: log(3),
        delta: "1/10"}))
