"""Factors whose moments are sums over nodes: M(z) = Σ w·e^{(z−x)L}, Re z = x, give or take an error that holds on a whole line."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Sequence
from functools import cached_property

from flint import acb, arb

from dpbounds.laws.contour_factor import ContourFactor, Need
from dpbounds.laws.mixture_model import drop_of, moments_of
from dpbounds.laws.paths.phase_sums import phase_sums
from dpbounds.numbers.discs import ball_around_zero


class NodesFactor(ContourFactor):
    """One pair by its nodes: as floats they plan, as balls they give M."""

    nats = 30.0
    """Relative accuracy of M(x) in a bound; what the number of steps has comes on top."""

    @abstractmethod
    def approx_rows(self, x: float) -> tuple[Sequence[float], Sequence[float]]:
        """Log masses under P and losses in float64, of what carries M(x)."""

    @abstractmethod
    def nodes(self, x: arb, height: arb, tolerance: float, top: float) -> tuple[list[arb], list[arb], arb]:
        """Masses tilted by e^{xL}, losses, and a bound on what their sum is off up to that height: about e^{−tolerance} of M(x)."""

    @cached_property
    def _known(self) -> dict[float, tuple[float, float, float]]:
        return {}

    def approx_log_moments(self, x: float) -> tuple[float, float, float]:
        """K(x), K′(x), K″(x) in float64."""
        if x not in self._known:
            rows = self.approx_rows(x)  # which may forget what was known
            self._known[x] = moments_of(*rows, x)
        return self._known[x]

    def approx_drop(self, x: float, y: float) -> float:
        """log M(x) − log|M(x+iy)| in float64."""
        return drop_of(*self.approx_rows(x), x, y)

    def moment(self, x: arb) -> arb:
        """A ball around M(x)."""
        return self.sums(x, arb(0), 1, self.nats + math.log(self.steps), 0.0)[0].real

    def line(self, x: arb, h: arb, count: int, need: Need) -> list[acb]:
        """Balls around M(x + ijh)."""
        return self.sums(x, h, count, need.tolerance, need.top)

    def sums(self, x: arb, h: arb, count: int, tolerance: float, top: float) -> list[acb]:
        """The same for a tolerance up to the height `top`."""
        weights, losses, radius = self.nodes(x, h * (count - 1), tolerance, top)
        spread = ball_around_zero(radius)
        return [value + spread for value in phase_sums(weights, losses, h, count)]
