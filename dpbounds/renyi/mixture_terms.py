"""The integrand of the Gaussian mixture pairs and a bound for each thing the lattice sum leaves out.

Notation of `mixture`: f = φ·v·G(u/v − 1), ξ = x/σ², ℓ = log(u/v). Tilted by e^{ξ·count}, the count has mean E_u under u and, tilted by
e^{−ξ·count}, mean E_v and variance V_v ≤ min(E_v, m/4) under v; (log u)′ = E_u/σ², (log v)′ = −E_v/σ²; E_v decreases in x.

**Tails.** A majorant that decreases beyond the last node T, or −T, bounds h·Σ by its integral.

* Left, x ≤ −T: −1 ≤ r ≤ 0, where G decreases from G(−1) = 1, so f ≤ φ·v; v(x) ≤ v(−T)·e^{m(−T−x)/σ²}, d = (T−m)/σ²: φ(T)·v(−T)/d.
* Right, x ≥ T: u ≥ v and e^y − 1 ≤ y·e^y, so f ≤ φ·u^{1+t}·v^{−t}·ℓ with v ≥ b₀ and log u of slope ≤ m/σ². With
  c = log(u(T)/b₀), d = (T − (1+t)m)/σ²: φ(T)·u(T)^{1+t}·b₀^{−t}·(c/d + m/(σ²d²)), decreasing if c·d > m/σ².

**Blocks.** Where x ≥ 0, f ≤ e^ψ·ℓ, ψ = −x²/2σ² + (1+t)·log u − t·log v; both logarithms are convex, so log u lies below its chord and
−log v below its tangent, and a parabola is left. Where x ≤ 0, f ≤ φ·v.

**Edges of the strip.** Let θ = a/σ² and Λ = −log cos(θ/2) < ¼. u is a polynomial in e^ξ with real negative zeros only (w_ℓ is a binomial
coefficient times rate^ℓ times e^{−ℓ²/2σ²}, a multiplier sequence; Laguerre), u = b₀·Π(1+y_i e^ξ), and so is v in e^{−ξ}. As
|1+ye^{iθ}|² = (1+y)²(1−4ρ(1−ρ)sin²(θ/2)), ρ = y/(1+y), and log(1−4ρ(1−ρ)s) ≥ 4ρ(1−ρ)log(1−s) by concavity,

    |u(x+ia)| ≤ u,   |v(x+ia)| ≤ v,   |u(x+ia)| ≥ u·e^{−4ΛV_u},   |v(x+ia)| ≥ v·e^{−4ΛV_v},   |arg u|, |arg v| ≤ mθ.

With L = log(u/v) at x+ia, f = φ·(u·(e^{tL}−1)/t − u + v) and |e^{tL}−1|/t ≤ |L|·max(1, e^{t·Re L}),

    |L| ≤ |ℓ| + κ,  κ = 2mθ + 2mΛ;     |ℓ| ≤ m|x|/σ² + log(1/b₀);     Re L ≤ ℓ + 4ΛV_v.

V_v ≤ log(v/b₀) (because Σρ(1−ρ) ≤ −Σlog(1−ρ)), so ℓ + 4ΛV_v ≤ log u − (1−4Λ)·log v − 4Λ·log b₀, which increases in x; once it is ≤ 0 at −X
it is ≤ 0 left of −X and the maximum there is 1. With ∫φu = ∫φv = 1 and E_P|x| ≤ m + σ,

    ∫|f(x+ia)|dx ≤ e^{a²/2σ²}·(2 + κ + m(m+σ)/σ² + log(1/b₀) + ∫_{−X}^∞ φ·u^{1+t}·v^{−t}·e^{4ΛtV_v}·(m|x|/σ² + log(1/b₀) + κ) dx);

the last integral is summed over cells with the parabola of the blocks, and beyond its end as in the right tail.
"""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass

from flint import arb, ctx

from dpbounds.numbers.excess import excess

MOST_THETA = 1.3
"""Λ < ¼ needs θ < 1.35."""
CELLS = 96


@dataclass(frozen=True)
class Tilt:
    """log u, log v and E_v at a point."""

    log_u: arb
    log_v: arb
    mean_v: arb


