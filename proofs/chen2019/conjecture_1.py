"""Chen 2019, Conjecture 1: do averages of closer pairs stay closer in Rényi divergence? No, for no order λ > 1."""

from sympy import And, Rational, Sum, Symbol, Tuple, log

from dpbounds import FAILS, HOLDS, Claim, Counterexample, Mutant, Proof
from dpbounds.derive import derive, rules
from dpbounds.functions import RenyiDivergence, RenyiMoment
from dpbounds.symbols import family, index, positive, positive_integer, real, sums_to_one

lam = real("lam")
m = positive_integer("m")
j = index("j")
p1, p2, q1, q2, mu1, mu2, nu1, nu2 = (family(name) for name in ("p1", "p2", "q1", "q2", "mu1", "mu2", "nu1", "nu2"))
points = (j, 1, m)


def divergence(p, q):
    """D_λ of two distributions on m points."""
    return RenyiDivergence(lam, p, q, points)


def average(first, second):
    """The average of two distributions, point by point."""
    return (first[j] + second[j]) / 2


PREMISES = [
    lam > 1,
    *(sums_to_one(weights, points) for weights in (p1, p2, q1, q2, mu1, mu2, nu1, nu2)),
    divergence(p1[j], q1[j]) <= divergence(mu1[j], nu1[j]),
    divergence(p2[j], q2[j]) <= divergence(mu2[j], nu2[j]),
]
CONCLUSION = divergence(average(p1, p2), average(q1, q2)) <= divergence(average(mu1, mu2), average(nu1, nu2))

HALF, THIRD = Rational(1, 2), Rational(1, 3)
fair, one, two = (HALF, HALF), (1, 0), (0, 1)

printed = Claim(
    id="chen2019.conjecture-1",
    source=("chen2019", "Conjecture 1"),
    text="If p_i and q_i are closer than mu_i and nu_i for i = 1, 2, then so are their averages (distributions on m points).",
    given=PREMISES,
    then=CONCLUSION,
    expect=FAILS,
    by=Counterexample({m: 2, lam: 2, p1: one, p2: one, q1: fair, q2: fair, mu1: one, mu2: two, nu1: fair, nu2: fair}),
    note="Two point masses average to the fair coin, which is what they are compared with.",
)

full_support = Claim(
    id="chen2019.conjecture-1.full-support",
    source=("chen2019", "Conjecture 1"),
    text="Conjecture 1 for distributions of full support.",
    given=[*PREMISES, *(Sum(weights[j] ** -1, points) <= 10 for weights in (p1, p2, q1, q2, mu1, mu2, nu1, nu2))],
    then=CONCLUSION,
    expect=FAILS,
    by=Counterexample(
        {
            m: 2,
            lam: 2,
            p1: (THIRD, 1 - THIRD),
            p2: (THIRD, 1 - THIRD),
            q1: (1 - THIRD, THIRD),
            q2: (1 - THIRD, THIRD),
            mu1: (THIRD, 1 - THIRD),
            mu2: (1 - THIRD, THIRD),
            nu1: (1 - THIRD, THIRD),
            nu2: (THIRD, 1 - THIRD),
        }
    ),
)


# --- false at every order ------------------------------------------------------------------------------------------

order = positive("lambda")
heads, tails, coin = Tuple(1, 0), Tuple(0, 1), Tuple(HALF, HALF)


def table_divergence(p, q):
    """D_λ of two tables."""
    return RenyiDivergence(order, p, q)


def always_fails():
    """D_λ(heads ‖ coin) = D_λ(tails ‖ coin) = log 2 and D_λ(coin ‖ coin) = 0, at every λ > 1."""

    def build(proof):
        given = [order > 1]
        values = [
            rules.chain(
                rules.definition(table_divergence(p, coin), given), rules.equality(table_divergence(p, coin).definition(), value, given)
            )
            for p, value in ((heads, log(2)), (tails, log(2)), (coin, 0))
        ]
        first, second, average_ = (proof(name, fact) for name, fact in zip(("heads", "tails", "coin"), values, strict=True))
        premise = proof("the premise, with equality", rules.restate(rules.le(first.lhs, second.lhs), rules.chain(first, second)))
        gap = proof("log 2 is positive", rules.positive(log(2)))
        conclusion = proof("the conclusion fails", rules.restate(rules.lt(average_.lhs, first.lhs), gap, given, using=[first, average_]))
        return proof("both", rules.conjunction(premise, conclusion))

    return derive("conjecture-1-always-fails", "Conjecture 1 fails at every order", build, "Chen 2019, Conjecture 1")


