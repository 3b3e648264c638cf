"""δ so near to 1 that a bound on what is missing is its enclosure."""

from dataclasses import replace
from fractions import Fraction

import mpmath
import pytest
from flint import arb

from dpbounds import accounting
from dpbounds.accounting.bounds import near_one as module
from dpbounds.laws.contour_factor import GaussianFactor
from dpbounds.laws.factors import MixtureFactor
from dpbounds.laws.mixture import Mixture
from dpbounds.laws.normal_form import elements_of
from dpbounds.mechanisms import Composed, FixedSizeSampling, Gaussian, Laplace, PoissonSampling, Repeated, Sampled, TruncatedPoissonSampling
from dpbounds.mechanisms.pairs import dominating_pairs
from dpbounds.noise.discrete_gaussian import DiscreteGaussian
from dpbounds.noise.skellam import Skellam
from dpbounds.numbers.balls import precision


def missing_of(variance, epsilon):
    """1 − δ(ε) of Gaussian noise, from its closed form in mpmath."""
    mu = mpmath.sqrt(variance)
    return 1 - mpmath.ncdf(mu / 2 - epsilon / mu) + mpmath.exp(epsilon) * mpmath.ncdf(-mu / 2 - epsilon / mu)


@pytest.mark.parametrize("variance, epsilon, order", [(100, 40, 0.1), (100, 40, 0.3), (400, 10, 0.5), (100, 0, 0.5)])
def test_bound_holds_and_needs_every_factor(variance, epsilon, order):
    with mpmath.workdps(60), precision(200):
        exact = missing_of(variance, epsilon)
        bound = module.one_minus_delta_bound([GaussianFactor(arb(variance))], arb(order), arb(epsilon))
        assert float(bound.lower()) >= float(exact) * (1 - 1e-12)
        assert float(bound.upper()) <= float(exact) * 1e3


def test_the_bound_without_epsilon_or_the_moment_is_false():
    """At (100, 40, 0.1) each of the two factors alone, put to 1 in turn, is on the wrong side of the truth or far from it."""
    with mpmath.workdps(60):
        exact = missing_of(100, 40)
        assert mpmath.exp(-0.1 * 0.9 * 50) < exact < mpmath.exp(-0.1 * 0.9 * 50 + 0.1 * 40) < 10 * exact


@pytest.mark.parametrize("order", (-0.1, 1.1))
def test_orders_outside_are_refused(order):
    assert not module.one_minus_delta_bound([GaussianFactor(arb(100))], arb(order), arb(1)).is_finite()


@pytest.mark.parametrize("steps, rate, sigma", [(10**10, "0.5", "1"), (10**18, "0.5", "1"), (10**18, "0.001", "50")])
def test_any_number_of_steps_takes_no_contour(steps, rate, sigma):
    found = accounting.delta(Repeated(Sampled(Gaussian(sigma), PoissonSampling(rate)), steps), 1, digits=15)
    assert found.method == module.METHOD
    assert found.enclosure.upper == 1 and 1 - Fraction(1, 10**15) <= found.enclosure.lower < 1


def test_what_is_not_that_near_goes_on():
    factors = [MixtureFactor(Mixture(Fraction(1, 100), Fraction(1), numerator=True, denominator=False), 1000)]
    assert module.near_one(lambda: factors, Fraction(1), 15) is None
    assert module.near_one(lambda: [factors[0].with_cut(9.0)], Fraction(1), 15) is None


def test_factors_without_a_moment_there_count_as_one():
    """M(−t) ≤ 1, so that the others are enough, and the bound is no smaller than theirs alone."""
    many = GaussianFactor(arb(1000))
    cut = MixtureFactor(Mixture(Fraction(1, 100), Fraction(1), numerator=True, denominator=False), 1000).with_cut(9.0)
    assert not cut.between_poles
    alone, beside = (module.near_one(lambda own=factors: own, Fraction(1), 15) for factors in ([many], [many, cut]))
    assert (alone.lower, alone.upper) == (beside.lower, beside.upper)
    product = Composed((Repeated(Sampled(Gaussian("4.26"), FixedSizeSampling(45, 7)), 10), Repeated(Gaussian("3.22"), 10**9)))
    found = accounting.delta(product, "0.24", digits=12, relation="substitute")
    assert found.method == module.METHOD


@pytest.mark.parametrize("direction", ["remove", "add"])
@pytest.mark.parametrize("noise", [Laplace(1), Sampled(Laplace(1), PoissonSampling("0.5"))])
def test_laplace_noise_between_the_poles(noise, direction):
    """Of one use the bound holds, and is less than twice as large; of a billion uses it is the answer."""
    once = accounting.delta(noise, "0.1", digits=12, direction=direction).enclosure
    (pair,) = dominating_pairs(noise, direction=direction)
    with precision(100):
        bounds = [module.one_minus_delta_bound(elements_of(pair).factors(), arb(t), arb("0.1")) for t in (0.1, 0.4, 0.7, 1)]
    assert all(1 - once.upper_float <= bound <= 2 * (1 - once.upper_float) for bound in bounds)
    found = accounting.delta(Repeated(noise, 10**9), 1, digits=15, direction=direction)
    assert found.method == module.METHOD and found.enclosure.lower >= 1 - Fraction(1, 10**15)


def test_many_uses_of_discrete_noise_are_bounded_at_once():
    found = accounting.delta(Repeated(DiscreteGaussian("15.3"), 13_360), "1.6", relation="substitute", digits=6)
    assert found.method == module.METHOD
    assert found.enclosure.low >= 1 - arb(10) ** -7


def test_laws_with_tails_leave_out_less_than_is_missing():
    """The mass that listed outcomes leave out is that of the precision of the bound: 10^9 times 2^-53 was too much for 15 digits."""
    found = accounting.delta(Composed((Repeated(Skellam("13.8", 2), 2_320_000_000), Laplace("4.17"))), 16, digits=15, direction="add")
    assert found.method == module.METHOD


def test_truncated_batches_of_which_many_are_full():
    """Each kind of step alone shows that δ is next to 1, and so does their mean; few steps are not next to 1."""
    step = Sampled(Gaussian("2.01"), TruncatedPoissonSampling("0.0455", 88, 8))
    found = accounting.delta(Repeated(step, 8_300_000), "2.43", digits=4, direction="add")
    assert module.METHOD in found.method and found.enclosure.upper == 1
    (product,) = dominating_pairs(Repeated(step, 100), direction="add", upper_bounds=True)
    assert module.near_one(elements_of(product).factors, Fraction(1), 4) is None
    # what is missing lies between what each kind of step alone would miss
    pair = product.factors[0].pair
    many = [replace(product, factors=(replace(product.factors[0], pair=own, steps=120_000),)) for own in (pair.pushing, pair, pair.uncut)]
    missing = [module.one_minus_delta_bound(elements_of(each).factors(), arb("0.49"), arb(1)) for each in many]
    assert missing[0] < missing[1] < missing[2]  # full batches show more
