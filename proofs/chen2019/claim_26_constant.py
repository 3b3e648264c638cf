"""Yuchen 2019, Claim 26: the constant C(c₁, c₂), the supremum of the moment over all σ at rate c₁/σ and integer orders up to c₂σ²."""

from dpbounds.notation import *

source = Source("chen2019.claim-26", "Claim 26, part 2, and Further questions")

c1, c2 = positive("c_1 c_2")

# (c₁, c₂): an interval for C.
TABLE = {
    ("1/2", "1"): ("1.1443", "1.1444"),
    ("1", "1/2"): ("1.1375", "1.1377"),
    ("1", "1"): ("1.7981", "1.7982"),
    ("1/2", "2"): ("2.1273", "2.1274"),
    ("1", "2"): ("34.18", "34.181"),
    ("1/4", "3"): ("1.7245", "1.7246"),
    ("1/2", "3"): ("18.157", "18.158"),
    ("1", "3"): ("767200", "767300"),
    ("1/8", "4"): ("1.3535", "1.3536"),
}

def entry(first: str, second: str, low: str, high: str) -> Claim:
    """One entry of the table; its mutant has the limit along σ → ∞ for the supremum."""
    value = MomentConstant(Rational(first), Rational(second))
    return source.claim(f"C({first}, {second}), over integer orders, lies between {low} and {high}.",
        And(rules.le(Rational(low), value), rules.le(value, Rational(high))), Boxes(),
        mutant=(rules.le(value, exp(Rational(first) ** 2 * Rational(second) ** 2 / 2)), {}),
        id=f"constant-{first.replace('/', '-')}~{second.replace('/', '-')}")

table = [entry(*place, *bounds) for place, bounds in TABLE.items()]

order, sigma, rate = c2 * c1**2 * exp(c2 - 1), c1 * exp((c2 - 1) / 2), exp(-(c2 - 1) / 2)
with as_written():  # log and exp meet
    top_term = log(rate) * order + (order - 1) * order / (2 * sigma**2)
exponent = c2 * (c1**2 * exp(c2 - 1) - 1) / 2

def growth(proof):
    """λ log r + λ(λ−1)/(2σ²) at λ = c₂σ², r = c₁/σ and σ = c₁e^{(c₂−1)/2}."""
    return proof("the highest term", rules.equality(top_term, exponent))

constant_growth = source.claim(
    "At sigma = c_1 e^((c_2-1)/2) the highest term of the moment (lambda = c_2 sigma^2) is exp(c_2 (c_1^2 "
    "e^(c_2-1) - 1)/2).",
    rules.eq(top_term, exponent), Proof(growth),
    mutant=(rules.eq(top_term, exponent + c2 / 2), {c1: 1, c2: 2}),
    uses=["chen2019.claim-26.top-term"],
    note="The moment is at least this term: C(c_1, c_2) is doubly exponential in c_2. From above see "
    "chen2019.claim-26.bounded.")

# --- real orders ---------------------------------------------------------------------------------------------------

# At rate c₁/σ the moment of one order falls with σ, so the worst σ for the order λ is √(λ/c₂), once that is at least c₁.
alpha = positive("alpha")
real_moment = SampledGaussianMoment(alpha, sqrt(alpha / 2), 1 / sqrt(2 * alpha))

real_orders = source.claim(
    "C(1/2, 2) over real orders up to 40: at most 2.128.",
    [alpha > 1, alpha <= 40], real_moment <= Rational(2128, 1000), Boxes(budget=6000),
    mutant=(real_moment <= Rational(21276, 10000), {alpha: "869/100"}),
    id="constant-real-orders",
    note="By the mutant it is above 2.1276, while over integer orders it is below 2.1274.")
