"""Finite tables beside noise whose moment hardly decays along the contour: δ as a mean over the outcomes of the tables.

The loss of a product is a sum, so with n the outcome of the tables, L(n) its loss and δ₁ the profile of the noise,

    δ(ε) = P(infinite loss) + Σ_n P(n)·δ₁(ε − L(n)),    δ₁(s) = 1 − e^s + e^s·δ₁′(−s) for s < 0,

where δ₁′ belongs to the swapped pair: E_P(1 − e^{s−L})₊ = E_P(1 − e^{s−L}) + E_P(e^{s−L} − 1)₊, and the last mean is e^s·E_Q(1 − e^{L−s})₊.
The noise is one step of a Gaussian mixture, one of sampled Laplace noise, or any number of plain Laplace noise: δ₁ is a finite sum.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from flint import arb

from dpbounds.laws.closed_forms import mixture_delta
from dpbounds.laws.convolve import Group, combinations, groups_of
from dpbounds.laws.laplace import is_affordable, laplace_delta
from dpbounds.laws.mixture import Mixture
from dpbounds.laws.normal_form import Elements, LaplaceSource
from dpbounds.laws.sampled_laplace import SampledLaplaceFactor, sampled_laplace_delta
from dpbounds.numbers.inputs import exact_ball

LARGEST_WORK = 3_000_000
"""Outcomes times the square of the uses of the noise."""


@dataclass(frozen=True)
class Noise:
    """Noise with a profile in closed form, and how often it is used."""

    source: LaplaceSource | Mixture
    steps: int

    def profile(self, s: arb) -> arb:
        """δ₁(s) at a real s of either sign.

        >>> laplace = Noise(LaplaceSource(Fraction(1), Fraction(1), False), 1)
        >>> bool(abs(laplace.profile(arb(-3)) - (1 - arb(-3).exp())) < 1e-12)
        True
        """
        if s < 0:
            return -s.expm1() + s.exp() * self.swapped().profile(-s)
        if isinstance(self.source, Mixture):
            return mixture_delta(self.source, s)
        if self.source.q == 1:
            return laplace_delta([(self.source.largest(), self.steps)], s)
        largest = SampledLaplaceFactor(self.source.largest(), self.source.q, self.source.reversed).loss_bound()
        if s >= largest:
            return arb(0)
        value = sampled_laplace_delta(self.source.largest(), exact_ball(self.source.q), s, self.source.reversed)
        return value if s < largest else arb(0).union(value)

    def swapped(self) -> Noise:
        """The same noise with P and Q exchanged."""
        if isinstance(self.source, Mixture):
            return Noise(replace(self.source, numerator=self.source.denominator, denominator=self.source.numerator), self.steps)
        return Noise(replace(self.source, reversed=not self.source.reversed), self.steps)


def noise_beside_tables(elements: Elements) -> Noise | None:
    """The noise, where a product is tables beside noise with a profile in closed form and the mean over the outcomes is short."""
    if not elements.finite or elements.variances or elements.fixed_size or len(elements.laplace) + len(elements.mixtures) != 1:
        return None
    noises = [Noise(source, steps) for source, steps in elements.laplace.items()]
    noises += [Noise(mixture, steps) for mixture, steps in elements.mixtures.items()]
    (noise,) = noises
    if not (noise.steps == 1 or (isinstance(noise.source, LaplaceSource) and noise.source.q == 1 and is_affordable([noise.steps]))):
        return None
    outcomes = math.prod(group.points for group in groups_of(elements.uses()))
    return noise if outcomes * noise.steps**2 <= LARGEST_WORK else None


def conditioned_delta(groups: Sequence[Group], noise: Noise, epsilon: Fraction) -> arb:
    """Σ_n P(n)·δ₁(ε − L(n)) at the current precision; the mass of infinite loss is left out."""
    at = exact_ball(epsilon)
    return sum((p * noise.profile(at - loss) for loss, p, _ in combinations([group.outcomes() for group in groups])), arb(0))
