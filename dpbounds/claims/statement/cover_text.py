"""A claim's statement in the notation of cover documents: structural, nothing is evaluated or simplified.

The conclusion becomes "the conditions of its quantities hold, and so does it", with quantities replaced by their elementary formulas. What
has no elementary formula is a function of the variables that `engine` describes, by the query of its number where it has one.
"""

from __future__ import annotations

import keyword
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial, reduce
from typing import Any

import sympy

from dpbounds.claims.statement.quantity_text import query_of
from dpbounds.covers.algebra import real
from dpbounds.covers.cover import Statement
from dpbounds.covers.document import reader_of
from dpbounds.kernel.notation import NAME, RESERVED, show
from dpbounds.kernel.terms import MINUS, ONE, TWO, ZERO, Term, at_most, below, equal, node, number, value
from dpbounds.language import functions
from dpbounds.language.symbols import canonical_text
from dpbounds.logic.terms import BITS

_SUM_TERMS = 2_000
_FLAT = 100
"""Terms of a sum that are added one after the other."""
_HALF = number("1/2")
_RELATIONS: dict[Any, tuple[str, bool]] = {
    sympy.Le: ("<=", False),
    sympy.Lt: ("<", False),
    sympy.Ge: ("<=", True),
    sympy.Gt: ("<", True),
    sympy.Eq: ("=", False),
}


def add(a: Term, b: Term) -> Term:
    """a + b; 0 is left out, and numbers are added."""
    p, q = value(a), value(b)
    if p is not None and q is not None:
        return number(p + q)
    return b if p == 0 else (a if q == 0 else node("+", a, b))


def times(a: Term, b: Term) -> Term:
    """a·b; numbers are multiplied. Where a factor is 0, the other is dropped: its definedness is judged apart."""
    p, q = value(a), value(b)
    if p is not None and q is not None:
        return number(p * q)
    if p == 0 or q == 0:
        return ZERO
    return b if p == 1 else (a if q == 1 else node("*", a, b))


def minus(a: Term, b: Term) -> Term:
    """a − b."""
    return add(a, times(MINUS, b))


def power(a: Term, n: int) -> Term:
    """aⁿ; 1/0 is left as it is, and so is a number of many digits."""
    if n in (0, 1):
        return a if n else ONE
    q = value(a)
    if q is None or (q == 0 and n < 0) or abs(n) * math.log2(max(abs(q.numerator), q.denominator)) > BITS:
        return node("^", a, data=(n,))
    return number(q**n)


def _erfc(x: Term) -> Term:
    """erfc x = 2·Φ(−√2·x)."""
    return times(TWO, node("Phi", times(MINUS, times(node("pow", TWO, _HALF), x))))


_FUNCTIONS: dict[type, Callable[[Term], Term]] = {
    sympy.exp: partial(node, "exp"),
    sympy.log: partial(node, "log"),
    sympy.erf: lambda x: minus(ONE, _erfc(x)),
    sympy.erfc: _erfc,
    sympy.Abs: partial(node, "abs"),
    functions.NormalCDF: partial(node, "Phi"),
    sympy.sinh: lambda x: times(_HALF, minus(node("exp", x), node("exp", times(MINUS, x)))),
    sympy.cosh: lambda x: times(_HALF, add(node("exp", x), node("exp", times(MINUS, x)))),
    sympy.tanh: lambda x: minus(ONE, times(TWO, power(add(ONE, node("exp", times(TWO, x))), -1))),
}
"""sinh x = (e^x − e^{−x})/2, cosh x = (e^x + e^{−x})/2, tanh x = 1 − 2/(1 + e^{2x})."""


