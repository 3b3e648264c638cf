"""Polynomials over ℚ in atoms, with a limit on the work.

A monomial is a frozenset of (atom, exponent); an atom is any hashable value that determines a number. Whoever makes a monomial sees to
it that exponents may be added: an exponent that is not a positive integer belongs to an atom that is certainly not 0, one that is no
integer to an atom that is certainly positive.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from fractions import Fraction
from hashlib import sha256

from dpbounds.kernel.terms import need

Atom = Hashable
Number = Fraction | int
"""A rational number: an integer where that is quick, and always divided by `quotient`."""
Monomial = frozenset[tuple[Atom, Number]]
Polynomial = dict[Monomial, Number]

UNIT: Monomial = frozenset()
WORK = 1_000_000
"""Factors of monomials that are multiplied in one document: a few seconds; the largest of the catalogue needs less than a fifth of it."""
BITS = 20_000
"""Length of a coefficient."""
POWER = 64
"""The largest power of a sum that is multiplied out."""


class Budget:
    """What may still be spent on one document."""

    def __init__(self, work: int = WORK) -> None:
        self.left = work

    def spend(self, work: int) -> None:
        """Refuse when the document asks for more than the limit."""
        self.left -= work
        need(self.left >= 0, "too much work")


def quotient(a: Number, b: Number) -> Number:
    """a/b for b ≠ 0"""
    q = Fraction(a) / b
    return q.numerator if q.denominator == 1 else q


def constant(c: Number) -> Polynomial:
    """c"""
    return {UNIT: quotient(c, 1)} if c else {}


def atom(a: Atom, exponent: Number = 1) -> Polynomial:
    """a^exponent"""
    return {frozenset([(a, exponent)]): 1} if exponent else constant(1)


def monomial(powers: Iterable[tuple[Atom, Number]]) -> Monomial:
    """The monomial of these powers, those of one atom added up."""
    total: dict[Atom, Number] = {}
    for a, e in powers:
        total[a] = total[a] + e if a in total else e
    return frozenset((a, e) for a, e in total.items() if e)


def add(p: Polynomial, r: Polynomial, factor: Number = 1) -> Polynomial:
    """p + factor·r"""
    out = dict(p)
    for m, c in r.items():
        more = c if factor == 1 else factor * c
        out[m] = out[m] + more if m in out else more
        if not out[m]:
            del out[m]
    return out


def multiply(p: Polynomial, r: Polynomial, budget: Budget) -> Polynomial:
    """p·r"""
    budget.spend(1 + len(p) * len(r) * (1 + max(map(len, p), default=0) + max(map(len, r), default=0)))
    out: Polynomial = {}
    for m, a in p.items():
        for n, b in r.items():
            k = monomial([*m, *n]) if m and n else m or n
            out[k] = out[k] + a * b if k in out else a * b
    long = max((max(c.numerator.bit_length(), c.denominator.bit_length()) for c in out.values()), default=0)
    budget.spend(len(out) * (long // 64))
    need(long <= BITS, "a number is too long")
    return {m: c for m, c in out.items() if c}


def power(p: Polynomial, n: int, budget: Budget) -> Polynomial:
    """pⁿ for n ≥ 0"""
    if len(p) == 1:
        ((m, c),) = p.items()
        need(n * max(c.numerator.bit_length(), c.denominator.bit_length(), 2) <= BITS, "a number is too long")
        return {frozenset((a, e * n) for a, e in m if n): c**n}
    need(n <= POWER, "a sum is raised to too large a power")
    out = constant(1)
    for _ in range(n):
        out = multiply(out, p, budget)
    return out


def ordered(atoms: Iterable[Atom], budget: Budget) -> list[Atom]:
    """Atoms in an order that is the same in every run; that of a set depends on how Python hashes texts."""
    found, done = list(atoms), dict[int, bytes]()
    return found if len(found) < 2 else sorted(found, key=lambda a: _digest(a, done, budget))


def _digest(a: object, done: dict[int, bytes], budget: Budget) -> bytes:
    """A digest of an atom: atoms share parts, so their texts may be too long."""
    if id(a) not in done:
        budget.spend(1)
        parts = [_digest(part, done, budget) for part in a] if isinstance(a, (tuple, frozenset)) else [repr(a).encode()]
        done[id(a)] = sha256(b"".join(sorted(parts) if isinstance(a, frozenset) else parts)).digest()
    return done[id(a)]


def divided(p: Polynomial, d: Polynomial, budget: Budget) -> Polynomial | None:
    """r with p = d·r for d ≠ 0, or None: long division, which leaves nothing if there is such an r without negative exponents."""
    atoms = ordered({a for m in (*p, *d) for a, _ in m}, budget)

    def order(m: Monomial) -> list[Number]:
        powers = dict(m)
        return [powers.get(a, 0) for a in atoms]

    first, out = max(d, key=order), Polynomial()
    while p:
        budget.spend(len(p) + len(d))
        m = max(p, key=order)
        part = {monomial([*m, *((a, -e) for a, e in first)]): quotient(p[m], d[first])}
        if any(e < 0 for k in part for a, e in k if e != dict(m).get(a)):
            return None
        out, p = add(out, part), add(p, multiply(d, part, budget), -1)
    return out


def smallest(*ps: Polynomial) -> Number:
    """The least |c| of all coefficients c, 1 where there are none."""
    return min((max(c, -c) for p in ps for c in p.values()), default=1)


def key(p: Polynomial) -> Hashable:
    """The polynomial as a hashable value."""
    return frozenset(p.items())


def scaled(p: Polynomial) -> Hashable:
    """A key of p up to a positive number."""
    least = smallest(p)
    return key(p) if least == 1 else frozenset((m, quotient(c, least)) for m, c in p.items())


def without(p: Polynomial, m: Monomial) -> Polynomial:
    """p divided by a monomial whose atoms are not 0."""
    return {monomial([*n, *((a, -e) for a, e in m)]): c for n, c in p.items()}


def factors(n: int) -> list[tuple[int, int]]:
    """Small prime factors of n ≥ 1 with their powers; what is left counts as a prime, which only leaves identities unseen."""
    found, p = [], 2
    while p * p <= n and p < 200:
        e = 0
        while n % p == 0:
            n, e = n // p, e + 1
        if e:
            found.append((p, e))
        p += 1
    return [*found, (n, 1)] if n > 1 else found
