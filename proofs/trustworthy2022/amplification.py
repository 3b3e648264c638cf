"""Gatica-Perez, Sajadmanesh & Shahin Shamsabadi 2022: sampling, side knowledge, and the privacy analysis of DP-SGD."""

from dpbounds.notation import *
from dpbounds.theory.sampling import fixed_size_orders

source = Source("trustworthy2022", "slide Privacy analysis of DP-SGD")

epsilon, rate, delta = nonnegative("epsilon"), positive("r"), nonnegative("delta")
y, n = index("y"), positive_integer("n")
over = (y, 1, n)
P, Q, S = laws("p", over), laws("q", over), family("s")

amplified = log(1 + rate * (exp(epsilon) - 1))
mixtures = [rate * x[y] + (1 - rate) * S[y] for x in (P, Q)]
PRIVATE = HockeyStick(epsilon, P, Q) <= delta
LAWS = [sums_to_one(x, over) for x in (P, Q, S)]
batch_size = {epsilon: log(2), rate: "1/2", delta: 0, n: 3, P: ("2/3", "1/3", 0), Q: ("1/3", "2/3", 0), S: (0, 0, 1)}

amplification = source.claim(
    "sampling without replacement, under substitution: (log(1 + q(e^epsilon - 1)), q delta).",
    [rate <= 1, *(HockeyStick(epsilon, P[y], x[y], over) <= delta for x in (Q, S))],
    HockeyStick(amplified, *mixtures, over) <= delta * rate, Proof("sampling-substitution"),
    mutant=(HockeyStick(amplified, *mixtures, over) <= delta * rate / 2,
        {**batch_size, S: ("1/3", "2/3", 0), epsilon: 0, delta: "1/3"}),
    example={epsilon: 0, rate: 1, delta: 1, n: 1, P: [1], Q: [1], S: [1]},
    note="p and q: the sampled record is the old or the new one; s: it is not sampled, and another record "
    "has its place.")

amplification_poisson = source.claim(
    "the same theorem for Poisson sampling, with a base mechanism that is private under substitution.",
    [rate <= 1, *LAWS, PRIVATE], HockeyStick(amplified, *mixtures, over) <= delta * rate, batch_size,
    note="A batch without the record is one record smaller, and substitution says nothing about that: the "
    "mechanism here shows the size.")

plain = [rate * P[y] + (1 - rate) * Q[y], Q[y]]
exact = [HockeyStick(amplified, *plain, over), rate * HockeyStick(epsilon, P, Q)]

amplification_poisson__corrected = source.claim(
    "under removal, Poisson sampling makes delta(epsilon) into exactly q delta(epsilon).",
    [rate <= 1], And(rules.le(*exact), rules.le(*reversed(exact))), Proof("sampling-removal"),
    mutant=([rate <= 1, *LAWS], HockeyStick(rate * epsilon, *plain, over) <= exact[1],
        {**batch_size, epsilon: log(2)}),
    corrects=amplification_poisson,
    note="The mutant has q epsilon for log(1 + q(e^epsilon - 1)).")

# --- the Rényi bound of Wang et al. --------------------------------------------------------------------------------

p, q, s = (family(name, "positive") for name in "pqs")
bound = positive("E")
mixed = [(1 - rate) * s[y] + rate * x[y] for x in (p, q)]
second = RenyiMoment(2, *mixed, over)
terms = (4 * (bound - 1), 2 * bound, bound * (exp(epsilon) - 1) ** 2)

subsampled_rdp = source.at("slide Properties of Rényi DP, Wang et al. 2019").claim(
    "at order 2, without replacement and under substitution.",
    [rate <= 1, *(sums_to_one(x, over) for x in (p, q, s)),
        *(RenyiMoment(2, x[y], z[y], over) <= bound for x, z in ((p, q), (p, s), (q, s))),
        for_each(over, rules.le((p[y] - q[y]) ** 2, (exp(epsilon) - 1) ** 2 * q[y] ** 2))],
    And(*(rules.le(second, 1 + rate**2 * term) for term in terms)), Proof("fixed-size-order-2"),
    mutant=([rate <= 1, *(sums_to_one(x, over) for x in (p, q, s)), RenyiMoment(2, p[y], q[y],
        over) <= bound], second <= 1 + rate**2 * (bound - 1) / 2,
        {rate: 1, bound: "3/2", n: 2, p: ("2/3", "1/3"), q: ("1/3", "2/3"), s: ("1/3", "2/3")}),
    note="e^eps(2) is E. Every integer order: trustworthy2022.subsampled-rdp.every-order.")

