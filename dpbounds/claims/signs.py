"""Premises such as sigma > 0 as what is declared of the variable, where closed forms of densities ask for it."""

from __future__ import annotations

from dataclasses import replace

import sympy

from dpbounds.claims.claim import Claim
from dpbounds.language.functions import Divergence
from dpbounds.language.typed.bridge import variable_from
from dpbounds.logic.terms import variable


def with_signs(claim: Claim) -> Claim:
    """A claim about densities with its real variables declared as its premises say; the premises stay. Any other claim as it is.

    Both are one statement: a sign that is declared is a premise.

    >>> from dpbounds.notation import HockeyStick, laplace_density, oo, real
    >>> x, b = real("x b")
    >>> stick = HockeyStick(0, laplace_density(x, 1, b), laplace_density(x, 0, b), (x, -oo, oo))
    >>> [s.is_positive for s in with_signs(Claim(id="a", then=stick <= 1, given=[b > 0])).variables]
    [True]
    """
    pairs = [e for e in claim.then.atoms(Divergence) if not e.is_table and not e.args[3][0].is_integer]
    if not pairs or claim.families or claim.witness or claim.example or claim.conclusion is None or claim.premises is None:
        return claim
    values = {}
    for premise in claim.given:
        if isinstance(premise, (sympy.Gt, sympy.Lt)) and premise.lts == 0 and premise.gts in claim.variables:
            symbol = premise.gts
            if symbol.is_real and symbol.is_nonnegative is None and not symbol.is_integer:
                values[variable_from(symbol)] = variable(symbol.name, "R", ["positive"])
    return replace(claim, then=claim.conclusion.subs(values), given=[p.subs(values) for p in claim.premises]) if values else claim
