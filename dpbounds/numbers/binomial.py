"""Binomial laws in balls: masses, tails, tails that follow from each other, and windows with a bound on what lies outside."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction

from flint import arb

from dpbounds.errors import PrecisionError
from dpbounds.numbers.balls import ball, working_bits
from dpbounds.numbers.trapezoid import between_zero_and

_EACH_BIT = 50
"""Terms for each bit that are added one by one: many more take longer than the incomplete beta function."""
_BANDS = 12
"""Parts of the outer sum, each with windows of its own: a rare one needs short ones."""
_FAR = 300
"""Steps after which a tail is summed anew."""
_DULLED = 15
"""Bits that a tail may lose to its recurrence."""
_SPARE, _MOST_MOVES = 48, 2**20
"""Of a recurrence in whole numbers: bits that it may lose, and its length."""
_Whole = tuple[int, int, int, int, int]


def log_mass(count: int, hits: int, probability: arb, other: arb) -> arb:
    """log of the binomial probability of `hits` out of `count`; `other` = 1 − probability."""
    choose = arb(count + 1).lgamma() - arb(hits + 1).lgamma() - arb(count - hits + 1).lgamma()
    return choose + (probability.log() * hits if hits else 0) + (other.log() * (count - hits) if count > hits else 0)


def upper_tail(count: int, least: int, probability: arb, other: arb) -> tuple[arb, arb]:
    """P(B ≥ least) and P(B = least − 1), B ~ Bin(count, p), 1 ≤ least ≤ count + 1; `other` = 1 − p.

    Beyond the mean terms are added until their ratios, which fall, bound the rest by a geometric series. Before the mean those below
    `least` are taken from 1 in the same way. Where terms are many, P(B ≥ b) = I_p(b, count − b + 1), the incomplete beta function.

    >>> bool(abs(upper_tail(3, 2, arb(1) / 2, arb(1) / 2)[0] - 0.5) < 1e-12)
    True
    """
    before, odds = log_mass(count, least - 1, probability, other).exp(), probability / other
    below, goal = least <= count * probability, arb(2) ** -working_bits()
    total, term, hits = (before, before, least - 1) if below else (arb(0), before, least - 1)
    for step in range(_EACH_BIT * working_bits()):
        if hits == (0 if below else count):
            return (1 - total if below else total), before
        ratio = hits / (odds * (count - hits + 1)) if below else odds * (count - hits) / (hits + 1)
        if step % 16 == 15 and ratio < 1 and (rest := term * ratio / (1 - ratio)) < total * goal:
            total += between_zero_and(rest)
            return (1 - total if below else total), before
        term, hits = term * ratio, hits - 1 if below else hits + 1
        total += term
    found = probability.beta_lower(arb(least), arb(count - least + 1), regularized=True)
    return found.max(arb(0)).min(arb(1)), before


def first_masses(count: int, probability: arb, other: arb, goal: arb, least: int, most: int) -> tuple[list[arb], arb]:
    """P(B = 0), P(B = 1), …, B ~ Bin(count, p), up to where what is left is at most the goal, and a bound on it.

    The ratios of the masses fall, so that a geometric series bounds what is left. At least `least` masses are kept. With more than
    `most` the search ends, and the bound is of no use.

    >>> masses, beyond = first_masses(3, arb(1) / 2, arb(1) / 2, arb(0), 1, 10)
    >>> bool(abs(masses[1] - 0.375) < 1e-12), bool(beyond == 0)
    (True, True)
    """
    found, odds = [other**count], probability / other
    for hits in range(count):
        ratio = odds * (count - hits) / (hits + 1)
        term = found[-1] * ratio
        if hits + 1 >= least and ratio < 1 and term / (1 - ratio) <= goal:
            return found, arb((term / (1 - ratio)).upper())
        found.append(term)
        if len(found) > most:
            return found, arb.pos_inf()
    return found, arb(0)


def chance_of_at_least(count: int, q: Fraction, least: int) -> arb:
    """P(Bin(count, q) ≥ least), every q and `least` allowed.

    >>> bool(chance_of_at_least(3, Fraction(1), 4) == 0)
    True
    """
    if least > count or q == 0:
        return arb(least <= 0)
    if least <= 0 or q == 1:
        return arb(1)
    return upper_tail(count, least, ball(q), ball(1 - q))[0]


def bernstein(count: int, probability: arb, reach: float) -> tuple[int, arb]:
    """A distance s and a bound on P(|B − count·p| ≥ s), about e^{−reach}, for B ~ Bin(m, p) and every m ≤ count."""
    variance = count * probability * (1 - probability)
    third = reach / 3
    distance = math.ceil(third + math.sqrt(third * third + 2 * reach * max(0.0, float(variance.mid())))) + 1
    bound = 2 * (-(arb(distance) ** 2) / (2 * (variance + arb(distance) / 3))).exp()
    return distance, arb(bound.upper())


def window(count: int, probability: arb, distance: int) -> tuple[int, int]:
    """The whole numbers of [0, count] within `distance` of the mean, and perhaps one more on each side.

    >>> window(10, ball(1) / 2, 2)
    (3, 7)
    """
    mean = count * float(probability.mid())
    return max(0, math.floor(mean) - distance), min(count, math.ceil(mean) + distance)


def bands(count: int, probability: arb, start: int, end: int) -> Iterator[tuple[range, arb]]:
    """The whole numbers from `end` down to `start` in bands, each with a bound on its probability under Bin(count, p).

    By Bernstein, as in `bernstein`: what is s away from the mean has at most 2·exp(−s²/(2(mp(1−p) + s/3))).

    >>> [(list(band), bool(bound <= 1)) for band, bound in bands(2, arb(1) / 2, 0, 1)]
    [([1], True), ([0], True)]
    """
    mean, variance = count * probability, arb((count * probability * (1 - probability)).upper())
    size = max(1, -(-(end + 1 - start) // _BANDS))
    for last in range(end, start - 1, -size):
        first = max(start, last - size + 1)
        near = (arb(first) - mean).max(mean - last).nonnegative_part()
        bound = 2 * (-(near**2) / (2 * (variance + near / 3))).exp() if near > 0 else arb(1)
        yield range(last, first - 1, -1), arb(bound.upper()).min(arb(1))


def floor_of(value: arb) -> int:
    """The largest whole number that is at most the middle of a ball.

    >>> floor_of(arb("2.5"))
    2
    """
    whole = value.mid().floor().unique_fmpz()
    assert whole is not None
    return int(whole)


class Tails:
    """P(B ≥ β) and P(B = β) for B ~ Bin(m, p), 1 ≤ β ≤ m, one pair a key: each follows from the last, where that is near and sharp.

    P(Bin(m+1) ≥ β) = P(Bin(m) ≥ β) + p·P(Bin(m) = β−1).
    """

    def __init__(self, probability: arb, other: arb) -> None:
        self.probability, self.other = probability, other
        self.odds, self.against = probability / self.other, self.other / probability
        self.kept: dict[int, tuple[int, int, arb, arb, int]] = {}

    def tail_and_edge(self, key: int, count: int, least: int) -> tuple[arb, arb]:
        """Both for m = `count` and β = `least`."""
        m, b, tail, equal, bits = self.kept.get(key, (0, 0, arb(0), arb(0), 0))
        if not m or abs(count - m) + abs(least - b) > _FAR:
            return self.fresh(key, count, least)
        while b > least:
            equal = equal * b / (m - b + 1) * self.against
            tail, b = tail + equal, b - 1
        while m < count:
            tail += equal * b / (m - b + 1) * self.other
            equal, m = equal * (m + 1) / (m + 1 - b) * self.other, m + 1
        while m > count:
            tail -= equal * b / m
            equal, m = equal * (m - b) / m / self.other, m - 1
        while b < least:
            tail -= equal
            equal, b = equal * (m - b) / (b + 1) * self.odds, b + 1
        if tail.rel_accuracy_bits() < bits - _DULLED:
            return self.fresh(key, count, least)
        self.kept[key] = (m, b, tail, equal, bits)
        return tail, equal

    def fresh(self, key: int, count: int, least: int) -> tuple[arb, arb]:
        """From the terms of the tail."""
        tail, before = upper_tail(count, least, self.probability, self.other)
        equal = before * (count - least + 1) / least * self.odds
        self.kept[key] = (count, least, tail, equal, tail.rel_accuracy_bits())
        return tail, equal


class FallingSums:
    """Σ w·P(B ≥ β), Σ w·T·P(B ≥ β) and Σ w·β·P(B = β), B ~ Bin(m, p), m = n − T, on chains where T falls by twos and β does not grow.

    w is the probability of h and T − h hits of two kinds among n; h falls by ones. All numbers are whole and positive, each known up to a
    small share of it: P(β−1) = P(β)·(β/(m−β+1))·(1−p)/p; from m to m + 1 with t = P(β)·(1−p) and x = tβ/(m−β+1) the tail grows by x and
    P(β) becomes t + x; from T to T − 2 w grows h(T−h)/((m+1)(m+2)) times by C = (weight of the rest)²/(product of those of both kinds).
    Products with the constants (1−p)/p, 1 − p and C and quotients are cut to whole numbers. While P(β) and w have W − 16 bits, a move is
    off by the share 1/A + 1/B + 1/C + 2^{18−W}·(2 + 1/(1−p)) at most, A, B and C the constants times 2^W. Along moves of one kind the
    ratio of P(β), or of w, to the last one falls, so that each is smallest at one end, where its bits are counted. A tail begins far up,
    where one term and a geometric series of those beyond are nothing beside it, or falls from one that is known for fewer trials.
    """

    def __init__(self, users: int, kinds: tuple[arb, arb], rest: arb, probability: arb, other: arb) -> None:
        self.users, self.both, self.rest = users, kinds[0] + kinds[1], rest
        self.shares = kinds[0] / self.both, kinds[1] / self.both
        self.bits, self.probability, self.other = working_bits(), probability, other
        scaled = [value * arb(2) ** self.bits for value in (self.other / probability, self.other, rest**2 / (kinds[0] * kinds[1]))]
        self.constants = tuple(floor_of(value) for value in scaled)
        off = sum(((1 + value.rad()) / whole for value, whole in zip(scaled, self.constants, strict=True)), arb(0))
        off += arb(2) ** (18 - self.bits) * (2 + 1 / self.other)
        self.off = (-2 * _MOST_MOVES * (-off).log1p()).expm1() if off < 1 else arb.pos_inf()
        self.kept: _Whole = (0, 0, 0, 0, 0)
        self.unit = arb(0)

    def along(self, count: int, hits: int, leasts: list[int]) -> tuple[arb, ...]:
        """All three sums over T = count, count − 2, …, h = hits, hits − 1, … and these β."""
        sums, users, constant = [arb(0)] * 3, self.users, self.constants[2]
        place: _Whole = (0, 0, 0, 0, 0)
        unit, weight, parts = arb(0), 0, [0, 0, 0]
        for least in leasts:
            if weight and 0 <= place[1] - least <= _MOST_MOVES // 2 - place[4]:
                place = self.fallen(place, users - count, least)
            if min(weight, place[3]).bit_length() < self.bits - 16 or place[1] != least:
                sums, parts = [total + part * unit for total, part in zip(sums, parts, strict=True)], [0, 0, 0]
                place, unit = self.started(users - count, least)
                mass = log_mass(users, count, self.both, self.rest) + log_mass(count, hits, *self.shares)
                weight, unit = 1 << self.bits + _SPARE, unit * mass.exp() / (1 << self.bits + _SPARE)
            tail = weight * place[2]
            parts[0] += tail
            parts[1] += tail * count
            parts[2] += weight * place[3] * least
            weight = (weight * (hits * (count - hits)) * constant >> self.bits) // ((users - count + 1) * (users - count + 2))
            count, hits = count - 2, hits - 1
        return tuple(total + part * unit for total, part in zip(sums, parts, strict=True))

    def fallen(self, start: _Whole, count: int, least: int) -> _Whole:
        """m, β, tail, P(β) and the moves so far, from those of fewer trials and a larger β."""
        m, b, tail, equal, moves = start
        bits, (against, other, _) = self.bits, self.constants
        for beta in range(b, least, -1):
            equal = (equal * beta * against >> bits) // (m - beta + 1)
            tail += equal
        for size in range(m - least + 1, count - least + 1):
            equal = equal * other >> bits
            grown = equal * least // size
            tail, equal = tail + grown, equal + grown
        return count, least, tail, equal, moves + b - least + count - m

    def started(self, count: int, least: int) -> tuple[_Whole, arb]:
        """The same and the unit, from the place that is kept; another one, some way up, is kept where that does not do."""
        if not (self.kept[0] <= count and self.kept[1] >= least and 0 < self.kept[4] < _MOST_MOVES // 8):
            self.kept = self.fresh(count, min(count, least + 2 * math.isqrt(count)))
        self.kept = self.fallen(self.kept, count, self.kept[1])
        m, b, tail, equal, moves = self.fallen(self.kept, count, least)
        extra = max(0, equal.bit_length() - self.bits - _SPARE)
        return (m, b, tail >> extra, equal >> extra, moves + 1), self.unit * arb(2) ** extra

    def fresh(self, count: int, least: int) -> _Whole:
        """By falling from a place whose distance is found in floats; the unit is kept."""
        odds = self.probability / self.other
        spread = count * float((self.probability * self.other).mid()) + 1
        slope = math.log(max(1, count - least) / least) + float(odds.log().mid())
        start = min(count, least + max(0, math.ceil(spread * (slope + math.sqrt(slope * slope + 2 * self.bits * math.log(2) / spread)))))
        while not (next_to := odds * (count - start) / (start + 1)) < 1:
            start = min(count, 2 * start)
        if start - least > _MOST_MOVES // 8:
            raise PrecisionError(f"a tail of {count} trials needs too many terms; no digit was reached; take fewer")
        mass = log_mass(count, start, self.probability, self.other).exp() / arb(2) ** self.bits
        found = self.fallen((count, start, 1 << self.bits, 1 << self.bits, 1), count, least)
        beyond = mass * arb(2) ** self.bits * next_to / (1 - next_to) / (arb(found[2]) * mass)
        self.unit = mass * arb(1, (self.off + beyond + self.off * beyond).upper())
        return found
