"""Chen 2019: Claim 28, the theorem of Abadi et al. as quoted in (10), and the comparison of the three routes."""

from sympy import Function, Rational, exp, log, oo, sqrt, true

from dpbounds import FAILS, HOLDS, Claim, Counterexample, Mutant, Proof
from dpbounds.language.functions import GaussianDelta, HockeyStick, LossTail, RenyiMoment, normal_density
from dpbounds.language.quantifiers import ForAll
from dpbounds.language.symbols import family, index, positive, positive_integer, real, sums_to_one
from dpbounds.prover import derive, rules

ROUTES = ("chen2019", "Comparison among different methods")
order, sigma, rate, delta = positive("lambda sigma r delta")
epsilon, level = positive("epsilon"), real("epsilon")
step, epochs, share, constant, noise = positive("x k c_2 C c")
first = positive("c_1")
steps = positive_integer("T")
n, i, y = positive_integer("n"), index("i"), real("y")
p, q = family("p"), family("q", "positive")
over = (i, 1, n)
DISTRIBUTIONS = [sums_to_one(p, over), sums_to_one(q, over)]
moment = RenyiMoment(order, p[i], q[i], over)

# --- Claim 28 ------------------------------------------------------------------------------------------------------

rare = Rational(1, 3**10)

claim_28_printed = Claim(
    id="chen2019.claim-28",
    source=("chen2019", "proof of Claim 28"),
    text="On finitely many outcomes: if the moment of order lambda is at most C, then Pr(L > epsilon) is at "
    "most exp(C - lambda epsilon) (one step).",
    given=[order > 1, *DISTRIBUTIONS, moment <= constant],
    then=LossTail(epsilon, p[i], q[i], over) <= exp(constant - order * epsilon),
    expect=FAILS,
    by=Counterexample({order: 2, epsilon: log(3**9), constant: 5, n: 2, p: (rare, 1 - rare), q: (rare**2, 1 - rare**2)}),
    note="The post has k C for T log C and lambda for lambda - 1.",
)

claim_28 = Claim(
    id="chen2019.claim-28.corrected",
    source=("chen2019", "Claim 28"),
    text="On finitely many outcomes: if T steps have moments at most C each, and T log C <= (lambda/2 - 1) "
    "epsilon, then delta(epsilon) <= exp(-lambda epsilon/2).",
    given=[order > 1, moment <= constant**steps, steps * log(constant) <= (order / 2 - 1) * level],
    then=HockeyStick(level, p[i], q[i], over) <= exp(-level * order / 2),
    expect=HOLDS,
    by=Proof("claim-28"),
    corrects="chen2019.claim-28",
    example={order: 4, constant: 1, steps: 1, level: 1, n: 1, p: [1], q: [1]},
    mutant=Mutant(
        HockeyStick(level, p[i], q[i], over) <= exp(-level * order / 2),
        given=[order > 1, moment <= constant**steps],
        by=Counterexample({order: 10, constant: 512, steps: 1, level: "1/2", n: 2, p: (1, 0), q: ("1/2", "1/2")}),
    ),
    note="Claim 22 makes the moment of T steps at most C^T. With lambda = c_2 sigma^2 this is delta = exp(-c_2 sigma^2 epsilon/2).",
)

# --- Abadi et al., Theorem 1, as quoted ----------------------------------------------------------------------------

quoted = Claim(
    id="chen2019.equation-10",
    source=("chen2019", "(10), Theorem 1 of Abadi et al. 2016 as quoted"),
    text="T steps with sigma >= c_2 r sqrt(T log(1/delta))/epsilon, epsilon < c_1 r^2 T are (epsilon, delta)-private (r = c_1 = c_2 = 1).",
    given=[delta < 1, epsilon < steps, sigma >= sqrt(steps * log(1 / delta)) / epsilon],
    then=GaussianDelta(epsilon, sigma / sqrt(steps)) <= delta,
    expect=FAILS,
    by=Counterexample({epsilon: 10, steps: 100, sigma: 1, delta: exp(-1)}),
    note="No other constants help, see the corrected claim.",
)

level_of = 2 * noise**2 + 3
densities = tuple(normal_density(y, mean, noise / level_of) for mean in (1, 0))

no_constants = Claim(
    id="chen2019.equation-10.no-constants",
    source=("chen2019", "(10), Theorem 1 of Abadi et al. 2016 as quoted"),
    text="For every c, Gaussian noise sigma = c/epsilon at epsilon = 2c^2 + 3 has delta(epsilon) >= (1 - e^-3)/2 > e^-1.",
    then=(1 - exp(-3)) / 2 <= HockeyStick(level_of, *densities, (y, -oo, oo)),
    expect=HOLDS,
    by=Proof("noise-of-order-one"),
    corrects="chen2019.equation-10",
    mutant=Mutant((1 + exp(-3)) / 2 <= GaussianDelta(level_of, noise / level_of), by=Counterexample({noise: 100})),
    note="With r = 1, delta = 1/e and T steps of sigma = c sqrt(T)/epsilon, which together are one Gaussian of c/epsilon; "
    "T is free, so epsilon < c_1 T is no restriction.",
)

