"""Connect-the-dots: the pessimistic lattice distribution, whose hockey-stick curve interpolates the true one at the nodes.

H(x) = E_Q(e^L − x)₊ is convex; the piecewise linear interpolation through its values at x_i = e^{s_i} is convex and lies above it, so
its pair dominates the true pair, also after composition (Doroshenko, Ghazi, Kamath, Kumar & Manurangsi 2022, "Connect the Dots",
Thm 3; domination under composition: Zhu, Dong & Wang 2022, Thm 10). On masses: each cell's P- and Q-mass moves to its two ends so
that both are kept. Mass outside the lattice is moved up: below node 0 to node 0, above the top to dyadic nodes and finally to infinity.
Moving P-mass to a larger loss can only raise δ = E_P(1 − e^{ε−S})₊, and so can adding P-mass: rounding errors are added.
"""

from __future__ import annotations

import math

import numpy as np

from dpbounds.accountants.cells import Cells
from dpbounds.accountants.losses import Array, GaussianMixture, LossLaw
from dpbounds.accountants.rounding import LIBM, UNIT_ROUNDOFF

SNAP = 1e-8


def node_masses(cells: Cells) -> Array:
    """Tilted connect-the-dots masses at the nodes 0 … n of the density part, before any rounding allowance."""
    masses = np.zeros(cells.count + 1)
    masses[:-1] = cells.left
    masses[1:] += cells.right * math.exp(cells.c * cells.step)
    return masses


def mass_allowance(cells: Cells) -> Array:
    """What rounding and quadrature can have changed in each node's tilted mass: ζ_i·p_i of its two cells."""
    allowance = np.zeros(cells.count + 1)
    doubt = cells.relative_error * cells.mass
    allowance[:-1] = doubt
    allowance[1:] += doubt * math.exp(cells.c * cells.step)
    return allowance


def pessimistic(
    law: LossLaw, cells: Cells | None, low: float, step: float, c: float, shift: float, log_goal: float
) -> tuple[dict[int, float], Array, float, float]:
    """Masses above the truth: (far nodes, nodes 0 … n, infinite mass, loss error).

    Args:
        cells: the density part, or None. low, step, c, shift: the lattice and the tilt.
        log_goal: log of an untilted tail mass that may go to infinity.
    """
    far: dict[int, float] = {}
    infinite, loss_error = law.infinite_mass, 0.0
    masses = np.zeros(1)
    if cells is not None:
        masses = node_masses(cells) + mass_allowance(cells)
        loss_error = cells.loss_error
        if isinstance(law, GaussianMixture):
            masses[0] += _exp_up(law.log_mass_below(float(cells.edges[0])) + c * low - shift)
            infinite += _right_tail(law, cells, far, log_goal)
    for node, on_node, (loss, mass) in place_atoms(law, low, step):
        error = _atom_error(loss, low)
        weight = mass * (1 + 32 * UNIT_ROUNDOFF + LIBM * (1 + abs(loss)))
        if on_node:
            loss_error = max(loss_error, abs(loss - (low + step * node)) + error)
            shares = {node: weight}
        else:
            right = -math.expm1(low + step * node - loss) / -math.expm1(-step)
            slack = 8 * error / step + 32 * UNIT_ROUNDOFF
            shares = {node: weight * (1 - right + slack), node + 1: weight * (right + slack)}
        for target, share in shares.items():
            far[target] = far.get(target, 0.0) + share * _exp_up(c * (low + step * target) - shift)
    return far, masses, infinite, loss_error


def _right_tail(law: GaussianMixture, cells: Cells, far: dict[int, float], log_goal: float) -> float:
    """Move the mass above the last node to dyadic nodes beyond it; returns what is left for infinity."""
    node, stride = cells.count, 1
    t = float(cells.edges[-1])
    last = cells.low + cells.step * node
    if last >= law.highest_loss - 1e-3 * cells.step:
        far[node] = _exp_up(law.log_mass_above(t) + cells.c * last - cells.shift)
        return 0.0
    for _ in range(64):
        log_mass = law.log_mass_above(t)
        if log_mass <= log_goal:
            return _exp_up(log_mass)
        target = node + stride
        loss = cells.low + cells.step * target
        share = _exp_up(log_mass + cells.c * loss - cells.shift)
        far[target] = far.get(target, 0.0) + share
        if loss >= law.highest_loss:
            return 0.0
        t = float(law.inverse_loss(np.array([loss]))[0])
        t -= 64 * UNIT_ROUNDOFF * (abs(t) + law.sigma)
        node, stride = target, 2 * stride
    return _exp_up(law.log_mass_above(t))


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
        on_node = abs(place - nearest) * step <= SNAP * step + _atom_error(loss, low)
        placed.append((nearest if on_node else math.floor(place), on_node, (loss, mass)))
    return placed


def _atom_error(loss: float, low: float) -> float:
    return 32 * UNIT_ROUNDOFF * (1 + abs(loss) + abs(low)) + LIBM * (1 + abs(loss))
