"""Derivations with one step falsified: a lost factor, a wrong sign, a dropped condition. None of them has a document."""

from sympy import Ge, Integral, Lambda, Sum, Symbol, binomial, erf, exp, log, oo, sqrt

from dpbounds.language.functions import GaussianRenyi, RenyiDivergence, RenyiMoment, normal_density
from dpbounds.prover import rules
from dpbounds.theory.conversion import constrained, conversion
from dpbounds.theory.conversion.constrained import ALPHA, DELTA, GIVEN, LIMIT, LOSS, RHO, THRESHOLD, bound_at
from dpbounds.theory.noise import gaussian
from dpbounds.theory.sampling import subsampled
from tests.prover.wrong import without_document


def refused(build):
    assert without_document(build())


# (a) the Gaussian

ORDER, SIGMA, SHIFT, Y = gaussian.ALPHA, gaussian.SIGMA, gaussian.DELTA, gaussian.OUTPUT
INTEGRAND = normal_density(Y, SHIFT, SIGMA) ** ORDER * normal_density(Y, 0, SIGMA) ** (1 - ORDER)


def square(growth, mean):
    return rules.equality(INTEGRAND, exp(growth) * normal_density(Y, mean, SIGMA))


def test_gaussian_square():
    right = ORDER * (ORDER - 1) * SHIFT**2 / (2 * SIGMA**2)
    square(right, ORDER * SHIFT)
    for growth, mean in [
        (2 * right, ORDER * SHIFT),  # a lost 1/2
        (-right, ORDER * SHIFT),  # a wrong sign
        (ORDER * (ORDER - 1) * SHIFT / (2 * SIGMA**2), ORDER * SHIFT),  # Δ not squared
        (ORDER**2 * SHIFT**2 / (2 * SIGMA**2), ORDER * SHIFT),  # α² for α(α−1)
        (right, SHIFT),
        (right, (1 - ORDER) * SHIFT),
    ]:
        refused(lambda growth=growth, mean=mean: square(growth, mean))


def test_gaussian_mass():
    density = normal_density(Y, SHIFT, SIGMA)
    refused(lambda: rules.integral(density, (Y, -oo, oo), erf((Y - SHIFT) / (sqrt(2) * SIGMA))))
    refused(lambda: rules.integral(density, (Y, -oo, oo), -erf((Y - SHIFT) / (sqrt(2) * SIGMA)) / 2))


def test_gaussian_conclusion():
    _, _, moment = gaussian.gaussian_moment(ORDER, SHIFT)
    quantity = GaussianRenyi(ORDER, SIGMA, SHIFT)
    for closed in (
        ORDER * SHIFT**2 / SIGMA**2,
        SHIFT**2 / (2 * SIGMA**2),
        (ORDER - 1) * SHIFT**2 / (2 * SIGMA**2),
        ORDER * SHIFT / (2 * SIGMA**2),
    ):
        refused(lambda closed=closed: rules.equality(quantity.definition(), closed, [ORDER > 1], using=[moment]))
    refused(lambda: rules.equality(quantity.definition(), ORDER * SHIFT**2 / (2 * SIGMA**2), using=[moment]))  # α ≠ 1 dropped


# (b) subsampled moments


def subsampled_exchange(closed):
    p, q = subsampled.P[subsampled.INDEX], subsampled.Q[subsampled.INDEX]
    r, order, k = subsampled.RATE, subsampled.ORDER, subsampled.TERM
    given = [order > 1, r <= 1]
    term = rules.scale(rules.binomial_theorem(r * p, (1 - r) * q, order, k, given), q ** (1 - order), given)
    summed = rules.sum_termwise(term, (subsampled.INDEX, 1, subsampled.SIZE))
    return rules.equality(summed.rhs, closed, given)


def test_subsampled_moment():
    r, order, k = subsampled.RATE, subsampled.ORDER, subsampled.TERM
    base = Sum(subsampled.P[subsampled.INDEX] ** k * subsampled.Q[subsampled.INDEX] ** (1 - k), (subsampled.INDEX, 1, subsampled.SIZE))
    weight = binomial(order, k) * r**k * (1 - r) ** (order - k)
    subsampled_exchange(Sum(weight * base, (k, 0, order)))
    one = Symbol("k", integer=True, positive=True)
    refused(lambda: subsampled_exchange(Sum((weight * base).subs(k, one), (one, 1, order))))  # printed: from k = 1
    refused(lambda: subsampled_exchange(Sum(r**k * (1 - r) ** (order - k) * base, (k, 0, order))))  # the binomial coefficient lost
    refused(lambda: subsampled_exchange(Sum(weight * base / (1 - r) ** k, (k, 0, order))))
    refused(lambda: subsampled_exchange(Sum((-1) ** k * weight * base, (k, 0, order))))  # a wrong sign


def test_subsampled_conditions():
    p, q = subsampled.P[subsampled.INDEX], subsampled.Q[subsampled.INDEX]
    r = subsampled.RATE
    fractional = RenyiMoment(Symbol("alpha", positive=True), r * p + (1 - r) * q, q, (subsampled.INDEX, 1, subsampled.SIZE))
    refused(lambda: rules.definition(fractional, [fractional.args[0] > 1]))  # r ≤ 1 dropped: a negative number to a real power
    refused(lambda: rules.binomial_theorem(r * p, (1 - r) * q, Symbol("alpha", positive=True), subsampled.TERM))


