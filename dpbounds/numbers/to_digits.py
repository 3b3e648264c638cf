"""Small tools that the theory shares: evaluate to a number of digits, search with balls, compare without guessing.

Functions that users call take exact numbers and return an `Enclosure`; what is inside works with balls at the precision that is set.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from dpbounds.errors import PrecisionError, Undecidable
from dpbounds.numbers import exact
from dpbounds.numbers.balls import Ball, Enclosure, ball, bits_for, precision, to_fraction
from dpbounds.numbers.precise import as_ball, relative

MAX_BITS = 20_000


def certified(evaluate: Callable[[], Ball], digits: int = 15) -> Enclosure:
    """Evaluate at rising precision until the enclosure has `digits` digits and one to spare.

    Args:
        evaluate: computes a ball around the quantity at the precision that is set.
        digits: certified significant digits.

    Raises:
        PrecisionError: the digits were not reached.

    >>> certified(lambda: ball(2).sqrt(), 20).lower_decimal(20)
    '1.4142135623730950488'
    """
    value = relative(evaluate, bits_for(digits + 1, guard=4))
    with precision(bits_for(digits) + 64):
        return Enclosure.of_ball(value)


def decide(holds: Callable[[], bool | None], what: str, bits: int = 80) -> bool:
    """Decide a statement about balls at rising precision; None means that the precision at hand does not tell.

    Raises:
        Undecidable: not decided up to `MAX_BITS` bits; equality of irrational numbers ends here.

    >>> decide(lambda: surely_at_most(ball(1) / 3, ball(Fraction(1, 3)) + ball(10) ** -30), "1/3 <= 1/3 + 1e-30")
    True
    """
    while bits <= MAX_BITS:
        with precision(bits):
            answer = holds()
        if answer is not None:
            return answer
        bits *= 2
    raise Undecidable(f"{what} cannot be decided with {bits // 2} bits; the two sides may be equal")


def surely_at_most(left: Ball, right: Ball) -> bool | None:
    """True if left <= right for all points of both balls, False if left > right for all, None otherwise.

    >>> surely_at_most(ball(1), ball(2)), surely_at_most(ball(3), ball(2))
    (True, False)
    """
    if left <= right:
        return True
    return False if left > right else None


def bisect(below: Callable[[Fraction], bool], low: Fraction, high: Fraction, digits: int = 15) -> Enclosure:
    """Enclose the point where `below` turns from True (at `low`) to False (at `high`).

    Args:
        below: decides exactly whether a rational point lies below the point that is sought; it is monotone.
        low, high: a bracket, 0 <= low < high; `below` is not asked there.
        digits: certified digits of the result.

    >>> bisect(lambda x: x * x < 2, Fraction(1), Fraction(2), 10).contains(Fraction(141421356237, 10**11))
    True
    """
    while high - low > high / 10 ** (digits + 1):
        middle = _short_between(low, high)
        if below(middle):
            low = middle
        else:
            high = middle
        if high.denominator.bit_length() > MAX_BITS:
            raise PrecisionError(f"bisection did not reach {digits} digits: the point sought is 0 or below {exact.text(high)}")
    with precision(bits_for(digits) + 64):
        return Enclosure.between(Enclosure.exactly(low).low, Enclosure.exactly(high).high)


def least_epsilon(fails: Callable[[Fraction], bool], digits: int) -> Enclosure:
    """The least ε ≥ 0 at which `fails` turns False, for `fails` monotone.

    >>> least_epsilon(lambda epsilon: epsilon < 3, 5).contains(3)
    True
    """
    low, high = Fraction(0), Fraction(1)
    if not fails(low):
        return Enclosure.exactly(0)
    while fails(high):
        low, high = high, 2 * high
    return bisect(fails, low, high, digits)


def exact_point(value: Ball) -> Fraction:
    """The midpoint of a finite ball as a rational number.

    >>> exact_point(ball(3) / 4)
    Fraction(3, 4)
    """
    point = to_fraction(value.mid())
    if isinstance(point, float):
        raise PrecisionError("a search left the finite numbers; ask for fewer digits or give a bracket")
    return point


def positive_part(value: Ball) -> Ball:
    """max(value, 0).

    >>> positive_part(ball(-1)) == 0
    True
    """
    return value.max(ball(0))


def log_inverse(delta: exact.Exact) -> Ball:
    """log(1/δ) at the precision that is set.

    >>> log_inverse(Fraction(1)) == 0
    True
    """
    return -as_ball(delta).log()


def normal_cdf(x: Ball) -> Ball:
    """Φ(x), with full relative accuracy in both tails.

    >>> Enclosure.of_ball(normal_cdf(ball(0))).contains(Fraction(1, 2))
    True
    """
    return (-x / ball(2).sqrt()).erfc() / 2


def binomial(n: Ball | int, k: int) -> Ball:
    """The binomial coefficient C(n, k) for a real n and an integer k ≥ 0, as a product of k factors.

    >>> binomial(ball(5), 2) == 10
    True
    """
    result = ball(1)
    for j in range(k):
        result = result * (n - j) / (j + 1)
    return result


def _short_between(low: Fraction, high: Fraction) -> Fraction:
    """A dyadic number in the middle third of the bracket, as short as it may be."""
    third, shift = (high - low) / 3, 0
    while (Fraction(1, 2**shift)) > third:
        shift += 1
    return Fraction(round((low + high) / 2 * 2**shift), 2**shift)