# --- Routes 1 and 2 ------------------------------------------------------------------------------------------------

base = log(1 + (exp(step) - 1) / rate)

route_level = Claim(
    id="chen2019.routes.level",
    source=ROUTES,
    text="b(x) = log(1 + (e^x - 1)/r) is at most x/r.",
    given=[rate <= 1],
    then=base <= step / rate,
    expect=HOLDS,
    by=Proof("route-level"),
    mutant=Mutant(base <= Rational(9, 10) * step / rate, by=Counterexample({rate: 1, step: 1})),
)

t, small, large, bound = positive("t"), real("epsilon_1"), real("epsilon_2"), real("v")
kappa = Function("kappa", real=True)


def monotone():
    """ε₁t − κ(t) ≤ ε₂t − κ(t) ≤ v."""

    def build(proof):
        premise = rules.specialize(rules.hypothesis(ForAll(t, true, large * t - kappa(t) <= bound)), t)
        room = rules.scale(rules.hypothesis(small <= large), t)
        return proof("term by term", rules.chain(rules.restate(rules.le(small * t - kappa(t), large * t - kappa(t)), room), premise))

    return derive("legendre-monotone", "The Legendre transform does not fall", build, "Chen 2019")


legendre_monotone = Claim(
    id="chen2019.routes.legendre-monotone",
    source=ROUTES,
    text="kappa* does not fall: what bounds epsilon_2 t - kappa(t) for all t > 0 bounds epsilon_1 t - kappa(t) for epsilon_1 <= epsilon_2.",
    given=[ForAll(t, true, large * t - kappa(t) <= bound), small <= large],
    then=small * t - kappa(t) <= bound,
    expect=HOLDS,
    by=Proof(monotone),
    mutant=Mutant(
        large * t - t**2 <= bound,
        given=[small * t - t**2 <= bound, small <= large],
        by=Counterexample({t: 1, small: 0, large: 2, bound: 0}),
    ),
    note="kappa* is the least such bound.",
)

large_steps = Claim(
    id="chen2019.routes.large-steps",
    source=ROUTES,
    text="For steps of at least log 2, where Route 1 needs epsilon > k x/r, b(x) is at most epsilon/k.",
    given=[rate <= 1, epsilon > epochs * step / rate],
    then=base <= epsilon / epochs,
    expect=HOLDS,
    by=Proof("route-1-large-steps"),
    mutant=Mutant(base <= Rational(9, 10) * epsilon / epochs, by=Counterexample({rate: 1, step: 1, epochs: 1, epsilon: "101/100"})),
    note="So k exp(-kappa*(b)) >= k exp(-kappa*(epsilon/k)) >= exp(-k kappa*(epsilon/k)): Route 2 is better there.",
)

small_steps_printed = Claim(
    id="chen2019.routes.small-steps",
    source=ROUTES,
    text="For steps below log 2, where Route 1 needs epsilon > k x(e^x - 1)/r, b(x) is at most epsilon/sqrt(r k).",
    given=[rate <= 1, step < log(2), epsilon > epochs * step * (exp(step) - 1) / rate],
    then=base <= epsilon / sqrt(rate * epochs),
    expect=FAILS,
    by=Counterexample({rate: 1, epochs: 1, step: "1/10", epsilon: "1/50"}),
)

small_steps = Claim(
    id="chen2019.routes.small-steps.corrected",
    source=ROUTES,
    text="For steps with epsilon > k x(e^x - 1)/r, b(x) is at most sqrt(epsilon/(r k)).",
    given=[rate <= 1, epsilon > epochs * step * (exp(step) - 1) / rate],
    then=base <= sqrt(epsilon) / (sqrt(epochs) * sqrt(rate)),
    expect=HOLDS,
    by=Proof("route-1-small-steps"),
    corrects="chen2019.routes.small-steps",
    mutant=Mutant(
        base <= sqrt(epsilon) / (2 * sqrt(epochs) * sqrt(rate)), by=Counterexample({rate: 1, epochs: 1, step: "1/10", epsilon: "1/90"})
    ),
)

small_epsilon = Claim(
    id="chen2019.routes.small-epsilon",
    source=ROUTES,
    text="k exp(-(sigma sqrt(epsilon/(k r)) - 1/(2 sigma))^2) >= exp(-k(sigma epsilon/k - 1/(2 sigma))^2) when epsilon is small "
    "(read: epsilon <= 1, and above k/(2 sigma^2), where the bounds hold).",
    given=[rate <= 1, epochs >= 1, epsilon <= 1, sigma * epsilon / epochs >= 1 / (2 * sigma)],
    then=epochs * exp(-((sigma * sqrt(epsilon / (epochs * rate)) - 1 / (2 * sigma)) ** 2))
    >= exp(-epochs * (sigma * epsilon / epochs - 1 / (2 * sigma)) ** 2),
    expect=FAILS,
    by=Counterexample({rate: "1/1000", epochs: 1, sigma: 10, epsilon: "1/200"}),
    note="No smaller epsilon is allowed at this sigma, and a small rate makes Route 1 win.",
)


