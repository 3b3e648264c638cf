"""A claim as LaTeX and Markdown, made from the statement that the deciders read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sympy

from dpbounds.claims.assumptions import assumptions_of

if TYPE_CHECKING:
    from dpbounds.claims.claim import Claim


def latex_of(claim: Claim) -> str:
    """The statement: domain and premises, an arrow, the conclusion.

    Signs that the symbols assume are part of the domain and stand first; whole numbers are marked with ∈ ℤ.

    >>> from dpbounds import Claim
    >>> from dpbounds.symbols import real
    >>> x = real("x")
    >>> latex_of(Claim(id="square", text="", given=[x > 1], then=x**2 >= x))
    'x > 1 \\\\;\\\\Longrightarrow\\\\; x^{2} \\\\geq x'
    """
    signs = [condition for symbol in (*claim.variables, *claim.families) for condition in assumptions_of(symbol)]
    whole = [rf"{_latex(symbol)} \in \mathbb{{Z}}" for symbol in claim.variables if symbol.is_integer]
    domain = [*whole, *(_latex(condition) for condition in (*signs, *claim.given))]
    conclusion = _latex(claim.then)
    return rf"{', '.join(domain)} \;\Longrightarrow\; {conclusion}" if domain else conclusion


def markdown_of(claim: Claim) -> str:
    """Id, words, place in the source, and the statement.

    >>> from dpbounds import Claim
    >>> from dpbounds.symbols import real
    >>> print(markdown_of(Claim(id="square", text="A square is at least 2x - 1.", then=real("x")**2 >= 2*real("x") - 1)))
    **square** A square is at least 2x - 1.
    <BLANKLINE>
    $\\displaystyle x^{2} \\geq 2 x - 1$
    """
    place = f" *({claim.source[1]})*" if claim.source else ""
    return f"**{claim.id}**{place} {claim.text}\n\n$\\displaystyle {latex_of(claim)}$"


def _latex(part: Any) -> str:
    return str(sympy.latex(part, mul_symbol=None))
