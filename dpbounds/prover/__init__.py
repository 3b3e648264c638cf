"""How derivations are written: facts made by rules, and derivations made of named facts.

`derive(name, title, builder)` makes a derivation of one's own; the catalogue's are in `dpbounds.theory`.
The names here are loaded when they are first used, so that importing the package stays cheap.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dpbounds.prover.derivation import Derivation, ProofSteps, Recipe, derive, recipe
    from dpbounds.prover.facts import Assumed, Fact

_HOMES = dict.fromkeys(("Derivation", "ProofSteps", "Recipe", "derive", "recipe"), "derivation") | {"Assumed": "facts", "Fact": "facts"}

__all__ = ["Assumed", "Derivation", "Fact", "ProofSteps", "Recipe", "derive", "recipe"]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'dpbounds.prover' has no attribute {name!r}")
    import importlib

    value = getattr(importlib.import_module(f"dpbounds.prover.{_HOMES[name]}"), name)
    globals()[name] = value
    return value
