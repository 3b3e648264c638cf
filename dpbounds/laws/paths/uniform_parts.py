"""Decay of |M(x + iy)| where the density of the loss is bounded below, whatever else the law has.

Let the law of L, tilted by e^{xL} and divided by a number S, have at least the density d_j in the j-th of neighbouring cells. A function
that is constant on cells is a sum of functions that are constant on an interval and 0 elsewhere: the least d_j over all of them, then
what is left on both sides of the least one, and so on (`layers`). With m_i the masses and w_i the lengths of these uniform parts, the rest
is a positive measure of mass M(x)/S − Σm_i, and a part turns to m_i·sin(t)/t, t = yw_i/2, in modulus. So

    |M(x+iy′)| ≤ M(x) − S·Σ m_i(1 − s(yw_i/2))    for every y′ ≥ y,    s(t) ≥ |sin t′/t′| for all t′ ≥ t.

sin(t)/t falls from 0 to π. Beyond π, |sin t|/t is largest where tan t = t, and there it is 1/√(1+t²); the first such t is above 4.49, as
tan t < t from π to 4.49. So s(t) = max(sin(t)/t, 1/√(1 + 4.49²)) up to 3, and min(1/t, 1/√(1 + 4.49²)) beyond.

Near y = 0 this falls like a normal density of variance Σ m_iw_i²/12, for S = M(x), which is nearly that of the law: many uses need no more.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from flint import arb

_SIDE_LOBE = "4.49"


@dataclass(frozen=True)
class Layer:
    """Between two heights of a density, from one end of a cell to another, by their numbers."""

    low: float
    high: float
    first: int
    last: int


def layers(densities: Sequence[float]) -> list[Layer]:
    """Intervals whose heights add up to the densities, from the bottom up."""
    found: list[Layer] = []
    waiting = [(0.0, 0, len(densities))]
    while waiting:
        low, first, last = waiting.pop()
        if first == last:
            continue
        least = min(range(first, last), key=densities.__getitem__)
        if densities[least] > low:
            found.append(Layer(low, densities[least], first, last))
        waiting += [(max(low, densities[least]), first, least), (max(low, densities[least]), least + 1, last)]
    return found


def largest_beyond(t: arb) -> arb:
    """s(t), t ≥ 0."""
    side = 1 / (1 + arb(_SIDE_LOBE) ** 2).sqrt()
    if t >= 3:
        return arb(side.min(1 / t).upper())
    return arb(side.max(t.sin() / t if t > 0 else arb(1)).upper())


def uniform_parts_decay(moment: arb, scale: arb, densities: Sequence[float], ends: Sequence[arb], y: arb) -> arb:
    """The bound from M(x), S, the d_j and the ends of the cells in order."""
    lost = arb(0)
    for layer in layers(densities):
        width = ends[layer.last] - ends[layer.first]
        mass = (arb(layer.high) - arb(layer.low)) * width
        if mass > 0:
            lost += mass.lower() * (1 - largest_beyond(arb(width.lower()) * y / 2)).nonnegative_part().lower()
    return arb((moment - scale * lost).upper())


def approx_uniform_decay(parts: Sequence[tuple[float, float]], y: float) -> float:
    """About log(bound/M(x)) from masses against M(x), and lengths."""
    lost = 0.0
    for mass, width in parts:
        t = y * width / 2
        if t < 1e-2:
            lost += mass * t * t / 6
        else:
            lost += mass * (1 - (max(0.2174, math.sin(t) / t) if t < 3 else min(0.2174, 1 / t)))
    return math.log1p(-min(lost, 1 - 1e-16))
