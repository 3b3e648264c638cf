"""Cell masses of a loss distribution on a lattice, by Gauss–Legendre panels with a bound on every error.

The lattice has nodes lo + h·j, of which s_i = lo + h·j_i carry mass, Δ_i = s_{i+1} − s_i (`spacing` chooses them). The variable t of the
density is cut at t_i = L⁻¹(s_i) (rounded); what counts is the loss at the computed t_i, so the error of the inverse becomes a *loss error*
η ≥ |L(t_i) − s_i|, which shifts ε by kη in the end.

For each cell two integrals are kept, both tilted by e^{c·s_i−κ}: the P-mass p_i, and the part of it that connect-the-dots sends to the
right node, r_i = ∫ (p − x_i q)/(1−e^{−Δ}) = ∫ p·(1−e^{−(L−s_i)})/(1−e^{−Δ}), with x_i = e^{s_i}.

*Quadrature.* On a panel of half-width d about m the integrand f is entire; n-point Gauss is exact to degree 2n−1, so the error is at most
4d·max_{|z|≤R}|f(m+z)|·(d/R)^{2n}/(1−d/R) for any R > d (Taylor remainder of f on the disc). With base(m+z) ≤ base(m)e^{g(m,R)} and
|w(m+z) − w(m)| ≤ (u + x_i v)(m)·(e^{κR}−1) for w = u − x_i v and each term growing at rate κ at most, and |w(m)| ≤ u(m)(1−e^{−Δ}),
x_i v ≤ u on the cell: |f| ≤ p(m)e^{g}(1 + 2(e^{κR}−1)/(1−e^{−Δ})), and p on the panel is at least p(m)e^{−g(m,d)−κd}.
The relative error ρ = 2e^{g(m,R)+g(m,d)+κd}(1 + 2(e^{κR}−1)/(1−e^{−Δ}))(d/R)^{2n}/(1−d/R) of the panel's P-mass follows.

*Rounding.* p: the error of log p plus a few u. r: the loss difference L(t) − s_i carries the loss errors of t and of t_i, and the cell's
true width differs from Δ by 2η; divided by 1−e^{−Δ}: at most 2η for the difference, η for the node and 2η for the width, so 6η/(1−e^{−Δ}).
The first and the last cell may begin and end outside the range of t: their nodes are then no values of the loss, and carry no error.
Both error bounds grow with the distance of t from the point where the exponent vanishes, so a cell's errors are those at its edges.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpbounds.errors import PrecisionError
from dpbounds.float64.gaussian_mixture import GaussianMixture
from dpbounds.float64.laplace_mixture import LaplaceMixture
from dpbounds.float64.logarithms import Array
from dpbounds.float64.rounding import LIBM, UNIT_ROUNDOFF
from dpbounds.float64.spacing import MAX_CELLS, every_place

PANELS_PER_SIGMA = 16.0
MAX_PLACES = 2**40
_RULES = {n: np.polynomial.legendre.leggauss(n) for n in (2, 3, 4, 6, 8, 12)}


@dataclass(frozen=True, eq=False)
class Cells:
    """The density part of a loss distribution on a lattice, tilted by e^{c·s_i − shift} at each cell's left node.

    Attributes:
        low: lo, the loss of node 0. step: h. c, shift: the tilt. places: j_0 = 0 < … < j_n.
        edges: t_0 < … < t_n. mass, right: p_i and r_i above.
        relative_error: ζ_i: true p_i and r_i differ from those stored by at most ζ_i·p_i.
        loss_error: η. raised: whether the loss at t_0 lies above s_0 by more than rounding; it is at most s_1.
    """

    low: float
    step: float
    c: float
    shift: float
    places: Array
    edges: Array
    mass: Array
    right: Array
    relative_error: Array
    loss_error: float
    raised: bool = False

    @property
    def count(self) -> int:
        """The number of cells."""
        return len(self.mass)

    @property
    def widths(self) -> Array:
        """Δ_i."""
        return self.step * np.diff(self.places)

    @property
    def losses(self) -> Array:
        """s_i."""
        return self.low + self.step * self.places

    @property
    def left(self) -> Array:
        """What connect-the-dots sends to the left node."""
        return self.mass - self.right


def cells_of(
    law: GaussianMixture | LaplaceMixture,
    low: float,
    step: float,
    c: float,
    shift: float,
    t_range: tuple[float, float],
    goal: float,
    places: Array | None = None,
) -> Cells:
    """Integrate the density part over the lattice cells that meet t_range.

    Args:
        low: loss of node 0, the computed loss at t_range[0] or less, by less than a step. step: h > 0. c, shift: the tilt.
        goal: the quadrature error to aim at, relative to each cell.
        places: j_0 = 0 < … < j_n, up to the loss at t_range[1]; every node of the lattice if None.

    Raises:
        PrecisionError: the lattice is too fine for float64 here (cells that collapse, loss errors comparable with h).
    """
    t_low, t_high = t_range
    if places is None:
        places = every_place(last_place(float(law.loss(np.array([t_high]))[0]), low, step))
    nodes = low + step * places
    edges = law.inverse_loss(nodes)
    edges[0] = t_low
    ends_inside = float(nodes[-1]) >= law.highest_loss - 1e-3 * step
    if ends_inside:
        edges[-1] = t_high
    if not np.all(np.isfinite(edges)) or not np.all(edges[1:] > edges[:-1]):
        raise PrecisionError(f"a lattice of step {step:.3g} is too fine for float64 near the end of the loss range")
    spans = -np.expm1(-step * np.diff(places))
    mass, right, remainder = _integrals(law, nodes, edges, spans, c, shift, goal)
    misses = law.loss(edges) - nodes
    raised = float(misses[0]) > 1e-3 * step
    if raised:
        misses[0] = 0.0
    if ends_inside:
        misses[-1] = max(misses[-1], 0.0)
    errors = np.abs(misses) + law.loss_error(edges) + 4 * UNIT_ROUNDOFF * (abs(low) + np.abs(nodes))
    cell_errors = np.maximum(errors[1:], errors[:-1])
    loss_error = float(np.max(errors))
    if not 16 * loss_error <= 1e-4 * step:
        raise PrecisionError(
            f"a lattice of step {step:.3g} is too fine for float64: the losses themselves carry errors of {loss_error:.3g}"
        )
    tilt_error = LIBM + 8 * UNIT_ROUNDOFF * (abs(c) * max(abs(low), abs(float(nodes[-1]))) + abs(shift) + 16)
    density_errors = law.log_density_error(edges)
    rounding = np.maximum(density_errors[1:], density_errors[:-1]) + tilt_error + 2 * LIBM + 40 * UNIT_ROUNDOFF
    return Cells(low, step, c, shift, places, edges, mass, right, remainder + 2 * rounding + 6 * cell_errors / spans, loss_error, raised)


def last_place(top: float, low: float, step: float) -> int:
    """The first node at or above a loss (within a rounding).

    >>> last_place(1.0, 0.0, 0.25)
    4
    """
    count = max(1.0, np.ceil((top - low) / step - 1e-9))
    if count > MAX_PLACES:
        raise PrecisionError(f"one step spans {count:.3g} nodes of the lattice, the limit is {MAX_PLACES:.3g}")
    return int(count)


def _integrals(
    law: GaussianMixture | LaplaceMixture, nodes: Array, edges: Array, spans: Array, c: float, shift: float, goal: float
) -> tuple[Array, Array, float]:
    """p_i, r_i and the largest relative quadrature error; each panel with the cheapest Gauss rule that meets the goal there."""
    panel_edges, starts = _panels(edges, _panel_width(law))
    half = 0.5 * (panel_edges[1:] - panel_edges[:-1])
    middle = 0.5 * (panel_edges[1:] + panel_edges[:-1])
    per_cell = np.diff(np.append(starts, len(middle)))
    cell_nodes, cell_spans = nodes[:-1], spans
    if len(middle) > len(spans):
        cell_nodes, cell_spans = np.repeat(cell_nodes, per_cell), np.repeat(cell_spans, per_cell)
    mass, right = np.empty(len(middle)), np.empty(len(middle))
    pending = np.arange(len(middle))
    remainder = 0.0
    for points, (abscissae, weights) in _RULES.items():
        bound = _remainder(law, middle[pending], half[pending], cell_spans[pending], points)
        served = bound <= goal if points < max(_RULES) else np.full(len(pending), True)
        if not served.any():
            continue
        remainder = max(remainder, float(np.max(bound[served])))
        here = pending[served]
        at = cell_nodes[here]
        tilts = c * at - shift
        total, share = np.zeros(len(here)), np.zeros(len(here))
        for abscissa, weight in zip(abscissae, weights, strict=True):
            log_density, losses = law.log_density_and_loss(middle[here] + abscissa * half[here])
            value = weight * np.exp(log_density + tilts)
            total += value
            share += value * np.expm1(at - losses)
        mass[here] = total * half[here]
        right[here] = share * (half[here] / -cell_spans[here])
        pending = pending[~served]
        if not len(pending):
            break
    if not remainder < 1e-5:
        raise PrecisionError("the quadrature of the loss distribution did not converge in float64")
    return np.add.reduceat(mass, starts), np.add.reduceat(right, starts), remainder


def _panel_width(law: GaussianMixture | LaplaceMixture) -> float:
    return law.sigma / PANELS_PER_SIGMA if isinstance(law, GaussianMixture) else min(1.0, law.scale) / PANELS_PER_SIGMA


def _panels(edges: Array, width: float) -> tuple[Array, Array]:
    """Panel edges that refine the cell edges where cells are wider than `width`, and the first panel of each cell."""
    lengths = np.diff(edges)
    pieces = np.maximum(1, np.ceil(lengths / width)).astype(np.int64)
    starts = np.concatenate(([0], np.cumsum(pieces)[:-1]))
    if int(pieces.max()) == 1:
        return edges, starts
    total = int(pieces.sum())
    if total > 2 * MAX_CELLS:
        raise PrecisionError("the loss distribution needs more quadrature panels than the float64 lattice allows")
    inside = np.arange(total) - np.repeat(starts, pieces)
    panel = np.repeat(edges[:-1], pieces) + np.repeat(lengths / pieces, pieces) * inside
    return np.append(panel, edges[-1]), starts


def _remainder(law: GaussianMixture | LaplaceMixture, middle: Array, half: Array, spans: Array, points: int) -> Array:
    """ρ of each panel, at a radius R that is near the best one: n·min(growth scale, 4/κ)."""
    scale = law.sigma**2 / (np.abs(middle) + law.sigma) if isinstance(law, GaussianMixture) else np.full_like(middle, law.scale)
    radius = np.maximum(points * np.minimum(scale, 4.0 / law.rate), 2 * half)
    ratio = half / radius
    log_bound = (
        law.growth(middle, radius)
        + law.growth(middle, half)
        + law.rate * half
        + np.log1p(2 * np.expm1(np.minimum(law.rate * radius, 600.0)) / spans)
        + 2 * points * np.log(ratio)
        - np.log1p(-ratio)
    )
    return 2 * np.exp(np.minimum(log_bound, 600.0)) * (1 + 1e-9)
