"""Skellam noise: P(x) = e^{−v}·I_{|x|}(v) on the integers, by the power series of I_n.

I_n(v) = (v/2)^n/n!·Σ_m (v²/4)^m/(m!·(n+1)⋯(n+m)): from one term to the next v²/4/((m+1)(n+m+1)), which falls, so that what follows a term
is at most that term times g/(1 − g), g < 1 the next quotient. From the generating function Σ_n I_n·y^n = e^{(v/2)(y + 1/y)},
Σ_{n>T} I_n ≤ y^{−(T+1)}·e^{(v/2)(y + 1/y)} for every y ≥ 1.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from dpbounds.recheck.atoms import Atoms, Loss
from dpbounds.recheck.numbers import Numbers, Real, Refused
from dpbounds.recheck.reading import positive, whole

OWN = ("sensitivity",)
_LARGEST, _WIDEST = 10_000, 2_000


@dataclass(frozen=True)
class Step:
    """log I_{|x−Δ|}(v) − log I_{|x|}(v)."""

    variance: Fraction
    shift: int
    x: int

    def value(self, numbers: Numbers) -> Real:
        """As an interval."""
        return (
            _bessel(self.variance, abs(self.x - self.shift), numbers.at.bits) / _bessel(self.variance, abs(self.x), numbers.at.bits)
        ).log()


def atoms(part: Mapping[str, object], substitute: bool, numbers: Numbers) -> Atoms:
    """Shifted by Δ against unshifted, −T ≤ x ≤ Δ + T; what either gives to the rest is at most 2·Σ_{n>T} e^{−v}I_n(v).

    y = (T + √(T² + v²))/v is the best, nearly.
    """
    variance = positive(part, "skellam")
    shift = (whole(part, "sensitivity") if "sensitivity" in part else 1) * (2 if substitute else 1)
    if variance > _LARGEST or shift > _WIDEST:
        raise Refused("Skellam noise so wide is more work than a certificate may ask for")
    reach, bits = math.ceil(variance) + 1, numbers.at.bits
    while reach * math.asinh(reach / variance) - math.hypot(reach, variance) + variance < 1.4 * bits:  # twice the bits
        reach += reach // 8 + 1
    numbers.spend((reach + shift) * (bits + math.ceil(variance)) * 4)
    scale = numbers.number(-variance).exp()
    sizes = [_bessel(variance, n, bits) * scale for n in range(reach + shift + 1)]
    y = max(Fraction(1), Fraction(math.floor(16 * (reach + math.hypot(reach, variance)) / variance), 16))
    dropped = (numbers.number(variance * (y + 1 / y) / 2 - variance)).exp() / numbers.number(y) ** (reach + 1) * 2
    rows = [(sizes[abs(x - shift)], Loss(mixed=((Step(variance, shift, x), 1),))) for x in range(-reach, shift + reach + 1)]
    return Atoms(tuple(rows), dropped=dropped)


@lru_cache(maxsize=50_000)
def _bessel(variance: Fraction, n: int, bits: int) -> Real:
    numbers, quarter = Numbers(bits), variance**2 / 4
    term = numbers.number(Fraction((variance / 2) ** n, math.factorial(n)))
    total, m = term, 0
    while True:
        quotient = quarter / ((m + 1) * (n + m + 1))
        if quotient < Fraction(1, 2) and m > bits:
            rest = term * (quotient / (1 - quotient))
            return total + rest.down_by(rest)
        term, m = term * quotient, m + 1
        total = total + term
