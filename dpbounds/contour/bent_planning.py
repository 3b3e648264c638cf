"""Where to bend the contour and which paths to take: float64 searches; nothing here enters a bound.

The hyperbola crosses the real axis near the saddle point. Its crossing, scale and displacement are chosen for the fewest nodes, the
paths of each piece for the smallest bound B, and the trapezoid rule on a path for the longest step.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from flint import acb, arb

from dpbounds.contour.bent import BentIntegrand, BentPlan, Piece, bent_integrand
from dpbounds.contour.factors import Factor
from dpbounds.contour.hyperbola import Hyperbola, displaced
from dpbounds.contour.planning import Model, Target
from dpbounds.contour.rising_path import RisingPath
from dpbounds.contour.rotated import PathRule, RotatedMixture, edges
from dpbounds.errors import PrecisionError

_ANGLE = 71 * math.pi / 180
_TURNS = (0.31, 0.2)
_RATIO = 0.65
_LEAST_CROSSING = 0.3
_SHARES = (1.0, 0.4)
_HEIGHTS = (0.02, 0.1, 0.25, 0.5, 0.8, 1.1, 1.5)
_SLOPES = (0.0, 0.6, 0.8)
_SPAN = 0.35
_MOST_PIECES = 250
_GRID = 2.0**-14
_FARTHEST = 200.0
_MOST_STEPS = 200
_LARGEST_SIGMA = 30
_DEARER = 6.0
_TRIALS = 14
LARGEST_WORK = 40_000_000


@dataclass
class Tables:
    """Float64 tables of one mixture's integrand along paths."""

    rotated: RotatedMixture
    reach: float
    order: float
    depth: float
    constant: float = 0.0
    known: dict[tuple[RisingPath, float], list[tuple[float, float, float, float]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        q, sigma = float(self.rotated.mixture.q), float(self.rotated.mixture.sigma)
        self.constant = math.log(q) - math.log1p(-q) - 0.5 / sigma**2

    @property
    def sigma(self) -> float:
        """σ."""
        return float(self.rotated.mixture.sigma)

    @property
    def middle(self) -> float:
        """Where Re w(s) = 0."""
        return -self.constant * self.sigma

    def paths(self) -> list[RisingPath]:
        """The paths to choose from."""
        width = 0.5 * self.sigma
        found = []
        for height in _HEIGHTS:
            a = min(height * self.sigma, 7.0)
            for slope in _SLOPES:
                for bend in (self.middle - self.sigma,) if slope else (0.0,):
                    found.append(RisingPath(a, slope, bend, width))
        return found

    def range_of(self, path: RisingPath) -> tuple[float, float]:
        """A range of t outside of which nothing matters."""
        far = math.sqrt(2 * self.reach + path.height**2) + 2
        low = -max(far, 28 * self.sigma - self.middle)
        if not path.slope:
            return (min(low, -self.middle - 4 * self.sigma) if self.rotated.both else low), max(
                far + min((1 + self.order) / self.sigma, 400.0), self.middle + 5 * self.sigma
            )
        high = far / math.sqrt(1 - path.slope**2) + (self.middle if path.slope else 0.0) * path.slope**2 + 2
        return min(low, -self.middle - 4 * self.sigma) if self.rotated.both else low, max(high, self.middle + 5 * self.sigma)

    def table(self, path: RisingPath, y: float) -> list[tuple[float, float, float, float]]:
        """log|φ u^{a₀} s′|·width and g on a grid in t."""
        if (path, y) not in self.known:
            found = []
            for start, end in pairwise(edges(*self.range_of(path), self.rotated.mixture, self.depth)):
                t = (start + end) / 2
                s, derivative = path.approx_at(complex(t, y))
                ratio = _log_one_plus_exp(s / self.sigma + self.constant)
                weight = -s * s / 2 + (ratio if self.rotated.power else 0)
                excess = ratio - _log_one_plus_exp(self.constant - s / self.sigma) if self.rotated.both else ratio
                found.append((weight.real + math.log(abs(derivative) * (end - start) / 2.5066), excess.real, excess.imag, t))
            self.known[path, y] = found
        return self.known[path, y]

    def log_bound(self, path: RisingPath, y: float, z: complex) -> float:
        """About log B(z)."""
        exponents = [weight + z.real * real - z.imag * imag for weight, real, imag, _ in self.table(path, y)]
        top = max(exponents)
        if not -math.inf < top < math.inf:
            return math.inf
        return top + math.log(sum(math.exp(value - top) for value in exponents if value >= top - 40))

    def best_path(self, corners: Sequence[complex], before: RisingPath | None = None) -> RisingPath:
        """The path with the smallest bound on the piece, of those whose integrand is known to fall; heights next to the last choice."""
        reach = {path: max(self._far(path, z) for z in corners) for path in self.paths()}
        paths = [path for path, far in reach.items() if far == 0] or [path for path, far in reach.items() if far < _FARTHEST]
        if before is not None:
            near = [path for path in paths if before.height / 6 <= path.height <= before.height * 6]
            paths = near or paths
        if not paths:
            raise PrecisionError("no path over the noise ends; no digit was reached")
        return min(paths, key=lambda path: max(self.log_bound(path, 0.0, z) for z in (corners[0], corners[-1])))

    def _far(self, path: RisingPath, z: complex) -> float:
        """Where the fall of φ outweighs what growth of e^{zg} there may be on the ascent."""
        return max(0.0, z.real - path.slope * z.imag) / self.sigma / (1 - path.slope**2)

    def rule(self, path: RisingPath, corners: Sequence[complex], goal: float, shift: float = 0.0) -> PathRule:
        """The range in t beyond which less than e^{goal} is left on the path displaced by 0 and ±shift."""
        t_low, t_high = math.inf, -math.inf
        for y in {0.0, shift, -shift}:
            for z in corners:
                large = [t for weight, real, imag, t in self.table(path, y) if weight + z.real * real - z.imag * imag > goal - 2]
                t_low, t_high = min([t_low, *large[:1]]), max([t_high, *large[-1:]])
        if t_low > t_high:
            t_low = t_high = 0.0
        t_low = min(t_low, path.bend - 5 * path.width) if path.slope else t_low
        t_high = max(t_high, path.bend + 5 * path.width) if path.slope else t_high
        t_high = max(t_high, *(self._far(path, z) + 3 for z in corners))
        found = PathRule(path, min(t_low, self.middle - 2 * self.sigma, -1.0), max(t_high, self.middle + 2.5 * self.sigma, 1.0), shift)
        if self.rotated.both:
            found = replace(found, low=min(found.low, -self.middle - 2.5 * self.sigma))
        largest = math.exp(min(goal, 600.0))
        reach = 0.7
        for _ in range(24):
            if all(self.rotated.tail(found, y, acb(z)) <= largest for y in {0.0, shift, -shift} for z in corners):
                return found
            found = replace(found, low=found.low - reach * max(1.0, self.sigma), high=found.high + reach)
            reach *= 1.2
        raise PrecisionError("a path over the noise does not end; no digit was reached")


def _log_one_plus_exp(w: complex) -> complex:
    return w + cmath.log(1 + cmath.exp(-w)) if w.real > 0 else cmath.log(1 + cmath.exp(w))


@dataclass
class BentPlanner:
    """Plans for one product of mixtures; the floats of `integrand` and the estimates of saddle point and log δ."""

    integrand: BentIntegrand
    model: Model
    saddle: float
    log_value: float
    tolerance: float

    def __post_init__(self) -> None:
        self.tables: list[Tables] = []
        self.rate = float(self.integrand.rate())
        self.variance = float(self.integrand.variance)
        self.goal = self.log_value - self.tolerance

    def plan(self) -> BentPlan:
        """The cheapest of a few hyperbolas.

        Raises:
            PrecisionError: the contour cannot be bent, or the work would be too large.
        """
        if not self.rate >= 0:
            raise PrecisionError("the contour cannot be bent to where the integrand falls; no digit was reached")
        options: list[tuple[float, float, float, Hyperbola]] = []
        crossing = self.saddle
        while not options or crossing > _LEAST_CROSSING:
            for turn in _TURNS:
                for share in _SHARES:
                    curve = self._hyperbola(crossing, turn, share)
                    size = max(self._crossing_size(displaced(curve, side)) for side in (turn, -turn))
                    step = 2 * math.pi * turn / max(self.tolerance + 4 + size - self.log_value, 8.0)
                    options.append((math.log(2e3 * self.saddle / curve.scale) / step, step, turn, curve))
            crossing *= _RATIO
        _, step, turn, curve = min(options, key=lambda option: option[0])
        return self._complete(curve, turn, step)

    def _hyperbola(self, crossing: float, turn: float, share: float) -> Hyperbola:
        """It crosses the real axis at o·crossing, and 15 % of that or more from the poles where displaced."""
        sign = self.integrand.sign
        reach = abs(math.cos(_ANGLE) - math.cos(_ANGLE + sign * turn))
        scale = share * 0.85 * crossing / reach
        return Hyperbola(sign * crossing - scale * math.cos(_ANGLE), scale, _ANGLE)

    def _crossing_size(self, curve: Hyperbola) -> float:
        """log|F z′| at the real axis, where it is largest as a rule."""
        x = self.integrand.sign * curve.approx_point(0.0).real
        return self.model.exponent(x) - math.log(x) - math.log1p(x) + math.log(abs(curve.approx_derivative(0.0)))

    def _corner(self, paths: Sequence[RisingPath], z: complex) -> float:
        return (
            sum(table.rotated.steps * table.log_bound(path, 0.0, z) for table, path in zip(self.tables, paths, strict=True))
            - self.rate * z.real
        )

    def _rest(self, curve: Hyperbola, tau: float) -> float:
        """log|e^{z(z+o)v/2}z′/(z(z+o))|."""
        z = curve.approx_point(tau)
        product = z * (z + self.integrand.sign)
        return (product * self.variance / 2).real + math.log(abs(curve.approx_derivative(tau))) - math.log(abs(product))

    def _complete(self, curve: Hyperbola, turn: float, step: float) -> BentPlan:
        depth = min(30.0, 3 + math.log(60 / max(self.rate, 1e-11) + 60))
        order = 1.5 * displaced(curve, -turn).approx_point(0.0).real
        self.tables = [Tables(mixture, self.tolerance + 45, max(order, 0.0), depth) for mixture in self.integrand.mixtures]
        outer, inner = (self._pieces(displaced(curve, side), self.log_value, _SPAN) for side in (turn, -turn))
        largest = max(size for _, size in outer + inner) + 1
        step = min(step, 2 * math.pi * turn / max(self.tolerance + 4 + largest - self.log_value, 8.0))
        step = max(math.floor(step / _GRID), 1) * _GRID
        span = max(1, round(_SPAN / step)) * step
        main = self._pieces(curve, self.goal - 1, span)
        count = round(main[-1][0].high / step) + 1
        rules, work, amplitude = [], 0.0, 0.0
        for piece, size in main:
            # the last piece's path is known to fall further out
            rule = self._with_steps(curve, piece, size, choose=piece is not main[-1][0])
            rules.append(rule)
            work += sum((entry.high - entry.low) / entry.step for entry in rule.rules) * (piece.high - piece.low) / step
            amplitude = max(amplitude, size - self.log_value)
        if work > LARGEST_WORK:
            raise PrecisionError(f"the bent contour would need {work:.0f} exponentials; no digit was reached; ask for fewer digits")
        return BentPlan(
            curve, turn, step, count, tuple(rules), tuple(piece for piece, _ in outer), tuple(piece for piece, _ in inner),
            tuple(table.depth for table in self.tables), self.log_value, amplitude, self.tolerance, work,
        )  # fmt: skip

    def _pieces(self, curve: Hyperbola, goal: float, span: float) -> list[tuple[Piece, float]]:
        """Pieces until what is left is below e^{goal} and falls."""
        found: list[tuple[Piece, float]] = []
        for index in range(_MOST_PIECES):
            low, high = index * span, (index + 1) * span
            corners = approx_triangle(curve, low, high)
            before = [rule.path for rule in found[-1][0].rules] if found else [None] * len(self.tables)
            paths = [table.best_path(corners, last) for table, last in zip(self.tables, before, strict=True)]
            size = max(self._corner(paths, z) for z in corners) + max(self._rest(curve, low), self._rest(curve, high))
            rules = []
            for table, path in zip(self.tables, paths, strict=True):
                own = min(table.log_bound(path, 0.0, z) for z in corners)
                rules.append(table.rule(path, corners, own - 3 - math.log(table.rotated.steps)))
            found.append((Piece(low, high, tuple(rules)), size))
            end = self._corner(paths, corners[-1]) + self._rest(curve, high)
            if end <= goal and self._falls(curve, found[-1][0]):
                return found
        raise PrecisionError("the integrand does not fall along the bent contour; no digit was reached")

    def _falls(self, curve: Hyperbola, piece: Piece) -> bool:
        directions = curve.direction(arb(piece.high))
        pairs = list(zip(self.tables, piece.rules, strict=True))
        return all(table.rotated.falls_along(rule, d) for d in directions for table, rule in pairs)

    def _with_steps(self, curve: Hyperbola, piece: Piece, size: float, *, choose: bool) -> Piece:
        """The piece with trapezoid rules that keep every N accurate enough, on the height that allows the longest step."""
        corners = approx_triangle(curve, piece.low, piece.high)
        rules = []
        for table, rule in zip(self.tables, piece.rules, strict=True):
            own = max(table.log_bound(rule.path, 0.0, z) for z in corners)
            wanted = max(size - self.goal, 2.0) + math.log(table.rotated.steps) + 9
            heights = [path for path in table.paths() if path.slope == rule.path.slope] if choose else [rule.path]
            options = [option for path in heights for option in self._steps(table, replace(rule, path=path), corners, own, wanted)]
            rules.append(self._first_good(table, options, corners, own - wanted))
        return replace(piece, rules=tuple(rules))

    @staticmethod
    def _steps(
        table: Tables, rule: PathRule, corners: Sequence[complex], own: float, wanted: float
    ) -> list[tuple[float, float, RisingPath]]:
        """Steps η for a trapezoid error of about e^{own − wanted} with their shifts b, and the path."""
        found: list[tuple[float, float, RisingPath]] = []
        if max(table.log_bound(rule.path, 0.0, z) for z in corners) > own + _DEARER:
            return found
        largest = min(rule.path.largest_shift(), 2.0 * table.sigma, 6.0)
        for index in range(10):
            b = largest * 0.75**index
            sides = max(table.log_bound(rule.path, y, z) for y in (b, -b) for z in (corners[0], corners[-1]))
            found.append((2 * math.pi * b / (wanted + max(sides - own, 0.0) + 1), b, rule.path))
            if 2 * math.pi * b / (wanted + 1) < 0.7 * max(step for step, _, _ in found):
                break
        return found

    @staticmethod
    def _first_good(table: Tables, options: list[tuple[float, float, RisingPath]], corners: Sequence[complex], goal: float) -> PathRule:
        """The longest step whose certified error is about e^{goal}; the float64 tables do not see how wide the cells are."""
        best: tuple[float, PathRule] | None = None
        points = [acb(z) for z in corners]
        for step, shift, path in sorted(options, key=lambda option: -option[0])[:_TRIALS]:
            try:
                rule = replace(table.rule(path, corners, goal, shift), step=step)
            except PrecisionError:
                continue
            error = table.rotated.rule_error(rule, points, table.depth)
            size = float(error.log()) if error.is_finite() and error > 0 else math.inf
            if best is None or size < best[0]:
                best = size, rule
            if size < goal + 3:
                return rule
        if best is None or best[0] == math.inf:
            raise PrecisionError("no path over the noise keeps off the zeros of the densities; no digit was reached")
        return best[1]


def plan_bent(factors: Sequence[Factor], epsilon: float, tolerance: float, target: Target) -> BentPlan:
    """A bent contour for a relative error of about e^{−tolerance}.

    Raises:
        PrecisionError: the contour cannot be bent, or that would be too much work.
    """
    integrand = bent_integrand(factors, arb(epsilon))
    if sum(mixture.steps for mixture in integrand.mixtures) > _MOST_STEPS:
        raise PrecisionError("bounds by cells are too wide for a bent contour of so many steps; no digit was reached")
    if any(mixture.mixture.sigma > _LARGEST_SIGMA for mixture in integrand.mixtures):
        raise PrecisionError("paths over so much noise would need too many cells; no digit was reached")
    return BentPlanner(integrand, Model(factors, epsilon), target.saddle, target.log_value, tolerance).plan()


def approx_triangle(curve: Hyperbola, low: float, high: float) -> tuple[complex, complex, complex]:
    """The corners of the triangle around a piece."""
    tip = curve.centre + curve.scale * cmath.cosh(complex((low + high) / 2, curve.angle + curve.turn)) / math.cosh((high - low) / 2)
    return curve.approx_point(low), tip, curve.approx_point(high)
