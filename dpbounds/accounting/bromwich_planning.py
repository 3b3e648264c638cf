"""Where to integrate: saddle point, abscissa, step and length of the contour. Float64 estimates; nothing here enters a bound.

The integrand M(z)e^{−εz}/(z(z+1)) has its saddle on the real axis at K′(c) = ε + 1/c + 1/(c+1). A smaller abscissa c makes the integrand
larger but lets the right-hand aliases decay faster, so the plan compares a few fractions of the saddle by the number of nodes they need.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from flint import arb

from dpbounds.accounting.left_out.recurrence import approx_recurrence_end
from dpbounds.accounting.left_out.returns import Level, approx_returns_end
from dpbounds.errors import PrecisionError
from dpbounds.laws.contour_factor import ContourFactor, Hint
from dpbounds.numbers.balls import precision

_FRACTIONS = (0.55, 0.2, 0.1)
"""Shares of the saddle point that are tried as abscissas, until one is no better than the one before."""
_NEAR_SADDLE = (1.0, 0.75, 0.55)
"""The same where a smaller abscissa would cost as many digits as are asked for."""
_OTHERS = (0.4, 0.2, 0.1, 0.05, 0.025, 0.01, 0.004)
"""The same where none of those will do."""
_SHORT = 64
"""Nodes of a contour that is not made shorter."""
_FEW = 2_000
"""Nodes of a line that no other end need be looked for."""
_LARGEST_AMPLITUDE = 3000.0
_END_MARGIN = 10.0
_FARTHEST, _NEAREST = 1e25, 1e-30
_CLOSE = 1.001
"""Ratio to which saddle points and abscissas are found."""
_MOST_STEPS = 150
_FARTHER = 20.0
_NEGLIGIBLE = 2.0
_NO_PART = 4.0
"""What is e^{−this} of a moment of all steps has no part in it."""


@dataclass(frozen=True)
class ContourPlan:
    """A contour and the parameters of its error bounds.

    Args:
        c: abscissa. step, count: nodes c + ij·step for |j| < count.
        right: c′ > c of the right-hand alias bound, or 0 where ε + T is beyond the largest loss and there are no such aliases.
        left: w > 0 of the left-hand alias bound, or 0 for the bound e^{−Tc}/(1 − e^{−Tc}).
        hints: one for each factor's decay bound.
        recurrent: whether `recurrence` ends the line. levels: those of `returns`, where this ends it.
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
    recurrent: bool = False
    levels: tuple[Level, ...] = ()


_BELOW_LIMIT = 0.9
"""How near to the largest tilt the right-hand alias bound may go."""
_TANGENT_STEPS, _TOUCHES, _STEEP = 60, 0.15, 3.0
_LIKE_A_GAUSSIAN = 0.4
"""Share of the fall that a Gaussian would have, from which its height is a fair guess."""
_SAME_HINTS = 4
"""Heights that are tried with the hints of one."""
_HEIGHT_STEPS, _HIGH_ENOUGH, _BELOW_GOAL = 120, 1.03, 0.7
"""Steps, and when a height is near enough: ratio of what is too low and what is enough, or how far it is below the goal."""
_HEIGHT_ROUNDS, _TOO_FAR = 3, 0.05
"""Searches for a height, and the share of the whole fall by which it may be too low."""
_FAR = 1e25  # tilts beyond this gain nothing, and floats end


