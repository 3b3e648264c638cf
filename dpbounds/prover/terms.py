"""Terms with bound variables: substitution that never captures, and what is free in a term.

sympy's `subs` re-evaluates relations and knows nothing of the binders defined here, so the kernel brings its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

import sympy
from sympy import And, Basic, Dummy, Indexed, IndexedBase, Integral, Lambda, Sum, Symbol
from sympy.core.relational import Relational

from dpbounds.language.quantifiers import ForAll

ORDERS = (sympy.Le, sympy.Lt, sympy.Ge, sympy.Gt)
"""The relations that order numbers."""


def binder(node: Basic) -> bool:
    """True for the nodes that bind variables: sums, integrals, quantifiers, and quantities with `over=`."""
    return isinstance(node, (Sum, Integral, ForAll, Lambda)) or bool(getattr(node, "bound_symbols", None))


def rebuild(node: Basic, arguments: Iterable[Any]) -> Any:
    """The node with new arguments; relations stay relations even where sympy could decide them."""
    parts = tuple(arguments)
    if parts == node.args:
        return node
    if isinstance(node, Relational):
        return node.func(*parts, evaluate=False)
    return node.func(*parts)


@lru_cache(maxsize=65536)
def free(node: Basic) -> frozenset[Basic]:
    """The free symbols and families of a term (an `IndexedBase` counts, its label does not)."""
    if isinstance(node, IndexedBase):
        return frozenset({node})
    if isinstance(node, Indexed):
        return frozenset({node.base}).union(*(free(part) for part in node.indices))
    if isinstance(node, Symbol):
        return frozenset({node})
    bound = set(_bound_variables(node)) if binder(node) else set()
    inside = frozenset().union(*(free(part) for part in _open_parts(node)))
    if isinstance(node, (Sum, Integral)):
        outside = frozenset().union(*(free(end) for limit in node.limits for end in limit[1:]))
        return (free(node.function) - bound) | outside
    return inside - bound


def _open_parts(node: Basic) -> Iterator[Basic]:
    for part in node.args:
        if isinstance(part, Basic) and not (type(node).__name__.startswith("SampledGaussian") and str(part) in ("remove", "add")):
            yield part


def dummies_named(statement: Any) -> Any:
    """The statement with Dummy symbols named by order of appearance, so that it reads the same however many were made before."""
    dummies = dict.fromkeys(part for part in sympy.preorder_traversal(statement) if isinstance(part, Dummy))
    return statement.xreplace({d: Symbol(f"{d.name}_{k}", **d.assumptions0) for k, d in enumerate(dummies)})


def _bound_variables(node: Basic) -> tuple[Symbol, ...]:
    """The variables that a node binds."""
    if isinstance(node, (Sum, Integral)):
        return tuple(limit[0] for limit in node.limits)
    if isinstance(node, Lambda):
        return tuple(node.variables)
    return tuple(getattr(node, "bound_symbols", ()))


def substitute(node: Any, mapping: Mapping[Any, Any]) -> Any:
    """Replace free symbols by terms and families by functions of their indices.

    Args:
        node: an expression or Boolean.
        mapping: symbol → term, `IndexedBase` → `Lambda` (or another `IndexedBase`), all at once.

    >>> x, y, i, n = *sympy.symbols("x y", real=True), *sympy.symbols("i n", integer=True, positive=True)
    >>> substitute(Sum(x * i, (i, 1, n)), {x: i}).function.free_symbols == {i}
    False
    """
    if not mapping or not isinstance(node, Basic):
        return node
    if isinstance(node, Symbol):
        return mapping.get(node, node)
    if isinstance(node, Indexed):
        indices = [substitute(part, mapping) for part in node.indices]
        target = mapping.get(node.base, node.base)
        return applied(target, *indices) if isinstance(target, Lambda) else target[tuple(indices)]
    if not node.args or not (free(node) & set(mapping)):
        return node
    if binder(node):
        node, mapping = _avoid_capture(node, mapping)
    return rebuild(node, (substitute(part, mapping) for part in node.args))


def applied(function: Lambda, *arguments: Any) -> Any:
    """The value of a function at terms; sympy's own call lets a sum or an integral inside bind what comes in.

    >>> x, i, n = Symbol("x", real=True), *sympy.symbols("i n", integer=True, positive=True)
    >>> i in free(applied(Lambda(x, Sum(x, (i, 1, n))), i))
    True
    """
    return substitute(function.expr, dict(zip(function.variables, arguments, strict=True)))


def _avoid_capture(node: Basic, mapping: Mapping[Any, Any]) -> tuple[Basic, dict[Any, Any]]:
    bound = _bound_variables(node)
    inner = {key: value for key, value in mapping.items() if key not in bound}
    entering: set[Basic] = set().union(*(free(value) for value in inner.values())) if inner else set()
    clashing = [variable for variable in bound if variable in entering]
    if clashing:
        node = _rename_bound(node, {variable: Dummy(variable.name, **variable.assumptions0) for variable in clashing})
    return node, inner


def _rename_bound(node: Basic, names: Mapping[Symbol, Symbol]) -> Any:
    """The same binder with other names for its variables (the new names must be fresh)."""
    return rebuild(node, (_rename(part, names) for part in node.args))


def _rename(node: Any, names: Mapping[Symbol, Symbol]) -> Any:
    if isinstance(node, Symbol):
        return names.get(node, node)
    if not isinstance(node, Basic) or not node.args:
        return node
    if isinstance(node, Indexed):
        return node.base[tuple(_rename(part, names) for part in node.indices)]
    return rebuild(node, (_rename(part, names) for part in node.args))


def conjuncts(statement: Any) -> list[Any]:
    """The parts of a conjunction, or the statement alone."""
    return list(statement.args) if isinstance(statement, And) else ([] if statement is sympy.true else [statement])


def difference(relation: Relational) -> tuple[Any, bool]:
    """(u, strict) such that the order relation says u > 0 (strict) or u >= 0."""
    return relation.gts - relation.lts, type(relation) in (sympy.Gt, sympy.Lt)
