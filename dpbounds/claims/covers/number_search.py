"""Find certificates of the numbers that leaves of a cover, or a point, need; nothing that is found is believed."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from typing import Any

from dpbounds import accounting
from dpbounds.certificates.number import certificate_for
from dpbounds.covers.check import Leaf, check
from dpbounds.covers.cover import Cover
from dpbounds.covers.intervals import Undefined
from dpbounds.errors import DPBoundsError
from dpbounds.mechanisms.specs import spec_to_mechanism
from dpbounds.recheck.leaves import MOST_NUMBERS, MissingNumber, NumberLeaves, Question, key_of
from dpbounds.recheck.numbers import Refused
from dpbounds.renyi import renyi_divergence

_TRIALS = ((False, 2), (False, 4), (True, 6), (True, 14), (True, 30))
"""What is tried, one after the other: whether the least values are asked for too, and the digits. Few digits are checked soonest."""


def numbers_for(cover: Cover, seconds: float, has: Sequence[Mapping[str, Any]] = ()) -> list[Mapping[str, Any]]:
    """Certificates of numbers that show as many leaves of a cover as are found in some seconds of processor time.

    Args:
        cover: the cover.
        seconds: of processor time.
        has: certificates that are used where they will do.
    """
    end, leaves = time.process_time() + seconds, list[Leaf]()

    def note(leaf: Leaf) -> bool:
        leaves.append(leaf)
        return True

    check(cover, note)
    known = {key_of(found["query"]): (0, found) for found in has}
    kept: dict[str, Any] = {}
    judge = NumberLeaves(cover)
    for leaf in leaves:
        for both, digits in ((True, 0), *_TRIALS):
            if digits and time.process_time() > end:
                break
            found = _numbers(judge, leaf, both, digits, known)
            if found is None:
                continue
            if len(kept | found) > MOST_NUMBERS:
                break
            try:
                if NumberLeaves(cover, list(found.values())).holds(leaf):
                    kept |= found
                    break
            except Refused:  # a specification that the checker of numbers reads in another way
                break
    return list(kept.values())


def _numbers(judge: NumberLeaves, leaf: Leaf, both: bool, digits: int, known: dict[str, tuple[int, Any]]) -> dict[str, Any] | None:
    """Certificates of the numbers that a leaf needs; None where one has none. Without digits, those that are known; others become so."""
    found = {}
    try:
        for corners in judge.corners(leaf):
            for question in (corners.least, corners.most) if both else (corners.most,):
                key = key_of(question)
                if digits and (key not in known or known[key][0] < digits):
                    known[key] = digits, certificate_for_question(question, digits)
                if key in known:
                    found[key] = known[key][1]
    except (MissingNumber, Undefined, DPBoundsError):
        return None
    return found or None


def certificate_for_question(question: Question, digits: int) -> dict[str, Any]:
    """A certificate of a number that a leaf needs."""
    mechanism = spec_to_mechanism(list(question["mechanism"]))
    more = {key: question[key] for key in ("relation", "direction", "guarantee")}
    if question["quantity"] == "delta":
        result = accounting.delta(mechanism, question["epsilon"], digits=digits, **more)
    else:
        result = renyi_divergence(mechanism, question["alpha"], digits=digits, **more)
    found: dict[str, Any] = json.loads(certificate_for(dict(question), result.lower, result.upper, result.digits))
    return found
