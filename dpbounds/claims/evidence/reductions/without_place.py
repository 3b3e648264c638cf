"""Claims about families and one place m of theirs: Σ_{i≤n} t(x_i) = t(x_m) + Σ_{i<n} t(y_i), where y are the other entries in their order.

What is left speaks of the numbers x_m, and of sums of n − 1 terms. Of a law, x_m is what its other masses leave.
Nothing here is believed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import sympy

from dpbounds.claims.claim import Claim
from dpbounds.claims.evidence.powers import stated
from dpbounds.language.functions import Divergence
from dpbounds.language.quantifiers import ForAll
from dpbounds.language.substitution import parts_of_and


@dataclass(frozen=True)
class WithoutPlace:
    """Such a claim about the other entries.

    Attributes:
        claim: about them.
        place, length: m and n.
        families: the names of the families of other entries, each with that of all entries.
        values: what the new variables stand for.
    """

    claim: Claim
    place: Any
    length: Any
    families: Mapping[str, str]
    values: Mapping[str, Any]


def without_place(claim: Claim) -> Iterator[WithoutPlace]:
    """The way to say it so, if there is one.

    >>> from dpbounds.notation import family, index, positive_integer, Sum
    >>> p, i, n = family("p", "positive"), index("i"), positive_integer("n")
    >>> (way,) = without_place(Claim(id="a", then=p[1] * Sum(1 / p[i], (i, 1, n)) >= 1, given=[n >= 2]))
    >>> way.claim.then, way.values
    (p_at*(Sum(1/p_rest[i], (i, 1, n_rest)) + 1/p_at) >= 1, {'p_at': p[1], 'n_rest': n - 1})
    """
    then, *given = (_in_sums(part) for part in (claim.then, *(p for g in claim.given for p in parts_of_and(g))))
    whole = [s for part in (then, *given) for s in part.atoms(sympy.Sum)]
    inside = {i for s in whole for i in s.function.atoms(sympy.Indexed)}
    bound = {s.limits[0][0] for s in whole} | {g.variable for g in given if isinstance(g, ForAll)}
    outside = {e for e in then.atoms(sympy.Indexed) if not e.indices[0].free_symbols & bound}
    places, lengths = {e.indices[0] for e in outside}, {s.limits[0][2] for s in whole}
    if len(places) != 1 or len(lengths) != 1 or not isinstance(then, (sympy.Le, sympy.Ge)) or not inside:
        return
    (m,), (n,) = places, lengths
    plain = all(len(s.limits) == 1 and s.limits[0][1] == 1 and s.function.atoms(sympy.Sum) == set() for s in whole)
    if plain and n.is_Symbol and (m == 1 or m.is_Symbol and not m.free_symbols & {n}):
        yield from _Rest(claim, m, n, bound).ways(then, given)


def _in_sums(part: Any) -> Any:
    """With the definitions of its divergences."""
    return part.xreplace({d: d.definition() for d in part.atoms(Divergence) if not d.is_table})


class _Rest:
    def __init__(self, claim: Claim, m: Any, n: Any, bound: set[Any]) -> None:
        self.claim, self.m, self.n, self.bound = claim, m, n, bound
        several = any(isinstance(p, (sympy.Ge, sympy.Gt)) and p.lhs == n and p.rhs.is_Integer and p.rhs >= 2 for p in claim.given)
        sign = {"positive": True} if several else {"nonnegative": True}
        self.rest, self.families, self.at = sympy.Symbol(f"{n}_rest", integer=True, **sign), dict[Any, Any](), dict[Any, Any]()

    def ways(self, then: Any, given: list[Any]) -> Iterator[WithoutPlace]:
        """As the function of this name."""
        moved = [self._moved(p) for p in given]
        then, known = self._moved(then), [p for parts in moved if parts is not None for p in parts]
        if then is None or None in moved:
            return
        gone = dict[Any, Any]()
        for p in known:
            free = [a for a in self.at.values() if isinstance(p, sympy.Eq) and sympy.diff(p.lhs - p.rhs, a) in (1, -1)]
            if len(free) == 1 and free[0] not in gone:
                gap = p.lhs - p.rhs
                gone[free[0]] = sympy.expand(free[0] - gap * sympy.diff(gap, free[0]))
        orders = [(sympy.Lt if a.is_positive else sympy.Le)(0, e, evaluate=False) for a, e in gone.items() if a.is_nonnegative]
        parts = (p.xreplace(gone) for p in known if not isinstance(p, sympy.Eq) or not set(gone) & p.free_symbols)
        (conclusion,) = then
        sides = _without_common_terms(*(side.xreplace(gone) for side in conclusion.args))
        conclusion = type(conclusion)(*sides, evaluate=False)
        premises = [*orders, *(p for p in parts if p not in (sympy.true, sympy.false) and self.m not in p.free_symbols)]
        values = {a.name: base[self.m] for base, a in self.at.items() if a not in gone} | {self.rest.name: self.n - 1}
        names = {str(y.label): str(x.label) for x, y in self.families.items()}
        if conclusion not in (sympy.true, sympy.false) and not conclusion.has(self.n):
            yield WithoutPlace(stated(self.claim, conclusion, premises), self.m, self.n, names, values)

    def _moved(self, part: Any) -> list[Any] | None:
        """A statement about the other entries, and one about the place, where it speaks of all."""
        if isinstance(part, ForAll):
            i = part.variable
            if part.condition != sympy.Le(i, self.n, evaluate=False):
                return None
            found = [self._moved(b.xreplace({i: self.m})) for b in parts_of_and(part.body)]
            others = ForAll(i, sympy.Le(i, self.rest, evaluate=False), self._others(part.body, i))
            return None if None in found else [*(p for f in found if f is not None for p in f), others]
        sums = {s: self._apart(s) for s in part.atoms(sympy.Sum)}
        part = self._outside(part.xreplace(sums))
        return [part.xreplace({self.n: self.rest + 1})]

    def _apart(self, s: Any) -> Any:
        i = s.limits[0][0]
        rest = sympy.Sum(self._others(s.function, i), (i, 1, self.rest))
        return self._outside(s.function.xreplace({i: self.m})) + rest

    def _others(self, e: Any, i: Any) -> Any:
        found = {x: self._family(x.base)[i] for x in e.atoms(sympy.Indexed) if x.indices == (i,)}
        return self._outside(e.xreplace(found))

    def _outside(self, e: Any) -> Any:
        return e.xreplace({x: self._at(x) for x in e.atoms(sympy.Indexed) if x.indices == (self.m,)})

    def _family(self, base: Any) -> Any:
        sign = "positive" if base[1].is_positive else "nonnegative" if base[1].is_nonnegative else "real"
        return self.families.setdefault(base, sympy.IndexedBase(f"{base.label}_rest", **{"real": True, sign: True}))

    def _at(self, x: Any) -> Any:
        sign = "positive" if x.is_positive else "nonnegative" if x.is_nonnegative else "real"
        return self.at.setdefault(x.base, sympy.Symbol(f"{x.base.label}_at", **{sign: True}))


def _without_common_terms(a: Any, b: Any) -> tuple[Any, Any]:
    """Two sides less the terms that both have."""
    terms = [list(sympy.Add.make_args(side)) for side in (a, b)]
    both = [t for t in terms[0] if t in terms[1]]
    return (a - sympy.Add(*both), b - sympy.Add(*both)) if both else (a, b)