order, j_term = fixed_size_orders.ORDER, fixed_size_orders.TERM
E = fixed_size_orders.BOUND
divergence = RenyiDivergence(order, fixed_size_orders.NEW, fixed_size_orders.MIXED, fixed_size_orders.OVER)
THREE_LAWS = [sums_to_one(x, over) for x in (p, q, s)]
NEIGHBOURS = [rate <= 1, order >= 2, *THREE_LAWS, *map(fixed_size_orders.moments_of, fixed_size_orders.NEIGHBOURS)]
FACTORS = [fixed_size_orders.factor_of(pair) for pair in ((p[y], q[y]), (q[y], p[y]))]
NEAR = ("100/201", "101/201")
coins = {n: 2, order: 2, E: (1, "3/2"), p: ("2/3", "1/3"), q: ("1/3", "2/3"), s: ("1/3", "2/3")}

def at_most(bound):
    """D_α ≤ log(bound)/(α − 1)."""
    return divergence <= log(bound) / (order - 1)

subsampled_rdp__every_order = source.at("slide Properties of Rényi DP, Wang et al. 2019").claim(
    "at every integer order >= 2, without replacement, if the privacy loss is unbounded.",
    NEIGHBOURS, at_most(fixed_size_orders.sum_of_bounds(pure=False)), Proof("fixed-size-orders"),
    mutant=([*NEIGHBOURS, order <= 2],
        at_most(1 + binomial(order, 2) * rate**2 * (E[2] - 1) * Rational(99, 100)), {**coins, rate: 1}),
    corrects="trustworthy2022.subsampled-rdp.poisson", example={**coins, rate: 1},
    note="E_j is e^((j-1)eps(j)), j = 2, ..., alpha. The mutant is 1% below the moment itself, at order 2 "
    "without sampling (r = 1).")
subsampled_rdp__every_order_pure = source.at("slide Properties of Rényi DP, Wang et al. 2019").claim(
    "the printed bound at every integer order >= 2, with eps(oo) in it.",
    [*NEIGHBOURS, *FACTORS], at_most(fixed_size_orders.sum_of_bounds(pure=True)),
    Proof("fixed-size-orders-pure"),
    mutant=([*NEIGHBOURS, *FACTORS, order <= 2],
        at_most(1 + binomial(order, 2) * rate**2 * (exp(epsilon) - 1) ** 2 * E[2] * Rational(98, 100)),
        {rate: 1, n: 2, order: 2, epsilon: log(Rational(101, 100)), E: (1, "10101/10100"), p: NEAR[::-1],
        q: NEAR, s: NEAR}),
    corrects="trustworthy2022.subsampled-rdp.poisson", example={**coins, rate: 1, epsilon: log(2)},
    note="eps(oo) is epsilon; the mutant has 98% of the last bound of order 2.")
subsampled_rdp__poisson = source.at("slide Properties of Rényi DP, Wang et al. 2019").claim(
    "the same for any sampling at rate q (read: order 2, Poisson sampling).",
    [rate <= 1, *LAWS, RenyiMoment(2, P, Q) <= bound],
    RenyiMoment(2, *((1 - rate) * S[y] + rate * x[y] for x in (P, Q)), over) <= 1 + 4 * rate**2 * (bound - 1),
    {rate: "1/8", bound: "3/2", n: 3, P: ("2/3", "1/3", 0), Q: ("1/3", "2/3", 0), S: (0, 0, 1)},
    note="Substitution says nothing about a batch without the record. The sum runs to alpha, so that alpha "
    "must be an integer as well.")

# --- side knowledge ------------------------------------------------------------------------------------------------

i, j = index("i"), positive_integer("j")
secrets = (i, 1, n)
w, likelihood = laws("w", secrets, "positive"), family("l", "positive")

