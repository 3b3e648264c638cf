"""δ of two mixtures of N(a, 1), all a ≥ 0 in P and all b ≤ 0 in Q, by the threshold of the best test.

The loss log u − log v, u = Σ w e^{as − a²/2} over P and v over Q, rises in s. So with

    F(s) = P(> s) − e^ε·Q(> s),    F′ = −φ·(u − e^ε v),

δ(ε) = F(s₀) at the only solution of log u − log v = ε, where F is largest. With s₀ in [s − h, s + h], F(s) ≤ δ ≤ F(s) + h·sup|F′|, of
second order in h.
"""

from __future__ import annotations

from dataclasses import dataclass

from flint import arb, ctx

Mixture = list[tuple[arb, arb]]
"""Centres and weights."""
_FAR, _FARTHEST, _SPARE = 100, 200, 20
"""From where on a tail is taken at both ends; doublings of the distance in which the threshold is looked for; bits of it beyond half."""


@dataclass(frozen=True)
class MixtureThreshold:
    """P above and Q below."""

    above: Mixture
    below: Mixture

    def gain(self, epsilon: arb, s: arb) -> arb:
        """u − e^ε v, with the sign of L − ε."""
        first, second = (sum((w * (s * a - a * a / 2).exp() for a, w in side), arb(0)) for side in (self.above, self.below))
        return first - epsilon.exp() * second

    def value(self, epsilon: arb, s: arb) -> arb:
        """F(s)."""
        first, second = (sum((w * normal_tail(s - a) for a, w in side), arb(0)) for side in (self.above, self.below))
        return first - epsilon.exp() * second

    def near(self, epsilon: arb) -> tuple[arb, arb]:
        """A point s near s₀ and a distance h that should hold it: by steps of Newton for log u − log v, within a bracket of its sign."""
        low, high = arb(0), arb(1)
        for _ in range(_FARTHEST):
            if self.gain(epsilon, high) > 0:
                break
            low, high = high, 2 * high
        step = arb(1)
        while low <= 0 and step < 2**_FARTHEST and not self.gain(epsilon, low) < 0:
            low, step = low - step, 2 * step
        s, enough = (low + high) / 2, arb(2) ** -(ctx.prec // 2 + _SPARE)
        for _ in range(ctx.prec):
            s = arb(s.mid())
            terms = [[(w * (s * a - a * a / 2).exp(), a) for a, w in side] for side in (self.above, self.below)]
            first, second = (sum((term for term, _ in side), arb(0)) for side in terms)
            rising, falling = (sum((term * a for term, a in side), arb(0)) for side in terms)
            excess = (first / second).log() - epsilon
            low, high = (s, high) if excess < 0 else (low, s)
            moved = s - excess / (rising / first - falling / second)
            if abs(moved - s) < enough * (1 + abs(s)) or high - low < enough:
                return s, 4 * (abs(moved - s).upper() + enough)
            s = moved if moved > low and moved < high else (low + high) / 2
        return s, high - low

    def missed(self, epsilon: arb, s: arb, width: arb) -> arb:
        """A ball around [0, h·sup|F′|] over [s − h, s + h]; infinite unless L is certified to pass ε there."""
        if not (self.gain(epsilon, s - width) < 0 and self.gain(epsilon, s + width) > 0):
            return arb(0).union(arb.pos_inf())
        around = arb(s, width.upper())
        steepest = abs(self.gain(epsilon, around)) * (-around * around / 2).exp() / (2 * arb.pi()).sqrt()
        return arb(0).union(width * steepest.upper())

    def delta(self, epsilon: arb) -> arb:
        """δ(ε) at the current precision; infinite where L does not reach ε.

        >>> bool(abs(MixtureThreshold([(arb(1), arb(1))], [(arb(0), arb(1))]).delta(arb(1)) - 0.126936737507) < 1e-11)
        True
        """
        s, width = self.near(epsilon)
        return self.value(epsilon, s) + self.missed(epsilon, s, width)


def normal_tail(x: arb) -> arb:
    """Φ̄(x) = P(N(0,1) > x); it falls, and far out it is taken at both ends of the ball: erfc carries a radius too coarsely there.

    >>> bool(normal_tail(arb(0)) == 0.5)
    True
    """
    scaled = x / arb(2).sqrt()
    if scaled > _FAR and not scaled.is_exact():
        return scaled.lower().erfc().union(scaled.upper().erfc()) / 2
    return scaled.erfc() / 2
