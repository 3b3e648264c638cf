"""Gaussian noise on a query that moves by ℓ = 0 … K with probability w_ℓ: its moments by the trapezoid rule on a shifted line.

Poisson sampling has K = 1 and the weights 1 − q and q. In units of the noise, with φ the standard normal density and
u(s) = Σ w_ℓ·e^{ℓs/σ − ℓ²/2σ²},

    M(z) = ∫ f(s) ds,    f = φ·U^{1+z}·V^{−z},    U(s) ∈ {u(s), 1},  V(s) ∈ {u(−s), 1},

(u, 1) when a record is removed, (1, v) when one is added, (u, v) when one is replaced. Docs: error-bounds.md, "The quadrature of a moment".
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

from dpbounds.covers.intervals import Arithmetic
from dpbounds.recheck.bromwich import Law
from dpbounds.recheck.numbers import Complex, Disc, Numbers, Points, Real, Refused, geometric_line
from dpbounds.recheck.reading import entry, integer, only, positive, whole


@dataclass(frozen=True)
class Rule:
    """Nodes n·step + i·shift, first <= n <= last, and the half-width of the strip about them that the error bound uses."""

    shift: Fraction
    strip: Fraction
    step: Fraction
    first: int
    last: int

    @staticmethod
    def read(document: object) -> Rule:
        """From a certificate."""
        only(document, "shift", "strip", "step", "first", "last")
        shift = Fraction(0) if entry(document, "shift") == "0" else positive(document, "shift")
        rule = Rule(shift, positive(document, "strip"), positive(document, "step"), integer(document, "first"), whole(document, "last"))
        if not -20_000 <= rule.first <= 0 or rule.last > 20_000:
            raise Refused("a quadrature needs first <= 0 <= last, and at most 40000 nodes")
        return rule


@dataclass(frozen=True)
class GaussianMixture(Law):
    """The pair (U, V); `numerator`: U = u, `denominator`: V = v. The last weight is not 0, and K >= 1."""

    weights: tuple[Fraction, ...]
    sigma: Fraction
    numerator: bool
    denominator: bool

    def swapped(self) -> GaussianMixture:
        """P and Q exchanged, and s → −s."""
        return replace(self, numerator=self.denominator, denominator=self.numerator)

    def largest_loss(self, numbers: Numbers) -> Real | None:
        """L = −log V < −log w₀ where U = 1; else there is none."""
        return None if self.numerator or not self.weights[0] else -numbers.number(self.weights[0]).log()

    @property
    def furthest(self) -> int:
        """K."""
        return len(self.weights) - 1

    def line(self, at: Points, own: Mapping[str, object], numbers: Numbers) -> list[Disc]:
        """M at the points."""
        rule = Rule.read(entry(own, "line"))
        if rule.strip > rule.shift:
            raise Refused("the strip of a line may not reach below the real axis")
        numbers.spend(at.count * (rule.last - rule.first + 1))
        weights, ratios = [], []
        for s, log_u, log_v in self._logs(rule, numbers):
            point = Complex(numbers.number(s), numbers.number(rule.shift))
            square = (point * point).times(Fraction(-1, 2))
            weights.append((square + log_u.times(1 + at.c) + log_v.times(-at.c)).exp().times(self._unit(rule, numbers)))
            loss = (log_u + log_v.times(-1)).times(at.h)
            ratios.append(Complex(-loss.im, loss.re).exp())
        largest = self.moment(at.c, entry(own, "moment"), numbers)
        error = (
            self._discretisation(rule, rule.shift + rule.strip, at.c, numbers) * ((numbers.number(rule.shift + rule.strip) ** 2) / 2).exp()
        )
        error = error * largest
        tail = self._tail(rule, at.c, numbers)
        numbers.state("quadrature", error)
        numbers.state("tail", tail)
        spread = (error + tail).bounds()[1]
        return [value.wider(spread) for value in geometric_line(weights, ratios, at.count, numbers)]

    def moment(self, x: Fraction, own: object, numbers: Numbers) -> Real:
        """M(x), x > 0: |S − M| <= κM and S lies between the sum over the nodes and that sum with the tail."""
        rule = Rule.read(own)
        if rule.shift:
            raise Refused("the nodes of a moment are real")
        share = self._discretisation(rule, rule.strip, x, numbers) * (numbers.number(rule.strip) ** 2 / 2).exp()
        if not share.surely_below(1):
            raise Refused("the nodes of a moment are too far apart")
        total, tail = self._moduli(rule, x, Fraction(0), numbers), self._tail(rule, x, numbers)
        low, high = total / (1 + share), (total + tail) / (1 - share)
        return Real(low.at, (low.ends[0], high.ends[1]))

    def decay(self, c: Fraction, y: Fraction, own: Mapping[str, object], numbers: Numbers) -> Real:
        """B with |M(c + iy')| <= B for y' >= y: the integral of |f| along the shifted line, at y."""
        rule = Rule.read(entry(own, "decay"))
        if not numbers.number((rule.shift + rule.strip) * 2 * self.furthest / self.sigma).surely_below(numbers.pi):
            raise Refused("shift and strip of a decay bound exceed a quarter turn")
        spread = numbers.number(rule.shift**2 + rule.strip**2)
        error = self._discretisation(rule, rule.shift + rule.strip, c, numbers) * (spread / 2).exp()
        error = error * self.moment(c, entry(own, "moment"), numbers)
        return (self._moduli(rule, c, y, numbers) + self._tail(rule, c, numbers) + error).upper()

    # the parts of a sum

    def _unit(self, rule: Rule, numbers: Numbers) -> Real:
        return rule.step / (numbers.pi * 2).root()

    def _logs(self, rule: Rule, numbers: Numbers) -> list[tuple[Fraction, Complex, Complex]]:
        """The nodes with log U and log V there, the arguments continuous from the real line: they lie in [0, θ] and [−θ, 0]."""
        numbers.spend((rule.last - rule.first + 1) * (self.furthest + 2) * 200)
        return numbers.together.once((self, rule, numbers.at.bits), lambda: self._new_logs(rule, numbers))

    def _new_logs(self, rule: Rule, numbers: Numbers) -> list[tuple[Fraction, Complex, Complex]]:
        theta = numbers.number(rule.shift * self.furthest / self.sigma)
        if not theta.surely_below(numbers.pi):
            raise Refused("a shift leaves the strip of analyticity")
        none = Complex(numbers.number(0), numbers.number(0))
        turns = [(hits, numbers.number(rule.shift * hits / self.sigma).cis()) for hits, weight in enumerate(self.weights) if weight]
        found = []
        for n in range(rule.first, rule.last + 1):
            s, logs = n * rule.step, [none, none]
            for index, sign in ((0, 1), (1, -1)):
                if (self.numerator, self.denominator)[index]:
                    if not rule.shift:
                        logs[index] = Complex(self._average(numbers.number(sign * s)).log(), none.im)
                        continue
                    value = none
                    for hits, turn in turns:
                        value = value + turn.times(self._term(hits, numbers.number(sign * s)))
                    log = value.log()
                    logs[index] = Complex(log.re, log.im * sign)
            found.append((s, logs[0], logs[1]))
        return found

    def _term(self, hits: int, s: Real) -> Real:
        """w_ℓ·e^{ℓs/σ − ℓ²/2σ²}."""
        slope, square, weight = self._at(s.at)[hits]
        return (s * slope - square).exp() * weight

    def _at(self, at: Arithmetic) -> list[tuple[Real, Real, Real]]:
        """ℓ/σ, ℓ²/2σ² and w_ℓ for every ℓ, as numbers of one precision."""
        if at not in self._made:
            rows = [(hits / self.sigma, hits**2 / (2 * self.sigma**2), weight) for hits, weight in enumerate(self.weights)]
            self._made[at] = [(Real(at, at.number(a)), Real(at, at.number(b)), Real(at, at.number(c))) for a, b, c in rows]
        return self._made[at]

    @cached_property
    def _made(self) -> dict[Arithmetic, list[tuple[Real, Real, Real]]]:
        return {}

    def _average(self, s: Real) -> Real:
        """Σ w_ℓ·e^{ℓs/σ − ℓ²/2σ²}, s real; the term of ℓ = 0 is w₀."""
        total = self._at(s.at)[0][2]
        for hits, weight in enumerate(self.weights):
            if hits and weight:
                total = total + self._term(hits, s)
        return total

    def loss(self, s: Real) -> Real:
        """log U(s) − log V(s), which rises with s."""
        logs = s * 0
        for sign, present in ((1, self.numerator), (-1, self.denominator)):
            if present:
                logs = logs + self._average(s * sign).log() * sign
        return logs

    def approx_loss(self, t: float) -> float:
        """`loss` in floating point, which decides nothing."""
        found, sigma = 0.0, float(self.sigma)
        rows = [(hits / sigma, math.log(weight) - (hits / sigma) ** 2 / 2) for hits, weight in enumerate(self.weights) if weight]
        for sign, present in ((1, self.numerator), (-1, self.denominator)):
            if present:
                logs = [slope * sign * t + log for slope, log in rows]
                found += sign * (max(logs) + math.log(math.fsum(math.exp(log - max(logs)) for log in logs)))
        return found

    def _moduli(self, rule: Rule, x: Fraction, y: Fraction, numbers: Numbers) -> Real:
        """Σ step·|f(s_n + ia)| at the exponent x + iy."""
        total, at_u, at_v, turned = numbers.number(0), numbers.number(1 + x), numbers.number(x), numbers.number(y)
        for s, log_u, log_v in self._logs(rule, numbers):
            size = log_u.re * at_u - log_v.re * at_v - (log_u.im - log_v.im) * turned
            total = total + (size - s * s / 2).exp()
        return total * self._unit(rule, numbers) * (numbers.number(rule.shift) ** 2 / 2).exp()

    def _discretisation(self, rule: Rule, reach: Fraction, x: Fraction, numbers: Numbers) -> Real:
        """2·C/(e^{2πb/step} − 1), b the strip and C of `_negative_power`."""
        exponent = (numbers.pi * 2 * (rule.strip / rule.step)).exp()
        return self._negative_power(reach, x, numbers) * 2 / (exponent - 1)

    def _negative_power(self, reach: Fraction, x: Fraction, numbers: Numbers) -> Real:
        """C with ∫|f(s + ib)|ds <= C·e^{b²/2}·M(x) for |b| <= reach, θ = K·reach/σ < π; 1 where V = 1.

        |V(s + ib)| >= V(s)·cos(θ/2). Where U = 1 and θ <= π/2, also |V(s + ib)| >= w₀, and M(x) >= 1.
        """
        theta = numbers.number(reach * self.furthest / self.sigma)
        if not theta.surely_below(numbers.pi):
            raise Refused("a strip leaves the strip of analyticity")
        if not self.denominator:
            return numbers.number(1)
        found = (-(theta / 2).cis().re.log() * x).exp()
        if not self.numerator and (theta * 2).surely_below(numbers.pi):
            return found.minimum((-self._kept(numbers).log() * x).exp())
        return found

    def _kept(self, numbers: Numbers) -> Real:
        """w₀."""
        if not self.weights[0]:
            raise Refused("a query that always moves has no certificate in this direction")
        return numbers.number(self.weights[0])

    def _tail(self, rule: Rule, x: Fraction, numbers: Numbers) -> Real:
        """What nodes beyond the first and the last can add to a sum of step·|f|: φ·U^{1+x} falls beyond them, and V >= w₀.

        By convexity U^{1+x} <= Σ w_ℓ·e^{(1+x)(ℓs/σ − ℓ²/2σ²)}, and φ(s) times that is Σ w_ℓ·e^{x(1+x)ℓ²/2σ²}·φ(s − m_ℓ), m_ℓ = (1+x)ℓ/σ.
        """
        low, high = rule.first * rule.step, rule.last * rule.step
        total, weights = numbers.number(0), self.weights if self.numerator else (Fraction(1),)
        if high < (1 + x) * (len(weights) - 1) / self.sigma:
            raise Refused("a quadrature ends before its largest terms")
        for hits, weight in enumerate(weights):
            m, size = (1 + x) * hits / self.sigma, numbers.number(x * (1 + x) * hits**2 / (2 * self.sigma**2)).exp()
            total = total + (numbers.number(high - m).upper_normal() + numbers.number(m - low).upper_normal()) * size * weight
        if self.denominator:
            if not numbers.number(2 * rule.shift * self.furthest / self.sigma).surely_below(numbers.pi):
                raise Refused("a shift beyond a quarter turn")
            total = total * (-self._kept(numbers).log() * x).exp()
        return total * (numbers.number(rule.shift) ** 2 / 2).exp()