def test_sampled_gaussian_term():
    k, sigma = subsampled.TERM, subsampled.SIGMA
    _, _, moment = gaussian.gaussian_moment(k, 1, sigma)
    one, zero = normal_density(Y, 1, sigma), normal_density(Y, 0, sigma)
    whole = Integral(one**k * zero ** (1 - k), (Y, -oo, oo))
    rules.equality(whole, exp(k * (k - 1) / (2 * sigma**2)), using=[moment])
    for growth in (k**2 / (2 * sigma**2), k * (k + 1) / (2 * sigma**2), k * (k - 1) / sigma**2, k * (k - 1) / (2 * sigma)):
        refused(lambda growth=growth: rules.equality(whole, exp(growth), using=[moment]))


# (c) the limited order


def test_constrained_minimum():
    s = sqrt(LOSS / RHO)
    given = (*GIVEN, Ge(DELTA, THRESHOLD))
    inside = constrained.interior_minimum(lambda name, fact: fact)[0]
    domain = [ALPHA > 1, ALPHA <= LIMIT]
    refused(lambda: rules.minimum(bound_at(ALPHA), ALPHA, 1 + s, given, [ALPHA <= LIMIT], using=[inside]))  # α > 1 dropped
    refused(lambda: rules.minimum(bound_at(ALPHA), ALPHA, LIMIT, GIVEN, domain))  # u without the threshold


def test_constrained_values():
    refused(lambda: rules.equality(bound_at(1 + sqrt(LOSS / RHO)), RHO + sqrt(RHO * LOSS), GIVEN))  # a lost 2
    refused(lambda: rules.equality(bound_at(1 + sqrt(LOSS / RHO)), 2 * sqrt(RHO * LOSS) - RHO, GIVEN))
    refused(lambda: rules.equality(bound_at(LIMIT), RHO * LIMIT + log(DELTA) / (LIMIT - 1), GIVEN))  # a wrong sign
    refused(lambda: rules.equality(bound_at(LIMIT), RHO * LIMIT - log(DELTA) / (LIMIT - 1), [DELTA < 1]))  # u > 1 dropped


def test_constrained_branches():
    closed, condition = constrained.closed_form(), Ge(DELTA, THRESHOLD)
    refused(lambda: rules.branch(closed, 0, [*GIVEN, condition.negated]))
    refused(lambda: rules.branch(closed, 1, [*GIVEN, condition]))
    refused(lambda: rules.branch(closed, 1, GIVEN))


def test_theorem_3_needs_the_order_to_be_allowed():
    body = RenyiDivergence(ALPHA, conversion.p, conversion.q, conversion.OVER) <= ALPHA * RHO
    premise = rules.hypothesis(conversion.ForAll(ALPHA, (ALPHA > 1) & (ALPHA <= LIMIT), body))
    refused(lambda: rules.specialize(premise, 1 + sqrt(LOSS / RHO), GIVEN))
    refused(lambda: rules.specialize(premise, LIMIT + 1, GIVEN))
    refused(lambda: rules.specialize(premise, LIMIT, [DELTA < 1]))


# (d) Legendre transforms and δ bounds


def test_sharp_constant():
    t, x = conversion.T, Symbol("x", nonnegative=True)
    tangent = rules.convex_tangent(x ** (1 + t), x, (1 + t) / t)
    good = conversion.sharp_constant(t)
    rules.restate(rules.le(x - 1, good * x ** (1 + t)), rules.scale(tangent, good))
    refused(lambda: rules.restate(rules.le(x - 1, good / 2 * x ** (1 + t)), rules.scale(tangent, good / 2)))
    unsigned = Symbol("t", real=True)
    refused(lambda: rules.convex_tangent(x ** (1 + unsigned), x, (1 + unsigned) / unsigned))  # t > 0 dropped
    refused(lambda: rules.convex_tangent(Symbol("y", real=True) ** (1 + t), Symbol("y", real=True), (1 + t) / t))  # x ≥ 0 dropped


def test_conversion_sign_and_condition():
    given = (conversion.LAMBDA > 1,)
    premise = rules.hypothesis(RenyiDivergence(conversion.LAMBDA, conversion.p, conversion.q, conversion.OVER) <= RHO, given)
    bound = conversion.delta_from_divergence(premise, conversion.LAMBDA, conversion.EPSILON, given)
    lam, epsilon = conversion.LAMBDA, conversion.EPSILON
    rules.restate(rules.le(bound.lhs, exp((lam - 1) * (RHO - epsilon))), bound, given)
    refused(lambda: rules.restate(rules.le(bound.lhs, exp(lam * (RHO - epsilon))), bound, given))
    assert (lam > 1) in conversion.moment_at_least_one(lam, ()).assumptions


def test_moments_below_one_need_distributions():
    x = Symbol("x", real=True)
    lam = conversion.LAMBDA
    moment = Sum(conversion.p**lam * conversion.q ** (1 - lam), conversion.OVER)
    refused(lambda: rules.equality(1, Sum(conversion.p, conversion.OVER)))
    refused(lambda: rules.apply(Lambda(x, log(x)), rules.hypothesis(rules.le(moment, 1)), [lam > 1]))
