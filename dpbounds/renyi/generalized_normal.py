"""Rényi divergence of generalized normal noise, density ∝ e^{−|x/a|^β} with β ≥ 1, shifted by 1.

    M = C ∫ e^{(t|x|^β − (1+t)|x−1|^β)/a^β} dx,     C = β/(2aΓ(1/β)),     D_{1+t} = log M / t.

The integral splits at the two kinks: u = −x and u = x − 1 from 0 on, and [0, 1]. On each piece the integrand is analytic away from u = 0
(and u = 1 on the middle piece). Beyond u = U, with A = a^β,

    left    t·u^β − (1+t)(1+u)^β ≤ −u^β,           right    t(1+u)^β − (1+t)u^β ≤ −c·u^β,  c = 1+t − t(1+1/U)^β,

and u^β ≥ U^{β−1}u for u ≥ U, so a tail with factor c > 0 is at most e^{−cU^β/A}·A/(cU^{β−1}). β = 1 is Laplace and β = 2 Gaussian noise.
"""

from __future__ import annotations

from flint import acb, arb

from dpbounds.numbers.balls import working_bits
from dpbounds.numbers.precise import Parameter, as_ball
from dpbounds.numbers.quadrature import integrate

Terms = tuple[tuple[arb, int, int], tuple[arb, int, int]]
"""(c, o, s) stands for c·(o + s·u)^β."""


def divergence(t: Parameter, shape: Parameter, scale: Parameter) -> arb:
    """D_{1+t} at the precision that is set, for t > 0.

    Args:
        t: order minus one.
        shape: β ≥ 1.
        scale: a > 0, in units of the shift.

    Returns:
        A ball that contains the divergence; the shifted pair is its own mirror image, so both directions are covered.

    >>> from dpbounds.numbers.balls import precision
    >>> with precision(60):
    ...     bool(abs(divergence(arb(2), arb(2), arb(2).sqrt()) - arb(3) / 2) < 1e-12)
    True
    """
    order, beta, a = as_ball(t), as_ball(shape), as_ball(scale)
    unit = a**beta
    top = _largest_exponent(order, beta) / unit

    def piece(upper: arb, terms: Terms, so_far: arb) -> arb:
        def f(z: acb, analytic: bool) -> acb:
            return (_exponent(terms, z, beta, analytic) / unit - top).exp()

        return integrate(f, arb(0), upper, working_bits() - 6, so_far)

    right, left = ((order, 1, 1), (-1 - order, 0, 1)), ((order, 0, 1), (-1 - order, 1, 1))
    total = arb(0)
    for terms, is_right in ((right, True), (left, False)):
        cut = _cut(order, beta, unit, top, is_right)
        rate = 1 + order - order * (1 + 1 / cut) ** beta if is_right else arb(1)
        if not rate > 0:
            return arb.nan()  # an order so large that no cut was found
        tail = (-rate * cut**beta / unit - top).exp() * unit / (rate * cut ** (beta - 1))
        total += piece(cut, terms, total) + arb(0).union(tail)
    total += piece(arb(1), ((order, 0, 1), (-1 - order, 1, -1)), total)
    constant = beta / (2 * a * (1 / beta).gamma())
    return ((constant * total).log() + top) / order


def _exponent(terms: Terms, z: acb, beta: arb, analytic: bool) -> acb:
    """Σ c(o + sz)^β on a box, in the centred form φ(m) + φ′(box)(z − m) where that is narrower: the powers nearly cancel."""
    plain = _sum(terms, z, beta, analytic)
    middle = acb(z.real.mid(), z.imag.mid())
    if not plain.is_finite() or z.is_exact():
        return plain
    slope = acb(0)
    for factor, offset, sign in terms:
        slope += factor * beta * sign * _power(offset + sign * z, beta - 1, analytic)
    centred = _sum(terms, middle, beta, False) + slope * (z - middle)
    return centred if centred.is_finite() and centred.real.rad() < plain.real.rad() else plain


def _sum(terms: Terms, z: acb, beta: arb, analytic: bool) -> acb:
    total = acb(0)
    for factor, offset, sign in terms:
        total += factor * _power(offset + sign * z, beta, analytic)
    return total


def _largest_exponent(order: arb, beta: arb) -> arb:
    """A number near max over u ≥ 0 of t(1+u)^β − (1+t)u^β, which only scales the integrand. At β = 1 it is t, reached at u = 0."""
    if not beta > 1:
        return order.mid()
    ratio = ((1 + order) / order) ** (1 / (beta - 1))  # (1+u)/u at the maximum
    u = 1 / (ratio - 1)
    return (order * (1 + u) ** beta - (1 + order) * u**beta).mid()


def _cut(order: arb, beta: arb, unit: arb, top: arb, is_right: bool) -> arb:
    """Where the tail is below 2^−bits of the scaled integrand's largest value; any value is right, this one is cheap."""
    cut, goal = arb(2), arb(working_bits() + 10) * arb(2).log()
    for _ in range(200):
        rate = 1 + order - order * (1 + 1 / cut) ** beta if is_right else arb(1)
        if rate > 0 and rate * cut**beta / unit + top > goal:
            return cut
        cut = (cut * 5 / 4).mid()
    return cut


def _power(z: acb, beta: arb, analytic: bool) -> acb:
    """z^β for Re z ≥ 0: entire for an integer β, otherwise analytic away from 0, and [0, r^β] on a real interval that touches 0."""
    if beta.is_integer():
        return z ** int(float(beta))
    if z.real.contains(0) and z.imag == 0 and not analytic:
        return acb(arb(0).union(z.real.abs_upper() ** beta))
    return z.pow(acb(beta), analytic=analytic)
