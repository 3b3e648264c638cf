"""Polynomials with rational coefficients in generators g0, g1, …: exact arithmetic on dictionaries.

A polynomial maps monomials to coefficients; a monomial is the tuple of exponents without the zeros at its end. No coefficient is 0. Whole
coefficients are kept as `int`, which is many times faster than `Fraction`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from operator import add

from dpbounds.descent.refusal import DescentRefused

Monomial = tuple[int, ...]
Number = int | Fraction
Polynomial = dict[Monomial, Number]
Quotient = tuple[Polynomial, Polynomial]

_MOST_PAIRS = 60_000
"""A product of more pairs of terms is refused: it takes 0.1 s, and certificates of lemmas need some thousands."""
_SMALL_PAIR = 2**16
"""Bits of one coefficient times bits of another up to which a pair counts as one; a pair of larger coefficients counts as more."""
_HIGHEST = 400
"""The highest exponent, for the same reason."""


def whole(value: Number) -> Number:
    """A whole number as `int`."""
    return value.numerator if value.denominator == 1 else value


def constant(value: Number) -> Polynomial:
    """A constant."""
    return {(): whole(value)} if value else {}


def generator(index: int) -> Polynomial:
    """The generator of that index; a negative one would count from the end in lists, and not here."""
    if index < 0:
        raise DescentRefused("a generator with a negative number")
    return {(0,) * index + (1,): 1}


ONE = constant(1)


def plus(p: Polynomial, q: Polynomial) -> Polynomial:
    """p + q."""
    total = dict(p)
    for monomial, coefficient in q.items():
        value = total.get(monomial, 0) + coefficient
        if value:
            total[monomial] = value
        else:
            total.pop(monomial, None)
    return total


def scaled(p: Polynomial, factor: Number) -> Polynomial:
    """factor · p."""
    return {monomial: whole(coefficient * factor) for monomial, coefficient in p.items()} if factor else {}


def minus(p: Polynomial, q: Polynomial) -> Polynomial:
    """p − q."""
    return plus(p, scaled(q, -1))


def times(p: Polynomial, q: Polynomial) -> Polynomial:
    """p · q."""
    if len(p) * len(q) > _MOST_PAIRS:
        raise DescentRefused(f"a product of polynomials with {len(p)} and {len(q)} terms")
    long_pairs = len(p) * len(q) * (_bits(p) * _bits(q) // _SMALL_PAIR)
    if long_pairs > _MOST_PAIRS:
        raise DescentRefused("a product of polynomials with long coefficients")
    total: Polynomial = {}
    for a, c in p.items():
        for b, d in q.items():
            long, short = (a, b) if len(a) >= len(b) else (b, a)
            monomial = tuple(map(add, long, short)) + long[len(short) :]
            value = total.get(monomial, 0) + c * d
            total[monomial] = value
    return {monomial: value if type(value) is int else whole(value) for monomial, value in total.items() if value}


def _bits(p: Polynomial) -> int:
    """The length of the longest coefficient."""
    return max((c.numerator.bit_length() + c.denominator.bit_length() for c in p.values()), default=0)


def power(p: Polynomial, exponent: int) -> Polynomial:
    """p to a whole exponent ≥ 0."""
    if exponent < 0 or exponent > _HIGHEST:
        raise DescentRefused(f"the exponent {exponent} is not in 0 … {_HIGHEST}")
    total = ONE
    for _ in range(exponent):
        total = times(total, p)
    return total


def product(factors: Iterable[tuple[Polynomial, int]]) -> Polynomial:
    """The product of powers."""
    total = ONE
    for p, exponent in factors:
        total = times(total, power(p, exponent))
    return total


def derivative(p: Polynomial, index: int) -> Polynomial:
    """The partial derivative by one generator."""
    total: Polynomial = {}
    for monomial, coefficient in p.items():
        if index < len(monomial) and monomial[index]:
            lowered = list(monomial)
            lowered[index] -= 1
            total[stripped(lowered)] = coefficient * monomial[index]
    return total


def stripped(exponents: Sequence[int]) -> Monomial:
    """A monomial without the zeros at its end."""
    end = len(exponents)
    while end and not exponents[end - 1]:
        end -= 1
    return tuple(exponents[:end])


def degree(p: Polynomial, index: int) -> int:
    """The degree in one generator; 0 for the polynomial 0."""
    return max((monomial[index] for monomial in p if index < len(monomial)), default=0)


def used(p: Polynomial) -> set[int]:
    """The generators that occur."""
    return {i for monomial in p for i, exponent in enumerate(monomial) if exponent}


def coefficients_by(p: Polynomial, index: int) -> dict[int, Polynomial]:
    """The coefficients of p as a polynomial in one generator, by degree."""
    parts: dict[int, Polynomial] = {}
    for monomial, coefficient in p.items():
        exponent = monomial[index] if index < len(monomial) else 0
        rest = stripped([0 if i == index else e for i, e in enumerate(monomial)])
        parts.setdefault(exponent, {})[rest] = coefficient
    return parts


def value_of(p: Polynomial) -> Fraction | None:
    """The value of a constant; None of anything else."""
    if not p:
        return Fraction(0)
    return Fraction(p[()]) if set(p) == {()} else None


def proportional(p: Polynomial, q: Polynomial) -> Fraction | None:
    """The number c ≠ 0 with p = c·q, or None."""
    if not p or len(p) != len(q):
        return None
    first = next(iter(q))
    ratio = Fraction(p.get(first, 0)) / q[first]
    return ratio if ratio and all(p.get(m) == ratio * c for m, c in q.items()) else None


def substituted(p: Polynomial, images: Mapping[int, Quotient]) -> Quotient:
    """p with a quotient for each generator: numerator and the product of the denominators to the degrees."""
    degrees = {i: degree(p, i) for i in used(p)}
    powers: dict[tuple[int, int], Polynomial] = {}
    for i, top in degrees.items():
        above, below = images[i]
        up, down = [ONE], [ONE]
        for _ in range(top):
            up.append(times(up[-1], above))
            down.append(times(down[-1], below) if below != ONE else ONE)
        for k in range(top + 1):
            powers[i, k] = times(up[k], down[top - k]) if below != ONE else up[k]
    numerator: Polynomial = {}
    for monomial, coefficient in p.items():
        term = constant(coefficient)
        for i in degrees:
            k = monomial[i] if i < len(monomial) else 0
            if (i, k) in powers and powers[i, k] != ONE:
                term = times(term, powers[i, k])
        numerator = plus(numerator, term)
    return numerator, product((images[i][1], top) for i, top in degrees.items() if images[i][1] != ONE)


def sum_of(quotients: Iterable[Quotient]) -> Quotient:
    """The sum of quotients, over the product of the different denominators."""
    n: Polynomial = {}
    d = ONE
    for a, b in quotients:
        if b == d:
            n = plus(n, a)
        else:
            n, d = plus(times(n, b), times(a, d)), times(d, b)
    return n, d


def ordered(p: Polynomial) -> Polynomial:
    """A polynomial with its monomials in order: what is made of it term by term comes in this order, too.

    >>> list(ordered({(2, 1): 3, (): -1}))
    [(), (2, 1)]
    """
    return dict(sorted(p.items()))


def key(p: Polynomial) -> frozenset[tuple[Monomial, Number]]:
    """What equal polynomials have in common, for tables."""
    return frozenset(p.items())
