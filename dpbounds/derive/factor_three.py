"""The factor 3 in the bound for Poisson sampling of any mechanism is not needed: a polynomial certificate at every small order."""

from __future__ import annotations

import sympy
from sympy import QQ, Expr, binomial
from sympy.polys.rings import ring

from dpbounds.derive import rules
from dpbounds.derive.derivation import Proof, recipe
from dpbounds.derive.kernel import Fact
from dpbounds.functions import RenyiMoment
from dpbounds.symbols import family, index, positive, positive_integer, sums_to_one

RATE, RATIO, ODDS = positive("gamma Y r")
SIZE, INDEX = positive_integer("n"), index("i")
OVER = (INDEX, 1, SIZE)
P, Q = family("p", "positive"), family("q", "positive")
ORDERS = (3, 4, 5, 6, 7, 8)
GIVEN = (RATE < 1,)


def weights(alpha: int, gamma: Expr) -> tuple[Expr, Expr]:
    """θ = 3(1−γ)/(3+2(α−2)γ) and c = θαγ + (1−θ)(1−αγ) + (α−1)γ."""
    theta = 3 * (1 - gamma) / (3 + 2 * (alpha - 2) * gamma)
    return theta, theta * alpha * gamma + (1 - theta) * (1 - alpha * gamma) + (alpha - 1) * gamma


def slack(alpha: int, gamma: Expr, ratio: Expr) -> Expr:
    """θm^α + (1−θ)Y(1−γ+γ/Y)^α − c(Y−1) − m^{1−α} with m = 1−γ+γY."""
    theta, c = weights(alpha, gamma)
    m = 1 - gamma + gamma * ratio
    return theta * m**alpha + (1 - theta) * ratio * (1 - gamma + gamma / ratio) ** alpha - c * (ratio - 1) - m ** (1 - alpha)


def certificate(alpha: int) -> Expr:
    """The slack at γ = 1/(1+r) as (Y−1)^4 times a polynomial with nonnegative coefficients over a positive denominator.

    The denominator is τ(1+r)^α (r+Y)^{α−1} Y^{α−1} with τ = 3(1+r) + 2(α−2); that the quotient is the slack is checked by the kernel.
    """
    _, ratio, odds = ring("Y r", QQ)
    tau = 3 * (1 + odds) + 2 * (alpha - 2)
    mixed, low = odds + ratio, alpha - 1
    c = 3 * odds * alpha + (tau - 3 * odds) * (1 + odds - alpha) + low * tau
    numerator = (
        3 * odds * mixed ** (2 * alpha - 1) * ratio**low
        + (tau - 3 * odds) * (odds * ratio + 1) ** alpha * mixed**low
        - c * (ratio - 1) * (1 + odds) ** low * mixed**low * ratio**low
        - tau * (1 + odds) ** (2 * alpha - 1) * ratio**low
    )
    quotient = numerator.exquo((ratio - 1) ** 4)
    denominator = (3 * (1 + ODDS) + 2 * (alpha - 2)) * (1 + ODDS) ** alpha * (ODDS + RATIO) ** low * RATIO**low
    return (RATIO - 1) ** 4 * quotient.as_expr(RATIO, ODDS) / denominator


def pointwise(proof: Proof, alpha: int) -> Fact:
    """0 ≤ slack for Y > 0 and 0 < γ < 1."""
    shown = proof("a polynomial with nonnegative coefficients", rules.nonnegative(certificate(alpha)))
    at_odds = rules.restate(rules.le(0, slack(alpha, 1 / (1 + ODDS), RATIO)), shown)
    back = rules.instance(at_odds, {ODDS: (1 - RATE) / RATE}, GIVEN)
    return proof("for every ratio of densities", rules.restate(rules.le(0, slack(alpha, RATE, RATIO)), back, GIVEN))


def bound(alpha: int, bounds: Expr) -> Expr:
    """(1−γ)^{α−1}(1+(α−1)γ) + Σ_{k=2}^{α} C(α,k) γ^k (1−γ)^{α−k} B_k, without a factor 3."""
    g = RATE
    terms = [binomial(alpha, k) * g**k * (1 - g) ** (alpha - k) * bounds[k] for k in range(2, alpha + 1)]
    return (1 - g) ** (alpha - 1) * (1 + (alpha - 1) * g) + sympy.Add(*terms)


def without_three(proof: Proof, alpha: int) -> Fact:
    """G_α(q ‖ (1−γ)q + γp) ≤ the bound, when G_k(p‖q) ≤ B_k and G_k(q‖p) ≤ B_k for k = 2..α."""
    p, q, g = P[INDEX], Q[INDEX], RATE
    bounds = family("B", "positive")
    mixed = (1 - g) * q + g * p
    theta, c = weights(alpha, g)
    start = pointwise(proof, alpha)
    here = rules.scale(rules.instance(start, {RATIO: p / q}, GIVEN), q, GIVEN)
    right = theta * mixed**alpha * q ** (1 - alpha) + (1 - theta) * ((1 - g) * p + g * q) ** alpha * p ** (1 - alpha) - c * (p - q)
    term = rules.restate(rules.le(q**alpha * mixed ** (1 - alpha), right), here, GIVEN)
    summed = proof("sum over the outcomes", rules.sum_termwise(term, OVER))
    whole = [rules.hypothesis(sums_to_one(law, OVER)) for law in (P, Q)]
    moments = []
    for first, second in ((p, q), (q, p)):
        for k in range(2, alpha + 1):
            quantity = RenyiMoment(k, first, second, OVER)
            premise = rules.hypothesis(quantity <= bounds[k])
            plain = rules.restate(rules.le(quantity.definition(), bounds[k]), premise, using=[rules.definition(quantity)])
            share = theta if first is p else 1 - theta
            weight = binomial(alpha, k) * g**k * (1 - g) ** (alpha - k)
            moments.append(rules.scale(plain, share * weight, GIVEN))
    total = rules.add(*moments)
    closed = bound(alpha, bounds)
    loose = rules.restate(rules.le(summed.rhs, closed), total, GIVEN, using=whole)
    quantity = RenyiMoment(alpha, q, mixed, OVER)
    return proof("the moment", rules.chain(rules.definition(quantity, GIVEN), summed, loose))


def _register(alpha: int) -> None:
    def build(proof: Proof) -> Fact:
        return without_three(proof, alpha)

    build.__doc__ = without_three.__doc__
    build.__name__ = f"without_three_{alpha}"
    recipe(
        f"without-factor-3-order-{alpha}",
        f"The bound for Poisson sampling without the factor 3, at order {alpha}",
        "Zhu & Wang 2019, slides",
    )(build)


for _order in ORDERS:
    _register(_order)