def gaussian_transform(at):
    """κ*(ε) of the Gaussian mechanism, for ε > 1/(2σ²)."""
    return (at * sigma - 1 / (2 * sigma)) ** 2 / 2


centre = step * (exp(step) - 1)
route_1 = exp(-((epsilon - epochs * centre / rate) ** 2) / (2 * epochs / rate * (step + centre) ** 2)) + epochs * exp(
    -gaussian_transform(base)
)
route_2 = exp(-epochs * gaussian_transform(epsilon / epochs))

route_2_superior = Claim(
    id="chen2019.routes.route-2-superior",
    source=ROUTES,
    text="Route 2 is superior to Route 1 for the Gaussian mechanism: its delta is at most that of Route 1 at every step size x < log 2.",
    given=[
        rate <= 1,
        epochs >= 1,
        step < log(2),
        epsilon > epochs * centre / rate,
        epsilon / epochs > 1 / (2 * sigma**2),
        base > 1 / (2 * sigma**2),
    ],
    then=route_2 <= route_1,
    expect=FAILS,
    by=Counterexample({rate: "1/10000", epochs: 1, sigma: 1, epsilon: 1, step: "11/4000"}),
    note="At r = 1/10000, k = 1, sigma = 1, epsilon = 1 Route 1 gives less than 0.03, Route 2 more than 0.88.",
)

# --- Routes 2 and 3 ------------------------------------------------------------------------------------------------

depth = (sigma * epsilon / sqrt(epochs) - sqrt(epochs) / (2 * sigma)) ** 2
valid = sigma * epsilon / epochs > 1 / (2 * sigma)

few_epochs_printed = Claim(
    id="chen2019.routes.few-epochs",
    source=ROUTES,
    text="Route 2 reaches exp(-c_2 sigma^2 epsilon/2) of Route 3 for k < 2 epsilon/c_2.",
    given=[valid, epochs < 2 * epsilon / share],
    then=exp(-depth / 2) <= exp(-share * sigma**2 * epsilon / 2),
    expect=FAILS,
    by=Counterexample({sigma: 1, epsilon: 1, epochs: 1, share: "3/2"}),
)

few_epochs = Claim(
    id="chen2019.routes.few-epochs.corrected",
    source=ROUTES,
    text="Route 2 reaches exp(-c_2 sigma^2 epsilon/2) of Route 3 only for k < epsilon/c_2.",
    given=[valid, depth >= share * sigma**2 * epsilon],
    then=epochs < epsilon / share,
    expect=HOLDS,
    by=Proof("route-2-against-3"),
    corrects="chen2019.routes.few-epochs",
    example={sigma: 2, epsilon: 4, epochs: 1, share: 1},
    mutant=Mutant(epochs < epsilon / (2 * share), by=Counterexample({sigma: 10, epsilon: 1, epochs: 1, share: "9/10"})),
)

noisy = share / (2 * constant) * epsilon * sigma**2


def fewer():
    """r ≤ c₁/σ, times T."""

    def build(proof):
        bound_ = rules.scale(rules.hypothesis(rate <= first / sigma), noisy)
        return proof("times T", rules.restate(rules.le(rate * noisy, first * share * epsilon * sigma / (2 * constant)), bound_))

    return derive("epochs-above", "The number of epochs of Route 3 from above", build, "Chen 2019")


epochs_printed = Claim(
    id="chen2019.routes.epochs",
    source=ROUTES,
    text="k = r T is at least c_1 c_2 epsilon sigma/(2 C), for r <= c_1/sigma and T = c_2 epsilon sigma^2/(2 C).",
    given=[rate <= first / sigma],
    then=rate * noisy >= first * share * epsilon * sigma / (2 * constant),
    expect=FAILS,
    by=Counterexample({rate: "1/2", first: 1, sigma: 1, share: 1, epsilon: 1, constant: 1}),
)

epochs_corrected = Claim(
    id="chen2019.routes.epochs.corrected",
    source=ROUTES,
    text="k = r T is at most c_1 c_2 epsilon sigma/(2 C).",
    given=[rate <= first / sigma],
    then=rate * noisy <= first * share * epsilon * sigma / (2 * constant),
    expect=HOLDS,
    by=Proof(fewer),
    corrects="chen2019.routes.epochs",
    mutant=Mutant(rate * noisy <= first * share * epsilon * sigma / (3 * constant)),
)
