"""Equality of terms by polynomial arithmetic over ℚ: each term is a sum of monomials in named atoms, with rational exponents.

Atoms are variables, exp of one monomial, sums under a root or in a denominator, and any other function of parts in this form. Laws used:
those of a field; e^{a+b} = e^a·e^b; (e^m)^c = e^{cm}; log e^a = a; e^{c·log a} = a^c; a^r·a^s = a^{r+s}. Each of them holds wherever both
terms have a value, and that is judged elsewhere. Terms that this does not bring to one form may still be equal.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from dpbounds.covers.terms import Term, value_of

Monomial = frozenset[tuple[Any, Fraction]]
Polynomial = dict[Monomial, Fraction]
_MOST_TERMS = 600
_MOST_DEGREE = 200
ONE: Monomial = frozenset()


class TooLarge(Exception):
    """A form that would have too many terms."""


def key_of(a: Polynomial) -> Any:
    """A name for a form as part of an atom."""
    return frozenset(a.items())


def _number(value: Fraction) -> Polynomial:
    return {ONE: value} if value else {}


def _atom(name: Any, exponent: Fraction = Fraction(1)) -> Polynomial:
    return {frozenset(((name, exponent),)): Fraction(1)}


def _joined(m: Monomial, n: Monomial) -> Monomial:
    if not m or not n:
        return m or n
    exponents = dict(m)
    for atom, e in n:
        exponents[atom] = exponents.get(atom, Fraction(0)) + e
    return frozenset((atom, e) for atom, e in exponents.items() if e)


def _kept(a: Polynomial) -> Polynomial:
    result = {m: c for m, c in a.items() if c}
    if len(result) > _MOST_TERMS:
        raise TooLarge
    return result


def _plus(a: Polynomial, b: Polynomial) -> Polynomial:
    result = dict(a)
    for m, c in b.items():
        result[m] = result.get(m, Fraction(0)) + c
    return _kept(result)


def _times(a: Polynomial, b: Polynomial) -> Polynomial:
    if len(a) * len(b) > 20 * _MOST_TERMS:
        raise TooLarge
    result: Polynomial = {}
    for m, p in a.items():
        for n, q in b.items():
            both = _joined(m, n)
            result[both] = result.get(both, Fraction(0)) + p * q
    return _expanded(_kept(result))


def _expanded(a: Polynomial) -> Polynomial:
    """Whole positive powers of sums are written out."""
    if not any(atom[0] == "sum" and e >= 1 for m in a for atom, e in m):
        return a
    total: Polynomial = {}
    for m, c in a.items():
        part: Polynomial = {frozenset((x, e) for x, e in m if x[0] != "sum" or e < 1): c}
        for x, e in m:
            if x[0] == "sum" and e >= 1:
                n = int(e)
                part = _times(part, _whole_power(dict(x[1]), n))
                if e != n:
                    part = _times(part, _atom(x, e - n))
        total = _plus(total, part)
    return total


def _cleared(a: Polynomial) -> Polynomial:
    """The form times the powers of sums that its denominators hold: 0 exactly where the form is, as what is divided by is not 0."""
    lowest: dict[Any, Fraction] = {}
    for m in a:
        for x, e in m:
            if x[0] == "sum" and e < 0:
                lowest[x] = min(lowest.get(x, e), e)
    if not lowest:
        return a
    total: Polynomial = {}
    for m, c in a.items():
        exponents = dict(m)
        for x, e in lowest.items():
            exponents[x] = exponents.get(x, Fraction(0)) - e
        total = _plus(total, _expanded({frozenset((x, e) for x, e in exponents.items() if e): c}))
    return _cleared(total)


def _whole_power(a: Polynomial, n: int) -> Polynomial:
    if abs(n) > _MOST_DEGREE:
        raise TooLarge
    if n < 0:
        return _whole_power(_inverse(a), -n)
    result = _number(Fraction(1))
    for _ in range(n):
        result = _times(result, a)
    return result


def _inverse(a: Polynomial) -> Polynomial:
    if not a:
        raise TooLarge  # 1/0 has no form
    if len(a) == 1:
        ((m, c),) = a.items()
        return _expanded({frozenset((atom, -e) for atom, e in m): 1 / c})
    lead = a[min(a, key=_order)]
    return {frozenset(((("sum", key_of({m: c / lead for m, c in a.items()})), Fraction(-1)),)): 1 / lead}


def _real_power(a: Polynomial, exponent: Fraction) -> Polynomial:
    """a^exponent where a >= 0; only a single atom, a product of exponentials, or the whole has a root of its own."""
    if exponent.denominator == 1:
        return _whole_power(a, int(exponent))
    if len(a) == 1:
        ((m, c),) = a.items()
        if c == 1 and (all(atom[0] == "exp" for atom, _ in m) or (len(m) == 1 and all(e == 1 for _, e in m))):
            return {frozenset((atom, e * exponent) for atom, e in m): Fraction(1)}
    return _expanded(_atom(("sum", key_of(a)), exponent))


def _exponential(a: Polynomial) -> Polynomial:
    result = _number(Fraction(1))
    for m, c in a.items():
        ((name, e),) = m if len(m) == 1 else ((("", None), Fraction(0)),)
        if name[0] == "log" and e == 1:
            result = _times(result, _real_power(dict(name[1] or ()), c))
        else:
            result = _times(result, _atom(("exp", m), c))
    return result


def _logarithm(a: Polynomial) -> Polynomial:
    if len(a) == 1:
        ((m, c),) = a.items()
        if c == 1 and all(atom[0] == "exp" for atom, _ in m):
            return {atom[1]: e for atom, e in m}
    return _atom(("log", key_of(a)))


class Forms:
    """The forms of terms, each worked out once."""

    def __init__(self) -> None:
        self._known: dict[Term, Polynomial | None] = {}
        self._multiples: dict[tuple[Term, Term], list[tuple[Fraction, Monomial]]] = {}

    def of(self, t: Term) -> Polynomial:
        """The form of a term.

        Raises:
            TooLarge: it is not written down.
        """
        if t not in self._known:
            try:
                self._known[t] = self._find(t)
            except TooLarge:
                self._known[t] = None
        found = self._known[t]
        if found is None:
            raise TooLarge
        return found

    def _find(self, t: Term) -> Polynomial:
        if (value := value_of(t)) is not None:
            return _number(value)
        parts = [self.of(part) for part in t.parts]
        match t.op:
            case "v":
                return _atom(("v", t.data))
            case "+":
                return _plus(*parts)
            case "*":
                return _times(*parts)
            case "^":
                return _whole_power(parts[0], int(t.data or 0))
            case "inv":
                return _whole_power(parts[0], -1)
            case "exp":
                return _exponential(parts[0])
            case "log":
                return _logarithm(parts[0])
            case "pow":
                exponent = parts[1].get(ONE, Fraction(0))
                if set(parts[1]) <= {ONE}:
                    return _real_power(parts[0], exponent)
                return _exponential(_times(parts[1], _logarithm(parts[0])))
        return _atom(("f", t.op, t.data, tuple(map(key_of, parts))))

    def is_zero(self, t: Term) -> bool:
        """True when the term is 0 wherever it has a value; False says nothing."""
        try:
            return not _cleared(self.of(t))
        except TooLarge:
            return False

    def constant(self, t: Term) -> Fraction | None:
        """The number that a term is, if its form shows it."""
        try:
            form = self.of(t)
        except TooLarge:
            return None
        return form.get(ONE, Fraction(0)) if set(form) <= {ONE} else None

    def multiples(self, goal: Term, premise: Term) -> list[tuple[Fraction, Monomial]]:
        """(c, m) with goal = c·m·premise, or with goal − c·premise a number > 0 and m = 1."""
        key = goal, premise
        if key not in self._multiples:
            self._multiples[key] = list(self._find_multiples(goal, premise))
        return self._multiples[key]

    def _find_multiples(self, goal: Term, premise: Term) -> Iterable[tuple[Fraction, Monomial]]:
        try:
            g, p = self.of(goal), self.of(premise)
            if not g or not p or len(g) > len(p) + 1:
                return
            first = min(p, key=_order)
            inverse = frozenset((atom, -e) for atom, e in first)
            for m, value in g.items():
                ratio, factor = _joined(m, inverse), value / p[first]
                rest = _plus(g, _times(p, {ratio: -factor}))
                if not rest or (not ratio and set(rest) == {ONE} and rest[ONE] > 0):
                    yield factor, ratio
        except TooLarge:
            return


def _order(m: Monomial) -> tuple[bool, str]:
    return not m, repr(sorted(map(repr, m)))


def is_positive(m: Monomial, positive: Mapping[str, bool]) -> bool:
    """Whether a monomial is > 0 where the given variables are.

    e^{b·log a} also stands for a^b, which is 0 at a = 0: it is positive only where the form of a is.
    """
    return all(_is_positive_atom(atom, positive) for atom, _ in m)


def _is_positive_atom(atom: Any, positive: Mapping[str, bool]) -> bool:
    if atom[0] == "exp":
        logarithms = (dict(part[1]) for part, _ in atom[1] if part[0] == "log")
        return all(c > 0 and is_positive(m, positive) for a in logarithms for m, c in a.items())
    return atom[0] == "v" and positive.get(atom[1], False)
