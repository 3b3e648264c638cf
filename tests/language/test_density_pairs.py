"""Closed forms of hockey sticks of densities, against quadrature."""

import mpmath
import pytest
import sympy
from sympy import Rational, oo

from dpbounds import mechanism_delta
from dpbounds.language.functions import GaussianDelta, HockeyStick, LossTail, laplace_density, normal_density
from dpbounds.language.symbols import integer, positive, positive_integer, real

x = real("x")
LINE = (x, -oo, oo)
PLACES = [(0, 1, 1), (Rational(3, 2), 0, Rational(1, 2)), (-1, 1, 3)]


@pytest.mark.parametrize("made", [normal_density, laplace_density])
@pytest.mark.parametrize("first, second, scale", PLACES)
@pytest.mark.parametrize("epsilon", [-4, Rational(-1, 2), 0, Rational(1, 3), 1, 6])
def test_the_closed_form_is_the_integral(made, first, second, scale, epsilon):
    p, q = made(x, first, scale), made(x, second, scale)
    form = HockeyStick(epsilon, p, q, LINE).elementary()
    assert form is not None and not form.has(sympy.Integral)
    upper, lower = (sympy.lambdify(x, density, "mpmath") for density in (p, q))
    factor = mpmath.exp(mpmath.mpf(sympy.Rational(epsilon).p) / sympy.Rational(epsilon).q)
    meeting = float(scale) ** 2 * float(epsilon) / float(first - second) + float(first + second) / 2
    ends = sorted({-60.0, float(first), float(second), max(-59.0, min(59.0, meeting)), 60.0})
    with mpmath.workdps(20):
        integral = mpmath.quad(lambda at: max(upper(at) - factor * lower(at), 0), [-mpmath.inf, *ends, mpmath.inf], maxdegree=9)
        assert abs(integral - mpmath.mpf(sympy.N(form, 20))) < 1e-6


@pytest.mark.parametrize("epsilon", [-3, 0, 2])
def test_the_tail_of_the_loss_is_that_of_a_normal_law(epsilon):
    form = LossTail(epsilon, normal_density(x, 1, 2), normal_density(x, 0, 2), LINE).elementary()
    # L = (2x − 1)/8 > ε where x > 4ε + 1/2, of N(1, 4).
    assert abs(float(form) - float(mpmath.ncdf((1 - (4 * epsilon + 0.5)) / 2))) < 1e-12


def test_nothing_else_is_recognized():
    s, m = positive("s"), real("m")
    k = integer("k")
    bell = normal_density(x, 0, s)
    pairs = [
        (normal_density(x, 1, s), normal_density(x, 0, 2 * s), LINE),
        (2 * normal_density(x, 1, s), bell, LINE),
        (normal_density(2 * x, 1, s), normal_density(2 * x, 0, s), LINE),
        (normal_density(x, m, s), bell, LINE),  # m may be 0
        (bell, bell, LINE),
        (normal_density(x, 1, m), normal_density(x, 0, m), LINE),  # m may be negative
        (normal_density(x, 1, s), bell, (x, 0, oo)),
        (normal_density(k, 1, s), normal_density(k, 0, s), (k, -oo, oo)),
        (normal_density(x, 1, s), laplace_density(x, 0, s), LINE),
    ]
    for p, q, over in pairs:
        form = HockeyStick(1, p, q, over).elementary()
        assert form is None or form.has(sympy.Max)
        assert LossTail(1, p, q, over).elementary() is None or p == q


def test_uses_of_gaussian_noise_are_one():
    sigma, n = positive("sigma"), positive_integer("n")
    assert mechanism_delta(1, sigma=sigma, steps=n).elementary() == GaussianDelta(1, sigma / sympy.sqrt(n)).elementary()
    assert mechanism_delta(1, sigma=sigma, steps=n, q="0.5").elementary() is None
