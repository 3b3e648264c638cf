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
from dataclasses import dataclass
from typing import TYPE_CHECKING

from flint import acb, arb

if TYPE_CHECKING:
    from dpbounds.laws.paths.deformed_path_moment import RotatedMixture

NEVER = math.inf
LONGEST = 2**14
"""The most points of a line that are kept at once."""
_NODE_COST = 5.0
"""Microseconds for a node and a nat, about, of a moment in closed form."""
_SECONDS = 8
"""Outcomes that are tried beside the heaviest one."""
Hint = tuple[float, float]
"""What `decay` is told: a shift a, and about how large log(decay/M) will be."""


@dataclass(frozen=True)
class TwoAtoms:
    """Masses of two outcomes of one use, tilted by e^{xL}, the distance of their losses, and a bound on M(x)."""

    first: arb
    second: arb
    apart: arb
    moment: arb


@dataclass(frozen=True)
class TiltedAtoms:
    """Masses of outcomes of one use, tilted by e^{xL}, the heaviest first, their losses, and a bound on M(x)."""

    masses: list[arb]
    losses: list[arb]
    moment: arb


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
    both_sides: bool = False
    """Whether M(x) can be had at every real x, and M(−1) = 1."""

    @property
    def between_poles(self) -> bool:
        """Whether M(x) can be had for −1 ≤ x ≤ 0."""
        return self.both_sides

    has_atoms: bool = False
    """Whether `atoms_at` lists any."""
    variance: arb | None = None
    """v, where M(z) = e^{z(z+1)v/2}."""
    cut: float | None = None
    """Where the law is cut: P and Q keep the same outcomes and lose at most `cut_mass` in one step; see `laws.paths.truncated_noise`."""

    @abstractmethod
    def approx_log_moments(self, x: float) -> tuple[float, float, float]:
        """K(x), K′(x), K″(x)."""

    @abstractmethod
    def approx_drop(self, x: float, y: float) -> float:
        """log M(x) − log|M(x+iy)|."""

    @abstractmethod
    def approx_decay(self, x: float, y: float) -> tuple[float, Hint]:
        """About log(decay(x, y)/M(x)) and the hint to give to `decay`."""

    def approx_decay_near(self, x: float, y: float, hint: Hint) -> float:
        """The same about log(decay/M), by a hint that was good at another height."""
        return self.approx_decay(x, y)[0]

    def approx_decay_from(self, x: float, y: float, hint: Hint) -> tuple[float, Hint]:
        """`approx_decay`, found from a hint for a height nearby."""
        return self.approx_decay(x, y)

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

    def atoms_at(self, x: arb) -> list[tuple[arb, arb]]:
        """Outcomes of one use with a probability of their own: masses tilted by e^{xL}, and losses."""
        return []

    def tilted_atoms(self, x: arb, rough: bool = False) -> TiltedAtoms | None:
        """The same in order; None where there are none.

        Args:
            rough: an estimate is enough for the bound on M(x).
        """
        rows = sorted(self.atoms_at(x), key=lambda row: -float(row[0].mid()))
        if not rows:
            return None
        moment = arb(self.approx_log_moments(float(x))[0]).exp() if rough else arb(self.moment(x).upper())
        return TiltedAtoms([mass for mass, _ in rows], [loss for _, loss in rows], moment)

    def two_atoms(self, x: arb, rough: bool = False) -> list[TwoAtoms]:
        """The heaviest outcome with each of the next ones."""
        if (found := self.tilted_atoms(x, rough)) is None:
            return []
        (first, *masses), (loss, *losses) = found.masses, found.losses
        seconds = list(zip(masses, losses, strict=True))[:_SECONDS]
        return [TwoAtoms(first, mass, abs(loss - own), found.moment) for mass, own in seconds]

    def room(self, x: float) -> float:
        """How far the end of a law that is cut lies below M(x), in logarithms and against the number of steps."""
        return math.inf

    def ends_before(self, x: float, level: float, tolerance: float) -> bool:
        """Whether a cut at that level would leave M(x) as it is, but for about e^{−tolerance} of it."""
        return self.cut_at(level) is None

    def deformed(self) -> RotatedMixture | None:
        """M along paths that rise, for a hyperbolic contour; None where there is none."""
        return None


@dataclass
class GaussianFactor(ContourFactor):
    """Gaussian noise, all its uses in one: M(z) = e^{z(z+1)·v/2}, v = Σ 1/σ²."""

    variance: arb
    steps: int = 1
    absolutely_continuous: bool = True
    both_sides: bool = True

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
