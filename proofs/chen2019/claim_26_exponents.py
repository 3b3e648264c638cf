"""Yuchen 2019, Claim 26: for r = c₁σ^{−d} and λ = c₂σ^e the moment stays bounded as σ grows exactly if e ≤ 2 and e ≤ 1 + d."""

from dpbounds.notation import *
from dpbounds.theory.sampling import moment_growth as theory

source = Source("chen2019.claim-26", "Claim 26, better orders")

order, rate, sigma = positive_integer("lambda"), nonnegative("q"), positive("sigma")
c1, c2 = positive("c_1 c_2")
d, e = real("d_r"), real("d_lambda")
GIVEN = [
    order > 1,
    rate <= 1,
    sigma >= 1,
    e <= 2,
    e <= 1 + d,
    rules.le(order, c2 * sigma**e),
    rules.le(rate, c1 * sigma**-d),
]
moment = SampledGaussianMoment(order, sigma, rate)
bound = 1 + exp((c1 * c2) ** 2 * (exp(1 + c2 / 2) - 1) ** 2 / 2)

def sufficient(proof):
    """λ ≤ c₂σ² and λr ≤ c₁c₂σ follow, and `moment-upper-bound` applies."""
    x = real("x")
    growth = {}
    for name, small, large in (("order", e, 2), ("rate", e, 1 + d)):
        exponents = rules.scale(rules.hypothesis(rules.le(small, large)), log(sigma), [sigma >= 1])
        powers = rules.apply(Lambda(x, exp(x)), exponents)
        growth[name] = rules.restate(rules.le(sigma**small, sigma**large), powers)
    allowed = rules.chain(rules.hypothesis(GIVEN[5]), rules.scale(growth["order"], c2))
    enough = proof("the order is at most c_2 sigma^2", rules.restate(rules.le(order, c2 * sigma**2), allowed))
    product = rules.multiply(rules.hypothesis(GIVEN[5]), rules.hypothesis(GIVEN[6]))
    shrunk = rules.scale(growth["rate"], c1 * c2 * sigma**-d)
    few = rules.restate(rules.le(order * rate, c1 * c2 * sigma), rules.chain(product, shrunk))
    known = theory.moment_upper_bound().result
    values = {theory.NOISE_SHARE: c1 * c2, theory.ORDER_SHARE: c2}
    proof("order times rate is at most c_1 c_2 sigma", few)
    fact = rules.instance(known, values, [order > 1, rate <= 1], [enough, few])
    return proof("the moment", rules.restate(rules.le(moment, bound), fact))

sufficiency = source.claim(
    "If r <= c_1 sigma^-d, lambda <= c_2 sigma^e, e <= 2, e <= 1 + d, sigma >= 1 the moment is at most a "
    "constant (integer orders).",
    GIVEN, rules.le(moment, bound), Proof(sufficient),
    mutant=([order > 1, rate <= 1, sigma >= 1, e <= 2, rules.le(order, c2 * sigma**e), rules.le(rate,
        c1 * sigma**-d)], moment <= bound,
        {order: 100, rate: "1/2", sigma: 10, c1: "1/2", c2: 1, d: 0, e: 2}),
    id="exponents", corrects="chen2019.claim-26.any-rate", uses=["chen2019.claim-26.bounded"],
    example={order: 4, rate: "1/4", sigma: 1, c1: 1, c2: 4, d: 1, e: 2},
    note="The mutant drops e <= 1 + d.")

path_order, path_rate = c2 * sigma**e, c1 * sigma**-d
mean = path_order * path_rate
from_mean = mean * (mean - 1) / (2 * sigma**2)
mean_value = c1**2 * c2**2 * sigma ** (2 * (e - d - 1)) / 2 - c1 * c2 * sigma ** (e - d - 2) / 2

exponents_rate = source.claim("The exponent of the lower bound of the moment along the path.",
    rules.eq(from_mean, mean_value), Identity(),
    mutant=(rules.eq(from_mean, 2 * mean_value), {sigma: 1, c1: 1, c2: 2, d: 1, e: 2}),
    uses=["chen2019.claim-26.lower-bound"],
    note="It grows without limit if e > 1 + d.")

from_top = path_order * log(path_rate) + path_order * (path_order - 1) / (2 * sigma**2)
top_value = path_order * (log(c1) - d * log(sigma) + c2 * sigma ** (e - 2) / 2 - sigma**-2 / 2)

exponents_order = source.claim("The exponent of the highest term along the path.",
    rules.eq(from_top, top_value), Identity(),
    mutant=(rules.eq(from_top, 2 * top_value), {sigma: 1, c1: 1, c2: 2, d: 1, e: 2}),
    uses=["chen2019.claim-26.top-term"],
    note="It grows without limit if e > 2.")
