"""Towers: functions as quotients of polynomials in generators, with derivatives and signs.

A generator is a variable, or exp, log, Φ, a root or log-factorial of a quotient in earlier generators, or π. The derivative of a generator
is a quotient in generators of the tower, so derivatives stay inside; identities are identities of polynomials.

The variables run through the *open* box of their ranges. What a sign test says is true at every point of that box.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from dpbounds.descent import brackets
from dpbounds.descent import polynomials as poly
from dpbounds.descent.polynomials import ONE, Polynomial, Quotient
from dpbounds.descent.refusal import DescentRefused, need

End = Fraction | None
"""None is an infinite end."""
Range = tuple[End, End]

_LARGEST_SQUARE = 12
"""Terms of a polynomial that is completed to a square."""
_LARGEST_MAP = 6000
"""Terms that a polynomial may have once its ranges are mapped to the half line."""
_MOST_GENERATORS = 120
_MOST_FACTORS = _MOST_GENERATORS
"""One factor of a product for each generator is enough."""


@dataclass(frozen=True)
class Generator:
    """One generator.

    Attributes:
        kind: variable, exp, log, phi, root, factorial (the logarithm of one) or pi.
        inner: its argument.
        name: of a variable.
        ends: the range of a variable.
        order: of a root.
        density: for phi, the power product that is exp(−w²/2), and the roots of 2 and of π.
    """

    kind: str
    inner: Quotient = (ONE, ONE)
    name: str = ""
    ends: Range = (None, None)
    order: int = 0
    density: tuple[tuple[tuple[int, int], ...], int, int] | None = None


class Tower:
    """Generators, each with an open range that holds its values on the box."""

    def __init__(self) -> None:
        self.generators: list[Generator] = []
        self.ranges: list[Range] = []
        self.divisors: list[Polynomial] = []
        """What an expression divides by, as it was read: a quotient of quotients no longer shows it."""
        self._variables: list[frozenset[int]] = []
        self._slopes: dict[tuple[int, int], Quotient] = {}
        self._signs: dict[frozenset[object], tuple[int | None, bool]] = {}

    # --- building

    def add(self, new: Generator) -> int:
        """A further generator; its argument speaks of earlier ones."""
        need(len(self.generators) < _MOST_GENERATORS, "too many generators")
        need(all(poly.used(part) <= set(range(len(self.generators))) for part in new.inner), "a generator speaks of later ones")
        self.generators.append(new)
        own = {len(self.generators) - 1} if new.kind == "variable" else set()
        self._variables.append(frozenset(own.union(*(self._variables[i] for part in new.inner for i in poly.used(part)))))
        self.ranges.append(self._range_of(new))
        return len(self.generators) - 1

    def free(self, kind: str, inner: Quotient, order: int = 0) -> Quotient:
        """A function of a quotient without any simplification, except at the constants 0 and 1."""
        value = constant_of(inner)
        if kind == "exp" and value == 0 or kind == "root" and value == 1:
            return ONE, ONE
        if kind == "log" and value == 1 or kind == "root" and value == 0:
            return {}, ONE
        if kind == "phi" and value == 0:
            return poly.constant(Fraction(1, 2)), ONE
        for i, known in enumerate(self.generators):
            if known.kind == kind and known.order == order and known.inner == inner:
                return poly.generator(i), ONE
        return poly.generator(self.add(Generator(kind, inner, order=order))), ONE

    def variable(self, name: str, ends: Range) -> Quotient:
        """A variable, made at its first use."""
        for i, known in enumerate(self.generators):
            if known.kind == "variable" and known.name == name:
                need(known.ends == ends, f"two ranges of {name}")
                return poly.generator(i), ONE
        low, high = ends
        need(low is None or high is None or low < high, f"an empty range of {name}")
        return poly.generator(self.add(Generator("variable", name=name, ends=ends))), ONE

    @property
    def box(self) -> dict[str, Range]:
        """The ranges of the variables."""
        return {g.name: g.ends for g in self.generators if g.kind == "variable"}

    def index_of(self, name: str) -> int:
        """The generator that is a variable."""
        for i, g in enumerate(self.generators):
            if g.kind == "variable" and g.name == name:
                return i
        raise DescentRefused(f"no variable {name}")

    def varies_with(self, index: int, variable: int) -> bool:
        """Whether a generator speaks of a variable, however deep."""
        return variable in self._variables[index]

    # --- derivatives

    def slope_of(self, index: int, variable: int) -> Quotient:
        """The derivative of a generator.

        exp(w)' = w' exp(w), log(w)' = w'/w, Φ(w)' = w' exp(−w²/2)/√(2π), (w^{1/k})' = w' w^{1/k}/(k w); w ≠ 0 where it stands below.
        """
        key = index, variable
        if key not in self._slopes:
            g = self.generators[index]
            if g.kind == "variable":
                slope = (ONE if index == variable else {}), ONE
            elif not self.varies_with(index, variable):
                slope = {}, ONE
            else:
                n, d = self.slope_of_quotient(g.inner, variable)
                a, b = g.inner
                if g.kind == "exp":
                    slope = poly.times(n, poly.generator(index)), d
                elif g.kind == "log":
                    slope = poly.times(n, b), poly.times(d, a)
                elif g.kind == "root":
                    above = poly.times(n, poly.times(b, poly.generator(index)))
                    slope = above, poly.scaled(poly.times(d, a), g.order)
                elif g.kind == "phi" and g.density is not None:
                    factors, two, circle = g.density
                    up, down = self.power_product(factors)
                    roots = poly.times(poly.generator(two), poly.generator(circle))
                    slope = poly.times(n, up), poly.times(d, poly.times(down, roots))
                else:
                    raise DescentRefused(f"no derivative of {g.kind}")
            self._slopes[key] = slope
        return self._slopes[key]

    def slope_of_polynomial(self, p: Polynomial, variable: int) -> Quotient:
        """The derivative of a polynomial in the generators: the chain rule."""
        parts = []
        for i in sorted(poly.used(p)):
            n, d = self.slope_of(i, variable)
            if n:
                parts.append((poly.times(poly.derivative(p, i), n), d))
        return poly.sum_of(parts)

    def slope_of_quotient(self, quotient: Quotient, variable: int) -> Quotient:
        """(a/b)' = (a'b − ab')/b²."""
        a, b = quotient
        n, d = self.slope_of_polynomial(a, variable)
        m, e = self.slope_of_polynomial(b, variable)
        if not m:
            return n, poly.times(d, b) if b != ONE else d
        above = poly.minus(poly.times(poly.times(n, e), b), poly.times(poly.times(a, m), d))
        return above, poly.times(poly.times(d, e), poly.times(b, b))

    # --- identities

    def base(self, index: int) -> Quotient:
        """exp(w) of an exponential, a of log a: what a power product is made of."""
        g = self.generators[index]
        need(g.kind in ("exp", "log"), "neither exp nor log")
        return (poly.generator(index), ONE) if g.kind == "exp" else g.inner

    def logarithm_of_base(self, index: int) -> Quotient:
        """w of an exponential exp(w), log a of itself."""
        g = self.generators[index]
        need(g.kind in ("exp", "log"), "neither exp nor log")
        return g.inner if g.kind == "exp" else (poly.generator(index), ONE)

    def power_product(self, factors: Iterable[tuple[int, int]]) -> Quotient:
        """Π base^k for positive and negative k."""
        rows = list(factors)
        need(len(rows) <= _MOST_FACTORS, "a product has too many factors")
        n = d = ONE
        for i, k in rows:
            up, down = self.base(i) if k > 0 else self.base(i)[::-1]
            n, d = poly.times(n, poly.power(up, abs(k))), poly.times(d, poly.power(down, abs(k)))
        return n, d

    def reduced(self, p: Polynomial) -> Polynomial:
        """p by the relations E^k = g of roots of polynomials: the same function, and degrees below k."""
        for i in range(len(self.generators) - 1, -1, -1):
            g = self.generators[i]
            if g.kind != "root" or g.inner[1] != ONE or poly.degree(p, i) < g.order:
                continue
            total: Polynomial = {}
            for exponent, part in poly.coefficients_by(p, i).items():
                whole, rest = divmod(exponent, g.order)
                term = poly.times(poly.power(g.inner[0], whole), poly.power(poly.generator(i), rest))
                total = poly.plus(total, poly.times(part, term))
            p = total
        return p

    def equal(self, p: Quotient, q: Quotient) -> bool:
        """Whether two quotients are the same function, wherever the denominators are not 0."""
        return not self.reduced(poly.minus(poly.times(p[0], q[1]), poly.times(q[0], p[1])))

    # --- signs

    def sign(self, p: Polynomial) -> int | None:
        """1 where p > 0 everywhere on the box, −1 where p < 0, 0 of the polynomial 0, None where nothing is known."""
        sign, strict = self.signs(p)
        return sign if strict else None

    def weak_sign(self, p: Polynomial) -> int | None:
        """1 where p ≥ 0 everywhere on the box, −1 where p ≤ 0, 0 of the polynomial 0, None where nothing is known."""
        return self.signs(p)[0]

    def signs(self, p: Polynomial) -> tuple[int | None, bool]:
        """The sign of p, and whether it is strict.

        Every generator runs through an open range. With the range mapped onto (0, ∞) by z ↦ a + z, b − z or (a + bz)/(1 + z), times
        (1 + z)^degree > 0, a polynomial whose coefficients have one sign has that sign, strictly, since all z > 0 (Bernstein). A
        generator that runs through the whole line may occur with even exponents only; it may be 0, so the sign is strict only when some
        term does without such generators.
        """
        if not p:
            return 0, True
        key = frozenset(p.items())
        if key not in self._signs:
            self._signs[key] = self._signs_of(p)
        return self._signs[key]

    def _signs_of(self, p: Polynomial) -> tuple[int | None, bool]:
        """Powers of generators on one side of 0 are divided out first."""
        flip = 1
        for i in sorted(poly.used(p)):
            low, high = self.ranges[i]
            content = min(m[i] if i < len(m) else 0 for m in p)
            if content and (low is not None and low >= 0 or high is not None and high <= 0):
                p = {poly.stripped([e - content if j == i else e for j, e in enumerate(m)]): c for m, c in p.items()}
                flip = flip if low is not None and low >= 0 or content % 2 == 0 else -flip
        sign, strict = self._signs_of_rest(p)
        return (None if sign is None else sign * flip), strict

    def _signs_of_rest(self, p: Polynomial) -> tuple[int | None, bool]:
        sign, strict = self._signs_of_terms(p)
        return (sign, strict) if sign is not None else self._signs_of_square(p)

    def _signs_of_square(self, p: Polynomial) -> tuple[int | None, bool]:
        """Az² + Bz + C has the sign of A ≠ 0 where 4AC ≥ B², strictly where 4AC > B²: 4A(Az² + Bz + C) = (2Az + B)² + 4AC − B²."""
        for i in sorted(poly.used(p)) if len(p) <= _LARGEST_SQUARE else ():
            parts = poly.coefficients_by(p, i)
            if self.ranges[i] != (None, None) or not {1, 2} <= set(parts) <= {0, 1, 2}:
                continue
            sign = self.sign(parts[2])
            rest = poly.minus(poly.scaled(poly.times(parts[2], parts.get(0, {})), 4), poly.times(parts[1], parts[1]))
            above, strict = self.signs(rest) if sign else (None, False)
            if sign and above in (0, 1):
                return sign, strict and above == 1
        return None, False

    def _signs_of_terms(self, p: Polynomial) -> tuple[int | None, bool]:
        indices = sorted(poly.used(p))
        size = 1
        for i in indices:
            if self.ranges[i] != (None, None):
                size *= 1 + poly.degree(p, i)
        if size > _LARGEST_MAP:
            return None, False
        whole = [i for i in indices if self.ranges[i] == (None, None)]
        if any(monomial[i] % 2 for monomial in p for i in whole if i < len(monomial)):
            return None, False
        for i in indices:
            p = _mapped(p, i, self.ranges[i])
        found = {value > 0 for value in p.values()}
        if len(found) == 1:
            strict = any(all(i >= len(m) or not m[i] for i in whole) for m in p)
            return (1 if found.pop() else -1), strict
        if len(indices) == 1 and not whole:
            sign = _sign_without_roots(p, indices[0])
            return sign, sign is not None
        return None, False

    def _range_of(self, g: Generator) -> Range:
        if g.kind == "variable":
            return g.ends
        if g.kind == "pi":
            return brackets.pi()
        inside = self._values_of(g.inner)
        if inside is not None and g.kind != "factorial":
            return _image(g, inside)
        n, d = g.inner
        if g.kind == "exp":
            return {1: (Fraction(1), None), -1: (Fraction(0), Fraction(1))}.get(self._sign_of(n, d), (Fraction(0), None))
        if g.kind == "root":
            above = self._sign_of(poly.minus(n, d), d)
            return {1: (Fraction(1), None), -1: (Fraction(0), Fraction(1))}.get(above, (Fraction(0), None))
        if g.kind == "log":
            return {1: (Fraction(0), None), -1: (None, Fraction(0))}.get(self._sign_of(poly.minus(n, d), d), (None, None))
        if g.kind == "phi":
            half = Fraction(1, 2)
            return {1: (half, Fraction(1)), -1: (Fraction(0), half)}.get(self._sign_of(n, d), (Fraction(0), Fraction(1)))
        need(g.kind == "factorial", f"no generator is a {g.kind}")
        return None, None

    def _sign_of(self, n: Polynomial, d: Polynomial) -> int:
        """The strict sign of n/d, 0 where nothing is known."""
        return (self.sign(n) or 0) * (self.sign(d) or 0)

    def _values_of(self, quotient: Quotient) -> tuple[Fraction, Fraction] | None:
        """A bracket of a quotient of numbers; None where a variable occurs."""
        ends = []
        for p in quotient:
            low = high = Fraction(0)
            for monomial, coefficient in p.items():
                term = (Fraction(coefficient), Fraction(coefficient))
                for i, exponent in enumerate(monomial):
                    for _ in range(exponent):
                        if self._variables[i] or None in self.ranges[i]:
                            return None
                        term = _product(term, self.ranges[i])  # type: ignore[arg-type]
                low, high = low + term[0], high + term[1]
            ends.append((low, high))
        (low, high), (below, above) = ends
        if below <= 0 <= above:
            return None
        return _product((low, high), (1 / above, 1 / below))


