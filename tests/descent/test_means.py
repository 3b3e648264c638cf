"""Means of laws by polynomials, and powers of mixtures by those on the other side; a false twin is not settled."""

from __future__ import annotations

import mpmath
import pytest
import sympy

from dpbounds.claims.boxes.inequalities import problems_of
from dpbounds.claims.claim import Claim
from dpbounds.claims.evidence.descents import certificate_of
from dpbounds.claims.signs import with_signs
from dpbounds.descent.integrals.sums import bound_of, nodes_of
from dpbounds.descent.search.means import near, polynomials_of
from dpbounds.notation import Rational, SampledGaussianMoment, Sum, exp, factorial, index, log, oo, positive, real, sqrt

k, lam, sigma, q, alpha = index("k", start=0), positive("lam"), positive("sigma"), positive("q"), real("alpha")


def _mean(f):
    return Sum(lam**k / factorial(k) * f, (k, 0, oo))


def _claim(then, given=()):
    return with_signs(Claim(id="a", then=then, given=list(given)))


@pytest.mark.parametrize(
    ("true", "false"),
    [
        (_mean(sqrt(k)) <= sqrt(lam) * exp(lam), _mean(sqrt(k)) <= Rational(9, 10) * sqrt(lam) * exp(lam)),
        pytest.param(
            _mean(log(1 + k)) <= exp(lam) * log(1 + lam),
            _mean(log(1 + k)) <= exp(lam) * log(1 + Rational(9, 10) * lam),
            marks=pytest.mark.slow,
        ),
    ],
)
def test_a_concave_function_has_at_most_its_value_at_the_mean(true, false):
    found = certificate_of(_claim(true), 4)
    assert found is not None
    assert found is not None
    assert certificate_of(_claim(false), 0.5) is None


def test_the_tangent_is_at_the_mean_of_the_law():
    """Against the mean and the value of the function there, by mpmath."""
    (problem,) = problems_of(_claim(_mean(log(2 + k)) <= exp(lam) * log(2 + lam)))
    (node,) = nodes_of(problem)
    ((place, _),) = polynomials_of(problem, bound_of(problem, node))
    assert sympy.Mul.make_args(node.args[0])[place].has(sympy.log)
    x = sympy.Symbol("x", positive=True)
    (line,) = near(sympy.log(2 + x), x, sympy.Integer(3), sympy.Integer(3))
    law = [mpmath.exp(-3) * mpmath.mpf(3) ** j / mpmath.factorial(j) for j in range(80)]
    assert abs(sum(p * float(line.subs(x, j)) for j, p in enumerate(law)) - mpmath.log(5)) < 1e-12
    assert all(float(line.subs(x, j)) >= mpmath.log(2 + j) - 1e-12 for j in range(80))


def test_a_size_is_below_a_parabola_with_the_deviation_as_mean():
    x, m, v = sympy.symbols("x m v", positive=True)
    (bound,) = near(sympy.Abs(x - m), x, m, v)
    assert sympy.simplify(bound - ((x - m) ** 2 / sympy.sqrt(v) + sympy.sqrt(v)) / 2) == 0


@pytest.mark.slow
def test_powers_of_mixtures_beside_a_power():
    """Minkowski's inequality for the sampled Gaussian at every order; with 49/100 in the place of 1/2 it is false."""
    moment = SampledGaussianMoment(alpha, sigma, q, "remove")

    def bound(c):
        return (1 - q + q * exp(c * (alpha - 1) / sigma**2)) ** alpha

    given = [alpha > 1, q <= 1]
    found = certificate_of(_claim(moment <= bound(Rational(1, 2)), given), 20)
    assert found is not None
    assert found is not None
    assert certificate_of(_claim(moment <= bound(Rational(49, 100)), given), 4) is None
