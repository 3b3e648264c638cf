"""The summand of the privacy blanket for Laplace noise of scale 1/ε₀, and its moment function in closed form.

Here 0 ≤ t < ε₀ has the density ρ(t) = γe^{−t/2}/4 on both sides, and t = ε₀ the mass a = e^{−ε₀}/2;  γ = e^{−ε₀/2}. With u = e^t,

    M(z) = 1 − γ + (γ/4)·(e^{−zl}·I(−z) + e^z·I(zl)) + a·(e^{z(g − l)} + e^{z(1 − lg)}),    g = e^{ε₀},

where I(w) = ∫_1^g u^{−3/2}e^{−wu} du is 2e^{−w} − 2e^{−wg}/√g − 2√(πw)·D(w) by parts, D(w) = erfc √w − erfc √(wg). As γ/√g = 2a,

    M(z) = 1 − γ + (γ/2)·(2e^{z(1 − l)} − √π·(e^{−zl}·√(−z)·D(−z) + e^z·√(zl)·D(zl))).

M is entire, and |M(z) − (1 − γ)| ≤ M(Re z) − (1 − γ), which is convex in Re z.

By parts, with g(t) = ρ(t)e^{cX}: |∫ g(t)e^{±iyℓe^t}dt| is at most the values of |g e^{−t}| at both ends and its variation, over ℓy. On the
side of 0 log(g e^{−t}) = const − 3t/2 + ce^t is convex, so that the variation is at most the values at the ends; on the other it falls.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial

from flint import acb, arb

from dpbounds.shuffle.blanket import BlanketLaw, Region, Upwards, largest_of
from dpbounds.shuffle.positive_part import Values

_CELLS = 320
"""Of the law in floats, by midpoints."""


@dataclass(frozen=True)
class LaplaceSummand(BlanketLaw):
    """The law of X for ε₀ and l = e^ε, at the current precision."""

    local: arb
    level: arb

    @cached_property
    def share(self) -> arb:
        """γ."""
        return (-self.local / 2).exp()

    @cached_property
    def none(self) -> arb:  # type: ignore[override]
        """1 − γ."""
        return -(-self.local / 2).expm1()

    @cached_property
    def atoms(self) -> list[tuple[arb, arb]]:
        """X at t = ε₀, and a."""
        growth, mass = self.local.exp(), (-self.local).exp() / 2
        return [(growth - self.level, mass), (1 - self.level * growth, mass)]

    def side(self, z: acb) -> acb:
        """M(z) − (1 − γ)."""
        total = 2 * (z * (1 - self.level)).exp()
        for w, factor in ((-z, (-z * self.level).exp()), (z * self.level, z.exp())):
            root = w.sqrt()
            total -= self.root_of_pi * factor * root * (root.erfc() - (root / self.share).erfc())
        return total * self.share / 2

    @cached_property
    def root_of_pi(self) -> arb:
        """√π."""
        return arb.pi().sqrt()

    def around(self, region: Region, fine: arb) -> tuple[arb, Callable[[acb], acb]]:
        """By both ends of Re z."""
        return largest_of([self.side(acb(x)).real for x in region.real]), self.side

    def masses(self, low: arb, high: arb) -> list[arb]:
        """∫ e^{kt}ρ(t) dt for k = 0, 1, 2."""
        return [self.share / 4 * ((rate * high).exp() - (rate * low).exp()) / rate for rate in (arb(k) - arb("0.5") for k in range(3))]

    def upwards(self, c: arb, fine: arb) -> Upwards:
        """Nothing is turned."""
        share, (ahead, behind) = self.share / 4, [mass * (c * value).exp() for value, mass in self.atoms]
        start, end = share * (c * (1 - self.level)).exp(), share * (c * self.atoms[0][0] - 3 * self.local / 2).exp()
        variance = partial(self.variance, stops=(self.local, self.local), atoms=self.atoms)
        by_parts = 2 * (start + end) + 2 * start / self.level
        return Upwards(self.none + self.side(acb(c)).real, ahead + behind, by_parts, (arb(0), arb(0)), variance)

    def approx_values(self) -> Values:
        """Midpoints, to a few digits."""
        width = self.local / _CELLS
        ends = [width * k for k in range(_CELLS + 1)]
        rows = [(arb((low + width / 2).exp().mid()), self.masses(low, high)[0]) for low, high in zip(ends, ends[1:], strict=False)]
        rows.append((self.local.exp(), (-self.local).exp() / 2))
        values = [(u - self.level, mass) for u, mass in rows] + [(arb(0), self.none)] + [(1 - self.level * u, mass) for u, mass in rows]
        return Values(*zip(*values, strict=True))
