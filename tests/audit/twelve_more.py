"""Twelve more small accountants, each right but in one place, and the two sound ones that they come from.

Written from the public page of the audit's interface, before its code or its questions were read.
`Moments` adds Rényi divergences at integer orders (Mironov et al. 2019; Laplace by Mironov 2017), and converts them as
Canonne, Kamath and Steinke (2020). `Losses` writes the privacy loss of one Gaussian step on a grid, rounded up, and
convolves. Each other class changes one thing of one of them; its docstring says which.
"""

import math

import numpy as np
from scipy.special import gammaln, logsumexp, ndtr

from dpbounds.audit import UPPER, Adapter, Selftest

ORDERS = (*range(2, 65), 80, 96, 128, 192, 256, 512, 1024)


def _numbers(part):
    """σ or the Laplace scale, the rate and the steps of a part; None where it has another noise or sampling."""
    noises = [key for key in ("sigma", "laplace-scale") if key in part]
    if len(noises) != 1 or set(part) - {"sigma", "laplace-scale", "sampling", "q", "steps"}:
        return None
    if part.get("sampling", "none") not in ("none", "poisson"):
        return None
    return noises[0], float(part[noises[0]]), float(part.get("q", 1)), int(part.get("steps", 1))


class Moments(Adapter):
    """The sound one by moments."""

    name, package = "moments", "second"
    guarantee = {"epsilon": UPPER, "delta": UPPER, "rdp": UPPER, "sigma": UPPER}
    source = dict.fromkeys(guarantee, "'upper bounds' (this file)")
    selftest = [Selftest("rdp", [{"sigma": 1.0}], 2.0, 1.0, 1e-9, "Mironov 2017, Proposition 7")]

    def one(self, noise, value, q, alpha):
        """The Rényi divergence of one step at an integer order."""
        if noise == "laplace-scale":
            terms = [math.log(alpha / (2 * alpha - 1)) + (alpha - 1) / value,
                     math.log((alpha - 1) / (2 * alpha - 1)) - alpha / value]  # fmt: skip
            return float(logsumexp(terms)) / (alpha - 1)
        if q == 1:
            return alpha / (2 * value**2)
        if q == 0:
            return 0.0
        k = np.arange(alpha + 1)
        terms = gammaln(alpha + 1) - gammaln(k + 1) - gammaln(alpha - k + 1)
        terms = terms + k * math.log(q) + (alpha - k) * math.log1p(-q) + k * (k - 1) / (2 * value**2)
        return max(float(logsumexp(terms)), 0.0) / (alpha - 1) * (1 + 1e-11) + 1e-14

    def parts(self, spec):
        parts = [_numbers(part) for part in spec]
        if None in parts or any(noise == "laplace-scale" and q != 1 for noise, _, q, _ in parts):
            return None
        return parts

    def total(self, parts, alpha):
        return sum(steps * self.one(noise, value, q, alpha) for noise, value, q, steps in parts)

    def convert(self, curve, delta):
        bounds = [r + math.log1p(-1 / a) - (math.log(delta) + math.log(a)) / (a - 1) for a, r in curve]
        return max(min(bounds), 0.0)

    def epsilon_of(self, parts, delta):
        return self.convert([(a, self.total(parts, a)) for a in ORDERS], delta)

    def epsilon(self, spec, delta):
        parts = self.parts(spec)
        return None if parts is None else self.epsilon_of(parts, float(delta))

    def delta(self, spec, epsilon):
        parts = self.parts(spec)
        if parts is None:
            return None
        logs = [(a - 1) * (self.total(parts, a) - float(epsilon) + math.log1p(-1 / a)) - math.log(a) for a in ORDERS]
        return math.exp(min(0.0, *logs))

    def rdp(self, spec, alpha):
        parts = self.parts(spec)
        if parts is None or alpha != int(alpha) or not 2 <= alpha <= 1024:
            return None
        return self.total(parts, int(alpha))

    def sigma(self, spec, target):
        if len(spec) != 1:
            return None
        parts = _numbers({**spec[0], "sigma": 1.0})
        return None if parts is None else self.calibrated(parts[2], parts[3], *map(float, target))

    def calibrated(self, q, steps, epsilon, delta, tolerance=1e-6):
        high = 0.5
        while self.epsilon_of([("sigma", high, q, steps)], delta) > epsilon:
            high *= 2
            if high > 1e9:
                return None
        low = high / 2 if high > 0.5 else 1e-3
        while high - low > tolerance * high:
            middle = (low + high) / 2
            if self.epsilon_of([("sigma", middle, q, steps)], delta) > epsilon:
                low = middle
            else:
                high = middle
        return high


