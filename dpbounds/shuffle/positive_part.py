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

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass
from operator import truediv

from flint import arb

from dpbounds.errors import PrecisionError
from dpbounds.numbers.balls import working_bits
from dpbounds.numbers.binomial import FallingSums, Tails, bands, bernstein, floor_of, log_mass, window
from dpbounds.numbers.trapezoid import between_zero_and

_LOST_BITS = 56
"""Bits of the working precision that windows need not serve."""
_HALVINGS, _FOUR = 40, (0, 1, -2, -1)
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
        """Neighbours that are exactly equal joined: their value falls by the mean of what theirs do."""
        kept = [0, *(i for i in range(1, len(self.values)) if self.values[i] - self.values[i - 1] != 0)]
        groups = [range(start, end) for start, end in itertools.pairwise([*kept, len(self.values)])]
        weights = tuple(sum((self.weights[i] for i in group), arb(0)) for group in groups)
        falls = [sum((self.weights[i] * self.falls[i] for i in group), arb(0)) for group in groups] if self.falls else []
        return Values(tuple(self.values[i] for i in kept), weights, tuple(map(truediv, falls, weights)))


Chain = tuple[int, int, list[int]]
"""The largest T and its h, and the least I for them, T − 2 and h − 1, and so on."""
Expected = Callable[[tuple[arb, ...]], arb]
"""E[Σ v_g B_g; A] for the event A that was found, linear in the v_g, of which the a_g are one case."""


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
        mean = sum((w * a for w, a in zip(law.weights, law.values, strict=True)), arb(0))
        return (mean if law.values[-1] >= 0 else mean + between_zero_and(-law.values[-1])), None
    law = law.merged()
    if not all(high > low for high, low in itertools.pairwise(law.values)):
        return between_zero_and(law.values[0]), None
    expected, missed = _counted(law, users)
    value = expected(law.values)
    return (value + missed) / users, (value / users, expected(law.falls) / users) if law.falls else None


def approx_saddle(law: Values, users: int) -> tuple[float, float, float]:
    """Where Mⁿ/λ² is smallest, the curvature of its logarithm there, and about log E(S)₊."""
    scale = float(max(abs(law.values[0]), abs(law.values[-1])).mid())
    rows = [(float(a.mid()) / scale, math.log(float(w.mid()))) for a, w in zip(law.values, law.weights, strict=True) if w.mid() > 0]
    low, high = 1e-14, 1e14
    for _ in range(_HALVINGS):
        middle = math.sqrt(low * high)
        low, high = (low, middle) if users * approx_moments(rows, middle)[1] > 2 / middle else (middle, high)
    log_moment, mean, square = approx_moments(rows, high)
    curvature = users * (square - mean * mean) + 2 / high**2
    log_size = users * log_moment - 2 * math.log(high) - 0.5 * math.log(2 * math.pi * curvature) + math.log(scale)
    return high / scale, curvature * scale**2, log_size


def approx_moments(rows: list[tuple[float, float]], rate: float) -> tuple[float, float, float]:
    """log M and the first two moments of the tilted law, from values and logarithms of weights."""
    logs = [log + rate * a for a, log in rows]
    top = max(logs)
    parts = [math.exp(log - top) for log in logs]
    total = sum(parts)
    first, second = (sum(part * a**k for part, (a, _) in zip(parts, rows, strict=True)) / total for k in (1, 2))
    return top + math.log(total), first, second


