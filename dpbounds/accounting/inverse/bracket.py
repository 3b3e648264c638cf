"""ε(δ) of one product of dominating pairs, by a search on certified δ.

δ(ε) is convex and decreases in ε, so lower(δ(a)) > δ gives ε(δ) > a and upper(δ(b)) ≤ δ gives ε(δ) ≤ b. The points a, b lie on both
sides of the root of log δ(ε) − log δ, which a safeguarded secant iteration (Newton with the slope of the last two points;
Koskela et al. 2020 §5.4) finds with few evaluations: digits grow with the iteration. The start is the saddle-point estimate, with slope −c.
"""

from __future__ import annotations

import contextlib
import math
from fractions import Fraction

from flint import arb

from dpbounds.accounting.allocation.allocation_delta import approx_epsilon
from dpbounds.accounting.bounds.upper_bounds import with_ends
from dpbounds.accounting.bounds.wide import ROUGH, by_parts
from dpbounds.accounting.closed import beyond_largest_loss
from dpbounds.accounting.inverse.first_points import largest_loss_reached, never_reached, rare_start, saddle_start, surely_zero
from dpbounds.accounting.inverse.search import FIRST_DIGITS, TRAP_DIGITS, EpsilonSearch, full_digits, kept_digits, rounded
from dpbounds.accounting.irrational import evaluate_between, is_rational
from dpbounds.accounting.nearby import Nearby
from dpbounds.errors import PrecisionError
from dpbounds.laws.convolve import exact_total_variation
from dpbounds.laws.normal_form import Elements, elements_of
from dpbounds.mechanisms.pairs import Product
from dpbounds.mechanisms.parts import METHOD as PARTS
from dpbounds.numbers.balls import Enclosure, ball, bits_for, precision
from dpbounds.numbers.exact import Exact

_ROUNDS = 80
AT_MOST_AT_ZERO = "exact: delta(0) is at most delta"
_FAR_BELOW = 100.0
_SHARP = 10
"""Digits of the first comparison where a law says itself about where the root is."""
_TRIES = 3
"""Points below the start that are tried before 0."""
_NEAR = 0.1
"""Relative distance from the root at which a contour for all digits is planned."""
_CLOSE = 0.1
"""|log δ − log target| up to which a step by a tangent goes a little beyond the root, to have points on both sides."""
_VAGUE = Fraction(1, 1000)
"""Half the distance of two points that are given, relative to ε, from which on the search is better off without them."""
_NEARLY, _CERTAIN = Fraction(1, 25), 3
"""Half of the distance of two points that settle ε, in units of its last digit, and the digits of δ there beyond those of ε."""
_SURE = 6
"""Digits that the estimate of the error of a secant step has more than are asked for before it is trusted; the trap checks."""
_FLOATS = 1e-13
"""Slopes are floats: no step is better than this, relative to its length."""
_FEWEST = 1
"""Digits of ε for which δ is asked for so few that there are methods for few alone."""
_UNKNOWN = Enclosure.between(arb(0), arb.pos_inf())
_PATIENT = 6
"""Steps after which a search that has met no δ below the target doubles ε."""


def bracket(
    product: Product,
    target: Exact,
    digits: int,
    nearby: Nearby | None = None,
    near: tuple[float, float] | None = None,
    *,
    wide: bool = False,
) -> tuple[Enclosure, str]:
    """The bracket of ε(target) with the digits, and how δ was evaluated; `nearby` is a contour of the same product.

    Args:
        near: points between which ε(target) is thought to lie; they are tried first, and what is certified there is all that counts.
        wide: whether an enclosure without the digits will do where they are out of reach.
    """
    if not (isinstance(target, Fraction) and is_rational(product)):
        return evaluate_between(bracket, product, target, digits)
    search = EpsilonSearch(product, target, nearby=nearby or Nearby(hoped=full_digits(digits)))
    try:
        return _searched(search, digits, near)
    except PrecisionError as error:
        ends = search.known_ends()
        found, method = by_parts(product, target, _rough, ends or _UNKNOWN, _UNKNOWN)
        if found.high.is_finite() and (wide or found.meets(digits)):
            return found, method
        raise with_ends(error, product, "epsilon", found, 5) from error


