"""The replay checker's own arithmetic: mpmath intervals, and nothing of the ball engine.

Functions: + − × ÷, integer, rational and real powers, exp, log, sqrt, erf, erfc, the normal CDF (own series with a bound on
the remainder), Abs, Min, Max, Piecewise, finite sums, the constants π, e. Anything else raises `Unsupported`.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import sympy
from mpmath.ctx_iv import MPIntervalContext
from mpmath.libmp import finf, fninf

from dpbounds import functions
from dpbounds.quantifiers import ForAll, least_index, range_of
from dpbounds.substitution import negation, substituted

_ERF_TERMS = 20_000
_SUM_TERMS = 10_000
_FAR = 3
_LARGEST_EXPONENT = 100_000


class Unsupported(Exception):
    """The checker has no interval arithmetic for a construct."""


class Undefined(Exception):
    """A value that is not defined on the whole interval."""


class Intervals:
    """Evaluate expressions over interval boxes at a fixed precision, in a context of its own.

    >>> intervals = Intervals(60)
    >>> x = sympy.Symbol("x", real=True)
    >>> value = intervals.value(sympy.exp(x), {x: intervals.side(Fraction(0), Fraction(1))})
    >>> intervals.low(value) <= 1 and intervals.high(value) >= Fraction(27182, 10000)
    True
    """

    def __init__(self, bits: int) -> None:
        self.context = MPIntervalContext()
        self.context.prec = bits
        ulp = self.context.mpf(2) ** (1 - bits)
        self._margin = self.context.mpf([(1 - ulp).a, (1 + ulp).b])

    def side(self, low: Fraction | float, high: Fraction | float) -> Any:
        """The interval [low, high], rounded outward; infinite ends are floats."""
        first, last = (self.context.mpf(end) if isinstance(end, float) else self._ratio(end) for end in (low, high))
        return self.context.mpf([first.a, last.b])

    def _ratio(self, value: Fraction) -> Any:
        return self.context.mpf(value.numerator) / self.context.mpf(value.denominator)

    def low(self, value: Any) -> Any:
        """The lower end of an interval as a number that compares exactly."""
        return _exact(value.a)

    def high(self, value: Any) -> Any:
        """The upper end of an interval."""
        return _exact(value.b)

    def value(self, expression: Any, box: dict[sympy.Symbol, Any]) -> Any:
        """An interval that contains the expression at every point of the box.

        Raises:
            Undefined: a denominator that may be 0, a logarithm or root that may leave its range.
            Unsupported: a construct outside the list.
        """
        return self._visit(expression, box, {})

    def _visit(self, node: Any, box: dict[sympy.Symbol, Any], known: dict[Any, Any]) -> Any:
        if node not in known:
            known[node] = self._evaluate(node, box, known)
        return known[node]

    def _evaluate(self, node: Any, box: dict[sympy.Symbol, Any], known: dict[Any, Any]) -> Any:
        context = self.context
        if node in box:
            return box[node]
        if node.is_Rational:
            return self._ratio(Fraction(int(node.p), int(node.q)))
        if node is sympy.pi:
            return self._wider(+context.pi)
        if node is sympy.E:
            return self._exp(context.mpf(1))
        if isinstance(node, functions.NormalCDF):
            return self._erfc(-self._visit(node.args[0], box, known) / context.sqrt(2)) / 2
        if isinstance(node, functions.PrivacyQuantity):
            elementary = functions.expand_quantities(node)
            if elementary == node:
                raise Unsupported(type(node).__name__)
            return self._visit(elementary, box, known)
        if isinstance(node, sympy.Piecewise):
            return self._piecewise(node, box, known)
        parts = [self._visit(part, box, known) for part in node.args] if not isinstance(node, sympy.Sum) else []
        if isinstance(node, sympy.Add):
            return sum(parts[1:], parts[0])
        if isinstance(node, sympy.Mul):
            product = parts[0]
            for part in parts[1:]:
                product = product * part
            return product
        if isinstance(node, sympy.Pow):
            return self._power(node, parts)
        if isinstance(node, sympy.exp):
            return self._exp(parts[0])
        if isinstance(node, sympy.log):
            if not parts[0].a > 0:
                raise Undefined(f"log of {parts[0]}")
            return self._wider(context.log(parts[0]))
        if isinstance(node, sympy.erf):
            return self._erf(parts[0])
        if isinstance(node, sympy.erfc):
            return self._erfc(parts[0])
        if isinstance(node, sympy.Abs):
            return abs(parts[0])
        if isinstance(node, (sympy.Min, sympy.Max)):
            choose = min if isinstance(node, sympy.Min) else max
            return context.mpf([choose(p.a for p in parts), choose(p.b for p in parts)])
        if isinstance(node, sympy.Sum):
            return self._sum(node, box)
        if isinstance(node, sympy.binomial) and node.args[1].is_Integer and node.args[0].is_Integer:
            return context.mpf(int(sympy.binomial(*node.args)))
        raise Unsupported(f"{type(node).__name__}: {node}")

    def _power(self, node: sympy.Pow, parts: list[Any]) -> Any:
        base, exponent = parts
        if node.exp.is_Integer:
            return self._integer_power(base, int(node.exp))
        if node.base is sympy.E:
            return self._exp(exponent)
        if base.a > 0:
            return self._exp(exponent * self._wider(self.context.log(base)))
        if base.a >= 0 and exponent.a > 0:
            top = self.context.mpf(base.b)
            peak = self._exp(exponent * self._wider(self.context.log(top))).b if top > 0 else 0
            return self.context.mpf([0, peak])
        raise Undefined(f"{base} to the power {exponent}")

    def _exp(self, argument: Any) -> Any:
        return self._wider(self.context.exp(argument))

    def _wider(self, value: Any) -> Any:
        """A relative 2^(1−p) more on both sides: mpmath rounds elementary functions outward, but its last bit is not proved."""
        return value * self._margin

    def _integer_power(self, base: Any, exponent: int) -> Any:
        context = self.context
        if exponent < 0:
            bottom = self._integer_power(base, -exponent)
            if not (bottom.a > 0 or bottom.b < 0):
                raise Undefined("division by an interval that contains 0")
            return 1 / bottom
        low, high = context.mpf(base.a), context.mpf(base.b)
        ends = [self._repeated(low, exponent), self._repeated(high, exponent)]
        bottom, top = min(e.a for e in ends), max(e.b for e in ends)
        if exponent % 2 == 0 and exponent > 0 and base.a <= 0 <= base.b:
            bottom = context.mpf(0).a
        return context.mpf([bottom, top])

    def _repeated(self, point: Any, exponent: int) -> Any:
        """Powers of a point by repeated squaring."""
        if exponent > _LARGEST_EXPONENT:
            raise Unsupported(f"the power {exponent}")
        result = self.context.mpf(1)
        for digit in bin(exponent)[2:]:
            result = result * result
            if digit == "1":
                result = result * point
        return result

    def _erf(self, argument: Any) -> Any:
        low, high = (self._erf_at(self.context.mpf(end)) for end in (argument.a, argument.b))
        return self.context.mpf([low.a, high.b])

    def _erf_at(self, x: Any) -> Any:
        """erf(x) = 2/√π e^{−x²} Σ 2ⁿ x^{2n+1}/(2n+1)!!; once the ratio 2x²/(2n+3) is below 1/2 the rest is below twice the last term."""
        context = self.context
        if x.b < 0:
            return -self._erf_at(-x)
        if x.b == 0:
            return context.mpf(0)
        if x.a >= 12:
            return context.mpf([(1 - self._exp(-(context.mpf(x.a) ** 2))).a, 1])
        term, total = x, x
        for n in range(1, _ERF_TERMS):
            term = term * 2 * x * x / (2 * n + 1)
            total = total + term
            if 4 * x.b * x.b < 2 * n + 3 and abs(term).b < total.b * context.mpf(2) ** (-context.prec - 8):
                rest = context.mpf([0, (2 * abs(term)).b])
                return (total + rest) * 2 * self._exp(-x * x) / context.sqrt(self._wider(+context.pi))
        raise Unsupported(f"erf of {x} at {context.prec} bits")

    def _erfc(self, argument: Any) -> Any:
        low, high = (self._erfc_at(self.context.mpf(end)) for end in (argument.a, argument.b))
        return self.context.mpf([high.a, low.b])

    def _erfc_at(self, x: Any) -> Any:
        """erfc(x) = e^{−x²}/(x√π)·(1 − 1/(2x²) + 1·3/(2x²)² − …) for large x.

        The error is smaller than the first term left out (DLMF §7.12).
        """
        context = self.context
        if not x.a >= _FAR or x.b == math.inf:
            return 1 - self._erf_at(x)
        term, total, square = context.mpf(1), context.mpf(0), 2 * x * x
        for n in range(1, _ERF_TERMS):
            total = total + term
            following = term * (1 - 2 * n) / square
            if abs(following).b >= abs(term).a or abs(following).b < context.mpf(2) ** (-context.prec - 8):
                break
            term = following
        rest = context.mpf([-abs(following).b, abs(following).b])
        return (total + rest) * self._exp(-x * x) / (x * context.sqrt(self._wider(+context.pi)))

    def _sum(self, node: sympy.Sum, box: dict[sympy.Symbol, Any]) -> Any:
        variable, low, high = node.limits[0]
        if len(node.limits) != 1 or not (low.is_Integer and high.is_Integer):
            raise Unsupported(f"sum of symbolic length: {node}")
        start, stop = int(low), int(high)
        if not -1 <= stop - start <= _SUM_TERMS or (stop >= start and start < least_index(variable)):
            raise Unsupported(f"sum of {stop - start + 1} terms, or of an index outside its assumptions: {node}")
        total = self.context.mpf(0)
        for k in range(start, stop + 1):
            total = total + self.value(substituted(node.function, {variable: sympy.Integer(k)}), box)
        return total

    def _piecewise(self, node: sympy.Piecewise, box: dict[sympy.Symbol, Any], known: dict[Any, Any]) -> Any:
        union = None
        for expression, condition in node.args:
            truth = self.truth(condition, box)
            if truth is False:
                continue
            value = self._visit(expression, box, known)
            union = value if union is None else self.context.mpf([min(union.a, value.a), max(union.b, value.b)])
            if truth is True:
                return union
        raise Undefined("no branch of a piecewise expression surely applies")

    def truth(self, condition: Any, box: dict[sympy.Symbol, Any]) -> bool | None:
        """Decide a condition on a whole box: True, False, or None."""
        if condition in (sympy.true, sympy.false):
            return bool(condition)
        if isinstance(condition, (sympy.And, sympy.Or)):
            truths = [self.truth(part, box) for part in condition.args]
            decisive = isinstance(condition, sympy.Or)
            if decisive in truths:
                return decisive
            return None if None in truths else not decisive
        if isinstance(condition, sympy.Not):
            inner = self.truth(condition.args[0], box)
            return None if inner is None else not inner
        if isinstance(condition, sympy.Implies):
            return self.truth(sympy.Or(negation(condition.args[0]), condition.args[1]), box)
        if isinstance(condition, ForAll):
            return self._throughout(condition, box)
        if not isinstance(condition, sympy.core.relational.Relational):
            raise Unsupported(type(condition).__name__)
        try:
            left, right = (self.value(side, box) for side in condition.args)
        except Undefined:
            return None
        if isinstance(condition, (sympy.Ge, sympy.Gt)):
            left, right = right, left
        if isinstance(condition, (sympy.Le, sympy.Ge)):
            return True if left.b <= right.a else (False if left.a > right.b else None)
        if isinstance(condition, (sympy.Lt, sympy.Gt)):
            return True if left.b < right.a else (False if left.a >= right.b else None)
        apart = left.b < right.a or right.b < left.a
        same = left.a == left.b == right.a == right.b
        equal = False if apart else (True if same else None)
        return equal if isinstance(condition, sympy.Eq) or equal is None else not equal

    def _throughout(self, condition: ForAll, box: dict[sympy.Symbol, Any]) -> bool | None:
        """A condition on a whole range: True, or None where it is not known."""
        ends = range_of(condition)
        if ends is None:
            raise Unsupported(str(condition))
        try:
            low, high = (self.value(end, box) for end in ends)
        except Undefined:
            return None
        if low.a > high.b:
            return True
        return True if self.truth(condition.body, {**box, condition.variable: self.context.mpf([low.a, max(low.b, high.b)])}) else None


def _exact(end: Any) -> Fraction | float:
    """The end of an mpmath interval as a `Fraction`, or a float infinity."""
    raw = end._mpi_[0]
    if raw in (finf, fninf):
        return math.inf if raw == finf else -math.inf
    sign, mantissa, exponent, _ = raw
    value = Fraction(int(mantissa)) * Fraction(2) ** exponent
    return -value if sign else value
