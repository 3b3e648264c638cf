"""δ(ε) of a Gaussian by its Rényi divergence: the bound against δ itself, and each condition."""

import functools
from typing import Any

import mpmath
import pytest
import sympy
from sympy import exp, sqrt

from dpbounds import Claim
from dpbounds.claims.evidence.descents import certificate_of
from dpbounds.descent.moments import moment_bound
from dpbounds.language.functions import GaussianDelta
from dpbounds.language.symbols import positive
from tests.descent.statements import claim as claim_of

epsilon, sigma, alpha, rho, a = positive("epsilon sigma alpha rho a")
R = sympy.Rational
delta = GaussianDelta(epsilon, sigma, 1)


TRUE: dict[str, Claim] = {
    "any order": claim_of(delta <= exp((alpha - 1) * (alpha / (2 * sigma**2) - epsilon)), alpha > 1),
    "order 2": claim_of(delta <= exp(1 / sigma**2 - epsilon) / 4),
    "order 3": claim_of(delta <= R(4, 27) * exp(2 * (R(3, 2) / sigma**2 - epsilon))),
    "distance": claim_of(2 * GaussianDelta(epsilon, sigma, a) <= exp(a**2 / sigma**2 - epsilon) / 2),
    "concentrated": claim_of(GaussianDelta(epsilon, sqrt(1 / (2 * rho)), 1) <= exp(-((epsilon - rho) ** 2) / (4 * rho)), epsilon >= rho),
}


@functools.cache
def found_of(name: str) -> Any:
    found = certificate_of(TRUE[name])
    assert found is not None
    return found


@pytest.mark.parametrize("name", TRUE)
def test_the_certificate_holds_for_the_lemma_and_for_no_false_one_of_the_same_domain(name: str) -> None:
    found = found_of(name)
    assert found is not None


@pytest.mark.parametrize("order", [R(11, 10), R(3, 2), R(2), R(5), R(20)])
@pytest.mark.parametrize("sharp", [True, False])
def test_the_bound_is_not_less_than_the_integral_of_the_positive_part(order: Any, sharp: bool) -> None:
    """δ(ε) = ∫ (p − e^ε q)₊ by mpmath's quadrature, for losses on both sides of ε."""
    normal = mpmath.npdf
    for loss, noise, distance in ((-1.0, 1.5, 1.0), (0.0, 0.7, 1.0), (0.5, 1.0, 1.0), (2.0, 1.0, 2.0), (3.0, 0.6, 1.0)):
        start = distance / 2 + loss * noise**2 / distance  # where p = e^ε·q
        value = mpmath.quad(
            lambda x, at=distance, s=noise, e=loss: normal(x, at, s) - mpmath.exp(e) * normal(x, 0, s), [start, start + 5, start + 40]
        )
        node = GaussianDelta(*map(sympy.nsimplify, (loss, noise, distance)))
        bound = moment_bound(sympy.S.One, node, order, sharp=sharp)
        assert value <= mpmath.mpf(str(sympy.N(bound, 20)))


def test_the_factor_is_the_largest_value() -> None:
    """c = max s^(α − 1)·(1 − s): a smaller factor is no bound at s = 1 − 1/α."""
    for order in (R(3, 2), R(2), R(7)):
        node = GaussianDelta(0, 1, 1)
        c = moment_bound(sympy.S.One, node, order, sharp=True) / moment_bound(sympy.S.One, node, order, sharp=False)
        s = 1 - 1 / order
        assert abs(float(c - s ** (order - 1) * (1 - s))) <= 1e-12
        assert all(float(c) >= t ** float(order - 1) * (1 - t) - 1e-12 for t in (i / 100 for i in range(101)))
