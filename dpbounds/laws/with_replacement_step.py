"""One step of the published pair of sampling with replacement (Koskela, Jälkö & Honkela 2020, §6.3): `--guarantee pair` only.

In units of the noise, with b_ℓ = Binomial(m, 1/n) and a standard normal s,

    P = Σ b_ℓ N(ℓ/σ, 1),   Q = Σ b_ℓ N(−ℓ/σ, 1),   F(s) = P(> s) − e^ε·Q(> s) = Σ b_ℓ (Φ̄(s − ℓ/σ) − e^ε Φ̄(s + ℓ/σ)).

The loss log u − log v, u = Σ b_ℓ e^{sℓ/σ − ℓ²/2σ²} and v(s) = u(−s), increases in s, so δ(ε) = F(s₀) at the only solution of L(s₀) = ε,
where F is largest: with s₀ in [s − h, s + h], F(s) ≤ δ ≤ F(s) + h·sup|F′|, F′ = −φ·(u − e^ε v), of second order in h.

The sums stop at ℓ = K. With τ the binomial mass beyond, P and Q lose at most τ on any set, so δ moves by at least −e^ε·τ and at most τ.
"""

from __future__ import annotations

from dataclasses import dataclass

from flint import arb, ctx

from dpbounds.laws.closed_forms import upper_tail
from dpbounds.mechanisms.pairs import WithReplacementPair
from dpbounds.numbers.inputs import exact_ball


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


def with_replacement_delta(pair: WithReplacementPair, epsilon: arb) -> arb:
    """δ(ε) of one step at the current precision, ε ≥ 0.

    >>> from fractions import Fraction
    >>> bool(with_replacement_delta(WithReplacementPair(1, 1, Fraction(2)), arb(0)).overlaps(arb("0.3829249225480262", 1e-15)))
    True
    """
    sigma = exact_ball(pair.sigma, "sigma")
    counts = hit_counts(pair.population, pair.batch, arb(2) ** -ctx.prec)
    point, width = threshold(counts.masses, sigma, epsilon)
    return _with_lost_mass(
        value_at(counts.masses, sigma, epsilon, point) + slope_error(counts.masses, sigma, epsilon, point, width), counts, epsilon
    )


def _with_lost_mass(value: arb, counts: HitCounts, epsilon: arb) -> arb:
    """δ of the whole pair from that of the cut one."""
    return (value - epsilon.exp() * counts.beyond).union(value + counts.beyond) if counts.beyond > 0 else value


def value_at(masses: list[arb], sigma: arb, epsilon: arb, s: arb) -> arb:
    """F(s)."""
    scale = epsilon.exp()
    return sum((mass * (upper_tail(s - hits / sigma) - scale * upper_tail(s + hits / sigma)) for hits, mass in enumerate(masses)), arb(0))


def slope_error(masses: list[arb], sigma: arb, epsilon: arb, s: arb, width: arb) -> arb:
    """A ball around [0, h·sup|F′|] over [s − h, s + h]; infinite unless L is certified to pass ε there."""
    if width == 0:
        return arb(0)
    if not (gain(masses, sigma, epsilon, s - width) < 0 and gain(masses, sigma, epsilon, s + width) > 0):
        return arb(0).union(arb.pos_inf())
    around = arb(s, width.upper())
    steepest = abs(gain(masses, sigma, epsilon, around)) * (-around * around / 2).exp() / (2 * arb.pi()).sqrt()
    return arb(0).union(width * steepest.upper())


def gain(masses: list[arb], sigma: arb, epsilon: arb, s: arb) -> arb:
    """u − e^ε v, with the sign of L − ε."""
    scale, total = epsilon.exp(), arb(0)
    for hits, mass in enumerate(masses):
        shift = hits / sigma
        total += mass * (-shift * shift / 2).exp() * ((s * shift).exp() - scale * (-s * shift).exp())
    return total


def threshold(masses: list[arb], sigma: arb, epsilon: arb) -> tuple[arb, arb]:
    """A point near s₀ and a distance h that should hold it; (0, 0) for ε = 0, where it is exact by symmetry."""
    if epsilon == 0:
        return arb(0), arb(0)
    low, high = arb(0), arb(1)
    for _ in range(10_000):
        if gain(masses, sigma, epsilon, high) > 0:
            break
        low, high = high, 2 * high
    for _ in range(ctx.prec // 2 + 20):
        middle = arb(((low + high) / 2).mid())
        low, high = (middle, high) if gain(masses, sigma, epsilon, middle) < 0 else (low, middle)
    return arb(((low + high) / 2).mid()), high - low
