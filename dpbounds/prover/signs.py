"""Signs of expressions, proved from assumptions by structural rules.

`Signs` answers "certainly positive", "certainly nonnegative", "certainly real and defined"; False means "not proved", never "false".
Every answer follows from the symbols' own assumptions and from a list of relations taken as hypotheses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

import sympy
from sympy import (
    Abs,
    Add,
    Basic,
    Dummy,
    Eq,
    Indexed,
    Integral,
    Max,
    Min,
    Mul,
    Ne,
    Piecewise,
    Pow,
    S,
    Sum,
    Symbol,
    binomial,
    exp,
    factorial,
    log,
)
from sympy.core.relational import Relational

from dpbounds.language.functions import Extremum
from dpbounds.language.kinds import entry_for
from dpbounds.language.quantifiers import ForAll, assumes_more_than_a_start
from dpbounds.language.substitution import is_whole
from dpbounds.prover.infinite import infinite, infinite_parts
from dpbounds.prover.terms import ORDERS, alpha, binder, conjuncts, difference, free, substitute

_PLAIN = (
    Add,
    Mul,
    Pow,
    exp,
    log,
    Symbol,
    sympy.Number,
    sympy.NumberSymbol,
    Abs,
    Max,
    Min,
    sympy.cosh,
    sympy.sinh,
    sympy.tanh,
    sympy.gamma,
    factorial,
)
_DEPTH = 4
_EFFORT = 150  # goals examined for one question; a longer search has never found a proof


class Signs:
    """What follows about signs from a list of hypotheses.

    Args:
        hypotheses: relations (conjunctions are split); anything else is kept but not used.
        universal: statements that hold for all values of their symbols, each with the symbols of which that is not known. A hypothesis
            about t says nothing about a bound variable of that name, such a statement does.

    >>> x, y = sympy.symbols("x y", positive=True)
    >>> Signs([x > 2]).positive(x * y - 2 * y), Signs([]).positive(x - 2)
    (True, False)
    """

    def __init__(self, hypotheses: Iterable[Any] = (), universal: Iterable[tuple[Any, frozenset[Any]]] = ()) -> None:
        self.universal = tuple(universal)
        self.known: list[tuple[Any, bool]] = []
        self.nonzero_known: list[Any] = []
        self.equations: list[tuple[Any, Any]] = []
        self.hypotheses = tuple(hypotheses)
        for statement in self.hypotheses:
            for part in conjuncts(statement):
                self._learn(part)
        self._effort = [_EFFORT]
        self._proved: set[tuple[Any, bool]] = set()
        self._failed: dict[tuple[Any, bool], int] = {}

    def _learn(self, part: Any) -> None:
        part = alpha(part)
        if isinstance(part, Relational) and all(self.infinite(side) for side in part.args):
            return  # J + 1 <= J may be true
        if type(part) in ORDERS:
            self.known.append(difference(part))
        elif isinstance(part, Eq) and isinstance(part.lhs, sympy.Expr):
            self.known += [(part.lhs - part.rhs, False), (part.rhs - part.lhs, False)]
            self.equations.append((part.lhs, part.rhs))
        elif isinstance(part, Ne):
            self.nonzero_known.append(part.lhs - part.rhs)

    def and_also(self, *more: Any) -> Signs:
        """The same hypotheses and some more."""
        return Signs((*self.hypotheses, *more), self.universal)

    def positive(self, expression: Any) -> bool:
        """True when expression > 0 is proved."""
        return self._ask(alpha(sympy.sympify(expression)), True)

    def nonnegative(self, expression: Any) -> bool:
        """True when expression >= 0 is proved."""
        return self._ask(alpha(sympy.sympify(expression)), False)

    def nonnegative_where_defined(self, expression: Any) -> bool:
        """True when expression >= 0 is proved for all values of the symbols for which the expression has a value."""
        return self._search(alpha(sympy.sympify(expression)), False)

    def _ask(self, expression: Any, strict: bool) -> bool:
        return self._search(expression, strict) and self._has_value(expression)

    def _search(self, expression: Any, strict: bool) -> bool:
        """Shallow proofs first, then deeper ones, each with its own effort."""
        for depth in (1, 2, _DEPTH):
            self._effort[0] = _EFFORT
            if self._prove(expression, strict, depth):
                return True
        return False

    def _has_value(self, expression: Any) -> bool:
        """What has no value has no sign: x**(-2) is nonnegative for x != 0 only. The sides of a hypothesis have values where it holds."""
        return any(expression == u for u, _ in self.known) or self.real(expression)

    def nonzero(self, expression: Any) -> bool:
        """True when expression != 0 is proved."""
        expression = alpha(sympy.sympify(expression))
        if _plain(expression) and expression.is_nonzero:
            return True
        if any(_same(expression, u) or _same(expression, -u) for u in self.nonzero_known):
            return True
        if expression.is_Mul:
            return all(self.nonzero(factor) for factor in expression.args)
        if expression.is_Pow:
            vanishes = expression.exp.is_nonnegative is not True and self.infinite(expression)  # 1/D at D = oo
            return self.nonzero(expression.base) and not vanishes
        return self.positive(expression) or self.positive(-expression)

    def holds(self, statement: Any) -> bool:
        """True when a relation (or a conjunction, or a hypothesis itself) is proved."""
        if statement is sympy.true or statement in self.hypotheses:
            return True
        parts = conjuncts(statement)
        if len(parts) > 1:
            return all(self.holds(part) for part in parts)
        if any(statement == part for given in self.hypotheses for part in conjuncts(given)):
            return True
        if type(statement) in (sympy.Gt, sympy.Lt, Ne) and all(self.infinite(side) for side in statement.args):
            return False  # infinity < infinity does not hold
        if type(statement) in ORDERS:
            u, strict = difference(statement)
            return self._ask(alpha(u), strict)
        if isinstance(statement, Ne):
            return self.nonzero(statement.lhs - statement.rhs)
        if isinstance(statement, ForAll):
            inner = [part for part in self.hypotheses if statement.variable not in free(part)]
            return Signs((*inner, statement.condition)).holds(statement.body)
        return False

    def infinite(self, expression: Any) -> frozenset[Any]:
        """The parts of an expression that may be infinite for all that is known."""
        return infinite(expression, self.hypotheses)

    def integer(self, expression: Any) -> bool:
        """True when the expression is certainly an integer."""
        return is_whole(expression)

    def real(self, expression: Any) -> bool:
        """True when the expression certainly has a finite real value."""
        return self.undefined_part(expression) is None

    def undefined_part(self, expression: Any) -> Any:
        """The first part that is not certainly real and defined (a zero denominator, a log of 0, …); None when all is well."""
        node = sympy.sympify(expression)
        if (own := entry_for(_OWN_PARTS, node)) is not None:
            return own(self, node)
        if getattr(node, "definition", None) is not None:
            return self._quantity_part(node)
        if (bad := self._first_undefined(part for part in node.args if isinstance(part, sympy.Expr))) is not None:
            return bad
        defined = entry_for(_DEFINED_WHERE, node)
        return None if defined is not None and defined(self, node) else node

    def _first_undefined(self, parts: Iterable[Any]) -> Any:
        return next((bad for part in parts if (bad := self.undefined_part(part)) is not None), None)

    def _indexed_part(self, node: Indexed) -> Any:
        return self._first_undefined(node.indices) if node.is_real else node

    def _aggregate_part(self, node: Any) -> Any:
        """Of a sum or an integral."""
        if any(len(limit) != 3 or self._misused(limit[0], limit[1]) for limit in node.limits) or not self._runs_forward(node):
            return node
        inside = self.under(node)
        if infinite_parts(node) and not inside.nonnegative(node.function):
            return node  # infinity minus infinity
        return inside.undefined_part(node.function)

    def _quantity_part(self, node: Any) -> Any:
        """Of a quantity with a definition: its conditions, its parameters, and what it has over a range."""
        triples = [part for part in node.args if isinstance(part, sympy.Tuple) and len(part) == 3] if binder(node) else []
        limits = [part for part in triples if part[0] in node.bound_symbols]
        if any(self._misused(variable, low) for variable, low, _ in limits):
            return node
        outside = [c for c in node.conditions() if not free(c) & set(node.bound_symbols)] if limits else node.conditions()
        if (bad := next((c for c in outside if not self.holds(c)), None)) is not None:
            return bad
        parameters = node.args[:1] if limits else [part for part in node.args if part in free(node) or not isinstance(part, Symbol)]
        if (bad := self._first_undefined(part for part in parameters if isinstance(part, sympy.Expr))) is not None:
            return bad
        return self._divergence_part(node, limits[0]) if limits else None

    def _misused(self, variable: Symbol, low: Any) -> bool:
        """True when a bound variable carries assumptions that its range does not have: sympy would simplify with them."""
        if assumes_more_than_a_start(variable):
            return True
        if variable.is_positive and not variable.is_integer:
            return not self.nonnegative(low)
        return bool((variable.is_positive and not self.positive(low)) or (variable.is_nonnegative and not self.nonnegative(low)))

    def _runs_forward(self, node: Any) -> bool:
        """True when a sum or an integral certainly runs from a lower end to an upper one (an empty sum stops one short of its start).

        What lies under one that runs backwards would be judged under contradictory hypotheses.
        """
        room = S.One if isinstance(node, Sum) else S.Zero
        here = self
        for position in range(len(node.limits) - 1, -1, -1):  # the outermost range comes last, and inner ends may depend on its variable
            variable, low, high = node.limits[position]
            if low is S.Infinity or high is S.NegativeInfinity:
                return False
            if (free(low) | free(high)) & {limit[0] for limit in node.limits[: position + 1]}:
                return False  # the same name inside and outside
            if any(not here._is_an_end(end, whole=isinstance(node, Sum)) for end in (low, high)):
                return False
            if low.is_finite is not False and high.is_finite is not False and not here.nonnegative(high - low + room):
                return False
            here = here.under(node.func(node.function, (variable, low, high)))
        return True

    def _is_an_end(self, end: Any, *, whole: bool) -> bool:
        """True when a range may end there: at infinity, or at a number that certainly is one (of a sum: an integer)."""
        return end in (S.Infinity, S.NegativeInfinity) or (self.undefined_part(end) is None and (not whole or self.integer(end)))

    def _divergence_part(self, node: Any, limits: Any) -> Any:
        """Densities and families on the range of their variable: defined, and densities not negative."""
        variable, low, high = limits
        if any(variable in free(end) or not self._is_an_end(end, whole=bool(variable.is_integer)) for end in (low, high)):
            return node
        inside = self.under(Sum(S.One, limits))
        if any(inside.undefined_part(part) is not None for part in node.args[1:3]):
            return node
        return None if variable.is_integer or all(inside.nonnegative(part) for part in node.args[1:3]) else node

    def _extremum_part(self, node: Extremum) -> Any:
        """The function of a supremum or infimum must be defined everywhere in the interval, which is not empty."""
        function, (t, low, high) = node.args
        beyond = t.is_integer or t.is_nonpositive or (t.is_zero is False and not t.is_positive) or not t.is_real
        if beyond or (t.is_nonnegative and not self.nonnegative(low)):
            return node
        if (
            any(t in free(end) or not self._is_an_end(end, whole=False) for end in (low, high))
            or low is S.Infinity
            or high is S.NegativeInfinity
        ):
            return node
        finite = [end for end in (low, high) if end.is_finite is not False]
        if len(finite) == 2 and not self.positive(high - low):
            return node
        everywhere = [statement for statement, conditional in self.universal if t not in conditional]
        inside = Signs((*self._not_about(t), *everywhere, *open_interval(t, low, high)))
        return None if inside.undefined_part(function) is None else node

    def _not_about(self, variable: Symbol) -> list[Any]:
        return [part for statement in self.hypotheses for part in conjuncts(statement) if variable not in free(part)]

    def _sum_is_defined(self, node: Add) -> bool:
        """A sum with two terms that may be infinite has a value when all of these are >= 0."""
        terms = [term for term in node.args if self.infinite(term)]
        return len(terms) < 2 or all(self.nonnegative(term) for term in terms)

    def _is_no_quotient_of_infinities(self, node: Any) -> bool:
        """At most one part of a product or a power may be infinite."""
        return sum(bool(self.infinite(part)) for part in node.args) < 2

    def _piecewise_part(self, node: Piecewise) -> Any:
        earlier: list[Any] = []
        for value, condition in node.args:
            here = self.and_also(*earlier, condition) if condition is not sympy.true else self.and_also(*earlier)
            if (bad := here.undefined_part(value)) is not None:
                return bad
            if isinstance(condition, Relational):
                sides = (self.and_also(*earlier).undefined_part(side) for side in condition.args)
                if (bad := next((side for side in sides if side is not None), None)) is not None:
                    return bad
                earlier.append(condition.negated)
        return None if node.args[-1][1] is sympy.true or node.args[-1][1] == sympy.true else node

    def _power_is_real(self, base: Any, exponent: Any) -> bool:
        if self.integer(exponent):
            return self.nonnegative(exponent) or self.nonzero(base)
        return self.positive(base) or (self.nonnegative(base) and self.positive(exponent))

    def under(self, node: Any) -> Signs:
        """The hypotheses inside a sum or an integral: those outside and the range of the variable."""
        inside = [part for part in self.hypotheses if not (free(part) & {limit[0] for limit in node.limits})]
        for variable, low, high in node.limits:
            inside += [
                bound
                for end, bound in ((low, sympy.Ge(variable, low, evaluate=False)), (high, sympy.Le(variable, high, evaluate=False)))
                if end.is_finite is not False
            ]
        return Signs(inside)

    # the prover

    def _part(self, hypotheses: list[Any]) -> Signs:
        """Fewer hypotheses for a part of the same question, which shares its effort."""
        part = Signs(hypotheses)
        part._effort = self._effort
        return part

    def _inside(self, node: Any) -> Signs:
        return self._part(list(self.under(node).hypotheses))

    def _prove(self, e: Any, strict: bool, depth: int) -> bool:
        key = (e, strict)
        if key in self._proved:
            return True
        if self._failed.get(key, -1) >= depth or self._effort[0] <= 0:
            return False
        self._effort[0] -= 1
        self._failed[key] = depth  # also stops a goal that comes back below itself
        if self._attempt(e, strict, depth):
            self._proved.add(key)
            return True
        return False

    def _attempt(self, e: Any, strict: bool, depth: int) -> bool:
        if _plain(e):
            if e.is_positive or (not strict and e.is_nonnegative):
                return True
            if e.is_number or e.is_nonpositive or (strict and e.is_zero):
                return False
        if any(_at_least(e, u, strict and not s) for u, s in self.known):
            return True
        if self._structure(e, strict, depth):
            return True
        if depth <= 0:
            return False
        factored = _factored(e)
        if factored != e and isinstance(factored, (Mul, Pow)) and self._structure(factored, strict, depth - 1):
            return True
        if isinstance(factored, Add) and factored.count_ops() < e.count_ops() and self._prove(factored, strict, depth - 1):
            return True
        return self._shifted(e, strict) or self._combination(e, strict, depth - 1)

    def _structure(self, e: Any, strict: bool, depth: int) -> bool:
        rule = entry_for(_STRUCTURES, e)
        return rule is not None and rule(self, e, strict, depth)

    def _power_sign(self, e: Pow, strict: bool, depth: int) -> bool:
        strictly = strict and bool(e.exp.is_nonnegative is not True and self.infinite(e))
        if self.integer(e.exp) and e.exp.is_even:
            apart = strict or not e.exp.is_nonnegative
            return self.real(e.base) and not strictly and (not apart or self.nonzero(e.base))
        if self._prove(e.base, True, depth):
            return self.real(e.exp) and not strictly
        return not strict and self._prove(e.base, False, depth) and self._prove(e.exp, False, depth)

    def _binomial_sign(self, e: Any, strict: bool, depth: int) -> bool:
        n, k = e.args
        in_range = all(self.integer(part) and self._prove(part, False, depth) for part in (n, k))
        return in_range and (not strict or self._prove(n - k, False, depth))

    def _sum_sign(self, e: Sum, strict: bool, depth: int) -> bool:
        return (not strict or self._has_terms(e, False, depth)) and self._inside(e)._prove(e.function, strict, max(depth - 1, 0))

    def _integral_sign(self, e: Integral, strict: bool, depth: int) -> bool:
        return self._has_terms(e, strict, depth) and self._inside(e)._prove(e.function, strict, max(depth - 1, 0))

    def _has_terms(self, node: Any, strict: bool, depth: int) -> bool:
        """The lower end of each range of a sum or an integral is at most (strictly: below) the upper one.

        Bound variables have names of their own here (`alpha`), so what is known of symbols outside says nothing of them.
        """
        return all(
            (low is not S.Infinity and high is not S.NegativeInfinity)
            and (low is S.NegativeInfinity or high is S.Infinity or self._prove(high - low, strict, depth))
            for _, low, high in node.limits
        )

    def _add(self, terms: Iterable[Any], strict: bool, depth: int) -> bool:
        terms = list(terms)
        if len(terms) == 2 and any(self._exponential_gap(terms[k], terms[1 - k], strict, depth) for k in (0, 1)):
            return True
        return self._add_termwise(terms, strict, depth) or (strict and depth > 0 and self._mixture(terms, depth - 1))

    def _exponential_gap(self, first: Any, second: Any, strict: bool, depth: int) -> bool:
        """e^u − 1 has the sign of u, and 1 − e^u that of −u."""
        if first == S.NegativeOne and isinstance(second, exp):
            return self._prove(second.args[0], strict, depth)
        return first == S.One and isinstance(-second, exp) and self._prove(-(-second).args[0], strict, depth)

    def _mixture(self, terms: list[Any], depth: int) -> bool:
        """Σ c_j·P_j > 0 when every P_j > 0, every c_j >= 0 and Σ c_j > 0: one of the weights is positive."""
        weights = []
        for term in terms:
            others = [factor for factor in Mul.make_args(term) if not self._prove(factor, True, depth)]
            weights.append(Mul(*others))
        total = Add(*weights)
        return total != Add(*terms) and all(self._prove(w, False, depth) for w in weights) and self._prove(_expand(total), True, depth)

    def _add_termwise(self, terms: list[Any], strict: bool, depth: int) -> bool:
        some = not strict
        for term in terms:
            if not some and self._prove(term, True, depth):
                some = True
            elif not self._prove(term, False, depth):
                return False
        return some

    def _mul(self, factors: Iterable[Any], strict: bool, depth: int) -> bool:
        negative = False
        for factor in factors:
            if self._prove(factor, strict, depth):
                continue
            below = 1 - factor.args[0] if isinstance(factor, log) else -factor
            if not self._prove(below, strict, depth):
                return False
            negative = not negative
        return not negative

    def _shifted(self, e: Any, strict: bool) -> bool:
        """Put x = a + y, y >= 0 for every hypothesis x >= a with a number a, and x = 1 + y for positive integers; then expand."""
        shifts: dict[Any, Any] = {x: (S.One, False) for x in e.free_symbols if x.is_integer and x.is_positive}
        for u, s in self.known:
            x, bound = _lower_end(u)
            if x in e.free_symbols:
                best = shifts.get(x)
                if best is None or bound > best[0]:
                    shifts[x] = (bound, s)
        if not shifts:
            return False
        change = {x: a + _excess(x, a, s) for x, (a, s) in shifts.items()}
        moved = _expand(substitute(e, change))
        return self._part(self._without(change))._add(Add.make_args(moved), strict, 1)

    def _without(self, change: dict[Any, Any]) -> list[Any]:
        return [h for h in self.hypotheses if not (free(h) & set(change))]

    def _combination(self, e: Any, strict: bool, depth: int) -> bool:
        """e = c·u + rest with u >= 0 a hypothesis that removes one symbol, c >= 0 a number under the hypotheses, and rest >= 0."""
        for u, s in self.known:
            plain = _expand(e - u)
            if len(Add.make_args(plain)) < len(Add.make_args(e)):
                others = self._part([h for h in self.hypotheses if not _mentions(h, u)])
                if others._prove(plain, strict and not s, depth):
                    return True
            for x in sorted(_linear_atoms(u), key=str):
                a = _coefficient(u, x)
                b = _coefficient(e, x)
                if a is None or b is None or b == 0:
                    continue
                c = sympy.cancel(b / a)
                rest = _expand(e - c * u)
                if x in rest.atoms(type(x)) or not self.real(c) or self.infinite(c) or not self._prove(c, False, min(depth, 1)):
                    continue
                smaller = self._part([h for h in self.hypotheses if not _mentions(h, u)])
                if smaller._prove(rest, strict, depth) or (
                    strict and s and self._prove(c, True, min(depth, 1)) and smaller._prove(rest, False, depth)
                ):
                    return True
        return False


_OWN_PARTS: dict[Any, Callable[[Signs, Any], Any]] = {
    **dict.fromkeys((Symbol, sympy.Number, sympy.NumberSymbol), lambda signs, node: None if node.is_real else node),
    Indexed: Signs._indexed_part,
    **dict.fromkeys((Sum, Integral), Signs._aggregate_part),
    Piecewise: Signs._piecewise_part,
    Extremum: Signs._extremum_part,
}
"""What is undefined in a node that has no parts, or that binds or chooses between them."""


def _first_is_positive(signs: Signs, node: Any) -> bool:
    return signs.positive(node.args[0])


def _always(signs: Signs, node: Any) -> bool:
    return True


_DEFINED_WHERE: dict[Any, Callable[[Signs, Any], bool]] = {
    Add: Signs._sum_is_defined,
    Mul: Signs._is_no_quotient_of_infinities,
    Pow: lambda signs, node: signs._is_no_quotient_of_infinities(node) and signs._power_is_real(node.base, node.exp),
    **dict.fromkeys((log, sympy.gamma, sympy.loggamma), _first_is_positive),
    factorial: lambda signs, node: signs.nonnegative(node.args[0]),
    sympy.lowergamma: lambda signs, node: signs.positive(node.args[0]) and signs.nonnegative(node.args[1]),
    binomial: lambda signs, node: all(map(signs.integer, node.args)) and signs.nonnegative(node.args[0]),
    sympy.core.function.AppliedUndef: lambda signs, node: bool(node.is_real),
    **dict.fromkeys((exp, Max, Min, Abs, sympy.sign, sympy.erf, sympy.erfc, sympy.cosh, sympy.sinh, sympy.tanh), _always),
}
"""When a node has a real value, its parts having one."""

_STRUCTURES: dict[Any, Callable[[Signs, Any, bool, int], bool]] = {
    Add: lambda signs, e, strict, depth: signs._add(e.args, strict, depth),
    Mul: lambda signs, e, strict, depth: signs._mul(e.args, strict, depth),
    exp: lambda signs, e, strict, depth: not strict or not signs.infinite(e),
    Pow: Signs._power_sign,
    log: lambda signs, e, strict, depth: signs._prove(e.args[0] - 1, strict, depth),
    Max: lambda signs, e, strict, depth: any(signs._prove(part, strict, depth) for part in e.args),
    Min: lambda signs, e, strict, depth: all(signs._prove(part, strict, depth) for part in e.args),
    Abs: lambda signs, e, strict, depth: not strict or signs.nonzero(e.args[0]),
    sympy.gamma: lambda signs, e, strict, depth: signs._prove(e.args[0], True, depth),
    factorial: lambda signs, e, strict, depth: signs._prove(e.args[0], False, depth),
    binomial: Signs._binomial_sign,
    Sum: Signs._sum_sign,
    Integral: Signs._integral_sign,
    Piecewise: lambda signs, e, strict, depth: not strict and all(signs._prove(value, False, depth) for value, _ in e.args),
}
"""When an expression is > 0, or >= 0 where not asked strictly, by its outermost operation."""


def open_interval(t: Symbol, low: Any, high: Any) -> list[Any]:
    """low < t < high, as far as the ends are finite."""
    ends = [sympy.Lt(low, t, evaluate=False)] if low.is_finite is not False else []
    return ends + ([sympy.Lt(t, high, evaluate=False)] if high.is_finite is not False else [])


@lru_cache(maxsize=16384)
def _expand(e: Any) -> Any:
    """sympy's expansion, remembered: max and min are costly to build and the same questions come back."""
    return sympy.expand(e)


