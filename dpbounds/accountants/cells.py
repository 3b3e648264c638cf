"""Cell masses of a loss distribution on a lattice, by Gauss–Legendre panels with a bound on every error.

The lattice has nodes s_i = lo + h·i. The variable t of the density is cut at t_i = L⁻¹(s_i) (rounded); what counts is the loss at
the computed t_i, so the error of the inverse becomes a *loss error* η ≥ |L(t_i) − s_i|, which shifts ε by kη in the end.

For each cell two integrals are kept, both tilted by e^{c·s_i−κ}: the P-mass p_i, and the part of it that connect-the-dots sends to the
right node, r_i = ∫ (p − x_i q)/(1−e^{−h}) = ∫ p·(1−e^{−(L−s_i)})/(1−e^{−h}), with x_i = e^{s_i}.

*Quadrature.* On a panel of half-width d about m the integrand f is entire; n-point Gauss is exact to degree 2n−1, so the error is at most
4d·max_{|z|≤R}|f(m+z)|·(d/R)^{2n}/(1−d/R) for any R > d (Taylor remainder of f on the disc). With base(m+z) ≤ base(m)e^{g(m,R)} and
|w(m+z) − w(m)| ≤ (u + x_i v)(m)·(e^{κR}−1) for w = u − x_i v and each term growing at rate κ at most, and |w(m)| ≤ u(m)(1−e^{−h}),
x_i v ≤ u on the cell: |f| ≤ p(m)e^{g}(1 + 2(e^{κR}−1)/(1−e^{−h})), and p on the panel is at least p(m)e^{−g(m,d)−κd}.
The relative error ρ = 2e^{g(m,R)+g(m,d)+κd}(1 + 2(e^{κR}−1)/(1−e^{−h}))(d/R)^{2n}/(1−d/R) of the panel's P-mass follows.

*Rounding.* p: the error of log p plus a few u. r: the loss difference L(t) − s_i carries the loss errors of t and of t_i, and the cell's
true width differs from h by 2η; divided by 1−e^{−h}: at most 2η for the difference, η for the node and 2η for the width, so 6η/(1−e^{−h}).
Both error bounds grow with the distance of t from the point where the exponent vanishes, so a cell's errors are those at its edges.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpbounds.accountants.losses import Array, GaussianMixture, LaplaceMixture
from dpbounds.accountants.rounding import LIBM, UNIT_ROUNDOFF
from dpbounds.errors import PrecisionError

PANELS_PER_SIGMA = 16.0
MAX_CELLS = 2**20
_RULES = {n: np.polynomial.legendre.leggauss(n) for n in (2, 3, 4, 6, 8, 12)}


@dataclass(frozen=True, eq=False)
class Cells:
    """The density part of a loss distribution on a lattice, tilted by e^{c·s_i − shift} at each cell's left node.

    Attributes:
        low: lo, the loss of node 0. step: h. c, shift: the tilt.
        edges: t_0 < … < t_n. mass, right: p_i and r_i above.
        relative_error: ζ_i: true p_i and r_i differ from those stored by at most ζ_i·p_i.
        loss_error: η.
    """

    low: float
    step: float
    c: float
    shift: float
    edges: Array
    mass: Array
    right: Array
    relative_error: Array
    loss_error: float

    @property
    def count(self) -> int:
        """The number of cells."""
        return len(self.mass)

    @property
    def left(self) -> Array:
        """What connect-the-dots sends to the left node."""
        return self.mass - self.right


def cells_of(
    law: GaussianMixture | LaplaceMixture, low: float, step: float, c: float, shift: float, t_range: tuple[float, float], goal: float
) -> Cells:
    """Integrate the density part over the lattice cells that meet t_range.

    Args:
        low: loss of node 0, the computed loss at t_range[0]. step: h > 0. c, shift: the tilt.
        goal: the quadrature error to aim at, relative to each cell.

    Raises:
        PrecisionError: the lattice is too fine for float64 here (cells that collapse, loss errors comparable with h).
    """
    t_low, t_high = t_range
    top = float(law.loss(np.array([t_high]))[0])
    count = max(1, int(np.ceil((top - low) / step - 1e-9)))
    if count > MAX_CELLS:
        raise PrecisionError(f"the lattice needs {count} cells for one step, the limit is {MAX_CELLS}")
    nodes = low + step * np.arange(count + 1)
    edges = law.inverse_loss(nodes)
    edges[0] = t_low
    ends_inside = float(nodes[-1]) >= law.highest_loss - 1e-3 * step
    if ends_inside:
        edges[-1] = t_high
    if not np.all(np.isfinite(edges)) or not np.all(edges[1:] > edges[:-1]):
        raise PrecisionError(f"a lattice of step {step:.3g} is too fine for float64 near the end of the loss range")
    panel_edges, starts = _panels(edges, _panel_width(law))
    half = 0.5 * (panel_edges[1:] - panel_edges[:-1])
    middle = 0.5 * (panel_edges[1:] + panel_edges[:-1])
    per_cell = np.diff(np.append(starts, len(middle)))
    points, remainder = _rule_for(law, middle, half, step, goal)
    abscissae, weights = _RULES[points]
    t = middle[:, None] + half[:, None] * abscissae
    losses = law.loss(t)
    cell_nodes = np.repeat(nodes[:-1], per_cell)
    values = np.exp(law.log_density(t) + (c * cell_nodes - shift)[:, None]) * weights
    span = -np.expm1(-step)
    fraction = np.expm1(cell_nodes[:, None] - losses) / (-span)
    mass = np.add.reduceat(values.sum(axis=1) * half, starts)
    right = np.add.reduceat((values * fraction).sum(axis=1) * half, starts)
    misses = law.loss(edges) - nodes
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
    return Cells(low, step, c, shift, edges, mass, right, remainder + 2 * rounding + 6 * cell_errors / span, loss_error)


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


def _rule_for(law: GaussianMixture | LaplaceMixture, middle: Array, half: Array, step: float, goal: float) -> tuple[int, float]:
    """The cheapest Gauss rule whose remainder bound meets the goal on every panel (else the richest rule), and that bound."""
    span = -np.expm1(-step)
    sample = slice(None, None, max(1, len(middle) // 256))
    points, bound = 0, np.inf
    for points in _RULES:
        if points < max(_RULES) and _remainder(law, middle[sample], half[sample], span, points) > goal:
            continue
        bound = _remainder(law, middle, half, span, points)
        if bound <= goal:
            break
    if not bound < 1e-5:
        raise PrecisionError("the quadrature of the loss distribution did not converge in float64")
    return points, bound


def _remainder(law: GaussianMixture | LaplaceMixture, middle: Array, half: Array, span: float, points: int) -> float:
    """The largest ρ over the panels, at a radius R that is near the best one: n·min(growth scale, 4/κ)."""
    scale = law.sigma**2 / (np.abs(middle) + law.sigma) if isinstance(law, GaussianMixture) else np.full_like(middle, law.scale)
    radius = np.maximum(points * np.minimum(scale, 4.0 / law.rate), 2 * half)
    ratio = half / radius
    log_bound = (
        law.growth(middle, radius)
        + law.growth(middle, half)
        + law.rate * half
        + np.log1p(2 * np.expm1(np.minimum(law.rate * radius, 600.0)) / span)
        + 2 * points * np.log(ratio)
        - np.log1p(-ratio)
    )
    return 2 * float(np.exp(min(float(np.max(log_bound)), 600.0))) * (1 + 1e-9)
