"""One step of the published pair of sampling with replacement (Koskela, Jälkö & Honkela 2020, §6.3): `--guarantee pair` only.

In units of the noise, with b_ℓ = Binomial(m, 1/n) and a standard normal s,

    P = Σ b_ℓ N(ℓ/σ, 1),   Q = Σ b_ℓ N(−ℓ/σ, 1),   F(s) = P(> s) − e^ε·Q(> s) = Σ b_ℓ (Φ̄(s − ℓ/σ) − e^ε Φ̄(s + ℓ/σ)).

The loss log u − log v, u = Σ b_ℓ e^{sℓ/σ − ℓ²/2σ²} and v(s) = u(−s), increases in s, so δ(ε) = F(s₀) at the only solution of L(s₀) = ε,
where F is largest: with s₀ in [s − h, s + h], F(s) ≤ δ ≤ F(s) + h·sup|F′|, F′ = −φ·(u − e^ε v), of second order in h.

A mixture against N(0, σ²), in either order, has one of the two sums; the other side has ℓ = 0 alone.

The sums stop at ℓ = K. With τ the binomial mass beyond, P and Q lose at most τ on any set, so δ moves by at least −e^ε·τ and at most τ.
"""

from __future__ import annotations

from dataclasses import dataclass

from flint import arb, ctx

from dpbounds.laws.closed_forms import upper_tail
from dpbounds.mechanisms.pairs import GaussianMixturePair, WithReplacementPair
from dpbounds.numbers.inputs import exact_ball

BOTH = (True, True)
_FARTHEST = 200
"""Doublings of the distance in which the threshold is looked for: floats end before."""


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
    rate = arb(1) / population
    mass = (1 - rate) ** batch
    masses = [mass]
    for hits in range(1, batch + 1):
        mass = mass * (batch - hits + 1) / (hits * arb(population - 1))
        ratio = arb(batch - hits) / ((hits + 1) * arb(population - 1))  # of the next term to this one, and it falls
        if hits > 1 and ratio < 1 and mass / (1 - ratio) <= goal:
            return HitCounts(masses, arb((mass / (1 - ratio)).upper()))
        masses.append(mass)
    return HitCounts(masses, arb(0))


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
    point, width = threshold(counts.masses, sigma, epsilon, sides)
    value = value_at(counts.masses, sigma, epsilon, point, sides) + slope_error(counts.masses, sigma, epsilon, point, width, sides)
    return _with_lost_mass(value, counts, epsilon)


def _with_lost_mass(value: arb, counts: HitCounts, epsilon: arb) -> arb:
    """δ of the whole pair from that of the cut one."""
    return (value - epsilon.exp() * counts.beyond).union(value + counts.beyond) if counts.beyond > 0 else value


def value_at(masses: list[arb], sigma: arb, epsilon: arb, s: arb, sides: tuple[bool, bool] = BOTH) -> arb:
    """F(s)."""
    scale, total = epsilon.exp(), arb(0)
    for hits, mass in enumerate(masses):
        above, below = (hits * side / sigma for side in sides)
        total += mass * (upper_tail(s - above) - scale * upper_tail(s + below))
    return total


def slope_error(masses: list[arb], sigma: arb, epsilon: arb, s: arb, width: arb, sides: tuple[bool, bool] = BOTH) -> arb:
    """A ball around [0, h·sup|F′|] over [s − h, s + h]; infinite unless L is certified to pass ε there."""
    if width == 0:
        return arb(0)
    if not (gain(masses, sigma, epsilon, s - width, sides) < 0 and gain(masses, sigma, epsilon, s + width, sides) > 0):
        return arb(0).union(arb.pos_inf())
    around = arb(s, width.upper())
    steepest = abs(gain(masses, sigma, epsilon, around, sides)) * (-around * around / 2).exp() / (2 * arb.pi()).sqrt()
    return arb(0).union(width * steepest.upper())


def gain(masses: list[arb], sigma: arb, epsilon: arb, s: arb, sides: tuple[bool, bool] = BOTH) -> arb:
    """u − e^ε v, with the sign of L − ε."""
    scale, total = epsilon.exp(), arb(0)
    for hits, mass in enumerate(masses):
        above, below = (hits * side / sigma for side in sides)
        total += mass * ((s * above - above * above / 2).exp() - scale * (-s * below - below * below / 2).exp())
    return total


def threshold(masses: list[arb], sigma: arb, epsilon: arb, sides: tuple[bool, bool] = BOTH) -> tuple[arb, arb]:
    """A point near s₀ and a distance h that should hold it; (0, 0) for ε = 0 where both sides are mirror images: exact by symmetry."""
    if epsilon == 0 and sides == BOTH:
        return arb(0), arb(0)
    low, high = arb(0), arb(1)
    for _ in range(_FARTHEST):
        if gain(masses, sigma, epsilon, high, sides) > 0:
            break
        low, high = high, 2 * high
    step = arb(1)
    while low <= 0 and step < 2**_FARTHEST and not gain(masses, sigma, epsilon, low, sides) < 0:
        low, step = low - step, 2 * step
    for _ in range(ctx.prec // 2 + 20):
        middle = arb(((low + high) / 2).mid())
        low, high = (middle, high) if gain(masses, sigma, epsilon, middle, sides) < 0 else (low, middle)
    return arb(((low + high) / 2).mid()), high - low
