"""Statements about numbers: functions of reals and integers, and tails."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

from benchmarks.drawn.points import Range, Sampler, of_ranges
from dpbounds.notation import *

R = Rational
x = real("x")
e, y, q, w = nonnegative("e y q w")
s = positive("s")
n, m = positive_integer("n m")
i, j = index("i"), index("j", start=0)
UNIT = ((0, 1, "[]"), (0, Fraction(1, 2), "[]"))
Made = tuple[list[Any], Any, Any, Sampler]
"""Premises, the smaller side, the larger one, and points."""


def _reals(rng: Random, count: int) -> list[Range]:
    """Ranges of so many real variables."""
    options = {
        x: [(None, None, "()"), (-1, 1, "[]"), (0, 2, "[]")],
        y: [(0, None, "[)"), (0, 1, "[]"), (0, 4, "[]")],
        s: [(0, None, "()"), (0, 1, "(]"), (Fraction(1, 2), 3, "[]")],
        q: list(UNIT),
    }
    chosen = rng.sample(list(options), count)
    return [Range(v, *rng.choice(options[v])) for v in chosen]


def _grows(v: Any) -> list[Any]:
    """Functions that are 0 or small at 0 and positive elsewhere."""
    u = abs(v) if v is x else v
    return [
        u,
        u**2,
        sqrt(u),
        exp(u) - 1,
        log(1 + u),
        1 - exp(-u),
        u / (1 + u),
        tanh(u),
        cosh(u) - 1,
        sinh(u),
        u * exp(u),
        erf(u),
        Min(u, 1),
        2 * NormalCDF(u) - 1,
        (1 + u) * log(1 + u),
        u * log(1 + 1 / (u + 1)),
        sqrt(1 + u) - 1,
        Max(u, u**2),
        u**3 / 6 + u,
        exp(-1 / (u + 1)) * u,
        (1 + u) * log(1 + u) - u,
        exp(u) - 1 - u,
        u - log(1 + u),
        u**2 / 2 / (1 + u / 3),
    ]


def _pairs(u: Any, v: Any) -> list[Any]:
    """Functions of two variables."""
    u, v = (abs(b) if b is x else b for b in (u, v))
    return [
        u * v,
        u + v,
        sqrt(u * v),
        Max(u, v),
        Abs(u - v),
        log(1 + u * (exp(v) - 1)),
        u * (exp(v) - 1),
        (u + v) ** 2,
        u**2 + v**2,
        exp(u * v) - 1,
        u * exp(v),
        (u**2 + v**2) / (u + v + 1),
        u * log(1 + v),
        (1 + u) ** v - 1,
        u * v / (1 + u + v),
        log((1 + u) * (1 + v)),
        Min(u, v),
        sqrt(u**2 + v**2),
        1 - (1 - u / (1 + u)) * exp(-v),
        cosh(u) * cosh(v) - 1,
    ]


def scalars(rng: Random) -> Made:
    """Functions of one to four real variables."""
    ranges = _reals(rng, rng.choice((1, 1, 2, 2, 3, 4)))
    own = [b.variable for b in ranges]

    def side() -> Any:
        if len(own) == 1:
            parts = rng.sample(_grows(own[0]), 2)
        else:
            parts = [
                rng.choice(_pairs(*rng.sample(own, 2))),
                rng.choice([rng.choice(_grows(rng.choice(own))), rng.choice(_pairs(*rng.sample(own, 2)))]),
            ]
        return rng.choice((parts[0], parts[0], parts[0] + parts[1], parts[0] * parts[1], parts[0] / (1 + parts[1])))

    return [p for b in ranges for p in b.premises()], side(), side(), of_ranges(ranges)


def undefined(rng: Random) -> Made:
    """Functions without a value somewhere at an end or inside; the verdict must notice."""
    ranges = _reals(rng, rng.choice((1, 2)))
    u, v = ranges[0].variable, ranges[-1].variable
    holes = [
        log(u),
        1 / u,
        u * log(u),
        (exp(u) - 1) / u,
        sqrt(u - R(1, 2)),
        log(1 - v),
        1 / (u - R(1, 2)) ** 2,
        log(u + v) * 0 + 1,
        u**v,
        u / u,
        (u - 1) / (u - 1),
        exp(log(u)),
        sqrt(1 - v),
        NormalQuantile(v),
        1 / log(1 + v),
        (u**2 - v**2) / (u - v),
    ]
    small, large = rng.choice(holes), rng.choice([1 + abs(u), exp(abs(u)), rng.choice(_grows(v)) + 1, rng.choice(holes)])
    return [p for b in ranges for p in b.premises()], small, large, of_ranges(ranges)


def integers(rng: Random) -> Made:
    """Powers, factorials, binomials and floors of integers, with or without a largest value, some beside a rate."""
    own = [Range(n, rng.choice((1, 2, 3)), rng.choice((None, None, 5, 12, 30)))]
    if rng.random() < 0.4:
        own.append(Range(m, 1, rng.choice((None, 4, 9))))
    if rng.random() < 0.4:
        own.append(Range(q, *rng.choice(UNIT)))
    second, rate = (m if len(own) > 1 and own[1].variable is m else n), (q if own[-1].variable is q else R(1, 3))
    forms = [
        n,
        n**2,
        R(2) ** n,
        factorial(n),
        binomial(n + second, second),
        floor(n / 2) + 1,
        (1 + 1 / n) ** n,
        (n / 3) ** n,
        log(1 + n),
        1 / n,
        (1 - rate) ** n,
        (1 + rate) ** second,
        1 + n * rate,
        exp(n * rate),
        exp(-n * rate),
        sqrt(n),
        n + second,
        n * second,
        binomial(2 * n, n),
        1 - (1 - rate) ** n,
        Min(1, n * rate),
        R(4) ** n / sqrt(n),
        (n + second) ** 2,
        n**3,
        ceiling(n / 3),
        binomial(n, 2) + 1,
    ]
    return [p for b in own for p in b.premises()], rng.choice(forms), rng.choice(forms), of_ranges(own)


def tails(rng: Random) -> Made:
    """Tails of the normal law, privacy profiles of Gaussian noise, and the first binomial coefficients."""
    kind = rng.randrange(3)
    if kind == 0:
        ranges = [Range(y, *rng.choice(((0, None, "[)"), (0, 4, "[]"))))]
        forms = [
            NormalCDF(-y),
            exp(-(y**2) / 2),
            exp(-(y**2) / 2) / (1 + y),
            exp(-(y**2) / 2) / (y + sqrt(y**2 + 4)),
            erfc(y),
            exp(-(y**2)),
            exp(-y),
            1 - NormalCDF(y) ** 2,
            erfc(y / 2) ** 2,
            exp(-(y**2) / 2) * y / (1 + y**2),
            1 - tanh(y),
            exp(-(y**2) / 2) * (1 + y),
            NormalCDF(-2 * y),
        ]
        return [p for b in ranges for p in b.premises()], rng.choice(forms), rng.choice(forms), of_ranges(ranges)
    if kind == 1:
        ranges = [Range(e, 0, *rng.choice(((None, "[)"), (3, "[]")))), Range(s, *rng.choice(((Fraction(1, 2), 3, "[]"), (1, None, "[)"))))]
        forms = [
            GaussianDelta(e, s),
            exp(-e),
            1 / s,
            exp(-(e**2) * s**2 / 2),
            NormalCDF(1 / (2 * s) - e * s),
            erf(1 / (2 * sqrt(2) * s)),
            GaussianDelta(e, 2 * s),
            GaussianDelta(2 * e, s),
            GaussianDelta(0, s),
            exp(-e) / s,
            GaussianDelta(e, s + 1),
            2 * NormalCDF(1 / (2 * s)) - 1,
        ]
        return [p for b in ranges for p in b.premises()], rng.choice(forms), rng.choice(forms), of_ranges(ranges)
    low = rng.choice((2, 2, 3))
    prefix = Sum(binomial(n, j), (j, 0, m))
    forms = [
        binomial(n, m) * (n - m + 1) / (n - 2 * m + 1),
        binomial(n, m),
        R(2) ** n,
        (1 + n) ** m,
        binomial(n + 1, m),
        binomial(n, m) * (n - m) / (n - 2 * m + 1),
    ]

    def draw(rng: Random) -> dict[str, Any]:
        first = rng.choice((1, 1, 2, 3, 5, 8))
        return {"m": first, "n": low * first + rng.choice((0, 0, 1, 2, 5, 20, 60))}

    return [low * m <= n], prefix, rng.choice(forms), draw
