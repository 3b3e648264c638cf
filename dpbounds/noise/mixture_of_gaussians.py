"""Gaussian noise on a query that a record, a user or a group moves by a random amount."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Self

from dpbounds.errors import InputError
from dpbounds.mechanisms import Noise, Parameter, Relation
from dpbounds.mechanisms.mechanism import distribution
from dpbounds.mechanisms.pair import Pair
from dpbounds.mechanisms.pairs import mixture_pair
from dpbounds.numbers import exact
from dpbounds.numbers.domains import positive


@dataclass(frozen=True)
class MixtureOfGaussians(Noise):
    """N(0, σ²) without the difference, Σ w_j N(c_j, σ²) with it.

    Args:
        sigma: σ > 0, rational.
        centres: c_j ≥ 0, rational, how far the query moves; repeated ones are joined.
        weights: w_j ≥ 0, rational, of sum 1, one for each centre.

    A query that moves by vectors of norms at most c_j is dominated.

    Source: Choquette-Choo et al. 2023 (arXiv 2310.15526), Charles et al. 2024 (arXiv 2401.10294).

    >>> MixtureOfGaussians(1, ["0", "1/2"], ["3/4", "1/4"]).centres
    (Fraction(0, 1), Fraction(1, 2))
    """

    sigma: Fraction
    centres: tuple[Fraction, ...]
    weights: tuple[Fraction, ...]

    def __init__(self, sigma: exact.Number, centres: object, weights: object) -> None:
        name = "sigma of a mixture of Gaussians"
        object.__setattr__(self, "sigma", positive(exact.rational(sigma, name), name))
        moves = tuple(exact.rational(value, "centres") for value in _listed(centres, "centres"))
        if any(value < 0 for value in moves):
            raise InputError(f"centres must be >= 0, got {exact.text(min(moves))}")
        object.__setattr__(self, "centres", moves)
        object.__setattr__(self, "weights", distribution(_listed(weights, "weights"), "weights"))
        if len(self.centres) != len(self.weights):
            raise InputError(f"a mixture needs one weight for each centre, got {len(self.centres)} and {len(self.weights)}")

    parameters = (
        Parameter("mixture-of-gaussians", "sigma", "S", "Gaussian noise, standard deviation S, on a query that moves by random --centres."),
        Parameter("centres", "centres", "C,C,...", "How far the query may move, numbers >= 0."),
        Parameter("weights", "weights", "W,W,...", "The probability of each centre; write thirds as 1/3."),
    )
    event_names = ("MixtureOfGaussiansDpEvent",)

    def pair(self, relation: Relation) -> Pair:
        """The mixture on the multiples of the largest unit of all centres."""
        if relation is Relation.SUBSTITUTE:
            raise InputError("mixtures of Gaussians are known under --relation add-or-remove only")
        masses: dict[Fraction, Fraction] = {}
        for centre, weight in zip(self.centres, self.weights, strict=True):
            if weight:
                masses[centre] = masses.get(centre, Fraction(0)) + weight
        over = math.lcm(*(centre.denominator for centre in masses))
        unit = Fraction(math.gcd(*(int(centre * over) for centre in masses)) or 1, over)
        return mixture_pair({int(centre / unit): weight for centre, weight in masses.items()}, self.sigma / unit)

    def to_spec(self) -> dict[str, Any]:
        """The numbers as text."""
        listed = {"centres": [exact.text(value) for value in self.centres], "weights": [exact.text(value) for value in self.weights]}
        return {"mixture-of-gaussians": exact.text(self.sigma)} | listed

    @classmethod
    def from_event(cls, event: Any) -> Self:
        """The fields of the event; floats count as the decimals that they print."""
        weights = [exact.rational(value, "sampling_probs") for value in event.sampling_probs]
        total = sum(weights, Fraction(0))
        if abs(total - 1) > Fraction(1, 10**9):
            raise InputError(f"sampling_probs must sum to 1, got {exact.text(total)}")
        return cls(event.standard_deviation, event.sensitivities, [weight / total for weight in weights])

    @classmethod
    def from_spec(cls, given: Mapping[str, Any]) -> Self:
        """Lists, or text with commas."""
        return cls(given["mixture-of-gaussians"], given["centres"], given["weights"])


def _listed(values: object, name: str) -> list[Any]:
    if isinstance(values, str):
        return [part.strip() for part in values.split(",")]
    if not isinstance(values, Iterable) or isinstance(values, Mapping):
        raise InputError(f"{name} must be a list of numbers, got {values!r}")
    return list(values)
