"""Equality of terms by polynomial arithmetic over ℚ: each term is a quotient of polynomials in named atoms, with fractional exponents.

Atoms are variables, exp of one monomial, and any other function of parts in this form. Laws used: those of a field; e^{a+b} = e^a·e^b;
(e^m)^c = e^{cm}; log e^a = a; e^{c·log a} = a^c; a^r·a^s = a^{r+s}. Each of them holds wherever both terms have a value, and that is
judged elsewhere. Terms that this does not bring to one form may still be equal.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dpbounds.covers.terms import Term, value_of

Monomial = frozenset[tuple[Any, Fraction]]
Polynomial = dict[Monomial, Fraction]
_MOST_TERMS = 2_000
_MOST_DEGREE = 200
_ONE: Monomial = frozenset()


class TooLarge(Exception):
    """A form that would have too many terms."""


@dataclass(frozen=True)
class Form:
    """top/bottom; a bottom of one term is 1."""

    top: Polynomial
    bottom: Polynomial

    @property
    def key(self) -> Any:
        """A name for the form as part of an atom."""
        return frozenset(self.top.items()), frozenset(self.bottom.items())

    @property
    def constant(self) -> Fraction | None:
        """The number that the form is."""
        if self.bottom != {_ONE: Fraction(1)} or not set(self.top) <= {_ONE}:
            return None
        return self.top.get(_ONE, Fraction(0))


def _times(a: Polynomial, b: Polynomial) -> Polynomial:
    if len(a) * len(b) > 20 * _MOST_TERMS:
        raise TooLarge
    result: Polynomial = {}
    for m, p in a.items():
        for n, q in b.items():
            both = _joined(m, n)
            result[both] = result.get(both, Fraction(0)) + p * q
    return _kept(result)


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


def _form(top: Polynomial, bottom: Polynomial) -> Form:
    if len(bottom) == 1:
        ((m, c),) = bottom.items()
        inverse: Polynomial = {frozenset((atom, -e) for atom, e in m): 1 / c}
        top, bottom = _times(top, inverse), {_ONE: Fraction(1)}
    return Form(top, bottom)


def _number(value: Fraction) -> Form:
    return Form({_ONE: value} if value else {}, {_ONE: Fraction(1)})


def _atom(key: Any, exponent: Fraction = Fraction(1)) -> Form:
    return Form({frozenset(((key, exponent),)): Fraction(1)}, {_ONE: Fraction(1)})


def added(a: Form, b: Form) -> Form:
    """a + b."""
    if a.bottom == b.bottom:
        return _form(_plus(a.top, b.top), a.bottom)
    return _form(_plus(_times(a.top, b.bottom), _times(b.top, a.bottom)), _times(a.bottom, b.bottom))


def multiplied(a: Form, b: Form) -> Form:
    """a·b, with whole powers of roots written out."""
    return _unrooted(_form(_times(a.top, b.top), _times(a.bottom, b.bottom)))


def _unrooted(a: Form) -> Form:
    """Roots of sums keep exponents between −1 and 1: what is whole is the sum itself."""

    def whole(m: Monomial) -> bool:
        return any(atom[0] == "root" and abs(e) >= 1 for atom, e in m)

    if not any(map(whole, (*a.top, *a.bottom))):
        return a

    def out(polynomial: Polynomial) -> Form:
        total = _number(Fraction(0))
        for m, c in polynomial.items():
            part = Form({frozenset((x, e) for x, e in m if x[0] != "root"): c}, {_ONE: Fraction(1)})
            for x, e in m:
                if x[0] == "root":
                    n = int(e)  # towards 0
                    part = multiplied(part, _whole_power(Form(dict(x[1][0]), dict(x[1][1])), n))
                    if e != n:
                        part = multiplied(part, _atom(x, e - n))
            total = added(total, part)
        return total

    return multiplied(out(a.top), _whole_power(out(a.bottom), -1))


def _whole_power(a: Form, n: int) -> Form:
    if abs(n) > _MOST_DEGREE:
        raise TooLarge
    if n < 0:
        if not a.top:
            raise TooLarge  # 1/0 has no form
        a, n = _form(a.bottom, a.top), -n
    result = _number(Fraction(1))
    for _ in range(n):
        result = multiplied(result, a)
    return result


def _real_power(a: Form, exponent: Fraction) -> Form:
    """a^exponent where a >= 0; only a single atom, or the whole, has a root of its own."""
    if exponent.denominator == 1:
        return _whole_power(a, int(exponent))
    if a.bottom == {_ONE: Fraction(1)} and len(a.top) == 1:
        ((m, c),) = a.top.items()
        if c == 1 and (not m or all(atom[0] == "exp" for atom, _ in m) or (len(m) == 1 and all(e == 1 for _, e in m))):
            return Form({frozenset((atom, e * exponent) for atom, e in m): Fraction(1)}, dict(a.bottom))
    return _unrooted(_atom(("root", a.key), exponent))


def _exponential(a: Form) -> Form:
    result = _number(Fraction(1))
    for m, c in a.top.items():
        one = a.bottom == {_ONE: Fraction(1)}
        if one and len(m) == 1 and next(iter(m))[0][0] == "log" and next(iter(m))[1] == 1:
            key = next(iter(m))[0][1]
            part = _real_power(Form(dict(key[0]), dict(key[1])), c)
        else:
            part = _atom(("exp", m, frozenset(a.bottom.items())), c)
        result = multiplied(result, part)
    return result


def _logarithm(a: Form) -> Form:
    if a.bottom == {_ONE: Fraction(1)} and len(a.top) == 1:
        ((m, c),) = a.top.items()
        if c == 1 and all(atom[0] == "exp" for atom, _ in m):
            total = _number(Fraction(0))
            for atom, e in m:
                total = added(total, _form({atom[1]: e}, dict(atom[2])))
            return total
    return _atom(("log", a.key))


class Forms:
    """The forms of terms, each worked out once."""

    def __init__(self) -> None:
        self._known: dict[Term, Form] = {}

    def of(self, t: Term) -> Form:
        """The form of a term.

        Raises:
            TooLarge: it is not written down.
        """
        if t not in self._known:
            self._known[t] = self._find(t)
        return self._known[t]

    def _find(self, t: Term) -> Form:
        if (value := value_of(t)) is not None:
            return _number(value)
        parts = [self.of(part) for part in t.parts]
        match t.op:
            case "v":
                return _atom(("v", t.data))
            case "+":
                return added(*parts)
            case "*":
                return multiplied(*parts)
            case "^":
                return _whole_power(parts[0], int(t.data or 0))
            case "inv":
                return _whole_power(parts[0], -1)
            case "exp":
                return _exponential(parts[0])
            case "log":
                return _logarithm(parts[0])
            case "pow":
                exponent = parts[1].constant
                if exponent is not None:
                    return _real_power(parts[0], exponent)
                return _exponential(multiplied(parts[1], _logarithm(parts[0])))
        return _atom(("f", t.op, t.data, tuple(part.key for part in parts)))

    def is_zero(self, t: Term) -> bool:
        """True when the term is 0 wherever it has a value; False says nothing."""
        try:
            return not self.of(t).top
        except TooLarge:
            return False

    def constant(self, t: Term) -> Fraction | None:
        """The number that a term is, if its form shows it."""
        try:
            return self.of(t).constant
        except TooLarge:
            return None

    def multiples(self, goal: Term, premise: Term) -> Iterable[tuple[Fraction, Monomial]]:
        """(c, m) with goal = c·m·premise, or with goal − c·premise a number >= 0 and m = 1."""
        try:
            g, p = self.of(goal), self.of(premise)
        except TooLarge:
            return
        if g.bottom != p.bottom or not g.top or not p.top:
            return
        first = min(p.top, key=_order)
        for m, value in g.top.items():
            ratio = _joined(m, frozenset((atom, -e) for atom, e in first))
            factor = value / p.top[first]
            rest = _plus(g.top, _times(p.top, {ratio: -factor}))
            if not rest or (not ratio and set(rest) == {_ONE} and rest[_ONE] > 0 and g.bottom == {_ONE: Fraction(1)}):
                yield factor, ratio


def _order(m: Monomial) -> tuple[bool, str]:
    return not m, repr(sorted(map(repr, m)))


def is_positive(m: Monomial, positive: Mapping[str, bool]) -> bool:
    """Whether a monomial is > 0 where the given variables are."""
    return all(atom[0] == "exp" or (atom[0] == "v" and positive.get(atom[1], False)) for atom, _ in m)
