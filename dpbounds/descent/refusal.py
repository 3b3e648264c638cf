"""What the checker says when a certificate does not establish its claim."""

from __future__ import annotations


class DescentRefused(Exception):
    """A step of a certificate that does not follow, or that is too large to check."""


def need(condition: object, why: str) -> None:
    """Refuse unless the condition holds."""
    if not condition:
        raise DescentRefused(why)
