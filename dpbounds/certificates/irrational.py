"""Rational queries on both sides of one with irrational parameters."""

from __future__ import annotations

from typing import Any

from dpbounds.accounting.irrational import rational_ends
from dpbounds.numbers import exact
from dpbounds.recheck.irrational import MORE_PRIVATE, SMALLER

Document = dict[str, Any]
_SIGNS = {**MORE_PRIVATE, **SMALLER}


def rational_query(document: Document, bits: int, *, private: bool) -> Document:
    """The query with its irrational parameters rounded towards more privacy, or less; the checker compares them again."""
    rounded = {key: _rounded(key, value, bits, private) for key, value in document.items() if key != "mechanism"}
    parts = [{key: _rounded(key, value, bits, private) for key, value in part.items()} for part in document["mechanism"]]
    return rounded | {"mechanism": parts}


def _rounded(key: str, value: Any, bits: int, private: bool) -> Any:
    if key not in _SIGNS or not isinstance(value, str):
        return value
    low, high = rational_ends(exact.number(value, key), bits)
    return value if low == high else str(high if private == (_SIGNS[key] > 0) else low)
