"""The best of a random number of trainings: the bound against the law of the best one, computed outcome by outcome."""

import math
from fractions import Fraction

import numpy as np
import pytest

from dpbounds.budgets.random_stopping import RandomStopping
from dpbounds.errors import InputError
from dpbounds.mechanisms import Gaussian, PoissonSampling, Repeated, Sampled
from dpbounds.renyi.conversions import sharp_epsilon_of

SHAPES = [(eta, gamma) for eta in ("-1/2", 0, "1/2", 1, 3) for gamma in ("1/20", "1/2")]


def generating(eta, gamma, x):
    """E[x^K]."""
    eta, gamma = float(Fraction(eta)), float(Fraction(gamma))
    if eta == 0:
        return math.log1p(-(1 - gamma) * x) / math.log(gamma)
    return ((1 - (1 - gamma) * x) ** -eta - 1) / (gamma**-eta - 1)


def best_of(law, eta, gamma):
    """The law of the largest of K draws."""
    ends = [generating(eta, gamma, min(1.0, x)) for x in (0.0, *np.cumsum(law))]
    return np.diff(ends)


def divergence(order, p, q):
    return math.log(float(np.sum(p**order * q ** (1 - order)))) / (order - 1)


@pytest.mark.parametrize(("eta", "gamma"), SHAPES)
def test_the_bound_holds_for_laws_on_few_outcomes(eta, gamma):
    generator, closest = np.random.default_rng(0), math.inf
    stopping = RandomStopping(eta, gamma)
    for _ in range(12):
        p = generator.dirichlet(np.full(4, 2.0))
        q = p * np.exp(generator.normal(0, 0.3, 4))
        q /= q.sum()
        for order, other in ((1.5, 8), (4, 4), (8, 20)):
            one = max(divergence(order, p, q), divergence(order, q, p))
            two = max(divergence(other, p, q), divergence(other, q, p))
            bound = stopping.renyi_of(str(order), f"{one:.12f}", other, f"{two:.12f}").upper_float
            found = divergence(order, best_of(p, eta, gamma), best_of(q, eta, gamma))
            assert found <= bound + 1e-9
            closest = min(closest, bound - found)
    assert closest <= 4


@pytest.mark.parametrize("eta", [0, 1, 2])
def test_the_pure_cost_is_nearly_attained(eta):
    """Bad, middling and good outcomes: the middling one is rarer and the good one, which hides it, more frequent, each by e^ε."""
    epsilon, middling, good = 0.5, 1e-6, 1e-3
    factor = math.exp(epsilon)
    one, other = (np.array([1 - sum(rare), *rare]) for rare in ((middling * factor, good), (middling, good * factor)))
    loss = math.log(best_of(one, eta, "1/1000000000")[1] / best_of(other, eta, "1/1000000000")[1])
    limit = float(RandomStopping(eta, "1/1000000000").pure_epsilon_of("1/2"))
    assert 0.99 * limit <= loss <= limit
    assert RandomStopping(1, "1/3").pure_epsilon_of("1/10") == Fraction(3, 10)


@pytest.mark.parametrize(("eta", "gamma"), SHAPES)
def test_the_mean_is_the_slope_of_the_generating_function(eta, gamma):
    width = 1e-6
    slope = (generating(eta, gamma, 1.0) - generating(eta, gamma, 1.0 - width)) / width
    assert abs(slope / RandomStopping(eta, gamma).mean().upper_float - 1) <= 1e-3


@pytest.mark.parametrize(("eta", "gamma"), [("-1/2", "1/2"), (0, "1/4"), (1, "1/4"), (2, "1/2")])
def test_draws_have_that_mean(eta, gamma):
    stopping, generator = RandomStopping(eta, gamma), np.random.default_rng(1)
    draws = [stopping.draw(generator) for _ in range(4000)]
    mean = stopping.mean().upper_float
    assert min(draws) >= 1 and abs(np.mean(draws) - mean) <= 5 * np.std(draws) / 4000**0.5


def test_the_best_of_ten_trainings_costs_more_than_one_and_less_than_ten():
    training = Repeated(Sampled(Gaussian(2), PoissonSampling("0.01")), 500)
    best = RandomStopping(0, "1/40").epsilon_of(training, "1e-5", orders=(8, 16, 32))
    one, ten = (
        min(sharp_epsilon_of(k, count * renyi, "1e-5").upper for k, renyi in ((k, divergence_at(training, k)) for k in (8, 16, 32)))
        for count in (1, 10)
    )
    assert RandomStopping(0, "1/40").mean().lower > 10
    assert one <= best.lower and best.upper <= ten


def divergence_at(training, order):
    from dpbounds.renyi.solve import renyi_divergence

    return renyi_divergence(training, order, digits=8).enclosure.upper


def test_what_is_no_distribution_is_refused():
    with pytest.raises(InputError, match="eta must be > -1"):
        RandomStopping(-1, "1/2")
    with pytest.raises(InputError, match="gamma must lie strictly between 0 and 1"):
        RandomStopping(1, 1)
    with pytest.raises(InputError, match="orders must be"):
        RandomStopping(1, "1/2").renyi_of(1, 0, 2, 0)
