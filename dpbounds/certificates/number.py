"""The certificate of a δ, an ε or a Rényi divergence."""

from __future__ import annotations

import contextlib
import json
import math
from collections.abc import Iterator
from fractions import Fraction

from dpbounds import __version__
from dpbounds.certificates.irrational import rational_query
from dpbounds.certificates.plans import Document, bits_beyond, factor_of, grids, methods, moment_rule, tail_bounds
from dpbounds.covers.intervals import Undefined
from dpbounds.errors import InputError, PrecisionError
from dpbounds.mechanisms import Direction
from dpbounds.mechanisms.mechanism import no_certificate
from dpbounds.mechanisms.results import PrivacyResult
from dpbounds.mechanisms.specs import mechanism_to_spec
from dpbounds.numbers import exact
from dpbounds.numbers.balls import BITS_PER_DIGIT, bits_for, precision
from dpbounds.recheck.check import SCHEMA, value_of
from dpbounds.recheck.irrational import is_irrational
from dpbounds.recheck.numbers import Numbers, Real, Refused
from dpbounds.recheck.query import ARGUMENTS, Query

_ROUNDS = 4
"""How often more bits and longer sums are tried."""
_FEWEST, _ENOUGH = 2, 5
"""Digits that a grid of losses must show, and digits that are enough where it shows fewer than were asked for."""


def certificate_of(result: PrivacyResult) -> str:
    """A certificate for a result, as JSON text; see `dpbounds.recheck.check`.

    Args:
        result: of `accounting.delta`, `accounting.epsilon` or `renyi.renyi_divergence`.

    Raises:
        InputError: a mechanism, sampling or relation without a certificate, or an irrational number where none may be.
        PrecisionError: the checker cannot reach the digits of the result.

    >>> from dpbounds import accounting, recheck
    >>> from dpbounds.mechanisms import Gaussian
    >>> from dpbounds.recheck.check import check
    >>> check(certificate_of(accounting.delta(Gaussian(1), 1))).digits >= 15
    True
    """
    if reason := no_certificate(result.mechanism):
        raise InputError(f"no certificate: {reason}")
    return certificate_for(_query(result), result.lower, result.upper, result.digits)


def certificate_for(document: Document, lower: str, upper: str, digits: int) -> str:
    """A certificate for a query, as the checker reads it, of which an enclosure is known.

    Args:
        document: the query, as `recheck.query.Query.read` reads it.
        lower, upper: decimals; what is certified must have something in common with them.
        digits: what the checker must reach.

    Raises:
        InputError, PrecisionError: as in `certificate_of`.
    """
    if upper == "inf":
        raise InputError("no certificate: the value is infinite")
    try:
        build = _between if is_irrational(document) else _evidence
        evidence = build(document, Fraction(lower), Fraction(upper), digits)
    except Refused as reason:
        raise InputError(f"no certificate: {reason}") from None
    body = {
        "schema": SCHEMA,
        "writer": f"dpbounds {__version__}",
        "query": document,
        "enclosure": {"lower": _plain(lower), "upper": _plain(upper)},
        "evidence": evidence,
    }
    return json.dumps(body, ensure_ascii=False, indent=1) + "\n"


def _evidence(document: Document, low: Fraction, high: Fraction, digits: int) -> Document:
    """Of a query with rational parameters, about which so much is known."""
    query = Query.read(document)
    return _ends(query, low, high, digits) if query.quantity == "epsilon" else _directions(query, query.argument, digits, high)


def _between(document: Document, low: Fraction, high: Fraction, digits: int) -> Document:
    """Evidence for two rational queries that are so close that the digits are left."""
    bits = bits_for(digits, 60)
    found: Document = {"bits": 2 * bits}
    for key in ("lower", "upper"):
        side = rational_query(document, bits, private=key == "lower")
        found[key] = {"query": side, "evidence": _evidence(side, low, high, digits + 1)}
    return found


def _plain(text: str) -> str:
    return text.replace("e+", "e")


def _query(result: PrivacyResult) -> Document:
    argument = result.argument[1]
    return {
        "quantity": result.quantity,
        ARGUMENTS[result.quantity]: str(argument) if isinstance(argument, Fraction) else exact.text(argument),
        "mechanism": mechanism_to_spec(result.mechanism),
        "relation": result.relation.value,
        "direction": result.direction.value if result.relation.value == "add-or-remove" else Direction.SYMMETRIC.value,
        "guarantee": result.guarantee.value,
    }


def _directions(query: Query, argument: Fraction, digits: int, size: Fraction) -> Document:
    """Evidence for each direction; where one is surely smaller, a bound on it will do. `size` is about what is to be shown."""
    found: Document = {}
    reasons = []
    largest: Real | None = None
    for direction in query.directions():
        try:
            costly = any(method["name"] in ("bromwich", "grid") for method in found.values())
            small = None if largest is None or not costly else _small(query, direction, argument, largest)
            if small is not None:
                found[direction] = small
                continue
            found[direction], value = _method(query, direction, argument, digits, largest, size)
        except PrecisionError as failure:
            reasons.append((direction, failure))
            continue
        largest = value if largest is None else largest.maximum(value)
    for direction, reason in reasons:
        method = None if largest is None else _small(query, direction, argument, largest)
        if method is None:
            raise reason
        found[direction] = method
    return found


