"""The moment behind Theorem 8 of Koskela et al.: its two parts, each by quadrature, against the bounds of the derivation."""

import mpmath
import pytest
from sympy import Rational

from dpbounds.renyi.curves import PoissonGaussianCurve
from dpbounds.theory.sampling import moment_tail

GROWTH = mpmath.mpf(moment_tail.GROWTH.p) / moment_tail.GROWTH.q
POINTS = [(4, "0.2", "4.1"), (4, "0.999", "4"), (6, "0.01", "30"), (40, "0.2", "50"), (5, "1e-6", "100")]


def parts_of(sigma, q, order):
    """E (1+u)^{λ+1} below and above w = c, and the bounds on both, by mpmath."""
    s, rate, power = mpmath.mpf(sigma), mpmath.mpf(q), mpmath.mpf(order) + 1
    cut = mpmath.log1p(1 / (rate * (power - 2)))
    edge = s**2 * cut + mpmath.mpf(1) / 2

    def term(y):
        return (1 - rate + rate * mpmath.exp((2 * y - 1) / (2 * s**2))) ** power * mpmath.npdf(y, 0, s)

    below = mpmath.quad(term, [-14 * s, -2 * s, 0, min(edge, 2 * s), edge] if edge > 0 else [-14 * s, edge])
    above = mpmath.quad(term, [edge, edge + s, edge + 4 * s, edge + 14 * s])
    near = 1 + GROWTH * power * (power - 1) * rate**2 * mpmath.expm1(1 / s**2)
    far = (1 + 1 / (power - 2)) ** power * mpmath.exp(-(s**2) * cut**2 / 2 - cut / 2) / 2
    return (below, near), (above, far), power * (power - 1) * rate**2 / s**2


@pytest.mark.parametrize("point", POINTS)
def test_each_part_lies_below_its_bound(point):
    (below, near), (above, far), unit = parts_of(*point)
    assert 0 < below <= near and 0 < above <= far
    assert near + far <= 1 + 2 * unit
    sigma, q, order = point
    divergence = PoissonGaussianCurve(sigma, q).certified_divergence(str(mpmath.mpf(order) + 1), 12)
    exact = mpmath.exp(mpmath.mpf(order) * mpmath.mpf(float(divergence.upper)))
    assert abs(below + above - exact) <= mpmath.mpf("1e-9") * exact


def test_no_term_can_be_dropped():
    """Half of the quadratic term is too little, and so is a third of what bounds the tail."""
    (below, near), _, _ = parts_of(4, "0.001", "20")
    assert below - 1 > (near - 1) / 2
    _, (above, far), _ = parts_of(4, "0.999", "4")
    assert above > far / 3


def test_the_constants_leave_room_for_what_is_printed():
    first = 16 * GROWTH * mpmath.expm1(mpmath.mpf(1) / 16)
    anywhere, far_out = (mpmath.mpf(str(value.evalf(20))) / 2 for value in (moment_tail.ANYWHERE, moment_tail.FAR_OUT))
    assert mpmath.e - 2 <= GROWTH <= Rational(721, 1000)
    assert 1.97 < first + anywhere < 2 and 0.9 < first + far_out < Rational(23, 25)
    for z, s in ((z / 20, s) for z in range(1, 200) for s in (4, 5, 10, 100)):
        c = mpmath.mpf(z) / s
        value = mpmath.expm1(c) ** 2 * s**2 * mpmath.exp(1 - c / 2 - mpmath.mpf(z) ** 2 / 2)
        assert value <= 2 * anywhere and (z**2 < 10 or value <= 2 * far_out)
