"""Universal premises: `ForAll(variable, condition, body)` as a sympy Boolean.

Theorems about any mechanism assume something about every kernel, or every order in a range. Such a premise is one object here,
so that claims can state it and derivations can specialise it.
"""

from __future__ import annotations

import math
from typing import Any

import sympy
from sympy import And, Symbol
from sympy.logic.boolalg import Boolean

from dpbounds.language.binders import assumed_sign

_SIGNS = {"positive": "> 0", "nonnegative": r"\geq 0", "nonpositive": r"\leq 0", "negative": "< 0", "nonzero": r"\neq 0"}


class ForAll(Boolean):
    """For every value of `variable` (within its symbol assumptions) that satisfies `condition`, `body` holds.

    Args:
        variable: the bound symbol; its assumptions (integer, positive, …) are part of the range.
        condition: a Boolean that restricts the variable; `sympy.true` for none.
        body: a Boolean.

    >>> alpha, u = sympy.symbols("alpha u", positive=True)
    >>> ForAll(alpha, And(alpha > 1, alpha <= u), alpha**2 > alpha).free_symbols == {u}
    True
    """

    def __new__(cls, variable: Symbol, condition: Any, body: Any) -> ForAll:
        if not isinstance(variable, Symbol):
            raise ValueError(f"ForAll needs a symbol as its variable, got {variable!r}")
        return Boolean.__new__(cls, variable, sympy.sympify(condition), sympy.sympify(body))

    @property
    def variable(self) -> Symbol:
        """The bound symbol."""
        return self.args[0]

    @property
    def condition(self) -> Boolean:
        """What restricts the variable."""
        return self.args[1]

    @property
    def body(self) -> Boolean:
        """What holds for every such value."""
        return self.args[2]

    @property
    def bound_symbols(self) -> list[Symbol]:
        """The variable, as sympy asks for it."""
        return [self.args[0]]

    @property
    def free_symbols(self) -> set[Any]:
        """All symbols but the variable."""
        return (self.condition.free_symbols | self.body.free_symbols) - {self.variable}

    def _eval_subs(self, old: Any, new: Any) -> Boolean | None:
        return self if old == self.variable else None

    def _latex(self, printer: Any) -> str:
        variable, condition, body = (printer._print(part) for part in self.args)
        whole = bool(self.variable.is_integer)
        sign = _SIGNS.get(assumed_sign(self.variable, whole=whole) or "", "")
        domain = [rf"{variable} \in \mathbb{{Z}}"] * whole + [f"{variable} {sign}"] * bool(sign)
        where = ",\\; ".join(domain + [condition] * (self.condition is not sympy.true)) or variable
        return rf"\forall\, {where}:\; {body}"


def for_each(over: tuple[Symbol, Any, Any], body: Any) -> ForAll:
    """The premise that `body` holds for every index in lo..hi.

    >>> i, n = sympy.symbols("i n", integer=True, positive=True)
    >>> for_each((i, 1, n), sympy.IndexedBase("p", real=True)[i] > 0).condition
    i <= n
    """
    variable, low, high = over
    return ForAll(variable, And(sympy.Ge(variable, low), sympy.Le(variable, high)), body)


def range_of(node: ForAll) -> tuple[Any, Any] | None:
    """(low, high) of a `ForAll` whose condition is low <= variable <= high, or < in the place of <=; None for any other condition."""
    lows = [c.rhs for c in node.condition.args if isinstance(c, (sympy.Ge, sympy.Gt)) and c.lhs == node.variable]
    highs = [c.rhs for c in node.condition.args if isinstance(c, (sympy.Le, sympy.Lt)) and c.lhs == node.variable]
    return (lows[0], highs[0]) if len(node.condition.args) == 2 and lows and highs else None


def assumes_more_than_a_start(index: Symbol) -> bool:
    """True when a bound variable assumes more than to be ≥ 0 or > 0: no range has just the even, prime, nonzero or nonpositive numbers.

    >>> assumes_more_than_a_start(Symbol("k", integer=True, positive=True)), assumes_more_than_a_start(Symbol("k", even=True))
    (False, True)
    """
    return bool(
        index.is_nonpositive
        or index.is_even is not None
        or index.is_prime is not None
        or (index.is_zero is False and not index.is_positive)
    )


def least_index(index: Symbol) -> float:
    """The least value that an index may take: sympy has simplified the terms by what the index assumes."""
    if assumes_more_than_a_start(index):
        return math.inf
    return 1 if index.is_positive else 0 if index.is_nonnegative else -math.inf
