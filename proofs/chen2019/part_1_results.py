"""Yuchen 2019: what the post takes from its first part (Gaussian noise, composition, subsampling); the text of that part is not at hand.

The statements are those of Dwork & Roth 2014, Dwork, Rothblum & Vadhan 2010 and Balle, Barthe & Gaboardi 2018.
"""

from dpbounds.notation import *

source = Source("chen2019", "before (6.99), of part 1")

y, sigma, t, delta = real("y"), *positive("sigma t delta")
epsilon, total = positive("epsilon tau")
steps, n, m = positive_integer("k"), positive_integer("n"), positive_integer("m")
i, h, out = index("i"), index("h"), index("y")
over = (i, 1, n)
p, q = laws("p", over, "positive"), laws("q", over, "positive")

loss = log(p[i] / q[i])
mean = Sum(p[i] * loss, over)
moment = Sum(p[i] ** (1 + t) * q[i] ** -t, over)
BOUNDED = for_each(over, And(-epsilon <= loss, loss <= epsilon))
centre = epsilon * (exp(epsilon) - 1)

part_1__gaussian_tail = source.at("(6.7), of part 1").claim(
    "Gaussian noise exceeds t > 0 with probability at most exp(-t^2/(2 sigma^2))/2.",
    Integral(normal_density(y, 0, sigma), (y, t, oo)) <= exp(-(t**2) / (2 * sigma**2)) / 2,
    Proof("gaussian-tail"),
    mutant=(NormalCDF(-t / sigma) <= exp(-(t**2) / (2 * sigma**2)) / 5, {t: "1/10", sigma: 1}),
    note="(6.8) for the Gaussian mechanism is chen2019.example-2.")

noise_level = sqrt(2) * sqrt(log(1 / delta)) / epsilon + sqrt(2) / (2 * sqrt(epsilon))

part_1__claim_9 = source.at("Claims 8 and 9, (6.81), of part 1").claim(
    "The noise that makes the Gaussian mechanism (epsilon, delta)-private.",
    [delta < 1, noise_level < sigma],
    HockeyStick(epsilon, normal_density(y, 1, sigma), normal_density(y, 0, sigma), (y, -oo, oo)) <= delta,
    Proof("claim-9"),
    mutant=([delta < 1, sqrt(2) * sqrt(log(1 / delta)) / epsilon < sigma], GaussianDelta(epsilon, sigma)
        <= delta, {epsilon: 10, delta: exp(-2), sigma: "21/100"}))

part_1__mean_of_loss = source.claim(
    "if |L| <= epsilon, the mean of the loss is at most epsilon (e^epsilon - 1).",
    [p, q, BOUNDED], mean <= centre, Proof("bounded-loss-mean"),
    mutant=([p, q, *(And(-epsilon <= log(p[k] / q[k]), log(p[k] / q[k]) <= epsilon) for k in (1, 2))], mean
        <= epsilon**2 / 3, {epsilon: "101/1000", n: 2, p: ("21/40", "19/40"), q: ("19/40", "21/40")}))

part_1__moment_of_loss = source.claim(
    "if |L| <= epsilon: the moments of the loss, a = epsilon (e^epsilon - 1).",
    [p, q, BOUNDED], moment <= exp(t * centre + t**2 * epsilon**2 / 2), Proof("pure-moment"),
    mutant=([p, q, *(And(-epsilon <= log(p[k] / q[k]), log(p[k] / q[k]) <= epsilon) for k in (1, 2))], moment
        <= exp(t * epsilon**2 / 2), {t: 2, epsilon: "101/1000", n: 2, p: ("21/40", "19/40"), q: ("19/40",
        "21/40")}))

composed = ForAll(t, true, log(moment) <= steps * (t * centre + t**2 * epsilon**2 / 2))

