"""Poisson batches of Gaussian noise that are cut at a limit. Docs: error-bounds.md, "Truncated batches"."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from dpbounds.recheck.bromwich import Law
from dpbounds.recheck.gaussian_mixture import GaussianMixture
from dpbounds.recheck.numbers import Complex, Disc, Numbers, Points, Real, Refused
from dpbounds.recheck.reading import entry, only

_MOST = 20_000


@dataclass(frozen=True)
class TruncatedBatch(Law):
    """A step that tells whether its batch was full: the pair `uncut` with probability 1 − τ, else the pair `full`, τ the same for P and Q.

    So δ(s), M(z) and every bound on |M| are the means of those of both, with the weights 1 − τ and τ.
    """

    rate: Real
    uncut: GaussianMixture
    full: GaussianMixture

    def parts(self) -> tuple[tuple[str, Real, GaussianMixture], ...]:
        """Names, probabilities and pairs."""
        return ("uncut", 1 - self.rate, self.uncut), ("full", self.rate, self.full)

    def swapped(self) -> TruncatedBatch:
        """P and Q exchanged."""
        return replace(self, uncut=self.uncut.swapped(), full=self.full.swapped())

    def largest_loss(self, numbers: Numbers) -> Real | None:
        """The larger one."""
        ends = [law.largest_loss(numbers) for _, _, law in self.parts()]
        return None if ends[0] is None or ends[1] is None else ends[0].maximum(ends[1])

    def line(self, at: Points, own: Mapping[str, object], numbers: Numbers) -> list[Disc]:
        """M at the points."""
        lines = []
        for name, weight, law in self.parts():
            share = Complex(weight, numbers.number(0)).disc()
            lines.append([value.times(share, numbers.at.bits + 32) for value in law.line(at, _own(own, name), numbers)])
        return [first.plus(second) for first, second in zip(*lines, strict=True)]

    def moment(self, x: Fraction, own: object, numbers: Numbers) -> Real:
        """M(x), x > 0."""
        only(own, "uncut", "full")
        return numbers.total([law.moment(x, entry(own, name), numbers) * weight for name, weight, law in self.parts()])

    def decay(self, c: Fraction, y: Fraction, own: Mapping[str, object], numbers: Numbers) -> Real:
        """A bound on |M(c + iy')| for every y' >= y."""
        return numbers.total([law.decay(c, y, _own(own, name), numbers) * weight for name, weight, law in self.parts()])


def _own(own: Mapping[str, object], name: str) -> Mapping[str, object]:
    """The rules of one pair."""
    found = {}
    for key, rule in own.items():
        if rule is not None:
            only(rule, "uncut", "full")
            found[key] = entry(rule, name)
    return found


def truncated_batch(q: Fraction, sigma: Fraction, population: int, limit: int, numbers: Numbers) -> TruncatedBatch:
    """0 < q < 1, 1 <= limit < population: n = population − 1 others, a batch is full with the probability P(Bin(n, q) >= limit).

    Then x is in it with the probability r = q·limit/(m + 1), m >= limit, and takes the place of another record: the two differ by 2 units.
    """
    pushing = q * Fraction(limit, limit + 1)
    return TruncatedBatch(upper_tail(population - 1, q, limit, numbers), _poisson(q, sigma), _poisson(pushing, sigma / 2))


def _poisson(q: Fraction, sigma: Fraction) -> GaussianMixture:
    return GaussianMixture((1 - q, q), sigma, numerator=True, denominator=False)


def upper_tail(count: int, q: Fraction, least: int, numbers: Numbers) -> Real:
    """P(Bin(count, q) >= least), 1 <= least <= count, 0 < q < 1.

    The ratio of a term to the one before, (count − j)q/((j + 1)(1 − q)), falls; where it is r < 1, the terms t, tr, … add at most
    t/(1 − r).
    """
    if count > 10**9 or min(least, count - least) > _MOST:
        raise Refused("the probability of a full batch takes too many terms")
    numbers.spend(100 * _MOST)
    term = numbers.number(q) ** least * numbers.number(1 - q) ** (count - least) * math.comb(count, least)
    total, odds = term, q / (1 - q)
    for j in range(least, min(count, least + 2 * _MOST)):
        ratio = odds * Fraction(count - j, j + 1)
        term = term * ratio
        if ratio < 1:
            rest = term / (1 - ratio)
            if rest.surely_at_most(total * Fraction(1, 1 << numbers.at.bits)):
                return total + rest.down_by(rest)
        total = total + term
    if count > least + 2 * _MOST:
        raise Refused("the probability of a full batch takes too many terms")
    return total
