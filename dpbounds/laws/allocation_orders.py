"""Rényi divergences of random allocation at real orders.

With S = dP/dQ of one epoch (`random_allocation`), D_{1+v}(Q‖P) = log E S^{−v}/v, and D_{1+v}(P‖Q) = log E
S^{1+v}/v.

Moments of whole orders are finite sums. For real p > 1 take m = ⌈p⌉ + 1 and a = m − p, 1 ≤ a < 2:

    Γ(a)·E S^p = ∫_ℝ e^{ax}G(e^x)dx,    G(s) = E S^m e^{−sS},

since ∫ s^{a−1}e^{−sS}ds = Γ(a)S^{−a}. G(s)/m! is the coefficient of x^m in (Σ_k E Y^k
e^{−sY/t}·(x/t)^k/k!)^t, and moving the mean of u by k/σ gives E Y^k e^{−rY} = e^{k(k−1)/(2σ²)}φ(r e^{k/σ²}).
The trapezoid sum of step h over first ≤ j ≤ last misses at most

* ρ·Γ(a)E S^p, ρ = 2cos(b)^{−a}/(e^{2πb/h} − 1), any 0 < b < π/2, as |G(re^{iψ})| ≤ G(r cos ψ);
* on the left, G ≤ E S^m: E S^m·h·e^{a·first·h}/(e^{ah} − 1);
* on the right, r^q e^{−rS} ≤ (q/e)^q S^{−q}, q = m + p′, p′ ≥ 0, and E S^{−p′} ≤ exp((p′ + p′²/t)/(2σ²))
  (geometric mean): (q/e)^q·exp((p′ + p′²/t)/(2σ²))·h·e^{(a−q)·last·h}/(e^{(q−a)h} − 1).
"""

from __future__ import annotations

import math
from fractions import Fraction

from flint import arb, arb_series, ctx

from dpbounds.errors import PrecisionError
from dpbounds.laws.law import rational
from dpbounds.laws.lognormal import approx_inner_rule, transform_on_ray
from dpbounds.laws.random_allocation import AllocationFactor
from dpbounds.mechanisms.pairs import AllocationPair
from dpbounds.numbers.balls import precision, working_bits
from dpbounds.numbers.divergence import divergence_from_moment
from dpbounds.numbers.precise import Parameter

_LN2 = math.log(2)
_LARGEST_ORDER = 128
_SHIFT = 1.4


def divergence(pair: AllocationPair, t: Parameter, bits: int, *, reversed: bool = False) -> arb:
    """D_{1+t} of one epoch, of (P ‖ Q), or of (Q ‖ P) when `reversed`, with `bits` relative bits.

    Args:
        t: order minus one, t > 0.

    Raises:
        InputError: t = 0. PrecisionError: the accuracy was not reached, or a fractional order beyond 128 of
        (P ‖ Q).

    >>> from fractions import Fraction
    >>> divergence(AllocationPair(10, Fraction(1)), Fraction(1), 60).str(15, radius=False)
    '0.158565078740429'
    """
    factor = AllocationFactor(pair.bins, rational(pair.sigma, "sigma"))
    whole = t if isinstance(t, (int, Fraction)) and Fraction(t).denominator == 1 else None

    def moment(order: arb, tolerance: float) -> arb:
        if reversed:
            return factor.precise_moment(order, tolerance)
        if whole is not None and whole < _LARGEST_ORDER:
            return factor.power_moment(int(whole) + 1, int(tolerance / _LN2) + 64)
        return real_moment(factor, 1 + order, tolerance)

    return divergence_from_moment("random allocation", moment, t, bits)


