"""Choosing step, strip and window for the Poisson-sampled Gaussian: float64, to a few digits.

Nothing here is trusted: a bad plan makes the enclosure wide, never wrong, because `poisson_gaussian_terms` bounds what a plan leaves out.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from flint import arb

from dpbounds.errors import PrecisionError
from dpbounds.renyi.poisson_gaussian_terms import Integrand, SumPlan, approx_log_excess

_STEPS = 16
"""Steps are multiples of a power of 2 by _STEPS/2 … _STEPS: few different ones, so that orders share their nodes."""
_MOST_NARROW, _MOST_SHIFTED = 2.9, 1.45
"""Largest θ tried: below π and below π/2."""
_WIDTHS = tuple(1.3**k for k in range(4, -25, -1))
"""Those that are tried, in units of √(2·target)/σ."""


def plan(f: Integrand, bits: int) -> SumPlan:
    """A plan that should give J to about `bits` bits.

    Raises:
        PrecisionError: the parameters are beyond float64.
    """
    target = bits * math.log(2) + 3
    try:
        sketch = _Sketch(f)
        theta, split, step = sketch.strip(target)
        low, high = sketch.window(target)
    except (OverflowError, ValueError, ZeroDivisionError):
        raise PrecisionError("the parameters are too extreme to place the nodes; take sigma, q and alpha within 1e-100 and 1e100") from None
    exact_step = math.ldexp(math.floor(math.frexp(step)[0] * _STEPS) / _STEPS, math.frexp(step)[1])
    negligible = (arb(sketch.log_j) - target - math.log(64 * exact_step)).exp()
    return SumPlan(
        step=exact_step,
        theta=theta,
        first=math.floor(low / exact_step),
        last=math.ceil(high / exact_step),
        negligible=negligible.mid(),
        split=split,
    )


class _Sketch:
    """The shape of f in float64: where its mass is, how large J is."""

    def __init__(self, f: Integrand) -> None:
        self.t, self.sigma, self.q, self.rest = (_positive(value) for value in (f.t, f.sigma, f.q, f.rest))
        self.add, self.growing, self.p = f.add, f.growing, float(f.p.mid())
        self.alpha = 1 + self.t
        self.v = self.sigma**-2
        self.left_limit = self._log_left_limit()
        self.log_j = max(self._log_f(x) for x in self._peaks()) + math.log(self.sigma)

    def _rho(self, x: float) -> float:
        """The weight of the shifted component in U."""
        z = (x - 0.5) * self.v
        if z > 0:
            return self.q / (self.q + self.rest * math.exp(-z))
        lifted = self.q * math.exp(z)
        return lifted / (lifted + self.rest)

    def _log_f(self, x: float) -> float:
        log_density = -x * x * self.v / 2 - math.log(self.sigma) - 0.92
        return log_density + approx_log_excess(self.t, self.q, self.rest, self.add, (x - 0.5) * self.v)

    def _peaks(self) -> Iterable[float]:
        yield from (1.4 * self.sigma, -1.4 * self.sigma, 2.0, 2 + self.sigma)
        if self.add:
            low, high = self.p, 0.0
            for _ in range(60):
                middle = (low + high) / 2
                low, high = (middle, high) if self.p * self._rho(middle) > middle else (low, middle)
                if high - low < 1e-3 * self.sigma:
                    break
            yield from (low, low - self.sigma, low + self.sigma)
            return
        x = max(self.p, 2.0)
        for _ in range(40):
            before, x = x, max(self.p, 2.0) * self._rho(x)
            if abs(x - before) < 1e-3 * self.sigma:
                break
        yield x

    def _log_left_limit(self) -> float:
        """log of sup H·u² on the left: q²α/2 if p ≥ 2, G(−q) otherwise."""
        if self.growing:
            return 2 * math.log(self.q) + math.log(self.alpha / 2)
        if self.q < 1e-8:
            slow = self.t * self.q
            return 2 * math.log(self.q) + math.log(self.alpha / 2) if slow < 1e-3 else (slow - math.log(self.t) if self.add else 0.0)
        log_rest = math.log(self.rest)
        if self.add and -self.t * log_rest > 30:
            return -self.t * log_rest - math.log(self.t)
        return approx_log_excess(self.t, self.q, self.rest, self.add, -800.0)

    def strip(self, target: float) -> tuple[float, float | None, float]:
        """θ, X and the largest step whose aliasing error is e^{−target} of J."""
        best: tuple[float, float | None, float] = (0.0, None, 0.0)
        square, natural = self.sigma**2, math.sqrt(2 * target) / self.sigma
        widths = [natural * width for width in _WIDTHS]
        widest = min(widths[0], _MOST_NARROW)
        thetas = [widest, *[width for width in widths if width < widest]]
        for theta in thetas:
            sine, grow = math.sin(theta / 2) ** 2, square * theta * theta / 2
            if self.growing:
                log_a = grow + math.log1p(8 * square * sine)
            else:
                log_a = grow + (self.p - 2) * math.log(math.cos(theta / 2)) + math.log1p(4 * sine * (1 + self.sigma) ** 2 / 0.15)
            step = 2 * math.pi * square * theta / (target + log_a + 1)
            if step < best[2]:
                break  # it rises and falls once
            best = (theta, None, step)
        if self.p > -6:
            return best
        narrow = best[2]
        widest = min(widest, _MOST_SHIFTED)
        for theta in [widest, *[theta for theta in thetas if theta < widest]]:
            beta, tangent = -math.log(math.cos(theta)), math.tan(theta) ** 2
            split = square * beta + self.sigma * math.sqrt(2 * max(1.0, self.left_limit - self.log_j))
            spread = math.log1p(tangent * math.exp(min(self.v, 700)) * (1 + self.sigma) ** 2 / 0.15)
            log_a = square * theta * theta / 2 + split * beta + spread + 1
            step = 2 * math.pi * square * theta / (target + log_a + 1)
            if step > best[2]:
                best = (theta, split, step)
            elif best[2] > narrow:
                break
        return best

    def window(self, target: float) -> tuple[float, float]:
        """The ends beyond which both tails are at most e^{−target} of J."""
        level, start = self.log_j - target, max(self.p, 2.0) + 2 * self.sigma + 1
        return -_solve(lambda x: self._left(x) - level, self.sigma), _solve(lambda x: self._right(x) - level, start)

    def _left(self, x: float) -> float:
        near = min(0.0, 2 * math.log((x + 0.5) * self.v)) if self.growing or self.q < 1e-8 else 0.0
        return self.left_limit + near - x * x * self.v / 2 + math.log(self.sigma)

    def _right(self, x: float) -> float:
        w = (x - 0.5) * self.v
        log_u1 = math.log(self.q) + w + math.log1p(self.rest / self.q * math.exp(-w)) if w > 30 else math.log1p(self.q * math.expm1(w))
        rise = 2 * w + ((self.p - 2) * log_u1 if self.growing else 0.0)
        return rise - x * x * self.v / 2 + math.log(self.alpha / 2) + 2 * math.log(self.q * w) + math.log(self.sigma) + 1


def _solve(excess: object, start: float) -> float:
    """The smallest x ≥ start, to a percent, with excess(x) ≤ 0, for a function that decreases in the end."""
    low = high = start
    while excess(high) > 0:  # type: ignore[operator]
        low, high = high, start + 2 * (high - start) + abs(start) / 16
    for _ in range(12):
        if high - low < 0.02 * (high - start):
            break
        middle = (low + high) / 2
        low, high = (middle, high) if excess(middle) > 0 else (low, middle)  # type: ignore[operator]
    return high


def _positive(value: arb) -> float:
    return max(float(value.mid()), 0.0)
