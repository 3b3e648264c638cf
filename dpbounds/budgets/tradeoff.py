"""Gaussian differential privacy and trade-off curves: T(x) is the least type II error of a test with type I error x.

δ(ε) and T carry the same information: T(x) = sup_ε max(0, 1 − δ(ε) − e^ε x, e^{−ε}(1 − δ(ε) − x)) (Dong, Roth & Su 2019/2022).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from dpbounds.errors import InputError
from dpbounds.mechanisms.formula import gaussian_delta
from dpbounds.numbers import exact
from dpbounds.numbers.balls import Ball, Enclosure, ball
from dpbounds.numbers.domains import delta_between, nonnegative, positive, probability
from dpbounds.numbers.exact import Exact
from dpbounds.numbers.precise import as_ball
from dpbounds.numbers.to_digits import bisect, certified, decide, normal_cdf, positive_part, surely_at_most


def gaussian_delta_of(sigma: exact.Number, epsilon: exact.Number, digits: int = 15) -> Enclosure:
    """The exact δ(ε) of Gaussian noise with multiplier σ; k uses are σ/√k. Source: Balle & Wang 2018, Theorem 8.

    >>> gaussian_delta_of(1, 1).lower_decimal(5)
    '0.12693'
    """
    noise, loss = positive(sigma, "sigma (the noise multiplier)"), nonnegative(epsilon, "epsilon")
    return certified(lambda: gaussian_delta(1 / as_ball(noise), as_ball(loss)), digits)


def gaussian_epsilon_of(sigma: exact.Number, delta: exact.Number, digits: int = 12) -> Enclosure:
    """The exact ε(δ) of Gaussian noise, 0 where δ(0) is smaller already.

    >>> gaussian_epsilon_of(6, "1e-5").lower_decimal(4)
    '0.5944'
    """
    noise, chance = positive(sigma, "sigma (the noise multiplier)"), delta_between(delta)

    def fails(candidate: Exact) -> bool:
        def compare() -> bool | None:
            return surely_at_most(gaussian_delta(1 / as_ball(noise), as_ball(candidate)), as_ball(chance))

        return not decide(compare, f"the Gaussian delta at epsilon {candidate} against its target")

    return epsilon_by_bisection(fails, digits)


def epsilon_by_bisection(fails: Callable[[Fraction], bool], digits: int) -> Enclosure:
    """The least ε ≥ 0 at which `fails` turns False, for `fails` monotone."""
    low, high = exact.rational(0), exact.rational(1)
    if not fails(low):
        return Enclosure.exactly(0)
    while fails(high):
        low, high = high, 2 * high
    return bisect(fails, low, high, digits)


def mu_of(epsilon: exact.Number, delta: exact.Number, digits: int = 12) -> Enclosure:
    """The largest μ for which μ-GDP implies (ε, δ)-DP: the noise multiplier 1/μ is the smallest that suffices without sampling.

    >>> mu_of(1, "1e-5").lower_decimal(4)
    '0.268'
    """
    loss, chance = nonnegative(epsilon, "epsilon"), delta_between(delta)

    def suffices(candidate: Exact) -> bool:
        def compare() -> bool | None:
            return surely_at_most(gaussian_delta(as_ball(candidate), as_ball(loss)), as_ball(chance))

        return decide(compare, f"the Gaussian delta at mu {candidate} against its target")

    low, high = exact.rational(1), exact.rational(1)
    while not suffices(low):
        low /= 2
    while suffices(high):
        high *= 2
    return bisect(suffices, low, high, digits)


def composed_mu_of(mus: Sequence[exact.Number], digits: int = 15) -> Enclosure:
    """√(Σ μ_i²): Gaussian DP composes. Source: Dong, Roth & Su 2019, Corollary 3.3.

    >>> composed_mu_of([3, 4]).contains(5)
    True
    """
    read = [nonnegative(mu, "mu") for mu in mus]
    if not read:
        raise InputError("a composition needs at least one mu")
    return certified(lambda: sum((as_ball(mu) ** 2 for mu in read), ball(0)).sqrt(), digits)


def gaussian_tradeoff_of(mu: exact.Number, error: exact.Number, digits: int = 15) -> Enclosure:
    """G_μ(x) = Φ(Φ^{−1}(1−x) − μ), the trade-off curve of N(0,1) against N(μ,1).

    Args:
        mu: μ ≥ 0.
        error: type I error x in [0, 1].

    Source: Dong, Roth & Su 2019, Definition 2.6.

    >>> gaussian_tradeoff_of(0, "0.3").contains(exact.rational("0.7"))
    True
    """
    shift, x = nonnegative(mu, "mu"), probability(error, "type I error")
    if x == 0 or x == 1:
        return Enclosure.exactly(1 if x == 0 else 0)
    # Φ^{-1}(1−x) = √2·erfinv(1−2x), through erfcinv where 1−2x is close to ±1
    return certified(lambda: normal_cdf(ball(2).sqrt() * _inverse_erfc(2 * as_ball(x)) - as_ball(shift)), digits)


def pure_tradeoff_of(epsilon: exact.Number, error: exact.Number, delta: exact.Number = 0, digits: int = 15) -> Enclosure:
    """f(x) = max(0, 1 − δ − e^ε x, e^{−ε}(1 − δ − x)): the trade-off curve of (ε, δ)-DP, and of randomized response for δ = 0.

    >>> pure_tradeoff_of(0, "0.25").contains(exact.rational("0.75"))
    True
    """
    loss, x, chance = nonnegative(epsilon, "epsilon"), probability(error, "type I error"), probability(delta, "delta")

    def formula() -> Ball:
        rest, factor = 1 - as_ball(chance), as_ball(loss).exp()
        return positive_part((rest - factor * as_ball(x)).max((rest - as_ball(x)) / factor))

    return certified(formula, digits)


def laplace_tradeoff_of(scale: exact.Number, error: exact.Number, digits: int = 15) -> Enclosure:
    """The trade-off curve of Laplace noise with ε = 1/b: 1 − e^ε x for x < e^{−ε}/2, e^{−ε}/(4x) up to ½, e^{−ε}(1 − x) beyond.

    Source: Dong, Roth & Su 2019, equation (6).

    >>> laplace_tradeoff_of(1, "0.5").overlaps(certified(lambda: ball(-1).exp() / 2))
    True
    """
    noise, x = positive(scale, "laplace scale"), probability(error, "type I error")

    def formula() -> Ball:
        factor, e = (1 / as_ball(noise)).exp(), as_ball(x)
        if e >= ball(1) / 2:
            return (1 - e) / factor
        if e <= 1 / (2 * factor):
            return 1 - factor * e
        middle = 1 / (4 * factor * e)
        return middle if e >= 1 / (2 * factor) else middle.union(1 - factor * e)  # the branches agree there

    return certified(formula, digits)


def laplace_delta_of(scale: exact.Number, epsilon: exact.Number, digits: int = 15) -> Enclosure:
    """The exact δ(ε) = 1 − e^{(ε−1/b)/2} of one use of Laplace noise, 0 from ε = 1/b on.

    >>> laplace_delta_of(2, "0.5").upper == 0
    True
    """
    noise, loss = positive(scale, "laplace scale"), nonnegative(epsilon, "epsilon")
    if loss * noise >= 1:
        return Enclosure.exactly(0)
    return certified(lambda: -((as_ball(loss) - 1 / as_ball(noise)) / 2).expm1(), digits)


def logistic_delta_of(scale: exact.Number, epsilon: exact.Number, digits: int = 15) -> Enclosure:
    """The exact δ(ε) = (e^{ε₀/2} − e^{ε/2})²/(e^{ε₀} − 1), ε₀ = 1/s, of one use of logistic noise; 0 from ε₀ on.

    Derivation: `renyi.curves.LogisticCurve` has dP/dQ = c/(c−(c−1)y)² for y uniform under Q; it exceeds e^ε from
    y = (c − √c·e^{−ε/2})/(c−1) on.

    >>> logistic_delta_of(1, 0).overlaps(certified(lambda: (ball(1) / 4).tanh()))
    True
    """
    noise, loss = positive(scale, "logistic scale"), nonnegative(epsilon, "epsilon")
    if loss * noise >= 1:
        return Enclosure.exactly(0)

    def formula() -> Ball:
        largest = 1 / as_ball(noise)
        return ((largest / 2).exp() - (as_ball(loss) / 2).exp()) ** 2 / largest.expm1()

    return certified(formula, digits)


def _inverse_erfc(value: Ball) -> Ball:
    """erfc^{−1} on (0, 2)."""
    return value.erfcinv() if value < 1 else -(2 - value).erfcinv()
