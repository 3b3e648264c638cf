"""Where to integrate: saddle point, abscissa, step and length of the contour. Float64 estimates; nothing here enters a bound.

The integrand M(z)e^{−εz}/(z(z+1)) has its saddle on the real axis at K′(c) = ε + 1/c + 1/(c+1). A smaller abscissa c makes the integrand
larger but lets the right-hand aliases decay faster, so the plan compares a few fractions of the saddle by the number of nodes they need.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Sequence
from dataclasses import dataclass

from flint import arb

from dpbounds.errors import PrecisionError
from dpbounds.laws.factors import ContourFactor, Hint
from dpbounds.numbers.balls import precision

_FRACTIONS = (1.0, 0.75, 0.55, 0.4, 0.2, 0.1, 0.05, 0.025, 0.01, 0.004)
_LARGEST_AMPLITUDE = 3000.0
_END_MARGIN = 10.0
_FARTHEST = 1e25
_FARTHER = 20.0
_NEGLIGIBLE = 2.0


@dataclass(frozen=True)
class ContourPlan:
    """A contour and the parameters of its error bounds.

    Args:
        c: abscissa. step, count: nodes c + ij·step for |j| < count.
        right: c′ > c of the right-hand alias bound, or 0 where ε + T is beyond the largest loss and there are no such aliases.
        left: w > 0 of the left-hand alias bound, or 0 for the bound e^{−Tc}/(1 − e^{−Tc}).
        hints: one for each factor's decay bound.
        log_value: estimate of log δ. amplitude: log of |integrand at c| over δ. tolerance: D, errors of about e^{−D}·δ were aimed at.
    """

    c: float
    step: float
    count: int
    right: float
    left: float
    hints: tuple[Hint, ...]
    log_value: float
    amplitude: float
    tolerance: float


_FAR = 1e25  # tilts beyond this gain nothing, and floats end


class Model:
    """Float64 model of a product of factors."""

    def __init__(self, factors: Sequence[ContourFactor], epsilon: float) -> None:
        self.factors, self.epsilon = factors, epsilon
        self.reversible = all(factor.absolutely_continuous for factor in factors)
        self._known: dict[float, tuple[float, float, float]] = {}

    @property
    def largest_tilt(self) -> float:
        """The largest |x| at which every factor's moment can be had."""
        return min(factor.largest_tilt for factor in self.factors)

    @property
    def largest_back_tilt(self) -> float:
        """The largest w at which every factor's M(−1−w) can be had."""
        return min(factor.largest_back_tilt for factor in self.factors)

    @property
    def largest_loss(self) -> float:
        """Where δ becomes 0."""
        return sum(factor.steps * factor.largest_loss for factor in self.factors)

    def log_moments(self, x: float) -> tuple[float, float, float]:
        """Σ k·K(x) and its first two derivatives."""
        if x not in self._known:
            rows = [(factor.steps, factor.approx_log_moments(x)) for factor in self.factors]
            self._known[x] = tuple(sum(steps * row[order] for steps, row in rows) for order in range(3))  # type: ignore[assignment]
        return self._known[x]

    def room(self, x: float) -> float:
        """How far the end of every cut noise lies below M(x)."""
        return min((factor.room(x) for factor in self.factors), default=math.inf)

    def drop(self, x: float, y: float) -> float:
        """Σ k·(log M(x) − log|M(x+iy)|)."""
        return sum(factor.steps * factor.approx_drop(x, y) for factor in self.factors)

    def decay(self, x: float, y: float) -> tuple[float, tuple[Hint, ...]]:
        """About Σ k·log(decay/M), with the hints."""
        rows = [factor.approx_decay(x, y) for factor in self.factors]
        return sum(factor.steps * row[0] for factor, row in zip(self.factors, rows, strict=True)), tuple(row[1] for row in rows)

    def exponent(self, x: float) -> float:
        """Log of the integrand at x, without the poles."""
        return self.log_moments(x)[0] - self.epsilon * x

    def saddle(self) -> float:
        """The zero of K′(x) − ε − 1/x − 1/(x+1), which increases in x."""

        def slope(x: float) -> float:
            return self.log_moments(x)[1] - self.epsilon - 1 / x - 1 / (x + 1)

        low = high = 1.0
        while slope(high) < 0:
            low, high = high, high * 2
            if high > min((_FARTHEST, *(factor.largest_tilt for factor in self.factors if not is_cut(factor)))):
                raise PrecisionError("the saddle point lies too far out for the contour; no digit was reached; ask for a smaller epsilon")
        while slope(low) > 0 and low > 1e-30:
            high, low = low, low / 4
        while high / low > 1.001:
            middle = math.sqrt(low * high)
            low, high = (middle, high) if slope(middle) < 0 else (low, middle)
        return math.sqrt(low * high)

    def log_delta(self, saddle: float) -> float:
        """Laplace's approximation of log δ."""
        curvature = self.log_moments(saddle)[2] + 1 / saddle**2 + 1 / (saddle + 1) ** 2
        return self.exponent(saddle) - math.log(saddle) - math.log1p(saddle) - 0.5 * math.log(2 * math.pi * curvature)


