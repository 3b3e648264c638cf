"""Statements with their quantities unfolded, by the page of definitions and by nothing else.

>>> from dpbounds.logic.notation import NormalCDF, real
>>> unfolded(NormalCDF(real("y")) <= 1)
Integral(exp(-x**2/2)/sqrt(2*pi), (x, -oo, y)) <= 1
"""

from collections.abc import Callable, Collection, Mapping

from dpbounds.logic import definitions
from dpbounds.logic.definitions import Definition, definitions_of
from dpbounds.logic.signatures import DIVERGENCES
from dpbounds.logic.terms import Function, Term, binder, fresh, node, opened, substitute, variable, with_parts


def unfolded(t: Term, keep: Collection[str] = ()) -> Term:
    """The term with every quantity that has a formula on the page put by that formula, again and again.

    Args:
        t: a term.
        keep: names of quantities that stay.
    """
    whole = rebuilt(t, lambda part: unfolded(part, keep)) if t.parts else t
    meant = None if whole.tag in keep else meaning_of(whole)
    return whole if meant is None else unfolded(meant, keep)


def rebuilt(t: Term, change: Callable[[Term], Term], taken: Collection[str] = ()) -> Term:
    """A node with changed parts; what it binds is a free variable while its parts are changed, under a name that is not taken."""
    if t.hint is None:
        return with_parts(t, tuple(map(change, t.parts)))
    x, inner = opened(t, taken)
    return binder(t.tag, x, map(change, t.parts[: t.inner]), *map(change, inner))


def meaning_of(t: Term) -> Term | None:
    """What the page says that a quantity is; None of what is no quantity, or has no formula."""
    if t.tag in DIVERGENCES and t.hint is None:
        return _of_tables(t)
    for entry in definitions_of(t.tag):
        if entry.right is not None and (found := _instance(entry, t)) is not None:
            return found
    return None


def _of_tables(t: Term) -> Term:
    order, (p, q) = t.parts[:-2], t.parts[-2:]
    if t.tag == "RenyiDivergence":
        return node("*", node("log", node("RenyiMoment", *t.parts)), node("inv", order[0] - 1))
    summand = definitions.summand_of(t.tag)
    values = {definitions.ALPHA: order[0], definitions.EPSILON: order[0]} if order else {}
    terms = [substitute(summand, {**values, definitions.FIRST: a, definitions.SECOND: b}) for a, b in zip(p.parts, q.parts, strict=True)]
    return terms[0] if len(terms) == 1 else node("+", *terms)


def _instance(entry: Definition, t: Term) -> Term | None:
    """The meaning with the arguments of a quantity for those of the pattern."""
    pattern, right = entry.left, entry.right
    fixed = [(a, b) for a, b in zip(pattern.parts[: pattern.inner], t.parts, strict=False) if a.tag == "number"]
    if right is None or (pattern.data != t.data and pattern.hint is None) or any(a != b for a, b in fixed):
        return None
    values = {a: b for a, b in zip(pattern.parts[: pattern.inner], t.parts, strict=False) if a.tag == "variable"}
    if pattern.hint is None or t.hint is None:
        return substitute(right, values)
    x, bodies = opened(t)
    functions = {part.data[0]: body for part, body in zip(pattern.parts[pattern.inner :], bodies, strict=True)}
    return substitute(_applied(right, functions, x), values)


def _applied(t: Term, bodies: Mapping[Function, Term], x: Term) -> Term:
    """The term with f(y) put by its body at y; y is what x is, and an integral over an integer is a sum."""
    if t.tag == "apply" and t.data[0] in bodies:
        return substitute(bodies[t.data[0]], {x: t.parts[0]})
    if t.hint is None:
        return with_parts(t, tuple(_applied(part, bodies, x) for part in t.parts)) if t.parts else t
    taken = {y.data[0] if isinstance(y, Term) else y.name for body in bodies.values() for y in body.free - {x}}
    y, inner = opened(t, taken)
    own = variable(fresh(x.data[0], taken), x.sort, x.data[2])
    parts = [_applied(part, bodies, x) for part in (substitute(part, {y: own}) for part in inner)]
    tag = "Sum" if t.tag == "Integral" and x.sort == "Z" else t.tag
    return binder(tag, own, [_applied(part, bodies, x) for part in t.parts[: t.inner]], *parts)
