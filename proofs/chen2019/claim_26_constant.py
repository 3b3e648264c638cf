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

# (c₁, c₂): enough for every real order up to 40, too little, at which order, and the first order (just above c₁²c₂, where the rate is 1).
REAL_ORDERS = {
    ("1/2", "1"): ("1.15", "1.1443", "15.27"),
    ("1", "1/2"): ("1.14", "1.1375", "38.51"),
    ("1", "1"): ("1.81", "1.7981", "15.32"),
    ("1/2", "2"): ("2.128", "2.1276", "8.69"),
    ("1", "2"): ("34.6", "34.18", "19.03", "2.01"),
    ("1/4", "3"): ("1.73", "1.7245", "5.99"),
    ("1/2", "3"): ("18.3", "18.17", "12.64"),
    ("1", "3"): ("770000", "764800", "40", "3.01"),
    ("1/8", "4"): ("1.36", "1.3562", "4.52"),
}

def real_entry(first: str, second: str, high: str, low: str, order: str, start: str = "1") -> Claim:
    """One constant over real orders up to 40."""
    ratio = Rational(second)
    moment = SampledGaussianMoment(alpha, sqrt(alpha / ratio), Rational(first) * sqrt(ratio / alpha))
    return source.claim(f"C({first}, {second}) over real orders from {start} to 40: at most {high}, and above {low}.",
        [alpha > Rational(start), alpha <= 40], moment <= c1, Boxes(),
        tight=(c1, high, low, {alpha: order}),
        id=f"constant-real-orders-{first.replace('/', '-')}~{second.replace('/', '-')}")

real_orders = [real_entry(*place, *bounds) for place, bounds in REAL_ORDERS.items()]
