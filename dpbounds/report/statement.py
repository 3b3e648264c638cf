"""A claim's statement as MathML, which browsers typeset by themselves: for all variables, given the premises, the conclusion."""

from __future__ import annotations

from html import escape
from typing import Any

from dpbounds.claims.claim import Claim
from dpbounds.claims.statement.typed import as_term
from dpbounds.language.typed.bridge import name_from_sympy
from dpbounds.logic.mathml import mathml
from dpbounds.logic.terms import Named, Term, facts_of, free_in, node, variable, walk

_TOO_LONG = 1500
"""Statements with more parts are shown as text: no reader follows them as formulas."""


def math(formula: Any, *, block: bool = False) -> str:
    """A term or a sympy object as a MathML element, or as escaped text in `code` where no reader would follow it.

    Args:
        formula: a term, or any sympy object.
        block: on a line of its own.

    >>> math(variable("sigma") >= 1).startswith("<math")
    True
    """
    found = as_term(formula)
    if found is None or found.size > _TOO_LONG:
        return f"<code>{escape(str(formula))}</code>"
    return mathml(found, block=block)


def quantified(claim: Claim) -> list[str]:
    """What the statement speaks about, one piece of HTML for each variable, family and function."""
    if claim.conclusion is None or claim.premises is None:
        return [f"<code>{escape(str(v))}</code>" for v in (*claim.variables, *claim.families)]
    parts = [claim.conclusion, *claim.premises]
    named = free_in(parts)
    arity = {node.data[0]: len(node.parts) for part in parts for node in walk(part) if node.tag == "apply"}
    shown = [domain_of(x, arity.get(x, 1)) for x in named if isinstance(x, Term) or x.kind == "family"]
    return shown + [f"every function {math(variable(x.name))}" for x in named if isinstance(x, Named) and x.kind == "function"]


def domain_of(x: Any, arity: int = 1) -> str:
    """The domain of a variable, or of the entries of a family: its sign and parity if anything is declared, ℤ or ℝ otherwise.

    Args:
        x: a variable or family, of the notation or of sympy.
        arity: how many indices the entries of the family have.

    >>> "ℤ" in domain_of(variable("n", "Z"))
    True
    """
    known = x if isinstance(x, (Term, Named)) else name_from_sympy(x)
    facts = known.data[2] if isinstance(known, Term) else known.facts
    entry = known if isinstance(known, Term) else node("apply", *(variable(i, "Z") for i in "ijk"[:arity]), data=(known,))
    conditions = [math(fact) for fact in facts_of(entry, facts)]
    space = [f"{math(entry)} ∈ {'ℤ' if entry.sort == 'Z' else 'ℝ'}"] if entry.sort == "Z" or not conditions else []
    return ", ".join([*space, *conditions])
