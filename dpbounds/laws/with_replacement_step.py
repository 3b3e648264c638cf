"""One step of the published pair of sampling with replacement (Koskela, Jälkö & Honkela 2020, §6.3): `--guarantee pair` only.

In units of the noise, with b_ℓ = Binomial(m, 1/n) and a standard normal s,

    P = Σ b_ℓ N(ℓ/σ, 1),   Q = Σ b_ℓ N(−ℓ/σ, 1):

two mixtures with a threshold (`numbers.mixture_thresholds`). A mixture against N(0, σ²), in either order, has one of the two sums; the
other side has ℓ = 0 alone.

The sums stop at ℓ = K. With τ the binomial mass beyond, P and Q lose at most τ on any set, so δ moves by at least −e^ε·τ and at most τ.
"""

from __future__ import annotations

from dataclasses import dataclass

from flint import arb, ctx

from dpbounds.mechanisms.pairs import GaussianMixturePair, WithReplacementPair
from dpbounds.numbers.binomial import first_masses
from dpbounds.numbers.inputs import exact_ball
from dpbounds.numbers.mixture_thresholds import MixtureThreshold

BOTH = (True, True)


@dataclass(frozen=True)
class HitCounts:
    """b_0 … b_K and a bound τ on the mass beyond."""

    masses: list[arb]
    beyond: arb


def hit_counts(population: int, batch: int, goal: arb) -> HitCounts:
    """Binomial(batch, 1/population), cut where what is left is at most the goal.

    >>> counts = hit_counts(2, 3, arb(0))
    >>> bool(abs(counts.masses[1] - 0.375) < 1e-12), bool(counts.beyond == 0)
    (True, True)
    """
    if population == 1:
        return HitCounts([arb(0)] * batch + [arb(1)], arb(0))
    return HitCounts(*first_masses(batch, arb(1) / population, arb(population - 1) / population, goal, 2, batch + 1))


def counts_of(pair: WithReplacementPair | GaussianMixturePair, goal: arb) -> HitCounts:
    """The probabilities of the centres, cut where what is left is at most the goal."""
    if isinstance(pair, WithReplacementPair):
        return hit_counts(pair.population, pair.batch, goal)
    masses, beyond = [exact_ball(weight) for weight in pair.weights], arb(0)
    while len(masses) > 2 and beyond + masses[-1] <= goal:
        beyond += masses.pop()
    return HitCounts(masses, arb(beyond.upper()))


def sides_of(pair: WithReplacementPair | GaussianMixturePair, reversed: bool) -> tuple[bool, bool]:
    """Whether the mixture stands above, and whether (mirrored) below; elsewhere N(0, σ²) does.

    The mirror image x → −x of N(0, σ²) against a mixture on ℓ ≥ 0 is N(0, σ²) against one on −ℓ, whose loss rises as well.
    """
    return BOTH if pair.symmetric else (not reversed, reversed)


def with_replacement_delta(pair: WithReplacementPair | GaussianMixturePair, epsilon: arb, reversed: bool = False) -> arb:
    """δ(ε) of one step at the current precision, ε ≥ 0.

    >>> from fractions import Fraction
    >>> bool(with_replacement_delta(WithReplacementPair(1, 1, Fraction(2)), arb(0)).overlaps(arb("0.3829249225480262", 1e-15)))
    True
    """
    sigma = exact_ball(pair.sigma, "sigma")
    counts, sides = counts_of(pair, arb(2) ** -ctx.prec), sides_of(pair, reversed)
    pair_of = mixtures(counts.masses, sigma, sides)
    # the threshold of mirror images at ε = 0 is 0
    value = pair_of.value(epsilon, arb(0)) if epsilon == 0 and sides == BOTH else pair_of.delta(epsilon)
    return _with_lost_mass(value, counts, epsilon)


def mixtures(masses: list[arb], sigma: arb, sides: tuple[bool, bool] = BOTH) -> MixtureThreshold:
    """The mixture above and its mirror image below, or all of its mass at 0 in their place."""
    first, second = ([(hits * side / sigma, mass) for hits, mass in enumerate(masses)] for side in (int(sides[0]), -int(sides[1])))
    return MixtureThreshold(first, second)


def _with_lost_mass(value: arb, counts: HitCounts, epsilon: arb) -> arb:
    """δ of the whole pair from that of the cut one."""
    return (value - epsilon.exp() * counts.beyond).union(value + counts.beyond) if counts.beyond > 0 else value
