"""sympy expressions of one variable as analytic functions on complex balls, for certified integration."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy
from flint import acb, arb, fmpq

from dpbounds.errors import LanguageError

Function = Callable[[acb, bool], acb]
"""(z, analytic) → f(z); with analytic=True a non-finite ball unless f is analytic on all of z."""

_ENTIRE: dict[type, str] = {
    sympy.exp: "exp", sympy.sin: "sin", sympy.cos: "cos", sympy.sinh: "sinh", sympy.cosh: "cosh", sympy.tanh: "tanh", sympy.sech: "sech",
    sympy.erf: "erf", sympy.erfc: "erfc", sympy.gamma: "gamma",
}  # fmt: skip
"""Entire or meromorphic functions: their balls are non-finite near poles by themselves."""
_CONSTANTS: dict[Any, Callable[[], arb]] = {sympy.pi: arb.pi, sympy.E: arb.const_e, sympy.EulerGamma: arb.const_euler}


def compile_analytic(expression: sympy.Expr, variable: sympy.Symbol) -> Function:
    """An expression without kinks (no Abs, Piecewise, Max, Min) as a function of complex balls.

    Raises:
        LanguageError: a construct that is not known here; the message names it.

    >>> x = sympy.Symbol("x")
    >>> compile_analytic(sympy.exp(-x) / 2, x)(acb(1), False).real.overlaps(arb(-1).exp() / 2)
    True
    """
    if expression == variable:
        return lambda z, analytic: z
    if isinstance(expression, sympy.Rational):
        ratio = fmpq(int(expression.p), int(expression.q))
        return lambda z, analytic: acb(arb(ratio))
    if expression in _CONSTANTS:
        constant = _CONSTANTS[expression]
        return lambda z, analytic: acb(constant())
    parts = [compile_analytic(part, variable) for part in expression.args] if not isinstance(expression, sympy.Pow) else []
    if isinstance(expression, sympy.Add):
        return lambda z, analytic: sum((part(z, analytic) for part in parts), acb(0))
    if isinstance(expression, sympy.Mul):
        return lambda z, analytic: _product([part(z, analytic) for part in parts])
    if isinstance(expression, sympy.Pow):
        return _power(expression, variable)
    if isinstance(expression, sympy.log):
        return lambda z, analytic: parts[0](z, analytic).log(analytic=analytic)
    if type(expression) in _ENTIRE:
        method = getattr(acb, _ENTIRE[type(expression)])
        return lambda z, analytic: method(parts[0](z, analytic))
    raise LanguageError(f"{type(expression).__name__} cannot be integrated here, in {expression}")


def compile_log(expression: sympy.Expr, variable: sympy.Symbol) -> Function:
    """log of an expression that is > 0 on the interval of integration.

    Products become sums, so that log e^g is g itself: each factor split off is > 0 on the real line, hence the sum of their logarithms is
    the analytic continuation of the logarithm of the product. What is not known to be positive stays under one principal logarithm.

    >>> x = sympy.Symbol("x", real=True)
    >>> compile_log(sympy.exp(-x**2), x)(acb(100), True).real.contains(-10000)
    True
    """
    split, rest = [], []
    for factor in sympy.Mul.make_args(expression):
        known = _log_of_factor(factor, variable)
        split.append(known) if known else rest.append(factor)
    if rest:
        whole = compile_analytic(sympy.Mul(*rest), variable)
        split.append(lambda z, analytic: whole(z, analytic).log(analytic=analytic))
    return lambda z, analytic: sum((part(z, analytic) for part in split), acb(0))


def log_derivative(expression: sympy.Expr, variable: sympy.Symbol) -> sympy.Expr:
    """(log f)′ = f′/f, factor by factor.

    >>> x = sympy.Symbol("x")
    >>> log_derivative(3 * x**2 * sympy.exp(-x), x)
    -1 + 2/x
    """
    total = sympy.Integer(0)
    for factor in sympy.Mul.make_args(expression):
        if isinstance(factor, sympy.exp):
            total += sympy.expand(sympy.diff(factor.args[0], variable))
        elif isinstance(factor, sympy.Pow) and not factor.exp.has(variable):
            total += factor.exp * sympy.diff(factor.base, variable) / factor.base
        elif factor.has(variable):
            total += sympy.diff(factor, variable) / factor
    return total


def _log_of_factor(factor: sympy.Expr, variable: sympy.Symbol) -> Function | None:
    if isinstance(factor, sympy.exp):
        return compile_analytic(factor.args[0], variable)
    if isinstance(factor, sympy.Pow) and factor.base.is_positive and factor.exp.is_real and not factor.exp.has(variable):
        exponent, inner = compile_analytic(factor.exp, variable), compile_log(factor.base, variable)
        return lambda z, analytic: exponent(z, analytic) * inner(z, analytic)
    if factor.is_positive:
        whole = compile_analytic(factor, variable)
        return lambda z, analytic: whole(z, analytic).log(analytic=analytic)
    return None


def _power(expression: sympy.Expr, variable: sympy.Symbol) -> Function:
    base = compile_analytic(expression.base, variable)
    if expression.exp.is_Integer:
        count = int(expression.exp)
        return lambda z, analytic: base(z, analytic) ** count
    if expression.exp == sympy.Rational(1, 2):
        return lambda z, analytic: base(z, analytic).sqrt(analytic=analytic)
    exponent = compile_analytic(expression.exp, variable)
    return lambda z, analytic: base(z, analytic).pow(exponent(z, analytic), analytic=analytic)


def _product(factors: list[acb]) -> acb:
    total = factors[0]
    for factor in factors[1:]:
        total = total * factor
    return total
