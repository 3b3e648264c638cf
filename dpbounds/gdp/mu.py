"""The smallest μ with which a mechanism is μ-GDP, from certified δ; both sides.

With δ(ε) the larger of both directions, the symmetric curve of a mechanism is f(α) = max over ε ≥ 0 of 1 − δ(ε) − e^ε α left of
its fixed point α*, and its own mirror image right of it (Dong, Roth & Su 2022, Proposition 2.12). So

    μ = sup over a ≤ α ≤ α* of Φ⁻¹(1 − α) − Φ⁻¹(f(α))

is the smallest μ with f ≥ G_μ wherever both error rates are at least the floor a. Many curves have no finite μ without a floor,
or one that only tests show that are right once in a million.

**Upper end.** Some ε give lines below f. Between neighbouring corners of the polygon of these lines G_μ is convex and the polygon
is straight. So G_μ lies below the polygon where it does at the corners, at a, and at α* = (1 − δ(0))/2: the largest μ of these
points holds for all. **Lower end.** f meets the line of ε where no other line is above it, left of its corner with the next one.
If that is at least a, μ is at least that of the Gaussian curve that has the same δ(ε): this curve is above its tangent, so the
point where f meets it has no smaller μ.

**Regret** (Kaissis et al. 2024; Gomez et al. 2025): the least κ with f(α + κ) − κ ≤ G_μ(α) for all α: how far the reported curve
is below f. The supporting line of the moved curve at ε has δ(ε) + κ(1 + e^ε) in place of δ(ε), and of two convex curves the one
with the larger δ is lower. So

    κ = sup over ε ≥ 0 of (δ_μ(ε) − δ(ε))/(1 + e^ε).

In x = e^ε both δ are convex. Between neighbouring x_i the first is at most its chord, the second at least the chords beside,
prolonged, and at least a line of slope −1 from x = 1. A quotient of linear functions is monotone: the ends and the crossing of
these lines bound it. Beyond the last x it is at most δ_μ(x_n)/(1 + x_n).
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce

from dpbounds.accounting.asked import read_relation
from dpbounds.accounting.evaluate import evaluate
from dpbounds.errors import InputError, PrecisionError
from dpbounds.mechanisms import Direction, Guarantee, Mechanism, Relation
from dpbounds.mechanisms.formula import gaussian_delta
from dpbounds.mechanisms.pairs import Product, dominating_pairs
from dpbounds.numbers import exact
from dpbounds.numbers.balls import Ball, Enclosure, ball, bits_for, precision
from dpbounds.numbers.domains import between
from dpbounds.numbers.to_digits import bisect, decide, exact_point, least_epsilon, normal_cdf, surely_at_most

FLOOR = Fraction(1, 10**6)
_POINTS, _DELTA_DIGITS = 48, 9


@dataclass(frozen=True)
class GaussianMu:
    """What was found.

    Args:
        mu: both ends of the smallest μ. floor: a; both error rates are at least this.
        at: the worst corner, a false-positive rate.
        reported: μ rounded up, as it would be reported. regret: of the reported μ, both ends, without a floor.
    """

    mu: Enclosure
    floor: Fraction
    at: Fraction
    reported: Fraction
    regret: Enclosure


def mu_of_curve(
    mechanism: Mechanism,
    *,
    floor: exact.Number = FLOOR,
    digits: int = 3,
    relation: Relation | str | None = None,
    guarantee: Guarantee | str = Guarantee.MECHANISM,
) -> GaussianMu:
    """The smallest μ with f ≥ G_μ where both error rates are at least the floor, for the symmetric curve f of a mechanism.

    Args:
        mechanism: what is run. floor: 0 < a < 1/4. digits: about so many digits of μ, at most 8.
        relation, guarantee: as for `dpbounds.accounting.delta`.

    Returns:
        Both ends, certified.

    Raises:
        PrecisionError: δ at the floor could not be had.

    >>> from dpbounds.mechanisms import Gaussian
    >>> found = mu_of_curve(Gaussian(2), digits=3).mu
    >>> found.lower <= Fraction(1, 2) <= found.upper
    True
    """
    a = between(floor, 0, 1, "the floor of the error rates")
    if not isinstance(a, Fraction) or a >= Fraction(1, 4):
        raise InputError(f"the floor of the error rates must be a rational below 1/4, got {a}")
    if not 1 <= digits <= 8:
        raise InputError(f"digits of mu must be between 1 and 8, got {digits}")
    products = dominating_pairs(mechanism, read_relation(relation), Direction.WORST, guarantee)
    with precision(bits_for(_DELTA_DIGITS + 10, 60)):
        polygon, low, high, at = _Polygon(products, a), ball(0), ball(0), a
        for _ in range(_POINTS):
            high, at, following = polygon.worst()
            low = low.max(polygon.lower_near(at))
            if high.is_finite() and high - low <= high * ball(Fraction(1, 10**digits)) or following is None:
                break
            polygon.add(following)
        if not high.is_finite():
            raise PrecisionError("the curve reaches 0 before the floor of the error rates; take a larger floor")
        mu = Enclosure.between(low.min(high), high)
        reported = exact.rational(mu.upper_decimal(digits))
        return GaussianMu(mu, a, at, reported, polygon.regret_of(ball(reported)))


def mu_at(alpha: Ball, beta: Ball) -> Ball:
    """Φ⁻¹(1 − α) − Φ⁻¹(β): the μ whose curve passes through (α, β); +∞ where β ≤ 0 is possible.

    >>> abs(mu_at(ball(1) / 2, ball(1) / 2)) < 1e-9
    True
    """
    if not (beta > 0 and alpha > 0 and beta < 1 and alpha < 1):
        return ball(1) / ball(0) if not beta > 0 else ball(0)
    return ((2 * alpha).erfcinv() + (2 * beta).erfcinv()) * ball(2).sqrt()


def fpr_floor(factor: exact.Number = 5, digits: int = 15) -> Enclosure:
    """The least false-positive rate down to which TPR/FPR ≤ e^{factor·μ} for μ-GDP, whatever μ: Φ(−z) with φ(z)/Φ(−z) = factor.

    log Φ(x) is concave: log TPR = log Φ(−z + μ) ≤ log FPR + μ·φ(z)/Φ(−z), with equality in the limit μ → 0, and the hazard
    φ(z)/Φ(−z) rises. So with μ = ε/5 the multiplicative advantage is at most e^ε down to this rate for every ε, and for small ε
    not below.

    Args:
        factor: ε/μ, at least 1.

    >>> fpr_floor(5, 5).lower_decimal(3)
    '7.66e-7'
    """
    wanted = exact.rational(factor, "factor")
    if wanted < 1:
        raise InputError(f"factor must be at least 1, got {exact.text(wanted)}")

    def below(z: Fraction) -> bool:
        def compare() -> bool | None:
            x = ball(z)
            return surely_at_most((-x * x / 2).exp(), ball(wanted) * normal_cdf(-x) * (2 * ball(0).acos() * 2).sqrt())

        return decide(compare, f"the hazard at {z}")

    z = bisect(below, Fraction(0), wanted + 1, digits + 4)
    with precision(bits_for(digits + 20, 60)):
        return Enclosure.between(normal_cdf(-z.ball()), normal_cdf(-z.ball()))


class _Polygon:
    """Lines 1 − δ − e^ε α below the curve, for some ε in rising order."""

    def __init__(self, products: tuple[Product, ...], floor: Fraction) -> None:
        self.products, self.floor = products, floor
        self.lines: list[tuple[Fraction, Ball, Ball, Ball]] = []  # ε, e^ε, 1 − upper end of δ, lower end of δ
        for epsilon in (Fraction(0), Fraction(1, 4), Fraction(1)):
            self.add(epsilon)

    def add(self, epsilon: Fraction) -> None:
        """One more line."""
        high = low = ball(0)
        for product in self.products:
            found = evaluate(product, epsilon, _DELTA_DIGITS, tail=True)[0]
            high, low = high.max(found.high), low.max(found.low)
        self.lines.append((epsilon, ball(epsilon).exp(), 1 - high, low.lower()))
        self.lines.sort(key=lambda line: line[0])

    def lower_near(self, at: Fraction) -> Ball:
        """A lower end of μ, from the lines on both sides of a corner."""
        best = ball(0)
        for line, following in itertools.pairwise(self.lines):
            corner = (following[2] - (1 - line[3])) / (following[1] - line[1])
            if corner >= ball(self.floor) and abs(corner - ball(at)) <= ball(at) / 2:
                best = best.max(_least_mu(line[0], line[3]))
        return best

    def regret_of(self, mu: Ball) -> Enclosure:
        """κ of a reported μ, both ends."""
        low, high = ball(0), ball(1)
        for _ in range(_POINTS):
            low, high, following = self._regret(mu)
            if high - low <= high / 100 or following is None:
                break
            self.add(following)
        return Enclosure.between(low.min(high), high)

    def _regret(self, mu: Ball) -> tuple[Ball, Ball, Fraction | None]:
        xs, highs, lows = [line[1] for line in self.lines], [1 - line[2] for line in self.lines], [line[3] for line in self.lines]
        gaussian = [gaussian_delta(mu, ball(line[0])) for line in self.lines]
        low, count = ball(0), len(xs)
        for x, own, other in zip(xs, gaussian, highs, strict=True):
            low = low.max(((own - other) / (1 + x)).lower())
        high, at = (gaussian[-1] / (1 + xs[-1])).upper(), count - 1  # beyond the last
        for i in range(count - 1):
            before = (lows[i] - highs[i - 1]) / (xs[i] - xs[i - 1]) if i else ball(-1)
            ends = [(own - other) / (1 + x) for own, other, x in zip(gaussian[i : i + 2], lows[i : i + 2], xs[i : i + 2], strict=True)]
            bound = ends[0].max(ends[1])
            after = (highs[i + 2] - lows[i + 1]) / (xs[i + 2] - xs[i + 1]) if i + 2 < count else ball(0)
            width, rise = xs[i + 1] - xs[i], lows[i + 1] - lows[i]
            if after > before:  # the lines lows_i + before·u and lows_{i+1} + after·(u − width) cross at u
                u = ((after * width - rise) / (after - before)).max(ball(0)).min(width)
                under = (lows[i] + before * u).max(lows[i + 1] + after * (u - width))
                chord = gaussian[i] + (gaussian[i + 1] - gaussian[i]) * u / width
                bound = bound.max((chord - under) / (1 + xs[i] + u))
            else:
                bound = (gaussian[i] - lows[i + 1]) / (1 + xs[i])
            if bound.upper() > high:
                high, at = bound.upper(), i
        if at == count - 1:
            return low, high, self.lines[-1][0] + max(Fraction(1, 4), self.lines[-1][0] / 2)
        left, right = self.lines[at][0], self.lines[at + 1][0]
        return low, high, (left + right) / 2 if right - left > Fraction(1, 2**20) else None

    def worst(self) -> tuple[Ball, Fraction, Fraction | None]:
        """The largest μ of the points that matter, its false-positive rate, and the ε of the next line."""
        a = ball(self.floor)
        heights = [float((rest - slope * a).mid()) for _, slope, rest, _ in self.lines]
        last = heights.index(max(heights))
        if last == len(self.lines) - 1:
            epsilon = self.lines[-1][0]
            return ball(1) / ball(0), self.floor, epsilon + max(Fraction(1, 4), epsilon / 2)
        points = [(self.lines[0][2] / 2, self.lines[0][2] / 2, 0, 1)]
        for i in range(last):
            (_, slope, rest, _), (_, steeper, higher, _) = self.lines[i], self.lines[i + 1]
            alpha = (higher - rest) / (steeper - slope)
            points.append((alpha, rest - slope * alpha, i, i + 1))
        sides = [(i, i + 1) for i in (last, last - 1) if i >= 0]  # the floor: the wider gap beside its line
        i, j = max(sides, key=lambda pair: self.lines[pair[1]][0] - self.lines[pair[0]][0])
        points.append((a, self.lines[last][2] - self.lines[last][1] * a, i, j))
        values = [mu_at(alpha, beta).upper() for alpha, beta, _, _ in points]
        index = reduce(lambda one, other: other if values[other] > values[one] else one, range(len(values)))
        alpha, _, i, j = points[index]
        following = (self.lines[i][0] + self.lines[j][0]) / 2
        corner = exact_point(alpha)
        short = Fraction(round(corner * 2**80), 2**80)
        return values[index], max(self.floor, short), following if self.lines[j][0] - self.lines[i][0] > Fraction(1, 2**30) else None


def _least_mu(epsilon: Fraction, delta: Ball) -> Ball:
    """A number that is at most the μ with δ_μ(ε) = δ: there δ_μ(ε) ≤ δ is certain."""
    if not delta > 0:
        return ball(0)
    loss = ball(epsilon)
    return least_epsilon(lambda mu: not mu or bool(gaussian_delta(ball(mu), loss) <= delta), 12).low
