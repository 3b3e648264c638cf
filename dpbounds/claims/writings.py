"""An expression in two writings, as it stands and factored: what one loses to dependency the other may keep.

A factored form may have lost a singularity (sympy cancels), so it stands for the expression only where that is analytic, or where
something else shows that the expression is defined.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from typing import Any

import sympy
from sympy.logic.boolalg import Boolean

from dpbounds import balls, enclose
from dpbounds.balls import Ball
from dpbounds.claims import definedness
from dpbounds.errors import LanguageError

_MOST_OPERATIONS = 250
_SAMPLES = 3
_MOST_DEGREE = 2000
"""sympy writes polynomials with all their coefficients: x**(10**9) alone would fill the memory."""


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
    """The factored form of an expression of moderate size; the expression itself where sympy finds none.

    >>> x = sympy.Symbol("x", real=True)
    >>> tidied(x * sympy.exp(-x) - sympy.exp(-x))
    (x - 1)*exp(-x)
    """
    if sympy.count_ops(expression) > _MOST_OPERATIONS or _is_of_high_degree(expression):
        return expression
    try:
        factored = sympy.factor(expression)
        enclose.compile_expression(factored, tuple(sorted(factored.free_symbols, key=str)))
    except (LanguageError, sympy.PolynomialError, ValueError, TypeError, ArithmeticError, AttributeError, RecursionError):
        return expression
    return factored if _agree(expression, factored) else expression


def _is_of_high_degree(expression: Any) -> bool:
    """True when some power or exponential has a large number in its exponent."""
    exponents = (node.as_base_exp()[1] for node in expression.atoms(sympy.Pow, sympy.exp))
    terms = (term for exponent in exponents for term in sympy.Add.make_args(exponent))
    return any(max(abs(number.p), number.q) > _MOST_DEGREE for term in terms if (number := term.as_coeff_Mul()[0]).is_Rational)


def _agree(left: Any, right: Any) -> bool:
    """False when two writings surely differ at a sample point: a guard against mistakes of sympy, not a proof."""
    names = tuple(sorted(left.free_symbols | right.free_symbols, key=str))
    programs = [enclose.compile_expression(side, names) for side in (left, right)]
    with balls.precision(100):
        for point in samples(len(names)):
            first, second = (program(point) for program in programs)
            if not first.is_nan() and not second.is_nan() and not first.overlaps(second):
                return False
    return True


def samples(count: int) -> list[list[Ball]]:
    """A few exact points of all signs: sympy may simplify as if a symbol were positive."""
    points = [[Fraction(7 * k + 2 * i + 3, 5 + k) for i in range(count)] for k in range(_SAMPLES)]
    turned = [[-x if (i + k) % 2 or k == 0 else x for i, x in enumerate(point)] for k, point in enumerate(points)]
    return [[balls.ball(x) for x in point] for point in (*points, *turned)]


def smooth_conditions_of(expression: Any) -> list[Boolean]:
    """Conditions under which an expression made of arithmetic, powers, exp, log and erf is analytic, not only defined: the base of a
    fractional power must be positive.

    >>> x = sympy.Symbol("x", real=True)
    >>> smooth_conditions_of(sympy.sqrt(x) + 1 / (x - 1))
    [x > 0, Ne(x - 1, 0)]
    """
    return [sympy.Gt(c.lhs, c.rhs, evaluate=False) if isinstance(c, sympy.Ge) else c for c in definedness.conditions_of(expression)]


def vanishes(expression: Any) -> bool:
    """True when an expression is identically zero: not contradicted by balls (which costs little), and shown symbolically."""
    if expression == 0:
        return True
    if expression.has(sympy.nan, sympy.zoo, sympy.oo):
        return False
    others = tuple(sorted(expression.free_symbols, key=str))
    try:
        program = enclose.compile_expression(expression, others)
    except LanguageError:
        return False
    with balls.precision(128):
        values = [program(point) for point in samples(len(others))]
    if not all(value.is_nan() or value.contains(0) for value in values):
        return False
    return bool(sympy.expand(expression) == 0 or sympy.simplify(expression) == 0)
