"""zCDP on a limited range of orders, for Poisson sampling: D_α ≤ αP for 1 < α ≤ U (Yu et al. 2019, IV-B2 and Appendix G).

The printed choice P = q²/σ², U = σ²log(1/(qσ))+1 for q ≤ 1/(16σ) is FALSE: at σ = 1, q = 1/21, α = 4 the divergence exceeds αq²/σ².
`printed_bound_of` returns it for comparison only and warns. `repaired_bound_of` picks a repair that holds, and `slope_of` computes the
smallest slope for given (q, σ, U), so that nothing has to be believed.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from dpbounds.errors import InputError, PrecisionError
from dpbounds.numbers import exact
from dpbounds.numbers.balls import Ball, Enclosure, ball, bits_for, precision
from dpbounds.numbers.domains import at_least_one, delta_between, order_above_one, positive
from dpbounds.numbers.exact import Exact
from dpbounds.numbers.precise import as_ball
from dpbounds.numbers.to_digits import certified, decide, surely_at_most
from dpbounds.renyi.conversions.single_order import range_limited_epsilon_of
from dpbounds.renyi.curves.sampled import PoissonGaussianCurve

_MOST_CELLS = 4000


@dataclass(frozen=True)
class RangeLimitedBound:
    """D_α ≤ α·slope for 1 < α ≤ limit, with enclosures whose safe ends are slope.upper and limit.lower.

    `holds` says whether the statement is established; `name` says where it comes from.
    """

    slope: Enclosure
    limit: Enclosure
    holds: bool
    name: str


def printed_bound_of(sigma: exact.Number, q: exact.Number, digits: int = 15) -> RangeLimitedBound:
    """The FALSE bound as printed: P = q²/σ² for α ≤ σ²log(1/(qσ))+1. Not a privacy guarantee; it warns and is there to reproduce.

    Source: Yu et al. 2019, IV-B2 and Appendix G, a conjecture there.

    >>> import warnings
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     printed_bound_of(4, "0.01").holds, len(caught)
    (False, 1)
    """
    noise, rate = _small_rate(sigma, q, 16)
    warnings.warn("the printed bound alpha*q^2/sigma^2 is false in general; use repaired_bound_of or slope_of", UserWarning, stacklevel=2)
    return RangeLimitedBound(_square(noise, rate, Fraction(1), digits), _limit(noise, rate, 1, digits), False, "as printed")


def repaired_bound_of(sigma: exact.Number, q: exact.Number, digits: int = 15) -> RangeLimitedBound:
    """P = q²/σ² on the largest of two ranges where it holds at this (σ, q), certified here and now by `slope_of`.

    * U = σ²log(1/(qσ)) + 1, as printed: holds for σ ≥ 1.12, and for σ ≥ 1 with q ≤ 1/(70σ);
    * U = σ²log(1/(qσ)), without the "+1": holds for σ ≥ 1.

    The regions are repairs of the printed statement (the catalogue states them as claims); this function does not rely on them.

    Args:
        sigma: σ ≥ 1.
        q: 0 < q ≤ 1/(16σ).

    Returns:
        A bound with `holds` True, for both directions of add-or-remove neighbours.

    Raises:
        InputError: outside that region.
        PrecisionError: neither range could be certified.

    >>> repaired_bound_of(1, "1/21").name, repaired_bound_of(6, "0.001").holds
    ('without the +1', True)
    """
    noise, rate = _small_rate(sigma, q, 16)
    slope = _square(noise, rate, Fraction(1), digits)
    for extra, name in ((1, "as printed, certified at this sigma and q"), (0, "without the +1")):
        limit = _limit(noise, rate, extra, digits)
        if _is_enough(noise, rate, _fraction(limit.upper), slope):
            return RangeLimitedBound(slope, limit, True, name)
    raise PrecisionError(f"q^2/sigma^2 could not be certified at sigma {exact.text(noise)}, q {exact.text(rate)}; use slope_of")


def certified_bound_of(sigma: exact.Number, q: exact.Number, digits: int = 3) -> RangeLimitedBound:
    """P = sup of D_α/α over the printed range without its "+1", U = σ²log(1/(qσ)), where q ≤ 1/(16σ) fails as well.

    Args:
        sigma: σ ≥ 1.
        q: 0 < q < 1, with U > 1.
        digits: of P.

    Raises:
        InputError: outside that region.

    >>> bound = certified_bound_of(7, "0.01")
    >>> bound.slope.upper * 7**2 / Fraction("0.01") ** 2 < Fraction("0.53")
    True
    """
    noise, rate = exact.rational(sigma, "sigma"), exact.rational(q, "q (the sampling rate)")
    if not (noise >= 1 and 0 < rate * noise < 1):
        raise InputError(f"sigma must be >= 1 and q (the sampling rate) in (0, 1/sigma) here, got {exact.text(noise)}, {exact.text(rate)}")
    limit = _limit(noise, rate, 0, 15)
    if not limit.upper > 1:
        raise InputError(f"the range of orders ends at {limit.upper_decimal(4)}, not above 1; use less noise or a smaller rate")
    return RangeLimitedBound(
        slope_of(noise, rate, _fraction(limit.upper), digits), limit, True, "least slope, certified at this sigma and q"
    )


def _is_enough(sigma: Fraction, q: Fraction, limit: Fraction, slope: Enclosure) -> bool:
    """Whether D_α ≤ α·slope up to the limit is certified: with few digits where they tell, with more where it is close."""
    for digits in (2, 3, 4):
        least = _least_slope(sigma, q, limit, digits)
        if least.high <= slope.low:
            return True
        if least.low > slope.high:
            return False
    return False


@lru_cache(maxsize=1024)
def _least_slope(sigma: Fraction, q: Fraction, limit: Fraction, digits: int) -> Enclosure:
    return slope_of(sigma, q, limit, digits)


def slope_of(sigma: exact.Number, q: exact.Number, limit: exact.Number, digits: int = 3) -> Enclosure:
    """The smallest P with D_α ≤ αP for 1 < α ≤ limit: sup of D_α/α over the range, for the Poisson-sampled Gaussian (direction remove).

    Args:
        sigma, q: the mechanism.
        limit: the largest order, > 1.
        digits: certified digits.

    Method: f(α) = (α−1)D_α is convex, so on a cell [a, b] it lies below its chord, and the chord over α(α−1) is bounded on the cell;
    cells are halved until the largest upper bound is close to the largest value seen.

    >>> slope_of(1, "1/21", 4).lower * 21**2 > 1
    True
    """
    end = order_above_one(limit, "the largest order")
    curve = PoissonGaussianCurve(sigma, q)
    if curve.q == 0:
        return Enclosure.exactly(0)
    with precision(bits_for(digits) + 40):
        high, low = _largest_ratio(curve, as_ball(end).upper(), ball(10) ** (-digits))
    with precision(bits_for(digits) + 64):
        return Enclosure.between(low, high)


def _largest_ratio(curve: PoissonGaussianCurve, end: Ball, tolerance: Ball) -> tuple[Ball, Ball]:
    """An upper and a lower bound of sup D_α/α on (1, end]."""
    import heapq

    def divergence(order: Ball) -> Ball:
        return curve.divergence(order)

    best = (divergence(end) / end).lower()
    # order 1 + 2^-30 stands for the open left end: D is nondecreasing, so D_α/α ≤ D_{1+2^-30} below it
    first = ball(1) + ball(2) ** -30
    head = divergence(first).upper()
    best = best.max((divergence(first) / first).lower())
    scale = best  # floats order the cells only after division by a typical value: q² may be too small for a float
    cells: list[tuple[float, int, Ball, Ball, Ball, Ball]] = []
    count = 0

    def push(a: Ball, fa: Ball, b: Ball, fb: Ball) -> None:
        nonlocal count
        bound = _cell_bound(a, fa, b, fb)
        heapq.heappush(cells, (-float((bound / scale).upper()), count, a, fa, b, fb))
        count += 1

    f_first, f_end = (first - 1) * divergence(first), (end - 1) * divergence(end)
    push(first, f_first, end, f_end)
    while count < _MOST_CELLS:
        bound = (Ball(-cells[0][0]) * scale * (1 + ball(2) ** -40)).upper()
        top = bound.max(head).upper()
        if top - best <= tolerance * top:
            return top, best
        if head > bound:
            raise PrecisionError(f"sup D/alpha lies in [{best.str(6)}, {top.str(6)}], at orders next to 1; ask for fewer digits")
        _, _, a, fa, b, fb = heapq.heappop(cells)
        middle = (((a - 1) * (b - 1)).sqrt() + 1).mid()
        d = divergence(middle)
        best = best.max((d / middle).lower())
        fm = (middle - 1) * d
        push(a, fa, middle, fm)
        push(middle, fm, b, fb)
    raise PrecisionError(f"{_MOST_CELLS} cells were not enough for sup D/alpha; ask for fewer digits")


def _cell_bound(a: Ball, fa: Ball, b: Ball, fb: Ball) -> Ball:
    """sup over [a, b] of chord(α)/(α(α−1)): the chord c + s·α, and c/(α(α−1)) + s/(α−1) is monotone or has its maximum bounded termwise.

    With x = α − 1 and chord = f_a + s(x − x_a), the ratio is [s + (f_a − s·x_a)/x]/(1+x). By convexity and f(1) = 0, f_a ≤ s·x_a, so the
    bracket rises in x and 1/(1+x) falls: on the cell the ratio is at most min over nothing finer than bracket(x_b)/(1+x_a).
    """
    slope = (fb - fa) / (b - a)
    bracket = slope + (fa - slope * (a - 1)).min(ball(0)) / (b - 1)
    return (bracket / a).upper()


def holds_at(sigma: exact.Number, q: exact.Number, slope: exact.Number, limit: exact.Number, digits: int = 3) -> bool | None:
    """Whether D_α ≤ α·slope for all 1 < α ≤ limit at one (σ, q); None when `digits` digits of the least slope do not tell.

    >>> holds_at(4, "0.01", "0.01**2/16".replace("0.01**2/16", "6.25e-6"), 50)
    True
    """
    least, given = slope_of(sigma, q, limit, digits), exact.rational(slope, "slope")
    if least.high <= _given_ball(given):
        return True
    return False if least.low > _given_ball(given) else None


def _given_ball(value: Fraction) -> Ball:
    """A rational number as a ball with many bits."""
    with precision(200):
        return ball(value)


def composed_bound_of(bounds: Sequence[tuple[RangeLimitedBound, exact.Number]], digits: int = 15) -> RangeLimitedBound:
    """Slopes add, the range is the smallest one: heterogeneous composition (the paper's case 2).

    Only u_α is taken from the mechanism with the smallest range; replacing q and σ inside ρ̂ as well, as the text can be read, is wrong.

    Args:
        bounds: (bound, steps) of each mechanism.

    >>> composed_bound_of([(repaired_bound_of(2, "0.01"), 10), (repaired_bound_of(4, "0.01"), 5)]).holds
    True
    """
    read = [(bound, at_least_one(steps, "steps")) for bound, steps in bounds]
    if not read:
        raise InputError("a composition needs at least one bound")
    with precision(bits_for(digits) + 64):
        slope, limit = ball(0), read[0][0].limit.ball()
        for bound, steps in read:
            slope, limit = slope + steps * bound.slope.ball(), limit.min(bound.limit.ball())
        return RangeLimitedBound(Enclosure.of_ball(slope), Enclosure.of_ball(limit), all(bound.holds for bound, _ in read), "composition")


def accounted_epsilon_of(bound: RangeLimitedBound, delta: exact.Number, digits: int = 12) -> Enclosure:
    """ε of a bound by Theorem 3: Yu et al.'s zCDP(RS) accounting. A privacy statement only when `bound.holds`.

    Args:
        bound: of the whole composition, see `composed_bound_of`.
        delta: 0 < δ < 1.

    >>> bound = composed_bound_of([(repaired_bound_of(6, "0.01"), 40000)])
    >>> accounted_epsilon_of(bound, "1e-5").lower_decimal(3)
    '2.37'
    """
    chance = delta_between(delta)
    slope_low, slope_high = exact.rational(_fraction(bound.slope.lower)), exact.rational(_fraction(bound.slope.upper))
    limit_low, limit_high = exact.rational(_fraction(bound.limit.lower)), exact.rational(_fraction(bound.limit.upper))
    low = range_limited_epsilon_of(slope_low, limit_high, chance, digits + 1)
    high = range_limited_epsilon_of(slope_high, limit_low, chance, digits + 1)
    return Enclosure.between(low.low, high.high)


@dataclass(frozen=True)
class RangeLimitedFilter:
    """Adaptive stopping under Poisson sampling: the range of orders is fixed in advance, slopes are spent until ε would be exceeded.

    Adaptive σ_t compose on a range that does not move: each step must satisfy D_α ≤ αP_t for all α up to the same `limit`.

    >>> guard = RangeLimitedFilter(2, "1e-5", 100)
    >>> guard.admits("0.01"), guard.spend("0.01").admits("0.1")
    (True, False)
    """

    epsilon: Exact
    delta: Exact
    limit: Exact
    spent: Exact

    def __init__(self, epsilon: exact.Number, delta: exact.Number, limit: exact.Number, spent: exact.Number = 0) -> None:
        object.__setattr__(self, "epsilon", positive(epsilon, "epsilon (the budget)"))
        object.__setattr__(self, "delta", delta_between(delta))
        object.__setattr__(self, "limit", positive(limit, "the largest order"))
        object.__setattr__(self, "spent", exact.rational(spent, "slope (spent)"))

    def admits(self, slope: exact.Number) -> bool:
        """Whether the converted ε stays within the budget with one more step of that slope."""
        total = self.spent + exact.rational(slope, "slope")
        if total < self.spent:
            raise InputError(f"slope must be >= 0, got {exact.text(total - self.spent)}")

        def compare() -> bool | None:
            return surely_at_most(range_limited_epsilon_of(total, self.limit, self.delta).ball(), as_ball(self.epsilon))

        return decide(compare, "the converted epsilon against its budget")

    def spend(self, slope: exact.Number) -> RangeLimitedFilter:
        """The filter after a step; InputError where it would exceed the budget."""
        if not self.admits(slope):
            raise InputError(f"a step of slope {slope} would exceed epsilon {exact.text(self.epsilon)}; stop here")
        return RangeLimitedFilter(self.epsilon, self.delta, self.limit, self.spent + exact.rational(slope, "slope"))


def _small_rate(sigma: exact.Number, q: exact.Number, factor: int) -> tuple[Fraction, Fraction]:
    noise, rate = exact.rational(sigma, "sigma (the noise multiplier)"), exact.rational(q, "q (the sampling rate)")
    if noise < 1:
        raise InputError(f"sigma (the noise multiplier) must be >= 1 for this bound, got {exact.text(noise)}; use slope_of")
    if not 0 < rate * noise * factor <= 1:
        raise InputError(f"q (the sampling rate) must lie in (0, 1/({factor} sigma)] for this bound, got {exact.text(rate)}; use slope_of")
    return noise, rate


def _square(sigma: Fraction, q: Fraction, factor: Fraction, digits: int) -> Enclosure:
    return certified(lambda: ball(factor * (q / sigma) ** 2), digits)


def _limit(sigma: Fraction, q: Fraction, extra: int, digits: int) -> Enclosure:
    return certified(lambda: ball(sigma) ** 2 * -ball(q * sigma).log() + extra, digits)


def _fraction(value: Fraction | float) -> Fraction:
    if isinstance(value, float):
        raise PrecisionError("a bound of a range-limited composition is not finite")
    return value
