"""Statements about sums, integrals, suprema and infima."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

from benchmarks.drawn.numbers import UNIT, Made, R, i, n, q, s, w
from benchmarks.drawn.points import Range, of_ranges
from dpbounds.notation import *


def finite_sums(rng: Random) -> Made:
    """Sums to n against closed forms and other sums."""
    ranges = [Range(n, rng.choice((1, 1, 2)), rng.choice((None, None, 6, 20)))]
    beside = rng.choice((None, s, q))
    if beside is not None:
        ranges.append(Range(s, Fraction(1, 4), 2) if beside is s else Range(q, *rng.choice(UNIT)))
    terms: list[Any] = [
        1 / i,
        1 / i**2,
        sqrt(i),
        1 / sqrt(i),
        1 / (i * (i + 1)),
        log(i),
        i**2,
        1 / (i + 1) ** 2,
        R(1, 2) ** i,
        i * R(1, 2) ** i,
        1 / factorial(i),
    ]
    closed: list[Any] = [
        log(1 + n),
        n,
        sqrt(n),
        R(1),
        2 - 1 / n,
        1 + log(n),
        n**2,
        n / (n + 1),
        2 * sqrt(n) - 1,
        n * log(1 + n),
        n**3,
        n * sqrt(n),
    ]
    if beside is s:
        terms += [exp(-s * i), i * exp(-s * i), 1 / (i + s), exp(-s * i) / i]
        closed += [1 / s, 1 / (exp(s) - 1), n * exp(-s), 1 / s**2]
    if beside is q:
        terms += [q**i, q * (1 - q) ** i, binomial(n, i) * q**i, i * q**i, (1 + q * i) / i]
        closed += [(1 + q) ** n, n * q, exp(n * q), 1 + n * q]
    total = [Sum(f, (i, 1, n)) for f in rng.sample(terms, 2)]
    small, large = rng.choice(
        [(total[0], rng.choice(closed)), (rng.choice(closed), total[0]), (total[0], total[1]), (total[0], rng.choice(closed))]
    )
    return [p for b in ranges for p in b.premises()], small, large, of_ranges(ranges)


def infinite_sums(rng: Random) -> Made:
    """Sums to infinity against functions of their parameter."""
    box = [Range(s, *rng.choice(((Fraction(1, 2), 2), (1, 3), (Fraction(1, 2), None))), rng.choice(("[]", "[)")))]
    if box[0].high is None:
        box = [Range(s, Fraction(1, 2), None, "[)")]
    terms = [
        exp(-s * i),
        i * exp(-s * i),
        exp(-s * i**2),
        exp(-s * i) / i,
        exp(-s * i) / (i + s),
        i * exp(-s * i**2),
        (1 / (1 + s)) ** i,
        exp(-s) * s**i / factorial(i),
        R(1, 2) ** i * exp(-s * i),
    ]
    closed = [1 / s, 1 / (exp(s) - 1), exp(-s), 1 / s**2, R(1), 1 / (1 + s), exp(-s) / (1 - exp(-s)), -log(1 - exp(-s)), s, 1 - exp(-s)]
    small, large = Sum(rng.choice(terms), (i, 1, oo)), rng.choice(closed)
    return box[0].premises(), *rng.choice(((small, large), (small, large), (large, small))), of_ranges(box)


def integrals(rng: Random) -> Made:
    """Integrals against functions of their parameter."""
    box = [Range(s, *rng.choice(((Fraction(1, 2), 2), (1, 3), (Fraction(1, 4), 1))))]
    top = rng.choice((1, 2, oo))
    terms = [
        exp(-s * w),
        w * exp(-s * w),
        exp(-s * w**2),
        exp(-s * w) / (1 + w),
        log(1 + exp(-s * w)),
        exp(-s * w) / sqrt(1 + w**2),
        exp(-s * w) * Min(w, 1),
        Max(exp(-s * w) - exp(-w - 1), 0) * exp(-w),
    ]
    closed = [1 / s, 1 / s**2, R(1), sqrt(pi / s), exp(-s), 1 / (1 + s), (1 - exp(-s)) / s, log(1 + 1 / s)]
    small, large = Integral(rng.choice(terms), (w, 0, top)), rng.choice(closed)
    return box[0].premises(), *rng.choice(((small, large), (small, large), (large, small))), of_ranges(box)


def extrema(rng: Random) -> Made:
    """Suprema and infima over a range."""
    box = [Range(s, *rng.choice(((Fraction(1, 2), 2, "[]"), (1, 4, "[]"), (0, None, "()"))))]
    v = real("v")
    f = rng.choice(
        [
            v * exp(-s * v),
            exp(-s * v),
            v / (s + v**2),
            s * v - v**2,
            v**2 * exp(-s * v),
            (v - s) ** 2,
            v + s / v,
            log(1 + v) - s * v,
            exp(v) - s * v,
        ]
    )
    top = rng.choice((1, 4, oo))
    closed = [1 / s, s, 1 / s**2, R(1), 1 / sqrt(s), s**2, sqrt(s), exp(-s), log(1 + s), 1 + s]
    kind = rng.choice((Supremum, Infimum))
    return (
        box[0].premises(),
        *rng.choice(((kind(f, (v, 0, top)), rng.choice(closed)), (rng.choice(closed), kind(f, (v, 0, top))))),
        of_ranges(box),
    )
