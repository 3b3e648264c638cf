"""Private selection with random stopping: train a random number K of models and release the best one.

K is drawn before the data are looked at, and each training draws its hyperparameters and runs on the whole data. The best is taken by
any score that one training releases: the score must be part of what is accounted for. Costs do not grow with the number of trainings.

K has the truncated negative binomial distribution with η > −1 and 0 < γ < 1: P(K = k) ∝ (1−γ)^k·Γ(k+η)/(k!·Γ(η)), k ≥ 1. η = 1 is the
geometric distribution, η = 0 the logarithmic one. Sources: Liu & Talwar 2019, Theorem 3.1 (η = 1); Papernot & Steinke 2022, Theorem 2.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dpbounds.errors import InputError
from dpbounds.mechanisms import Mechanism, Relation
from dpbounds.numbers import exact
from dpbounds.numbers.balls import Ball, Enclosure
from dpbounds.numbers.domains import above, between, nonnegative
from dpbounds.numbers.exact import Exact
from dpbounds.numbers.precise import as_ball
from dpbounds.numbers.to_digits import certified
from dpbounds.renyi.conversions import sharp_epsilon_of
from dpbounds.renyi.solve import renyi_divergence

_ORDERS = (2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64)


@dataclass(frozen=True)
class RandomStopping:
    """The distribution of the number of trainings.

    Args:
        eta: η > −1; less costs less privacy for the same mean, and the number varies more.
        gamma: γ in (0, 1); the mean grows as it falls.

    >>> RandomStopping(1, "1/10").mean().contains(10)
    True
    """

    eta: Exact
    gamma: Exact

    def __init__(self, eta: exact.Number, gamma: exact.Number) -> None:
        object.__setattr__(self, "eta", above(eta, -1, "eta"))
        object.__setattr__(self, "gamma", between(gamma, 0, 1, "gamma"))

    def mean(self, digits: int = 15) -> Enclosure:
        """E[K] = η(1−γ)/(γ(1−γ^η)); for η = 0 (1/γ − 1)/log(1/γ)."""
        return certified(self._mean, digits)

    def _mean(self) -> Ball:
        eta, gamma = as_ball(self.eta), as_ball(self.gamma)
        if self.eta == 0:
            return (1 / gamma - 1) / -gamma.log()
        return eta * (1 - gamma) / (gamma * (1 - (eta * gamma.log()).exp()))

    def draw(self, generator: Any) -> int:
        """K, by its inverse distribution function in float64, from a numpy generator."""
        eta, gamma, uniform = float(self.eta), float(self.gamma), float(generator.random())
        first = eta * gamma**eta / (1 - gamma**eta) * (1 - gamma) if eta else -(1 - gamma) / math.log(gamma)
        weight, below = first, 0.0
        for count in itertools.count(1):
            below += weight
            if uniform < below or weight == 0.0:
                return count
            weight *= (1 - gamma) * (count + eta) / (count + 1)
        raise AssertionError("the loop ends")

    def pure_epsilon_of(self, epsilon: exact.Number) -> Fraction:
        """(2 + η)·ε: what the best of K costs where one training is ε-differentially private, rounded up.

        >>> RandomStopping(1, "1/100").pure_epsilon_of("1/2")
        Fraction(3, 2)
        """
        loss = nonnegative(epsilon, "epsilon")
        upper = certified(lambda: (2 + as_ball(self.eta)) * as_ball(loss)).upper
        exactly = (2 + self.eta) * loss
        return exactly if isinstance(exactly, Fraction) else Fraction(upper)

    def renyi_of(
        self, order: exact.Number, divergence: exact.Number, other: exact.Number, at_other: exact.Number, digits: int = 15
    ) -> Enclosure:
        """ε′ = ε + (1+η)(1 − 1/λ̂)ε̂ + (1+η)·log(1/γ)/λ̂ + log E[K]/(λ−1), an upper bound on D_λ of the best of K.

        Args:
            order: λ > 1.
            divergence: ε ≥ 0, a bound on D_λ of one training, in both directions.
            other: λ̂ ≥ 1, any order.
            at_other: ε̂ ≥ 0, a bound on D_λ̂ of one training, in both directions.

        Source: Papernot & Steinke 2022, Theorem 2.

        >>> RandomStopping(0, "1/10").renyi_of(8, "0.1", 16, "0.2").upper_decimal(4)
        '0.6262'
        """
        low, high = (exact.number(value, "an order") for value in (order, other))
        if not (low > 1 and high >= 1):
            raise InputError(f"the orders must be > 1 and >= 1, got {exact.text(low)} and {exact.text(high)}")
        one, two = nonnegative(divergence, "divergence"), nonnegative(at_other, "divergence")

        def value() -> Ball:
            rise = 1 + as_ball(self.eta)
            tilt = rise * ((1 - 1 / as_ball(high)) * as_ball(two) - as_ball(self.gamma).log() / as_ball(high))
            return as_ball(one) + tilt + self._mean().log() / (as_ball(low) - 1)

        return certified(value, digits)

    def epsilon_of(
        self,
        training: Mechanism,
        delta: exact.Number,
        *,
        relation: Relation | str = Relation.ADD_OR_REMOVE,
        orders: Sequence[exact.Number] = _ORDERS,
        digits: int = 6,
    ) -> Enclosure:
        """An upper bound on ε(δ) of the best of K trainings, with the best two of the orders given.

        Args:
            training: one training, with the release of its score.
            delta: δ in (0, 1).

        Returns:
            The bound of the best pair of orders (`sharp_epsilon_of` after `renyi_of`); its upper end holds.

        >>> from dpbounds.mechanisms import Gaussian
        >>> RandomStopping(0, "1/10").epsilon_of(Gaussian(4), "1e-5", orders=(8, 12, 16, 24)).upper_decimal(4)
        '1.616'
        """
        if not orders:
            raise InputError("give at least one order")
        known = {order: renyi_divergence(training, order, digits=digits, relation=relation).enclosure.upper for order in orders}
        if not all(isinstance(value, Fraction) for value in known.values()):
            raise InputError("the divergence of one training must be finite at every order given")
        best: Enclosure | None = None
        for order, other in itertools.product(orders, orders):
            bound = self.renyi_of(order, known[order], other, known[other], digits + 4).upper
            found = sharp_epsilon_of(order, bound, delta, digits + 2)
            if best is None or found.upper < best.upper:
                best = found
        assert best is not None
        return best
