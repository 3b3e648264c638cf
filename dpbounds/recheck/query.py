"""What a certificate speaks about: the mechanism, and the products of pairs of distributions that decide its privacy.

The pairs are those of the literature: Gaussian and Laplace noise of sensitivity 1 (2 under substitution); Poisson sampling mixes P with
Q (Zhu, Dong & Wang 2022); (ε, δ)-events are randomized response with a failure (Kairouz, Oh & Viswanath 2017).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from dpbounds.recheck.atoms import Atoms, discrete_gaussian, discrete_laplace, randomized_response, table
from dpbounds.recheck.bromwich import Law, Use
from dpbounds.recheck.gaussian_mixture import GaussianMixture
from dpbounds.recheck.noises import Gaussian, Laplace, SampledLaplace
from dpbounds.recheck.numbers import Numbers, Refused
from dpbounds.recheck.reading import entries, entry, exact, number, only, positive, whole

ARGUMENTS = {"delta": "epsilon", "epsilon": "delta", "rdp": "alpha"}
_NOISES = ("sigma", "laplace-scale", "randomized-response", "epsilon-delta", "discrete-laplace", "discrete-gaussian", "table")
_SAMPLINGS = {"none": (), "poisson": ("q",), "without-replacement": ("population", "batch-size")}
_OWN = {
    "randomized-response": ("answers",),
    "epsilon-delta": ("failure",),
    "discrete-laplace": ("sensitivity",),
    "discrete-gaussian": ("sensitivity",),
}
"""What else a part may say, for each sampling and each noise."""

_WIDEST = 10_000
"""Atoms of discrete noise between both ends; a lattice of so many is convolved in seconds."""


@dataclass(frozen=True)
class Query:
    """Which number of which mechanism."""

    quantity: str
    argument: Fraction
    parts: tuple[Mapping[str, object], ...]
    relation: str
    direction: str
    guarantee: str

    @staticmethod
    def read(document: object) -> Query:
        """From a certificate."""
        quantity = entry(document, "quantity")
        if not isinstance(quantity, str) or quantity not in ARGUMENTS:
            raise Refused("the quantity must be delta, epsilon or rdp")
        only(document, "quantity", "mechanism", ARGUMENTS[quantity], "relation", "direction", "guarantee")
        argument, parts = number(document, ARGUMENTS[quantity]), []
        if not {"delta": argument >= 0, "epsilon": 0 < argument < 1, "rdp": argument > 1}[quantity]:
            raise Refused(f"{ARGUMENTS[quantity]} is out of its range")
        for part in entries(document, "mechanism"):
            if not isinstance(part, Mapping):
                raise Refused("a part of a mechanism must be an object")
            parts.append(part)
        chosen = [
            _choice(document, "relation", "add-or-remove", "substitute"),
            _choice(document, "direction", "remove", "add", "worst", "symmetric"),
            _choice(document, "guarantee", "mechanism", "pair"),
        ]
        if not parts or (chosen[0] == "substitute") != (chosen[1] == "symmetric"):
            raise Refused("a mechanism needs a part, and the direction symmetric belongs to the relation substitute")
        return Query(quantity, argument, tuple(parts), *chosen)

    def directions(self) -> tuple[str, ...]:
        """Those whose largest value is asked for."""
        return ("remove", "add") if self.direction == "worst" else (self.direction,)

    def uses(self, direction: str, numbers: Numbers) -> list[Use]:
        """The laws of one direction with the number of uses of each; what shows nothing is left out."""
        found: list[Use] = []
        for part in self.parts:
            law, steps = _law(part, self.relation == "substitute", self.guarantee, numbers), whole(part, "steps")
            if law is not None:
                found.append((law.swapped() if direction == "add" else law, steps))
        return found


def _choice(document: object, key: str, *allowed: str) -> str:
    value = entry(document, key)
    if not isinstance(value, str) or value not in allowed:
        raise Refused(f"{key!r} must be one of {', '.join(allowed)}")
    return value


def _law(part: Mapping[str, object], substitute: bool, guarantee: str, numbers: Numbers) -> Law | None:
    """The pair of one part in the remove direction, or under substitution."""
    kinds = [kind for kind in _NOISES if kind in part]
    if len(kinds) != 1:
        raise Refused("a part of a mechanism must name one noise")
    kind, sampling = kinds[0], part.get("sampling", "none")
    if not isinstance(sampling, str) or sampling not in _SAMPLINGS:
        raise Refused(f"{sampling} sampling is not known here")
    only(part, kind, "sampling", "steps", *_SAMPLINGS[sampling], *_OWN.get(kind, ()))
    rate = Fraction(1)
    if sampling == "poisson" or (sampling == "without-replacement" and guarantee == "pair"):
        rate = number(part, "q") if sampling == "poisson" else Fraction(whole(part, "batch-size"), whole(part, "population"))
    elif sampling != "none":
        raise Refused(f"{sampling} sampling has a certificate for the guarantee pair alone")
    if not 0 <= rate <= 1:
        raise Refused("a sampling rate must lie in [0, 1]")
    if sampling == "without-replacement" and not (substitute and kind == "sigma"):
        raise Refused("sampling without replacement is for Gaussian noise under substitution")
    if rate == 0:
        return None
    if kind == "sigma":
        sigma = positive(part, "sigma")
        if rate < 1:
            return GaussianMixture(rate, sigma, numerator=True, denominator=substitute)
        return Gaussian((4 if substitute else 1) / sigma**2)
    if substitute and (rate < 1 or kind == "table"):
        raise Refused(f"{kind} has no pair under substitution here, sampled or not")
    if kind == "laplace-scale":
        largest = (2 if substitute else 1) / positive(part, "laplace-scale")
        return Laplace(largest) if rate == 1 else SampledLaplace(largest, rate, reversed=False)
    law = _atoms(part, kind, substitute, numbers)
    return law if rate == 1 else law.sampled(rate, numbers)


def _atoms(part: Mapping[str, object], kind: str, substitute: bool, numbers: Numbers) -> Atoms:
    if kind == "table":
        only(part["table"], "p", "q")
        rows = [[exact(value, "table") for value in entries(part["table"], key)] for key in ("p", "q")]
        if len(rows[0]) != len(rows[1]) or any(sum(row) != 1 or min(row) < 0 for row in rows):
            raise Refused("a table needs two rows of one length, each of probabilities that sum to 1")
        return table(rows[0], rows[1], numbers)
    if kind in ("discrete-laplace", "discrete-gaussian"):
        shift = (whole(part, "sensitivity") if "sensitivity" in part else 1) * (2 if substitute else 1)
        if shift > _WIDEST:
            raise Refused(f"a sensitivity above {_WIDEST} is more work than a certificate may ask for")
        return (discrete_laplace if kind == "discrete-laplace" else discrete_gaussian)(positive(part, kind), shift, numbers)
    epsilon = number(part, kind)
    answers = whole(part, "answers") if "answers" in part else 2
    failure = number(part, "failure") if "failure" in part else Fraction(0)
    if epsilon < 0 or answers < 2 or not 0 <= failure <= 1:
        raise Refused(f"{kind} is out of its range")
    return randomized_response(epsilon, answers, failure, numbers)
