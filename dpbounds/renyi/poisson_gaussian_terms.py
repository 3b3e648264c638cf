"""The integrand of the Poisson-sampled Gaussian moment and a bound for each thing the sum leaves out.

Notation of `poisson_gaussian`: f(x) = φ_σ(x)·G(u(x)), J = ∫ f, p = 1+t (remove) or −t (add), α = 1+t, and

    H(u) = G(u)/u² = α·∫₀¹ (1−s)(1+su)^{p−2} ds,     H(0) = α/2,

which increases in u when p ≥ 2 and decreases when p < 2. So f = φ·u²·H(u) is bounded on an interval by its ends.

**Tails.** m is a majorant of f beyond the last node T, log-concave and with (log m)′ ≤ −d < 0 there; then m decreases, the nodes beyond T
contribute h·Σ m ≤ ∫_T^∞ m ≤ m(T)/d.

* Left, x ≤ −T: |u| ≤ q·min(1, |w|), |w| = (|x|+½)/σ², H ≤ H(0) if p ≥ 2, H ≤ H(−q) if p < 2.
* Right, x ≥ T ≥ ½: 0 ≤ u ≤ q·w·e^w. H ≤ (α/2)·U^{p−2} if p ≥ 2 and α/2 if p < 2; log U has slope ≤ 1/σ² in x, so
  U(x) ≤ U(T)·e^{(x−T)/σ²}.

**Edges of the strip.** With θ = a/σ² < π and S = sin²(θ/2), at x+ia the path 1+su, 0 ≤ s ≤ 1, stays off the negative axis, so (*)
holds, and

    |φ(x+ia)| = φ(x)e^{a²/2σ²},   |u(x+ia)|² = q²((e^w−1)² + 4e^w S),   cos(θ/2)(1+su) ≤ |1+su(x+ia)| ≤ 1+su.

Let h(w) = ∫(1−s)(1+su)^{p−2} ds, so that J = αq²·E[(e^w−1)²h]. Under the tilt e^w (w ~ N(v/2, v)) the function 4sinh²(w/2)·1{w ≥ 0} is
increasing. If p ≥ 2, so is h, and Chebyshev's association inequality gives E[e^w h]·g ≤ E[(e^w−1)²h] with
g = E[(e^w−1)²; w ≥ 0] ≥ v/2. If p < 2, h decreases; the same with g = E[(e^w−1)²; w ≤ 0] ≥ 0.15/(1+σ)²
(|w| ≥ √v·Z on an event of probability ½, 1−e^{−y} ≥ y/(1+y), P(Z ≥ 1) > 0.15). Hence

    ∫|f(x+ia)|dx ≤ A·J,   A = e^{a²/2σ²}·(1 + 4S/g)·cos(θ/2)^{min(p−2, 0)}.                                      (narrow)

For p very negative the cosine costs too much. With θ < π/2, β = −log cos θ and b = βσ²: |1+su(x+ia)| ≥ Re = 1+su(x−b). Substitute
x = y+b and split at y = −X, X ≥ 0. For y ≥ −X, φ(y+b) ≤ φ(y)e^{Xβ} and |e^{w+β+iθ}−1|² = (e^w−1)² + e^{2w}tan²θ; association under the
tilt e^{2w}, with E[e^{2w}] = e^v and (1−e^{−w})²·1{w ≤ 0} decreasing, gives E[e^{2w}h] ≤ e^v·E[(e^w−1)²h]/g.
For y < −X, (e^w−1)² ≤ 1, e^{2w} ≤ 1 and αq²h ≤ G(−q). Hence

    ∫|f(x+ia)|dx ≤ A·J + B,   A = e^{a²/2σ²+Xβ}(1 + tan²θ·e^v/g),   B = e^{a²/2σ²}(1+tan²θ)·G(−q)·P(Z ≥ (X−b)/σ).   (shifted)
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from flint import arb

from dpbounds.numbers.excess import excess


@dataclass(frozen=True)
class SumPlan:
    """How J is summed: nodes first·h … last·h, strip of half-width θσ², negligible block sum, and which edge bound.

    `split` is X of the shifted edge bound, None for any other. All fields are exact.
    """

    step: float
    theta: float
    first: int
    last: int
    negligible: arb
    split: float | None = None


class Integrand:
    """f(x) = φ_σ(x)·G(u(x)) at the precision that is set when it is built.

    Args:
        t: order minus one, t ≥ 0; t = 0 is the Kullback–Leibler limit.
        sigma: σ > 0.
        q: 0 < q < 1.
        add: direction add (p = −t) instead of remove (p = 1+t).
    """

    def __init__(self, t: arb, sigma: arb, q: arb, add: bool) -> None:
        self.t, self.sigma, self.q, self.add = t, sigma, q, add
        self.alpha = 1 + t
        self.p = -t if add else 1 + t
        self.rest = 1 - q
        self.half_v = 1 / (2 * sigma * sigma)
        self.norm = 1 / (sigma * (2 * arb.pi()).sqrt())
        self.growing = bool(self.p >= 2)
        self._rate, self._inverse = (-t if add else t), 1 / t

    def density(self, x: arb) -> arb:
        """φ_σ(x)."""
        return self.norm * (-x * x * self.half_v).exp()

    def w(self, x: arb) -> arb:
        """w = (2x−1)/(2σ²)."""
        return (2 * x - 1) * self.half_v

    def u(self, x: arb) -> arb:
        """u = q(e^w − 1)."""
        return self.q * self.w(x).expm1()

    def log_u1(self, x: arb) -> arb:
        """log U = log(1+u), without cancellation near u = 0 and near u = −1."""
        u = self.u(x)
        return u.log1p() if u > -0.5 else (self.rest + self.q * self.w(x).exp()).log()

    def scaled(self, logs: Iterable[arb]) -> list[arb]:
        """(U^t − 1)/t of each log U, in direction add (U^{−t} − 1)/t: G(u) without its part that is linear in u."""
        if self.t == 0:
            return [-log_u1 if self.add else log_u1 for log_u1 in logs]
        rate, inverse = self._rate, self._inverse
        return [(rate * log_u1).expm1() * inverse for log_u1 in logs]

    def excess(self, u: arb, log_u1: arb) -> arb:
        """G(u)."""
        return excess(self.t, u, log_u1, self.add)

    def __call__(self, x: arb) -> arb:
        """f(x)."""
        return self.density(x) * self.excess(self.u(x), self.log_u1(x))

    def excess_at_left(self) -> arb:
        """G(−q), the limit of G as x → −∞."""
        return self.excess(-self.q, self.rest.log())


def left_tail(f: Integrand, x: arb) -> arb:
    """A bound of h·Σ f over the nodes left of the node x < 0."""
    reach = -x
    if not reach > 0:
        return arb.pos_inf()
    scale = f.q * f.q * f.alpha / 2 if f.growing else f.excess_at_left()
    flat = reach * 2 * f.half_v
    bound = 1 / flat
    near = (reach + 0.5) * 2 * f.half_v
    slope = flat - 2 / (reach + 0.5)
    if slope > 0:
        bound = bound.min(near * near / slope)
    return f.density(x) * scale * bound


def right_tail(f: Integrand, x: arb) -> arb:
    """A bound of h·Σ f over the nodes right of the node x."""
    top = f.p if f.growing else arb(2)
    if not x > 0.5:
        return arb.pos_inf()
    slope = (x - top) * 2 * f.half_v - 2 / (x - 0.5)
    if not slope > 0:
        return arb.pos_inf()
    w = f.w(x)
    rise = 2 * w + ((f.p - 2) * f.log_u1(x) if f.growing else 0)
    return f.norm * (rise - x * x * f.half_v).exp() * f.alpha / 2 * (f.q * w) ** 2 / slope


def block_majorant(f: Integrand, low: arb, high: arb) -> arb:
    """A bound of f on [low, high], infinite on an interval around ½, where u changes sign.

    Right of ½ and for p ≥ 2, log U is convex in x, so (p−2)·log U lies below its chord, and what is left is a parabola.
    """
    if high <= 0.5:
        if not f.growing:
            return f.density(high if high < 0 else arb(0)) * f.excess(f.u(low), f.log_u1(low))
        return f.density(high if high < 0 else arb(0)) * f.u(low) ** 2 * f.alpha / 2
    if not low >= 0.5:
        return arb.pos_inf()
    square = f.u(high) ** 2 * f.alpha / 2
    if not f.growing:
        return f.density(low) * square
    left, right = (f.p - 2) * f.log_u1(low), (f.p - 2) * f.log_u1(high)
    slope = (right - left) / (high - low)
    peak = (slope / (2 * f.half_v)).max(low).min(high)
    return f.norm * square * (left + slope * (peak - low) - peak * peak * f.half_v).exp()


def edge(f: Integrand, plan: SumPlan) -> tuple[arb, arb]:
    """(A, B) with ∫|f(x ± ia)|dx ≤ A·J + B on the edges of the strip, a = θσ²."""
    theta = arb(plan.theta)
    grow = theta * theta / (4 * f.half_v)
    sine = (theta / 2).sin() ** 2
    if plan.split is None:
        if f.growing:
            return grow.exp() * (1 + 4 * sine / f.half_v), arb(0)
        spread = 4 * sine * (1 + f.sigma) ** 2 / arb("0.15")
        return (grow + (f.p - 2) * (theta / 2).cos().log()).exp() * (1 + spread), arb(0)
    beta, tangent = -theta.cos().log(), theta.tan() ** 2
    split = arb(plan.split)
    spread = tangent * (2 * f.half_v).exp() * (1 + f.sigma) ** 2 / arb("0.15")
    beyond = (split * f.half_v.sqrt() - beta / (2 * f.half_v.sqrt())).erfc() / 2
    return (grow + split * beta).exp() * (1 + spread), grow.exp() * (1 + tangent) * f.excess_at_left() * beyond


def approx_log_excess(t: float, q: float, rest: float, add: bool, w: float) -> float:
    """log G(u) in float64, to a few digits: only for planning."""
    log_u1 = math.log(q) + w + math.log1p(rest / q * math.exp(-w)) if w > 30 else math.log(rest + q * math.exp(w))
    if w > 300:
        if add:
            return w + math.log(q)
        return log_u1 + (t * log_u1 - math.log(t) if t * log_u1 > 1 else math.log(log_u1))
    u = q * math.expm1(w)
    log_u1 = math.log1p(u) if u > -0.5 else log_u1
    if abs(log_u1) * (1 + t) < 1e-4:
        return math.log((1 + t) / 2) + 2 * math.log(abs(u) or 1e-300)
    gain = -t * log_u1 if add else t * log_u1
    if gain > 30:
        return gain - math.log(t) + (0.0 if add else log_u1)
    part = math.expm1(gain) / t if t > 1e-300 else (-log_u1 if add else log_u1)
    return math.log(max(u + part if add else (1 + u) * part - u, 1e-300))
