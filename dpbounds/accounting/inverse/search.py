"""Certified comparisons of δ(ε) with a target, and the bracket of ε that they give.

δ is convex in u = e^ε, as the largest of P(A) − uQ(A) over all events A. So a chord between two of the points lies above it, and beyond
them the line through both lies below it: with the certified ends of δ there, these lines bound ε(δ) too, without another evaluation.
Where a law has tangents, which lie below everywhere, two points on both sides of the root are enough.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction

from flint import arb

from dpbounds.accounting.bounds.upper_bounds import largest_epsilon
from dpbounds.accounting.evaluate import evaluate
from dpbounds.accounting.nearby import Nearby
from dpbounds.errors import PrecisionError
from dpbounds.laws.normal_form import Elements
from dpbounds.mechanisms.pairs import Product
from dpbounds.numbers.balls import Enclosure, ball, bits_for, precision

_CLOSER = 2.0**-10
"""How much nearer to the largest loss the search goes while nothing below the target is known."""
_NEAR_TOP = 40
"""Digits of a point that are kept besides those asked for, so that its distance from the largest loss has some."""
_GUARD = 20
"""Digits to start with where more than 19 agree; doubled as ever."""
_UNREAD = 10_000
"""More digits than any question has: of an exact value."""
FIRST_DIGITS = 5
"""Digits of the first comparison."""
TRAP_DIGITS = 4
"""Digits beyond those asked for with which the target is trapped."""
_SLOPE = 3
"""The same where log δ falls by 1 from 0 to ε, and a long contour is needed."""
_NOISE = 8.0
"""Two values of log δ say how fast it falls where they differ by so many times the error of one."""


def full_digits(digits: int) -> int:
    """Digits of the last steps of the search: a contour may lose one between where it is planned and the root, and more of many."""
    return digits + TRAP_DIGITS + 1 + digits // 50


@dataclass
class EpsilonSearch:
    """Certified comparisons of δ(ε) with the target, and the bracket they give.

    Below the largest loss, `top`, δ(ε) − δ(top) is about a power of top − ε, so its logarithm is followed in the coordinate −log(top − ε),
    in which it is nearly straight there and as straight as in ε elsewhere.
    """

    product: Product
    target: Fraction
    low: Fraction = Fraction(0)
    high: Fraction | None = None
    method: str = ""
    steps: int = 0
    points: list[tuple[Fraction, float, float]] = field(default_factory=list)
    """ε with log δ(ε) − log target and how far that may be off."""
    top: Fraction | None = None
    nearby: Nearby = field(default_factory=Nearby)
    slope: float = 1.0
    """How fast log δ falls, by an estimate."""
    guard: int = 0
    """Digits in which the target agrees with the mass of infinite loss."""
    lost: arb = field(default_factory=arb)
    known: list[tuple[Fraction, Enclosure]] = field(default_factory=list)
    """ε with δ(ε)."""
    falls: dict[Fraction, float] = field(default_factory=dict)
    """−d log δ/dε where the law has a tangent."""

    def above(self, epsilon: Fraction, digits: int = 6, near: int | None = None) -> bool:
        """Whether δ(ε) > target, certified; more digits are taken until it is decided.

        Args:
            near: digits of ε for which a point that agrees with the root need not be decided, or None.
        """
        digits += self.guard
        for wanted in (digits, 2 * digits, 4 * digits + 20):
            found, self.method = evaluate(self.product, epsilon, wanted, nearby=self.nearby)
            self.steps += 1
            lower, upper = found.lower, found.upper
            if lower > self.target or upper <= self.target:
                self._record(epsilon, found, lower > self.target)
                self.bound_by_convexity(epsilon, found, wanted)
                return lower > self.target
            if near is not None and found.meets(wanted) and self.is_root(epsilon, int(found.digits()) - self.guard, near):
                self._follow(epsilon, found)
                return False
        raise PrecisionError(
            f"epsilon: delta({float(epsilon):.6g}) agrees with {float(self.target):.6g} to all the digits that were tried; "
            "change delta by a little"
        )

    def known_ends(self) -> Enclosure | None:
        """The certified ends of ε that are known without its digits; None where there is no upper one and the lower one is 0."""
        with precision(64):
            low, high = ball(self.low), largest_epsilon(self.product, self.target, self.slope)
            high = high if self.high is None else ball(self.high) if high is None else high.min(ball(self.high))
            return None if high is None and not low > 0 else Enclosure.between(low, arb.pos_inf() if high is None else high)

    def bound_by_convexity(self, here: Fraction, found: Enclosure, digits: int) -> None:
        """Bounds on the root by the lines through this point and each other one, in v = e^{ε−here}, in which δ is convex.

        The line through two points is the target t at v = 1 + (δ(here) − t)/s, s how fast it falls. Between them it lies above δ, so
        with the root between them that is an upper bound; beyond them it lies below, so with the root beyond them it is a lower one.
        A tangent is a lower one too: v = 1 + (its height − t)/(how fast it falls).
        """
        with precision(bits_for(2 * digits, 64)):
            value, target = found.ball(), ball(self.target)
            if self.nearby.below is not None:
                height, fall = self.nearby.below[0], self.nearby.below[1] * ball(here).exp()
                self.falls[here] = float((fall / value).mid())
                if fall > 0 and (crossing := 1 + (height - target) / fall) > 0:
                    self.low = max(self.low, Fraction(Enclosure.of_ball(ball(here) + crossing.log()).lower))
            for other, its in self.known:
                fall = (its.ball() - value) / (1 - ball(other - here).exp())
                crossing = 1 + (value - target) / fall
                if not (fall > 0 and crossing > 0):
                    continue
                root = Enclosure.of_ball(ball(here) + crossing.log())
                if (its.lower > self.target) is (found.lower > self.target):
                    self.low = max(self.low, Fraction(root.lower))
                else:
                    self.high = Fraction(root.upper) if self.high is None else min(self.high, Fraction(root.upper))
        self.known.append((here, found))

    def is_narrow(self, digits: int) -> bool:
        """Whether the bracket has the digits, and one to spare."""
        return self.high is not None and self.high - self.low <= self.high * Fraction(1, 10**digits)

    def steepness(self, here: Fraction, value: float) -> int:
        """Digits that δ needs fewer than ε: of ε·|d log δ/dε|, if that was measured."""
        rate = self.measured(here, value) if here != self.top else None
        if rate is None:
            return 0
        size = rate * float(here if self.top is None else here / (self.top - here))
        return max(0, math.floor(math.log10(size))) if size > 1 else 0

    def is_root(self, here: Fraction, known: int, digits: int) -> bool:
        """Whether δ(here), equal to the target in the first `known` digits, leaves no doubt about so many digits of ε, and two more."""
        size = self.rate(here, 0.0, self.slope) * float(here if self.top is None else here / (self.top - here)) if here != self.top else 0.0
        return size > 0 and known + math.floor(math.log10(size)) >= digits + 3

    def wanted(self, here: Fraction, digits: int) -> int:
        """Digits of δ that settle ε: `_full`, or where a long contour is needed no more than the slope asks for."""
        value = next((value for point, value, _ in self.points if point == here), None)
        if not self.nearby.costly or value is None or not math.isfinite(value) or here in (0, self.top):
            return full_digits(digits)
        size = self.rate(here, value, self.slope) * float(here if self.top is None else here / (self.top - here))
        return min(full_digits(digits), max(FIRST_DIGITS, digits + _SLOPE - math.floor(math.log10(max(size, 1e-6)))))

    def bound_by_largest_loss(self, elements: Elements, digits: int) -> None:
        """Where the finite losses end at some top, δ(top) is the mass of infinite loss, which is at most the target."""
        with precision(64):
            lost = elements.certain_loss()
            if lost > 0:
                near = (ball(self.target) - lost).abs_lower() / ball(self.target)
                self.guard = max(0, math.ceil(-float(near.log().mid()) / math.log(10))) if near > 0 else _GUARD
        with precision(bits_for(digits + self.guard, 80)):
            largest = elements.largest_loss()
            if largest is not None:
                top = largest if isinstance(largest, Fraction) else Enclosure.of_ball(largest).upper
                self.top = top if isinstance(top, Fraction) else None
                self.high = self.top
            self.lost = elements.certain_loss()

    def moved(self, point: Fraction, by: float) -> Fraction:
        """The point `by` further in the coordinate −log(top − ε), or ε itself where there is no top."""
        return point + Fraction(by) if self.top is None else point - (self.top - point) * Fraction(math.expm1(-max(-600.0, min(by, 600.0))))

    def rate(self, here: Fraction, value: float, slope: float) -> float:
        """How fast log δ falls in that coordinate: measured, else from its slope in ε."""
        return self.measured(here, value) or (slope if self.top is None else slope * float(self.top - here))

    def measured(self, here: Fraction, value: float) -> float | None:
        """The same from the tangent, or the nearest other point that is known well enough; None where there is none that says so."""
        if here in self.falls:
            return self.falls[here] * float(1 if self.top is None else self.top - here)
        usable = [
            (abs(other - here), (other_value - value) / self.distance(other, here))
            for other, other_value, error in self.points
            if math.isfinite(other_value) and other != here and abs(other_value - value) > _NOISE * error
        ]
        return found if usable and (found := min(usable)[1]) > 0 else None

    def distance(self, start: Fraction, end: Fraction) -> float:
        """From one point to another in that coordinate."""
        return float(end - start) if self.top is None else math.log1p(float((end - start) / (self.top - end)))

    def between(self) -> Fraction:
        """A point between both ends of the bracket, the middle in that coordinate."""
        assert self.high is not None
        if self.top is None or self.high - self.low < (self.top - self.high) * Fraction(_CLOSER):  # both middles are the same then
            return (self.low + self.high) / 2
        ratio = float((self.top - self.high) / (self.top - self.low))
        return self.top - (self.top - self.low) * Fraction(math.sqrt(ratio) if ratio > 0 else _CLOSER)

    def _record(self, epsilon: Fraction, found: Enclosure, above: bool) -> None:
        if above:
            self.low = max(self.low, epsilon)
        else:
            self.high = epsilon if self.high is None else min(self.high, epsilon)
        self._follow(epsilon, found)

    def _follow(self, epsilon: Fraction, found: Enclosure) -> None:
        """log δ(ε) − log target."""
        digits = found.digits()
        with precision(bits_for(int(digits), 64) if digits < _UNREAD else 200):
            ratio = (found.ball() - self.lost) / (ball(self.target) - self.lost)
            value = ratio.log() if ratio > 0 else arb.neg_inf()
            self.points.append((epsilon, float(value.mid()), float(value.rad())))


def kept_digits(search: EpsilonSearch) -> int:
    """Digits of a point that are kept besides those asked for."""
    return 8 if search.top is None else _NEAR_TOP


def rounded(value: Fraction, digits: int) -> Fraction:
    """A nearby binary fraction with about `digits` digits, so that numbers stay short."""
    if value <= 0:
        return Fraction(0)
    scale = bits_for(digits) - (value.numerator.bit_length() - value.denominator.bit_length())
    factor = Fraction(2) ** scale
    return Fraction(round(value * factor)) / factor
