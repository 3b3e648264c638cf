"""Certified δ(ε) and ε(δ) of composed mechanisms, to any number of digits. A file is imported when a name of it is first used."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dpbounds.accounting.invert import epsilon, epsilon_at, epsilon_of
    from dpbounds.accounting.solve import delta, delta_at, delta_of
    from dpbounds.accounting.tradeoff import advantage, trade_off

__all__ = ["advantage", "delta", "delta_at", "delta_of", "epsilon", "epsilon_at", "epsilon_of", "trade_off"]

_FILES = {"delta": "solve", "epsilon": "invert", "trade": "tradeoff", "advantage": "tradeoff"}
"""Where a name lives, by its first word."""


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_FILES[name.partition('_')[0]]}"), name)
