"""Claims about the n-th entry of a family of which a premise says how each entry bounds the next: by induction. Nothing here is believed.

Let the claim be 0 ≤ G(v_n, n) and the premise 0 ≤ P(v_k, v_{k+1}, k). With numbers μ and ν for which G(y, k + 1) − μ·P(x, y, k) − ν·G(x, k)
is free of y, and of x where that can be, the claim holds for n + 1 if it does for n, where 0 ≤ μ, 0 ≤ ν and this rest is not below 0.
Sums up to n are one term longer at n + 1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import sympy

from dpbounds.claims.claim import Claim
from dpbounds.claims.evidence.powers import stated
from dpbounds.language.quantifiers import ForAll
from dpbounds.language.substitution import parts_of_and

_RELATIONS = (sympy.Le, sympy.Lt, sympy.Ge, sympy.Gt, sympy.Eq)


@dataclass(frozen=True)
class Recursion:
    """An induction over the place of an entry.

    Attributes:
        count: the place n of the claim.
        k: the place of the induction.
        start: the first place.
        first: the claim there; none where both sides are the same.
        parts: claims about numbers that add up to the rest, each with its factor.
        signs: of the factors of the premise and of the claim at k.
        weights: these factors.
        values: the entries and sums that the variables of the parts stand for.
    """

    count: Any
    k: Any
    start: int
    first: tuple[Claim, ...]
    parts: tuple[tuple[Claim, Any], ...]
    signs: tuple[Claim, ...]
    weights: tuple[Any, Any]
    values: Mapping[str, Any]


def recursions(claim: Claim) -> Iterator[Recursion]:
    """The ways to show it by induction.

    >>> from dpbounds.notation import family, for_each, index, positive_integer
    >>> v, i, n = family("v"), index("i"), positive_integer("n")
    >>> given = [v[1] <= 1, for_each((i, 1, n - 1), v[i + 1] <= v[i] + 1 / (i + 1))]
    >>> (way,) = recursions(Claim(id="a", then=v[n] <= n, given=given))
    >>> [part.then for part, _ in way.parts], way.start, way.weights
    ([0 <= place_k/(place_k + 1)], 1, (1, 1))
    """
    if not isinstance(claim.then, (sympy.Le, sympy.Ge)):
        return
    for entry in sorted((e for e in claim.then.atoms(sympy.Indexed) if e.indices[0].is_Symbol), key=str):
        for premise in (p for p in claim.given if isinstance(p, ForAll)):
            for relation in parts_of_and(premise.body):
                if isinstance(relation, _RELATIONS):
                    yield from _by_premise(claim, entry, premise, relation)


def _by_premise(claim: Claim, entry: Any, premise: Any, relation: Any) -> Iterator[Recursion]:
    v, n, i = entry.base, entry.indices[0], premise.variable
    shifts = {e.indices[0] - i for e in relation.atoms(sympy.Indexed) if e.base == v}
    if len(shifts) != 2 or not all(s.is_Integer for s in shifts) or max(shifts) - min(shifts) != 1:
        return
    ranges = [c for c in parts_of_and(premise.condition) if isinstance(c, (sympy.Le, sympy.Ge)) and c.gts == i and c.lts.is_Integer]
    start = int(min(shifts) + max([*(c.lts for c in ranges), sympy.Integer(i.is_positive is True)]))
    k = sympy.Symbol("place_k", integer=True, **{"positive" if start > 0 else "nonnegative": True})
    gap, names = claim.then.gts - claim.then.lts, _Names(n, k)
    own = relation.lhs - relation.rhs if isinstance(relation, sympy.Eq) else relation.gts - relation.lts
    here, there = names.written(gap.xreplace({n: k})), names.written(names.longer(gap))
    step = names.written(own.xreplace({i: k - min(shifts)}))
    x, y = (names.written(v[k + s]) for s in (0, 1))
    factor = _quotient(sympy.diff(there, y), sympy.diff(step, y))
    if factor is None or factor.has(y):
        return
    rest = there - factor * step
    slope = _quotient(sympy.diff(rest, x), sympy.diff(here, x))
    slope = sympy.S.Zero if slope is None or slope.has(x) else slope
    rest = sympy.factor(sympy.expand(rest - slope * here))
    given = [p for p in claim.given if not isinstance(p, ForAll) and n not in p.free_symbols]
    given += [b.xreplace({p.variable: k}) for p in claim.given if isinstance(p, ForAll) and p != premise for b in parts_of_and(p.body)]
    given = [names.written(p) for p in given if not p.has(sympy.Sum)]
    given += [sympy.Ge(k, start, evaluate=False)] + [sympy.Ge(here, 0, evaluate=False)] * rest.has(x)
    if rest.has(y):
        return

    def under(then: Any) -> Claim:
        return stated(claim, then, [p for p in given if p.free_symbols <= then.free_symbols])

    own_factors = [slope] if isinstance(relation, sympy.Eq) else [factor, slope]
    signs = tuple(under(sympy.Le(0, e, evaluate=False)) for e in own_factors if not e.is_nonnegative)
    at_start = names.written(type(claim.then)(*(_at(side, n, start) for side in claim.then.args)))
    first = () if at_start in (sympy.true, sympy.false) else (under(at_start),)
    own_terms = _coefficients(rest)
    for split in [[]] if rest == 0 else [own_terms, [(rest, sympy.S.One)]] if len(own_terms) > 1 else [[(rest, sympy.S.One)]]:
        parts = tuple((under(sympy.Le(0, e, evaluate=False)), weight.xreplace(names.symbols)) for e, weight in split)
        weights, values = (factor.xreplace(names.symbols), slope.xreplace(names.symbols)), {s.name: e for s, e in names.symbols.items()}
        yield Recursion(n, k, start, first, parts, signs, weights, values)


def _coefficients(rest: Any) -> list[tuple[Any, Any]]:
    """The coefficients of an expression in entries, sums and other variables that are not below 0, each with its product of these."""
    free = [s for s in sorted(rest.free_symbols, key=str) if s.is_nonnegative and not s.is_integer]
    gens = [s for s in free if sympy.expand(rest).is_polynomial(s)]
    terms = sympy.Poly(sympy.expand(rest), *gens).terms() if gens else []
    return [(sympy.factor(c), sympy.Mul(*(g**e for g, e in zip(gens, degrees, strict=True)))) for degrees, c in terms]


class _Names:
    """Variables for entries and sums."""

    def __init__(self, n: Any, k: Any) -> None:
        self.n, self.k, self.symbols = n, k, dict[Any, Any]()

    def written(self, e: Any) -> Any:
        """An expression with variables for its entries and sums."""
        for node in sorted(e.atoms(sympy.Sum), key=str):
            e = e.xreplace({node: self._name("sum", node, node.function)})
        return e.xreplace({node: self._name("entry", node, node) for node in sorted(e.atoms(sympy.Indexed), key=str)})

    def longer(self, e: Any) -> Any:
        """An expression at k + 1, with the sums to k and their last terms."""
        sums = {s: s.xreplace({self.n: self.k}) for s in e.atoms(sympy.Sum) if self.n not in s.function.free_symbols}
        last = {s: here + s.function.xreplace({s.limits[0][0]: here.limits[0][2] + 1}) for s, here in sums.items()}
        marks = {s: sympy.Dummy() for s in sums}
        moved = e.xreplace(marks).xreplace({self.n: self.k + 1})
        return moved.xreplace({mark: last[s] for s, mark in marks.items()})

    def _name(self, kind: str, node: Any, like: Any) -> Any:
        known = next((s for s, value in self.symbols.items() if value == node), None)
        if known is None:
            positive, least = like.is_positive and kind == "entry", like.is_nonnegative
            sign = "positive" if positive else "nonnegative" if least else "real"
            known = sympy.Symbol(f"{kind}_{len(self.symbols)}", **{sign: True})
            self.symbols[known] = node
        return known


def _at(e: Any, n: Any, start: int) -> Any:
    """An expression at the first place, its sums written out."""
    e = e.xreplace({n: sympy.Integer(start)})
    return e.xreplace({s: s.doit() for s in e.atoms(sympy.Sum)})


def _quotient(a: Any, b: Any) -> Any:
    return None if b == 0 else sympy.cancel(a / b)
