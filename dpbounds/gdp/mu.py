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

In s = x/(1 + x), x = e^ε, both δ over 1 + x are convex, 1 at s = 0 and 0 at s = 1, as in x both δ are. Between neighbours the first is at
most its chord, and the second at least the chords beside, prolonged: the lowest place of the larger one of two lines bounds the difference
(`accounting.tradeoff`). Beyond the last x it is at most δ_μ(x_n)/(1 + x_n).
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce

from dpbounds.accounting.asked import read_relation
from dpbounds.accounting.evaluate import evaluate
from dpbounds.accounting.tradeoff import StraightLine, lowest_of_two
from dpbounds.errors import InputError, PrecisionError
from dpbounds.mechanisms import Direction, Guarantee, Mechanism, Relation
from dpbounds.mechanisms.formula import gaussian_delta
from dpbounds.mechanisms.pairs import Product, dominating_pairs
from dpbounds.numbers import exact
from dpbounds.numbers.balls import Ball, Enclosure, ball, bits_for, precision
from dpbounds.numbers.to_digits import bisect, decide, exact_point, least_epsilon, normal_cdf, surely_at_most

FLOOR = Fraction(1, 10**6)
_POINTS, _DELTA_DIGITS, _CLOSE = 48, 9, Fraction(1, 2**30)


@dataclass(frozen=True)
class GaussianMu:
    """What was found.

    Args:
        mu: both ends of the smallest μ. floor: a; both error rates are at least this.
        reported: μ rounded up, as it would be reported. regret: of the reported μ, both ends, without a floor.
    """

    mu: Enclosure
    floor: Fraction
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
        mechanism: what is run. floor: 0 < a < 1/4. digits: of μ, both ends certified; about, at most 8.
        relation, guarantee: as for `dpbounds.accounting.delta`.

    Raises:
        PrecisionError: δ at the floor could not be had.

    >>> from dpbounds.mechanisms import Gaussian
    >>> found = mu_of_curve(Gaussian(2), digits=3).mu
    >>> found.lower <= Fraction(1, 2) <= found.upper
    True
    """
    a = exact.rational(floor, "the floor of the error rates")
    if not 0 < a < Fraction(1, 4):
        raise InputError(f"the floor of the error rates must lie between 0 and 1/4, got {exact.text(a)}")
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
        return GaussianMu(mu, a, reported, polygon.regret_of(ball(reported)))


def _mu_at(alpha: Ball, beta: Ball) -> Ball:
    """Φ⁻¹(1 − α) − Φ⁻¹(β): the μ whose curve passes through (α, β); +∞ where β ≤ 0 is possible."""
    if not (beta > 0 and alpha > 0 and beta < 1 and alpha < 1):
        return ball(1) / ball(0) if not beta > 0 else ball(0)
    return ((2 * alpha).erfcinv() + (2 * beta).erfcinv()) * ball(2).sqrt()


def fpr_floor(digits: int = 15) -> Enclosure:
    """The least false-positive rate down to which TPR/FPR ≤ e^{5μ} for μ-GDP, whatever μ: Φ(−z) with φ(z)/Φ(−z) = 5.

    log Φ(x) is concave: log TPR = log Φ(−z + μ) ≤ log FPR + μ·φ(z)/Φ(−z), with equality in the limit μ → 0, and the hazard
    φ(z)/Φ(−z) rises. So with μ = ε/5 the multiplicative advantage is at most e^ε down to this rate for every ε, and for small ε
    not below.

    >>> fpr_floor(5).lower_decimal(3)
    '7.66e-7'
    """
    below = lambda z: surely_at_most((-z * z / 2).exp(), 5 * normal_cdf(-z) * (2 * Ball.pi()).sqrt())  # noqa: E731
    z = bisect(lambda z: decide(lambda: below(ball(z)), f"the hazard at {z}"), Fraction(0), Fraction(6), digits + 4)
    with precision(bits_for(digits + 20, 60)):
        return Enclosure.of_ball(normal_cdf(-z.ball()))


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
            if line[3] > 0 and corner >= ball(self.floor) and abs(corner - ball(at)) <= ball(at) / 2:
                loss, delta = ball(line[0]), line[3]  # where δ_μ(ε) ≤ δ is certain, μ is at most the one with δ_μ(ε) = δ
                found = least_epsilon(lambda mu, e=loss, d=delta: not mu or bool(gaussian_delta(ball(mu), e) <= d), 12)  # type: ignore
                best = best.max(found.low)
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
        own = [gaussian_delta(mu, ball(epsilon)) / (1 + x) for epsilon, x, _, _ in self.lines]
        inside = [(x / (1 + x), (1 - rest) / (1 + x), low / (1 + x)) for _, x, rest, low in self.lines]
        points = [(ball(0), ball(1), ball(1)), *inside, (ball(1), ball(0), ball(0))]
        low = reduce(Ball.max, [(value - top).lower() for value, (_, top, _) in zip(own, inside, strict=True)], ball(0))
        high, at = own[-1].upper(), len(own) - 1  # beyond the last
        for i, (value, following) in enumerate(itertools.pairwise(own)):
            (before, top, _), (start, _, first), (end, _, second), (after, farther, _) = points[i : i + 4]
            chord = StraightLine(start, value, (following - value) / (end - start))
            sides = (start, first, (first - top) / (start - before)), (end, second, (farther - second) / (after - end))
            lines = [StraightLine(place, height - chord(place), slope - chord.slope) for place, height, slope in sides]
            bound = (-lowest_of_two(lines, start, end)[0]).upper()
            high, at = (bound, i) if bound > high else (high, at)
        return low, high, self.beyond(at)

    def beyond(self, i: int) -> Fraction | None:
        """A new ε between those of a line and the next one, or beyond the last one; None where they are close."""
        start = self.lines[i][0]
        gap = self.lines[i + 1][0] - start if i + 1 < len(self.lines) else max(Fraction(1, 2), start)
        return start + gap / 2 if gap > _CLOSE else None

    def worst(self) -> tuple[Ball, Fraction, Fraction | None]:
        """The largest μ of the points that matter, its false-positive rate, and the ε of the next line."""
        a = ball(self.floor)
        heights = [float((rest - slope * a).mid()) for _, slope, rest, _ in self.lines]
        last = heights.index(max(heights))
        if last == len(self.lines) - 1:
            return ball(1) / ball(0), self.floor, self.beyond(last)
        points = [(self.lines[0][2] / 2, self.lines[0][2] / 2, 0)]
        for i, ((_, slope, rest, _), (_, steeper, higher, _)) in enumerate(itertools.pairwise(self.lines[: last + 1])):
            alpha = (higher - rest) / (steeper - slope)
            points.append((alpha, rest - slope * alpha, i))
        wider = max(last, max(0, last - 1), key=lambda i: self.lines[i + 1][0] - self.lines[i][0])
        points.append((a, self.lines[last][2] - self.lines[last][1] * a, wider))
        values = [_mu_at(alpha, beta).upper() for alpha, beta, _ in points]
        value, (alpha, _, i) = reduce(lambda one, other: other if other[0] > one[0] else one, zip(values, points, strict=True))
        return value, max(self.floor, Fraction(round(exact_point(alpha) * 2**80), 2**80)), self.beyond(i)