def constant_of(quotient: Quotient) -> Fraction | None:
    """The value of a quotient that is a rational number as it stands."""
    n, d = (poly.value_of(part) for part in quotient)
    if n == 0 and quotient[1]:
        return Fraction(0)
    return None if n is None or not d else n / d


def difference_of(a: Quotient, b: Quotient) -> Fraction | None:
    """a − b when it is a number."""
    n, d = poly.sum_of([a, (poly.scaled(b[0], -1), b[1])])
    return poly.proportional(n, d) if n else Fraction(0)


def _product(a: tuple[Fraction, Fraction], b: tuple[Fraction, Fraction]) -> tuple[Fraction, Fraction]:
    ends = [x * y for x in a for y in b]
    return min(ends), max(ends)


def _image(g: Generator, inside: tuple[Fraction, Fraction]) -> Range:
    """The range of a monotone function of a number."""
    low, high = inside
    if g.kind == "exp":
        return brackets.exponential(low)[0], brackets.exponential(high)[1]
    if g.kind == "phi":
        return brackets.normal(low)[0], brackets.normal(high)[1]
    if low <= 0:
        return (None, None) if g.kind == "log" else (Fraction(0), None)
    if g.kind == "log":
        return brackets.logarithm(low)[0], brackets.logarithm(high)[1]
    need(g.kind == "root" and g.order >= 2, f"no generator is a {g.kind}")
    return brackets.root(low, g.order)[0], brackets.root(high, g.order)[1]


