"""The mpmath second opinion agrees with the certified enclosures."""

from fractions import Fraction

import mpmath
import pytest

from dpbounds import accounting
from dpbounds.errors import InputError
from dpbounds.mechanisms import Composed, FiniteTable, Gaussian, Laplace, PoissonSampling, RandomizedResponse, Repeated, Sampled
from dpbounds.oracle.delta import approx_delta


def poisson(noise, q, steps=1):
    return Repeated(Sampled(noise, PoissonSampling(q)), steps)


TABLE = FiniteTable(["1/2", "1/4", "1/4"], ["1/4", "1/4", "1/2"])


@pytest.mark.parametrize(
    ("mechanism", "epsilon", "options"),
    [
        (Gaussian("1.5"), "0.5", {}),
        (poisson(Gaussian(2), "0.1"), "0.05", {"direction": "remove"}),
        (poisson(Gaussian("0.5"), "0.3"), "0.2", {"direction": "add"}),
        (poisson(Gaussian(1), "0.25"), "0.5", {"relation": "substitute"}),
        (Laplace(2), "0.1", {}),
        (poisson(Laplace(1), "0.3"), "0.1", {"direction": "remove"}),
        (poisson(Laplace(1), "0.3"), "0.1", {"direction": "add"}),
        (Repeated(RandomizedResponse("0.3"), 40), "2", {}),
        (Repeated(TABLE, 12), "1", {}),
        (poisson(TABLE, "0.2", 10), "0.1", {"direction": "add"}),
        (Composed([RandomizedResponse(1), Repeated(TABLE, 3)]), "1", {}),
    ],
)
def test_direct_values(mechanism, epsilon, options):
    agree(mechanism, epsilon, 18, options)


@pytest.mark.parametrize(
    ("mechanism", "epsilon", "options"),
    [
        (poisson(Gaussian("1.5"), "0.05", 500), "1", {"direction": "remove"}),
        (poisson(Gaussian("1.5"), "0.05", 500), "0.8", {"direction": "add"}),
        (poisson(Gaussian(2), "0.1", 100), "1", {"relation": "substitute"}),
        (Composed([poisson(Gaussian(2), "0.05", 300), Gaussian(3)]), "1.5", {"direction": "remove"}),
    ],
)
def test_composed_values(mechanism, epsilon, options):
    agree(mechanism, epsilon, 15, options)


def agree(mechanism, epsilon, digits, options):
    second = approx_delta(mechanism, epsilon, digits, **options)
    certified = accounting.delta(mechanism, epsilon, digits=digits + 5, **options).enclosure
    with mpmath.workdps(60):
        value = Fraction(int(second * mpmath.mpf(2) ** 190), 2**190)
    tolerance = certified.upper * Fraction(1, 10 ** (digits - 1))
    assert certified.lower - tolerance <= value <= certified.upper + tolerance


def test_refusals():
    with pytest.raises(InputError):
        approx_delta(Gaussian(1), -1)
    with pytest.raises(InputError):
        approx_delta(Repeated(Laplace(1), 2), 1)
