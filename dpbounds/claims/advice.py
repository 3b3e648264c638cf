"""The next thing to try for a claim that stays UNDECIDED, chosen for this claim."""

from __future__ import annotations


def advised(claim, outcome):
    return outcome
