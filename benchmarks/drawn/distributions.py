"""Statements about laws and lists of any length, tables, and k-ary randomized response."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

from benchmarks.drawn.numbers import Made, R, e, i, n, q
from benchmarks.drawn.points import Range, close_laws, law, of_ranges, size_of
from dpbounds.notation import *

t, a = positive("t a")
r = nonnegative("r")


def families(rng: Random) -> Made:
    """Sums and divergences of laws of any length, free ones and pairs that are close."""
    sign = rng.choice(("nonnegative", "positive", "positive"))
    p, o, u = laws("p o u", (i, 1, n), sign)
    close = rng.random() < 0.4
    over = (i, 1, n)
    given: list[Any] = [p, o]
    if close:
        given += [for_each(over, p[i] <= exp(e) * o[i]), for_each(over, o[i] <= exp(e) * p[i])]

    def total(f: Any) -> Any:
        return Sum(f, over)

    kl, tv, order = KLDivergence(p, o), HockeyStick(0, p, o), rng.choice((R(2), R(3), R(3, 2), 1 + a))
    middle = R(1, 2) * p + R(1, 2) * o
    forms = [
        kl,
        tv,
        RenyiDivergence(order, p, o),
        HockeyStick(e, p, o),
        total(p[i] ** 2),
        total(sqrt(p[i] * o[i])),
        total((p[i] - o[i]) ** 2),
        LossTail(e, p, o),
        total(Abs(p[i] - o[i])),
        1 - total(sqrt(p[i] * o[i])),
        total(Max(p[i], o[i])),
        total(Min(p[i], o[i])),
        KLDivergence(p, middle),
        HockeyStick(e, middle, o),
        tv**2,
        kl**2,
        total((p[i] - o[i]) ** 2 / (p[i] + o[i])),
        total(p[i] ** 3),
        RenyiMoment(2, p, o) - 1,
    ]
    if sign == "positive":
        forms += [
            total(p[i] ** 2 / o[i]) - 1,
            total(p[i] * log(p[i] / o[i])),
            total(Abs(p[i] * log(p[i] / o[i]))),
            -total(p[i] * log(p[i])),
            log(n) + total(p[i] * log(p[i])),
        ]
    if rng.random() < 0.2:
        given.append(u)
        forms += [HockeyStick(e, p, u) + HockeyStick(e, u, o), HockeyStick(0, p, u) + HockeyStick(0, u, o), HockeyStick(2 * e, p, o)]
    closed = [R(1), 1 / n, log(1 + n), sqrt(n)]
    closed += [e, e**2, exp(e) - 1, tanh(e / 2), e * tanh(e / 2), exp(-e), (exp(e) - 1) ** 2] if close else [exp(-e), R(1)]
    known = [
        (2 * tv**2, kl),
        (HockeyStick(e, p, o), tv),
        (total(p[i] ** 2), R(1)),
        (1 / n, total(p[i] ** 2)),
        (total(sqrt(p[i] * o[i])), R(1)),
        (kl, RenyiDivergence(2, p, o)),
        (1 - total(sqrt(p[i] * o[i])), tv),
        (HockeyStick(e, p, o), LossTail(e, p, o)),
        (KLDivergence(p, middle), kl),
        (HockeyStick(e, middle, o), HockeyStick(e, p, o)),
        (total((p[i] - o[i]) ** 2), total(Abs(p[i] - o[i]))),
        (HockeyStick(2 * e, p, o), HockeyStick(e, p, o)),
        (RenyiDivergence(order, p, o), RenyiDivergence(order + 1, p, o)),
        (kl, log(RenyiMoment(2, p, o))),
        (R(1), total(sqrt(p[i] * o[i])) + tv),
    ]
    if close:
        known += [
            (tv, tanh(e / 2)),
            (kl, e * tanh(e / 2)),
            (kl, e**2 / 2),
            (kl, e),
            (RenyiDivergence(order, p, o), e),
            (RenyiDivergence(order, p, o), order * e**2 / 2),
            (total(p[i] ** 2), exp(e) * total(o[i] ** 2)),
        ]
    small, large = rng.choice(known) if rng.random() < 0.5 else (rng.choice(forms), rng.choice(forms + (closed * 3 if close else closed)))
    zeros = sign == "nonnegative"

    def draw(rng: Random) -> dict[str, Any]:
        size = size_of(rng)
        at: dict[str, Any] = {"e": Range(e, 0, None, "[)").draw(rng), "a": Range(a, 0, None, "()").draw(rng)}
        at["p"], at["o"] = close_laws(rng, size, at["e"]) if close else (law(rng, size, zeros=zeros), law(rng, size, zeros=zeros))
        at["u"] = law(rng, len(at["p"]), zeros=zeros)
        at["n"] = len(at["p"])
        return at

    return given, small, large, draw


def lists(rng: Random) -> Made:
    """Sums over any numbers, without a total: norms, means, products by logarithms."""
    f, g = family("f", "positive"), family("g", "positive")
    over = (i, 1, n)
    bounded = rng.random() < 0.4
    given = [for_each(over, f[i] <= 1)] if bounded else []

    def total(h: Any) -> Any:
        return Sum(h, over)

    forms = [
        total(f[i]),
        total(f[i] ** 2),
        sqrt(total(f[i] ** 2)),
        total(f[i]) ** 2,
        total(sqrt(f[i])) ** 2,
        n * total(f[i] ** 2),
        total(f[i] * g[i]),
        exp(total(log(1 + f[i]))),
        sqrt(total(f[i] ** 2) * total(g[i] ** 2)),
        total(f[i]) * total(g[i]),
        total(f[i] ** 2 + g[i] ** 2),
        1 + total(f[i]),
        exp(total(f[i])),
        sqrt(n) * sqrt(total(f[i] ** 2)),
        total(exp(f[i])),
        n * exp(total(f[i]) / n),
        total(Max(f[i], g[i])),
        total(f[i] ** 3),
        total(f[i] ** 2 / g[i]),
        total(f[i]) ** 2 / total(g[i]),
        log(1 + total(f[i])),
    ]
    if bounded:
        forms += [n, n**2, sqrt(n)]

    def draw(rng: Random) -> dict[str, Any]:
        size = size_of(rng)

        def numbers(top: int) -> tuple[Any, ...]:
            own = [Fraction(rng.randint(1, top), 16) for _ in range(size)]
            return tuple(own[:1] * size if rng.random() < 0.3 else own)

        return {"n": size, "f": numbers(16 if bounded else 64), "g": numbers(64)}

    known = [
        (total(f[i]) ** 2, n * total(f[i] ** 2)),
        (total(f[i] * g[i]), sqrt(total(f[i] ** 2) * total(g[i] ** 2))),
        (1 + total(f[i]), exp(total(f[i]))),
        (total(f[i] ** 2), total(f[i]) ** 2),
        (total(f[i]) ** 2 / total(g[i]), total(f[i] ** 2 / g[i])),
        (n * exp(total(f[i]) / n), total(exp(f[i]))),
        (1 + total(f[i]), exp(total(log(1 + f[i])))),
        (total(log(1 + f[i])), total(f[i])),
        (total(Max(f[i], g[i])), total(f[i]) + total(g[i])),
        (total(f[i] * g[i]), total(f[i] ** 2 + g[i] ** 2) / 2),
        (sqrt(total(f[i])), total(sqrt(f[i]))),
        (exp(total(log(1 + f[i]))), exp(total(f[i]))),
    ]
    small, large = rng.choice(known) if rng.random() < 0.5 else rng.choices(forms, k=2)
    return given, small, large, draw


def answers(rng: Random) -> Made:
    """k-ary randomized response: its divergences, for k = 2 to 9 or any real number of answers."""
    count: Any = rng.choice((2, 3, 4, 5, 6, 7, 9, 1 + t))
    ranges = [Range(e, 0, *rng.choice(((None, "[)"), (2, "[]"), (8, "[]"))))]
    ranges += [Range(t, *rng.choice(((0, None, "()"), (1, 5, "[]"))))] if not isinstance(count, int) else []
    order: Any = rng.choice((2, 3, R(3, 2), 1 + a, 1 + a))
    ranges += (
        [Range(a, *rng.choice(((0, None, "()"), (0, 1, "(]"), (1, 4, "[]"))))] if not isinstance(order, (int,)) and order != R(3, 2) else []
    )
    rest = exp(e) + count - 1
    kl = e * (exp(e) - 1) / rest
    moment = (exp(order * e) + exp((1 - order) * e) + count - 2) / rest
    divergence = log(moment) / (order - 1)
    forms = [
        divergence,
        order * kl,
        kl,
        e,
        order * e**2 / 2,
        e**2 / 2,
        e * tanh(e / 2),
        (exp(e) - 1) / rest,
        order * e**2 / count,
        moment - 1,
        2 * kl,
        log(1 + kl),
        exp(kl) - 1,
    ]
    return [p for b in ranges for p in b.premises()], rng.choice(forms[:4]), rng.choice(forms), of_ranges(ranges)


def tables(rng: Random) -> Made:
    """Divergences of tables of two or three outcomes with symbols in them."""
    ranges = [
        Range(q, *rng.choice(((0, 1, "()"), (Fraction(1, 8), Fraction(7, 8), "[]")))),
        Range(r, *rng.choice(((0, 1, "()"), (Fraction(1, 8), Fraction(7, 8), "[]")))),
    ]
    first, second = Tuple(q, 1 - q), Tuple(r, 1 - r)
    if rng.random() < 0.3:
        first, second = Tuple(q / 2, q / 2, 1 - q), Tuple(r / 3, 2 * r / 3, 1 - r)
    if rng.random() < 0.5:
        ranges.append(Range(e, 0, *rng.choice(((None, "[)"), (2, "[]")))))
    eps = e if len(ranges) == 3 else R(rng.randint(0, 3), 2)
    gap = abs(q - r)
    forms = [
        KLDivergence(first, second),
        RenyiDivergence(2, first, second),
        HockeyStick(eps, first, second),
        HockeyStick(0, first, second),
        gap,
        gap**2,
        gap**2 / (r * (1 - r)),
        LossTail(eps, first, second),
        RenyiDivergence(R(3, 2), first, second),
        RenyiMoment(2, first, second) - 1,
        log(1 + gap**2 / (r * (1 - r))),
        exp(-eps),
        sqrt(KLDivergence(first, second) / 2),
        1 - exp(-KLDivergence(first, second)),
    ]
    known = [
        (2 * gap**2, KLDivergence(first, second)),
        (HockeyStick(eps, first, second), HockeyStick(0, first, second)),
        (KLDivergence(first, second), RenyiDivergence(2, first, second)),
        (HockeyStick(eps, first, second), LossTail(eps, first, second)),
        (RenyiDivergence(R(3, 2), first, second), RenyiDivergence(2, first, second)),
        (KLDivergence(first, second), RenyiMoment(2, first, second) - 1),
        (HockeyStick(0, first, second) ** 2, 1 - exp(-KLDivergence(first, second))),
    ]
    small, large = rng.choice(known) if rng.random() < 0.5 else rng.sample(forms, 2)
    return [p for b in ranges for p in b.premises()], small, large, of_ranges(ranges)
