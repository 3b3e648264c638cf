"""Formulas and rules as a textbook writes them."""

from __future__ import annotations

import re
from typing import Any

import sympy
from sympy.printing.latex import LatexPrinter

_WORDS = {
    "bound_extremum": "a supremum is below every bound",
    "branch": "the case that applies",
    "chain": "chaining inequalities",
    "conjunction": "both together",
    "convex_tangent": "a convex function lies above its tangent",
    "definition": "by definition",
    "discharge": "the hypothesis is used up",
    "equality": "both sides are the same expression",
    "eq": "read as an equation",
    "first_term": "one term of a sum of nonnegative terms",
    "hypothesis": "as assumed",
    "instance": "a special case",
    "integral": "an antiderivative, checked by differentiation",
    "integral_of_sum": "the integral of a sum",
    "integrate_termwise": "integrating term by term",
    "limit": "a limit",
    "multiply": "multiplying by what is not negative",
    "nonnegative": "a sum of squares and nonnegative terms",
    "part": "one part of the statement",
    "positive": "a product of positive factors",
    "reflect_integral": "substituting −y for y",
    "rescale_integral": "substituting a multiple of y for y",
    "restate": "written otherwise",
    "scale": "multiplying both sides",
    "shift_index": "renaming the index",
    "specialize": "for one value of the variable",
    "sum_split": "splitting the sum",
    "sum_termwise": "term by term",
}


_NAMES = {"lam": "lambda", "eps": "epsilon"}
_SHORT = re.compile(rf"^({'|'.join(_NAMES)})(?=\d|_|$)")


def read_name(name: str) -> str:
    """How the name of a symbol is read: lam, which Python reserves, and eps are the letters that they stand for.

    Only the printed name changes. A symbol put in the place of another one would make sympy evaluate the statement: ε > 0 becomes true.

    >>> read_name("lam_1"), read_name("epsilon"), read_name("lamp")
    ('lambda_1', 'epsilon', 'lamp')
    """
    return _SHORT.sub(lambda found: _NAMES[found[1]], name, count=1)


def words_of(rule: str) -> str:
    """The name of a rule in words.

    >>> words_of("restate"), words_of("binomial_theorem")
    ('written otherwise', 'binomial theorem')
    """
    return _WORDS.get(rule, rule.replace("_", " "))


class TextbookPrinter(LatexPrinter):
    """sympy's LaTeX, with normal densities as 1/√(2πσ²) times an exponential, and binomial coefficients first.

    >>> n, k, s = sympy.symbols("n k sigma", positive=True)
    >>> printer = TextbookPrinter()
    >>> print(printer.doprint(sympy.exp(-n) * sympy.sqrt(2) / (2 * sympy.sqrt(sympy.pi) * s)))
    \\frac{1}{\\sqrt{2 \\pi \\sigma^{2}}} e^{- n}
    >>> print(printer.doprint(k**2 * sympy.binomial(n, k)))
    {\\binom{n}{k}} k^{2}
    """

    def _print_Symbol(self, expr: Any, style: str = "plain") -> str:
        return str(super()._print_Symbol(sympy.Symbol(read_name(expr.name)), style))

    def _print_Mul(self, expr: Any) -> str:
        as_typed = sympy.Mul(*expr.args) != expr  # a product that is taken apart would cancel
        for pattern in () if as_typed else (_normal_factor, _binomial_factor):
            found = pattern(self, expr)
            if found is not None:
                first, rest = found
                if rest == 1:
                    return first
                text = self.parenthesize(rest, sympy.printing.precedence.PRECEDENCE["Mul"])
                return f"{first} {text}" if not text.startswith("-") else str(super()._print_Mul(expr))
        return str(super()._print_Mul(expr))


def _normal_factor(printer: TextbookPrinter, expr: Any) -> tuple[str, Any] | None:
    """√2/(2√π s) and what is left, for one positive symbol s."""
    factors = set(expr.args)
    scales = [factor for factor in factors if factor.is_Pow and factor.exp == -1 and factor.base.is_Symbol and factor.base.is_positive]
    constant = {sympy.Rational(1, 2), sympy.sqrt(2), 1 / sympy.sqrt(sympy.pi)}
    if not constant <= factors or len(scales) != 1:
        return None
    rest = sympy.Mul(*(factor for factor in expr.args if factor not in constant | set(scales)))
    return rf"\frac{{1}}{{\sqrt{{2 \pi {printer.doprint(scales[0].base)}^{{2}}}}}}", rest


def _binomial_factor(printer: TextbookPrinter, expr: Any) -> tuple[str, Any] | None:
    """Binomial coefficients in the numerator, and what is left."""
    first = [factor for factor in expr.args if isinstance(factor, sympy.binomial)]
    if not first or expr.could_extract_minus_sign():
        return None
    return " ".join(printer.doprint(factor) for factor in first), sympy.Mul(*(factor for factor in expr.args if factor not in first))
