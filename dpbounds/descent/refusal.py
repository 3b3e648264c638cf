"""What is said of a step that does not follow."""

from __future__ import annotations


class DescentRefused(Exception):
    """A step of a descent that does not follow, or that is too large."""


def need(condition: object, why: str) -> None:
    """Refuse unless the condition holds."""
    if not condition:
        raise DescentRefused(why)
