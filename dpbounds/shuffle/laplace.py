"""The summand of the privacy blanket for Laplace noise of scale 1/ε₀, and its moment function in closed form.

Here 0 ≤ t < ε₀ has the density ρ(t) = γe^{−t/2}/4 on both sides, and t = ε₀ the mass a = e^{−ε₀}/2;  γ = e^{−ε₀/2}. With u = e^t,

    M(z) = 1 − γ + (γ/4)·(e^{−zl}·I(−z) + e^z·I(zl)) + a·(e^{z(g − l)} + e^{z(1 − lg)}),    g = e^{ε₀},

where I(w) = ∫_1^g u^{−3/2}e^{−wu} du. M is entire, and |M(z) − (1 − γ)| ≤ M(Re z) − (1 − γ), which is convex in Re z.

**Ends.** With J(w) = ∫_0^∞ (1 + v)^{−3/2}e^{−wv}dv = 2 − 2√π·√w·e^w·erfc √w, by parts, we have I(w) = e^{−w}J(w) −
e^{−wg}J(wg)/√g. So, as γ/√g = 2a, M = 1 − γ + P + Q + R with

    P = a·e^{z(g − l)}·(1 − J(−zg)/2),    Q = a·e^{z(1 − lg)}·(1 − J(zlg)/2),    R = (γ/4)·e^{z(1 − l)}·(J(−z) + J(zl)),

each analytic for Im z > 0. There |J(w)| ≤ 1.83/|w|. For wJ(w) is analytic off w ≤ 0, tends to 0 at 0 and is bounded: by 2 for |arg w| ≤
π/2, by parts, else by 2^{3/4}·√2, as v = se^{∓3πi/4} makes |arg wv| ≤ π/4 and keeps |1 + v| ≥ 1/√2. So it is largest at w = −x ± 0i, by
Phragmén and Lindelöf. There J is 2 − 2√(πx)·e^{−x}(erfi √x ± i): x|J| is 1.8227 at x = 2.72, and less elsewhere.

By parts, with g(t) = ρ(t)e^{cX}: |∫ g(t)e^{±iyℓe^t}dt| is at most the values of |g e^{−t}| at both ends and its variation, over ℓy. On the
side of 0 log(g e^{−t}) = const − 3t/2 + ce^t is convex, so that the variation is at most the values at the ends; on the other it falls.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from flint import acb, arb

from dpbounds.shuffle.blanket import BlanketLaw, Region, Upwards, largest_of
from dpbounds.shuffle.positive_part import Values

Ends = tuple[Any, Any, Any]
"""Of balls, real or complex."""
_BOUND = arb("1.83")
"""Of |wJ(w)|."""
_CELLS = 320
"""Of the law in floats, by midpoints."""


class LaplaceSummand(BlanketLaw):
    """The law of X for ε₀ and l = e^ε, at the current precision.

    `share` is γ; `atoms` are X at t = ε₀ and a; `turns`: where the continuous part of X ends on either side, and where it begins on both.
    """

    most_panels = 1500

    def __init__(self, local: arb, level: arb) -> None:
        self.local, self.level, self.growth, self.root_of_pi = local, level, local.exp(), arb.pi().sqrt()
        self.share, self.none, self.mass = (-local / 2).exp(), -(-local / 2).expm1(), (-local).exp() / 2
        self.turns = self.growth - level, 1 - level * self.growth, 1 - level
        self.atoms = [(value, self.mass) for value in self.turns[:2]]

    def side(self, z: acb) -> acb:
        """M(z) − (1 − γ)."""
        return sum(self.ends(z), acb(0))

    def ends(self, z: acb) -> Ends:
        """P, Q, R."""
        p, q, ahead, behind = map(self.remainder, (-z * self.growth, z * self.level * self.growth, -z, z * self.level))
        first, second, start = ((z * turn).exp() for turn in self.turns)
        return first * self.mass * (1 - p / 2), second * self.mass * (1 - q / 2), start * self.share / 4 * (ahead + behind)

    def remainder(self, w: acb) -> acb:
        """J(w)."""
        root = w.sqrt()
        return 2 - 2 * self.root_of_pi * root * w.exp() * root.erfc()

    def largest_ends(self, x: arb, size: arb) -> Ends:
        """Bounds on them for Re z = x and |z| ≥ `size`."""
        first, second, start = ((x * turn).exp() for turn in self.turns)
        p, q, r = (_BOUND / (size * factor) for factor in (self.growth, self.level * self.growth, self.level / (1 + self.level)))
        return first * self.mass * (1 + p / 2), second * self.mass * (1 + q / 2), start * self.share / 4 * r

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
        rows.append((self.growth, self.mass))
        values = [(u - self.level, mass) for u, mass in rows] + [(arb(0), self.none)] + [(1 - self.level * u, mass) for u, mass in rows]
        return Values(*zip(*values, strict=True))