def _rough(part: Product, target: Exact) -> tuple[Enclosure, str]:
    """ε(target) of a part, to few digits or as far as the search has come; all parameters are rational."""
    search = EpsilonSearch(part, Fraction(target), nearby=Nearby(hoped=full_digits(ROUGH)))
    for digits in (ROUGH,) if elements_of(part).noise else (ROUGH, _FEWEST):
        with contextlib.suppress(PrecisionError):
            return _searched(search, digits, None)
    return search.known_ends() or _UNKNOWN, PARTS


def _searched(search: EpsilonSearch, digits: int, near: tuple[float, float] | None) -> tuple[Enclosure, str]:
    """The same by a search, which keeps what it has certified."""
    product, target = search.product, search.target
    elements = elements_of(product)
    if never_reached(elements, target):
        return Enclosure.between(arb.pos_inf(), arb.pos_inf()), "exact: outcomes that only one side shows"
    if beyond_largest_loss(elements, Fraction(0)) or surely_zero(elements, target):
        return Enclosure.exactly(0), AT_MOST_AT_ZERO
    if (largest := largest_loss_reached(elements, target, digits)) is not None:
        if not _above_at_zero(search, elements):
            return Enclosure.exactly(0), AT_MOST_AT_ZERO
        return largest, "exact: delta is the mass of infinite loss, so epsilon is the largest finite one"
    search.bound_by_largest_loss(elements, digits)
    if near is not None:
        _try_ends(search, near, digits)
    if search.points and search.low > 0:
        root = _solve(search, 1.0, digits + 1)  # the contour that is there has one more
        low, high = _trap(search, root, digits + 1)
        return _enclosed(low, high, digits), f"secant iteration on certified delta ({search.method})"
    known = None
    if elements.in_epochs:
        guess, slope = approx_epsilon(elements, target)
    elif (known := elements.approx_epsilon(target)) is not None:
        guess, slope = Fraction(known[0]), known[1]
    else:
        guess, slope = saddle_start(elements, target)
        guess = rare_start(product, target, guess)
    search.slope = slope
    start = rounded(_inside(search, guess), digits + kept_digits(search))
    first = FIRST_DIGITS if known is None else min(_SHARP, digits + 2)
    if not (search.above(start, first) or _above_below(search, start, slope) or _above_at_zero(search, elements)):
        return Enclosure.exactly(0), AT_MOST_AT_ZERO
    root = _solve(search, slope, digits)
    low, high = _trap(search, root, digits)
    return _enclosed(low, high, digits), f"secant iteration on certified delta ({search.method})"


def _enclosed(low: Fraction, high: Fraction, digits: int) -> Enclosure:
    with precision(max(bits_for(digits, 40), 53)):
        return Enclosure.between(ball(low), ball(high))


def _try_ends(search: EpsilonSearch, near: tuple[float, float], digits: int) -> None:
    """Compare δ with the target at two points, moved apart to nearly the width asked for; their contour serves the rest of the search."""
    if not 0 < near[0] <= near[1] < math.inf:
        return
    middle, half = (Fraction(near[0]) + Fraction(near[1])) / 2, (Fraction(near[1]) - Fraction(near[0])) / 2
    if half > middle * _VAGUE:
        return
    least = middle * _NEARLY / 10**digits
    if half > least:
        wanted = full_digits(digits)
    else:  # the last bits of what was given do not matter
        wanted, middle, half = digits + _CERTAIN, rounded(middle, digits + 2), least
    for point in (middle - half, middle + half):
        if point > search.low and (search.high is None or point < search.high):
            search.above(rounded(point, digits + kept_digits(search)), wanted, near=digits)


def _above_below(search: EpsilonSearch, start: Fraction, slope: float) -> bool:
    """Whether δ > target is certified some way below the start, where it is cheaper than at 0 as a rule.

    Twice as far as the slope says, but at most half way to 0.
    """
    for _ in range(_TRIES):
        log_ratio = search.points[-1][1]
        if not -_FAR_BELOW < log_ratio < 0:
            return False
        below = rounded(search.moved(start, 2 * log_ratio / search.rate(start, log_ratio, slope)), FIRST_DIGITS)
        far = not below > start / 2
        below = start / 2 if far else below
        if search.above(below, FIRST_DIGITS):
            return True
        if far:
            return False
        start = below
    return False


