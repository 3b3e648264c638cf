"""Boxes inside of descents: the enclosures against mpmath, and divisions that do not show what they are said to show."""

import random
from fractions import Fraction
from typing import Any

import mpmath
import pytest
from sympy import Rational, exp, log, sqrt

from dpbounds import Claim
from dpbounds.claims.evidence.descents import certificate_of
from dpbounds.covers.intervals import Arithmetic
from dpbounds.descent import polynomials as poly
from dpbounds.descent.boxes import EnclosedTower, lower_end
from dpbounds.descent.polynomials import ONE, Polynomial
from dpbounds.descent.search.building import Canonical
from dpbounds.descent.tower import Range, Tower
from dpbounds.language.functions import NormalCDF
from dpbounds.language.symbols import real

x = real("x")
UNIT: Range = (Fraction(0), Fraction(1))


def tower_of(*ranges: Range) -> Tower:
    tower = Tower()
    for name, ends in zip("xyz", ranges, strict=False):
        tower.variable(name, ends)
    return tower


def canonical_of(ends: Range) -> Tower:
    """x, exp(x), log(1 + x), Φ(x), √(1 + x), and the third root of 2 + x."""
    free = Tower()
    v, _ = free.variable("x", ends)
    for kind, inner, order in (("exp", v, 0), ("log", poly.plus(ONE, v), 0), ("phi", v, 0), ("root", poly.plus(ONE, v), 2)):
        free.free(kind, (inner, ONE), order)
    free.free("root", (poly.plus(poly.constant(2), v), ONE), 3)
    return Canonical(free).tower


def value_at(tower: Tower, p: Polynomial, place: dict[int, Any]) -> Any:
    """A polynomial at a point, by mpmath alone."""
    functions = {"exp": mpmath.exp, "log": mpmath.log, "phi": mpmath.ncdf}

    def generator(index: int) -> Any:
        g = tower.generators[index]
        if g.kind == "variable":
            return place[index]
        if g.kind == "pi":
            return +mpmath.pi
        inner = total(g.inner[0]) / total(g.inner[1])
        return mpmath.root(inner, g.order) if g.kind == "root" else functions[g.kind](inner)

    def total(q: Polynomial) -> Any:
        return mpmath.fsum(
            mpmath.mpf(c.numerator) / c.denominator * mpmath.fprod(generator(i) ** e for i, e in enumerate(m) if e) for m, c in q.items()
        )

    return total(p)


def in_powers(*coefficients: int | str) -> Polynomial:
    """Σ c·g0^k, k = 0, 1, …"""
    return {(k,) if k else (): Fraction(c) for k, c in enumerate(coefficients) if c}


def test_enclosures_hold_the_values_by_mpmath() -> None:
    rng = random.Random(3)
    tower = canonical_of((Fraction(0), Fraction(4)))
    with mpmath.workdps(40):
        for _ in range(25):
            low = Fraction(rng.randint(0, 30), 10)
            high = low + Fraction(rng.randint(0, 10), 10)
            generators = range(len(tower.generators))
            p = {tuple(rng.randint(0, 2) for _ in generators): Fraction(rng.randint(-9, 9), rng.randint(1, 5)) for _ in range(5)}
            p = {poly.stripped(m): c for m, c in p.items() if c}
            found = EnclosedTower(tower, {0: (low, high)}, Arithmetic(64)).polynomial(p)
            below = lower_end(tower, p, {0: (low, high)})
            assert below is not None
            for share in (0, 0.3, 0.5, 0.9, 1):
                at = mpmath.mpf(low.numerator) / low.denominator + share * (mpmath.mpf((high - low).numerator) / (high - low).denominator)
                value = value_at(tower, p, {0: at})
                slack = mpmath.mpf(10) ** -25 * (1 + abs(value))  # of mpmath
                ends = [mpmath.mpf(f.numerator) / f.denominator for f in map(Fraction, (*found, below))]
                assert ends[0] - slack <= value <= ends[1] + slack
                assert ends[2] - slack <= value


def test_a_lower_end_uses_slopes() -> None:
    """x − x² − 1/5 is −1/5 at least on [0, 2/5], where it rises, and 1/25 on [2/5, 3/5]; both natural enclosures reach below −3/20."""
    tower = tower_of(UNIT)
    f = in_powers("-1/5", 1, -1)
    rising, middle = (lower_end(tower, f, {0: ends}) for ends in ((Fraction(0), Fraction(2, 5)), (Fraction(2, 5), Fraction(3, 5))))
    assert rising is not None and middle is not None
    assert Fraction(-1, 5) - Fraction(1, 10**9) <= Fraction(rising) <= Fraction(-1, 5)
    assert Fraction(1, 50) <= Fraction(middle) <= Fraction(1, 25)


def test_the_mean_value_takes_the_slopes_off() -> None:
    """−(x − 1/2)² is 0 in the middle, where the slopes cancel, and −1/4 at both ends."""
    tower = tower_of(UNIT)
    low = lower_end(tower, in_powers("-1/4", 1, -1), {0: UNIT})
    assert low is not None and Fraction(low) <= Fraction(-1, 4)


@pytest.mark.parametrize(
    ("terms", "ends", "least"), [((0, 0, -1), (Fraction(-1, 100), Fraction(1)), Fraction(-1)), ((0, -1, 1), UNIT, Fraction(-1, 4))]
)
def test_a_slope_of_both_signs_takes_off_half_of_the_side(terms: tuple[int, ...], ends: Range, least: Fraction) -> None:
    """With a third of the side −x² would lie above −11/12; with its value at an end x² − x would lie above 0."""
    low = lower_end(tower_of(ends), in_powers(*terms), {0: ends})
    assert low is not None and Fraction(low) <= least


def test_a_slope_that_is_0_at_an_end_has_its_sign() -> None:
    """x² rises on [0, 1] and (1 − x)² falls: each is 0 where it is least, and less 1/4 it is −1/4 there."""
    for terms in (("-1/4", 0, 1), ("3/4", -2, 1), ("-1/4", 2, -1), ("3/4", 0, -1)):
        low = lower_end(tower_of(UNIT), in_powers(*terms), {0: UNIT})
        assert low is not None and Fraction(low) == Fraction(-1, 4)


@pytest.mark.parametrize(
    ("then", "given"),
    [
        (NormalCDF(-x) <= exp(-(x**2) / 2) / 12 + exp(-2 * x**2 / 3) / 4, [x >= 1]),
        (exp(-x) * log(1 + x) <= Rational(1, 3), [x >= 0, x <= 3]),
        (sqrt(1 + x) * exp(-x / 3) <= Rational(6, 5), [x >= 0, x <= 5]),
    ],
    ids=str,
)
def test_a_part_of_a_range_is_decided_by_boxes(then: Any, given: Any) -> None:
    claim = Claim(id="a", text="", given=given, then=then)
    found = certificate_of(claim, 4)
    assert found is not None
    assert found is not None


def test_a_twin_is_not_decided_by_boxes() -> None:
    """The largest value of e^{−x}·log(1 + x) lies above 1/4."""
    assert certificate_of(Claim(id="a", text="", given=[x >= 0, x <= 3], then=exp(-x) * log(1 + x) <= Rational(1, 4)), 0.3) is None
