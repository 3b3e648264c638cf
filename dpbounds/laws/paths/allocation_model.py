"""Float64 model of random allocation: estimates that choose steps and abscissas. Nothing here enters a bound."""

from __future__ import annotations

import cmath
import math
from dataclasses import dataclass, field
from functools import lru_cache

_FAR = 38.0
_WIDTH = 9.0
_FINE = 0.45
_SMALL = 0.25
_SPACING = 0.125
"""Between the points of log(−log φ): a cubic then errs by about 1e-6."""
_STRAIGHT = -20.0
"""Below this φ(e^x) is 1 − e^x, as far as floats show."""


@dataclass
class AllocationModel:
    """K(c) = log E S^{n−c}, c > 0, from ∫ e^{cx}Φ_n(e^x)dx = Γ(c)E S^{n−c} on grids of x that are kept; n is the weight."""

    sigma: float
    bins: int
    weight: int = 0
    _logs: dict[tuple[int, int], float] = field(default_factory=dict, repr=False)
    _known: dict[float, tuple[float, float, float]] = field(default_factory=dict, repr=False)

    def log_transform(self, x: float) -> float:
        """log Φ_n(e^x), by the power series of which Φ_n/n! is a coefficient."""
        single = [self.log_single(x, k) for k in range(self.weight + 1)]
        if self.weight == 0:
            return self.bins * single[0]
        logs = [value - single[0] - k * math.log(self.bins) - math.lgamma(k + 1) for k, value in enumerate(single)]
        scale = max(value / k for k, value in enumerate(logs) if k)
        terms = [math.exp(value - k * scale) for k, value in enumerate(logs)]
        power = [1.0]
        for k in range(1, self.weight + 1):
            power.append(sum(((self.bins + 1) * i - k) * terms[i] * power[k - i] for i in range(1, k + 1)) / k)
        return self.bins * single[0] + math.log(max(power[-1], 1e-300)) + math.lgamma(self.weight + 1) + self.weight * scale

    def log_single(self, x: float, k: int) -> float:
        """log E Y^k e^{−e^x Y/t}."""
        variance = 1 / self.sigma**2
        return k * (k - 1) * variance / 2 + _transform(self.sigma)(x - math.log(self.bins) + k * variance)

    def log_moments(self, c: float) -> tuple[float, float, float]:
        """K(c), K′(c), K″(c)."""
        if c not in self._known:
            self._known[c] = self._log_moments(c) if c >= _SMALL else self._near_zero(c)
        return self._known[c]

    def _near_zero(self, c: float) -> tuple[float, float, float]:
        """A parabola through K(0) = 0: e^{cx} falls too slowly on the left for a sum."""
        value, _, second = self.log_moments(_SMALL)
        first = value / _SMALL - second * _SMALL / 2
        return c * first + c * c * second / 2, first + c * second, second

    def _log_moments(self, c: float) -> tuple[float, float, float]:
        level = max(1, math.ceil(math.log2(math.sqrt(c + 1) / _FINE)))
        step = 2.0**-level

        def exponent(n: int) -> float:
            key = (level, n)
            if key not in self._logs:
                self._logs[key] = self.log_transform(n * step)
            return c * n * step + self._logs[key]

        peak, stride = round(math.log(c) / step), 1 << 6
        best = exponent(peak)
        while stride:  # log-concave in x: climb
            moved = False
            for candidate in (peak - stride, peak + stride):
                value = exponent(candidate)
                if value > best:
                    peak, best, moved = candidate, value, True
                    break
            if not moved:
                stride >>= 1
        total = first = second = 0.0
        for sign in (1, -1):
            n = peak if sign == 1 else peak - 1
            while (value := exponent(n) - best) > -37:
                part, offset = math.exp(value), (n - peak) * step
                total, first, second = total + part, first + part * offset, second + part * offset * offset
                n += sign
        mean = first / total
        value = best + math.log(total * step) - math.lgamma(c)
        slope = peak * step + mean - digamma(c)
        return value, slope, max(second / total - mean * mean - trigamma(c), 1e-12 * slope * slope, 1e-300)


@dataclass(frozen=True)
class _Transform:
    """log φ(e^x), φ(s) = E e^{−sY}, for a Y: by a cubic through points of log(−log φ), which is nearly straight."""

    sigma: float
    _points: dict[int, float] = field(default_factory=dict, repr=False)

    def __call__(self, x: float) -> float:
        if x < _STRAIGHT:
            return -math.exp(x)
        place = x / _SPACING
        first = math.floor(place) - 1
        u = place - first
        a, b, c, d = (self._point(first + j) for j in range(4))
        near, far = u * (u - 3) / 2, (u - 1) * (u - 2) / 6
        value = b * near * (u - 2) - c * near * (u - 1) - a * far * (u - 3) + d * far * u
        return -math.exp(min(value, 700.0))

    def _point(self, index: int) -> float:
        if index not in self._points:
            x = index * _SPACING
            self._points[index] = x if x < _STRAIGHT else math.log(-min(self._sum(x), -1e-300))
        return self._points[index]

    def _sum(self, x: float) -> float:
        sigma, step = self.sigma, min(0.35, 0.26 * self.sigma)
        start = x - 0.5 / sigma**2
        # −u²/2 − e^{start + u/σ} is largest at −u = w, w = e^{start − w/σ}/σ
        low, high = 0.0, _FAR + max(0.0, sigma * start)
        for _ in range(50):
            middle = (low + high) / 2
            low, high = (middle, high) if middle < math.exp(min(700.0, start - middle / sigma)) / sigma else (low, middle)
        total, top = 0.0, -low * low / 2 - math.exp(min(700.0, start - low / sigma))
        for n in range(math.ceil((-low - _WIDTH) / step), math.floor((-low + _WIDTH) / step) + 1):
            u = n * step
            exponent = start + u / sigma
            if exponent < 690:
                total += math.exp(min(2.0, max(-745.0, -u * u / 2 - math.exp(exponent) - top)))
        return top + math.log(total * step / math.sqrt(2 * math.pi))


_transform = lru_cache(maxsize=64)(_Transform)


@lru_cache(maxsize=16)
def _grids(sigma: float, bins: int, weight: int) -> dict[tuple[int, int], float]:
    """The values on grids that are known, which depend on nothing else."""
    return {}


def model_of(sigma: float, bins: int, weight: int) -> AllocationModel:
    """The model; models of the same numbers share their grids."""
    return AllocationModel(sigma, bins, weight, _grids(sigma, bins, weight))


def log_gamma(w: complex) -> complex:
    """log Γ(w), Re w > 0, by Stirling's series."""
    shift = 0j
    while w.real < 10 and abs(w) < 20:
        shift += cmath.log(w)
        w += 1
    inverse = 1 / w
    series = inverse / 12 - inverse**3 / 360 + inverse**5 / 1260 - inverse**7 / 1680
    return (w - 0.5) * cmath.log(w) - w + 0.5 * math.log(2 * math.pi) + series - shift


def digamma(c: float) -> float:
    """ψ(c), c > 0."""
    shift = 0.0
    while c < 12:
        shift += 1 / c
        c += 1
    square = 1 / (c * c)
    return math.log(c) - 0.5 / c - square * (1 / 12 - square * (1 / 120 - square * (1 / 252 - square / 240))) - shift


def trigamma(c: float) -> float:
    """ψ′(c), c > 0."""
    shift = 0.0
    while c < 12:
        shift += 1 / (c * c)
        c += 1
    square = 1 / (c * c)
    return 1 / c + square / 2 + square / c * (1 / 6 - square * (1 / 30 - square * (1 / 42 - square / 30))) + shift
