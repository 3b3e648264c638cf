"""The entries of families in formulas, and their places."""

from __future__ import annotations

from collections.abc import Iterator

from dpbounds.kernel.terms import Term


def places_of(f: Term) -> list[Term]:
    """The arguments of families in a formula."""
    return list(dict.fromkeys(t.parts[0] for t in _families_in(f) if len(t.parts) == 1 and not t.parts[0].loose))


def entries_in(f: Term) -> list[Term]:
    """The entries of families in a formula, at places that are not bound."""
    return list(dict.fromkeys(t for t in _families_in(f) if not t.loose))


def _families_in(f: Term) -> Iterator[Term]:
    if f.tag == "f":
        yield f
    for part in f.parts:
        yield from _families_in(part)
