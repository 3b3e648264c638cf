"""Expressions built again with other parts, where sympy may not decide anything in floating point.

sympy evaluates floor, Abs, Max, relations and even √(a²) of closed numbers by numerical sampling when a node is built; `subs`, `xreplace`
and `func(*args)` all do. Here a node is evaluated only where that is exact: on rational numbers, and on symbols by what they assume.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any

import sympy
from sympy.core.parameters import global_parameters
from sympy.core.relational import Relational
from sympy.functions.elementary.miscellaneous import MinMaxBase

from dpbounds.errors import LanguageError
from dpbounds.language import assumptions  # noqa: F401 - sympy's rules are right from here on
from dpbounds.language.kinds import entry_for
from dpbounds.language.sizes import power_takes_long

_LARGEST_ARGUMENT = 1000
"""Of gamma, factorial and binomial: beyond, the number itself would be long."""
_WHOLE = (sympy.gamma, sympy.loggamma, sympy.factorial, sympy.binomial)
_ROUNDED = (sympy.floor, sympy.ceiling, sympy.frac, sympy.Mod, sympy.sign)


@lru_cache(maxsize=65536)
def has_irrational(node: Any) -> bool:
    """True when some part without symbols is not a rational number.

    >>> x = sympy.Symbol("x", real=True)
    >>> has_irrational(x + sympy.Rational(1, 3)), has_irrational(x + sympy.pi)
    (False, True)
    """
    if node.is_Symbol or getattr(node, "is_Rational", False):
        return False
    if isinstance(node, sympy.Expr) and not node.free_symbols:
        return True
    return any(has_irrational(part) for part in node.args)


@lru_cache(maxsize=65536)
def has_sign_to_sample(node: Any) -> bool:
    """True when sympy could learn the sign of some part without symbols only numerically: of √2 it knows it, of √2 − 1 it does not."""
    if node.is_Symbol or getattr(node, "is_Rational", False) or isinstance(node, sympy.NumberSymbol):
        return False
    if isinstance(node, sympy.Expr) and not node.free_symbols and not isinstance(node, (sympy.Mul, sympy.Pow, sympy.exp)):
        return True
    return any(has_sign_to_sample(part) for part in node.args)


def rebuilt(node: Any, parts: Iterable[Any]) -> Any:
    """The node with new arguments, evaluated only where that is exact.

    >>> x = sympy.Symbol("x", real=True)
    >>> rebuilt(sympy.floor(x), [sympy.gamma(sympy.Rational(301, 3))])
    floor(gamma(301/3))
    >>> rebuilt(sympy.floor(x), [sympy.Rational(7, 2)]), rebuilt(x**2, [sympy.Rational(10523, 15332), sympy.Rational(10523, 4809)])
    (3, (10523/15332)**(10523/4809))
    """
    arguments = tuple(parts)
    if arguments == node.args:
        return node
    if (build := entry_for(_REBUILT, node)) is not None:
        return build(node, arguments)
    return node.func(*arguments) if _is_exact(type(node), arguments) else node.func(*arguments, evaluate=False)


_REBUILT: dict[Any, Callable[[Any, tuple[Any, ...]], Any]] = {
    sympy.And: lambda node, parts: junction(sympy.And, parts),
    sympy.Or: lambda node, parts: junction(sympy.Or, parts),
    sympy.Not: lambda node, parts: negation(parts[0]),
    Relational: lambda node, parts: node.func(*parts, evaluate=False),
    sympy.Piecewise: lambda node, parts: sympy.Piecewise(*parts, evaluate=False),
    MinMaxBase: lambda node, parts: node.func(*parts, evaluate=False) if any(map(has_irrational, parts)) else extremum(node.func, parts),
    sympy.Indexed: lambda node, parts: node.base[parts[1:]],
    sympy.Mod: lambda node, parts: sympy.nan if parts[1] == 0 else node.func(*parts, evaluate=not any(map(has_irrational, parts))),
}
"""Kinds whose new arguments sympy would evaluate."""


def _is_exact(kind: type, parts: tuple[Any, ...]) -> bool:
    """True when sympy's evaluation of the node needs no numerical decision."""
    if issubclass(kind, sympy.Pow):
        base, exponent = parts
        if base.is_Rational and exponent.is_Rational:
            return not power_takes_long(exponent, base)
        return bool(exponent.is_Integer) or not any(map(has_sign_to_sample, parts))
    if issubclass(kind, sympy.Mul):
        # A product gathers powers of one base, and so evaluates powers.
        powers = [part for part in parts if isinstance(part, sympy.Pow) and not part.exp.is_Integer]
        return not any(has_sign_to_sample(part) or power_takes_long(part.exp, part.base) for part in powers)
    if issubclass(kind, sympy.exp):
        return not parts[0].has(sympy.log) or not has_sign_to_sample(parts[0])
    if issubclass(kind, (sympy.log, sympy.Abs)):
        return not has_sign_to_sample(parts[0])
    if issubclass(kind, _WHOLE):
        return all(abs(part) <= _LARGEST_ARGUMENT if part.is_Rational else not has_irrational(part) for part in parts)
    if issubclass(kind, _ROUNDED):
        return not any(map(has_irrational, parts))
    return True


