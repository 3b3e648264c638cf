"""Check a certificate of a number: read what it asks, compute every bound again with its parameters, and say what was found.

    check(text) -> Found, or Refused

A certificate has a query, one piece of evidence for each direction (for ε, at both ends; for irrational parameters, for a rational query
on either side), the error terms that its writer states, and an enclosure. What is accepted is the enclosure found here. A stated term that
is smaller than the term found here, or a stated enclosure that excludes the one found here, is refused.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import NoReturn

from dpbounds.covers.intervals import Undefined
from dpbounds.recheck.atoms import Atoms
from dpbounds.recheck.bromwich import Use, bromwich, tail_bound, unlisted_mass
from dpbounds.recheck.convolution import Excess, totals
from dpbounds.recheck.grid import grid
from dpbounds.recheck.irrational import is_irrational, require_bound
from dpbounds.recheck.laplace_sum import laplace_sum
from dpbounds.recheck.noises import Laplace
from dpbounds.recheck.numbers import Numbers, Real, Refused, Together
from dpbounds.recheck.profiles import profile
from dpbounds.recheck.query import Query
from dpbounds.recheck.reading import entry, integer, number, only
from dpbounds.recheck.renyi import renyi

SCHEMA = "dpbounds-number/1"
_LONGEST = 200_000


@dataclass(frozen=True)
class Found:
    """The enclosure that the checker derived for what was asked."""

    asked: Mapping[str, object]
    low: Fraction
    high: Fraction

    @property
    def digits(self) -> int:
        """The largest d with high − low <= 10^{1−d}·high, 0 where there is none."""
        d = 0
        while d < 1000 and self.high > 0 and (self.high - self.low) * 10**d <= self.high:
            d += 1
        return d


def check(text: str, together: Together | None = None) -> Found:
    """The number that a certificate shows; those that are checked `together` share what they may ask for.

    Raises:
        Refused: why it shows none.
    """
    try:
        return _check(parsed(text), together or Together())
    except Undefined as reason:
        raise Refused(f"a bound has no value: {reason}") from None
    except Refused:
        raise
    except Exception as error:  # what anyone may have written fails in ways that cannot be listed
        raise Refused(f"a bound cannot be computed: {type(error).__name__}") from None


def _check(document: object, together: Together) -> Found:
    only(document, "schema", "query", "evidence", "enclosure", "writer")
    if entry(document, "schema") != SCHEMA:
        raise Refused(f"the schema is not {SCHEMA}")
    asked, evidence = entry(document, "query"), entry(document, "evidence")
    if not isinstance(asked, Mapping):
        raise Refused("the query must be an object")
    low, high = _between(asked, evidence, together) if is_irrational(asked) else _enclosure(Query.read(asked), evidence, together)
    stated = entry(document, "enclosure")
    only(stated, "lower", "upper")
    if number(stated, "lower") > high or number(stated, "upper") < low:
        raise Refused("the stated enclosure excludes what is found here")
    return Found(asked, max(low, Fraction(0)), high if asked["quantity"] != "delta" else min(high, Fraction(1)))


def _enclosure(query: Query, evidence: object, together: Together) -> tuple[Fraction, Fraction]:
    """Of a query with rational parameters."""
    if query.quantity == "epsilon":
        return _epsilon(query, evidence, together)
    return _largest(query, evidence, query.argument, together).bounds()


def _between(asked: Mapping[str, object], evidence: object, together: Together) -> tuple[Fraction, Fraction]:
    """At least what a more private query has, at most what a less private one has."""
    only(evidence, "bits", "lower", "upper")
    bits, found = integer(evidence, "bits"), []
    if not 20 <= bits <= 20_000:
        raise Refused("bits must lie between 20 and 20000")
    for key in ("lower", "upper"):
        end = entry(evidence, key)
        only(end, "query", "evidence")
        require_bound(asked, entry(end, "query"), key == "lower", Numbers(bits, together))
        found.append(_enclosure(Query.read(entry(end, "query")), entry(end, "evidence"), together))
    return found[0][0], found[1][1]


def _epsilon(query: Query, evidence: object, together: Together) -> tuple[Fraction, Fraction]:
    """δ does not rise with ε: δ(low) > δ shows ε >= low, δ(high) <= δ shows ε <= high."""
    only(evidence, "lower", "upper")
    ends = []
    for key in ("lower", "upper"):
        end = entry(evidence, key)
        only(end, "epsilon", "evidence")
        at = number(end, "epsilon")
        if at < 0:
            raise Refused("an end of epsilon must be >= 0")
        if at == 0 and key == "lower":
            ends.append(at)
            continue
        found = _largest(query, entry(end, "evidence"), at, together)
        shown = (-found).surely_below(-query.argument) if key == "lower" else found.surely_at_most(query.argument)
        if not shown:
            raise Refused(f"the {key} end of epsilon is not shown")
        ends.append(at)
    return ends[0], ends[1]


def _largest(query: Query, evidence: object, argument: Fraction, together: Together) -> Real:
    """The largest value over the directions that are asked for."""
    only(evidence, *query.directions())
    found: Real | None = None
    for direction in query.directions():
        value = value_of(query, direction, entry(evidence, direction), argument, together)[0]
        found = value if found is None else found.maximum(value)
    assert found is not None
    return found


def value_of(
    query: Query, direction: str, method: object, argument: Fraction, together: Together | None = None, writing: bool = False
) -> tuple[Real, dict[str, Real]]:
    """δ at ε, or D at α, of one direction by the method of a certificate, and the error terms, which a writer does not know yet."""
    if not isinstance(method, Mapping):
        raise Refused("a method must be an object")
    bits = integer(method, "bits")
    if not 20 <= bits <= 20_000:
        raise Refused("bits must lie between 20 and 20000")
    numbers = Numbers(bits, together)
    key = key_of([query.parts, query.relation, query.guarantee, direction, bits])
    uses = numbers.together.once(key, lambda: query.uses(direction, numbers))
    name = entry(method, "name")
    if query.quantity == "rdp":
        if name != "moments":
            raise Refused("a divergence needs the method moments")
        return renyi(uses, argument, method, numbers), {}
    found = _delta(uses, key, str(name), argument, method, numbers)
    if not writing:
        _compare(numbers.terms, method)
    return found, numbers.terms


def key_of(document: object) -> str:
    """The text by which parts of certificates are matched."""
    return json.dumps(document, sort_keys=True)


def _delta(uses: list[Use], uses_key: str, name: str, epsilon: Fraction, own: Mapping[str, object], numbers: Numbers) -> Real:
    if name == "bromwich":
        return bromwich(uses, epsilon, own, numbers)
    if name == "tail bound":
        return tail_bound(uses, epsilon, own, numbers)
    if name == "grid":
        return grid(uses, epsilon, own, numbers)
    only(own, "name", "bits", *(["units"] if name in ("convolution", "conditioning") else []))
    if name == "residues":
        noises = [(law.largest, steps) for law, steps in uses if isinstance(law, Laplace)]
        if len(noises) != len(uses):
            raise Refused("residues are for Laplace noise")
        return laplace_sum(noises, epsilon, numbers)
    if name == "closed form":
        return profile(uses, numbers.number(epsilon), numbers) if uses else numbers.number(0)
    if name == "beyond the largest loss":
        return _beyond(uses, epsilon, numbers)
    tables = [(law, steps) for law, steps in uses if isinstance(law, Atoms)]
    rest = [(law, steps) for law, steps in uses if not isinstance(law, Atoms)]
    if name == "convolution" and not rest:
        excess = numbers.together.once((uses_key, key_of(own)), lambda: Excess.of_losses(totals(tables, own, numbers), numbers))
        return excess.delta(epsilon, numbers) + unlisted_mass(uses, numbers)
    if name == "conditioning" and rest:
        rows = totals(tables, own, numbers)
        parts = [p * profile(rest, epsilon - loss.value(numbers), numbers) for p, loss in rows]
        return numbers.total(parts) + unlisted_mass(uses, numbers)
    raise Refused(f"the method {name!r} is not known for this mechanism")


def _beyond(uses: list[Use], epsilon: Fraction, numbers: Numbers) -> Real:
    """Where no finite loss exceeds ε, δ is the probability of an infinite one."""
    total = numbers.number(0)
    for law, steps in uses:
        loss = law.largest_loss(numbers)
        if loss is None:
            raise Refused("the losses have no upper bound")
        total = total + loss * steps
    if not total.surely_at_most(epsilon):
        raise Refused("a finite loss may exceed epsilon")
    return unlisted_mass(uses, numbers)


def _compare(terms: Mapping[str, Real], method: Mapping[str, object]) -> None:
    """Every term that was met is stated, and none is smaller than what was found."""
    stated = method.get("terms", {})
    only(stated, *terms)
    for name, value in terms.items():
        if not value.surely_at_most(number(stated, name)):
            raise Refused(f"the term {name!r} is larger than stated")


def parsed(text: str) -> object:
    """The JSON of a text of exact numbers, in which no object names a key twice.

    Raises:
        Refused: it is none.
    """
    if len(text) > _LONGEST:
        raise Refused("the certificate is too long")
    try:
        return json.loads(text, parse_float=_no_float, parse_constant=_no_float, object_pairs_hook=_once)
    except (ValueError, RecursionError):
        raise Refused("the certificate is not JSON with exact numbers") from None


def _no_float(text: str) -> NoReturn:
    raise ValueError("a number with a fraction must be text")


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    if len({name for name, _ in pairs}) < len(pairs):
        raise ValueError("a key appears twice")
    return dict(pairs)
