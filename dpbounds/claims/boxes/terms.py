"""Sums of symbolic length term by term: Σ a_i ≥ Σ b_i where a_i ≥ b_i for every i, with Σ p_i = 1 put in for what stands outside.

A statement about families becomes a statement about one term of each, in more than one way: a number R beside the sums is R·Σ p_i for a
family p that sums to one, and 0 is Σ p_i − Σ q_i for two of them. Each of these statements implies the claim; none has to hold.

The term of a Kullback–Leibler divergence, or of a Rényi moment, is 0 where p = 0, and ∞ where q = 0 < p. No term is −∞, so the sum is ∞
as soon as one term is. On the larger side, times a positive number, it then makes the statement true if everything else has a value: there
the smaller side plus 1 stands for the larger one, and what stands beside the divergences is added and taken away, so that its value is
asked for. As ∞ ≤ ∞ holds, divergences on the smaller side may be ∞ there, too, unless the statement is strict.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import sympy

from dpbounds.claims.claim import Claim
from dpbounds.descent.refusal import need
from dpbounds.language import functions
from dpbounds.language.substitution import junction

Range = tuple[sympy.Symbol, Any]


@dataclass(frozen=True)
class _Divided:
    """A term that divides by q: 0 where p = 0, else its formula, which asks for q > 0; ∞ where q = 0 < p counts on the larger side."""

    formula: sympy.Expr
    p: sympy.Expr
    q: sympy.Expr
    may_be_infinite: bool

    @property
    def finite(self) -> sympy.Expr:
        """The term where it is finite."""
        return self.formula if _is_sure(self.p) else sympy.Piecewise((sympy.S.Zero, _absent(self.p)), (self.formula, True), evaluate=False)


@dataclass(frozen=True)
class _Side:
    """A side of a relation: the term of its sums, what stands beside them, and the terms of divergences that divide."""

    terms: tuple[sympy.Expr, ...]
    rest: tuple[sympy.Expr, ...]
    divided: tuple[_Divided, ...] = ()


def claims_of_terms(claim: Claim) -> Iterator[Claim]:
    """Claims about one term, each of which implies the claim.

    Raises:
        Refused: a statement that is no inequality between sums over one range, plus what has no families.

    >>> from dpbounds.language.symbols import family, index, nonnegative, positive_integer
    >>> i, n, p = index("i"), positive_integer("n"), family("p")
    >>> total = Claim(id="a", text="", then=sympy.Sum(sympy.Max(p[i] - 1, 0), (i, 1, n)) <= sympy.Sum(p[i], (i, 1, n)))
    >>> next(claims_of_terms(total)).then
    Max(0, p_term - 1) <= p_term
    """
    relation = claim.then
    need(isinstance(relation, (sympy.Le, sympy.Lt, sympy.Ge, sympy.Gt)), "no inequality between sums")
    names = {s.name for part in (claim.then, *claim.given) for s in part.atoms(sympy.Symbol)}  # bound ones too
    values = {base: sympy.Symbol(f"{base.label}_term", **_assumptions(base)) for base in claim.families}
    need(not names & {symbol.name for symbol in values.values()}, "a name that is taken")
    over: dict[Range, None] = {}
    needs: dict[Any, None] = {}
    sides = [_side(side, (), values, over, needs) for side in relation.args]
    need(len(over) == 1, "sums over one range")
    orders = {node.args[0] for node in relation.atoms(functions.RenyiMoment)}
    ((_, length),) = over
    even = 1 / length  # the mass of each outcome under the uniform law
    shares = [values[base] for base in claim.families if _sums_to_one(claim, base, length)]
    needs_one = any(side.rest for side in sides)
    premises = [premise for premise in claim.given if not premise.atoms(sympy.IndexedBase)]
    premises += [sympy.Le(share, 1, evaluate=False) for share in shares]
    for chosen, added in _ways(shares, even, [order - 1 for order in sorted(orders, key=str) if order.is_Symbol], needs_one=needs_one):
        first = sides[0] if added is None else replace(sides[0], terms=(*sides[0].terms, added))
        written = _written_sides(relation, [first, sides[1]], chosen)
        then = junction(sympy.And, [type(relation)(*written, evaluate=False), *needs])
        yield replace(claim, then=then, given=tuple(premises), by=None, mutant=None, uses=(), witness={}, example=None)


def _assumptions(base: sympy.IndexedBase) -> dict[str, bool]:
    entry = base[1]
    need(entry.is_real and not entry.is_integer, "a family of numbers that are no reals")
    sign = "positive" if entry.is_positive else "nonnegative" if entry.is_nonnegative else "real"
    return {"real": True, sign: True}


def _side(
    side: Any, factors: tuple[Any, ...], values: Mapping[Any, sympy.Symbol], over: dict[Range, None], needs: dict[Any, None]
) -> _Side:
    """What a side adds up, with common factors; the ranges of its sums go into `over`, what its divergences need into `needs`."""
    if not side.atoms(sympy.IndexedBase):
        return _Side((), (sympy.Mul(*factors, side, evaluate=False),) if side != 0 else ())
    if isinstance(side, sympy.Add):
        parts = [_side(part, factors, values, over, needs) for part in side.args]
        return _Side(*(tuple(x for part in parts for x in getattr(part, kind)) for kind in ("terms", "rest", "divided")))
    if isinstance(side, sympy.Mul):
        inner = [part for part in side.args if part.atoms(sympy.IndexedBase)]
        need(len(inner) == 1, "a product of sums")
        return _side(inner[0], (*factors, *(part for part in side.args if part is not inner[0])), values, over, needs)
    if isinstance(side, functions.Divergence) and not side.is_table:
        needs.update(dict.fromkeys(_needs_of(side, values)))
        meaning = side.definition()
        if isinstance(side, (functions.KLDivergence, functions.RenyiMoment)):
            # Where p = 0 their value is not asked for: of log(w)·D(w·p ‖ p) nothing would speak of w = 0.
            needs.update((sympy.Ge(factor, factor, evaluate=False), None) for factor in factors if factor.args)
            found = _side(meaning, factors, values, over, needs)
            return _Side((), (), (_divided(side, found, factors, values),))
        need(not side.conditions(), "a divergence that needs more")
        return _side(meaning, factors, values, over, needs)
    need(isinstance(side, sympy.Sum) and len(side.limits) == 1, "a part that is no sum")
    index, low, high = side.limits[0]
    need(index.is_integer and index.is_positive and low == 1, "a sum that does not start at 1")
    need(high.is_integer and high.is_positive and (high.is_Symbol or high.is_Integer), "a length that is no number of terms")
    need(not side.function.has(sympy.Sum, sympy.Integral), "a sum in a sum")
    over[index, high] = None
    return _Side((sympy.Mul(*factors, _term(side.function, index, values), evaluate=False),), ())


def _divided(divergence: functions.Divergence, found: _Side, factors: tuple[Any, ...], values: Mapping[Any, sympy.Symbol]) -> _Divided:
    """The term of a divergence. Of 0·∞ nothing is said, so that the other factors are numbers or symbols that are positive as such."""
    need(len(found.terms) == 1 and not found.rest and not found.divided, "a divergence that is no sum")
    _, p, q, (index, *_) = divergence.args
    positive = all(factor.is_positive and (factor.is_Rational or factor.is_Symbol) for factor in factors)
    return _Divided(found.terms[0], _term(p, index, values), _term(q, index, values), positive)


def _absent(mass: Any) -> Any:
    return sympy.Le(mass, 0, evaluate=False)


def _is_sure(mass: Any) -> bool:
    """Whether a mass is positive where it has a value: a number, a variable, or one over it."""
    base = mass.base if isinstance(mass, sympy.Pow) and mass.exp == -1 else mass
    return bool((base.is_Symbol or base.is_Rational) and base.is_positive)


def _written_sides(relation: Any, sides: list[_Side], one: sympy.Expr | None) -> list[Any]:
    """The sides of the statement about one term; their difference and 0 where divergences on both may be ∞ at once."""
    forward = isinstance(relation, (sympy.Ge, sympy.Gt))
    large, small = sides if forward else sides[::-1]
    weak = isinstance(relation, (sympy.Ge, sympy.Le))
    infinite = [term for term in large.divided if term.may_be_infinite and not _is_sure(term.q)]
    others = tuple(term for term in large.divided if term not in infinite)
    finite = tuple(term for term in small.divided if not (weak and term.may_be_infinite))
    beside, below = _written(replace(large, divided=others), one), _written(replace(small, divided=finite), one)
    whole = _written(small, one)
    twice = bool(infinite) and len(finite) < len(small.divided)
    more = [1, *(sympy.Add(part, sympy.Mul(-1, part, evaluate=False), evaluate=False) for part in ([beside, below] if twice else [beside]))]
    instead = sympy.Add(*more, *([] if twice else [below]), evaluate=False)

    def written(left: list[_Divided], chosen: tuple[Any, ...]) -> Any:
        if not left:
            value = _written(_Side((*chosen, *large.terms), large.rest, others), one)
            return sympy.Add(value, sympy.Mul(-1, whole, evaluate=False), evaluate=False) if twice else value
        first, *after = left
        without = [] if _is_sure(first.p) else [(written(after, chosen), _absent(first.p))]
        return sympy.Piecewise(*without, (instead, _absent(first.q)), (written(after, (*chosen, first.formula)), True), evaluate=False)

    found = [written(infinite, ()), sympy.S.Zero if twice else whole]
    return found if forward else found[::-1]


def _needs_of(divergence: functions.Divergence, values: Mapping[Any, sympy.Symbol]) -> Iterator[Any]:
    """That the order has a value, and that both masses have one and are not negative: the sum that defines it need not speak of them.

    e^{log y} is y, and what p and q have in common is gone from p − q.
    """
    order, p, q, (index, *_) = divergence.args
    need(not order.is_infinite, "a divergence of infinite order")
    yield from (condition for condition in divergence.conditions() if condition is not sympy.true)
    if order.args:
        yield sympy.Ge(order, order, evaluate=False)
    for mass in (p, q):
        if isinstance(mass, sympy.Indexed):
            need(bool(mass.is_nonnegative), "a divergence of what may be negative")
        else:
            yield sympy.Ge(_term(mass, index, values), 0, evaluate=False)


def _term(expression: Any, index: sympy.Symbol, values: Mapping[Any, sympy.Symbol]) -> Any:
    """The term with a variable for each entry; the place itself must not occur otherwise. Nothing cancels, as in q·p/p."""
    entries = expression.atoms(sympy.Indexed)
    need(all(entry.indices == (index,) for entry in entries), "an entry at another place")
    term = functions.with_replaced(expression, {entry: values[entry.base] for entry in entries})
    need(index not in term.atoms(sympy.Symbol), "a term that speaks of its place")
    return term


def _sums_to_one(claim: Claim, base: sympy.IndexedBase, length: Any) -> bool:
    """Whether a premise says that a nonnegative family sums to one over the range."""
    if not base[1].is_nonnegative:
        return False
    for premise in claim.given:
        if isinstance(premise, sympy.Eq) and 1 in premise.args:
            total = next((side for side in premise.args if isinstance(side, sympy.Sum)), None)
            if total is not None and len(total.limits) == 1:
                index, low, high = total.limits[0]
                if total.function == base[index] and low == 1 and high == length and index.is_positive:
                    return True
    return False


def _ways(
    shares: list[sympy.Symbol], even: Any, slopes: list[Any], *, needs_one: bool
) -> Iterator[tuple[sympy.Expr | None, sympy.Expr | None]]:
    """The family that stands for 1, and a multiple of the difference of two that stands for 0.

    A single family is also compared with the uniform law: what grows as p, p² or √p has a tangent of one of the slopes at p = 1/n.
    """
    alone = len(shares) == 1
    laws: list[Any] = [*shares, even] if alone else shares
    parts = [sympy.S.One, sympy.S.Half, *slopes, *([2 * even, sympy.sqrt(1 / even) / 2] if alone else [])]
    ones: list[Any] = [*laws] if needs_one else [None]
    differences = [part * (a - b) for part in parts for a, b in itertools.permutations(laws, 2)]
    yield from itertools.product(ones, [None, *differences])


def _written(side: _Side, one: sympy.Expr | None) -> Any:
    parts = [*side.terms, *(term.finite for term in side.divided), *(sympy.Mul(part, one, evaluate=False) for part in side.rest)]
    return sympy.Add(*parts, evaluate=False) if len(parts) > 1 else parts[0] if parts else sympy.S.Zero
