"""Claims with rows of binomial coefficients: what they say in the terms of `dpbounds.compile.joining`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import sympy

from dpbounds.claims.claim import Claim
from dpbounds.claims.evidence.powers import stated
from dpbounds.compile.joining.binomial_rows import LENGTH, NAMES

_A, _B, _T = sympy.symbols("a b t", real=True)


@dataclass(frozen=True)
class BinomialRow:
    """A claim as an instance of a lemma.

    Attributes:
        kink: "tilt", "max" or "abs".
        values: of the lemma's variables.
        factor: of the sum where the claim speaks of it.
        left: what is left to show, with a new variable.
        at: what this variable is.
        known: that it is at least 0, or positive, or that what stands in roots is.
    """

    kink: str
    values: dict[str, Any]
    factor: Any
    left: Claim
    at: dict[str, Any]
    known: tuple[Claim, ...]


def at_one_place(kink: str) -> Claim:
    """The inequality at one place that a lemma rests on: Pinsker's for e^a and e^b, or the mean of two squares."""
    p, q = sympy.exp(_A), sympy.exp(_B)
    if kink == "max":
        small = sympy.Max(0, p - q, evaluate=False)
        large = _T * (p + 2 * q) / 12 + (p * (_A - _B) - p + q) / (2 * _T) + (p - q) / 2
    else:
        small, large = sympy.Abs(_B, evaluate=False), _B**2 / (2 * _T) + _T / 2
    return Claim(id="place", text="", then=sympy.Le(small, large, evaluate=False), given=[sympy.Gt(_T, 0, evaluate=False)])


def binomial_rows(claim: Claim) -> Iterator[BinomialRow]:
    """The ways to read a claim as a bound of Σ C(n, j)·max(0, e^{u + vj} − e^{y + zj}) or of Σ C(n, j)·e^{u + vj}·|y + zj|.

    >>> n, j = sympy.Symbol("n", integer=True, positive=True), sympy.Symbol("j", integer=True, nonnegative=True)
    >>> size = sympy.Sum(sympy.binomial(n, j) * sympy.Abs(j - n / 2), (j, 0, n))
    >>> (found,) = binomial_rows(Claim(id="a", then=size <= 2**n * sympy.sqrt(n) / 2))
    >>> found.kink, found.values["y_"], found.values["w_"]
    ('abs', -n/2, sqrt(n)/2)
    """
    read = _read(claim)
    if read is None:
        return
    kink, n, (u, v, y, z), factor = read
    large = claim.then.gts
    base = dict(zip((*NAMES[:4], LENGTH), (u, v, y, z, n), strict=True))
    p, q = (sympy.exp(a) * (sympy.exp(b) + 1) ** n for a, b in ((u, v), (y, z)))
    share = sympy.exp(v) / (sympy.exp(v) + 1)
    if kink == "max":
        yield from _tilted(claim, base, factor)
        t = sympy.simplify(6 / factor / (p + 2 * q)) * large
        mean = p * (u - y) + (v - z) * n * share * p
        bound = t * (p + 2 * q) / 12 + (mean - p + q) / (2 * t) + (p - q) / 2
    else:
        t = sympy.simplify(1 / factor / p) * large
        second = y**2 + (2 * y * z + z**2) * n * share + z**2 * n * (n - 1) * share**2
        bound = p * (second / (2 * t) + t / 2)
    then = sympy.Le(factor * bound, large, evaluate=False)
    roots = {e.base for e in t.atoms(sympy.Pow) if e.exp.is_Rational and not e.exp.is_Integer and e.base.args}
    known = tuple(stated(claim, sympy.Lt(0, e, evaluate=False), claim.given) for e in sorted(roots, key=str) or [t])
    yield BinomialRow(kink, {**base, "w_": t}, factor, stated(claim, then, claim.given), {}, known)