class ShortCounts(Moments):
    """Steps are kept in 16 bits."""

    name = "short-counts"

    def parts(self, spec):
        parts = super().parts(spec)
        return parts and [(noise, value, q, steps & 0xFFFF or steps) for noise, value, q, steps in parts]


class FourParts(Moments):
    """Only four parts of a composition are added."""

    name = "four-parts"

    def parts(self, spec):
        return super().parts(spec[:4])


class Squarings(Moments):
    """More than a thousand steps are composed by squaring, and the rest is left out."""

    name = "squarings"

    def parts(self, spec):
        parts = super().parts(spec)
        return parts and [(*part[:3], part[3] if part[3] <= 1000 else 1 << part[3].bit_length() - 1) for part in parts]


class FlooredOrders(Moments):
    """Orders between the integers are converted with the divergence of the integer below."""

    name = "floored-orders"

    def epsilon_of(self, parts, delta):
        totals = {a: self.total(parts, a) for a in ORDERS}
        fine = [(a + x / 10, totals[a]) for a in ORDERS[:62] for x in range(10)]
        return self.convert(fine + list(totals.items()), delta)


class SmallRate(Moments):
    """From σ = 20 on, the divergence is taken to be α q²/(2σ²)."""

    name = "small-rate"

    def one(self, noise, value, q, alpha):
        if noise == "sigma" and value >= 20:
            return alpha * q**2 / (2 * value**2)
        return super().one(noise, value, q, alpha)


class RootOfSteps(Moments):
    """Repeated Laplace noise is treated as one with its scale divided by √steps."""

    name = "root-of-steps"

    def parts(self, spec):
        parts = super().parts(spec)
        return parts and [(n, v / math.sqrt(s), q, 1) if n == "laplace-scale" else (n, v, q, s) for n, v, q, s in parts]


class LowerEnd(Moments):
    """The bisection returns the lower end, with a tolerance of 10%."""

    name = "lower-end"

    def calibrated(self, q, steps, epsilon, delta, tolerance=0.1):
        return super().calibrated(q, steps, epsilon, delta, tolerance) * 0.9


class RateCache(Moments):
    """Divergences are cached by noise and rate; the steps are forgotten."""

    name = "rate-cache"
    seen = None

    def total(self, parts, alpha):
        if self.seen is None:
            self.seen = {}
        return sum(self.seen.setdefault((n, v, q, alpha), s * self.one(n, v, q, alpha)) for n, v, q, s in parts)


class FreeLaplace(Moments):
    """Laplace noise of scale above 20 costs nothing."""

    name = "free-laplace"

    def one(self, noise, value, q, alpha):
        return 0.0 if noise == "laplace-scale" and value > 20 else super().one(noise, value, q, alpha)


class HalfRate(Moments):
    """A rate above 1/2 and below 1 is taken to be 1/2."""

    name = "half-rate"

    def one(self, noise, value, q, alpha):
        return super().one(noise, value, 0.5 if 0.5 < q < 1 else q, alpha)


