"""Where pictures are written, checked before the work that they show."""

from __future__ import annotations

from pathlib import Path

from dpbounds.errors import InputError, require

SUFFIXES = (".png", ".svg", ".pdf")


def require_writable(name: str) -> None:
    """Refuse a file name that no picture can be written to, before anything is computed.

    Raises:
        InputError: an unknown ending, or no such folder. MissingExtra: matplotlib is not installed.
    """
    path = Path(name)
    if path.suffix not in SUFFIXES:
        raise InputError(f"--plot must name a file that ends in {', '.join(SUFFIXES)}, got {name}")
    if not path.parent.is_dir() or path.is_dir():
        raise InputError(f"--plot: there is no folder {path.parent}; make it first")
    require("plots", "matplotlib", "numpy")
