"""The constant of the blog's Claim 26: C(c₁, c₂) = sup of G_λ(rN(1,σ²)+(1−r)N(0,σ²) ‖ N(0,σ²)) with r = c₁/σ, integer λ ≤ c₂σ², σ ≥ c₁.

G grows with λ and falls with σ at fixed λ (r falls, and so does each e^{j(j−1)/2σ²} under a stochastically smaller binomial), so for each
integer n = ⌊c₂σ²⌋ the least σ counts: C = sup_n G_n at σ_n = max(c₁, √(n/c₂)).

The limit along σ → ∞ is e^{c₁²c₂²/2}, not 0 as printed (G ≥ 1). Far out, with s = √(c₂/n), r = c₁s, and E over a standard normal Z,

    G_n ≤ E (1 + r(e^{sZ}−1))^n ,        split at Z = A:
    Z ≤ A   n·r(e^{sZ}−1) ≤ c₁c₂Z + bZ²,  b = c₁c₂^{3/2}/(2√n)·e^{sA},  so the part is at most (1−2b)^{−1/2}·e^{c₁²c₂²/(2(1−2b))} if b < ½;
    Z > A   with y = sZ the exponent is n[log(1+r(e^y−1)) − y²/2c₂] ≤ −n·y²/4c₂ = −Z²/4: up to Y = c₂+log 2 if r(e^y−1) ≤ y²/4c₂, where
            the two ends of [sA, Y] decide, as (e^y−1)/y² is convex in y; beyond Y because log(1+r(e^y−1)) ≤ y + log(r+e^{−y}) ≤ y − c₂ if
            r ≤ e^{−c₂}/2, and y − y²/4c₂ ≤ c₂. The part is at most √2·P(Z > A/√2).

All of it decreases in n, so one check at N covers every n ≥ N. Below N, blocks n₁ ≤ n ≤ n₂ are bounded by G_{n₂} at σ_{n₁}.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from functools import lru_cache

from dpbounds.errors import PrecisionError
from dpbounds.numbers import exact
from dpbounds.numbers.balls import Ball, Enclosure, ball, bits_for, precision, working_bits
from dpbounds.numbers.domains import at_least_one, positive, probability
from dpbounds.numbers.exact import Exact
from dpbounds.numbers.precise import as_ball
from dpbounds.numbers.to_digits import certified, exact_point, normal_cdf
from dpbounds.renyi import poisson_gaussian

_FARTHEST = 2**40
_MOST_CELLS = 3000


@dataclass(frozen=True)
class Constant:
    """C(c₁, c₂), where it is reached, and its limit along σ → ∞."""

    value: Enclosure
    order: int
    limit: Enclosure


def subsampled_moment_of(order: exact.Number, sigma: exact.Number, r: exact.Number, digits: int = 15) -> Enclosure:
    """G_λ = Σ_j C(λ,j) r^j (1−r)^{λ−j} e^{j(j−1)/2σ²} for an integer λ ≥ 1, the blog's (9.5).

    >>> subsampled_moment_of(2, 1, 1).overlaps(certified(lambda: ball(1).exp()))
    True
    """
    count, noise, rate = at_least_one(order, "lambda"), positive(sigma, "sigma"), probability(r, "r (the sampling rate)")
    if count == 1 or rate == 0:
        return Enclosure.exactly(1)
    bits = bits_for(digits) + 40
    return certified(lambda: ((count - 1) * poisson_gaussian.divergence(exact.rational(count - 1), noise, rate, bits)).exp(), digits)


def constant_limit_of(c1: exact.Number, c2: exact.Number, digits: int = 15) -> Enclosure:
    """e^{c₁²c₂²/2}, the limit of G along r = c₁/σ, λ = c₂σ², σ → ∞.

    >>> constant_limit_of(1, 1).lower_decimal(5)
    '1.6487'
    """
    first, second = positive(c1, "c1"), positive(c2, "c2")
    return certified(lambda: ((as_ball(first) * as_ball(second)) ** 2 / 2).exp(), digits)


def constant_of(c1: exact.Number, c2: exact.Number, digits: int = 6) -> Constant:
    """C(c₁, c₂), certified.

    Args:
        c1: r ≤ c₁/σ, c₁ > 0.
        c2: λ ≤ c₂σ², c₂ > 0. The constant grows doubly exponentially in it.
        digits: certified digits.

    Returns:
        The supremum with the order λ near which it is reached.

    Raises:
        PrecisionError: too many orders matter; ask for fewer digits or a smaller c₂.

    >>> constant_of(1, 1, 3).value.lower_decimal(4)
    '1.798'
    """
    first, second = positive(c1, "c1"), positive(c2, "c2")
    with precision(bits_for(digits) + 60):
        tolerance = ball(10) ** (-digits - 1)
        smallest = max(1, int(float((as_ball(second) * as_ball(first) ** 2).lower())))
        value, order = _supremum(first, second, smallest, tolerance)
    with precision(bits_for(digits) + 64):
        return Constant(Enclosure.of_ball(value), order, constant_limit_of(first, second))


def _supremum(c1: Exact, c2: Exact, start: int, tolerance: Ball) -> tuple[Ball, int]:
    best, order = _value(start, c1, c2), start
    far = max(2 * start, 4)
    while _beyond(far, c1, c2) > best * (1 + tolerance) or not _beyond(far, c1, c2).is_finite():
        far *= 2
        if far > _FARTHEST:
            raise PrecisionError("the limit is approached too slowly to certify the constant; ask for fewer digits or a smaller c2")
        value = _value(far, c1, c2)
        if value > best:
            best, order = value, far
    cells: list[tuple[float, int, int, Ball]] = []

    def push(n1: int, n2: int) -> None:
        bound = _block(n1, n2, c1, c2)
        heapq.heappush(cells, (-float(bound.log()), n1, n2, bound))

    push(start, far)
    for _ in range(_MOST_CELLS):
        if cells[0][3] <= best * (1 + tolerance):
            upper = _beyond(far, c1, c2).upper()
            for cell in cells:
                upper = upper.max(cell[3])
            return best.union(upper), order
        _, n1, n2, _ = heapq.heappop(cells)
        if n1 == n2:
            raise PrecisionError("the constant is not resolved at one order; ask for fewer digits")
        middle = (n1 + n2) // 2
        for left, right in ((n1, middle), (middle + 1, n2)):
            value = _value(right, c1, c2)
            if value > best:
                best, order = value, right
            push(left, right)
    raise PrecisionError(f"{_MOST_CELLS} blocks of orders were not enough for C; ask for fewer digits or a smaller c2")


def _value(n: int, c1: Exact, c2: Exact) -> Ball:
    """A lower bound on C: G_n at a rational σ just above σ_n; 1 where the precision does not suffice."""
    try:
        return _moment(n, _noise(n, c1, c2)[1], c1, working_bits()).lower().max(ball(1))
    except PrecisionError:
        return ball(1)


def _block(n1: int, n2: int, c1: Exact, c2: Exact) -> Ball:
    """An upper bound on G_n at σ_n for n₁ ≤ n ≤ n₂: G_{n₂} at a rational σ just below σ_{n₁}; +∞ where the precision does not suffice."""
    try:
        return _moment(n2, _noise(n1, c1, c2)[0], c1, working_bits()).upper()
    except PrecisionError:
        return Ball.pos_inf()


def _noise(n: int, c1: Exact, c2: Exact) -> tuple[Exact, Exact]:
    """Rational numbers (or c₁ itself) just below and above σ_n = max(c₁, √(n/c₂))."""
    root = (ball(n) / as_ball(c2)).sqrt()
    low, high = exact_point(root.lower()), exact_point(root.upper())
    return (low if low > c1 else c1), (high if high > c1 else c1)


@lru_cache(maxsize=100_000)
def _moment(order: int, sigma: Exact, c1: Exact, bits: int) -> Ball:
    """G_order at σ ≥ c₁, r = c₁/σ."""
    if order == 1:
        return ball(1)
    return ((order - 1) * poisson_gaussian.divergence(exact.rational(order - 1), sigma, c1 / sigma, max(bits - 40, 30))).exp()


def _beyond(n: int, c1: Exact, c2: Exact) -> Ball:
    """A bound on G_m for every m ≥ n, +∞ where the module's conditions fail."""
    cut = (5 * as_ball(c1) * as_ball(c2)).max(ball(2 * 6 + working_bits() // 4))
    below, above = _parts_beyond(n, c1, c2, cut)
    return below + above


def _parts_beyond(n: int, c1: Exact, c2: Exact, cut: Ball) -> tuple[Ball, Ball]:
    """Bounds on the parts Z ≤ A and Z > A of G_m for every m ≥ n, A = cut."""
    first, second = as_ball(c1), as_ball(c2)
    s = (second / n).sqrt()
    r = first * s
    b = first * second * s / 2 * (s * cut).exp()
    low, high = s * cut, second + ball(2).log()
    small = 2 * r * second.exp() <= 1 and 2 * b < ball(1) / 2

    def below(y: Ball) -> bool:
        return bool(4 * second * r * y.expm1() <= y**2)

    if not (small and below(low) and below(high)):  # both, also where low > high: for larger n the order turns
        return Ball.pos_inf(), Ball.pos_inf()
    main = ((first * second) ** 2 / (2 * (1 - 2 * b))).exp() / (1 - 2 * b).sqrt()
    return main, ball(2).sqrt() * normal_cdf(-cut / ball(2).sqrt())
