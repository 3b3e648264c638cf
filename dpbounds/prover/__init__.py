"""Derivations: facts made by a small trusted kernel, and the formulas they end in.

`get(name)` builds one derivation of the catalogue, `recipes()` lists them, `derive(name, title, builder)` makes one's own.
The names here are loaded when they are first used, so that importing the package stays cheap.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dpbounds.prover.derivation import Derivation, Proof, Recipe, derive, get, recipe, recipes
    from dpbounds.prover.facts import Assumed, Fact

_HOMES = dict.fromkeys(("Derivation", "Proof", "Recipe", "derive", "get", "recipe", "recipes"), "derivation") | {
    "Assumed": "kernel",
    "Fact": "kernel",
}

__all__ = ["Assumed", "Derivation", "Fact", "Proof", "Recipe", "derive", "get", "recipe", "recipes"]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'dpbounds.prover' has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(f"dpbounds.prover.{_HOMES[name]}"), name)
