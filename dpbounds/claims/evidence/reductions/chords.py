"""A side that is concave in a bounded variable lies above its chord: the claim needs to hold at both ends. Nothing here is believed.

Let the gap be A(r) + F(ℓ(r)) with ℓ(r) = (1 − s)·x₀ + s·x₁ for a share s of the range of r, A linear in r, and F concave. Its tangent
F(x) ≤ F(z) + F'(z)·(x − z) at z = ℓ(r), taken at x₀ and at x₁, adds up to (1 − s)·F(x₀) + s·F(x₁) ≤ F(ℓ(r)). With 0 ≤ A + F at both
ends, 0 ≤ A(r) + F(ℓ(r)). The tangent is a claim in x, z and the variables of F alone, fewer than the claim has.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import sympy

from dpbounds.claims.claim import Claim
from dpbounds.claims.domain import Domain
from dpbounds.claims.evidence.points import is_below_0, points_of
from dpbounds.claims.evidence.powers import InParts, stated
from dpbounds.language import functions

_RELATIONS = (sympy.Le, sympy.Ge)
_BOUNDS = (sympy.S.Zero, sympy.S.One)
"""Numbers that what the function is taken at may lie above, or below."""

_OUTER = ((sympy.log, sympy.exp), (functions.NormalQuantile, functions.NormalCDF), (None, None))
"""Functions whose values at x and z are better variables than x and z, with their inverses."""


def with_chords(claim: Claim) -> Iterator[InParts]:
    """The ways to say it by a tangent and by what is left at both ends of a variable.

    >>> r, a, b = sympy.symbols("r a b", real=True)
    >>> mean, chord = sympy.exp(r * a + (1 - r) * b), r * sympy.exp(a) + (1 - r) * sympy.exp(b)
    >>> way = next(with_chords(Claim(id="a", then=mean <= chord, given=[r >= 0, r <= 1])))
    >>> way.parts[0][0].then, way.parts[0][1]["chord_x"], way.weights
    (-exp(chord_x) <= -(chord_x - chord_z)*exp(chord_z) - exp(chord_z), b, (1 - r, r))
    """
    if not isinstance(claim.then, _RELATIONS) or claim.families or claim.then.has(sympy.Sum, sympy.Integral):
        return
    for r, (low, high) in Domain.of_claim(claim).bounds().items():
        if low is None or high is None or low == high or r.is_integer or r not in claim.then.free_symbols:
            continue
        low, high = sympy.Rational(low), sympy.Rational(high)
        own = [p for p in claim.given if r in p.free_symbols]
        if all(p.free_symbols == {r} for p in own):
            try:
                ways = list(_by_chord(claim, r, low, high, [p for p in claim.given if p not in own]))
            except Exception:  # a side may have no value at an end, and sympy then fails in ways that cannot be listed
                continue
            yield from ways


def _by_chord(claim: Claim, r: Any, low: Any, high: Any, given: Sequence[Any]) -> Iterator[InParts]:
    found = _concave_part(claim.then, r)
    if found is None:
        return
    inside, function, z = found
    share, points = (r - low) / (high - low), points_of(claim)
    weights, ends = (1 - share, share), (low, high)
    left = [(_at(claim.then, r, end), w) for end, w in zip(ends, weights, strict=True)]
    parts = [(stated(claim, then, given), w) for then, w in left if not _is_equation(then)]
    at = [sympy.expand(inside.subs(r, end)) for end in ends]
    ranges = {e: list(_ranges(e, at, points)) for e in (*at, inside)}
    known = [stated(claim, p, given if e in at else claim.given) for e, own in ranges.items() for p in own if p.free_symbols]
    for outer, inner in _OUTER:
        tangent = _tangent(function, z, outer, inner)
        if tangent is None or len(tangent[0].free_symbols) >= len(claim.then.free_symbols):
            continue
        then, x, there = tangent
        own = [p for p in given if p.free_symbols <= then.free_symbols]
        own += [] if outer is not None else [p.xreplace({inside: t}) for t in (x, there) for p in ranges[inside]]
        taken = [(stated(claim, then, own), {x.name: _put(outer, e), there.name: _put(outer, inside)}) for e in at]
        yield InParts((*taken, *((part, {}) for part, _ in parts)), tuple(known), (*weights, *(w for _, w in parts)))


def _ranges(e: Any, at: Sequence[Any], points: Sequence[Mapping[Any, float]]) -> Iterator[Any]:
    """Bounds of an expression that those at both ends seem to have."""
    for n in _BOUNDS:
        order = sympy.Le if n in at else sympy.Lt
        if not any(is_below_0(end - n, points) for end in at):
            yield order(n, e, evaluate=False)
        if not any(is_below_0(n - end, points) for end in at):
            yield order(e, n, evaluate=False)


def _put(outer: Any, e: Any) -> Any:
    return e if outer is None else outer(e)


def _is_equation(then: Any) -> bool:
    return bool(sympy.simplify(functions.expand_quantities(then.gts - then.lts)) == 0)


def _at(then: Any, r: Any, end: Any) -> Any:
    return type(then)(*(functions.with_replaced(side, {r: end}) for side in then.args), evaluate=False)


def _concave_part(then: Any, r: Any) -> tuple[Any, Any, Any] | None:
    """ℓ, F and its variable z, where the gap is a linear function of r and F(ℓ); None where it is not seen to be."""
    sides = ((then.gts, 1), (then.lts, -1))
    rest = sympy.Add(*(e for side, sign in sides for e in sympy.Add.make_args(sign * side) if not _is_linear(e, r)))
    inner = _linear_nodes(rest, r)
    if rest == 0 or len(inner) != 1:
        return None
    (inside,), z = inner, sympy.Symbol("chord_z", real=True)
    function = rest.xreplace({inside: z})
    return None if function.has(r) else (inside, _in_cdfs(function), z)


def _is_linear(e: Any, r: Any) -> bool:
    return not e.has(r) or e.is_polynomial(r) and sympy.degree(e, r) == 1


def _linear_nodes(e: Any, r: Any) -> set[Any]:
    """The largest expressions in another that are linear in r."""
    if not e.has(r):
        return set()
    if _is_linear(e, r):
        return {e}
    return set().union(*(_linear_nodes(part, r) for part in e.args))


def _tangent(function: Any, z: Any, outer: Any, inner: Any) -> tuple[Any, Any, Any] | None:
    """F(x) ≤ F(z) + F'(z)·(x − z) with its variables; with x = g(u) and z = g(w) where F speaks of the inverse of g."""
    x = sympy.Symbol("chord_x", real=True)
    slope = _tidy(_in_cdfs(sympy.diff(function, z)))
    sides = [function.xreplace({z: x}), function + slope * (x - z)]
    if outer is not None:
        if not function.has(outer(z)):
            return None
        u, w = sympy.Symbol("chord_u", real=True), sympy.Symbol("chord_w", real=True)
        sides = [_tidy(e).xreplace({outer(x): u, outer(z): w}).xreplace({x: inner(u), z: inner(w)}) for e in sides]
        x, z = u, w
    return sympy.Le(*sides, evaluate=False), x, z


def _tidy(e: Any) -> Any:
    """Multiplied out, also in exponents and below Φ, so that equal terms are seen."""
    whole = e.replace(lambda n: isinstance(n, (sympy.exp, functions.NormalCDF)), lambda n: n.func(sympy.expand(n.args[0])))
    whole = sympy.expand(whole)
    return sympy.expand(whole.replace(lambda n: isinstance(n, sympy.exp), lambda n: sympy.exp(sympy.expand(n.args[0]))))


def _in_cdfs(e: Any) -> Any:
    """An expression in elementary functions, with Φ in the place of erfc."""
    return functions.expand_quantities(e).replace(sympy.erfc, lambda x: 2 * functions.NormalCDF(sympy.expand(-sympy.sqrt(2) * x)))
