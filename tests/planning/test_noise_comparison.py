"""Is any noise better than Gaussian? The evidence, and the exact single-use formulas behind it."""

import math

import pytest

from dpbounds import accounting
from dpbounds.budgets.conversion_gaps import gaps_of
from dpbounds.errors import InputError
from dpbounds.mechanisms import Laplace
from dpbounds.planning.noise_comparison import NoiseComparison, comparison_of, laplace_epsilon_of, logistic_epsilon_of


def logistic_delta(largest, epsilon):
    """(e^{ε₀/2} − e^{ε/2})²/(e^{ε₀} − 1): dP/dQ = c/(c − (c−1)y)² for y uniform under Q, c = e^{ε₀}."""
    return (math.exp(largest / 2) - math.exp(epsilon / 2)) ** 2 / math.expm1(largest)


def verdicts(rows):
    return {row.name: row.verdict for row in rows}


def test_one_use_at_small_delta_favours_bounded_loss():
    rows = comparison_of(4, "1e-9", families=["Laplace", "logistic"])
    found = verdicts(rows)
    assert found["Gaussian"] is NoiseComparison.SAME
    assert found["Laplace"] is found["logistic"] is NoiseComparison.BETTER
    assert all(row.epsilon.lower <= row.upper.upper for row in rows)


def test_many_uses_favour_gaussian_noise_over_laplace():
    assert verdicts(comparison_of(100, "1e-5", 100, families=["Laplace"]))["Laplace"] is NoiseComparison.WORSE


def test_composed_logistic_noise_first_wins_and_then_loses():
    """At δ = 1e−5 and variance 100: ten uses are better than Gaussian ones, a hundred are worse."""
    few, many = (comparison_of(100, "1e-5", steps, families=["logistic"])[1] for steps in (10, 100))
    assert few.verdict is NoiseComparison.BETTER and many.verdict is NoiseComparison.WORSE
    assert few.epsilon.upper <= few.upper.upper and many.epsilon.upper <= many.upper.upper


@pytest.mark.slow
def test_every_family_is_decided_on_both_sides():
    found = verdicts(comparison_of(100, "1e-9", 10))
    assert found["generalized normal, shape 1.5"] is found["logistic"] is found["Laplace"] is NoiseComparison.BETTER
    assert found["generalized normal, shape 4"] is NoiseComparison.WORSE
    found = verdicts(comparison_of(100, "1e-5", 100))
    assert set(found.values()) == {NoiseComparison.SAME, NoiseComparison.WORSE}


def test_the_exact_formulas_invert_delta():
    logistic = logistic_epsilon_of(2, "0.01")
    most, least = (logistic_delta(0.5, float(end)) for end in (logistic.lower, logistic.upper))
    assert most >= 0.01 * (1 - 1e-12) and least <= 0.01 * (1 + 1e-12)
    assert laplace_epsilon_of(2, "0.01").overlaps(accounting.epsilon(Laplace(2), "0.01", digits=12).enclosure)
    assert laplace_epsilon_of(2, "0.9").upper == 0 and logistic_epsilon_of(2, "0.9").upper == 0


def test_gaps_are_at_least_one_and_in_order():
    for rows in (gaps_of(2, "1e-5", steps=4, digits=5), gaps_of("1.5", "1e-5", "0.05", 100, digits=5)):
        by_name = {row.conversion: row for row in rows}
        assert all(row.ratio.upper >= 1 for row in rows)
        order = ["exact", "sharp, all orders", "Chernoff, all orders"]
        assert all(by_name[a].epsilon.lower <= by_name[b].epsilon.upper for a, b in zip(order, order[1:], strict=False))
        order = ["exact", "joint range, one order", "sharp, one order", "Mironov, one order"]
        assert all(by_name[a].epsilon.lower <= by_name[b].epsilon.upper for a, b in zip(order, order[1:], strict=False))
    assert "zCDP" not in by_name


def test_bad_input():
    with pytest.raises(InputError):
        comparison_of(0, "1e-5")
    with pytest.raises(InputError):
        comparison_of(1, 2)
    with pytest.raises(InputError, match="families"):
        comparison_of(1, "1e-5", families=["Cauchy"])
