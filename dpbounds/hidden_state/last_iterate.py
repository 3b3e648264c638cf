"""δ of the last iterate of scalar linear noisy SGD with Poisson sampling: a mixture of Gaussians, exact.

x ← c·x − η(s·B + Z), B = 1 with probability q, Z ~ N(0, σ²): the last iterate with the record is a mixture of N(a_i, 1) with the
weights w_i, and N(0, 1) without it, in units of its noise: a = (s/σ) Σ_j B_j c^j / √Σ_j c^{2j}. All a_i ≥ 0, so dP/dQ = Σ w_i
exp(a_i x − a_i²/2) rises in x and the best tests are thresholds x*, where dP/dQ(x*) = e^{±ε}:

    remove: δ = Σ w_i Φ(a_i − x*) − e^ε Φ(−x*)         add: δ = Φ(x*) − e^ε Σ w_i Φ(x* − a_i), and 0 where e^{−ε} ≤ (1 − q)^t.

The losses are convex, so what holds for all convex losses is at least this: a lower bound for every guarantee of the class.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb

from dpbounds.errors import PrecisionError
from dpbounds.numbers.balls import Ball, ball, working_bits
from dpbounds.numbers.to_digits import exact_point, normal_cdf

_NEWTON = 100
Mixture = list[tuple[Ball, Ball]]
"""The a_i in rising order, with their weights."""


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


def mixture(c: Fraction, move: Fraction, q: Fraction, t: int) -> Mixture:
    """The mixture, where a step moves by `move` = s/σ.

    >>> len(mixture(Fraction(1), Fraction(1), Fraction(1, 2), 3))
    4
    """
    squares = ball(t) if c == 1 else (1 - ball(c) ** (2 * t)) / ball(1 - c**2)
    return [(ball(centre) * ball(move) / squares.sqrt(), ball(weight)) for centre, weight in atoms(c, q, t)]


def delta_remove(mixture: Mixture, epsilon: Ball) -> Ball:
    """δ of (with ‖ without) the record.

    >>> bool(abs(delta_remove([(ball(1), ball(1))], ball(1)) - 0.126936737507) < 1e-11)
    True
    """
    x = _threshold(mixture, epsilon)
    return sum((w * normal_cdf(a - x) for a, w in mixture), ball(0)) - epsilon.exp() * normal_cdf(-x)


def delta_add(mixture: Mixture, epsilon: Ball) -> Ball:
    """δ of (without ‖ with) the record.

    >>> bool(abs(delta_add([(ball(1), ball(1))], ball(1)) - 0.126936737507) < 1e-11)
    True
    """
    a, w = mixture[0]
    if a == 0 and (-epsilon).exp() <= w:
        return ball(0)
    x = _threshold(mixture, -epsilon)
    return normal_cdf(x) - epsilon.exp() * sum((w * normal_cdf(x - a) for a, w in mixture), ball(0))


def _threshold(mixture: Mixture, level: Ball) -> Ball:
    """A ball around the x with log Σ w exp(a x − a²/2) = level, by a sign on each side of it.

    The logarithm is convex in x and rises. So Newton's steps fall to the root from a point where one term alone is e^level.
    """

    def excess(x: Ball) -> tuple[Ball, Ball]:
        terms = [(w * (a * x - a * a / 2).exp(), a) for a, w in mixture]
        total = sum((term for term, _ in terms), ball(0))
        return total.log() - level, sum((term * a for term, a in terms), ball(0)) / total

    alone = ((level - w.log()) / a + a / 2 for a, w in mixture if a > 0)
    x = ball(exact_point(min(alone, key=lambda point: float(point.mid()))))
    for _ in range(_NEWTON):
        value, slope = excess(x)
        moved = ball(exact_point(x - value / slope))
        close = abs(moved - x) < ball(Fraction(1, 2 ** (working_bits() // 2)))
        x = moved
        if close:
            break
    for lost in (8, 16, 32, 64):
        reach = (1 + abs(x)) * ball(Fraction(2 ** max(0, lost), 2 ** working_bits()))
        low, high = (x - reach).lower(), (x + reach).upper()
        if excess(low)[0] < 0 and excess(high)[0] > 0:
            return low.union(high)
    raise PrecisionError("the threshold of the last iterate could not be enclosed; ask for fewer digits")
