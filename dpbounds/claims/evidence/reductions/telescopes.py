"""Claims about one sum Σ_{i=l}^h a(i) by what is left from each k on: b(k) with a(k) + b(k + 1) ≤ b(k), so that Σ_l^n a ≤ b(l) − b(n + 1).

A sum to infinity needs 0 ≤ a(k) and 0 ≤ b(k) too. The first terms may be added up by themselves, and the last one; a sum that is bounded
from below is one of −a(i). Witnesses are b(k) = c(k)·g(k) where g has the powers of a: closed forms (Gosper's method), the bound of the
claim itself at another end, integrals of a, and geometric series. Then a(k)/g(k) + c(k + 1)·g(k + 1)/g(k) ≤ c(k) is left, without powers.
Nothing here is believed.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import sympy
from sympy.concrete.gosper import gosper_term

from dpbounds.claims.claim import Claim
from dpbounds.claims.evidence.powers import stated
from dpbounds.language.functions import NormalCDF, with_replaced


@dataclass(frozen=True)
class Telescope:
    """A claim about such a sum.

    Attributes:
        k: the variable of the witness.
        total: the sum.
        witness: b(k).
        scales: factors of the step, of 0 ≤ b(k), and of the end.
        weight: F of a claim F·Σ ≤ …, which is positive.
        sign: 1, or −1 for a sum of −a(i).
        first, last: how many terms are added up by themselves.
        step: a(k)/g(k) + … ≤ b(k)/g(k), None where both sides are one.
        least: 0 ≤ b(k)/g(k) of a sum to infinity.
        end: what is left of the claim, None where both sides are one.
        values: of other variables of the step.
    """

    k: Any
    total: Any
    witness: Any
    scales: tuple[Any, Any, Any]
    weight: Any
    sign: int
    first: int
    last: int
    step: Claim | None
    least: Claim | None
    end: Claim | None
    values: Mapping[str, Any]


def telescopes(claim: Claim) -> Iterator[Telescope]:
    """The ways to read a claim so.

    >>> n, i = sympy.symbols("n i", integer=True, positive=True)
    >>> way = next(telescopes(Claim(id="a", then=sympy.Sum(1 / (i * (i + 1)), (i, 1, n)) <= 1)))
    >>> way.witness, way.step, way.end.then
    (1/kk, None, 1 - 1/(n + 1) <= 1)
    """
    then = with_replaced(claim.then, {e: _of_logarithms(e) for e in claim.then.atoms(sympy.log) if isinstance(e.args[0], sympy.factorial)})
    sums = list(then.atoms(sympy.Sum)) if isinstance(then, (sympy.Le, sympy.Ge)) and not claim.families else []
    if len(sums) != 1 or len(sums[0].limits) != 1 or then.has(sympy.Integral):
        return
    if any(not b.args[0].has(sums[0].limits[0][0]) for b in sums[0].function.atoms(sympy.binomial)):
        return
    s, (total,) = sympy.Symbol("s_", real=True), sums
    gap = sympy.expand(with_replaced(then.gts - then.lts, {total: s}))
    slope = sympy.factor(sympy.diff(gap, s))
    if slope.has(s) or not (slope.is_negative or slope.is_positive):
        slope = next((f for f in (then.lts / total, -then.gts / total) if not f.has(sympy.Sum)), s)
        if slope is s:
            return
        slope = -slope
    turn = -1 if (-slope).could_extract_minus_sign() and not slope.is_negative else 1
    (i, low, high) = total.limits[0]
    endless = high is sympy.oo
    if endless and (turn < 0 or then.gts.has(sympy.Sum)):
        return
    rest = then.gts / -slope if not then.gts.has(sympy.Sum) and turn > 0 else sympy.factor(gap.subs(s, 0) / (-turn * slope))
    taken = {v.name for part in (then, *claim.given) for v in part.atoms(sympy.Symbol)}
    name = next(name for m in itertools.count(1) if (name := "k" + "k" * m) not in taken)
    body = total.function.as_independent(i, as_Add=False)[1]
    ways = [(0, 0), *[(0, 1)] * bool(high.free_symbols & body.free_symbols), *[(1, 0)] * low.is_Integer]
    for first, last in ways:
        start = low + first
        k = sympy.Symbol(
            name, integer=True, **{"positive": True} if start.is_positive else {"nonnegative": True} if start.is_nonnegative else {}
        )
        a = turn * total.function.subs(i, k)
        bounds = [] if (1 if k.is_positive else 0 if k.is_nonnegative else None) == start else [sympy.Ge(k, start, evaluate=False)]
        least = [sympy.Ge(k, start.subs(m, 1), evaluate=False) for m in start.free_symbols if m.is_positive and (start - m).is_positive]
        bounds += least
        bounds += [] if endless else [sympy.Le(k, high - last, evaluate=False)]
        for g, c in _witnesses(a, k, low, high, rest, start):
            ratio = _quotient(g.subs(k, k + 1), g)
            small, large, scale = _quotient(a, g) + ratio * c.subs(k, k + 1), c, g
            if small.has(k) and not c.has(k) and a == g:
                small, large, scale = ratio, sympy.factor(1 - 1 / c), c * g
            near = [*claim.given, *(bound for bound in bounds if bound.free_symbols - {k} <= small.free_symbols | large.free_symbols)]
            step = None if _same(small, large) else stated(claim, sympy.Le(small, large, evaluate=False), near)
            b = c * g
            ends = [total.function.subs(i, low + j) for j in range(first)] + [total.function.subs(i, high)] * last
            whole = turn * sympy.Add(*ends) + b.subs(k, start)
            whole = whole if endless else whole - b.subs(k, high - last + 1)
            if any(e.has(sympy.oo, sympy.zoo, sympy.nan, sympy.I) for e in (whole, small, large)):
                continue
            sides, last_scale = (whole, rest), sympy.S.One
            if a == g and endless and not first and not c.has(k) and (own := a.subs(k, start)).is_positive:
                sides, last_scale = (sympy.S.One, _quotient(rest, own) / c), whole
            end = None if _same(whole, rest) else stated(claim, sympy.Le(*sides, evaluate=False))
            sign = sympy.Le(0, c, evaluate=False) if c.has(k) or not (1 / c).is_Add else sympy.Lt(0, 1 / c, evaluate=False)
            nonnegative = stated(claim, sign, near if c.has(k) else None) if endless else None
            step, values = _in_other_variables(claim, step, a, c, k)
            yield Telescope(k, total, b, (scale, g, last_scale), -slope * turn, turn, first, last, step, nonnegative, end, values)


def _of_logarithms(e: Any) -> Any:
    """log n! as the checker reads it."""
    i = sympy.Symbol("i_", integer=True, positive=True)
    return sympy.Sum(sympy.log(i), (i, 1, e.args[0].args[0]))


def _same(a: Any, b: Any) -> bool:
    return not (a - b).has(sympy.log) and bool(sympy.simplify(sympy.powsimp(sympy.expand(a - b))) == 0)


def _witnesses(a: Any, k: Any, low: Any, high: Any, rest: Any, start: Any) -> Iterator[tuple[Any, Any]]:
    """g(k) and c(k) that may do."""
    constant, body = a.as_independent(k, as_Add=False)
    turned = sympy.S.NegativeOne if constant.as_coeff_Mul()[0].is_negative else sympy.S.One
    constant *= turned
    powers = sympy.Mul(
        *(f for f in sympy.Mul.make_args(body) if not f.is_rational_function(k) and (f.is_positive or f.is_Pow and not f.base.has(k)))
    )
    own, g = turned * sympy.factor(body / powers), constant * powers
    for m in sorted(low.free_symbols - a.free_symbols, key=str):
        if (low - m).is_Integer and turned == 1:
            yield g, _quotient(rest.subs(m, k - (low - m)), g)
    if (share := _gosper(body, k)) is not None:
        yield g, -sympy.factor(share * own)
    if high.is_Symbol and high not in body.free_symbols:
        yield constant, -(rest / constant).subs(high, k - 1)
    if powers == 1 and (body.is_rational_function(k) or body.is_Pow):
        primitive = sympy.integrate(body, k)
        logs = {e: sympy.log(-e.args[0]) for e in primitive.atoms(sympy.log) if e.args[0].subs(k, start).could_extract_minus_sign()}
        primitive = turned * sympy.logcombine(primitive.xreplace(logs), force=True)
        if not primitive.has(sympy.Integral):
            for shift in (1, 0, sympy.Rational(1, 2)):
                yield constant, -primitive.subs(k, k - shift)
    if k.is_positive and (h := _rate(a, k)) is not None and turned == 1:
        yield constant * sympy.sqrt(2 * sympy.pi) / h, NormalCDF((1 - k) * h)
    s = sympy.simplify(-k * sympy.diff(sympy.log(body), k))
    if not s.has(k) and turned == 1:
        yield g, k / (s - 1) + sympy.Rational(1, 2) + s / (12 * k)
    ratio = _quotient(body.subs(k, k + 1), body)
    first = ratio.subs(k, start)
    ends = [sympy.limit(ratio, k, sympy.oo)] if ratio.is_rational_function(k) else []
    for r in dict.fromkeys([*ends, first]):
        if not r.has(k) and r != 1 and r.is_finite is not False:
            top, bottom = sympy.together(1 - r).as_numer_denom()
            whole = bottom / top
            yield g, own * whole
            if r == first and own != turned and own.is_positive:
                yield a, whole


def _rate(a: Any, k: Any) -> Any:
    """h > 0 of terms that are multiples of e^{−k²h²/2}; None of others."""
    body = a.as_independent(k, as_Add=False)[1]
    square = sympy.factor(-2 * body.args[0] / k**2) if isinstance(body, sympy.exp) else None
    return sympy.sqrt(square) if square is not None and not square.has(k) and square.is_positive else None


def _in_other_variables(claim: Claim, step: Claim | None, a: Any, c: Any, k: Any) -> tuple[Claim | None, dict[str, Any]]:
    """The step in x = 1/k where powers of k have other variables in their exponents, or in k·h and h beside normal densities."""
    if step is None or not k.is_positive:
        return step, {}
    then, x, t = step.then, sympy.Symbol(f"{k.name}_inverse", positive=True), sympy.Symbol(f"{k.name}_scaled", positive=True)
    if c.has(NormalCDF):
        bell, h = x * sympy.exp(-(t**2) / 2) / sympy.sqrt(2 * sympy.pi), _rate(a, k)
        sides = bell + NormalCDF(-t), NormalCDF(x - t)
        return stated(claim, sympy.Le(*sides, evaluate=False), [sympy.Le(x, t, evaluate=False)]), {x.name: h, t.name: k * h}
    if not any(e.base.has(k) and e.exp.free_symbols and not e.exp.has(k) for e in then.atoms(sympy.Pow)):
        return step, {}

    def moved(p: Any) -> Any:
        top, bottom = (sympy.factor(part) for part in sympy.fraction(sympy.together(p.base)))
        signs = -1 if top.subs(x, sympy.Rational(1, 2)).is_negative else 1
        return (sympy.expand(signs * top)) ** p.exp * sympy.expand_power_base((signs * bottom) ** -p.exp, force=True)

    moved_sides = [side.subs(k, 1 / x).replace(lambda p: p.is_Pow and bool(p.exp.free_symbols), moved) for side in (then.lts, then.gts)]
    given = [*(p for p in step.given if not p.has(k)), sympy.Le(x, 1, evaluate=False)]
    return stated(claim, sympy.Le(*map(sympy.powsimp, moved_sides), evaluate=False), given), {x.name: 1 / k}


def _gosper(a: Any, k: Any) -> Any:
    """t with t(k + 1)·a(k + 1) − t(k)·a(k) = a(k); None where there is none."""
    plain = {s: sympy.Symbol(s.name, positive=True) for s in a.free_symbols}
    bases = dict[Any, tuple[Any, Any, Any]]()
    for e in a.atoms(sympy.exp):
        slope = sympy.diff(e.args[0], k)
        if slope.has(k) or slope == 0:
            continue
        bases[e] = sympy.Symbol(f"base_{len(bases)}", positive=True), slope, sympy.expand(e.args[0] - slope * k)
    moved = a.xreplace({e: x**k * sympy.exp(rest) for e, (x, _, rest) in bases.items()}).xreplace(plain)
    try:
        share = gosper_term(moved, plain[k])
    except (ValueError, TypeError, RuntimeError, AttributeError):
        return None
    back = {x: sympy.exp(slope) for x, slope, _ in bases.values()}
    return None if share is None else share.xreplace({**{t: s for s, t in plain.items()}, **back})


def _quotient(a: Any, b: Any) -> Any:
    """A quotient without factorials and powers where that is seen."""
    return sympy.factor(sympy.powsimp(sympy.combsimp(sympy.powsimp(sympy.expand_power_exp(a / b)))))
