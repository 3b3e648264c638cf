"""Rényi divergence of discrete Gaussian noise under Poisson sampling: one sum over the integers.

With e(j) = e^{−j²/2σ²}, Q(x) = e(x)/Σe, r = P/Q = e^{Δ(2x−Δ)/2σ²} and U = 1 + q(r−1), M − 1 = t·E_Q[G] with the terms G ≥ 0 of
`numbers.excess`. The sum runs over −T ≤ x ≤ (1+t)Δ + T. Beyond it, by convexity U^{1+t} ≤ 1 − q + q·r^{1+t}, Q·r^{1+t} is
e^{t(1+t)Δ²/2σ²}·e(x − (1+t)Δ)/Σe, and U ≥ 1 − q, so with τ = Σ_{j>T} e(j) ≤ e(T+1)/(1 − e^{−(T+1)/σ²}) and Σe ≥ 1 it lacks between 0 and

    remove (P ‖ Q):  2τ·(1 + (1−q)/t + (q/t)·e^{t(1+t)Δ²/2σ²})
    add    (Q ‖ P):  2τ·((1−q)^{−t}/t + q).
"""

from __future__ import annotations

import math
from fractions import Fraction

from flint import arb

from dpbounds.errors import InputError, PrecisionError
from dpbounds.noise.discrete_gaussian import DiscreteGaussianPair
from dpbounds.numbers.balls import ball, working_bits
from dpbounds.numbers.exact import Exact
from dpbounds.numbers.excess import divergence_from_excess, excess
from dpbounds.numbers.precise import Parameter, as_ball, relative
from dpbounds.numbers.trapezoid import between_zero_and
from dpbounds.renyi import finite, one_pair

_MOST = 200_000
"""Integers that are summed at most: about ten seconds."""


def divergence(pair: DiscreteGaussianPair, q: Exact, t: Parameter, bits: int, *, reversed: bool = False) -> arb:
    """D_{1+t} of qP + (1−q)Q against Q, or the other way round when `reversed`, with `bits` relative bits, 0 < q < 1.

    Args:
        t: order minus one, t > 0.

    Raises:
        InputError: t = 0. PrecisionError: the noise or the order is too large for a sum, or the accuracy was not reached.

    >>> divergence(DiscreteGaussianPair(Fraction(2), 1), Fraction(1, 10), Fraction(5, 2), 60).str(12, radius=False)
    '0.00517625736610'
    """

    def evaluate() -> arb:
        order, rate, variance = as_ball(t), as_ball(q), ball(pair.sigma**2)
        if not order > 0:
            raise InputError("discrete Gaussian noise under sampling: the order must be > 1")
        shift = pair.sensitivity
        reach = math.isqrt(math.ceil(Fraction(1387, 1000) * working_bits() * pair.sigma**2)) + 1
        last = math.ceil(float(((1 + order) * shift).upper())) + reach
        if last + reach > _MOST:
            raise PrecisionError(f"discrete Gaussian noise under sampling: a sum over {last + reach} integers is too long")
        total, norm = arb(0), arb(0)
        for x in range(-reach, last + 1):
            mass = (-(x * x) / (2 * variance)).exp()
            u = rate * (shift * (2 * x - shift) / (2 * variance)).expm1()
            total += mass * excess(order, u, u.log1p(), reversed)
            norm += mass
        tail = tail_sum(variance, reach)
        norm += arb(0, 1) * tail + tail  # Q has two tails, each between 0 and τ
        return divergence_from_excess(order, total / norm + between_zero_and(lacking(order, rate, variance, shift, tail, reversed)))

    return relative(evaluate, bits)


def tail_sum(variance: arb, reach: int) -> arb:
    """A bound on Σ_{j>T} e(j).

    >>> tail_sum(arb(1), 10) < 1e-20
    True
    """
    first = (reach + 1) / variance
    return arb(((-first * (reach + 1) / 2).exp() / -(-first).expm1()).upper())


def lacking(t: arb, q: arb, variance: arb, shift: int, tail: arb, add: bool) -> arb:
    """A bound on what the terms beyond both ends add to E_Q[G]."""
    if add:
        return 2 * tail * ((1 - q) ** (-t) / t + q)
    return 2 * tail * (1 + (1 - q) / t + q / t * (t * (1 + t) * shift * shift / (2 * variance)).exp())


@one_pair.sampled_divergence.register(DiscreteGaussianPair)
def _(base: DiscreteGaussianPair, q: Exact, t: Parameter, bits: int, *, reversed: bool = False) -> arb:
    if q == 0 or q == 1:
        return finite.divergence(base, t, bits, add=reversed, rate=q)
    return divergence(base, q, t, bits, reversed=reversed)
