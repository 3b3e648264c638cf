"""The samples guess signs by values that mpmath confirms."""

import math

import mpmath
import pytest

from dpbounds.descent import polynomials as poly
from dpbounds.descent.polynomials import ONE
from dpbounds.descent.search.samples import Samples
from dpbounds.descent.tower import Generator, Tower

X = poly.generator(0)
FUNCTIONS = {"exp": mpmath.exp, "log": mpmath.log, "phi": mpmath.ncdf, "factorial": lambda x: mpmath.loggamma(x + 1)}


def tower_with(kind, low="0", high=None, order=0):
    tower = Tower()
    tower.variable("x", (poly.Fraction(low), None if high is None else poly.Fraction(high)))
    density = (((0, 1),), 0, 0) if kind == "phi" else None
    tower.generators.append(Generator(kind, (X, ONE), order=order, density=density))
    tower.ranges.append((None, None))
    return tower


@pytest.mark.parametrize("kind", FUNCTIONS)
def test_values_of_functions(kind):
    samples = Samples(tower_with(kind), {"x": (poly.Fraction(0), None)})
    for block in samples._blocks:
        for x, value in zip(block.points["x"], block.power(1, 1), strict=True):
            assert abs(value - FUNCTIONS[kind](x)) <= 1e-13 * max(1, abs(FUNCTIONS[kind](x))) or math.isinf(value) and x > 700


def test_signs_are_seen_and_premises_restrict_them():
    samples = Samples(tower_with("exp"), {"x": (poly.Fraction(0), None)})
    one_less = poly.minus(X, ONE)
    assert samples.seen(X) == {1} and samples.seen(poly.scaled(X, -1)) == {-1} and samples.seen({}) == set()
    assert samples.seen(one_less) == {1, -1} and samples.seen(one_less, [one_less]) == {1}
    assert samples.seen(poly.minus(poly.minus(poly.generator(1), ONE), X)) == {1}  # e^x − 1 − x


def test_rounding_shows_no_sign():
    """(x + 1)² − x² − 2x − 1, whose terms were not put together, is rounding at most."""
    samples = Samples(tower_with("root", order=2), {"x": (poly.Fraction(0), None)})
    root = poly.generator(1)
    assert samples.seen(poly.minus(poly.times(root, root), X)) == set()


def test_what_has_no_value_shows_nothing():
    samples = Samples(tower_with("log", low="-1", high="0"), {"x": (poly.Fraction(-1), poly.Fraction(0))})
    assert samples.seen(poly.generator(1)) == set()
    assert samples.median((poly.generator(1), ONE)) == 0


def test_falls_through_zero():
    samples = Samples(tower_with("exp", high="4"), {"x": (poly.Fraction(0), poly.Fraction(4))})
    falling = poly.minus(poly.constant(2), X)
    assert samples.falls_through_zero(falling, 0) and not samples.falls_through_zero(poly.scaled(falling, -1), 0)
