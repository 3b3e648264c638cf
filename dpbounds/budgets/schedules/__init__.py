"""Noise schedules over the epochs of a training, and the zCDP budget they spend (Yu et al. 2019, IV-A)."""

from dpbounds.budgets.schedules.budget import (
    Epoch, Rates, allocation_of, epochs_within, fits, grid_rates_for, rates_for, smallest_grid_rate_for,
)  # fmt: skip
from dpbounds.budgets.schedules.decay import ConstantNoise, ExponentialDecay, PolynomialDecay, StepDecay, TimeDecay, UniformBudget
from dpbounds.budgets.schedules.schedule import Schedule
from dpbounds.budgets.schedules.validation import ValidationDecay

__all__ = [
    "ConstantNoise", "Epoch", "ExponentialDecay", "PolynomialDecay", "Rates", "Schedule", "StepDecay", "TimeDecay", "UniformBudget",
    "ValidationDecay", "allocation_of", "epochs_within", "fits", "grid_rates_for", "rates_for", "smallest_grid_rate_for",
]  # fmt: skip