def _tilted(claim: Claim, base: dict[str, Any], factor: Any) -> Iterator[BinomialRow]:
    """With the tilt w at which the bound of the claim is the one of the lemma: w = −(log R)′ in the threshold g of the hockey stick."""
    u, v, y, z, n = (base[name] for name in (*NAMES[:4], LENGTH))
    w, large = sympy.Symbol("tilt", real=True), claim.then.gts
    for g in sorted(y.free_symbols, key=str):
        rate = sympy.diff(y, g)
        if rate.free_symbols or g.is_integer or g in (u + v + z).free_symbols:
            continue
        at = sympy.cancel(-sympy.diff(sympy.expand_log(sympy.log(large), force=True), g) / rate)
        slope = sympy.cancel(sympy.diff(at, g))
        if slope == 0 or slope.has(g):
            continue
        own = {g: sympy.expand((w - at.subs(g, 0)) / slope)}
        bound = sympy.exp(u + w * (u - y.subs(own))) * (sympy.exp(v + w * (v - z)) + 1) ** n
        exponents = {e: sympy.exp(sympy.factor(sympy.cancel(e.args[0].subs(own)))) for e in large.atoms(sympy.exp) if e.has(g)}
        then = sympy.Le(factor * bound, large.xreplace(exponents).subs(own), evaluate=False)
        given = [p for p in claim.given if g not in p.free_symbols]
        left = stated(claim, then, [*given, sympy.Ge(w, 0, evaluate=False)])
        known = stated(claim, sympy.Le(0, at, evaluate=False), claim.given)
        yield BinomialRow("tilt", {**base, "w_": at}, factor, left, {w.name: at}, (known,))


def _read(claim: Claim) -> tuple[str, Any, tuple[Any, ...], Any] | None:
    """The kink, n, both exponents and the factor of the sum."""
    then = claim.then
    if claim.families or not isinstance(then, (sympy.Le, sympy.Ge)) or then.gts.has(sympy.Sum):
        return None
    sums = list(then.lts.atoms(sympy.Sum))
    if len(sums) != 1 or len(sums[0].limits) != 1:
        return None
    ((j, low, n),) = sums[0].limits
    factor = then.lts / sums[0]
    factors = sympy.Mul.make_args(sums[0].function)
    kinks = [e for e in factors if isinstance(e, (sympy.Max, sympy.Abs))]
    if factor.has(j, sympy.Sum) or low != 0 or not (n.is_Symbol and n.is_integer) or len(kinks) != 1 or sympy.binomial(n, j) not in factors:
        return None
    rest = sympy.Mul(*(e for e in factors if e != kinks[0] and e != sympy.binomial(n, j)))
    if isinstance(kinks[0], sympy.Abs):
        inside, weight = _affine(kinks[0].args[0], j), _exponent(rest, j)
        return None if inside is None or weight is None else ("abs", n, (*weight, *inside), factor)
    if sympy.S.Zero not in kinks[0].args or len(kinks[0].args) != 2:
        return None
    gap = sympy.expand(next(a for a in kinks[0].args if a != 0) * rest)
    parts = sympy.Add.make_args(gap)
    if len(parts) != 2:
        return None
    up, down = parts if parts[1].could_extract_minus_sign() else parts[::-1]
    first, second = _exponent(up, j), _exponent(-down, j)
    return None if first is None or second is None else ("max", n, (*first, *second), factor)


def _exponent(e: Any, j: Any) -> tuple[Any, Any] | None:
    """u and v of e^{u + vj}."""
    return _affine(sympy.expand(sympy.expand_log(sympy.log(e), force=True)), j)


def _affine(e: Any, j: Any) -> tuple[Any, Any] | None:
    """u and v of u + vj."""
    e = sympy.expand(e)
    slope = e.coeff(j)
    first = sympy.expand(e - slope * j)
    return None if slope.has(j) or first.has(j, sympy.zoo, sympy.nan) else (first, slope)
