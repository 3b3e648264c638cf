"""Finite tables beside noise whose moment hardly decays along the contour: δ as a mean over the outcomes of the tables.

The loss of a product is a sum, so with n the outcome of the tables, L(n) its loss and δ₁ the profile of the noise,

    δ(ε) = P(infinite loss) + Σ_n P(n)·δ₁(ε − L(n)),    δ₁(s) = 1 − e^s + e^s·δ₁′(−s) for s < 0,

where δ₁′ belongs to the swapped pair: E_P(1 − e^{s−L})₊ = E_P(1 − e^{s−L}) + E_P(e^{s−L} − 1)₊, and the last mean is e^s·E_Q(1 − e^{L−s})₊.
The noise is one step of a Gaussian mixture, one of sampled Laplace noise, or any number of plain Laplace noise: δ₁ is a finite sum.
Or it is any noise, and each δ₁ a contour of its own, where the contour of the product would be too long: what the tables show does not
decay along it, and keeps it from being bent.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from dpbounds.accounting.bromwich import Nearby, integrate
from dpbounds.accounting.tail_bound import tail_bound
from dpbounds.errors import PrecisionError
from dpbounds.laws.convolve import Group, combinations, groups_of
from dpbounds.laws.law import Law
from dpbounds.laws.normal_form import Elements
from dpbounds.numbers.balls import Enclosure, bits_for, precision
from dpbounds.numbers.inputs import exact_ball

LARGEST_WORK = 3_000_000
"""Outcomes times the square of the uses of the noise."""
_MOST_CONTOURS, _MOST_NODES = 600, 50_000


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


def mean_of_contours(elements: Elements, epsilon: Fraction, digits: int, nearby: Nearby | None = None) -> Enclosure | None:
    """δ(ε) by a contour of the noise for every outcome of the tables; None where there are no tables, or too many outcomes.

    Every term is positive, so that digits of the terms are digits of the sum.

    Raises:
        PrecisionError: a contour is too long.
    """
    if not (elements.atoms and elements.noise):
        return None
    kept = {} if nearby is None else nearby.others
    noise = {False: Elements(elements.noise), True: Elements(elements.noise).swapped()}

    def contour(s: arb, swapped: bool, place: int) -> arb:
        own = noise[swapped]
        largest = own.largest_loss()
        if largest is not None and s >= (exact_ball(largest) if isinstance(largest, Fraction) else largest):
            return own.certain_loss()
        line = kept.setdefault((place, swapped), Nearby())
        try:
            return integrate(own.factors, lambda: s, digits + 1, own.unlisted_mass, line, _MOST_NODES)[0].ball()
        except PrecisionError:
            least = Enclosure.of_ball(s).lower
            bound = tail_bound(own.factors, least, own.unlisted_mass) if isinstance(least, Fraction) else None
            if bound is None:
                raise
            return bound.ball()

    with precision(bits_for(digits + 1, 80)):
        groups = groups_of(elements.listed())
        if math.prod(group.points for group in groups) > _MOST_CONTOURS:
            return None
        total = Elements(elements.atoms).unlisted_mass()
        for place, (loss, p, _) in enumerate(combinations([group.outcomes() for group in groups])):
            s = exact_ball(epsilon) - loss
            if s > 0:
                total += p * contour(s, False, place)
            elif s < 0:
                total += p * (-s.expm1() + s.exp() * contour(-s, True, place))
            else:
                total += p * contour(arb(0), False, place) + arb(0, (p * s.abs_upper()).upper())
        return Enclosure.of_ball(total)
