"""Seventeen accountants, each right but in one place, and the sound one that they are made from.

All give upper bounds, the upper ends of the float64 accountants of dpbounds. Each of the seventeen changes the question in one place
before it asks the sound one.
"""

import math
from fractions import Fraction

from dpbounds.audit.adapter import UPPER, Adapter, Selftest
from dpbounds.audit.question import flat, mechanism_of

CLOSED_FORM = Selftest("epsilon", ({"sigma": 1.0, "steps": 1},), 1e-5, 4.3771780956811, 1e-2, "closed form, Balle & Wang 2018, Theorem 8")


class Sound(Adapter):
    """The upper ends of two-sided bounds."""

    guarantee = {"epsilon": UPPER, "delta": UPPER}
    selftest = (CLOSED_FORM,)
    direction = "worst"

    def parts(self, spec):
        """The parts that are accounted for."""
        return [dict(part) for part in spec]

    def epsilon(self, spec, delta):
        if any("population" in part for part in flat(spec)):
            return None
        from dpbounds.float64 import epsilon_bounds

        return epsilon_bounds(mechanism_of(self.parts(flat(spec))), Fraction(delta), direction=self.direction).upper

    def delta(self, spec, epsilon):
        if any("population" in part for part in flat(spec)):
            return None
        from dpbounds.float64 import delta_bounds

        return delta_bounds(mechanism_of(self.parts(flat(spec))), Fraction(epsilon), direction=self.direction).upper


class LaplaceUsedOnce(Sound):
    """The number of uses of Laplace noise is forgotten."""

    def parts(self, spec):
        return [part | {"steps": 1} if "laplace-scale" in part else dict(part) for part in spec]


class SwappedAtSmallRates(Sound):
    """Below a rate of 1/1000 the rate and δ change places."""

    def epsilon(self, spec, delta):
        rates = [part["q"] for part in flat(spec) if "q" in part]
        if len(rates) == 1 and delta < rates[0] < 1e-3:
            return super().epsilon([part | {"q": delta} if "q" in part else part for part in flat(spec)], rates[0])
        return super().epsilon(spec, delta)


class RateInThousandths(Sound):
    """Rates above 1/1000 are cut to whole thousandths."""

    def parts(self, spec):
        cut = [math.floor(part.get("q", 0) * 1000) / 1000 for part in spec]
        return [part | {"q": q} if q > 0 else dict(part) for part, q in zip(spec, cut, strict=True)]


class AddedOnly(Sound):
    """A record is only ever added."""

    direction = "add"


class CountsOfSixteenBits(Sound):
    """The number of uses is kept in sixteen bits."""

    def parts(self, spec):
        return [part | {"steps": part.get("steps", 1) % 65536 or 1} for part in spec]


class OrdersOneOff(Sound):
    """The Rényi divergence of Gaussian noise is read one row too early beyond order 16."""

    guarantee = {"rdp": UPPER}
    selftest = (Selftest("rdp", ({"sigma": 1.0, "steps": 1},), 2.0, 1.0, 1e-9, "closed form"),)

    def rdp(self, spec, alpha):
        if any(set(part) - {"sigma", "steps"} for part in spec):
            return None
        order = alpha - 1 if alpha > 16 else alpha
        return sum(part.get("steps", 1) * order / (2 * part["sigma"] ** 2) for part in spec) * (1 + 1e-9)


class OtherConstant(Sound):
    """Gaussian noise alone goes through zCDP, with ρ + √(2ρ log 1/δ) where the theorem has 2√(ρ log 1/δ)."""

    selftest = (
        Selftest("epsilon", ({"sigma": 1.0, "steps": 1},), 1e-5, 4.3771780956811, 1.0, "closed form, Balle & Wang 2018, Theorem 8"),
    )

    def epsilon(self, spec, delta):
        if any(set(part) - {"sigma", "steps"} for part in flat(spec)):
            return super().epsilon(spec, delta)
        rho = sum(part.get("steps", 1) / (2 * part["sigma"] ** 2) for part in flat(spec))
        return rho + math.sqrt(2 * rho * math.log(1 / delta))


class DeltaEndsAtTenDigits(Sound):
    """A δ below 1e-10 is taken for 1e-10."""

    def epsilon(self, spec, delta):
        return super().epsilon(spec, max(delta, 1e-10))


class NoiseOfTheFirst(Sound):
    """Parts with the same kind of noise all have that of the first of them."""

    def parts(self, spec):
        found, first = [], {}
        for part in spec:
            noise = next(key for key in part if key not in ("sampling", "q", "steps"))
            found.append(part | {noise: first.setdefault(noise, part[noise])})
        return found


class SamplingLeaks(Sound):
    """Laplace noise after sampled Gaussian noise is taken for sampled too."""

    def parts(self, spec):
        found, sampling = [], {}
        for part in spec:
            found.append(part | sampling if "laplace-scale" in part else dict(part))
            sampling = {key: part[key] for key in ("sampling", "q") if key in part and "sigma" in part}
        return found


class SmallerOfBoth(Sound):
    """δ is the smaller of both directions."""

    def delta(self, spec, epsilon):
        if any("population" in part for part in flat(spec)):
            return None
        from dpbounds.float64 import delta_bounds

        mechanism = mechanism_of(flat(spec))
        return min(delta_bounds(mechanism, Fraction(epsilon), direction=direction).upper for direction in ("add", "remove"))


class KeyWithoutUses(Sound):
    """Answers are remembered by noise, rate and argument, and the number of uses is not in the key."""

    def __init__(self):
        self.known = {}

    def epsilon(self, spec, delta):
        key = (repr([{key: value for key, value in part.items() if key != "steps"} for part in flat(spec)]), delta)
        if key not in self.known:
            self.known[key] = super().epsilon(spec, delta)
        return self.known[key]


class FourParts(Sound):
    """Only four parts of a composition are added."""

    def parts(self, spec):
        return super().parts(spec[:4])


class Squarings(Sound):
    """More than a thousand steps are composed by squaring, and the rest is left out."""

    def parts(self, spec):
        counts = [part.get("steps", 1) for part in spec]
        return [part | {"steps": k if k <= 1000 else 1 << k.bit_length() - 1} for part, k in zip(spec, counts, strict=True)]


class RootOfSteps(Sound):
    """Repeated Laplace noise is treated as one with its scale divided by √steps."""

    def parts(self, spec):
        scales = [part.get("laplace-scale", 0) / math.sqrt(part.get("steps", 1)) for part in spec]
        return [part | ({"laplace-scale": scale, "steps": 1} if scale else {}) for part, scale in zip(spec, scales, strict=True)]


class FreeLaplace(Sound):
    """Laplace noise of scale above 20 costs nothing."""

    def parts(self, spec):
        return [part | ({"laplace-scale": 1e9} if part.get("laplace-scale", 0) > 20 else {}) for part in spec]


class DroppedTails(Sound):
    """The tails that are cut, 10⁻⁷ on each side, are forgotten."""

    def epsilon(self, spec, delta):
        return super().epsilon(spec, min(delta + 2e-7, 0.9))


BROKEN = (LaplaceUsedOnce, SwappedAtSmallRates, RateInThousandths, AddedOnly, CountsOfSixteenBits, OrdersOneOff, OtherConstant,
          DeltaEndsAtTenDigits, NoiseOfTheFirst, SamplingLeaks, SmallerOfBoth, KeyWithoutUses, FourParts, Squarings, RootOfSteps,
          FreeLaplace, DroppedTails)  # fmt: skip
ADAPTERS = (Sound, *BROKEN)
