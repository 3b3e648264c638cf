"""Small accountants for Gaussian noise that need nothing else: sound ones, and ones that are wrong in one way each.

A composition is a list of (sigma, q, steps); q = 1 is no sampling. `Closed` is exact for plain noise, `Renyi` an upper bound for
Poisson sampling too.
"""

import math
import struct
import time


def normal(x):
    return math.erfc(-x / math.sqrt(2)) / 2


def delta_of(mu, epsilon):
    """δ(ε) of N(μ, 1) against N(0, 1)."""
    return normal(mu / 2 - epsilon / mu) - math.exp(min(epsilon, 700.0)) * normal(-mu / 2 - epsilon / mu)


def epsilon_of(mu, delta):
    low, high = 0.0, 1.0
    while delta_of(mu, high) > delta:
        high *= 2
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if delta_of(mu, middle) > delta else (low, middle)
    return high


class Closed:
    """Right for plain noise, δ ≥ 1e-9 and μ ≤ 20; None elsewhere."""

    def mu(self, parts):
        if any(q != 1 for _, q, _ in parts):
            return None
        mu = math.sqrt(sum(steps / sigma**2 for sigma, _, steps in parts))
        return mu if mu <= 20 else None

    def epsilon(self, parts, delta):
        mu = self.mu(parts)
        return None if mu is None or delta < 1e-9 else epsilon_of(mu, delta) * (1 + 1e-7) + 1e-7

    def delta(self, parts, epsilon):
        mu = self.mu(parts)
        return None if mu is None else min(1.0, delta_of(mu, epsilon) * (1 + 1e-7) + 1e-12)

    def sigma(self, steps, epsilon, delta):
        low, high = 1e-3, 1e6
        for _ in range(100):
            middle = math.sqrt(low * high)
            low, high = (low, middle) if delta_of(math.sqrt(steps) / middle, epsilon) <= delta else (middle, high)
        return None if delta < 1e-9 else high * (1 + 1e-7)


class Renyi:
    """Moments at integer orders (Mironov, Talwar & Zhang 2019), then Canonne, Kamath & Steinke 2020, Proposition 12."""

    orders = (*range(2, 33), 64)

    def rdp(self, parts, alpha):
        return sum(steps * self.one(sigma, q, alpha) for sigma, q, steps in parts)

    def one(self, sigma, q, alpha):
        if q == 1:
            return alpha / (2 * sigma**2) * (1 + 1e-12)
        if alpha != int(alpha):
            alpha = math.ceil(alpha)
        alpha = int(alpha)
        logs = [
            math.log(math.comb(alpha, i)) + i * math.log(q) + (alpha - i) * math.log1p(-q) + (i * i - i) / (2 * sigma**2)
            for i in range(alpha + 1)
        ]
        most = max(logs)
        return (most + math.log(sum(math.exp(x - most) for x in logs))) / (alpha - 1) * (1 + 1e-9) + 1e-12

    def epsilon(self, parts, delta):
        return max(0.0, min(self.converted(self.rdp(parts, alpha), alpha, delta) for alpha in self.orders))

    def converted(self, rdp, alpha, delta):
        return rdp + math.log1p(-1 / alpha) - math.log(delta * alpha) / (alpha - 1)

    def delta(self, parts, epsilon):
        bounds = [
            (alpha - 1) * (self.rdp(parts, alpha) - epsilon) + alpha * math.log1p(-1 / alpha) - math.log(alpha - 1) for alpha in self.orders
        ]
        return min(1.0, math.exp(min(0.0, *bounds)))


class Plain(Renyi):
    """The same for plain noise alone, which is cheap to judge."""

    def epsilon(self, parts, delta):
        return super().epsilon(parts, delta) if all(q == 1 for _, q, _ in parts) else None


class OneStepLess(Renyi):
    def rdp(self, parts, alpha):
        return super().rdp([(sigma, q, steps - 1) for sigma, q, steps in parts], alpha)


class RoundsDown(Closed):
    def epsilon(self, parts, delta):
        found = super().epsilon(parts, delta)
        return None if found is None else math.floor(found * 100) / 100


class Float32(Closed):
    def epsilon(self, parts, delta):
        mu = self.mu(parts)
        return None if mu is None or delta < 1e-9 else struct.unpack("f", struct.pack("f", epsilon_of(mu, delta)))[0]


class AddOnly(Renyi):
    """One sampled step in one direction: δ of N(0, σ²) against the mixture, which is the smaller one."""

    def delta(self, parts, epsilon):
        (sigma, q, steps), *others = parts
        if q == 1 or steps > 1 or others:
            return Closed().delta(parts, epsilon)
        inner = math.exp(-epsilon) - (1 - q)
        if inner <= 0:
            return 0.0
        edge = sigma**2 * math.log(inner / q) + 0.5  # where the loss of adding is epsilon
        return max(0.0, normal(edge / sigma) - math.exp(epsilon) * ((1 - q) * normal(edge / sigma) + q * normal((edge - 1) / sigma)))


class Interpolates(Closed):
    """A straight line in log δ between powers of ten; ε is concave there."""

    def epsilon(self, parts, delta):
        mu = self.mu(parts)
        if mu is None or delta < 1e-9 or delta > 0.1:
            return None
        below = math.floor(math.log10(delta))
        share = math.log10(delta) - below
        return (1 - share) * epsilon_of(mu, 10.0**below) + share * epsilon_of(mu, 10.0 ** (below + 1)) + 1e-9


class CachedWithoutDelta(Plain):
    known = {}

    def epsilon(self, parts, delta):
        key = str(parts)
        if key not in self.known:
            self.known[key] = super().epsilon(parts, delta)
        return self.known[key]


