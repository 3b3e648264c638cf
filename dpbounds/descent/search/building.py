"""Untrusted: a tower in which equal functions look equal, and the images of functions in it.

Exponentials of sums become products of exponentials of single terms, logarithms of products sums of logarithms of irreducible factors,
roots are taken out of powers, and Φ stands for the small side.
"""

from __future__ import annotations

import copy
import itertools
import math
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

import flint

from dpbounds.descent import polynomials as poly
from dpbounds.descent.polynomials import ONE, Polynomial, Quotient
from dpbounds.descent.refusal import DescentRefused
from dpbounds.descent.search.samples import Samples
from dpbounds.descent.tower import Generator, Range, Tower

Document = dict[str, Any]
_LARGEST_FACTORED = 400
"""FLINT ends the process when memory ends: larger polynomials are not handed to it."""
_HIGHEST_FACTORED = 60
_CONTEXTS: dict[int, Any] = {}


class NoForm(Exception):
    """An expression that the towers do not hold."""


class _Finer(Exception):
    """An exponential must be of a smaller multiple of its term; the building starts again."""


# --- FLINT


def _context(width: int) -> Any:
    if width not in _CONTEXTS:
        _CONTEXTS[width] = flint.fmpq_mpoly_ctx.get([f"g{i}" for i in range(width)], flint.Ordering.lex)
    return _CONTEXTS[width]


def _into(p: Polynomial, context: Any, width: int) -> Any:
    return context.from_dict({m + (0,) * (width - len(m)): flint.fmpq(c.numerator, c.denominator) for m, c in p.items()})


def _from(p: Any) -> Polynomial:
    return {poly.stripped([int(e) for e in m]): poly.whole(Fraction(int(c.p), int(c.q))) for m, c in p.to_dict().items()}


def _width(*ps: Polynomial) -> int:
    return max(1, *(len(m) for p in ps for m in p), 1)


def _small(*ps: Polynomial) -> None:
    if any(len(p) > _LARGEST_FACTORED or any(sum(m) > _HIGHEST_FACTORED for m in p) for p in ps):
        raise NoForm("a large polynomial")


def factored(p: Polynomial) -> tuple[Fraction, list[tuple[Polynomial, int]]]:
    """A number and irreducible factors with their exponents."""
    if len(p) == 1:
        ((monomial, coefficient),) = p.items()
        return Fraction(coefficient), [(poly.generator(i), e) for i, e in enumerate(monomial) if e]
    _small(p)
    width = _width(p)
    c, factors = _into(p, _context(width), width).factor()
    return Fraction(int(c.p), int(c.q)), [(_from(f), int(k)) for f, k in factors]


def cancelled(quotient: Quotient) -> Quotient:
    """Without common factors."""
    n, d = quotient
    if not n or d == ONE:
        return n, (d if n else ONE)
    value = poly.value_of(d)
    if value is not None:
        return poly.scaled(n, 1 / value), ONE
    _small(n, d)
    width = _width(n, d)
    context = _context(width)
    a, b = _into(n, context, width), _into(d, context, width)
    g = a.gcd(b)
    if g.is_constant():
        return n, d
    return _from(divmod(a, g)[0]), _from(divmod(b, g)[0])


def _divided(n: Polynomial, d: Polynomial) -> tuple[Polynomial, Polynomial]:
    width = _width(n, d)
    context = _context(width)
    q, r = divmod(_into(n, context, width), _into(d, context, width))
    return _from(q), _from(r)


def conjugates(tower: Tower, p: Polynomial) -> Iterator[tuple[Polynomial, Polynomial]]:
    """a − b√w and the product a² − b²w, for each square root of which p is a + b√w."""
    for i in sorted(poly.used(p)):
        g = tower.generators[i]
        if g.kind == "root" and g.order == 2 and g.inner[1] == ONE and poly.degree(p, i) == 1:
            parts = poly.coefficients_by(p, i)
            other = poly.minus(parts.get(0, {}), poly.times(parts[1], poly.generator(i)))
            yield other, tower.reduced(poly.times(p, other))


def rationalised(tower: Tower, quotient: Quotient) -> Quotient:
    """The same function without roots in those factors of the denominator that have no known sign, or a number as such a product."""
    n, d = quotient
    for p, k in factored(d)[1]:
        for other, norm in itertools.islice(conjugates(tower, p), 1):
            if tower.sign(p) is not None and poly.value_of(norm) is None:
                continue
            n, d = poly.times(n, poly.power(other, k)), poly.times(d, poly.power(other, k))
            n, d = cancelled((tower.reduced(n), tower.reduced(d)))
    return n, d