def _small(query: Query, direction: str, argument: Fraction, largest: Real) -> Document | None:
    """A bound that shows that a direction is at most another one."""
    if query.quantity == "rdp":
        return None
    for method in tail_bounds(query.uses(direction, Numbers(160)), argument):
        with contextlib.suppress(Refused, Undefined):
            if value_of(query, direction, method, argument, writing=True)[0].surely_at_most(largest):
                return method
    return None


def _method(query: Query, direction: str, argument: Fraction, digits: int, largest: Real | None, size: Fraction) -> tuple[Document, Real]:
    """The first method with which the checker finds the digits, and what it finds; `largest` of other directions makes a bound enough."""
    best, wanted = 0, digits
    failure: PrecisionError | None = None
    for _ in range(_ROUNDS):
        try:
            for method in _candidates(query, direction, argument, wanted):
                try:
                    found, terms = value_of(query, direction, method, argument, writing=True)
                    reached = _digits(found)
                except (Refused, Undefined):
                    continue
                best = max(best, reached)
                if reached >= digits:
                    if terms:
                        method["terms"] = {name: _above(value) for name, value in terms.items()}
                    return method, found
        except PrecisionError as reason:  # the last of the methods has no plan
            failure = failure or reason
        if best == 0 and largest is not None and (small := _small(query, direction, argument, largest)) is not None:
            return small, largest
        wanted = wanted + digits + 5 - best if best else 3 * wanted
    if query.quantity != "rdp" and (grid := _grid(query, direction, argument, digits, size, largest)) is not None:
        return grid
    raise failure or PrecisionError(f"no certificate: the checker reaches {best} of {digits} digits; ask for fewer")


def _grid(
    query: Query, direction: str, argument: Fraction, digits: int, size: Fraction, largest: Real | None
) -> tuple[Document, Real] | None:
    """The first grid of losses that shows the digits, else the best one: it shows a few, and what it shows is all that is claimed."""
    best: tuple[Document, Real] | None = None
    for method in grids(query.uses(direction, Numbers(160)), argument, size):
        with contextlib.suppress(Refused, Undefined):
            found, terms = value_of(query, direction, method, argument, writing=True)
            if _digits(found) >= _FEWEST:
                method["terms"] = {name: _above(value) for name, value in terms.items()}
                best = method, found
                if _digits(found) >= min(digits, _ENOUGH) or (largest is not None and found.surely_at_most(largest)):
                    break
    return best


def _candidates(query: Query, direction: str, argument: Fraction, digits: int) -> Iterator[Document]:
    uses = query.uses(direction, Numbers(160))
    if query.quantity != "rdp":
        yield from methods(uses, argument, digits)
        return
    x = argument - 1
    with precision(64):
        logs = [factor_of(law, 1).approx_log_moments(float(x))[0] for law, _ in uses]
    rules = [moment_rule(law, float(x), digits, log) for (law, _), log in zip(uses, logs, strict=True)]
    yield {
        "name": "moments",
        "bits": int((digits + 12 + max(0.0, -math.log10(max(*logs, 1e-300)))) * BITS_PER_DIGIT)
        + max((bits_beyond(law, x) for law, _ in uses), default=0),
        "moments": rules,
    }


def _digits(found: Real) -> int:
    low, high = found.bounds()
    if high <= 0:
        return 10_000
    d = 0
    while d < 10_000 and (high - low) * 10**d <= high:
        d += 1
    return d


_LEAST = -9990
"""Below this power of ten a bound is written as a larger one."""


def _above(value: Real) -> str:
    """A little more than a bound, as a short decimal."""
    high = value.bounds()[1]
    if high == 0:
        return "0"
    exponent = math.floor((high.numerator.bit_length() - high.denominator.bit_length()) * math.log10(2))
    if exponent < _LEAST:  # exponents are read up to four digits
        return f"1e{_LEAST + 9}"
    scaled = high / Fraction(10) ** (exponent - 3)
    return f"{-(-scaled.numerator // scaled.denominator) + 1}e{exponent - 3}"


def _ends(query: Query, low: Fraction, high: Fraction, digits: int) -> Document:
    """Ends a little outside what was found, so that δ there lies clearly on its side; farther outside where only a grid is left."""
    for wanted in (digits, *(n for n in (4, 3, 2) if n < digits)):
        margin = high / Fraction(10) ** (wanted + 1) * (1 if wanted == digits else 3)
        ends: Document = {}
        try:
            for key, at in (("lower", max(Fraction(0), low - margin)), ("upper", high + margin)):
                at = Fraction(exact.text(at)) if at else at
                ends[key] = {"epsilon": str(at), "evidence": {} if at == 0 and key == "lower" else _side(query, at, key == "lower", wanted)}
            return ends
        except PrecisionError as reason:
            failure = reason
    raise failure


def _side(query: Query, at: Fraction, lower: bool, digits: int) -> Document:
    """Evidence at one end of ε, to as many digits as show on which side of the given δ it lies."""
    for more in (3, 8, 20):
        evidence = _directions(query, at, digits + more, query.argument)
        values = [value_of(query, direction, evidence[direction], at)[0] for direction in query.directions()]
        if lower and any((-value).surely_below(-query.argument) for value in values):
            return evidence
        if not lower and all(value.surely_at_most(query.argument) for value in values):
            return evidence
        if any(method["name"] == "grid" for method in evidence.values()):
            break
    raise PrecisionError("no certificate: an end of epsilon is not decided; ask for fewer digits")
