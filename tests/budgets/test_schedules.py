"""Schedules: Tables II and III of Yu et al. 2019, budgets, the validation rule."""

from fractions import Fraction

import pytest

from dpbounds.budgets import schedules
from dpbounds.errors import InputError
from dpbounds.numbers.balls import ball, precision

RHO = Fraction("0.78125")
FAMILIES = {
    "time": (lambda k: schedules.TimeDecay(10, k), ("1e-6", 10)),
    "step": (lambda k: schedules.StepDecay(10, k, 10), ("1e-3", "0.9999")),
    "exponential": (lambda k: schedules.ExponentialDecay(10, k), ("1e-6", 10)),
    "polynomial": (lambda k: schedules.PolynomialDecay(10, k, 2, 100), ("1e-3", 100)),
}
TABLE_III = {
    "time": "0.076 0.0441 0.0281 0.019 0.0132 0.0093 0.0067 0.0048",
    "step": "0.5459 0.7008 0.7922 0.851 0.891 0.919 0.94 0.956",
    "exponential": "0.0442 0.0282 0.0193 0.0138 0.0101 0.0075 0.0056 0.0041",
    "polynomial": "6.2077 3.5277 2.1948 1.4317 0.9549 0.6382 0.4167 0.1626",
}


@pytest.mark.parametrize(
    ("schedule", "epochs"),
    [
        (schedules.ConstantNoise(8), 100),
        (schedules.TimeDecay(10, "0.05"), 38),
        (schedules.StepDecay(10, "0.6", 10), 31),
        (schedules.ExponentialDecay(10, "0.01"), 71),
        (schedules.PolynomialDecay(10, 3, 2, 100), 44),
    ],
)
def test_table_ii(schedule, epochs):
    assert schedules.epochs_within(schedule, RHO) == epochs
    assert schedules.fits(schedule, epochs, RHO) and not schedules.fits(schedule, epochs + 1, RHO)


@pytest.mark.parametrize("name", FAMILIES)
def test_table_iii(name):
    family, _ = FAMILIES[name]
    for epochs, rate in zip(range(30, 101, 10), TABLE_III[name].split(), strict=True):
        assert schedules.epochs_within(family(Fraction(rate)), RHO) == epochs


@pytest.mark.parametrize("name", FAMILIES)
def test_rates_are_certified_on_both_sides(name):
    family, bracket = FAMILIES[name]
    found = schedules.rates_for(family, 50, RHO, bracket, 6)
    for end, inside in ((found.longest, 50), (found.shorter, 51)):
        lengths = {schedules.epochs_within(family(end.lower), RHO), schedules.epochs_within(family(end.upper), RHO)}
        assert len(lengths) == 2 and {inside, inside - 1} == lengths
    printed = Fraction(TABLE_III[name].split()[2])
    assert found.contains(printed)
    assert printed in schedules.grid_rates_for(family, 50, RHO, printed)


@pytest.mark.parametrize(
    "schedule",
    [
        schedules.TimeDecay(10, "0.05"),
        schedules.ExponentialDecay(10, "0.01"),
        schedules.PolynomialDecay(10, "1.5", 2, 60),
        schedules.UniformBudget(RHO, 60),
    ],
)
def test_an_allocation_never_exceeds_its_budget(schedule):
    epochs = list(schedules.allocation_of(schedule, RHO))
    assert epochs[-1].spent.lower <= RHO
    assert epochs[0].sigma.overlaps(schedule.noise_of(0))
    assert all(left.spent.lower <= right.spent.upper for left, right in zip(epochs, epochs[1:], strict=False))
    assert epochs[-1].number + 1 == schedules.epochs_within(schedule, RHO)


def test_epochs_count_from_zero_and_equality_fits():
    assert schedules.epochs_within(schedules.ConstantNoise(1), "0.5") == 1
    assert schedules.epochs_within(schedules.ConstantNoise(1), "0.4999") == 0
    with precision(60):
        assert schedules.TimeDecay(10, "0.5").noise(0).contains(10)
    assert schedules.UniformBudget(1, 50).noise_of(0).contains(5)


def test_periods_and_the_end_of_a_polynomial():
    assert schedules.TimeDecay(10, 1, 3).exact_noise(5) == 5
    assert schedules.PolynomialDecay(10, 1, 2, 4).exact_noise(9) == 2
    with precision(60):
        assert (schedules.PolynomialDecay(10, "0.5", 2, 4).noise(3) - 6).contains(0)
        assert schedules.ExponentialDecay(10, "0.1", 10).noise(9).contains(ball(10))


def test_the_validation_rule_gives_the_64_epochs_of_table_ii():
    """Figure 4 prints 10 for 29 epochs, 7 for 20 and 4.9 for 10; what is left of the budget pays 5 more at 3.43."""
    spent = sum(Fraction(n) / (2 * Fraction(s) ** 2) for n, s in ((29, "10"), (20, "7"), (10, "4.9")))
    left = schedules.epochs_within(schedules.ConstantNoise("3.43"), RHO - spent)
    assert 29 + 20 + 10 + left == 64


def test_the_validation_rule():
    accuracies = ["0.5", "0.6", "0.7", "0.7", "0.7", "0.7", "0.8", "0.9"]
    schedule = schedules.ValidationDecay(10, "0.5", "0.01", 2, 2, accuracies)
    assert [schedule.exact_noise(t) for t in range(9)] == [10, 10, 10, 10, 10, 10, 5, 5, 5]
    with pytest.raises(InputError, match="needs 9"):
        schedule.noise(9)


@pytest.mark.parametrize(
    "build",
    [
        lambda: schedules.StepDecay(10, 1, 5),
        lambda: schedules.PolynomialDecay(2, 1, 3, 5),
        lambda: schedules.TimeDecay(10, 0),
        lambda: schedules.ValidationDecay(10, "0.5", 0, 3, 2, []),
        lambda: schedules.epochs_within(schedules.ConstantNoise(1), 0),
        lambda: schedules.ConstantNoise(1).noise_of(-1),
        lambda: schedules.rates_for(FAMILIES["time"][0], 30, RHO, ("1e-6", "1e-5")),
    ],
)
def test_bad_input(build):
    with pytest.raises(InputError):
        build()
