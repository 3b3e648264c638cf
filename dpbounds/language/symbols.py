"""Variables of claims: sympy symbols with their assumptions, and finite distributions.

Every variable of a claim is real unless it is an integer. An assumption made here (`positive`, `nonnegative`, …) is part
of the claim's domain, exactly as if it stood in `given`.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from functools import lru_cache
from typing import Any

import sympy
from sympy import Eq, Idx, IndexedBase, Sum, Symbol
from sympy.core import evalf
from sympy.logic.boolalg import Boolean
from sympy.printing.repr import ReprPrinter

from dpbounds.errors import InputError
from dpbounds.language.large_powers import LongNumber


def _evalf_sum(expression: Any, precision: int, options: Any) -> Any:
    """A sum in floating point; sympy raises ValueError for one that diverges, even while `Sum(...) <= 1` is typed."""
    try:
        return evalf.evalf_sum(expression, precision, options)
    except ValueError as error:
        raise KeyError(str(error)) from error  # sympy then asks the sum itself, which has no number


evalf.evalf_table[Sum] = _evalf_sum


def real(names: str) -> Symbol:
    """One real variable, or several: `real("x y")`."""
    return sympy.symbols(names, real=True)


def positive(names: str) -> Symbol:
    """One or several real variables > 0.

    >>> sigma, q = positive("sigma q")
    >>> sigma.is_positive
    True
    """
    return sympy.symbols(names, positive=True)


def nonnegative(names: str) -> Symbol:
    """One or several real variables >= 0.

    >>> nonnegative("delta").is_nonnegative
    True
    """
    return sympy.symbols(names, nonnegative=True)


def integer(names: str) -> Symbol:
    """One or several integer variables."""
    return sympy.symbols(names, integer=True)


def positive_integer(names: str) -> Symbol:
    """One or several integer variables >= 1."""
    return sympy.symbols(names, integer=True, positive=True)


def family(name: str, sign: str = "nonnegative") -> IndexedBase:
    """A family of reals p[1], p[2], … of one sign: "real", "nonnegative" or "positive".

    >>> family("p", "positive")[1].is_positive
    True
    """
    return IndexedBase(name, **{"real": True, sign: True})


def index(name: str, start: int = 1) -> Symbol:
    """A summation index.

    The symbol assumes that it is at least `start`, so it starts at 1 unless told otherwise: for a sum from 0 write `index("k", start=0)`,
    or sympy simplifies the terms as if there were none at 0.

    Args:
        name: its name.
        start: 1 or 0, the least value that it takes.

    Raises:
        InputError: another start.

    >>> index("k", start=0).is_nonnegative
    True
    """
    if start not in (0, 1):
        raise InputError(f"index({name!r}, start=...): a summation index starts at 0 or 1, got {start!r}; shift the terms of the sum")
    return Symbol(name, integer=True, positive=True) if start == 1 else Symbol(name, integer=True, nonnegative=True)


def sums_to_one(weights: IndexedBase, over: tuple[Symbol, object, object]) -> Boolean:
    """The premise that a family is a probability distribution.

    >>> i, n = index("i"), positive_integer("n")
    >>> sums_to_one(family("p"), (i, 1, n))
    Eq(Sum(p[i], (i, 1, n)), 1)
    """
    return Eq(Sum(weights[over[0]], over), 1, evaluate=False)


def bernoulli(probability: object) -> sympy.Tuple:
    """The distribution (a, 1−a) on two points.

    >>> bernoulli(sympy.Rational(1, 3))
    (1/3, 2/3)
    """
    a = sympy.sympify(probability)
    return sympy.Tuple(a, 1 - a)


def mixture(weights: Sequence[object], distributions: Sequence[sympy.Tuple]) -> sympy.Tuple:
    """The weighted average of finite distributions on the same points.

    >>> mixture([sympy.Rational(1, 2)] * 2, [bernoulli(1), bernoulli(0)])
    (1/2, 1/2)
    """
    sizes = {len(row) for row in distributions}
    if len(sizes) != 1 or len(weights) != len(distributions):
        raise ValueError(f"a mixture needs one weight for each row and rows of one length, got lengths {sorted(sizes)}")
    return sympy.Tuple(*(sympy.Add(*(w * row[i] for w, row in zip(weights, distributions, strict=True))) for i in range(sizes.pop())))


def as_written() -> AbstractContextManager[None]:
    """A context in which sympy keeps what is typed: nothing cancels, and no function meets its inverse.

    For a statement that says something of what sympy would take out of it.

    >>> x = real("x")
    >>> with as_written():
    ...     kept = sympy.exp(sympy.log(x)) + (x - x)
    >>> kept
    (-x + x) + exp(log(x))
    """
    context: AbstractContextManager[None] = sympy.evaluate(False)
    return context


__all__ = [
    "Idx", "as_written", "bernoulli", "family", "index", "integer", "mixture", "nonnegative", "positive", "positive_integer", "real",
    "sums_to_one",
]  # fmt: skip


# The order in which facts about a symbol are stated; what follows from earlier ones is left out.
_FACTS = (
    "integer", "even", "odd", "prime", "rational", "positive", "nonnegative", "negative", "nonpositive", "nonzero", "zero", "real",
    "finite",
)  # fmt: skip


@lru_cache(maxsize=1024)
def facts_of(symbol: Symbol) -> tuple[tuple[str, bool], ...]:
    """The assumptions of a symbol in one way of stating them: equal symbols may have been written differently, and sympy mixes them up.

    >>> facts_of(Symbol("n", integer=True, real=True, positive=True))
    (('integer', True), ('positive', True))
    """
    everything: dict[str, bool] = symbol.assumptions0
    stated: dict[str, bool] = {}
    for fact in (*_FACTS, *sorted(everything)):
        if fact in everything and fact not in Symbol("_", **stated).assumptions0:
            stated[fact] = everything[fact]
    return tuple(stated.items())


class _Writer(ReprPrinter):
    def _print_Symbol(self, expr: Symbol) -> str:
        return f"Symbol({', '.join([repr(expr.name), *(f'{fact}={value}' for fact, value in facts_of(expr))])})"


def canonical_text(expression: Any) -> str:
    """sympy's `srepr`, but the same text for equal expressions.

    Raises:
        LongNumber: a number in it has more digits than Python prints.
    """
    try:
        return str(_Writer().doprint(expression))
    except ValueError as error:
        raise LongNumber from error
