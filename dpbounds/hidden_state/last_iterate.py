"""δ of the last iterate of scalar linear noisy SGD with Poisson sampling: a mixture of Gaussians, exact.

x ← c·x − η(s·B + Z), B = 1 with probability q, Z ~ N(0, σ²): the last iterate with the record is a mixture of N(a_i, 1) with the
weights w_i, and N(0, 1) without it, in units of its noise: a = (s/σ) Σ_j B_j c^j / √Σ_j c^{2j}. All a_i ≥ 0, so the loss rises and the
best tests are thresholds (`numbers.mixture_thresholds`; x → −x for the other order, whose δ is 0 where e^{−ε} ≤ (1 − q)^t).

The losses are convex, so what holds for all convex losses is at least this: a lower bound for every guarantee of the class.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb

from dpbounds.numbers.balls import Ball, ball
from dpbounds.numbers.mixture_thresholds import MixtureThreshold


def atoms(c: Fraction, q: Fraction, t: int) -> list[tuple[Fraction, Fraction]]:
    """Σ_j B_j c^j and its probability, exact, in rising order.

    >>> atoms(Fraction(1), Fraction(1, 2), 1)
    [(Fraction(0, 1), Fraction(1, 2)), (Fraction(1, 1), Fraction(1, 2))]
    """
    if c == 1:
        return [(Fraction(k), comb(t, k) * q**k * (1 - q) ** (t - k)) for k in range(t + 1) if q < 1 or k == t]
    found = {Fraction(0): Fraction(1)}
    for j in range(t if c else 1):
        following: dict[Fraction, Fraction] = {}
        for centre, weight in found.items():
            for moved, chance in ((centre, 1 - q), (centre + c**j, q)):
                following[moved] = following.get(moved, Fraction(0)) + weight * chance
        found = following
    return sorted((centre, weight) for centre, weight in found.items() if weight)


def delta_of(c: Fraction, move: Fraction, q: Fraction, t: int, epsilon: Ball, backwards: bool) -> Ball:
    """δ of (with ‖ without) the record, or of (without ‖ with) it, where a step moves by `move` = s/σ.

    >>> bool(abs(delta_of(Fraction(1), Fraction(1), Fraction(1), 1, ball(1), False) - 0.126936737507) < 1e-11)
    True
    """
    squares = ball(t) if c == 1 else (1 - ball(c) ** (2 * t)) / ball(1 - c**2)
    mixture = [(ball(centre) * ball(move) / squares.sqrt(), ball(weight)) for centre, weight in atoms(c, q, t)]
    alone, (centre, weight) = [(ball(0), ball(1))], mixture[0]
    if not backwards:
        return MixtureThreshold(mixture, alone).delta(epsilon)
    if centre == 0 and (-epsilon).exp() <= weight:
        return ball(0)
    return MixtureThreshold(alone, [(-a, w) for a, w in mixture]).delta(epsilon)
