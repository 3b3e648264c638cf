"""Case distinctions: a gap with Max, Min, Abs and Piecewise as smooth gaps, each with premises of its own.

At every point of the domain at least one case applies, and there the gap has the value of that case: among the arguments of a Max
one is the largest, |a| is a where a ≥ 0 and −a where a ≤ 0, and a `Piecewise` that is defined takes its first branch whose condition
holds. So the relation holds on a box when it holds in each case under the premises of the case. A premise that is left out only makes
the case harder.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sympy
from sympy.logic.boolalg import Boolean

from dpbounds.language.definedness import limits_of
from dpbounds.language.substitution import replaced

_MOST_CASES = 32
CASED = (sympy.Max, sympy.Min, sympy.Abs, sympy.Piecewise)
"""What is one of several expressions, as conditions say."""

Case = tuple[sympy.Expr, tuple[Boolean, ...]]


def cases_of(gap: sympy.Expr) -> list[Case] | None:
    """The cases of a gap, or None when there is nothing to distinguish or too much.

    >>> x = sympy.Symbol("x", real=True)
    >>> cases_of(x + sympy.Abs(x))
    [(2*x, (x >= 0,)), (0, (x <= 0,))]
    """
    if not gap.has(*CASED) or _innermost(gap) is None:
        return None
    done: list[Case] = []
    open_cases: list[Case] = [(gap, ())]
    while open_cases:
        expression, premises = open_cases.pop(0)
        node = _innermost(expression)
        if node is None:
            done.append((expression, premises))
            continue
        for branch, conditions in branches_of(node):
            known = tuple(c for c in conditions if c is not sympy.true)
            open_cases.append((replaced(expression, node, branch), (*premises, *known)))
        if len(done) + len(open_cases) > _MOST_CASES:
            return None
    return done


def _innermost(expression: Any) -> Any:
    """A node to distinguish by, none of whose parts has another; None when there is none.

    A node that speaks of the variable of a sum or an integral has no one value there, so it stays where it is.

    >>> i = sympy.Symbol("i", integer=True)
    >>> _innermost(sympy.Sum(sympy.Abs(i - 3), (i, 1, sympy.Symbol("n", integer=True)))) is None
    True
    """
    found = [node for node in _free_nodes(expression, frozenset()) if isinstance(node, CASED)]
    return found[0] if found else None


def _free_nodes(node: Any, bound: frozenset[Any]) -> Iterator[Any]:
    """The nodes without bound variables, parts before the whole."""
    inner = bound | {limit[0] for limit in limits_of(node)}
    for part in node.args:
        yield from _free_nodes(part, inner)
    if not bound & node.free_symbols:
        yield node


def branches_of(node: Any) -> Iterator[Case]:
    """What a node may be, each with the conditions under which it is."""
    if isinstance(node, sympy.Abs):
        part = node.args[0]
        yield part, (sympy.Ge(part, 0, evaluate=False),)
        yield -part, (sympy.Le(part, 0, evaluate=False),)
    elif isinstance(node, (sympy.Max, sympy.Min)):
        relation = sympy.Ge if isinstance(node, sympy.Max) else sympy.Le
        for part in node.args:
            yield part, tuple(relation(part, other, evaluate=False) for other in node.args if other is not part)
    else:
        earlier: list[Boolean] = []
        for branch in node.args:
            yield branch.expr, (*_relations(branch.cond), *earlier)
            if isinstance(branch.cond, sympy.core.relational.Relational):
                earlier.append(branch.cond.negated)


def _relations(condition: Boolean) -> tuple[Boolean, ...]:
    """The relations that a condition surely contains: of a conjunction each, of anything else but a relation none."""
    if isinstance(condition, sympy.And):
        return tuple(part for part in condition.args if isinstance(part, sympy.core.relational.Relational))
    return (condition,) if isinstance(condition, (sympy.core.relational.Relational, type(sympy.true), type(sympy.false))) else ()
