"""Yuchen 2019: Rényi divergence of the Gaussian mechanism, averages and subsampling (Example 1, Claims 25 and 27, (9.5))."""

from dpbounds.notation import *

source = Source("chen2019", "Claim 25")

alpha, sigma = positive("alpha sigma")
shift = real("Delta")
order = positive("lambda")
whole_order = positive_integer("lambda")
n, i, k = positive_integer("n"), index("i"), index("k", start=0)
over = (i, 1, n)
p, q = laws("p", over), laws("q", over, "positive")
r, rate = nonnegative("r q")

example_1 = source.at("Example 1").claim(
    "The Rényi divergence of two Gaussians of one variance at distance Delta is alpha Delta^2/(2 sigma^2).",
    [alpha > 1], Eq(GaussianRenyi(alpha, sigma, shift), alpha * shift**2 / (2 * sigma**2)),
    Proof("gaussian-renyi"),
    mutant=Eq(GaussianRenyi(alpha, sigma, shift), (alpha - 1) * shift**2 / (2 * sigma**2)))

claim_25 = source.claim(
    "(sum p)^lambda/(sum q)^(lambda-1) is at most sum p^lambda/q^(lambda-1), for p >= 0 and q > 0.",
    [order > 1],
    Sum(p[i], over) ** order * Sum(q[i], over) ** (1 - order)
        <= Sum(p[i] ** order * q[i] ** (1 - order), over), Proof("power-mean"),
    mutant=Sum(p[i], over) ** order * Sum(q[i], over) ** (1 - order)
        <= Rational(9, 10) * Sum(p[i] ** order * q[i] ** (1 - order), over),
    note="Printed for integers and used for densities. Where q = 0 the right side is infinite or the term "
    "vanishes.")

ratio = nonnegative("c")
sides = [
    Sum(ratio * q[i], over) ** order * Sum(q[i], over) ** (1 - order),
    Sum((ratio * q[i]) ** order * q[i] ** (1 - order), over),
]

claim_25__equality = source.claim(
    "If all ratios p_i/q_i are one number c, both sides of Claim 25 are the same.",
    [order > 1], Eq(*sides, evaluate=False), Identity(),
    mutant=([order > 1],
        Sum(p[i] ** order * q[i] ** (1 - order), over)
        <= Sum(p[i], over) ** order * Sum(q[i], over) ** (1 - order),
        {order: 2, n: 2, p: ("1/3", "2/3"), q: ("1/2", "1/2")}),
    note="The mutant says it of all ratios.")

def binomial_sum(start: int) -> Sum:
    """Σ binom(λ, k) r^k (1−r)^{λ−k} G_k from k = `start`, with G_k = Σ p^k q^{1−k}, so that G_0 = Σ q = 1."""
    moment = Sum(p[i] ** k * q[i] ** (1 - k), over)
    return Sum(binomial(whole_order, k) * r**k * (1 - r) ** (whole_order - k) * moment, (k, start, whole_order))

subsampled = RenyiMoment(whole_order, r * p + (1 - r) * q, q)
RANGE = [whole_order > 1, r <= 1]

claim_27_printed = source.at("Claim 27").claim(
    "the moment of r p + (1-r) q against q is the binomial sum of the moments G_k of p against q, from k = "
    "1.",
    [*RANGE, p, q], Eq(subsampled, binomial_sum(1)),
    {whole_order: 2, n: 2, r: "1/2", p: ("1/2", "1/2"), q: ("1/2", "1/2")},
    id="claim-27")

claim_27__corrected = source.at("Claim 27").claim("the same with the sum from k = 0.",
    RANGE, Eq(subsampled, binomial_sum(0)), Proof("subsampled-moment"),
    mutant=(Eq(subsampled, binomial_sum(1)), {whole_order: 2, n: 1, r: "1/2", p: [1], q: [1]}),
    corrects=claim_27_printed)

def gaussian_sum(exponent) -> Sum:
    """The binomial sum with G_k of the Gaussian mechanism."""
    return Sum(binomial(whole_order, k) * rate**k * (1 - rate) ** (whole_order - k) * exp(exponent), (k, 0, whole_order))

equation_9__5 = source.at("(9.5)").claim(
    "The moment of the sampled Gaussian at integer order is the binomial sum of exp(k(k-1)/(2 sigma^2)).",
    [whole_order > 1, rate <= 1],
    Eq(SampledGaussianMoment(whole_order, sigma, rate), gaussian_sum(k * (k - 1) / (2 * sigma**2))),
    Proof("sampled-gaussian-moment"),
    mutant=Eq(SampledGaussianMoment(whole_order, sigma, rate), gaussian_sum(k**2 / (2 * sigma**2))))
