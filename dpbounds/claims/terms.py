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
from dpbounds.language.substitution import rebuilt

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
    names = {v.name for v in claim.variables}
    values = {base: sympy.Symbol(f"{base.label}_term", **_assumptions(base)) for base in claim.families}
    need(not names & {symbol.name for symbol in values.values()}, "a name that is taken")
    over: dict[Range, None] = {}
    sides = [_side(side, (), values, over) for side in relation.args]
    need(len(over) == 1, "sums over one range")
    ((_, length),) = over
    shares = [values[base] for base in claim.families if _sums_to_one(claim, base, length)]
    premises = [premise for premise in claim.given if not premise.atoms(sympy.IndexedBase)]
    premises += [sympy.Le(share, 1, evaluate=False) for share in shares]
    for chosen, added in _ways(shares, needs_one=any(side.rest for side in sides)):
        written = [_written(side, chosen) for side in sides]
        if added is not None:
            written[0] = sympy.Add(written[0], added, evaluate=False)
        then = type(relation)(*written, evaluate=False)
        yield replace(claim, then=then, given=tuple(premises), by=None, mutant=None, uses=(), witness={}, example=None)


def _assumptions(base: sympy.IndexedBase) -> dict[str, bool]:
    entry = base[1]
    need(entry.is_real and not entry.is_integer, "a family of numbers that are no reals")
    sign = "positive" if entry.is_positive else "nonnegative" if entry.is_nonnegative else "real"
    return {"real": True, sign: True}


def _side(side: Any, factors: tuple[Any, ...], values: Mapping[Any, sympy.Symbol], over: dict[Range, None]) -> _Side:
    """What a side adds up, with common factors; the ranges of its sums go into `over`."""
    if not side.atoms(sympy.IndexedBase):
        return _Side((), (sympy.Mul(*factors, side, evaluate=False),) if side != 0 else ())
    if isinstance(side, sympy.Add):
        parts = [_side(part, factors, values, over) for part in side.args]
        return _Side(tuple(t for part in parts for t in part.terms), tuple(r for part in parts for r in part.rest))
    if isinstance(side, sympy.Mul):
        inner = [part for part in side.args if part.atoms(sympy.IndexedBase)]
        need(len(inner) == 1, "a product of sums")
        return _side(inner[0], (*factors, *(part for part in side.args if part is not inner[0])), values, over)
    if isinstance(side, functions.Divergence) and not side.is_table:
        need(not side.conditions(), "a divergence that needs more")
        need(bool(side.args[1].is_nonnegative and side.args[2].is_nonnegative), "a divergence of what may be negative")
        return _side(side.definition(), factors, values, over)
    need(isinstance(side, sympy.Sum) and len(side.limits) == 1, "a part that is no sum")
    index, low, high = side.limits[0]
    need(index.is_integer and index.is_positive and low == 1, "a sum that does not start at 1")
    need(high.is_integer and high.is_positive and (high.is_Symbol or high.is_Integer), "a length that is no number of terms")
    need(not side.function.has(sympy.Sum, sympy.Integral), "a sum in a sum")
    over[index, high] = None
    return _Side((sympy.Mul(*factors, _term(side.function, index, values), evaluate=False),), ())


def _term(expression: Any, index: sympy.Symbol, values: Mapping[Any, sympy.Symbol]) -> Any:
    """The term with a variable for each entry; the place itself must not occur otherwise."""
    if isinstance(expression, sympy.Indexed):
        need(expression.indices == (index,), "an entry at another place")
        return values[expression.base]
    need(expression != index, "a term that speaks of its place")
    return rebuilt(expression, [_term(part, index, values) for part in expression.args]) if expression.args else expression


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
