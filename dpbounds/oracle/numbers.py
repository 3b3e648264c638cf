"""mpmath at the precision that is set as the arithmetic in which a pair writes out its definition."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import mpmath
from mpmath import mpf


class MpmathNumbers:
    """Nothing is rounded outward."""

    def number(self, value: Any) -> mpf:
        """An exact number at the precision that is set."""
        if isinstance(value, Fraction):
            return mpf(value.numerator) / value.denominator
        if isinstance(value, int):
            return mpf(value)
        return mpf(value._to_mpmath(mpmath.mp.prec))

    def exp(self, value: mpf) -> mpf:
        """e^value."""
        return mpmath.exp(value)

    def expm1(self, value: mpf) -> mpf:
        """e^value − 1."""
        return mpmath.expm1(value)

    def ln(self, value: mpf) -> mpf:
        """log value."""
        return mpmath.log(value)

    def up_to(self, value: mpf) -> mpf:
        """0."""
        return mpf(0)

    def log(self, value: Fraction) -> mpf:
        """log value."""
        return mpmath.log(self.number(value))

    @property
    def bits(self) -> int:
        """The precision that is set."""
        return int(mpmath.mp.prec)


MPMATH = MpmathNumbers()


def merged(rows: Sequence[tuple[mpf, mpf]]) -> list[tuple[mpf, mpf]]:
    """Outcomes whose losses agree to half the digits as one, so that compositions are short.

    >>> len(merged([(mpf("0.5"), mpf("0.25")), (mpf("0.25"), mpf("0.125"))]))
    1
    """
    found: dict[str, tuple[mpf, mpf]] = {}
    for p, q in rows:
        key = mpmath.nstr(mpmath.log(p / q), mpmath.mp.dps // 2) if p and q else f"{bool(p)} {bool(q)}"
        before = found.get(key, (mpf(0), mpf(0)))
        found[key] = before[0] + p, before[1] + q
    return list(found.values())
