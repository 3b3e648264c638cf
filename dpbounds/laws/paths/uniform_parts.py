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
_TINY, _CAREFUL, _LEFT_OUT = 1e-290, 0.99, 5e-5
CELLS = 64
"""Cells of a law."""


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


@dataclass(frozen=True)
class LeastDensity:
    """What the tilted law of a loss has at least between neighbouring ends: `densities`, each times S = `size`."""

    ends: list[arb]
    densities: list[float]
    size: arb

    def decay(self, moment: arb, y: arb) -> arb:
        """The bound from M(x)."""
        lost = arb(0)
        for layer in layers(self.densities):
            width = self.ends[layer.last] - self.ends[layer.first]
            mass = (arb(layer.high) - arb(layer.low)) * width
            if mass > 0:
                lost += mass.lower() * (1 - largest_beyond(arb(width.lower()) * y / 2)).nonnegative_part().lower()
        return arb((moment - self.size * lost).upper())

    def approx_parts(self) -> list[tuple[float, float]]:
        """Masses against S, and lengths."""
        places = [float(end.mid()) for end in self.ends]
        rows = [(layer.high - layer.low, places[layer.last] - places[layer.first]) for layer in layers(self.densities)]
        return [(_CAREFUL * density * width, width) for density, width in rows]


def below(value: arb) -> float:
    """A float that is at most the value, 0 where that is tiny."""
    least = (value * (1 - arb(2) ** -50)).lower()
    return float(least) if least > _TINY else 0.0


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


def bulk(rows: Sequence[tuple[float, float]]) -> tuple[int, int]:
    """First and last of the rows of log masses and places outside of which a small part of the law is left."""
    top = max(mass for mass, _ in rows)
    parts = [math.exp(mass - top) for mass, _ in rows]
    most, first, last = _LEFT_OUT * math.fsum(parts), 0, len(rows) - 1
    left = right = 0.0
    while first < last and left + parts[first] < most:
        left += parts[first]
        first += 1
    while last > first and right + parts[last] < most:
        right += parts[last]
        last -= 1
    return first, last