equation_6__99 = source.at("(6.99), of part 1").claim(
    "the tail of the loss of k adaptive epsilon-private steps (Azuma), a = epsilon (e^epsilon - 1).",
    [composed, total > steps * centre],
    LossTail(total, p, q) <= exp(-((total - steps * centre) ** 2) / (2 * steps * (epsilon + centre) ** 2)),
    Proof("azuma-tail"),
    mutant=([p, q, epsilon >= log(10), total >= Rational(1, 10)],
        LossTail(total, p, q) <= exp(-2 * (total - steps * centre) ** 2 / (steps * epsilon**2)),
        {total: "1/10", steps: 1, epsilon: log(10), n: 2, p: ("10/11", "1/11"), q: ("1/11", "10/11")}),
    uses=[part_1__moment_of_loss, "chen2019.claim-22"],
    example={n: 1, p: [1], q: [1], steps: 1, epsilon: 1, total: 2},
    note="Claim 22 multiplies the moments of the steps, which is the premise.")

part_1__advanced_composition = source.at("Claims 16 and 18, of part 1").claim(
    "Advanced composition of k adaptive epsilon-private steps.",
    [composed, delta < 1],
    HockeyStick(sqrt(2) * epsilon * sqrt(steps) * sqrt(log(1 / delta)) + epsilon * steps * (exp(epsilon) - 1),
        p, q) <= delta, Proof("advanced-composition"),
    mutant=([delta < 1],
        GaussianDelta(sqrt(2) * epsilon * sqrt(steps) * sqrt(log(1 / delta)), 1 / (epsilon * sqrt(steps)))
        <= delta, {epsilon: 1, steps: 100, delta: "1/10"}),
    uses=[part_1__moment_of_loss, "chen2019.claim-22"],
    example={n: 1, p: [1], q: [1], steps: 1, epsilon: 1, delta: "1/2"},
    note="For delta > 0 in every step add the deltas, chen2019.part-1.basic-composition. The mutant drops "
    "the linear term and reads Gaussian steps of moments exp(t(t+1) epsilon^2/2), which are below the "
    "premise.")

P, Q, S = family("p"), family("q"), family("s")
K, L = family("K"), family("L")
e1, e2 = real("epsilon_1"), real("epsilon_2")
d, d1, d2 = nonnegative("delta"), nonnegative("delta_1"), nonnegative("delta_2")
first_over, outputs = (h, 1, m), (out, 1, n)
a, b = positive("a b")
pair = [Tuple(x**2, x * (1 - x), x * (1 - x), (1 - x) ** 2) for x in (a, b)]

part_1__basic_composition = source.at("Claims 16 and 18, of part 1").claim(
    "Basic composition: epsilon and delta of a law and of kernels that follow it add up.",
    [sums_to_one(P, first_over), for_each(first_over, Eq(Sum(K[h, out], outputs), 1)),
        HockeyStick(e1, P[h], Q[h], first_over) <= d1,
        for_each(first_over, HockeyStick(e2, K[h, out], L[h, out], outputs) <= d2)],
    Sum(Max(P[h] * K[h, out] - exp(e1 + e2) * Q[h] * L[h, out], 0), outputs, first_over) <= d1 + d2,
    Proof("approximate-composition"),
    mutant=([a < 1, b < 1, HockeyStick(e1, Tuple(a, 1 - a), Tuple(b, 1 - b)) <= d1], HockeyStick(e1 + e2,
        *pair) <= d1, {a: "2/3", b: "1/3", e1: log(2), e2: 0, d1: 0}))

level, rate = nonnegative("epsilon"), positive("r")
amplified = log(1 + rate * (exp(level) - 1))
mixtures = [rate * x[out] + (1 - rate) * S[out] for x in (P, Q)]

part_1__claim_19 = source.at("Claim 19, of part 1").claim(
    "r p + (1-r) s against r q + (1-r) s has (log(1 + r(e^epsilon - 1)), r delta).",
    [rate <= 1, *(HockeyStick(level, P[out], x[out], outputs) <= d for x in (Q, S))],
    HockeyStick(amplified, *mixtures, outputs) <= d * rate, Proof("sampling-substitution"),
    mutant=([rate <= 1, *(sums_to_one(x, outputs) for x in (P, Q, S)), HockeyStick(level, P[out], Q[out],
        outputs) <= d],
        {level: log(2), rate: "1/2", d: 0, n: 3, P: ("2/3", "1/3", 0), Q: ("1/3", "2/3", 0), S: (0, 0, 1)}),
    example={level: 0, rate: 1, d: 1, n: 1, P: [1], Q: [1], S: [1]},
    note="s is the law without the record: for batches of m out of n, the average over batches in which "
    "another record took its place. The mutant leaves that premise out.")
