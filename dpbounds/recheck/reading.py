"""How the entries of a certificate are read: exact numbers as text, integers, and nothing that is not expected."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction

from dpbounds.recheck.numbers import Refused

_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?(e-?[0-9]{1,4})?(/[0-9]+)?", re.ASCII)
_LONGEST = 2_000


def entry(document: object, key: str) -> object:
    """One entry of an object."""
    if not isinstance(document, Mapping) or key not in document:
        raise Refused(f"the entry {key!r} is missing")
    return document[key]


def entries(document: object, key: str) -> list[object]:
    """A list."""
    found = entry(document, key)
    if not isinstance(found, list):
        raise Refused(f"the entry {key!r} must be a list")
    return found


def only(document: object, *keys: str) -> None:
    """Refuse entries that nothing reads: they could change what is meant."""
    if not isinstance(document, Mapping):
        raise Refused("an object is expected")
    for key in document:
        if key not in keys:
            raise Refused(f"the entry {key!r} is not known here")


def exact(value: object, name: str) -> Fraction:
    """A number written as an integer, a decimal or a fraction."""
    if isinstance(value, int) and not isinstance(value, bool):
        return Fraction(value)
    if not isinstance(value, str) or len(value) > _LONGEST or not _NUMBER.fullmatch(value):
        raise Refused(f"{name!r} must be a rational number, written exactly as text")
    top, _, below = value.partition("/")
    if below and int(below) == 0:
        raise Refused(f"{name!r} divides by 0")
    return Fraction(top) / (int(below) if below else 1)


def is_rational(text: str) -> bool:
    """Whether a text is an integer, a decimal or a fraction."""
    return bool(_NUMBER.fullmatch(text))


def number(document: object, key: str) -> Fraction:
    """A rational number."""
    return exact(entry(document, key), key)


def positive(document: object, key: str) -> Fraction:
    """A rational number > 0."""
    found = number(document, key)
    if found <= 0:
        raise Refused(f"{key!r} must be > 0")
    return found


def integer(document: object, key: str) -> int:
    """A whole number, as a JSON number."""
    found = entry(document, key)
    if not isinstance(found, int) or isinstance(found, bool):
        raise Refused(f"{key!r} must be an integer")
    return found


def whole(document: object, key: str) -> int:
    """A whole number >= 1."""
    found = integer(document, key)
    if found < 1:
        raise Refused(f"{key!r} must be at least 1")
    return found
