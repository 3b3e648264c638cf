"""Limits against values that are known, and expansions that must be refused."""

from fractions import Fraction
from typing import Any

import mpmath
import pytest
import sympy

from dpbounds.descent import polynomials as poly
from dpbounds.descent.limits import lower_limit
from dpbounds.descent.polynomials import ONE
from dpbounds.descent.reading import TowerReader
from dpbounds.descent.refusal import DescentRefused
from dpbounds.descent.search.building import Canonical
from dpbounds.descent.tower import Tower
from dpbounds.language.functions import NormalCDF

x = sympy.Symbol("x", real=True)
a = sympy.Symbol("a", real=True)
OPEN, HALF, UNIT = (None, None), (Fraction(0), None), (Fraction(0), Fraction(1))


def limit_of(expression: Any, ends: Any, side: int, order: int = 3, **others: Any) -> Any:
    """The limit of an expression in x, over the tower it came with."""
    free = Tower()
    value = TowerReader(free, {"x": ends, **others}, {}).read(sympy.sympify(expression))
    canonical = Canonical(free)
    n, d = canonical.through(value)
    tower = canonical.tower
    end = ends[0] if side == 1 else ends[1]
    way = side if end is not None else -side
    return lower_limit(tower, n, d, tower.index_of("x"), end, way, order)


def number_of(found: Any) -> tuple[Fraction, Fraction]:
    target, value = found
    bracket = target._values_of(value)
    assert bracket is not None
    return bracket


@pytest.mark.parametrize(
    ("expression", "ends", "side", "value"),
    [
        (x * sympy.log(1 + 1 / x), HALF, -1, 1),
        ((1 + x) * sympy.log(1 + x) - x * sympy.log(x) - sympy.log(x), HALF, -1, 1),
        (sympy.log(1 + 2 * x) - sympy.log(1 + x), HALF, -1, sympy.log(2)),
        (sympy.log(1 + sympy.exp(x)) - x, HALF, -1, 0),
        ((sympy.exp(x) - 1 - x) / x**2, HALF, 1, sympy.Rational(1, 2)),
        (x * sympy.log(x), UNIT, 1, 0),
        (sympy.log(x) / (1 - x), UNIT, -1, -1),
        (sympy.sqrt(x + sympy.sqrt(x)) - sympy.sqrt(x), HALF, -1, sympy.Rational(1, 2)),
        (x * NormalCDF(-x) * sympy.exp(x**2 / 2), HALF, -1, 1 / sympy.sqrt(2 * sympy.pi)),
        (NormalCDF(x), OPEN, -1, 1),
        (NormalCDF(x), OPEN, 1, 0),
        (NormalCDF(1 / x), HALF, -1, sympy.Rational(1, 2)),
        ((NormalCDF(x) - sympy.Rational(1, 2)) / 1, HALF, 1, 0),
        (x**2 * sympy.exp(-x), HALF, -1, 0),
        (sympy.exp(sympy.sqrt(x)) * sympy.exp(-x), HALF, -1, 0),
        (sympy.log(x) ** 3 / x, HALF, -1, 0),
    ],
)
def test_a_limit_is_what_it_is(expression: Any, ends: Any, side: int, value: Any) -> None:
    low, high = number_of(limit_of(expression, ends, side))
    with mpmath.workdps(60):
        exact = mpmath.mpf(str(sympy.N(value, 50)))
        below, above = (mpmath.mpf(end.numerator) / end.denominator for end in (low, high))
        assert below - mpmath.mpf(10) ** -45 <= exact <= above + mpmath.mpf(10) ** -45
        assert above - below <= 1e-15


@pytest.mark.parametrize(
    ("expression", "ends", "side"),
    [
        (x - sympy.log(x), HALF, -1),
        (x**2 - 3 * x - sympy.log(x), HALF, -1),
        (sympy.exp(x) - x**5, HALF, -1),
        (-sympy.log(x), UNIT, 1),
        (sympy.exp(x**2 / 2) * NormalCDF(-x) * x**2, HALF, -1),
    ],
)
def test_a_function_grows_without_bound(expression: Any, ends: Any, side: int) -> None:
    assert limit_of(expression, ends, side)[1] is None


@pytest.mark.parametrize(
    ("expression", "ends", "side", "order"),
    [
        (-x, HALF, -1, 3),
        (sympy.log(x) - x, HALF, -1, 3),
        (a * x, HALF, -1, 3),  # a of any sign
        (x**5 - sympy.exp(x), HALF, -1, 3),
        ((sympy.exp(x) - 1 - x) / x**2, HALF, 1, 1),  # one term does not reach the second order
        (x**2 * (sympy.log(1 + 1 / x) - 1 / x), HALF, -1, 1),
        (-(x**2) * NormalCDF(-x) * sympy.exp(x**2 / 2), HALF, -1, 3),  # grows and is negative
        (sympy.exp(a * x), HALF, -1, 3),
    ],
)
def test_what_is_not_known_is_refused(expression: Any, ends: Any, side: int, order: int) -> None:
    with pytest.raises(DescentRefused):
        limit_of(expression, ends, side, order, a=OPEN)


def test_a_bound_of_the_normal_tail_is_not_its_limit() -> None:
    """x e^{x²/2} Φ(−x) tends to 0.3989…, while the bound e^{−x²/2}/2 alone would let it grow."""
    with pytest.raises(DescentRefused):
        limit_of(sympy.Rational(2, 5) - 2 * x**2 * NormalCDF(-x) * sympy.exp(x**2 / 2), HALF, -1)
    low, high = number_of(limit_of(sympy.Rational(2, 5) - x * NormalCDF(-x) * sympy.exp(x**2 / 2), HALF, -1))
    assert 0 < low <= high < Fraction(12, 10_000)
    low, high = number_of(limit_of(sympy.Rational(39, 100) - x * NormalCDF(-x) * sympy.exp(x**2 / 2), HALF, -1))
    assert low <= high < 0


def test_a_log_factorial_has_its_constant() -> None:
    """log n! − (n log n − n + log(n)/2) tends to log(2π)/2."""
    free = Tower()
    n = free.variable("x", (Fraction(1), None))
    gap = free.free("factorial", n)
    log = free.free("log", n)
    value = poly.sum_of([gap, n, (poly.scaled(poly.times(n[0], log[0]), -1), ONE), (poly.scaled(log[0], Fraction(-1, 2)), ONE)])
    canonical = Canonical(free)
    a, b = canonical.through(value)
    low, high = number_of(lower_limit(canonical.tower, a, b, 0, None, 1, 2))
    with mpmath.workdps(60):
        exact = mpmath.log(2 * mpmath.pi) / 2
        assert low.numerator / mpmath.mpf(low.denominator) <= exact <= high.numerator / mpmath.mpf(high.denominator)
