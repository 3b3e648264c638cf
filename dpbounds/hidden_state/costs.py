"""μ of the last iterate of noisy gradient descent on convex losses, full batch.

The iterates are x ← Π(x − η(∇ + Z)), Z ~ N(0, σ²I). A neighbour moves a gradient by at most s, and the gradient step without
noise brings two points together by the factor c at least. Divide by η. A distance d between two runs becomes at most c·d + s in a
step, and the noise of the step pays for moving by a at the cost a²/σ² in μ². What is left after the last step must be 0. Start m
steps before the end at the distance D/η at most: the moves a_j have to make up Σ_j c^{m−1−j} a_j = c^m D/η + s Σ_{j<m} c^j, and
by Cauchy and Schwarz the cheapest cost

    μ(m) = (c^m D/η + s Σ_{j<m} c^j) / (σ √Σ_{j<m} c^{2j}).

From a common start the first term is absent, and m = t; then the linear loss attains it, where nothing is projected. Sources:
Altschuler & Talwar 2022; Bok, Su & Altschuler 2024 (arXiv 2403.00278), Theorems 4.1, 4.2 and 4.6.

The minimum over m is exact. With y = c^m, μ(m)² is a constant times (A + By)²/(1 − y²), A = s/(1 − c), B = D/η − A. Its
derivative in y has the sign of B + Ay: it falls to y* = −B/A = 1 − D(1 − c)/(ηs) and rises from there. For c = 1, μ(m)²σ² =
(D/η)²/m + 2sD/η + ms² is convex in m and least at D/(ηs). So an integer next to the real minimum is the minimum, or an end of 1 …
t.
"""

from __future__ import annotations

from fractions import Fraction

from dpbounds.numbers.balls import Ball, ball
from dpbounds.numbers.binomial import floor_of

COMMON, PROJECTED, COMPOSED = "common start", "projected", "composition"


def candidates(c: Fraction, s: Fraction, t: int, diameter: Fraction | None, step_size: Fraction | None) -> list[tuple[str, int, Ball]]:
    """Name, number m of steps from the end, and μσ of each formula; the least is the bound."""
    found = [(COMMON if c < 1 else COMPOSED, t, _cost(c, s, ball(0), t))]
    if diameter is not None and step_size is not None:
        distance = diameter / step_size
        found += [(PROJECTED, m, _cost(c, s, ball(distance), m)) for m in _best_starts(c, s, distance, t)]
    return found


def _cost(c: Fraction, s: Fraction, distance: Ball, m: int) -> Ball:
    """(c^m D/η + s Σ_{j<m} c^j) / √Σ_{j<m} c^{2j}."""
    if c == 1:
        return (distance + m * ball(s)) / ball(m).sqrt()
    y = ball(c) ** m
    return (y * distance + ball(s) * (1 - y) / ball(1 - c)) / ((1 - y**2) / ball(1 - c**2)).sqrt()


def _best_starts(c: Fraction, s: Fraction, distance: Fraction, t: int) -> range:
    """Integers in 1 … t among which the best m is, for certain."""
    turn = 1 - distance * (1 - c) / s  # y*
    if c == 0:
        low = high = 1
    elif c == 1:
        low = int(distance / s)
        high = low + 1
    elif turn <= 0:
        low = high = t
    else:
        least = ball(turn).log() / ball(c).log()
        low, high = floor_of(least.lower()), floor_of(least.upper()) + 1
    return range(min(max(1, low), t), min(max(1, high), t) + 1)