class Model:
    """Float64 model of a product of factors."""

    def __init__(self, factors: Sequence[ContourFactor], epsilon: float, *, returns: bool = True) -> None:
        self.factors, self.epsilon, self.returns = factors, epsilon, returns
        self.reversible = all(factor.absolutely_continuous for factor in factors)
        self._known: dict[float, tuple[float, float, float]] = {}
        self._drops: dict[tuple[float, float], float] = {}
        self._decays: dict[tuple[float, float, tuple[Hint, ...]], tuple[float, tuple[Hint, ...]]] = {}

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
        if (x, y) not in self._drops:
            self._drops[x, y] = sum(factor.steps * factor.approx_drop(x, y) for factor in self.factors)
        return self._drops[x, y]

    def decay(self, x: float, y: float, near: tuple[Hint, ...] = ()) -> tuple[float, tuple[Hint, ...]]:
        """About Σ k·log(decay/M), with the hints; `near` are those of a height nearby."""
        if (x, y, near) not in self._decays:
            if near:
                rows = [factor.approx_decay_from(x, y, hint) for factor, hint in zip(self.factors, near, strict=True)]
            else:
                rows = [factor.approx_decay(x, y) for factor in self.factors]
            fallen = sum(factor.steps * row[0] for factor, row in zip(self.factors, rows, strict=True))
            self._decays[x, y, near] = fallen, tuple(row[1] for row in rows)
        return self._decays[x, y, near]

    def decay_near(self, x: float, y: float, hints: Sequence[Hint]) -> float:
        """The same sum by hints that were good at another height."""
        return sum(factor.steps * factor.approx_decay_near(x, y, hint) for factor, hint in zip(self.factors, hints, strict=True))

    def exponent(self, x: float) -> float:
        """Log of the integrand at x, without the poles."""
        return self.log_moments(x)[0] - self.epsilon * x

    def saddle(self, start: float = 1.0) -> float:
        """The zero of K′(x) − ε − 1/x − 1/(x+1), which increases in x; by Newton in log x inside a bracket."""
        farthest = min((_FARTHEST, *(factor.largest_tilt for factor in self.factors if not is_cut(factor))))
        low, high, x = _NEAREST, math.inf, start
        for _ in range(_MOST_STEPS):
            _, first, second = self.log_moments(x)
            gap = first - self.epsilon - 1 / x - 1 / (x + 1)
            low, high = (x, high) if gap < 0 else (low, x)
            if low > farthest:
                raise PrecisionError("the saddle point lies too far out for the contour; no digit was reached; ask for a smaller epsilon")
            move = -gap / (x * (second + 1 / x**2 + 1 / (x + 1) ** 2))
            if high <= low * _CLOSE or abs(move) < _CLOSE - 1:
                break
            step = x * math.exp(min(max(move, -2.0), 2.0))
            x = step if low < step < high else math.sqrt(low * (high if math.isfinite(high) else 4 * low))
        # where K has nearly a corner, a little beyond it is far up
        return min((x, low), key=lambda point: self.exponent(point) - math.log(point) - math.log1p(point))

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
    """Saddle point and δ, estimated with the noise cut where what is cut off no longer matters; see `dpbounds.laws.paths.truncated_noise`.

    The moments of the whole law can be ruled by what never happens; so the density e^{−level} at which all factors are cut falls until
    the mass cut off is below e^{−tolerance}·δ.

    Raises:
        PrecisionError: no saddle point.
    """
    if all(cut is None for cut in _cuts_at(factors, 1.0)):
        model = Model(factors, epsilon)
        saddle = model.saddle()
        return ContourTarget(saddle, model.log_delta(saddle), (None,) * len(factors), (None,) * len(factors))
    level, log_value, saddle = math.log(sum(factor.steps for factor in factors)) + 5, -math.inf, 1.0
    for _ in range(150):
        cuts = _cuts_at(factors, level)
        model = Model(with_cuts(factors, cuts), epsilon)
        if model.largest_loss > 1.001 * epsilon:
            with contextlib.suppress(PrecisionError):
                saddle = model.saddle(saddle)
                # the first cut that leaves δ about as it is has the best estimate: later ones are ruled by what never happens again
                estimate, mass = model.log_delta(saddle), _log_mass(factors, cuts)
                if mass <= estimate - _NEGLIGIBLE:
                    log_value = estimate if log_value == -math.inf else min(log_value, estimate)
                if mass <= log_value - tolerance - 3:
                    return ContourTarget(saddle, log_value, cuts, _cuts_at(factors, level + _FARTHER))
        level *= 1.1
    raise PrecisionError("no contour was found; no digit was reached; epsilon is too large or the noise too small for it")


def whole_target(factors: Sequence[ContourFactor], epsilon: float, tolerance: float) -> ContourTarget | None:
    """The same where no noise need be cut: None where what is too rare to matter has a part in M at the saddle point, or there is none."""
    model = Model(factors, epsilon)
    try:
        saddle = model.saddle()
    except PrecisionError:
        return None
    log_value = model.log_delta(saddle)
    level = tolerance + _END_MARGIN + max(0.0, -log_value) + math.log(sum(factor.steps for factor in factors))
    if all(factor.ends_before(saddle, level, _NO_PART) for factor in factors):
        return ContourTarget(saddle, log_value, (None,) * len(factors), (None,) * len(factors))
    return None


def cut_target(factors: Sequence[ContourFactor], epsilon: float, least: float) -> ContourTarget:
    """The same with the noise cut at once so that about e^{−least} is lost: where one rare use rules the moments of the whole law.

    Raises:
        PrecisionError: no saddle point.
    """
    cuts = _cuts_at(factors, least + math.log(sum(factor.steps for factor in factors)))
    model = Model(with_cuts(factors, cuts), epsilon)
    if model.largest_loss <= epsilon:
        return ContourTarget(2 * least / (epsilon - model.largest_loss), -least, cuts, cuts)
    saddle = model.saddle()
    return ContourTarget(saddle, model.log_delta(saddle), cuts, cuts)


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
    """What cutting the noise can take from δ: see `dpbounds.laws.paths.truncated_noise`."""
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


