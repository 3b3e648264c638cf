"""Where a search for ε(δ) begins, and where none is needed because ε is known exactly."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

from flint import arb

from dpbounds.accounting.bromwich_planning import Model, cut_to, is_cut
from dpbounds.accounting.evaluate import evaluate
from dpbounds.accounting.inverse.search import FIRST_DIGITS, rounded
from dpbounds.errors import InputError, PrecisionError
from dpbounds.laws.normal_form import Elements
from dpbounds.mechanisms.pairs import Product
from dpbounds.numbers.balls import Enclosure, ball, precision
from dpbounds.numbers.refine import refine

_FEW = 1000  # uses whose product of fractions is compared exactly
_START_STEPS, _AT_GOAL = 120, 1e-4
_RARE = Fraction(1, 20)
"""Mean number of uses with the record up to which they are few."""
_HALVINGS = 16


def never_reached(elements: Elements, target: Fraction) -> bool:
    """True when P has more than δ of mass where Q has none, so that δ(ε) > δ for every ε."""
    for bits in (64, 500, 4000):
        with precision(bits):
            certain, allowed = elements.certain_loss(), ball(target)
            if certain > allowed:
                return True
            if certain <= allowed:
                return False
    lost = None if elements.atoms.total() > _FEW else elements.exact_certain_loss()
    if lost is None:
        raise PrecisionError("epsilon: the mass of infinite loss agrees with delta to all the digits tried; change delta by a little")
    return lost > target


def surely_zero(elements: Elements, target: Fraction) -> bool:
    """Whether ε = 0 is enough because δ(0), the total variation, is at most the sum of those of all uses; False where one is not known."""
    for bits in (64, 128):
        with precision(bits):
            total, allowed = _total_variations(elements), ball(target)
            if total is None or total > allowed:
                return False
            if total <= allowed:
                return True
    return False


def _total_variations(elements: Elements) -> arb | None:
    total = arb(0)
    for law, steps in elements.uses.items():
        if law.atoms is not None and (use := law.listed(1)) is not None:
            own = sum(((p - q).nonnegative_part() for p, q in zip(use.law.p, use.law.q, strict=True)), use.law.lost + use.law.dropped)
        elif (form := law.closed_form({law: 1})) is not None and not (form.long or form.spare):
            own = form.value(arb(0))
        else:
            return None
        total += steps * own
    return total


def largest_loss_reached(elements: Elements, target: Fraction, digits: int) -> Enclosure | None:
    """ε where δ is exactly the mass of infinite loss: below the largest finite loss δ(ε) is more. None where δ is another number."""
    if elements.atoms.total() > _FEW or elements.exact_certain_loss() != target:
        return None
    with precision(64):
        if elements.largest_loss() is None:
            return Enclosure.between(arb.pos_inf(), arb.pos_inf())

    def value() -> arb:
        largest = elements.largest_loss()
        assert largest is not None
        return (ball(largest) if isinstance(largest, Fraction) else largest).nonnegative_part()

    return refine(value, digits)


def saddle_start(elements: Elements, target: Fraction) -> tuple[Fraction, float]:
    """Saddle-point estimate of ε(δ), from ε = K′(c) − 1/c − 1/(c+1) at the c where Laplace's estimate of δ is the target."""
    try:
        goal = math.log(target.numerator) - math.log(target.denominator)
        with precision(max(128, 64 - math.ceil(2 * goal))):  # laws with tails leave out what is small at the precision
            most = max(1e-300, 1e-3 * math.exp(goal) / elements.steps)
            model = Model(cut_to(elements.factors(most), goal), 0.0)
            limit = min(1e12, *(factor.largest_tilt / 2 for factor in model.factors if not is_cut(factor)), 1e12)
            low, high, middle = 1e-12, limit, min(1.0, limit)
            for _ in range(_START_STEPS):
                value, first, second = model.log_moments(middle)
                tilt = first - 1 / middle - 1 / (middle + 1)
                curvature = second + 1 / middle**2 + 1 / (middle + 1) ** 2
                log_delta = value - tilt * middle - math.log(middle) - math.log1p(middle) - 0.5 * math.log(2 * math.pi * curvature)
                low, high = (middle, high) if log_delta > goal or tilt < 0 else (low, middle)
                if high <= low * 1.0001 or (tilt >= 0 and abs(log_delta - goal) < _AT_GOAL):
                    high = middle if tilt >= 0 else high
                    break
                # log δ falls by about c·K″ for one of c
                step = middle * math.exp(min(max((log_delta - goal) / (middle**2 * curvature), -2.0), 2.0)) if tilt >= 0 else 2 * middle
                middle = step if low < step < high else math.sqrt(low * high)
            guess = model.log_moments(high)[1] - 1 / high - 1 / (high + 1)
            return Fraction(max(guess, 1e-9)), max(high, 0.5 / max(1.0, guess))
    except (OverflowError, ValueError, InputError):
        return Fraction(1), 1.0


def rare_start(product: Product, target: Fraction, high: Fraction) -> Fraction:
    """About ε(δ), below `high`, where few of the uses have the record, so that δ adds up over them; else `high`.

    Where P is without the record, one use has no large loss.
    """
    factor, *others = product.factors
    if others or factor.reversed or not factor.steps * factor.pair.unsampled()[1] < _RARE:
        return high
    one, low = replace(product, factors=(replace(factor, steps=1),)), Fraction(0)
    for _ in range(_HALVINGS):
        middle = rounded((low + high) / 2, FIRST_DIGITS)
        low, high = (middle, high) if factor.steps * evaluate(one, middle, FIRST_DIGITS)[0].lower > target else (low, middle)
    return high
