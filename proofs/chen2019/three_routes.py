"""Yuchen 2019: Claim 28, the theorem of Abadi et al. as quoted in (10), and the comparison of the three routes."""

from dpbounds.notation import *

source = Source("chen2019", "Comparison among different methods")

order, sigma, rate, delta = positive("lambda sigma r delta")
epsilon, level = positive("epsilon"), real("epsilon")
step, epochs, share, constant, noise = positive("x k c_2 C c")
first = positive("c_1")
steps = positive_integer("T")
n, i, y = positive_integer("n"), index("i"), real("y")
over = (i, 1, n)
p, q = laws("p", over), laws("q", over, "positive")

moment = RenyiMoment(order, p, q)

# --- Claim 28 ------------------------------------------------------------------------------------------------------

rare = Rational(1, 3**10)

claim_28_printed = source.at("proof of Claim 28").claim(
    "A moment of at most C bounds Pr(L > epsilon) by exp(C - lambda epsilon) (one step).",
    [order > 1, p, q, moment <= constant], LossTail(epsilon, p, q) <= exp(constant - order * epsilon),
    {order: 2, epsilon: log(3**9), constant: 5, n: 2, p: (rare, 1 - rare), q: (rare**2, 1 - rare**2)},
    id="claim-28",
    note="The post has k C for T log C and lambda for lambda - 1.")

claim_28__corrected = source.at("Claim 28").claim(
    "if T steps have moments at most C each, and T log C <= (lambda/2 - 1) epsilon, then delta(epsilon) <= "
    "exp(-lambda epsilon/2).",
    [order > 1, moment <= constant**steps, steps * log(constant) <= (order / 2 - 1) * level],
    HockeyStick(level, p, q) <= exp(-level * order / 2), Proof("claim-28"),
    mutant=([order > 1, moment <= constant**steps],
        {order: 10, constant: 512, steps: 1, level: "1/2", n: 2, p: (1, 0), q: ("1/2", "1/2")}),
    corrects=claim_28_printed, example={order: 4, constant: 1, steps: 1, level: 1, n: 1, p: [1], q: [1]},
    note="Claim 22 makes the moment of T steps at most C^T. With lambda = c_2 sigma^2 this is delta = "
    "exp(-c_2 sigma^2 epsilon/2).")

# --- Abadi et al., Theorem 1, as quoted ----------------------------------------------------------------------------

equation_10 = source.at("(10), Theorem 1 of Abadi et al. 2016 as quoted").claim(
    "Theorem 1 of Abadi et al. as quoted, with r = c_1 = c_2 = 1.",
    [delta < 1, epsilon < steps, sigma >= sqrt(steps * log(1 / delta)) / epsilon],
    GaussianDelta(epsilon, sigma / sqrt(steps)) <= delta, {epsilon: 10, steps: 100, sigma: 1, delta: exp(-1)},
    note="No other constants help, see the corrected claim.")

level_of = 2 * noise**2 + 3
densities = tuple(normal_density(y, mean, noise / level_of) for mean in (1, 0))

equation_10__no_constants = source.at("(10), Theorem 1 of Abadi et al. 2016 as quoted").claim(
    "For every c, Gaussian noise sigma = c/epsilon at epsilon = 2c^2 + 3 has delta > e^-1.",
    (1 - exp(-3)) / 2 <= HockeyStick(level_of, *densities, (y, -oo, oo)), Proof("noise-of-order-one"),
    mutant=((1 + exp(-3)) / 2 <= GaussianDelta(level_of, noise / level_of), {noise: 100}),
    corrects=equation_10,
    note="With r = 1, delta = 1/e and T steps of sigma = c sqrt(T)/epsilon, which together are one Gaussian "
    "of c/epsilon; T is free, so epsilon < c_1 T is no restriction.")

# --- Routes 1 and 2 ------------------------------------------------------------------------------------------------

base = log(1 + (exp(step) - 1) / rate)

routes__level = source.claim("b(x) = log(1 + (e^x - 1)/r) is at most x/r.",
    [rate <= 1], base <= step / rate, Proof("route-level"),
    mutant=(base <= Rational(9, 10) * step / rate, {rate: 1, step: 1}))

t, small, large, bound = positive("t"), real("epsilon_1"), real("epsilon_2"), real("v")
kappa = Function("kappa", real=True)

def monotone(proof):
    """ε₁t − κ(t) ≤ ε₂t − κ(t) ≤ v."""
    premise = rules.specialize(rules.hypothesis(ForAll(t, true, large * t - kappa(t) <= bound)), t)
    room = rules.scale(rules.hypothesis(small <= large), t)
    return proof("term by term", rules.chain(rules.restate(rules.le(small * t - kappa(t), large * t - kappa(t)), room), premise))

routes__legendre_monotone = source.claim(
    "kappa* does not fall: what bounds epsilon_2 t - kappa(t) bounds epsilon_1 t - kappa(t).",
    [ForAll(t, true, large * t - kappa(t) <= bound), small <= large], small * t - kappa(t) <= bound,
    Proof(monotone),
    mutant=([small * t - t**2 <= bound, small <= large], large * t - t**2 <= bound,
        {t: 1, small: 0, large: 2, bound: 0}),
    note="kappa* is the least such bound.")

routes__large_steps = source.claim(
    "For steps of at least log 2, where Route 1 needs epsilon > k x/r, b(x) is at most epsilon/k.",
    [rate <= 1, epsilon > epochs * step / rate], base <= epsilon / epochs, Proof("route-1-large-steps"),
    mutant=(base <= Rational(9, 10) * epsilon / epochs, {rate: 1, step: 1, epochs: 1, epsilon: "101/100"}),
    note="So k exp(-kappa*(b)) >= k exp(-kappa*(epsilon/k)) >= exp(-k kappa*(epsilon/k)): Route 2 is better "
    "there.")

