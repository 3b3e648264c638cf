"""Where to bend the contour: float64 searches; nothing here enters a bound.

The hyperbola crosses the real axis at or below the saddle point. Its crossing, scale and displacement are chosen for the fewest nodes,
by the size of the integrand where the two displaced hyperbolas cross the axis; the step by their largest pieces.
"""

from __future__ import annotations

import cmath
import contextlib
import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from flint import arb

from dpbounds.accounting.bromwich_planning import ContourTarget, Model
from dpbounds.accounting.rays.hyperbola import Hyperbola, displaced
from dpbounds.accounting.rays.hyperbolic import SPARE_BITS, BentIntegrand, BentPlan, HyperbolaPiece, bent_integrand, falls
from dpbounds.errors import PrecisionError
from dpbounds.laws.contour_factor import ContourFactor
from dpbounds.laws.paths.deformed_path import RisingPath
from dpbounds.laws.paths.deformed_path_moment import PathRule
from dpbounds.laws.paths.deformed_path_planning import PathPlanner

_ANGLE = 71 * math.pi / 180
_TURNS = (0.31, 0.2)
"""Displacements β: the directions of the displaced hyperbolas lie between 53° and 89°."""
_SHARES = (1.0, 0.4)
_RATIO = 0.65
_LEAST_CROSSING = 0.3
_SPAN = 0.35
_MOST_PIECES = 250
_MOST_STEPS = 20_000
_LOOSE = 0.003
"""About by how much the logarithm of a bound by cells is too large for each step of the mechanism."""
_MARGIN = 9.0
_SPARE = 45.0
_DEARER = 30.0
"""A path with few nodes may have a larger integrand than the best; its logarithm, and that of the number of steps, are at most this."""
_LARGER = 15.0
_FINEST = 8
_GRID = 2.0**-14
"""Steps h are multiples of this, so that the nodes at the ends of the pieces are exact."""
LARGEST_WORK = 20_000_000
"""Exponentials; about a minute."""


