"""Yu et al. 2019, Appendix -G repaired: four bounds that hold, by how much the printed one fails, and the reverse divergence.

All ranges are unbounded: σ and 1/q grow without limit, and the orders with them. docs/order-ranges.md proves what the covers rest on.
The file begins with three facts from the literature about f(α) = (α−1)·D_α: it is convex in α, nondecreasing in q, nonincreasing in σ.
"""

from sympy import Rational, log

from dpbounds import ASSUMED, FAILS, HOLDS, Claim, Counterexample, Mutant, OrderRange, Proof
from dpbounds.language.functions import SampledGaussianRenyi
from dpbounds.language.symbols import positive
from dpbounds.prover import rules
from dpbounds.prover.derivation import derive

alpha, sigma, q = positive("alpha sigma q")
SOURCE = ("yu2019", "Appendix -G")
RENYI = "van Erven & Harremoës 2014, Rényi divergence and Kullback-Leibler divergence"


def from_literature(name, statement, citation, given):
    """A derivation of one step, which is taken from the literature and says so."""
    return Proof(lambda: derive(name, name, lambda proof: proof("from the literature", rules.assume(statement, citation, given)), citation))


# --- structure -----------------------------------------------------------------------------------------------------

middle, beta, other = positive("mu beta tau")


def scaled(order):
    """f(order) = (order−1)·D_order."""
    return (order - 1) * SampledGaussianRenyi(order, sigma, q)


convex = (beta - alpha) * scaled(middle) <= (beta - middle) * scaled(alpha) + (middle - alpha) * scaled(beta)
orders = [alpha > 1, middle > 1, beta > 1, alpha < middle, middle < beta, q < 1]
three_orders = {alpha: 2, middle: 3, beta: 4, sigma: 1, q: "1/10"}
convex_in_order = Claim(
    id="yu2019.sampled-gaussian.convex-in-order",
    source=SOURCE,
    text="(alpha-1) times the Rényi divergence of the sampled Gaussian is convex in the order: chords lie above it.",
    given=orders,
    then=convex,
    expect=ASSUMED,
    by=from_literature("convex-in-order", convex, f"{RENYI}, Corollary 2 (Hölder's inequality)", orders),
    example=three_orders,
    mutant=Mutant(convex.rhs <= convex.lhs, by=Counterexample(three_orders)),
)

more_noise = SampledGaussianRenyi(alpha, sigma, q) <= SampledGaussianRenyi(alpha, other, q)
decreasing_in_noise = Claim(
    id="yu2019.sampled-gaussian.decreasing-in-noise",
    source=SOURCE,
    text="More noise means less divergence: the Rényi divergence of the sampled Gaussian does not increase with sigma.",
    given=[alpha > 1, q < 1, other <= sigma],
    then=more_noise,
    expect=ASSUMED,
    by=from_literature(
        "decreasing-in-noise",
        more_noise,
        f"{RENYI}, Theorem 9 (data processing), for the convolution with N(0, sigma^2 - tau^2)",
        [alpha > 1, q < 1, other <= sigma],
    ),
    mutant=Mutant(
        SampledGaussianRenyi(alpha, other, q) <= SampledGaussianRenyi(alpha, sigma, q),
        by=Counterexample({alpha: 2, sigma: 2, other: 1, q: "1/10"}),
    ),
)

rate = positive("p")
more_sampling = SampledGaussianRenyi(alpha, sigma, q) <= SampledGaussianRenyi(alpha, sigma, rate)
increasing_in_rate = Claim(
    id="yu2019.sampled-gaussian.increasing-in-rate",
    source=SOURCE,
    text="The Rényi divergence of the sampled Gaussian does not decrease with the sampling rate.",
    given=[alpha > 1, rate < 1, q <= rate],
    then=more_sampling,
    expect=ASSUMED,
    by=from_literature(
        "increasing-in-rate",
        more_sampling,
        "Csiszár 1967, Information-type measures of difference (joint convexity of f-divergences)",
        [alpha > 1, rate < 1, q <= rate],
    ),
    mutant=Mutant(
        SampledGaussianRenyi(alpha, sigma, rate) <= SampledGaussianRenyi(alpha, sigma, q),
        by=Counterexample({alpha: 2, sigma: 1, q: "1/20", rate: "1/10"}),
    ),
)

