"""The Rényi curve of the Poisson-sampled Gaussian, exact in both directions."""

from __future__ import annotations

from dataclasses import dataclass

from dpbounds.errors import InputError
from dpbounds.mechanisms import Direction, member
from dpbounds.numbers import exact
from dpbounds.numbers.balls import Ball, working_bits
from dpbounds.numbers.domains import positive, probability
from dpbounds.numbers.exact import Exact
from dpbounds.numbers.precise import as_ball
from dpbounds.renyi import poisson_gaussian
from dpbounds.renyi.curves.curve import RenyiCurve


@dataclass(frozen=True)
class PoissonGaussianCurve(RenyiCurve):
    """q·N(1,σ²)+(1−q)·N(0,σ²) against N(0,σ²) (direction remove), or the other way round (add).

    For add-or-remove neighbours the remove direction is the larger one at every order (Mironov, Talwar & Zhang 2019, Theorem 5), so it is
    the mechanism's curve.

    Args:
        sigma: noise multiplier > 0.
        q: sampling rate in [0, 1].
        direction: "remove" or "add".

    >>> PoissonGaussianCurve(1, 1).certified_divergence(3).contains(exact.number("1.5"))
    True
    """

    sigma: Exact
    q: Exact
    direction: Direction

    def __init__(self, sigma: exact.Number, q: exact.Number, direction: Direction | str = Direction.REMOVE) -> None:
        chosen = member(Direction, direction, "direction")
        if chosen not in (Direction.REMOVE, Direction.ADD):
            raise InputError(f"direction must be remove or add for this curve, got {chosen.value}")
        object.__setattr__(self, "sigma", positive(sigma, "sigma (the noise multiplier)"))
        object.__setattr__(self, "q", probability(q, "q (the sampling rate)"))
        object.__setattr__(self, "direction", chosen)

    def divergence(self, order: Ball) -> Ball:
        """The certified divergence of `renyi`, at the precision that is set."""
        add = self.direction is Direction.ADD
        if order.is_exact():
            return poisson_gaussian.divergence(order - 1, self.sigma, self.q, max(working_bits() - 8, 20), add=add)
        return poisson_gaussian.renyi_ball(order, as_ball(self.sigma), as_ball(self.q), add=add, bits=working_bits())

    def largest_loss(self) -> Ball | None:
        """−log(1−q) in direction add; the remove direction is unbounded unless q = 0."""
        rate = as_ball(self.q)
        if self.q == 0:
            return rate
        return -(-rate).log1p() if self.direction is Direction.ADD and self.q != 1 else None
