"""Chen 2019: Rényi divergence of the Gaussian mechanism, averages and subsampling (Example 1, Claims 25 and 27, (9.5))."""

from sympy import Eq, Rational, Sum, binomial, exp

from dpbounds import FAILS, HOLDS, Claim, Counterexample, Mutant, Proof
from dpbounds.language.functions import GaussianRenyi, RenyiMoment, SampledGaussianMoment
from dpbounds.language.symbols import family, index, nonnegative, positive, positive_integer, real, sums_to_one
from dpbounds.prover import derive, rules

alpha, sigma = positive("alpha sigma")
shift = real("Delta")
order = positive("lambda")
whole_order = positive_integer("lambda")
n, i, k = positive_integer("n"), index("i"), index("k", start=0)
p, q = family("p"), family("q", "positive")
r, rate = nonnegative("r q")
over = (i, 1, n)

example_1 = Claim(
    id="chen2019.example-1",
    source=("chen2019", "Example 1"),
    text="The Rényi divergence of two Gaussians of one variance at distance Delta is alpha Delta^2/(2 sigma^2).",
    given=[alpha > 1],
    then=Eq(GaussianRenyi(alpha, sigma, shift), alpha * shift**2 / (2 * sigma**2)),
    expect=HOLDS,
    by=Proof("gaussian-renyi"),
    mutant=Mutant(Eq(GaussianRenyi(alpha, sigma, shift), (alpha - 1) * shift**2 / (2 * sigma**2))),
)

claim_25 = Claim(
    id="chen2019.claim-25",
    source=("chen2019", "Claim 25"),
    text="(sum p)^lambda/(sum q)^(lambda-1) is at most sum p^lambda/q^(lambda-1), for nonnegative p and positive q of any number.",
    given=[order > 1],
    then=Sum(p[i], over) ** order * Sum(q[i], over) ** (1 - order) <= Sum(p[i] ** order * q[i] ** (1 - order), over),
    expect=HOLDS,
    by=Proof("power-mean"),
    mutant=Mutant(
        Sum(p[i], over) ** order * Sum(q[i], over) ** (1 - order) <= Rational(9, 10) * Sum(p[i] ** order * q[i] ** (1 - order), over)
    ),
    note="Printed for integers and used for densities. Where q = 0 the right side is infinite or the term vanishes.",
)

ratio = nonnegative("c")
sides = [
    Sum(ratio * q[i], over) ** order * Sum(q[i], over) ** (1 - order),
    Sum((ratio * q[i]) ** order * q[i] ** (1 - order), over),
]


def equal_ratios():
    """Both sides are c^λ Σq."""
    return derive(
        "equal-ratios",
        "Equality in Claim 25 for equal ratios",
        lambda proof: proof("both sides", rules.equality(*sides, [order > 1])),
        "Chen 2019, Claim 25",
    )


equality = Claim(
    id="chen2019.claim-25.equality",
    source=("chen2019", "Claim 25"),
    text="If all ratios p_i/q_i are one number c, both sides of Claim 25 are the same.",
    given=[order > 1],
    then=Eq(*sides, evaluate=False),
    expect=HOLDS,
    by=Proof(equal_ratios),
    mutant=Mutant(
        Sum(p[i] ** order * q[i] ** (1 - order), over) <= Sum(p[i], over) ** order * Sum(q[i], over) ** (1 - order),
        given=[order > 1],
        by=Counterexample({order: 2, n: 2, p: ("1/3", "2/3"), q: ("1/2", "1/2")}),
    ),
    note="The mutant says it of all ratios.",
)


def binomial_sum(start: int) -> Sum:
    """Σ binom(λ, k) r^k (1−r)^{λ−k} G_k from k = `start`, with G_k = Σ p^k q^{1−k}, so that G_0 = Σ q = 1."""
    moment = Sum(p[i] ** k * q[i] ** (1 - k), over)
    return Sum(binomial(whole_order, k) * r**k * (1 - r) ** (whole_order - k) * moment, (k, start, whole_order))


subsampled = RenyiMoment(whole_order, r * p[i] + (1 - r) * q[i], q[i], over)
RANGE = [whole_order > 1, r <= 1]

claim_27_printed = Claim(
    id="chen2019.claim-27",
    source=("chen2019", "Claim 27"),
    text="On finitely many outcomes: the moment of r p + (1-r) q against q is the binomial sum of the "
    "moments G_k of p against q, from k = 1.",
    given=[*RANGE, sums_to_one(p, over), sums_to_one(q, over)],
    then=Eq(subsampled, binomial_sum(1)),
    expect=FAILS,
    by=Counterexample({whole_order: 2, n: 2, r: "1/2", p: ("1/2", "1/2"), q: ("1/2", "1/2")}),
)

claim_27 = Claim(
    id="chen2019.claim-27.corrected",
    source=("chen2019", "Claim 27"),
    text="On finitely many outcomes: the same with the sum from k = 0.",
    given=RANGE,
    then=Eq(subsampled, binomial_sum(0)),
    expect=HOLDS,
    by=Proof("subsampled-moment"),
    corrects="chen2019.claim-27",
    mutant=Mutant(Eq(subsampled, binomial_sum(1)), by=Counterexample({whole_order: 2, n: 1, r: "1/2", p: [1], q: [1]})),
)


def gaussian_sum(exponent) -> Sum:
    """The binomial sum with G_k of the Gaussian mechanism."""
    return Sum(binomial(whole_order, k) * rate**k * (1 - rate) ** (whole_order - k) * exp(exponent), (k, 0, whole_order))


equation_95 = Claim(
    id="chen2019.equation-9.5",
    source=("chen2019", "(9.5)"),
    text="The moment of the sampled Gaussian at integer order is the binomial sum of exp(k(k-1)/(2 sigma^2)).",
    given=[whole_order > 1, rate <= 1],
    then=Eq(SampledGaussianMoment(whole_order, sigma, rate), gaussian_sum(k * (k - 1) / (2 * sigma**2))),
    expect=HOLDS,
    by=Proof("sampled-gaussian-moment"),
    mutant=Mutant(Eq(SampledGaussianMoment(whole_order, sigma, rate), gaussian_sum(k**2 / (2 * sigma**2)))),
)