@lru_cache(maxsize=4096)
def _lower_end(u: Any) -> tuple[Any, Any]:
    """x and a when u is x - a with a rational number a, so that u >= 0 says x >= a; (None, None) otherwise."""
    symbols = u.free_symbols
    if len(symbols) == 1 and isinstance(x := next(iter(symbols)), Symbol) and (x - u).is_Rational:
        return x, x - u
    return None, None


@lru_cache(maxsize=1024)
def _excess(x: Symbol, a: Any, strict: bool) -> Dummy:
    """By how much x exceeds a; one name for each question, so that answers are remembered (x itself is gone where it is used)."""
    return Dummy(positive=True) if strict else Dummy(nonnegative=True)


def _mentions(hypothesis: Any, u: Any) -> bool:
    return any(type(part) in ORDERS and difference(part)[0] == u for part in conjuncts(hypothesis))


@lru_cache(maxsize=4096)
def _linear_atoms(u: Any) -> frozenset[Any]:
    """What a relation can be solved for: symbols, family members, and opaque terms that stand alone."""
    found: set[Any] = set()
    for term in Add.make_args(_expand(u)):
        _, rest = term.as_coeff_Mul()
        found |= {factor for factor in Mul.make_args(rest) if not factor.is_Pow and not factor.is_number and not isinstance(factor, Add)}
    return frozenset(found)


