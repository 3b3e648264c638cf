"""An inequality between sums in other words: powers, logarithms, exponentials or quotients of both sides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import sympy


@dataclass(frozen=True)
class Form:
    """small ≤ large, and how the claim follows from it.

    Attributes:
        large, small: the sides.
        back: ("log", _), ("exp", _), ("power", r) of both sides, ("tangent", _) where log a ≤ a − 1, ("sides", (c, a, b)) where c times
            the relation gives a ≤ b, and last ("times", c) where that is a factor.
    """

    large: Any
    small: Any
    back: tuple[tuple[str, Any], ...] = ()


def forms_of(large: Any, small: Any, totals: Sequence[Any]) -> Iterator[Form]:
    """The ways to write small ≤ large, the claim as it stands first.

    Args:
        large, small: the sides, over symbols.
        totals: the symbols that stand for sums.
    """
    seen = set()
    for form in _forms(large, small, set(totals)):
        mark = form.large, form.small
        if mark not in seen and not any(side.has(sympy.nan, sympy.zoo, sympy.I) for side in mark):
            seen.add(mark)
            yield form


def _forms(large: Any, small: Any, totals: set[Any]) -> Iterator[Form]:
    yield Form(large, small)
    for a, c in _of_kind(large, sympy.log, totals):
        inner = sympy.exp(small / c)
        pair = next(((b, d) for b, d in _of_kind(small, sympy.log, totals)), None)
        if pair is not None:
            yield Form(a, pair[0] ** sympy.simplify(pair[1] / c), (("log", None), ("times", c)))
        yield Form(a, inner, (("log", None), ("times", c)))
    for a, c in _of_kind(small, sympy.exp, totals):
        yield from (
            Form(b, sympy.expand(a + sympy.log(c / d)), (("exp", None), ("times", d))) for b, d in _of_kind(large, sympy.exp, totals)
        )
    for a, c in _of_kind(large, sympy.exp, totals):
        if small.is_positive and c.is_positive:
            yield Form(a, sympy.log(small / c), (("exp", None), ("times", c)))
    for a, c in _of_kind(small, sympy.log, totals):
        whole = sympy.powsimp(sympy.expand(sympy.exp(sympy.expand(large / c))))
        yield Form(whole.replace(_is_of_logarithms, _in_powers), a, (("log", None), ("times", c)))
        yield Form(1 + sympy.expand(large / c), a, (("tangent", None), ("times", c)))
    moved = _logarithm_of_one_side(large, small, totals)
    if moved is not None:
        yield moved
    for base, r, c in _powers(small, totals):
        yield Form((large / c) ** (1 / r), base, (("power", r), ("times", c)))
    for base, r, c in _powers(large, totals):
        yield Form(base, (small / c) ** (1 / r), (("power", r), ("times", c)))
        for a, d in _of_kind(small, sympy.exp, totals):
            yield Form(base, (d / c) ** (1 / r) * sympy.exp(a / r), (("power", r), ("times", c)))
    for side, other, turned in ((large, small, False), (small, large, True)):
        for factor in sympy.Mul.make_args(side):
            rest = side / factor
            if factor in totals and rest.free_symbols & totals and rest.is_positive:
                yield Form(*((other / rest, factor) if turned else (factor, other / rest)), (("times", rest),))
    yield from _by_cofactor(large, small, totals, ())
    for base, r, c in _powers(large, totals):
        inner = (small / c) ** (1 / r)
        yield from _by_cofactor(base, inner, totals, (("power", r), ("times", c)))
    for total in sorted(totals, key=str):
        gap = sympy.expand(large - small)
        slope = gap.coeff(total)
        if slope.free_symbols & totals and total not in slope.free_symbols and not (gap - slope * total).has(total):
            if slope.is_positive:
                yield Form(total, -sympy.expand((gap - slope * total) / slope), (("times", slope),))
            elif (-slope).is_positive:
                yield Form(sympy.expand(-(gap - slope * total) / slope), total, (("times", -slope),))


def _is_of_logarithms(e: Any) -> bool:
    return isinstance(e, sympy.exp) and e.has(sympy.log)


def _in_powers(e: Any) -> Any:
    """e^{r·log a + b} as a^r·e^b."""
    rest, whole = sympy.S.Zero, sympy.S.One
    for part in sympy.Add.make_args(sympy.expand(e.args[0])):
        own = next((f for f in sympy.Mul.make_args(part) if isinstance(f, sympy.log)), None)
        rest, whole = (rest + part, whole) if own is None else (rest, whole * own.args[0] ** (part / own))
    return whole * sympy.exp(rest)


def _of_kind(side: Any, kind: Any, totals: set[Any]) -> Iterator[tuple[Any, Any]]:
    """(a, c) of a side c·f(a) with a positive c."""
    factors = sympy.Mul.make_args(side)
    for f in factors:
        if isinstance(f, kind) and f.free_symbols & totals:
            c = side / f
            if not c.free_symbols & totals:
                yield f.args[0], c


def _logarithm_of_one_side(large: Any, small: Any, totals: set[Any]) -> Form | None:
    """a·log A + r ≤ Σ b_k log B_k + s as A ≤ Π B_k^{b_k/a} e^{(s − r)/a}."""
    logs: list[list[tuple[Any, Any]]] = []
    rests = []
    for side in (small, large):
        found, rest = [], sympy.S.Zero
        for term in sympy.Add.make_args(side):
            pair = next(_of_kind(term, sympy.log, totals), None)
            if pair is None:
                rest += term
            else:
                found.append(pair)
        logs.append(found)
        rests.append(rest)
    if len(logs[0]) != 1 or not logs[1] or any(rest.free_symbols & totals for rest in rests):
        return None
    ((whole, a),) = logs[0]
    product = sympy.Mul(*(b ** sympy.factor(c / a) for b, c in logs[1]))
    return Form(product * sympy.exp((rests[1] - rests[0]) / a), whole, (("log", None), ("times", a)))


def _by_cofactor(large: Any, small: Any, totals: set[Any], back: tuple[tuple[str, Any], ...]) -> Iterator[Form]:
    """a·b ≥ c as a ≥ c/b, for a positive factor b of a polynomial: 1 − x² ≥ y² as 1 − x ≥ y²/(1 + x)."""
    gap = sympy.expand(large - small)
    for total in sorted(totals, key=str):
        own = sympy.Add(*(t for t in sympy.Add.make_args(gap) if not t.free_symbols & (totals - {total})))
        other = own - gap
        if not own.has(total) or not other.free_symbols & totals or not own.is_polynomial(total):
            continue
        for b in sympy.Mul.make_args(sympy.factor(own)):
            if b.has(total) and b != total and b.is_positive:
                yield Form(sympy.cancel(own / b), other / b, (("sides", (b, small, large)), *back))


def _powers(side: Any, totals: set[Any]) -> Iterator[tuple[Any, Any, Any]]:
    """(a, r, c) of a side c·a^r."""
    factors = sympy.Mul.make_args(side)
    for f in factors:
        if f.is_Pow and f.base.free_symbols & totals and f.exp.is_positive:
            c = sympy.Mul(*(other for other in factors if other != f))
            if not c.free_symbols & totals and c.is_positive:
                yield f.base, f.exp, c
