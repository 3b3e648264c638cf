"""Irrational parameters: δ(ε) and ε(δ) lie between those of two products with rational parameters.

A pair (P, Q) is at least as private as (P′, Q′) when one channel takes P′ to P and Q′ to Q; then every hockey stick, in both orders, is at
most that of (P′, Q′), and so are those of compositions, the product of the channels being a channel. So δ(ε) falls, or stays, as

* σ grows, for every pair with Gaussian noise: add independent noise N(0, σ² − σ′²) to both;
* the Laplace scale b grows: Laplace(b) is Laplace(b′) plus noise that is 0 with probability b′²/b² and Laplace(b) otherwise, because
  (1 + b′²t²)/(1 + b²t²) = b′²/b² + (1 − b′²/b²)/(1 + b²t²);
* ε₀ of randomized response falls: with some probability give a uniform answer instead, which mixes (e^{ε₀}, 1, …, 1) with (1, …, 1);
* ε₀ of shuffled randomized responses falls: a channel that acts on every message, and adds messages to the blanket (docs/shuffle.md);
* the rate q falls: with probability q/q′ keep the outcome, else draw one anew from the law without the record. That is Q₀ for Poisson
  sampling of any base pair, and N(0, σ²) for the substitute pair;
* ε grows, since (1 − e^{ε−L})₊ falls.

A channel of the base pair is one of the sampled pair, whose laws are mixtures of the base pair's. The pair of sampling without replacement
is given by h(α) = H_α(A‖B) for α ≥ 1 and h(α) = 1 − α + α·h(1/α) below, where A and B have Gaussian noise: h falls pointwise as σ grows,
and a pair with the smaller profile is dominated, compositions included (Zhu, Dong & Wang 2022, Theorem 10).

ε(δ), the least ε with δ(ε) ≤ δ, falls as the function δ(·) falls and as δ grows. Rounding every irrational parameter towards more privacy
bounds both quantities from below, towards less privacy from above.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

from flint import arb

from dpbounds.laws.ball_numbers import BALLS
from dpbounds.mechanisms.exact_loss import ExactLoss
from dpbounds.mechanisms.pairs import Product
from dpbounds.numbers.balls import BITS_PER_DIGIT, Enclosure, bits_for, precision
from dpbounds.numbers.exact import Exact
from dpbounds.numbers.precise import as_ball, relative

_GUARD = 40
_ROUNDS = 4
_LONGEST_POWER = 100_000
"""Factors of a product of rationals that is compared with 1 exactly; longer ones are left undecided."""
_ENOUGH = 200
_HOW = "irrational inputs between rational ones"

Evaluator = Callable[[Product, Fraction, int], tuple[Enclosure, str]]
"""A quantity that falls as its rational argument grows, to so many digits if it can, and how it was found."""


def is_rational(product: Product) -> bool:
    """Whether every parameter is a `Fraction`, but for those inside densities of the user's."""
    return all(isinstance(value, Fraction) for factor in product.factors for value in factor.pair.numbers())


def evaluate_between(evaluate: Evaluator, product: Product, argument: Exact, digits: int) -> tuple[Enclosure, str]:
    """The quantity at irrational parameters, from its values at rational ones on both sides; see the module for the proof.

    Returns:
        An enclosure that has the digits, or the best of the attempts if none has, and how it was found.

    Raises:
        PrecisionError: `evaluate` has no value, or a parameter cannot be told from 0.
    """
    best, guard = Enclosure.between(arb(0), arb.pos_inf()), float(_GUARD)
    for _ in range(_ROUNDS):
        bits = bits_for(digits, round(guard))
        below, method = evaluate(rational_bound(product, bits, private=True), rational_ends(argument, bits)[1], digits + 1)
        above, _ = evaluate(rational_bound(product, bits, private=False), rational_ends(argument, bits)[0], digits + 1)
        best = best.intersection(Enclosure.between(below.low, above.high))
        if best.meets(digits):
            break
        guard += _GUARD + BITS_PER_DIGIT * max(0.0, digits - max(best.digits(), 0.0))
    return best, f"{method}; {_HOW}"