@dataclass(frozen=True)
class ContourTarget:
    """What to aim at: the saddle point and log δ of the pairs, both of the law with the noise cut at `cuts` (None: whole).

    `farther` are cuts with more room, for small abscissas.
    """

    saddle: float
    log_value: float
    cuts: tuple[float | None, ...]
    farther: tuple[float | None, ...]


def target_of(factors: Sequence[ContourFactor], epsilon: float, tolerance: float) -> ContourTarget:
    """Saddle point and δ, estimated with the noise cut where what is cut off no longer matters; see `dpbounds.laws.truncated_noise`.

    The moments of the whole law can be ruled by what never happens; so the density e^{−level} at which all factors are cut falls until
    the mass cut off is below e^{−tolerance}·δ.

    Raises:
        PrecisionError: no saddle point.
    """
    if all(cut is None for cut in _cuts_at(factors, 1.0)):
        model = Model(factors, epsilon)
        saddle = model.saddle()
        return ContourTarget(saddle, model.log_delta(saddle), (None,) * len(factors), (None,) * len(factors))
    level, log_value = math.log(sum(factor.steps for factor in factors)) + 5, -math.inf
    for _ in range(150):
        cuts = _cuts_at(factors, level)
        model = Model(with_cuts(factors, cuts), epsilon)
        if model.largest_loss > 1.001 * epsilon:
            with contextlib.suppress(PrecisionError):
                saddle = model.saddle()
                # the first cut that leaves δ about as it is has the best estimate: later ones are ruled by what never happens again
                estimate, mass = model.log_delta(saddle), _log_mass(factors, cuts)
                if mass <= estimate - _NEGLIGIBLE:
                    log_value = estimate if log_value == -math.inf else min(log_value, estimate)
                if mass <= log_value - tolerance - 3:
                    return ContourTarget(saddle, log_value, cuts, _cuts_at(factors, level + _FARTHER))
        level *= 1.1
    raise PrecisionError("no contour was found; no digit was reached; epsilon is too large or the noise too small for it")


def with_cuts(factors: Sequence[ContourFactor], cuts: Sequence[float | None]) -> list[ContourFactor]:
    """The factors with their noise cut."""
    return [factor if cut is None else factor.with_cut(cut) for factor, cut in zip(factors, cuts, strict=True)]


def cut_to(factors: Sequence[ContourFactor], log_delta: float) -> list[ContourFactor]:
    """The factors with the noise cut where what is lost is small against a δ; whole where no cut is needed or found."""
    level = math.log(sum(factor.steps for factor in factors)) + 5
    while level < 1e4 and any(cut is not None for cut in _cuts_at(factors, level)):
        cuts = _cuts_at(factors, level)
        if _log_mass(factors, cuts) <= log_delta - _NEGLIGIBLE:
            return with_cuts(factors, cuts)
        level *= 1.1
    return list(factors)


def lost_mass(factors: Sequence[ContourFactor]) -> arb:
    """What cutting the noise can take from δ: see `dpbounds.laws.truncated_noise`."""
    return sum((factor.steps * factor.cut_mass() for factor in factors), arb(0))


def is_cut(factor: ContourFactor) -> bool:
    """Whether its noise is cut: then every moment exists, and estimates are good at any tilt."""
    return factor.cut is not None


def _cuts_at(factors: Sequence[ContourFactor], level: float) -> tuple[float | None, ...]:
    return tuple(factor.cut_at(level) for factor in factors)


