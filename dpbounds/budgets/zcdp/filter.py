"""A privacy filter: spend ρ adaptively and never exceed the budget."""

from __future__ import annotations

from dataclasses import dataclass

from dpbounds.errors import InputError
from dpbounds.numbers import exact
from dpbounds.numbers.balls import Enclosure
from dpbounds.numbers.domains import nonnegative
from dpbounds.numbers.exact import Exact
from dpbounds.renyi.conversions.single_order import zcdp_epsilon_of


@dataclass(frozen=True)
class Filter:
    """A budget ρ_total and what has been spent of it; each step may be chosen in view of all earlier outputs.

    If step t is ρ_t-zCDP given the past and the filter stops before Σ ρ_t exceeds ρ_total, the whole is ρ_total-zCDP: for each order,
    Π exp((α−1)(L_t − αρ_t)) is a supermartingale, and stopping it keeps its mean at most 1 (Feldman & Zrnic 2021, Theorem 3.1;
    Whitehouse, Ramdas, Rogers & Wu 2023). Yu et al. 2019, IV-C, claim it for their validation-based schedule.

    Sums are exact; irrational costs must be rounded up by the caller (`Enclosure.upper` is a `Fraction`).

    >>> Filter("0.5").spend("0.25").spend("0.2").remaining
    Fraction(1, 20)
    """

    total: Exact
    spent: Exact

    def __init__(self, total: exact.Number, spent: exact.Number = 0) -> None:
        object.__setattr__(self, "total", exact.rational(nonnegative(total, "rho (the budget)"), "rho (the budget)"))
        object.__setattr__(self, "spent", exact.rational(nonnegative(spent, "rho (spent)"), "rho (spent)"))
        if self.spent > self.total:
            raise InputError(f"rho (spent) must be at most the budget {exact.text(self.total)}, got {exact.text(self.spent)}")

    @property
    def remaining(self) -> Exact:
        """What is left."""
        return self.total - self.spent

    def admits(self, rho: exact.Number) -> bool:
        """Whether a step of that cost may run."""
        return bool(self.spent + exact.rational(nonnegative(rho, "rho"), "rho") <= self.total)

    def spend(self, rho: exact.Number) -> Filter:
        """The filter after a step.

        Raises:
            InputError: the step would exceed the budget; stop instead.
        """
        cost = exact.rational(nonnegative(rho, "rho"), "rho")
        if not self.admits(cost):
            raise InputError(
                f"rho must be at most what is left of the budget, {exact.text(self.remaining)}, got {exact.text(cost)}; stop here"
            )
        return Filter(self.total, self.spent + cost)

    def spend_gaussian(self, sigma: exact.Number) -> Filter:
        """The filter after a Gaussian step of noise multiplier σ, or an epoch of them on disjoint batches: 1/(2σ²)."""
        noise = exact.rational(sigma, "sigma (the noise multiplier)")
        if noise <= 0:
            raise InputError(f"sigma (the noise multiplier) must be > 0, got {exact.text(noise)}")
        return self.spend(1 / (2 * noise**2))

    def epsilon_of(self, delta: exact.Number, digits: int = 15) -> Enclosure:
        """ε at δ of everything that the filter will ever admit: the whole budget, converted by Proposition 1."""
        return zcdp_epsilon_of(self.total, delta, digits)