class MixtureTerms:
    """u, v and f of a pair at the precision that is set when it is built.

    Args:
        most: m, the largest count.
        rate: probability of one hit, 0 < rate < 1; the count is Binomial(m, rate).
        t: order minus one, t ≥ 0.
        sigma: σ > 0.
    """

    def __init__(self, most: int, rate: arb, t: arb, sigma: arb) -> None:
        self.most, self.rate, self.t, self.sigma = most, rate, t, sigma
        self.half_v = 1 / (2 * sigma * sigma)
        self.norm = 1 / (sigma * (2 * arb.pi()).sqrt())
        self.none = (1 - rate) ** most
        self.odds = rate / (1 - rate)
        self.counts = Counts(most, self.odds, self.half_v)

    def side(self, drift: arb) -> tuple[arb, arb]:
        """Σ w_ℓ e^{ℓ·drift} and Σ ℓ·w_ℓ·e^{ℓ·drift}, over the counts that matter, with the rest enclosed.

        Ratios of successive terms do not increase in ℓ, so that beyond either end of the window the terms fall at least as fast as a
        geometric series, and `remainder` bounds them.
        """
        first, last = self.counts.window(float(drift.mid()), ctx.prec)
        weight = arb.bin_uiui(self.most, first) * self.rate**first * (1 - self.rate) ** (self.most - first)
        term = weight * (first * drift - first * first * self.half_v).exp()
        total, mean = arb(0), arb(0)
        if first > 0:
            back = first / (self.odds * (self.most - first + 1) * (drift - (2 * first - 1) * self.half_v).exp())
            rest = remainder(term, back)
            total, mean = total + rest, mean + first * rest
        growth, shrink = self.odds * (drift - (2 * first + 1) * self.half_v).exp(), (-2 * self.half_v).exp()
        for count in range(first, last + 1):
            total, mean = total + term, mean + count * term
            ratio = growth * (self.most - count) / (count + 1)
            if count == last < self.most:
                total += remainder(term, ratio)
                mean += remainder(count * term, ratio * (count + 1) / max(count, 1)) if count else (self.most * remainder(term, ratio))
            term, growth = term * ratio, growth * shrink
        return total, mean

    def __call__(self, x: arb) -> arb:
        """f(x)."""
        drift = 2 * self.half_v * x
        u, v = self.side(drift)[0], self.side(-drift)[0]
        r = u / v - 1
        log_ratio = r.log1p() if abs(r) < 0.5 else u.log() - v.log()
        return self.norm * (-x * x * self.half_v).exp() * v * excess(self.t, r, log_ratio, False)

    def tilt(self, x: arb) -> Tilt:
        """The logarithms and E_v at x."""
        drift = 2 * self.half_v * x
        v, first = self.side(-drift)
        return Tilt(self.side(drift)[0].log(), v.log(), first / v)


class Counts:
    """Which counts matter at a tilt, in float64: only a choice, as the rest is enclosed whatever the choice."""

    def __init__(self, most: int, odds: arb, half_v: arb) -> None:
        self.most, self.log_odds, self.half_v = most, float(odds.log().mid()), float(half_v.mid())

    def window(self, drift: float, bits: int) -> tuple[int, int]:
        """The counts whose terms reach 2^{−bits−16} of the largest one."""
        if self.most <= 16:
            return 0, self.most
        peak = self._peak(drift)
        top = self._log(peak, drift) - (bits + 16) * math.log(2)
        low, high = 0, peak
        while low < high:
            middle = (low + high) // 2
            low, high = (low, middle) if self._log(middle, drift) > top else (middle + 1, high)
        first, low, high = max(low - 1, 0), peak, self.most
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if self._log(middle, drift) > top else (low, middle - 1)
        return first, min(low + 1, self.most)

    def _log(self, count: int, drift: float) -> float:
        size = math.lgamma(self.most + 1) - math.lgamma(count + 1) - math.lgamma(self.most - count + 1)
        return size + count * (self.log_odds + drift) - count * count * self.half_v

    def _peak(self, drift: float) -> int:
        """The count from which on terms fall."""
        low, high = 0, self.most
        while low < high:
            middle = (low + high) // 2
            step = math.log((self.most - middle) / (middle + 1)) + self.log_odds + drift - (2 * middle + 1) * self.half_v
            low, high = (middle + 1, high) if step > 0 else (low, middle)
        return low


def remainder(term: arb, ratio: arb) -> arb:
    """A ball around what terms ≥ 0 with ratios at most ρ add up to after a term s: [0, s·ρ/(1−ρ)]; everything if not ρ < 1.

    >>> remainder(arb(1), arb(1) / 2).contains(1)
    True
    """
    if not ratio < 1:
        return arb(0).union(arb.pos_inf())
    return arb(0).union((term * ratio / (1 - ratio)).abs_upper())


def left_tail(f: MixtureTerms, x: arb) -> arb:
    """A bound of h·Σ f over the nodes left of the node x < 0."""
    slope = (-x - f.most) * 2 * f.half_v
    if not slope > 0:
        return arb.pos_inf()
    return f.norm * (f.tilt(x).log_v - x * x * f.half_v).exp() / slope


def right_tail(f: MixtureTerms, x: arb) -> arb:
    """A bound of h·Σ f over the nodes right of the node x."""
    return _beyond(f, x, f.tilt(x), arb(0), arb(0))


