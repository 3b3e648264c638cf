"""How a claim is to be settled: what `by=` may say."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from inspect import getdoc, signature
from typing import Any, Union

import sympy

from dpbounds.claims.statement.typed import point_to_sympy
from dpbounds.errors import ClaimError
from dpbounds.numbers import exact


@dataclass(frozen=True)
class Proof:
    """By a derivation whose conclusion is the claim.

    Args:
        derivation: the name of a derivation of `dpbounds derive`; or the steps, a function of `proof` that names each with
            `proof(name, fact)` and returns the last fact; or a function without arguments that builds a `Derivation`. It is built when
            the claim is checked.
    """

    derivation: str | Callable[..., Any]

    def __post_init__(self) -> None:
        if not isinstance(self.derivation, str) and not callable(self.derivation):
            raise ClaimError(
                f"Proof takes the name of a derivation or a function that builds one, as in Proof(lambda: d), got {self.derivation!r}"
            )

    @property
    def name(self) -> str | None:
        """The name of the derivation, None of one that is the claim file's own."""
        return self.derivation if isinstance(self.derivation, str) else getattr(self.derivation, "name", None)

    def build(self) -> Any:
        """Build the derivation now."""
        if callable(self.derivation):
            if not signature(self.derivation).parameters:
                return self.derivation()
            from dpbounds.prover import derive

            name = getattr(self.derivation, "__name__", "").strip("<>").replace("_", "-") or "steps"
            return derive(name, getdoc(self.derivation) or "Steps of the claim's file", self.derivation)
        from dpbounds.theory import get

        return get(self.derivation)


def _rules() -> Any:
    from dpbounds.prover import rules

    return rules


@dataclass(frozen=True)
class Citation:
    """A statement that is taken from the literature as a whole, and not checked.

    Args:
        text: author, year, title and place.
    """

    text: str

    def proof_of(self, claim: Any) -> Proof:
        """The proof of a claim whose only step is the citation."""
        return Proof(lambda proof: proof("cited", _rules().assume(claim.then, self.text, claim.given)))


@dataclass(frozen=True)
class Identity:
    """An equation whose two sides have one normal form."""

    def proof_of(self, claim: Any) -> Proof:
        """The proof of a claim whose only step compares the sides."""
        return Proof(lambda proof: proof("both sides", _rules().equality(*claim.then.args, claim.given)))


@dataclass(frozen=True)
class Boxes:
    """By branch and bound over a box with ball arithmetic.

    Args:
        budget: how many boxes may be examined; a verdict must not depend on the machine's speed.
        bits: working precision.
    """

    budget: int = 100_000
    bits: int = 80

    def __post_init__(self) -> None:
        _count("Boxes", "budget", self.budget)
        _count("Boxes", "bits", self.bits)


@dataclass(frozen=True)
class OrderRange:
    """By boxes of (1/σ, 1/log(1/(qσ))), for bounds of the sampled Gaussian on the orders 1 < α ≤ σ² log(1/(qσ)) + c.

    Args:
        budget: how many boxes may be examined.
        bits: working precision.
    """

    budget: int = 60_000
    bits: int = 80

    def __post_init__(self) -> None:
        _count("OrderRange", "budget", self.budget)
        _count("OrderRange", "bits", self.bits)


@dataclass(frozen=True)
class Counterexample:
    """By one exact point.

    Args:
        point: an exact number for each variable, a sequence of exact numbers for each family.
    """

    point: Mapping[Any, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if isinstance(self.point, Mapping):
            object.__setattr__(self, "point", point_to_sympy(self.point))
        if not isinstance(self.point, Mapping) or not all(isinstance(key, (sympy.Symbol, sympy.IndexedBase)) for key in self.point):
            raise ClaimError(f"Counterexample takes a value for each variable, as in Counterexample({{x: 2}}), got {self.point!r}")


@dataclass(frozen=True)
class Search:
    """By a counterexample that the tool finds itself.

    Args:
        tries: how many points may be evaluated.
        seed: of the random generator.
    """

    tries: int = 4000
    seed: int = 0

    def __post_init__(self) -> None:
        _count("Search", "tries", self.tries)


Plan = Union[Proof, Boxes, OrderRange, Counterexample, Search]


def _count(name: str, field_name: str, value: Any) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise ClaimError(f"{name}: {field_name} must be a whole number, at least 1, got {value!r}")


def symbols_of(point: Mapping[Any, Any]) -> dict[Any, Any]:
    """A point with its values as exact sympy numbers, families as tuples."""
    exact = {}
    for key, value in point.items():
        if isinstance(key, sympy.IndexedBase):
            exact[key] = tuple(_exact(entry) for entry in value)
        else:
            exact[key] = _exact(value)
    return exact


def _exact(value: Any) -> sympy.Expr:
    return exact.to_sympy(exact.number(value, "a coordinate of a point"))
