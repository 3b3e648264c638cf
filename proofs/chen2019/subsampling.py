"""Yuchen 2019: Rényi divergence of a mechanism on a random batch (Claim 24), over arbitrary finite laws."""

from dpbounds.notation import *

source = Source("chen2019.claim-24")

order = positive("lambda")
rho = nonnegative("rho")
a = positive_integer("a")
b = Symbol("b", integer=True, nonnegative=True)
n, j, y = positive_integer("n"), index("j"), index("y")
p, q = family("p"), family("q", "positive")
outcomes, batches = (y, 1, n), a + b
rate = a / batches

PREMISES = [
    order > 1,
    *(for_each((j, 1, batches), Eq(Sum(weights[j, y], outcomes), 1)) for weights in (p, q)),
    ForAll(j, j <= a, RenyiDivergence(order, p[j, y], q[j, y], outcomes) <= rho),
    ForAll(j, (j >= a + 1) & (j <= batches), for_each(outcomes, Eq(p[j, y], q[j, y]))),
]
mixed = RenyiDivergence(order, *(Sum(weights[j, y], (j, 1, batches)) / batches for weights in (p, q)), outcomes)

fair, one = Tuple(Rational(1, 2), Rational(1, 2)), Tuple(1, 0)
half_of_it = Mutant(
    RenyiDivergence(order, Tuple(Rational(3, 4), Rational(1, 4)), fair) <= log(1 + (exp((order - 1) * rho) - 1) / 8) / (order - 1),
    given=[order > 1, RenyiDivergence(order, one, fair) <= rho],
    by=Counterexample({order: 2, rho: log(2)}),
)

claim_24 = source.at("Claim 24").claim(
    "if a share r = a/(a+b) of the batches has the record, D_lambda <= rho becomes log(1 + "
    "r(e^((lambda-1)rho) - 1))/(lambda-1).",
    PREMISES, mixed <= log(1 + rate * (exp((order - 1) * rho) - 1)) / (order - 1), Proof("subsampling"),
    mutant=half_of_it,
    note="For batches of m out of n records, r = C(n-1,m-1)/C(n,m) = m/n. The mutant has r^3 for r at r = "
    "1/2.")

linear = source.at("after Claim 24").claim(
    "by 1 + z <= e^z, the subsampled mechanism has r(e^((lambda-1)rho) - 1)/(lambda-1).",
    PREMISES, mixed <= rate * (exp((order - 1) * rho) - 1) / (order - 1), Proof("subsampling-linear"),
    mutant=(half_of_it.given,
        RenyiDivergence(order, Tuple(Rational(3, 4), Rational(1, 4)), fair)
        <= (exp((order - 1) * rho) - 1) / 8 / (order - 1), half_of_it.by),
    uses=[claim_24])
