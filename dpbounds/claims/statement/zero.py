"""Is an expression identically zero? Decided by exact polynomial arithmetic over the rational numbers, never by a simplifier.

What is not arithmetic is named: a symbol, exp of one monomial, a root, the logarithm of a prime, any other function of parts in a normal
form. The expression is then a quotient of polynomials in those names. If its numerator is the zero polynomial, the expression is 0
wherever it and its names are defined, whatever numbers the names stand for. Else nothing is said: names may be related in ways not known.

Laws used, each true wherever the left side is defined: exp(a + b) = exp(a)·exp(b) and exp(k·a) = exp(a)^k for integers k;
(b^(1/n))^n = b and b^(r + s) = b^r·b^s; log of a positive rational number is the sum over its primes; log(exp(a)) = a; exp(a·log b) = b^a
for b ≠ 0; log of a product splits where the factors are positive by what their symbols assume.
"""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from typing import Any

import sympy
from sympy import QQ
from sympy.polys.rings import ring

from dpbounds.errors import LanguageError
from dpbounds.language import enclose
from dpbounds.language.substitution import has_sign_to_sample, rebuilt
from dpbounds.numbers import balls

_MOST_OPERATIONS = 2000
_MOST_TERMS = 3000
_MOST_DEGREE = 400
_MOST_DIGITS = 400
_LARGEST_TO_FACTOR = 10**12
_BITS = (64, 256, 1024)


class _TooLarge(Exception):
    """The polynomials would be longer than they are worth."""


def is_zero(expression: Any) -> bool:
    """True when exact polynomial arithmetic shows that an expression vanishes identically.

    >>> x = sympy.Symbol("x", positive=True)
    >>> is_zero(sympy.log(8) - 3 * sympy.log(2)), is_zero(sympy.sqrt(2) * sympy.sqrt(x) - sympy.sqrt(2 * x))
    (True, True)
    >>> is_zero((sympy.exp(x) - 1) ** 2 - sympy.exp(2 * x) + 2 * sympy.exp(x) - 1), is_zero(sympy.exp(x) - 1 - x)
    (True, False)
    """
    if expression == 0:
        return True
    if expression.has(sympy.nan, sympy.zoo, sympy.oo, sympy.I, sympy.Float) or _size(expression) > _MOST_OPERATIONS:
        return False
    try:
        return bool(_Names().numerator(expression) == 0)
    except _TooLarge:
        return False


def is_equal(left: Any, right: Any) -> bool:
    """True when the difference of two expressions is shown to vanish identically."""
    return bool(left == right) or is_zero(sympy.Add(left, -right))


def proportion(left: Any, right: Any) -> Any:
    """The rational number c with left = c·right identically, as far as polynomial arithmetic shows one; None otherwise.

    >>> x = sympy.Symbol("x", real=True)
    >>> proportion(2**x / 3 + sympy.Rational(1, 3), 2**x + 1)
    1/3
    """
    names = _Names()
    try:
        first, second = names.polynomials([left, right])
    except _TooLarge:
        return None
    if first == 0 or second == 0:
        return None
    ratio = first.LC / second.LC
    found = sympy.Rational(int(ratio.numerator), int(ratio.denominator))
    # The two numerators may have been scaled differently, so the ratio is a guess until it is shown.
    return found if is_zero(sympy.Add(left, -found * right)) else None


def sign_of(number: Any) -> int:
    """1 or -1 for a number that surely is positive or negative, 0 when nothing is known.

    >>> sign_of(sympy.sqrt(2) - sympy.Rational(3, 2)), sign_of(sympy.sqrt(2) ** 2 - 2)
    (-1, 0)
    """
    if number.free_symbols:
        return 0
    if number.is_Rational:
        return (int(number.p) > 0) - (int(number.p) < 0)
    try:
        program = enclose.compile_expression(number, ())
    except LanguageError:
        return 0
    for bits in _BITS:
        with balls.precision(bits):
            value = program([])
        if value > 0 or value < 0:
            return 1 if value > 0 else -1
    return 0


