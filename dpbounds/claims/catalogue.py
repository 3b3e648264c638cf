"""Where the catalogue lies: claims, and the certificates that were found for them."""

from __future__ import annotations

from pathlib import Path

from dpbounds.reference import carried


def catalogue_folder() -> Path:
    """The catalogue of claims: `proofs/` of a clone, or the copy that the wheel carries."""
    return carried.folder("proofs")


def certificates_folder() -> Path:
    """Where the certificates of the catalogue are stored."""
    return catalogue_folder() / "certificates"
