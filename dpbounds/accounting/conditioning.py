"""Finite tables beside noise whose moment hardly decays along the contour: δ as a mean over the outcomes of the tables.

The loss of a product is a sum, so with n the outcome of the tables, L(n) its loss and δ₁ the profile of the noise,

    δ(ε) = P(infinite loss) + Σ_n P(n)·δ₁(ε − L(n)),    δ₁(s) = 1 − e^s + e^s·δ₁′(−s) for s < 0,

where δ₁′ belongs to the swapped pair: E_P(1 − e^{s−L})₊ = E_P(1 − e^{s−L}) + E_P(e^{s−L} − 1)₊, and the last mean is e^s·E_Q(1 − e^{L−s})₊.
The noise is one step of a Gaussian mixture, one of sampled Laplace noise, or any number of plain Laplace noise: δ₁ is a finite sum.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from dpbounds.laws.convolve import Group, combinations, groups_of
from dpbounds.laws.law import Law
from dpbounds.laws.normal_form import Elements
from dpbounds.numbers.inputs import exact_ball

LARGEST_WORK = 3_000_000
"""Outcomes times the square of the uses of the noise."""


@dataclass(frozen=True)
class ProfiledNoise:
    """Noise with a profile in closed form, and how often it is used."""

    law: Law
    steps: int

    def profile(self, s: arb) -> arb:
        """δ₁(s) at a real s of either sign.

        >>> from fractions import Fraction
        >>> from dpbounds.laws.laplace import LaplaceLaw
        >>> bool(abs(ProfiledNoise(LaplaceLaw(Fraction(1)), 1).profile(arb(-3)) - (1 - arb(-3).exp())) < 1e-12)
        True
        """
        if s < 0:
            return -s.expm1() + s.exp() * ProfiledNoise(self.law.swapped(), self.steps).profile(-s)
        form, own = self.law.closed_form({self.law: self.steps}), self.law.largest_loss()
        assert form is not None
        if own is None:
            return form.value(s)
        largest = self.steps * (exact_ball(own) if isinstance(own, Fraction) else own)
        if s >= largest:
            return arb(0)
        return form.value(s) if s < largest else arb(0).union(form.value(s))


def noise_beside_tables(elements: Elements) -> ProfiledNoise | None:
    """The noise, where a product is tables beside noise with a profile in closed form and the mean over the outcomes is short."""
    if not elements.atoms or len(elements.noise) != 1:
        return None
    ((law, steps),) = elements.noise.items()
    if law.decays or law.truncated or law.closed_form({law: steps}) is None:
        return None
    outcomes = math.prod(group.points for group in groups_of(elements.listed()))
    return ProfiledNoise(law, steps) if outcomes * steps**2 <= LARGEST_WORK else None


def conditioned_delta(groups: Sequence[Group], noise: ProfiledNoise, epsilon: Fraction) -> arb:
    """Σ_n P(n)·δ₁(ε − L(n)) at the current precision; the mass of infinite loss is left out."""
    at = exact_ball(epsilon)
    return sum((p * noise.profile(at - loss) for loss, p, _ in combinations([group.outcomes() for group in groups])), arb(0))