def _size(expression: Any) -> int:
    return sum(1 for _ in sympy.preorder_traversal(expression))


class _Names:
    """One ring for one expression: generators are collected first, roots with their common denominators, and then computed with."""

    def __init__(self) -> None:
        self.keys: dict[Any, int] = {}
        self.roots: dict[Any, int] = {}

    def numerator(self, expression: Any) -> Any:
        """The numerator of the expression as a polynomial in its names."""
        return self.polynomials([expression])[0]

    def polynomials(self, expressions: list[Any]) -> list[Any]:
        """The numerators of expressions over one common denominator."""
        plain = [self.named(expression) for expression in expressions]
        keys = list(self.keys)
        domain, *generators = ring([f"g{k}" for k in range(max(1, len(keys)))], QQ)
        polynomials = _Polynomials(domain, dict(zip(keys, generators, strict=False)), self.roots)
        found = [polynomials.quotient(part) for part in plain]
        tops = []
        for position, (top, _) in enumerate(found):
            for other, (_, bottom) in enumerate(found):
                top = top if other == position else polynomials._product(top, bottom)
            tops.append(polynomials.reduced(top))
        return tops

    # expressions over names: nested tuples ("+", parts), ("*", parts), ("^", base, integer), a Fraction, or a key

    def name(self, key: Any) -> Any:
        """A generator; functions of equal parts are one generator, however the parts are written."""
        if key not in self.keys:
            key = next((known for known in self.keys if _is_same(known, key)), key)
            self.keys.setdefault(key, len(self.keys))
        return ("name", key)

    def named(self, node: Any) -> Any:
        """The expression as arithmetic on names."""
        if node.is_Rational:
            return Fraction(int(node.p), int(node.q))
        if isinstance(node, sympy.Add):
            return ("+", [self.named(part) for part in node.args])
        if isinstance(node, sympy.Mul):
            return ("*", [self.named(part) for part in node.args])
        if node is sympy.E:
            return self.exponential(sympy.S.One)
        if isinstance(node, sympy.exp):
            return self.exponential(node.args[0])
        if isinstance(node, sympy.Pow):
            return self.power(node.base, node.exp)
        if isinstance(node, sympy.log):
            return self.logarithm(node.args[0])
        chosen = _chosen(node)
        return self.name(normal(node)) if chosen is None else self.named(chosen)

    def power(self, base: Any, exponent: Any) -> Any:
        if exponent.is_Integer:
            return ("^", self.named(base), int(exponent))
        if base is sympy.E:
            return self.exponential(exponent)
        if exponent.is_Rational:
            return self.root(base, Fraction(int(exponent.p), int(exponent.q)))
        # b^(a + c) = b^a b^c, with rational coefficients taken out of each term
        result: list[Any] = []
        for term in sympy.Add.make_args(multiplied_out(exponent)):
            if term.is_Rational:
                result.append(self.power(base, term))
                continue
            coefficient, monomial = term.as_coeff_Mul()
            share, whole = Fraction(int(coefficient.p), int(coefficient.q)), base.is_Rational and base > 0
            if whole and max(base.p, base.q) > _LARGEST_TO_FACTOR:
                raise _TooLarge
            bases = sympy.factorrat(base).items() if whole else [(normal(base), 1)]
            result += [self.share_of(("power", sympy.sympify(b), normal(monomial)), share * int(k)) for b, k in bases]
        return ("*", result)

    def share_of(self, key: Any, exponent: Fraction) -> Any:
        """A rational power of a positive quantity that has a name; the name stands for its n-th root, n the common denominator."""
        self.keys.setdefault(key, len(self.keys))
        self.roots[key] = lcm(self.roots.get(key, 1), exponent.denominator)
        return ("root", key, exponent, None)

    def root(self, base: Any, exponent: Fraction) -> Any:
        """base^exponent: powers of one name base^(1/n), n the least common denominator that occurs."""
        if exponent.denominator == 1:
            return ("^", self.named(base), exponent.numerator)
        if base.is_Rational and base > 0:
            return self.rational_root(Fraction(int(base.p), int(base.q)), exponent)
        if isinstance(base, sympy.Mul) and all(_is_nonnegative(part) for part in base.args):
            return ("*", [self.root(part, exponent) for part in base.args])
        if isinstance(base, sympy.Pow) and base.exp.is_Rational and _is_nonnegative(base.base):
            return self.root(base.base, exponent * Fraction(int(base.exp.p), int(base.exp.q)))
        if isinstance(base, sympy.exp):
            return self.exponential(base.args[0] * sympy.Rational(exponent))
        key = ("root", normal(base))
        self.keys.setdefault(key, len(self.keys))
        self.roots[key] = lcm(self.roots.get(key, 1), exponent.denominator)
        return ("root", key, exponent, self.named(base))

    def rational_root(self, base: Fraction, exponent: Fraction) -> Any:
        if max(base.numerator, base.denominator) > _LARGEST_TO_FACTOR:
            raise _TooLarge
        parts = []
        for prime, power in sympy.factorrat(sympy.Rational(base)).items():
            total = exponent * int(power)
            key = ("root", sympy.Integer(prime))
            self.keys.setdefault(key, len(self.keys))
            self.roots[key] = lcm(self.roots.get(key, 1), total.denominator)
            parts.append(("root", key, total, Fraction(int(prime))))
        return ("*", parts) if parts else Fraction(1)

    def exponential(self, exponent: Any) -> Any:
        """exp of a sum: of each term a power of exp(monomial), a name of its own; a factor log(b) makes a power of b."""
        result = []
        for term in sympy.Add.make_args(multiplied_out(exponent)):
            coefficient, monomial = term.as_coeff_Mul()
            logs = [part for part in sympy.Mul.make_args(monomial) if isinstance(part, sympy.log)]
            if len(logs) == 1 and _is_positive(logs[0].args[0]):
                result.append(self.power(logs[0].args[0], _rebuilt_product(term, logs[0])))
                continue
            result.append(self.share_of(("exp", normal(monomial)), Fraction(int(coefficient.p), int(coefficient.q))))
        return ("*", result)

    def logarithm(self, argument: Any) -> Any:
        if argument.is_Rational and argument > 0:
            if max(argument.p, argument.q) > _LARGEST_TO_FACTOR:
                raise _TooLarge
            primes = sympy.factorrat(argument)
            return ("+", [("*", [Fraction(int(power)), self.name(("log", sympy.Integer(prime)))]) for prime, power in primes.items()])
        if argument is sympy.E:
            return Fraction(1)
        if isinstance(argument, sympy.exp):
            return self.named(argument.args[0])
        if isinstance(argument, sympy.Mul) and all(map(_is_positive, argument.args)):
            return ("+", [self.logarithm(part) for part in argument.args])
        if isinstance(argument, sympy.Pow) and _is_positive(argument.base):
            return ("*", [self.named(argument.exp), self.logarithm(argument.base)])
        for known in [key for key in self.keys if isinstance(key, tuple) and key[0] == "log"]:
            ratio = proportion(argument, known[1])
            if ratio is not None and ratio > 0:  # log(c·b) = log(c) + log(b) for a number c > 0
                return ("+", [self.logarithm(ratio), self.name(known)])
        return self.name(("log", normal(argument)))


