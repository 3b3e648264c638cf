"""The dominating pair of sampling without replacement as a factor of the contour engine: see `dpbounds.pairs.FixedSizePair`.

With noise σ′ = σ/2 in units of which the shift is 1, w = s/σ′ − 1/2σ′², u = 1 + q(e^w − 1), s₁ = 1/2σ′ (where u = 1) and φ the normal
density,

    M(z) = m₀ + ∫_{s₁}^∞ φ(s)(u^{1+z} + u^{−z})ds,    m₀ = 1 − ∫_{s₁}^∞ φ(s)(u + 1)ds.

The integral is cut at S and taken by Gauss–Legendre panels, with the error bound of `sampled_laplace` on each. Past S, with p = 1+x,
∫φu^p ≤ C^p e^{p(p−1)/2σ′²}Φ̄(S − p/σ′), C = q + (1−q)e^{−w(S)}, and ∫φu^{−x} ≤ Φ̄(S).

Decay: by parts, |∫φ u^p e^{iy log u}ds| ≤ (h(s₁) + variation of h)/y with h = φu^p/(log u)′ = σ′φu^{p+1}e^{−w}/q. (log h)′ = −s − 1/σ′ +
(p+1)(log u)′
has at most three zeros, because its derivative −1 + (p+1)(log u)′(1/σ′ − (log u)′) changes sign at most twice; so h has at most two
maxima and
the sum is at most 6·sup h. For u^{−x} the function σ′φu^{1−x}e^{−w}/q falls from s₁ on, and twice its value there is enough.
"""

from __future__ import annotations

import cmath
import math
from dataclasses import dataclass, field
from fractions import Fraction

from flint import acb, arb

from dpbounds.contour.closed_forms import upper_tail
from dpbounds.contour.discs import ball_around_zero
from dpbounds.contour.inputs import exact_ball
from dpbounds.contour.line import phase_sums


@dataclass
class FixedSizeFactor:
    """The symmetrised pair for rate q = m/n and noise multiplier σ (records of norm at most 1)."""

    q: Fraction
    sigma: Fraction
    steps: int = 1
    largest_loss: float = math.inf
    absolutely_continuous: bool = True
    _law: list[tuple[float, float]] = field(default_factory=list, repr=False)
    _reach: float = field(default=0.0, repr=False)

    @property
    def largest_tilt(self) -> float:
        """Larger x would need too many panels."""
        return 500 * float(self.sigma)

    @property
    def largest_back_tilt(self) -> float:
        """The pair is its own mirror image."""
        return self.largest_tilt

    def parameters(self) -> tuple[arb, arb, arb]:
        """q, σ′ and s₁ at the current precision."""
        half = exact_ball(self.sigma, "sigma") / 2
        return exact_ball(self.q, "q"), half, 1 / (2 * half)

    def log_u(self, s: arb) -> arb:
        """log u at a real s."""
        q, half, start = self.parameters()
        return (q * ((s - start) / half).expm1()).log1p()

    def atom(self) -> arb:
        """m₀, from ∫_{s₁}^∞ φu = (1−q)Φ̄(s₁) + qΦ̄(−s₁)."""
        q, _, start = self.parameters()
        return 1 - (2 - q) * upper_tail(start) - q * upper_tail(-start)

    def approx_log_moments(self, x: float) -> tuple[float, float, float]:
        """K(x), K′(x), K″(x) in float64."""
        rows = [(weight + x * loss, loss) for weight, loss in self._float_law(x)]
        top = max(exponent for exponent, _ in rows)
        parts = [(math.exp(exponent - top), loss) for exponent, loss in rows]
        total = math.fsum(part for part, _ in parts)
        mean = math.fsum(part * loss for part, loss in parts) / total
        return top + math.log(total), mean, max(math.fsum(part * (loss - mean) ** 2 for part, loss in parts) / total, 1e-300)

    def approx_drop(self, x: float, y: float) -> float:
        """log M(x) − log|M(x+iy)| in float64."""
        rows = [(weight + x * loss, loss) for weight, loss in self._float_law(x)]
        top = max(exponent for exponent, _ in rows)
        total = math.fsum(math.exp(exponent - top) for exponent, _ in rows)
        value = sum(math.exp(exponent - top) * cmath.exp(1j * y * loss) for exponent, loss in rows)
        return math.log(total) - math.log(max(abs(value), 1e-300))

    def approx_decay(self, x: float, y: float) -> tuple[float, tuple[float, float]]:
        """About log(decay/M)."""
        return float((self.atom() + self._variation(arb(x)) / y).log().mid()) - self.approx_log_moments(x)[0], (0.0, 0.0)

    def loss_bound(self) -> arb:
        """Unbounded."""
        return arb.pos_inf()

    def moment(self, x: arb) -> arb:
        """M(x); M(x) = M(−1−x)."""
        point = x if x >= 0 else -1 - x
        return self._sums(point, arb(0), 1, 30.0 + math.log(self.steps), 0.0)[0].real

    def line(self, x: arb, h: arb, count: int, need: object) -> list[acb]:
        """M(x + ijh), x ≥ 0."""
        return self._sums(x, h, count, need.tolerance, need.top)  # type: ignore[attr-defined]

    def decay(self, x: arb, y: arb, hint: tuple[float, float]) -> arb:
        """m₀ + C/y, x ≥ 0, and never more than M(x)."""
        return (self.atom() + self._variation(x) / y).min(self.moment(x))

    def _variation(self, x: arb) -> arb:
        q, half, start = self.parameters()
        first = (-(start**2) / 2).exp() / (2 * arb.pi()).sqrt()
        power = x + 2
        # sup of φ u^p e^{−w}: on a cell φ and e^{−w} are largest at its left end, u at its right end
        cell, best = arb(1) / 32, first
        cut = start
        end = start + power / half + 12
        while cut < end:
            right = cut + cell
            value = (-(cut**2) / 2 + power * self.log_u(right) - (cut - start) / half).exp() / (2 * arb.pi()).sqrt()
            best = best.max(value)
            cut = right
        # beyond the last cell u^p e^{−w} ≤ C^p e^{(p−1)w} and e^{−s²/2 + (p−1)w} falls once s > (p−1)/σ′
        last = (q + (1 - q) * (-(cut - start) / half).exp()) ** power
        beyond = last * (-(cut**2) / 2 + (power - 1) * (cut - start) / half).exp() / (2 * arb.pi()).sqrt()
        return half / q * (6 * best.max(beyond) + 2 * first)

    def _float_law(self, x: float) -> list[tuple[float, float]]:
        """Log weights and losses: the atom, and a midpoint rule on both halves."""
        q, half = float(self.q), float(self.sigma) / 2
        start = 1 / (2 * half)
        reach = 9 + (1 + abs(x) + 1) / half
        if reach > self._reach:
            self._reach = 1.5 * reach
            width = min(0.05, half / 10)
            rows = [(math.log(max(float(self.atom()), 1e-300)), 0.0)]
            for i in range(int(self._reach / width)):
                s = start + (i + 0.5) * width
                w = (s - start) / half
                loss = math.log1p(q * math.expm1(w)) if w < 36 else w + math.log(q)
                weight = math.log(width) - s * s / 2 - 0.5 * math.log(2 * math.pi)
                rows += [(weight + loss, loss), (weight, -loss)]
            self._law = rows
        return self._law

    def _sums(self, x: arb, h: arb, count: int, tolerance: float, top: float) -> list[acb]:
        width, order, rho, panels = self._plan(float(x), tolerance, top)
        _, _, start = self.parameters()
        base = [arb.legendre_p_root(order, k, weight=True) for k in range(order)]
        scale = arb(width) / 2 / (2 * arb.pi()).sqrt()
        weights, losses = [self.atom()], [arb(0)]
        for panel in range(panels):
            for node, weight in base:
                s = start + arb(width) * (panel + (node + 1) / 2)
                loss = self.log_u(s)
                plain = weight * scale * (-s * s / 2).exp()
                weights += [plain * ((1 + x) * loss).exp(), plain * (-x * loss).exp()]
                losses += [loss, -loss]
        sums = phase_sums(weights, losses, h, count) if count > 1 else [acb(sum(weights, arb(0)))]
        radius = panel_error(self, x, h * (count - 1), width, order, rho, panels) + cut_error(self, x, start + arb(width) * panels)
        spread = ball_around_zero(radius)
        return [value + spread for value in sums]

    def _plan(self, x: float, tolerance: float, top: float) -> tuple[float, int, float, int]:
        """Panel width, Gauss order, ellipse and number of panels for an error of about e^{−tolerance}."""
        half = float(self.sigma) / 2
        rho = 3.0
        width = min(1.0, 0.9 * half)
        turn = width / 2 * (rho - 1 / rho) / 2 / half
        growth = 3 + top * turn + (2 + 2 * abs(x)) * width / half * 0.7
        order = max(4, math.ceil((tolerance + growth) / (2 * math.log(rho))))
        reach = math.sqrt(2 * tolerance) + (1 + x) / half
        return width, order, rho, math.ceil(reach / width)


