"""The law just below its largest loss: an atom, and a density with a power series.

With x = (largest loss) − L, the law under P near x = 0 is an atom of mass a at 0 and a density h(x) = Σ h_n x^n on (0, width). Where
|h| ≤ G on the disc |x| ≤ r, Cauchy's estimate |h_n| ≤ G r^{−n} gives for 0 ≤ x ≤ τ < r

    |h(x) − Σ_{n<N} h_n x^n| ≤ G·(τ/r)^N/(1 − τ/r),

which goes into the ball of h_0.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from flint import arb, arb_series, ctx


@dataclass(frozen=True)
class TopEnd:
    """Largest loss, mass there, how far below it anything else begins, and the density between.

    `largest`: a bound on |h| in the disc of a radius, infinite where there is none. `series`: the first coefficients of h.
    `radius`: of a disc in which h is analytic with room to spare; infinite where there is no density.
    """

    loss: arb
    atom: arb
    width: arb
    radius: float = math.inf
    largest: Callable[[float], arb] = lambda radius: arb(0)
    series: Callable[[int], list[arb]] = lambda count: []

    def coefficients(self, distance: arb, tolerance: float) -> list[arb] | None:
        """h_0 … h_{N−1}, h_0 with the remainder up to `distance`, of about e^{−tolerance}·h; None where too many would be needed."""
        if math.isinf(self.radius):
            return []
        ratio = arb(distance.upper()) / self.radius
        if not ratio < 0.5:
            return None
        count = max(2, math.ceil(tolerance / -float(ratio.log().mid()))) if ratio > 0 else 2
        found = self.series(count)
        found[0] += remainder(self.largest(self.radius), ratio, count)
        return found


def remainder(largest: arb, ratio: arb, count: int) -> arb:
    """A ball around 0 of radius G·(τ/r)^N/(1 − τ/r).

    >>> remainder(arb(1), arb(1) / 2, 10).contains(0)
    True
    """
    return arb(0, (largest * ratio**count / (1 - ratio)).upper())


def laplace_top(largest: arb, rate: arb | None, reversed: bool) -> TopEnd:
    """Laplace noise of pure ε₀ = `largest`, Poisson-sampled at a rate or not: the densities of `endpoint_expansion`.

    At the upper end the base loss is ε₀, in the direction add −ε₀: y = log(1 − q + q·e^{±ε₀}), and 1 − (1−q)e^{−y} vanishes at the
    distance room = log(1 + q·e^{±ε₀}/(1−q)), the only singularity that near.
    """
    e, q, sign = largest, arb(1) if rate is None else rate, -1 if reversed else 1
    base, mass = (-e, arb(1) / 2) if reversed else (e, (-e).exp() / 2)
    y = base if rate is None else (q * base.expm1()).log1p()
    other = -base if rate is None else (q * (-base).expm1()).log1p()
    room = None if rate is None else (q * base.exp() / (1 - q)).log1p()
    scale = (-e / 2).exp() * q.sqrt() / 4
    radius = 1.0 if room is None else min(1.0, float(room.lower()) / 2)

    def series(count: int) -> list[arb]:
        before = ctx.cap
        ctx.cap = count
        try:
            x = arb_series([0, -sign], count)
            found = (x * sign / 2).exp() * (scale * (sign * y / 2).exp())
            if room is not None:
                gap = 1 - (-x).exp() * (-room).exp()
                found = found / (gap * gap.sqrt())
            return [found[n] for n in range(count)]
        finally:
            ctx.cap = before

    def bound(radius: float) -> arb:
        """|e^{±(x+y)/2}| ≤ e^{(r ± y)/2} and |1 − e^{−(x+room)}| ≥ 1 − e^{−(room−r)}."""
        size = scale * ((sign * y + radius) / 2).exp()
        return size if room is None else size / (-(radius - room).expm1()) ** arb("1.5")

    return TopEnd(sign * y, mass if reversed else mass * y.exp(), abs(y - other), radius, bound, series)