def plan(
    factors: Sequence[ContourFactor], epsilon: float, tolerance: float, target: ContourTarget | None = None, *, returns: bool = True
) -> ContourPlan:
    """The cheapest contour found for relative errors of about e^{−tolerance}.

    Args:
        returns: whether the line may end where atoms are not yet in step again; else it ends where M has fallen.

    Raises:
        PrecisionError: no abscissa is fit.
    """
    model = Model(factors, epsilon, returns=returns)
    saddle, log_value = (model.saddle(), 0.0) if target is None else (target.saddle, target.log_value)
    if target is None:
        log_value = model.log_delta(saddle)
    best: tuple[float, ContourPlan] | None = None
    touching = 0.0
    costly = model.exponent(saddle * _FRACTIONS[0]) - log_value > tolerance  # of small abscissas: many digits cancel there
    for fraction in (*_NEAR_SADDLE, *_OTHERS) if costly else (*_FRACTIONS, *_NEAR_SADDLE, *_OTHERS):
        if best is not None and fraction in (_OTHERS[0], _NEAR_SADDLE[0]):
            break
        found = planned_at(model, saddle * fraction, log_value, tolerance, touching)
        if found is None:
            continue
        touching = found[1].right
        if best is not None and found[0] >= best[0]:
            break
        best = found
        if found[1].count < _SHORT:
            break
    if best is None:
        raise PrecisionError("no abscissa is fit for the contour; no digit was reached")
    height, ends = lowest_end(model, best[1].c, log_value - tolerance, best[1].step)
    return replace(best[1], count=int(min(height / best[1].step, 1e15)) + 2, **ends)


def planned_at(model: Model, c: float, log_value: float, tolerance: float, touching: float = 0.0) -> tuple[float, ContourPlan] | None:
    """A contour through c, with about as many nodes as it needs and no hints, and its cost; None where c is not fit.

    Args:
        touching: a guess of c′ of the right-hand alias bound, or 0.
    """
    goal = log_value - tolerance
    amplitude = model.exponent(c) - math.log(abs(c)) - math.log(abs(1 + c)) - log_value
    if model.room(c) < tolerance + max(0.0, amplitude) + _END_MARGIN or amplitude > _LARGEST_AMPLITUDE:
        return None
    period_right, right = right_period(model, c, goal, touching)
    if model.largest_loss - model.epsilon < period_right:
        period_right, right = (model.largest_loss - model.epsilon) * (1 + 1e-9), 0.0
    period_left, left = _left_period(model, c, goal, period_right)
    period = 1.01 * max(period_right, period_left)
    if not 0 < period < math.inf or right < 0:
        return None
    step = 2 * math.pi / period
    height = _approx_height(model, c, goal, step)
    count = int(min(height / step, 1e15))
    return height / step * (tolerance + max(0.0, amplitude)), ContourPlan(c, step, count, right, left, (), log_value, amplitude, tolerance)


def right_period(model: Model, c: float, goal: float, guess: float = 0.0) -> tuple[float, float]:
    """The smallest T with K(c′) − c′ε − T(c′−c) ≤ goal for some c′ > c, and that c′; `guess` is one to start from, or 0.

    T is the slope of a line from (c, goal) to the convex graph of K(x) − εx, and is least where the line touches it.
    """
    limit = max(model.largest_tilt - c, 1e-3 * c) * _BELOW_LIMIT
    curvature = model.log_moments(c)[2]
    start = guess - c if guess > c else math.sqrt(max(2 * (model.exponent(c) - goal), 1.0) / curvature)
    return _tangent(model, c, goal, 1.0, min(start, limit), limit)


def _tangent(model: Model, c: float, goal: float, way: float, start: float, limit: float, origin: float = 0.0) -> tuple[float, float]:
    """The least slope of lines from (c, goal) to the graph of K(x) − εx at x = c + way·t, 0 < t ≤ limit, and that x; by Newton."""
    low, high, t = origin, math.inf, start
    for _ in range(_TANGENT_STEPS):
        x = c + way * t
        value, first, second = model.log_moments(x)
        chord, rise = value - model.epsilon * x - goal, way * (first - model.epsilon) * t
        low, high = (t, high) if rise < chord else (low, t)
        if abs(rise - chord) <= _TOUCHES * abs(chord) or high <= low * _CLOSE or (rise < chord and t >= limit):
            break
        step = t - (rise - chord) / max(second * t, 1e-300) if rise < _STEEP * chord else 0.6 * t
        step = min(step, limit, t * 8)
        t = step if low < step < high else (low + high) / 2 if math.isfinite(high) else min(2 * t, limit)
    x = c + way * t
    return (model.exponent(x) - goal) / t, x


