"""Moments of complex order along a rising path, and what bounds them.

With w(s) = s/σ + log(q/(1−q)) − 1/(2σ²), u = (1−q)(1 + e^{w(s)}), v(s) = u(−s), and the loss less its value where the noise says nothing,

    N(z) = ∫ φ(s) u(s)^{a₀} e^{z·g(s)} ds,    g = log(1+e^{w(s)}) − [log(1+e^{w(−s)})],

the pairs of `mixture` are (u, 1): a₀ = 1, M(z) = (1−q)^z N(z); (1, v): a₀ = 0 after s → −s, M(z) = (1−q)^{−z} N(−z); (u, v): a₀ = 1,
M = N, with the term in brackets. N is an integral over any path to which the real line can be moved: where Re w(±s) = 0 the path must
stay at |Im s| < πσ, because u and v vanish at |Im s| = πσ there.

On a path Γ, B(z) = ∫_Γ |φ u^{a₀} e^{zg}||ds| ≥ |N(z)| is log-convex in z, being an integral of exponentials of real-linear functions
of z: its largest value on a triangle is at a corner. The trapezoid rule in x, t = T(x), with step η has, N(z) being the integral,

    |Σ − N(z)| ≤ (B₊(z) + B₋(z))/(e^{2πb/η} − 1),    B± on the path displaced to x ± ib.

B is bounded by cells in x, and beyond the last cell at each end by |integrand at the end|/λ, where λ is a lower bound on the rate of fall.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from flint import acb, arb

from dpbounds.errors import PrecisionError
from dpbounds.laws.mixture import Mixture
from dpbounds.laws.paths.deformed_path import UNSTRETCHED, PathEnd, RisingPath, Stretch, softplus
from dpbounds.laws.paths.power_sums import exponential_sums
from dpbounds.numbers.balls import precision, working_bits
from dpbounds.numbers.discs import ball_around_zero

_BITS = 53
_WIDEST = 2.9
_WIDTH = 0.15
_NEAR = 12.0
_MOST_CELLS = 20_000
_DEEP = 1e6
_FLAT = 2.0**-10
_WIDE = 4
"""Cells that are one box where zeros are looked for; a box in doubt is halved so many times:"""
_HALVINGS = 5


@dataclass(frozen=True)
class PathRule:
    """A path, the range `low` … `high` of its cells in x, the trapezoid rule with nodes ηn there, and the `shift` ±b of its error."""

    path: RisingPath
    low: float
    high: float
    shift: float = 0.0
    step: float = 0.0

    def nodes(self) -> list[arb]:
        """The nodes of the rule; the first and the last are at or beyond the ends of the range."""
        first, last = int(self.low / self.step) - 1, int(self.high / self.step) + 1
        return [arb(self.step) * n for n in range(first, last + 1)]


@dataclass(frozen=True)
class PathCell:
    """One cell in x, in centred form: log|φ u^{a₀}| with the largest log|s′ dx| added, and g, both at the middle m, and balls around
    their derivatives in the cell times the half width h."""

    weight: arb
    excess: acb
    weight_rise: arb
    excess_rise: acb

    def size(self, z: acb) -> arb:
        """An upper bound on ∫ |φ u^{a₀} e^{zg} s′| dx over the cell.

        With x = m + hu, |u| ≤ 1, and [a, b] around h times the derivative of ψ = log|φ u^{a₀} e^{zg}| in the cell, ψ(x) − ψ(m) is at most
        bu for u ≥ 0 and at most −a|u| for u ≤ 0. So the mean of e^{ψ(x)−ψ(m)} is at most (E(b) + E(−a))/2, E(x) = ∫_0^1 e^{xu}du.
        """
        middle = self.weight + z.real * self.excess.real - z.imag * self.excess.imag
        rise = self.weight_rise + z.real * self.excess_rise.real - z.imag * self.excess_rise.imag
        return middle.exp() * (mean_exponential(arb(rise.upper())) + mean_exponential(-arb(rise.lower()))) / 2

    def rise(self, direction: acb) -> arb:
        """Re(direction·g) in the cell, from above."""
        middle = direction.real * self.excess.real - direction.imag * self.excess.imag
        return middle + abs(direction.real * self.excess_rise.real - direction.imag * self.excess_rise.imag)


@dataclass
class RotatedMixture:
    """A Gaussian mixture pair used `steps` times, turned so that its moments are N(z) with z in the upper right quadrant."""

    mixture: Mixture
    steps: int
    _cells: dict[tuple[RisingPath, float, float, float, float], list[PathCell]] = field(default_factory=dict, repr=False)
    _admissible: dict[tuple[PathRule, float], bool] = field(default_factory=dict, repr=False)
    _constants: dict[int, tuple[arb, arb, arb]] = field(default_factory=dict, repr=False)

    def is_same(self, other: RotatedMixture) -> bool:
        """Whether it is the same mixture, used as often: all that is remembered holds for the other one."""
        return (self.mixture, self.steps) == (other.mixture, other.steps)

    @property
    def power(self) -> int:
        """a₀."""
        return 1 if self.mixture.numerator else 0

    @property
    def both(self) -> bool:
        """The substitute pair."""
        return self.mixture.numerator and self.mixture.denominator

    def constants(self) -> tuple[arb, arb, arb]:
        """σ, log(q/(1−q)) − 1/(2σ²) and log(1−q); remembered for each precision."""
        bits = working_bits()
        if bits not in self._constants:
            q, sigma = self.mixture.parameters()
            rest = (-q).log1p()
            self._constants[bits] = sigma, q.log() - rest - 1 / (2 * sigma**2), rest
        return self._constants[bits]

    def offset(self) -> arb:
        """log M(z) − log N is this times the turned z: log(1−q), or 0 for the substitute pair."""
        return arb(0) if self.both else self.constants()[2]

    def integrand(self, s: acb) -> tuple[acb, acb]:
        """log(φ u^{a₀}) + log √2π, and g."""
        sigma, constant, rest = self.constants()
        ratio = log_one_plus_exp(s / sigma + constant)
        weight = -s * s / 2 + (ratio + rest if self.power else 0)
        return weight, ratio - log_one_plus_exp(constant - s / sigma) if self.both else ratio

    def slopes(self, s: acb) -> tuple[acb, acb]:
        """Derivatives of the two in s."""
        sigma, constant, _ = self.constants()
        ratio = softplus(s / sigma + constant)[1] / sigma
        weight = -s + (ratio if self.power else 0)
        return weight, ratio + softplus(constant - s / sigma)[1] / sigma if self.both else ratio

    # bounds -------------------------------------------------------------------------------------------------------------------

    def bound(self, rule: PathRule, y: float, z: acb, depth: float) -> arb:
        """An upper bound on B(z) on the path at x + iy, by cells in x."""
        with precision(_BITS):
            total = self.tail(rule, y, z)
            for cell in self.cells(rule, y, depth):
                total += cell.size(z)
            return arb(total.upper()) if total.is_finite() else arb.pos_inf()

    def tail(self, rule: PathRule, y: float, z: acb) -> arb:
        """An upper bound on the integral of |integrand at x + iy| beyond both ends, infinite where it is not known to fall."""
        with precision(_BITS):
            total = arb(0)
            for right, cut in ((True, rule.high), (False, rule.low)):
                end = PathEnd(rule.path, right, arb(cut), arb(abs(y)))
                fall = end.gaussian_slope() - self._growth(end, z)
                if not fall > 0:
                    return arb.pos_inf()
                s, _ = rule.path.value_and_slope(acb(cut, y))
                weight, excess = self.integrand(s)
                total += (weight + z * excess).real.exp() * end.derivative.abs_upper() / fall
            return arb((total / (2 * arb.pi()).sqrt()).upper()) if total.is_finite() else arb.pos_inf()

    def _growth(self, end: PathEnd, z: acb) -> arb:
        """An upper bound on how fast log|u^{a₀}e^{zg}| grows outward at and beyond an end.

        d/ds log(1+e^w) = (1/σ)·e^w/(1+e^w): where |e^w| ≥ R > 1 the fraction is 1 + ε, |ε| ≤ 1/(R−1); where |e^w| ≤ R < 1 it is at most
        R/(1−R). The same for v, of the other sign.
        """
        sigma, constant, _ = self.constants()
        at, derivative = end.position(sigma), end.derivative
        rate = (self.power + z) * derivative / sigma
        own = self._large(at + constant, rate) if end.right else self._small(at + constant, rate)
        if not self.both:
            return own
        if end.right:
            return own + self._small(constant - at, z * derivative / sigma)
        # outward is −t: −z·log(1+e^{w(−s)}) has the derivative +(z/σ)·(1+ε)·s′ in t
        return own + self._large(constant - at, -z * derivative / sigma)

    @staticmethod
    def _large(log_size: arb, rate: acb) -> arb:
        margin = arb(log_size.lower()).expm1()
        if not margin > 0:
            return arb.pos_inf()
        return (rate * (1 + ball_around_zero(1 / margin))).real.max(arb(0))

    @staticmethod
    def _small(log_size: arb, rate: acb) -> arb:
        size = arb(log_size.upper()).exp()
        return arb(rate.abs_upper()) * size / (1 - size) if size < 1 else arb.pos_inf()

    def cells(self, rule: PathRule, y: float, depth: float) -> list[PathCell]:
        """The cells of the path at x + iy; remembered."""
        key = (rule.path, rule.low, rule.high, y, depth)
        if key not in self._cells:
            scale = 1 / (2 * arb.pi()).sqrt()
            found = []
            for t in _boxes(edges(rule.low, rule.high, self.mixture, depth, rule.path.stretch), arb(y)):
                half = arb(t.real.rad())
                weight, excess = self.integrand(rule.path.value_and_slope(acb(arb(t.real.mid()), y))[0])
                s, derivative = rule.path.value_and_slope(t)
                weight_slope, excess_slope = self.slopes(s)
                size = arb(derivative.abs_upper()) * 2 * half * scale
                rises = (weight_slope * derivative).real * half, excess_slope * derivative * half
                found.append(PathCell(weight.real + size.log(), excess, *rises))
            self._cells[key] = found
        return self._cells[key]

    # what makes the path admissible ------------------------------------------------------------------------------------------

    def is_admissible(self, rule: PathRule, depth: float) -> bool:
        """Whether u and v have no zero on the path at x + iy, |y| ≤ shift, nor between it and the real line, and s is analytic there.

        Remembered.
        """
        key = replace(rule, step=0.0), depth
        if key not in self._admissible:
            with precision(_BITS):
                self._admissible[key] = self._is_clear(rule, depth)
        return self._admissible[key]

    def _is_clear(self, rule: PathRule, depth: float) -> bool:
        if not (rule.path.is_sound() and 0 <= rule.shift <= rule.path.largest_shift()):
            return False
        ends = [self._nearest_end(rule, right) for right in (False, True)]
        if None in ends:
            return False
        cuts = edges(ends[0], ends[1], self.mixture, depth, rule.path.stretch)  # type: ignore[arg-type]
        return all(self._keeps_off(rule, t, _HALVINGS) for t in _boxes([*cuts[:-1:_WIDE], cuts[-1]], arb(0, rule.shift)))

    def _nearest_end(self, rule: PathRule, right: bool) -> float | None:
        """An x beyond which Re w(±s) is not 0, near where it is 0 if possible; None if not even the end of the range is."""
        sigma, constant, _ = self.constants()
        stretch = rule.path.stretch
        spare = rule.shift * (1 + stretch.rate) + 4 * float(sigma)
        middle = abs(float(constant * sigma)) + spare if self.both else -float(constant * sigma) + (spare if right else -spare)
        near = stretch.beyond((middle if right else -middle) if self.both else middle, right=right)
        for cut in (min(near, rule.high), rule.high) if right else (max(near, rule.low), rule.low):
            at = PathEnd(rule.path, right, arb(cut), arb(rule.shift)).position(sigma)
            sizes = [(at + constant, right)] + ([(constant - at, not right)] if self.both else [])
            if all(size > 0 if large else size < 0 for size, large in sizes):
                return cut
        return None

    def _keeps_off(self, rule: PathRule, x: acb, halvings: int) -> bool:
        """Whether |Im w(±s)| is below π, with a margin that keeps the cells finite, wherever Re w(±s) = 0 may be, for x in a box.

        So of the path's own turns.
        """
        sigma, constant, _ = self.constants()
        s, _ = rule.path.value_and_slope(x)
        exponents = [s / sigma + constant, *([constant - s / sigma] if self.both else []), *rule.path.turns(x)]
        if all(not w.real.contains(0) or abs(w.imag) < _WIDEST for w in exponents):
            return True
        if not halvings:
            return False
        sides = _halves(x.imag) if rule.path.stretch.rate else [x.imag]  # on a stretched path the height matters as much
        return all(self._keeps_off(rule, acb(part, side), halvings - 1) for part in _halves(x.real) for side in sides)

    def rise_along(self, rule: PathRule, direction: acb) -> arb:
        """S ≥ 0 with Re(direction·g) ≤ S all along the path, so that B(z + t·direction) ≤ e^{tS}·B(z); infinite where no S is known.

        B is an integral of |φu^{a₀}e^{zg}|, and |e^{t·direction·g}| ≤ e^{tS}.
        Left end: g = e^w(1+ε), |ε| ≤ R/(1−R) with R the largest |e^w|, and arg e^w = Im s/σ. Right end: g = w + ε, |ε| ≤ 1/(R−1) with
        R the least |e^w|.
        """
        with precision(_BITS):
            sigma, constant, _ = self.constants()
            rise = arb(0).max(self._right_rise(rule, direction, sigma, constant)).max(self._left_rise(rule, direction, sigma, constant))
            if rise.is_finite():
                for cell in self.cells(rule, 0.0, _DEEP):
                    rise = rise.max(cell.rise(direction))
            return arb(rise.upper()) if rise.is_finite() else arb.pos_inf()

    def _right_rise(self, rule: PathRule, direction: acb, sigma: arb, constant: arb) -> arb:
        end = PathEnd(rule.path, True, arb(rule.high), arb(0))
        at = end.position(sigma)
        margin = arb((at + constant).lower()).expm1()
        small = arb((constant - at).upper()).exp() if self.both else arb(0)
        if not (margin > 0 and small < 1 and (direction * end.direction).real <= 0):
            return arb.pos_inf()
        s, _ = rule.path.value_and_slope(acb(rule.high))
        return (direction * (s / sigma + constant)).real + arb(direction.abs_upper()) * (1 / margin + small / (1 - small))

    def _left_rise(self, rule: PathRule, direction: acb, sigma: arb, constant: arb) -> arb:
        end, length = PathEnd(rule.path, False, arb(rule.low), arb(0)), arb(direction.abs_upper())
        at = end.position(sigma)
        size = arb((at + constant).upper()).exp()
        if not size < 1 or not end.radius.is_finite():
            return arb.pos_inf()
        spread = arb(rule.path.slope) * rule.path.width * end.radius
        height = arb(rule.path.height) + arb(0, spread.upper())
        turned = acb(0, height / sigma).exp() * (1 + ball_around_zero(size / (1 - size)))
        own = arb(0) if (direction * turned).real <= 0 else length * size / (1 - size)
        if not self.both:
            return own
        # −log(1+e^{w(−s)}) = w(s) − 2·constant + ε: it falls to the left
        margin = arb((constant - at).lower()).expm1()
        if not (margin > 0 and (direction * end.direction).real >= 0):
            return arb.pos_inf()
        s, _ = rule.path.value_and_slope(acb(rule.low))
        return own + (direction * (s / sigma - constant)).real + length / margin

    # values -------------------------------------------------------------------------------------------------------------------

    def moments(self, rule: PathRule, points: Sequence[acb], corners: Sequence[acb], depth: float) -> list[acb]:
        """Balls around N at the points, which lie in the triangle with the given corners, at the current precision."""
        error = self.rule_error(rule, corners, depth)
        scale = arb(rule.step) / (2 * arb.pi()).sqrt()
        weights, losses = [], []
        for t in rule.nodes():
            s, derivative = rule.path.value_and_slope(acb(t))
            weight, excess = self.integrand(s)
            weights.append(weight.exp() * derivative * scale)
            losses.append(excess)
        spread = ball_around_zero(error)
        return [total + spread for total in exponential_sums(weights, losses, points)]

    def rule_error(self, rule: PathRule, corners: Sequence[acb], depth: float) -> arb:
        """Trapezoid error and omitted nodes for every z in the triangle; infinite where the path is not admissible.

        Beyond the ends |integrand| falls, so that the omitted nodes add at most its integral.
        """
        if not (rule.step > 0 and self.is_admissible(rule, depth)):
            return arb.pos_inf()
        with precision(_BITS):
            damping = (2 * arb.pi() * arb(rule.shift) / rule.step).expm1()
            worst = arb(0)
            for z in corners:
                sides = self.bound(rule, rule.shift, z, depth) + self.bound(rule, -rule.shift, z, depth)
                worst = worst.max(sides / damping + self.tail(rule, 0.0, z))
            return arb(worst.upper())


def mean_exponential(x: arb) -> arb:
    """An upper bound on E(x) = ∫_0^1 e^{xu}du = (e^x − 1)/x; for |x| ≤ 1 it is 1 + x/2 + x²(1/6 + x/24 + …) ≤ 1 + x/2 + x²/4.

    >>> bool(mean_exponential(arb(1)) > 1.718), bool(mean_exponential(arb(0)) == 1)
    (True, True)
    """
    if abs(x) < _FLAT:
        return 1 + x / 2 + x * x / 4
    return x.expm1() / x


def log_one_plus_exp(w: acb) -> acb:
    """log(1 + e^w), continuous where |Im w| < π or Re w stays on one side of 0.

    >>> bool(abs(log_one_plus_exp(acb(40, 30)) - acb(40, 30)) < 1e-10)
    True
    """
    if w.real.mid() > 0:
        return w + (-w).exp().log1p()
    return w.exp().log1p()


def edges(low: float, high: float, mixture: Mixture, depth: float, stretch: Stretch = UNSTRETCHED) -> list[float]:
    """The edges of cells that cover low ≤ x ≤ high: short where −depth < Re w(±t) < 3, where the integrand of a large order turns.

    Far from 0, where φ falls by much in a cell whatever its width, cells are wider: so their number grows with log(high − low) only.
    Their widths are meant in t = T(x).

    Raises:
        PrecisionError: more cells than can be bounded in reasonable time, as for very little noise.

    >>> from fractions import Fraction
    >>> len(edges(-8.0, 8.0, Mixture(Fraction(1, 10), Fraction(1), numerator=True, denominator=False), 5.0)) > 50
    True
    """
    q, sigma = float(mixture.q), float(mixture.sigma)
    constant = math.log(q) - math.log1p(-q) - 0.5 / sigma**2
    found = [low]
    while found[-1] < high:
        if len(found) > _MOST_CELLS:
            raise PrecisionError("paths over this noise would need too many cells; no digit was reached; take a larger sigma")
        t, derivative = (float(value.real) for value in stretch.approx_at(found[-1]))
        w = t / sigma + constant
        away = max(-depth - w, w - 3.0, 0.0)
        if mixture.numerator and mixture.denominator:
            other = -t / sigma + constant
            away = min(away, max(-depth - other, other - 3.0, 0.0))
        found.append(min(high, found[-1] + _WIDTH * min(max(1.0, abs(t) / _NEAR), sigma * (1 + away / 2)) / derivative))
    return found


def _halves(side: arb) -> list[arb]:
    """Two balls that cover one."""
    middle, half = arb(side.mid()), arb(side.rad()) / 2
    return [arb(part.mid(), (half + arb(part.rad())).upper()) for part in (middle - half, middle + half)]


def _boxes(cuts: Sequence[float], y: arb) -> Iterator[acb]:
    """Boxes around [t, t′] + iy for consecutive edges."""
    for start, end in pairwise(cuts):
        yield acb(arb(start).union(arb(end)), y)
