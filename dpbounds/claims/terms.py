"""Sums of symbolic length term by term: Σ a_i ≥ Σ b_i where a_i ≥ b_i for every i, with Σ p_i = 1 put in for what stands outside.

A statement about families becomes a statement about one term of each, in more than one way: a number R beside the sums is R·Σ p_i for a
family p that sums to one, and 0 is Σ p_i − Σ q_i for two of them. Each of these statements implies the claim; none has to hold.
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
class _Side:
    """A side of a relation: the term of its sums, and what stands beside them."""

    terms: tuple[sympy.Expr, ...]
    rest: tuple[sympy.Expr, ...]


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
    ((_, length),) = over
    shares = [values[base] for base in claim.families if _sums_to_one(claim, base, length)]
    premises = [premise for premise in claim.given if not premise.atoms(sympy.IndexedBase)]
    premises += [sympy.Le(share, 1, evaluate=False) for share in shares]
    for chosen, added in _ways(shares, needs_one=any(side.rest for side in sides)):
        written = [_written(side, chosen) for side in sides]
        if added is not None:
            written[0] = sympy.Add(written[0], added, evaluate=False)
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
        return _Side(tuple(t for part in parts for t in part.terms), tuple(r for part in parts for r in part.rest))
    if isinstance(side, sympy.Mul):
        inner = [part for part in side.args if part.atoms(sympy.IndexedBase)]
        need(len(inner) == 1, "a product of sums")
        return _side(inner[0], (*factors, *(part for part in side.args if part is not inner[0])), values, over, needs)
    if isinstance(side, functions.Divergence) and not side.is_table:
        need(not side.conditions(), "a divergence that needs more")
        needs.update(dict.fromkeys(_needs_of(side, values)))
        return _side(side.definition(), factors, values, over, needs)
    need(isinstance(side, sympy.Sum) and len(side.limits) == 1, "a part that is no sum")
    index, low, high = side.limits[0]
    need(index.is_integer and index.is_positive and low == 1, "a sum that does not start at 1")
    need(high.is_integer and high.is_positive and (high.is_Symbol or high.is_Integer), "a length that is no number of terms")
    need(not side.function.has(sympy.Sum, sympy.Integral), "a sum in a sum")
    over[index, high] = None
    return _Side((sympy.Mul(*factors, _term(side.function, index, values), evaluate=False),), ())


def _needs_of(divergence: functions.Divergence, values: Mapping[Any, sympy.Symbol]) -> Iterator[Any]:
    """That the order has a value, and that both masses have one and are not negative: the sum that defines it need not speak of them.

    e^{log y} is y, and what p and q have in common is gone from p − q.
    """
    order, p, q, (index, *_) = divergence.args
    need(not order.is_infinite, "a divergence of infinite order")
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
    term = functions.put(expression, {entry: values[entry.base] for entry in entries})
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


def _ways(shares: list[sympy.Symbol], *, needs_one: bool) -> Iterator[tuple[sympy.Symbol | None, sympy.Expr | None]]:
    """The family that stands for 1, and a difference of two that stands for 0."""
    ones: list[sympy.Symbol | None] = [*shares] if needs_one else [None]
    differences = [part * (a - b) for part in (sympy.S.One, sympy.S.Half) for a, b in itertools.permutations(shares, 2)]
    yield from itertools.product(ones, [None, *differences])


def _written(side: _Side, one: sympy.Symbol | None) -> Any:
    parts = [*side.terms, *(sympy.Mul(part, one, evaluate=False) for part in side.rest)]
    return sympy.Add(*parts, evaluate=False) if len(parts) > 1 else parts[0] if parts else sympy.S.Zero
