"""E(S)₊ for a sum S of n independent copies of a variable with two, three or four values, in balls.

The counts B_g of the values a_g are multinomial(n; w_g), and S = Σ a_g B_g. With two values one binomial tail is left, with three a
sum over one count whose tails follow from each other, with four such a sum over the few places where S changes its sign.

Two remarks keep every error small against E(S)₊, however small that is. Let λ > 0, M = Σ w_g e^{λ a_g}, and let the tilted law have
weights w_g e^{λ a_g}/M.

* **Windows.** x₊ ≤ e^{λx−1}/λ, so what lies outside of a set of counts adds at most Mⁿ/(eλ) times its tilted probability. That is
  bounded by Bernstein: |B − mp| ≥ s has probability at most 2·exp(−s²/(2(mp(1−p) + s/3))) for B ~ Bin(m, p).
* **Signs.** E(S)₊ is the largest E[S; A] over sets A. A set that errs only where |S| ≤ η falls short by at most
  E[|S|; |S| ≤ η] ≤ η·e^{λη}·Mⁿ. So the places where S changes its sign may be rounded.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from flint import arb

from dpbounds.errors import PrecisionError
from dpbounds.numbers.balls import working_bits
from dpbounds.numbers.binomial import FallingTails, Tails, bands, bernstein, floor_of, log_mass, upper_tail, window
from dpbounds.numbers.trapezoid import between_zero_and

_LOST_BITS = 56
"""Bits of the working precision that windows need not serve."""
_HALVINGS = 40
MOST_TERMS = 20_000_000
"""Terms of a double sum: minutes."""


@dataclass(frozen=True)
class Values:
    """The law of one summand: distinct values in decreasing order with their probabilities, balls at the current precision.

    Args:
        falls: how fast the values fall as e^ε grows, in which they are linear; empty where that is not asked for.
    """

    values: tuple[arb, ...]
    weights: tuple[arb, ...]
    falls: tuple[arb, ...] = ()

    def merged(self) -> Values:
        """Neighbours that are exactly equal joined."""
        kept = [0, *(i for i in range(1, len(self.values)) if self.values[i] - self.values[i - 1] != 0)]
        ends = [*kept[1:], len(self.values)]
        weights = tuple(sum(self.weights[start:end], arb(0)) for start, end in zip(kept, ends, strict=True))
        return Values(tuple(self.values[i] for i in kept), weights, self.falls and tuple(self.falls[i] for i in kept))


Expected = Callable[[tuple[arb, ...]], arb]
"""E[Σ v_g B_g; A] for the event A that was found, linear in the v_g, of which the a_g are one case."""


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
    return value_and_fall(law, users)[0]


def value_and_fall(law: Values, users: int) -> tuple[arb, tuple[arb, arb] | None]:
    """E(S)₊/n and a line below it in u = e^ε: its height here and how fast it falls.

    With A the set of counts that was summed, E[S; A] is linear in u, and at most E(S)₊ for each u.
    """
    if not law.values[0] > 0:
        return (arb(0) if law.values[0] <= 0 else between_zero_and(law.values[0])), None
    if not law.values[-1] < 0:
        mean = _mean(law.weights, law.values)
        return (mean if law.values[-1] >= 0 else mean + between_zero_and(-law.values[-1])), None
    law = law.merged()
    if not all(high > low for high, low in pairwise(law.values)):
        return between_zero_and(law.values[0]), None
    expected, missed = {2: _two, 3: _three, 4: _four}[len(law.values)](law, users, tilt_of(law, users))
    value = expected(law.values)
    return (value + missed) / users, (value / users, expected(law.falls) / users) if law.falls else None


def _mean(weights: Sequence[arb], values: Sequence[arb]) -> arb:
    return sum((w * a for w, a in zip(weights, values, strict=True)), arb(0))


def tilt_of(law: Values, users: int) -> TiltedLaw:
    """The tilt that makes Mⁿ/λ smallest, about; any one is sound."""
    scale, values, weights = _floats(law)
    rate = arb(saddle(values, weights, users, 1)) / scale
    tilted = [w * (rate * a).exp() for w, a in zip(law.weights, law.values, strict=True)]
    total = sum(tilted, arb(0))
    reach = max(15.0, (working_bits() - _LOST_BITS) * math.log(2))
    return TiltedLaw(rate, arb((total**users).upper()), tuple(w / total for w in tilted), reach)


def approx_saddle(law: Values, users: int) -> tuple[float, float, float]:
    """Where Mⁿ/z² is smallest, the curvature of its logarithm there, and about log E(S)₊."""
    scale, values, weights = _floats(law)
    rate = saddle(values, weights, users, 2)
    log_moment, mean, square = approx_moments(values, weights, rate)
    curvature = users * (square - mean * mean) + 2 / rate**2
    log_size = users * log_moment - 2 * math.log(rate) - 0.5 * math.log(2 * math.pi * curvature) + math.log(scale)
    return rate / scale, curvature * scale**2, log_size


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


def _two(law: Values, users: int, tilt: TiltedLaw) -> tuple[Expected, arb]:
    """S = a₀B + a₁(n−B) > 0 from some J on; b·P(B = b) = n·w₀·P(B′ = b−1), B′ ~ Bin(n−1, w₀), leaves one tail."""
    (top, bottom), (likely, other) = law.values, law.weights
    edge = -bottom * users / (top - bottom)
    least = min(max(1, floor_of(edge) + 1), users)
    tail, before = upper_tail(users - 1, least, likely, other)

    def expected(values: tuple[arb, ...]) -> arb:
        return users * (_mean(law.weights, values) * tail + values[0] * likely * before)

    return expected, between_zero_and(tilt.misjudged(2 * (top - bottom) * arb(edge.rad())))


def _three(law: Values, users: int, tilt: TiltedLaw) -> tuple[Expected, arb]:
    """Given T, the number of messages with the largest or the smallest value, one tail is left.

    S = a₀B + a₂(T−B) + a₁(n−T) > 0 where B > α + sT, 0 ≤ s ≤ 1. With U, g = P(B′ ≥ J), P(B′ = J−1), B′ ~ Bin(T−1, π),

        E[S₊ | T] = T·((a₀π + a₂(1−π))·U + a₀π·g) + a₁(n−T)·(U + π·g),

    and U, g follow from those of T − 1: P(Bin(m+1) ≥ J) = P(Bin(m) ≥ J) + π·P(Bin(m) = J−1).
    """
    (top, middle, bottom), (likely, rest, unlikely) = law.values, law.weights
    both = likely + unlikely
    first, other = likely / both, unlikely / both
    odds = first / other
    edge = _Edge.rounded(users, -middle * users / (top - bottom), (middle - bottom) / (top - bottom), arb(0))
    distance, outside = bernstein(users, tilt.weights[0] + tilt.weights[2], tilt.reach)
    start, end = window(users, tilt.weights[0] + tilt.weights[2], distance)
    start = max(1, start)
    while start <= end and (least := max(1, edge.least(start))) > start:
        start = least
    missed = between_zero_and(tilt.missed(outside) + tilt.misjudged((top - bottom) * edge.error))
    if start > end:
        return lambda values: arb(0), missed
    least = max(1, edge.least(start))
    tail, before = upper_tail(start - 1, least, first, other)
    mass, ratio = log_mass(users, start, both, rest).exp(), both / rest
    tails, edges, middles = arb(0), arb(0), arb(0)
    for count in range(start, end + 1):
        tails += mass * count * tail
        edges += mass * count * before
        middles += mass * (users - count) * (tail + first * before)
        mass *= ratio * (users - count) / (count + 1)
        tail += first * before
        before *= other * count / (count - least + 1)
        if edge.least(count + 1) > least:
            before *= odds * (count - least + 1) / least
            tail -= before
            least += 1

    def expected(values: tuple[arb, ...]) -> arb:
        return (values[0] * first + values[2] * other) * tails + values[0] * first * edges + values[1] * middles

    return expected, missed


def _four(law: Values, users: int, tilt: TiltedLaw) -> tuple[Expected, arb]:
    """A sum over T, the messages with the largest or the smallest value, and over the few counts H of the largest between which S = 0.

    Given T, H ~ Bin(T, p) and the count I ~ Bin(m, π) of a₁ among the m = n − T others are independent, S = dH + eI + a₃T + a₂m with
    d = a₀ − a₃, e = a₁ − a₂, and S > 0 where I ≥ β_h for H = h; β_h falls by d/e from h to h + 1. Let [low, high] be a window for I. Every
    h from J on, the least with β_h ≤ low, is taken with all I, and those with β_h > high are left out:

        P(A | T) = P(H ≥ J) + Σ_{h<J} P(H = h)·P(I ≥ β_h),
        E[H; A | T] = Tp·P(H ≥ J) + J(1−p)·P(H = J) + Σ_{h<J} h·P(H = h)·P(I ≥ β_h),
        E[I; A | T] = πm·P(A | T) + (1−π)·Σ_{h<J} P(H = h)·β_h·P(I = β_h),

    for E[I − πm; I ≥ β] = β(1−π)·P(I = β). What is left out has a tilted probability. What is taken too much has I < low and H ≥ J,
    where S > e(I − low): it lowers the sum by e·E(low − I)₊·P(H ≥ J) at most. With s below the mean, Bernstein's exponent x(s) is
    convex and x(0) = 0, so that E(mean − s − I)₊ ≤ ∫_s e^{−x} ≤ e^{−x(s)}·s/x(s).
    The tails follow from those of T + 2, where h + 1 was in place of h.
    """
    (top, upper, lower, bottom), weights = law.values, tilt.weights
    outer, inner = law.weights[0] + law.weights[3], law.weights[1] + law.weights[2]
    first, second = law.weights[0] / outer, law.weights[1] / inner
    share, drawn = weights[0] + weights[3], weights[1] / (weights[1] + weights[2])
    d, e = top - bottom, upper - lower
    distance, outside = bernstein(users, share, tilt.reach)
    start, end = window(users, share, distance)
    edge = _Edge.rounded(users, -lower * users / e, (lower - bottom) / e, -d / e)
    widest = bernstein(users - start, second, tilt.reach)[0]
    if (end - start) * max(2, math.ceil(2 * widest * float((e / d).mid()))) > MOST_TERMS:
        raise PrecisionError(f"shuffle: the double sum for {users} users has too many terms; ask for fewer users or for --blanket")
    mass, ratio = log_mass(users, end, outer, inner).exp(), inner / outer
    against, missed, surplus = (1 - first) / first, outside, arb(0)
    whole, outers, tops, uppers = arb(0), arb(0), arb(0), arb(0)  # P(A), E[T; A], E[H; A], E[I − πm; A]/(1 − π)
    hits, chains = Tails(first), (FallingTails(second), FallingTails(second))
    for band, rare in bands(users, share, start, end):
        reach, beyond = bernstein(users - start, drawn, max(1.0, tilt.reach + float(rare.log().mid())))
        below, taken = bernstein(users - start, second, max(1.0, tilt.reach + float(rare.log().mid())))
        missed, here = missed + rare * beyond, arb(0)
        for count in band:
            rest = users - count
            low, high = window(rest, second, below)[0], window(rest, drawn, reach)[1]
            least, most = edge.hits(count, max(high, low)), edge.hits(count, low)
            tail, equal = hits.tail_and_edge(0, count, most) if 1 <= most <= count else (arb(most == 0), arb(0))
            inside, highest, at_edges = tail, first * count * tail + most * (1 - first) * equal, arb(0)
            here += mass * tail
            tails_at = chains[count % 2].tail_and_edge
            for hit in range(most - 1, least - 1, -1):
                equal = equal * (hit + 1) * against / (count - hit) if hit < count else first**count
                from_here = edge.least(count, hit)
                above, at_edge = tails_at(hit - count // 2, rest, from_here)
                above *= equal
                inside += above
                highest += hit * above
                at_edges += from_here * equal * at_edge
            whole += mass * inside
            outers += mass * count * inside
            tops += mass * highest
            uppers += mass * at_edges
            mass *= ratio * count / (rest + 1)
        surplus += e * taken / 2 * below / (2 / taken).log() * here
    missed = tilt.missed(missed) + tilt.misjudged(e * edge.error)

    def expected(values: tuple[arb, ...]) -> arb:
        drift = second * values[1] + (1 - second) * values[2]
        moved = (values[3] - drift) * outers + (values[0] - values[3]) * tops + (values[1] - values[2]) * (1 - second) * uppers
        return users * drift * whole + moved

    return expected, between_zero_and(missed) + between_zero_and(surplus)


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
        return cls(bits, (floor_of(scaled[0]), floor_of(scaled[1]), floor_of(scaled[2])), arb(off.upper()) * arb(2) ** -bits)

    def least(self, count: int, hits: int = 0) -> int:
        """The least whole number above θ."""
        start, slope, inner = self.parts
        return ((start + slope * count + inner * hits) >> self.bits) + 1

    def hits(self, count: int, bound: int) -> int:
        """The least b of 0 … T + 1 with least(T, b) ≤ bound, where θ falls as b grows."""
        start, slope, inner = self.parts
        return min(max(0, (start + slope * count - (bound << self.bits)) // -inner + 1), count + 1)
