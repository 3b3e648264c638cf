"""ε from bounds of δ: a first guess by the saddle point, Newton on log δ, and two bounds that bracket the target."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

from dpbounds.errors import PrecisionError
from dpbounds.float64 import allocation_contour, closed_form
from dpbounds.float64.gaussian_mixture import GaussianMixture
from dpbounds.float64.laws import LossLaw
from dpbounds.float64.result import Bounds
from dpbounds.float64.rounding import UNIT_ROUNDOFF
from dpbounds.float64.saddle import Moments

_MOST_TRIALS = 60
"""Points at which a root is looked for: bisection alone needs as many."""
NARROW = 0.5
"""Relative width of δ beyond which a point is not taken for the root."""
_BLIND = 0.9
"""Relative width of δ that says nothing: between points as close as `_SHARP` the search ends there."""
_FARTHEST = 1e6
"""How far from the root an end of the bracket is looked for, relative to 1 + ε."""
_GROWTH = 4
"""By which the distance from the root grows until the bounds tell the point from it."""
_CLOSER = 6
"""Bisections between an end that failed and one that holds."""
_SHARP = 1e-4
"""Distance of these two, relative to ε, that is near enough: a tenth of what is called wide in practice."""
_LEAST_TILT = 1e-12
_RARE = 0.5
"""Mean number of uses with more than the rarest shift up to which ε is first looked for where their δ add up."""


def log_slack(log_delta: float) -> float:
    """A bound on the error of log δ as a float: the rounding of δ, LIBM of the logarithm."""
    return 1e-15 * (abs(log_delta) + 0.5)


@dataclass
class BoundsSearch:
    """ε with δ(ε) = e^{log_delta}: `at` bounds δ from ε and a slope; δ is 0 from `ceiling` on; `slope` is about
    −d log δ/dε at the first guess.

    Points where no method has a bound are passed by: the search goes on between them and the largest ε known to be too small.
    """

    at: Callable[[float, float], Bounds]
    log_delta: float
    ceiling: float
    slope: float
    slope_at: Callable[[float], float | None] = lambda _: None
    """−d log δ/dε at the point that was asked for last, if it is known."""
    known: dict[float, float] = field(default_factory=dict)
    """log δ, about, at the points that were tried."""

    def bounds(self, guess: float) -> Bounds:
        """Of ε(δ), from an estimate."""
        epsilon, found = self.root(guess)
        if epsilon == 0.0:
            return Bounds(0.0, 0.0, -math.inf, -math.inf, found.method)
        upper = self.end(epsilon, found.relative_width, up=True)
        lower = self.end(epsilon, found.relative_width, up=False)
        return Bounds.of_values(lower, upper, found.method)

    def root(self, epsilon: float) -> tuple[float, Bounds]:
        """A point that the bounds cannot tell from the root, or one as close as floats are, and the bounds there; 0 only where δ(0) is at
        most the target."""
        low, high, nearest, found = 0.0, self.ceiling, 0.0, None
        if epsilon <= 0:
            if start := self._below_at_zero():
                return 0.0, start
            moved = (self.known[0.0] - self.log_delta) / self.slope
            epsilon = moved if low < moved < high else self._between(low, high)
        for _ in range(_MOST_TRIALS):
            try:
                here = self.at(epsilon, self.slope)
            except PrecisionError:
                if epsilon <= 1e-12 * (1 + low):
                    raise
                high, epsilon = epsilon, self._between(low, epsilon)
                continue
            gap = here.log_middle - self.log_delta
            if here.log_lower == -math.inf and gap > 0 and math.isfinite(high) and high - epsilon > _SHARP * high:
                epsilon = self._between(epsilon, high)  # an upper bound alone does not say that ε is too small
                continue
            self.known[epsilon], nearest, found = here.log_middle, epsilon, here
            low, high = (epsilon, high) if gap > 0 else (low, epsilon)
            close = found.log_lower - 1e-12 <= self.log_delta <= found.log_upper + 1e-12 and found.relative_width < NARROW
            apart = math.isinf(high) or high - low > 4 * UNIT_ROUNDOFF * high
            blind = found.relative_width > _BLIND and high - low <= _SHARP * high
            if close or abs(gap) <= max(2 * found.relative_width, 1e-13) or blind or not apart:
                break
            self.slope = self._slope_at(epsilon)
            moved = epsilon + gap / self.slope if math.isfinite(gap) else math.nan
            if not moved > 0 and 0.0 not in self.known and (start := self._below_at_zero()):
                return 0.0, start
            epsilon = moved if low < moved < high else self._between(low, high)
        if found is None:
            raise PrecisionError(f"float64 finds no bound near epsilon at log delta = {self.log_delta:.6g}; use dpbounds.accounting")
        self.slope = self._slope_at(nearest)
        return nearest, found

    def _below_at_zero(self) -> Bounds | None:
        """The bounds of δ(0) where they are at most the target; else its logarithm is noted."""
        start = self.at(0.0, self.slope)
        self.known[0.0] = start.log_middle
        return start if start.log_upper <= self.log_delta - log_slack(self.log_delta) else None

    def _between(self, low: float, high: float) -> float:
        if math.isinf(high):
            return 2 * low + 1
        return math.sqrt(low * high) if low > 1e-6 * high else 0.125 * high if low == 0 else 1e3 * low

    def _slope_at(self, epsilon: float) -> float:
        """By the composed law, else from the nearest of the other points."""
        local = self.slope_at(epsilon)
        if local is not None and math.isfinite(local) and local > 1e-12:
            return local
        others = [point for point, value in self.known.items() if point != epsilon and math.isfinite(value)]
        if not others or not math.isfinite(self.known[epsilon]):
            return self.slope
        other = min(others, key=lambda point: abs(point - epsilon))
        found = (self.known[other] - self.known[epsilon]) / (epsilon - other)
        return found if found > 1e-12 else self.slope

    def end(self, epsilon: float, width: float, *, up: bool) -> float:
        """About the nearest ε on one side where the bounds put δ(ε) surely on the other side of the target."""
        margin, short = (1.5 * width + 1e-14) / self.slope + 4 * UNIT_ROUNDOFF * epsilon + 1e-300, 0.0
        while not self._is_end(epsilon, margin, up):
            short, margin = margin, _GROWTH * margin
            if margin > _FARTHEST * (1 + epsilon):
                raise PrecisionError(f"float64 finds no bracket of epsilon at log delta = {self.log_delta:.6g}; use dpbounds.accounting")
        for _ in range(_CLOSER):
            if margin - short <= _SHARP * epsilon:
                break
            middle = 0.5 * (short + margin)
            short, margin = (short, middle) if self._is_end(epsilon, middle, up) else (middle, margin)
        return min(epsilon + margin, self.ceiling * (1 + 1e-12) + 1e-300) if up else max(0.0, epsilon - margin)

    def _is_end(self, epsilon: float, margin: float, up: bool) -> bool:
        moved = epsilon + margin if up else epsilon - margin
        if not up and moved <= 0:
            return True
        if up and moved > self.ceiling:
            return True
        try:
            found = self.at(moved, self.slope)
        except PrecisionError:
            return False
        slack = log_slack(self.log_delta)
        return found.log_upper <= self.log_delta - slack if up else found.log_lower >= self.log_delta + slack


def first_guess(laws: tuple[LossLaw, ...], steps: tuple[float, ...], log_delta: float, ceiling: float) -> tuple[float, float]:
    """About ε(δ) and −d log δ/dε there."""
    epsilon, slope = tilted_guess(Moments(laws, steps), log_delta, ceiling)
    if len(laws) == 1 and isinstance(laws[0], GaussianMixture) and steps[0] * min(laws[0].upper[-1], laws[0].lower[-1]) < _RARE:
        epsilon = min(epsilon, _one_use_guess(laws[0], log_delta - math.log(steps[0]), epsilon))
    return epsilon, slope


def _one_use_guess(law: GaussianMixture, log_delta: float, high: float) -> float:
    """About where δ of one use is e^{log_delta}, below `high`: if few uses see more than nothing, δ adds up over them."""
    low = 0.0
    for _ in range(40):
        middle = 0.5 * (low + high)
        found = closed_form.one_sampled_use(law, middle)
        low, high = (middle, high) if found is not None and found.log_middle > log_delta else (low, middle)
    return high


def tilted_guess(moments: Moments | allocation_contour.Accountant, log_delta: float, ceiling: float) -> tuple[float, float]:
    """Solve the saddle-point estimate for c: ε(c) = K′(c) − 1/c − 1/(c+1), log δ(c) falls in c. Where rare noise comes to rule the
    moments, ε(c) leaps; no ε with δ above the target is larger than (K(c) − log δ)/c."""

    def point(c: float) -> tuple[float, float]:
        _, mean, _ = moments.cumulants(c)
        epsilon = mean - 1 / c - 1 / (c + 1)
        return epsilon, moments.log_delta_estimate(epsilon, c)

    low, high = 1e-3, 1.0
    while point(low)[1] < log_delta and low > _LEAST_TILT:
        low, high = 0.1 * low, low
    limit = 1e6 if math.isinf(ceiling) else 1e5
    while point(high)[1] > log_delta and high < limit:
        low, high = high, 2 * high
    for _ in range(30):
        middle = math.sqrt(low * high)
        low, high = (middle, high) if point(middle)[1] > log_delta else (low, middle)
        if high < 1.001 * low:
            break
    epsilon = min(point(high)[0], (moments.cumulants(low)[0] - log_delta) / low)
    if not epsilon < ceiling:
        epsilon = 0.5 * ceiling
    return epsilon, high + 0.5
