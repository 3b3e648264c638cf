"""What holds for an object by its type: one look into a table in place of a chain of questions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

Entry = TypeVar("Entry")


def entry_for(table: Mapping[Any, Entry], thing: object) -> Entry | None:
    """The entry for the type of an object, or for the nearest of its bases that has one; None where none has.

    Args:
        table: types and what holds for their objects.

    >>> entry_for({int: "whole", object: "other"}, True), entry_for({int: "whole"}, "1")
    ('whole', None)
    """
    for kind in type(thing).__mro__:
        if kind in table:
            return table[kind]
    return None
