"""Finite tables beside laws whose moment hardly decays along the contour: δ as a mean over the outcomes of the tables.

The loss of a product is a sum, so with n the outcome of the tables, L(n) its loss and δ₁ the profile of the rest,

    δ(ε) = P(infinite loss) + Σ_n P(n)·δ₁(ε − L(n)),    δ₁(s) = 1 − e^s + e^s·δ₁′(−s) for s < 0,

where δ₁′ belongs to the swapped pair: E_P(1 − e^{s−L})₊ = E_P(1 − e^{s−L}) + E_P(e^{s−L} − 1)₊, and the last mean is e^s·E_Q(1 − e^{L−s})₊.
The rest is one step of a Gaussian mixture, one of sampled Laplace noise, or any number of plain Laplace noise: δ₁ is a finite sum.
Or it is anything, and each δ₁ is found on its own, where a contour of the product would be too long: what the tables show does not
decay along it, and keeps it from being bent.

*The reach.* δ₁ and δ₁′ fall. With λ the mass of infinite loss, b a Chernoff bound at r and what the laws leave out, λ ≤ δ₁(s) ≤ λ + b for
every s ≥ r (`tail_bound`), and in the same way for δ₁′, λ′, b′, r′. As P(n)e^s = e^εQ(n), with θ and θ′ in [0, 1],

    δ(ε) = P(infinite loss) + (λ + θb)·Σ_{s≥r} P(n) + Σ_{−s≥r′} (P(n) − e^εQ(n)·(1 − λ′ − θ′b′)) + Σ_{−r′<s<r} P(n)·δ₁(s),

so that few outcomes of a lattice need a δ₁ where the rest is narrow against its spacing.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from dpbounds.accounting.bounds.tail_bound import chernoff_bound
from dpbounds.accounting.bounds.upper_bounds import left_out
from dpbounds.accounting.bromwich_planning import Model, cut_to, target_of, whole_target
from dpbounds.accounting.nearby import Nearby
from dpbounds.errors import PrecisionError
from dpbounds.laws.convolve import Group, combinations, groups_of
from dpbounds.laws.law import Law
from dpbounds.laws.normal_form import Elements
from dpbounds.numbers.balls import Enclosure, bits_for, precision
from dpbounds.numbers.inputs import exact_ball

CONTOURS = "sum over the outcomes of the tables, a contour of the noise for each"
LARGEST_WORK = 3_000_000
"""Outcomes times the square of the uses of the noise."""
_MOST_OUTCOMES, _MOST_CONTOURS, _FEW_OUTCOMES = 300_000, 600, 64
"""Outcomes of the tables, those for which δ₁ has to be found, and outcomes of tables that spread least."""
_BELOW = 12.0
"""Nats by which what the others leave open is smaller than an error that would show."""
_NOTHING = -3
"""Digits of a δ₁, so few that 0 and 1 say enough of it."""
_TILTS = [2.0**power for power in range(-12, 100)]
_LEAST = -700.0
"""The logarithm of a mass that laws may be asked to leave out at most."""
_LN10 = math.log(10)
Profile = Callable[[Elements, Fraction, int, Nearby], Enclosure]
"""δ of some laws at an ε ≥ 0, to about so many digits."""


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


@dataclass(frozen=True)
class Reach:
    """Laws of which δ is between the ends of `beyond` at every s ≥ `distance`."""

    distance: float
    beyond: arb


def reach_of(elements: Elements, goal: float) -> Reach:
    """The least distance found from which on a Chernoff bound is about e^{goal}; the mass of infinite loss is in `beyond`."""
    whole = elements.factors(math.exp(max(goal, _LEAST)) / elements.steps)
    factors = cut_to(whole, goal)
    model, best = Model(factors, 0.0), (math.inf, 1.0)
    for c in _TILTS:
        if c > model.largest_tilt:
            break
        distance = (model.exponent(c) + c * math.log(c) - (1 + c) * math.log1p(c) - goal) / c
        if distance > best[0]:
            break
        best = distance, c
    distance = max(best[0], 0.0)
    above = left_out(elements, lambda: whole) + chernoff_bound(factors, arb(best[1]), arb(distance))
    return Reach(distance, arb(elements.certain_loss().lower()).union(above.upper()))


def mean_over_outcomes(
    elements: Elements, epsilon: Fraction, digits: int, profile: Profile, nearby: Nearby | None = None
) -> Enclosure | None:
    """δ(ε) as a mean over the outcomes of some of the laws with atoms; None where that would take long.

    First of those that spread farthest, then of those that spread least where they have few outcomes: beside a long line for the rest.

    Every term is positive, so that digits of the terms are digits of the sum.

    Raises:
        PrecisionError: no δ₁ can be had.
    """
    if not elements.atoms or len(elements.uses) < 2 or elements.by_parity:
        return None
    value = _approx_log_delta(elements, epsilon, digits)
    with precision(128):
        spreads = {law: steps * law.factor(1).approx_log_moments(0.0)[2] for law, steps in elements.atoms.items()}
    goal = value - digits * _LN10 - _BELOW
    order, best = sorted(spreads, key=lambda law: -spreads[law]), None
    chosen = [(order[:count], _MOST_OUTCOMES) for count in range(1, len(order) + 1)]
    chosen += [(order[count:], _FEW_OUTCOMES) for count in range(len(order) - 1, 0, -1)]
    for laws, most in chosen:
        tables = Elements(Counter({law: elements.uses[law] for law in laws}))
        rest = Elements(elements.uses - tables.uses)
        if not rest.uses:
            continue
        with precision(bits_for(digits, 80) + math.ceil(-goal / math.log(2))):
            found = _Mean(tables, rest, epsilon, goal, Nearby() if nearby is None else nearby, most).value(profile, digits)
        if found is not None and found.meets(digits):
            return found
        best = found if best is None or (found is not None and found.digits() > best.digits()) else best
    return best


def _approx_log_delta(elements: Elements, epsilon: Fraction, digits: int) -> float:
    """About log δ(ε): the mass of infinite loss, or what the saddle point says if that is more.

    Raises:
        PrecisionError: there is neither.
    """
    with precision(128):
        certain = elements.certain_loss()
        beside = float(certain.log().mid()) if certain > 0 else -math.inf
        factors, at = elements.factors(10.0 ** -(digits + 12) / elements.steps), float(exact_ball(epsilon))
        try:
            return max(beside, (whole_target(factors, at, digits * _LN10) or target_of(factors, at, digits * _LN10)).log_value)
        except PrecisionError:
            if beside == -math.inf:
                raise
            return beside


@dataclass(frozen=True)
class _Mean:
    """Tables, what is beside them, ε, and the logarithm of what may be left open; balls are at the current precision."""

    tables: Elements
    rest: Elements
    epsilon: Fraction
    goal: float
    nearby: Nearby
    most: int
    """Outcomes up to which it is looked at."""

    def value(self, profile: Profile, digits: int) -> Enclosure | None:
        """δ(ε); None where outcomes are many."""
        groups = groups_of(self.tables.listed())
        if math.prod(group.points for group in groups) > self.most:
            return None
        swapped = self.rest.swapped()
        ahead, behind, at = reach_of(self.rest, self.goal), reach_of(swapped, self.goal), exact_ball(self.epsilon)
        outcomes = combinations([group.outcomes() for group in groups])
        near = []
        above = below = below_q = arb(0)
        for place, (loss, p, q) in enumerate(outcomes):
            s = at - loss
            if s >= ahead.distance:
                above += p
            elif -s >= behind.distance:
                below, below_q = below + p, below_q + q
            else:
                near.append((place, s, p))
        if len(near) > _MOST_CONTOURS:
            return None
        total = self.tables.unlisted_mass() + above * ahead.beyond + below - at.exp() * below_q * (1 - behind.beyond)
        for place, s, p in sorted(near, key=lambda row: float(row[1].mid())):  # neighbours share lines
            size = float(p.log().mid()) if p > 0 else -math.inf
            wanted = digits + 1 + math.ceil(max(_NOTHING - digits - 2.0, min(0.0, (size - self.goal - _BELOW) / _LN10 - digits)))
            total += p * self._profile(swapped if s < 0 else self.rest, s, wanted, place, profile)
        return Enclosure.of_ball(total)

    def _profile(self, rest: Elements, s: arb, digits: int, place: int, profile: Profile) -> arb:
        """δ₁(s): it falls by at most 1 for each unit of s, so that a ball may be asked for at its lower end."""
        if digits < _NOTHING:
            return arb(0).union(arb(1))
        size = abs(s)
        least = Enclosure.of_ball(size).lower
        assert isinstance(least, Fraction)
        least = max(least, Fraction(0))
        kept, side = self.nearby.others, (tuple(self.tables.uses), bool(s < 0))
        line, last = kept.setdefault((*side, place), Nearby()), kept.setdefault(side, Nearby())
        if line.line is None:
            line.share(last)
        found = profile(rest, least, max(2, digits), line).ball() - arb(0).union((size - exact_ball(least)).upper())
        last.share(line)
        return -s.expm1() + s.exp() * found if s < 0 else found + arb(0).union((-s).upper().max(arb(0)))