posterior = w[j] * likelihood[j] / Sum(w[i] * likelihood[i], secrets)

side_knowledge = source.at("slide Fundamental properties").claim(
    "For finitely many secrets: under (epsilon, delta) the posterior is within O(epsilon) of the prior "
    "(read: 10 epsilon, prior 1/2, two secrets).",
    [*(sums_to_one(x, (y, 1, 3)) for x in (P, Q)),
        *(HockeyStick(epsilon, x[y], z[y], (y, 1, 3)) <= delta for x, z in ((P, Q), (Q, P))), P[1] + Q[1] > 0,
        delta <= epsilon], P[1] / (P[1] + Q[1]) - Rational(1, 2) <= 10 * epsilon,
    {epsilon: "1/100", delta: "1/100", P: ("1/100", 0, "99/100"), Q: (0, "1/100", "99/100")},
    note="With probability delta anything may be shown.")

side_knowledge__corrected = source.at("slide Fundamental properties").claim(
    "For finitely many secrets: under pure epsilon the posterior is within factors e^(+-epsilon).",
    [w, for_each(secrets, rules.le(likelihood[i], exp(epsilon) * likelihood[j])),
        for_each(secrets, rules.le(likelihood[j], exp(epsilon) * likelihood[i]))],
    And(rules.le(posterior, exp(epsilon) * w[j]), rules.le(exp(-epsilon) * w[j], posterior)),
    Proof("side-knowledge"),
    mutant=([w, j <= n, *(likelihood[a] <= exp(epsilon) * likelihood[b] for a, b in ((1, 2), (2, 1)))],
        posterior <= exp(epsilon / 2) * w[j],
        {n: 2, j: 1, epsilon: log(3), w: ("1/10", "9/10"), likelihood: (3, 1)}),
    corrects=side_knowledge)

# --- DP-SGD --------------------------------------------------------------------------------------------------------

alpha, clip, sigma = positive("alpha C sigma")

dp_sgd_noise = source.at("slide DP-SGD algorithm").claim(
    "Noise N(0, sigma^2) on a sum of gradients clipped to norm C has D_alpha <= alpha/(2 sigma^2).",
    [alpha > 1], GaussianRenyi(alpha, sigma, clip) <= alpha / (2 * sigma**2), {alpha: 2, sigma: 1, clip: 2},
    note="Abadi et al. add N(0, sigma^2 C^2).")

def scaled_noise(proof):
    """The closed form at sensitivity C and noise σC."""
    from dpbounds.theory.noise import gaussian as theory

    known = theory.gaussian_renyi().result
    at = rules.instance(known, {theory.SIGMA: sigma * clip, theory.DELTA: clip}, [alpha > 1])
    target = rules.eq(GaussianRenyi(alpha, sigma * clip, clip), alpha / (2 * sigma**2))
    return proof("noise in units of the sensitivity", rules.restate(target, at, [alpha > 1]))

dp_sgd_noise__corrected = source.at("slide DP-SGD algorithm").claim(
    "Noise N(0, sigma^2 C^2) on a sum of gradients clipped to norm C has D_alpha = alpha/(2 sigma^2).",
    [alpha > 1], rules.eq(GaussianRenyi(alpha, sigma * clip, clip), alpha / (2 * sigma**2)),
    Proof(scaled_noise),
    mutant=(rules.eq(GaussianRenyi(alpha, sigma * clip, clip), alpha / sigma**2),
        {alpha: 2, sigma: 1, clip: 1}),
    corrects=dp_sgd_noise)

level, miss, steps = positive("epsilon"), positive("delta"), positive_integer("T")

dp_sgd_total = source.claim(
    "T steps: (O(q epsilon sqrt(T log(1/delta))), q T delta) (read: q = 1, Gaussian, factor 1).",
    [miss < 1, GaussianDelta(level, sigma) <= miss],
    GaussianDelta(level * sqrt(steps * log(1 / miss)), sigma / sqrt(steps)) <= steps * miss,
    {level: 10, sigma: "43/100", miss: "1/1000", steps: 100},
    note="The term T q epsilon (e^(q epsilon) - 1) of advanced composition is missing, and so is its delta'. "
    "With more steps a factor 10 fails too.")
