"""The optimistic twin of connect-the-dots: a lattice distribution that the true pair dominates.

Put V_i = H(x_i) − E_i with E_i ≥ the largest gap g between H and its chord in the two cells next to node i. The chord of V in a cell
is at most chord(H) − min(E_i, E_{i+1}) ≤ H, so the interpolation of V lies below H; where it is convex, with slopes in [−1, 0] and
above (1−x)₊, it is the hockey-stick curve of a pair that the true pair dominates.

*Gap.* For dQ on a cell of width Δ with density f of X = e^L, chord − H solves g″ = −f with zero ends, so g ≤ Δ²·max f/8, and
max f ≤ (r/Δ)e^D, r the cell's Q-mass and D the variation of log f over the cell; always g ≤ Δr/4. In units of H:
E_cell = κ·(e^Δ−1)·p_i, Δ from here on the cell's width in the loss, with κ = min(1/4, e^D/8), because x_i·r ≤ p_i. Second differences
of E lower the P-mass of node i by [(E_{i+1}−E_i)/(e^{Δ_i}−1) − (E_i−E_{i−1})/(1−e^{−Δ_{i−1}})].

*Ends.* H and V are those of the density part alone, of P-mass a and Q-mass b; its curve lies above (a − bx)₊. At an inner node i0 the
curve continues to the left along the tangent of H, lowered by E_{i0}, until it meets a − bx. This needs V_{i0} ≥ a − bx_{i0} and the
tangent slope below the first chord's; the same on the right with 0. The kink at the meeting point is x = E_Q[X | X < x_{i0}] +
E_{i0}/Q_left with Q-mass Q_left, hence P-mass P_left + E_{i0}; on the right E_Q[X | X > x_{i1}] − E_{i1}/Q_right, P-mass P_right − E_{i1}.
Those kinks are then moved down to a node: less loss, and less P-mass, can only lower δ = E_P(1 − e^{ε−S})₊. Where the law has an atom at
its lower end, node 0 is exact (E_0 = 0): the chord of the first cell leaves H at x_0 as fast as λΔr (λ = position in the cell), so
E_1 ≥ 4·E_cell is taken there, and E falls from there over RAMP cells (any larger E is as valid): a sudden fall would make the mass of
node 2 negative. The same on the right. Of a single cell one end at most is exact: with E = 0 at both, V would be the chord of H itself.
The chords are those of cells between inner nodes or exact ends, hence of cells that the density fills, as the gap needs: a first or last
cell which it fills only in part lies beyond i0 or i1, since its outer node, with no mass further out, fails the condition there.

Atoms on nodes have no gap. Atoms between nodes are moved down to the node below, which keeps their P-mass and lowers the loss.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from dpbounds.errors import PrecisionError
from dpbounds.float64.cells import Cells
from dpbounds.float64.connect_the_dots import input_error, mass_allowance, node_masses, place_atoms
from dpbounds.float64.laws import LossLaw
from dpbounds.float64.logarithms import Array
from dpbounds.float64.rounding import LIBM, UNIT_ROUNDOFF

RAMP = 8
_WIDEST = 700.0
GAP_INFLATION = 1.0 + 2e-4
"""Covers the relative errors of p_i (ζ ≤ 1e-4, or `_core` declines) and of e^Δ − 1 (2η/(1−e^{−Δ}) ≤ ζ/3)."""
_UNDERFLOW = 1e-240
"""Far above what a product of exponentials may be off where it underflows."""


@dataclass(frozen=True, eq=False)
class Optimistic:
    """A lattice distribution below the truth: places and tilted masses there.

    Attributes:
        collapsed: how far which tilted mass was moved down to a node where cells were collapsed (distances in units of loss).
        run: the first and the last node of the density part that were not collapsed.
    """

    places: Array
    masses: Array
    collapsed: tuple[tuple[float, float], ...] = ()
    run: tuple[int, int] | None = None


def optimistic(
    law: LossLaw, cells: Cells | None, low: float, step: float, c: float, shift: float, within: tuple[int, int] | None = None
) -> Optimistic:
    """Masses below the truth; nodes outside `within` are collapsed."""
    atoms: dict[int, float] = {}
    sits: set[int] = set()
    for place, on_node, (loss, mass) in place_atoms(law, low, step):
        if place < 0:
            continue
        exponent = c * (low + step * place) - shift
        error = 32 * UNIT_ROUNDOFF + 2 * LIBM + (LIBM + 8 * UNIT_ROUNDOFF) * (abs(exponent) + abs(shift) + abs(loss)) + input_error(law)
        atoms[place] = atoms.get(place, 0.0) + mass * math.exp(min(exponent, 700.0)) * (1 - error)
        if on_node:
            sits.add(place)
    places, masses = np.zeros(0, dtype=np.int64), np.zeros(0)
    collapsed: list[tuple[float, float]] = []
    run: tuple[int, int] | None = None
    if cells is not None:
        places, last = cells.places, int(cells.places[-1])
        left_atom, right_atom = (atoms[place] if place in sits else 0.0 for place in (0, last))
        masses, run, used_left, used_right = _core(law, cells, left_atom, right_atom, within or (0, cells.count), collapsed)
        for place, used in ((0, used_left), (last, used_right)):
            if used:
                del atoms[place]
    alone = np.array(sorted(atoms), dtype=np.int64)
    masses = np.concatenate((masses, [atoms[int(place)] for place in alone]))
    return Optimistic(np.concatenate((places, alone)), masses, tuple(collapsed), run)


def _gaps(law: LossLaw, cells: Cells) -> Array:
    """E_cell, tilted at the left node."""
    slopes = law.tilt_slope(cells.edges)  # type: ignore[union-attr]
    with np.errstate(invalid="ignore", over="ignore"):
        variation = np.maximum(slopes[:-1], slopes[1:]) * np.diff(cells.edges)
        kappa = np.minimum(0.25, 0.125 * np.exp(np.minimum(variation, 1.0)))
    return GAP_INFLATION * kappa * np.expm1(cells.widths) * cells.mass


def _core(
    law: LossLaw, cells: Cells, left_atom: float, right_atom: float, within: tuple[int, int], collapsed: list[tuple[float, float]]
) -> tuple[Array, tuple[int, int], bool, bool]:
    """Optimistic masses of the density part on the longest run of nodes where all conditions hold, the run, and whether the atoms at
    nodes 0 and n are inside it. An exact end that does not work out is tried again without its atom. What is collapsed is added to the
    list."""
    if not float(np.max(cells.widths)) < _WIDEST:
        raise PrecisionError(f"a cell of the lattice is {float(np.max(cells.widths)):.3g} wide; e to that power overflows")
    if not float(np.max(cells.relative_error)) <= 1e-4:
        raise PrecisionError("the masses of the lattice carry rounding errors beyond 1e-4 of themselves")
    n, up = cells.count, np.exp(cells.c * cells.widths)
    if n == 1 and left_atom > 0:
        right_atom = 0.0
    with np.errstate(over="ignore", invalid="ignore"):  # what overflows is refused below
        gaps = _gaps(law, cells)
        left_gap, right_gap = np.append(gaps, 0.0), np.append(0.0, gaps * up)
        if left_atom > 0:
            left_gap[0], right_gap[1] = 0.0, 4 * right_gap[1]
        if right_atom > 0:
            right_gap[n], left_gap[n - 1] = 0.0, 4 * left_gap[n - 1]
        ends = np.maximum(left_gap, right_gap)
        ramp = min(RAMP, n // 4)
        fall_off = 1 - np.arange(1, ramp) / max(ramp, 1)
        if left_atom > 0 and ramp > 1:
            ends[2 : ramp + 1] = np.maximum(ends[2 : ramp + 1], ends[1] * np.cumprod(up[1:ramp]) * fall_off)
        if right_atom > 0 and ramp > 1:
            inward = ends[n - 1] / np.cumprod(up[n - ramp : n - 1][::-1]) * fall_off
            ends[n - ramp : n - 1] = np.maximum(ends[n - ramp : n - 1], inward[::-1])
    forward, backward = np.expm1(cells.widths), -np.expm1(-cells.widths)
    if not float(np.sum(ends)) < 1e60:
        raise PrecisionError("the tilted tail of the lattice overflows")
    rise = np.append((ends[1:] / up - ends[:-1]) / forward, 0.0)
    fall = np.append(0.0, (ends[1:] - ends[:-1] * up) / backward)
    narrow = np.minimum(np.append(backward, 1.0), np.append(1.0, backward))
    allowance = 2 * mass_allowance(cells) + 16 * UNIT_ROUNDOFF * (np.abs(rise) + np.abs(fall) + ends / narrow)
    density = node_masses(cells)
    masses = density - (rise - fall) - allowance
    masses[0] += left_atom
    masses[n] += right_atom
    good = masses > 0
    good[0] &= left_atom > 0
    good[n] &= right_atom > 0
    first, last = _longest_run(good)
    first, last = max(first, within[0]), min(last, within[1])
    if (left_atom > 0 and first > 0) or (right_atom > 0 and last < n):
        return _core(law, cells, left_atom if first == 0 else 0.0, right_atom if last == n else 0.0, within, collapsed)
    kept = np.zeros(n + 1)
    if first > last:
        return kept, (first, last), False, False
    if left_atom == 0:
        first = _left_end(cells, density, ends, rise, allowance, first, last)
    if right_atom == 0:
        last = _right_end(cells, density, ends, fall, allowance, first, last)
    if first > last:
        return kept, (first, last), False, False
    kept[first : last + 1] = masses[first : last + 1]
    if left_atom == 0:
        at_end = cells.left[first - 1] - rise[first - 1] - allowance[first - 1]
        collapsed += _collapse_left(cells, first - 1, kept, float(ends[first - 1]), at_end)
    if right_atom == 0:
        at_end = cells.right[last] * up[last] + fall[last + 1] - allowance[last + 1]
        collapsed += _collapse_right(cells, last + 1, kept, float(ends[last + 1]), at_end)
    return kept, (first, last), left_atom > 0, right_atom > 0


def _collapse_left(cells: Cells, i0: int, kept: Array, gap_end: float, at_end: float) -> list[tuple[float, float]]:
    """Add the left tail at the node below its meeting point, and what is left at node i0. Untilting is scaled by e^{−lift} so that the
    largest part of P_left is 1, Q_left by e^{−gap_0} besides: underflow then costs less than `lost`, which is taken from one and added to
    the other. What cannot be scaled so is left out: less mass is as valid."""
    kept[i0] += max(at_end, 0.0)
    if i0 == 0:
        return []
    gap = cells.step * (cells.places[i0] - cells.places[:i0])
    p, q = cells.mass[:i0] * (1 - 2 * cells.relative_error[:i0]), _mass_of_q(cells, slice(i0))
    with np.errstate(divide="ignore"):
        lift = max(0.0, float(np.max(cells.c * gap + np.log(p))))
    exponents = cells.c * gap - lift
    if not float(np.max(exponents)) < 600.0:
        return []
    untilt, lost = np.exp(exponents), _UNDERFLOW * (i0 + float(np.sum(cells.mass[:i0])))
    p_left, q_left = float(np.sum(p * untilt)) - lost, float(np.sum(q * untilt * np.exp(gap - gap[0]))) + lost
    p_left += gap_end * math.exp(-lift)
    if not p_left > 0:
        return []
    return [_add_collapsed(cells, 0, i0, math.log(p_left / q_left) - float(gap[0]), p_left, lift, kept)]


def _collapse_right(cells: Cells, i1: int, kept: Array, gap_end: float, at_end: float) -> list[tuple[float, float]]:
    """Add the right tail at the node below its meeting point, and what is left at node i1."""
    kept[i1] += max(at_end, 0.0)
    if i1 >= cells.count:
        return []
    back = cells.step * (cells.places[i1:-1] - cells.places[i1])
    p = cells.mass[i1:] * (1 - 2 * cells.relative_error[i1:]) * np.exp(-np.minimum(cells.c * back, 745.0))
    q_right = float(np.sum(_mass_of_q(cells, slice(i1, None)) * np.exp(-np.minimum((cells.c + 1) * back, 745.0))))
    p_right = float(np.sum(p)) - gap_end
    if not p_right > 0:
        return []
    return [_add_collapsed(cells, i1, i1, math.log(p_right / q_right), p_right, 0.0, kept)]


def _mass_of_q(cells: Cells, inside: slice) -> Array:
    """∫ x_i q of each cell, rounded up: r_i = ∫ (p − x_i q)/(1−e^{−Δ}), so it is p_i − r_i(1−e^{−Δ}), two errors of ζ_i·p_i."""
    spans = -np.expm1(-cells.widths[inside])
    return np.asarray(cells.mass[inside] * (1 + 3 * cells.relative_error[inside]) - cells.right[inside] * spans)


def _add_collapsed(cells: Cells, least: int, i: int, beyond: float, mass: float, lift: float, kept: Array) -> tuple[float, float]:
    """Add untilted mass at the node at or below s_i + `beyond`, but not below node `least`; `mass`·e^lift is tilted by
    e^{c·s_i − κ}. The mass there, and how far it was moved down."""
    target = int(cells.places[i]) + beyond / cells.step
    node = max(least, _node_below(cells, math.floor(target - 1e-6)))
    place = int(cells.places[node])
    exponent = cells.c * cells.step * float(place - int(cells.places[i])) + lift
    added = mass * (1 - 1e-9) * math.exp(min(exponent, 700.0))
    kept[node] += added
    return added, max(0.0, cells.step * (target - place))


def _node_below(cells: Cells, place: int) -> int:
    """The last node at or below a place."""
    return max(0, int(np.searchsorted(cells.places, place, side="right")) - 1)


def _longest_run(good: Array) -> tuple[int, int]:
    """The first and the last node of the longest run of good nodes, (1, 0) where none is."""
    changes = np.flatnonzero(np.diff(np.concatenate(([0], good.view(np.int8), [0]))))
    starts, ends = changes[::2], changes[1::2]
    if not len(starts):
        return 1, 0
    longest = int(np.argmax(ends - starts))
    return int(starts[longest]), int(ends[longest]) - 1


def _left_end(cells: Cells, mass: Array, ends: Array, rise: Array, allowance: Array, first: int, last: int) -> int:
    """The first kept node: the node before it, i0, must satisfy both end conditions; searched upwards."""
    jump = 1
    while first <= last:
        i0 = first - 1
        slope_condition = cells.left[i0] - rise[i0] - allowance[i0] >= 0
        if slope_condition and _below(cells, mass, i0) >= 1.001 * ends[i0]:
            return first
        first, jump = first + max(1, jump // 16), jump + max(1, jump // 4)
    return first


def _right_end(cells: Cells, mass: Array, ends: Array, fall: Array, allowance: Array, first: int, last: int) -> int:
    """The last kept node, searched downwards; i1 = last + 1."""
    jump = 1
    while first <= last:
        i1 = last + 1
        slope_condition = cells.right[i1 - 1] * math.exp(cells.c * float(cells.widths[i1 - 1])) + fall[i1] - allowance[i1] >= 0
        if slope_condition and _above(cells, mass, i1) >= 1.001 * ends[i1]:
            return last
        last, jump = last - max(1, jump // 16), jump + max(1, jump // 4)
    return last


def _below(cells: Cells, mass: Array, i: int) -> float:
    """E_Q(x_i − X)₊ from the nodes below i, tilted at node i (exact at nodes but for rounding, which the caller's margin covers)."""
    gap = cells.step * (cells.places[i] - cells.places[:i])
    with np.errstate(over="ignore"):
        return float(np.sum(mass[:i] * np.exp(np.minimum(cells.c * gap, 700.0)) * np.expm1(np.minimum(gap, 700.0))))


def _above(cells: Cells, mass: Array, i: int) -> float:
    """E_Q(X − x_i)₊ from the nodes above i, tilted at node i."""
    gap = cells.step * (cells.places[i + 1 :] - cells.places[i])
    return float(np.sum(mass[i + 1 :] * np.exp(-np.minimum(cells.c * gap, 745.0)) * -np.expm1(-gap)))