def panel_error(factor: FixedSizeFactor, x: arb, height: arb, width: float, order: int, rho: float, panels: int) -> arb:
    """The Gauss–Legendre errors of all panels, for every y up to `height`, x ≥ 0.

    On the ellipse of a panel, s lies within e = (width/2)((ρ+1/ρ)/2 − 1) of it on the real axis and |Im s| ≤ b = (width/2)(ρ−1/ρ)/2, so
    |φ| ≤ φ(nearest point to 0)·e^{b²/2}, u(left)cos(θ/2) ≤ |u| ≤ u(right), |arg u| ≤ θ = b/σ′.
    """
    _, half, start = factor.parameters()
    r, side = arb(rho), arb(width) / 2
    beyond, b = side * ((r + 1 / r) / 2 - 1), side * (r - 1 / r) / 2
    theta = b / half
    if not theta < arb.pi():
        return arb.pos_inf()
    common = side * 8 * r ** (-2 * order) / (1 - 1 / r**2) * (b**2 / 2 + height * theta).exp() / (2 * arb.pi()).sqrt()
    total = arb(0)
    for panel in range(panels):
        left = start + arb(width) * panel - beyond
        right = start + arb(width) * (panel + 1) + beyond
        nearest = left.nonnegative_part()
        size = ((1 + x) * factor.log_u(right)).exp() + (factor.log_u(left).exp() * (theta / 2).cos()) ** (-x)
        total += size * (-(nearest**2) / 2).exp()
    return common * total


def cut_error(factor: FixedSizeFactor, x: arb, cut: arb) -> arb:
    """The integral past S = cut, x ≥ 0."""
    q, half, start = factor.parameters()
    p = 1 + x
    largest = (q + (1 - q) * (-(cut - start) / half).exp()) ** p * (p * (p - 1) / (2 * half**2)).exp()
    return largest * upper_tail(cut - p / half) + upper_tail(cut)