class Canonical:
    """The canonical tower of a free one.

    Attributes:
        tower: the tower.
        samples: values of its functions at points of the box.
        proofs: that arguments of its generators are positive, by number, where the sign test leaves it open.
        images: of the generators of the free tower.
        hints: how they are made, for who writes the document.
    """

    def __init__(self, free: Tower, box: Mapping[str, Range] | None = None, bases: dict[Any, Fraction] | None = None) -> None:
        self.bases: dict[Any, Fraction] = {} if bases is None else bases
        for _ in range(12):
            try:
                self._build(free, {**free.box, **(box or {})})
                return
            except _Finer:
                continue
            except DescentRefused as error:
                raise NoForm(str(error)) from error
            except (OverflowError, RecursionError) as error:
                raise NoForm("too large") from error
        raise NoForm("exponentials of too many multiples")

    def _build(self, free: Tower, box: Mapping[str, Range]) -> None:
        self.tower = Tower()
        self.proofs: dict[int, Document] = {}
        self.images: list[Quotient] = []
        self.hints: list[Any] = []
        self._exponentials: dict[Any, int] = {}
        self._known: dict[Any, int] = {}
        self.samples = Samples(self.tower, box)
        for g in free.generators:
            if g.kind == "variable":
                self.tower.variable(g.name, box[g.name])
        for g in free.generators:
            image, hint = self._image(g)
            n, d = image
            if len(n) + len(d) > 400:
                raise NoForm("a large image")
            self.images.append(image)
            self.hints.append(hint)

    def before(self, index: int) -> Canonical:
        """The tower of the generators before one: what shows that it is defined is checked there."""
        found = copy.copy(self)
        found.tower = Tower()
        for generator in self.tower.generators[:index]:
            found.tower.add(generator)
        found.samples = self.samples.seen_through(found.tower)
        return found

    def _add(self, kind: str, inner: Quotient, order: int = 0, density: Any = None) -> int:
        return self.tower.add(Generator(kind, inner, order=order, density=density))

    # --- generators

    def _image(self, g: Generator) -> tuple[Quotient, Any]:
        tower = self.tower
        if g.kind == "variable":
            return (poly.generator(tower.index_of(g.name)), ONE), None
        if g.kind == "pi":
            return (poly.generator(self.pi()), ONE), None
        inner = self._normal(self.through(g.inner))
        if g.kind == "exp":
            factors = self.exponential(inner)
            return tower.power_product(factors), [1, factors]
        if g.kind == "log":
            of, factors = self.logarithm(inner)
            total = poly.sum_of([(poly.scaled(n, k), d) for (n, d), k in ((tower.logarithm_of_base(i), k) for i, k in factors)])
            return self._normal((poly.scaled(total[0], Fraction(1, of)), total[1])), [of, factors]
        if g.kind == "root":
            n, d = self.root(inner, g.order)
            return (n, d), [poly.ordered(n), poly.ordered(d)]
        if g.kind == "phi":
            index, sign = self.normal(inner)
            own = poly.generator(index)
            return ((own if sign == 1 else poly.minus(ONE, own)), ONE), [index, sign]
        index = self._known.get(("factorial", poly.key(inner[0]), poly.key(inner[1])), -1)
        if index < 0:
            index = self._add("factorial", inner)
            self._known["factorial", poly.key(inner[0]), poly.key(inner[1])] = index
        return (poly.generator(index), ONE), [index, 1]

    def through(self, quotient: Quotient) -> Quotient:
        """A quotient of the free tower in the canonical one."""
        images = dict(enumerate(self.images))
        (n, d), (m, e) = (poly.substituted(part, images) for part in quotient)
        if not m:
            raise NoForm("division by 0")
        return (poly.times(n, e), poly.times(d, m)) if d != e else (n, m)

    def _normal(self, quotient: Quotient) -> Quotient:
        """Reduced, cancelled, with a positive denominator."""
        n, d = cancelled((self.tower.reduced(quotient[0]), self.tower.reduced(quotient[1])))
        if not d:
            raise NoForm("division by 0")
        if self.guess(d) < 0:
            n, d = poly.scaled(n, -1), poly.scaled(d, -1)
        return n, d

    def guess(self, p: Polynomial) -> int:
        """The sign of a polynomial that has one."""
        sign = self.tower.sign(p)
        if sign:
            return sign
        seen = self.samples.seen(p)
        if len(seen) != 1:
            raise NoForm("a part that has no sign")
        return seen.pop()

    def exponential(self, inner: Quotient) -> list[tuple[int, int]]:
        """exp of a sum as a power product."""
        found: dict[int, int] = {}
        for coefficient, n, d in self._terms(inner):
            index = next(iter(poly.used(n)), 0)
            if d == ONE and n == poly.generator(index) and self.tower.generators[index].kind == "log" and coefficient.denominator == 1:
                found[index] = found.get(index, 0) + int(coefficient)
                continue
            key = poly.key(n), poly.key(d)
            base = self.bases.get(key)
            if base is None or (coefficient / base).denominator != 1:
                ends = [coefficient] if base is None else [coefficient, base]
                above = math.gcd(*(c.numerator for c in ends))
                self.bases[key] = Fraction(abs(above), math.lcm(*(c.denominator for c in ends)))
                if base is not None:
                    raise _Finer
                base = self.bases[key]
            if key not in self._exponentials:
                self._exponentials[key] = self._add("exp", (poly.scaled(n, base), d))
            index = self._exponentials[key]
            found[index] = found.get(index, 0) + int(coefficient / base)
        return [(i, k) for i, k in sorted(found.items()) if k]

    def _terms(self, inner: Quotient) -> list[tuple[Fraction, Polynomial, Polynomial]]:
        """Coefficients and monic terms; a proper fraction stays whole."""
        n, d = inner
        terms: list[Quotient] = []
        if len(d) == 1:
            terms = [cancelled(({m: c}, d)) for m, c in n.items()]
        else:
            _small(n, d)
            q, r = _divided(n, d)
            terms = [({m: c}, ONE) for m, c in q.items()] + ([(r, d)] if r else [])
        found = []
        for a, b in terms:
            c, e = Fraction(a[max(a)]), Fraction(b[max(b)])
            found.append((c / e, poly.scaled(a, 1 / c), poly.scaled(b, 1 / e)))
        return found

    def _irreducible(self, inner: Quotient) -> tuple[Fraction, list[tuple[Polynomial, int]]]:
        """A positive number and factors that are positive at the samples."""
        number, found = Fraction(1), []
        for part, way in zip(inner, (1, -1), strict=True):
            c, factors = factored(part)
            number = number * c if way > 0 else number / c
            for f, k in factors:
                if self.guess(f) < 0:
                    f, number = poly.scaled(f, -1), (-number if k % 2 else number)
                found.append((f, k * way))
        if number <= 0:
            raise NoForm("log or a root of what is not positive")
        return number, found

    def logarithm(self, inner: Quotient) -> tuple[int, list[tuple[int, int]]]:
        """log of a product as a sum, and the power of the argument for which that holds with whole coefficients."""
        if not inner[0]:
            raise NoForm("log of 0")
        number, factors = self._irreducible(inner)
        shares: dict[int, Fraction] = {}

        def add(p: Polynomial, k: Fraction) -> None:
            index = next(iter(poly.used(p)), 0)
            g = self.tower.generators[index] if self.tower.generators else None
            if g is not None and p == poly.generator(index) and g.kind == "exp":
                shares[index] = shares.get(index, Fraction(0)) + k
            elif g is not None and p == poly.generator(index) and g.kind == "root":
                inside, parts = self._irreducible(g.inner)
                for f, e in parts:
                    add(f, k * e / g.order)
                for prime, e in _primes(inside):
                    add(poly.constant(prime), k * e / g.order)
            elif (other := self._conjugate(p)) is not None:
                norm, conjugate = other
                shares[conjugate] = shares.get(conjugate, Fraction(0)) - k
                inside, parts = self._irreducible((norm, ONE))
                for f, e in parts:
                    add(f, k * e)
                for prime, e in _primes(inside):
                    add(poly.constant(prime), k * e)
            else:
                # log 2 is 2·log √2 where √2 occurs, so that e^{(log 2)/2} is √2 and no exponential of its own.
                root = self._known.get(("root", 2, poly.key(p)))
                if root is not None and not poly.used(p) - {self._known.get("pi")} and ("log", poly.key(p)) not in self._known:
                    p, k = poly.generator(root), 2 * k
                own = self._log_generator(p)
                shares[own] = shares.get(own, Fraction(0)) + k

        for f, k in factors:
            add(f, Fraction(k))
        for prime, k in _primes(number):
            add(poly.constant(prime), Fraction(k))
        of = math.lcm(1, *(k.denominator for k in shares.values()))
        return of, [(i, int(k * of)) for i, k in sorted(shares.items()) if k]

    def _conjugate(self, p: Polynomial) -> tuple[Polynomial, int] | None:
        """N and the generator log c for p = N/c, where ±c is a conjugate of p that has a logarithm already, or a sign where p has none."""
        if ("log", poly.key(p)) not in self._known:
            for other, norm in conjugates(self.tower, p):
                for sign in (1, -1):
                    c, own = poly.scaled(other, sign), poly.scaled(norm, sign)
                    plain = poly.value_of(norm) is not None and self.tower.sign(c) == 1 and self.tower.sign(p) is None
                    if plain or ("log", poly.key(c)) in self._known:
                        return own, self._log_generator(c)
        return None

    def _log_generator(self, p: Polynomial) -> int:
        key = "log", poly.key(p)
        if key not in self._known:
            self._known[key] = self._add("log", (p, ONE))
        return self._known[key]

    def root(self, inner: Quotient, order: int) -> Quotient:
        """A root: whole powers are taken out."""
        if not inner[0]:
            return {}, ONE
        number, factors = self._irreducible(inner)
        n = d = ONE
        parts: list[tuple[Polynomial, int]] = [*factors, *((poly.constant(prime), k) for prime, k in _primes(number))]
        for f, k in parts:
            index = next(iter(poly.used(f)), 0)
            if poly.used(f) and f == poly.generator(index) and self.tower.generators[index].kind == "exp":
                a, b = self.tower.generators[index].inner
                up, down = self.tower.power_product(self.exponential((poly.scaled(a, Fraction(k, order)), b)))
                n, d = poly.times(n, up), poly.times(d, down)
                continue
            whole, rest = divmod(k, order)
            if poly.used(f) and f == poly.generator(index) and self.tower.generators[index].kind == "root" and rest:
                g = self.tower.generators[index]
                up, down = self.root((poly.power(g.inner[0], rest), ONE), order * g.order)
                n, d = poly.times(n, up), poly.times(d, down)
                rest = 0
            if whole > 0:
                n = poly.times(n, poly.power(f, whole))
            elif whole < 0:
                d = poly.times(d, poly.power(f, -whole))
            if rest:
                common = math.gcd(rest, order)
                own = order // common
                finest = own if poly.used(f) or own == 2 else self._finest(f, own)
                n = poly.times(n, poly.power(poly.generator(self._root_generator(f, finest)), rest // common * (finest // own)))
        return self.tower.reduced(n), self.tower.reduced(d)

    def _finest(self, p: Polynomial, order: int) -> int:
        """The order of the one root of a number of which its other roots are powers, square roots aside: those stand in densities."""
        key = "root", poly.key(p)
        known = self.bases.get(key)
        if known is None or known.numerator % order:
            self.bases[key] = Fraction(math.lcm(order, 1 if known is None else known.numerator))
            if known is not None:
                raise _Finer
        return self.bases[key].numerator

    def _root_generator(self, p: Polynomial, order: int) -> int:
        key = "root", order, poly.key(p)
        if key not in self._known:
            self._known[key] = self._add("root", (p, ONE), order)
        return self._known[key]

    def pi(self) -> int:
        """The generator π."""
        if "pi" not in self._known:
            self._known["pi"] = self._add("pi", (ONE, ONE))
        return self._known["pi"]

    def normal(self, w: Quotient) -> tuple[int, int]:
        """Φ(w) by the generator Φ(±w), the small side."""
        n, d = w
        sign = -1 if self.samples.median(w) > 0 else 1
        n = poly.scaled(n, sign)
        for way in (1, -1):
            key = "phi", poly.key(poly.scaled(n, way)), poly.key(d)
            if key in self._known:
                return self._known[key], sign * way
        # One argument may be written in several ways: (a/2)/b and a/(2b), or over a root.
        for i, g in enumerate(self.tower.generators):
            for way in (1, -1) if g.kind == "phi" else ():
                if self.tower.equal((poly.scaled(n, way), d), g.inner):
                    return i, sign * way
        square = self._normal((poly.scaled(poly.times(n, n), Fraction(-1, 2)), poly.times(d, d)))
        density = tuple(self.exponential(square))
        two, circle = self._root_generator(poly.constant(2), 2), self._root_generator(poly.generator(self.pi()), 2)
        index = self._add("phi", (n, d), density=(density, two, circle))
        self._known["phi", poly.key(n), poly.key(d)] = index
        return index, sign


def _primes(number: Fraction) -> list[tuple[int, int]]:
    """A positive rational number as a product of powers; what is large and has no small factor stays whole."""
    found: dict[int, int] = {}
    for part, way in ((number.numerator, 1), (number.denominator, -1)):
        divisor = 2
        while part > 1:
            if divisor > 2000:
                found[part] = found.get(part, 0) + way
                break
            while part % divisor == 0:
                found[divisor] = found.get(divisor, 0) + way
                part //= divisor
            divisor += 1
    return [(p, k) for p, k in sorted(found.items()) if k]


def ratio_through(f: Polynomial, scale: Any, images: Any) -> Quotient:
    """f divided by a product of powers, with images in the place of generators."""
    (n, d), (m, e) = poly.substituted(f, images), poly.substituted(poly.product(scale), images)
    if not m:
        raise DescentRefused("division by 0")
    return (poly.times(n, e), poly.times(d, m)) if d != e else (n, m)
