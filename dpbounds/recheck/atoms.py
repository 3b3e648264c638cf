"""Laws with finitely many losses: tables, randomized response, discrete Laplace noise, (ε, δ)-events, Poisson-sampled or not."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Protocol

from dpbounds.recheck.bromwich import Law
from dpbounds.recheck.numbers import Complex, Disc, Numbers, Points, Real, Refused, geometric_line


class OwnLoss(Protocol):
    """A loss that is neither a number nor a logarithm of one; equal records are equal losses."""

    def value(self, numbers: Numbers) -> Real:
        """As an interval."""


Mixed = tuple[tuple[OwnLoss, int], ...]


@dataclass(frozen=True)
class Loss:
    """plain + log(ratio) + Σ n·own over the (own, n) of `mixed`: equal records are equal losses."""

    plain: Fraction = Fraction(0)
    ratio: Fraction = Fraction(1)
    mixed: Mixed = ()

    def times(self, n: int) -> Loss:
        """n·loss."""
        return Loss(self.plain * n, self.ratio**n, tuple((key, count * n) for key, count in self.mixed if n))

    def plus(self, other: Loss) -> Loss:
        """The sum of both."""
        counts = dict(self.mixed)
        for key, count in other.mixed:
            counts[key] = counts.get(key, 0) + count
        return Loss(self.plain + other.plain, self.ratio * other.ratio, tuple(sorted(((k, n) for k, n in counts.items() if n), key=repr)))

    def sampled(self, rate: Fraction) -> Loss:
        """log(1 − γ + γe^loss)."""
        if not self.plain and not self.mixed:
            return Loss(ratio=1 - rate + rate * self.ratio)
        return Loss(mixed=((SampledLoss(rate, self), 1),))

    def value(self, numbers: Numbers) -> Real:
        """As an interval."""
        found = numbers.number(self.plain)
        if self.ratio != 1:
            found = found + numbers.number(self.ratio).log()
        for own, count in self.mixed:
            found = found + own.value(numbers) * count
        return found


@dataclass(frozen=True)
class SampledLoss:
    """log(1 − γ + γe^loss)."""

    rate: Fraction
    loss: Loss

    def value(self, numbers: Numbers) -> Real:
        """As an interval."""
        return (self.loss.value(numbers).exp() * self.rate + (1 - self.rate)).log()


@dataclass(frozen=True)
class Beyond:
    """The outcomes x < −T and x > Δ + T of discrete Gaussian noise, sampled at a rate, which are not listed."""

    sigma: Fraction
    shift: int
    reach: int
    rate: Fraction = Fraction(1)

    def moment(self, x: Fraction, numbers: Numbers) -> Real:
        """A bound on Σ p·e^{xL} over them, in either order of the pair.

        With R the ratio of the noise, sampling makes it u = 1 − γ + γR, and u^{1+x} and u^{−x} are convex in R: the sum is at most 1 − γ
        times that of a ratio 1, which is x = 0, and γ times that of the noise, the same for both orders.
        """
        return self._moment(x, numbers) * self.rate + self._moment(Fraction(0), numbers) * (1 - self.rate)

    def _moment(self, x: Fraction, numbers: Numbers) -> Real:
        """Without sampling: e(j − Δ)^{1+x}·e(j)^{−x} = e^{x(1+x)Δ²/2σ²}·e(j − (1+x)Δ), and Z = Σ e normalises.

        On the right |j − (1+x)Δ| is d, d + 1, … for d = T + 1 − xΔ, on the left it is at least d + 1, d + 2, …. As e(d + i) <= e(d)e(i) for
        d, i >= 0, the sum of e on both sides is at most e(d)·Z.
        """
        variance, d = self.sigma**2, self.reach + 1 - x * self.shift
        if d < 0:
            raise Refused("the outcomes that are listed do not reach the largest terms; more bits are needed")
        return numbers.number((x * (1 + x) * self.shift**2 - d**2) / (2 * variance)).exp()


@dataclass(frozen=True)
class Atoms(Law):
    """Probabilities under P of the losses that both distributions show, and the mass that only P, or only Q, shows.

    `dropped` bounds the mass that either gives to outcomes of finite loss that are not listed, and `beyond` says more about them.
    """

    rows: tuple[tuple[Real, Loss], ...]
    lost: Fraction = Fraction(0)
    gained: Fraction = Fraction(0)
    dropped: Real | None = None
    beyond: Beyond | None = None

    @property
    def absolutely_continuous(self) -> bool:
        """Nothing is shown by one side alone."""
        return self.lost == self.gained == 0 and self.dropped is None

    def swapped(self) -> Atoms:
        """P and Q exchanged: Q gives p·e^{−L} to the loss L."""
        rows = []
        numbers = Numbers(self.rows[0][0].at.bits if self.rows else 20)
        for p, loss in self.rows:
            rows.append((p * (-loss.value(numbers)).exp(), loss.times(-1)))
        return Atoms(tuple(rows), self.gained, self.lost, self.dropped, self.beyond)

    def sampled(self, rate: Fraction, numbers: Numbers) -> Atoms:
        """P becomes γP + (1−γ)Q: what only Q showed both show, with the loss log(1 − γ)."""
        rows = []
        for p, loss in self.rows:
            rows.append((p * rate + p * (-loss.value(numbers)).exp() * (1 - rate), loss.sampled(rate)))
        if self.gained:
            rows.append((numbers.number((1 - rate) * self.gained), Loss(ratio=1 - rate)))
        beyond = None if self.beyond is None else replace(self.beyond, rate=rate)
        return Atoms(tuple(rows), rate * self.lost, dropped=self.dropped, beyond=beyond)

    def largest_loss(self, numbers: Numbers) -> Real | None:
        """The largest of the losses, unless some are not listed."""
        numbers.spend(len(self.rows) * 50)
        found = None
        if self.dropped is not None:
            return None
        for _, loss in self.rows:
            value = loss.value(numbers)
            found = value if found is None else found.maximum(value)
        return found or numbers.number(0)

    def line(self, at: Points, own: Mapping[str, object], numbers: Numbers) -> list[Disc]:
        """Σ p·e^{zL} at the points."""
        numbers.spend(at.count * len(self.rows))
        losses, none = [loss.value(numbers) for _, loss in self.rows], numbers.number(0)
        weights = [Complex(p * (loss * at.c).exp(), none) for (p, _), loss in zip(self.rows, losses, strict=True)]
        return geometric_line(weights, [(loss * at.h).cis() for loss in losses], at.count, numbers)

    def moment(self, x: Fraction, own: object, numbers: Numbers) -> Real:
        """Σ p·e^{xL} over the rows."""
        numbers.spend(len(self.rows) * 50)
        return numbers.total([p * (loss.value(numbers) * x).exp() for p, loss in self.rows])

    def whole_moment(self, x: Fraction, numbers: Numbers) -> Real:
        """Σ p·e^{xL} over all outcomes; the noise that is listed in part is its own mirror image."""
        if self.dropped is not None and self.beyond is None:
            raise Refused("the divergence rests on outcomes that are not listed")
        listed = self.moment(x, None, numbers)
        if self.beyond is None:
            return listed
        more = self.beyond.moment(x, numbers)
        return listed + more.down_by(more)

    def decay(self, c: Fraction, y: Fraction, own: Mapping[str, object], numbers: Numbers) -> Real:
        """M(c): atoms do not decay."""
        return self.moment(c, None, numbers)


def table(p: Sequence[Fraction], q: Sequence[Fraction], numbers: Numbers) -> Atoms:
    """Two rows of probabilities; outcomes of one ratio are joined."""
    joined: dict[Fraction, Fraction] = {}
    for a, b in zip(p, q, strict=True):
        if a and b:
            joined[a / b] = joined.get(a / b, Fraction(0)) + a
    lost = sum((a for a, b in zip(p, q, strict=True) if not b), Fraction(0))
    gained = sum((b for a, b in zip(p, q, strict=True) if not a), Fraction(0))
    return Atoms(tuple((numbers.number(mass), Loss(ratio=ratio)) for ratio, mass in joined.items()), lost, gained)


def randomized_response(epsilon: Fraction, answers: int, failure: Fraction, numbers: Numbers) -> Atoms:
    """The true answer of n with probability e^ε/(n−1+e^ε), each other with 1/(n−1+e^ε); a `failure` shows whose data it was."""
    likely = numbers.number(epsilon).exp()
    one = numbers.number(1 - failure) / (likely + (answers - 1))
    rows = [(likely * one, Loss(epsilon)), (one, Loss(-epsilon))] if failure < 1 else []
    if answers > 2 and rows:
        rows.append((one * (answers - 2), Loss()))
    return Atoms(tuple(rows), failure, failure)


def discrete_laplace(scale: Fraction, shift: int, numbers: Numbers) -> Atoms:
    """P(x) ∝ r^{|x−Δ|} against Q(x) ∝ r^{|x|}, r = e^{−1/b}: the loss is (2x − Δ)/b for 0 <= x <= Δ, held constant beyond both ends.

    P gives 1/(1+r) to x >= Δ, r^Δ/(1+r) to x <= 0 and r^{Δ−x}(1−r)/(1+r) to each x between.
    """
    numbers.spend(shift * 100)
    r = numbers.number(-1 / scale).exp()
    end = 1 / (r + 1)
    rows = [(end, Loss(shift / scale)), (numbers.number(-shift / scale).exp() * end, Loss(-shift / scale))]
    for x in range(1, shift):
        rows.append((numbers.number(-(shift - x) / scale).exp() * (1 - r) * end, Loss((2 * x - shift) / scale)))
    return Atoms(tuple(rows))


def discrete_gaussian(sigma: Fraction, shift: int, numbers: Numbers) -> Atoms:
    """P(x) ∝ e(x − Δ) against Q(x) ∝ e(x), e(j) = e^{−j²/2σ²}: the loss is Δ(2x − Δ)/2σ², listed for −T <= x <= Δ + T.

    What either distribution gives to the rest is at most e(T + 1), as for `Beyond` with x = 0; T is such that e(T) <= 2^{−2·bits}. With
    n = T + Δ + 1 and j = n + i, j² >= n² + 2in: so Σ_{j >= n} e(j) <= e(n)/(1 − e^{−n/σ²}).
    """
    variance = sigma**2
    reach = math.isqrt(math.ceil(3 * numbers.at.bits * variance)) + 1  # 2·2·log 2 < 3
    if reach + shift > 20_000:
        raise Refused("discrete Gaussian noise needs too many outcomes")

    numbers.spend((reach + shift) * 200)

    sizes = [numbers.number(-Fraction(j * j) / (2 * variance)).exp() for j in range(reach + shift + 2)]
    last = sizes.pop()
    total = numbers.total(sizes) * 2 - 1
    tails = last / (1 - numbers.number(-(reach + shift + 1) / variance).exp()) * 2
    total = total + tails.down_by(tails)
    rows = [
        (sizes[abs(x - shift)] / total, Loss(shift * Fraction(2 * x - shift) / (2 * variance))) for x in range(-reach, shift + reach + 1)
    ]
    return Atoms(tuple(rows), dropped=sizes[reach + 1], beyond=Beyond(sigma, shift, reach))
