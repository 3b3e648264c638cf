"""What a certificate speaks about: the mechanism, and the products of pairs of distributions that decide its privacy.

The pairs are those of the literature: Gaussian and Laplace noise of sensitivity 1 (2 under substitution); Poisson sampling mixes P with
Q (Zhu, Dong & Wang 2022); (ε, δ)-events are randomized response with a failure (Kairouz, Oh & Viswanath 2017). Of batches that are cut
at a limit the pair dominates a step, by joint convexity: docs/error-bounds.md, "Truncated batches".
"""

from __future__ import annotations

import importlib
import math
import os
import pkgutil
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dpbounds.recheck.atoms import Atoms, discrete_gaussian, discrete_laplace, randomized_response, table
from dpbounds.recheck.bromwich import Law, Use
from dpbounds.recheck.fixed_size import FixedSize
from dpbounds.recheck.gaussian_mixture import GaussianMixture
from dpbounds.recheck.noises import Gaussian, Laplace, SampledLaplace
from dpbounds.recheck.numbers import Numbers, Refused
from dpbounds.recheck.reading import entries, entry, exact, number, only, positive, whole
from dpbounds.recheck.truncated_batch import truncated_batch

ARGUMENTS = {"delta": "epsilon", "epsilon": "delta", "rdp": "alpha"}
_NOISES = (
    "sigma",
    "laplace-scale",
    "randomized-response",
    "epsilon-delta",
    "discrete-laplace",
    "discrete-gaussian",
    "mixture-of-gaussians",
    "table",
)
_FILES = {found.name.replace("_", "-"): found.name for found in pkgutil.iter_modules([os.path.join(os.path.dirname(__file__), "noise")])}
"""Noises with a file of their own, by their names."""
_FIXED = ("population", "batch-size")
_SAMPLINGS = {
    "none": (),
    "poisson": ("q", "group"),
    "truncated-poisson": ("q", "population", "batch-limit"),
    "without-replacement": _FIXED,
    "with-replacement": _FIXED,
}
_OWN = {
    "mixture-of-gaussians": ("centres", "weights"),
    "randomized-response": ("answers",),
    "epsilon-delta": ("failure",),
    "discrete-laplace": ("sensitivity",),
    "discrete-gaussian": ("sensitivity",),
}
"""What else a part may say, for each sampling and each noise."""

_MOST_PARTS = 100
_FURTHEST = 200
"""Units that a query may move by."""

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
        if len(parts) > _MOST_PARTS:
            raise Refused(f"a mechanism of more than {_MOST_PARTS} parts is more work than a certificate may ask for")
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
    kinds = [kind for kind in (*_NOISES, *_FILES) if kind in part]
    if len(kinds) != 1:
        raise Refused("a part of a mechanism must name one noise")
    kind, sampling = kinds[0], part.get("sampling", "none")
    if not isinstance(sampling, str) or sampling not in _SAMPLINGS:
        raise Refused(f"{sampling} sampling is not known here")
    only(part, kind, "sampling", "steps", *_SAMPLINGS[sampling], *(_file(kind).OWN if kind in _FILES else _OWN.get(kind, ())))
    if sampling in ("without-replacement", "with-replacement"):
        if not (substitute and kind == "sigma"):
            raise Refused(f"{sampling} sampling is for Gaussian noise under substitution")
        return _fixed_batch(sampling, whole(part, "batch-size"), whole(part, "population"), positive(part, "sigma"), guarantee)
    rate = number(part, "q") if sampling in ("poisson", "truncated-poisson") else Fraction(1)
    if not 0 <= rate <= 1:
        raise Refused("a sampling rate must lie in [0, 1]")
    if rate == 0:
        _law({**part, "q": "1"}, substitute, guarantee, numbers)  # nothing is shown, by noise that there must be
        return None
    if sampling == "truncated-poisson":
        if substitute or kind != "sigma":
            raise Refused("truncated batches are for Gaussian noise under add-or-remove")
        population, limit = whole(part, "population"), whole(part, "batch-limit")
        if limit < population and rate == 1:
            raise Refused("truncated batches need a rate below 1")
        if limit < population:
            return truncated_batch(rate, positive(part, "sigma"), population, limit, numbers)
    if kind == "mixture-of-gaussians" or "group" in part:
        if substitute or kind not in ("mixture-of-gaussians", "sigma"):
            raise Refused("mixtures and groups are for Gaussian noise under add-or-remove")
        return _moves(part, kind, rate)
    if kind == "sigma":
        sigma = positive(part, "sigma")
        if rate < 1:
            return GaussianMixture((1 - rate, rate), sigma, numerator=True, denominator=substitute)
        return Gaussian((4 if substitute else 1) / sigma**2)
    if substitute and (rate < 1 or kind == "table"):
        raise Refused(f"{kind} has no pair under substitution here, sampled or not")
    if kind == "laplace-scale":
        largest = (2 if substitute else 1) / positive(part, "laplace-scale")
        return Laplace(largest) if rate == 1 else SampledLaplace(largest, rate, reversed=False)
    law = _atoms(part, kind, substitute, numbers)
    return law if rate == 1 else law.sampled(rate, numbers)


