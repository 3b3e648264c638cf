"""Equality of terms by polynomial arithmetic over ℚ: each term is a sum of monomials in named atoms, with rational exponents.

Atoms are variables, exp of one monomial, sums under a root or in a denominator, and any other function of parts in this form. Laws used:
those of a field; e^{a+b} = e^a·e^b; (e^m)^c = e^{cm}; log e^a = a; e^{c·log a} = a^c; a^r·a^s = a^{r+s}; log of a product of positive
numbers; and, of variables that are known to be >= 0, (x^r·y^s)^t = x^{rt}·y^{st} and its logarithm. Each of them holds wherever both
terms have a value, and that is judged elsewhere. Terms that this does not bring to one form may still be equal.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from fractions import Fraction
from typing import Any

from dpbounds.covers.terms import Term, value_of

Monomial = frozenset[tuple[Any, Fraction]]
Polynomial = dict[Monomial, Fraction]
_MOST_TERMS = 600
_MOST_DEGREE = 200
_MOST_PRIME = 1000
"""Larger primes stay together in the logarithm of a number."""
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


class Forms:
    """The forms of terms, each worked out once.

    Args:
        nonnegative: variables that are >= 0 at every point at which a form is used.
        spend: told how much work is done.
    """

    def __init__(self, nonnegative: Collection[str] = (), spend: Callable[[int], None] = lambda work: None) -> None:
        self.nonnegative, self._spend = frozenset(nonnegative), spend
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
                return self._plus(*parts)
            case "*":
                return self._times(*parts)
            case "^":
                return self._whole_power(parts[0], int(t.data or 0))
            case "inv":
                return self._whole_power(parts[0], -1)
            case "exp":
                return self._exponential(parts[0])
            case "log":
                return self._logarithm(parts[0])
            case "pow":
                exponent = parts[1].get(ONE, Fraction(0))
                if set(parts[1]) <= {ONE}:
                    return self._real_power(parts[0], exponent)
                return self._exponential(self._times(parts[1], self._logarithm(parts[0])))
        return _atom(("f", t.op, t.data, tuple(map(key_of, parts))))

    def is_zero(self, t: Term) -> bool:
        """True when the term is 0 wherever it has a value; False says nothing."""
        try:
            return not self._cleared(self.of(t))
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
            self._spend(4 * (_size(g) + _size(p)))
            first = min(p, key=_order)
            inverse = frozenset((atom, -e) for atom, e in first)
            for m, value in g.items():
                ratio, factor = _joined(m, inverse), value / p[first]
                rest = self._plus(g, self._times(p, {ratio: -factor}))
                if not rest or (not ratio and set(rest) == {ONE} and rest[ONE] > 0):
                    yield factor, ratio
        except TooLarge:
            return

    # arithmetic

    def _kept(self, a: Polynomial) -> Polynomial:
        result = {m: c for m, c in a.items() if c}
        if len(result) > _MOST_TERMS:
            raise TooLarge
        return result

    def _plus(self, a: Polynomial, b: Polynomial) -> Polynomial:
        result = dict(a)
        self._spend(_size(a) + _size(b))
        for m, c in b.items():
            result[m] = result.get(m, Fraction(0)) + c
        return self._kept(result)

    def _times(self, a: Polynomial, b: Polynomial) -> Polynomial:
        if len(a) * len(b) > 20 * _MOST_TERMS:
            raise TooLarge
        self._spend(_size(a) * _size(b))
        result: Polynomial = {}
        for m, p in a.items():
            for n, q in b.items():
                both = _joined(m, n)
                result[both] = result.get(both, Fraction(0)) + p * q
        return self._expanded(self._kept(result))

    def _expanded(self, a: Polynomial) -> Polynomial:
        """Whole positive powers of sums are written out."""
        if not any(atom[0] == "sum" and e >= 1 for m in a for atom, e in m):
            return a
        total: Polynomial = {}
        for m, c in a.items():
            part: Polynomial = {frozenset((x, e) for x, e in m if x[0] != "sum" or e < 1): c}
            for x, e in m:
                if x[0] == "sum" and e >= 1:
                    n = int(e)
                    part = self._times(part, self._whole_power(dict(x[1]), n))
                    if e != n:
                        part = self._times(part, _atom(x, e - n))
            total = self._plus(total, part)
        return total

    def _cleared(self, a: Polynomial) -> Polynomial:
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
            total = self._plus(total, self._expanded({frozenset((x, e) for x, e in exponents.items() if e): c}))
        return self._cleared(total)

    def _whole_power(self, a: Polynomial, n: int) -> Polynomial:
        if abs(n) > _MOST_DEGREE:
            raise TooLarge
        if n < 0:
            return self._whole_power(self._inverse(a), -n)
        result = _number(Fraction(1))
        for _ in range(n):
            result = self._times(result, a)
        return result

    def _inverse(self, a: Polynomial) -> Polynomial:
        if not a:
            raise TooLarge  # 1/0 has no form
        if len(a) == 1:
            ((m, c),) = a.items()
            return self._expanded({frozenset((atom, -e) for atom, e in m): 1 / c})
        lead = a[min(a, key=_order)]
        return {frozenset(((("sum", key_of({m: c / lead for m, c in a.items()})), Fraction(-1)),)): 1 / lead}

    def _real_power(self, a: Polynomial, exponent: Fraction) -> Polynomial:
        """a^exponent where a >= 0; only a single atom, a product of factors >= 0, or the whole has a root of its own."""
        if exponent.denominator == 1:
            return self._whole_power(a, int(exponent))
        if len(a) == 1:
            ((m, c),) = a.items()
            if c > 0 and m and self._are_nonnegative(m):
                root = {frozenset((atom, e * exponent) for atom, e in m): Fraction(1)}
                return root if c == 1 else self._times(root, self._real_power(_number(c), exponent))
            if c == 1 and len(m) == 1 and all(e == 1 for _, e in m):
                return {frozenset((atom, e * exponent) for atom, e in m): Fraction(1)}
        return self._expanded(_atom(("sum", key_of(a)), exponent))

    def _are_nonnegative(self, m: Monomial) -> bool:
        """Whether each factor of a monomial is >= 0: exponentials, and powers of variables that are."""
        return all(atom[0] == "exp" or (atom[0] == "v" and atom[1] in self.nonnegative) for atom, _ in m)

    def _exponential(self, a: Polynomial) -> Polynomial:
        result = _number(Fraction(1))
        for m, c in a.items():
            ((name, e),) = m if len(m) == 1 else ((("", None), Fraction(0)),)
            if name[0] == "log" and e == 1:
                result = self._times(result, self._real_power(dict(name[1] or ()), c))
            else:
                result = self._times(result, _atom(("exp", m), c))
        return result

    def _logarithm(self, a: Polynomial) -> Polynomial:
        if len(a) == 1:
            ((m, c),) = a.items()
            if c > 0 and self._are_nonnegative(m):
                total = _log_of_number(c)
                for atom, e in m:
                    part = {atom[1]: Fraction(1)} if atom[0] == "exp" else _atom(("log", key_of(_atom(atom))))
                    total = self._plus(total, {n: e * k for n, k in part.items()})
                return total
        return _atom(("log", key_of(a)))


def _size(a: Polynomial) -> int:
    """How much there is to calculate with: terms, and long coefficients more than short ones."""
    return sum(1 + (c.numerator.bit_length() + c.denominator.bit_length()) // 128 for c in a.values())


def _log_of_number(value: Fraction) -> Polynomial:
    """log q for q > 0 as a sum over the small primes of q; what is left of it stays together."""
    total: Polynomial = {}
    for whole, sign in ((value.numerator, 1), (value.denominator, -1)):
        prime = 2
        while prime <= _MOST_PRIME and whole > 1:
            count = 0
            while whole % prime == 0:
                whole, count = whole // prime, count + 1
            if count:
                total[_log_atom(prime)] = Fraction(sign * count)
            prime += 1
        if whole > 1:
            total[_log_atom(whole)] = total.get(_log_atom(whole), Fraction(0)) + sign
    return total


def _log_atom(value: int) -> Monomial:
    return frozenset(((("log", key_of(_number(Fraction(value)))), Fraction(1)),))


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
