"""E(S)₊ for few copies of a `blanket.BlanketLaw`, from both sides, on a lattice of spacing h: a few digits where no contour ends.

Cut the values of X into cells; a cell has the mass w and the first moment m.

* **Below.** E(S)₊ ≥ E[S; A] for every event A. With A = {ΣK_i > 0}, K_i the lattice index nearest to X_i, the summands are alike, so
  that E[S; A] = n·Σ_cells m·P(K_2 + … + K_n > −k).
* **Above.** (x + rest)₊ is convex in x. So E(S)₊ does not fall where the mass between two lattice points is spread to both of them with
  its mean kept.

Both are off by about h². The messages whose loss is between 0 and t have the masses ∫ρ and ∫e^tρ under the less likely and the likelier
input, and m is a difference of them: p_0 − e^ε p_1. The Gaussian law is cut at t = T, that is at the distance a·σ from the nearer input:
what is cut moves to X = 0. The positive part of what is cut away adds at most Φ(−a), the negative part at most e^ε·Φ(−a) where
e^T ≥ e^ε − 1; else no X that is left is positive, and the end below is 0 or less.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache

from flint import arb, arb_poly

from dpbounds.errors import PrecisionError
from dpbounds.numbers import exact
from dpbounds.numbers.balls import precision
from dpbounds.numbers.exact import Exact
from dpbounds.numbers.inputs import exact_ball
from dpbounds.numbers.to_digits import normal_cdf
from dpbounds.numbers.trapezoid import between_zero_and
from dpbounds.shuffle.gaussian import GaussianSummand
from dpbounds.shuffle.laplace import LaplaceSummand

_BITS, _LENGTH, _CUT = 128, 150_000, 6
_ROUNDED = 1e-6
"""In cells: more than an end of the values, as a float, can be off. A cell too many is empty."""
_COARSE = 0.25
"""n·h² from which on no digit is left."""


@lru_cache(maxsize=64)
def lattice_delta(users: int, randomizer: str, parameter: Exact, epsilon: float) -> arb:
    """The blanket bound for every ε that rounds to this float, n ≥ 2; see `hankel.noise_delta`.

    Raises:
        PrecisionError: more users than there are digits for.

    >>> from fractions import Fraction
    >>> float(lattice_delta(2, "laplace", Fraction(1), 0.1).mid()) > 0.2
    True
    """
    with precision(_BITS):
        own, level, beyond = exact_ball(parameter), (arb(epsilon) * arb(1, 2.0**-51)).exp(), arb(0)
        law: LaplaceSummand | CutGaussian = LaplaceSummand(own, level)
        if randomizer == "gaussian":
            law, beyond = CutGaussian(own, level), normal_cdf(arb(-_CUT))
        widest = (1 + float(law.level.mid())) * math.exp(float(law.local.mid()))
        spacing = arb(2) ** math.ceil(math.log2(widest * users / _LENGTH))
        if users * float(spacing) ** 2 > _COARSE:
            raise PrecisionError(refusal(users, randomizer, parameter))
        value = _below(law, spacing, users).union(_above(law, spacing, users)) / users
        return value + between_zero_and(beyond) - between_zero_and(level * beyond)


class CutGaussian(GaussianSummand):
    """Gaussian noise, without what lies beyond t = T."""

    @property
    def local(self) -> arb:
        """T."""
        return (self.sigma * _CUT + arb("0.5")) / self.sigma**2

    @property
    def none(self) -> arb:  # type: ignore[override]
        """The mass of X = 0."""
        return 1 - 2 * self.masses(arb(0), self.local)[0]

    @property
    def atoms(self) -> list[tuple[arb, arb]]:
        """X at t = T, of no mass."""
        return [(self.local.exp() - self.level, arb(0)), (1 - self.level * self.local.exp(), arb(0))]


def refusal(users: int, randomizer: str, parameter: Exact) -> str:
    """Why there is no value, and what holds for every number of users."""
    scale = exact.text(1 / parameter) if isinstance(parameter, Fraction) else f"1/({parameter})"
    alone = f"--sigma {exact.text(parameter)}" if randomizer == "gaussian" else f"--laplace-scale {scale}"
    said = f"the {randomizer} blanket of {users} users has no digit: the contour is too long, and a lattice has none"
    return f"{said}; take fewer digits or more users, or ask for delta at a small epsilon; without the shuffler, {alone} is an upper bound"


def cells(law: LaplaceSummand | CutGaussian, spacing: arb, half: bool) -> dict[int, tuple[arb, arb]]:
    """w and m of the cells [kh, (k+1)h], or of those around kh; what is on the edge of two belongs to either."""
    found = {0: (law.none, arb(0))}

    def add(index: int, mass: arb, moment: arb) -> None:
        before = found.get(index, (arb(0), arb(0)))
        found[index] = before[0] + mass, before[1] + moment

    shift = 0.5 if half else 0.0
    level, step, zero = law.level, float(spacing), arb(0)
    for sign, (end, atom) in zip((1, -1), law.atoms, strict=True):
        start = 1 - level
        low, high = sorted((float(start.mid()) / step, float(end.mid()) / step))
        first, last = math.floor(low + shift - _ROUNDED), math.floor(high + shift + _ROUNDED)
        edges = [start if sign > 0 else end, *((k - shift) * spacing for k in range(first + 1, last + 1)), end if sign > 0 else start]
        losses = [((x + level) if sign > 0 else (1 - x) / level).log().max(zero).min(law.local) for x in edges]
        losses[0 if sign > 0 else -1], losses[-1 if sign > 0 else 0] = zero, law.local
        sums = [law.masses(zero, t) for t in losses]
        for index in range(first, last + 1):
            (rare, often, _), (rarer, oftener, _) = sums[index - first : index - first + 2]
            mass, other = sign * (rarer - rare), sign * (oftener - often)
            add(index, mass, other - level * mass if sign > 0 else mass - level * other)
        index = math.floor((high if sign > 0 else low) + shift + _ROUNDED)
        add(index, atom, atom * (end if half else end.max(index * spacing)))  # raised, if it is below its cell
    return found


def _below(law: LaplaceSummand | CutGaussian, spacing: arb, users: int) -> arb:
    found = cells(law, spacing, half=True)
    low = min(found)
    others = (arb_poly([found.get(k, (arb(0),))[0] for k in range(low, max(found) + 1)]) ** (users - 1)).coeffs()
    tails, total = [arb(0)], arb(0)
    for weight in reversed(others):
        tails.append(tails[-1] + weight)  # tails[i]: of the i largest indices
    top = len(others) - 1 + (users - 1) * low
    for index, (_, moment) in found.items():
        total += moment * tails[min(max(top + index, 0), len(others))]
    return users * total


def _above(law: LaplaceSummand | CutGaussian, spacing: arb, users: int) -> arb:
    spread: dict[int, arb] = {}
    for index, (mass, moment) in cells(law, spacing, half=False).items():
        upper = moment / spacing - index * mass
        for place, weight in ((index, mass - upper), (index + 1, upper)):
            spread[place] = spread.get(place, arb(0)) + weight
    low = min(spread)
    sums = (arb_poly([spread.get(k, arb(0)) for k in range(low, max(spread) + 1)]) ** users).coeffs()
    return spacing * sum(((j + users * low) * weight for j, weight in enumerate(sums) if j + users * low > 0), arb(0))
