"""Which path over the noise to take for a piece of a bent contour: float64 tables; nothing here enters a bound.

On a displaced hyperbola the best path is that with the smallest bound B; on the hyperbola itself it is the one that allows the longest
step of the trapezoid rule in t.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from flint import acb, arb

from dpbounds.errors import PrecisionError
from dpbounds.laws.paths.deformed_path import UNSTRETCHED, RisingPath, Stretch
from dpbounds.laws.paths.deformed_path_moment import PathRule, RotatedMixture, edges

_HEIGHTS = (0.02, 0.1, 0.25, 0.5, 0.8, 1.1, 1.5)
"""Heights a of the paths, in units of σ: up to half of where the densities have their zeros."""
_HIGHEST = 7.0
_ASCENTS = ((0.0, 0.5), (0.6, 1.0), (0.8, 0.5))
"""Slopes κ, each with the width w of its bend in units of σ: an ascent must be flatter than 45°, where φ stops falling, and steep enough
for directions of 53°; a wide bend allows long steps."""
_FARTHEST = 200.0
_DEARER = 6.0
_TRIALS = 14
_REFINEMENTS = 3
_OVER = 1.0
"""How much larger the logarithm of an error may be than was wanted."""
_FAR_OVER = 40.0
_THINNED = 3
"""Cells of the bounds that are one in the tables."""
_SHIFTS = 14
_CLEAR = 2.85
_PLAIN = 60.0
"""Errors e^{−wanted} with less than this take few nodes without a stretch."""
_SHARE, _ROUND, _OFF, _WIDE, _LEAST_RATE = 0.75, (0.75, 1.2), 8.0, 7.0, 0.5
"""Of a stretch: the displacement that is expected, in units of the largest; widths to try, in units of that; by what the rate is
divided at the zeros of the densities; the displacement in t outside of the corners, where the noise is a Gaussian; the least rate."""


@dataclass
class PathPlanner:
    """Paths for one mixture.

    Args:
        rotated: the mixture.
        reach: −log of what may be left out. order: the largest real order on the contour. depth: of the cells, see `rotated.edges`.
    """

    rotated: RotatedMixture
    reach: float
    order: float
    depth: float
    _known: dict[tuple[RisingPath, float], list[tuple[float, float, float, float]]] = field(default_factory=dict, repr=False)

    _unfit: set[float] = field(default_factory=set, repr=False)
    _known_clear: dict[tuple[RisingPath, float], bool] = field(default_factory=dict, repr=False)
    _known_edges: dict[tuple[int, int, Stretch], list[float]] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        q, self.sigma = float(self.rotated.mixture.q), float(self.rotated.mixture.sigma)
        self._constant = math.log(q) - math.log1p(-q) - 0.5 / self.sigma**2
        self._middle = -self._constant * self.sigma  # Re w = 0 there

    def best_path(self, corners: Sequence[complex]) -> RisingPath:
        """The path with the smallest bound on the piece, of those that end.

        Raises:
            PrecisionError: no path ends.
        """
        return min(self.fitting_paths(corners), key=lambda path: max(self.log_bound(path, 0.0, z) for z in (corners[0], corners[-1])))

    def fitting_paths(self, corners: Sequence[complex]) -> list[RisingPath]:
        """The paths that end, without growth of the moment on the ascent if there are any.

        Raises:
            PrecisionError: no path ends.
        """
        ends = {path: max(self._end(path, z) for z in corners) for path in self._paths()}
        paths = [path for path, end in ends.items() if end == 0] or [path for path, end in ends.items() if end < _FARTHEST]
        if not paths:
            raise PrecisionError("no path over the noise ends; no digit was reached")
        return paths

    def log_bound(self, path: RisingPath, y: float, z: complex) -> float:
        """About log B(z) on the path at t + iy."""
        across, along = z.real, z.imag
        exponents = [weight + across * real - along * imag for weight, real, imag, _ in self._table(path, y)]
        top = max(exponents)
        if not -math.inf < top < math.inf:
            return math.inf
        least = top - 40
        return top + math.log(sum([math.exp(value - top) for value in exponents if value >= least]))

    def approx_rise(self, path: RisingPath, direction: complex) -> float:
        """About the largest Re(direction·g) on the path."""
        return max(direction.real * real - direction.imag * imag for _, real, imag, _ in self._table(path, 0.0))

    def ranged(self, path: RisingPath, corners: Sequence[complex], goal: float, shift: float = 0.0) -> PathRule:
        """The path with the range of t beyond which less than e^{goal} is left on it and on it displaced by ±shift.

        Raises:
            PrecisionError: there is no such range.
        """
        sides = {0.0, shift, -shift}
        ends = [self._large(path, y, corners, goal) for y in sides]
        low, high = min(low for low, _ in ends), max(high for _, high in ends)
        least, most = self._middle - 2 * self.sigma, self._middle + 2.5 * self.sigma
        if path.slope:
            least, most = min(least, path.bend - 5 * path.width), max(most, path.bend + 5 * path.width)
        least = min(least, -self._middle - 2.5 * self.sigma if self.rotated.both else 0.0)
        low = min(low, path.stretch.beyond(least, right=False))
        high = max(high, *(path.stretch.beyond(max(most, self._end(path, z) + 3), right=True) for z in corners))
        largest, further = arb(goal).exp(), 0.7 / (1 + path.stretch.rate)
        for _ in range(24):
            found = PathRule(path, low, high, shift)
            if all(self.rotated.tail(found, y, acb(z)) <= largest for y in sides for z in corners):
                return found
            low, high, further = low - further * max(1.0, self.sigma), high + further, 1.2 * further
        raise PrecisionError("a path over the noise does not end; no digit was reached")

    def fewest_nodes(self, rule: PathRule, corners: Sequence[complex], wanted: float, *, choose: bool) -> PathRule:
        """The rule with the fewest nodes for an error of about e^{−wanted}·B, on the path of `rule` or, to `choose`, on any.

        The cells are wider than the tables show, so the error of each candidate is the certified one.

        Raises:
            PrecisionError: no path keeps off the zeros of the densities.
        """
        for width in [width for width in _ROUND if choose and wanted >= _PLAIN and width not in self._unfit]:
            try:
                return self._fewest(rule, corners, wanted, self._paths(self._stretch(width)))
            except PrecisionError:
                self._unfit.add(width)
        return self._fewest(rule, corners, wanted, self._paths() if choose else [rule.path])

    def _fewest(self, rule: PathRule, corners: Sequence[complex], wanted: float, paths: Sequence[RisingPath]) -> PathRule:
        """The same, of these paths."""
        own = max(self.log_bound(rule.path, 0.0, z) for z in corners)
        options: list[tuple[float, float, float, RisingPath]] = []
        lengths = {path: self._length(path, corners, own - wanted) for path in paths}
        least = {path: length * (wanted + 1) / self._largest_shift(path) for path, length in lengths.items()}
        for path in sorted(lengths, key=lambda path: least[path]):
            if options and least[path] > min(option[0] for option in options):
                break
            options += [(2 * math.pi * lengths[path] / step, step, shift, path) for step, shift in self._steps(path, corners, own, wanted)]
        best: tuple[float, PathRule] | None = None
        points = [acb(z) for z in corners]
        for _, step, shift, path in sorted(options, key=lambda option: option[0])[:_TRIALS]:
            try:
                found = replace(self.ranged(path, corners, own - wanted, shift), step=step)
            except PrecisionError:
                continue
            for _ in range(_REFINEMENTS):
                error = self.rotated.rule_error(found, points, self.depth)
                size = float(error.log()) if error.is_finite() and error > 0 else math.inf
                if best is None or size < best[0]:
                    best = size, found
                over = size - own + wanted
                if over < _OVER:
                    return found
                if over > _FAR_OVER:
                    break
                found = replace(found, step=found.step * wanted / (wanted + over))
        if best is None or best[0] == math.inf:
            raise PrecisionError("no path over the noise keeps off the zeros of the densities; no digit was reached")
        return best[1]

    def _largest_shift(self, path: RisingPath) -> float:
        """The largest shift b that is tried."""
        return min(path.largest_shift(), 2.0 * self.sigma, 6.0)

    def _length(self, path: RisingPath, corners: Sequence[complex], goal: float) -> float:
        """About the length of the range in t outside of which less than e^{goal} is left."""
        low, high = self._large(path, 0.0, corners, goal)
        return max(high, *(path.stretch.approx_inverse(self._end(path, z)) for z in corners)) - low

    def _large(self, path: RisingPath, y: float, corners: Sequence[complex], goal: float) -> tuple[float, float]:
        """The first and the last t, or −1 and 1, where a cell has more than e^{goal−2} for some corner."""
        low, high, table = path.stretch.approx_inverse(-1.0), path.stretch.approx_inverse(1.0), self._table(path, y)
        for z in corners:
            large = [t for weight, real, imag, t in table if weight + z.real * real - z.imag * imag > goal - 2]
            low, high = min([low, *large[:1]]), max([high, *large[-1:]])
        return low, high

    def _steps(self, path: RisingPath, corners: Sequence[complex], own: float, wanted: float) -> list[tuple[float, float]]:
        """Steps η = 2πb/(wanted + log(B±/B)) with their shifts b; none where B is much larger than e^{own}."""
        found: list[tuple[float, float]] = []
        if max(self.log_bound(path, 0.0, z) for z in corners) > own + _DEARER:
            return found
        largest = self._largest_shift(path)
        for index in range(_SHIFTS):
            b = largest * 0.75**index
            if not self._keeps_off(path, b):
                continue
            sides = max(self.log_bound(path, y, z) for y in (b, -b) for z in (corners[0], corners[-1]))
            found.append((2 * math.pi * b / (wanted + max(sides - own, 0.0) + 1), b))
            if 2 * math.pi * b / (wanted + 1) < 0.7 * max(step for step, _ in found):
                break
        return found

    def _keeps_off(self, path: RisingPath, b: float) -> bool:
        """Whether the path displaced by ±b seems to cross Re w = 0 below the zeros of the densities, at Im s = πσ."""
        if (path, b) not in self._known_clear:
            far = self._middle + 0.6 * self.sigma + path.slope * b * (1 + path.stretch.rate)
            low, high = path.stretch.approx_inverse(self._middle - 0.5 * self.sigma), path.stretch.approx_inverse(far)
            count = math.ceil(10 * (high - low) / self.sigma)
            places = (low + (high - low) * n / count for n in range(count + 1))
            points = (path.approx_at(complex(x, y))[0] for x in places for y in (b, -b))
            clear = all(abs(s.imag) < _CLEAR * self.sigma for s in points if abs(s.real - self._middle) < 0.15 * self.sigma)
            self._known_clear[path, b] = clear
        return self._known_clear[path, b]

    def _stretch(self, width: float) -> Stretch:
        """Corners on both sides of the places where Re w(±s) = 0, and displacements of `_WIDE` outside of them."""
        shift = _SHARE * min(2.0 * self.sigma, 6.0)
        rate, width = _WIDE / shift - 1, width * shift
        if rate < _LEAST_RATE:
            return UNSTRETCHED
        bend = self._middle - self.sigma
        low = min(bend, -bend) if self.rotated.both else bend
        high = max(self._middle, -self._middle) if self.rotated.both else self._middle
        off = width * math.log(_OFF * rate)
        return Stretch(low - off, high + off, width, rate)

    def _paths(self, stretch: Stretch = UNSTRETCHED) -> list[RisingPath]:
        """The paths to choose from; they ascend from a little before the place where Re w = 0."""
        heights = [min(height * self.sigma, _HIGHEST) for height in _HEIGHTS]
        bend = self._middle - self.sigma
        return [RisingPath(height, slope, bend, width * self.sigma, stretch) for height in heights for slope, width in _ASCENTS]

    def _end(self, path: RisingPath, z: complex) -> float:
        """Where the fall of φ outweighs what growth of e^{zg} there may be on the ascent; 0 if there is none."""
        return max(0.0, z.real - path.slope * z.imag) / self.sigma / (1 - path.slope**2)

    def _range(self, path: RisingPath) -> tuple[float, float]:
        """A range of t outside of which nothing matters."""
        far = math.sqrt(2 * self.reach + path.height**2) + 2
        low = min(-far, self._middle - 28 * self.sigma, -self._middle - 4 * self.sigma if self.rotated.both else 0.0)
        if path.slope:
            high = far / math.sqrt(1 - path.slope**2) + self._middle * path.slope**2 + 2
        else:
            high = far + min((1 + self.order) / self.sigma, 2 * _FARTHEST)
        return low, max(high, self._middle + 5 * self.sigma)

    def _edges(self, low: float, high: float, stretch: Stretch) -> list[float]:
        """Edges in x of wide cells for tables, remembered."""
        key = math.floor(low), math.ceil(high), stretch
        if key not in self._known_edges:
            start, end = (stretch.approx_inverse(float(end)) for end in key[:2])
            self._known_edges[key] = edges(start, end, self.rotated.mixture, self.depth, stretch)[::_THINNED]
        return self._known_edges[key]

    def _table(self, path: RisingPath, y: float) -> list[tuple[float, float, float, float]]:
        """log|φ u^{a₀} s′ dt|, the two parts of g, and t, in the middle of each cell."""
        if (path, y) not in self._known:
            found = []
            for start, end in pairwise(self._edges(*self._range(path), path.stretch)):
                t = (start + end) / 2
                s, derivative = path.approx_at(complex(t, y))
                ratio = _log_one_plus_exp(s / self.sigma + self._constant)
                weight = -s * s / 2 + (ratio if self.rotated.power else 0)
                excess = ratio - _log_one_plus_exp(self._constant - s / self.sigma) if self.rotated.both else ratio
                size = math.log(abs(derivative) * (end - start) / math.sqrt(2 * math.pi))
                found.append((weight.real + size, excess.real, excess.imag, t))
            self._known[path, y] = found
        return self._known[path, y]


def _log_one_plus_exp(w: complex) -> complex:
    return w + cmath.log(1 + cmath.exp(-w)) if w.real > 0 else cmath.log(1 + cmath.exp(w))
