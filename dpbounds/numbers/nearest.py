"""The name that was probably meant."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """The end of an error message: the known name that is nearest, or nothing.

    >>> did_you_mean("chek", ["check", "show"]), did_you_mean("zzz", ["check", "show"])
    ('; did you mean check?', '')
    """
    found = get_close_matches(name, list(known), n=1, cutoff=0.6)
    return f"; did you mean {found[0]}?" if found else ""