routes__small_steps = source.claim(
    "For steps below log 2, where Route 1 needs epsilon > k x(e^x - 1)/r, b(x) is at most epsilon/sqrt(r k).",
    [rate <= 1, step < log(2), epsilon > epochs * step * (exp(step) - 1) / rate],
    base <= epsilon / sqrt(rate * epochs), {rate: 1, epochs: 1, step: "1/10", epsilon: "1/50"})

routes__small_steps__corrected = source.claim(
    "For steps with epsilon > k x(e^x - 1)/r, b(x) is at most sqrt(epsilon/(r k)).",
    [rate <= 1, epsilon > epochs * step * (exp(step) - 1) / rate],
    base <= sqrt(epsilon) / (sqrt(epochs) * sqrt(rate)), Proof("route-1-small-steps"),
    mutant=(base <= sqrt(epsilon) / (2 * sqrt(epochs) * sqrt(rate)),
        {rate: 1, epochs: 1, step: "1/10", epsilon: "1/90"}),
    corrects=routes__small_steps)

routes__small_epsilon = source.claim(
    "Route 1 against Route 2 when epsilon is small (read: epsilon <= 1, and where the bounds hold).",
    [rate <= 1, epochs >= 1, epsilon <= 1, sigma * epsilon / epochs >= 1 / (2 * sigma)],
    epochs * exp(-((sigma * sqrt(epsilon / (epochs * rate)) - 1 / (2 * sigma)) ** 2))
        >= exp(-epochs * (sigma * epsilon / epochs - 1 / (2 * sigma)) ** 2),
    {rate: "1/1000", epochs: 1, sigma: 10, epsilon: "1/200"},
    note="No smaller epsilon is allowed at this sigma, and a small rate makes Route 1 win.")

def gaussian_transform(at):
    """κ*(ε) of the Gaussian mechanism, for ε > 1/(2σ²)."""
    return (at * sigma - 1 / (2 * sigma)) ** 2 / 2

centre = step * (exp(step) - 1)
route_1 = exp(-((epsilon - epochs * centre / rate) ** 2) / (2 * epochs / rate * (step + centre) ** 2)) + epochs * exp(
    -gaussian_transform(base)
)
route_2 = exp(-epochs * gaussian_transform(epsilon / epochs))

routes__route_2_superior = source.claim(
    "Route 2 is superior to Route 1 for the Gaussian mechanism: its delta is at most that of Route 1 at "
    "every step size x < log 2.",
    [rate <= 1, epochs >= 1, step < log(2), epsilon > epochs * centre / rate,
        epsilon / epochs > 1 / (2 * sigma**2), base > 1 / (2 * sigma**2)], route_2 <= route_1,
    {rate: "1/10000", epochs: 1, sigma: 1, epsilon: 1, step: "11/4000"},
    note="At r = 1/10000, k = 1, sigma = 1, epsilon = 1 Route 1 gives less than 0.03, Route 2 more than "
    "0.88.")

# --- Routes 2 and 3 ------------------------------------------------------------------------------------------------

depth = (sigma * epsilon / sqrt(epochs) - sqrt(epochs) / (2 * sigma)) ** 2
valid = sigma * epsilon / epochs > 1 / (2 * sigma)

routes__few_epochs = source.claim(
    "Route 2 reaches exp(-c_2 sigma^2 epsilon/2) of Route 3 for k < 2 epsilon/c_2.",
    [valid, epochs < 2 * epsilon / share], exp(-depth / 2) <= exp(-share * sigma**2 * epsilon / 2),
    {sigma: 1, epsilon: 1, epochs: 1, share: "3/2"})

routes__few_epochs__corrected = source.claim(
    "Route 2 reaches exp(-c_2 sigma^2 epsilon/2) of Route 3 only for k < epsilon/c_2.",
    [valid, depth >= share * sigma**2 * epsilon], epochs < epsilon / share, Proof("route-2-against-3"),
    mutant=(epochs < epsilon / (2 * share), {sigma: 10, epsilon: 1, epochs: 1, share: "9/10"}),
    corrects=routes__few_epochs, example={sigma: 2, epsilon: 4, epochs: 1, share: 1})

noisy = share / (2 * constant) * epsilon * sigma**2

def fewer(proof):
    """r ≤ c₁/σ, times T."""
    bound_ = rules.scale(rules.hypothesis(rate <= first / sigma), noisy)
    return proof("times T", rules.restate(rules.le(rate * noisy, first * share * epsilon * sigma / (2 * constant)), bound_))

routes__epochs = source.claim(
    "k = r T is at least c_1 c_2 epsilon sigma/(2 C), for r <= c_1/sigma and T = c_2 epsilon sigma^2/(2 C).",
    [rate <= first / sigma], rate * noisy >= first * share * epsilon * sigma / (2 * constant),
    {rate: "1/2", first: 1, sigma: 1, share: 1, epsilon: 1, constant: 1})

routes__epochs__corrected = source.claim("k = r T is at most c_1 c_2 epsilon sigma/(2 C).",
    [rate <= first / sigma], rate * noisy <= first * share * epsilon * sigma / (2 * constant), Proof(fewer),
    mutant=rate * noisy <= first * share * epsilon * sigma / (3 * constant),
    corrects=routes__epochs)