def _beyond(f: MixtureTerms, x: arb, at: Tilt, extra: arb, penalty: arb) -> arb:
    """A bound of ∫ φ·u^{1+t}·v^{−t}·e^{penalty}·(log(u/b₀) + extra) beyond x > m, where u ≥ 1, and of h·Σ of the same."""
    steep = f.most * 2 * f.half_v
    slope = x * 2 * f.half_v - (1 + f.t) * steep
    head = at.log_u - f.none.log() + extra
    if not (slope > 0 and head * slope > steep):
        return arb.pos_inf()
    size = (-x * x * f.half_v + (1 + f.t) * at.log_u - f.t * f.none.log() + penalty).exp()
    return f.norm * size * (head / slope + steep / slope**2)


def block_majorant(f: MixtureTerms, low: arb, high: arb) -> arb:
    """A bound of f on [low, high]; infinite on an interval around 0."""
    if high <= 0:
        return f.norm * (f.tilt(low).log_v - high * high * f.half_v).exp()
    if not low >= 0:
        return arb.pos_inf()
    at_low, at_high = f.tilt(low), f.tilt(high)
    return f.norm * _log_peak(f, low, high, at_low, at_high).exp() * (at_high.log_u - at_high.log_v)


def _log_peak(f: MixtureTerms, low: arb, high: arb, at_low: Tilt, at_high: Tilt) -> arb:
    """A bound of ψ = −x²/2σ² + (1+t)·log u − t·log v on [low, high]: chord of log u, tangent of log v at the right end."""
    slope = (1 + f.t) * (at_high.log_u - at_low.log_u) / (high - low) + f.t * at_high.mean_v * 2 * f.half_v
    peak = (slope / (2 * f.half_v)).max(low).min(high)
    return (1 + f.t) * at_high.log_u - f.t * at_high.log_v + slope * (peak - high) - peak * peak * f.half_v


def edge(f: MixtureTerms, theta: arb, end: arb) -> arb:
    """N with ∫|f(x ± ia)|dx ≤ N, a = θσ², θ ≤ `MOST_THETA`; `end` is where the cells stop on the right."""
    penalty = -(theta / 2).cos().log()
    log_none = f.none.log()
    turn = 2 * f.most * (theta + penalty)
    fixed = 2 + turn + f.most * (f.most + f.sigma) * 2 * f.half_v - log_none
    start = _harmless(f, penalty)
    total = fixed + _cells(f, start, end, penalty, turn)
    at_end = f.tilt(end)
    total += _beyond(f, end, at_end, turn + f.most * end * 2 * f.half_v, 4 * penalty * f.t * at_end.mean_v)
    return (theta * theta / (4 * f.half_v)).exp() * total


def _harmless(f: MixtureTerms, penalty: arb) -> arb:
    """−X, where ℓ + 4ΛV_v is certainly ≤ 0 from there to the left."""
    x = -f.sigma.mid()
    for _ in range(200):
        at = f.tilt(x)
        if at.log_u - (1 - 4 * penalty) * at.log_v - 4 * penalty * f.none.log() <= 0:
            return x
        x = (x * 1.5).mid()
    return arb.neg_inf()


def _cells(f: MixtureTerms, start: arb, end: arb, penalty: arb, turn: arb) -> arb:
    """∫ φ·u^{1+t}·v^{−t}·e^{4ΛtV_v}·(m|x|/σ² + log(1/b₀) + κ) over [start, end], from above: the largest cell is halved again and again."""
    if not start.is_finite():
        return arb.pos_inf()
    queue: list[tuple[float, int, arb, arb, Tilt, Tilt, arb]] = []

    def push(low: arb, high: arb, at_low: Tilt, at_high: Tilt) -> None:
        spread = at_low.mean_v.min(arb(f.most) / 4)
        reach = abs(low).max(abs(high)) * f.most * 2 * f.half_v - f.none.log() + turn
        log_size = _log_peak(f, low, high, at_low, at_high) + 4 * penalty * f.t * spread + (reach * (high - low) * f.norm).log()
        heapq.heappush(queue, (-float(log_size.mid()), len(queue), low, high, at_low, at_high, log_size))

    points = [start, arb(0), end]
    tilts = [f.tilt(point) for point in points]
    for k in (0, 1):
        push(points[k], points[k + 1], tilts[k], tilts[k + 1])
    for _ in range(CELLS):
        _, _, low, high, at_low, at_high, _ = heapq.heappop(queue)
        middle = ((low + high) / 2).mid()
        at_middle = f.tilt(middle)
        push(low, middle, at_low, at_middle)
        push(middle, high, at_middle, at_high)
    total = arb(0)
    for entry in queue:
        total += entry[-1].exp()
    return total
