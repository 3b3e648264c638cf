"""Amplification of Rényi curves by subsampling. The exact curve of the Poisson-sampled Gaussian is `renyi.curves.PoissonGaussianCurve`."""

from __future__ import annotations

from dpbounds.errors import InputError
from dpbounds.numbers import exact
from dpbounds.numbers.balls import Ball, Enclosure, ball
from dpbounds.numbers.domains import probability
from dpbounds.numbers.exact import Exact
from dpbounds.numbers.precise import as_ball
from dpbounds.numbers.to_digits import certified
from dpbounds.renyi.curves.curve import RenyiCurve

MOST_TERMS = 20_000


def zhu_wang_upper_of(curve: RenyiCurve, q: exact.Number, alpha: exact.Number, factor: exact.Number = 1, digits: int = 15) -> Enclosure:
    """D_α of the Poisson-sampled mechanism is at most log(A + f·B)/(α−1), with

        A = (1−q)^{α−1}(αq−q+1) + C(α,2) q²(1−q)^{α−2} e^{ε(2)},    B = Σ_{l=3}^α C(α,l) (1−q)^{α−l} q^l e^{(l−1)ε(l)}.

    Args:
        curve: ε(l), the mechanism's curve in both directions.
        q: the sampling rate in [0, 1].
        alpha: an integer order ≥ 2.
        factor: f = 1 or 3. Zhu & Wang 2019, Theorem 5, prove f = 3 for every mechanism; f = 1 holds for every mechanism too, which is the
            catalogue's claim on removing the 3. The slides' prefactor 1/α is wrong.

    Returns:
        An upper bound on both directions, add-or-remove neighbours.

    >>> from dpbounds.renyi.curves import GaussianCurve, PoissonGaussianCurve
    >>> zhu_wang_upper_of(GaussianCurve(2), "0.1", 8).overlaps(PoissonGaussianCurve(2, "0.1").certified_divergence(8))
    True
    """
    order, rate = _integer_order(alpha), probability(q, "q (the sampling rate)")
    constant = exact.integer(factor, "factor")
    if constant not in (1, 3):
        raise InputError(f"factor must be 1 or 3, got {constant}")
    return certified(lambda: _log_binomial_moment(curve, rate, order, constant) / (order - 1), digits)


def zhu_wang_lower_of(curve: RenyiCurve, q: exact.Number, alpha: exact.Number, digits: int = 15) -> Enclosure:
    """The lower bound log(A + B)/(α−1) with A, B of `zhu_wang_upper_of`: the divergence of the sampled pair itself, direction remove.

    Args:
        curve: must be attained at each order by one pair (P ‖ Q) of the mechanism, as for Gaussian and Laplace noise.
        q, alpha: as in `zhu_wang_upper_of`.

    Returns:
        A value that the sampled mechanism's divergence reaches; it equals the upper bound with factor 1, where the two meet.

    Source: Zhu & Wang 2019, Theorem 6; the blog's (9.5).

    >>> from dpbounds.renyi.curves import LaplaceCurve
    >>> lower, upper = zhu_wang_lower_of(LaplaceCurve(1), "0.1", 4), zhu_wang_upper_of(LaplaceCurve(1), "0.1", 4)
    >>> lower.overlaps(upper)
    True
    """
    order, rate = _integer_order(alpha), probability(q, "q (the sampling rate)")
    return certified(lambda: _log_binomial_moment(curve, rate, order, 1) / (order - 1), digits)


def _log_binomial_moment(curve: RenyiCurve, q: Exact, order: int, factor: int) -> Ball:
    """log(A + f·B) of `zhu_wang_upper_of` at the precision that is set, with Σ C(α,l) q^l (1−q)^{α−l} = 1 taken off first."""
    share = as_ball(q)
    if share == 1:
        return curve.cumulant(ball(order - 1)) + (ball(factor).log() if order > 2 else 0)
    odds, weight, excess = share / (1 - share), (1 - share) ** order, ball(0)
    for size in range(1, order + 1):
        weight = weight * odds * (order - size + 1) / size
        if size == 2:
            excess += weight * curve.cumulant(ball(1)).expm1()
        elif size > 2:
            cumulant = curve.cumulant(ball(size - 1))
            excess += weight * (cumulant.expm1() if factor == 1 else factor * cumulant.exp() - 1)
    return excess.log1p()


def _integer_order(alpha: exact.Number) -> int:
    order = exact.integer(alpha, "alpha (the Rényi order)")
    if not 2 <= order <= MOST_TERMS:
        raise InputError(f"alpha (the Rényi order) must be an integer from 2 to {MOST_TERMS} for this bound, got {order}")
    return order