class CoverWriter:
    """Turns expressions and conditions over some variables into terms.

    Args:
        variables: the variables of the statement.
        whole_powers_by_engine: whether powers with an integer variable as exponent are left to the engine. A real power has no value at a
            base below 0.
    """

    def __init__(self, variables: Iterable[sympy.Symbol], *, whole_powers_by_engine: bool = False) -> None:
        self.whole_powers_by_engine = whole_powers_by_engine
        self.names: dict[str, str] = {}
        for position, v in enumerate(sorted(variables, key=str)):
            plain = NAME.fullmatch(v.name) and v.name not in RESERVED and not v.name.endswith("_") and not keyword.iskeyword(v.name)
            self.names[v.name] = v.name if plain else (f"{v.name}_" if keyword.iskeyword(v.name) else f"x{position}_")
        self.engine: dict[str, str] = {}
        self._known: dict[Any, Term] = {}

    def conclusion(self, then: Any) -> Term:
        """What is to be shown of a conclusion: its quantities are defined, and it is true. That every part has a value is shown with it."""
        quantities = [node for node in sympy.postorder_traversal(then) if isinstance(node, functions.PrivacyQuantity)]
        needed = [self.condition(sympy.sympify(c)) for node in quantities for c in node.conditions()]
        # A formula may do without an argument, or an entry of a table, which needs a value all the same.
        spoken = (part for node in quantities for a in node.args for part in (a.args if isinstance(a, sympy.Tuple) else (a,)))
        inside = [self.expression(functions.expand_quantities(part)) for part in spoken if _is_composed(part)]
        parts = [*(c for c in needed if c is not _TRUE), *(at_most(a, a) for a in inside), self.condition(then)]
        parts = list(dict.fromkeys(parts))
        return node("and", *parts) if len(parts) > 1 else parts[0]

    def condition(self, c: Any) -> Term:
        """A condition as a term."""
        if c in (sympy.true, sympy.false):
            return _TRUE if c == sympy.true else below(ZERO, ZERO)
        for kind, (op, flipped) in _RELATIONS.items():
            if isinstance(c, sympy.core.relational.Relational) and isinstance(c, kind):
                sides = [self.expression(functions.expand_quantities(side)) for side in c.args]
                return node(op, *(reversed(sides) if flipped else sides))
        if isinstance(c, sympy.Ne):
            return node("not", equal(*(self.expression(functions.expand_quantities(side)) for side in c.args)))
        if isinstance(c, (sympy.And, sympy.Or)):
            return node("and" if isinstance(c, sympy.And) else "or", *map(self.condition, c.args))
        if isinstance(c, sympy.Not):
            return node("not", self.condition(c.args[0]))
        if isinstance(c, sympy.Implies):
            return node("or", node("not", self.condition(c.args[0])), self.condition(c.args[1]))
        return equal(self._by_engine(_text(c)), ONE)

    def expression(self, e: Any) -> Term:
        """An expression as a term."""
        if e not in self._known:
            self._known[e] = self._find(e)
        return self._known[e]

    def _find(self, e: Any) -> Term:
        if e.is_Rational:
            return number(Fraction(int(e.p), int(e.q)))
        if e is sympy.pi:
            return node("pi")
        if e is sympy.E:
            return node("exp", number(1))
        if isinstance(e, sympy.Symbol) and e.name in self.names:
            return real(self.names[e.name])
        if isinstance(e, sympy.Add):
            return _total([self.expression(part) for part in e.args])
        if isinstance(e, sympy.Mul):
            return self._product(e.args)
        if isinstance(e, sympy.Pow):
            if not e.exp.is_Integer and all(part.is_Integer for part in e.exp.atoms()):  # 20 - 20, of a term of a sum
                e = sympy.Pow(e.base, e.exp.doit(), evaluate=False)
            if e.exp == 0:  # 1 where the base has a value
                return add(ONE, node("*", ZERO, self.expression(e.base)))
            if e.exp.is_Integer:
                return power(self.expression(e.base), int(e.exp))
            if e.base is sympy.E:
                return node("exp", self.expression(e.exp))
            if self.whole_powers_by_engine and e.exp.is_integer:
                return self._by_engine(_text(e))
            return node("pow", self.expression(e.base), self.expression(e.exp))
        if type(e) in _FUNCTIONS:
            return _FUNCTIONS[type(e)](self.expression(e.args[0]))
        if isinstance(e, (sympy.Max, sympy.Min)):
            name = "max" if isinstance(e, sympy.Max) else "min"
            return reduce(lambda a, b: node(name, a, b), map(self.expression, sorted(e.args, key=sympy.default_sort_key)))
        if isinstance(e, sympy.Piecewise):
            value = self._by_engine("no branch applies")
            for branch in reversed(e.args):
                here = self.expression(branch.expr)
                value = here if branch.cond == sympy.true else node("ite", self.condition(branch.cond), here, value)
            return value
        if isinstance(e, sympy.Sum) and (found := self._sum(e)) is not None:
            return found
        if isinstance(e, (sympy.binomial, sympy.factorial)) and all(a.is_Integer and a >= 0 for a in e.args):
            value = e.doit()
            if value.is_Integer:
                return number(int(value))
        query = query_of(e, lambda part: show(self.expression(part))) if isinstance(e, functions.PrivacyQuantity) else None
        return self._by_engine(_text(e) if query is None else query)

    def _by_engine(self, text: str) -> Term:
        """A function of all variables for what only the engine evaluates; one for each text."""
        name = next((name for name, known in self.engine.items() if known == text), f"engine{len(self.engine)}_")
        self.engine[name] = text
        return node("f", *map(real, sorted(self.names.values())), data=(name, f"{'R' * len(self.names)}>R"))

    def _product(self, factors: Sequence[Any]) -> Term:
        return reduce(lambda a, b: node("*", a, b) if ZERO in (a, b) else times(a, b), map(self.expression, factors))

    def _sum(self, e: sympy.Sum) -> Term | None:
        if len(e.limits) != 1 or len(e.limits[0]) != 3:
            return None
        k, low, high = e.limits[0]
        if not (low.is_Integer and high.is_Integer and 0 <= high - low <= _SUM_TERMS):
            return None
        return _total([self.expression(functions.with_replaced(e.function, {k: sympy.Integer(n)})) for n in range(int(low), int(high) + 1)])


