"""What must hold for the partial operations in a statement to be defined.

Operations of the kernel are total, those of mathematics are not: a statement is worth what it says only where its divisors are not 0, its
logarithms are of positive numbers, and its integrals exist. `obligations` lists the formulas that say so, closed over the binders above
each operation. Conditions of → and the earlier parts of ∧ may be used, and the range of a bound variable.
"""

from __future__ import annotations

from dpbounds.kernel.terms import (
    ZERO,
    Term,
    abstract,
    at_most,
    below,
    binder_sort,
    implies,
    instantiate,
    need,
    node,
    unequal,
    value,
    variable,
)

NODES = 20_000
"""Nodes of all formulas for one statement: each is copied at every binder above it."""


def obligations(t: Term, depth: int = 0) -> list[Term]:
    """Formulas that together say that everything in t is defined."""
    found: list[Term] = []
    if t.tag in ("and", "->", "or"):
        known: list[Term] = []
        for part in t.parts:
            found += [implies(known, o) for o in obligations(part, depth)]
            known.append(node("not", part) if t.tag == "or" else part)
        return found
    if t.tag == "ite":
        condition, then, other = t.parts
        found += obligations(condition, depth)
        found += [implies([condition], o) for o in obligations(then, depth)]
        return found + [implies([node("not", condition)], o) for o in obligations(other, depth)]
    sort = binder_sort(t)
    for part in t.parts[:-1] if sort else t.parts:
        found += obligations(part, depth)
    if sort:
        x = variable(f"%o{depth}", sort)
        inside = obligations(instantiate(t.parts[-1], x), depth + 1)
        need(sum(o.size for o in inside) <= NODES, "too much must be shown to be defined")
        found += [node("all", abstract(implies(_range(t, x), o), x), data=(sort,)) for o in inside]
    return found + _own(t, depth)


def _range(t: Term, x: Term) -> list[Term]:
    """What is known of the variable that t binds."""
    if t.tag in ("sum", "int", "integrable_on"):
        return [at_most(t.parts[0], x), at_most(x, t.parts[1])]
    return [below(t.parts[0], x), below(x, t.parts[1])] if t.tag in ("sup", "inf") else []


def _own(t: Term, depth: int) -> list[Term]:
    """What the operation at the top of t asks for."""
    match t.tag, t.parts:
        case "^", (a,) if isinstance(n := t.data[0], int) and n < 0:
            return [] if value(a) else [unequal(a, ZERO)]
        case "log", (a,):
            return [below(ZERO, a)]
        case "pow", (a, r) if r.sort == "Z":
            return [node("or", at_most(ZERO, r), unequal(a, ZERO))]
        case "pow", (a, r):
            base = value(a)
            if base is not None and base > 0:
                return []
            return [node("or", below(ZERO, a), node("and", at_most(ZERO, a), below(ZERO, r)))]
        case "fact", (n,):
            return [at_most(ZERO, n)]
        case "binom", (n, k):
            return [at_most(ZERO, n), at_most(ZERO, k)]
        case "line", (body,):
            return [node("integrable", body)]
        case "int", (low, high, body):
            return [at_most(low, high), node("integrable_on", low, high, body)]
        case (("sup" | "inf"), (low, high, body)):
            x = variable(f"%o{depth}", "R")
            here = instantiate(body, x)  # bounded: an unbounded set has the bound 0 by convention, which then is none
            bound = at_most(here, t) if t.tag == "sup" else at_most(t, here)
            return [below(low, high), node("all", abstract(implies(_range(t, x), bound), x), data=("R",))]
    return []
