"""E(S)₊ for a sum S of n independent copies of a variable with two, three or four values, in balls.

The counts B_g of the values a_g are multinomial(n; w_g), and S = Σ a_g B_g. With two values one binomial tail is left, with three a
sum over one count whose tails follow from each other, with four a double sum over windows.

Two remarks keep every error small against E(S)₊, however small that is. Let λ > 0, M = Σ w_g e^{λ a_g}, and let the tilted law have
weights w_g e^{λ a_g}/M.

* **Windows.** x₊ ≤ e^{λx−1}/λ, so what lies outside of a set of counts adds at most Mⁿ/(eλ) times its tilted probability. That is
  bounded by Bernstein: |B − mp| ≥ s has probability at most 2·exp(−s²/(2(mp(1−p) + s/3))) for B ~ Bin(m, p).
* **Signs.** E(S)₊ is the largest E[S; A] over sets A. A set that errs only where |S| ≤ η falls short by at most
  E[|S|; |S| ≤ η] ≤ η·e^{λη}·Mⁿ. So the places where S changes its sign may be rounded.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from flint import arb

from dpbounds.errors import PrecisionError
from dpbounds.numbers.balls import working_bits
from dpbounds.numbers.trapezoid import between_zero_and

_LOST_BITS = 55
"""Bits of the working precision that windows need not serve."""
_HALVINGS = 60
MOST_TERMS = 400_000_000
"""Terms of a double sum: minutes."""


@dataclass(frozen=True)
class Values:
    """The law of one summand: distinct values in decreasing order with their probabilities, balls at the current precision."""

    values: tuple[arb, ...]
    weights: tuple[arb, ...]

    @property
    def mean(self) -> arb:
        """Σ w_g a_g."""
        return sum((w * a for w, a in zip(self.weights, self.values, strict=True)), arb(0))

    def merged(self) -> Values:
        """Neighbours that are exactly equal joined."""
        found: list[tuple[arb, arb]] = []
        for value, weight in zip(self.values, self.weights, strict=True):
            if found and value - found[-1][0] == 0:
                weight += found.pop()[1]
            found.append((value, weight))
        return Values(tuple(value for value, _ in found), tuple(weight for _, weight in found))


@dataclass(frozen=True)
class TiltedLaw:
    """λ, an upper bound on Mⁿ, the tilted weights, and how far windows reach: they leave out about e^{−reach}."""

    rate: arb
    chernoff: arb
    weights: tuple[arb, ...]
    reach: float

    def missed(self, probability: arb) -> arb:
        """What outcomes of so large a tilted probability add to E(S)₊ at most."""
        return self.chernoff * probability / (self.rate * arb(1).exp())

    def misjudged(self, size: arb) -> arb:
        """By how much E[S; A] falls short at most, where A errs only if |S| ≤ size."""
        return self.chernoff * size * (self.rate * size).exp()


def positive_part(law: Values, users: int) -> arb:
    """E(S)₊/n, S the sum of n = `users` independent copies.

    Raises:
        PrecisionError: a double sum with too many terms.

    >>> from dpbounds.numbers.balls import precision
    >>> with precision(100):
    ...     print(positive_part(Values((arb(1), arb(-1)), (arb(1) / 3, arb(2) / 3)), 2).str(5, radius=False))
    0.11111
    """
    if not law.values[0] > 0:
        return arb(0) if law.values[0] <= 0 else between_zero_and(law.values[0])
    if not law.values[-1] < 0:
        return law.mean if law.values[-1] >= 0 else law.mean + between_zero_and(-law.values[-1])
    law = law.merged()
    if not all(high > low for high, low in pairwise(law.values)):
        return between_zero_and(law.values[0])
    tilt = tilt_of(law, users)
    ways = {2: _two, 3: _three, 4: _four}
    return ways[len(law.values)](law, users, tilt) / users


def tilt_of(law: Values, users: int) -> TiltedLaw:
    """The tilt that makes Mⁿ/λ smallest, about; any one is sound."""
    scale, values, weights = _floats(law)
    rate = arb(saddle(values, weights, users, 1)) / scale
    tilted = [w * (rate * a).exp() for w, a in zip(law.weights, law.values, strict=True)]
    total = sum(tilted, arb(0))
    reach = max(15.0, (working_bits() - _LOST_BITS) * math.log(2))
    return TiltedLaw(rate, arb((total**users).upper()), tuple(w / total for w in tilted), reach)


def approx_log_positive_part(law: Values, users: int) -> float:
    """About log(E(S)₊/n): the integrand Mⁿ/z² at its saddle."""
    scale, values, weights = _floats(law)
    rate = saddle(values, weights, users, 2)
    log_moment, mean, square = approx_moments(values, weights, rate)
    curvature = users * (square - mean * mean) + 2 / rate**2
    return users * log_moment - 2 * math.log(rate) - 0.5 * math.log(2 * math.pi * curvature) + math.log(scale / users)


def _floats(law: Values) -> tuple[float, list[float], list[float]]:
    """The largest |a|, and the values as multiples of it with their weights."""
    scale = float(max(abs(law.values[0]), abs(law.values[-1])).mid())
    kept = [(float(a.mid()) / scale, float(w.mid())) for a, w in zip(law.values, law.weights, strict=True) if w.mid() > 0]
    return scale, [a for a, _ in kept], [w for _, w in kept]


def approx_moments(values: list[float], weights: list[float], rate: float) -> tuple[float, float, float]:
    """log M and the first two moments of the tilted law."""
    logs = [math.log(w) + rate * a for w, a in zip(weights, values, strict=True)]
    top = max(logs)
    parts = [math.exp(log - top) for log in logs]
    total = sum(parts)
    first = sum(p * a for p, a in zip(parts, values, strict=True)) / total
    return top + math.log(total), first, sum(p * a * a for p, a in zip(parts, values, strict=True)) / total


def saddle(values: list[float], weights: list[float], users: int, power: int) -> float:
    """Where Mⁿ/λ^power is smallest."""
    low, high = 1e-14, 1e14
    for _ in range(_HALVINGS):
        middle = math.sqrt(low * high)
        low, high = (low, middle) if users * approx_moments(values, weights, middle)[1] > power / middle else (middle, high)
    return high


def bernstein(count: int, probability: arb, reach: float) -> tuple[int, arb]:
    """A distance s and a bound on P(|B − count·p| ≥ s), about e^{−reach}, for B ~ Bin(m, p) and every m ≤ count."""
    variance = count * probability * (1 - probability)
    third = reach / 3
    distance = math.ceil(third + math.sqrt(third * third + 2 * reach * max(0.0, float(variance.mid())))) + 1
    bound = 2 * (-(arb(distance) ** 2) / (2 * (variance + arb(distance) / 3))).exp()
    return distance, arb(bound.upper())


def window(count: int, probability: arb, distance: int) -> tuple[int, int]:
    """The whole numbers of [0, count] within `distance` of the mean, and perhaps one more on each side."""
    mean = count * float(probability.mid())
    return max(0, math.floor(mean) - distance), min(count, math.ceil(mean) + distance)


def log_mass(count: int, hits: int, probability: arb, other: arb) -> arb:
    """log of the binomial probability of `hits` out of `count`; `other` = 1 − probability."""
    choose = arb(count + 1).lgamma() - arb(hits + 1).lgamma() - arb(count - hits + 1).lgamma()
    return choose + (probability.log() * hits if hits else 0) + (other.log() * (count - hits) if count > hits else 0)


def upper_tail(count: int, least: int, probability: arb, other: arb) -> tuple[arb, arb]:
    """P(B ≥ least) and P(B = least − 1), B ~ Bin(count, p), 1 ≤ least ≤ count + 1.

    The terms from `least` on, until their ratios, which fall, bound the rest by a geometric series.
    """
    before = log_mass(count, least - 1, probability, other).exp()
    odds = probability / other
    total, term, hits = arb(0), before, least - 1
    goal = arb(2) ** -working_bits()
    while hits < count:
        ratio = odds * (count - hits) / (hits + 1)
        term, hits = term * ratio, hits + 1
        total += term
        if hits % 16 == 0 and (following := odds * (count - hits) / (hits + 1)) < 1:
            rest = term * following / (1 - following)
            if rest < total * goal:
                return total + between_zero_and(rest), before
    return total, before


def _two(law: Values, users: int, tilt: TiltedLaw) -> arb:
    """S = a₀B + a₁(n−B) > 0 from some J on; b·P(B = b) = n·w₀·P(B′ = b−1), B′ ~ Bin(n−1, w₀), leaves one tail."""
    (top, bottom), (likely, other) = law.values, law.weights
    edge = -bottom * users / (top - bottom)
    least = min(max(1, _floor(edge) + 1), users)
    tail, before = upper_tail(users - 1, least, likely, other)
    value = users * (law.mean * tail + top * likely * before)
    return value + between_zero_and(tilt.misjudged(2 * (top - bottom) * arb(edge.rad())))


def _three(law: Values, users: int, tilt: TiltedLaw) -> arb:
    """Given T, the number of messages with the largest or the smallest value, one tail is left.

    S = a₀B + a₂(T−B) + a₁(n−T) > 0 where B > α + sT, 0 ≤ s ≤ 1. With U, g = P(B′ ≥ J), P(B′ = J−1), B′ ~ Bin(T−1, π),

        E[S₊ | T] = T·((a₀π + a₂(1−π))·U + a₀π·g) + a₁(n−T)·(U + π·g),

    and U, g follow from those of T − 1: P(Bin(m+1) ≥ J) = P(Bin(m) ≥ J) + π·P(Bin(m) = J−1).
    """
    (top, middle, bottom), (likely, rest, unlikely) = law.values, law.weights
    both = likely + unlikely
    first, other = likely / both, unlikely / both
    odds, drift = first / other, top * first + bottom * other
    edge = _Edge.rounded(users, -middle * users / (top - bottom), (middle - bottom) / (top - bottom), arb(0))
    distance, outside = bernstein(users, tilt.weights[0] + tilt.weights[2], tilt.reach)
    start, end = window(users, tilt.weights[0] + tilt.weights[2], distance)
    start = max(1, start)
    while start <= end and (least := max(1, edge.least(start))) > start:
        start = least
    missed = between_zero_and(tilt.missed(outside) + tilt.misjudged((top - bottom) * edge.error))
    if start > end:
        return missed
    least = max(1, edge.least(start))
    tail, before = upper_tail(start - 1, least, first, other)
    mass, ratio = log_mass(users, start, both, rest).exp(), both / rest
    total, gain = arb(0), top * first
    for count in range(start, end + 1):
        total += mass * (count * (drift * tail + gain * before) + middle * (users - count) * (tail + first * before))
        mass *= ratio * (users - count) / (count + 1)
        tail += first * before
        before *= other * count / (count - least + 1)
        if edge.least(count + 1) > least:
            before *= odds * (count - least + 1) / least
            tail -= before
            least += 1
    return total + missed


def _four(law: Values, users: int, tilt: TiltedLaw) -> arb:
    """A double sum: over T, the messages of one pair of values, and the count of its larger value; the tail of the other pair is tabulated.

    Weights are n!·Π w_g^{b_g}/b_g!. For T given, V_j = Σ_{i≥j} v_i and W_j = Σ_{i≥j} V_i over the counts i of the other pair's larger
    value give Σ_{i≥J} (i − θ)v_i = W_J + (J−1−θ)·V_J, where S = d·(i − θ).
    """
    tilted = tilt.weights
    outer, inner = (0, 3), (1, 2)
    if _spread(tilted, outer, users) > _spread(tilted, inner, users):
        outer, inner = inner, outer
    high, low, (upper, lower) = law.values[outer[0]], law.values[outer[1]], (law.values[g] for g in inner)
    share = tilted[outer[0]] + tilted[outer[1]]
    distance, outside = bernstein(users, share, tilt.reach)
    start, end = window(users, share, distance)
    ours, theirs = tilted[outer[0]] / share, tilted[inner[0]] / (1 - share)
    one, missed_one = bernstein(end, ours, tilt.reach)
    two, missed_two = bernstein(users - start, theirs, tilt.reach)
    if 2 * distance * (2 * one + 2 * two) > MOST_TERMS:
        raise PrecisionError(f"shuffle: the double sum for {users} users has too many terms; ask for fewer users or for --blanket")
    step = upper - lower
    theta = (-lower * users / step, (lower - low) / step, -(high - low) / step)
    edge = _Edge.rounded(users, *theta)
    tables = [
        _made(law.weights[outer[0]], start, end, ours, one),
        _made(law.weights[outer[1]], start, end, 1 - ours, one),
        _made(law.weights[inner[0]], users - end, users - start, theirs, two),
        _made(law.weights[inner[1]], users - end, users - start, 1 - theirs, two),
    ]
    total = arb(0)
    for count in range(start, end + 1):
        hits, others = window(count, ours, one), window(users - count, theirs, two)
        total += _row(count, users - count, theta[0] + theta[1] * count, theta[2], edge, hits, others, tables)
    scale = arb(users + 1).lgamma()
    for table, group in zip(tables, (*outer, *inner), strict=True):
        scale += table.middle * law.weights[group].log() - arb(table.middle + 1).lgamma()
    missed = tilt.missed(outside + missed_one + missed_two) + tilt.misjudged(step * edge.error)
    return total * step * scale.exp() + between_zero_and(missed)


def _made(weight: arb, least: int, most: int, share: arb, distance: int) -> _Table:
    """The table of one value of a pair with this share of it: all its windows when the pair has `least` to `most` messages."""
    part = float(share.mid())
    low, high = max(0, math.floor(least * part) - distance - 2), min(most, math.ceil(most * part) + distance + 2)
    return _Table.around(round((low + high) / 2), low, high, weight)


def _spread(weights: Sequence[arb], pair: tuple[int, int], users: int) -> float:
    """The variance of one count of a pair when their sum is given."""
    first, second = (float(weights[g].mid()) for g in pair)
    return users * first * second / (first + second)


def _floor(value: arb) -> int:
    """The largest whole number that is at most the middle of a ball."""
    whole = value.mid().floor().unique_fmpz()
    assert whole is not None
    return int(whole)


@dataclass(frozen=True)
class _Edge:
    """θ = α + sT + rb, where the sign of S changes, on whole numbers T and b: in fixed point, with its error for T, b ≤ n."""

    bits: int
    parts: tuple[int, int, int]
    error: arb

    @classmethod
    def rounded(cls, users: int, start: arb, slope: arb, inner: arb) -> _Edge:
        """From the balls α, s and r."""
        bits = working_bits()
        scaled = [value * arb(2) ** bits for value in (start, slope, inner)]
        off = scaled[0].rad() + users * (scaled[1].rad() + scaled[2].rad()) + (2 + 2 * users)
        return cls(bits, (_floor(scaled[0]), _floor(scaled[1]), _floor(scaled[2])), arb(off.upper()) * arb(2) ** -bits)

    def least(self, count: int, hits: int = 0) -> int:
        """The least whole number above θ."""
        start, slope, inner = self.parts
        return ((start + slope * count + inner * hits) >> self.bits) + 1


@dataclass(frozen=True)
class _Table:
    """w^b/b! for first ≤ b, as multiples of that at `middle`."""

    first: int
    middle: int
    terms: list[arb]

    @classmethod
    def around(cls, middle: int, least: int, most: int, weight: arb) -> _Table:
        """For least ≤ b ≤ most, which `middle` is made to lie between."""
        middle = min(max(middle, least), most)
        term, above = arb(1), [arb(1)]
        for count in range(middle + 1, most + 1):
            term = term * weight / count
            above.append(term)
        term, below = arb(1), []
        for count in range(middle, least, -1):
            term = term * count / weight
            below.append(term)
        return cls(least, middle, below[::-1] + above)


def _row(
    count: int, rest: int, theta: arb, slope: arb, edge: _Edge, hits: tuple[int, int], inner: tuple[int, int], tables: Sequence[_Table]
) -> arb:
    """What one T = `count` adds, in units of d; `rest` = n − T."""
    one, two, three, four = (table.terms for table in tables)
    first, second, third, fourth = (table.first for table in tables)
    floor, top = inner
    lowest = max(floor, edge.least(count, hits[1]))
    if lowest > top:
        return arb(0)
    zero = arb(0)
    mass = moment = zero
    masses, moments = [], []
    for index in range(top, lowest - 1, -1):
        mass += three[index - third] * four[rest - index - fourth]
        moment += mass
        masses.append(mass)
        moments.append(moment)
    total = zero
    for hit in range(hits[1], hits[0] - 1, -1):
        least = max(floor, edge.least(count, hit))
        if least > top:
            break
        value = moments[top - least] + (least - 1 - theta - slope * hit) * masses[top - least]
        total += one[hit - first] * two[count - hit - second] * value
    return total
