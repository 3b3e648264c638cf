"""The blanket bound of Laplace or Gaussian noise: single large messages of Gaussian noise count on the cut, the sum of many on a ray.

**Below x₀.** With κ = ½ + σ²s and x·e^τ = κ, |T(x)| ≤ C·ρ(τ), C = ∫_0^θ e^{(σa)²/2 + κ·cos a}da + e^{(σθ)²/2 + κ·cos θ}/(½ + σ²s) for
τ ≥ s, by Φ(−y) ≤ φ(y)/y. As ρ(τ)e^τ = σφ(στ − 1/(2σ)), all x ≤ x₀ = κe^{−s} add at most n·B^{n−1}·C·Φ(1/(2σ) − σs)/κ. There
|M| ≤ B = max(1, A(x₀)) + 2e^κ·Φ(−1/(2σ) − σs) + C·ρ(s): the part A of t up to about s is convex in x, and 1 at most at 0.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

from flint import acb, arb

from dpbounds.errors import PrecisionError
from dpbounds.mechanisms.formula import gaussian_delta, laplace_delta
from dpbounds.numbers.balls import working_bits
from dpbounds.numbers.gauss_legendre import ACROSS, ALONG
from dpbounds.numbers.to_digits import normal_cdf
from dpbounds.shuffle.blanket import DEEPER, TOO_LONG, BlanketIntegral, ManyMessages, Plan, Region
from dpbounds.shuffle.gaussian import GaussianSummand, Path
from dpbounds.shuffle.laplace import LaplaceSummand, laplace_sum
from dpbounds.shuffle.positive_part import approx_moments, approx_saddle

_CELLS, _ORDER, _REACH, _PLACES = 20, 8, 9.0, 64
"""Of the model in floats: cells, nodes of each, standard deviations, abscissas that are tried."""
_BELOW = 0.25
"""How far log c stays below the place from which on no leg is real."""
_FEW, _ALONE = 0.5, 2.0
"""log n|T/A| up to which single messages are counted, and up to which a sum over the legs is a good bound on |M|ⁿ."""
_FIRST, _WIDEST, _LONGER = 0.4, 0.48, 1.25
"""Of a panel in u: the first one; half of the widest in multiples of θ − π/2. By which steps to x₀ grow."""
_SPARE = 56
"""Bits of the working precision that are not aimed at."""
_NARROW = 0.04
"""σ below which losses are beyond floats."""


class BlanketModel:
    """The law in floats, by short Gauss–Legendre rules."""

    def __init__(self, law: GaussianSummand, users: int) -> None:
        self.law, self.users = law, users
        self.sigma, self.level, self.none = (float(ball.mid()) for ball in (law.sigma, law.level, law.none))
        width = _REACH / self.sigma / _CELLS
        rule = [tuple(float(part.mid()) for part in arb.legendre_p_root(_ORDER, index, weight=True)) for index in range(_ORDER)]
        places = [(width * (cell + (1 + node) / 2), width * weight / 2) for cell in range(_CELLS) for node, weight in rule]
        self.rows = [(t, math.exp(t), math.log(weight) + float(law.density(arb(t)).log().mid())) for t, weight in places]

    def log_turned(self, x: float) -> float:
        """About log Im T(x)."""
        stop = self.law.crossing(x)
        bent = max(x * math.exp(stop) - self.sigma**2, 0.1)
        return float(self.law.density(arb(stop)).log().mid()) + x * (math.exp(stop) - self.level) + 0.5 * math.log(math.pi / (2 * bent))

    def moments(self, x: float) -> tuple[float, float, float, float]:
        """log A(x), log(A(x)ⁿ − (1 − γ)ⁿ), and the mean and the variance of its tilted law."""
        stop = self.law.crossing(x)
        rows = [(grown - self.level, log) for t, grown, log in self.rows if t < stop]
        rows += [(1 - self.level * grown, log) for _, grown, log in self.rows]
        log_side, first, second = approx_moments(rows, x)
        share = math.exp(log_side) / (self.none + math.exp(log_side))
        log_none, grown = math.log(self.none), self.users * math.log1p(math.exp(log_side) / self.none)
        above = self.users * log_none + grown + math.log(-math.expm1(-grown)) if grown > 0 else -math.inf
        return log_none + grown / self.users, above, share * first, share * second - (share * first) ** 2

    def plan(self, reach: float) -> Plan:
        """c where Mⁿ/c² is smallest, or is below the goal e^{−reach}, or below E(S)₊ where single messages are many: |T| is bounded then as
        the sum over its legs, and A + |T| is above |M|, so that farther on (A + |T|)ⁿ is above any goal."""
        turn = max(0.0, 1 - 1 / (2 * self.sigma**2))  # x·e^t = κ has a root up to there
        low, high, rows = math.log(1e-3 / (self.users * self.level)), math.log(0.5 + self.sigma**2 * turn) - turn - _BELOW, []
        for place in range(_PLACES + 1):
            u = low + (high - low) * place / _PLACES
            log_moment, log_many, mean, variance = self.moments(math.exp(u))
            alone = self.log_turned(math.exp(u)) - log_moment + math.log(self.users)
            rows.append((log_many - 2 * u, u, mean, variance, alone, alone + self.users * log_moment - u))
            if place and rows[-1][0] > rows[-2][0]:
                del rows[-1]
                break
        lowest, u, mean, variance, _, _ = rows[-1]
        slope, curvature = self.users * mean - 2 * math.exp(-u), self.users * variance + 2 * math.exp(-2 * u)
        few = max(_FEW, rows[0][4])  # beyond, the sine of n·arg M does not grow with n|T/A|
        singles = [row[5] + math.log((high - low) / _PLACES / math.pi) for row in rows if row[4] <= few]
        beyond = slope**2 / (2 * curvature)  # about how much farther it falls
        many = lowest - beyond - 0.5 * math.log(2 * math.pi * curvature)
        log_size = approx_moments([(0.0, log) for log in (*singles, many)], 0.0)[0]
        ends = (row[1] for row in rows if row[0] < log_size - reach or (row[0] < log_size and row[4] > _ALONE))
        return Plan(next(ends, rows[-1][1]), 1 / math.sqrt(curvature), log_size)


class SingleMessages(BlanketIntegral):
    """Im ∫_0^c, in u = log x."""

    law: GaussianSummand

    def region(self, low: float, high: float) -> Region:
        """A sector."""
        half, middle = (arb(high) - arb(low)) / 2, (arb(high) + arb(low)) / 2
        if half > _WIDEST * self.law.margin(0.0):
            raise PrecisionError(TOO_LONG)
        return Region.sector((middle - half * ALONG).exp(), (middle + half * ALONG).exp(), half * ACROSS)

    def around(self, low: float, high: float) -> tuple[arb, Callable[[arb], arb]]:
        """Of Im Mⁿ(x)/x: n·B^{n−1}·|T|/|z|, half the difference of both sides of the cut."""
        region = self.region(low, high)
        path = self.path(region)
        turned = region.worst(path.turned) + path.turned_error
        whole = region.worst(path.kept) + path.kept_error + turned + self.law.none
        return self.users * whole ** (self.users - 1) * turned / region.size[0], partial(self.value, path)

    def path(self, region: Region) -> Path:
        """With T to its own digits."""
        x, middle = float(region.real[0].mid()), float(sum(region.real, arb(0)).mid()) / 2
        stop = arb(self.law.crossing(x))
        size = self.law.density(stop) * (x * (stop.exp() - self.law.level)).exp()
        return self.law.path(self.law.straight(middle), region, self.fine, size * arb(-self.reach).exp() / (1 << DEEPER))

    def value(self, path: Path, node: arb) -> arb:
        """Im Mⁿ(x)/x, to its own digits."""
        x = node.exp()
        turned = sum(((x * value).exp() * mass for value, mass in path.turned), acb(0))
        real, imaginary = self.law.kept(path, x) + turned.real + arb(0, path.turned_error), turned.imag + arb(0, path.turned_error)
        if not real > 0:
            raise PrecisionError(TOO_LONG)
        return (real * real + imaginary * imaginary) ** (arb(self.users) / 2) * (self.users * (imaginary / real).atan()).sin() / x

    def total(self) -> arb:
        """From x₀ on, and what is below."""
        start, step = self.plan.log_c, _FIRST / 2
        while not (below := self.below(start)) < self.goal:
            start, step = start - step, _LONGER * step
        return self.integral(start, _FIRST, self.plan.log_c) + arb(0, below.upper())

    def below(self, start: float) -> arb:
        """What lies below x₀ = e^start."""
        law, x = self.law, arb(start).exp()
        kappa = law.kappa(law.crossing(math.exp(start)))
        s = (kappa / x).log()
        kept, stop = law.cut(x, arb(1) / (self.users << DEEPER))
        constant, _ = law.turned(kappa, s)
        bound = kept.max(arb(1)) + 2 * kappa.exp() * normal_cdf(-law.half - law.sigma * s.min(stop)) + constant * law.density(s)
        return self.users * bound ** (self.users - 1) * constant * normal_cdf(law.half - law.sigma * s) / kappa


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
    total = SingleMessages(*given).total() + ManyMessages(*given).total() if gaussian else laplace_sum(*given)
    return total / (arb.pi() * users)


def _planned(users: int, randomizer: str, parameter: arb, epsilon: arb, reach: float) -> tuple[Any, Plan]:
    if randomizer == "gaussian":
        law = GaussianSummand(parameter, epsilon.exp())
        return law, BlanketModel(law, users).plan(reach)
    other = LaplaceSummand(parameter, epsilon.exp())
    rate, curvature, log_size = approx_saddle(other.approx_values(), users)
    return other, Plan(math.log(rate), 1 / math.sqrt(curvature), log_size)


def approx_log_noise_delta(users: int, randomizer: str, parameter: arb, epsilon: arb) -> float:
    """About log of the bound, in floats."""
    return _planned(users, randomizer, parameter, epsilon, 0.0)[1].log_size - math.log(users)
