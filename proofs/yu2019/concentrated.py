"""Yu et al. 2019, Section II: concentrated differential privacy, its conversions, and sampling, (12) and (13)."""

from dpbounds.notation import *

source = Source("yu2019", "(13)")

alpha, rho, delta, t, sigma, sensitivity, rate = positive("alpha rho delta t sigma Delta r")
n, i = positive_integer("n"), index("i")
over = (i, 1, n)
p, q, u = laws("p", over), laws("q", over, "positive"), laws("u", over)

divergence, moment = RenyiDivergence(alpha, p, q), RenyiMoment(alpha, p, q)
zcdp = ForAll(alpha, alpha > 1, divergence <= alpha * rho)
a_few_orders = ForAll(alpha, And(alpha > 1, alpha <= 10), divergence <= alpha * rho)
growth = exp(alpha * rho * (alpha - 1))
biased = {n: 2, p: ("2/3", "1/3"), q: ("1/3", "2/3")}

equation_7 = source.at("(6) implies (7)").claim(
    "D_alpha <= alpha rho bounds the moment of order alpha - 1 of the privacy loss.",
    [alpha > 1, p, q, divergence <= alpha * rho], moment <= growth, Proof("zcdp-moment"),
    mutant=(moment <= exp(rho * (alpha - 1)), {**biased, alpha: 2, rho: "1/4"}))

equation_6 = source.at("(7) implies (6)").claim(
    "a moment of order alpha - 1 at most exp((alpha-1) alpha rho) gives D_alpha <= alpha rho.",
    [alpha > 1, p, q, moment <= growth], divergence <= alpha * rho, Proof("zcdp-divergence"),
    mutant=(divergence <= rho, {**biased, alpha: 2, rho: "1/4"}))

tail = source.at("Section II, the tail bound of zCDP").claim(
    "rho-zCDP gives Pr(L > t + rho) <= exp(-t^2/(4 rho)).",
    [p, q, zcdp], LossTail(rho + t, p, q) <= exp(-(t**2) / (4 * rho)), Proof("zcdp-tail"),
    mutant=([p, q, a_few_orders], LossTail(rho + t, p, q) <= exp(-4 * t**2 / rho),
        {**biased, rho: "1/4", t: "2/5"}),
    example={n: 1, p: [1], q: [1], rho: 1, t: 1})

proposition_1 = source.at("Proposition 1").claim(
    "rho-zCDP gives (rho + 2 sqrt(rho log(1/delta)), delta)-differential privacy for 0 < delta <= 1.",
    [p, q, zcdp, delta <= 1], HockeyStick(2 * sqrt(rho) * sqrt(log(1 / delta)) + rho, p, q) <= delta,
    Proof("proposition-1"),
    mutant=([p, q, a_few_orders], HockeyStick(rho, p, q) <= delta, {**biased, rho: "1/4", delta: "1/10"}),
    example={n: 1, p: [1], q: [1], rho: 1, delta: "1/2"})

proposition_2 = source.at("Proposition 2").claim(
    "The Gaussian mechanism with noise Delta sigma is 1/(2 sigma^2)-zCDP.",
    [alpha > 1], GaussianRenyi(alpha, sensitivity * sigma, sensitivity) <= alpha / (2 * sigma**2),
    Proof("proposition-2"),
    mutant=GaussianRenyi(alpha, sensitivity * sigma, sensitivity) <= Rational(9, 20) * alpha / sigma**2)

mixture = RenyiDivergence(alpha, rate * u + (1 - rate) * q, q)
base = RenyiDivergence(alpha, u, q)
SAMPLED = [alpha > 1, rate < 1, u, q]

equation_12 = source.at("(12)").claim("sampling at rate q takes at most a factor q^alpha off the moment.",
    SAMPLED, alpha * log(rate) + (alpha - 1) * base < (alpha - 1) * mixture, Proof("yu-12"),
    mutant=((alpha - 1) * log(rate) + (alpha - 1) * base
        < (alpha - 1) * mixture, {n: 2, u: (1, 0), q: ("1/1000", "999/1000"), alpha: 2, rate: "1/2"}))

equation_13__bounded = source.claim(
    "if D_alpha of the base is at most alpha rho, sampling at rate q leaves more than this.",
    [*SAMPLED, base <= alpha * rho], alpha * rho + alpha * log(rate) / (alpha - 1) < mixture,
    {n: 2, u: ("1/2", "1/2"), q: ("1/2", "1/2"), alpha: 2, rho: 1, rate: "1/2"},
    note="The base may be far below its bound: here it is 0.")

equation_13 = source.claim(
    "if D_alpha of the base is exactly alpha rho, sampling at rate q leaves more than this.",
    [*SAMPLED, Eq(base, alpha * rho)], alpha * rho + alpha * log(rate) / (alpha - 1) < mixture,
    Proof("yu-13"),
    mutant=(alpha * rho < mixture,
        {n: 2, u: (1, 0), q: ("1/2", "1/2"), alpha: 2, rho: log(2) / 2, rate: "1/2"}),
    corrects=equation_13__bounded,
    example={n: 2, u: (1, 0), q: ("1/2", "1/2"), alpha: 2, rho: log(2) / 2, rate: "1/2"})
