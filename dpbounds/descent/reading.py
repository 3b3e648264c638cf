"""Statements as sympy writes them, read into a tower: structure only, nothing is evaluated or simplified by sympy."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import sympy

from dpbounds.descent import polynomials as poly
from dpbounds.descent.polynomials import ONE, Quotient
from dpbounds.descent.refusal import DescentRefused, need
from dpbounds.descent.tower import Range, Tower, constant_of
from dpbounds.language import functions
from dpbounds.language.kinds import entry_for

_MOST_TERMS = 800
"""An expression with more terms over one denominator is left to other deciders; lemmas have some dozens."""
_HIGHEST_POWER = 64
"""A power is multiplied out."""


class TowerReader:
    """Reads expressions into one free tower: every exp, log, Φ and root becomes a generator of its own.

    Args:
        tower: takes the generators.
        box: the open range of each variable.
        meanings: variables that are expressions in others.
        nodes: what is read in the place of a part.
    """

    def __init__(
        self,
        tower: Tower,
        box: Mapping[str, Range],
        meanings: Mapping[str, sympy.Expr],
        nodes: Mapping[sympy.Basic, sympy.Basic] | None = None,
    ) -> None:
        self.tower, self.box, self.meanings, self.nodes = tower, box, meanings, nodes or {}
        self._known: dict[sympy.Basic, Quotient] = {}

    def read(self, node: sympy.Basic) -> Quotient:
        """The expression as a quotient."""
        if node not in self._known:
            found = self.read(self.nodes[node]) if node in self.nodes else self._read(node)
            need(len(found[0]) + len(found[1]) <= _MOST_TERMS, "a large expression")
            self._known[node] = found
        return self._known[node]

    def _read(self, node: sympy.Basic) -> Quotient:
        if (reading := entry_for(_READINGS, node)) is None:
            raise DescentRefused(f"{type(node).__name__} is not a function of towers")
        return reading(self, node)

    def _symbol(self, node: sympy.Symbol) -> Quotient:
        if node.name in self.meanings:
            return self.read(self.meanings[node.name])
        need(node.name in self.box, f"no range of {node.name}")
        return self.tower.variable(node.name, self.box[node.name])

    def _logarithm(self, node: sympy.log) -> Quotient:
        need(len(node.args) == 1, "a logarithm with a base")
        return self.tower.free("log", self.read(node.args[0]))

    def _product(self, node: sympy.Mul) -> Quotient:
        n = d = ONE
        for part in node.args:
            a, b = self.read(part)
            n, d = poly.times(n, a), poly.times(d, b)
        return n, d

    def _power(self, node: sympy.Pow) -> Quotient:
        base, exponent = node.args
        if base is sympy.E:
            return self.tower.free("exp", self.read(exponent))
        value = self.read(base)
        if isinstance(exponent, sympy.Rational):
            up, order = abs(int(exponent.p)), int(exponent.q)
            need(up <= _HIGHEST_POWER and order <= _HIGHEST_POWER, f"a power above {_HIGHEST_POWER}")
            if order > 1:
                value = self.tower.free("root", value, order)
            n, d = poly.power(value[0], up), poly.power(value[1], up)
            if exponent.p >= 0:
                return n, d
            need(n, "division by 0")
            if value[0] not in self.tower.divisors:
                self.tower.divisors.append(value[0])
            return d, n
        power = self.read(exponent)
        if constant_of(value) == 0:
            # 0^x is 0 for x > 0, and nothing otherwise. What is read may be undefined or the root of 0, so its sign says nothing yet:
            # that x > 0 is what it takes for log x to be defined, and this is shown of all that a tower holds.
            self.tower.free("log", power)
            exponent_value = constant_of(power)
            need(exponent_value is None or exponent_value > 0, "a power of 0 that is not positive")
            return {}, ONE
        log = self.tower.free("log", value)
        return self.tower.free("exp", (poly.times(power[0], log[0]), poly.times(power[1], log[1])))

    def _error_function(self, node: sympy.Basic) -> Quotient:
        """erf(z) = 2Φ(√2 z) − 1 and erfc(z) = 2Φ(−√2 z)."""
        n, d = self.read(node.args[0])
        root, _ = self.tower.free("root", (poly.constant(2), ONE), 2)
        if type(node) is sympy.erf:
            value, below = self.tower.free("phi", _without_roots(self.tower, poly.times(n, root), d))
            return poly.minus(poly.scaled(value, 2), below), below
        value, below = self.tower.free("phi", _without_roots(self.tower, poly.scaled(poly.times(n, root), -1), d))
        return poly.scaled(value, 2), below

    def _hyperbolic(self, node: sympy.Basic) -> Quotient:
        n, d = self.read(node.args[0])
        up, down = (self.tower.free("exp", (poly.scaled(n, sign), d)) for sign in (1, -1))
        plus, minus = poly.sum_of([up, down]), poly.sum_of([up, (poly.scaled(down[0], -1), down[1])])
        if type(node) is sympy.cosh:
            return plus[0], poly.scaled(plus[1], 2)
        if type(node) is sympy.sinh:
            return minus[0], poly.scaled(minus[1], 2)
        return poly.times(minus[0], plus[1]), poly.times(minus[1], plus[0])


_READINGS: dict[Any, Callable[[TowerReader, Any], Quotient]] = {
    sympy.Rational: lambda reader, node: (poly.constant(Fraction(int(node.p), int(node.q))), ONE),
    sympy.Symbol: TowerReader._symbol,
    type(sympy.pi): lambda reader, node: reader.tower.free("pi", (ONE, ONE)),
    type(sympy.E): lambda reader, node: reader.tower.free("exp", (ONE, ONE)),
    sympy.Add: lambda reader, node: poly.sum_of(reader.read(part) for part in node.args),
    sympy.Mul: TowerReader._product,
    sympy.exp: lambda reader, node: reader.tower.free("exp", reader.read(node.args[0])),
    sympy.Pow: TowerReader._power,
    sympy.log: TowerReader._logarithm,
    functions.NormalCDF: lambda reader, node: reader.tower.free("phi", reader.read(node.args[0])),
    **dict.fromkeys((sympy.erf, sympy.erfc), TowerReader._error_function),
    **dict.fromkeys((sympy.cosh, sympy.sinh, sympy.tanh), TowerReader._hyperbolic),
}
"""The quotient of each kind of expression."""


def _without_roots(tower: Tower, n: poly.Polynomial, d: poly.Polynomial) -> Quotient:
    """√2·√2 = 2 in an argument of Φ: the relations of the roots, which are identities."""
    return tower.reduced(n), tower.reduced(d)
