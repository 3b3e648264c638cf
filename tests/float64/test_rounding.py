"""The named assumptions of the rounding model, sampled against mpmath."""

import mpmath
import numpy as np
import pytest
from scipy import fft, special

from dpbounds.float64 import rounding

U = rounding.UNIT_ROUNDOFF
RNG = np.random.default_rng(20200826)


def worst(function, exact, points):
    """Largest relative error over the points."""
    with mpmath.workdps(40):
        values = [(float(function(x)), exact(mpmath.mpf(float(x)))) for x in points]
        return max(float(abs((mpmath.mpf(found) - true) / true)) for found, true in values)


LIBM_CASES = {
    "exp": (np.exp, mpmath.exp, RNG.uniform(-700, 700, 400)),
    "expm1": (np.expm1, mpmath.expm1, np.concatenate((RNG.uniform(-3, 3, 300), 10 ** RNG.uniform(-12, 0, 100)))),
    "log": (np.log, mpmath.log, np.concatenate((RNG.uniform(0.5, 2, 300), 10 ** RNG.uniform(-300, 300, 100)))),
    "log1p": (np.log1p, mpmath.log1p, np.concatenate((RNG.uniform(-0.99, 3, 300), -(10 ** RNG.uniform(-12, -0.01, 100))))),
}
SPECIAL_CASES = {
    "erfcx": (
        special.erfcx,
        lambda x: mpmath.exp(x * x) * mpmath.erfc(x),
        np.append(RNG.uniform(-5, 5, 300), 10 ** RNG.uniform(0, 2, 100)),
    ),
    "log_ndtr": (special.log_ndtr, lambda x: mpmath.log(mpmath.erfc(-x / mpmath.sqrt(2)) / 2), RNG.uniform(-40, 8, 400)),
    "gammaln": (special.gammaln, mpmath.loggamma, np.floor(10 ** RNG.uniform(0.7, 7, 300))),
}


@pytest.mark.parametrize("name", LIBM_CASES)
def test_libm_is_within_the_stated_ulps(name):
    assert worst(*LIBM_CASES[name]) <= rounding.LIBM


def test_arctan2_is_within_the_stated_ulps():
    for y, x in zip(RNG.normal(size=300), RNG.normal(size=300), strict=True):
        with mpmath.workdps(40):
            exact = mpmath.atan2(mpmath.mpf(float(y)), mpmath.mpf(float(x)))
            assert float(abs((mpmath.mpf(float(np.arctan2(y, x))) - exact) / exact)) <= rounding.LIBM


def test_absolute_values_of_complex_numbers_are_within_the_stated_ulps():
    points = (RNG.normal(size=400) + 1j * RNG.normal(size=400) * 10 ** RNG.uniform(-9, 9, 400)) * 10 ** RNG.uniform(-250, 250, 400)
    with mpmath.workdps(40):
        errors = [
            abs(mpmath.mpf(float(size)) / mpmath.hypot(mpmath.mpf(z.real), mpmath.mpf(z.imag)) - 1)
            for z, size in zip(points, np.abs(points), strict=True)
        ]
    assert float(max(errors)) <= rounding.HYPOT


@pytest.mark.parametrize("name", SPECIAL_CASES)
def test_special_functions_are_within_the_stated_ulps(name):
    assert worst(*SPECIAL_CASES[name]) <= rounding.SPECIAL


@pytest.mark.parametrize("function", ["cos", "sin"])
def test_cosine_and_sine_are_within_the_stated_ulps_of_one(function):
    points = RNG.uniform(-2000, 2000, 400)
    found = getattr(np, function)(points)
    with mpmath.workdps(40):
        errors = [abs(mpmath.mpf(float(v)) - getattr(mpmath, function)(mpmath.mpf(float(x)))) for x, v in zip(points, found, strict=True)]
    assert float(max(errors)) <= rounding.LIBM


def test_the_sine_of_a_small_angle_is_within_the_stated_ulps_of_itself():
    angles = np.concatenate((RNG.uniform(-1, 1, 300), 10 ** RNG.uniform(-300, 0, 300)))
    assert worst(np.sin, mpmath.sin, angles) <= rounding.LIBM


@pytest.mark.parametrize("points", [64, 243, 360])
def test_the_fft_error_is_within_the_model(points):
    """Against a direct transform with 113-bit complex exponentials."""
    x = RNG.exponential(size=points) * np.exp(-np.arange(points) / 7.0)
    found = fft.rfft(x)
    with mpmath.workprec(113):
        roots = [mpmath.expjpi(mpmath.mpf(-2 * index) / points) for index in range(points)]
        terms = [mpmath.mpf(float(value)) for value in x]
        exact = [mpmath.fsum(term * roots[(j * k) % points] for j, term in enumerate(terms)) for k in range(points // 2 + 1)]
        error = mpmath.sqrt(mpmath.fsum(abs(mpmath.mpc(complex(a)) - b) ** 2 for a, b in zip(found, exact, strict=True)))
        norm = mpmath.sqrt(mpmath.fsum(abs(b) ** 2 for b in exact))
    assert 0 < float(error) <= rounding.fft_error(points) * float(norm)


@pytest.mark.parametrize("terms", [5, 100, 129, 1000, 100_003])
def test_pairwise_sums_are_within_the_model(terms):
    rows = np.exp(RNG.uniform(-3, 3, (3, terms)))
    with mpmath.workprec(200):
        for row, found in zip(rows, rows.sum(axis=1), strict=True):
            exact = mpmath.fsum(mpmath.mpf(float(value)) for value in row)
            assert float(abs(exact - mpmath.mpf(float(found)))) <= rounding.sum_error(terms) * float(exact)


@pytest.mark.parametrize("terms", [5, 128, 1000])
def test_inner_products_of_matrices_are_within_the_model(terms):
    """Terms of one sign, where the bound n·u·Σ|ab| is nearest."""
    left, right = RNG.exponential(size=(4, terms)), RNG.exponential(size=(terms, 3))
    found = left @ right
    with mpmath.workprec(200):
        for row, column in np.ndindex(found.shape):
            exact = mpmath.fsum(mpmath.mpf(float(a)) * mpmath.mpf(float(b)) for a, b in zip(left[row], right[:, column], strict=True))
            assert float(abs(exact - mpmath.mpf(float(found[row, column])))) <= terms * rounding.UNIT_ROUNDOFF * float(exact)