def _fixed_batch(sampling: str, batch: int, population: int, sigma: Fraction, guarantee: str) -> Law | None:
    """A batch of fixed size; only without replacement is there a pair that bounds the mechanism, others are published pairs."""
    if batch > population and sampling == "without-replacement":
        raise Refused("a batch without replacement is at most the population")
    if sampling == "without-replacement":
        if batch == population:
            return Gaussian(4 / sigma**2)
        if guarantee == "mechanism":
            return FixedSize(Fraction(batch, population), sigma)
        return GaussianMixture((1 - Fraction(batch, population), Fraction(batch, population)), sigma, numerator=True, denominator=True)
    if guarantee != "pair":
        raise Refused("with-replacement sampling has a certificate for the guarantee pair alone")
    return _mixture(dict(enumerate(_binomial(batch, Fraction(1, population)))), sigma, substitute=True)


def _binomial(count: int, q: Fraction) -> list[Fraction]:
    if count > _FURTHEST:
        raise Refused(f"a query that moves by more than {_FURTHEST} units is more work than a certificate may ask for")
    return [math.comb(count, hits) * q**hits * (1 - q) ** (count - hits) for hits in range(count + 1)]


def _moves(part: Mapping[str, object], kind: str, rate: Fraction) -> Law | None:
    """A query that moves by random multiples of one unit; of a group of records every subset may be drawn."""
    if "group" in part:
        if kind != "sigma" or part.get("sampling") != "poisson":
            raise Refused("a group is for Poisson-sampled Gaussian noise")
        return _mixture(dict(enumerate(_binomial(whole(part, "group"), rate))), positive(part, "sigma"), substitute=False)
    centres, weights = ([exact(value, key) for value in entries(part, key)] for key in ("centres", "weights"))
    if len(centres) != len(weights) or not centres or min(centres) < 0 or min(weights) < 0 or sum(weights) != 1:
        raise Refused("a mixture needs centres >= 0, and as many probabilities that sum to 1")
    masses = {Fraction(0): 1 - rate}
    for centre, weight in zip(centres, weights, strict=True):
        masses[centre] = masses.get(centre, Fraction(0)) + rate * weight
    masses = {centre: weight for centre, weight in masses.items() if weight}
    over = math.lcm(*(centre.denominator for centre in masses))
    unit = Fraction(math.gcd(*(int(centre * over) for centre in masses)) or 1, over)
    return _mixture({int(centre / unit): weight for centre, weight in masses.items()}, positive(part, kind) / unit, substitute=False)


def _mixture(masses: Mapping[int, Fraction], sigma: Fraction, substitute: bool) -> Law | None:
    """Σ w_ℓ·N(ℓ, σ²) against N(0, σ²), or its mirror image; one place is plain noise, or nothing."""
    furthest = max(hits for hits, weight in masses.items() if weight)
    if furthest > _FURTHEST:
        raise Refused(f"a query that moves by more than {_FURTHEST} units is more work than a certificate may ask for")
    if furthest == 0:
        return None
    if masses[furthest] == 1:
        return Gaussian((4 if substitute else 1) * furthest**2 / sigma**2)
    return GaussianMixture(tuple(masses.get(hits, Fraction(0)) for hits in range(furthest + 1)), sigma, True, substitute)


def _file(kind: str) -> Any:
    return importlib.import_module(f"dpbounds.recheck.noise.{_FILES[kind]}")


def _atoms(part: Mapping[str, object], kind: str, substitute: bool, numbers: Numbers) -> Atoms:
    if kind in _FILES:
        return _file(kind).atoms(part, substitute, numbers)  # type: ignore[no-any-return]
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
