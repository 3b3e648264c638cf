"""A claim's statement as MathML, which browsers typeset by themselves: for all variables, given the premises, the conclusion."""

from __future__ import annotations

import re
from html import escape
from typing import Any

import sympy
from sympy.core.function import AppliedUndef
from sympy.printing.conventions import split_super_sub
from sympy.printing.latex import translate

from dpbounds.claims.assumptions import assumptions_of
from dpbounds.claims.claim import Claim
from dpbounds.prover.textbook import read_name

_TOO_LONG = 6000
"""Statements whose LaTeX is longer are shown as text: no reader follows them as formulas."""


def math(expression: Any, *, block: bool = False) -> str:
    """A sympy object as a MathML element, or as escaped text in `code` where it cannot be typeset.

    Args:
        expression: any sympy object.
        block: on a line of its own.

    >>> math(sympy.Symbol("sigma") >= 1).startswith("<math")
    True
    """
    return mathml_of(_latex(expression), str(expression), block=block)


def mathml_of(latex: str, plain: str, *, block: bool = False) -> str:
    """LaTeX as a MathML element; `plain` is the text that stands for it, and takes its place where the LaTeX cannot be converted."""
    from latex2mathml.converter import convert

    try:
        if len(latex) > _TOO_LONG:
            return f"<code>{escape(plain)}</code>"
        element = convert(latex, display="block" if block else "inline")
    except Exception:  # the converter knows part of LaTeX, and its errors have no common class
        return f"<code>{escape(plain)}</code>"
    return re.sub(r"^<math ", lambda _: f'<math aria-label="{escape(plain, quote=True)}" ', str(element), count=1)


def quantified(claim: Claim) -> list[str]:
    """What the statement speaks about, one piece of HTML for each variable, family and function."""
    shown = [domain_of(variable) for variable in (*claim.variables, *(_entry_of(claim, family) for family in claim.families))]
    parts = (claim.then, *claim.given)
    functions = sorted({str(node.func) for part in parts for node in part.atoms(AppliedUndef)})
    return shown + [f"every function {math(sympy.Symbol(name))}" for name in functions]


def domain_of(variable: Any) -> str:
    """The domain of a symbol, or of the entries of a family: its sign and parity if it has any, ℤ or ℝ otherwise.

    >>> "2124" in domain_of(sympy.Symbol("n", integer=True))  # the code point of the integers
    True
    """
    conditions = assumptions_of(variable)
    latex, plain = [str(_latex(condition)) for condition in conditions], [str(condition) for condition in conditions]
    if variable.is_integer or not conditions:
        space, word = (r"\mathbb{Z}", "Z") if variable.is_integer else (r"\mathbb{R}", "R")
        latex.insert(0, rf"{_latex(variable)} \in {space}")
        plain.insert(0, f"{variable} in {word}")
    return mathml_of(r",\; ".join(latex), ", ".join(plain))


def _entry_of(claim: Claim, family: sympy.IndexedBase) -> Any:
    entries = [node for part in (claim.then, *claim.given) for node in part.atoms(sympy.Indexed) if node.base == family]
    return min(entries, key=lambda node: (not all(index.is_Symbol for index in node.indices), str(node)))


def _latex(expression: Any) -> str:
    names = {symbol: _name_of(symbol) for symbol in expression.atoms(sympy.Symbol)} if isinstance(expression, sympy.Basic) else {}
    return str(sympy.latex(expression, symbol_names=names)).replace(r"\epsilon", r"\varepsilon")


def _name_of(symbol: Any) -> str:
    """LaTeX of a symbol; upright where its name is a word, which would look like a product of letters."""
    name = read_name(str(symbol))
    latex, word = str(sympy.latex(sympy.Symbol(name))), split_super_sub(name)[0]
    plain = len(word) == 1 or translate(word) != word or not word.isalpha()
    return latex if plain else latex.replace(word, rf"\mathrm{{{word}}}", 1)
