"""Where published accountants return wrong values: our interval is there, it is narrow, and it meets the certified one.

Recorded with dp_accounting 0.6.0, opacus 1.6.0 and prv_accountant 0.2.0; `python -m benchmarks` measures those that are installed.
"""

import math

import pytest
import sympy

from dpbounds import accounting
from dpbounds import mechanisms as m
from dpbounds.float64 import delta_bounds, epsilon_bounds
from dpbounds.reference import tensorflow_accountant
from dpbounds.renyi.amplification.series import log_moment_series_of
from tests.oracle.renyi import approx_renyi_divergence


def poisson(q, sigma, steps):
    return m.Repeated(m.Sampled(m.Gaussian(sigma), m.PoissonSampling(q)), steps)


ROOT = sympy.sqrt(10**5)
EPSILONS = {
    "dp_accounting PLD: 6.9024, below the truth": (poisson("0.5", 50, 10**4), "1e-11", 6.90442),
    "opacus PRV: 5.376, below the truth": (poisson("0.01", 2, 2 * 10**4), "1e-12", 5.405),
    "prv_accountant pure DP: at most 76.1": (m.Repeated(m.RandomizedResponse(1), 100), "1e-6", 83.53),
    "central limit theorem: 0.243": (poisson("0.01", "0.5", 1), "1e-5", 3.025),
}
DELTAS = {
    "dp_accounting PLD: -2.15e-12": (m.Repeated(m.Gaussian(ROOT), 10**5), "7.5", 1.55e-13),
    "dp_accounting optimistic PLD: 1e-15 as a lower value": (m.Repeated(m.Gaussian(10), 100), 9, 9.8e-19),
    "dp_accounting: 1e-15, prv_accountant: 0": (poisson("0.01", 2, 1000), 5, 1.19e-71),
}


@pytest.mark.parametrize("name", EPSILONS)
def test_epsilon(name):
    mechanism, delta, rounded = EPSILONS[name]
    found = epsilon_bounds(mechanism, delta)
    truth = accounting.epsilon(mechanism, delta, digits=9).enclosure
    assert found.lower <= truth.upper and truth.lower <= found.upper
    assert abs(found.middle - rounded) <= 6e-4 * rounded
    assert found.upper - found.lower <= 1e-5


@pytest.mark.parametrize("name", DELTAS)
def test_delta(name):
    mechanism, epsilon, rounded = DELTAS[name]
    found = delta_bounds(mechanism, epsilon)
    same = m.Gaussian(1) if mechanism == m.Repeated(m.Gaussian(ROOT), 10**5) else mechanism
    truth = accounting.delta(same, epsilon, digits=9).enclosure
    assert found.lower <= truth.upper and truth.lower <= found.upper
    assert abs(found.middle - rounded) <= 6e-3 * rounded
    assert found.relative_width <= 1e-8


def test_delta_below_every_float():
    """The add direction of the last case, δ = 1.3e−384."""
    found = delta_bounds(poisson("0.01", 2, 1000), 5, direction="add")
    assert found.log_lower <= math.log(1.278787152275923500972893) - 384 * math.log(10) <= found.log_upper
    assert found.relative_width <= 1e-8 and found.upper == 5e-324 and found.lower == 0.0


def test_fractional_renyi_divergence():
    """dp_accounting: 6.70579741e−4 at q = 0.01, σ = 2.5, k = 50, α = 3/2 (a signed binomial coefficient lost its sign)."""
    (found,) = tensorflow_accountant.rdp_of("0.01", "2.5", 50, ["1.5"])
    assert found.lower >= 6.500708e-4 and found.upper <= 6.500710e-4


def test_fractional_log_moment():
    """`_compute_log_a_frac` of opacus and prv_accountant: −0.519·(α−1) at q = 0.4, σ = 20, α = 60.5; the same series with its remainder."""
    series = log_moment_series_of("60.5", 20, "0.4", 10)
    (quadrature,) = tensorflow_accountant.rdp_of("0.4", 20, 1, ["60.5"])
    assert series.lower >= 0.012555 * 59.5 and series.upper <= 0.012556 * 59.5
    assert quadrature.lower >= 0.012555 and quadrature.upper <= 0.012556


def test_both_divergences_by_the_second_opinion():
    """The mpmath oracle shares no code with the enclosures."""
    assert 6.500708e-4 <= 50 * approx_renyi_divergence(m.Sampled(m.Gaussian("2.5"), m.PoissonSampling("0.01")), "1.5") <= 6.500710e-4
    assert 0.012555 <= approx_renyi_divergence(m.Sampled(m.Gaussian(20), m.PoissonSampling("0.4")), "60.5") <= 0.012556
