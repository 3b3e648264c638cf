"""The derivations of the catalogue, by topic: each formula from its definition.

The proof checker accepts a document of each (`proofs/documents`); `dpbounds derive` checks it before it prints the steps.

`get(name)` builds one derivation, `recipes()` lists them unbuilt. A module of a topic registers its derivations with
`dpbounds.prover.derivation.recipe` and stands in `MODULES`, which fixes the order of the list.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from dpbounds.errors import InputError, did_you_mean
from dpbounds.prover.derivation import registered

if TYPE_CHECKING:
    from dpbounds.prover.derivation import Derivation, Recipe

MODULES = (
    "noise.gaussian", "noise.laplace", "noise.discrete", "noise.logistic", "sampling.subsampled", "averages.power_means",
    "conversion.constrained", "conversion.conversion", "conversion.legendre", "composition.zcdp", "composition.composition",
    "averages.averages", "conversion.groups", "conversion.order_limits", "conversion.approximate", "composition.bounded_loss",
    "noise.gaussian_noise", "sampling.moment_order", "averages.closer_pairs", "sampling.three_routes", "conversion.side_knowledge",
    "sampling.fixed_size", "sampling.reverse_sampling", "sampling.moment_growth", "sampling.directions", "composition.filters",
    "composition.bounded_range", "conversion.loss_distribution", "composition.advanced", "sampling.poisson_sum", "averages.stop_loss",
    "sampling.fixed_size_orders", "averages.comonotone", "sampling.moment_tail",
)  # fmt: skip


def recipes() -> tuple[Recipe, ...]:
    """Every derivation of the catalogue, unbuilt, in the order of `MODULES`."""
    for module in MODULES:
        importlib.import_module(f"dpbounds.theory.{module}")
    return tuple(registered().values())


def get(name: str) -> Derivation:
    """Build a derivation of the catalogue by name.

    Raises:
        InputError: no such name.
    """
    found = {recipe.name: recipe for recipe in recipes()}
    if name not in found:
        raise InputError(f"no derivation is called {name!r}; `dpbounds derive` lists the names{did_you_mean(name, found)}")
    return found[name]()