every_order = Claim(
    id="chen2019.conjecture-1.every-order",
    source=("chen2019", "Conjecture 1"),
    text="For every lambda > 1: p_i = mu_1 = heads and mu_2 = tails, compared with a fair coin, satisfy the premise, not the conclusion.",
    given=[order > 1],
    then=And(
        rules.le(table_divergence(heads, coin), table_divergence(tails, coin)),
        rules.lt(table_divergence(coin, coin), table_divergence(heads, coin)),
    ),
    expect=HOLDS,
    by=Proof(always_fails),
    mutant=Mutant(rules.lt(table_divergence(heads, coin), table_divergence(tails, coin)), by=Counterexample({order: 2})),
    note="The premise for i = 1 is an identity. The averages of mu_1, mu_2 are the coin; those of p_1, p_2 are still heads.",
)


# --- a true case ---------------------------------------------------------------------------------------------------

a, b, c, d = p1, p2, family("q1", "positive"), family("q2", "positive")
h, nu_1, nu_2 = family("h"), family("nu1", "positive"), family("nu2", "positive")


def moment(p, q):
    """G_λ of two families."""
    return RenyiMoment(order, p, q, points)


def common_ratio():
    """If μ_i = h·ν_i with one likelihood ratio h, averaging loses nothing on the right and can only lose on the left."""

    def build(proof):
        given = [order > 1]
        x, at = Symbol("x", nonnegative=True), Symbol("s", nonnegative=True)
        tangent = proof("tangent of the convex function x^λ", rules.convex_tangent(x**order, x, at, given=given))
        ratio = (a[j] + b[j]) / (c[j] + d[j])
        halves = [
            rules.scale(rules.instance(tangent, {x: up[j] / down[j], at: ratio}, given), down[j] / 2) for up, down in ((a, c), (b, d))
        ]
        mean = average(a, b) ** order * average(c, d) ** (1 - order)
        powers = (a[j] ** order * c[j] ** (1 - order) + b[j] ** order * d[j] ** (1 - order)) / 2
        pointwise = proof("joint convexity, point by point", rules.restate(rules.le(mean, powers), rules.add(*halves), given))
        total = proof("sum over the points", rules.sum_termwise(pointwise, points))
        defined = [rules.definition(moment(up[j], down[j]), given) for up, down in ((a, c), (b, d))]
        left = rules.definition(moment(average(a, b), average(c, d)), given)
        bound = rules.restate(
            rules.le(moment(average(a, b), average(c, d)), (moment(a[j], c[j]) + moment(b[j], d[j])) / 2),
            rules.chain(left, total),
            given,
            using=defined,
        )
        convexity = proof("the moment of averages is at most the average moment", bound)
        premises = [rules.hypothesis(condition, given) for condition in closer]
        both = rules.scale(rules.add(*premises), HALF)
        right = [rules.definition(moment(h[j] * nu[j], nu[j]), given) for nu in (nu_1, nu_2)]
        mixed = rules.definition(moment(h[j] * average(nu_1, nu_2), average(nu_1, nu_2)), given)
        linear = rules.equality((right[0].rhs + right[1].rhs) / 2, mixed.rhs, given)
        exact = proof(
            "with one likelihood ratio the average is exact",
            rules.restate(rules.eq(both.rhs, mixed.lhs), linear, given, using=[*right, mixed]),
        )
        return proof("together", rules.chain(convexity, both, exact))

    return derive("conjecture-1-common-ratio", "Conjecture 1 holds for one common likelihood ratio", build, "Chen 2019, Conjecture 1")


closer = [moment(a[j], c[j]) <= moment(h[j] * nu_1[j], nu_1[j]), moment(b[j], d[j]) <= moment(h[j] * nu_2[j], nu_2[j])]

one_ratio = Claim(
    id="chen2019.conjecture-1.common-ratio",
    source=("chen2019", "Conjecture 1"),
    text="Conjecture 1 (for two pairs, in moments) holds if mu_1/nu_1 = mu_2/nu_2 point by point.",
    given=[order > 1, *closer],
    then=moment(average(a, b), average(c, d)) <= moment(h[j] * average(nu_1, nu_2), average(nu_1, nu_2)),
    expect=HOLDS,
    by=Proof(common_ratio),
    mutant=Mutant(
        moment(average(a, b), average(c, d)) <= Rational(9, 10) * moment(h[j] * average(nu_1, nu_2), average(nu_1, nu_2)),
        by=Counterexample({order: 2, m: 1, a: [1], b: [1], c: [1], d: [1], h: [1], nu_1: [1], nu_2: [1]}),
    ),
)
