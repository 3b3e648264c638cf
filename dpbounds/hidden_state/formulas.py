"""What is computed of the last iterate of noisy gradient descent, and where it comes from.

**μ, convex losses, full batch.** The iterates are x ← Π(x − η(∇ + Z)), Z ~ N(0, σ²I). A neighbour moves a gradient by at most s, and the
gradient step without noise brings two points together by the factor c at least. Divide by η. A distance d between two runs becomes at most
c·d + s in a step, and the noise of the step pays for moving by a at the cost a²/σ² in μ². What is left after the last step must be 0. Start
m steps before the end at the distance D/η at most: the moves a_j have to make up Σ_j c^{m−1−j} a_j = c^m D/η + s Σ_{j<m} c^j, and by Cauchy
and Schwarz the cheapest cost

    μ(m) = (c^m D/η + s Σ_{j<m} c^j) / (σ √Σ_{j<m} c^{2j}).

From a common start the first term is absent, and m = t; then the linear loss attains it, where nothing is projected. Sources: Altschuler &
Talwar 2022; Bok, Su & Altschuler 2024 (arXiv 2403.00278), Theorems 4.1, 4.2 and 4.6.

The minimum over m is exact. With y = c^m, μ(m)² is a constant times (A + By)²/(1 − y²), A = s/(1 − c), B = D/η − A. Its derivative in y has
the sign of B + Ay: it falls to y* = −B/A = 1 − D(1 − c)/(ηs) and rises from there. For c = 1, μ(m)²σ² = (D/η)²/m + 2sD/η + ms² is convex in
m and least at D/(ηs). So an integer next to the real minimum is the minimum, or an end of 1 … t.

**δ of scalar linear noisy SGD with Poisson sampling**, a mixture of Gaussians, exact. x ← c·x − η(s·B + Z), B = 1 with probability q,
Z ~ N(0, σ²): the last iterate with the record is a mixture of N(a_i, 1) with the weights w_i, and N(0, 1) without it, in units of its
noise: a = (s/σ) Σ_j B_j c^j / √Σ_j c^{2j}. All a_i ≥ 0, so the loss rises and the best tests are thresholds (`numbers.mixture_thresholds`;
x → −x for the other order, whose δ is 0 where e^{−ε} ≤ (1 − q)^t). The losses are convex, so what holds for all convex losses is at least
this: a lower bound for every guarantee of the class.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb

from dpbounds.numbers.balls import Ball, ball
from dpbounds.numbers.binomial import floor_of
from dpbounds.numbers.mixture_thresholds import MixtureThreshold


def candidates(c: Fraction, s: Fraction, t: int, distance: Fraction | None) -> list[tuple[str, int, Ball]]:
    """Name, number m of steps from the end, and μ of each formula, s and D/η in units of σ; the least is the bound."""
    found = [("common start" if c < 1 else "composition", t, _cost(c, s, ball(0), t))]
    if distance is not None:
        found += [("projected", m, _cost(c, s, ball(distance), m)) for m in _best_starts(c, s, distance, t)]
    return found


def _norm(c: Fraction, m: int) -> Ball:
    """√Σ_{j<m} c^{2j}."""
    return (ball(m) if c == 1 else (1 - ball(c) ** (2 * m)) / ball(1 - c**2)).sqrt()


def _cost(c: Fraction, s: Fraction, distance: Ball, m: int) -> Ball:
    """(c^m D/η + s Σ_{j<m} c^j) / √Σ_{j<m} c^{2j}."""
    y = ball(c) ** m
    return (y * distance + ball(s) * (m if c == 1 else (1 - y) / ball(1 - c))) / _norm(c, m)


def _best_starts(c: Fraction, s: Fraction, distance: Fraction, t: int) -> range:
    """Integers in 1 … t among which the best m is, for certain."""
    turn = 1 - distance * (1 - c) / s  # y*
    if c == 0 or turn <= 0:
        low = high = t if c else 1
    elif c == 1:
        low, high = int(distance / s), int(distance / s) + 1
    else:
        least = ball(turn).log() / ball(c).log()
        low, high = floor_of(least.lower()), floor_of(least.upper()) + 1
    return range(min(max(1, low), t), min(max(1, high), t) + 1)


def _atoms(c: Fraction, q: Fraction, t: int) -> list[tuple[Fraction, Fraction]]:
    """Σ_j B_j c^j and its probability, exact, in rising order."""
    found = [(Fraction(0), Fraction(1))]
    if c == 1:
        found = [(Fraction(k), comb(t, k) * q**k * (1 - q) ** (t - k)) for k in range(t + 1)]
    for power in (c**j for j in range(t if 0 < c < 1 else c == 0)):
        found = [(centre + moved, weight * chance) for centre, weight in found for moved, chance in ((0, 1 - q), (power, q))]
    return sorted((centre, weight) for centre, weight in found if weight)


def delta_of(c: Fraction, move: Fraction, q: Fraction, t: int, epsilon: Ball, backwards: bool) -> Ball:
    """δ of (with ‖ without) the record, or of (without ‖ with) it, where a step moves by `move` = s/σ.

    >>> bool(abs(delta_of(Fraction(1), Fraction(1), Fraction(1), 1, ball(1), False) - 0.126936737507) < 1e-11)
    True
    """
    mixture = [(ball(centre) * ball(move) / _norm(c, t), ball(weight)) for centre, weight in _atoms(c, q, t)]
    alone, (centre, weight) = [(ball(0), ball(1))], mixture[0]
    if not backwards:
        return MixtureThreshold(mixture, alone).delta(epsilon)
    if centre == 0 and (-epsilon).exp() <= weight:
        return ball(0)
    return MixtureThreshold(alone, [(-a, w) for a, w in mixture]).delta(epsilon)
