"""What must hold for the partial operations in a statement to be defined.

Operations of the kernel are total, those of mathematics are not: a statement is worth what it says only where its divisors are not 0, its
logarithms are of positive numbers, and its integrals exist. `obligations` lists the formulas that say so, closed over the binders above
each operation. Conditions of → and the earlier parts of ∧ may be used, and the range of a bound variable.

A sum from low to high has a meaning where low ≤ high + 1; it is 0 where high = low − 1. Beyond that, texts differ on what it is (0 here,
minus the terms between in sympy), so a statement must exclude it, and no condition in it does: `ranges` uses no earlier part of ∧, and no →
but that of ∀x (c ≤ x → …), which says that x runs from a number c on.
"""

from __future__ import annotations

from collections.abc import Sequence

from dpbounds.kernel.terms import (
    EXTREMA,
    ONE,
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
    plus,
    unequal,
    value,
    variable,
)

NODES = 20_000
"""Nodes of all formulas for one statement: each is copied at every binder above it."""


def obligations(t: Term) -> list[Term]:
    """Formulas that together say that everything in t is defined."""
    return [*operations(t), *ranges(t)]


def ranges(t: Term, depth: int = 0) -> list[Term]:
    """low ≤ high + 1 for each sum in t, closed over the binders of what its ends mention."""
    sort = binder_sort(t)
    found = [o for part in (t.parts[:-1] if sort else t.parts) for o in ranges(part, depth)]
    if sort:
        x = variable(f"%o{depth}", sort)
        body = instantiate(t.parts[-1], x)
        for o in ranges(body, depth + 1):
            found.append(node("all", abstract(implies([*_range(t, x), *_start(body, x)], o), x), data=(sort,)) if x in o.free else o)
    if t.tag == "sum":
        low, high = value(t.parts[0]), value(t.parts[1])
        if low is None or high is None or low > high + 1:
            found.append(at_most(t.parts[0], plus(t.parts[1], ONE)))
    need(sum(o.size for o in found) <= NODES, "too much must be shown to be defined")
    return list(dict.fromkeys(found))


def operations(t: Term, depth: int = 0) -> list[Term]:
    """What the operations in t ask for, sums apart."""
    found: list[Term] = []
    if t.tag in ("and", "->", "or"):
        known: list[Term] = []
        for part in t.parts:
            found += [implies(known, o) for o in operations(part, depth)]
            known.append(node("not", part) if t.tag == "or" else part)
        return found
    if t.tag == "ite":
        condition, then, other = t.parts
        found += operations(condition, depth)
        found += [implies([condition], o) for o in operations(then, depth)]
        return found + [implies([node("not", condition)], o) for o in operations(other, depth)]
    sort = binder_sort(t)
    for part in t.parts[:-1] if sort else t.parts:
        found += operations(part, depth)
    if sort:
        x = variable(f"%o{depth}", sort)
        inside = operations(instantiate(t.parts[-1], x), depth + 1)
        need(sum(o.size for o in inside) <= NODES, "too much must be shown to be defined")
        found += [node("all", abstract(implies(_range(t, x), o), x), data=(sort,)) for o in inside]
    return found + _own(t, depth)


def _range(t: Term, x: Term) -> list[Term]:
    """What is known of the variable that t binds."""
    if t.tag == "sum":
        return [at_most(t.parts[0], x), at_most(x, t.parts[1])]
    return inside(t.parts[:-1], x) if t.tag in EXTREMA else []


def _start(body: Term, x: Term) -> list[Term]:
    """c ≤ x for the body c ≤ x → … of ∀x with a number c: where it fails, ∀x says nothing of x."""
    if body.tag != "->":
        return []
    condition = body.parts[0]
    return [condition] if condition.tag == "<=" and value(condition.parts[0]) is not None and condition.parts[1] == x else []


def inside(ends: Sequence[Term], x: Term) -> list[Term]:
    """low < x, and x < high where there is an upper end."""
    return [below(ends[0], x), *(below(x, high) for high in ends[1:])]


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
        case "binom", (n, k):
            return [at_most(ZERO, n), at_most(ZERO, k)]
        case "line", (body,):
            return [node("integrable", body)]
        case tag, (*ends, body) if tag in EXTREMA:
            x = variable(f"%o{depth}", "R")
            here = instantiate(body, x)  # bounded: an unbounded set has the bound 0 by convention, which then is none
            bound = at_most(here, t) if tag.startswith("sup") else at_most(t, here)
            nonempty = [below(*ends)] if len(ends) == 2 else []
            return [*nonempty, node("all", abstract(implies(_range(t, x), bound), x), data=("R",))]
    return []