_TRUE = at_most(ZERO, ZERO)


def _is_composed(argument: Any) -> bool:
    return isinstance(argument, sympy.Expr) and bool(argument.args) and bool(argument.free_symbols)


def _total(parts: Sequence[Term]) -> Term:
    """A sum; one of many terms in halves, as readers go down as deep as it is nested."""
    if len(parts) <= _FLAT:
        return reduce(add, parts)
    middle = len(parts) // 2
    return add(_total(parts[:middle]), _total(parts[middle:]))


def _text(e: Any) -> str:
    return canonical_text(e).encode("ascii", "backslashreplace").decode()


def statements_of(claim: str, names: Mapping[str, Any], then: Any, constraints: Sequence[Any]) -> Iterator[tuple[CoverWriter, Statement]]:
    """The ways in which a statement may be written, each with what wrote it; all of them say the same.

    Args:
        claim: the claim's name.
        names: the variables of the statement by name.
        then: the conclusion.
        constraints: premises and assumptions of the symbols.

    Raises:
        Refused: a statement that the reader of documents does not take.
    """
    whole_powers = any(
        power.exp.is_integer and not power.exp.is_Integer for part in (then, *constraints) for power in part.atoms(sympy.Pow)
    )
    for by_engine in (False, True) if whole_powers else (False,):
        writer = CoverWriter(names.values(), whole_powers_by_engine=by_engine)
        yield writer, _statement_of(claim, writer, names, then, constraints)


def _statement_of(claim: str, writer: CoverWriter, names: Mapping[str, Any], then: Any, constraints: Sequence[Any]) -> Statement:
    """A statement with what its symbols assume, as the reader reads it, so that what is printed is what is meant."""
    variables = tuple(sorted(writer.names.values()))
    integers = frozenset(writer.names[name] for name, v in names.items() if v.is_integer)
    given = tuple(dict.fromkeys(writer.condition(c) for c in constraints))
    then = writer.conclusion(then)
    used = {f[0] for part in (*given, then) for f in part.free if isinstance(f, tuple)}
    engine = tuple((name, text) for name, text in writer.engine.items() if name in used)
    read = reader_of(variables, dict(engine)).formula
    return Statement(claim, variables, integers, tuple(map(read, map(show, given))), read(show(then)), engine)