def _log_mass(factors: Sequence[ContourFactor], cuts: Sequence[float | None]) -> float:
    """log Σ k·P(s > S)."""
    with precision(53):
        return float(lost_mass(with_cuts(factors, cuts)).log().mid())


def plan(factors: Sequence[ContourFactor], epsilon: float, tolerance: float, target: ContourTarget | None = None) -> ContourPlan:
    """The cheapest contour found for relative errors of about e^{−tolerance}.

    Raises:
        PrecisionError: no abscissa is fit.
    """
    model = Model(factors, epsilon)
    saddle, log_value = (model.saddle(), 0.0) if target is None else (target.saddle, target.log_value)
    if target is None:
        log_value = model.log_delta(saddle)
    goal = log_value - tolerance
    best: tuple[float, ContourPlan] | None = None
    for fraction in _FRACTIONS:
        if best is not None and fraction < 0.4:
            break
        c = saddle * fraction
        amplitude = model.exponent(c) - math.log(c) - math.log1p(c) - log_value
        if model.room(c) < tolerance + max(0.0, amplitude) + _END_MARGIN or amplitude > _LARGEST_AMPLITUDE:
            continue
        period_right, right = right_period(model, c, goal)
        if model.largest_loss - epsilon < period_right:
            period_right, right = (model.largest_loss - epsilon) * (1 + 1e-9), 0.0
        period_left, left = _left_period(model, c, goal, period_right)
        period = 1.01 * max(period_right, period_left)
        if not 0 < period < math.inf:
            continue
        height, hints = _height(model, c, goal)
        step = 2 * math.pi / period
        count = int(min(height / step, 1e15)) + 2
        cost = count * (tolerance + max(0.0, amplitude))
        if best is None or cost < best[0]:
            best = cost, ContourPlan(c, step, count, right, left, hints, log_value, amplitude, tolerance)
    if best is None:
        raise PrecisionError("no abscissa is fit for the contour; no digit was reached")
    return best[1]


def right_period(model: Model, c: float, goal: float) -> tuple[float, float]:
    """The smallest T with K(c′) − c′ε − T(c′−c) ≤ goal for some c′ > c."""

    def period(x: float) -> float:
        return (model.exponent(x) - goal) / (x - c)

    # (exponent(x) − goal)/(x − c) is quasi-convex: the slope of a line from (c, goal) to a convex graph
    low, high = math.log(1e-3 * c), math.log(c) + 1.0
    limit = min(math.log(max(model.largest_tilt - c, 1e-3 * c)) - 0.5, math.log(c) + 9)
    while high < limit and period(c + math.exp(high)) > period(c + math.exp(high + 0.5)):
        high += 1.0
    high = min(high, limit) + 0.5
    for _ in range(28):
        left, right = low + (high - low) / 3, high - (high - low) / 3
        if period(c + math.exp(left)) < period(c + math.exp(right)):
            high = right
        else:
            low = left
    best = c + math.exp((low + high) / 2)
    return period(best), best


def _left_period(model: Model, c: float, goal: float, enough: float) -> tuple[float, float]:
    """The smaller of the periods for the two bounds of the left aliases, with w (0 for the plain bound)."""
    best = (-goal / c, 0.0)
    if not model.reversible or best[0] <= enough:
        return best
    w, previous = (1 + c) / 64, math.inf
    while w < min(model.largest_back_tilt, _FAR):
        period = (model.log_moments(-1 - w)[0] + model.epsilon * (1 + w) - goal) / (1 + c + w)
        if period < best[0]:
            best = period, w
        if period > previous or best[0] <= enough:
            break
        w, previous = 2 * w, period
    return best


def _height(model: Model, c: float, goal: float) -> tuple[float, tuple[Hint, ...]]:
    """The smallest Y with a truncation bound of about e^{goal}, and the hints for it."""

    def small(y: float) -> bool:
        return model.exponent(c) + model.decay(c, y)[0] - math.log(math.pi * y) <= goal

    low = high = 1 / math.sqrt(model.log_moments(c)[2] + 1 / (c * c))
    while not small(high) and high < 1e30:
        low, high = high, high * 2
    while high / low > 1.03:
        middle = math.sqrt(low * high)
        low, high = (low, middle) if small(middle) else (middle, high)
    return high, model.decay(c, high)[1]
