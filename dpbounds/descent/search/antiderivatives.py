"""Untrusted: antiderivatives of polynomials times exponentials of polynomials of degree 1 or 2, and of powers times logarithms.

They vanish at infinity, or at the end of a power, where they can.
"""

from __future__ import annotations

import sympy

from dpbounds.language.functions import NormalCDF

_MOST_TERMS = 24


def exponential_antiderivative(term: sympy.Expr, v: sympy.Symbol) -> sympy.Expr | None:
    """A function whose derivative in v is the term; None of a term that is not made of such products.

    >>> x, s = sympy.symbols("x s", positive=True)
    >>> exponential_antiderivative(x * sympy.exp(-x / s), x)
    (-s**2 - s*x)*exp(-x/s)
    """
    plain = sympy.expand(sympy.expand_log(sympy.powdenest(sympy.expand_power_base(term, force=True), force=True), force=True))
    parts = sympy.Add.make_args(plain)
    if len(parts) > _MOST_TERMS:
        return None
    normal = [part for part in parts if part.has(NormalCDF)]
    if normal:
        found = [_of_normal(part, v) for part in normal]
        rest = sympy.Add(*(part for part in parts if part not in normal))
        found.append(sympy.S.Zero if rest == 0 else exponential_antiderivative(rest, v))
        return None if None in found else sympy.Add(*found)
    gathered: dict[tuple[sympy.Expr, ...], sympy.Expr] = {}
    for part in parts:
        exponent, rest = sympy.S.Zero, sympy.S.One
        for factor in sympy.Mul.make_args(part):
            if isinstance(factor, sympy.exp):
                exponent += factor.args[0]
            else:
                rest *= factor
        exponent = sympy.expand(exponent)
        if not (rest.is_polynomial(v) and exponent.is_polynomial(v)):
            return None
        powers = [sympy.cancel(exponent.coeff(v, k)) for k in range(3)]
        if sympy.expand(exponent - sum(c * v**k for k, c in enumerate(powers))).has(v) or not (powers[1] or powers[2]):
            return None
        gathered[tuple(powers)] = gathered.get(tuple(powers), sympy.S.Zero) + rest
    return sympy.Add(*(_of_product(sympy.Poly(rest, v), powers, v) for powers, rest in gathered.items()))


def power_antiderivative(term: sympy.Expr, v: sympy.Symbol) -> sympy.Expr | None:
    """A function whose derivative in v is a sum of products w^p·(log w)^k, with one linear w; None of a term that is not made of these.

    >>> u, a = sympy.symbols("u a", positive=True)
    >>> power_antiderivative(u ** (-a) * sympy.log(u), u)
    u**(1 - a)*log(u)/(1 - a) - u**(1 - a)/(1 - a)**2
    """
    plain = sympy.expand_log(sympy.powdenest(sympy.expand_power_base(term, force=True), force=True), force=True)
    bases = {
        e.args[0]
        for e in plain.atoms(sympy.log, sympy.Pow)
        if e.args[0].has(v) and not (e.is_Pow and e.args[1].is_Integer and e.args[1] > 0)
    }
    if not bases:
        bases = {v}
    (w, *others) = sorted(bases, key=str)
    slope = sympy.diff(w, v)
    if others or slope == 0 or slope.has(v):
        return None
    x = sympy.Dummy("x", positive=True)
    parts = sympy.Add.make_args(sympy.expand(plain.xreplace({w: x}).subs(v, (x - w.subs(v, 0)) / slope)))
    total = sympy.S.Zero
    for part in parts if len(parts) <= _MOST_TERMS else ():
        fixed, moving = part.as_independent(x, as_Add=False)
        power, count = sympy.S.Zero, 0
        for factor in sympy.Mul.make_args(sympy.powsimp(moving)):
            base, exponent = factor.as_base_exp()
            if base == x and not exponent.has(x):
                power += exponent
            elif base == sympy.log(x) and exponent.is_Integer and exponent > 0:
                count += int(exponent)
            elif factor != 1:
                return None
        total += fixed * _of_power(sympy.expand(power), count, x)
    return (total / slope).xreplace({x: w}) if len(parts) <= _MOST_TERMS else None


def _of_power(p: sympy.Expr, k: int, x: sympy.Symbol) -> sympy.Expr:
    """Of x^p·(log x)^k, by parts."""
    if p == -1:
        return sympy.log(x) ** (k + 1) / (k + 1)
    first = x ** (p + 1) * sympy.log(x) ** k / (p + 1)
    return first if k == 0 else first - k * _of_power(p, k - 1, x) / (p + 1)


def _of_normal(part: sympy.Expr, v: sympy.Symbol) -> sympy.Expr | None:
    """Of P·Φ(w) with a linear w, by parts: QΦ(w) less the integral of Q·w'·φ(w), where Q' = P."""
    nodes = [factor for factor in sympy.Mul.make_args(part) if isinstance(factor, NormalCDF)]
    rest = sympy.Mul(*(factor for factor in sympy.Mul.make_args(part) if factor not in nodes))
    if len(nodes) != 1 or not rest.is_polynomial(v):
        return None
    w = sympy.expand(nodes[0].args[0])
    slope = sympy.diff(w, v)
    if slope == 0 or slope.has(v):
        return None
    # Q is 0 where w is, so that no multiple of Φ is left over that could be avoided.
    own = sympy.integrate(rest, v)
    own = own - own.subs(v, sympy.cancel(v - w / slope))
    inner = exponential_antiderivative(own * slope * sympy.exp(sympy.expand(-(w**2) / 2)) / sympy.sqrt(2 * sympy.pi), v)
    return None if inner is None else sympy.expand(own) * nodes[0] - inner


def _of_product(factor: sympy.Poly, powers: tuple[sympy.Expr, ...], v: sympy.Symbol) -> sympy.Expr:
    """Of P·e^{C + Bv + Av²}: Q·e^{C + Bv + Av²} and a multiple of Φ, where Q' + (B + 2Av)Q and a number are P."""
    c, b, a = powers
    exponential = sympy.exp(c + b * v + a * v**2)
    given = factor.all_coeffs()[::-1]
    if a == 0:
        found = [sympy.S.Zero] * (len(given) + 1)
        for k in range(len(given) - 1, -1, -1):
            found[k] = sympy.cancel((given[k] - (k + 1) * found[k + 1]) / b)
        return _polynomial(found, v) * exponential
    found = [sympy.S.Zero] * (len(given) + 2)
    for k in range(len(given) - 1, 0, -1):
        found[k - 1] = sympy.cancel((given[k] - (k + 1) * found[k + 1] - b * found[k]) / (2 * a))
    left = sympy.cancel(given[0] - found[1] - b * found[0])
    width = sympy.sqrt(sympy.cancel(-2 * a))
    tail = NormalCDF(sympy.expand(-(width * v - width * sympy.cancel(-b / (2 * a)))))
    area = -sympy.sqrt(2 * sympy.pi) / width * sympy.exp(sympy.cancel(c - b**2 / (4 * a))) * tail
    return _polynomial(found, v) * exponential + left * area


def _polynomial(coefficients: list[sympy.Expr], v: sympy.Symbol) -> sympy.Expr:
    return sympy.Add(*(sympy.expand(c) * v**k for k, c in enumerate(coefficients)))
