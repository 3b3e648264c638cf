"""A claim as LaTeX and Markdown, made from the terms that it states: order and form are those that were typed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Protocol

from dpbounds.claims.statement.typed import as_term
from dpbounds.logic.latex import display
from dpbounds.logic.ranges import Between, known_from
from dpbounds.logic.terms import Term, conjuncts, facts_of, free_in, variable
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
    def conclusion(self) -> Term | None: ...
    @property
    def premises(self) -> tuple[Term, ...] | None: ...


def domain_latex(claim: _Stated) -> list[str]:
    """What the variables are and what is given: whole numbers, signs, premises.

    >>> from dpbounds import Claim
    >>> from dpbounds.language.symbols import positive
    >>> x = positive("x")
    >>> domain_latex(Claim(id="square", text="", given=[x >= 1], then=x**2 >= x))
    ['x \\\\geq 1']
    """
    if claim.conclusion is None or claim.premises is None:
        return [latex(premise) for premise in claim.given]
    named = free_in([claim.conclusion, *claim.premises])
    whole = [rf"{display(x)} \in \mathbb{{Z}}" for x in named if isinstance(x, Term) and x.sort == "Z"]
    return [*whole, *map(display, signs_of(claim.conclusion, claim.premises)), *map(display, claim.premises)]


def signs_of(conclusion: Term, premises: Sequence[Term]) -> Iterator[Term]:
    """What is declared of the variables and families, but for what a premise x > c or x >= c says as well."""
    known = known_from(premises)
    for x in free_in([conclusion, *premises]):
        name, facts = (x, x.data[2]) if isinstance(x, Term) else (variable(x.name, x.sort), x.facts)
        yield from facts_of(name, [fact for fact in facts if not known.get(name, Between()).shows(fact)])


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
    parts = [claim.then] if claim.conclusion is None else conjuncts(claim.conclusion)
    lines += [rf"$\displaystyle {latex(part)}$" for part in parts]
    return "\n\n".join(lines)


def latex(formula: Any) -> str:
    """LaTeX of a term, or of a sympy object, for a line of its own."""
    found = as_term(formula)
    return display_latex(formula) if found is None else display(found)
