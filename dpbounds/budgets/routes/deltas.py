"""δ₁, δ₂, δ₃ of the blog's three routes for DP-SGD with Gaussian noise: rate r, k epochs, T = k/r steps, noise multiplier σ.

All three are upper bounds under the assumptions stated at each; the exact δ of the Poisson-sampled composition (`accounting.delta`) lies
below Routes 1 and 3 (and Route 2, which uses no sampling, bounds k unsampled uses).
"""

from __future__ import annotations

from dataclasses import dataclass

from dpbounds.budgets.routes.constant import constant_of
from dpbounds.errors import InputError
from dpbounds.numbers import exact
from dpbounds.numbers.balls import Ball, Enclosure, ball, bits_for, precision
from dpbounds.numbers.domains import at_least_one, nonnegative, positive, probability
from dpbounds.numbers.exact import Exact
from dpbounds.numbers.minimum import global_minimum
from dpbounds.numbers.precise import as_ball
from dpbounds.numbers.to_digits import certified
from dpbounds.renyi.conversions.single_order import zcdp_delta_of


def azuma_delta_of(epsilon: exact.Number, steps: exact.Number, each: exact.Number, digits: int = 15) -> Enclosure:
    """exp(−(ε − k·a)²/(2k(ε̃+a)²)) for ε > k·a, and 1 below: Azuma's bound for k adaptive ε̃-DP steps, a = ε̃(e^ε̃−1) or ε̃ from log 2 on.

    Args:
        epsilon: ε ≥ 0 of the composition.
        steps: k ≥ 1.
        each: ε̃ > 0 of each step.

    Source: the blog's (6.99); Dwork, Rothblum & Vadhan 2010.

    >>> azuma_delta_of(1, 10, "0.01").upper < 1
    True
    """
    total, count, loss = nonnegative(epsilon, "epsilon"), at_least_one(steps, "steps"), positive(each, "epsilon of a step")
    return certified(lambda: _azuma(as_ball(total), ball(count), as_ball(loss)).min(ball(1)), digits)


@dataclass(frozen=True)
class Routes:
    """The three δ's at the same ε, r, k, σ; None where a route does not apply."""

    first: Enclosure
    second: Enclosure
    third: Enclosure | None


def route_1_of(epsilon: exact.Number, sigma: exact.Number, r: exact.Number, epochs: exact.Number, digits: int = 3) -> Enclosure:
    """δ₁ = min over ε̃ with ε > T·a(ε̃) of exp(−(ε−T·a)²/(2T(ε̃+a)²)) + T·r·e^{−κ*(b(ε̃))}, T = k/r, b(ε̃) = log(1 + (e^ε̃−1)/r).

    One step: Gaussian (Claim 9, Chernoff) → subsampled (Claim 19) → T-fold advanced composition (Claim 18, Azuma).

    Args:
        epsilon: ε > 0.
        sigma: noise multiplier > 0.
        r: sampling rate in (0, 1].
        epochs: k; T = k/r must be an integer.
        digits: digits of the certified minimum, found by branch and bound.

    Returns:
        An enclosure of the minimum, capped at 1: an upper bound on δ of the composition.

    >>> route_1_of(2, 8, "0.01", 1).upper <= 1
    True
    """
    loss, noise, rate, steps = _setting(epsilon, sigma, r, epochs)
    with precision(bits_for(digits) + 60):
        level, s, q, count = as_ball(loss), as_ball(noise), as_ball(rate), ball(steps)
        rho = 1 / (2 * s * s)

        def whole(x: Ball) -> Ball:
            tail = (x.expm1() / q).log1p() - rho
            missed = (-(tail.max(ball(0)) ** 2) / (4 * rho)).exp()
            return _azuma(level, count, x) + count * q * missed

        # beyond `high` a(ε̃) ≥ min(ε̃², ε̃) ≥ ε/T, so the first term is 1; below `low` b(ε̃) ≤ ρ, so the second one is k ≥ 1
        high = level / count + (level / count).sqrt()
        low = (q * rho / 4).min(high / 2).min(ball(1) / 4)
        _, least = global_minimum(whole, low.lower(), high.upper(), ball(10) ** (-digits))
        least = least.min(ball(1))
    with precision(bits_for(digits) + 64):
        return Enclosure.of_ball(least)