def real_moment(factor: AllocationFactor, p: arb, tolerance: float) -> arb:
    """E S^p, p > 1, to about e^{−tolerance} relative."""
    order = float(p.mid())
    m = math.ceil(order) + 1
    if m > _LARGEST_ORDER:
        raise PrecisionError(f"random allocation: fractional orders are known up to {_LARGEST_ORDER - 1}, got {order:.6g}")
    a, sigma, bins = m - order, float(factor.sigma), factor.bins
    low, high = (float(factor.power_moment(n).log().mid()) for n in (m - 2, m))
    size = math.lgamma(a) + low  # at least about log Γ(a)E S^p
    step = 2 * math.pi * _SHIFT / (tolerance + 6)
    left = (size - tolerance - 4 - high) / a
    right, extra = math.inf, 0.0
    for index in range(60):
        power = 0.25 * 1.25**index
        q = m + power
        x = (q * math.log(q) - q + (power + power * power / bins) / (2 * sigma**2) + tolerance + 4 - size) / (q - a)
        right, extra = min((right, extra), (x, power))
    first, last = math.floor(left / step), math.ceil(right / step)
    inner = tolerance + m * m / (2 * sigma * sigma) + m * math.log(m + 1) + math.log(bins) + 20
    return moment_on(factor, p, m, step, first, last, extra, inner)


def moment_on(factor: AllocationFactor, p: arb, m: int, step: float, first: int, last: int, extra: float, inner: float) -> arb:
    """E S^p from the sum over first ≤ j ≤ last; poor choices widen the ball. extra: p′; inner: D of φ."""
    with precision(max(working_bits(), int(inner / _LN2) + 80)):
        h, a = arb(step), m - p
        values = tilted_transforms(factor, m, h, first, last, inner)
        total = sum((value * (h * j * a).exp() for j, value in enumerate(values, first)), arb(0)) * h
        rest = left_end(factor, a, m, h, first) + right_end(factor, a, m, h, last, arb(extra))
        rho = step_error(a, h)
        if not (a > 0 and rho < 1 and rest.is_finite()):
            return arb.nan()
        return (total + arb(0, rest.upper())) / (1 + arb(0, rho.upper())) / a.gamma()


def tilted_transforms(factor: AllocationFactor, m: int, h: arb, first: int, last: int, inner: float) -> list[arb]:
    """E S^m e^{−sS} at s = e^{jh}, first ≤ j ≤ last."""
    sigma, count, share = factor.noise(), last - first + 1, arb(1) / factor.bins
    rule = approx_inner_rule(float(factor.sigma), 0.0, float(h), count, inner)[1]
    rows = []
    for k in range(m + 1):
        start = h * first - arb(factor.bins).log() + k / sigma**2
        scale = (k * (k - 1) / (2 * sigma**2)).exp() * share**k / arb(k).fac()
        rows.append([value.real * scale for value in transform_on_ray(sigma, arb(0), start, h, count, rule)])
    found = []
    before, ctx.cap = ctx.cap, m + 1
    try:
        for column in zip(*rows, strict=True):
            power = (arb_series(list(column)).log() * factor.bins).exp()
            found.append(power[m] * arb(m).fac())
    finally:
        ctx.cap = before
    return found


def step_error(a: arb, h: arb) -> arb:
    """ρ, the error of the step over Γ(a)E S^p."""
    shift = arb(_SHIFT)
    return 2 * shift.cos() ** (-a) / (2 * arb.pi() * shift / h).expm1()


def left_end(factor: AllocationFactor, a: arb, m: int, h: arb, first: int) -> arb:
    """The nodes before the first one."""
    return factor.power_moment(m) * h * (a * h * first).exp() / (a * h).expm1()


def right_end(factor: AllocationFactor, a: arb, m: int, h: arb, last: int, extra: arb) -> arb:
    """The nodes beyond the last one."""
    q = m + extra
    if not (extra >= 0 and q > a):
        return arb.pos_inf()
    exponent = q * q.log() - q + (extra + extra**2 / factor.bins) / (2 * factor.noise() ** 2) + (a - q) * h * last
    return exponent.exp() * h / ((q - a) * h).expm1()
