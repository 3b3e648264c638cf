"""A Gaussian mixture pair in float64: moments, drop and decay of M(x + iy). It plans, and nothing of it enters a bound.

One model serves every question about the same pair, so that what was evaluated for one contour is there for the next one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from operator import mul
from typing import TypeVar

from dpbounds.errors import PrecisionError
from dpbounds.laws.mixture import Mixture

_WIDEST = 100_000
_NEAR = 100.0
_MARGIN = 8.5
_FARTHEST = 300.0
_HEIGHTS = 9
"""Shifts that are tried for a bound on the decay."""
_FINER, _FAR_DOWN = (0.5, 0.25, 0.125), 200.0
"""Steps to shifts between those of the list, for a fall of all steps by more than e^{−this}."""
_APART = 2000
"""Nodes between two stretches that are not filled."""
_KEPT = 4000
"""Entries of a table that are kept."""
_LARGEST = 1e25
_ROOT_TWO_PI = math.sqrt(2 * math.pi)

Value = TypeVar("Value")
Moments = tuple[float, float, float]
"""K(x), K′(x), K″(x)."""


class NodeTable:
    """log weight under φu and loss at the nodes n·step of one mixture: one stretch of them, which grows, or moves where it is far off."""

    def __init__(self, mixture: Mixture) -> None:
        self.mixture, self.step = mixture, min(0.4, 0.45 * float(mixture.sigma))
        self._first = 0
        self._weights: list[float] = []
        self._losses: list[float] = []

    def rows(self, nodes: range) -> tuple[list[float], list[float]]:
        """Of these nodes."""
        apart = max(self._first - nodes.stop, nodes.start - self._first - len(self._weights))
        if not self._weights or apart > _APART:
            self._first, self._weights, self._losses = nodes.start, [], []
        if nodes.start < self._first:
            weights, losses = self._made(range(nodes.start, self._first))
            self._first, self._weights, self._losses = nodes.start, weights + self._weights, losses + self._losses
        end = self._first + len(self._weights)
        if nodes.stop > end:
            weights, losses = self._made(range(end, nodes.stop))
            self._weights += weights
            self._losses += losses
        part = slice(nodes.start - self._first, nodes.stop - self._first)
        return self._weights[part], self._losses[part]

    def _made(self, nodes: range) -> tuple[list[float], list[float]]:
        places, offset = [n * self.step for n in nodes], math.log(self.step / _ROOT_TWO_PI)
        log_u, log_v = self.mixture.approx_log_columns(places)
        weights = [u - s * s / 2 + offset for u, s in zip(log_u, places, strict=True)]
        return weights, [u - v for u, v in zip(log_u, log_v, strict=True)]


class MixtureModel:
    """K, drop and decay of a mixture with the noise whole or cut at s = `cut`."""

    def __init__(self, mixture: Mixture, cut: float | None, table: NodeTable) -> None:
        self.mixture, self.cut, self._table = mixture, cut, table
        self._known: dict[float, Moments] = {}
        self._bulks: dict[float, tuple[float, float]] = {}
        self._turns: dict[float, dict[int, tuple[float, float, float]]] = {}
        self._lines: dict[tuple[float, range], tuple[list[float], list[float]]] = {}
        self._lines_at = math.nan

    def bulk(self, x: float) -> tuple[float, float]:
        """Where the integrand of M(x) has its bulk; from 0 if that is not too far, because it moves there as y grows."""
        found = self._bulks.get(x)
        if found is None:
            low, high = self.mixture.approx_range(x) if self.cut is None else self.mixture.approx_range_below(x, self.cut)
            found = (0.0 if 0 < low < _NEAR else low), (0.0 if -_NEAR < high < 0 else high)
            keep(self._bulks, x, found)
        return found

    def moments(self, x: float) -> Moments:
        """K(x), K′(x), K″(x)."""
        found = self._known.get(x)
        if found is None:
            found = moments_of(*self._law(x), x)
            keep(self._known, x, found)
        return found

    def drop(self, x: float, y: float) -> float:
        """log M(x) − log|M(x+iy)|."""
        return drop_of(*self._law(x), x, y)

    def _law(self, x: float) -> tuple[list[float], list[float]]:
        """Log weights under φu and losses on a grid that carries M(x)."""
        low, high = self.bulk(x)
        nodes = self._indices(low, max(high, self.mixture.approx_shoulder(x, low)), self._table.step)
        if len(nodes) > _WIDEST:
            raise PrecisionError("the privacy loss has two parts too far from each other for the contour: no digit was reached")
        return self._table.rows(nodes)

    def _indices(self, low: float, high: float, step: float, margin: float = _MARGIN) -> range:
        last = math.ceil((high + margin) / step)
        if self.cut is not None:
            last = min(last, math.floor(self.cut / step))
        return range(math.floor((low - margin) / step), last + 1)

    def end(self, x: float) -> float:
        """Logarithm of the integrand of M(x) where the noise is cut."""
        assert self.cut is not None
        return self.integrand(x, self.cut)

    def integrand(self, x: float, s: float) -> float:
        """Logarithm of φu^{1+x}v^{−x} at s."""
        log_u, log_v = self.mixture.approx_logs(s)
        return (1 + x) * log_u - x * log_v - s * s / 2 - 0.92

    def ends_before(self, x: float, s: float, tolerance: float) -> bool:
        """Whether what lies beyond s is about e^{−tolerance} of M(x) at most."""
        return self.bulk(x)[1] < s - 1 and self.integrand(x, s) < self.moments(x)[0] - tolerance

    def largest_tilt(self, steps: int) -> float:
        """Larger tilts would cost the model its digits, or make the end of a cut noise matter in that many steps."""
        if self.cut is None:
            return _LARGEST
        low, high = math.log(1e-3), math.log(_LARGEST)
        while high - low > 0.02:
            x = math.exp((low + high) / 2)
            low, high = (low, math.log(x)) if self.end(x) > self.moments(x)[0] - 5 - math.log(steps) else (math.log(x), high)
        return math.exp(low)

    def decay(self, x: float, y: float, a: float) -> float:
        """log(B_a(y)/M(x)); B_a as in `laws.paths.decay`."""
        step = min(0.4, 0.25 * float(self.mixture.sigma))
        low, high = self.bulk(x)
        margin, found = _MARGIN, 0.0
        for _ in range(4):
            found = self._shifted_sum(x, y, a, self._indices(low, high, step, margin), step)
            wanted = math.sqrt(2 * max(0.0, -found)) + 4
            if wanted <= margin:
                return found
            margin = min(wanted + 2, _FARTHEST)  # what is left at height y lies far from the bulk of M(x)
        return max(found, -_FARTHEST * _FARTHEST / 2)

    def best_decay(self, x: float, y: float, steps: int, near: float | None = None) -> tuple[float, float]:
        """The best shift a for that bound out of a geometric list, and log(B_a(y)/M(x)); `near` is where the search begins.

        The logarithm of an integral of |f| along a line is convex in its height a. It falls to the best one from a = y·E L′(s), where
        a²/2 − y·a·E L′ is least: what the logarithm is for a small a.
        """
        highest = min(0.97 * self.mixture.strip, 14.0)
        lowest = min(highest / 2, 0.3 * math.sqrt(140 / steps))
        ratio = (highest / lowest) ** (1 / (_HEIGHTS - 1))

        def size(index: float) -> float:
            return self.decay(x, y, lowest * ratio**index) if 0 <= index < _HEIGHTS else math.inf

        start = y * self._mean_slope(x) if near is None else near
        index: float = round(math.log(max(start, 1e-300) / lowest) / math.log(ratio))
        index = min(max(index, 0), _HEIGHTS - 1)
        least = size(index)
        for way in (1, -1):
            moved = False
            while (further := size(index + way)) < least:
                index, least, moved = index + way, further, True
            if moved:
                break
        for apart in _FINER if -least * steps > _FAR_DOWN else ():
            least, index = min((least, index), *((size(index + way * apart), index + way * apart) for way in (1, -1)))
        return lowest * ratio**index, least

    def _mean_slope(self, x: float) -> float:
        """E L′(s) under the tilted law."""
        weights, losses = self._law(x)
        exponents = [weight + x * loss for weight, loss in zip(weights, losses, strict=True)]
        top = max(exponents)
        parts = [math.exp(exponent - top) for exponent in exponents[:-1]]
        rises = sum([part * (after - before) for part, before, after in zip(parts, losses, losses[1:], strict=False)])
        return rises / (sum(parts) * self._table.step)

    def _shifted_sum(self, x: float, y: float, a: float, indices: range, step: float) -> float:
        if x != self._lines_at:
            self._lines, self._lines_at = {}, x
        key = (a, indices)
        if key not in self._lines:
            known = self._turns.setdefault(a, {})
            new = [n for n in indices if n not in known]
            known.update(zip(new, self.mixture.approx_shifted((n * step for n in new), a), strict=True))
            rows, ahead, offset = [known[n] for n in indices], 1 + x, math.log(step / _ROOT_TWO_PI)
            sizes = [offset - (n * step) ** 2 / 2 + ahead * row[0] - x * row[1] for n, row in zip(indices, rows, strict=True)]
            turns = [row[2] for row in rows]
            if self.cut is not None:
                sizes, turns = [*sizes, math.log(a) + self.end(x)], [*turns, 0.0]
            self._lines[key] = sizes, turns
            if len(self._turns) > _HEIGHTS * 8:
                self._turns.clear()
        logs = [size - y * turn for size, turn in zip(*self._lines[key], strict=True)]
        top = max(logs)
        return top + math.log(sum([math.exp(entry - top) for entry in logs])) + a * a / 2 - self.moments(x)[0]


@lru_cache(maxsize=256)
def table_of(mixture: Mixture) -> NodeTable:
    """The nodes of a mixture, shared by the models with the noise cut at different ends."""
    return NodeTable(mixture)


@lru_cache(maxsize=1024)
def model_of(mixture: Mixture, cut: float | None) -> MixtureModel:
    """The model of a mixture, the same one for every question.

    >>> from fractions import Fraction
    >>> model = model_of(Mixture(Fraction(1, 100), Fraction(2), numerator=True, denominator=False), None)
    >>> abs(model.moments(0.0)[0]) < 1e-12
    True
    """
    return MixtureModel(mixture, cut, table_of(mixture))


def keep(table: dict[float, Value], key: float, value: Value) -> None:
    """Remember it; a table that has grown long starts anew."""
    if len(table) >= _KEPT:
        table.clear()
    table[key] = value


def moments_of(weights: Sequence[float], losses: Sequence[float], x: float) -> Moments:
    """K(x) = log Σ e^{w + xL} and its first two derivatives."""
    exponents = [weight + x * loss for weight, loss in zip(weights, losses, strict=True)]
    top = max(exponents)
    parts = [math.exp(exponent - top) for exponent in exponents]
    middle = losses[exponents.index(top)]
    total, distances = sum(parts), [loss - middle for loss in losses]
    firsts = list(map(mul, parts, distances))
    mean = sum(firsts) / total
    return top + math.log(total), middle + mean, max(sum(map(mul, firsts, distances)) / total - mean * mean, 1e-300)


def drop_of(weights: Sequence[float], losses: Sequence[float], x: float, y: float) -> float:
    """log Σ e^{w + xL} − log|Σ e^{w + (x+iy)L}|."""
    exponents = [weight + x * loss for weight, loss in zip(weights, losses, strict=True)]
    top = max(exponents)
    parts = [math.exp(exponent - top) for exponent in exponents]
    real = sum(map(mul, parts, [math.cos(y * loss) for loss in losses]))
    imaginary = sum(map(mul, parts, [math.sin(y * loss) for loss in losses]))
    return math.log(sum(parts)) - math.log(max(math.hypot(real, imaginary), 1e-300))
