"""Which of the three routes is best, on all of a rectangle of σ and ε: the blog's Further question 2, as a certified partition.

δ₁ and δ₂ do not grow with σ, and no δ grows with ε; so a corner of a cell bounds them on the cell. In
δ₃ = exp(T·log C(rσ, c₂) − (⌊c₂σ²⌋ − 1)ε) the first term grows with σ (for c₂(rσ)² ≤ 1, where each moment in C is taken at a noise that does
not depend on c₁) and the second falls, so that each is taken at its own end of the cell.

Every δ is continuous and does not grow with ε, so the best route by δ at (σ, ε) is also the one that gives the least ε at that σ and δ:
if δᵢ(ε) < δⱼ(ε), route i reaches δⱼ(ε) at an ε that is no larger.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from dpbounds.budgets.routes.constant import constant_of
from dpbounds.budgets.routes.deltas import route_1_of, route_2_of
from dpbounds.errors import InputError
from dpbounds.numbers import exact
from dpbounds.numbers.balls import Ball, ball, precision
from dpbounds.numbers.domains import at_least_one, positive
from dpbounds.numbers.precise import as_ball

_BITS = 96
_DIGITS = 3  # of Route 1's minimum and of log C: the borders between the routes are resolved by the size of the cells, not by these

Range = tuple[Fraction, Fraction]


@dataclass(frozen=True)
class RouteCell:
    """A rectangle and the route with the least δ everywhere on it.

    Args:
        sigma, epsilon: closed ranges.
        best: 1, 2 or 3; 0 where no route says anything (all are 1); None where that is not decided.
    """

    sigma: Range
    epsilon: Range
    best: int | None

    @property
    def area(self) -> Fraction:
        """(σ₁ − σ₀)(ε₁ − ε₀)."""
        return (self.sigma[1] - self.sigma[0]) * (self.epsilon[1] - self.epsilon[0])


@dataclass(frozen=True)
class Partition:
    """Cells that cover a rectangle and meet at their edges only."""

    cells: tuple[RouteCell, ...]

    def share(self, best: int | None) -> float:
        """The share of the area with this answer."""
        return float(sum(cell.area for cell in self.cells if cell.best == best) / sum(cell.area for cell in self.cells))


def partition_of(
    sigma: tuple[exact.Number, exact.Number],
    epsilon: tuple[exact.Number, exact.Number],
    r: exact.Number,
    epochs: exact.Number,
    c2: exact.Number = 1,
    depth: int = 6,
) -> Partition:
    """The best route on a rectangle of σ and ε, at one rate and number of epochs.

    Args:
        sigma, epsilon: ranges, 0 < low < high.
        r, epochs: as in `route_1_of`; c₂(rσ)² ≤ 1 on the range.
        c2: of Route 3.
        depth: cells are halved at most so often, in σ and ε alike: what is left undecided shrinks by half each time.

    Returns:
        Cells whose answers are certified.

    Source: Yuchen 2019, "Comparison among different methods" and Further question 2.

    >>> partition_of((1, "5/4"), (1, "5/4"), "1/1000", 1, depth=0).cells[0].best
    1
    """
    noises, levels = _range(sigma, "sigma"), _range(epsilon, "epsilon")
    rate, count, share = positive(r, "r (the sampling rate)"), at_least_one(epochs, "epochs"), positive(c2, "c2")
    steps = exact.integer(count / rate, "the number of steps, epochs/r")
    if share * (rate * noises[1]) ** 2 > 1:
        raise InputError(f"c2 (r sigma)^2 must be at most 1 on the range, got sigma up to {noises[1]}")
    first = cache(lambda noise, level: route_1_of(level, noise, rate, count, _DIGITS))
    second = cache(lambda noise, level: route_2_of(level, noise, count))
    logarithm = cache(lambda noise: constant_of(rate * noise, share, _DIGITS).value.ball().log())

    def third(slow: Fraction, fast: Fraction, level: Fraction) -> Ball:
        """δ₃ with C at one noise and the order at another."""
        order = int(share * fast**2)
        return ball(1) if order < 2 else (steps * logarithm(slow) - (order - 1) * as_ball(level)).exp().min(ball(1))

    def answer(low: Fraction, high: Fraction, near: Fraction, far: Fraction) -> int | None:
        least = (first(high, far).ball().lower(), second(high, far).ball().lower(), third(low, high, far).lower())
        most = (first(low, near).ball().upper(), second(low, near).ball().upper(), third(high, low, near).upper())
        for route in range(3):
            if all(most[route] < least[other] for other in range(3) if other != route):
                return route + 1
        return 0 if all(value >= 1 for value in least) else None

    cells: list[RouteCell] = []
    with precision(_BITS):
        open_cells = [(noises, levels, 0)]
        while open_cells:
            (low, high), (near, far), level = open_cells.pop()
            best = answer(low, high, near, far)
            if best is not None or level == depth:
                cells.append(RouteCell((low, high), (near, far), best))
                continue
            middle, half = (low + high) / 2, (near + far) / 2
            open_cells += [(s, e, level + 1) for s in ((low, middle), (middle, high)) for e in ((near, half), (half, far))]
    return Partition(tuple(sorted(cells, key=lambda cell: (cell.sigma, cell.epsilon))))


def _range(ends: tuple[exact.Number, exact.Number], name: str) -> Range:
    low, high = (exact.rational(end, name) for end in ends)
    if not 0 < low < high:
        raise InputError(f"the range of {name} must have 0 < low < high, got {low} to {high}")
    return low, high
