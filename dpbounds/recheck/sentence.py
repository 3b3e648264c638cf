"""What a certificate of a number shows, in one line."""

from __future__ import annotations

import json
from collections.abc import Mapping
from fractions import Fraction

from dpbounds.recheck.check import Found
from dpbounds.recheck.query import ARGUMENTS
from dpbounds.recheck.reading import entries


def decimal(value: Fraction, places: int, up: bool) -> str:
    """A number >= 0 with so many significant digits, rounded up or down."""
    if value == 0:
        return "0"
    bits = value.numerator.bit_length() - value.denominator.bit_length() + 1  # value < 2^bits, and log 2/log 10 lies in [0.3, 0.31]
    exponent = max(bits * 30, bits * 31) // 100 + 1
    while Fraction(10) ** exponent > value:
        exponent -= 1
    scaled = value * Fraction(10) ** (places - 1 - exponent)
    digits = str(-(-scaled.numerator // scaled.denominator) if up else scaled.numerator // scaled.denominator)
    exponent += len(digits) - places
    if -5 <= exponent < places:
        whole, point = ("0", "0" * (-exponent - 1) + digits) if exponent < 0 else (digits[: exponent + 1], digits[exponent + 1 :])
        return f"{whole}.{point}" if point else whole
    return f"{digits[0]}.{digits[1:]}e{exponent}"


def sentence(found: Found) -> str:
    """What a certificate shows, in one line."""
    query, places = found.asked, max(found.digits, 1) + 2
    parts = [dict(part) for part in entries(query, "mechanism") if isinstance(part, Mapping)]
    quantity = str(query["quantity"])
    ends = f"[{decimal(found.low, places, False)}, {decimal(found.high, places, True)}]"
    argument = ARGUMENTS[quantity]
    about = f"{argument} = {query[argument]}, relation {query['relation']}, direction {query['direction']}"
    samplings = {part.get("sampling") for part in parts} if query["guarantee"] == "mechanism" else set()
    note = (
        "; of a pair that dominates the mechanism, which may be lower if there are several uses"
        if "without-replacement" in samplings
        else ""
    )
    note = "; of a pair that dominates the mechanism, which may be lower" if "truncated-poisson" in samplings else note
    return f"{quantity} in {ends} at {about}, guarantee {query['guarantee']}, of {json.dumps(parts)}: {found.digits} digits{note}"