def rational_bound(product: Product, bits: int, *, private: bool) -> Product:
    """The product with its irrational parameters rounded at `bits` relative bits, all towards more privacy or all towards less.

    >>> from dpbounds.mechanisms import Direction, Guarantee, Relation
    >>> from dpbounds.mechanisms.pairs import Factor, GaussianPair
    >>> import sympy
    >>> product = Product((Factor(GaussianPair(sympy.sqrt(2))),), Relation.ADD_OR_REMOVE, Direction.REMOVE, Guarantee.MECHANISM)
    >>> rational_bound(product, 20, private=True).factors[0].pair.sigma ** 2 > 2
    True
    """

    def noise(value: Exact) -> Fraction:
        return rational_ends(value, bits)[1 if private else 0]

    def signal(value: Exact) -> Fraction:
        return rational_ends(value, bits)[0 if private else 1]

    factors = tuple(replace(factor, pair=factor.pair.rounded(noise, signal)) for factor in product.factors)
    return replace(product, factors=factors)


def rational_ends(value: Exact, bits: int) -> tuple[Fraction, Fraction]:
    """Rational numbers on both sides of an exact number ≥ 0, `bits` relative bits apart; the number itself where it is rational.

    Raises:
        PrecisionError: the number cannot be told from 0.

    >>> from dpbounds.numbers import exact
    >>> low, high = rational_ends(exact.number("sqrt(2)"), 53)
    >>> low**2 < 2 < high**2
    True
    """
    if isinstance(value, Fraction):
        return value, value
    with precision(bits + 2):
        found = Enclosure.of_ball(relative(lambda: as_ball(value), bits))
    assert isinstance(found.lower, Fraction) and isinstance(found.upper, Fraction)
    return max(found.lower, Fraction(0)), found.upper


def is_largest_loss(product: Product, epsilon: Exact) -> bool:
    """Whether ε is exactly the largest loss, so that δ(ε) = 0, decided exactly: no approximation shows that.

    Known for pairs with finitely many losses and Laplace noise, sampled or not, and for sampled Gaussian noise in the direction add.
    """
    import sympy

    from dpbounds.numbers.exact import to_sympy

    total = sympy.Integer(0)
    for factor in product.factors:
        base, q = factor.pair.unsampled()
        # log(1−q+qe^{L₀}) is largest at the largest L₀; swapped, −log(1−q+qe^{L₀}) at the smallest
        sign, rate, ends = -1 if factor.reversed else 1, to_sympy(q), base.loss_ends()
        if ends:
            extreme = _extreme(ends, sign)
            if extreme is None:
                return False
            own = sign * (to_sympy(extreme.plain) + sympy.log(to_sympy(extreme.ratio)))
        elif ends == () and factor.reversed and rate != 1:
            own = sympy.oo
        else:
            return False
        total += factor.steps * (own if rate == 1 else sign * sympy.log(1 - rate + rate * sympy.exp(sign * own)))
    difference = to_sympy(epsilon) - total
    with precision(_ENOUGH):
        if not as_ball(difference).contains(0):
            return False
    return _is_zero(difference)


def _is_zero(value: Any) -> bool:
    """Whether a + Σ cᵢ·log rᵢ is 0, for rational a, cᵢ and rᵢ > 0; False for every other form.

    e^a is irrational for rational a ≠ 0 (Lindemann), so the sum is 0 if and only if a = 0 and Π rᵢ^cᵢ = 1.
    """
    import sympy

    plain, powers = sympy.Integer(0), []
    for term in sympy.Add.make_args(sympy.expand_mul(value)):
        count, rest = term.as_coeff_Mul()
        if not count.is_Rational:
            return False
        if rest == 1:
            plain += count
        elif isinstance(rest, sympy.log) and rest.args[0].is_Rational and rest.args[0] > 0:
            powers.append((Fraction(int(rest.args[0].p), int(rest.args[0].q)), Fraction(int(count.p), int(count.q))))
        else:
            return False
    unit = math.lcm(*(count.denominator for _, count in powers))
    if plain != 0 or sum(abs(int(count * unit)) for _, count in powers) > _LONGEST_POWER:
        return False
    return math.prod((base ** int(count * unit) for base, count in powers), start=Fraction(1)) == 1


def _extreme(losses: tuple[ExactLoss, ...], sign: int) -> ExactLoss | None:
    """The largest loss, or the smallest for sign = −1; None where balls leave it open."""
    with precision(_ENOUGH):
        rows = [(sign * loss.value(BALLS), loss) for loss in losses]
        best, found = max(rows, key=lambda row: float(row[0].mid()))
        return found if all(own < best or loss == found for own, loss in rows) else None