def _mapped(p: Polynomial, index: int, ends: Range) -> Polynomial:
    """p with the generator's range mapped onto (0, ∞), times a positive function."""
    low, high = ends
    if (low is None and high is None) or (low == 0 and high is None):
        return p
    z = poly.generator(index)
    parts = poly.coefficients_by(p, index)
    top = max(parts)
    if low is not None and high is not None:
        inner = poly.plus(poly.constant(low), poly.scaled(z, high))
        outer = poly.plus(ONE, z)
    else:
        inner = poly.plus(poly.constant(low), z) if low is not None else poly.minus(poly.constant(high or 0), z)
        outer = ONE
    ups: Sequence[Polynomial] = [ONE]
    downs: Sequence[Polynomial] = [ONE]
    for _ in range(top):
        ups, downs = [*ups, poly.times(ups[-1], inner)], [*downs, poly.times(downs[-1], outer)]
    total: Polynomial = {}
    for exponent, part in parts.items():
        total = poly.plus(total, poly.times(part, poly.times(ups[exponent], downs[top - exponent])))
    return total


def _sign_without_roots(p: Polynomial, index: int) -> int | None:
    """The sign on (0, ∞) of a polynomial in one generator that has no root there, by Sturm's theorem; None when it has one.

    The number of different roots in (0, ∞) is the number of sign changes of the Sturm chain at 0+ less that at ∞; at 0+ a member has the
    sign of its lowest coefficient. The chain of a polynomial with multiple roots counts each root once.
    """
    dense = [Fraction(0)] * (poly.degree(p, index) + 1)
    for monomial, coefficient in p.items():
        dense[monomial[index] if monomial else 0] = Fraction(coefficient)
    while dense[0] == 0:
        dense.pop(0)
    chain = [dense, [k * c for k, c in enumerate(dense)][1:]]
    while any(chain[-1]):
        rest = list(chain[-2])
        divisor = chain[-1]
        while len(rest) >= len(divisor):
            factor = rest[-1] / divisor[-1]
            shift = len(rest) - len(divisor)
            for k, c in enumerate(divisor):
                rest[shift + k] -= factor * c
            rest.pop()
        while rest and rest[-1] == 0:
            rest.pop()
        if not rest:
            break
        size = abs(rest[-1])
        chain.append([-c / size for c in rest])
    at_zero = [next(c for c in member if c) for member in chain if any(member)]
    at_infinity = [member[-1] for member in chain if any(member)]
    if _changes(at_zero) - _changes(at_infinity):
        return None
    return 1 if dense[0] > 0 else -1


def _changes(values: Sequence[Fraction]) -> int:
    return sum((a > 0) != (b > 0) for a, b in zip(values, values[1:], strict=False))
