"""Where the data of the project lie: in a clone, or in the copy that the wheel carries."""

from __future__ import annotations

from pathlib import Path

FOLDERS = ("proofs", "statements", "audits")
"""The catalogue of claims, the printed guarantees, and the documents of audits of released accountants."""


def folder(name: str) -> Path:
    """A folder of `FOLDERS`.

    >>> folder("statements").is_dir()
    True
    """
    package = Path(__file__).resolve().parent.parent
    inside = package / f"_{name}"
    return inside if inside.is_dir() else package.parent / name
