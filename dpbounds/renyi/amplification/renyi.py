"""Amplification of Rényi curves by subsampling. The exact curve of the Poisson-sampled Gaussian is `renyi.curves.PoissonGaussianCurve`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from dpbounds.errors import InputError
from dpbounds.numbers import exact
from dpbounds.numbers.balls import Ball, Enclosure, ball, working_bits
from dpbounds.numbers.domains import nonnegative, order_above_one, probability
from dpbounds.numbers.exact import Exact
from dpbounds.numbers.precise import as_ball
from dpbounds.numbers.to_digits import certified
from dpbounds.renyi.curves.curve import RenyiCurve

MOST_TERMS = 20_000
HIGHEST_ORDER = 1_000
"""Of `PoissonBoundCurve`, which sums as many terms for each order that a search visits."""


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


def without_replacement_renyi_of(curve: RenyiCurve, q: exact.Number, alpha: exact.Number, digits: int = 15) -> Enclosure:
    """D_α of the mechanism on m of n records drawn without replacement, q = m/n, is at most log(1 + S)/(α−1), with

        S = q²C(α,2)·min{4(e^{ε(2)}−1), e^{ε(2)} min{2, (e^{ε(∞)}−1)²}} + Σ_{j=3}^α q^j C(α,j) e^{(j−1)ε(j)} min{2, (e^{ε(∞)}−1)^j}.

    Args:
        curve: ε(j) of the mechanism under substitution; ε(∞) is `curve.largest_loss()`.
        q: m/n in (0, 1].
        alpha: an integer order ≥ 2.

    Assumptions: substitution (replace-one) neighbours on both levels.

    Source: Wang, Balle & Kasiviswanathan 2019, Theorem 9; the slides leave out "integer", "without replacement" and "replace-one".

    >>> from dpbounds.renyi.curves import GaussianCurve
    >>> without_replacement_renyi_of(GaussianCurve(2), "0.01", 2).upper < GaussianCurve(2).certified_divergence(2).lower
    True
    """
    order, rate = _integer_order(alpha), probability(q, "q (the sampling rate)")

    def total() -> Ball:
        share, largest = as_ball(rate), curve.largest_loss()

        def cap(j: int) -> Ball:
            return ball(2) if largest is None else ball(2).min(largest.expm1() ** j)

        second = curve.divergence(ball(2))
        result = share**2 * order * (order - 1) / 2 * (4 * second.expm1()).min(second.exp() * cap(2))
        weight = share**2 * order * (order - 1) / 2
        for j in range(3, order + 1):
            weight = weight * share * (order - j + 1) / j
            result += weight * curve.cumulant(ball(j - 1)).exp() * cap(j)
        return result.log1p() / (order - 1)

    return certified(total, digits)


def averaged_renyi_of(alpha: exact.Number, rho: exact.Number, q: exact.Number, digits: int = 15) -> Enclosure:
    """D_α of the sampled mechanism is at most log(1 + q(e^{(α−1)ρ}−1))/(α−1): joint convexity only, one factor q.

    Args:
        alpha: order > 1.
        rho: D_α ≤ ρ for the mechanism on the sample.
        q: the probability that the differing record takes part; any sampling that keeps neighbours neighbours.

    Source: the blog's Claim 24.

    >>> averaged_renyi_of(2, 1, 1).contains(1)
    True
    """
    order, bound, rate = order_above_one(alpha), nonnegative(rho, "rho"), probability(q, "q (the sampling rate)")

    def formula() -> Ball:
        t = as_ball(order) - 1
        return (as_ball(rate) * (t * as_ball(bound)).expm1()).log1p() / t

    return certified(formula, digits)


@dataclass(frozen=True)
class PoissonBoundCurve(RenyiCurve):
    """The curve of `zhu_wang_upper_of` (factor 1) at integer orders, with chords of K between them.

    K of the sampled mechanism is convex, so chords of an upper bound bound it; and the bound itself is convex in the integers, because
    binomial sums Σ C(n,l) x_l y_{n−l} of log-convex sequences are log-convex (Davenport & Pólya 1949).

    >>> from dpbounds.renyi.curves import GaussianCurve
    >>> PoissonBoundCurve(GaussianCurve(2), "0.1").certified_divergence("2.5").upper > 0
    True
    """

    base: RenyiCurve
    q: Exact

    def __init__(self, base: RenyiCurve, q: exact.Number) -> None:
        object.__setattr__(self, "base", base)
        object.__setattr__(self, "q", probability(q, "q (the sampling rate)"))

    def divergence(self, order: Ball) -> Ball:
        """K(t)/t with K on a chord."""
        t = order - 1
        below, above = int(float(t.lower())), int(float(t.upper())) + 1
        if above > HIGHEST_ORDER or above - below > 1 and not t.is_exact():
            return Ball.nan()
        left, right = (_moment_at(self.base, self.q, n + 1, working_bits()) if n else ball(0) for n in (below, below + 1))
        return (left + (right - left) * (t - below)) / t

    def greatest_order(self) -> Ball | None:
        """The base's limit, cut to an integer, and never more than `HIGHEST_ORDER`."""
        limit = self.base.greatest_order()
        return ball(HIGHEST_ORDER if limit is None else min(int(float(limit.lower())), HIGHEST_ORDER))

    def largest_loss(self) -> Ball | None:
        """log(1 + q(e^ε−1)) for a base of largest loss ε."""
        loss = self.base.largest_loss()
        return None if loss is None else (as_ball(self.q) * loss.expm1()).log1p()


@lru_cache(maxsize=4096)
def _moment_at(curve: RenyiCurve, q: Exact, order: int, bits: int) -> Ball:
    """`_log_binomial_moment` with factor 1, remembered: a search visits the same two integers many times."""
    return _log_binomial_moment(curve, q, order, 1)


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