def _is_same(left: Any, right: Any) -> bool:
    """True when two names are the same function of parts that are shown to be equal."""
    if type(left) is not type(right) or not isinstance(left, sympy.Function) or len(left.args) != len(right.args):
        return False
    expressions = all(isinstance(part, sympy.Expr) for part in (*left.args, *right.args))
    return expressions and left.func == right.func and all(map(is_equal, left.args, right.args))


def _rebuilt_product(term: Any, factor: Any) -> Any:
    """A product without one of its factors."""
    rest = list(sympy.Mul.make_args(term))
    rest.remove(factor)
    return sympy.Mul(*rest)


def normal(node: Any) -> Any:
    """A part in a form in which sums are multiplied out: equal names for parts that differ by that only."""
    if not isinstance(node, sympy.Expr) or not node.args:
        return node
    return sympy.expand_mul(rebuilt(node, [normal(part) for part in node.args]), deep=False)


def multiplied_out(expression: Any) -> Any:
    """The expression with products of sums multiplied out, and nothing else: sympy's other expansions ask for signs of numbers."""
    return sympy.expand(expression, power_base=False, power_exp=False, log=False)


def _chosen(node: Any) -> Any:
    """What a maximum, a minimum or an absolute value of closed numbers is, by certified signs; None where they do not tell."""
    if node.free_symbols or not isinstance(node, (sympy.Max, sympy.Min, sympy.Abs)):
        return None
    parts = (node.args[0], -node.args[0]) if isinstance(node, sympy.Abs) else node.args
    wanted = -1 if isinstance(node, sympy.Min) else 1
    for part in parts:
        if all(other is part or sign_of(sympy.Add(part, -other)) == wanted for other in parts):
            return part
    return None


