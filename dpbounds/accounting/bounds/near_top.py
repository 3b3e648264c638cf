"""δ(ε) just below the largest loss, as a power series in the distance from it.

With x_i = (largest loss) − L_i ≥ 0 for every use and τ = Σ(largest losses) − ε, only x with Σx_i < τ counts:

    δ(ε) = ∫_{[0, τ)} (1 − e^{−(τ−x)})dμ(x),    μ the convolution of a_i·(atom at 0) + h_i(x)dx, h_i(x) = Σ_n h_{i,n}x^n (`laws.top_end`).

The convolution of x^m/m! and x^n/n! is x^{m+n+1}/(m+n+1)!, so with v^m for x^{m−1}/(m−1)!, m ≥ 1, and 1 for the atom, convolution is
multiplication:

    Π_i (a_i + Σ_n n!·h_{i,n}·v^{n+1})^{k_i} · Σ_{i≥1} (−1)^{i+1}v^i = Σ_n γ_n v^n    and    δ(ε) = Σ_{n≥1} γ_n τ^n/n!.

1 − e^{−x} is its Taylor polynomial of degree I up to θ·x^{I+1}/(I+1)!, |θ| ≤ 1: the coefficient of v^{I+1} is a ball [−1, 1]. The
remainder of each h_i is in the ball of h_{i,0}. Both enclose δ because μ and δ grow with every h_i ≥ 0 and with the kernel, and because
h_i less its remainder is required to be ≥ 0.
"""

from __future__ import annotations

import math
from fractions import Fraction

from flint import arb, arb_poly

from dpbounds.laws.normal_form import Elements
from dpbounds.laws.top_end import TopEnd
from dpbounds.numbers.balls import BITS_PER_DIGIT, Enclosure, precision
from dpbounds.numbers.inputs import exact_ball

METHOD = "power series at the largest loss"
_MOST_TERMS = 20_000
"""Coefficients of the product of all series."""
_ROUNDS = 3
_LN10 = math.log(10)


def near_top_delta(elements: Elements, epsilon: Fraction, digits: int) -> Enclosure | None:
    """δ(ε) with the digits where ε is near enough to the largest loss; None elsewhere, and where a law has no such series."""
    tolerance, guard = digits * _LN10 + 6, 60
    for _ in range(_ROUNDS):
        with precision(int(digits * BITS_PER_DIGIT) + guard):
            value = near_top_value(elements, exact_ball(epsilon), tolerance)
            if value is None:
                return None
            found = Enclosure.of_ball(value + elements.unlisted_mass())
        if found.meets(digits):
            return found
        tolerance, guard = tolerance + 2 * _LN10, 4 * guard
    return None


def near_top_value(elements: Elements, epsilon: arb, tolerance: float) -> arb | None:
    """The same at the current precision, without the mass of infinite loss; None where the series does not serve."""
    tops = [(law.top(), steps) for law, steps in elements.uses.items()]
    distance = -epsilon
    for top, steps in tops:
        if top is None:
            return None
        distance += steps * top.loss
    product, tau = arb_poly([1]), distance
    if not tau > 0:
        return None
    for top, steps in tops:
        assert top is not None
        factor = _series_of(top, tau, tolerance)
        if factor is None or (factor.length() - 1) * steps > _MOST_TERMS:
            return None
        product *= factor**steps
    return _mean(product, tau, kernel(tau, tolerance))


def _series_of(top: TopEnd, tau: arb, tolerance: float) -> arb_poly | None:
    """a + Σ n!·h_n·τ^{n+1}·v^{n+1}, v in units of τ."""
    if not tau < top.width:
        return None
    coefficients = top.coefficients(tau, tolerance)
    if coefficients is None:
        return None
    found, size = [top.atom], tau
    least = arb(0) if not coefficients else coefficients[0] - sum((abs(h) * tau**n for n, h in enumerate(coefficients) if n), arb(0))
    if not least >= 0:
        return None
    for n, h in enumerate(coefficients):
        found.append(h * size)
        size *= tau * (n + 1)
    return arb_poly(found)


def kernel(tau: arb, tolerance: float) -> arb_poly:
    """Σ_{i≤I} (−1)^{i+1}(τv)^i, and [−1, 1]·(τv)^{I+1}."""
    last = 2
    while last < 1000 and last * math.log(max(float(tau.upper()), 1e-300)) - math.lgamma(last + 1) > -tolerance:
        last += 1
    signs = [arb(0), *((-1) ** (i + 1) * tau**i for i in range(1, last + 1)), arb(0, (tau ** (last + 1)).upper())]
    return arb_poly(signs)


def _mean(product: arb_poly, tau: arb, weights: arb_poly) -> arb:
    """Σ_n [v^n](product·weights)/n!."""
    total, size = arb(0), arb(1)
    for n, value in enumerate((product * weights).coeffs()):
        size = size / n if n else size
        total += value * size
    return total
