"""The adapters that ship with dpbounds, one module for each package; none of the packages is needed until it is asked."""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil


def names() -> list[str]:
    """The targets of `dpbounds audit`."""
    return sorted(module.name for module in pkgutil.iter_modules(__path__))


def module_of(target: str) -> str:
    """The module of a shipped target; anything else is returned as it is.

    >>> module_of("my_adapter.py:Mine")
    'my_adapter.py:Mine'
    """
    plain = target.replace("-", "_").lower()
    return f"{__name__}.{plain}" if plain in names() else target


def shipped() -> str:
    """A table of the adapters: quantities and promises, the versions they were run with, whether the package is installed here."""
    from importlib import metadata

    rows = [("target", "accountant", "promises", "tested", "here")]
    for name in names():
        module = importlib.import_module(f"{__name__}.{name}")
        for adapter in module.ADAPTERS:
            promises = ", ".join(f"{quantity} {promise.side}" for quantity, promise in adapter.guarantee.items())
            try:
                here = metadata.version(adapter.package)
            except metadata.PackageNotFoundError:
                here = "not installed"
            rows.append((name, adapter.name, promises, " ".join(adapter.tested), here))
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    return "\n".join("  ".join([*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[4]]) for row in rows)
