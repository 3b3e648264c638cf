"""The dominating pair of sampling without replacement as a factor of the contour engine: see `dpbounds.mechanisms.pairs.FixedSizePair`.

With noise σ′ = σ/2 in units of which the shift is 1, w = s/σ′ − 1/2σ′², u = 1 + q(e^w − 1), s₁ = 1/2σ′ (where u = 1) and φ the normal
density,

    M(z) = m₀ + ∫_{s₁}^∞ φ(s)(u^{1+z} + u^{−z})ds,    m₀ = 1 − ∫_{s₁}^∞ φ(s)(u + 1)ds.

The integral is taken by Gauss–Legendre panels as far as S. Past S, with p = 1+x, ∫φu^p ≤ C^p e^{p(p−1)/2σ′²}Φ̄(S − p/σ′),
C = q + (1−q)e^{−w(S)}, and ∫φu^{−x} ≤ Φ̄(S). Where moments are ruled by what never happens, the noise is *cut* at S instead: both
distributions keep the outcomes with s ≤ S only, and what is past S belongs to no moment. P and Q are one law with L and −L exchanged,
so each of them loses τ = ∫_S^∞ φ(u + 1)ds in one step; on fewer outcomes δ is smaller, by at most the mass of P that is left out:

    δ_S(ε) ≤ δ(ε) ≤ δ_S(ε) + kτ.

Decay: by parts, |∫ φ u^p e^{iy log u}ds| ≤ (h at both ends + variation of h)/y with h = φu^p/(log u)′ = σ′φu^{p+1}e^{−w}/q.
(log h)′ = −s − 1/σ′ + (p+1)(log u)′ has at most three zeros, because its derivative −1 + (p+1)(log u)′(1/σ′ − (log u)′) changes sign at
most twice; so h, taken as 0 outside, has at most three maxima, two inside or two ends and one inside, and the sum is at most 6·sup h.
For u^{−x} the function σ′φu^{1−x}e^{−w}/q falls from s₁ on, as (log u)′ ≤ 1/σ′, and twice its value there is enough.

Nearer to y = 0 by `paths.uniform_parts`: at ±log u, s > s₁, the tilted densities of L are φu^{1+x}/(log u)′ and φu^{−x}/(log u)′, where
φ falls and u and (log u)′ = qe^w/σ′u rise. So on a cell a < s < b the first is at least φ(b)u(a)^{1+x}/(log u)′(b), x ≥ 0, and the second
at least φ(b)u(b)^{−x}/(log u)′(b).

For −1 < x < 0 both powers are positive, and M(x) is the same integral.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache

from flint import arb

from dpbounds.laws.closed_forms import mixture_delta
from dpbounds.laws.law import ClosedForm, Law, Uses, only_use, rational, registered_law
from dpbounds.laws.mixture import Mixture
from dpbounds.laws.nodes_factor import NodesFactor
from dpbounds.laws.paths.endpoint_expansion import ExpandedEnds, fixed_size_part
from dpbounds.laws.paths.uniform_parts import CELLS, LeastDensity, approx_uniform_decay, below, bulk
from dpbounds.mechanisms.pairs import FixedSizePair
from dpbounds.numbers.balls import precision
from dpbounds.numbers.gauss_legendre import ACROSS, ALONG, Panel, cover, panels_error
from dpbounds.numbers.inputs import exact_ball
from dpbounds.numbers.mixture_thresholds import normal_tail

_PANEL, _NODES = 1.6, 12
"""Length of panels of the float model, in units of 1 or σ′, and their nodes."""
_CELLS, _LEFT_OUT = 64, 1e-4
"""Cells on which the density of the loss is bounded below, and the share of the law beyond the last one."""

_TINY = 1e-290


@cache
def _unit_rule() -> tuple[tuple[float, float], ...]:
    """Nodes and weights on [0, 1] in floats."""
    rule = [arb.legendre_p_root(_NODES, index, weight=True) for index in range(_NODES)]
    return tuple((float((1 + node) / 2), float(weight / 2)) for node, weight in rule)


@dataclass
class FixedSizeFactor(NodesFactor):
    """The symmetrised pair for rate q = m/n and noise multiplier σ (records of norm at most 1); S = s₁ + `cut` where it is cut."""

    q: Fraction
    sigma: Fraction
    steps: int = 1
    absolutely_continuous: bool = True
    between_poles = True  # type: ignore[assignment]
    cut: float | None = None
    _law: list[tuple[float, float]] = field(default_factory=list, repr=False)
    _reach: float = field(default=0.0, repr=False)
    _variations: dict[float, arb] = field(default_factory=dict, repr=False)
    _parts: dict[float, list[tuple[float, float]]] = field(default_factory=dict, repr=False)

    @property
    def largest_loss(self) -> float:  # type: ignore[override]
        """log u(S) where the noise is cut."""
        return math.inf if self.cut is None else self._approx_loss(self.cut)

    @property
    def largest_tilt(self) -> float:  # type: ignore[override]
        """Larger x would need too many panels."""
        return 500 * float(self.sigma)

    @property
    def largest_back_tilt(self) -> float:  # type: ignore[override]
        """The pair is its own mirror image."""
        return self.largest_tilt

    def cut_at(self, level: float) -> float:
        """Where both densities have fallen to about e^{−level}."""
        q, half = float(self.q), float(self.sigma) / 2
        end = max(math.sqrt(2 * level), 1 / half + math.sqrt(2 * max(1.0, level + math.log(q))))
        return math.ceil(16 * (end - 1 / (2 * half))) / 16

    def with_cut(self, cut: float | None) -> FixedSizeFactor:
        """The same with the noise cut, or whole."""
        return replace(self, cut=cut, _law=[], _reach=0.0, _variations={}, _parts={})

    def cut_mass(self) -> arb:
        """τ = ∫_S^∞ φ(u + 1) = (2 − q)Φ̄(S) + qΦ̄(S − 1/σ′), 0 where nothing is cut."""
        if self.cut is None:
            return arb(0)
        q, half, start = self.parameters()
        end = start + self.cut
        return (2 - q) * normal_tail(end) + q * normal_tail(end - 1 / half)

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
        return 1 - (2 - q) * normal_tail(start) - q * normal_tail(-start)

    def approx_rows(self, x: float) -> tuple[list[float], list[float]]:
        """The atom, and Gauss–Legendre panels on both halves."""
        law = self._float_law(x)
        return [weight for weight, _ in law], [loss for _, loss in law]

    def approx_decay(self, x: float, y: float) -> tuple[float, tuple[float, float]]:
        """About log(decay/M)."""
        if x not in self._variations:
            self._variations[x] = self._variation(arb(x))
        far = float((self.atom() + self._variations[x] / y).log().mid()) - self.approx_log_moments(x)[0]
        return min(far, approx_uniform_decay(self._approx_parts(x), y)), (0.0, 0.0)

    def loss_bound(self) -> arb:
        """log u(S) where the noise is cut, otherwise there is none."""
        return arb.pos_inf() if self.cut is None else self.log_u(self.parameters()[2] + self.cut)

    def moment(self, x: arb) -> arb:
        """M(x); M(x) = M(−1−x), of the cut law too, as P and Q are cut alike."""
        return super().moment(x if 2 * x >= -1 else -1 - x)

    def decay(self, x: arb, y: arb, hint: tuple[float, float]) -> arb:
        """m₀ + C/y, x ≥ 0, and never more than what the uniform parts leave of M(x)."""
        return (self.atom() + self._variation(x) / y).min(self.least_density(x).decay(self.moment(x), y))

    def least_density(self, x: arb) -> LeastDensity:
        """Of the tilted law, x ≥ 0, on equal cells of the noise on either side of 0."""
        q, half, start = self.parameters()
        size, end = arb(self.approx_log_moments(float(x))[0]), arb(self._bulk_end(float(x)))
        offsets = [end * i / CELLS for i in range(CELLS + 1)]
        losses = [self.log_u(start + offset) for offset in offsets]
        slopes = [(1 - (1 - q) * (-loss).exp()) / half for loss in losses]
        plain = [-((start + offset) ** 2) / 2 - (2 * arb.pi()).log() / 2 - size for offset in offsets]
        above = [below((plain[i + 1] + (1 + x) * losses[i]).exp() / slopes[i + 1]) for i in range(CELLS)]
        under = [below((plain[i + 1] - x * losses[i + 1]).exp() / slopes[i + 1]) for i in range(CELLS)]
        return LeastDensity([-loss for loss in reversed(losses[1:])] + losses, under[::-1] + above, size.exp())

    def _bulk_end(self, x: float) -> float:
        """The offset beyond which only a small part of the tilted law is left on either side."""
        law = self._float_law(x)
        rows = [(weight + x * loss, abs(loss)) for weight, loss in law]
        loss, half, q = rows[bulk(rows)[1]][1], float(self.sigma) / 2, float(self.q)
        return half * (math.log1p(math.expm1(loss) / q) if loss < 30 else loss - math.log(q))

    def _approx_parts(self, x: float) -> list[tuple[float, float]]:
        """Masses against M(x) and lengths of the uniform parts."""
        if x not in self._parts:
            with precision(64):
                self._parts[x] = self.least_density(arb(x)).approx_parts()
        return self._parts[x]

    def _variation(self, x: arb) -> arb:
        q, half, start = self.parameters()
        first = (-(start**2) / 2).exp() / (2 * arb.pi()).sqrt()
        power = x + 2
        # sup of φ u^p e^{−w}: on a cell φ and e^{−w} are largest at its left end, u at its right end
        cell, best = arb(1) / 32, first
        cut = start
        end = start + power / half + 12
        if self.cut is not None:
            end = end.min(start + self.cut)
        while cut < end:
            right = cut + cell
            value = (-(cut**2) / 2 + power * self.log_u(right) - (cut - start) / half).exp() / (2 * arb.pi()).sqrt()
            best = best.max(value)
            cut = right
        if self.cut is None or not cut >= start + self.cut:
            # beyond the last cell u^p e^{−w} ≤ C^p e^{(p−1)w} and e^{−s²/2 + (p−1)w} falls once s > (p−1)/σ′
            last = (q + (1 - q) * (-(cut - start) / half).exp()) ** power
            best = best.max(last * (-(cut**2) / 2 + (power - 1) * (cut - start) / half).exp() / (2 * arb.pi()).sqrt())
        return half / q * (6 * best + 2 * first)

    def _approx_loss(self, offset: float) -> float:
        """log u(s₁ + offset) in float64."""
        q, w = float(self.q), offset / (float(self.sigma) / 2)
        return math.log1p(q * math.expm1(w)) if w < 36 else w + math.log(q) + math.log1p((1 - q) / q * math.exp(-w))

    def _float_law(self, x: float) -> list[tuple[float, float]]:
        """Log weights and losses: the atom, and Gauss–Legendre panels on both halves."""
        half = float(self.sigma) / 2
        start = 1 / (2 * half)
        reach = 9 + (1 + abs(x) + 1) / half
        reach = reach if self.cut is None else self.cut
        if reach > self._reach:
            self._reach = reach if self.cut is not None else 1.5 * reach
            count = math.ceil(self._reach / (_PANEL * min(1.0, half)))
            width, rows = self._reach / count, []
            for node, share in [(i + node, share) for i in range(count) for node, share in _unit_rule()]:
                s = start + node * width
                loss = self._approx_loss(node * width)
                weight = math.log(width * share) - s * s / 2 - 0.5 * math.log(2 * math.pi)
                rows += [(weight + loss, loss), (weight, -loss)]
            # in full where the whole is known: the error in one use is multiplied by their number
            atom = float(self.atom()) if self.cut is not None else 1 - math.fsum(math.exp(weight) for weight, _ in rows)
            self._law = [(math.log(max(atom, 1e-300)), 0.0), *rows]
            self._known.clear()
        return self._law

    def nodes(self, x: arb, height: arb, tolerance: float, top: float) -> tuple[list[arb], list[arb], arb]:
        """The atom and panels, x ≥ 0."""
        _, half, start = self.parameters()
        goal = (arb(self.approx_log_moments(float(x))[0]) - tolerance).exp() / 64
        panels, rest = self._panels(x, height, goal)
        scale = 1 / (2 * arb.pi()).sqrt()
        weights, losses = [self.atom()], [arb(0)]
        for panel in panels:
            for node, weight in panel.nodes():
                s = start + node
                loss = self.log_u(s)
                plain = weight * scale * (-s * s / 2).exp()
                weights += [plain * ((1 + x) * loss).exp(), plain * (-x * loss).exp()]
                losses += [loss, -loss]
        return weights, losses, panels_error(panels) + rest

    def _panels(self, x: arb, height: arb, goal: arb) -> tuple[list[Panel], arb]:
        """Panels in s − s₁ with errors of `goal` for every y up to `height`, and a bound on what is past the last one."""
        width = min(1.0, float(self.sigma) / 2)
        if self.cut is not None:
            return cover(0.0, width, lambda left, right: self._size(x, height, left, right), goal, self.cut), arb(0)

        def error_beyond(left: float) -> arb:
            return cut_error(self, x, self.parameters()[2] + left)

        panels = cover(0.0, width, lambda left, right: self._size(x, height, left, right), goal, None, error_beyond)
        return panels, error_beyond(panels[-1].high if panels else 0.0)

    def _size(self, x: arb, height: arb, low: float, high: float) -> arb:
        """A bound on |φ(u^{1+z} + u^{−z})| in the ellipse of a panel, z = x + iy, 0 ≤ y ≤ `height`.

        There s lies within e of the panel along the real axis and |Im s| ≤ b, so |φ| ≤ φ(nearest point to 0)·e^{b²/2} and, with θ = b/σ′,
        u(left)cos(θ/2) ≤ |u| ≤ u(right). u = 1−q + qe^w is a sum of numbers of arguments 0 and Im w, so |arg u| ≤ θ; for θ ≤ π/2 its
        argument increases in Im w and in Re w, up to that of 1−q + qe^{w(right)+iθ}.
        """
        q, half, start = self.parameters()
        side = (arb(high) - arb(low)) / 2
        beyond, b = side * (ALONG - 1), side * ACROSS
        theta = b / half
        if not theta < arb.pi():
            return arb.pos_inf()
        left, right = start + low - beyond, start + high + beyond
        argument = theta
        if theta <= arb.pi() / 2:
            shifted, (sine, cosine) = q * ((right - start) / half).exp(), theta.sin_cos()
            argument = arb.atan2(shifted * sine, 1 - q + shifted * cosine)
        log_low, log_high = self.log_u(left) + (theta / 2).cos().log(), self.log_u(right)
        size = sum(((power * log_low).exp().max((power * log_high).exp()) for power in (1 + x, -x)), arb(0))
        plain = (b**2 / 2 - left.nonnegative_part() ** 2 / 2).exp() / (2 * arb.pi()).sqrt()
        return arb((plain * size * (height * argument).exp()).upper())


def cut_error(factor: FixedSizeFactor, x: arb, cut: arb) -> arb:
    """The integral past S = cut, x > −1: a power below 0 counts as 0."""
    q, half, start = factor.parameters()
    total = arb(0)
    for power in (1 + x, -x):
        p = power.nonnegative_part()
        largest = (q + (1 - q) * (-(cut - start) / half).exp()) ** p * (p * (p - 1) / (2 * half**2)).exp()
        total += largest * normal_tail(cut - p / half)
    return total


@dataclass(frozen=True)
class FixedSizeLaw(Law):
    """One batch of fixed size under substitution: its own mirror image."""

    q: Fraction
    sigma: Fraction
    note = "on the dominating pair of sampling without replacement"

    def factor(self, steps: int = 1, most: float = 0.0) -> FixedSizeFactor:
        """By Gauss–Legendre panels over the noise."""
        return FixedSizeFactor(self.q, self.sigma, steps)

    def swapped(self) -> FixedSizeLaw:
        """The same."""
        return self

    def closed_form(self, uses: Uses) -> ClosedForm | None:
        """For one use h(α), α ≥ 1, is the profile of q·N(2, σ²) + (1−q)·N(0, σ²) against N(0, σ²)."""
        one = Mixture(self.q, self.sigma / 2, numerator=True, denominator=False)
        return ClosedForm(lambda epsilon: mixture_delta(one, epsilon)) if only_use(uses) else None

    def expanded_ends(self, steps: int) -> ExpandedEnds:
        """The end at 0."""
        factor = self.factor()
        return fixed_size_part(*factor.parameters(), factor.atom(), steps)


@registered_law.register(FixedSizePair)
def _(pair: FixedSizePair, reversed: bool) -> Law:
    return FixedSizeLaw(rational(pair.q, "q"), rational(pair.sigma, "sigma"))