# --- the bound -----------------------------------------------------------------------------------------------------


def bound(factor=1, direction="remove"):
    """D_α ≤ factor·αq²/σ²."""
    return SampledGaussianRenyi(alpha, sigma, q, direction) <= factor * alpha * q**2 / sigma**2


def orders_up_to(least_sigma, least_inverse, slack):
    """σ ≥ σ₀, q ≤ 1/(mσ), 1 < α ≤ σ² log(1/(qσ)) + c."""
    return [sigma >= least_sigma, q <= 1 / (least_inverse * sigma), alpha > 1, alpha <= sigma**2 * log(1 / (q * sigma)) + slack]


def at(order, noise, sampling_rate):
    """A point that refutes."""
    return Counterexample({alpha: order, sigma: noise, q: sampling_rate})


more_noise_claim = Claim(
    id="yu2019.appendix-g.repaired-sigma",
    source=SOURCE,
    text="The bound holds for sigma >= 1.12 and all orders of the printed range.",
    given=orders_up_to(Rational(28, 25), 16, 1),
    then=bound(),
    expect=HOLDS,
    by=OrderRange(),
    corrects="yu2019.appendix-g",
    mutant=Mutant(bound(Rational(98, 100)), by=at("4.47", "1.12", "25/448")),
)

rarer_sampling = Claim(
    id="yu2019.appendix-g.repaired-rate",
    source=SOURCE,
    text="The bound holds for sigma >= 1 and q <= 1/(70 sigma), all orders of the printed range.",
    given=orders_up_to(1, 70, 1),
    then=bound(),
    expect=HOLDS,
    by=OrderRange(),
    corrects="yu2019.appendix-g",
    mutant=Mutant(bound(Rational(98, 100)), by=at("5.24", 1, "1/70")),
)

fewer_orders = Claim(
    id="yu2019.appendix-g.repaired-orders",
    source=SOURCE,
    text="The bound holds on the printed range of sigma and q for the orders up to sigma^2 log(1/(q sigma)), without the + 1.",
    given=orders_up_to(1, 16, 0),
    then=bound(),
    expect=HOLDS,
    by=OrderRange(),
    corrects="yu2019.appendix-g",
    mutant=Mutant(bound(Rational(97, 100)), by=at("3.29", 1, "1/27")),
)

larger_factor = Claim(
    id="yu2019.appendix-g.repaired-factor",
    source=SOURCE,
    text="On the whole printed range the divergence is at most 1.16 alpha q^2/sigma^2.",
    given=orders_up_to(1, 16, 1),
    then=bound(Rational(116, 100)),
    expect=HOLDS,
    by=OrderRange(),
    corrects="yu2019.appendix-g",
    mutant=Mutant(bound(Rational(115, 100)), by=at("3.77", 1, "1/16")),
)

# sup of the ratio: the corner σ = 1, q = 1/16, α = 1 + log 16 = 3.77258872…
supremum_above = Claim(
    id="yu2019.appendix-g.supremum-above",
    source=SOURCE,
    text="The supremum of D_alpha sigma^2/(alpha q^2) over the printed range is at most 1.156882.",
    given=orders_up_to(1, 16, 1),
    then=bound(Rational(1156882, 10**6)),
    expect=HOLDS,
    by=OrderRange(),
    mutant=Mutant(bound(Rational(1156881, 10**6)), by=at("3.7725887", 1, "1/16")),
    note="With the mutant: by how much the printed bound fails, between 15.6881 and 15.6882 percent.",
)

supremum_below = Claim(
    id="yu2019.appendix-g.supremum-below",
    source=SOURCE,
    text="D_alpha is at most 1.156881 alpha q^2/sigma^2 on the printed range.",
    given=orders_up_to(1, 16, 1),
    then=bound(Rational(1156881, 10**6)),
    expect=FAILS,
    by=at("3.7725887", 1, "1/16"),
)

reverse = Claim(
    id="yu2019.appendix-g.reverse",
    source=SOURCE,
    text="The reverse divergence D_alpha(N(0, sigma^2) || mixture) obeys the bound on the whole printed range.",
    given=orders_up_to(1, 16, 1),
    then=bound(1, "add"),
    expect=HOLDS,
    by=OrderRange(),
    mutant=Mutant(bound(Rational(5, 6), "add"), by=at("1.01", 1, "1/200")),
)
