"""What is declared of a bound variable must follow from its range, or stand in the condition of its ForAll.

A declaration such as `positive("t")` is a premise where t is free. Under a binder nobody states it, so a range that lets t be negative
would make a formula say less than it seems to. `undeclared` finds those; `for_all` puts the declaration into the condition.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from dpbounds.logic.terms import Term, binder, conjuncts, facts_of, free_in, node, opened, substitute, variable


@dataclass(frozen=True)
class Between:
    """low ≤ value ≤ high, strictly where `above` or `below` says so; None where there is no bound."""

    low: Fraction | None = None
    high: Fraction | None = None
    above: bool = False
    below: bool = False

    def shows(self, fact: str) -> bool:
        """Whether every value between the bounds is as the fact says."""
        if fact == "positive":
            return self.low is not None and (self.low > 0 or (self.low == 0 and self.above))
        if fact == "nonnegative":
            return self.low is not None and self.low >= 0
        if fact == "negative":
            return self.high is not None and (self.high < 0 or (self.high == 0 and self.below))
        if fact == "nonpositive":
            return self.high is not None and self.high <= 0
        return fact == "nonzero" and (self.shows("positive") or self.shows("negative"))

    def negative(self) -> Between:
        """The bounds of −value."""
        low = None if self.high is None else -self.high
        return Between(low, None if self.low is None else -self.low, self.below, self.above)

    def both(self, other: Between) -> Between:
        """The tighter of two bounds at each end."""
        low, above = max((self.low, self.above), (other.low, other.above), key=lambda end: (end[0] is not None, end[0] or 0, end[1]))
        high, below = min((self.high, self.below), (other.high, other.below), key=lambda end: (end[0] is None, end[0] or 0, not end[1]))
        return Between(low, high, above, below)

    def whole(self) -> Between:
        """The bounds of an integer."""
        low = None if self.low is None else Fraction(math.floor(self.low) + 1 if self.above else math.ceil(self.low))
        high = None if self.high is None else Fraction(math.ceil(self.high) - 1 if self.below else math.floor(self.high))
        return Between(low, high)


_OF_FACTS = {
    "positive": Between(low=Fraction(0), above=True),
    "nonnegative": Between(low=Fraction(0)),
    "negative": Between(high=Fraction(0), below=True),
    "nonpositive": Between(high=Fraction(0)),
}
_VALUES = {
    "pi": Between(Fraction(3), Fraction(4), True, True),
    "E": Between(Fraction(2), Fraction(3), True, True),
    "exp": _OF_FACTS["positive"],
    "sqrt": _OF_FACTS["nonnegative"],
    "Abs": _OF_FACTS["nonnegative"],
}
Known = Mapping[Term, Between]


def bounds_of(t: Term, known: Known) -> Between:
    """Between of a number that declarations, premises and rational numbers show."""
    found = _bounds_of(t, known)
    found = found.both(known[t]) if t in known else found
    return found.whole() if t.sort == "Z" else found


def _bounds_of(t: Term, known: Known) -> Between:
    parts = [bounds_of(part, known) for part in t.parts] if t.tag in ("+", "neg", "*", "inv", "Max", "Min", "**") else []
    match t.tag:
        case "number":
            return Between(t.data[0], t.data[0])
        case "variable" | "apply":
            found = Between()
            for fact in t.data[2] if t.tag == "variable" else t.data[0].facts:
                found = found.both(_OF_FACTS.get(fact, Between()))
            return found
        case "neg" if parts:
            return parts[0].negative()
        case "+" if parts:
            return _sum(parts)
        case "*" if parts:
            return _product(parts)
        case "inv" if parts and parts[0].shows("positive"):
            return Between(Fraction(0), None, True)
        case "**" if parts and parts[0].shows("positive"):
            return Between(Fraction(0), None, True)
        case "Max" if parts:
            low = max((b for b in parts if b.low is not None), key=lambda b: (b.low or 0, b.above), default=Between())
            return Between(low.low, None, low.above)
        case "Min" if parts:
            high = min((b for b in parts if b.high is not None), key=lambda b: (b.high or 0, not b.below), default=Between())
            return Between(None, high.high, False, high.below)
    return _VALUES.get(t.tag, Between())


def _sum(parts: Iterable[Between]) -> Between:
    parts = list(parts)
    lows, highs = [b.low for b in parts], [b.high for b in parts]
    low = None if None in lows else sum((x for x in lows if x is not None), Fraction(0))
    high = None if None in highs else sum((x for x in highs if x is not None), Fraction(0))
    return Between(low, high, any(b.above for b in parts), any(b.below for b in parts))


def _product(parts: Iterable[Between]) -> Between:
    """Of numbers that are not negative, or with one that is not positive."""
    parts = list(parts)
    rest = [b for b in parts if b.shows("nonnegative")]
    negatives = [b for b in parts if not b.shows("nonnegative")]
    if len(negatives) == 1 and negatives[0].shows("nonpositive"):
        return _product([negatives[0].negative(), *rest]).negative()
    if negatives:
        return Between()
    low = math.prod((b.low or Fraction(0) for b in rest), start=Fraction(1))
    highs = [b.high for b in rest]
    high = None if None in highs else math.prod((x for x in highs if x is not None), start=Fraction(1))
    return Between(low, high, low == 0 and all(b.shows("positive") for b in rest))


def known_from(premises: Iterable[Term]) -> dict[Term, Between]:
    """What premises that compare a term with a number say."""
    found: dict[Term, Between] = {}
    for premise in (part for p in premises for part in conjuncts(p)):
        if premise.tag not in ("<", "<=", ">", ">=", "="):
            continue
        for (a, b), tag in ((premise.parts, premise.tag), (premise.parts[::-1], _TURNED.get(premise.tag, premise.tag))):
            if b.tag == "number" and a.tag != "number":
                q, strict = b.data[0], tag in ("<", ">")
                low = Between(low=q, above=strict) if tag in (">", ">=", "=") else Between()
                high = Between(high=q, below=strict) if tag in ("<", "<=", "=") else Between()
                found[a] = found.get(a, Between()).both(low).both(high)
    return found


_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}


def undeclared(t: Term, known: Known) -> Iterator[tuple[Term, str, str]]:
    """Bound variables of which more is declared than their range says: the variable, the fact, and the range."""
    if t.hint is None:
        for part in t.parts:
            yield from undeclared(part, known)
        return
    for part in t.parts[: t.inner]:
        yield from undeclared(part, known)
    x, inner = opened(t)
    plain = _fresh(x, known, inner)
    if t.tag == "Lambda":
        values, where = Between(), ""
    elif t.tag == "ForAll":
        values, where = known_from([inner[0]]).get(x, Between()), f"for all {x} with {inner[0]}"
    else:
        low, high = t.parts[:2]
        values, where = between(t.tag, low, high, x.sort, known), f"from {low} to {high}"
    values = values.whole() if x.sort == "Z" else values
    for fact in x.data[2]:
        if t.tag != "Lambda" and not values.shows(fact) and not (t.tag == "ForAll" and facts_of(x, [fact])[0] in conjuncts(inner[0])):
            yield x, fact, where
    for part in inner:
        yield from undeclared(substitute(part, {x: plain}), {**known, plain: values})


def _fresh(x: Term, known: Known, parts: Iterable[Term]) -> Term:
    """A variable of which nothing is declared, with a name that neither the parts nor any range around them has."""
    taken = {free.data[0] for free in free_in((*parts, *known)) if isinstance(free, Term)}
    name = f"{x.data[0]} "
    while name in taken:
        name += " "
    return variable(name, x.sort)


def between(tag: str, low: Term, high: Term, sort: str, known: Known) -> Between:
    """The values of a variable that runs from low to high: over integers with both ends, or inside an interval."""
    first, last = bounds_of(low, known), bounds_of(high, known)
    if sort == "Z":
        return Between(first.low, last.high, first.above, last.below)
    if tag in ("Supremum", "Infimum"):
        return Between(first.low, last.high, True, True)
    # An integral may run backwards, unless an end is infinite.
    lows, highs = (first.low, last.low), (first.high, last.high)
    bottom = first.low if high.tag == "oo" else None if None in lows else min(x for x in lows if x is not None)
    top = last.high if low == node("neg", node("oo")) else None if None in highs else max(x for x in highs if x is not None)
    return Between(bottom, top, True, True)


def is_declared(condition: Term, x: Term) -> bool:
    """Whether a condition compares x with a number, and what is declared of x says as much."""
    own = bounds_of(x, {})
    said = known_from([condition]).get(x)
    return condition in facts_of(x, x.data[2]) or (said is not None and condition.tag != "=" and own.both(said) == own)


def for_all(x: Term, condition: Term, body: Term) -> Term:
    """For every x that satisfies the condition and what x is declared to be: what the condition does not say of it is added."""
    asked = conjuncts(condition)
    values = known_from(asked).get(x, Between())
    values = values.whole() if x.sort == "Z" else values
    said = [f for fact, f in zip(x.data[2], facts_of(x, x.data[2]), strict=True) if f not in asked and not values.shows(fact)]
    whole = [*said, *asked]
    return binder("ForAll", x, (), node("And", *whole) if len(whole) > 1 else whole[0] if whole else node("true"), body)
