"""E(S)₊ for few copies of a variable with a density, from both sides, on a lattice of spacing h: a few digits where no contour ends.

Cut the values of X into cells; a cell has the mass w and the first moment m.

* **Below.** E(S)₊ ≥ E[S; A] for every event A. With A = {ΣK_i > 0}, K_i the lattice index nearest to X_i, the summands are alike, so
  that E[S; A] = n·Σ_cells m·P(K_2 + … + K_n > −k).
* **Above.** (x + rest)₊ is convex in x. So E(S)₊ does not fall where the mass between two lattice points is spread to both of them with
  its mean kept.

Both are off by about h². With ω = min(p_0, p_1), the messages whose loss is between s and t have the mass ω and the mass e^t ω under the
likelier input, so that w and m need cumulative probabilities alone: m = p_0 − e^ε p_1.
"""

from __future__ import annotations

import math
from collections.abc import Callable
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
from dpbounds.shuffle.noise import NoiseSummand, summand

_BITS, _LENGTH, _CUT = 128, 150_000, 6
_ROUNDED = 1e-6
"""In cells: more than an end of the values, as a float, can be off. A cell too many is empty."""
_COARSE = 0.25
"""n·h² from which on no digit is left."""
Masses = Callable[[arb], tuple[arb, arb]]
"""Of the messages whose loss lies between 0 and t, on one side: under the less likely input, and under the likelier one."""


@lru_cache(maxsize=64)
def lattice_delta(users: int, randomizer: str, parameter: Exact, epsilon: float) -> arb:
    """The blanket bound for every ε that rounds to this float, n ≥ 2; see `contour.noise_delta`.

    Raises:
        PrecisionError: more users than there are digits for.

    >>> from fractions import Fraction
    >>> float(lattice_delta(2, "laplace", Fraction(1), 0.1).mid()) > 0.2
    True
    """
    with precision(_BITS):
        loss, own = arb(epsilon) * arb(1, 2.0**-51), exact_ball(parameter)
        noise = summand(randomizer, own, loss, arb(_CUT))
        masses = _laplace_masses(own) if randomizer == "laplace" else _gaussian_masses(own)
        widest = (1 + float(noise.level.mid())) * math.exp(float(noise.end.mid()))
        spacing = arb(2) ** math.ceil(math.log2(widest * users / _LENGTH))
        if users * float(spacing) ** 2 > _COARSE:
            raise PrecisionError(refusal(users, randomizer, parameter))
        value = _below(noise, masses, spacing, users).union(_above(noise, masses, spacing, users)) / users
        return value + between_zero_and(noise.raised) - between_zero_and(noise.lowered)


def refusal(users: int, randomizer: str, parameter: Exact) -> str:
    """Why there is no value, and what holds for every number of users."""
    scale = exact.text(1 / parameter) if isinstance(parameter, Fraction) else f"1/({parameter})"
    alone = f"--sigma {exact.text(parameter)}" if randomizer == "gaussian" else f"--laplace-scale {scale}"
    said = f"the {randomizer} blanket of {users} users has no digit: the contour is too long, and a lattice has none"
    return f"{said}; take fewer digits or more users, or ask for delta at a small epsilon; without the shuffler, {alone} is an upper bound"


def cells(noise: NoiseSummand, masses: Masses, spacing: arb, half: bool) -> dict[int, tuple[arb, arb]]:
    """w and m of the cells [kh, (k+1)h], or of those around kh; what is on the edge of two belongs to either."""
    found = {0: (1 - noise.kept, arb(0))}

    def add(index: int, mass: arb, moment: arb) -> None:
        before = found.get(index, (arb(0), arb(0)))
        found[index] = before[0] + mass, before[1] + moment

    shift = 0.5 if half else 0.0
    level, grown, step, zero = noise.level, noise.end.exp(), float(spacing), arb(0)
    for sign in (1, -1):
        start, end = 1 - level, (grown - level if sign > 0 else 1 - level * grown)
        low, high = sorted((float(start.mid()) / step, float(end.mid()) / step))
        first, last = math.floor(low + shift - _ROUNDED), math.floor(high + shift + _ROUNDED)
        edges = [start if sign > 0 else end, *((k - shift) * spacing for k in range(first + 1, last + 1)), end if sign > 0 else start]
        losses = [((x + level) if sign > 0 else (1 - x) / level).log().max(zero).min(noise.end) for x in edges]
        losses[0 if sign > 0 else -1], losses[-1 if sign > 0 else 0] = zero, noise.end
        sums = [masses(t) for t in losses]
        for index in range(first, last + 1):
            (rare, often), (rarer, oftener) = sums[index - first : index - first + 2]
            mass, other = sign * (rarer - rare), sign * (oftener - often)
            add(index, mass, other - level * mass if sign > 0 else mass - level * other)
        value = (grown - level) if sign > 0 else (1 - level * grown)
        index = math.floor((high if sign > 0 else low) + shift + _ROUNDED)
        add(index, noise.atom, noise.atom * (value if half else value.max(index * spacing)))  # raised, if it is below its cell
    return found


def _below(noise: NoiseSummand, masses: Masses, spacing: arb, users: int) -> arb:
    found = cells(noise, masses, spacing, half=True)
    low = min(found)
    others = (arb_poly([found.get(k, (arb(0),))[0] for k in range(low, max(found) + 1)]) ** (users - 1)).coeffs()
    tails, total = [arb(0)], arb(0)
    for weight in reversed(others):
        tails.append(tails[-1] + weight)  # tails[i]: of the i largest indices
    top = len(others) - 1 + (users - 1) * low
    for index, (_, moment) in found.items():
        total += moment * tails[min(max(top + index, 0), len(others))]
    return users * total


def _above(noise: NoiseSummand, masses: Masses, spacing: arb, users: int) -> arb:
    spread: dict[int, arb] = {}
    for index, (mass, moment) in cells(noise, masses, spacing, half=False).items():
        upper = moment / spacing - index * mass
        for place, weight in ((index, mass - upper), (index + 1, upper)):
            spread[place] = spread.get(place, arb(0)) + weight
    low = min(spread)
    sums = (arb_poly([spread.get(k, arb(0)) for k in range(low, max(spread) + 1)]) ** users).coeffs()
    return spacing * sum(((j + users * low) * weight for j, weight in enumerate(sums) if j + users * low > 0), arb(0))


def _laplace_masses(local: arb) -> Masses:
    root = (-local / 2).exp() / 2
    return lambda t: (-root * (-t / 2).expm1(), root * (t / 2).expm1())


def _gaussian_masses(sigma: arb) -> Masses:
    half = 1 / (2 * sigma)
    return lambda t: (normal_cdf(-half) - normal_cdf(-half - sigma * t), normal_cdf(half) - normal_cdf(half - sigma * t))
