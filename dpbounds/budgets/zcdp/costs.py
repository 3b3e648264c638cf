"""What steps and epochs cost in ρ-zCDP: D_α ≤ αρ for every order (Bun & Steinke 2016)."""

from __future__ import annotations

from dpbounds.numbers import exact
from dpbounds.numbers.balls import Enclosure
from dpbounds.numbers.domains import at_least_one, delta_between, nonnegative, positive
from dpbounds.numbers.precise import as_ball
from dpbounds.numbers.to_digits import certified
from dpbounds.renyi.conversions.single_order import zcdp_epsilon_of


def gaussian_rho_of(sigma: exact.Number, sensitivity: exact.Number = 1, digits: int = 15) -> Enclosure:
    """ρ = Δ²/(2σ²), exact for Gaussian noise of standard deviation σ. Source: Bun & Steinke 2016, Proposition 1.6.

    >>> gaussian_rho_of(6).lower_decimal(3)
    '0.0138'
    """
    noise, shift = positive(sigma, "sigma (the noise multiplier)"), nonnegative(sensitivity, "sensitivity")
    return certified(lambda: (as_ball(shift) / as_ball(noise)) ** 2 / 2, digits)


def reshuffled_epsilon_of(sigma: exact.Number, epochs: exact.Number, delta: exact.Number, digits: int = 15) -> Enclosure:
    """ε of E epochs at noise σ, each costing 1/(2σ²): Yu et al.'s zCDP(RF) accounting, E/(2σ²) converted by Proposition 1.

    Assumptions: each epoch takes a partition of the records that does not depend on the data (a random one is fine), and neighbours differ
    by adding or removing one record; an epoch then costs the most that one of its steps does (Yu et al. 2019, Theorem 2). Reshuffling
    into batches of equal size is not such a partition: adding a record moves the others.

    >>> reshuffled_epsilon_of(6, 400, "1e-5").lower_decimal(4)
    '21.55'
    """
    noise, count = positive(sigma, "sigma (the noise multiplier)"), at_least_one(epochs, "epochs")
    chance = delta_between(delta)
    return zcdp_epsilon_of(count / (2 * noise**2), chance, digits)