def _above_at_zero(search: EpsilonSearch, elements: Elements) -> bool:
    """Whether δ(0) > target; a tie is settled in exact arithmetic where the masses are rational."""
    try:
        return search.above(Fraction(0))
    except PrecisionError:
        exactly = (
            exact_total_variation([(law.atoms, steps) for law, steps in elements.uses.items() if law.atoms]) if not elements.noise else None
        )
        if exactly is None:
            raise
        search.points.append((Fraction(0), 0.0, 0.0))
        return exactly > search.target


def _solve(search: EpsilonSearch, slope: float, digits: int) -> Fraction:
    """A point within about 10^{−digits−1}·ε of the root, from those at which δ was compared."""
    positive = [entry for entry in search.points if entry[0] > 0]
    point, wanted, before = min(positive, key=lambda entry: abs(entry[1]))[0], FIRST_DIGITS, 1.0
    for attempt in range(_ROUNDS):
        if attempt:
            point = rounded(_inside(search, point), digits + kept_digits(search))
            search.above(point, wanted, near=digits)
            wanted = min(wanted, full_digits(digits))
        if search.is_narrow(digits):
            break
        here, value, error = next(entry for entry in reversed(search.points) if entry[0] == point)
        if not math.isfinite(value):
            point = search.between() if search.high is not None else (search.low + here) / 2
            continue
        step = value / search.rate(here, value, slope)
        point = search.moved(here, step)
        if here in search.falls and 0 < abs(value) < _CLOSE:
            point = search.moved(here, step * (1 + float(abs(point / here - 1)) + 2 * error / abs(value)))
        if search.high is None and attempt >= _PATIENT:
            point = max(point, 2 * here)  # δ is so near to 1 that its logarithm has no slope
        move = abs(point - here)
        measured = search.measured(here, value) is not None
        if move <= here * Fraction(1, 10 ** (digits + 2)) and (measured or abs(value) < 1):
            break  # far from the target a slope that was not measured may be far too steep
        relative = min(max(1e-300, float(move / here)), 1e100)  # a flat slope leads out of all bounds
        if measured and relative * max(before, _FLOATS) <= 10.0 ** -(digits + _SURE):
            break  # the error of the secant is about the product of the last two
        product, before = relative * relative, relative
        if search.nearby.line is not None and relative < _NEAR:
            wanted = search.wanted(here, digits)  # the contour that is planned here serves all that follows
        else:
            certain = product if measured else relative  # a step by a slope that was not measured is good to few digits
            most = digits + 2 if search.nearby.line is None else search.wanted(here, digits)
            wanted = min(most, max(wanted, int(-math.log10(certain)) + 6)) - search.steepness(here, value)
    return point


def _inside(search: EpsilonSearch, point: Fraction) -> Fraction:
    """The proposed point, or a safe one inside the bracket."""
    if search.high is None:
        return point if point > search.low else max(2 * search.low, Fraction(1, 10**6))
    if search.low < point < search.high:
        return point
    return search.between()


def _trap(search: EpsilonSearch, root: Fraction, digits: int) -> tuple[Fraction, Fraction]:
    """Two points around the root, 4·10^{−digits−1}·ε apart if all goes well, where δ is certified above and below the target."""
    width = root * Fraction(2, 10 ** (digits + 1))
    nearest = min((entry[0] for entry in search.points if entry[0] > 0), key=lambda point: abs(point - root), default=root)
    wanted = min(digits + TRAP_DIGITS, search.wanted(nearest, digits))
    if search.high is not None and search.is_narrow(digits):
        return search.low, search.high
    for _ in range(6):
        low, high = rounded(root - width, digits + 8), rounded(root + width, digits + 8)
        below_root = search.low if search.low >= low else low
        if low <= 0 or search.low >= low or search.above(low, wanted):
            if search.high is not None and search.high <= high:
                return max(below_root, search.low), search.high
            if not search.above(high, wanted):
                return max(below_root, search.low), high
        width *= 30
    if search.high is None:
        raise PrecisionError(f"epsilon is above {float(search.low):.6g}, and no point above it was found; no digit was reached")
    return search.low, search.high
