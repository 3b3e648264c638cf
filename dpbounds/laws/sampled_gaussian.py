"""Gaussian noise that is Poisson-sampled in either order, and both sides sampled (substitution)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from flint import arb

from dpbounds.laws.closed_forms import mixture_delta
from dpbounds.laws.factors import MixtureFactor
from dpbounds.laws.law import ClosedForm, Law, Uses, only_use, rational, registered_law, registered_sampled_law
from dpbounds.laws.mixture import Mixture
from dpbounds.mechanisms.pairs import GaussianPair, SubstitutePair
from dpbounds.numbers.exact import Exact
from dpbounds.numbers.inputs import exact_ball


@dataclass(frozen=True)
class MixtureLaw(Law):
    """A pair of `laws.mixture`."""

    mixture: Mixture

    def factor(self, steps: int, most: float = 0.0) -> MixtureFactor:
        """By the trapezoid rule over the noise."""
        return MixtureFactor(self.mixture, steps)

    def swapped(self) -> MixtureLaw:
        """u and v exchanged."""
        return MixtureLaw(replace(self.mixture, numerator=self.mixture.denominator, denominator=self.mixture.numerator))

    def largest_loss(self) -> arb | None:
        """−log(1−q) in the direction add."""
        return None if self.mixture.numerator else -(-exact_ball(self.mixture.q)).log1p()

    def closed_form(self, uses: Uses) -> ClosedForm | None:
        """For one use."""
        return ClosedForm(lambda epsilon: mixture_delta(self.mixture, epsilon)) if only_use(uses) else None


def both_sides(q: Exact, sigma: Exact) -> MixtureLaw:
    """q·N(1, σ²) + (1−q)·N(0, σ²) against q·N(−1, σ²) + (1−q)·N(0, σ²)."""
    return MixtureLaw(Mixture(rational(q, "q"), rational(sigma, "sigma"), numerator=True, denominator=True))


@registered_law.register(SubstitutePair)
def _(pair: SubstitutePair, reversed: bool) -> Law | None:
    return None if pair.q == 0 else both_sides(pair.q, pair.sigma)


@registered_sampled_law.register(GaussianPair)
def _(base: GaussianPair, q: Exact, reversed: bool) -> Law:
    return MixtureLaw(Mixture(rational(q, "q"), rational(base.sigma, "sigma"), numerator=not reversed, denominator=reversed))
