"""Claims about integrals over two normal densities p and φ of one variance, by functions of the likelihood ratio y = p/φ.

Where Σ a·F(x) = φ(x)·h(y), h(y) ≤ g(y) = Σ c_k·y^k for all y > 0 gives Σ a·∫F ≤ Σ c_k·E_k, where E_k = ∫ φ·y^k = e^{k(k − 1)d²/(2s²)} for
means at a distance d. The mirror image of the line about the middle of the means turns φ into φ·y and y into 1/y, so that
h(y) + y·h(1/y) ≤ g(y) + y·g(1/y) suffices. An integral exists where ±h is below some g. Nothing here is believed.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import sympy

from dpbounds.claims.claim import Claim
from dpbounds.claims.evidence.powers import stated
from dpbounds.language.functions import Divergence, SampledGaussianDelta, SampledGaussianMoment, with_replaced

_BY_INTEGRALS = (Divergence, SampledGaussianMoment, SampledGaussianDelta)
_CLOSE = 1e-10
Moments = Mapping[Any, Any]
"""c_k for each k."""


@dataclass(frozen=True)
class Ratio:
    """A claim about integrals, read so.

    Attributes:
        y: the likelihood ratio.
        integrals: (a, ∫F) for each integral.
        mean, distance, deviation: of the densities: φ has the mean, p lies at the distance from it.
        shares: the powers to which a density stands by itself, besides 1.
        above: the c_k.
        mirrored: whether the mirror image is added.
        point: h ≤ g.
        signs: that what stands in logarithms and powers is positive.
        bounds: for each integral |F| ≤ φ·g, the c_k of that g, and the claims that say so.
        left: Σ c_k·E_k ≤ what stands on the other side, None where both are one.
    """

    y: Any
    integrals: tuple[tuple[Any, Any], ...]
    mean: Any
    distance: Any
    deviation: Any
    shares: tuple[Any, ...]
    above: Moments
    mirrored: bool
    point: Claim
    signs: tuple[Claim, ...]
    bounds: tuple[tuple[Moments, Claim, Claim], ...]
    left: Claim | None


def likelihood_ratios(claim: Claim) -> Iterator[Ratio]:
    """The ways to read a claim so."""
    then = claim.then
    if not isinstance(then, (sympy.Le, sympy.Ge)) or claim.families:
        return
    then = with_replaced(then, {node: node.definition() for node in then.atoms(*_BY_INTEGRALS) if node.definition() != node})
    integrals = sorted((e for e in then.atoms(sympy.Integral) if e.limits[0][1:] == (-sympy.oo, sympy.oo) and len(e.limits) == 1), key=str)
    names = {e: sympy.Symbol(f"integral_{i}") for i, e in enumerate(integrals)}
    gap = with_replaced(then.gts, names) - with_replaced(then.lts, names)
    weights = {e: -sympy.diff(gap, v) for e, v in names.items()}
    if not integrals or not all(w.is_Rational and w != 0 for w in weights.values()):
        return
    twins = {v: sympy.Symbol(v.name, positive=True) for v in then.free_symbols}
    back = {t: v for v, t in twins.items()}
    names_taken = {v.name for part in (then, *claim.given) for v in part.atoms(sympy.Symbol)}
    y = sympy.Symbol(next(name for m in itertools.count(1) if (name := m * "y") not in names_taken), positive=True)
    if (law := _laws(integrals, twins)) is None:
        return
    distance, deviation = law[1:3]
    parts = {e: _of_ratio(e, law, twins, y) for e in integrals}
    if None in parts.values():
        return
    h = sympy.Add(*(w * parts[e] for e, w in weights.items()))
    rest = gap.subs(dict.fromkeys(names.values(), 0)).xreplace(twins)
    rate = distance**2 / deviation**2
    bounds = list[tuple[Moments, Claim, Claim]]()
    for e in integrals:
        own = next(_majorants(parts[e], y), None)
        if own is None:
            return
        g = polynomial(own, y)
        bounds.append((_back(own, back), _claimed(claim, parts[e], g, back), _claimed(claim, -g, parts[e], back)))
    for above, mirrored in _candidates(h, rest, y, rate):
        g = polynomial(above, y)
        sides = [e + _mirrored(e, y) if mirrored else e for e in (h, g)]
        total = sympy.Add(*(c * sympy.exp(k * (k - 1) * rate / 2) for k, c in above.items()))
        left = None if _are_one(total, rest) else _claimed(claim, total, rest, back)
        less = sympy.Add(*(part for part in sympy.Add.make_args(sides[0]) if part.could_extract_minus_sign()))
        point = _claimed(claim, sides[0] - less, sides[1] - less, back)
        mean, d, s = (e.xreplace(back) for e in law[:3])
        tops = {p.base for c in above.values() for p in sympy.sympify(c).atoms(sympy.Pow) if p.base.is_Add and p.has(sympy.exp)}
        signed = [*(e for e in _mixtures(sides[0], y) if e != y), *sorted(tops, key=str)]
        positive = [_claimed(claim, sympy.S.Zero, e, back, sympy.Lt) for e in signed]
        rows = tuple((weights[e], e) for e in integrals)
        yield Ratio(y, rows, mean, d, s, law[3], _back(above, back), mirrored, point, tuple(positive), tuple(bounds), left)


def polynomial(moments: Moments, y: Any) -> Any:
    """Σ c_k·y^k."""
    return sympy.Add(*(c * y**k for k, c in moments.items()))


def _are_one(a: Any, b: Any) -> bool:
    """Whether two expressions have the same values at some point, as far as numbers show."""
    point = {v: sympy.Float("0.37") + sympy.Float("0.11") * i for i, v in enumerate(sorted(a.free_symbols | b.free_symbols, key=str))}
    distance = sympy.N((a - b).xreplace(point))
    return bool(distance.is_comparable and abs(distance) < _CLOSE)


def _claimed(claim: Claim, small: Any, large: Any, back: Mapping[Any, Any], relation: Any = sympy.Le) -> Claim:
    """A relation under those premises that speak of its variables alone."""
    then = relation(small.xreplace(back), large.xreplace(back), evaluate=False)
    return stated(claim, then, [premise for premise in claim.given if premise.free_symbols <= then.free_symbols])


def _mirrored(h: Any, y: Any) -> Any:
    """y·h(1/y), with powers and logarithms of sums without 1/y."""
    inside = h.subs(y, 1 / y).replace(lambda e: e.is_Add and e.has(y) and not e.has(sympy.log, sympy.Max), sympy.together)
    return sympy.expand(sympy.expand_log(sympy.expand_power_base(y * inside, force=True), force=True), power_base=False, multinomial=False)


def _back(moments: Moments, back: Mapping[Any, Any]) -> dict[Any, Any]:
    return {sympy.sympify(k).xreplace(back): sympy.sympify(c).xreplace(back) for k, c in moments.items()}


def _laws(integrals: list[Any], twins: Mapping[Any, Any]) -> tuple[Any, Any, Any, tuple[Any, ...]] | None:
    """The mean of φ, the distance of p from it, their deviation, and to which powers they stand by themselves besides 1."""
    found: dict[Any, set[Any]] = {}
    for e in integrals:
        x = e.limits[0][0]
        for bell in e.function.atoms(sympy.exp):
            exponent = bell.args[0].xreplace(twins)
            if not exponent.has(x):
                continue
            if not exponent.is_polynomial(x) or sympy.degree(exponent, x) != 2:
                return None
            a, b, _ = sympy.Poly(exponent, x).all_coeffs()
            mean = sympy.factor(-b / (2 * a))
            if sympy.expand(exponent - a * (x - mean) ** 2) != 0:
                return None
            found.setdefault(sympy.factor(a), set()).add(mean)
    pairs = [(a, means) for a, means in found.items() if len(means) == 2]
    if len(pairs) != 1 or not all(means <= pairs[0][1] for means in found.values()):
        return None
    ((a, means),) = pairs
    shares = tuple(sympy.cancel(other / a) for other in found if other != a)
    m, other = sorted(means, key=lambda mean: (mean != 0, str(mean)))
    return (m, other - m, sympy.sqrt(-1 / (2 * a)), shares) if all(share.is_Rational for share in shares) else None


def _of_ratio(e: Any, law: tuple[Any, Any, Any, tuple[Any, ...]], twins: Mapping[Any, Any], y: Any) -> Any:
    """h with F = φ·h(y): F at φ = 1 and p = y; None where F is no such function. Then (x − m)² = −2s²·log(√(2π)·s)."""
    (mean, d, s, _), x = law, e.limits[0][0]
    body = e.function.xreplace(twins)
    size = sympy.sqrt(2 * sympy.pi) * s
    values = {}
    for bell in body.atoms(sympy.exp):
        if bell.has(x):
            share = -sympy.diff(bell.args[0], x, 2) * s**2
            values[bell] = (size if sympy.expand(bell.args[0].subs(x, mean)) == 0 else y * size) ** sympy.cancel(share)
    inside = body.xreplace(values)
    start, slope, bend = (sympy.diff(inside, x, n).subs(x, mean) for n in range(3))
    if inside.has(x) and sympy.diff(bend, x) == 0:
        inside = start + slope * (s**2 * sympy.log(y) / d + d / 2) - bend * s**2 * sympy.log(size)
    if inside.has(x):
        return None
    return _tidy(sympy.expand_log(inside, force=True))


def _tidy(e: Any) -> Any:
    return sympy.powsimp(e.replace(lambda p: p.is_Add, sympy.expand))


def _mixtures(h: Any, y: Any) -> list[Any]:
    """The sums a + b·y in powers and logarithms."""
    inside = [p.base for p in h.atoms(sympy.Pow)] + [e.args[0] for e in h.atoms(sympy.log)]
    return list(dict.fromkeys(e for e in inside if e.has(y) and e.is_polynomial(y) and sympy.degree(e, y) == 1))


def _collected(e: Any, y: Any) -> dict[Any, Any] | None:
    """The c_k of a sum of powers of y."""
    found: dict[Any, Any] = {}
    for part in sympy.Add.make_args(sympy.expand(e)):
        c, power = part.as_independent(y, as_Add=False)
        base, k = sympy.powsimp(power).as_base_exp()
        if power != 1 and (base != y or k.has(y)):
            return None
        found[sympy.S.Zero if power == 1 else k] = found.get(sympy.S.Zero if power == 1 else k, 0) + c
    return {k: sympy.factor(c) for k, c in found.items()}


def _majorants(h: Any, y: Any) -> Iterator[dict[Any, Any]]:
    """Sums of powers that are likely above |h|."""
    mixtures = _mixtures(h, y)
    if h.has(sympy.Max):
        yield {sympy.S.Zero: sympy.S.One, sympy.S.One: sympy.S.One}
    for r in mixtures:
        a, b = r.coeff(y, 0), r.coeff(y, 1)
        if h.has(sympy.log):
            factor = sympy.factor(h / sympy.log(r))
            own = r**2 + 1 if factor == r else r + a + b / y
            yield _collected(own, y) or {}
            continue
        for e in {p.exp for p in h.atoms(sympy.Pow) if p.base == r}:
            yield {sympy.S.Zero: sympy.S.One, sympy.S.One: sympy.S.One} if e.is_Rational and 0 < e < 1 else {sympy.S.Zero: a, e: b}
    if not mixtures and (own := _collected(h, y)) is not None:
        yield own


def _candidates(h: Any, rest: Any, y: Any, rate: Any) -> Iterator[tuple[dict[Any, Any], bool]]:
    """Sums of powers that may be above h, and whether with their mirror images."""
    exact = None if h.has(sympy.Max) else _moments_in(rest, rate)
    if exact is not None:
        yield exact, True
        slope = sympy.diff(h, y).subs(y, 1) - sympy.Add(*(k * c for k, c in exact.items()))
        yield {**exact, sympy.S.Zero: exact.get(sympy.S.Zero, 0) - slope, sympy.S.One: exact.get(sympy.S.One, 0) + slope}, False
    for g in itertools.chain(_by_tangents(h, rest, y, rate), _of_mixtures(h, y)):
        if (own := _collected(g, y)) is not None:
            yield own, False
    if not h.has(sympy.Max):
        start, slope, bend = (sympy.expand(sympy.diff(h, y, n).subs(y, 1)) for n in range(3))
        taylor = _collected(start + slope * (y - 1) + bend * (y - 1) ** 2 / 2, y)
        if taylor is not None:
            yield taylor, True
            yield taylor, False


def _moments_in(e: Any, rate: Any) -> dict[Any, Any] | None:
    """The c_k, k ≠ 1, of Σ c_k·E_k."""
    found: dict[Any, Any] = {}
    for part in sympy.Add.make_args(sympy.expand(e)):
        bells = [f for f in sympy.Mul.make_args(part) if isinstance(f, sympy.exp)]
        exponent = sympy.Add(*(f.args[0] for f in bells))
        twice = sympy.simplify(2 * exponent / rate)  # k(k − 1)
        root = sympy.sqrt(sympy.factor(1 + 4 * twice))
        k = (1 + sympy.powdenest(root, force=True)) / 2 if twice != 0 else sympy.S.Zero
        k = sympy.expand(k)
        if k.has(rate, *rate.free_symbols) or k.is_number and not k.is_Rational:
            return None
        found[k] = found.get(k, 0) + part / sympy.Mul(*bells)
    return None if any(c.has(*rate.free_symbols) for c in map(sympy.sympify, found.values())) else found


def _by_tangents(h: Any, rest: Any, y: Any, rate: Any) -> Iterator[Any]:
    """Where the other side is u + v·Ψ(A) with Ψ = log or a power: u + v·W·(Ψ(A) + Ψ'(A)·(ℓ − A)) for a law W·φ and ℓ of the mean A."""
    for outer in sorted((e for e in rest.atoms(sympy.log, sympy.Pow) if e.args[0].has(*rate.free_symbols) and e.args[0].is_Add), key=str):
        top, z = outer.args[0], sympy.Symbol("top_", positive=True)
        v = sympy.diff(rest.subs(outer, z), z)
        u = rest.subs(outer, z) - v * z
        if v.has(z) or u.has(z):
            continue
        psi = outer.func(z, *outer.args[1:])
        for r in _mixtures(h, y) if isinstance(outer, sympy.Pow) else ():
            a, b = r.coeff(y, 0), r.coeff(y, 1)
            size, e = sympy.cancel((top - a) / b), outer.exp  # Minkowski's inequality: T^e for T = a + b·N and N^e = E_e
            if sympy.expand(sympy.expand_log(sympy.log(size), force=True) - (e - 1) * rate / 2) != 0:
                continue
            yield u + v * top ** (e - 1) * (a + b * sympy.powsimp(sympy.exp(sympy.expand((1 - e) * (e - 1) * rate / 2))) * y**e)
        for r, (weight, mean) in itertools.product(_mixtures(h, y), ((1, 1), (0, 2), (1, 2), (0, 1))):
            own = _collected(r ** (weight + mean), y) or {}
            if sympy.expand(sympy.Add(*(c * sympy.exp(k * (k - 1) * rate / 2) for k, c in own.items())) - top) == 0:
                slope = sympy.diff(psi, z).subs(z, top)
                yield u + v * (r**weight * (psi.subs(z, top) - slope * top) + slope * sympy.expand(r ** (weight + mean)))


def _of_mixtures(h: Any, y: Any) -> Iterator[Any]:
    """Chords of convex powers, 1 + e·(r − 1) + (e − 1)·(r − 1)² for exponents up to 2, and parabolas through the corner of a maximum."""
    for r in _mixtures(h, y):
        a, b = r.coeff(y, 0), r.coeff(y, 1)
        for p in h.atoms(sympy.Pow):
            if p.base == r and not (c := sympy.cancel(h / p)).has(y):
                yield c * (a + b * y**p.exp)
                yield c * (1 + p.exp * (r - 1) + (p.exp - 1) * (r - 1) ** 2)
    for part in (sympy.expand(part) for e in h.atoms(sympy.Max) for part in e.args if part.is_polynomial(y) and part.has(y)):
        yield (part.coeff(y, 1) * (y - 1)) ** 2 / (-4 * part.subs(y, 1))  # c·(z − 1) − t lies below (c·(z − 1))²/(4t)


__all__ = ["Ratio", "likelihood_ratios", "polynomial"]
