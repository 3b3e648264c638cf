"""Factors of laws with atoms and of Gaussian mixtures: what `contour_factor` asks of one."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cached_property

from flint import acb, arb

from dpbounds.laws.contour_factor import LONGEST, NEVER, ContourFactor, Hint, Need
from dpbounds.laws.mixture import Mixture
from dpbounds.laws.mixture_model import MixtureModel, model_of
from dpbounds.laws.nodes_factor import NodesFactor
from dpbounds.laws.paths.bromwich_nodes import Grid, longest_step, moment_line, plan_range, real_moment
from dpbounds.laws.paths.decay import shifted_decay
from dpbounds.laws.paths.deformed_path_moment import RotatedMixture
from dpbounds.laws.paths.phase_sums import require_affordable
from dpbounds.laws.paths.shifted_quadrature import ShiftedLine, shifted_rule
from dpbounds.laws.paths.truncated_noise import cut_mass
from dpbounds.numbers.balls import precision, working_bits

_MANY_DIGITS = 200.0
"""Tolerance from which the lowest eighth of a line is looked at more closely."""
_BOUND_BITS, _SPARE_BITS, _MARGIN = 72, 16, 12.0
"""Bits of a moment that enters a bound, and what a line has more than its tolerance, both besides those of sizes and counts; noise
beyond the bulk that still counts for a bound."""


@dataclass
class AtomicFactor(NodesFactor):
    """Finitely many losses: M(z) = Σ m_i e^{zL_i}, m_i the probability under P of the finite loss L_i."""

    masses: list[arb]
    losses: list[arb]
    steps: int = 1
    absolutely_continuous: bool = True
    between_poles = True  # type: ignore[assignment]
    has_atoms = True  # type: ignore[assignment]

    @property
    def largest_loss(self) -> float:  # type: ignore[override]
        """The largest loss in float64."""
        return max(float(loss) for loss in self.losses)

    def approx_rows(self, x: float) -> tuple[list[float], list[float]]:
        """All of them."""
        with precision(53):
            return [float(mass.log()) for mass in self.masses], [float(loss) for loss in self.losses]

    def approx_decay(self, x: float, y: float) -> tuple[float, Hint]:
        """About log(decay/M), and the hint for `decay`."""
        return 0.0, (0.0, 0.0)

    def loss_bound(self) -> arb:
        """A bound on the loss of one use."""
        bound = self.losses[0]
        for loss in self.losses[1:]:
            bound = bound.max(loss)
        return arb(bound.upper())

    def nodes(self, x: arb, height: arb, tolerance: float, top: float) -> tuple[list[arb], list[arb], arb]:
        """All of them, so that nothing is missing."""
        return [mass for mass, _ in self.atoms_at(x)], self.losses, arb(0)

    def decay(self, x: arb, y: arb, hint: Hint) -> arb:
        """|M(x+iy)| ≤ M(x): atoms do not decay, but see `two_atoms`."""
        return self.moment(x)

    def atoms_at(self, x: arb) -> list[tuple[arb, arb]]:
        """All of it."""
        return [((x * loss).exp() * mass, loss) for mass, loss in zip(self.masses, self.losses, strict=True)]


@dataclass
class MixtureFactor(ContourFactor):
    """A Gaussian mixture pair: Poisson remove, Poisson add, or substitute; (u, 1) possibly with the noise cut at s = `cut`."""

    mixture: Mixture
    steps: int = 1
    absolutely_continuous: bool = True
    cut: float | None = None

    @property
    def largest_loss(self) -> float:  # type: ignore[override]
        """The add direction has L = −log v < −log(1−q); the others are unbounded."""
        if self.cut is not None:
            return self.mixture.approx_logs(self.cut)[0]
        return NEVER if self.mixture.numerator else -math.log1p(-float(self.mixture.q))

    @property
    def both_sides(self) -> bool:  # type: ignore[override]
        """Where no noise is cut."""
        return self.cut is None

    @cached_property
    def model(self) -> MixtureModel:
        """The same in float64."""
        return model_of(self.mixture, self.cut)

    @property
    def largest_tilt(self) -> float:  # type: ignore[override]
        """Larger tilts would cost the float64 model its digits, or make the end of a cut noise matter."""
        return self.model.largest_tilt(self.steps)

    largest_back_tilt = 1e25

    def approx_log_moments(self, x: float) -> tuple[float, float, float]:
        """K(x), K′(x), K″(x) in float64."""
        return self.model.moments(x)

    def approx_drop(self, x: float, y: float) -> float:
        """log M(x) − log|M(x+iy)| in float64."""
        return self.model.drop(x, y)

    def approx_decay(self, x: float, y: float) -> tuple[float, Hint]:
        """About log(decay/M), and the shift a for `laws.paths.decay` with that estimate."""
        shift, least = self.model.best_decay(x, y, self.steps)
        return least, (shift, least)

    def approx_decay_from(self, x: float, y: float, hint: Hint) -> tuple[float, Hint]:
        """The search for a begins at the hint."""
        shift, least = self.model.best_decay(x, y, self.steps, hint[0])
        return least, (shift, least)

    def approx_decay_near(self, x: float, y: float, hint: Hint) -> float:
        """By the shift of the hint."""
        return self.model.decay(x, y, hint[0])

    def ends_before(self, x: float, level: float, tolerance: float) -> bool:
        """Whether a cut at that level would leave M(x) as it is, but for about e^{−tolerance} of it."""
        cut = self.cut_at(level)
        return cut is None or self.model.ends_before(x, cut, tolerance + math.log(self.steps))

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
        return math.inf if self.cut is None else self.approx_log_moments(x)[0] - self.model.end(x) - math.log(self.steps)

    def loss_bound(self) -> arb:
        """−log(1−q) in the add direction, where v > 1−q; log u(S) where the noise is cut at S; the others have none."""
        if self.cut is not None:
            return self.mixture.logs([arb(self.cut)])[0][0]
        return arb.pos_inf() if self.mixture.numerator else -(-self.mixture.parameters()[0]).log1p()

    def moment(self, x: arb) -> arb:
        """Relative accuracy e^{−25}/steps, enough for a bound. Below −1, where u has a negative power, a cut only makes M smaller."""
        key = float(x), working_bits()
        kept = self._moments if x == arb(key[0]) else {}  # of a ball with a radius nothing is remembered
        if key not in kept:
            kept[key] = self._moment(x)
        return kept[key]

    @cached_property
    def _moments(self) -> dict[tuple[float, int], arb]:
        """Those at exact x that were asked for, by the precision."""
        return {}

    def _moment(self, x: arb) -> arb:
        if self.cut is not None and not x >= 0:
            return MixtureFactor(self.mixture, self.steps).moment(x)
        tolerance = 25 + math.log(self.steps)
        grid = self._grid(float(x), tolerance, lambda y: 0.0, 0.0)
        with self._bound_precision(x):
            return real_moment(self.mixture, grid, x)

    def line(self, x: arb, h: arb, count: int, need: Need) -> list[acb]:
        """Balls around M(x + ijh): on the real line, or on a shifted one where that needs fewer nodes."""
        if count > LONGEST:
            return [value for block in self.blocks(x, h, count, need) for value in block]
        grid = self._grid(float(x), need.tolerance, need.slack, need.top)
        if count > 1:
            rule = shifted_rule(self.mixture, float(x), need.tolerance + 1, self.approx_log_moments(float(x))[0], self.cut)
            if rule.grid.size < grid.size:
                require_affordable(count, rule.grid.size)
                with self._line_precision(x, count, need):
                    return ShiftedLine.of_mixture(self.mixture, rule, x, self.moment(x)).equally_spaced(h, count)
        with self._line_precision(x, count, need):
            return moment_line(self.mixture, grid, x, h, count, need.slack)

    def blocks(self, x: arb, h: arb, count: int, need: Need) -> Iterator[list[acb]]:
        """A long line in blocks of `LONGEST`, so that it need not fit into memory."""
        if count <= LONGEST:
            yield from super().blocks(x, h, count, need)
            return
        rule = shifted_rule(self.mixture, float(x), need.tolerance + 1, self.approx_log_moments(float(x))[0], self.cut)
        require_affordable(count, rule.grid.size)
        line = ShiftedLine.of_mixture(self.mixture, rule, x, self.moment(x))
        for start in range(0, count, LONGEST):
            yield line.equally_spaced(h, min(LONGEST, count - start), start)

    def decay(self, x: arb, y: arb, hint: Hint) -> arb:
        """B_a(y), a = hint[0]: see `dpbounds.laws.paths.decay`."""
        moment = self.moment(x)
        with self._bound_precision(x, float(y)):
            return shifted_decay(self.mixture, x, y, hint, moment, self.steps, self.cut)

    def _line_precision(self, x: arb, count: int, need: Need) -> AbstractContextManager[None]:
        """Enough for rounding errors of e^{−tolerance} of M, with some to spare: the last of so many powers has the most."""
        wanted = _SPARE_BITS + count.bit_length() + int(need.tolerance / math.log(2) + math.log2(1 + self._farthest(x, 0)))
        return precision(min(working_bits(), wanted))

    def _farthest(self, x: arb, margin: float) -> float:
        """About the largest exponent in the integrand of M(x), that far beyond its bulk."""
        return ((1 + abs(float(x))) / float(self.mixture.sigma) + margin) ** 2

    def _bound_precision(self, x: arb, y: float = 0.0) -> AbstractContextManager[None]:
        """Enough for e^{−25}/steps of M, and of what it has fallen to."""
        wanted = _BOUND_BITS + self.steps.bit_length() + int(math.log2(self._farthest(x, _MARGIN)) + math.log2(1 + y))
        return precision(min(working_bits(), wanted))

    def deformed(self) -> RotatedMixture:
        """See `laws.paths.deformed_path_moment`."""
        return RotatedMixture(self.mixture, self.steps)

    def mixture_value(self, z: acb) -> acb:
        """A ball around M(z) at one complex point, Im z ≥ 0, to about 20 digits."""
        grid = self._grid(float(z.real), 46.0, lambda y: 0.0, float(z.imag))
        return moment_line(self.mixture, grid, z.real, z.imag, 2)[1]

    def _grid(self, x: float, tolerance: float, slack: Callable[[float], float], top: float) -> Grid:
        """The longest step that seems to reach e^{−tolerance} at y = 0 and e^{slack(y)−tolerance} at some larger y."""
        least = math.log(self.steps) + 5  # the error of M is multiplied by the number of steps before it can be small against the product
        low = (1 / 64, 1 / 32, 1 / 16) if tolerance > _MANY_DIGITS else ()  # where the slack begins does not grow with the digits
        heights = [fraction * top for fraction in (0.0, *low, 0.125, 0.25, 0.5, 0.75, 1.0)] if top else [0.0]
        step = longest_step(self.mixture, x, [(y, max(tolerance - (slack(y) if y else 0.0), least) + 1) for y in heights])
        return plan_range(self.mixture, x, step, tolerance + 1, self.approx_log_moments(x)[0], self.cut, real=not top)
