"""The blanket bound of Laplace or Gaussian noise; for Laplace noise and few users the path of `hankel` is split at its upper end.

Upwards |M| does not fall below what the atoms of X leave, so that M(z)ⁿ/z² of few users falls as 1/z² alone. But above Y the terms of

    M(z)ⁿ = Σ n!/(i!j!k!h!)·(1 − γ)^h·P^i·Q^j·R^k,    i + j + k + h = n,

with P, Q, R of `LaplaceSummand.ends` are analytic apart, and |PⁱQʲRᵏ| is about e^{x·Re z} with x = i(g − l) + j(1 − lg) + k(1 − l). So the
path of the terms with x > 0 turns left at c + iY, and that of the others right: both fall. Where a path ends, at Z, it goes straight up:
|z| grows and Re z stays, so that every term is at most its bound at Z, and ∫dy/|z|² ≤ 1/Im Z times their sum is left, whatever the signs of
x. (Lines up from c + iY and from Z have the same integral: at height H what lies between them is of the order of 1/H².) A term is thus good
on either path, and a sign that rounding takes wrong costs digits only. On a region the sum of the bounds is convex in Re z. What windows
for i + j, k and i leave out is taken up the old path: at most the n-th power of the bound of M at c + iY, times a probability, over Y.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cached_property
from typing import Any

from flint import acb, arb, arb_poly, fmpz_poly

from dpbounds.errors import PrecisionError
from dpbounds.mechanisms.formula import gaussian_delta, laplace_delta
from dpbounds.numbers.balls import working_bits
from dpbounds.numbers.binomial import bernstein, window
from dpbounds.shuffle.blanket import TOO_LONG, Region, largest_of
from dpbounds.shuffle.gaussian import GaussianSummand
from dpbounds.shuffle.hankel import BlanketIntegral, BlanketModel, ManyMessages, Plan, SingleMessages
from dpbounds.shuffle.laplace import Ends, LaplaceSummand
from dpbounds.shuffle.positive_part import approx_saddle

_SPARE = 56
"""Bits of the working precision that are not aimed at."""
_NARROW = 0.04
"""σ below which losses are beyond floats."""
_LONGEST = 12_000.0
"""Of a vertical ray, in widths of the integrand at c: some seconds."""
_LEAST, _SHARE, _WIDTHS = 8.0, 6, 60
"""Y over γ is at least the first and n over the second, and Y so many widths."""
_MOST_TERMS = 5_000_000
Step = tuple[int, int, arb_poly, arb_poly]


class SplitMessages(BlanketIntegral):
    """Im ∫ from c + iY of the terms with x > 0, to the left, or of the others, to the right: aslant, so that ellipses stay in the upper
    half-plane."""

    law: LaplaceSummand

    def __init__(self, law: LaplaceSummand, users: int, plan: Plan, reach: float, top: float, positive: bool) -> None:
        super().__init__(law, users, plan, reach)
        self.top, self.positive, self.corner = top, positive, acb(self.c, top)
        self.direction = acb(-1 if positive else 1, 1) / arb(2).sqrt()

    @cached_property
    def windows(self) -> tuple[tuple[int, int], int, int, arb]:
        """Ends for i + j, the largest k and the largest i (j, to the right), and a bound on what they leave out."""
        p, q, r = self.law.largest_ends(self.c, arb(self.top))
        whole, n = self.law.none + p + q + r, self.users
        reach = max(1.0, self.reach + float((n * whole.log()).mid()) - self.plan.log_size - math.log(self.top))
        found, missed = list[tuple[int, int]](), arb(0)
        for share in ((p + q) / whole, r / whole, (p if self.positive else q) / whole):
            distance, outside = bernstein(n, share, reach)
            found.append(window(n, share, distance))
            missed += whole**n * outside / self.top
        return found[0], found[1][1], found[2][1], missed

    @cached_property
    def terms(self) -> list[tuple[int, int, list[Step]]]:
        """T = i + j, the choices of T from n, and from the top down: the least i (j, to the right) of some k, and the least k; the weights of
        these k as a polynomial, and the numbers of ways from this i up to the one before."""
        (low, high), most, farthest, _ = self.windows
        n, found, ones = self.users, list[tuple[int, int, list[Step]]](), fmpz_poly([1, 1])
        if (high - low) * min(high, farthest) > _MOST_TERMS:
            raise PrecisionError(TOO_LONG)
        first, second, start = (float(x.mid()) for x in self.law.turns)
        for count in range(low, high + 1):
            chosen, ways = (ones ** (n - count)).coeffs(), (ones**count).coeffs()
            starts: dict[int, list[int]] = {}
            for k in range(min(most, n - count) + 1):
                above = math.floor((-second * count - start * k) / (first - second)) + 1  # x > 0 from this i on
                starts.setdefault(max(0, above if self.positive else count + 1 - above), []).append(k)
            end, steps = min(count, farthest) + 1, list[Step]()
            for least in sorted((least for least in starts if least < end), reverse=True):
                weights = [chosen[k] * self.law.none ** (n - count - k) if count or k else arb(0) for k in starts[least]]
                steps.append((least, starts[least][0], arb_poly(weights), arb_poly(ways[least:end])))
                end = least
            found.append((count, math.comb(n, count), steps))
        return found

    def added(self, ends: Ends) -> Any:
        """The sum of the terms."""
        (p, q), r = (ends[:2] if self.positive else ends[1::-1]), ends[2]
        ratio, total = p / q, arb(0)
        for count, chosen, steps in self.terms:
            tail, here = arb(0), arb(0)
            for least, k, weights, ways in steps:
                tail += ratio**least * ways(ratio)
                here += tail * weights(r) * r**k
            total += chosen * q**count * here
        return total

    def around(self, low: float, high: float) -> tuple[arb, Callable[[arb], arb]]:
        """Of the terms times dz/z²."""
        middle, half = self.corner + self.direction * (arb(high) + arb(low)) / 2, (arb(high) - arb(low)) / 2
        region = Region.box(middle, self.direction, half)
        if not region.imaginary[0] > 0:
            raise PrecisionError(TOO_LONG)
        bound = largest_of([self.added(self.law.largest_ends(x, region.size[0])) for x in region.real])
        return bound / region.size[0] ** 2, self.value

    def value(self, node: arb) -> arb:
        """The integrand."""
        z = self.corner + self.direction * node
        return (self.added(self.law.ends(z)) / (z * z) * self.direction).imag

    def left(self, start: float) -> arb:
        """What is left from there upwards."""
        z = self.corner + self.direction * start
        return self.added(self.law.largest_ends(z.real, abs(z))) / z.imag

    def total(self) -> arb:
        """Until little is left, and what the windows leave out."""
        return self.integral(0.0, 2 * self.top / 3, None, self.left) + arb(0, self.windows[3].upper())


def noise_delta(users: int, randomizer: str, parameter: arb, epsilon: arb) -> arb:
    """The blanket bound of Laplace (parameter ε₀) or Gaussian noise (parameter σ) for the inputs 0 and 1; of one user the δ of the noise.

    Raises:
        PrecisionError: no path was found.

    >>> from dpbounds.numbers.balls import precision
    >>> with precision(120):
    ...     noise_delta(1000, "gaussian", arb("0.5"), arb(20)).str(12, radius=False)
    ...     noise_delta(100_000, "laplace", arb(1), arb("0.01")).str(6, radius=False)
    '1.75387140911e-36'
    '2.37307e-6'
    """
    gaussian = randomizer == "gaussian"
    if users == 1:  # E X₊, the hockey-stick divergence of p_0 and p_1
        return gaussian_delta(1 / parameter, epsilon) if gaussian else laplace_delta(parameter, epsilon)
    reach = max(15.0, (working_bits() - _SPARE) * math.log(2))
    if gaussian and parameter < _NARROW:
        raise PrecisionError(TOO_LONG)
    law, plan = _planned(users, randomizer, parameter, epsilon, reach)
    given = law, users, plan, reach
    total = SingleMessages(*given).total() + ManyMessages(*given).total() if gaussian else _laplace_sum(*given)
    return total / (arb.pi() * users)


def _planned(users: int, randomizer: str, parameter: arb, epsilon: arb, reach: float) -> tuple[Any, Plan]:
    if randomizer == "gaussian":
        law = GaussianSummand(parameter, epsilon.exp())
        return law, BlanketModel(law, users).plan(reach)
    other = LaplaceSummand(parameter, epsilon.exp())
    rate, curvature, log_size = approx_saddle(other.approx_values(), users)
    return other, Plan(math.log(rate), 1 / math.sqrt(curvature), log_size)


def _laplace_sum(law: LaplaceSummand, users: int, plan: Plan, reach: float) -> arb:
    """Up to where little is left, or to Y and on both paths; M is real on the real line: no message counts alone."""
    many = ManyMessages(law, users, plan, reach)
    if many.rest()(_LONGEST * plan.width) < many.goal / 4:
        return many.total()
    top = max(float(law.share.mid()) * (_LEAST + users / _SHARE), _WIDTHS * plan.width)
    if top > _LONGEST * plan.width:
        raise PrecisionError(TOO_LONG)
    return sum((SplitMessages(law, users, plan, reach, top, positive).total() for positive in (True, False)), many.total(top))


def approx_log_noise_delta(users: int, randomizer: str, parameter: arb, epsilon: arb) -> float:
    """About log of the bound, in floats."""
    return _planned(users, randomizer, parameter, epsilon, 0.0)[1].log_size - math.log(users)