def _counted(law: Values, users: int) -> tuple[Expected, arb]:
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

    Three values have a₁ = a₂: S > 0 where H ≥ J, and no h is left. Two values have T = n as well.
    """
    four, weights, rate = len(law.values) == 4, law.weights, arb(approx_saddle(law, users)[0])  # any λ is sound
    goal = max(15.0, (working_bits() - _LOST_BITS) * math.log(2))  # windows leave out about e^{−goal}
    grown = [w * (rate * a).exp() for w, a in zip(weights, law.values, strict=True)]
    moment = sum(grown, arb(0))
    tilted, chernoff = [w / moment for w in grown], arb((moment**users).upper())
    (top, upper, lower, bottom), inner = (law.values[i] for i in _FOUR), sum(weights[1:-1], arb(0))
    d, e, outer = top - bottom, upper - lower if four else top - bottom, weights[0] + weights[-1] if inner else arb(1)
    first, last = weights[0] / outer, weights[-1] / outer
    second, third = (weights[1] / inner, weights[2] / inner) if four else (arb(1), arb(0))
    share = tilted[0] + tilted[-1] if inner else arb(1)
    distance, outside = bernstein(users, share, goal)
    start, end = window(users, share, distance)
    edge = _Edge.rounded(users, -lower * users / e, (lower - bottom) / e, -d / e if four else arb(0))
    if four:
        widest = bernstein(users - start, second, goal)[0]
        if (end - start) * max(2, math.ceil(2 * widest * float((e / d).mid()))) > MOST_TERMS:
            raise PrecisionError(f"shuffle: the double sum for {users} users has too many terms; ask for fewer users or for --blanket")
    mass, ratio, missed, surplus = log_mass(users, end, outer, inner).exp(), inner / outer, outside, arb(0)
    whole, outers, tops, uppers = arb(0), arb(0), arb(0), arb(0)  # P(A), E[T; A], E[H; A], E[I − πm; A]/(1 − π)
    hits, chains, latest = Tails(first, last), list[Chain](), dict[int, Chain]()
    reach, below, drawn = 0, 0, tilted[1] / (tilted[1] + tilted[2]) if four else arb(1)
    for band, rare in bands(users, share, start, end):
        if four:
            sharp = max(1.0, goal + float(rare.log().mid()))
            (reach, beyond), (below, taken) = bernstein(users - start, drawn, sharp), bernstein(users - start, second, sharp)
            missed += rare * beyond
        here = arb(0)
        for count in band:
            low, high = window(users - count, second, below)[0], window(users - count, drawn, reach)[1]
            least, most = edge.hits(count, max(high, low)), edge.hits(count, low)
            tail, equal = hits.tail_and_edge(0, count, most) if 1 <= most <= count else (arb(most == 0), arb(0))
            here += mass * tail
            outers += mass * count * tail
            tops += mass * (first * count * tail + most * last * equal)
            mass *= ratio * count / (users - count + 1)
            for hit in range(least, most):
                place = 2 * hit - count  # kept as T falls by 2 and h by 1
                if place not in latest or latest[place][0] - 2 * len(latest[place][2]) != count:
                    latest[place] = (count, hit, [])
                    chains.append(latest[place])
                latest[place][2].append(edge.least(count, hit))
        whole += here
        surplus += e * taken / 2 * below / (2 / taken).log() * here if four else 0
    sums = [FallingSums(users, (weights[0], weights[-1]), inner, second, third)] if four else []
    for falling, (count, hit, leasts) in itertools.product(sums, chains):
        found = falling.along(count, hit, leasts)
        whole, outers, uppers = whole + found[0], outers + found[1], uppers + found[2]
        tops += (found[1] + (2 * hit - count) * found[0]) / 2
    doubtful = e * edge.error  # outcomes outside of A, and those on its edge
    missed = chernoff * (missed / (rate * arb(1).exp()) + doubtful * (rate * doubtful).exp())

    def expected(values: tuple[arb, ...]) -> arb:
        top, upper, lower, bottom = (values[i] for i in _FOUR)
        drift = second * upper + third * lower
        return users * drift * whole + (bottom - drift) * outers + (top - bottom) * tops + (upper - lower) * third * uppers

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
        """The least b of 0 … T + 1 with least(T, b) ≤ bound, where θ falls as b grows; with least(T) itself where θ has no b."""
        start, slope, inner = self.parts
        return min(max(0, (start + slope * count - (bound << self.bits)) // -inner + 1 if inner else self.least(count)), count + 1)
