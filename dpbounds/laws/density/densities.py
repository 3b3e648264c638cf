"""Two densities of the user's as a factor of the contour engine, and how long a composition with them is followed.

M(z) = ∫ a·e^{zL} over what is left of the densities (`density_law`), by Gauss–Legendre panels. In the ellipse of a panel with the middle m,
log f_z(s) − log f_z(m) = S·(s − m) for a mean slope S in a box B around (log f_z)′, and with S₀ the slope at m

    Re(S·(s − m)) ≤ |(Re S₀·along, Im S₀·across)| + |B − S₀|·along,

which is convex in z, hence largest at an end of the line. Both distributions keep the outcomes that are left, so δ only falls, by at most
the mass of a that is missing in all steps.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from flint import acb, arb

from dpbounds.laws.density.density_law import DensityLaw, Side, density_law_of
from dpbounds.laws.nodes_factor import NodesFactor
from dpbounds.mechanisms import DensityPair
from dpbounds.numbers.exact import Exact
from dpbounds.numbers.gauss_legendre import ACROSS, ALONG, Panel, cover, panels_error

_STEEPEST = 2000.0


@dataclass
class DensityFactor(NodesFactor):
    """A pair of densities, sampled or not, each end of a piece cut where at most `most` of its mass is lost."""

    densities: DensityPair
    q: Exact
    reversed: bool
    most: float
    steps: int = 1
    absolutely_continuous: bool = False
    nats = 25.0

    def __post_init__(self) -> None:
        self.absolutely_continuous = self.law.whole

    @cached_property
    def law(self) -> DensityLaw:
        """Its cells."""
        return density_law_of(self.densities, self.reversed, self.q, self.most)

    def cut_mass(self) -> arb:
        """A bound on the mass that P or Q lose in one step."""
        return self.law.lost

    @cached_property
    def largest_loss(self) -> float:  # type: ignore[override]
        """In float64."""
        return float(self.loss_bound())

    @cached_property
    def largest_tilt(self) -> float:  # type: ignore[override]
        """Larger x would need too many panels."""
        return _STEEPEST / max(1e-6, *(abs(row[1]) for rows in self.law.rows for row in rows))

    @property
    def largest_back_tilt(self) -> float:  # type: ignore[override]
        """The same on the other side."""
        return self.largest_tilt

    def approx_rows(self, x: float) -> tuple[list[float], list[float]]:
        """At nodes of the cells."""
        return self.law.columns

    def approx_decay(self, x: float, y: float) -> tuple[float, tuple[float, float]]:
        """About log(decay/M)."""
        return self.law.approx_decay(x, y), (0.0, 0.0)

    def loss_bound(self) -> arb:
        """A bound on the loss of one use."""
        return self.law.loss_bound()

    def decay(self, x: arb, y: arb, hint: tuple[float, float]) -> arb:
        """A bound on |M(x + iy′)| for every y′ ≥ y."""
        return self.law.decay(acb(x, y))

    def nodes(self, x: arb, height: arb, tolerance: float, top: float) -> tuple[list[arb], list[arb], arb]:
        """Panels on what is left of the densities."""
        goal = (arb(self.approx_log_moments(float(x))[0]) - tolerance).exp() / 64
        ends = [acb(x), acb(x, height)]
        weights: list[arb] = []
        losses: list[arb] = []
        found: list[Panel] = []
        for side in self.law.sides:
            panels = cover(side.low, (side.high - side.low) / 64, lambda a, b, side=side: size_of(side, a, b, ends), goal, side.high)  # type: ignore[misc]
            found += panels
            scale = side.jacobian()
            for panel in panels:
                for node, weight in panel.nodes():
                    size, loss = side.logs(acb(node))
                    losses.append(loss.real)
                    weights.append(weight * scale * (size.real + x * loss.real).exp())
        return weights, losses, panels_error(found)


def size_of(side: Side, low: float, high: float, ends: list[acb]) -> arb:
    """A bound on |f_z| in the ellipse of a panel for every z between two ends of one real part, dx/dt included."""
    half, middle = (arb(high) - arb(low)) / 2, (arb(low) + arb(high)) / 2
    along, across = half * ALONG, half * ACROSS
    wide, gains = side.slopes(acb(arb(middle, along.upper()), arb(0, across.upper())))
    here, gain = side.slopes(acb(middle))
    size, loss = side.logs(acb(middle))
    if not all(value.is_finite() for value in (wide, gains, here, gain, size, loss)):
        return arb.pos_inf()
    growth = arb.neg_inf()
    for z in ends:
        slope = here + z * gain
        growth = growth.max(abs(acb(slope.real * along, slope.imag * across)) + abs((wide - here) + z * (gains - gain)) * along)
    return arb((side.jacobian() * (size.real + ends[0].real * loss.real + growth).exp()).upper())
