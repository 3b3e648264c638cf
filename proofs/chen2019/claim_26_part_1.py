"""Yuchen 2019, Claim 26, part 1: is the sampled Gaussian mechanism dominated by its one-dimensional pair? Not for batches of fixed size."""

from dpbounds.notation import *

source = Source("chen2019", "proof of Claim 26, part 1")

sigma, rate = positive("sigma r")

# Records of a unit triangle: all but one at the origin, and (1/2, √3/2) replaced by (-1/2, √3/2). A batch is one record out of 1/r.
CUTS_ACROSS, CUTS_UP = (-2, -1, 0, 1, 2), (0, 1, 2, 3)
HEIGHT = sqrt(3) / 2
HALF = Rational(1, 2)

def masses(centre, cuts):
    """The probabilities of N(centre, σ²) between the cuts."""
    below = [NormalCDF((cut - centre) / sigma) for cut in cuts]
    return [high - low for low, high in zip([0, *below], [*below, 1], strict=True)]

def cells(centre):
    """The probabilities of N(centre, σ²I) in the cells of the plane."""
    return [across * up for across in masses(centre[0], CUTS_ACROSS) for up in masses(centre[1], CUTS_UP)]

before, after, others = cells((HALF, HEIGHT)), cells((-HALF, HEIGHT)), cells((0, 0))
with_first, with_second = (
    Tuple(*(rate * own + (1 - rate) * common for own, common in zip(record, others, strict=True))) for record in (before, after)
)

claim_26__part_1 = source.claim(
    "Sampling a batch of fixed size, under substitution, is dominated by r N(1, sigma^2) + (1-r) N(0, "
    "sigma^2) against N(0, sigma^2) (order 2, records on a unit triangle, outputs rounded to 30 cells of the "
    "plane).",
    [rate <= 1], RenyiMoment(2, with_first, with_second) <= 1 + rate**2 * (exp(1 / sigma**2) - 1),
    {sigma: 1, rate: "1/100"},
    note="Rounding is post-processing, which only lowers the moment, so the mechanism itself is not "
    "dominated. For one real answer see chen2019.claim-26.part-1.line.")

order, rho = positive("lambda"), nonnegative("rho")
h, y = index("h"), index("y")
m, n = positive_integer("m"), positive_integer("n")
batches, outputs = (h, 1, m), (y, 1, n)
w, p, q = laws("w", batches, "positive"), family("p", "positive"), family("q", "positive")
pairs = (p[h, y], q[h, y])
one, other = bernoulli(Rational(2, 3)), bernoulli(Rational(1, 3))

claim_26__part_1__poisson = source.claim(
    "Poisson sampling, a record added: a bound given every batch of the others is one of the mechanism.",
    [order > 1, w, *(for_each(batches, Eq(Sum(weights, outputs), 1)) for weights in pairs),
        for_each(batches, RenyiDivergence(order, *pairs, outputs) <= rho)],
    RenyiDivergence(order, *(Sum(w[h] * weights, batches) for weights in pairs), outputs) <= rho,
    Proof("renyi-of-mixtures"),
    mutant=([order > 1, RenyiDivergence(order, one, other) <= rho],
        RenyiDivergence(order, one, other) <= Rational(9, 10) * rho, {order: 2, rho: "41/100"}),
    corrects=claim_26__part_1,
    note="Given the batch of the others, with or without the record has the shifted pair r N(z+1) + (1-r) "
    "N(z), N(z), of one divergence.")

whole_order, k, i = positive_integer("lambda"), index("k", start=0), index("i")
r = nonnegative("r")
over = (i, 1, n)
a, b = laws("p", over), laws("q", over, "positive")
mu, nu = laws("mu", over), laws("nu", over, "positive")

def sampled(first, second):
    """G_λ(r·first + (1−r)·second ‖ second)."""
    return RenyiMoment(whole_order, r * first[i] + (1 - r) * second[i], second[i], over)

conjecture_1__ordered_moments = source.at("Conjecture 1").claim(
    "for the pairs (p, q), (q, q) with weights r, 1 - r, at integer order: true if all moments of order k <= "
    "lambda are in order.",
    [whole_order > 1, r <= 1,
        ForAll(k, k
        <= whole_order, rules.le(*(Sum(x[i] ** k * z[i] ** (1 - k), over) for x, z in ((a, b), (mu, nu)))))],
    sampled(a, b) <= sampled(mu, nu), Proof("ordered-moments"),
    mutant=([whole_order > 1, r <= 1, *(sums_to_one(weights, over) for weights in (a, b, mu, nu)),
        RenyiMoment(whole_order, a, b) <= RenyiMoment(whole_order, mu, nu)],
        {whole_order: 4, r: "1/10", n: 2, a: ("1/8", "7/8"), b: ("3/8", "5/8"), mu: ("1/4", "3/4"),
        nu: ("1/8", "7/8")}),
    corrects="chen2019.conjecture-1",
    note="The mutant orders the moment of order lambda only, as Conjecture 1 does.")
