"""A claim's statement in the notation of cover documents: structural, nothing is evaluated or simplified.

The conclusion becomes "every condition under which its quantities are defined holds, and so does it, with quantities replaced by their
elementary formulas". What has no elementary formula stands as engine("…").
"""

from __future__ import annotations

import keyword
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from typing import Any

import sympy

from dpbounds.claims import instance
from dpbounds.claims.definedness import conditions_of
from dpbounds.covers.notation import NAME, RESERVED
from dpbounds.covers.terms import Term, add, number, power, term, times, variable
from dpbounds.language import functions
from dpbounds.language.substitution import substituted
from dpbounds.language.symbols import canonical_text

_SUM_TERMS = 2_000
_RELATIONS: dict[Any, tuple[str, bool]] = {
    sympy.Le: ("<=", False),
    sympy.Lt: ("<", False),
    sympy.Ge: ("<=", True),
    sympy.Gt: ("<", True),
    sympy.Eq: ("=", False),
}
_FUNCTIONS: dict[type, str] = {
    sympy.exp: "exp",
    sympy.log: "log",
    sympy.erf: "erf",
    sympy.erfc: "erfc",
    sympy.Abs: "abs",
    functions.NormalCDF: "Phi",
}


class Writer:
    """Turns expressions and conditions over some variables into terms.

    Args:
        variables: the variables of the statement.
    """

    def __init__(self, variables: Iterable[sympy.Symbol]) -> None:
        self.names: dict[str, str] = {}
        for position, v in enumerate(sorted(variables, key=str)):
            plain = NAME.fullmatch(v.name) and v.name not in RESERVED and not v.name.endswith("_") and not keyword.iskeyword(v.name)
            self.names[v.name] = v.name if plain else (f"{v.name}_" if keyword.iskeyword(v.name) else f"x{position}_")
        self._known: dict[Any, Term] = {}

    def conclusion(self, then: Any) -> Term:
        """What is to be shown of a conclusion: it is defined and true."""
        conditions = [self.condition(c) for c in conditions_of(then) if c is not sympy.true]
        parts = [*conditions, self.condition(instance.elementary(then))]
        return term("and", *dict.fromkeys(parts)) if len(parts) > 1 else parts[0]

    def condition(self, c: Any) -> Term:
        """A condition as a term."""
        if c in (sympy.true, sympy.false):
            return term("<=" if c == sympy.true else "<", number(0), number(0))
        for kind, (op, flipped) in _RELATIONS.items():
            if isinstance(c, sympy.core.relational.Relational) and isinstance(c, kind):
                sides = [self.expression(functions.expand_quantities(side)) for side in c.args]
                return term(op, *(reversed(sides) if flipped else sides))
        if isinstance(c, sympy.Ne):
            return term("not", term("=", *(self.expression(functions.expand_quantities(side)) for side in c.args)))
        if isinstance(c, (sympy.And, sympy.Or)):
            return term("and" if isinstance(c, sympy.And) else "or", *map(self.condition, c.args))
        if isinstance(c, sympy.Not):
            return term("not", self.condition(c.args[0]))
        if isinstance(c, sympy.Implies):
            return term("or", term("not", self.condition(c.args[0])), self.condition(c.args[1]))
        return term("engine", data=_text(c))

    def expression(self, e: Any) -> Term:
        """An expression as a term."""
        if e not in self._known:
            self._known[e] = self._find(e)
        return self._known[e]

    def _find(self, e: Any) -> Term:
        if e.is_Rational:
            return number(Fraction(int(e.p), int(e.q)))
        if e is sympy.pi:
            return term("pi")
        if e is sympy.E:
            return term("exp", number(1))
        if isinstance(e, sympy.Symbol) and e.name in self.names:
            return variable(self.names[e.name])
        if isinstance(e, sympy.Add):
            return reduce(add, map(self.expression, e.args))
        if isinstance(e, sympy.Mul):
            return self._product(e.args)
        if isinstance(e, sympy.Pow):
            if e.exp.is_Integer:
                return power(self.expression(e.base), int(e.exp))
            if e.base is sympy.E:
                return term("exp", self.expression(e.exp))
            return term("pow", self.expression(e.base), self.expression(e.exp))
        if type(e) in _FUNCTIONS:
            return term(_FUNCTIONS[type(e)], self.expression(e.args[0]))
        if isinstance(e, (sympy.Max, sympy.Min)):
            name = "max" if isinstance(e, sympy.Max) else "min"
            return reduce(lambda a, b: term(name, a, b), map(self.expression, sorted(e.args, key=sympy.default_sort_key)))
        if isinstance(e, sympy.Piecewise):
            value = term("engine", data="no branch applies")
            for branch in reversed(e.args):
                here = self.expression(branch.expr)
                value = here if branch.cond == sympy.true else term("ite", self.condition(branch.cond), here, value)
            return value
        if isinstance(e, sympy.Sum) and (found := self._sum(e)) is not None:
            return found
        if isinstance(e, (sympy.binomial, sympy.factorial)) and all(a.is_Integer and a >= 0 for a in e.args):
            value = e.doit()
            if value.is_Integer:
                return number(int(value))
        return term("engine", data=_text(e))

    def _product(self, factors: Sequence[Any]) -> Term:
        return reduce(lambda a, b: term("*", a, b) if number(0) in (a, b) else times(a, b), map(self.expression, factors))

    def _sum(self, e: sympy.Sum) -> Term | None:
        if len(e.limits) != 1 or len(e.limits[0]) != 3:
            return None
        k, low, high = e.limits[0]
        if not (low.is_Integer and high.is_Integer and 0 <= high - low <= _SUM_TERMS):
            return None
        return reduce(add, (self.expression(substituted(e.function, {k: sympy.Integer(n)})) for n in range(int(low), int(high) + 1)))


def _text(e: Any) -> str:
    return canonical_text(e).encode("ascii", "backslashreplace").decode()


def statement_of(names: Mapping[str, Any], then: Any, constraints: Sequence[Any]) -> tuple[Writer, tuple[Term, ...], Term]:
    """(writer, premises, conclusion) of a statement; the premises with what its symbols assume."""
    writer = Writer(names.values())
    given = tuple(dict.fromkeys(writer.condition(instance.elementary(c)) for c in constraints))
    return writer, given, writer.conclusion(then)
