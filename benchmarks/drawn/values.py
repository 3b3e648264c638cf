"""Values of statements at a point, by mpmath from the term as it was typed: nothing of the engine and nothing of sympy is used.

A value that does not exist raises `Undefined`. What mpmath only approximates (integrals, infinite sums, extrema) makes a comparison
coarse: `truth` then answers True or False only where the sides differ by more than such an approximation can err.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import mpmath
from mpmath import mp

from dpbounds.logic.terms import Term, walk

Point = Mapping[str, Any]
"""Numbers (int, Fraction or mpf) for variables, tuples of numbers for families."""
_DIGITS, _TINY = (40, 80), mpmath.mpf(10) ** -20
"""Where both sides are below the second number nothing is said: 1 − Φ(63)² is 0 to 864 digits."""
_COARSE, _FINE = mpmath.mpf(10) ** -7, mpmath.mpf(10) ** -25
_INFINITE = 2_000
_GRID = 60
_NEXT = mpmath.mpf(10) ** -12
"""How close to an end an extremum is looked for."""


class Undefined(Exception):
    """An expression that has no real value at a point."""


def number(x: Any) -> Any:
    """A number of mpmath, at the precision of now."""
    return mpmath.mpf(x.numerator) / x.denominator if isinstance(x, Fraction) else mpmath.mpf(x)


def _need(holds: object) -> None:
    if not holds:
        raise Undefined


def _power(x: Any, y: Any) -> Any:
    _need(x > 0 or (x == 0 and y > 0) or (x != 0 and y == int(y)) or (x == 0 and y == 0))
    return x ** int(y) if y == int(y) and abs(y) < 10**6 else x**y


def _log(x: Any) -> Any:
    _need(x > 0)
    return mpmath.log(x)


def _inverse(x: Any) -> Any:
    _need(x != 0)
    return 1 / x


def _root(x: Any) -> Any:
    _need(x >= 0)
    return mpmath.sqrt(x)


def _factorial(x: Any) -> Any:
    _need(x >= 0 and x == int(x))
    return mpmath.factorial(x)


def _binomial(n: Any, k: Any) -> Any:
    _need(n >= 0 and k >= 0 and n == int(n) and k == int(k))
    return mpmath.binomial(n, k) if k <= n else mpmath.mpf(0)


def _quantile(x: Any) -> Any:
    _need(0 < x < 1)
    return mpmath.sqrt(2) * mpmath.erfinv(2 * x - 1)


def _gaussian_delta(epsilon: Any, sigma: Any, sensitivity: Any) -> Any:
    _need(sigma > 0 and sensitivity > 0)
    half, shift = sensitivity / (2 * sigma), epsilon * sigma / sensitivity
    return mpmath.ncdf(half - shift) - mpmath.exp(epsilon) * mpmath.ncdf(-half - shift)


def _gaussian_renyi(order: Any, sigma: Any, sensitivity: Any) -> Any:
    _need(order > 1 and sigma > 0)
    return order * sensitivity**2 / (2 * sigma**2)


def _gamma(x: Any) -> Any:
    _need(x > 0)
    return mpmath.gamma(x)


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "+": lambda *x: mpmath.fsum(x),
    "*": lambda *x: mpmath.fprod(x),
    "neg": lambda x: -x,
    "inv": _inverse,
    "**": _power,
    "Max": max,
    "Min": min,
    "exp": mpmath.exp,
    "log": _log,
    "sqrt": _root,
    "Abs": abs,
    "floor": mpmath.floor,
    "ceiling": mpmath.ceil,
    "factorial": _factorial,
    "gamma": _gamma,
    "binomial": _binomial,
    "cosh": mpmath.cosh,
    "sinh": mpmath.sinh,
    "tanh": mpmath.tanh,
    "erf": mpmath.erf,
    "erfc": mpmath.erfc,
    "NormalCDF": mpmath.ncdf,
    "NormalQuantile": _quantile,
    "GaussianDelta": _gaussian_delta,
    "GaussianRenyi": _gaussian_renyi,
}


def _moment(order: Any, p: Sequence[Any], q: Sequence[Any]) -> Any:
    _need(order > 1 and all(x >= 0 for x in (*p, *q)))
    if any(a > 0 and b == 0 for a, b in zip(p, q, strict=True)):
        return mpmath.inf
    return mpmath.fsum(a**order * b ** (1 - order) for a, b in zip(p, q, strict=True) if a > 0)


def _renyi(order: Any, p: Sequence[Any], q: Sequence[Any]) -> Any:
    found = _moment(order, p, q)
    _need(found > 0)
    return mpmath.log(found) / (order - 1)


def _kl(p: Sequence[Any], q: Sequence[Any]) -> Any:
    _need(all(x >= 0 for x in (*p, *q)))
    if any(a > 0 and b == 0 for a, b in zip(p, q, strict=True)):
        return mpmath.inf
    return mpmath.fsum(a * mpmath.log(a / b) for a, b in zip(p, q, strict=True) if a > 0)


def _hockey_stick(epsilon: Any, p: Sequence[Any], q: Sequence[Any]) -> Any:
    _need(all(x >= 0 for x in (*p, *q)))
    return mpmath.fsum(max(a - mpmath.exp(epsilon) * b, 0) for a, b in zip(p, q, strict=True))


def _tail(epsilon: Any, p: Sequence[Any], q: Sequence[Any]) -> Any:
    _need(all(x >= 0 for x in (*p, *q)))
    return mpmath.fsum(a for a, b in zip(p, q, strict=True) if a > mpmath.exp(epsilon) * b)


DIVERGENCES: dict[str, Callable[..., Any]] = {
    "RenyiMoment": _moment,
    "RenyiDivergence": _renyi,
    "KLDivergence": _kl,
    "HockeyStick": _hockey_stick,
    "LossTail": _tail,
}


def value(t: Term, at: Point, bound: tuple[Any, ...] = ()) -> Any:
    """A number, or a tuple of numbers for a table; `bound` are the bound variables, the innermost first."""
    if t.tag == "number":
        return number(t.data[0])
    if t.tag in ("pi", "E", "oo"):
        return {"pi": mpmath.pi, "E": mpmath.e, "oo": mpmath.inf}[t.tag] + 0
    if t.tag == "variable":
        return number(at[t.data[0]])
    if t.tag == "bound":
        return bound[t.data[0]]
    if t.tag == "apply":
        place, entries = int(value(t.parts[0], at, bound)), at[t.data[0].name]
        _need(1 <= place <= len(entries))
        return number(entries[place - 1])
    if t.hint is not None:
        return _over_range(t, at, bound)
    if t.tag == "Piecewise":
        return _branch(t, at, bound)
    parts = [value(part, at, bound) for part in t.parts]
    if t.tag == "Tuple":
        return tuple(parts)
    return (FUNCTIONS | DIVERGENCES)[t.tag](*parts)


def _branch(t: Term, at: Point, bound: tuple[Any, ...]) -> Any:
    for k in range(0, len(t.parts), 2):
        if truth(t.parts[k + 1], at, bound):
            return value(t.parts[k], at, bound)
    raise Undefined


def _over_range(t: Term, at: Point, bound: tuple[Any, ...]) -> Any:
    """Sums, integrals, extrema, and divergences of families."""
    low, high, *outer = (value(part, at, bound) for part in t.parts[: t.inner])

    def inner(place: Any) -> list[Any]:
        return [value(part, at, (place, *bound)) for part in t.parts[t.inner :]]

    if t.tag == "Sum" and high == mpmath.inf:
        return _series(lambda k: inner(k)[0], low)
    if t.tag == "Sum" or (t.tag in DIVERGENCES and t.data[0] == "Z"):
        _need(high >= low - 1)
        rows = [inner(number(k)) for k in range(int(low), int(high) + 1)]
        return mpmath.fsum(row[0] for row in rows) if t.tag == "Sum" else DIVERGENCES[t.tag](*outer, *zip(*rows, strict=True))
    if t.tag == "Integral":
        with mpmath.workdps(20):
            return mpmath.quad(lambda x: inner(x)[0], _nodes(low, high))
    if t.tag in ("Supremum", "Infimum"):
        return _extremum(t.tag == "Supremum", lambda x: inner(x)[0], low, high)
    raise ValueError(f"{t.tag} has no value here")


def _nodes(low: Any, high: Any) -> list[Any]:
    if high == mpmath.inf:
        return [low, *(low + mpmath.mpf(2) ** k for k in range(-4, 9, 2)), high]
    return [low + (high - low) * k / 4 for k in range(5)]


def _series(term: Callable[[Any], Any], first: Any) -> Any:
    total, k = mpmath.mpf(0), first
    while k < first + _INFINITE:
        new = term(k)
        total, k = total + new, k + 1
        if abs(new) < mpmath.mpf(10) ** -22 * abs(total):
            return total
    return mpmath.nsum(term, [first, mpmath.inf])


def _extremum(largest: bool, f: Callable[[Any], Any], low: Any, high: Any) -> Any:
    """From a grid, then from thirds of the best cell; a value that is attained, so that it errs on one side."""
    sign = 1 if largest else -1
    with mpmath.workdps(20):
        inside = [_NEXT, *(mpmath.mpf(k) / _GRID for k in range(1, _GRID)), 1 - _NEXT]
        grid = [low + u / (1 - u) if high == mpmath.inf else low + (high - low) * u for u in inside]
        best = max(range(len(grid)), key=lambda k: sign * f(grid[k]))
        a, b = grid[max(best - 1, 0)], grid[min(best + 1, len(grid) - 1)]
        for _ in range(60):
            c, d = a + (b - a) / 3, b - (b - a) / 3
            a, b = (a, d) if sign * f(c) > sign * f(d) else (c, b)
        return max(f(grid[best]), f(a), key=lambda y: sign * y)


def _coarse(t: Term) -> bool:
    return any(s.tag in ("Integral", "Supremum", "Infimum") or (s.tag == "Sum" and s.parts[1].tag == "oo") for s in walk(t))


def truth(t: Term, at: Point, bound: tuple[Any, ...] = ()) -> bool | None:
    """Whether a condition holds at a point; None where the numbers are too close to say."""
    if t.tag in ("true", "false"):
        return t.tag == "true"
    if t.tag == "Implies":
        first = truth(t.parts[0], at, bound)
        return True if first is False else truth(t.parts[1], at, bound) if first else None
    if t.tag in ("And", "Or", "Not"):
        found = [truth(part, at, bound) for part in t.parts]
        if t.tag == "Not":
            return None if found[0] is None else not found[0]
        deciding = t.tag == "Or"
        return deciding if deciding in found else None if None in found else not deciding
    if t.tag == "ForAll":
        return _throughout(t, at, bound)
    return _compared(t, at, bound)


def _throughout(t: Term, at: Point, bound: tuple[Any, ...]) -> bool | None:
    """A premise about every member of a family."""
    size = max(len(x) for x in at.values() if isinstance(x, tuple))
    found = []
    for k in range(1, size + 1):
        if truth(t.parts[0], at, (number(k), *bound)) is True:
            found.append(truth(t.parts[1], at, (number(k), *bound)))
    return False if False in found else None if None in found else True


def _compared(t: Term, at: Point, bound: tuple[Any, ...]) -> bool | None:
    coarse = _coarse(t)
    signs = {_sign(t, at, bound, digits, coarse) for digits in (_DIGITS[:1] if coarse else _DIGITS)}
    sign = signs.pop() if len(signs) == 1 else 0
    if t.tag in ("=", "!="):
        return (t.tag == "!=") if sign else None
    return None if not sign else (sign > 0) == (t.tag in ("<=", "<"))


def _sign(t: Term, at: Point, bound: tuple[Any, ...], digits: int, coarse: bool) -> int:
    """The sign of right side minus left side, 0 where they are too close or too small."""
    with mp.workdps(digits):
        left, right = (value(part, at, bound) for part in t.parts)
        if mpmath.isinf(left) or mpmath.isinf(right):
            return 0 if left == right else int(mpmath.sign(right - left))
        gap, size = right - left, max(abs(left), abs(right))
        return 0 if size < _TINY or abs(gap) <= (_COARSE if coarse else _FINE) * size else int(mpmath.sign(gap))
