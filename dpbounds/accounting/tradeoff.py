"""Certified trade-off curves: the smallest false-negative rate of any test with a given false-positive rate.

For a pair (P, Q), a test says "P" on a set S. With x = e^ε and δ(x) = sup_S P(S) − x·Q(S), for every real ε,

    f(α) = inf {1 − P(S) : Q(S) ≤ α} = 1 − min_{x > 0} g(x),    g(x) = δ(x) + αx    (tests may be random)

(Dong, Roth & Su 2022, Proposition 2.12). Any x gives a lower bound of f. Upper bounds come from convexity of δ in x: beyond two points, g
lies above their chord; everywhere it lies above αx and above 1 − (1 − α)x, as δ ≥ 0 and δ ≥ 1 − x. On an interval the larger of two lines
is at least each of their convex combinations, and a combination is smallest at an end: whatever weight is taken, the bound holds. New
points are taken where two lines cross, in floats. δ at ε < 0 is that of the mirror image: δ_{P‖Q}(ε) = 1 − e^ε + e^ε·δ_{Q‖P}(−ε).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations

from flint import arb

from dpbounds.accounting.asked import is_upper_bound, read_relation, reported_direction
from dpbounds.accounting.evaluate import evaluate
from dpbounds.accounting.solve import delta
from dpbounds.errors import InputError
from dpbounds.mechanisms import Direction, Guarantee, Mechanism, Relation
from dpbounds.mechanisms.pairs import Product, dominating_pairs
from dpbounds.mechanisms.results import PrivacyResult, read_digits, require_digits
from dpbounds.numbers import exact
from dpbounds.numbers.balls import Enclosure, ball, bits_for, precision
from dpbounds.numbers.domains import between

_GUARDS = (4, 15, 40)
"""Digits of δ beyond those of f; the more, the closer f is to 0."""
_POINTS = 60
"""Values of δ for one value of f; about 15 are needed for 6 digits."""
_NEGLIGIBLE = 20
"""A rate below 10^{−digits−20} is not resolved further: no test shows it."""
_FAR = 3.0
"""Neighbouring values of ε further apart than this are halved; lines cross too far out on a scale of powers."""
_STEP = 1.0
"""How far to go beyond the outermost value of ε where lines do not say."""
_ROUNDING = 80
"""Bits of a value of ε."""


def trade_off(
    mechanism: Mechanism,
    false_positives: exact.Number,
    *,
    digits: int = 6,
    relation: Relation | str | None = None,
    direction: Direction | str = Direction.WORST,
    guarantee: Guarantee | str = Guarantee.MECHANISM,
) -> PrivacyResult:
    """Certified f(α): the smallest false-negative rate of a test whose false-positive rate is at most α.

    Args:
        mechanism: what is run, compositions included.
        false_positives: 0 < α < 1, rational.
        digits: certified digits of f(α); a rate below 10^{−digits−20} is only bounded from above.
        relation, direction, guarantee: as for `dpbounds.accounting.delta`; WORST is the smaller of both directions.

    Returns:
        The enclosure (both sides guaranteed). The power of the best test, TPR at FPR α, is 1 − f(α).

    Raises:
        InputError: α outside (0, 1), or a mechanism without a known dominating pair. PrecisionError: the digits cannot be had.

    Source: Dong, Roth & Su 2022, Proposition 2.12.

    >>> from dpbounds.mechanisms import Gaussian
    >>> trade_off(Gaussian(1), "0.05").lower[:8]
    '0.740488'
    """
    alpha, wanted = between(false_positives, 0, 1, "the false-positive rate"), read_digits(digits)
    if not isinstance(alpha, Fraction):
        raise InputError(f"the false-positive rate must be rational, got {alpha}; write it as a decimal or a fraction")
    products = dominating_pairs(mechanism, read_relation(relation), direction, guarantee, upper_bounds=True)
    found = [rate_of(product, alpha, wanted + 2) for product in products]
    smallest = Enclosure(min((value.low for value in found), key=_key), min((value.high for value in found), key=_key))
    return PrivacyResult(
        quantity="false-negative rate",
        enclosure=smallest if _negligible(smallest, wanted) else require_digits(smallest, wanted, "the false-negative rate"),
        mechanism=mechanism,
        argument=("false-positive rate", alpha),
        relation=products[0].relation,
        direction=reported_direction(products[0], Direction(direction)),
        guarantee=products[0].guarantee,
        method="convexity of certified delta",
        digits=wanted,
        notes=_notes(products),
    )


def _notes(products: tuple[Product, ...]) -> tuple[str, ...]:
    """For which data the pairs are, and that the rate of an upper bound is a lower one."""
    found = ("the rate is that of a dominating pair: a lower bound on the mechanism's",) if is_upper_bound(products[0]) else ()
    return (*dict.fromkeys(note for product in products for note in product.notes), *found)


def advantage(
    mechanism: Mechanism,
    *,
    digits: int = 6,
    relation: Relation | str | None = None,
    direction: Direction | str = Direction.WORST,
    guarantee: Guarantee | str = Guarantee.MECHANISM,
) -> PrivacyResult:
    """The largest TPR − FPR of any test: the total variation distance δ(0), certified.

    Args:
        mechanism, digits, relation, direction, guarantee: as for `dpbounds.accounting.delta`.

    >>> from dpbounds.mechanisms import Gaussian
    >>> advantage(Gaussian(1)).lower
    '0.38292492'
    """
    found = delta(mechanism, 0, digits=digits, relation=relation, direction=direction, guarantee=guarantee)
    return replace(found, quantity="advantage")


def rate_of(product: Product, alpha: Fraction, digits: int) -> Enclosure:
    """f(α) of one product of pairs, the best that was reached."""
    mirror = replace(product, factors=tuple(replace(f, reversed=not f.reversed and not f.pair.symmetric) for f in product.factors))
    best = Enclosure.between(arb(0), arb(1))
    for guard in _GUARDS:
        with precision(bits_for(digits + guard, 60)):
            search = _Search(product, mirror, alpha, digits + guard)
            search.add(Fraction(0))
            for _ in range(_POINTS):
                low, high, following = search.bounds()
                best = best.intersection(Enclosure.between((1 - high).nonnegative_part(), (1 - low).nonnegative_part()))
                if best.meets(digits) or _negligible(best, digits) or following is None:
                    break
                search.add(following)
        if best.meets(digits) or _negligible(best, digits):
            break
    return best


@dataclass(frozen=True)
class _Point:
    """x = e^ε and the ends of g(x), all balls."""

    epsilon: Fraction
    x: arb
    low: arb
    high: arb


@dataclass(frozen=True)
class StraightLine:
    """value + slope·(x − at)."""

    at: arb
    value: arb
    slope: arb

    def __call__(self, x: arb) -> arb:
        return self.value + self.slope * (x - self.at)


class _Search:
    """Points of g and what they say about its minimum."""

    def __init__(self, product: Product, mirror: Product, alpha: Fraction, digits: int) -> None:
        self.product, self.mirror, self.digits = product, mirror, digits
        self.alpha = ball(alpha)
        self.end = ball(-(-1 // alpha))  # g ≥ αx ≥ 1 = g(0) from here on
        self.always = (StraightLine(arb(0), arb(0), self.alpha), StraightLine(arb(0), arb(1), self.alpha - 1))
        self.points: list[_Point] = []

    def add(self, epsilon: Fraction) -> None:
        """One more point."""
        x = ball(epsilon).exp()
        if epsilon >= 0:
            found, _ = evaluate(self.product, epsilon, self.digits)
            low, high = found.low, found.high
        else:
            found, _ = evaluate(self.mirror, -epsilon, self.digits)
            low, high = 1 - x + x * found.low, 1 - x + x * found.high
        self.points.append(_Point(epsilon, x, low + self.alpha * x, high + self.alpha * x))
        self.points.sort(key=lambda point: point.epsilon)

    def bounds(self) -> tuple[arb, arb, Fraction | None]:
        """A lower and an upper bound on min g, and the ε to look at next; None where no new one is in sight."""
        points = self.points
        high = arb(1)
        for point in points:
            high = high.min(point.high.upper())
        starts = [arb(0), *(point.x for point in points)]
        ends = [*(point.x for point in points), self.end]
        least: tuple[arb, int, float] | None = None
        for index, (start, end) in enumerate(zip(starts, ends, strict=True)):
            lines = [*self.always]
            if index >= 2:  # the chord of two points before, followed forward: as low as their errors allow
                one, two = points[index - 2], points[index - 1]
                lines.append(StraightLine(two.x, two.low, (two.low - one.high) / (two.x - one.x)))
            if index + 1 < len(points):
                one, two = points[index], points[index + 1]
                lines.append(StraightLine(one.x, one.low, (two.high - one.low) / (two.x - one.x)))
            value, where = lowest_of_two(lines, start, end)
            if least is None or value < least[0]:
                least = value, index, where
        assert least is not None
        low, index, where = least
        return low, high, self._next(index, where)

    def _next(self, index: int, where: float) -> Fraction | None:
        points = self.points
        before = points[index - 1].epsilon if index else None
        after = points[index].epsilon if index < len(points) else None
        guess = math.log(where) if 0 < where < math.inf else math.nan
        if before is None and after is not None:
            guess = max(guess, float(after) - _FAR) if guess < after else float(after) - _STEP
        elif after is None and before is not None:
            guess = min(guess, float(before) + _FAR) if guess > before else float(before) + _STEP
        elif before is not None and after is not None and (after - before > _FAR or not before < guess < after):
            guess = float(before + after) / 2
        found = Fraction(round(Fraction(guess) * 2**_ROUNDING), 2**_ROUNDING)
        inside = (before is None or found > before) and (after is None or found < after)
        return found if inside else None


def lowest_of_two(lines: Iterable[StraightLine], start: arb, end: arb) -> tuple[arb, float]:
    """A lower bound of max(lines) over [start, end], and about where the two lines cross that give it.

    >>> bool(lowest_of_two([StraightLine(arb(0), arb(0), arb(1)), StraightLine(arb(0), arb(1), arb(-1))], arb(0), arb(1))[0] == 0.5)
    True
    """
    best, where = arb.neg_inf(), math.nan
    for one, two in combinations(lines, 2):
        falling, rising = (one, two) if float(one.slope.mid()) < float(two.slope.mid()) else (two, one)
        s, t = float(falling.slope.mid()), float(rising.slope.mid())
        weight = arb(min(1.0, max(0.0, t / (t - s)))) if t > s else arb(1)
        ends = [(weight * falling(x) + (1 - weight) * rising(x)).lower() for x in (start, end)]
        value = ends[0].min(ends[1])
        if value > best:
            gap = float((rising(start) - falling(start)).mid())
            best, where = value, float(start.mid()) + (-gap / (t - s) if t > s else 0.0)
    return best, where


def _negligible(value: Enclosure, digits: int) -> bool:
    return bool(value.high <= arb(10) ** (-digits - _NEGLIGIBLE))


def _key(value: arb) -> float | Fraction:
    return Enclosure.between(value, value).lower
