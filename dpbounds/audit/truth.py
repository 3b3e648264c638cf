"""The certified side of an audit, served by a worker like an accountant, so that a hard question can be given up.

Answers are intervals: the lower end is at most what the mechanism really has, the upper end at least that.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from dpbounds.audit.adapter import INTERVAL, Adapter, Spec
from dpbounds.audit.question import mechanism_of

DIGITS = 12
_DIRECTIONS = ("add", "remove")


class Truth(Adapter):
    """Certified δ and Rényi divergences, under the relation and to the digits that the first part names."""

    name = "truth"
    package = "dpbounds"
    guarantee = {"delta": INTERVAL, "rdp": INTERVAL}

    def delta(self, spec: Spec, epsilon: Any) -> Any:
        """δ at the rational ε, as decimals rounded outward.

        For batches of fixed size (`dpbounds.verify.sides` has the argument): under add-or-remove they are Poisson batches at half
        the noise, exactly. Under substitution that is the lower end, which data sets attain: all other records at −1, the
        differing one at ±1.
        """
        from dpbounds import accounting

        parts, relation, digits = _split(spec)
        level = Fraction(epsilon)
        if any("population" in part for part in parts):
            if len(parts) != 1 or relation in _DIRECTIONS:
                return None
            lower = upper = accounting.delta(_attained(parts[0]), level, digits=digits).enclosure
            if relation == "substitute":
                upper = accounting.delta(mechanism_of(parts), level, digits=digits, relation="substitute").enclosure
        else:
            lower = upper = accounting.delta(mechanism_of(parts), level, digits=digits, **_neighbours(relation)).enclosure
        return [lower.lower_decimal(DIGITS + 3), upper.upper_decimal(DIGITS + 3)]

    def rdp(self, spec: Spec, alpha: Any) -> Any:
        """The Rényi divergence at the rational order."""
        from dpbounds.renyi.solve import renyi_divergence

        parts, relation, digits = _split(spec)
        found = renyi_divergence(mechanism_of(parts), Fraction(alpha), digits=digits, **_neighbours(relation)).enclosure
        return [found.lower_decimal(DIGITS + 3), found.upper_decimal(DIGITS + 3)]


def _split(spec: Spec) -> tuple[list[dict[str, Any]], str, int]:
    parts: list[dict[str, Any]] = [dict(part) for part in spec]
    relation = str(parts[0].pop("relation", "add-or-remove"))
    digits = int(parts[0].pop("digits", DIGITS))
    if relation == "substitute" and all("table" in part for part in parts):
        relation = "add-or-remove"  # the two laws of a table are those of neighbours, whatever makes them neighbours
    return parts, relation, digits


def _neighbours(relation: str) -> dict[str, Any]:
    """The relation and the direction that a relation of an adapter names."""
    return {"direction": relation} if relation in _DIRECTIONS else {"relation": relation}


def _attained(part: Mapping[str, Any]) -> Any:
    from dpbounds.mechanisms import Gaussian, PoissonSampling, Repeated, Sampled

    rate = Fraction(int(part["batch-size"]), int(part["population"]))
    return Repeated(Sampled(Gaussian(Fraction(part["sigma"]) / 2), PoissonSampling(rate)), int(part.get("steps", 1)))


ADAPTERS = (Truth,)