def _coefficient(e: Any, x: Any) -> Any:
    """The coefficient of x when e is linear in x; None otherwise."""
    expanded = _expand(e)
    value = expanded.coeff(x, 1)
    rest = _expand(expanded - value * x)
    return None if rest.has(x) or value.has(x) else value


def _same(e: Any, u: Any) -> bool:
    return e == u or bool(_expand(e - u) == 0)


def _at_least(e: Any, u: Any, strictly: bool) -> bool:
    """e = u + a number ≥ 0 (> 0 when asked strictly)."""
    if e == u:
        return not strictly
    if not (free(u) <= free(e)):
        return False
    gap = _expand(e - u)
    return bool(gap.is_Rational and (gap > 0 if strictly else gap >= 0))


def _plain(e: Basic) -> bool:
    """True when sympy's own sign reasoning may be asked: elementary nodes over symbols only."""
    if isinstance(e, (Indexed, sympy.core.function.AppliedUndef)):
        return True
    return isinstance(e, _PLAIN) and all(_plain(part) for part in e.args)


@lru_cache(maxsize=4096)
def _factored(e: Any) -> Any:
    if e.has(Sum, Integral, Piecewise):
        return sympy.factor_terms(e)
    try:
        return sympy.factor(e)
    except sympy.PolynomialError:
        return e
