"""Gaussian noise on a batch of fixed size drawn without replacement, under substitution. Docs: error-bounds.md, "Closed forms"."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from dpbounds.recheck.bromwich import Law
from dpbounds.recheck.gaussian_mixture import GaussianMixture
from dpbounds.recheck.numbers import Disc, Numbers, Points, Real, Refused


@dataclass(frozen=True)
class FixedSize(Law):
    """The pair whose δ(s) is that of Poisson sampling with half the noise for s >= 0, and its mirror image: it dominates each step.

    By advanced joint convexity (Balle, Barthe & Gaboardi 2018, Theorems 2 and 9). It has a profile and no moments here.
    """

    q: Fraction
    sigma: Fraction

    @property
    def above(self) -> GaussianMixture:
        """q·N(2) + (1−q)·N(0) against N(0)."""
        return GaussianMixture((1 - self.q, self.q), self.sigma / 2, numerator=True, denominator=False)

    def swapped(self) -> FixedSize:
        """The same."""
        return self

    def line(self, at: Points, own: Mapping[str, object], numbers: Numbers) -> list[Disc]:
        """Refused."""
        raise Refused("batches of fixed size have no moments here")

    def moment(self, x: Fraction, own: object, numbers: Numbers) -> Real:
        """Refused."""
        raise Refused("batches of fixed size have no moments here")

    def decay(self, c: Fraction, y: Fraction, own: Mapping[str, object], numbers: Numbers) -> Real:
        """Refused."""
        raise Refused("batches of fixed size have no moments here")
