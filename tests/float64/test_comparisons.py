"""Berry–Esseen, privacy buckets and the moments accountant: enough of each for the comparisons, on the right side of the truth."""

import pytest

from dpbounds import mechanisms as m
from dpbounds.errors import InputError
from dpbounds.float64 import delta_bounds, epsilon_bounds
from dpbounds.float64.published import berry_esseen, moments_accountant, privacy_buckets
from dpbounds.mechanisms import pairs


def poisson(q, sigma, steps):
    return m.Repeated(m.Sampled(m.Gaussian(sigma), m.PoissonSampling(q)), steps)


def remove(mechanism):
    return pairs.dominating_pairs(mechanism, direction="remove")[0]


@pytest.mark.parametrize("epsilon", [0.5, 1.0, 2.0])
def test_berry_esseen_brackets_and_closes_in_with_k(epsilon):
    widths = []
    for steps in (10**4, 5 * 10**4):
        mechanism = poisson("0.01", 2, steps)
        found = berry_esseen.normal_approximation(remove(mechanism), epsilon)
        truth = delta_bounds(mechanism, epsilon, direction="remove")
        assert found.approx_lower <= truth.upper and truth.lower <= found.approx_upper
        widths.append(found.error)
    assert 0.4 < widths[1] / widths[0] < 0.5


def test_berry_esseen_needs_one_pair_of_finite_loss():
    with pytest.raises(InputError, match="one pair"):
        berry_esseen.normal_approximation(remove(m.Composed((m.Gaussian(1), m.Gaussian(2)))), 1.0)
    with pytest.raises(InputError, match="finite"):
        berry_esseen.normal_approximation(remove(m.FiniteTable(["1/2", "1/2"], ["1", "0"])), 1.0)


@pytest.mark.parametrize("epsilon", [0.5, 2.0])
def test_privacy_buckets_bracket_and_improve_with_more_buckets(epsilon):
    mechanism = poisson("0.02", 1, 256)
    truth = delta_bounds(mechanism, epsilon, direction="remove")
    gaps = []
    for count, log_factor in ((2000, 2e-3), (16000, 2.5e-4)):
        found = privacy_buckets.approx_buckets(remove(mechanism), count, log_factor)
        assert found.approx_delta_lower(epsilon) <= truth.upper
        assert truth.lower <= found.approx_delta(epsilon)
        gaps.append(found.approx_delta(epsilon) - truth.lower)
    assert gaps[1] <= gaps[0] / 3


def test_privacy_buckets_with_atoms_and_two_factors():
    mechanism = m.Composed((m.Repeated(m.RandomizedResponse("0.1"), 8), m.Repeated(m.Laplace(10), 5)))
    truth = delta_bounds(mechanism, "0.5")
    found = privacy_buckets.approx_buckets(remove(mechanism), 4000, 1e-3)
    assert found.approx_delta_lower(0.5) <= truth.upper and truth.lower <= found.approx_delta(0.5)


def test_squaring_keeps_the_mass_and_doubles_the_range():
    found = privacy_buckets.buckets_of(remove(poisson("0.1", 1, 1)).factors[0], 1000, 1e-3)
    twice = found.squared()
    assert abs(float(found.masses.sum() - twice.masses.sum())) <= 1e-12
    assert twice.log_factor == 2 * found.log_factor
    with pytest.raises(InputError, match="buckets"):
        privacy_buckets.buckets_of(remove(poisson("0.1", 1, 1)).factors[0], 1, 1e-3)


@pytest.mark.parametrize(("q", "sigma", "steps"), [("0.01", 2, 1000), ("0.02", 1, 4096)])
def test_the_moments_accountant_is_above_the_truth(q, sigma, steps):
    mechanism = poisson(q, sigma, steps)
    for epsilon in (1.0, 4.0):
        bound = moments_accountant.approx_delta(float(q), float(sigma), steps, epsilon)
        assert bound >= delta_bounds(mechanism, epsilon, direction="remove").lower
    assert (
        moments_accountant.approx_epsilon(float(q), float(sigma), steps, 1e-6)
        >= epsilon_bounds(mechanism, "1e-6", direction="remove").lower
    )