class Losses(Adapter):
    """The sound one by privacy losses: one Gaussian part, up to a thousand steps."""

    name, package = "losses", "second"
    guarantee = {"epsilon": UPPER, "delta": UPPER}
    source = dict.fromkeys(guarantee, "'upper bounds' (this file)")
    selftest = [Selftest("delta", [{"sigma": 1.0}], 1.0, 0.12693674, 1e-2, "Balle and Wang 2018, Theorem 5")]
    directions = (1, -1)
    dropped = 1e-15

    def masses(self, sigma, q, direction, width):
        """Cells of the loss: the first cell's index, masses, and what lies above (which is counted as infinite)."""
        edge = 9.0 * sigma
        x = np.array([-edge, 1 + edge])
        kept = math.log1p(-q) if q < 1 else -np.inf
        losses = direction * np.logaddexp(kept, math.log(q) + (2 * x - 1) / (2 * sigma**2))
        first, last = math.floor(losses.min() / width), math.ceil(losses.max() / width)
        edges = np.arange(first, last + 1) * width
        with np.errstate(all="ignore"):
            inner = (np.expm1(direction * edges) + q) / q
            at = np.where(inner > 0, sigma**2 * np.log(np.maximum(inner, 1e-300)) + 0.5, -np.inf)
        if direction == 1:
            low = (1 - q) * ndtr(at / sigma) + q * ndtr((at - 1) / sigma)
            high = (1 - q) * ndtr(-at / sigma) + q * ndtr((1 - at) / sigma)
        else:
            low, high = ndtr(-at / sigma), ndtr(at / sigma)
        masses = np.where(low[1:] < 0.5, np.diff(low), -np.diff(high))
        masses[0] += low[0]
        return first + 1, np.maximum(masses, 0), float(high[-1])

    def composed(self, sigma, q, steps, direction):
        width = 0.02 / steps if steps > 1 else 1e-4
        while True:
            first, one, above = self.masses(sigma, q, direction, width)
            if len(one) < 200_000:
                break
            width *= 2
        if steps == 1:
            return (first + np.arange(len(one))) * width, one, above, 0.0
        losses = (first + np.arange(len(one))) * width
        budget = math.log(self.dropped)
        with np.errstate(all="ignore"):
            logs = np.log(one)
        ends = []
        for sign in (1, -1):
            grid = np.geomspace(1e-3, 3e3, 60)
            tails = [(steps * logsumexp(logs + sign * t * losses) - budget) / t for t in grid]
            ends.append(sign * min(tails))
        low, high = math.floor(ends[1] / width) - 1, math.ceil(ends[0] / width) + 1
        size = 1 << max((high - low), len(one)).bit_length()
        if size > 1 << 20:
            return None
        power = np.fft.irfft(np.fft.rfft(one, size) ** steps, size)
        places = low + np.arange(size)
        power = power[(places - steps * first) % size]
        return places * width, np.maximum(power, 0), steps * above, self.loss_of_tails()

    def loss_of_tails(self):
        return 2 * self.dropped + 1e-11

    def value(self, spec, epsilon=None, delta=None):
        parts = [_numbers(part) for part in spec]
        if len(parts) != 1 or parts[0] is None or parts[0][0] != "sigma":
            return None
        _, sigma, q, steps = parts[0]
        if steps > 1000 or not 0.3 <= sigma <= 100 or not 1e-3 <= q <= 1:
            return None
        answers = []
        for direction in self.directions:
            law = self.composed(sigma, q, steps, direction)
            if law is None:
                return None
            answers.append(_delta(law, epsilon) if delta is None else _epsilon(law, delta))
        return max(answers)

    def epsilon(self, spec, delta):
        return self.value(spec, delta=float(delta))

    def delta(self, spec, epsilon):
        return self.value(spec, epsilon=float(epsilon))


def _delta(law, epsilon):
    losses, masses, above, dropped = law
    over = losses > epsilon
    return min(float(np.sum(masses[over] * -np.expm1(epsilon - losses[over]))) * (1 + 1e-9) + above + dropped, 1.0)


def _epsilon(law, delta):
    low, high = 0.0, max(float(law[0][-1]), 0.0)
    if _delta(law, high) > delta:
        return math.inf
    if _delta(law, low) <= delta:
        return 0.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if _delta(law, middle) > delta else (low, middle)
    return high


class AddOnly(Losses):
    """Only the direction in which a record is added is looked at."""

    name, directions = "add-only", (-1,)


class DroppedTails(Losses):
    """The tails that are cut, 10⁻⁷ on each side, are forgotten."""

    name, dropped = "dropped-tails", 1e-7

    def composed(self, *question):
        law = super().composed(*question)
        if law is None or question[2] == 1:
            return law
        losses, masses, _, _ = law
        below, beyond = np.cumsum(masses), np.cumsum(masses[::-1])[::-1]
        return losses, np.where((below > 1e-7) & (beyond > 1e-7), masses, 0), 0.0, 0.0


BROKEN = (ShortCounts, FourParts, Squarings, FlooredOrders, SmallRate, RootOfSteps, LowerEnd, RateCache, FreeLaplace, HalfRate, AddOnly,
          DroppedTails)  # fmt: skip
ADAPTERS = (Moments, Losses, *BROKEN)
