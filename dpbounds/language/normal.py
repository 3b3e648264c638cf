"""Φ and its inverse on balls."""

from __future__ import annotations

from flint import arb

from dpbounds.numbers import balls

_STEPS, _WIDER = 60, 200


def normal_cdf(x: arb) -> arb:
    """Φ(x) = erfc(−x/√2)/2.

    >>> normal_cdf(arb(0)) == arb(1) / 2
    True
    """
    return (-x / arb(2).sqrt()).erfc() / 2


def normal_quantile(p: arb) -> arb:
    """Φ⁻¹ on a ball inside (0, 1), from its values at both ends: it increases. NaN elsewhere.

    A value is found by Newton's method, whatever that does, and kept where Φ at both ends of an interval around it shows that it is there.

    >>> normal_cdf(normal_quantile(arb("0.01"))).contains(arb("0.01").mid())
    True
    """
    if not (p > 0 and p < 1):
        return arb.nan()
    if p.is_exact():
        return _point(p)
    return _point(arb(p.lower())).union(_point(arb(p.upper())))


def _point(p: arb) -> arb:
    """Φ⁻¹ of an exact number in (0, 1)."""
    if p > arb(1) / 2:
        # 1 − p is exact enough: it may take more bits, and its ball is used as a whole.
        rest = 1 - p
        return -_point(rest) if rest.is_exact() else -(_point(arb(rest.lower())).union(_point(arb(rest.upper()))))
    x = _guess(p)
    radius = (abs(x) + 1) * arb(2) ** (4 - balls.working_bits())
    for _ in range(_WIDER):
        low, high = x - radius, x + radius
        if normal_cdf(low) <= p <= normal_cdf(high):
            return low.union(high)
        radius = 2 * radius
    return arb.nan()


def _guess(p: arb) -> arb:
    """About Φ⁻¹(p) for p ≤ 1/2: Newton's method for log Φ, which is concave, from the left of the root."""
    goal = p.log()
    x = -((-2 * goal).sqrt() + 1).mid()
    for _ in range(_STEPS):
        value = normal_cdf(x)
        slope = (-(x**2) / 2).exp() / (2 * arb.pi()).sqrt() / value
        step = ((goal - value.log()) / slope).mid()
        x = (x + step).mid()
        if abs(step) < (abs(x) + 1) * arb(2) ** (2 - balls.working_bits()):
            break
    return x
