"""An expression in two writings, as it stands and factored: what one loses to dependency the other may keep.

A factored form may have lost a singularity (sympy cancels), so it stands for the expression only where that is analytic, or where
something else shows that the expression is defined.
"""

from __future__ import annotations

from functools import cached_property
from math import comb, prod
from typing import Any

import sympy
from sympy.logic.boolalg import Boolean

from dpbounds.claims.statement import zero
from dpbounds.errors import LanguageError
from dpbounds.language import definedness, enclose
from dpbounds.numbers.balls import Ball

_MOST_OPERATIONS = 250
MOST_TERMS = 300
"""Of the expanded form: sympy factors so many in about a second, and a power of a sum may have millions."""
_MOST_DEGREE = 120
"""sympy writes polynomials with all their coefficients, and factors e^{851x/500} as one of degree 851, e^{−(x + 1.28)²} as one of 1024."""


class Writings:
    """The programs of one expression.

    Args:
        expression: as it stands.
        variables: the coordinates of boxes.

    Raises:
        LanguageError: an expression outside the language.
    """

    def __init__(self, expression: Any, variables: tuple[sympy.Symbol, ...]) -> None:
        self.expression, self.variables = expression, variables
        self.raw = enclose.compile_expression(expression, variables)

    @cached_property
    def expressions(self) -> list[Any]:
        """The expression and, where it is another one, its factored form."""
        factored = tidied(self.expression)
        return [self.expression] if factored == self.expression else [self.expression, factored]

    @cached_property
    def _programs(self) -> list[enclose.Program]:
        return [enclose.compile_expression(e, self.variables) for e in self.expressions[1:]]

    def tidy(self, values: list[Ball]) -> Ball | None:
        """The value of the factored form, None where there is none."""
        return self._programs[0](values) if self._programs else None

    def sign(self, values: list[Ball]) -> int:
        """1 when the expression surely is ≥ 0 on the whole box, −1 when it surely is ≤ 0, 0 when neither is known."""
        for program in (self.raw, *self._programs):
            value = program(values)
            if value.is_finite() and (value >= 0 or value <= 0):
                return 1 if value >= 0 else -1
        return 0


def tidied(expression: Any) -> Any:
    """The factored form of an expression of moderate size; the expression itself where sympy finds none, or none that is shown to be equal.

    >>> x = sympy.Symbol("x", real=True)
    >>> tidied(x * sympy.exp(-x) - sympy.exp(-x))
    (x - 1)*exp(-x)
    """
    try:
        if sympy.count_ops(expression) > _MOST_OPERATIONS or terms_of(expression) > MOST_TERMS or _is_of_high_degree(expression):
            return expression
        factored = sympy.factor(expression)
        enclose.compile_expression(factored, tuple(sorted(factored.free_symbols, key=str)))
    except (LanguageError, sympy.PolynomialError, ValueError, TypeError, ArithmeticError, AttributeError, AssertionError, RecursionError):
        return expression
    return factored if zero.is_equal(expression, factored) else expression


def terms_of(expression: Any) -> int:
    """At most so many terms has the expression when it is expanded: a bound that costs nothing, for work that asks no clock.

    >>> x, y = sympy.symbols("x y")
    >>> terms_of((1 + x + y) ** 10 * (1 + x)), terms_of(sympy.exp(x + y))
    (132, 1)
    """
    if isinstance(expression, sympy.Add):
        return sum(map(terms_of, expression.args))
    if isinstance(expression, sympy.Mul):
        return prod(map(terms_of, expression.args))
    if isinstance(expression, sympy.Pow) and expression.exp.is_Integer:
        inside, times = terms_of(expression.base), abs(int(expression.exp))
        return comb(times + inside - 1, inside - 1) if inside > 1 and times < 10**4 else inside ** min(times, 10**4)
    return 1


def _is_of_high_degree(expression: Any) -> bool:
    """True when some power or exponential has a large number, or too many terms, in its exponent once that is expanded."""
    exponents = [node.as_base_exp()[1] for node in expression.atoms(sympy.Pow, sympy.exp)]
    if max(map(terms_of, exponents), default=0) > MOST_TERMS:
        return True
    terms = (term for exponent in exponents for term in sympy.Add.make_args(sympy.expand(exponent)))
    return any(max(abs(number.p), number.q) > _MOST_DEGREE for term in terms if (number := term.as_coeff_Mul()[0]).is_Rational)


def smooth_conditions_of(expression: Any) -> list[Boolean]:
    """Conditions under which an expression made of arithmetic, powers, exp, log and erf is analytic, not only defined: the base of a
    fractional power must be positive.

    >>> x = sympy.Symbol("x", real=True)
    >>> smooth_conditions_of(sympy.sqrt(x) + 1 / (x - 1))
    [x > 0, Ne(x - 1, 0)]
    """
    return [sympy.Gt(c.lhs, c.rhs, evaluate=False) if isinstance(c, sympy.Ge) else c for c in definedness.conditions_of(expression)]


def vanishes(expression: Any) -> bool:
    """True when exact polynomial arithmetic shows that an expression is identically zero."""
    return zero.is_zero(expression)
