"""Amplification of (ε, δ)-DP by subsampling (Balle, Barthe & Gaboardi 2018)."""

from __future__ import annotations

from collections.abc import Callable

from dpbounds.budgets.composition import ApproximateGuarantee
from dpbounds.mechanisms.formula import gaussian_delta
from dpbounds.numbers import exact
from dpbounds.numbers.balls import Ball, Enclosure, ball
from dpbounds.numbers.domains import at_least_one, nonnegative, positive, probability
from dpbounds.numbers.exact import Exact
from dpbounds.numbers.precise import as_ball
from dpbounds.numbers.to_digits import binomial, certified


def amplified_epsilon_delta_of(epsilon: exact.Number, delta: exact.Number, q: exact.Number, digits: int = 15) -> ApproximateGuarantee:
    """(log(1 + q(e^ε−1)), qδ).

    Args:
        epsilon, delta: the mechanism on the sample is (ε, δ)-DP.
        q: the sampling rate in [0, 1].

    Assumptions: Poisson sampling with add-or-remove neighbours on both levels, or q = m/n without replacement with substitution on both
    levels. Mixing them (Poisson sampling with the theorem for fixed batches, as the slides do for DP-SGD) is not covered.

    Source: Balle, Barthe & Gaboardi 2018, Theorems 8 and 9; the blog's Claim 19; Li, Qardaji & Su 2012.

    >>> amplified_epsilon_delta_of(1, "1e-5", "0.01").epsilon.lower_decimal(4)
    '0.01703'
    """
    loss, chance, rate = nonnegative(epsilon, "epsilon"), probability(delta, "delta"), probability(q, "q (the sampling rate)")
    return ApproximateGuarantee(
        certified(lambda: (as_ball(rate) * as_ball(loss).expm1()).log1p(), digits),
        certified(lambda: as_ball(rate) * as_ball(chance), digits),
    )


def with_replacement_delta_of(profile: Callable[[int], Ball], population: exact.Number, batch: exact.Number, digits: int = 15) -> Enclosure:
    """δ′ = Σ_{k=1}^m C(m,k) n^{−k}(1−1/n)^{m−k} δ_k, at ε′ = log(1 + (1−(1−1/n)^m)(e^ε−1)), for m draws with replacement out of n.

    Args:
        profile: k ↦ δ_k, the mechanism's δ at ε for multisets that differ in k substituted copies, as a ball.
        population, batch: n and m.

    Source: Balle, Barthe & Gaboardi 2018, Theorem 10 (substitution neighbours).

    >>> with_replacement_delta_of(lambda k: ball(1), 2, 1).contains(exact.rational("1/2"))
    True
    """
    n, m = at_least_one(population, "population"), at_least_one(batch, "batch size")

    def total() -> Ball:
        rest, result = 1 - ball(1) / n, ball(0)
        for k in range(1, m + 1):
            result += binomial(m, k) * ball(n) ** -k * rest ** (m - k) * profile(k)
        return result

    return certified(total, digits)


def with_replacement_gaussian_delta_of(
    sigma: exact.Number,
    population: exact.Number,
    batch: exact.Number,
    epsilon: exact.Number,
    sensitivity: exact.Number = 2,
    digits: int = 15,
) -> ApproximateGuarantee:
    """(ε′, δ′) of Gaussian noise on a batch drawn with replacement.

    Args:
        sigma: standard deviation of the noise, for records of norm at most 1.
        population, batch: n and m.
        epsilon: ε of the mechanism on the batch; ε′ is smaller, see `with_replacement_delta_of`.
        sensitivity: what one substitution may move: 2 for sums of records of norm at most 1.

    Returns:
        A privacy guarantee of the mechanism under substitution (not tight).

    >>> with_replacement_gaussian_delta_of(4, 100, 5, 1).epsilon.upper < 1
    True
    """
    noise, loss, shift = positive(sigma, "sigma"), nonnegative(epsilon, "epsilon"), positive(sensitivity, "sensitivity")
    n, m = at_least_one(population, "population"), at_least_one(batch, "batch size")

    def touched() -> Ball:
        return 1 - (1 - ball(1) / n) ** m

    def group(k: int) -> Ball:
        return gaussian_delta(k * as_ball(shift) / as_ball(noise), as_ball(loss))

    return ApproximateGuarantee(_amplified(touched, loss, digits), with_replacement_delta_of(group, n, m, digits))


def _amplified(rate: Callable[[], Ball], loss: Exact, digits: int) -> Enclosure:
    return certified(lambda: (rate() * as_ball(loss).expm1()).log1p(), digits)
