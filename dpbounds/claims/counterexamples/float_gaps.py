"""A claim whose families have so many entries, as functions of floats: what a fast search for counterexamples minimises.

Nothing here decides. What floats do not evaluate has no such functions, and no points come of it.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import sympy

from dpbounds.claims.domain import Domain
from dpbounds.claims.statement import instance
from dpbounds.errors import DPBoundsError
from dpbounds.language import functions
from dpbounds.language.in_floats import in_floats
from dpbounds.language.quantifiers import ForAll
from dpbounds.language.substitution import parts_of_and

Point = dict[Any, Any]
Sides = tuple[float, float]
FAILED = 1e3
"""What is larger than every gap: a premise fails."""
_NO_NOISE = 1e-300
_RELATIONS = (sympy.Le, sympy.Lt, sympy.Ge, sympy.Gt)
_ROUNDS = 4
_TERMS, _NODES, _STEP = 150, 100, 0.08
"""Of a series, and of the trapezoidal rule on either side; its step."""


_quantile = sympy.Function("normal_quantile")


@dataclass(frozen=True)
class FloatGaps:
    """A claim at one length of its families.

    Attributes:
        symbols: the coordinates: variables, then entries of families.
        laws: the places of the coordinates of each law, which are weights.
        fixed: the variables that are lengths, with their numbers, and those that are places, which are 1.
        entries: the coordinates of each family.
        solved: what equations of the premises say of entries and variables, in the coordinates that are left.
        relations: the premises, as they are.
        premises: the sides of each premise, as a function of the coordinates.
        strict: which premises are strict.
        sides: those of the relations that the statement consists of.
        counts: the coordinates to which sums run.
    """

    symbols: tuple[sympy.Symbol, ...]
    laws: tuple[tuple[int, ...], ...]
    fixed: Point
    entries: dict[Any, tuple[sympy.Symbol, ...]]
    solved: dict[sympy.Symbol, Any]
    relations: tuple[Any, ...]
    premises: Callable[..., Sequence[Sides]]
    strict: tuple[bool, ...]
    sides: Callable[..., Sequence[Sides]]
    counts: frozenset[sympy.Symbol]

    def normalised(self, weights: Sequence[float]) -> list[float]:
        """The coordinates with the weights of each law divided by their sum."""
        numbers = list(weights)
        for places in self.laws:
            total = math.fsum(numbers[k] for k in places)
            for k in places:
                numbers[k] /= total
        return numbers

    def value(self, weights: Sequence[float], margin: float = _NO_NOISE, noise: float = _NO_NOISE) -> float:
        """The least gap of the statement over the size of its sides; above `FAILED` where a premise does not hold by a margin.

        Where the sides agree the gap counts as large: a search shall not end there.

        Args:
            weights: the coordinates.
            margin: by how much premises shall hold, against the size of their sides.
            noise: of sides that are not larger, floats show nothing.
        """
        try:
            numbers = self.normalised(weights)
            held = zip(map(_relative, self.premises(*numbers)), self.strict, strict=True)
            broken = math.fsum(max(0.0, margin - gap) for gap, strict in held if gap or strict)
            return FAILED * (1 + broken) if broken > 0 else min(_relative(sides, noise) or 1.0 for sides in self.sides(*numbers))
        except (ArithmeticError, ValueError, TypeError, NameError, KeyError, AttributeError):
            return math.inf

    def point(self, weights: Sequence[sympy.Rational]) -> Point | None:
        """The exact point of rational coordinates, None where an equation has no solution there."""
        at = dict(zip(self.symbols, weights, strict=True))
        for places in self.laws:
            total = sympy.Add(*(weights[k] for k in places))
            at |= {self.symbols[k]: weights[k] / total for k in places}
        for symbol, value in self.solved.items():
            at[symbol] = value.xreplace(at)
        if not all(value.is_real and value.is_finite for value in at.values()):
            return None
        families = {base: tuple(at[symbol] for symbol in symbols) for base, symbols in self.entries.items()}
        inner = {symbol for symbols in self.entries.values() for symbol in symbols}
        return {**self.fixed, **{symbol: value for symbol, value in at.items() if symbol not in inner}, **families}

    def ends(self, k: int) -> list[Callable[..., float]]:
        """The values of one coordinate at which premises in several of them are equations."""
        v, found = self.symbols[k], list[Callable[..., float]]()
        for relation in self.relations:
            if relation.has(v) and len(relation.free_symbols) > 1:
                value = isolated((relation.gts - relation.lts).xreplace(self.solved), v)
                if value is not None:
                    found.append(in_floats(self.symbols, value))
        return found


def isolated(difference: Any, v: sympy.Symbol) -> Any:
    """The v for which an expression is 0, where it occurs once in it; None where it does not.

    >>> x, y = sympy.symbols("x y", positive=True)
    >>> isolated(x * sympy.exp(2 * y) - 3, y)
    log(3/x)/2
    """
    left, right = difference, sympy.S.Zero
    while left != v:
        inside = [part for part in left.args if part.has(v)]
        if len(inside) != 1:
            return None
        outside = [part for part in left.args if not part.has(v)]
        if left.is_Add:
            right -= sympy.Add(*outside)
        elif left.is_Mul:
            right /= sympy.Mul(*outside)
        elif isinstance(left, (sympy.exp, sympy.log)):
            right = sympy.log(right) if isinstance(left, sympy.exp) else sympy.exp(right)
        elif left.is_Pow:
            right = right ** (1 / left.exp) if inside[0] is left.base else sympy.log(right) / sympy.log(left.base)
        else:
            return None
        left = inside[0]
    return right


def _relative(sides: Sides, noise: float = _NO_NOISE) -> float:
    """large − small over the size of both."""
    large, small = sides
    gap = (large - small) / (noise + abs(large) + abs(small))
    if math.isfinite(gap):
        return gap
    if math.isinf(large) != math.isinf(small):
        return 1.0 if large > small else -1.0
    raise ValueError("no gap")


def float_gaps(claim: Any, domain: Domain, size: int) -> FloatGaps | None:
    """The claim with families of so many entries as functions of floats; None of what floats do not evaluate.

    >>> from dpbounds.claims.claim import Claim
    >>> x = sympy.Symbol("x", real=True)
    >>> claim = Claim(id="a", text="", then=x**2 >= x)
    >>> float_gaps(claim, Domain.of_claim(claim), 2).value([0.5]) < 0
    True
    """
    try:
        return _compiled(claim, domain, size)
    except (DPBoundsError, ArithmeticError, ValueError, TypeError, RuntimeError, AttributeError, KeyError):
        return None


def _compiled(claim: Any, domain: Domain, size: int) -> FloatGaps | None:
    lengths = _lengths(claim, domain) if domain.families else set()
    single = {s for part in (claim.then, *domain.constraints) for entry in part.atoms(sympy.Indexed) for s in entry.indices[0].free_symbols}
    fixed = {n: sympy.Integer(size) for n in lengths} | dict.fromkeys(single & set(domain.variables) - lengths, sympy.S.One)
    entries = {base: _entries(base, size) for base in domain.families}
    point = {**fixed, **entries}
    variables = [v for v in domain.variables if v not in fixed]
    then = [_written(part, point) for part in parts_of_and(claim.then)]
    laws, equations, premises = [], [], []
    symbols = [*variables, *(symbol for family in entries.values() for symbol in family)]
    for constraint in domain.constraints:
        for part in _parts(constraint, point):
            if not isinstance(part, sympy.Eq):
                premises.append(part)
            elif (law := _law(part, entries)) is not None:
                laws.append(law)
            elif part.lhs != part.rhs:
                equations.append(part)
    solved: dict[sympy.Symbol, Any] = {}
    inside = {symbol for law in laws for symbol in law}
    for equation in equations:
        difference = (equation.lhs - equation.rhs).xreplace(solved)
        found = _solution(difference, [s for s in reversed(symbols) if s not in inside and s not in solved])
        if found is None:
            return None
        solved = {key: value.xreplace(dict([found])) for key, value in solved.items()} | dict([found])
    signs = map(_bound, [*solved, *itertools.chain(*entries.values())])
    relations = [*premises, *(sign for sign in signs if sign is not None)]
    left = tuple(symbol for symbol in symbols if symbol not in solved)
    places = tuple(tuple(left.index(symbol) for symbol in law) for law in laws)
    if not all(isinstance(part, _RELATIONS) for part in then):
        return None
    compiled = partial(_functions, left, solved)
    known = [r for r in relations if isinstance(r, _RELATIONS)]
    totals = [total for part in (*then, *known) for total in part.atoms(sympy.Sum)]
    counts = frozenset(symbol for total in totals for end in total.limits[0][1:] for symbol in end.free_symbols)
    strict = tuple(isinstance(relation, (sympy.Lt, sympy.Gt)) for relation in known)
    return FloatGaps(left, places, fixed, entries, solved, tuple(known), compiled(known), strict, compiled(then), counts)


def _functions(symbols: Sequence[sympy.Symbol], solved: dict[Any, Any], relations: Sequence[Any]) -> Callable[..., Any]:
    """The sides (large, small) of relations as one function of floats."""
    sides = [tuple(side.xreplace(solved) for side in (relation.gts, relation.lts)) for relation in relations]
    return in_floats(symbols, sides)


def _written(condition: Any, point: Point) -> Any:
    """A relation at these lengths; its quantities written out."""
    if not isinstance(condition, sympy.core.relational.Relational):
        raise TypeError("no relation")
    sides = [_plain(instance.instantiate(side, point, whole=True)) for side in condition.args]
    for side in sides:
        if side.has(sympy.Integral, functions.PrivacyQuantity, sympy.Indexed, sympy.zoo, sympy.nan):
            raise TypeError("no function of floats")
    return type(condition)(*sides, evaluate=False)


def _plain(side: Any) -> Any:
    """A side without quantities."""
    opened = functions.expand_quantities(side).replace(lambda e: isinstance(e, functions.Divergence), lambda e: e.definition())
    written = instance.instantiate(opened, {})
    plain = written.replace(functions.NormalQuantile, _quantile).replace(sympy.Integral, _trapezoid)
    return plain.replace(lambda e: isinstance(e, sympy.Sum) and len(e.limits) == 1, _finite)


def _finite(total: sympy.Sum) -> Any:
    """The first terms of a series; all terms of a sum."""
    i, low, high = total.limits[0]
    return sympy.Sum(total.function, (i, low, low + _TERMS)) if high.is_infinite else total


def _trapezoid(body: Any, limits: Any) -> Any:
    """A sum that is near an integral: the trapezoidal rule in u, for x = sinh u, a + e^u, b − e^u or (a + b)/2 + (b − a)/2·tanh u."""
    x, a, b = limits
    j = sympy.Dummy("j", integer=True)
    u = _STEP * j
    if a.is_infinite and b.is_infinite:
        at, weight = sympy.sinh(u), sympy.cosh(u)
    elif a.is_infinite or b.is_infinite:
        at, weight = (a + sympy.exp(u) if b.is_infinite else b - sympy.exp(u)), sympy.exp(u)
    else:
        at, weight = (a + b) / 2 + (b - a) / 2 * sympy.tanh(u), (b - a) / 2 / sympy.cosh(u) ** 2
    return sympy.Sum(_STEP * weight * body.subs(x, at), (j, -_NODES, _NODES))


def _parts(constraint: Any, point: Point) -> list[Any]:
    """The relations that a premise stands for at these lengths."""
    if not isinstance(constraint, ForAll):
        return [_written(part, point) for part in parts_of_and(constraint)]
    highs = [part.rhs for part in parts_of_and(constraint.condition) if isinstance(part, sympy.Le) and part.lhs == constraint.variable]
    lows = [part.rhs for part in parts_of_and(constraint.condition) if isinstance(part, sympy.Ge) and part.lhs == constraint.variable]
    high, low = (instance.instantiate(ends[0], point) if ends else sympy.S.One for ends in (highs, lows))
    places = range(int(low), int(high) + 1)
    return [_written(part, {**point, constraint.variable: sympy.Integer(k)}) for k in places for part in parts_of_and(constraint.body)]


def _lengths(claim: Any, domain: Domain) -> set[sympy.Symbol]:
    """The variables to which indices of families run."""
    found: set[sympy.Symbol] = set()
    for condition in (claim.then, *domain.constraints):
        for node in sympy.preorder_traversal(condition):
            ends: list[Any] = []
            if isinstance(node, ForAll):
                ends = [part.rhs for part in parts_of_and(node.condition) if isinstance(part, sympy.Le)]
            elif isinstance(node, (sympy.Sum, functions.Divergence)):
                ends = [over[2] for over in (node.limits if isinstance(node, sympy.Sum) else node.args[3:])]
            found |= {symbol for end in ends for symbol in end.free_symbols if node.has(sympy.Indexed) or isinstance(node, ForAll)}
    return found & set(domain.variables)


def _entries(base: sympy.IndexedBase, size: int) -> tuple[sympy.Symbol, ...]:
    kind = base[1]
    signs = {"positive": True} if kind.is_positive else {"nonnegative": True} if kind.is_nonnegative else {}
    whole = {"integer": True} if kind.is_integer else {}
    return tuple(sympy.Symbol(f"{base.label}_{k + 1}", real=True, **signs, **whole) for k in range(size))


def _law(equation: sympy.Eq, entries: dict[Any, tuple[sympy.Symbol, ...]]) -> tuple[sympy.Symbol, ...] | None:
    """The family of an equation that says that its entries sum to 1."""
    for family in entries.values():
        if equation.rhs == 1 and equation.lhs == sympy.Add(*family):
            return family
    return None


def _bound(symbol: sympy.Symbol) -> Any:
    """What the sign of a symbol says, where it says something."""
    if symbol.is_positive:
        return sympy.Gt(symbol, 0, evaluate=False)
    return sympy.Ge(symbol, 0, evaluate=False) if symbol.is_nonnegative else None


def _solution(difference: Any, symbols: Sequence[sympy.Symbol]) -> tuple[sympy.Symbol, Any] | None:
    """A symbol in which an expression is linear, and the value for which it is 0."""
    for symbol in symbols:
        if symbol.is_integer or not difference.has(symbol):
            continue
        slope = difference.diff(symbol)
        if not slope.has(symbol) and slope != 0:
            return symbol, sympy.expand(slope * symbol - difference) / slope
    return None
