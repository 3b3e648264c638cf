"""δ so near to 1 that what is missing does not matter: a certified bound, whatever the number of steps.

For 0 ≤ t ≤ 1, min(1, e^{ε−L}) ≤ e^{t(ε−L)}, so

    1 − δ(ε) = E_P[min(1, e^{ε−L})] ≤ M(−t)·e^{tε},

where M(−t) is a product over the uses, and falls exponentially in their number. By Hölder's inequality each factor is at most 1: those
without a moment between the poles are left out. Outcomes that a law leaves out, but for those of infinite
loss, add at most their mass.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction

from flint import arb

from dpbounds.accounting.bromwich_planning import Model
from dpbounds.laws.contour_factor import ContourFactor
from dpbounds.numbers.balls import Enclosure, bits_for, precision
from dpbounds.numbers.inputs import exact_ball

METHOD = "Chernoff bound on 1 - delta"
_ORDERS = (0.49, 0.25, 0.75, 0.1, 0.9, 0.03, 0.01, 0.003, 0.001)
"""Not 1/2, where the closed form of Laplace noise divides by 0."""


def near_one(
    make: Callable[[], list[ContourFactor]], epsilon: Fraction, digits: int, dropped: Callable[[], arb] = lambda: arb(0)
) -> Enclosure | None:
    """[1 − b, 1] with the digits asked for, if such a b is certified, else None.

    Args:
        make: builds the factors at the current precision: laws with tails leave out less at a higher one.
        dropped: the mass of finite losses that the factors leave out.

    >>> from dpbounds.laws.contour_factor import GaussianFactor
    >>> near_one(lambda: [GaussianFactor(arb(1000))], Fraction(1), 15).upper
    Fraction(1, 1)
    """
    factors = [factor for factor in make() if factor.between_poles]
    if not factors:
        return None
    model, goal = Model(factors, float(epsilon)), -(digits + 1) * math.log(10)
    if not any(model.exponent(-t) < goal for t in _ORDERS[:1] + _ORDERS[3:4]):
        return None
    order = min(_ORDERS, key=lambda t: model.exponent(-t))
    with precision(bits_for(digits, 80) + 2 * math.ceil(math.log2(sum(factor.steps for factor in factors)))):
        factors = [factor for factor in make() if factor.between_poles]
        missing = one_minus_delta_bound(factors, arb(order), exact_ball(epsilon)) + arb(dropped().upper())
        return Enclosure.between(1 - missing, arb(1)) if missing < arb(10) ** -(digits + 1) else None


def one_minus_delta_bound(factors: Sequence[ContourFactor], t: arb, epsilon: arb) -> arb:
    """An upper bound on 1 − δ(ε) by the order t, 0 ≤ t ≤ 1; infinite for other t."""
    if not (t >= 0 and t <= 1):
        return arb.pos_inf()
    bound = (t * epsilon).exp()
    for factor in factors:
        bound *= arb(factor.moment(-t).upper()) ** factor.steps
    return arb(bound.upper())
