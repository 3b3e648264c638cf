"""Closed forms of hockey-stick divergences of two densities on the whole line; None where none is written here.

Of N(m₁, σ²) and N(m₂, σ²) with d = |m₁ − m₂| > 0 the privacy loss is N(±μ²/2, μ²) with μ = d/σ, so that
δ(ε) = Φ(μ/2 − ε/μ) − e^ε Φ(−μ/2 − ε/μ) at every real ε (Balle & Wang 2018, Theorem 8), and Pr(L > ε) = Φ(μ/2 − ε/μ).
Of Laplace(m₁, b) and Laplace(m₂, b) with r = d/b the loss is r beyond one mean, −r beyond the other, and linear between them, so that
δ(ε) = max(0, 1 − e^{(ε−r)/2}, 1 − e^ε): the middle term is the largest where −r ≤ ε ≤ r, the last one below, and 0 above.

A density is recognized only if it is `normal_density` or `laplace_density` as sympy writes it, with σ or b positive by its symbols.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy
from sympy import Expr, Max, Symbol, exp, oo, pi, sqrt

from dpbounds.language.substitution import is_positive

Density = Callable[[Symbol, Any, Any], Expr]


def normal_density(x: Symbol, mean: Any = 0, sigma: Any = 1) -> Expr:
    """The density of N(mean, sigma²) at x.

    >>> normal_density(Symbol("x")).subs("x", 0)
    sqrt(2)/(2*sqrt(pi))
    """
    return exp(-((x - mean) ** 2) / (2 * sigma**2)) / (sqrt(2 * pi) * sigma)


def laplace_density(x: Symbol, mean: Any = 0, scale: Any = 1) -> Expr:
    """The density of Laplace(mean, scale) at x."""
    return exp(-sympy.Abs(x - mean) / scale) / (2 * scale)


def phi(x: Expr) -> Expr:
    """Φ(x) through erfc, which sympy differentiates and mpmath evaluates."""
    return sympy.erfc(-x / sqrt(2)) / 2


def gaussian_delta(epsilon: Expr, sigma: Expr, sensitivity: Expr = sympy.S.One) -> Expr:
    """δ(ε) of the Gaussian mechanism.

    >>> gaussian_delta(sympy.S.Zero, sympy.S.One)
    1 - erfc(sqrt(2)/4)
    """
    half, shift = sensitivity / (2 * sigma), epsilon * sigma / sensitivity
    return phi(half - shift) - exp(epsilon) * phi(-half - shift)


def _place_and_scale(density: Expr, x: Symbol, made: Density, power: int) -> tuple[Expr, Expr] | None:
    """m and s of a density `made(x, m, s)`, whose exponent is a number times (|x − m|/s)^power."""
    parts = [factor.args[0] for factor in sympy.Mul.make_args(density) if isinstance(factor, exp) and factor.has(x)]
    if len(parts) != 1:
        return None
    bases = [node.args[0] for node in parts[0].atoms(sympy.Pow if power == 2 else sympy.Abs) if node.has(x)]
    if len(bases) != 1 or bases[0].diff(x) not in (1, -1):
        return None
    m = bases[0].diff(x) * (bases[0].diff(x) * x - bases[0])
    rate = parts[0] / (bases[0] ** 2 if power == 2 else sympy.Abs(bases[0]))
    s = sympy.sqrt(-1 / (2 * rate)) if power == 2 else -1 / rate
    if m.has(x) or s.has(x) or not is_positive(s) or made(x, m, s) != density:
        return None
    return m, s


def _distance(p: Expr, q: Expr, over: Any, made: Density, power: int) -> tuple[Expr, Expr] | None:
    """|m₁ − m₂| and the common scale of two densities on the whole line, with different means."""
    x, low, high = over
    if low != -oo or high != oo or x.is_integer:
        return None
    first, second = (_place_and_scale(density, x, made, power) for density in (p, q))
    if first is None or second is None or first[1] != second[1]:
        return None
    for d in (first[0] - second[0], second[0] - first[0]):
        if is_positive(d):
            return d, first[1]
    return None


def laplace_scale(p: Expr, q: Expr, over: Any) -> Expr | None:
    """The scale b of Laplace(1, b) and Laplace(0, b); None of other densities.

    >>> x = Symbol("x", real=True)
    >>> laplace_scale(laplace_density(x, 1, 2), laplace_density(x, 0, 2), (x, -oo, oo))
    2
    """
    _, scale = _distance(p, q, over, laplace_density, 1) or (None, None)
    own = scale is not None and (p, q) == tuple(laplace_density(over[0], mean, scale) for mean in (1, 0))
    return scale if own else None


def hockey_stick(epsilon: Expr, p: Expr, q: Expr, over: Any) -> Expr | None:
    """δ(ε) of two normal or two Laplace densities of one scale.

    >>> x = Symbol("x", real=True)
    >>> hockey_stick(sympy.Integer(1), laplace_density(x, 4, 1), laplace_density(x, 0, 1), (x, -oo, oo))
    Max(0, 1 - E, 1 - exp(-3/2))
    """
    if (found := _distance(p, q, over, normal_density, 2)) is not None:
        return gaussian_delta(epsilon, found[1], found[0])
    if (found := _distance(p, q, over, laplace_density, 1)) is not None:
        return Max(0, 1 - exp((epsilon - found[0] / found[1]) / 2), 1 - exp(epsilon), evaluate=False)
    return None


def loss_tail(epsilon: Expr, p: Expr, q: Expr, over: Any) -> Expr | None:
    """Pr(L > ε) of two normal densities of one scale."""
    if (found := _distance(p, q, over, normal_density, 2)) is None:
        return None
    d, sigma = found
    return phi(d / (2 * sigma) - epsilon * sigma / d)