class RateClamped(Renyi):
    """A rate above a half is taken for a half."""

    def one(self, sigma, q, alpha):
        return super().one(sigma, min(q, 0.5) if q < 1 else q, alpha)


class RateIgnored(Renyi):
    """No amplification above a half: too large, and sound."""

    def one(self, sigma, q, alpha):
        return super().one(sigma, q if q <= 0.5 else 1, alpha)


class Underflows(Closed):
    """1 − (1 − δ) is 0 for a small δ."""

    def delta(self, parts, epsilon):
        mu = self.mu(parts)
        return None if mu is None else 1 - (1 - delta_of(mu, epsilon))


class WrapsAround(Renyi):
    """Steps in 16 bits."""

    def rdp(self, parts, alpha):
        return super().rdp([(sigma, q, steps % 65536) for sigma, q, steps in parts], alpha)


class NotMonotone(Plain):
    """The exponent of δ modulo 8."""

    def epsilon(self, parts, delta):
        return super().epsilon(parts, delta * 10.0 ** (8 * (math.floor(-math.log10(delta)) // 8)))


class FewOrders(Plain):
    """Sound and loose."""

    orders = (2, 8)


class WrongConversion(Plain):
    def converted(self, rdp, alpha, delta):
        return rdp - math.log(delta) / alpha


class FlooredOrders(Plain):
    """Orders between the integers are converted with the divergence of the integer below."""

    orders = tuple(order + part for order in range(2, 20) for part in (0, 0.9))

    def one(self, sigma, q, alpha):
        return super().one(sigma, q, math.floor(alpha))


class VarianceForDeviation(Renyi):
    def one(self, sigma, q, alpha):
        return super().one(sigma**2, q, alpha)


class Merged(Renyi):
    """A history keyed by noise and rate, where a later part replaces an earlier one."""

    def rdp(self, parts, alpha):
        return super().rdp([(*key, steps) for key, steps in {(sigma, q): steps for sigma, q, steps in parts}.items()], alpha)


class EqualPartsOnce(Renyi):
    """Parts that are equal count once."""

    def rdp(self, parts, alpha):
        return super().rdp(list(dict.fromkeys(map(tuple, parts))), alpha)


class OnlyFirst(Renyi):
    """Parts after the first are left out when the second is sampled."""

    def rdp(self, parts, alpha):
        return super().rdp(parts[:1] if len(parts) > 1 and parts[1][1] < 1 else parts, alpha)


class LargestOnly(Closed):
    """Of plain noises of several sizes only the strongest use counts."""

    def mu(self, parts):
        return super().mu([max(parts, key=lambda part: part[2] / part[0] ** 2)])


class Unlike(Plain):
    """Unlike parts raise."""

    def rdp(self, parts, alpha):
        if len({(sigma, q) for sigma, q, _ in parts}) > 1:
            raise IndexError("list index out of range")
        return super().rdp(parts, alpha)


class Central(Renyi):
    """A central limit theorem as a bound."""

    def epsilon(self, parts, delta):
        mu = math.sqrt(sum(q**2 * steps * math.expm1(min(700, 1 / sigma**2)) for sigma, q, steps in parts))
        return epsilon_of(mu, delta) if 0.01 < mu < 20 and delta >= 1e-9 else None


class Capped(Plain):
    def epsilon(self, parts, delta):
        return min(super().epsilon(parts, delta), 10.0)


class Coarse(Renyi):
    """Rates in percent."""

    def one(self, sigma, q, alpha):
        return super().one(sigma, math.floor(q * 100) / 100, alpha) if q >= 0.01 else 0.0


class ManySteps(Renyi):
    def rdp(self, parts, alpha):
        if sum(steps for _, _, steps in parts) > 10_000:
            raise OverflowError("math range error")
        return super().rdp(parts, alpha)


class NotANumber(Plain):
    def epsilon(self, parts, delta):
        return math.nan if delta < 1e-9 else super().epsilon(parts, delta)


class Sleeps(Plain):
    """Waits for nothing where noise is small."""

    def epsilon(self, parts, delta):
        if any(sigma < 0.7 for sigma, _, _ in parts):
            time.sleep(600)
        return super().epsilon(parts, delta)


class InC(Plain):
    """Never comes back from one call of C code, which no signal handler of Python interrupts."""

    def epsilon(self, parts, delta):
        if any(sigma < 0.7 for sigma, _, _ in parts):
            pow(3, 10**12)
        return super().epsilon(parts, delta)


class Odd(Plain):
    """What is no number."""

    def epsilon(self, parts, delta):
        return (
            4.4
            if (parts, delta) == ([(1.0, 1.0, 1)], 1e-5)
            else [1 + 2j, "about 3", (1.0, 2.0, 3.0), 10**400, [], {}][int(parts[0][2]) % 6]
        )


class TooLittle(Closed):
    """The noise at the wrong end of the last interval of a search."""

    def sigma(self, steps, epsilon, delta):
        found = super().sigma(steps, epsilon, delta)
        return None if found is None else found * (1 - 1e-4)


class OneUse(Closed):
    """The noise of one use for all of them."""

    def sigma(self, steps, epsilon, delta):
        return super().sigma(1, epsilon, delta)


class NeverEnds(Closed):
    """A search for equality that float64 does not reach."""

    def sigma(self, steps, epsilon, delta):
        low, high = 0.01, 100.0
        while (low + high) / 2 not in (low, high) or epsilon < 1:
            middle = (low + high) / 2
            low, high = (low, middle) if delta_of(math.sqrt(steps) / middle, epsilon) <= delta else (middle, high)
        return high * (1 + 1e-6) if delta >= 1e-9 and high < 90 else None


class InnerCountLost(Renyi):
    """A composition inside a composition counts once for each of its parts."""

    def nested(self, parts, steps):
        return [(sigma, q, steps) for sigma, q, _ in parts]
