"""Gaussian and Laplace noise, and Poisson-sampled Laplace noise, as factors of a contour. Docs: error-bounds.md, "Moments"."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from dpbounds.recheck.bromwich import Law
from dpbounds.recheck.numbers import Complex, Disc, Numbers, Points, Real, Refused, geometric_line
from dpbounds.recheck.reading import entry, only, positive, whole


@dataclass(frozen=True)
class Gaussian(Law):
    """N(1, σ²) against N(0, σ²): M(z) = e^{z(1+z)v/2}, v = 1/σ²; its own mirror image."""

    variance: Fraction

    def swapped(self) -> Gaussian:
        """The same."""
        return self

    def line(self, at: Points, own: Mapping[str, object], numbers: Numbers) -> list[Disc]:
        """M at the points."""
        numbers.spend(at.count * 100)
        return [(z * z.plus(1)).times(self.variance / 2).exp().disc() for z in at.points(numbers)]

    def moment(self, x: Fraction, own: object, numbers: Numbers) -> Real:
        """M(x)."""
        return numbers.number(x * (1 + x) * self.variance / 2).exp()

    def decay(self, c: Fraction, y: Fraction, own: Mapping[str, object], numbers: Numbers) -> Real:
        """|M(c + iy)| = M(c)·e^{−vy²/2}, which falls."""
        return numbers.number((c * (1 + c) - y * y) * self.variance / 2).exp()


@dataclass(frozen=True)
class Laplace(Law):
    """Laplace(1, b) against Laplace(0, b), ε₀ = 1/b: M(z) = (e^{zε₀}(z+1) + e^{−(1+z)ε₀}z)/(2z+1); its own mirror image."""

    largest: Fraction

    def swapped(self) -> Laplace:
        """The same."""
        return self

    def largest_loss(self, numbers: Numbers) -> Real | None:
        """ε₀."""
        return numbers.number(self.largest)

    def line(self, at: Points, own: Mapping[str, object], numbers: Numbers) -> list[Disc]:
        """M at the points."""
        numbers.spend(at.count * 200)
        return [self._at(z).disc() for z in at.points(numbers)]

    def _at(self, z: Complex) -> Complex:
        high, low = z.times(self.largest).exp(), z.plus(1).times(-self.largest).exp()
        return (high * z.plus(1) + low * z) * z.times(2).plus(1).reciprocal()

    def moment(self, x: Fraction, own: object, numbers: Numbers) -> Real:
        """M(x)."""
        return self._at(Complex(numbers.number(x), numbers.number(0))).re

    def decay(self, c: Fraction, y: Fraction, own: Mapping[str, object], numbers: Numbers) -> Real:
        """|z+1|/|2z+1| falls in y, and |z|/|2z+1| rises to 1/2."""
        ratio = numbers.number(((c + 1) ** 2 + y * y) / ((2 * c + 1) ** 2 + 4 * y * y)).root()
        return numbers.number(c * self.largest).exp() * ratio + numbers.number(-(1 + c) * self.largest).exp() / 2


@dataclass(frozen=True)
class SampledLaplace(Law):
    """P = q·Laplace(1, b) + (1−q)·Laplace(0, b) against Q = Laplace(0, b), or `reversed`; ε₀ = 1/b, 0 < q < 1.

    With p = 1 + z, reversed p = −z, and u(l) = 1 − q + q·e^l, l the loss of the noise, whose law under Q has the atoms e^{−ε₀}/2 at ε₀,
    1/2 at −ε₀ and the density e^{−(l+ε₀)/2}/4 between:

        M(z) = u(ε₀)^p·e^{−ε₀}/2 + u(−ε₀)^p/2 + ∫ u(l)^p e^{−(l+ε₀)/2}/4 dl.

    The integral becomes one over the line by l = ε₀·tanh(x/2), dl = ε₀/(1 + cosh x) dx.
    """

    largest: Fraction
    q: Fraction
    reversed: bool

    def swapped(self) -> SampledLaplace:
        """P and Q exchanged."""
        return replace(self, reversed=not self.reversed)

    def _u(self, loss: Real) -> Real:
        return loss.exp() * self.q + (1 - self.q)

    def _exponent(self, x: Fraction) -> Fraction:
        return -x if self.reversed else 1 + x

    def largest_loss(self, numbers: Numbers) -> Real | None:
        """log u(ε₀); reversed −log u(−ε₀)."""
        end = self._u(numbers.number(-self.largest if self.reversed else self.largest)).log()
        return -end if self.reversed else end

    def _atoms(self, x: Fraction, numbers: Numbers) -> list[tuple[Real, Real]]:
        """Weights u^p·mass and the logarithms of u."""
        found = []
        for sign, mass in ((1, numbers.number(-self.largest).exp() / 2), (-1, numbers.number(Fraction(1, 2)))):
            log = self._u(numbers.number(sign * self.largest)).log()
            found.append(((log * self._exponent(x)).exp() * mass, log))
        return found

    def _nodes(self, x: Fraction, y: Fraction, own: object, numbers: Numbers) -> tuple[list[tuple[Real, Real]], Real, Real]:
        """Weights and logarithms of u of both atoms and the nodes; bounds on the error of the nodes at |Im z| <= y, and on the tails.

        On |Im x| = b, the half-width of the strip, |tanh| <= 1 and |Im tanh(x/2)| <= tan(b/2): so with β = ε₀·tan(b/2) <= π/2 the loss l
        has |Re l| <= ε₀, |Im l| <= β, and 1 − q <= |u(l)| <= u(ε₀), |arg u(l)| <= β. And ∫ dx/|1 + cosh(x + ib)| = 2b/sin b.
        """
        only(own, "strip", "step", "last")
        strip, step, last = positive(own, "strip"), positive(own, "step"), whole(own, "last")
        numbers.spend(last * 200)
        half = numbers.number(strip / 2).cis()
        if last > 20_000 or not numbers.number(strip).surely_below(numbers.pi / 2):
            raise Refused("the quadrature of Laplace noise needs a strip below pi/2 and at most 20000 nodes on a side")
        beta = half.im / half.re * self.largest
        if not beta.surely_below(numbers.pi / 2):
            raise Refused("a strip lets the sampled density vanish")
        p, top = self._exponent(x), self._u(numbers.number(self.largest)).log()
        power = (top * p if p > 0 else numbers.number(1 - self.q).log() * p).exp()
        density = power / 4 * self.largest  # e^{−(l+ε₀)/2} <= 1 for Re l >= −ε₀
        length = strip / half.im / half.re  # 2b/sin b
        decay = (numbers.pi * 2 * (strip / step)).exp() - 1
        error = density * length * 2 * (beta * y).exp() / decay
        tails = density * 4 * numbers.number(-step * last).exp()  # ∫_X^∞ dx/(1 + cosh x) <= 2e^{−X}, twice
        found = self._atoms(x, numbers)
        for n in range(-last, last + 1):
            e = numbers.number(-abs(n) * step).exp()
            tanh = (1 - e) / (e + 1) * (1 if n >= 0 else -1)
            loss = tanh * self.largest
            log = self._u(loss).log()
            weight = (log * p - (loss + self.largest) / 2).exp() * e * 2 / (e + 1) ** 2  # 1/(1 + cosh x) = 2e/(1 + e)²
            found.append((weight * self.largest * step / 4, log))
        return found, error, tails

    def line(self, at: Points, own: Mapping[str, object], numbers: Numbers) -> list[Disc]:
        """M at the points; the phase of u^p is the logarithm of u, reversed its negative."""
        numbers.spend(at.count * 2 * min(whole(entry(own, "line"), "last"), 20_000))
        nodes, error, tails = self._nodes(at.c, at.h * at.count, entry(own, "line"), numbers)
        numbers.state("quadrature", error)
        numbers.state("tail", tails)
        none, sign = numbers.number(0), -1 if self.reversed else 1
        weights = [Complex(weight, none) for weight, _ in nodes]
        ratios = [(log * (at.h * sign)).cis() for _, log in nodes]
        spread = (error + tails).bounds()[1]
        return [value.wider(spread) for value in geometric_line(weights, ratios, at.count, numbers)]

    def moment(self, x: Fraction, own: object, numbers: Numbers) -> Real:
        """M(x)."""
        nodes, error, tails = self._nodes(x, Fraction(0), own, numbers)
        return numbers.total([weight for weight, _ in nodes]).plus_minus(error + tails)

    def decay(self, c: Fraction, y: Fraction, own: Mapping[str, object], numbers: Numbers) -> Real:
        """The atoms, and the integral by parts.

        With g the integrand at z = c and k = g·u/u', the integral of g·e^{±iy·log u} is at most (k(−ε₀) + k(ε₀) + ∫|k'|)/y. Here
        k'/k = −3/2 + (p+1)λ with λ = q·e^l/u in (0, 1) rising in l. So k is log-convex where p >= −1, and falls where p <= 1/2: either way
        ∫|k'| <= k(−ε₀) + k(ε₀).
        """
        total, p = numbers.number(0), self._exponent(c)
        for weight, _ in self._atoms(c, numbers):
            total = total + weight
        for sign in (-1, 1):
            loss = numbers.number(sign * self.largest)
            u = self._u(loss)
            total = total + (u.log() * (p + 1) - (loss + self.largest) / 2 - loss).exp() / (2 * self.q * y)
        return total
