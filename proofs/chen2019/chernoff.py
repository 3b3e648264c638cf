"""Yuchen 2019: from moments to (ε, δ) (equation (7.7), Claims 20 and 21)."""

from dpbounds.notation import *

source = Source("chen2019", "Claim 20")

t, order, rho, delta = positive("t lambda rho delta")
epsilon = real("epsilon")
n, i = positive_integer("n"), index("i")
over = (i, 1, n)
p, q = laws("p", over), laws("q", over, "positive")

moment = RenyiMoment(1 + t, p, q)
chernoff = exp(-t * epsilon) * moment
sharp = t**t / (1 + t) ** (1 + t)
coin = {n: 2, p: ("2/3", "1/3"), q: ("1/3", "2/3")}

equation_7__7 = source.at("(7.7)").claim(
    "the privacy loss exceeds epsilon with probability at most exp(kappa(t) - epsilon t), for every t > 0.",
    LossTail(epsilon, p, q) <= chernoff, Proof("chernoff-tail"),
    mutant=(LossTail(epsilon, p, q) <= sharp * chernoff, {**coin, epsilon: 0, t: 1}),
    note="The mutant has the constant that the hockey-stick divergence allows and the tail does not.")

chernoff_sharp = source.at("Claim 20, with the constant of Canonne, Kamath & Steinke 2020, Proposition 12").claim(
    "delta(epsilon) is at most t^t/(1+t)^(1+t) exp(kappa(t) - epsilon t), for every t > 0 and real epsilon.",
    HockeyStick(epsilon, p, q) <= sharp * chernoff, Proof("sharp-delta"),
    mutant=(HockeyStick(epsilon, p, q) <= Rational(9, 10) * sharp * chernoff,
        {n: 2, p: (1, 0), q: ("1/2", "1/2"), t: 1, epsilon: 0}),
    note="Equality at a loss of log((1+t)/t) + epsilon: here p/q = 2, t = 1, epsilon = 0.")

claim_20__one_sided = source.claim("delta(epsilon) of (p, q) is at most exp(-kappa*(epsilon)) of (p, q).",
    HockeyStick(epsilon, p, q)
        <= Infimum(exp(-epsilon * t) * Sum(p[i] ** (t + 1) / q[i] ** t, over), (t, 0, oo)), Proof("claim-20"),
    mutant=(HockeyStick(epsilon, q, p) <= chernoff,
        {n: 2, p: ("9/10", "1/10"), q: ("1/2", "1/2"), epsilon: log(2), t: 20}),
    corrects="chen2019.claim-20")

claim_20_printed = source.claim("indistinguishability in both directions from the moments of one.",
    [p, q], HockeyStick(epsilon, q, p) <= chernoff,
    {n: 2, p: ("9/10", "1/10"), q: ("1/2", "1/2"), epsilon: log(2), t: 20},
    id="claim-20")

bounded = RenyiDivergence(order, p, q) <= rho

claim_21__1 = source.at("Claim 21, item 1").claim(
    "D_lambda <= rho gives delta(epsilon) <= exp((lambda - 1)(rho - epsilon)).",
    [order > 1, p, q, bounded], HockeyStick(epsilon, p, q) <= exp((order - 1) * (rho - epsilon)),
    Proof("rdp-to-delta"),
    mutant=(HockeyStick(epsilon, p, q) <= exp((order - 1) * (rho - epsilon)) / 5,
        {n: 2, p: (1, 0), q: ("1/2", "1/2"), order: 2, rho: log(2), epsilon: 0}),
    note="Vacuous for epsilon < rho. At lambda = 2 the best constant in front is 1/4; the mutant has 1/5.")

claim_21__3 = source.at("Claim 21, item 3").claim(
    "D_lambda <= rho gives (rho + log(1/delta)/(lambda - 1), delta).",
    [order > 1, p, q, bounded], HockeyStick(rho + log(1 / delta) / (order - 1), p, q) <= delta,
    Proof("rdp-to-epsilon"),
    mutant=(HockeyStick(rho - log(1 / delta) / (order - 1), p, q)
        <= delta, {n: 2, p: (1, 0), q: ("1/2", "1/2"), order: 2, rho: log(2), delta: "1/4"}))

claim_21__2 = source.at("Claim 21, item 2").claim(
    "delta(epsilon) <= -exp(kappa*(epsilon)) with kappa(t) = t rho(t + 1); read at one t.",
    [order > 1, p, q, bounded], HockeyStick(epsilon, p, q) <= -exp((order - 1) * (epsilon - rho)),
    {n: 1, p: [1], q: [1], order: 2, rho: 1, epsilon: 0},
    note="The sign belongs into the exponent: exp(-kappa*).")

kappa, ceiling = Function("kappa", real=True), real("c")
cumulant = log(Sum(p[i] ** (t + 1) / q[i] ** t, over))

claim_21__2__corrected = source.at("Claim 21, item 2").claim(
    "if kappa bounds the cumulants of the loss, delta(epsilon) <= exp(-kappa*(epsilon)), wherever kappa*(epsilon) is "
    "finite.",
    [p, q, ForAll(t, true, cumulant <= kappa(t)), ForAll(t, true, epsilon * t - kappa(t) <= ceiling)],
    HockeyStick(epsilon, p, q) <= exp(-Supremum(epsilon * t - kappa(t), (t, 0, oo))), Proof("claim-21-2"),
    mutant=([], GaussianDelta(epsilon, 1) <= exp(-((epsilon - Rational(1, 2)) ** 2)), {epsilon: 6}),
    corrects=claim_21__2,
    note="The mutant reads the Gaussian mechanism of sigma = 1, where kappa*(epsilon) = (epsilon - 1/2)^2/2, "
    "with 2 kappa*. The last premise says that kappa*(epsilon) is at most some c. Where it is infinite, the "
    "claim for every t says that delta(epsilon) = 0.")

claim_21__2__every_t = source.at("Claim 21, item 2").claim(
    "if kappa bounds the cumulants of the loss, delta(epsilon) <= exp(kappa(t) - t epsilon) for every t > 0.",
    [p, q, ForAll(t, true, cumulant <= kappa(t))],
    HockeyStick(epsilon, p, q) <= exp(kappa(t) - t * epsilon), Proof("claim-21-2-every-t"),
    mutant=([], GaussianDelta(epsilon, 1) <= exp(t * (t + 1) / 2 - 2 * t * epsilon), {epsilon: 2, t: 2}),
    note="The mutant reads the Gaussian mechanism of sigma = 1, where kappa(t) = t(t + 1)/2, with 2 epsilon.")