def extremum(kind: Any, parts: Iterable[Any]) -> Any:
    """Max or Min; as it stands where sympy raises: it cannot compare a number such as Φ(−1), or has found no real number.

    >>> x = sympy.Symbol("x", negative=True)
    >>> extremum(sympy.Max, [x, 1, 2]), extremum(sympy.Max, [sympy.log(x), 1])
    (2, Max(1, log(x)))
    """
    parts = tuple(map(sympy.sympify, parts))
    fits = global_parameters.evaluate and all(p.is_extended_real is not False and (p.is_comparable or not p.is_number) for p in parts)
    return kind(*parts, evaluate=fits)


def relation(kind: Any, left: Any, right: Any) -> Any:
    """`kind(left, right)`, decided only where symbols, rational numbers and infinite ends decide it.

    >>> relation(sympy.Gt, sympy.Integer(2), sympy.S.One), relation(sympy.Gt, sympy.pi, sympy.S.One)
    (True, pi > 1)
    >>> relation(sympy.Ge, sympy.oo, 0), relation(sympy.Ge, -sympy.oo, 0)
    (True, False)
    """
    left, right = sympy.sympify(left), sympy.sympify(right)
    if all(side.is_Rational or side in (sympy.oo, -sympy.oo) for side in (left, right)):
        return kind(left, right)
    return kind(left, right) if not (has_irrational(left) or has_irrational(right)) else kind(left, right, evaluate=False)


def is_positive(value: Any) -> bool:
    """True when symbols and rational numbers show that a value is positive; nothing is sampled."""
    return bool(not has_sign_to_sample(value) and value.is_positive)


def junction(kind: Any, parts: Iterable[Any]) -> Any:
    """And or Or of conditions as they stand: sympy's own constructor compares their sides.

    >>> x = sympy.Symbol("x", real=True)
    >>> junction(sympy.And, [sympy.Gt(sympy.pi, 4, evaluate=False), x < 2])
    (pi > 4) & (x < 2)
    """
    neutral, decisive = (sympy.true, sympy.false) if kind is sympy.And else (sympy.false, sympy.true)
    flat = [inner for part in parts for inner in (part.args if isinstance(part, kind) else (part,)) if inner is not neutral]
    kept = list(dict.fromkeys(flat))
    if decisive in kept:
        return decisive
    if len(kept) < 2:
        return kept[0] if kept else neutral
    node = sympy.Basic.__new__(kind, *sympy.ordered(kept))
    node._argset = frozenset(kept)
    return node


def parts_of_and(statement: Any) -> tuple[Any, ...]:
    """The parts of a conjunction in the order of sympy's `args`, or the statement alone. sympy's `make_args` gives a set: its order differs
    between processes, and a certificate is a list.

    >>> x = sympy.Symbol("x", real=True)
    >>> parts_of_and((x < 2) & (x > 1))
    (x > 1, x < 2)
    """
    return statement.args if isinstance(statement, sympy.And) else (statement,)


def negation(condition: Any) -> Any:
    """The negation of a condition; relations are turned, not evaluated.

    >>> negation(sympy.Le(sympy.pi, 3, evaluate=False))
    pi > 3
    """
    if isinstance(condition, (sympy.And, sympy.Or)):
        return junction(sympy.Or if isinstance(condition, sympy.And) else sympy.And, map(negation, condition.args))
    return condition.negated if isinstance(condition, Relational) else sympy.Not(condition)


def substituted(expression: Any, values: Mapping[Any, Any]) -> Any:
    """An expression or condition with others put for some of its free symbols, all at once.

    Raises:
        LanguageError: a value speaks of a symbol that a sum, an integral or a quantifier around the place binds.

    >>> x = sympy.Symbol("x", real=True)
    >>> substituted(sympy.And(x * sympy.floor(x) > 1, x <= 2), {x: sympy.pi})
    (pi <= 2) & (pi*floor(pi) > 1)
    """
    if not values:
        return expression
    if expression in values:
        return sympy.sympify(values[expression])
    if not expression.args or not any(key in expression.free_symbols for key in values):
        return expression
    bound = _bound_in(expression)
    inner = values
    if bound:
        inner = {key: value for key, value in values.items() if key not in bound}
        if any(bound & sympy.sympify(value).free_symbols for key, value in inner.items() if key in expression.free_symbols):
            raise LanguageError(
                f"a value speaks of {', '.join(sorted(map(str, bound)))}, which {type(expression).__name__} binds; rename it"
            )
    return rebuilt(expression, [_part(part, bound, inner, values) for part in expression.args])


def replaced(expression: Any, node: Any, value: Any) -> Any:
    """An expression with another one put for a part of it, wherever it occurs."""
    if expression == node:
        return value
    return rebuilt(expression, [replaced(part, node, value) for part in expression.args]) if expression.has(node) else expression


def _bound_in(node: Any) -> frozenset[Any]:
    """The symbols that a node binds: indices of sums, variables of integrals, extrema, divergences and quantifiers."""
    if isinstance(node, (sympy.Sum, sympy.Integral)):
        return frozenset(limit[0] for limit in node.limits)
    return frozenset(getattr(node, "bound_symbols", ()))


def _part(part: Any, bound: frozenset[Any], inner: Mapping[Any, Any], outer: Mapping[Any, Any]) -> Any:
    if part in bound:
        return part
    if isinstance(part, sympy.Tuple) and part.args and part.args[0] in bound:
        return sympy.Tuple(part.args[0], *(substituted(end, outer) for end in part.args[1:]))
    return substituted(part, inner)
