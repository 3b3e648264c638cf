"""Laplace noise: atoms and a density, so the moment function does not decay along the contour; finite sums instead.

With ε₀ = 1/b the loss lies in [−ε₀, ε₀] with atoms at both ends and density e^{(L−ε₀)/2}/4 between (under P), so

    M(z) = e^{zε₀}·(z+1)/(2z+1) + e^{−(1+z)ε₀}·z/(2z+1).

For a product, k_i uses with ε_i, expand every M_i^{k_i} binomially. The term of counts n_i, with n their sum and k = Σk_i, is

    Π e^{−n_iε_i}C(k_i,n_i)·R_n(τ),    τ = Σ(k_i−2n_i)ε_i − ε,

where R_n is the inverse transform of (z+1)^{k−n−1} z^{n−1}/(2z+1)^k: zero for τ ≤ 0 (close the contour on the right) and for τ > 0 the
sum of the residues at −1/2 and, for n = 0, at 0. `_residue` has the residue at −1/2.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from flint import acb, arb, fmpq, fmpz_poly

from dpbounds.errors import PrecisionError
from dpbounds.laws.contour_factor import ContourFactor
from dpbounds.laws.law import ClosedForm, Law, Uses, registered_law
from dpbounds.laws.paths.endpoint_expansion import ExpandedEnds, laplace_part
from dpbounds.laws.top_end import TopEnd, laplace_top
from dpbounds.mechanisms.pairs import LaplacePair
from dpbounds.numbers.balls import precision
from dpbounds.numbers.exact import Exact
from dpbounds.numbers.inputs import exact_ball

LARGEST_WORK = 10_000_000
"""Most coefficients in the exact sum: terms times uses."""
_QUICK_WORK = 100_000
"""The same for about a tenth of a second."""


def is_affordable(steps: Sequence[int], most: int = LARGEST_WORK) -> bool:
    """Whether the exact sum for so many uses of each scale is short enough.

    >>> is_affordable([3000]), is_affordable([300, 300])
    (True, False)
    """
    return math.prod(count + 1 for count in steps) * sum(steps) <= most


def laplace_delta(uses: Sequence[tuple[arb, int]], epsilon: arb) -> arb:
    """δ(ε) of a product of Laplace noises, each with its pure ε_i and how often it is used, by the finite sum.

    Raises:
        PrecisionError: the sum would have too many terms.

    >>> bool(abs(laplace_delta([(arb(1), 1)], arb(0)) - (1 - (-arb("0.5")).exp())) < 1e-12)
    True
    """
    if not is_affordable([count for _, count in uses]):
        raise PrecisionError("the exact sum for so many uses of Laplace noise is too long; no digit was reached; use fewer steps")
    steps = sum(count for _, count in uses)
    series: dict[int, fmpz_poly] = {}
    total = arb(0)
    for hits, weight, level in _counts(uses):
        tau = level - epsilon
        if tau <= 0:
            continue
        if hits not in series:
            series[hits] = _series(steps, hits)
        term = weight * _residue(steps, series[hits], tau, plain=hits == 0)
        total += term if tau > 0 else arb(0).union(term)
    return total


def _counts(uses: Sequence[tuple[arb, int]]) -> list[tuple[int, arb, arb]]:
    """n = Σn_i, Π e^{−n_iε_i}C(k_i,n_i) and Σ(k_i−2n_i)ε_i for all counts."""
    found = [(0, arb(1), arb(0))]
    for largest, count in uses:
        own = [(n, math.comb(count, n) * (-n * largest).exp(), (count - 2 * n) * largest) for n in range(count + 1)]
        found = [(hits + n, weight * ways, level + loss) for hits, weight, level in found for n, ways, loss in own]
    return found


def _series(steps: int, hits: int) -> fmpz_poly:
    """(1+x)^{k−n−1}(x−1)^{n−1} as far as x^{k−1}; for n = 0 the factor (x−1)^{−1} is −Σ x^j. For n = k, τ < 0."""
    if hits:
        return fmpz_poly([1, 1]) ** (steps - hits - 1) * fmpz_poly([-1, 1]) ** (hits - 1)
    plain = fmpz_poly([1, 1]) ** (steps - 1)
    sums, running = [], 0
    for i in range(steps):
        running += int(plain[i])
        sums.append(-running)
    return fmpz_poly(sums)


def _residue(steps: int, series: fmpz_poly, tau: arb, *, plain: bool) -> arb:
    """R_n(τ) for τ > 0; `plain` for n = 0.

    With z = (x−1)/2, dz = dx/2: z+1 = (x+1)/2, z = (x−1)/2, 2z+1 = x. The powers of 2 make 2^{−(k−2)−1} = 2^{1−k} for n ≥ 1, and the
    residue at x = 0 is e^{−τ/2}·2^{1−k}·[x^{k−1}] (1+x)^{k−n−1}(x−1)^{n−1}e^{τx/2}. For n = 0 the pole z = 0 adds the residue 1.
    """
    half, power, total = tau / 2, arb(1), arb(0)
    for i in range(steps - 1, -1, -1):
        coefficient = series[i]
        if coefficient:
            total += power * arb(coefficient)
        power = power * half / (steps - i)
    found = total * (-half).exp() * arb(fmpq(1, 2)) ** (steps - 1)
    return found + 1 if plain else found


@dataclass
class LaplaceFactor(ContourFactor):
    """Laplace noise as a factor of the contour engine: M in closed form; ε₀ = `largest`."""

    largest: arb
    steps: int = 1
    absolutely_continuous: bool = True
    between_poles = True  # type: ignore[assignment]
    has_atoms = True  # type: ignore[assignment]

    @property
    def largest_loss(self) -> float:  # type: ignore[override]
        """ε₀ in float64."""
        return float(self.largest)

    def _value(self, z: complex) -> tuple[float, complex]:
        """(shift, m) with M(z) = m·e^{shift}, in float64."""
        e, shift = float(self.largest), max(z.real * float(self.largest), -(1 + z.real) * float(self.largest))
        turn = complex(0, z.imag)
        first = cmath.exp(z.real * e - shift + turn * e) * (z + 1)
        return shift, (first + cmath.exp(-(1 + z.real) * e - shift - turn * e) * z) / (2 * z + 1)

    def approx_log_moments(self, x: float) -> tuple[float, float, float]:
        """K(x), K′(x), K″(x) by differences."""
        step = 1e-4 * max(abs(x), 0.5)
        values = []
        for point in (x - step, x, x + step):
            shift, value = self._value(complex(point, 0))
            values.append(shift + math.log(abs(value)))
        return values[1], (values[2] - values[0]) / (2 * step), max((values[2] - 2 * values[1] + values[0]) / step / step, 1e-12)

    def approx_drop(self, x: float, y: float) -> float:
        """log M(x) − log|M(x+iy)| in float64."""
        return math.log(abs(self._value(complex(x, 0))[1])) - math.log(max(abs(self._value(complex(x, y))[1]), 1e-300))

    def approx_decay(self, x: float, y: float) -> tuple[float, tuple[float, float]]:
        """About log(decay/M)."""
        with precision(53):
            ratio = self.decay(arb(x), arb(y), (0.0, 0.0)) / self.moment(arb(x))
            return float(ratio.log().mid()), (0.0, 0.0)

    def loss_bound(self) -> arb:
        """ε₀."""
        return self.largest

    def moment(self, x: arb) -> arb:
        """M(x); of Laplace noise not at −1/2."""
        return laplace_moment(self.largest, acb(x)).real

    def line(self, x: arb, h: arb, count: int, need: object) -> list[acb]:
        """M(x + ijh)."""
        return [laplace_moment(self.largest, acb(x, h * j)) for j in range(count)]

    def decay(self, x: arb, y: arb, hint: tuple[float, float]) -> arb:
        """e^{xε₀}·|z+1|/|2z+1| decreases in y, e^{−(1+x)ε₀}·|z|/|2z+1| stays below half of the exponential, x ≥ 0; and |M(z)| ≤ M(x)."""
        modulus = (((x + 1) ** 2 + y**2) / ((2 * x + 1) ** 2 + 4 * y**2)).sqrt()
        bound = (x * self.largest).exp() * modulus + (-(1 + x) * self.largest).exp() / 2
        return bound.min(arb(self.moment(x).upper())) if x >= 0 else bound

    def atoms_at(self, x: arb) -> list[tuple[arb, arb]]:
        """Both ends of the loss."""
        return [((x * self.largest).exp() / 2, self.largest), ((-(1 + x) * self.largest).exp() / 2, -self.largest)]


def laplace_moment(largest: arb, z: acb) -> acb:
    """M(z) = e^{zε₀}(z+1)/(2z+1) + e^{−(1+z)ε₀}z/(2z+1)."""
    return ((z * largest).exp() * (z + 1) + (-(1 + z) * largest).exp() * z) / (2 * z + 1)


@dataclass(frozen=True)
class LaplaceLaw(Law):
    """Laplace noise of the given scale: its own mirror image."""

    scale: Exact

    def largest(self) -> arb:
        """ε₀ = 1/b."""
        return 1 / exact_ball(self.scale, "laplace scale")

    def factor(self, steps: int, most: float = 0.0) -> LaplaceFactor:
        """M in closed form."""
        return LaplaceFactor(self.largest(), steps)

    def swapped(self) -> LaplaceLaw:
        """The same."""
        return self

    def largest_loss(self) -> Fraction | arb:
        """ε₀."""
        return 1 / self.scale if isinstance(self.scale, Fraction) else self.largest()

    def closed_form(self, uses: Uses) -> ClosedForm | None:
        """The finite sum for Laplace noise alone, of any scales."""
        laws = [(law, steps) for law, steps in uses.items() if isinstance(law, LaplaceLaw)]
        counts = [steps for _, steps in laws]
        if len(laws) < len(uses) or not is_affordable(counts):
            return None

        def value(epsilon: arb) -> arb:
            return laplace_delta([(law.largest(), steps) for law, steps in laws], epsilon)

        return ClosedForm(value, "finite sum", long=not is_affordable(counts, _QUICK_WORK))

    def top(self) -> TopEnd:
        """An atom and an exponential."""
        return laplace_top(self.largest(), None, False)

    def expanded_ends(self, steps: int) -> ExpandedEnds:
        """Both ends of the loss."""
        return laplace_part(self.largest(), None, False, steps)


@registered_law.register(LaplacePair)
def _(pair: LaplacePair, reversed: bool) -> Law:
    return LaplaceLaw(pair.scale)
