"""Noisy SGD: what one record can change, how much noise there is, what is charged for it, and that a seed fixes everything."""

from fractions import Fraction

import numpy as np
import pytest

from dpbounds.budgets import schedules
from dpbounds.errors import InputError
from dpbounds.planning import dpsgd

RHO = Fraction("0.78125")


@pytest.fixture(scope="module")
def task():
    """Three clouds of points in five dimensions."""
    generator = np.random.default_rng(1)
    labels = generator.integers(3, size=300)
    features = generator.normal(size=(300, 5)) + 3 * np.eye(3, 5)[labels]
    parts = [(features[part], labels[part]) for part in (slice(0, 200), slice(200, 250), slice(250, 300))]
    return dpsgd.Task(*parts[0], *parts[1], *parts[2])


SETTINGS = dpsgd.Settings(batches=4, divisor=50, clip=1.0, rate=0.5)


@pytest.mark.parametrize("seed", range(20))
def test_one_record_changes_the_sum_by_at_most_the_clipping_norm(seed):
    generator = np.random.default_rng(seed)
    weights = generator.normal(size=(6, 4)) * 10 ** generator.uniform(-2, 2)
    features = generator.normal(size=(8, 6)) * 10 ** generator.uniform(-2, 3)
    labels, clip = generator.integers(4, size=8), 10 ** generator.uniform(-2, 1)
    change = dpsgd.clipped_gradient_sum(weights, features, labels, clip) - dpsgd.clipped_gradient_sum(
        weights, features[1:], labels[1:], clip
    )
    alone = dpsgd.clipped_gradient_sum(weights, features[:1], labels[:1], clip)
    assert np.linalg.norm(alone) <= clip * (1 + 1e-12)
    assert np.linalg.norm(change) <= clip * (1 + 1e-9)


def test_without_the_clipping_the_bound_would_fail():
    features, labels = np.full((1, 4), 9.0), np.array([0])
    assert np.linalg.norm(dpsgd.clipped_gradient_sum(np.zeros((4, 3)), features, labels, 1e9)) > 1
    assert np.linalg.norm(dpsgd.clipped_gradient_sum(np.zeros((4, 3)), features, labels, 1.0)) > 1 - 1e-12


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, 1e200, 1e308])
def test_a_record_that_is_not_finite_counts_as_zero(bad):
    features, labels, weights = np.random.default_rng(2).normal(size=(5, 3)), np.array([0, 1, 0, 1, 1]), np.ones((3, 2))
    broken = np.vstack((features, [[bad, 1.0, -bad]]))
    total = dpsgd.clipped_gradient_sum(weights, broken, np.append(labels, 0), 1.0)
    change = total - dpsgd.clipped_gradient_sum(weights, features, labels, 1.0)
    assert np.isfinite(total).all() and np.linalg.norm(change) <= 1 + 1e-9


def test_a_large_clipping_norm_leaves_the_gradient_of_the_loss():
    generator = np.random.default_rng(3)
    weights, features, labels = generator.normal(size=(3, 4)), generator.normal(size=(7, 3)), generator.integers(4, size=7)

    def loss(at):
        scores = features @ at
        return float(np.sum(np.log(np.exp(scores).sum(axis=1)) - scores[np.arange(7), labels]))

    gradient, step = dpsgd.clipped_gradient_sum(weights, features, labels, 1e9), 1e-6
    for i in range(3):
        for j in range(4):
            moved = np.zeros_like(weights)
            moved[i, j] = step
            slope = (loss(weights + moved) - loss(weights - moved)) / (2 * step)
            assert abs(slope - gradient[i, j]) <= 1e-6


@pytest.mark.parametrize(("clip", "sigma"), [(1.0, 8.0), (0.25, 3.0)])
def test_the_noise_has_the_scale_that_is_charged_for(task, clip, sigma):
    features, weights = dpsgd.with_constant(task.features), np.zeros((6, 3))
    clean = dpsgd.clipped_gradient_sum(weights, features, task.labels, clip)
    noise = np.array(
        [dpsgd.noisy_gradient(weights, features, task.labels, clip, sigma, np.random.default_rng(s)) - clean for s in range(400)]
    )
    assert 0.97 <= noise.std() / (clip * sigma) <= 1.03
    assert abs(noise.mean()) <= 5 * clip * sigma / np.sqrt(noise.size)


def test_an_empty_batch_still_gets_noise():
    noisy = dpsgd.noisy_gradient(np.zeros((3, 2)), np.zeros((0, 3)), np.zeros(0, dtype=int), 1.0, 2.0, np.random.default_rng(0))
    assert noisy.shape == (3, 2) and np.all(noisy != 0)


@pytest.mark.parametrize(
    "plan",
    [
        schedules.ConstantNoise(8),
        schedules.StepDecay(10, "0.6", 10),
        schedules.TimeDecay(10, "0.05"),
        schedules.ExponentialDecay(10, "0.01"),
    ],
)
def test_training_stops_before_the_budget_is_exceeded(task, plan):
    run = dpsgd.train(task, plan, RHO, SETTINGS, 0)
    assert len(run.sigmas) == schedules.epochs_within(plan, RHO)
    spent = sum((1 / (2 * Fraction(sigma) ** 2) for sigma in run.sigmas), Fraction(0))
    assert run.filter.spent == spent <= RHO
    following = plan.noise_of(len(run.sigmas), 12).upper_float
    assert spent + 1 / (2 * Fraction(following) ** 2) > RHO


def test_a_seed_fixes_the_training(task):
    first, again, other = (dpsgd.train(task, schedules.ConstantNoise(4), "0.5", SETTINGS, seed) for seed in (7, 7, 8))
    assert first == again
    assert first.accuracies != other.accuracies


def test_it_learns_and_noise_costs_accuracy(task):
    weak = [dpsgd.train(task, schedules.ConstantNoise(2), 10, SETTINGS, seed).accuracy for seed in range(3)]
    strong = [dpsgd.train(task, schedules.ConstantNoise(200), "0.001", SETTINGS, seed).accuracy for seed in range(3)]
    assert min(weak) > 0.85 and sum(strong) / 3 < 0.8


def test_an_adaptive_plan_sees_only_the_public_accuracies(task):
    heard = []

    def plan(accuracies):
        heard.append(accuracies)
        return schedules.ValidationDecay(10, "0.7", "0.01", 1, 2, accuracies)

    run = dpsgd.train(task, plan, "0.1", SETTINGS, 0)
    assert [len(seen) for seen in heard] == list(range(len(run.sigmas) + 1))
    assert tuple(map(float, heard[-1])) == run.validations
    assert run.sigmas[0] == 10 and min(run.sigmas) < 10 and run.filter.spent <= Fraction(1, 10)


def test_bad_settings_and_small_budgets_are_one_line(task):
    with pytest.raises(InputError, match="settings must be positive"):
        dpsgd.Settings(4, 50, 0, 0.5)
    with pytest.raises(InputError, match="does not last one epoch"):
        dpsgd.train(task, schedules.ConstantNoise(1), "0.1", SETTINGS, 0)
