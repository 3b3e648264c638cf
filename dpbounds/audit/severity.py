"""How large a fault is, in words: a loss of digits and a factor of a million are not the same news."""

from __future__ import annotations

import re
from decimal import Decimal

_WORDS = ((1e-6, "lost digits"), (1e-2, "slightly wrong"), (1.0, "clearly wrong"), (1e3, "wrong by a factor"))
_IN_USE = Decimal("1e-14")
"""Nobody asks for a smaller δ, and sums in float64 cannot tell it from 0."""
_TIMES = re.compile(r"at least (1 \+ )?([0-9.e+-]+) times it")


def severity_of(excess: float) -> str:
    """Words for how far an answer is on the wrong side.

    Args:
        excess: relatively: 1 is twice the truth, or half of it; 0 where no size is certified.

    >>> severity_of(3e-9), severity_of(0.3), severity_of(2e6)
    ('lost digits', 'clearly wrong', 'wrong by orders of magnitude')
    """
    if excess <= 0:
        return "by how much is not certified"
    return next((words for most, words in _WORDS if excess < most), "wrong by orders of magnitude")


def unused_delta(quantity: str, answer: str, certified: str) -> str:
    """Words for a δ that is too small to matter, on both sides; "" for anything else.

    Args:
        quantity: what was asked for.
        answer: what was returned.
        certified: the certified interval, "lower ≤ delta(ε) ≤ upper".

    >>> unused_delta("delta", "1e-15", "2e-225 ≤ delta(8) ≤ 3e-225")
    'both numbers are below 1e-14'
    """
    if quantity != "delta" or not certified:
        return ""
    largest = max(Decimal(answer.split()[-1]), Decimal(certified.split()[-1]))
    return "both numbers are below 1e-14" if largest < _IN_USE else ""


def severity_in(side: str) -> str:
    """The words for a finding of a stored document, by its sentence "at least 1 + 3e-9 times it"; "" where it names no number.

    >>> severity_in("upper bound below the truth, which is at least 1 + 3e-9 times it")
    'lost digits'
    """
    found = _TIMES.search(side)
    return severity_of(float(found[2]) if found[1] else float(found[2]) - 1) if found else ""
