"""Noisy SGD on softmax regression, fast enough for the comparisons of schedules in the notebook. For a model of your own: `dpbounds.sgd`.

One epoch: every record draws the number of its batch by itself, uniformly and independently of all others. For each batch the
gradients of its records are clipped to norm C one by one, summed, Gaussian noise of standard deviation Cσ is added to each
coordinate, and the sum is divided by a fixed number. Adding or removing a record changes one batch, by at most C, and moves no other
record; so an epoch is 1/(2σ²)-zCDP (`budgets.zcdp.epoch_rho_of`). Shuffling the records and cutting them into batches of equal size is not
covered by that argument.

What is public here: the number of classes and features, the number of batches, the divisor, and a validation set of its own. Noise comes
from a float64 generator with a seed, for experiments: it is no protection against an attacker who studies the last bits or knows the seed.

Source: Abadi et al. 2016, Algorithm 1; Yu et al. 2019, Algorithm 1.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Union

from dpbounds.errors import InputError, require

require("float64", "numpy")

import numpy as np

from dpbounds.budgets.schedules.schedule import Schedule
from dpbounds.budgets.zcdp.filter import Filter
from dpbounds.numbers import exact

Array = Any
Plan = Union[Schedule, Callable[[Sequence[Fraction]], Schedule]]
"""A schedule, or a function from the validation accuracies seen so far to one."""


@dataclass(frozen=True, eq=False)
class Task:
    """Records with labels 0, 1, …: private ones for training, public ones for validation, others for the test.

    Args:
        features, labels: training data, one row for each record.
        public_features, public_labels: validation data that need no protection.
        test_features, test_labels: never seen in training.
    """

    features: Array
    labels: Array
    public_features: Array
    public_labels: Array
    test_features: Array
    test_labels: Array

    @property
    def classes(self) -> int:
        """The number of classes."""
        return int(max(self.labels.max(), self.public_labels.max(), self.test_labels.max())) + 1


@dataclass(frozen=True)
class Settings:
    """What every schedule has in common.

    Args:
        batches: per epoch, ≥ 1.
        divisor: what noisy sums are divided by, a public number near records/batches.
        clip: C > 0, the norm that no gradient of one record exceeds.
        rate: learning rate > 0.
    """

    batches: int
    divisor: float
    clip: float
    rate: float

    def __post_init__(self) -> None:
        if self.batches < 1 or not all(0 < value < float("inf") for value in (self.divisor, self.clip, self.rate)):
            raise InputError(f"settings must be positive: {self}")


@dataclass(frozen=True)
class Training:
    """What came out of one training.

    Attributes:
        sigmas: noise multiplier of each epoch.
        accuracies: test accuracy after each epoch.
        validations: accuracy on the public data after each epoch.
        filter: the budget and what was spent of it, exactly.
    """

    sigmas: tuple[float, ...]
    accuracies: tuple[float, ...]
    validations: tuple[float, ...]
    filter: Filter

    @property
    def accuracy(self) -> float:
        """Test accuracy at the end."""
        return self.accuracies[-1]


def with_constant(features: Array) -> Array:
    """The features with a column of ones, for the bias."""
    return np.hstack((features, np.ones((len(features), 1))))


def clipped_gradient_sum(weights: Array, features: Array, labels: Array, clip: float) -> Array:
    """Σ_i g_i·min(1, C/‖g_i‖), g_i the gradient of the log loss of record i with respect to the weights.

    g_i is the outer product of the features and of (probabilities − label), so ‖g_i‖ is the product of their norms and no gradient
    has to be written out. The norm of the sum changes by at most C when a record is added, up to float64 rounding; `sgd.clipping` does
    without that exception. A record whose gradient is not finite counts as zero.

    Args:
        weights: features × classes.
        features: records × features, constant included.
        labels: class numbers.
        clip: C > 0.

    >>> one = np.ones((1, 2))
    >>> float(np.linalg.norm(clipped_gradient_sum(np.zeros((2, 3)), one, np.array([0]), 0.5))) <= 0.5 * (1 + 1e-12)
    True
    """
    with np.errstate(invalid="ignore", over="ignore"):
        return _clipped_gradient_sum(weights, features, labels, clip)


def _clipped_gradient_sum(weights: Array, features: Array, labels: Array, clip: float) -> Array:
    scores = features @ weights
    scores -= scores.max(axis=1, keepdims=True)
    probabilities = np.exp(scores)
    probabilities /= probabilities.sum(axis=1, keepdims=True)
    probabilities[np.arange(len(labels)), labels] -= 1
    norms = np.linalg.norm(features, axis=1) * np.linalg.norm(probabilities, axis=1)
    scale = np.minimum(1.0, clip / np.maximum(norms, 1e-300))
    bad = ~np.isfinite(norms)
    if bad.any():
        features, probabilities, scale = (
            np.where(bad if part.ndim == 1 else bad[:, None], 0.0, part) for part in (features, probabilities, scale)
        )
    return features.T @ (probabilities * scale[:, None])


def noisy_gradient(weights: Array, features: Array, labels: Array, clip: float, sigma: float, generator: np.random.Generator) -> Array:
    """The clipped sum plus N(0, C²σ²) on every coordinate: a Gaussian mechanism of noise multiplier σ, 1/(2σ²)-zCDP."""
    total = clipped_gradient_sum(weights, features, labels, clip)
    return total + generator.normal(0.0, clip * sigma, total.shape)


def accuracy_of(weights: Array, features: Array, labels: Array) -> Fraction:
    """The share of records whose largest score is their label's."""
    return Fraction(int((np.argmax(with_constant(features) @ weights, axis=1) == labels).sum()), len(labels))


def train(task: Task, plan: Plan, budget: exact.Number, settings: Settings, seed: int) -> Training:
    """Train until the next epoch would exceed the budget.

    Each epoch's noise is taken as the float that is used, and its cost 1/(2σ²) is exact for that float. A plan that follows the public
    validation accuracy chooses σ adaptively, which `budgets.zcdp.Filter` covers.

    Args:
        task: data.
        plan: a schedule, or a function of the accuracies on the public data so far.
        budget: ρ > 0.
        settings: batches, divisor, clipping norm, learning rate.
        seed: of the generator; the same seed gives the same training.

    Returns:
        The training, with an exact account.

    Raises:
        InputError: a budget that does not last one epoch.
    """
    generator = np.random.default_rng(seed)
    features = with_constant(task.features)
    weights = np.zeros((features.shape[1], task.classes))
    account = Filter(budget)
    sigmas: list[float] = []
    accuracies: list[float] = []
    seen: list[Fraction] = []
    while True:
        schedule = plan if isinstance(plan, Schedule) else plan(tuple(seen))
        sigma = schedule.noise_of(len(sigmas), 12).upper_float
        cost = 1 / (2 * Fraction(sigma) ** 2)
        if not account.admits(cost):
            break
        account = account.spend(cost)
        batch = generator.integers(settings.batches, size=len(features))
        for number in range(settings.batches):
            chosen = batch == number
            gradient = noisy_gradient(weights, features[chosen], task.labels[chosen], settings.clip, sigma, generator)
            weights = weights - settings.rate * gradient / settings.divisor
        sigmas.append(sigma)
        seen.append(accuracy_of(weights, task.public_features, task.public_labels))
        accuracies.append(float(accuracy_of(weights, task.test_features, task.test_labels)))
    if not sigmas:
        raise InputError(f"the budget rho = {exact.text(account.total)} does not last one epoch at noise {sigma:g}; use more of either")
    return Training(tuple(sigmas), tuple(accuracies), tuple(map(float, seen)), account)
