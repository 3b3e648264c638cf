"""How many draws hit: the sums Σ w_ℓ e^{ℓ·drift} of a mixture of Gaussians, and what a shift off the real line does to them.

w_ℓ = b_ℓ e^{−ℓ²/2σ²}, drift = s/σ, θ the angle by which e^{drift} is turned. All terms lie in a sector of the angle mθ < π, so that
|Σ| ≥ cos(mθ/2)·Σ at θ = 0. Also |Σ|/w₀ ≥ 1 + cos(mθ)·(Σ/w₀ − 1) ≥ (Σ/w₀)^{cos mθ} where the cosine is ≥ 0, by Bernoulli's inequality.
A binomial b_ℓ gives more: w_ℓ is a binomial coefficient times rate^ℓ times e^{−ℓ²/2σ²}, a multiplier sequence, so Σ is a polynomial in
e^{drift} with real negative zeros only (Laguerre), w₀·Π(1 + y_i e^{drift}) with m factors, and both hold of each factor, with m = 1.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence

from flint import arb, ctx


class Counts(ABC):
    """The law of ℓ = 0 … m.

    Attributes:
        most: m ≥ 1.
        mean: E ℓ, about.
        widest: the largest θ.
        ends: log b₀ and log b_m.
    """

    most: int
    mean: arb
    widest: float
    ends: tuple[arb, arb]

    @abstractmethod
    def side(self, drift: arb) -> tuple[arb, arb]:
        """Σ w_ℓ e^{ℓ·drift} and Σ ℓ·w_ℓ·e^{ℓ·drift}."""

    @abstractmethod
    def turned(self, theta: arb) -> tuple[arb, arb]:
        """L and c: turned by θ a sum Σ has a modulus of at least e^{−L}·Σ, and of b₀^{1−c}·Σ^c where c ≥ 0."""

    @abstractmethod
    def log_generating(self, log_x: arb) -> arb:
        """log Σ b_ℓ x^ℓ."""


class ListedCounts(Counts):
    """With the weights b_0 … b_m."""

    def __init__(self, weights: Sequence[arb], sigma: arb) -> None:
        self.most, self.widest = len(weights) - 1, 3.14 / (len(weights) - 1)
        self.mean = sum((count * weight for count, weight in enumerate(weights)), arb(0))
        self.law, self.ends = weights, (weights[0].log(), weights[-1].log())
        self.weights = [weight * (-(arb(count) ** 2) / (2 * sigma * sigma)).exp() for count, weight in enumerate(weights)]

    def side(self, drift: arb) -> tuple[arb, arb]:
        """By Horner."""
        base, total, first = drift.exp(), arb(0), arb(0)
        for count in range(self.most, -1, -1):
            total, first = total * base + self.weights[count], first * base + count * self.weights[count]
        return total, first

    def turned(self, theta: arb) -> tuple[arb, arb]:
        """By the sector."""
        return -(self.most * theta / 2).cos().log(), (self.most * theta).cos()

    def log_generating(self, log_x: arb) -> arb:
        """From its largest power down where x > 1."""
        if log_x > 0:
            return self.most * log_x + sum((weight * (-count * log_x).exp() for count, weight in enumerate(self.law[::-1])), arb(0)).log()
        return sum((weight * (count * log_x).exp() for count, weight in enumerate(self.law)), arb(0)).log()


class BinomialCounts(Counts):
    """Binomial(m, rate), 0 < rate < 1."""

    widest = 3.14

    def __init__(self, most: int, rate: arb, sigma: arb) -> None:
        self.most, self.rate, self.half_v = most, rate, 1 / (2 * sigma * sigma)
        self.odds, self.mean, self.ends = rate / (1 - rate), most * rate, (most * (-rate).log1p(), most * rate.log())
        self.window = Window(most, self.odds, self.half_v)

    def turned(self, theta: arb) -> tuple[arb, arb]:
        """By the m factors."""
        return -self.most * (theta / 2).cos().log(), theta.cos()

    def log_generating(self, log_x: arb) -> arb:
        """Of m draws."""
        return self.most * ListedCounts([1 - self.rate, self.rate], arb(1)).log_generating(log_x)

    def side(self, drift: arb) -> tuple[arb, arb]:
        """Σ w_ℓ e^{ℓ·drift} and Σ ℓ·w_ℓ·e^{ℓ·drift}, over the counts that matter, with the rest enclosed.

        Ratios of successive terms do not increase in ℓ, so that beyond either end of the window the terms fall at least as fast as a
        geometric series, and `remainder` bounds them.
        """
        first, last = self.window.counts(float(drift.mid()), ctx.prec)
        weight = arb.bin_uiui(self.most, first) * self.rate**first * (1 - self.rate) ** (self.most - first)
        term = weight * (first * drift - first * first * self.half_v).exp()
        total, mean = arb(0), arb(0)
        if first > 0:
            back = first / (self.odds * (self.most - first + 1) * (drift - (2 * first - 1) * self.half_v).exp())
            rest = remainder(term, back)
            total, mean = total + rest, mean + first * rest
        growth, shrink = self.odds * (drift - (2 * first + 1) * self.half_v).exp(), (-2 * self.half_v).exp()
        for count in range(first, last + 1):
            total, mean = total + term, mean + count * term
            ratio = growth * (self.most - count) / (count + 1)
            if count == last < self.most:
                total += remainder(term, ratio)
                mean += remainder(count * term, ratio * (count + 1) / max(count, 1)) if count else (self.most * remainder(term, ratio))
            term, growth = term * ratio, growth * shrink
        return total, mean


class Window:
    """Which counts matter at a tilt, in float64: only a choice, as the rest is enclosed whatever the choice."""

    def __init__(self, most: int, odds: arb, half_v: arb) -> None:
        self.most, self.log_odds, self.half_v = most, float(odds.log().mid()), float(half_v.mid())

    def counts(self, drift: float, bits: int) -> tuple[int, int]:
        """The counts whose terms reach 2^{−bits−16} of the largest one."""
        if self.most <= 16:
            return 0, self.most
        peak = self._peak(drift)
        top = self._log(peak, drift) - (bits + 16) * math.log(2)
        first = _first_where(lambda count: self._log(count, drift) > top, 0, peak)
        after = _first_where(lambda count: self._log(count, drift) <= top, peak + 1, self.most + 1)
        return max(first - 1, 0), min(after, self.most)

    def _log(self, count: int, drift: float) -> float:
        size = math.lgamma(self.most + 1) - math.lgamma(count + 1) - math.lgamma(self.most - count + 1)
        return size + count * (self.log_odds + drift) - count * count * self.half_v

    def _peak(self, drift: float) -> int:
        """The count from which on terms fall."""

        def falls(count: int) -> bool:
            step = math.log((self.most - count) / (count + 1)) + self.log_odds + drift - (2 * count + 1) * self.half_v
            return step <= 0

        return _first_where(falls, 0, self.most)


def _first_where(holds: Callable[[int], bool], low: int, high: int) -> int:
    """The first of low … high − 1 from which on something holds, else high; also of numbers that are too large for `bisect`."""
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle + 1, high)
    return low


def remainder(term: arb, ratio: arb) -> arb:
    """A ball around what terms ≥ 0 with ratios at most ρ add up to after a term s: [0, s·ρ/(1−ρ)]; everything if not ρ < 1.

    >>> remainder(arb(1), arb(1) / 2).contains(1)
    True
    """
    if not ratio < 1:
        return arb(0).union(arb.pos_inf())
    return arb(0).union((term * ratio / (1 - ratio)).abs_upper())
