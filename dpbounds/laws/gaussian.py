"""Gaussian noise."""

from __future__ import annotations

from dataclasses import dataclass

from flint import arb

from dpbounds.laws.closed_forms import gaussian_delta
from dpbounds.laws.contour_factor import GaussianFactor
from dpbounds.laws.law import ClosedForm, Law, Uses, registered_law
from dpbounds.mechanisms.pairs import GaussianPair
from dpbounds.numbers.exact import Exact
from dpbounds.numbers.inputs import exact_ball


@dataclass(frozen=True)
class GaussianLaw(Law):
    """N(1, σ²) against N(0, σ²): L ~ N(v/2, v), v = 1/σ². Its own mirror image."""

    sigma: Exact
    decays = True

    def variance(self) -> arb:
        """1/σ²."""
        return 1 / exact_ball(self.sigma, "sigma") ** 2

    def factor(self, steps: int, most: float = 0.0) -> GaussianFactor:
        """All uses in one."""
        return GaussianFactor(steps * self.variance())

    def swapped(self) -> GaussianLaw:
        """The same."""
        return self

    def closed_form(self, uses: Uses) -> ClosedForm | None:
        """Gaussians add their variances."""
        if any(law.variance() is None for law in uses):
            return None
        return ClosedForm(lambda epsilon: gaussian_delta(total_variance(uses), epsilon))


def total_variance(uses: Uses) -> arb:
    """Σ k·v over what is Gaussian."""
    return sum((steps * own for law, steps in uses.items() if (own := law.variance()) is not None), arb(0))


@registered_law.register(GaussianPair)
def _(pair: GaussianPair, reversed: bool) -> Law:
    return GaussianLaw(pair.sigma)