def _left_period(model: Model, c: float, goal: float, enough: float) -> tuple[float, float]:
    """The smaller of the periods for the two bounds of the left aliases, with w (0 for the plain bound)."""
    plain = (-goal / c if c > 0 else math.inf, 0.0)
    if not model.reversible or plain[0] <= enough:
        return plain
    limit = 1 + c + min(model.largest_back_tilt, _FAR)
    nearest = max(0.0, (1 + c) * (1 + 1 / 64))
    period, x = _tangent(model, c, goal, -1.0, max(nearest, abs(2 * c + 1), 1e-3), limit, nearest)
    return (period, -1 - x) if period < plain[0] else plain


def _gaussian_height(model: Model, c: float, goal: float) -> float:
    """Where the integrand has fallen to e^{goal}, if it falls like that of a Gaussian with its second derivative."""
    return math.sqrt(2 * max(model.exponent(c) - goal, 1.0) / (model.log_moments(c)[2] + 1 / (c * c)))


def lowest_end(model: Model, c: float, goal: float, step: float, hints: tuple[Hint, ...] = ()) -> tuple[float, dict[str, Any]]:
    """The lowest of `highest_node` and of where `recurrence` and `returns` end the line, and what a plan keeps of it."""
    height, hints = highest_node(model, c, goal, hints)
    if height < _FEW * step or not model.returns:
        return height, {"hints": hints}
    top = model.exponent(c) - goal
    plain = Model([factor for factor in model.factors if not factor.has_atoms], model.epsilon)
    end, levels = approx_returns_end(model.factors, c, top, step, lambda height: plain.decay(c, height)[0])
    if levels and plain.factors:
        hints = model.decay(c, levels[-1].first)[1]
    if end < _FEW * step:
        return end, {"hints": hints, "levels": levels}
    other = approx_recurrence_end(model.factors, c, top, step)
    if other < min(end, height):
        return other, {"hints": hints, "recurrent": True}
    return min(end, height), {"hints": hints, "levels": levels if end < height else ()}


def _approx_height(model: Model, c: float, goal: float, step: float) -> float:
    """About the height at which the integrand has fallen to e^{goal}, to compare abscissas; with care where it falls slowly."""
    y, top = _gaussian_height(model, c, goal), model.exponent(c) - goal
    decay, hints = model.decay(c, y)
    fallen = math.log(math.pi * y) - decay
    return y * math.sqrt(top / fallen) if fallen > _LIKE_A_GAUSSIAN * top > 0 else lowest_end(model, c, goal, step, hints)[0]


def highest_node(model: Model, c: float, goal: float, hints: tuple[Hint, ...] = ()) -> tuple[float, tuple[Hint, ...]]:
    """The smallest Y with a truncation bound of about e^{goal}, and the hints for it; those given are for a first guess."""
    top = model.exponent(c) - goal
    y = _gaussian_height(model, c, goal)
    hints = hints or model.decay(c, y)[1]
    for _ in range(_HEIGHT_ROUNDS):
        y = _height_by_hints(model, c, top, y, hints)
        fallen, hints = model.decay(c, y, hints)
        if top + fallen - math.log(math.pi * y) >= -_TOO_FAR * top:  # else the hints of lower heights led too far up
            break
    return y, hints


def _height_by_hints(model: Model, c: float, top: float, y: float, hints: tuple[Hint, ...]) -> float:
    """The same height from a first guess, by hints that are renewed every few steps."""
    low, high, over, under = 0.0, math.inf, 0.0, 0.0
    for attempt in range(1, _HEIGHT_STEPS):
        if attempt % _SAME_HINTS == 0:
            hints = model.decay(c, y, hints)[1]
        found = top + model.decay_near(c, y, hints) - math.log(math.pi * y)
        if found <= 0:
            high, under = y, found
        else:
            low, over = y, found
        if high <= low * _HIGH_ENOUGH or -_BELOW_GOAL <= found <= 0 or y > 1e30:
            break
        if high == math.inf:
            y *= min(8.0, max(1.1, 1.03 * math.sqrt(max(top, 0.0) / max(top - found, 0.1))))
        elif low == 0.0:
            y *= max(0.125, min(0.87, 1.01 * math.sqrt(max(top, 0.0) / (top - found))))
        else:
            y = min(max(low + (high - low) * over / (over - under) * 1.01, low * 1.01), high * 0.99)
    return y if high == math.inf else high
