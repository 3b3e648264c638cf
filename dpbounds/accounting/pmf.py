"""Certified privacy-loss pmfs on a grid: pessimistic or optimistic, for accountants that compose on.

With x = e^ε, δ is convex and falls in x, and δ = 1 at x = 0. On the grid ε_j = jh, a ≤ j ≤ b, with certified δ_j ∈ [l_j, u_j]:

*Pessimistic.* The polygon through (0, 1), (x_j, u_j) and constant after x_b is the profile of a pmf on the grid (Doroshenko et al. 2022):
the loss ε_j has x_j times the change of slope at x_j, and ∞ has u_b. Masses are rounded down, ∞ gets what is missing, and the result is
then checked in balls: its δ is at least u_j at every grid point, and under Q the masses sum to 1 at most. Chords lie above a convex
function, so its δ is at least the true one everywhere; a pair with the larger profile dominates, compositions included (Zhu, Dong & Wang
2022, Theorem 10).

*Optimistic.* P(L > ε_j) = δ_j − x_j·δ′(x_j+) ≥ l_j + x_j·(l_j − u_{j+1})/(x_{j+1} − x_j) =: t_j, and t_b = l_b. Losses with these tails,
made monotone, are the true ones rounded down, coupled step by step: δ of any composition is at most the true one. What is below ε_a goes
to −∞.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from flint import arb

from dpbounds.accounting.asked import is_upper_bound, read_relation
from dpbounds.accounting.evaluate import evaluate
from dpbounds.errors import InputError, PrecisionError
from dpbounds.mechanisms import Direction, Guarantee, Mechanism, Relation
from dpbounds.mechanisms.pairs import Product, dominating_pairs
from dpbounds.noise.loss_pmf import LossPmf
from dpbounds.numbers import exact
from dpbounds.numbers.balls import ball, precision, to_fraction
from dpbounds.numbers.domains import positive

_DIGITS = 15
_BITS = 200
_UNIT = Fraction(1, 10**18)
"""Masses are multiples of it: shorter text would lose digits of δ, longer text would not help."""
_MOST = 20_000
"""Grid points: each needs a certified δ."""
SIDES = ("pessimistic", "optimistic")


def loss_pmf(
    mechanism: Mechanism,
    spacing: exact.Number,
    low: exact.Number,
    high: exact.Number,
    side: str = "pessimistic",
    *,
    relation: Relation | str | None = None,
    direction: Direction | str = Direction.REMOVE,
    guarantee: Guarantee | str = Guarantee.MECHANISM,
) -> LossPmf:
    """A certified pmf of the privacy loss on multiples of `spacing` from `low` to `high`.

    Args:
        mechanism: what is run, compositions included.
        spacing: h > 0, rational.
        low, high: the grid, low < high, rounded outward to multiples of h.
        side: "pessimistic": δ of the pmf, and of its compositions, is at least the true one. "optimistic": at most.
        direction: REMOVE or ADD; under SUBSTITUTE, and for pairs that are their own mirror image, both are the same.

    Raises:
        InputError: a grid of more than 20,000 points, or an unknown side. PrecisionError: δ at a grid point cannot be had.

    Source: Doroshenko, Ghazi, Kamath, Kumar & Manurangsi 2022 for the pessimistic polygon.

    >>> from dpbounds.mechanisms import RandomizedResponse
    >>> found = loss_pmf(RandomizedResponse(1), 1, -1, 1)
    >>> [float(round(mass, 6)) for mass in found.masses]
    [0.268941, 0.0, 0.731059]
    """
    step = positive(exact.rational(spacing, "spacing"), "spacing")
    first, last = exact.rational(low, "low") // step, -(-exact.rational(high, "high") // step)
    if side not in SIDES:
        raise InputError(f"side must be one of {', '.join(SIDES)}, got {side!r}")
    if last <= first:
        raise InputError(f"low must lie below high, got low {low} and high {high}")
    if last - first >= _MOST:
        raise InputError(f"the grid has at most {_MOST} points between low and high, got {int(last - first) + 1}; take a larger spacing")
    (product,) = dominating_pairs(mechanism, read_relation(relation), _one(mechanism, relation, direction), guarantee, upper_bounds=True)
    if side == "optimistic" and is_upper_bound(product):
        raise InputError("an optimistic pmf needs a pair that is attained; of this mechanism only an upper bound is known")
    grid = range(int(first), int(last) + 1)
    with precision(_BITS):
        points = [_Grid.of_point(product, index * step) for index in grid]
        if side == "optimistic":
            return LossPmf(step, grid[0], _optimistic(points))
        masses = _pessimistic(points)
        return LossPmf(step, grid[0], masses, 1 - sum(masses))


def _one(mechanism: Mechanism, relation: Relation | str | None, direction: Direction | str) -> Direction:
    products = dominating_pairs(mechanism, read_relation(relation), Direction.WORST, Guarantee.PAIR, upper_bounds=True)
    if len(products) == 1:
        return Direction.WORST
    if Direction(direction) is Direction.WORST:
        raise InputError("a pmf is of one direction: remove or add; write one for each")
    return Direction(direction)


class _Grid:
    """x = e^ε and certified ends of δ(ε)."""

    def __init__(self, x: arb, low: arb, high: arb) -> None:
        self.x, self.low, self.high = x, low, high

    @classmethod
    def of_point(cls, product: Product, epsilon: Fraction) -> _Grid:
        x = ball(epsilon).exp()
        if epsilon >= 0:
            found, _ = evaluate(product, epsilon, _DIGITS)
            return cls(x, found.low, found.high)
        mirror = replace(product, factors=tuple(replace(f, reversed=not f.reversed and not f.pair.symmetric) for f in product.factors))
        found, _ = evaluate(mirror, -epsilon, _DIGITS)
        return cls(x, (1 - x + x * found.low).lower(), (1 - x + x * found.high).upper())


def _pessimistic(points: list[_Grid]) -> list[Fraction]:
    for margin in (Fraction(1, 10**15), Fraction(1, 10**13), Fraction(1, 10**11), Fraction(1, 10**9), Fraction(1, 10**7)):
        slope, masses = (1 - points[0].high) / points[0].x, []
        for here, after in zip(points, [*points[1:], None], strict=True):
            following = arb(0) if after is None else (here.high - after.high) / (after.x - here.x)
            masses.append(_rounded((here.x * (slope - following)) * ball(1 - margin)))
            slope = following
        if sum(masses) <= 1 and is_pessimistic(points, masses):
            return masses
    raise PrecisionError("the pmf cannot be certified: delta at the grid points is not known well enough; take a coarser grid")


def is_pessimistic(points: list[_Grid], masses: list[Fraction]) -> bool:
    """Whether δ of the pmf is at least the upper end at every grid point, and Q has a mass of at most 1, in balls."""
    above, below = ball(1 - sum(masses, Fraction(0))), arb(0)
    for point, mass in zip(reversed(points), reversed(masses), strict=True):
        if not above - point.x * below >= point.high:
            return False
        above, below = above + ball(mass), below + ball(mass) / point.x
    return bool(below <= 1)


def _optimistic(points: list[_Grid]) -> list[Fraction]:
    tails = [_rounded(points[-1].low)]
    masses = [tails[0]]
    for here, after in zip(reversed(points[:-1]), reversed(points[1:]), strict=True):
        slope = (here.low - after.high) / (after.x - here.x)
        tail = max(tails[-1], min(Fraction(1), _rounded((here.low + here.x * slope).lower())))
        masses.append(tail - tails[-1])
        tails.append(tail)
    return masses[::-1]


def _rounded(value: arb) -> Fraction:
    """Down to a multiple of the unit, at least 0."""
    low = to_fraction(value.lower())
    if not isinstance(low, Fraction):
        raise PrecisionError("the pmf cannot be certified: delta at a grid point is not known; take a coarser grid")
    return max(Fraction(0), low // _UNIT * _UNIT)
