"""Connect-the-dots: the pessimistic lattice distribution, whose hockey-stick curve interpolates the true one at the nodes.

H(x) = E_Q(e^L − x)₊ is convex; the piecewise linear interpolation through its values at x_i = e^{s_i} is convex and lies above it, so
its pair dominates the true pair, also after composition (Doroshenko, Ghazi, Kamath, Kumar & Manurangsi 2022, "Connect the Dots",
Thm 3; domination under composition: Zhu, Dong & Wang 2022, Thm 10). On masses: each cell's P- and Q-mass moves to its two ends so
that both are kept. Mass outside the cells is moved up: below them to the
first node above, above the top to coarser nodes and finally to infinity.
Moving P-mass to a larger loss can only raise δ = E_P(1 − e^{ε−S})₊, and so can adding P-mass: rounding errors are added.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from dpbounds.float64.cells import Cells
from dpbounds.float64.gaussian_mixture import GaussianMixture
from dpbounds.float64.laws import LossLaw
from dpbounds.float64.logarithms import Array
from dpbounds.float64.rounding import LIBM, SPECIAL, UNIT_ROUNDOFF

SNAP = 1e-8
MAX_TAIL = 20_000
TAIL_ERROR = SPECIAL + 32 * UNIT_ROUNDOFF


def node_masses(cells: Cells) -> Array:
    """Tilted connect-the-dots masses at the nodes 0 … n of the density part, before any rounding allowance."""
    masses = np.zeros(cells.count + 1)
    masses[:-1] = cells.left
    masses[1:] += cells.right * np.exp(cells.c * cells.widths)
    return masses


def mass_allowance(cells: Cells) -> Array:
    """What rounding and quadrature can have changed in each node's tilted mass: ζ_i·p_i of its two cells."""
    allowance = np.zeros(cells.count + 1)
    doubt = cells.relative_error * cells.mass
    allowance[:-1] = doubt
    allowance[1:] += doubt * np.exp(cells.c * cells.widths)
    return allowance


@dataclass(frozen=True, eq=False)
class Pessimistic:
    """A lattice distribution above the truth: tilted masses at its places, and at far places, the infinite mass, the loss error."""

    places: Array
    masses: Array
    far_places: Array
    far_masses: Array
    infinite: float
    loss_error: float


def pessimistic(law: LossLaw, cells: Cells | None, low: float, step: float, c: float, shift: float, log_goal: float) -> Pessimistic:
    """Masses above the truth.

    Args:
        cells: the density part, or None. low, step, c, shift: the lattice and the tilt.
        log_goal: log of an untilted tail mass that may go to infinity.
    """
    nodes, shares = [np.zeros(0, dtype=np.int64)], [np.zeros(0)]
    infinite, loss_error = law.infinite_mass, 0.0
    places, masses = np.zeros(1, dtype=np.int64), np.zeros(1)
    if cells is not None:
        places = cells.places
        masses = node_masses(cells) + mass_allowance(cells)
        loss_error = cells.loss_error
        if isinstance(law, GaussianMixture):
            below = int(cells.raised)
            masses[below] += _exp_up(law.log_mass_below(float(cells.edges[0])) + c * (low + step * float(places[below])) - shift)
            tail_nodes, tail_masses, rest, miss = _right_tail(law, cells, log_goal)
            nodes.append(tail_nodes)
            shares.append(tail_masses)
            infinite += rest
            loss_error = max(loss_error, miss)
    for node, on_node, (loss, mass) in place_atoms(law, low, step):
        error = _atom_error(law, loss, low)
        weight = mass * (1 + 32 * UNIT_ROUNDOFF + LIBM * (1 + abs(loss)) + input_error(law))
        if on_node:
            loss_error = max(loss_error, abs(loss - (low + step * node)) + error)
            targets = [(node, weight)]
        else:
            right = -math.expm1(low + step * node - loss) / -math.expm1(-step)
            slack = 8 * error / step + 32 * UNIT_ROUNDOFF
            targets = [(node, weight * (1 - right + slack)), (node + 1, weight * (right + slack))]
        nodes.append(np.array([target for target, _ in targets], dtype=np.int64))
        shares.append(np.array([share * _exp_up(c * (low + step * target) - shift) for target, share in targets]))
    return Pessimistic(places, masses, np.concatenate(nodes), np.concatenate(shares), infinite, loss_error)