def route_2_of(epsilon: exact.Number, sigma: exact.Number, epochs: exact.Number, digits: int = 15) -> Enclosure:
    """δ₂ = exp(−(ε − kρ)²/(4kρ)), ρ = 1/(2σ²), for ε > kρ, and 1 below: moment composition without sampling (Claims 22, 23, Example 3).

    The premise σ²ε > k/2 that the blog leaves out is ε > kρ.

    >>> route_2_of(2, 8, 1).upper < 1
    True
    """
    loss, noise, count = nonnegative(epsilon, "epsilon"), positive(sigma, "sigma (the noise multiplier)"), at_least_one(epochs, "epochs")
    return zcdp_delta_of(count / (2 * noise**2), loss, digits)


def route_3_of(
    epsilon: exact.Number, sigma: exact.Number, r: exact.Number, epochs: exact.Number, c2: exact.Number, digits: int = 3
) -> Enclosure | None:
    """δ₃ = min(1, exp(T·log C(c₁,c₂) − (⌊c₂σ²⌋−1)ε)), c₁ = rσ, T = k/r: Claim 28 as it can be proved.

    The printed version has k for T, C for log C and λ for λ − 1.

    Args:
        epsilon, sigma, r, epochs: as in `route_1_of`.
        c2: λ = ⌊c₂σ²⌋ is the order used.
        digits: of the constant C.

    Assumptions: Poisson sampling with add-or-remove neighbours, direction remove; the blog's Claim 26, part 1, fails for batches of fixed
    size.

    Returns:
        An upper bound on δ; None when ⌊c₂σ²⌋ < 2.

    >>> route_3_of(2, 8, "0.1", 1, 2).upper < 1
    True
    """
    loss, noise, rate, steps = _setting(epsilon, sigma, r, epochs)
    second = positive(c2, "c2")
    order = int(second * noise**2)
    if order < 2:
        return None
    constant = constant_of(rate * noise, second, digits).value
    with precision(bits_for(digits) + 64):
        return Enclosure.of_ball((steps * constant.ball().log() - (order - 1) * as_ball(loss)).exp().min(ball(1)))


def routes_of(
    epsilon: exact.Number, sigma: exact.Number, r: exact.Number, epochs: exact.Number, c2: exact.Number = 1, digits: int = 3
) -> Routes:
    """All three routes at one setting, for one plot.

    >>> routes_of(2, 8, "0.1", 1, 2).second.upper < 1
    True
    """
    first, second = route_1_of(epsilon, sigma, r, epochs, digits), route_2_of(epsilon, sigma, epochs)
    return Routes(first, second, route_3_of(epsilon, sigma, r, epochs, c2))


def _setting(epsilon: exact.Number, sigma: exact.Number, r: exact.Number, epochs: exact.Number) -> tuple[Exact, Exact, Exact, int]:
    loss, noise = positive(epsilon, "epsilon"), positive(sigma, "sigma (the noise multiplier)")
    rate, count = probability(r, "r (the sampling rate)"), at_least_one(epochs, "epochs")
    if rate == 0:
        raise InputError("r (the sampling rate) must be > 0, got 0")
    return loss, noise, rate, exact.integer(count / rate, "the number of steps, epochs/r")


def _azuma(total: Ball, steps: Ball, each: Ball) -> Ball:
    """The Azuma bound; 1 where ε ≤ k·a, and on a ball that straddles log 2 or that line the hull of what may hold."""
    two = ball(2).log()
    low, high = each * each.expm1(), each
    mean = low if each < two else (high if each >= two else low.union(high))
    gap = (total - steps * mean).max(ball(0))
    return (-(gap**2) / (2 * steps * (each + mean) ** 2)).exp()
