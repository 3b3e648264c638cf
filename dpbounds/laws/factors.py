"""Factors of a composition as the contour engine sees them: certified moments, certified decay, and float64 models for planning.

Every factor offers

    moment(x)                 ball around M(x), x real, x ≥ 0 or x ≤ −1
    line(x, h, count, need)   balls around M(x + ijh), j = 0 … count−1
    decay(x, y, hint)         a bound on sup |M(x + iy')| over y' ≥ y

and their `approx_` twins, which decide step lengths only and never enter a bound.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from flint import acb, arb

from dpbounds.errors import PrecisionError
from dpbounds.laws.bromwich_nodes import (
    Grid,
    best_shift,
    discretisation_exponent,
    moment_line,
    phase_sums,
    plan_range,
    real_moment,
    require_affordable,
)
from dpbounds.laws.decay import shifted_decay
from dpbounds.laws.deformed_path_moment import RotatedMixture
from dpbounds.laws.mixture import Mixture
from dpbounds.laws.shifted_quadrature import ShiftedLine, shifted_rule
from dpbounds.laws.truncated_noise import cut_mass

NEVER = math.inf
_WIDEST = 100_000
LONGEST = 2**14
"""The most points of a line that are kept at once."""
_NEAR = 100.0
_MARGIN = 8.5
_NODE_COST = 5.0
"""Microseconds for a node and a nat, about, of a moment in closed form."""
_FARTHEST = 300.0
_HEIGHTS = 9
"""Shifts that are tried for a bound on the decay."""
Hint = tuple[float, float]
"""What `decay` is told: a shift a, and about how large log(decay/M) will be."""


@dataclass(frozen=True)
class Need:
    """What a line must reach up to the height `top`: about the relative error e^{slack(y) − tolerance}, slack(0) = 0."""

    tolerance: float
    slack: Callable[[float], float]
    top: float


class ContourFactor(ABC):
    """One pair used `steps` times."""

    steps: int
    absolutely_continuous: bool
    largest_loss: float = NEVER
    """The largest privacy loss of one use, in float64."""
    largest_tilt: float = NEVER
    """The largest x at which M(x) can be had."""
    largest_back_tilt: float = NEVER
    """The largest w at which M(−1−w) can be had."""
    variance: arb | None = None
    """v, where M(z) = e^{z(z+1)v/2}."""
    cut: float | None = None
    """Where the law is cut: P and Q keep the same outcomes and lose at most `cut_mass` in one step; see `laws.truncated_noise`."""

    @abstractmethod
    def approx_log_moments(self, x: float) -> tuple[float, float, float]:
        """K(x), K′(x), K″(x)."""

    @abstractmethod
    def approx_drop(self, x: float, y: float) -> float:
        """log M(x) − log|M(x+iy)|."""

    @abstractmethod
    def approx_decay(self, x: float, y: float) -> tuple[float, Hint]:
        """About log(decay(x, y)/M(x)) and the hint to give to `decay`."""

    @abstractmethod
    def moment(self, x: arb) -> arb:
        """A ball around M(x), x real."""

    @abstractmethod
    def line(self, x: arb, h: arb, count: int, need: Need) -> list[acb]:
        """Balls around M(x + ijh), j = 0 … count−1."""

    @abstractmethod
    def decay(self, x: arb, y: arb, hint: Hint) -> arb:
        """A bound on |M(x + iy')| for every y' ≥ y."""

    def loss_bound(self) -> arb:
        """A bound on the privacy loss of one use, infinite if there is none."""
        return arb.pos_inf()

    def blocks(self, x: arb, h: arb, count: int, need: Need) -> Iterator[list[acb]]:
        """`line` in blocks of `LONGEST`."""
        line = self.line(x, h, count, need)
        return iter([line[start : start + LONGEST] for start in range(0, count, LONGEST)])

    def lost(self) -> arb:
        """The mass that P or Q lack in all steps, which the solver has to add."""
        return arb(0)

    def approx_line_cost(self, x: float, step: float, count: int, tolerance: float) -> float:
        """About the microseconds that `line` takes."""
        return _NODE_COST * count * tolerance

    def approx_log_outlier(self, epsilon: float) -> float:
        """About log P(L > ε) by one rare outcome of one use, which moments of low order do not see."""
        return -math.inf

    def cut_at(self, level: float) -> float | None:
        """Where both densities have fallen to about e^{−level}; None where there is nothing to choose."""
        return None

    def with_cut(self, cut: float | None) -> ContourFactor:
        """The same with the law cut there, or whole."""
        return self

    def cut_mass(self) -> arb:
        """A bound on the mass that P or Q lose in one step."""
        return arb(0)

    def room(self, x: float) -> float:
        """How far the end of a law that is cut lies below M(x), in logarithms and against the number of steps."""
        return math.inf

    def deformed(self) -> RotatedMixture | None:
        """M along paths that rise, for a hyperbolic contour; None where there is none."""
        return None


@dataclass
class GaussianFactor(ContourFactor):
    """Gaussian noise, all its uses in one: M(z) = e^{z(z+1)·v/2}, v = Σ 1/σ²."""

    variance: arb
    steps: int = 1
    absolutely_continuous: bool = True

    def approx_log_moments(self, x: float) -> tuple[float, float, float]:
        """K(x), K′(x), K″(x) in float64."""
        v = float(self.variance)
        return x * (x + 1) * v / 2, (2 * x + 1) * v / 2, v

    def approx_drop(self, x: float, y: float) -> float:
        """log M(x) − log|M(x+iy)| in float64."""
        return float(self.variance) * y * y / 2

    def approx_decay(self, x: float, y: float) -> tuple[float, Hint]:
        """About log(decay/M), and the hint for `decay`."""
        return -self.approx_drop(x, y), (0.0, 0.0)

    def moment(self, x: arb) -> arb:
        """A ball around M(x)."""
        return (x * (x + 1) * self.variance / 2).exp()

    def line(self, x: arb, h: arb, count: int, need: Need) -> list[acb]:
        """Balls around M(x + ijh)."""
        points = [acb(x, h * j) for j in range(count)]
        return [(z * (z + 1) * self.variance / 2).exp() for z in points]

    def decay(self, x: arb, y: arb, hint: Hint) -> arb:
        """|M(x+iy)| = M(x)·e^{−vy²/2} decreases in y."""
        return self.moment(x) * (-self.variance * y * y / 2).exp()


@dataclass
class AtomicFactor(ContourFactor):
    """Finitely many losses: M(z) = Σ m_i e^{zL_i}, m_i the probability under P of the finite loss L_i."""

    masses: list[arb]
    losses: list[arb]
    steps: int = 1
    absolutely_continuous: bool = True

    @property
    def largest_loss(self) -> float:  # type: ignore[override]
        """The largest loss in float64."""
        return max(float(loss) for loss in self.losses)

    def approx_log_moments(self, x: float) -> tuple[float, float, float]:
        """K(x), K′(x), K″(x) in float64."""
        return _moments([(math.log(float(m)), float(loss)) for m, loss in zip(self.masses, self.losses, strict=True)], x)

    def approx_drop(self, x: float, y: float) -> float:
        """log M(x) − log|M(x+iy)| in float64."""
        return _drop([(math.log(float(m)), float(loss)) for m, loss in zip(self.masses, self.losses, strict=True)], x, y)

    def approx_decay(self, x: float, y: float) -> tuple[float, Hint]:
        """About log(decay/M), and the hint for `decay`."""
        return 0.0, (0.0, 0.0)

    def loss_bound(self) -> arb:
        """A bound on the loss of one use."""
        bound = self.losses[0]
        for loss in self.losses[1:]:
            bound = bound.max(loss)
        return arb(bound.upper())

    def moment(self, x: arb) -> arb:
        """A ball around M(x)."""
        return sum(((x * loss).exp() * mass for mass, loss in zip(self.masses, self.losses, strict=True)), arb(0))

    def line(self, x: arb, h: arb, count: int, need: Need) -> list[acb]:
        """Balls around M(x + ijh)."""
        weights = [(x * loss).exp() * mass for mass, loss in zip(self.masses, self.losses, strict=True)]
        return phase_sums(weights, self.losses, h, count) if count > 1 else [acb(sum(weights, arb(0)))]

    def decay(self, x: arb, y: arb, hint: Hint) -> arb:
        """|M(x+iy)| ≤ M(x): atoms do not decay."""
        return self.moment(x)


@dataclass
class MixtureFactor(ContourFactor):
    """A Gaussian mixture pair: Poisson remove, Poisson add, or substitute; (u, 1) possibly with the noise cut at s = `cut`."""

    mixture: Mixture
    steps: int = 1
    absolutely_continuous: bool = True
    cut: float | None = None
    _largest: float | None = field(default=None, repr=False)
    _known: dict[float, tuple[float, float, float]] = field(default_factory=dict, repr=False)
    _bulks: dict[float, tuple[float, float]] = field(default_factory=dict, repr=False)
    _nodes: dict[int, tuple[float, float]] = field(default_factory=dict, repr=False)
    _turns: dict[float, dict[int, tuple[float, float, float, float]]] = field(default_factory=dict, repr=False)
    _lines: dict[tuple[float, range], tuple[list[float], list[float]]] = field(default_factory=dict, repr=False)
    _lines_at: float = field(default=math.nan, repr=False)
    _height: int = field(default=_HEIGHTS // 2, repr=False)

    @property
    def largest_loss(self) -> float:  # type: ignore[override]
        """The add direction has L = −log v < −log(1−q); the others are unbounded."""
        if self.cut is not None:
            return self.mixture.approx_logs(self.cut)[0]
        return NEVER if self.mixture.numerator else -math.log1p(-float(self.mixture.q))

    @property
    def largest_tilt(self) -> float:  # type: ignore[override]
        """Larger tilts would cost the float64 model its digits, or make the end of a cut noise matter."""
        if self.cut is None:
            return 1e25
        if self._largest is None:
            low, high = math.log(1e-3), math.log(1e25)
            while high - low > 0.02:
                x = math.exp((low + high) / 2)
                matters = self.approx_end(x) > self.approx_log_moments(x)[0] - 5 - math.log(self.steps)
                low, high = (low, math.log(x)) if matters else (math.log(x), high)
            self._largest = math.exp(low)
        return self._largest

    largest_back_tilt = 1e25

    @property
    def _step(self) -> float:
        return min(0.4, 0.45 * float(self.mixture.sigma))

    def _law(self, x: float) -> list[tuple[float, float]]:
        """Log weights under φu and losses on a grid that carries M(x)."""
        low, high = self.bulk(x)
        step = self._step
        if high - low > _WIDEST * step:
            raise PrecisionError("the privacy loss has two parts too far from each other for the contour: no digit was reached")
        found = []
        for n in self._indices(low, high, step):
            if n not in self._nodes:
                log_u, log_v = self.mixture.approx_logs(n * step)
                self._nodes[n] = (log_u - (n * step) ** 2 / 2 + math.log(step / math.sqrt(2 * math.pi)), log_u - log_v)
            found.append(self._nodes[n])
        return found

    def bulk(self, x: float) -> tuple[float, float]:
        """Where the integrand of M(x) has its bulk, in float64; from 0 if that is not too far, because it moves there as y grows."""
        if x not in self._bulks:
            low, high = self.mixture.approx_range(x) if self.cut is None else self.mixture.approx_range_below(x, self.cut)
            self._bulks[x] = (0.0 if 0 < low < _NEAR else low), (0.0 if -_NEAR < high < 0 else high)
        return self._bulks[x]

    def _indices(self, low: float, high: float, step: float, margin: float = 8.5) -> range:
        last = math.ceil((high + margin) / step)
        if self.cut is not None:
            last = min(last, math.floor(self.cut / step))
        return range(math.floor((low - margin) / step), last + 1)

    def approx_log_moments(self, x: float) -> tuple[float, float, float]:
        """K(x), K′(x), K″(x) in float64."""
        if x not in self._known:
            self._known[x] = _moments(self._law(x), x)
        return self._known[x]

    def approx_drop(self, x: float, y: float) -> float:
        """log M(x) − log|M(x+iy)| in float64."""
        return _drop(self._law(x), x, y)

    def approx_decay(self, x: float, y: float) -> tuple[float, Hint]:
        """The best shift a for the bound of `tilt.shifted_decay`, out of a geometric list.

        The logarithm of an integral of |f| along a line is convex in its height a: from where the last one was best it falls to the best.
        """
        highest = min(0.97 * self.mixture.strip, 14.0)
        lowest = min(highest / 2, 0.3 * math.sqrt(140 / self.steps))
        ratio = (highest / lowest) ** (1 / (_HEIGHTS - 1))

        def size(index: int) -> float:
            return self.approx_shifted_decay(x, y, lowest * ratio**index) if 0 <= index < _HEIGHTS else math.inf

        index, least = self._height, size(self._height)
        for way in (1, -1):
            while (further := size(index + way)) < least:
                index, least = index + way, further
        self._height = index
        return least, (lowest * ratio**index, least)

    def approx_shifted_decay(self, x: float, y: float, a: float) -> float:
        """log(B_a(y)/M(x)) in float64."""
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

    def _shifted_sum(self, x: float, y: float, a: float, indices: range, step: float) -> float:
        if x != self._lines_at:
            self._lines, self._lines_at = {}, x
        key = (a, indices)
        if key not in self._lines:
            known = self._turns.setdefault(a, {})
            for n in indices:
                if n not in known:
                    known[n] = self._shifted(a, n, step)
            rows = [known[n] for n in indices]
            sizes = [weight + (1 + x) * log_u - x * log_v for weight, log_u, log_v, _ in rows]
            turns = [turn for *_, turn in rows]
            if self.cut is not None:
                sizes, turns = [*sizes, math.log(a) + self.approx_end(x)], [*turns, 0.0]
            self._lines[key] = sizes, turns
        logs = [size - y * turn for size, turn in zip(*self._lines[key], strict=True)]
        top = max(logs)
        return top + math.log(sum([math.exp(entry - top) for entry in logs])) + a * a / 2 - self.approx_log_moments(x)[0]

    def _shifted(self, a: float, n: int, step: float) -> tuple[float, float, float, float]:
        s = n * step
        return (math.log(step / math.sqrt(2 * math.pi)) - s * s / 2, *self.mixture.approx_shifted(s, a))

    def approx_end(self, x: float) -> float:
        """Logarithm of the integrand of M(x) where the noise is cut."""
        assert self.cut is not None
        return (1 + x) * self.mixture.approx_logs(self.cut)[0] - self.cut**2 / 2 - 0.92

    def cut_at(self, level: float) -> float | None:
        """Where both densities have fallen to about e^{−level}; None for pairs that are not cut."""
        if self.mixture.denominator or not self.mixture.numerator:
            return None
        q, sigma = float(self.mixture.q), float(self.mixture.sigma)
        return math.ceil(16 * max(math.sqrt(2 * level), 1 / sigma + math.sqrt(2 * max(1.0, level + math.log(q))))) / 16

    def with_cut(self, cut: float | None) -> MixtureFactor:
        """The same with the noise cut, or whole."""
        return MixtureFactor(self.mixture, self.steps, cut=cut)

    def cut_mass(self) -> arb:
        """The mass that P or Q lose in one step."""
        return arb(0) if self.cut is None else cut_mass(self.mixture, self.cut)

    def room(self, x: float) -> float:
        """How far the end of the cut noise lies below M(x), in logarithms and against the number of steps; infinite without a cut."""
        return math.inf if self.cut is None else self.approx_log_moments(x)[0] - self.approx_end(x) - math.log(self.steps)

    def loss_bound(self) -> arb:
        """−log(1−q) in the add direction, where v > 1−q; log u(S) where the noise is cut at S; the others have none."""
        if self.cut is not None:
            return self.mixture.logs([arb(self.cut)])[0][0]
        return arb.pos_inf() if self.mixture.numerator else -(-self.mixture.parameters()[0]).log1p()

    def moment(self, x: arb) -> arb:
        """Relative accuracy e^{−25}/steps, enough for a bound. Below −1, where u has a negative power, a cut only makes M smaller."""
        if self.cut is not None and not x >= 0:
            return MixtureFactor(self.mixture, self.steps).moment(x)
        tolerance = 25 + math.log(self.steps)
        grid = self._grid(float(x), tolerance, lambda y: 0.0, 0.0)
        return real_moment(self.mixture, grid, x)

    def line(self, x: arb, h: arb, count: int, need: Need) -> list[acb]:
        """Balls around M(x + ijh): on the real line, or on a shifted one where that needs fewer nodes."""
        if count > LONGEST:
            return [value for block in self.blocks(x, h, count, need) for value in block]
        rule = shifted_rule(self.mixture, float(x), need.tolerance + 1, self.approx_log_moments(float(x))[0], self.cut)
        grid = self._grid(float(x), need.tolerance, need.slack, need.top)
        if count > 1 and len(rule.grid) < len(grid):
            require_affordable(count, len(rule.grid))
            return ShiftedLine.of(self.mixture, rule, x, self.moment(x)).equally_spaced(h, count)
        return moment_line(self.mixture, grid, x, h, count)

    def blocks(self, x: arb, h: arb, count: int, need: Need) -> Iterator[list[acb]]:
        """A long line in blocks of `LONGEST`, so that it need not fit into memory."""
        if count <= LONGEST:
            yield from super().blocks(x, h, count, need)
            return
        rule = shifted_rule(self.mixture, float(x), need.tolerance + 1, self.approx_log_moments(float(x))[0], self.cut)
        require_affordable(count, len(rule.grid))
        line = ShiftedLine.of(self.mixture, rule, x, self.moment(x))
        for start in range(0, count, LONGEST):
            yield line.equally_spaced(h, min(LONGEST, count - start), start)

    def decay(self, x: arb, y: arb, hint: Hint) -> arb:
        """B_a(y), a = hint[0]: see `dpbounds.laws.decay`."""
        return shifted_decay(self.mixture, x, y, hint, self.moment(x), self.steps, self.cut)

    def deformed(self) -> RotatedMixture:
        """See `laws.deformed_path_moment`."""
        return RotatedMixture(self.mixture, self.steps)

    def mixture_value(self, z: acb) -> acb:
        """A ball around M(z) at one complex point, Im z ≥ 0, to about 20 digits."""
        grid = self._grid(float(z.real), 46.0, lambda y: 0.0, float(z.imag))
        return moment_line(self.mixture, grid, z.real, z.imag, 2)[1]

    def _grid(self, x: float, tolerance: float, slack: Callable[[float], float], top: float) -> Grid:
        """The longest step that seems to reach e^{−tolerance} at y = 0 and e^{slack(y)−tolerance} at some larger y."""
        points = [(fraction * top, slack(fraction * top)) for fraction in (0.0, 0.125, 0.25, 0.5, 0.75, 1.0)] if top else [(0.0, 0.0)]
        least = math.log(self.steps) + 5  # the error of M is multiplied by the number of steps before it can be small against the product
        low, high = 1e-9, 8.0
        for _ in range(30):
            step = math.sqrt(low * high)
            good = all(
                discretisation_exponent(self.mixture, step, best_shift(self.mixture, step, x, y), x, y) >= max(tolerance - free, least) + 1
                for y, free in points
            )
            low, high = (step, high) if good else (low, step)
            if high / low < 1.02:
                break
        return plan_range(self.mixture, x, low, tolerance + 1, self.approx_log_moments(x)[0], self.cut)


def _moments(law: list[tuple[float, float]], x: float) -> tuple[float, float, float]:
    exponents = [weight + x * loss for weight, loss in law]
    top = max(exponents)
    total = first = second = 0.0
    middle = law[exponents.index(top)][1]
    for exponent, (_, loss) in zip(exponents, law, strict=True):
        part = math.exp(exponent - top)
        total += part
        first += part * (loss - middle)
        second += part * (loss - middle) ** 2
    mean = first / total
    return top + math.log(total), middle + mean, max(second / total - mean * mean, 1e-300)


def _drop(law: list[tuple[float, float]], x: float, y: float) -> float:
    exponents = [weight + x * loss for weight, loss in law]
    top = max(exponents)
    total, real, imaginary = 0.0, 0.0, 0.0
    for exponent, (_, loss) in zip(exponents, law, strict=True):
        part = math.exp(exponent - top)
        total += part
        real += part * math.cos(y * loss)
        imaginary += part * math.sin(y * loss)
    return math.log(total) - math.log(max(math.hypot(real, imaginary), 1e-300))
