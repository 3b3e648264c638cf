"""Exact convolution: δ(ε) of pairs on finitely many outcomes, used any number of times.

δ(ε) = P(L = ∞) + Σ_s (P(L = s) − e^ε Q(L = s))₊ over the finite values s of the total loss.

*On a lattice.* Losses start + j·unit have the generating polynomial Σ_j P(L = start + j·unit) x^j, and k uses have its k-th power, so the
distribution of the total loss is a product of powers of polynomials with balls as coefficients. No coefficient is negative, so nothing
cancels. Under Q a loss s has e^{−s} times its probability under P.

*Elsewhere* a law used k times is the list of its count vectors: multinomial probabilities.

Laws whose lattices have a common refinement are one group; every other law is a group of its own. With the largest group sorted by loss,
and A, B the sums of its probabilities under P and Q from the largest loss down, a combination of outcomes of the other groups with
probabilities p, q and loss s adds

    Σ_i (p·p_i − e^ε·q·q_i)₊ = p·A_n − e^ε·q·B_n,    n the number of losses above ε − s.

Which losses are above is decided with floats and a margin larger than their errors; what lies within the margin is added one by one, with
the positive part taken in balls, so a tie costs nothing and is never decided by rounding.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from flint import arb, arb_poly

from dpbounds.errors import InputError, PrecisionError
from dpbounds.laws.ball_numbers import BALLS
from dpbounds.laws.finite_sums import FiniteLaw, count_states
from dpbounds.mechanisms.arithmetic import RATIONALS
from dpbounds.mechanisms.atomic import AtomicLaw
from dpbounds.mechanisms.exact_loss import ExactLoss, Spacing, common_unit, spacing_of

MOST_POINTS = 1_000_000
"""Lattice points of one group: a power of a polynomial of this degree takes some ten seconds."""
MOST_OUTCOMES = 2_000_000
"""Outcomes that are listed one by one."""
_MARGIN = 2.0**-40
"""Relative to the largest loss; floats of losses are off by 2^-52 at most, and balls are required to be as good."""
_TINY = 1e-290
"""Losses so small that floats tell them apart badly or, below 5e-324, not at all are never taken for sure."""

_MOST_FRACTIONS = 300
"""Outcomes told apart in exact arithmetic, a tie at ε = 0 being rare."""

ON_A_LATTICE = "exact convolution on a lattice"
ONE_BY_ONE = "finite sum"


@dataclass(frozen=True)
class OrderedUse:
    """A law with its finite losses in the order of its outcomes, where they are known exactly."""

    law: FiniteLaw
    losses: tuple[ExactLoss, ...] | None


@dataclass(frozen=True)
class BallLoss(ExactLoss):
    """A loss known as a ball at the current precision: two of them are a lattice all the same."""

    ball: arb = field(default_factory=arb)

    def value(self, numbers: Any) -> Any:
        """The ball."""
        return self.ball


@dataclass(frozen=True)
class Outcomes:
    """Values of a loss, with their probabilities under P and under Q."""

    losses: list[arb]
    p: list[arb]
    q: list[arb]


@dataclass(frozen=True)
class Group:
    """Laws that are convolved together: on the lattice of their spacings, or one law without a lattice."""

    uses: tuple[OrderedUse, ...]
    spacings: tuple[Spacing, ...]

    @property
    def points(self) -> int:
        """How many values of the loss there are."""
        if not self.spacings:
            return math.prod(use.law.terms for use in self.uses)
        return 1 + sum(use.law.steps * max(own.indices) for use, own in zip(self.uses, self.spacings, strict=True))

    @property
    def is_exact(self) -> bool:
        """Whether there is a lattice, and its unit is an exact number."""
        return any(use.losses is not None for use in self.uses) and bool(self.spacings)

    def unit(self) -> arb:
        """The distance of neighbouring losses on the lattice."""
        return self.spacings[0].unit.value(BALLS)

    def start(self) -> arb:
        """The least loss on the lattice."""
        return sum((use.law.steps * own.start.value(BALLS) for use, own in zip(self.uses, self.spacings, strict=True)), arb(0))

    def outcomes(self) -> Outcomes:
        """At the current precision."""
        return self._on_lattice() if self.spacings else self._one_by_one()

    def _on_lattice(self) -> Outcomes:
        power = arb_poly([1])
        for use, own in zip(self.uses, self.spacings, strict=True):
            masses = [arb(0)] * (max(own.indices) + 1)
            for index, mass in zip(own.indices, use.law.p, strict=True):
                masses[index] += mass
            power *= lattice_power(masses, use.law.steps)
        start, unit = self.start(), self.unit()
        p = power.coeffs()
        falling, scale, q = (-unit).exp(), (-start).exp(), []
        for mass in p:
            q.append(mass * scale)
            scale *= falling
        return Outcomes([start + j * unit for j in range(len(p))], p, q)

    def _one_by_one(self) -> Outcomes:
        states = count_states([use.law for use in self.uses])
        return Outcomes([(p / q).log() for p, q in states], [p for p, _ in states], [q for _, q in states])


def lattice_power(masses: list[arb], steps: int) -> arb_poly:
    """f = g^k for g = Σ m_j x^j, without subtraction where g has at most three terms.

    gf′ = kg′f says n·m₀·f_n = (k − n + 1)·m₁·f_{n−1} + (2k − n + 2)·m₂·f_{n−2}, with no negative term for n ≤ k; so does the reversed g for
    the upper half.

    >>> [int(value.unique_fmpz()) for value in lattice_power([arb(1), arb(2), arb(1)], 2).coeffs()]
    [1, 4, 6, 4, 1]
    """
    gap = math.gcd(*(index for index, mass in enumerate(masses) if not mass.is_zero())) or 1
    row = masses[::gap]
    if not (1 < len(row) <= 3 and row[0] > 0 and row[-1] > 0):
        return arb_poly(masses) ** steps
    rise, fall = _lower_half(row, steps), _lower_half(row[::-1], steps)
    found = [arb(0)] * ((len(masses) - 1) * steps + 1)
    found[::gap] = rise + fall[: (len(row) - 2) * steps][::-1]
    return arb_poly(found)


def _lower_half(row: list[arb], steps: int) -> list[arb]:
    """f_0, …, f_k."""
    low, first, second = (*row, arb(0))[:3]
    first, second, found = first / low, second / low, [low**steps]
    for n in range(1, steps + 1):
        value = (steps - n + 1) * first * found[-1]
        found.append((value + (2 * steps - n + 2) * second * found[-2] if n > 1 else value) / n)
    return found


def groups_of(uses: Sequence[OrderedUse], most: float = MOST_POINTS) -> list[Group]:
    """The laws in groups of at most so many values each where they are joined, the one with the most values last."""
    found: list[Group] = []
    for use in uses:
        own = None if use.losses is None else spacing_of(use.losses)
        if own is None:
            found.append(Group((use,), _two_outcomes(use.law)))
            continue
        for index, group in enumerate(found):
            if group.is_exact and (joined := _joined(group, use, own, most)) is not None:
                found[index] = joined
                break
        else:
            found.append(Group((use,), (own,)))
    return sorted(found, key=lambda group: group.points)


def _two_outcomes(law: FiniteLaw) -> tuple[Spacing, ...]:
    """The lattice of two outcomes whose losses are no exact numbers; empty for others, and where balls do not tell them apart."""
    if len(law.p) != 2:
        return ()
    first, second = ((p / q).log() for p, q in zip(law.p, law.q, strict=True))
    if first < second:
        return (Spacing(BallLoss(ball=first), BallLoss(ball=second - first), (0, 1)),)
    return (Spacing(BallLoss(ball=second), BallLoss(ball=first - second), (1, 0)),) if second < first else ()


def _joined(group: Group, use: OrderedUse, own: Spacing, most: float) -> Group | None:
    """The group with one law more, unless the common lattice is too fine to be worth it."""
    unit = common_unit(group.spacings[0].unit, own.unit)
    if unit is None:
        return None
    joined = Group((*group.uses, use), (*(spacing.refined(unit) for spacing in group.spacings), own.refined(unit)))
    apart = group.points * Group((use,), (own,)).points
    return joined if joined.points <= min(apart, most) else None


def require_few(groups: Sequence[Group]) -> None:
    """Refuse what would take too long.

    Raises:
        PrecisionError: more than `MOST_POINTS` lattice points, or more than `MOST_OUTCOMES` combinations of the others.
    """
    *others, largest = groups
    count = math.prod(group.points for group in others)
    most = MOST_POINTS if largest.spacings else MOST_OUTCOMES
    if count > MOST_OUTCOMES or largest.points > most:
        raise PrecisionError(
            f"the exact finite sum would have {count * largest.points} terms; no digit was reached; use fewer steps or outcomes"
        )


def convolution_method(groups: Sequence[Group]) -> str:
    """How the sum is found."""
    return ON_A_LATTICE if any(group.spacings for group in groups) else ONE_BY_ONE


def convolved_delta(groups: Sequence[Group], epsilon: arb) -> arb:
    """Σ_s (P(L = s) − e^ε Q(L = s))₊ over the finite losses, at the current precision; the mass of infinite loss is not in it."""
    *others, largest = [group.outcomes() for group in groups]
    return positive_sum(others, largest, epsilon)


def positive_sum(others: Sequence[Outcomes], largest: Outcomes, epsilon: arb) -> arb:
    """The same for outcomes, combined with those that are sorted."""
    order = sorted(range(len(largest.losses)), key=lambda i: -float(largest.losses[i].mid()))
    falling = [-float(largest.losses[i].mid()) for i in order]
    above_p, above_q = _running([largest.p[i] for i in order]), _running([largest.q[i] for i in order])
    scale, total, before = epsilon.exp(), arb(0), combinations(others)
    margin = _margin([epsilon, *largest.losses], [loss for loss, _, _ in before])
    for loss, p, q in before:
        level, weight = epsilon - loss, scale * q
        at = float(level.mid())
        sure, maybe = (bisect_left(falling, -at - margin), bisect_left(falling, -at + margin)) if margin < math.inf else (0, len(order))
        total += p * above_p[sure] - weight * above_q[sure]
        for i in order[sure:maybe]:
            total += (p * largest.p[i] - weight * largest.q[i]).nonnegative_part()
    return total


def _margin(losses: Sequence[arb], others: Sequence[arb]) -> float:
    """More than floats of a sum of two of these losses are off; infinite, so that nothing is taken for sure, where a ball is wide."""
    if not all(loss.is_finite() for rows in (losses, others) for loss in rows):
        return math.inf
    size = sum(max((float(abs(loss).upper()) for loss in rows), default=0.0) for rows in (losses, others))
    width = sum(max((float(loss.rad()) for loss in rows), default=0.0) for rows in (losses, others))
    return _MARGIN * size + _TINY if width <= _MARGIN * size / 4 else math.inf


def _running(values: Sequence[arb]) -> list[arb]:
    found = [arb(0)]
    for value in values:
        found.append(found[-1] + value)
    return found


def combinations(others: Sequence[Outcomes]) -> list[tuple[arb, arb, arb]]:
    """Loss and probabilities of every combination."""
    found = [(arb(0), arb(1), arb(1))]
    for own in others:
        rows = list(zip(own.losses, own.p, own.q, strict=True))
        found = [(loss + s, p * own_p, q * own_q) for loss, p, q in found for s, own_p, own_q in rows]
    return found


def exact_total_variation(laws: Sequence[tuple[AtomicLaw, int]]) -> Fraction | None:
    """δ(0) = Σ (P − Q)₊ as a fraction, the infinite losses included; None where masses are irrational or there are many outcomes.

    >>> from dpbounds.mechanisms.pairs import FinitePair
    >>> third = Fraction(1, 3)
    >>> exact_total_variation([(AtomicLaw(FinitePair((2 * third, third), (third, 2 * third)), Fraction(1), False), 2)])
    Fraction(1, 3)
    """
    states = {(Fraction(1), Fraction(1)): 1}
    kept = Fraction(1)
    for law, steps in laws:
        try:
            rows = law.rows(RATIONALS)
        except InputError:
            return None
        kept *= (1 - law.lost_mass()) ** steps
        for _ in range(steps):
            following: Counter[tuple[Fraction, Fraction]] = Counter()
            for (p, q), count in states.items():
                for own_p, own_q in rows:
                    following[p * own_p, q * own_q] += count
            states = following
            if len(states) > _MOST_FRACTIONS:
                return None
    return 1 - kept + sum((count * max(p - q, Fraction(0)) for (p, q), count in states.items()), Fraction(0))
