"""A claim as LaTeX and Markdown, made from the statement that the deciders read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import sympy

from dpbounds.claims.assumptions import assumptions_of
from dpbounds.prover.derivation import display_latex


class _Stated(Protocol):
    """What is shown of a claim: frozen, as a record of `claims.claim` is."""

    @property
    def id(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def source(self) -> Any: ...
    @property
    def given(self) -> Sequence[Any]: ...
    @property
    def then(self) -> Any: ...
    @property
    def variables(self) -> Sequence[sympy.Symbol]: ...
    @property
    def families(self) -> Sequence[sympy.IndexedBase]: ...


def domain_latex(claim: _Stated) -> list[str]:
    """What the variables are and what is given: whole numbers, signs, premises.

    >>> from dpbounds import Claim
    >>> from dpbounds.language.symbols import positive
    >>> x = positive("x")
    >>> domain_latex(Claim(id="square", text="", given=[x >= 1], then=x**2 >= x))
    ['x \\\\geq 1']
    """
    whole = [rf"{latex(symbol)} \in \mathbb{{Z}}" for symbol in claim.variables if symbol.is_integer]
    signs = [condition for symbol in (*claim.variables, *claim.families) for condition in assumptions_of(symbol)]
    said = [condition for condition in signs if not any(_tells(given, condition) for given in claim.given)]
    return [*whole, *(latex(condition) for condition in (*said, *claim.given))]


def _tells(given: Any, sign: Any) -> bool:
    """Whether a premise x > c, x >= c tells that x > 0 or x >= 0, so that the sign need not be written."""
    bound = given.args[1] if isinstance(given, (sympy.Gt, sympy.Ge)) and len(given.args) == 2 else None
    if bound is None or not bound.is_number or not isinstance(sign, (sympy.Gt, sympy.Ge)) or given.args[0] != sign.args[0]:
        return False
    return bool(bound > 0 or (bound == 0 and (isinstance(given, sympy.Gt) or isinstance(sign, sympy.Ge))))


def markdown_of(claim: _Stated) -> str:
    """Id, words and place in the source; then the statement, each part of the conclusion on a line of its own.

    >>> from dpbounds import Claim
    >>> from dpbounds.language.symbols import real
    >>> x = real("x")
    >>> print(markdown_of(Claim(id="square", text="A square grows.", given=[x > 1], then=x**2 >= x)))
    **square** A square grows.
    <BLANKLINE>
    For $x > 1$:
    <BLANKLINE>
    $\\displaystyle x^{2} \\geq x$
    """
    place = f" *({claim.source[1]})*" if claim.source else ""
    domain = domain_latex(claim)
    lines = [f"**{claim.id}**{place} {claim.text}"]
    if domain:
        lines.append(f"For {', '.join(f'${part}$' for part in domain)}:")
    lines += [rf"$\displaystyle {latex(part)}$" for part in sympy.And.make_args(claim.then)]
    return "\n\n".join(lines)


def latex(expression: Any) -> str:
    """LaTeX of a sympy object for a line of its own."""
    return display_latex(expression)
