"""What a list of lemmas is made of: true statements, each with a false twin close to it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import sympy

from dpbounds import notation
from dpbounds.notation import Claim


@dataclass(frozen=True)
class Lemma:
    """A true statement and a false one on the same domain.

    Attributes:
        true, twin: the claims.
    """

    true: Claim
    twin: Claim


def lemma(name: str, given: Iterable[Any], then: Any, twin: Any) -> Lemma:
    """A lemma from its premises, its conclusion and its false twin."""
    premises = tuple(given)
    return Lemma(Claim(id=name, text="", given=premises, then=then), Claim(id=f"{name}.twin", text="", given=premises, then=twin))


def density(z: Any) -> Any:
    """The density of the standard normal distribution at a term, or at an expression of sympy in a list that is written with sympy."""
    words = sympy if isinstance(z, sympy.Basic) else notation
    return words.exp(-(z**2) / 2) / words.sqrt(2 * words.pi)
