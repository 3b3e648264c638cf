"""Both sides of δ(ε) where the moment does not fall along the contour: beside a little Gaussian noise it does.

Let A_s(ε) be δ(ε) of the product composed with one Gaussian mechanism whose loss has variance s², V = e^{−L₀} lognormal with E V = 1. So
A_s(ε) = E_P(1 − e^{ε−L}V)₊, and with t = ε − L

    A_s(ε) − δ(ε) = E_P g_s(t),    g_s(t) = E(1 − e^t·V)₊ − (1 − e^t)₊ = ∫_0^s φ(t/r − r/2)dr ≥ 0,

by the derivative in s of the Black–Scholes formula, E(1 − e^tV)₊ = Φ(s/2 − t/s) − e^tΦ(−s/2 − t/s). As (t/r − r/2)² = t²/r² − t + r²/4,
φ(t/(λr) − λr/2) ≥ φ(t/r − r/2)·e^{−(λ²−1)r²/8} for λ ≥ 1; so g_{λs} ≥ C·g_s, C = λe^{−(λ²−1)s²/8}, and for C > 1

    A_s − (A_{λs} − A_s)/(C − 1) ≤ δ(ε) ≤ A_s.

Infinite losses are in A_s, A_{λs} and δ alike. The distance of both sides is about s²·d²δ/dε², whatever the law: a few digits, by two
contours of some ten over s in height.
"""

from __future__ import annotations

import contextlib
import math
from fractions import Fraction
from functools import partial

from flint import arb

from dpbounds.accounting.bromwich import integrate
from dpbounds.accounting.bromwich_planning import Model
from dpbounds.errors import PrecisionError
from dpbounds.laws.contour_factor import ContourFactor, GaussianFactor
from dpbounds.laws.normal_form import Elements
from dpbounds.numbers.balls import Enclosure, bits_for, precision
from dpbounds.numbers.inputs import exact_ball

METHOD = "both sides by a little Gaussian noise beside it"
_FEW_DIGITS = 6
"""Up to so many digits both sides are looked for."""
_RATIO, _ROUNDS, _SPARE = 2, 3, 0.6
_MOST_TERMS, _FEWEST = 20_000_000, 5_000
"""Nodes times atoms, and nodes that are always made."""


def smoothed_delta(elements: Elements, epsilon: Fraction, digits: int) -> Enclosure:
    """δ(ε) from both sides, with the digits if they are few.

    Raises:
        PrecisionError: a contour is too long all the same.
    """
    at, goal = partial(exact_ball, epsilon), 10.0 ** (1 - digits)
    with precision(128):
        factors = elements.factors()
        model = Model(factors, float(at()))
        c = model.saddle()
        bend = c * (c + 1) + 1 / max(model.log_moments(c)[2], 1e-300)
        atoms = sum(len(factor.atoms_at(arb(c))) for factor in factors)
    most, size, best = max(_FEWEST, _MOST_TERMS // max(1, atoms)), math.sqrt(_SPARE * goal / bend), Enclosure.between(arb(0), arb(1))
    for _ in range(_ROUNDS):
        width = min(Fraction(size), Fraction(1, 2))

        def beside(share: int) -> list[ContourFactor]:
            return [*elements.factors(), GaussianFactor(exact_ball((share * width) ** 2))]  # noqa: B023

        near, far = (integrate(partial(beside, share), at, digits + 2, elements.unlisted_mass, None, most)[0] for share in (1, _RATIO))
        with precision(bits_for(digits, 80)):
            least = lower_side(near.ball(), far.ball(), exact_ball(width))
            found = Enclosure.between(arb(least.lower()), near.high)
        best = best.intersection(found)
        if best.meets(digits):
            break
        size *= 0.8 * math.sqrt(goal / max(1.1 * goal, 1 - best.lower_float / best.upper_float))
    return best


def lower_side(near: arb, far: arb, s: arb) -> arb:
    """A_s − (A_{λs} − A_s)/(C − 1), λ = 2, at least 0."""
    growth = _RATIO * (-(_RATIO**2 - 1) * s**2 / 8).exp()
    if not growth > 1:
        return arb(0)
    return (near - (far - near) / (growth - 1)).max(arb(0))


def few_digits_of(elements: Elements, epsilon: Fraction, digits: int) -> Enclosure | None:
    """Both sides of δ(ε) with the digits, or one fewer, where they are few; None where they cannot be had.

    >>> from dpbounds.laws.normal_form import elements_of
    >>> from dpbounds.mechanisms import Direction, Gaussian
    >>> from dpbounds.mechanisms.pairs import dominating_pairs
    >>> (product,) = dominating_pairs(Gaussian(1), direction=Direction.REMOVE)
    >>> few_digits_of(elements_of(product), Fraction(1), 15) is None
    True
    """
    if digits > _FEW_DIGITS:
        return None
    with contextlib.suppress(PrecisionError):
        return found if (found := smoothed_delta(elements, epsilon, digits - 1)).meets(digits - 1) else None
    return None
