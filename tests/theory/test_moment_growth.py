"""Growth of the moment of the sampled Gaussian: the derived bounds against the moment itself, and the upper bound's steps."""

from fractions import Fraction

import pytest
from flint import arb

from dpbounds.numbers.balls import ball, precision
from dpbounds.prover.derivation import ProofSteps
from dpbounds.renyi.poisson_gaussian import divergence
from dpbounds.theory.sampling import moment_growth
from tests.prover.wrong import without_document

POINTS = [
    (Fraction(5, 2), Fraction(1), Fraction(1, 10)),
    (Fraction(4), Fraction(1), Fraction(1, 4)),
    (Fraction(30), Fraction(3), Fraction(1, 2)),
    (Fraction(100), Fraction(10), Fraction(1, 10)),
]


def log_moment(order, sigma, rate):
    return ball(order - 1) * divergence(order - 1, sigma, rate, 80)


@pytest.mark.parametrize("order, sigma, rate", POINTS)
def test_lower_bounds_are_below_the_moment(order, sigma, rate):
    with precision(120):
        mean = order * rate
        assert ball(mean * (mean - 1) / (2 * sigma**2)) <= log_moment(order, sigma, rate)
        assert ball(order) * ball(rate).log() + ball(order * (order - 1) / (2 * sigma**2)) <= log_moment(order, sigma, rate)


@pytest.mark.parametrize("order, sigma, rate", [point for point in POINTS if point[0].denominator == 1])
def test_the_upper_bound_is_above_the_moment(order, sigma, rate):
    share, noise_share = order / sigma**2, order * rate / sigma
    with precision(120):
        radius = ball(noise_share) * ((1 + ball(share) / 2).exp() - 1)
        assert log_moment(order, sigma, rate) <= (1 + (radius * radius / 2).exp()).log()


def test_the_moment_falls_towards_its_limit():
    with precision(120):
        values = [log_moment(sigma**2, sigma, 1 / sigma) for sigma in (Fraction(10), Fraction(40), Fraction(160))]
        assert values[0] > values[1] > values[2] > arb(1) / 2
        assert values[2] < arb(1) / 2 + arb(1) / 100


@pytest.mark.slow
def test_the_upper_bound_needs_both_limits(monkeypatch):
    result = moment_growth.moment_upper_bound().result
    assert result.assumed == ()
    assert {str(a) for a in result.assumptions} == {"lambda > 1", "q <= 1", "lambda <= c*sigma**2", "lambda*q <= a*sigma"}
    monkeypatch.setattr(moment_growth, "EXPONENT", moment_growth.ORDER_SHARE / 4)
    assert without_document(moment_growth.one_growth(ProofSteps()))
