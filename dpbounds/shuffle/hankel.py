"""E(S)₊ for a sum S of n copies of a `blanket.BlanketLaw`, by one path: for Gaussian noise, which has no exponential moment, around a cut.

* **One path.** E(S)₊ = ½E S + (1/π)∫_0^∞ (1 − Re M(iy)ⁿ) dy/y². In the sector 0 ≤ arg z ≤ π/2 we have Mⁿ = 1 + z·E S + O(z²), and an arc
  of radius η from iη to η adds −1/η − ½π·E S to the imaginary part of ∫Mⁿ/z². So by Cauchy's theorem, and as ∫_c^∞ dz/z² = 1/c,

      π·E(S)₊ = Im ∫_0^c M(x)ⁿ dx/x² + Im ∫_c^∞ (M(z)ⁿ − (1 − γ)ⁿ) dz/z²,

  the second along a ray into the sector. The first has the single large messages, the second the sum of many: both are about positive, and
  nothing cancels. Upwards the ray is short where (1 − γ)ⁿ is small. Else it is slanted: M − (1 − γ) is about e^{z(1 − l)}/z there.
  For Laplace noise M is entire and real on the real line: the first integral is 0, and the ray goes up from where Mⁿ/c² is least.
* **Panels.** On (0, c] only the turned legs T have an imaginary part, and they are known to their own digits. With x = e^u the integrand is
  analytic, and at most n·B^{n−1}·|T|/|z| where |M| ≤ B; on the ray |Mⁿ − (1 − γ)ⁿ| ≤ Bⁿ + (1 − γ)ⁿ, or n·B^{n−1}·|M − (1 − γ)|.
* **Below x₀.** With κ = ½ + σ²s and x·e^τ = κ, |T(x)| ≤ C·ρ(τ), C = ∫_0^θ e^{(σa)²/2 + κ·cos a}da + e^{(σθ)²/2 + κ·cos θ}/(½ + σ²s) for
  τ ≥ s, by Φ(−y) ≤ φ(y)/y. As ρ(τ)e^τ = σφ(στ − 1/(2σ)), all x ≤ x₀ = κe^{−s} add at most n·B^{n−1}·C·Φ(1/(2σ) − σs)/κ. There
  |M| ≤ B = max(1, A(x₀)) + 2e^κ·Φ(−1/(2σ) − σs) + C·ρ(s): the part A of t up to about s is convex in x, and 1 at most at 0.
* **Above Y, upwards.** For a law on the reals |M(c + iy)|² = M(c)² − E e^{c(X+X′)}(1 − cos y(X − X′)), and 1 − cos v ≥ 2v²/π² for |v| ≤ π.
  With the moments E_k of X where |X| ≤ a ≤ π/(2y) this is at most M(c)² − e^{−2ca}·4y²(E_0E_2 − E_1²)/π². By parts it is also at most
  1 − γ + Σ|atoms| + K/y. Both hold for the law that is cut at τ; the turned legs add at most ρ(τ)e^{−cl}·min(C, D/y) with
  D = e^{−τ}·(max·θ/sin θ + e^{(σθ)²/2 + κ·cos θ}/((½ + σ²τ)·sin θ)), `max` that of e^{(σa)²/2 + κ·cos a}, by sin a ≥ a·sin(θ)/θ.
* **Beyond R, slanted.** With arg z = b and 0 < v ≤ π/2 the path e^t = 1 + qe^{ia}, a = π/2 − b + v, q ≥ 0, turns by at most a, keeps
  |e^t| ≥ sin b, and has Re z(e^t − 1) = −q|z|·sin v. On the other side t stays real, and e^t − 1 ≥ t. So |M(z) − (1 − γ)| is at most
  e^{Re z·(1 − l)}·σφ(0)·(e^{(σa)²/2}/(|z|·sin v·sin b) + 1/(l·Re z)), which falls for each v. For a ≤ π/2 and |z|·sin v ≥ σ²a a 2 stands in
  place of e^{(σa)²/2}: Im t ≤ min(q, a), so that (σ·Im t)² ≤ q|z|·sin v, for q ≤ a by the first and for q ≥ a by the second.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial, reduce
from typing import Any

from flint import acb, arb

from dpbounds.errors import PrecisionError
from dpbounds.numbers.gauss_legendre import ACROSS, ALONG, cover
from dpbounds.numbers.to_digits import normal_cdf
from dpbounds.shuffle.blanket import TOO_LONG, BlanketLaw, Region, Upwards
from dpbounds.shuffle.gaussian import GaussianSummand, Path
from dpbounds.shuffle.positive_part import approx_moments

_DEEPER = 8
"""Bits by which M is finer than the goal."""
_CELLS, _ORDER, _REACH, _PLACES = 20, 8, 9.0, 64
"""Of the model in floats: cells, nodes of each, standard deviations, abscissas that are tried."""
_BELOW = 0.25
"""How far log c stays below the place from which on no leg is real."""
_FEW, _ALONE = 0.5, 2.0
"""log n|T/A| up to which single messages are counted, and up to which a sum over the legs is a good bound on |M|ⁿ."""
_FIRST, _WIDEST, _LEAST, _LONGER = 0.4, 0.48, 1e-6, 1.25
"""Of a panel in u: the first one; half of the widest in multiples of θ − π/2. When the first one is given up. By which steps to x₀ grow."""
_BLOCK, _FAR, _SHORTER = 1.25, 1e30, (1, 4, 16, 64)
"""Of the bound above Y: the ratio of blocks, where it ends, and shares of the largest a that are tried."""


@dataclass(frozen=True)
class Plan:
    """log c, about c·(how far the second integral reaches), and log E(S)₊, in floats; a poor one costs digits only."""

    log_c: float
    width: float
    log_size: float


class BlanketModel:
    """The law in floats, by short Gauss–Legendre rules."""

    def __init__(self, law: GaussianSummand, users: int) -> None:
        self.law, self.users = law, users
        self.sigma, self.level, self.none = (float(ball.mid()) for ball in (law.sigma, law.level, law.none))
        width = _REACH / self.sigma / _CELLS
        rule = [tuple(float(part.mid()) for part in arb.legendre_p_root(_ORDER, index, weight=True)) for index in range(_ORDER)]
        places = [(width * (cell + (1 + node) / 2), width * weight / 2) for cell in range(_CELLS) for node, weight in rule]
        self.rows = [(t, math.exp(t), math.log(weight) + self.log_density(t)) for t, weight in places]

    def log_density(self, t: float) -> float:
        """log ρ."""
        return math.log(self.sigma / math.sqrt(2 * math.pi)) - (1 / (2 * self.sigma) + self.sigma * t) ** 2 / 2

    def log_turned(self, x: float) -> float:
        """About log Im T(x)."""
        stop = self.law.crossing(x)
        bent = max(x * math.exp(stop) - self.sigma**2, 0.1)
        return self.log_density(stop) + x * (math.exp(stop) - self.level) + 0.5 * math.log(math.pi / (2 * bent))

    def moments(self, x: float) -> tuple[float, float, float, float]:
        """log A(x), log(A(x)ⁿ − (1 − γ)ⁿ), and the mean and the variance of its tilted law."""
        stop = self.law.crossing(x)
        rows = [(grown - self.level, log) for t, grown, log in self.rows if t < stop]
        rows += [(1 - self.level * grown, log) for _, grown, log in self.rows]
        log_side, first, second = approx_moments(rows, x)
        share = math.exp(log_side) / (self.none + math.exp(log_side))
        log_none, grown = math.log(self.none), self.users * math.log1p(math.exp(log_side) / self.none)
        above = self.users * log_none + grown + math.log(-math.expm1(-grown)) if grown > 0 else -math.inf
        return log_none + grown / self.users, above, share * first, share * second - (share * first) ** 2

    def plan(self, reach: float) -> Plan:
        """c where Mⁿ/c² is smallest, or is below the goal e^{−reach}, or below E(S)₊ where single messages are many: |T| is bounded then as
        the sum over its legs, and A + |T| is above |M|, so that farther on (A + |T|)ⁿ is above any goal."""
        turn = max(0.0, 1 - 1 / (2 * self.sigma**2))  # x·e^t = κ has a root up to there
        low, high, rows = math.log(1e-3 / (self.users * self.level)), math.log(0.5 + self.sigma**2 * turn) - turn - _BELOW, []
        for place in range(_PLACES + 1):
            u = low + (high - low) * place / _PLACES
            log_moment, log_many, mean, variance = self.moments(math.exp(u))
            alone = self.log_turned(math.exp(u)) - log_moment + math.log(self.users)
            rows.append((log_many - 2 * u, u, mean, variance, alone, alone + self.users * log_moment - u))
            if place and rows[-1][0] > rows[-2][0]:
                del rows[-1]
                break
        lowest, u, mean, variance, _, _ = rows[-1]
        slope, curvature = self.users * mean - 2 * math.exp(-u), self.users * variance + 2 * math.exp(-2 * u)
        few = max(_FEW, rows[0][4])  # beyond, the sine of n·arg M does not grow with n|T/A|
        singles = [row[5] + math.log((high - low) / _PLACES / math.pi) for row in rows if row[4] <= few]
        beyond = slope**2 / (2 * curvature)  # about how much farther it falls
        many = lowest - beyond - 0.5 * math.log(2 * math.pi * curvature)
        log_size = approx_moments([(0.0, log) for log in (*singles, many)], 0.0)[0]
        ends = (row[1] for row in rows if row[0] < log_size - reach or (row[0] < log_size and row[4] > _ALONE))
        return Plan(next(ends, rows[-1][1]), 1 / math.sqrt(curvature), log_size)


class BlanketIntegral(ABC):
    """One of the two integrals for n users, by panels in a real parameter.

    `goal` is what a panel may miss of an integral, and `fine` what M may miss; `none` is (1 − γ)ⁿ.
    """

    def __init__(self, law: Any, users: int, plan: Plan, reach: float) -> None:
        self.law, self.users, self.plan, self.reach = law, users, plan, reach
        self.c, self.none, self.goal = arb(plan.log_c).exp(), law.none**users, arb(plan.log_size - reach).exp()
        self.fine = arb(-reach).exp() / (users << _DEEPER)

    @abstractmethod
    def around(self, low: float, high: float) -> tuple[arb, Callable[[arb], arb]]:
        """A bound on the integrand on the ellipse of a panel, and the integrand there; PrecisionError where there is none."""

    def integral(self, start: float, width: float, end: float | None, rest: Callable[[float], arb] | None = None) -> arb:
        """From `start` to `end`, or on to where `rest`, what is left, is below the goal."""
        values = dict[tuple[float, float], Callable[[arb], arb]]()

        def bound(low: float, high: float) -> arb:
            try:
                found, values[low, high] = self.around(low, high)
            except PrecisionError as error:  # the region is too wide for one path
                if high - low < _LEAST * width:
                    raise PrecisionError(TOO_LONG) from error
                return arb.pos_inf()
            return found

        def left(low: float) -> arb:
            return rest(low) if rest and low > start else arb.pos_inf()

        panels = cover(start, width, bound, self.goal, end, left, growth=1.5, most=self.law.most_panels)
        total = arb(0) if end else arb(0, left(panels[-1].high).upper())
        for panel in panels:
            if panel.size < self.goal / 8:
                total += arb(0, panel.size.upper())
            else:
                value = values[panel.low, panel.high]
                total += arb(0, panel.error.upper()) + sum((weight * value(node) for node, weight in panel.nodes()), arb(0))
        return total


class SingleMessages(BlanketIntegral):
    """Im ∫_0^c, in u = log x."""

    law: GaussianSummand

    def region(self, low: float, high: float) -> Region:
        """A sector."""
        half, middle = (arb(high) - arb(low)) / 2, (arb(high) + arb(low)) / 2
        if half > _WIDEST * self.law.margin(0.0):
            raise PrecisionError(TOO_LONG)
        return Region.sector((middle - half * ALONG).exp(), (middle + half * ALONG).exp(), half * ACROSS)

    def around(self, low: float, high: float) -> tuple[arb, Callable[[arb], arb]]:
        """Of Im Mⁿ(x)/x: n·B^{n−1}·|T|/|z|, half the difference of both sides of the cut."""
        region = self.region(low, high)
        path = self.path(region)
        turned = region.worst(path.turned) + path.turned_error
        whole = region.worst(path.kept) + path.kept_error + turned + self.law.none
        return self.users * whole ** (self.users - 1) * turned / region.size[0], partial(self.value, path)

    def path(self, region: Region) -> Path:
        """With T to its own digits."""
        x, middle = float(region.real[0].mid()), float(sum(region.real, arb(0)).mid()) / 2
        stop = arb(self.law.crossing(x))
        size = self.law.density(stop) * (x * (stop.exp() - self.law.level)).exp()
        return self.law.path(self.law.straight(middle), region, self.fine, size * arb(-self.reach).exp() / (1 << _DEEPER))

    def value(self, path: Path, node: arb) -> arb:
        """Im Mⁿ(x)/x, to its own digits."""
        x = node.exp()
        turned = sum(((x * value).exp() * mass for value, mass in path.turned), acb(0))
        real, imaginary = self.law.kept(path, x) + turned.real + arb(0, path.turned_error), turned.imag + arb(0, path.turned_error)
        if not real > 0:
            raise PrecisionError(TOO_LONG)
        return (real * real + imaginary * imaginary) ** (arb(self.users) / 2) * (self.users * (imaginary / real).atan()).sin() / x

    def total(self) -> arb:
        """From x₀ on, and what is below."""
        start, step = self.plan.log_c, _FIRST / 2
        while not (below := self.below(start)) < self.goal:
            start, step = start - step, _LONGER * step
        return self.integral(start, _FIRST, self.plan.log_c) + arb(0, below.upper())

    def below(self, start: float) -> arb:
        """What lies below x₀ = e^start."""
        law, x = self.law, arb(start).exp()
        kappa = law.kappa(law.crossing(math.exp(start)))
        s = (kappa / x).log()
        kept, stop = law.cut(x, arb(1) / (self.users << _DEEPER))
        constant, _ = law.turned(kappa, s)
        bound = kept.max(arb(1)) + 2 * kappa.exp() * law.beyond(s.min(stop)) + constant * law.density(s)
        return self.users * bound ** (self.users - 1) * constant * normal_cdf(law.half - law.sigma * s) / kappa


class ManyMessages(BlanketIntegral):
    """Im ∫_c^∞ along a ray, in the distance from c: upwards, or slanted for Gaussian noise where (1 − γ)ⁿ is not small."""

    def __init__(self, law: BlanketLaw, users: int, plan: Plan, reach: float) -> None:
        super().__init__(law, users, plan, reach)
        self.direction = law.slanted if self.none > self.goal * self.c else acb(0, 1)
        if self.direction.real > 0:  # little is left of M
            self.fine = self.fine.min(self.goal * self.c / (users << _DEEPER))

    def around(self, low: float, high: float) -> tuple[arb, Callable[[arb], arb]]:
        """Of Im (Mⁿ − (1 − γ)ⁿ)·dz/z²."""
        middle, half = self.c + self.direction * (arb(high) + arb(low)) / 2, (arb(high) - arb(low)) / 2
        if not abs(middle) > half * math.hypot(ALONG, ACROSS):
            raise PrecisionError(TOO_LONG)
        region = Region.box(middle, self.direction, half)
        side, moment = self.law.around(region, self.fine)
        return self.difference(side + self.law.none, side) / region.size[0] ** 2, partial(self.value, moment)

    def value(self, moment: Callable[[acb], acb], node: arb) -> arb:
        """The integrand."""
        z = self.c + self.direction * node
        side = moment(z)
        small = (self.users * (side / self.law.none).log1p()).expm1() * self.none if 2 * abs(side) < self.law.none else None
        return (((side + self.law.none) ** self.users - self.none if small is None else small) / (z * z) * self.direction).imag

    def total(self, end: float | None = None) -> arb:
        """To a distance, or on to where little is left."""
        return self.integral(0.0, 2 * min(self.plan.width, math.exp(self.plan.log_c) / 3), end, None if end else self.rest())

    def difference(self, whole: arb, side: arb) -> arb:
        """A bound on |Mⁿ − (1 − γ)ⁿ|, for one on |M| and one on |M − (1 − γ)|."""
        return (whole**self.users + self.none).min(self.users * whole.max(self.law.none) ** (self.users - 1) * side)

    def rest(self) -> Callable[[float], arb]:
        """From a distance to what lies beyond it on the ray, or to more than the goal."""
        return self.aslant if self.direction.real > 0 else partial(self.above, self.law.upwards(self.c, self.fine))

    def above(self, ends: Upwards, start: float) -> arb:
        """On a vertical ray."""
        total, low = arb(0), arb(start)
        while True:
            turned = ends.turned[0].min(ends.turned[1] / low)
            side = ends.atoms + ends.by_parts / low + turned
            last = self.difference(side + self.law.none, side) / low
            if last < self.goal / 8 or total > self.goal or low > _FAR:
                return total + last
            reaches = [arb.pi() / (2 * _BLOCK * low) / shorter for shorter in _SHORTER]
            spread = reduce(arb.max, [(-2 * self.c * reach).exp() * ends.variance(reach) for reach in reaches])
            lost = (2 * low / arb.pi()) ** 2 * spread
            whole = ((ends.top**2 - lost).nonnegative_part().sqrt() + turned).min(side + self.law.none)
            total += self.difference(whole, side) * (1 - 1 / arb(_BLOCK)) / low
            low *= _BLOCK

    def aslant(self, start: float) -> arb:
        """On a slanted one."""
        side = self.law.aslant(self.c + self.direction * start)
        return self.difference(side + self.law.none, side) / start