def _right_tail(law: GaussianMixture, cells: Cells, log_goal: float) -> tuple[Array, Array, float, float]:
    """Move the mass above the last node up to coarser nodes, at most 1/(4c) apart; returns (nodes, masses, what is left for infinity,
    loss error)."""
    t = float(cells.edges[-1])
    top = int(cells.places[-1])
    last = cells.low + cells.step * top
    log_mass = law.log_mass_above(t)
    if last >= law.highest_loss - 1e-3 * cells.step:
        above = top + int(last < law.highest_loss)
        place = cells.low + cells.step * above
        return np.array([above]), np.array([_exp_up(log_mass + cells.c * place - cells.shift)]), 0.0, 0.0
    if log_mass <= log_goal:
        return np.zeros(0, dtype=np.int64), np.zeros(0), _exp_up(log_mass), 0.0
    end = min(float(law.loss(np.array([max(t, law.approx_tail_start(log_goal))]))[0]), law.highest_loss)
    stride = max(1.0, 0.25 / max(cells.c * cells.step, 1e-300), (end - last) / cells.step / MAX_TAIL)
    count = max(2, math.ceil((end - last) / (cells.step * stride)) + 1)
    nodes = top + np.ceil(stride * np.arange(1, count + 1)).astype(np.int64)
    losses = cells.low + cells.step * nodes
    inner = losses < law.highest_loss
    nodes, losses = (part[: int(inner.sum()) + 1] for part in (nodes, losses))
    edges = law.inverse_loss(losses[inner[: len(losses)]])
    miss = float(np.max(law.loss(edges) - losses[: len(edges)] + law.loss_error(edges), initial=0.0))
    logs = np.append(log_mass, law.log_mass_above(edges))
    logs = np.append(logs, np.full(len(losses) - len(edges), -np.inf))
    above = np.exp(logs - log_mass)
    share = (above[:-1] - above[1:]) + TAIL_ERROR * (1 + np.abs(logs[:-1])) * above[:-1]
    exponents = log_mass + cells.c * losses - cells.shift
    with np.errstate(over="ignore", invalid="ignore"):
        masses = share * np.exp(np.minimum(exponents, 700.0)) * (1 + 16 * UNIT_ROUNDOFF * (1 + np.abs(exponents)) + 2 * LIBM)
    rest = _exp_up(float(logs[-1])) if np.isfinite(logs[-1]) else 0.0
    return nodes, np.where(exponents > 700.0, np.inf, masses), rest, miss


def _exp_up(exponent: float) -> float:
    if exponent > 700:
        return math.inf
    return math.exp(exponent) * (1 + LIBM + 8 * UNIT_ROUNDOFF * (1 + abs(exponent))) + 5e-324


def place_atoms(law: LossLaw, low: float, step: float) -> list[tuple[int, bool, tuple[float, float]]]:
    """(node, whether the atom sits on it, atom) for each atom: the node it sits on within SNAP·h, else the node below."""
    placed = []
    for loss, mass in law.atoms:
        place = (loss - low) / step
        nearest = round(place)
        on_node = abs(place - nearest) * step <= SNAP * step + _atom_error(law, loss, low)
        placed.append((nearest if on_node else math.floor(place), on_node, (loss, mass)))
    return placed


def _atom_error(law: LossLaw, loss: float, low: float) -> float:
    return 32 * UNIT_ROUNDOFF * (1 + abs(loss) + abs(low)) + LIBM * (1 + abs(loss)) + input_error(law)


def input_error(law: LossLaw) -> float:
    """What large parameters add to the error of the atoms' losses, and to the relative error of their masses."""
    return 0.0 if isinstance(law, GaussianMixture) else law.input_error
