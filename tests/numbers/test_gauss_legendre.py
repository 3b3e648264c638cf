"""The error of a Gauss–Legendre panel: Chebyshev polynomials nearly need all of the bound."""

import pytest
from flint import arb

from dpbounds.numbers import gauss_legendre
from dpbounds.numbers.gauss_legendre import Panel


@pytest.mark.parametrize("rho", [3, 1.5])
@pytest.mark.parametrize("order", [1, 2, 5])
@pytest.mark.parametrize("half", [1.0, 0.25])
def test_what_a_rule_misses_of_the_first_polynomial_beyond_it(order, half, rho):
    """T_{2N}, |T_{2N}| ≤ (ρ^{2N} + ρ^{−2N})/2 in the ellipse, integral 2w/(1 − 4N²)."""
    rule = Panel(-half, half, order, arb(0), arb(0)).nodes()
    found = sum((weight * (node / half).chebyshev_t(2 * order) for node, weight in rule), arb(0))
    missed = abs(found - 2 * arb(half) / (1 - 4 * order**2))
    largest = (arb(rho) ** (2 * order) + arb(rho) ** (-2 * order)) / 2
    bound = gauss_legendre.panel_error(arb(half), largest, order, rho)
    assert bound / 8 < missed <= bound
