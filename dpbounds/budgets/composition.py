"""Advanced composition of (ε, δ) guarantees, as it is printed and with the sharp mean.

The best constant that holds for all such mechanisms is the δ of `Repeated(EpsilonDelta(ε, δ), k)` (Kairouz, Oh & Viswanath 2017). Rényi
curves compose by `renyi.curves.composed`, zCDP by `budgets.zcdp.Filter`.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from dpbounds.errors import InputError
from dpbounds.numbers import exact
from dpbounds.numbers.balls import Ball, Enclosure, ball
from dpbounds.numbers.domains import at_least_one, delta_between, nonnegative, probability
from dpbounds.numbers.precise import as_ball
from dpbounds.numbers.to_digits import certified, log_inverse

Constant = Literal["printed", "sharp"]


class ApproximateGuarantee(NamedTuple):
    """An (ε, δ) guarantee: both components are upper bounds of what holds, enclosed as numbers."""

    epsilon: Enclosure
    delta: Enclosure


def advanced_composition_of(
    epsilon: exact.Number, delta: exact.Number, steps: exact.Number, slack: exact.Number, constant: Constant = "printed", digits: int = 15
) -> ApproximateGuarantee:
    """(ε√(2k log(1/δ′)) + k·a, kδ + δ′) with a = ε(e^ε−1) as printed, or a = ε(e^ε−1)/(e^ε+1), the sharp mean.

    Args:
        epsilon, delta: each mechanism is (ε, δ)-DP; ε ≥ 0, 0 ≤ δ ≤ 1.
        steps: k ≥ 1 adaptive uses.
        slack: δ′, 0 < δ′ < 1.
        constant: "printed" (Dwork, Rothblum & Vadhan 2010; the slides; Yu et al. II-D) or "sharp" (Dwork & Rothblum 2016, Proposition
            on the KL divergence of ε-DP; Kairouz, Oh & Viswanath 2017, Theorem 3.4).

    Returns:
        An (ε, δ) guarantee of the composition; both constants hold, sharp ≤ printed.

    >>> one, two = (advanced_composition_of("0.1", 0, 100, "1e-5", constant).epsilon for constant in ("sharp", "printed"))
    >>> one < two
    True
    """
    loss, chance = nonnegative(epsilon, "epsilon"), probability(delta, "delta")
    count, extra = at_least_one(steps, "steps"), delta_between(slack, "slack (the additional delta)")
    if constant not in ("printed", "sharp"):
        raise InputError(f"constant must be printed or sharp, got {constant!r}")
    return ApproximateGuarantee(
        certified(lambda: advanced_epsilon(as_ball(loss), ball(count), log_inverse(extra), constant), digits),
        certified(lambda: count * as_ball(chance) + as_ball(extra), digits),
    )


def advanced_epsilon(epsilon: Ball, steps: Ball, log: Ball, constant: Constant = "printed") -> Ball:
    """ε√(2k·log) + k·a at the precision that is set; `log` is log(1/δ′).

    >>> advanced_epsilon(ball(1) / 10, ball(100), ball(10).log()) < 4
    True
    """
    return epsilon * (2 * steps * log).sqrt() + steps * mean_loss(epsilon, constant)


def mean_loss(epsilon: Ball, constant: Constant = "printed") -> Ball:
    """A bound on the expected loss of an ε-DP mechanism: ε(e^ε−1), or the largest possible one, ε·tanh(ε/2).

    >>> mean_loss(ball(1), "sharp") < mean_loss(ball(1))
    True
    """
    return epsilon * epsilon.expm1() if constant == "printed" else epsilon * (epsilon / 2).tanh()