@dataclass
class BentPlanner:
    """Plans for one product of mixtures: its integrand, the float64 model of it, and what to aim at."""

    integrand: BentIntegrand
    model: Model
    saddle: float
    log_value: float
    tolerance: float
    _planners: list[PathPlanner] = field(default_factory=list, repr=False)

    def __post_init__(self) -> None:
        self._rate = float(self.integrand.rate())
        self._goal = self.log_value - self.tolerance

    def plan(self, most: float) -> BentPlan:
        """The cheapest contour found.

        Raises:
            PrecisionError: the contour cannot be bent, or the work would be more than `most`.
        """
        if not self._rate >= 0:
            raise PrecisionError("the contour cannot be bent to where the integrand falls; no digit was reached")
        curve, turn, step = self._cheapest_hyperbola()
        depth = min(30.0, 3 + math.log(60 / max(self._rate, 1e-11) + 60))
        order = max(1.5 * displaced(curve, -turn).approx_point(0.0).real, 0.0)
        self._planners = [PathPlanner(mixture, self.tolerance + _SPARE, order, depth) for mixture in self.integrand.mixtures]
        outer, inner = (self._pieces(displaced(curve, side), self.log_value, _SPAN, divided=True) for side in (turn, -turn))
        largest = max(size for _, size in outer + inner) + 1
        step = min(step, self._step(turn, largest))
        main = self._pieces(curve, self._goal - 1, max(1, round(_SPAN / step)) * step)
        pieces: list[HyperbolaPiece] = []
        work = 0.0
        for piece, size in main:
            # the last piece keeps its path, which is known to fall further out
            pieces.append(self._with_steps(curve, piece, size, choose=piece is not main[-1][0]))
            work += sum((rule.high - rule.low) / rule.step * (piece.high - piece.low) / step for rule in pieces[-1].rules)
            if work > most:
                raise PrecisionError(
                    f"the bent contour would need more than {most:.0f} exponentials; no digit was reached; ask for fewer digits"
                )
        return BentPlan(
            hyperbola=curve,
            turn=turn,
            step=step,
            count=round(pieces[-1].high / step) + 1,
            main=tuple(pieces),
            outer=tuple(piece for piece, _ in outer),
            inner=tuple(piece for piece, _ in inner),
            depths=(depth,) * len(self._planners),
            log_value=self.log_value,
            amplitude=max(size for _, size in main) - self.log_value,
            tolerance=self.tolerance,
            work=work,
            mixtures=tuple(self.integrand.mixtures),
        )

    def _cheapest_hyperbola(self) -> tuple[Hyperbola, float, float]:
        """The hyperbola, its displacement and a step, by the sizes at the crossings."""
        options: list[tuple[float, Hyperbola, float, float]] = []
        crossing = self.saddle
        while not options or crossing > _LEAST_CROSSING:
            for turn in _TURNS:
                for share in _SHARES:
                    curve = self._hyperbola(crossing, turn, share)
                    step = self._step(turn, max(self._crossing_size(displaced(curve, side)) for side in (turn, -turn)))
                    options.append((math.log(2e3 * self.saddle / curve.scale) / step, curve, turn, step))
            crossing *= _RATIO
        return min(options, key=lambda option: option[0])[1:]

    def _step(self, turn: float, size: float) -> float:
        """The step h for aliases of about e^{−tolerance}·δ when the integrand on the displaced hyperbolas is e^{size}."""
        loose = _LOOSE * sum(mixture.steps for mixture in self.integrand.mixtures)
        step = 2 * math.pi * turn / max(self.tolerance + 4 + size + loose - self.log_value, 8.0)
        return max(math.floor(step / _GRID), 1) * _GRID

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

    def _pieces(self, curve: Hyperbola, goal: float, span: float, *, divided: bool = False) -> list[tuple[HyperbolaPiece, float]]:
        """Pieces until what is left is below e^{goal} and falls, each with about the largest log|F z′| on it.

        Where that is much larger than at the crossing, a piece is `divided`: one path has to serve all of it.
        """
        found: list[tuple[HyperbolaPiece, float]] = []
        low, part, most = 0.0, 1, self._crossing_size(curve) + _LARGER
        while len(found) < _MOST_PIECES:
            high = low + span / part
            corners = approx_triangle(curve, low, high)
            paths = [planner.best_path(corners) for planner in self._planners]
            size = max(self._log_corner(paths, z) for z in corners) + max(self._log_rest(curve, low), self._log_rest(curve, high))
            if divided and size > most and part < _FINEST:
                part *= 2
                continue
            rules = []
            for planner, path in zip(self._planners, paths, strict=True):
                own = min(planner.log_bound(path, 0.0, z) for z in corners)
                rules.append(planner.ranged(path, corners, own - 3 - math.log(planner.rotated.steps)))
            found.append((HyperbolaPiece(low, high, tuple(rules)), size))
            if self._log_corner(paths, corners[-1]) + self._log_rest(curve, high) <= goal:
                last = self._falling(curve, found[-1][0], corners)
                paths = [rule.path for rule in last.rules]
                end = self._log_corner(paths, corners[-1]) + self._log_rest(curve, high)
                size = max(self._log_corner(paths, z) for z in corners) + max(self._log_rest(curve, low), self._log_rest(curve, high))
                if end <= goal and size <= max(other for _, other in found) and falls(self.integrand, curve, last):
                    return [*found[:-1], (last, size)]
            low, part, most = high, max(1, part // 2), max(most, size)
        raise PrecisionError("the integrand does not fall along the bent contour; no digit was reached")

    def _log_corner(self, paths: Sequence[RisingPath], z: complex) -> float:
        """About log(Π B_i^{k_i}·e^{−ρ·Re z})."""
        bounds = (planner.rotated.steps * planner.log_bound(path, 0.0, z) for planner, path in zip(self._planners, paths, strict=True))
        return sum(bounds) - self._rate * z.real

    def _log_rest(self, curve: Hyperbola, tau: float) -> float:
        """log|e^{z(z+o)v/2}z′/(z(z+o))|."""
        z = curve.approx_point(tau)
        product = z * (z + self.integrand.sign)
        return (product * float(self.integrand.variance) / 2).real + math.log(abs(curve.approx_derivative(tau))) - math.log(abs(product))

    def _falling(self, curve: Hyperbola, piece: HyperbolaPiece, corners: Sequence[complex]) -> HyperbolaPiece:
        """The piece with other paths for the mixtures whose moments may grow by more than their share of e^{−ρz} falls further out."""
        directions, rules = curve.direction(arb(piece.high)), []
        for planner, rule in zip(self._planners, piece.rules, strict=True):

            def is_slow(other: PathRule, planner: PathPlanner = planner) -> bool:
                share = self._rate / (planner.rotated.steps * len(self._planners))
                return all(planner.rotated.rise_along(other, d) <= share * d.real for d in directions)

            slow, share = [], self._rate / (planner.rotated.steps * len(self._planners))
            for path in planner.fitting_paths(corners) if not is_slow(rule) else ():
                if any(planner.approx_rise(path, complex(d)) > share * float(d.real) for d in directions):
                    continue
                own = max(planner.log_bound(path, 0.0, z) for z in corners)
                with contextlib.suppress(PrecisionError):
                    other = planner.ranged(path, corners, own - 3 - math.log(planner.rotated.steps))
                    if is_slow(other):
                        slow.append((own, other))
            rules.append(min(slow, key=lambda entry: entry[0])[1] if slow else rule)
        return replace(piece, rules=tuple(rules))

    def _with_steps(self, curve: Hyperbola, piece: HyperbolaPiece, size: float, *, choose: bool) -> HyperbolaPiece:
        """The piece with trapezoid rules in t that keep every N accurate enough."""
        corners = approx_triangle(curve, piece.low, piece.high)
        rules = []
        for planner, rule in zip(self._planners, piece.rules, strict=True):
            wanted = max(size - self._goal, 2.0) + math.log(planner.rotated.steps) + _MARGIN
            rules.append(planner.fewest_nodes(rule, corners, wanted, choose=choose))
        bits = int((max(size - self._goal, 0.0) + _DEARER) / math.log(2) + SPARE_BITS)
        return replace(piece, rules=tuple(rules), bits=bits)


def plan_bent(
    factors: Sequence[ContourFactor], epsilon: float, tolerance: float, target: ContourTarget, most: float = LARGEST_WORK
) -> BentPlan:
    """A bent contour for a relative error of about e^{−tolerance}.

    Raises:
        PrecisionError: the contour cannot be bent, or that would be more than `most` work.
    """
    integrand = bent_integrand(factors, arb(epsilon))
    if sum(mixture.steps for mixture in integrand.mixtures) > _MOST_STEPS:
        raise PrecisionError("bounds by cells are too wide for a bent contour of so many steps; no digit was reached")
    return BentPlanner(integrand, Model(factors, epsilon), target.saddle, target.log_value, tolerance).plan(min(most, LARGEST_WORK))


def approx_triangle(curve: Hyperbola, low: float, high: float) -> tuple[complex, complex, complex]:
    """The corners of the triangle around a piece."""
    tip = curve.centre + curve.scale * cmath.cosh(complex((low + high) / 2, curve.angle + curve.turn)) / math.cosh((high - low) / 2)
    return curve.approx_point(low), tip, curve.approx_point(high)
