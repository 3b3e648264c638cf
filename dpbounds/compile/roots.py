"""0 ≤ L − c·√(XY) from 0 ≤ L² − c²·XY, as a mean above a geometric mean that is tight where L² = c²·XY."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sympy

from dpbounds.compile.library import Library
from dpbounds.kernel.terms import ZERO, Term, at_most, power

if TYPE_CHECKING:
    from dpbounds.compile.one_term import OneTerm


def by_root(prover: OneTerm, h: Any, goal: Term, depth: int) -> int | None:
    """0 ≤ h where it has one product of roots, with a negative factor."""
    apart: dict[Any, Any] = {}
    for part in sympy.Add.make_args(sympy.expand(h)):
        roots = [f for f in sympy.Mul.make_args(part) if f.is_Pow and f.exp == sympy.S.Half and f.free_symbols & set(prover.entries)]
        mark = sympy.Mul(*roots)
        apart[mark] = apart.get(mark, sympy.S.Zero) + part / mark
    rest = apart.pop(sympy.S.One, sympy.S.Zero)
    if len(apart) != 1 or depth > 1:
        return None
    ((roots_, factor),) = apart.items()
    factor, rest = sympy.factor(-factor), sympy.factor(rest)
    bases = [f.base for f in sympy.Mul.make_args(roots_)]
    inside = factor**2 * sympy.Mul(*bases)
    gap = sympy.factor(rest**2 - inside)
    if any(prover.refuted(e) for e in (factor, rest, gap, *bases)):
        return None
    signs = [prover.shown(e, depth + 1) for e in (*bases, factor, rest)]
    order = prover.shown(gap, depth + 1)
    if order is None or None in signs:
        return None
    under = {e.base for e in (*rest.atoms(sympy.Pow), *factor.atoms(sympy.Pow)) if not e.exp.is_Integer}
    positive = [k for e in sorted(under, key=str) if (k := prover.strictly_positive(e)) is not None]
    steps, facts = prover.steps, [*positive, *(k for k in signs if k is not None)]
    low, high = prover.term(inside), prover.term(rest)
    below = steps.sum_of(at_most(low, power(high, 2)), [order], [*facts, *prover.known])
    least = steps.attempt("sign", *facts, *prover.known, formula=at_most(ZERO, low))
    if below is None or least is None:
        return None
    return prover.total(goal, [Library(steps).root_below(low, high, least, below, facts[-1])], [1], facts)
