"""Yuchen, Claim 26: the sampled Gaussian has D_λ = O(r²λ/σ²) at integer orders λ = O(σ²) with λr = O(σ), and the limit of its moment."""

from dpbounds.notation import *

source = Source("chen2019.claim-26", "Claim 26")

order, k = positive_integer("lambda"), index("k", start=0)
sigma, share, noise_share = positive("sigma c a")
edge, radius, slope = positive("A K s")
rate = nonnegative("q")
moment, divergence = SampledGaussianMoment(order, sigma, rate), SampledGaussianRenyi(order, sigma, rate)
leading = order * rate**2 / (2 * sigma**2)
ORDERS = [order >= 2, rate <= 1]
RANGE = [order <= share * sigma**2, order * rate <= noise_share * sigma]

order_below = source.claim(
    "D_lambda of the sampled Gaussian is at least r^2 lambda/(2 sigma^2), at integer orders.",
    ORDERS, rules.le(leading, divergence), Proof("sampled-gaussian-renyi-below"),
    mutant=(Rational(11, 10) * leading <= divergence, {order: 2, sigma: 10, rate: "1/10"}))

rest = Sum(binomial(order - 2, k) * rate**k * (1 - rate) ** (order - 2 - k) * exp((k + 1) * (k + 2) / (2 * sigma**2)), (k, 0, order - 2))

second_order = source.claim(
    "G - 1 is at most its term of second order times a mean over J ~ Bin(lambda-2, r).",
    ORDERS, rules.le(moment, 1 + order * (order - 1) * rate**2 / (2 * sigma**2) * rest),
    Proof("moment-second-order"),
    mutant=(moment <= 1 + order * (order - 1) * rate**2 / (2 * sigma**2), {order: 2, sigma: 1, rate: "1/10"}))

constant = exp(noise_share**2 * (exp(1 + share / 2) - 1) ** 2 / 2) + exp(2 + share)

claim_26 = source.claim(
    "At integer orders lambda <= c sigma^2 with lambda r <= a sigma, D_lambda <= C r^2 lambda/(2 sigma^2), C "
    "= exp(a^2 (e^(1+c/2) - 1)^2/2) + e^(2+c).",
    [*ORDERS, *RANGE], rules.le(divergence, leading * constant), Proof("sampled-gaussian-renyi-above"),
    mutant=(divergence <= leading, {order: 4, rate: "1/4", sigma: 1, noise_share: 1, share: 4}),
    example={order: 4, rate: "1/4", sigma: 1, noise_share: 1, share: 4},
    note="With a = c_1 c_2 and c = c_2 this is the conclusion of Claim 26 for Poisson sampling, without "
    "Conjecture 1.")

gap, last_gap = edge * slope - noise_share * (exp(slope) - 1), radius - noise_share * (exp(share / 2 + 1) - 1)
at_100 = {order: 100, rate: "1/10", sigma: 10, noise_share: 1, share: 1}

limit_above = source.at("Claim 26, part 2").claim(
    "The moment is at most exp(A^2/2) plus two terms that vanish as sigma -> oo, for every A > a: so its "
    "limit is exp(a^2/2).",
    [order > 1, rate <= 1, *RANGE],
    rules.le(moment, exp(edge**2 / 2) + exp(radius**2 / 2 - sigma * gap) + exp(-sigma * last_gap)),
    Proof("moment-limit"),
    mutant=(moment <= exp(noise_share**2 / 2), at_100),
    corrects="chen2019.claim-26.limit-zero", uses=["chen2019.claim-26.limit"],
    example={**at_100, edge: 2, radius: 4, slope: "1/2"},
    note="A s > a(e^s - 1) for some s, and K > a(e^(1+c/2) - 1), make both exponents negative. The mutant "
    "takes the limit, approached from above, for a bound.")

n, j = positive_integer("n"), positive_integer("j")
c_1, c_2 = positive("c_1 c_2")
share_of_j = j / n

arcsine = source.at("proof of Claim 26, part 2").claim("phi_n(x) is at most 1/sqrt(2 pi x(1-x)), at x = j/n.",
    [j < n, c_1 < sqrt(n)],
    n * binomial(n, j) * (c_1 / sqrt(n)) ** j * (1 - c_1 / sqrt(n)) ** (n - j) * exp(c_2 * j**2 / (2 * n))
        <= 1 / sqrt(2 * pi * share_of_j * (1 - share_of_j)), {n: 100, j: 10, c_1: 1, c_2: 1},
    note="So the integral and the limit cannot be exchanged for this reason, and the limit is not 0 but "
    "exp(c_1^2 c_2^2/2).")
