"""The closed forms of delta against the integral of the definition, by quadrature in mpmath that shares nothing with them.

Finder and replay both write these quantities out, so no certificate would show a wrong sign. At many exact points, both directions: a sign
or a factor that is changed anywhere in a closed form misses the integral by far more than the 1e-12 allowed here.
"""

import mpmath
import pytest
from sympy import Rational

from dpbounds.language import enclose
from dpbounds.language.functions import GaussianDelta, GaussianRenyi, SampledGaussianDelta, SubstituteGaussianDelta
from dpbounds.numbers import balls

DIGITS = 25
R = Rational
EPSILONS = [R(0), R(1, 10), R(1, 2), R(1), R(5, 2)]
SIGMAS = [R(1, 2), R(1), R(13, 5)]
RATES = [R(1, 100), R(3, 10), R(9, 10), R(1)]


def density(x, mean, sigma):
    return mpmath.exp(-((x - mean) ** 2) / (2 * sigma**2)) / (sigma * mpmath.sqrt(2 * mpmath.pi))


def hockey_stick(epsilon, p, q, sigma):
    """The integral of max(p − e^ε q, 0), cut where the integrand changes its sign."""
    order = mpmath.exp(epsilon)

    def difference(x):
        return p(x) - order * q(x)

    grid = [mpmath.mpf(k) * sigma / 4 for k in range(-60, 65)]
    cuts = [grid[0]]
    for low, high in zip(grid, grid[1:], strict=False):
        first, last = difference(low), difference(high)
        if (first > 0) != (last > 0):
            for _ in range(90):
                middle = (low + high) / 2
                low, high = (middle, high) if (difference(middle) > 0) == (first > 0) else (low, middle)
            cuts.append(low)
    cuts.append(grid[-1])
    total = mpmath.mpf(0)
    for low, high in zip(cuts, cuts[1:], strict=False):
        if difference((low + high) / 2) > 0:
            pieces = max(2, int((high - low) / (2 * sigma)) + 1)
            total += mpmath.quad(difference, mpmath.linspace(low, high, pieces + 1))
    return total


def number(value):
    return mpmath.mpf(value.p) / value.q


def agrees(quantity, wanted):
    """The elementary form, in balls, contains the integral up to the error of the quadrature."""
    with balls.precision(120):
        found = balls.Enclosure.of_ball(enclose.compile_expression(quantity.elementary(), ())([]))
    low, high = (mpmath.mpf(end.numerator) / end.denominator for end in (found.lower, found.upper))
    return low - mpmath.mpf(10) ** -12 <= wanted <= high + mpmath.mpf(10) ** -12


def mixture(rate, mean, sigma):
    return lambda x: rate * density(x, mean, sigma) + (1 - rate) * density(x, 0, sigma)


@pytest.mark.parametrize("sigma", SIGMAS)
@pytest.mark.parametrize("epsilon", [R(-1), R(-1, 3), *EPSILONS])
def test_gaussian(epsilon, sigma):
    with mpmath.workdps(DIGITS):
        for sensitivity in (R(1, 3), R(1), R(2)):
            s, shift = number(sigma), number(sensitivity)
            wanted = hockey_stick(number(epsilon), lambda x: density(x, shift, s), lambda x: density(x, 0, s), s)  # noqa: B023
            assert agrees(GaussianDelta(epsilon, sigma, sensitivity), wanted)


@pytest.mark.parametrize("sigma", SIGMAS)
@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize("direction", ["remove", "add"])
def test_sampled_gaussian(rate, sigma, direction):
    with mpmath.workdps(DIGITS):
        s = number(sigma)
        mixed, base = mixture(number(rate), 1, s), mixture(0, 1, s)
        p, q = (mixed, base) if direction == "remove" else (base, mixed)
        for epsilon in EPSILONS:
            assert agrees(SampledGaussianDelta(epsilon, sigma, rate, 1, direction), hockey_stick(number(epsilon), p, q, s))


@pytest.mark.parametrize("sigma", SIGMAS)
@pytest.mark.parametrize("rate", RATES)
def test_substitute(rate, sigma):
    with mpmath.workdps(DIGITS):
        s = number(sigma)
        for epsilon in EPSILONS:
            wanted = hockey_stick(number(epsilon), mixture(number(rate), 1, s), mixture(number(rate), -1, s), s)
            assert agrees(SubstituteGaussianDelta(epsilon, sigma, rate), wanted)


def test_gaussian_renyi():
    with mpmath.workdps(DIGITS):
        for order, sigma, sensitivity in [(R(3, 2), R(1), R(1)), (R(2), R(1, 2), R(1, 3)), (R(5), R(13, 5), R(2))]:
            a, s, shift = number(order), number(sigma), number(sensitivity)
            places = mpmath.linspace(a * shift - 14 * s, a * shift + 14 * s, 15)
            moment = mpmath.quad(lambda x: density(x, shift, s) ** a * density(x, 0, s) ** (1 - a), places)  # noqa: B023
            assert agrees(GaussianRenyi(order, sigma, sensitivity), mpmath.log(moment) / (a - 1))