def _is_nonnegative(node: Any) -> bool:
    return bool(not has_sign_to_sample(node) and node.is_nonnegative)


def _is_positive(node: Any) -> bool:
    return bool(not has_sign_to_sample(node) and node.is_positive)


class _Polynomials:
    """Numerator and denominator of arithmetic on names."""

    def __init__(self, domain: Any, generators: dict[Any, Any], roots: dict[Any, int]) -> None:
        self.domain, self.generators, self.roots = domain, generators, roots
        self.meaning: dict[Any, Any] = {}

    def quotient(self, node: Any) -> tuple[Any, Any]:
        one = self.domain.one
        if isinstance(node, Fraction):
            if max(node.numerator.bit_length(), node.denominator.bit_length()) > 4 * _MOST_DIGITS:
                raise _TooLarge
            return self.domain(node.numerator), self.domain(node.denominator)
        if node[0] == "name":
            return self.generators[node[1]], one
        if node[0] == "root":
            _, key, exponent, meaning = node
            if meaning is not None:
                self.meaning[key] = meaning
            return self._raised((self.generators[key], one), int(exponent * self.roots[key]))
        if node[0] == "^":
            return self._raised(self.quotient(node[1]), node[2])
        parts = [self.quotient(part) for part in node[1]]
        top, bottom = parts[0] if parts else (self.domain.zero if node[0] == "+" else one, one)
        for a, b in parts[1:]:
            if node[0] == "*":
                top, bottom = self._product(top, a), self._product(bottom, b)
            elif b == bottom:
                top = top + a
            else:
                top, bottom = self._product(top, b) + self._product(a, bottom), self._product(bottom, b)
        return top, bottom

    def reduced(self, top: Any) -> Any:
        """The polynomial where a name r with r^n = b stands in powers below n: exact because b is arithmetic on names.

        b may have roots of its own, so the others are looked at again; none of them has r, so this ends.
        """
        done: set[Any] = set()
        while (key := next((key for key in self.meaning if key not in done), None)) is not None and top != 0:
            done.add(key)
            n, position = self.roots[key], list(self.generators).index(key)
            degree = max(monomial[position] for monomial in top)
            if n == 1 or degree < n:
                continue
            over, under = self.quotient(self.meaning[key])
            result, most = self.domain.zero, degree // n
            for monomial, coefficient in top.terms():
                quotient, rest = divmod(monomial[position], n)
                lowered = self.domain({(*monomial[:position], rest, *monomial[position + 1 :]): coefficient})
                result += self._product(
                    self._product(lowered, self._raised((over, self.domain.one), quotient)[0]), under ** (most - quotient)
                )
            top, done = result, {key}
        return top

    def _raised(self, value: tuple[Any, Any], exponent: int) -> tuple[Any, Any]:
        top, bottom = value if exponent >= 0 else value[::-1]
        if bottom == 0 or abs(exponent) > _MOST_DEGREE or len(top) ** min(abs(exponent), 12) > 100 * _MOST_TERMS:
            raise _TooLarge
        return top ** abs(exponent), bottom ** abs(exponent)

    def _product(self, left: Any, right: Any) -> Any:
        if len(left) * len(right) > 100 * _MOST_TERMS:
            raise _TooLarge
        return left * right
