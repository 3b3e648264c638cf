"""Random lemmas about integrals, sums, tables, densities and mechanisms, with the truth from mpmath: none may be settled wrongly.

    python -m benchmarks.fuzz [--cases N] [--seed S] [--budget SECONDS] [KIND ...]

A quantity that is monotone in each of its parameters has its largest value at a corner of a box. There mpmath computes it, from its own
formula, and the bound is that value with a little room: above for the lemma, below for its false twin.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import mpmath
import sympy
from sympy import Abs, Expr, Integral, Rational, Sum, exp, log, oo, sqrt

from dpbounds import Claim, mechanism_delta, mechanism_renyi, settle
from dpbounds.claims.evidence.replay import replay
from dpbounds.errors import CertificateError
from dpbounds.language.functions import (
    HockeyStick,
    KLDivergence,
    NormalQuantile,
    RenyiDivergence,
    SampledGaussianRenyi,
    Supremum,
    laplace_density,
    normal_density,
)
from dpbounds.language.symbols import index, nonnegative, positive, positive_integer, real

DIGITS = 60
_TOLD = 100
"""Statements after which the number so far is told."""
s, t = positive("s t")
e = nonnegative("e")
x, y = real("x"), nonnegative("y")
i, n = index("i"), positive_integer("n")
Box = dict[sympy.Symbol, tuple[Fraction, Fraction]]


@dataclass(frozen=True)
class Case:
    """A quantity on a box, and its largest value there.

    Attributes:
        kind: what it is made of.
        quantity: the expression.
        box: the range of each parameter.
        largest: its largest value, by mpmath.
    """

    kind: str
    quantity: Expr
    box: Box
    largest: Any

    def claim(self, room: Fraction, *, true: bool) -> Claim:
        """The quantity is at most its largest value with room above; or below, which is false."""
        factor = 1 + room if true else 1 - room
        with mpmath.workdps(DIGITS):
            bound = Fraction(mpmath.nstr(self.largest, 40)) * factor
            bound = bound.limit_denominator(10**6) if abs(bound) > Fraction(1, 100) else bound
        given = [r for v, (low, high) in self.box.items() for r in (v >= Rational(str(low)), v <= Rational(str(high)))]
        then = sympy.Le(self.quantity, Rational(bound.numerator, bound.denominator), evaluate=False)
        return Claim(id=f"{self.kind}.{'true' if true else 'false'}", text="", given=given, then=then)


def _range(rng: random.Random, low: int, high: int, scale: int = 8) -> tuple[Fraction, Fraction]:
    """A short range between low/scale and high/scale."""
    first = Fraction(rng.randint(low, high), scale)
    return first, first + Fraction(rng.choice((1, 2, 4)), 4 * scale)


def _quad(f: Callable[[Any], Any], *points: Any) -> Any:
    return mpmath.quad(f, list(points))


def integrals(rng: random.Random) -> Case:
    """∫ of a decreasing function of s, over a bounded or an unbounded range, with denominators."""
    box = {s: _range(rng, 4, 16)}
    low, k = mpmath.mpf(str(float(box[s][0]))), rng.randint(0, 3)
    top = rng.choice((1, 2, oo))
    kind = rng.randint(0, 4)
    forms: list[tuple[Expr, Callable[[Any], Any]]] = [
        (y**k * exp(-s * y), lambda u: u**k * mpmath.exp(-low * u)),
        (exp(-s * y) / (1 + y), lambda u: mpmath.exp(-low * u) / (1 + u)),
        (exp(-s * y**2) / (1 + s * y), lambda u: mpmath.exp(-low * u**2) / (1 + low * u)),
        (log(1 + exp(-s * y)), lambda u: mpmath.log(1 + mpmath.exp(-low * u))),
        (exp(-s * y) / sqrt(1 + y**2), lambda u: mpmath.exp(-low * u) / mpmath.sqrt(1 + u**2)),
    ]
    expression, own = forms[kind]
    ends = (0, 1, 4, 20, 400) if top is oo else (0, mpmath.mpf(top) / 2, top)
    return Case("integral", Integral(expression, (y, 0, top)), box, _quad(own, *ends))


def sums(rng: random.Random) -> Case:
    """Σ of decreasing terms, of a few, n or infinitely many."""
    box = {s: _range(rng, 4, 16)}
    low = mpmath.mpf(str(float(box[s][0])))
    kind, top = rng.randint(0, 2), rng.choice((5, 40, oo))
    forms: list[tuple[Expr, Callable[[Any], Any]]] = [
        (exp(-s * i), lambda k: mpmath.exp(-low * k)),
        (i * exp(-s * i**2), lambda k: k * mpmath.exp(-low * k**2)),
        (exp(-s * i) / (i + s), lambda k: mpmath.exp(-low * k) / (k + low)),
    ]
    expression, own = forms[kind]
    if top != oo and rng.random() < 0.5:
        length = rng.randint(2, 6)
        box[n] = (Fraction(length - 1), Fraction(length))
        return Case("sum", Sum(expression, (i, 1, n)), box, mpmath.fsum(own(k) for k in range(1, length + 1)))
    return Case("sum", Sum(expression, (i, 1, top)), box, mpmath.fsum(own(k) for k in range(1, (400 if top is oo else top) + 1)))


def tables(rng: random.Random) -> Case:
    """Divergences of two tables of numbers, mixed with rate s: they are convex and grow with s."""
    size = rng.randint(2, 4)
    first, second = ([rng.randint(1, 9) for _ in range(size)] for _ in range(2))
    p, q = ([Rational(w, sum(row)) for w in row] for row in (first, second))
    box = {s: (Fraction(rng.randint(1, 6), 8), Fraction(7, 8))}
    mixed = [(1 - s) * b + s * a for a, b in zip(p, q, strict=True)]
    top = [mpmath.mpf(7) / 8 * _mp(a) + _mp(b) / 8 for a, b in zip(p, q, strict=True)]
    base = [_mp(b) for b in q]
    kind, order = rng.randint(0, 2), rng.choice((2, 3, Rational(5, 2)))
    if kind == 0:
        return Case("table", KLDivergence(mixed, q), box, mpmath.fsum(a * mpmath.log(a / b) for a, b in zip(top, base, strict=True)))
    if kind == 1:
        moment = mpmath.fsum(a ** _mp(order) * b ** (1 - _mp(order)) for a, b in zip(top, base, strict=True))
        return Case("table", RenyiDivergence(order, mixed, q), box, mpmath.log(moment) / (_mp(order) - 1))
    return Case("table", HockeyStick(0, mixed, q), box, mpmath.fsum(max(a - b, 0) for a, b in zip(top, base, strict=True)))


def _mp(value: Any) -> Any:
    return mpmath.mpf(int(value.p)) / int(value.q) if hasattr(value, "p") else mpmath.mpf(value)


def densities(rng: random.Random) -> Case:
    """Hockey sticks, distances and divergences of two densities on the line; they fall in the scale and in ε."""
    box = {s: _range(rng, 8, 16)}
    low = mpmath.mpf(str(float(box[s][0])))
    line, kind = (x, -oo, oo), rng.randint(0, 3)
    gauss, laplace = (normal_density(x, m, s) for m in (1, 0)), (laplace_density(x, m, s) for m in (1, 0))
    if kind == 0:
        box[e] = (Fraction(0), Fraction(1, 8))
        return Case("density", HockeyStick(e, *laplace, line), box, 1 - mpmath.exp(-1 / (2 * low)))
    if kind == 1:
        return Case("density", KLDivergence(*laplace, line), box, 1 / low - 1 + mpmath.exp(-1 / low))
    if kind == 2:
        first, second = gauss
        return Case("density", Integral(Abs(first - second), line) / 2, box, mpmath.erf(1 / (2 * mpmath.sqrt(2) * low)))
    return Case("density", RenyiDivergence(2, *gauss, line), box, 1 / low**2)


def mechanisms(rng: random.Random) -> Case:
    """Sampled Gaussian and Laplace noise, by integrals of their densities."""
    box = {s: _range(rng, 8, 16), t: _range(rng, 1, 4)}
    low, rate = mpmath.mpf(str(float(box[s][0]))), mpmath.mpf(str(float(box[t][1])))
    kind = rng.randint(0, 3)

    def gaussian(u: Any) -> tuple[Any, Any]:
        return mpmath.npdf(u, 1, low) * rate + (1 - rate) * mpmath.npdf(u, 0, low), mpmath.npdf(u, 0, low)

    def laplace(u: Any) -> tuple[Any, Any]:
        first, second = (mpmath.exp(-abs(u - m) / low) / (2 * low) for m in (1, 0))
        return rate * first + (1 - rate) * second, second

    def moment(pair: Callable[[Any], tuple[Any, Any]], order: Any) -> Any:
        return mpmath.log(_quad(lambda u: pair(u)[0] ** order * pair(u)[1] ** (1 - order), -200, -40, -8, 0, 1, 8, 40, 200)) / (order - 1)

    if kind == 0:
        order = rng.choice((2, 3, Rational(5, 2)))
        return Case("mechanism", SampledGaussianRenyi(order, s, t), box, moment(gaussian, _mp(order)))
    if kind == 1:
        return Case("mechanism", mechanism_renyi(3, laplace_scale=s, q=t, direction="remove"), box, moment(laplace, 3))
    growth = mpmath.exp(mpmath.mpf(1) / 8)
    pair = gaussian if kind == 2 else laplace
    name = {"sigma": s} if kind == 2 else {"laplace_scale": s}
    # The loss grows with the outcome, so that the hockey stick is an integral beyond one point.
    start = low**2 * mpmath.log((growth - 1 + rate) / rate) + mpmath.mpf(1) / 2
    if kind == 3:
        loss = mpmath.log((growth - 1 + rate) / rate) * low
        if loss >= 1:
            return mechanisms(rng)
        start = (1 + loss) / 2
    value = _quad(lambda u: pair(u)[0] - growth * pair(u)[1], start, max(start, 1), 8, 40, 200)
    return Case("mechanism", mechanism_delta(Rational(1, 8), direction="remove", q=t, **name), box, value)


def others(rng: random.Random) -> Case:
    """Suprema and quantiles."""
    box = {s: _range(rng, 8, 16)}
    low = mpmath.mpf(str(float(box[s][0])))
    if rng.random() < 0.5:
        return Case("supremum", Supremum(t * exp(-s * t), (t, 0, 4)), box, 1 / (mpmath.e * low))
    high = mpmath.mpf(str(float(box[s][1]))) / 3
    return Case("quantile", NormalQuantile(s / 3), box, mpmath.sqrt(2) * mpmath.erfinv(2 * high - 1))


KINDS = {"integrals": integrals, "sums": sums, "tables": tables, "densities": densities, "mechanisms": mechanisms, "others": others}


def cases(count: int, seed: int, kinds: Sequence[str]) -> Iterator[Case]:
    """So many cases; the same for the same seed."""
    rng = random.Random(seed)
    with mpmath.workdps(DIGITS):
        for k in range(count):
            case = KINDS[kinds[k % len(kinds)]](rng)
            if case.largest > mpmath.mpf(10) ** -12:
                yield case


def main(arguments: Sequence[str] | None = None) -> None:
    """Settle both statements of each case, replay what is settled, and count."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.fuzz", description="Random lemmas with the truth from mpmath.")
    parser.add_argument("kinds", nargs="*", help=f"of {', '.join(KINDS)} (default: all)")
    parser.add_argument("--cases", type=int, default=60)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--budget", type=float, default=10.0, help="processor seconds for each statement")
    options = parser.parse_args(arguments)
    counts: dict[str, list[int]] = {}
    times: list[float] = []
    for number, case in enumerate(cases(options.cases, options.seed, options.kinds or list(KINDS))):
        room = (Fraction(1, 10), Fraction(1, 100))[number % 2]
        for true in (True, False):
            claim = case.claim(room, true=true)
            start = time.process_time()
            outcome = settle(claim, budget=options.budget, contained=True)
            times.append(time.process_time() - start)
            row = counts.setdefault(case.kind, [0, 0, 0])
            row[0] += 1
            row[1] += outcome.verdict.holds is true
            wrong = outcome.verdict.holds is (not true)
            if outcome.certificate is not None:
                try:
                    wrong = wrong or replay(outcome.certificate, claim).verdict is not outcome.verdict
                except CertificateError as error:
                    print(f"replay: {error}")
                    wrong = True
            row[2] += wrong
            if outcome.verdict.holds is not true:
                print(
                    f"{'WRONG' if wrong else 'open'} {claim.id} room {room}: {claim.then} {claim.given}: {outcome.detail[:120]}", flush=True
                )
            if sum(row[0] for row in counts.values()) % _TOLD == 0:
                print(
                    f"... {sum(row[0] for row in counts.values())} statements, {sum(row[1] for row in counts.values())} settled", flush=True
                )
    for kind, (total, settled, wrong_ones) in counts.items():
        print(f"{kind:10s} {settled:4d} of {total:4d} settled, {wrong_ones} wrong")
    total, settled, wrong_ones = (sum(row[k] for row in counts.values()) for k in range(3))
    print(f"{'all':10s} {settled:4d} of {total:4d} settled ({100 * settled / max(1, total):.1f} %), {wrong_ones} wrong; {sum(times):.0f} s")


if __name__ == "__main__":
    main()
