"""Truncated Poisson batches as one law: every step tells whether its batch was full, so M is a mean of two.

A step is full with probability τ = P(Bin(n−1, q) ≥ b) under P and under Q alike, and tells so (`mechanisms.pairs.TruncatedPair`). Its
outcomes are those of two pairs side by side, with the masses 1 − τ and τ, and what is said of one M holds of both together:

    M(z) = (1−τ)·M_plain(z) + τ·M_full(z),    |M(x+iy)| ≤ (1−τ)·B_plain(y) + τ·B_full(y),

the largest loss is the larger of both, and noise that is cut in each part loses (1−τ)·(mass of the one) + τ·(mass of the other).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from flint import acb, arb

from dpbounds.laws.contour_factor import ContourFactor, Need
from dpbounds.laws.law import Law, law_of, registered_law
from dpbounds.mechanisms.pairs import TruncatedPair
from dpbounds.numbers.binomial import chance_of_at_least


@dataclass
class MeanFactor(ContourFactor):
    """M = Σ w_i·M_i of factors that have the number of uses too: for them it says how exact they have to be."""

    weights: Sequence[arb]
    parts: Sequence[ContourFactor]
    steps: int = 1

    @property
    def absolutely_continuous(self) -> bool:  # type: ignore[override]
        """Where all parts are."""
        return all(part.absolutely_continuous for part in self.parts)

    @property
    def both_sides(self) -> bool:  # type: ignore[override]
        """Where all parts have M on both sides."""
        return all(part.both_sides for part in self.parts)

    @property
    def between_poles(self) -> bool:
        """Where all parts have M between the poles."""
        return all(part.between_poles for part in self.parts)

    @property
    def largest_loss(self) -> float:  # type: ignore[override]
        """The largest of all."""
        return max(part.largest_loss for part in self.parts)

    @property
    def largest_tilt(self) -> float:  # type: ignore[override]
        """The smallest of all."""
        return min(part.largest_tilt for part in self.parts)

    @property
    def largest_back_tilt(self) -> float:  # type: ignore[override]
        """The smallest of all."""
        return min(part.largest_back_tilt for part in self.parts)

    @property
    def cut(self) -> float | None:  # type: ignore[override]
        """Where some part is cut."""
        return next((part.cut for part in self.parts if part.cut is not None), None)

    def _logs(self) -> list[float]:
        return [float(weight.log().mid()) if weight > 0 else -1e300 for weight in self.weights]

    def approx_log_moments(self, x: float) -> tuple[float, float, float]:
        """K(x), K′(x), K″(x) in float64."""
        rows = [part.approx_log_moments(x) for part in self.parts]
        sizes = [weight + row[0] for weight, row in zip(self._logs(), rows, strict=True)]
        top = max(sizes)
        shares = [math.exp(size - top) for size in sizes]
        total = sum(shares)
        mean = sum(share * row[1] for share, row in zip(shares, rows, strict=True)) / total
        second = sum(share * (row[2] + (row[1] - mean) ** 2) for share, row in zip(shares, rows, strict=True)) / total
        return top + math.log(total), mean, second

    def approx_drop(self, x: float, y: float) -> float:
        """At least about log M(x) − log|M(x+iy)|, from the moduli."""
        return -self._mean_log(x, [-part.approx_drop(x, y) for part in self.parts])

    def approx_decay(self, x: float, y: float) -> tuple[float, Any]:
        """About log(decay/M), and the hints of all parts."""
        rows = [part.approx_decay(x, y) for part in self.parts]
        return self._mean_log(x, [row[0] for row in rows]), tuple(row[1] for row in rows)

    def approx_decay_near(self, x: float, y: float, hint: Any) -> float:
        """By their hints."""
        return self._mean_log(x, [part.approx_decay_near(x, y, own) for part, own in zip(self.parts, hint, strict=True)])

    def _mean_log(self, x: float, falls: Sequence[float]) -> float:
        """log Σ w_i·M_i(x)e^{fall_i}/M(x)."""
        whole, logs = self.approx_log_moments(x)[0], self._logs()
        rows = [weight + part.approx_log_moments(x)[0] + fall - whole for weight, part, fall in zip(logs, self.parts, falls, strict=True)]
        top = max(rows)
        return top + math.log(sum(math.exp(row - top) for row in rows))

    def moment(self, x: arb) -> arb:
        """A ball around M(x)."""
        return sum((weight * part.moment(x) for weight, part in zip(self.weights, self.parts, strict=True)), arb(0))

    def line(self, x: arb, h: arb, count: int, need: Need) -> list[acb]:
        """Balls around M(x + ijh)."""
        rows = [part.line(x, h, count, need) for part in self.parts]
        return [sum((w * value for w, value in zip(self.weights, column, strict=True)), acb(0)) for column in zip(*rows, strict=True)]

    def decay(self, x: arb, y: arb, hint: Any) -> arb:
        """The mean of those of the parts."""
        rows = zip(self.weights, self.parts, hint, strict=True)
        return sum((weight * part.decay(x, y, own) for weight, part, own in rows), arb(0))

    def loss_bound(self) -> arb:
        """The largest of all."""
        first, *others = [part.loss_bound() for part in self.parts]
        for other in others:
            first = first.max(other)
        return first

    def cut_at(self, level: float) -> float | None:
        """The level itself, which each part reads in its own way; None where none is cut."""
        return None if all(part.cut_at(level) is None for part in self.parts) else level

    def with_cut(self, cut: float | None) -> MeanFactor:
        """All parts cut at the level."""
        return replace(self, parts=[part.with_cut(None if cut is None else part.cut_at(cut)) for part in self.parts])

    def cut_mass(self) -> arb:
        """A bound on the mass that P or Q lose in one step."""
        return sum((weight * part.cut_mass() for weight, part in zip(self.weights, self.parts, strict=True)), arb(0))

    def room(self, x: float) -> float:
        """The least of all."""
        return min(part.room(x) for part in self.parts)

    def ends_before(self, x: float, level: float, tolerance: float) -> bool:
        """Whether all parts do."""
        return all(part.ends_before(x, level, tolerance) for part in self.parts)


@dataclass(frozen=True)
class FullBatchesLaw(Law):
    """A step whose batch may be full: the laws of one that is not and of one that is."""

    pair: TruncatedPair
    reversed: bool
    note = "for a step that tells whether its batch was full"

    def laws(self) -> tuple[Law, Law]:
        """Not full, and full."""
        plain, full = law_of(self.pair.uncut, self.reversed), law_of(self.pair.pushing, self.reversed)
        assert plain is not None and full is not None
        return plain, full

    def factor(self, steps: int, most: float = 0.0) -> MeanFactor:
        """The mean of both."""
        rate = chance_of_at_least(self.pair.others, self.pair.q, self.pair.limit)
        return MeanFactor([1 - rate, rate], [law.factor(steps, most) for law in self.laws()], steps)

    def swapped(self) -> FullBatchesLaw:
        """The other order."""
        return FullBatchesLaw(self.pair, not self.reversed)

    def largest_loss(self) -> arb | None:
        """The larger of both: q·b/(b+1) is less than q."""
        largest = self.laws()[0].largest_loss()
        assert largest is None or isinstance(largest, arb)
        return largest


@registered_law.register(TruncatedPair)
def _(pair: TruncatedPair, reversed: bool) -> Law | None:
    if pair.q == 1:  # all others are drawn
        return law_of(pair.uncut if pair.others < pair.limit else pair.pushing, reversed)
    return None if pair.q == 0 else FullBatchesLaw(pair, reversed)
