"""Zero tests for rational functions, by exact polynomial arithmetic without expanding expressions."""

from __future__ import annotations

from typing import Any

import sympy
from sympy import QQ, Add, Dummy, Mul, Pow
from sympy.polys.rings import ring


def is_zero(value: Any) -> bool:
    """True when a rational function of its symbols is identically zero.

    Powers with exponents that are not integers count as symbols of their own, so that True is certain and False may miss a relation
    between such powers (then `sympy.cancel` is asked too).

    >>> x, y = sympy.symbols("x y")
    >>> is_zero(1 / x + 1 / y - (x + y) / (x * y)), is_zero((x + 1) ** 30 - x**30)
    (True, False)
    """
    atoms: dict[Any, Dummy] = {}
    plain = _plain(value, atoms)
    symbols = sorted(plain.free_symbols, key=str)
    if not symbols:
        return bool(_cancelled(value) == 0)
    domain, *generators = ring([f"x{k}" for k in range(len(symbols))], QQ)
    numerator, _ = _Fractions(domain, dict(zip(symbols, generators, strict=True))).quotient(plain)
    if numerator == 0:
        return True
    return bool(atoms) and bool(_cancelled(value) == 0)


def _cancelled(value: Any) -> Any:
    try:
        return sympy.cancel(sympy.together(value))
    except sympy.PolynomialError:
        return sympy.expand(value)


def _plain(node: Any, atoms: dict[Any, Dummy]) -> Any:
    """The expression with everything that is not a rational operation replaced by a symbol."""
    if node.is_Rational or node.is_Symbol:
        return node
    if isinstance(node, (Add, Mul)):
        return node.func(*(_plain(part, atoms) for part in node.args), evaluate=False)
    if isinstance(node, Pow) and node.exp.is_Integer:
        return Pow(_plain(node.base, atoms), node.exp, evaluate=False)
    if node not in atoms:
        atoms[node] = Dummy(f"w{len(atoms)}")
    return atoms[node]


class _Fractions:
    """Numerator and denominator of a rational expression, as elements of one polynomial ring."""

    def __init__(self, domain: Any, generators: dict[Any, Any]) -> None:
        self.domain = domain
        self.generators = generators
        self.known: dict[Any, tuple[Any, Any]] = {}

    def quotient(self, node: Any) -> tuple[Any, Any]:
        """(numerator, denominator), not reduced."""
        if node not in self.known:
            self.known[node] = self._build(node)
        return self.known[node]

    def _build(self, node: Any) -> tuple[Any, Any]:
        one = self.domain.one
        if node.is_Rational:
            return self.domain(int(node.p)), self.domain(int(node.q))
        if node.is_Symbol:
            return self.generators[node], one
        if isinstance(node, Pow):
            top, bottom = self.quotient(node.base)
            size = int(node.exp)
            return (top**size, bottom**size) if size >= 0 else (bottom**-size, top**-size)
        parts = [self.quotient(part) for part in node.args]
        if isinstance(node, Mul):
            top, bottom = one, one
            for a, b in parts:
                top, bottom = top * a, bottom * b
            return top, bottom
        groups: dict[Any, Any] = {}
        for a, b in parts:
            groups[b] = groups[b] + a if b in groups else a
        top, bottom = self.domain.zero, one
        for b, a in groups.items():
            top, bottom = top * b + a * bottom, bottom * b
        return top, bottom
